/* Where a run spends its time: what it says it is at is what is counted. */
#include "app/bench/bench_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <time.h>

#include <cmocka.h>

/* Many looks long. */
static void spend(volatile sig_atomic_t *at, lw_part part, clock_t milliseconds) {
    const clock_t end = clock() + milliseconds * (CLOCKS_PER_SEC / 1000);
    *at = part;
    while (clock() < end) {
    }
}

static void test_counts_what_it_is_told(void **state) {
    (void)state;
    lw_bench_parts parts;
    volatile sig_atomic_t *at = lw_bench_parts_begin();
    spend(at, LW_PART_TWIN, 150);
    spend(at, LW_PART_NETS, 50);
    spend(at, LW_PART_NONE, 50); /* is no part of it */
    lw_bench_parts_end(&parts);
    assert_true(parts.share[LW_PART_TWIN] > parts.share[LW_PART_NETS]);
    assert_true(parts.share[LW_PART_NETS] > 0);
    assert_true(parts.share[LW_PART_MACHINE] + parts.share[LW_PART_RTL] == 0);
    assert_true(parts.share[LW_PART_NONE] == 0);
    const double rest = parts.share[LW_PART_TWIN] + parts.share[LW_PART_NETS] - 1;
    assert_true(rest < 1e-9 && rest > -1e-9);
}

/* A run of the twin alone has three parts, and is at none once it has ended. */
static void test_a_run_tells(void **state) {
    (void)state;
    static lw_session_result result;
    static lw_system system;
    lw_error err = {0};
    lw_bench_parts parts;
    const lw_run run = {.workload = "sequential", .size = 512, .seed = 1, .max_requests = 100000};
    assert_true(lw_system_load(&system, "systems", "nha", &err));
    const lw_session_options session = {.root = ".",
                                        .system = &system,
                                        .run = &run,
                                        .side = LW_SIDE_TWIN,
                                        .part = lw_bench_parts_begin()};
    assert_true(lw_session_run(&session, &result, NULL, &err));
    assert_int_equal(*session.part, LW_PART_NONE);
    lw_bench_parts_end(&parts);
    assert_true(parts.share[LW_PART_TWIN] > 0);
    assert_true(parts.share[LW_PART_MACHINE] > 0);
    assert_true(parts.share[LW_PART_ORACLE] > 0);
    assert_true(parts.share[LW_PART_RTL] + parts.share[LW_PART_NETS] == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_what_it_is_told),
        cmocka_unit_test(test_a_run_tells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
