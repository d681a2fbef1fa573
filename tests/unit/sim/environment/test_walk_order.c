/* The order of walks as the ports show it, by hand and in a run (R5.2). */
#include "tests/unit/sim/environment/environment_run.h"

#include "sim/environment/walk_order.h"

#include <string.h>

#define LONG UINT64_C(10000000)

enum { IDS = 8 };

typedef struct step {
    char what; /* accept, answer, read */
    uint32_t id;
    uint64_t line;
} step;

/* Whether all the steps are in order, and how many walks they were. */
static bool goes(const step *steps, size_t count, uint64_t *reads) {
    lw_walk_order *o = lw_walk_order_new(IDS);
    bool good = true;
    lw_error err = {0};
    for (size_t i = 0; i < count; i++) {
        const step *s = &steps[i];
        if (s->what == 'a') {
            lw_walk_order_accept(o, s->id, s->line);
        } else if (s->what == 'x') {
            lw_walk_order_answer(o, s->id);
        } else {
            good = good && lw_walk_order_read(o, s->line, &err);
        }
    }
    assert_int_equal(good, strstr(err.text, "not first come, first served") == NULL);
    *reads = lw_walk_order_reads(o);
    lw_walk_order_free(o);
    return good;
}

static void test_by_hand(void **state) {
    (void)state;
    static const struct {
        step steps[8];
        size_t count;
        bool good;
        uint64_t reads;
    } rows[] = {
        /* in order, and the same line twice */
        {{{'a', 0, 5}, {'a', 1, 6}, {'a', 2, 5}, {'r', 0, 5}, {'r', 0, 6}, {'r', 0, 5}},
         6,
         true,
         3},
        /* the second was a hit */
        {{{'a', 0, 5}, {'a', 1, 6}, {'a', 2, 7}, {'r', 0, 5}, {'r', 0, 7}, {'x', 1, 0}},
         6,
         true,
         2},
        /* the second begins before the first, which then is too late */
        {{{'a', 0, 5}, {'a', 1, 6}, {'r', 0, 6}, {'r', 0, 5}}, 4, false, 1},
        /* who is answered reads no more, also once the id is used again */
        {{{'a', 0, 5}, {'x', 0, 0}, {'r', 0, 5}}, 3, false, 0},
        {{{'a', 0, 5}, {'x', 0, 0}, {'a', 0, 9}, {'r', 0, 9}}, 4, true, 1},
        /* the answer to one who has read gives nobody another read */
        {{{'a', 0, 5}, {'a', 1, 6}, {'r', 0, 5}, {'r', 0, 6}, {'x', 0, 0}, {'r', 0, 6}},
         6,
         false,
         2},
        /* nobody asks */
        {{{'r', 0, 5}}, 1, false, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint64_t reads = 0;
        assert_int_equal(goes(rows[i].steps, rows[i].count, &reads), rows[i].good);
        assert_int_equal(reads, rows[i].reads);
    }
}

/* Reads of each process's root table, which the unit asks for. */
typedef struct root_reads {
    uint64_t of[LW_ENVIRONMENT_PROCESSES], sum;
} root_reads;

static void count_root_reads(environment_run *r, void *ctx) {
    root_reads *reads = ctx;
    if (!r->out.mem_req_valid || !r->in.mem_req_ready) {
        return;
    }
    for (uint32_t p = 0; p < lw_address_spaces_processes(r->env->spaces); p++) {
        if (lw_page_table_root(lw_address_spaces_table(r->env->spaces, p)) ==
            r->out.mem_req_line >> 6) {
            reads->of[p]++;
            reads->sum++;
        }
    }
}

/* Each walk of each process is seen to begin; none is where walks need not begin at the root. */
static void test_in_a_run(void **state) {
    (void)state;
    static const lw_run run = {.workload = "random", .seed = 1, .max_requests = 3000};
    static const struct {
        const char *system;
        bool shown;
    } rows[] = {{"stress_off", true}, {"stress_small", false}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        environment_run r;
        root_reads reads = {.sum = 0};
        environment_open(&r, rows[i].system, &run, NULL, NULL);
        if (!environment_go(&r, LONG, count_root_reads, &reads)) {
            fail_msg("%s", r.err.text);
        }
        assert_int_equal(lw_environment_ordered_walks(r.env), rows[i].shown ? reads.sum : 0);
        for (uint32_t p = 0; p < lw_address_spaces_processes(r.env->spaces); p++) {
            assert_true(!rows[i].shown || reads.of[p] > 100);
        }
        environment_close(&r);
    }
}

/* One of the walks, all of which need the same line of the root's table, begins with another. */
static void begin_elsewhere(environment_run *r, void *ctx) {
    root_reads *reads = ctx;
    const uint64_t before = reads->sum;
    count_root_reads(r, ctx);
    r->out.mem_req_line ^= reads->sum == 20 && before == 19;
}

static void test_walk_that_nobody_needs(void **state) {
    (void)state;
    static const lw_run run = {.workload = "sequential", .seed = 1, .max_requests = 3000};
    environment_run r;
    root_reads reads = {.sum = 0};
    environment_open(&r, "stress_off", &run, NULL, NULL);
    assert_false(environment_go(&r, LONG, begin_elsewhere, &reads));
    assert_int_equal(lw_environment_verdict(r.env), LW_VERDICT_WRONG);
    assert_non_null(strstr(r.err.text, "walks are not first come, first served"));
    assert_int_equal(lw_environment_ordered_walks(r.env), 19);
    environment_close(&r);
}

/* Who is answered without a walk needs none any more: when all are, nobody has a reason to read. */
static void test_walk_after_the_last_answer(void **state) {
    (void)state;
    static const lw_run run = {.workload = "repeat", .seed = 1, .max_requests = 500};
    environment_run r;
    environment_open(&r, "stress_off", &run, "remaps", "0");
    assert_true(lw_system_set(&r.system, "invalidations", "0", "", &r.err));
    assert_true(environment_go(&r, LONG, NULL, NULL));
    assert_true(lw_environment_ordered_walks(r.env) < 400); /* the others have hit */
    const uint64_t page = r.env->requests[r.in.req_id].page;
    do {
        lw_environment_drive(r.env, ++r.now, &r.in);
    } while (!r.in.mem_req_ready);
    r.out = (lw_outputs){.mem_req_valid = true,
                         .mem_req_line =
                             lw_page_table_root(lw_address_spaces_table(r.env->spaces, 0)) << 6 |
                             (page >> 27 & 0x1ff) >> 3};
    assert_false(lw_environment_observe(r.env, r.now, &r.in, &r.out, &r.err));
    assert_non_null(strstr(r.err.text, "walks are not first come, first served"));
    environment_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_by_hand),
                                       cmocka_unit_test(test_in_a_run),
                                       cmocka_unit_test(test_walk_that_nobody_needs),
                                       cmocka_unit_test(test_walk_after_the_last_answer)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
