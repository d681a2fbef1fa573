/* The bound of every wait (R0.7), by hand and at its edge. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/environment/wait_bound.h"

#include <stdlib.h>
#include <string.h>

static const lw_params small = {.levels = 4,
                                .tlb_entries = 8,
                                .tlb_ways = 2,
                                .tlb_latency = 1,
                                .hit_queue = 2,
                                .miss_queue = 4,
                                .walk_queue = 3,
                                .buffer_entries = 8,
                                .lines = 4,
                                .walkers = 2,
                                .pwc_latency = 2};

static void test_bound(void **state) {
    (void)state;
    /* A = (20 + 4) + 2 + 2 + 12 = 40, W = 5 x 40 = 200, N = 8 + 4 + 2 + 1 = 15, P = 15 + 2 + 3 + 2
     * = 22 */
    const lw_waits w = {.memory = 20, .memory_ready = 4};
    assert_int_equal(lw_wait_bound(&small, &w, false), 3 * ((15 / 2 + 2) * 200 + 2 * 22));
    assert_int_equal(lw_wait_bound(&small, &w, true), 3 * ((15 + 2) * (200 + 4 + 2 + 12) + 2 * 22));
    lw_params with_msc = small;
    with_msc.subregions = 1;
    with_msc.msc_entries = 64;
    with_msc.msc_ways = 4;
    /* the serial lookup has a stage more; the MSC has 16 sets */
    assert_int_equal(lw_wait_bound(&with_msc, &w, true),
                     3 * ((15 + 2) * (200 + 16 + 3 + 12) + 2 * 23));
    /* a second lookup before each walk: its two stages and 6 cycles */
    lw_params second = small;
    second.second_lookup = 1;
    assert_int_equal(lw_wait_bound(&second, &w, false), 3 * ((15 / 2 + 2) * 208 + 2 * 22));
    assert_int_equal(lw_wait_bound(&second, &w, true),
                     3 * ((15 + 2) * (208 + 4 + 2 + 12) + 2 * 22));
    /* a walk of a hashed table reads up to LEVELS + 5 lines (R21.18) */
    lw_params steps = small;
    steps.pwc_org = LW_PWC_OF_STEPS;
    assert_int_equal(lw_wait_bound(&steps, &w, false), 3 * ((15 / 2 + 2) * 360 + 2 * 22));
    assert_int_equal(lw_wait_bound(&steps, &w, true), 3 * ((15 + 2) * (360 + 4 + 2 + 12) + 2 * 22));
}

static void test_edge(void **state) {
    (void)state;
    static const char *const says[] = {"a request has waited for its response for ",
                                       "a request has been offered and not taken for ",
                                       "an invalidation has waited for its completion for "};
    const lw_waits none = {.memory = 20};
    for (int i = 0; i < 6; i++) {
        const bool invalidations = i >= 3;
        const uint64_t most = lw_wait_bound(&small, &none, invalidations);
        lw_waits w = none;
        uint64_t *waited[] = {&w.request, &w.acceptance, &w.invalidation};
        lw_error err = {0};
        *waited[i % 3] = most;
        assert_true(lw_waits_are_bounded(&small, &w, invalidations, &err));
        *waited[i % 3] = most + 1;
        assert_false(lw_waits_are_bounded(&small, &w, invalidations, &err));
        assert_int_equal(strncmp(err.text, says[i % 3], strlen(says[i % 3])), 0);
        assert_int_equal(strtoull(err.text + strlen(says[i % 3]), NULL, 10), most + 1);
        assert_non_null(strstr(err.text, "cycles in which no response was held back"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bound), cmocka_unit_test(test_edge)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
