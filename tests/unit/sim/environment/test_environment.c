/* What the environment finds wrong of itself, by its ports alone: each check is broken once by a
 * hand on the ports of a good unit, and barks. */
#include "tests/unit/sim/environment/environment_run.h"

static const lw_run stress = {.workload = "random", .seed = 1, .max_requests = 2000};

#define LONG UINT64_C(10000000)

/* ---------------------------------------------------------------- counts */

static void assert_each_counter_matters(const environment_run *r, bool quiet) {
    static const struct {
        const char *name;
        uint32_t counter;
        bool in_flight; /* compared while requests are in flight too */
    } rows[] = {
        {"CYCLES", LW_C_CYCLES, true},
        {"REQUESTS", LW_C_REQUESTS, true},
        {"RESPONSES", LW_C_RESPONSES, true},
        {"REQUEST_STALLS", LW_C_REQUEST_STALLS, true},
        {"PAGE_TABLE_ACCESSES", LW_C_PAGE_TABLE_ACCESSES, true},
        {"HEAD_READS", LW_C_HEAD_READS, true},
        {"INVALIDATIONS", LW_C_INVALIDATIONS, true},
        {"FAULTS", LW_C_FAULTS, false},
        {"TLB_HITS", LW_C_TLB_HITS, false},
        {"TLB_MISSES", LW_C_TLB_MISSES, false},
    };
    uint64_t counters[LW_COUNTERS];
    lw_error err = {0};
    environment_counters(r, counters);
    if (!lw_environment_counters_agree(r->env, counters, &err)) {
        fail_msg("%s", err.text);
    }
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        counters[rows[i].counter]++;
        assert_int_equal(lw_environment_counters_agree(r->env, counters, &err),
                         !quiet && !rows[i].in_flight);
        assert_true((!quiet && !rows[i].in_flight) || strstr(err.text, rows[i].name) != NULL);
        counters[rows[i].counter]--;
    }
}

static void test_counters(void **state) {
    (void)state;
    static const char *const systems[] = {"stress_small", "stress_mesc", "stress_hashed"};
    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++) {
        environment_run r;
        environment_open(&r, systems[i], &stress, NULL, NULL);
        assert_true(environment_go(&r, 20001, NULL, NULL));
        assert_false(lw_environment_finished(r.env));
        assert_each_counter_matters(&r, false);
        assert_true(environment_go(&r, LONG, NULL, NULL));
        assert_each_counter_matters(&r, true);
        assert_int_equal(lw_environment_checked(r.env), stress.max_requests);
        assert_true(r.env->counts.walker_errors > 0);
        environment_close(&r);
    }
}

/* Memory fails a read, and the unit tells nobody. */
static void test_lost_error(void **state) {
    (void)state;
    environment_run r;
    uint64_t counters[LW_COUNTERS];
    environment_open(&r, "stress_small", &stress, NULL, NULL);
    assert_true(environment_go(&r, LONG, NULL, NULL));
    environment_counters(&r, counters);
    r.env->counts.walker_errors++;
    assert_false(lw_environment_counters_agree(r.env, counters, &r.err));
    assert_non_null(strstr(r.err.text, "responses say MEMORY_ERROR, and memory gave"));
    environment_close(&r);
}

/* ---------------------------------------------------------------- who waits too long */

/* The unit answers, and the answer never arrives: the n-th response is lost. */
static void lose_response(environment_run *r, void *ctx) {
    uint32_t *left = ctx;
    if (r->out.rsp_valid && r->in.rsp_ready && (*left)-- == 1) {
        r->out.rsp_valid = false;
    }
}

static void test_one_request_waits(void **state) {
    (void)state;
    environment_run r;
    uint32_t left = 100;
    environment_open(&r, "stress_small", &stress, "longest_wait", "20000");
    assert_false(environment_go(&r, LONG, lose_response, &left));
    assert_int_equal(lw_environment_verdict(r.env), LW_VERDICT_HANGS);
    const char *since = strstr(r.err.text, "hangs: it waits for its answer since cycle ");
    assert_non_null(since);
    /* it is said in the first cycle in which the wait is longer */
    assert_int_equal(
        r.now - 1 -
            strtoull(since + strlen("hangs: it waits for its answer since cycle "), NULL, 10),
        20001);
    assert_non_null(strstr(r.err.text, "longest_wait = 20000 cycles"));
    assert_true(lw_environment_checked(r.env) > 150); /* the others went on */
    environment_close(&r);
}

/* The unit takes nothing more: the request on its port never reaches it. */
static void test_request_is_never_taken(void **state) {
    (void)state;
    static const lw_run one_page = {.workload = "repeat", .seed = 1, .max_requests = 100000};
    environment_run r;
    environment_open(&r, "nha", &one_page, "longest_wait", "3000");
    assert_true(environment_go(&r, 5000, NULL, NULL));
    for (bool good = true; good;) {
        lw_environment_drive(r.env, r.now, &r.in);
        lw_iommu_outputs(r.twin, &r.out);
        lw_inputs without = r.in;
        without.req_valid = false;
        lw_iommu_step(r.twin, &without);
        r.out.req_ready = false;
        good = lw_environment_observe(r.env, r.now++, &r.in, &r.out, &r.err);
    }
    assert_int_equal(lw_environment_verdict(r.env), LW_VERDICT_HANGS);
    assert_non_null(strstr(r.err.text, "it is offered and not taken"));
    assert_int_equal(r.now, 8001);
    environment_close(&r);
}

