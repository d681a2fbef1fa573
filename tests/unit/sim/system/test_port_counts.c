/* What is counted at the unit's ports of the requests in flight. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/system/port_counts.h"

enum { OFFERED = 1, TAKEN = 2, ANSWERED = 4 };

static lw_port_counts run(const uint32_t *cycles, size_t count) {
    lw_port_counts counts = {.cycles = 0};
    for (size_t i = 0; i < count; i++) {
        const lw_inputs in = {.req_valid = (cycles[i] & OFFERED) != 0, .rsp_ready = true};
        const lw_outputs out = {.req_ready = (cycles[i] & TAKEN) != 0,
                                .rsp_valid = (cycles[i] & ANSWERED) != 0};
        lw_port_counts_cycle(&counts, 1, &in, &out);
    }
    return counts;
}

/* Three requests, of which the third comes as the first is answered: 1, 2 and 3 in flight; then one
 * that is not taken, one that comes alone, and one beside it. */
static void test_requests_in_flight(void **state) {
    (void)state;
    static const uint32_t cycles[] = {OFFERED | TAKEN, OFFERED | TAKEN, OFFERED | TAKEN | ANSWERED,
                                      OFFERED,         ANSWERED,        TAKEN,
                                      ANSWERED,        OFFERED | TAKEN, TAKEN,
                                      OFFERED | TAKEN};
    const lw_port_counts counts = run(cycles, sizeof cycles / sizeof cycles[0]);
    assert_int_equal(counts.requests, 5);
    assert_int_equal(counts.in_flight_sum, 1 + 2 + 3 + 1 + 2);
    assert_int_equal(counts.in_flight_max, 3);
}

/* Cycles that are left out hold no transfer. */
static void test_idle_cycles_count_nothing(void **state) {
    (void)state;
    static const uint32_t cycles[] = {OFFERED | TAKEN};
    lw_port_counts counts = run(cycles, 1);
    lw_port_counts_idle(&counts, 1000, true);
    assert_int_equal(counts.in_flight_sum, 1);
    assert_int_equal(counts.in_flight_max, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_requests_in_flight),
                                       cmocka_unit_test(test_idle_cycles_count_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
