/* Which answers MEMORY_ERROR an error of memory excuses: one, of who waited when it came, and of a
 * head's error none (R9.9, R16.7). */
#include "tests/unit/sim/environment/environment_run.h"

#include "sim/environment/failed_reads.h"

#define LONG UINT64_C(10000000)

/* Who was told MEMORY_ERROR first, and at which level: a later answer for that page repeats it,
 * though the line has been read again, and well. */
typedef struct old_error {
    bool known, repeated;
    uint32_t pasid, level;
    uint64_t page;
} old_error;

static void repeat_an_error(environment_run *r, void *ctx) {
    old_error *e = ctx;
    if (!r->out.rsp_valid || !r->in.rsp_ready || e->repeated) {
        return;
    }
    const lw_front_request *q = &r->env->requests[r->out.rsp_id];
    if (!e->known && r->out.rsp_kind == LW_MEMORY_ERROR) {
        *e = (old_error){true, false, q->pasid, r->out.rsp_level, q->page};
    } else if (e->known && q->pasid == e->pasid && q->page == e->page &&
               lw_waiting_since(r->env->waiting, r->out.rsp_id) + 50 > r->now &&
               r->out.rsp_kind != LW_MEMORY_ERROR) {
        e->repeated = true;
        r->out.rsp_kind = LW_MEMORY_ERROR;
        r->out.rsp_level = e->level;
        r->out.rsp_pfn = 0;
        r->out.rsp_size = r->out.rsp_perm = 0;
    }
}

static void test_an_error_excuses_once(void **state) {
    (void)state;
    static const lw_run one_page = {
        .workload = "sequential", .seed = 1, .size = 4, .max_requests = 5000};
    environment_run r;
    old_error e = {.known = false};
    environment_open(&r, "stress_small", &one_page, NULL, NULL);
    assert_false(environment_go(&r, LONG, repeat_an_error, &e));
    assert_true(e.repeated);
    assert_int_equal(lw_environment_verdict(r.env), LW_VERDICT_WRONG);
    assert_non_null(strstr(r.err.text, "got MEMORY_ERROR"));
    environment_close(&r);
}

/* Two requests for one page in flight, of which the younger is told of an error that has come while
 * both waited: the older one gets the same answer, though there was no second error. */
typedef struct shared_error {
    bool known, repeated;
    uint32_t pasid, level;
    uint64_t page, since;
} shared_error;

static void share_an_error(environment_run *r, void *ctx) {
    shared_error *e = ctx;
    if (!r->out.rsp_valid || !r->in.rsp_ready || e->repeated) {
        return;
    }
    const lw_front_request *q = &r->env->requests[r->out.rsp_id];
    const uint64_t since = lw_waiting_since(r->env->waiting, r->out.rsp_id);
    const bool failed = r->out.rsp_kind == LW_MEMORY_ERROR;
    if (failed && !e->known) {
        *e = (shared_error){true, false, q->pasid, r->out.rsp_level, q->page, since};
    } else if (e->known && !failed && q->pasid == e->pasid && q->page == e->page &&
               since <= e->since) {
        e->repeated = true;
        r->out.rsp_kind = LW_MEMORY_ERROR;
        r->out.rsp_level = e->level;
        r->out.rsp_pfn = 0;
        r->out.rsp_size = r->out.rsp_perm = 0;
    } else if (e->known && since > r->now - 5) {
        e->known = false; /* nobody is left who can have waited then */
    }
}

static void test_an_error_excuses_one_request(void **state) {
    (void)state;
    static const lw_run one_page = {
        .workload = "repeat", .seed = 1, .size = 1, .max_requests = 20000};
    environment_run r;
    shared_error e = {.known = false};
    environment_open(&r, "stress_small", &one_page, "memory_errors", "5");
    assert_false(environment_go(&r, LONG, share_an_error, &e));
    assert_true(e.repeated);
    assert_int_equal(lw_environment_verdict(r.env), LW_VERDICT_WRONG);
    assert_non_null(strstr(r.err.text, "got MEMORY_ERROR"));
    environment_close(&r);
}

/* Errors are kept where a walker was told; of a head's line nobody is. */
static void test_errors_of_walkers(void **state) {
    (void)state;
    static const lw_run stress = {.workload = "random", .seed = 1, .max_requests = 4000};
    environment_run r;
    uint64_t told = 0;
    uint64_t untold = 0;
    environment_open(&r, "stress_mesc", &stress, "memory_errors", "20");
    while (!lw_environment_finished(r.env)) {
        if (!environment_cycle(&r, NULL, NULL)) {
            fail_msg("%s", r.err.text);
        }
        if (r.in.mem_rsp_valid) {
            const bool walker = r.in.mem_rsp_tag < r.system.hw.walkers;
            lw_failed_reads_ask(r.env->failed_reads, r.now - 1);
            assert_int_equal(lw_failed_reads_may(r.env->failed_reads, r.env->line_offered),
                             r.in.mem_rsp_error && walker);
            told += r.in.mem_rsp_error && walker;
            untold += r.in.mem_rsp_error && !walker;
        }
    }
    assert_true(told > 100 && untold > 20);
    environment_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_error_excuses_once),
        cmocka_unit_test(test_an_error_excuses_one_request),
        cmocka_unit_test(test_errors_of_walkers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