/* Left out cycles count as waited. */
static void test_skipped_cycles_wait_too(void **state) {
    (void)state;
    static const lw_run one_page = {.workload = "repeat", .seed = 1, .max_requests = 100000};
    environment_run r;
    environment_open(&r, "nha", &one_page, "longest_wait", "3000");
    assert_true(environment_go(&r, 100, NULL, NULL));
    lw_environment_skip(r.env, 4000, true);
    r.now = 4200;
    lw_environment_drive(r.env, r.now, &r.in);
    r.out = (lw_outputs){.req_ready = false};
    assert_false(lw_environment_observe(r.env, r.now, &r.in, &r.out, &r.err));
    assert_int_equal(lw_environment_verdict(r.env), LW_VERDICT_HANGS);
    environment_close(&r);
}

/* ---------------------------------------------------------------- invalidations */

static void complete_nothing(environment_run *r, void *ctx) {
    (void)ctx;
    r->out.inv_done = r->out.inv_done || r->now == 50;
}

static void test_completion_of_nothing(void **state) {
    (void)state;
    environment_run r;
    environment_open(&r, "nha", &stress, NULL, NULL);
    assert_false(environment_go(&r, LONG, complete_nothing, NULL));
    assert_int_equal(r.now, 51);
    assert_int_equal(lw_environment_verdict(r.env), LW_VERDICT_WRONG);
    assert_string_equal(r.err.text, "inv_done is high, and no invalidation is under way");
    environment_close(&r);
}

/* ---------------------------------------------------------------- faults */

/* From the first cycle in which a table is gone, the unit's reads go there. */
static void read_what_is_gone(environment_run *r, void *ctx) {
    enum { FRAMES = 1 << 20 };
    uint64_t *gone = ctx;
    for (uint64_t frame = 0; *gone == 0 && frame < FRAMES && (r->now & 0xfff) == 0; frame++) {
        *gone = lw_os_agent_gone(r->env->agent, frame) ? frame : 0;
    }
    r->out.mem_req_line = *gone != 0 ? *gone << 6 : r->out.mem_req_line;
}

/* R11.5: no line is read of a table whose end is complete. */
static void test_read_of_a_gone_table(void **state) {
    (void)state;
    static const lw_run run = {.workload = "random", .seed = 1, .max_requests = 3000};
    uint64_t gone = 0;
    environment_run r;
    environment_open(&r, "stress_shared", &run, NULL, NULL);
    assert_false(environment_go(&r, LONG, read_what_is_gone, &gone));
    assert_true(gone != 0);
    assert_int_equal(lw_environment_verdict(r.env), LW_VERDICT_WRONG);
    assert_non_null(strstr(r.err.text, "of a frame that was a table until the completion"));
    environment_close(&r);
}

/* A fault answer shows the frame of the one before. */
static void leave_a_frame(environment_run *r, void *ctx) {
    uint64_t *faults = ctx;
    if (r->out.rsp_valid && r->in.rsp_ready && r->out.rsp_kind != LW_OK && ++*faults == 20) {
        r->out.rsp_pfn = 1;
    }
}

static void test_faults_have_no_frame(void **state) {
    (void)state;
    environment_run r;
    uint64_t faults = 0;
    environment_open(&r, "stress_small", &stress, NULL, NULL);
    assert_false(environment_go(&r, LONG, leave_a_frame, &faults));
    assert_int_equal(lw_environment_verdict(r.env), LW_VERDICT_WRONG);
    assert_int_equal(faults, 20);
    assert_non_null(strstr(r.err.text, "pfn 0x1"));
    environment_close(&r);
}

/* The 100th page that is answered shows the links of pages in a row. */
static void show_links(environment_run *r, void *ctx) {
    uint64_t *answers = ctx;
    if (r->out.rsp_valid && r->in.rsp_ready && r->out.rsp_kind == LW_OK && ++*answers == 100) {
        r->out.rsp_level = 7;
    }
}

/* R1.14: LINKS is zero without COLT, also where the pages do lie in a row; with it they are seen.
 */
static void test_links(void **state) {
    (void)state;
    static const lw_run run = {.workload = "sequential", .seed = 1, .max_requests = 600};
    environment_run r;
    uint64_t answers = 0;
    environment_open(&r, "nha", &run, "mapping", "contiguous");
    assert_false(environment_go(&r, LONG, show_links, &answers));
    assert_int_equal(lw_environment_verdict(r.env), LW_VERDICT_WRONG);
    assert_int_equal(answers, 100);
    environment_close(&r);
    answers = 0;
    environment_open(&r, "colt", &run, "mapping", "contiguous");
    assert_true(environment_go(&r, LONG, show_links, &answers));
    assert_true(answers > 100);
    environment_close(&r);
}

/* ---------------------------------------------------------------- hits of the GPU's TLBs */

