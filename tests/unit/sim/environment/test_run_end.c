/* What a run is held to when it is over: every request answered once, and nobody waited longer than
 * R0.7 allows. */
#include "tests/unit/sim/environment/environment_run.h"

#include "sim/environment/wait_bound.h"

#define LONG UINT64_C(10000000)

static const lw_run stress = {.workload = "random", .seed = 1, .max_requests = 2000};

/* A run of a good unit is good at its end, and is not before. */
static void test_every_request_is_answered(void **state) {
    (void)state;
    environment_run r;
    environment_open(&r, "stress_small", &stress, NULL, NULL);
    assert_true(environment_go(&r, 10000, NULL, NULL));
    assert_false(lw_environment_finished(r.env));
    assert_false(lw_environment_finish(r.env, &r.err));
    assert_true(environment_go(&r, LONG, NULL, NULL));
    assert_true(lw_environment_finished(r.env));
    if (!lw_environment_finish(r.env, &r.err)) {
        fail_msg("%s", r.err.text);
    }
    environment_close(&r);
}

/* A wait of one cycle more than the bound is too long, and the bound is the longer one only where
 * there was an invalidation. */
static void test_waits_are_bounded(void **state) {
    (void)state;
    environment_run r;
    environment_open(&r, "stress_small", &stress, NULL, NULL);
    assert_true(environment_go(&r, LONG, NULL, NULL));
    assert_true(r.env->counts.invalidations != 0);
    for (int with = 0; with < 2; with++) {
        const lw_waits good = r.env->waits.worst;
        const lw_waits waits = lw_environment_waits(r.env);
        r.env->counts.invalidations = (uint64_t)with;
        r.env->waits.worst.request = lw_wait_bound(&r.system.hw, &waits, with != 0);
        assert_true(lw_environment_finish(r.env, &r.err));
        r.env->waits.worst.request++;
        assert_false(lw_environment_finish(r.env, &r.err));
        assert_non_null(strstr(r.err.text, "a request has waited for its response"));
        r.env->waits.worst = good;
    }
    environment_close(&r);
}

/* Cycles that are left out pass, and the requests in them wait, for every check. */
static void test_left_out_cycles(void **state) {
    (void)state;
    environment_run r;
    environment_open(&r, "stress_small", &stress, NULL, NULL);
    assert_true(environment_go(&r, 1000, NULL, NULL));
    const lw_port_counts before = r.env->counts;
    const uint64_t refused = r.env->refused;
    lw_environment_skip(r.env, 300, false);
    assert_int_equal(r.env->counts.cycles, before.cycles + 300);
    assert_int_equal(r.env->counts.request_stalls, before.request_stalls);
    assert_int_equal(r.env->refused, refused);
    lw_environment_skip(r.env, 5000, true);
    assert_int_equal(r.env->counts.cycles, before.cycles + 5300);
    assert_int_equal(r.env->counts.request_stalls, before.request_stalls + 5000);
    assert_int_equal(r.env->refused, refused + 5000);
    assert_true(lw_environment_waits(r.env).acceptance >= 5000);
    environment_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_request_is_answered),
        cmocka_unit_test(test_waits_are_bounded),
        cmocka_unit_test(test_left_out_cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