static const lw_run small_kernel = {.workload = "lud", .seed = 1, .size = 256};

/* A GPU with an L2 TLB, and one whose L1 TLBs keep runs; pages move. */
static const char *const gpus[] = {"nha", "full_colt"};

static void open_kernel(environment_run *r, const char *system) {
    environment_open(r, system, &small_kernel, "remaps", "100");
}

static void test_hits_are_right(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof gpus / sizeof gpus[0]; i++) {
        environment_run r;
        lw_front_statistics s;
        open_kernel(&r, gpus[i]);
        if (!environment_go(&r, LONG, NULL, NULL)) {
            fail_msg("%s", r.err.text);
        }
        lw_environment_statistics(r.env, &s);
        assert_true(s.l1_hits > 1000);
        assert_true(i != 0 || s.l2_hits > 20);
        environment_close(&r);
    }
}

static void forget_shootdown(void *self, uint32_t type, uint32_t pasid, uint64_t first,
                             uint64_t last) {
    (void)self;
    (void)type;
    (void)pasid;
    (void)first;
    (void)last;
}

/* The TLBs are not shot down, and keep what has moved. */
static void test_stale_hit(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof gpus / sizeof gpus[0]; i++) {
        environment_run r;
        open_kernel(&r, gpus[i]);
        r.env->front.shootdown = forget_shootdown;
        assert_false(environment_go(&r, LONG, NULL, NULL));
        assert_int_equal(lw_environment_verdict(r.env), LW_VERDICT_WRONG);
        assert_non_null(strstr(r.err.text, "on an entry that is not right"));
        environment_close(&r);
    }
}

/* The sentence says which TLB has hit, and what it has kept: a page that is not mapped, of which
 * the one grants what the other does not. The run ends with the first hit that is not right. */
static void test_whose_hit_it_was(void **state) {
    (void)state;
    static const struct {
        lw_front_tlb tlb;
        uint32_t perm;
        const char *whose, *kept;
    } rows[] = {{LW_FRONT_L1, 1, "L1 TLB of a CU: a hit (PASID 0, page 0x5, read)", "W=1 X=0"},
                {LW_FRONT_L2, 2, "L2 TLB: a hit (PASID 0, page 0x5, read)", "W=0 X=1"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        environment_run r;
        environment_open(&r, "nha", &small_kernel, NULL, NULL);
        assert_true(environment_go(&r, 100, NULL, NULL));
        for (uint64_t page = 5; page < 7; page++) {
            const lw_front_hit hit = {
                .tlb = rows[i].tlb, .perm = rows[i].perm, .page = page, .pfn = 0x77, .size = 1};
            r.env->judge.hit(r.env->judge.ctx, &hit);
        }
        assert_false(environment_cycle(&r, NULL, NULL));
        assert_int_equal(strncmp(r.err.text, rows[i].whose, strlen(rows[i].whose)), 0);
        assert_non_null(strstr(r.err.text, "kept OK (0) level 0 pfn 0x77 size 1"));
        assert_non_null(strstr(r.err.text, rows[i].kept));
        environment_close(&r);
    }
}

/* What the GPU is told differs from what the oracle has seen: a group's pages all go on, a page is
 * large, or may be written. */
enum { WIDE_RUN, LARGE_PAGE, MORE_PERM, OTHER_FRAME };

typedef struct liar {
    lw_front_end good;
    int lie;
} liar;

static liar told; /* the front end has no room for it */

static void lie(void *self, uint64_t now, const lw_front_response *response) {
    lw_front_response r = *response;
    if (r.kind == LW_OK) {
        r.level = told.lie == WIDE_RUN ? 7 : r.level;
        r.size = told.lie == LARGE_PAGE ? 1 : r.size;
        r.perm = told.lie == MORE_PERM ? r.perm ^ 3 : r.perm;
        r.pfn ^= told.lie == OTHER_FRAME;
    }
    told.good.response(self, now, &r);
}

static void test_wrong_entries(void **state) {
    (void)state;
    for (int i = WIDE_RUN; i <= OTHER_FRAME; i++) {
        environment_run r;
        open_kernel(&r, "full_colt");
        told = (liar){r.env->front, i};
        r.env->front.response = lie;
        assert_false(environment_go(&r, LONG, NULL, NULL));
        assert_int_equal(lw_environment_verdict(r.env), LW_VERDICT_WRONG);
        assert_non_null(strstr(r.err.text, "on an entry that is not right"));
        environment_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counters),
        cmocka_unit_test(test_lost_error),
        cmocka_unit_test(test_one_request_waits),
        cmocka_unit_test(test_request_is_never_taken),
        cmocka_unit_test(test_skipped_cycles_wait_too),
        cmocka_unit_test(test_completion_of_nothing),
        cmocka_unit_test(test_read_of_a_gone_table),
        cmocka_unit_test(test_faults_have_no_frame),
        cmocka_unit_test(test_links),
        cmocka_unit_test(test_hits_are_right),
        cmocka_unit_test(test_stale_hit),
        cmocka_unit_test(test_whose_hit_it_was),
        cmocka_unit_test(test_wrong_entries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
