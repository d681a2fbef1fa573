/* What is counted at the unit's ports, and what of it the unit's own counters must agree with. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/environment/port_counts.h"

#include <string.h>

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
    assert_int_equal(counts.cycles, 10);
    assert_int_equal(counts.request_stalls, 1);
    assert_int_equal(counts.responses, 3);
    assert_int_equal(counts.kinds[LW_OK], 3);
    assert_int_equal(counts.invalidations, 0);
}

/* Cycles that are left out hold no transfer, but pass, and a request on the port waits in them. */
static void test_idle_cycles_count_nothing(void **state) {
    (void)state;
    static const uint32_t cycles[] = {OFFERED | TAKEN};
    lw_port_counts counts = run(cycles, 1);
    lw_port_counts_idle(&counts, 1000, true);
    assert_int_equal(counts.in_flight_sum, 1);
    assert_int_equal(counts.in_flight_max, 1);
    assert_int_equal(counts.requests, 1);
    assert_int_equal(counts.cycles, 1001);
    assert_int_equal(counts.request_stalls, 1000);
    lw_port_counts_idle(&counts, 500, false);
    assert_int_equal(counts.cycles, 1501);
    assert_int_equal(counts.request_stalls, 1000);
}

/* A root is taken away by a write of its register without the valid bit (R12.2). The registers STEP
 * and VICTIM of a hashed table lie behind, and hold no root. */
static void test_roots_taken_away(void **state) {
    (void)state;
    const uint64_t valid = UINT64_C(1) << 63;
    const struct {
        uint32_t addr;
        uint64_t data;
        bool write, taken;
    } rows[] = {
        {LW_CTL_ROOT, 7, true, true},        {LW_CTL_ROOT + 255, 0, true, true},
        {LW_CTL_ROOT + 1, 7, false, false},  {LW_CTL_ROOT + 1, valid | 7, true, false},
        {LW_CTL_FEATURES, 1, true, false},   {LW_CTL_STEP, UINT64_C(6) << 57 | 7, true, false},
        {LW_CTL_VICTIM + 2, 7, true, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lw_port_counts counts = {.cycles = 0};
        const lw_inputs in = {
            .ctl_write = rows[i].write, .ctl_addr = rows[i].addr, .ctl_wdata = rows[i].data};
        lw_port_counts_cycle(&counts, 1, &in, &(lw_outputs){.req_ready = true});
        assert_int_equal(counts.roots_cleared, rows[i].taken);
    }
}

/* Of three walkers, whose tags are 0 to 2: what a head reads and gets is told apart by its tag. */
static void test_lines(void **state) {
    (void)state;
    lw_port_counts counts = {.cycles = 0};
    for (uint32_t i = 0; i < 16; i++) {
        const lw_inputs in = {.mem_req_ready = (i & 1) != 0,
                              .mem_rsp_valid = (i & 1) != 0,
                              .mem_rsp_error = (i & 2) != 0,
                              .mem_rsp_tag = i >> 2};
        const lw_outputs out = {.mem_req_valid = (i & 2) != 0, .mem_req_tag = i >> 2};
        lw_port_counts_cycle(&counts, 3, &in, &out);
    }
    assert_int_equal(counts.line_reads, 4);
    assert_int_equal(counts.head_reads, 1);
    assert_int_equal(counts.lines, 8);
    assert_int_equal(counts.walker_errors, 3);
}

/* Counts of a run that has ended: eight responses, of which one refuses a root, one an address, and
 * one is an error. */
static lw_port_counts ended(uint64_t counters[LW_COUNTERS]) {
    const lw_port_counts counts = {
        .requests = 8,
        .responses = 8,
        .kinds =
            {[LW_OK] = 5, [LW_NONCANONICAL] = 1, [LW_UNKNOWN_PASID] = 1, [LW_MEMORY_ERROR] = 1},
        .walker_errors = 1};
    memset(counters, 0, LW_COUNTERS * sizeof counters[0]);
    counters[LW_C_REQUESTS] = counters[LW_C_RESPONSES] = 8;
    counters[LW_C_FAULTS] = 3;
    counters[LW_C_TLB_HITS] = 2;
    counters[LW_C_TLB_MISSES] = 4;
    return counts;
}

/* Each request that has a root and a canonical address is decided once by the TLB (R3.2); one whose
 * root goes meanwhile is refused later, so that then nothing is known. */
static void test_decisions(void **state) {
    (void)state;
    uint64_t counters[LW_COUNTERS];
    const lw_params params = {.levels = 4};
    lw_error err = {0};
    lw_port_counts counts = ended(counters);
    assert_true(lw_port_counts_agree(&counts, &params, true, counters, &err));
    counters[LW_C_TLB_MISSES] = 3;
    assert_false(lw_port_counts_agree(&counts, &params, true, counters, &err));
    assert_non_null(strstr(err.text, "TLB_HITS and TLB_MISSES is 5, its ports have shown 6"));
    assert_true(lw_port_counts_agree(&counts, &params, false, counters, &err));
    counts.roots_cleared = 1;
    assert_true(lw_port_counts_agree(&counts, &params, true, counters, &err));
}

/* A line for nobody can only be a head's that an invalidation has given up (R8.4). */
static void test_stray_lines(void **state) {
    (void)state;
    uint64_t counters[LW_COUNTERS];
    lw_params params = {.levels = 4};
    lw_error err = {0};
    const lw_port_counts counts = ended(counters);
    counters[LW_C_STRAY_LINES] = 1;
    assert_false(lw_port_counts_agree(&counts, &params, false, counters, &err));
    assert_non_null(strstr(err.text, "STRAY_LINES"));
    params.subregions = 1;
    assert_true(lw_port_counts_agree(&counts, &params, true, counters, &err));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_requests_in_flight), cmocka_unit_test(test_idle_cycles_count_nothing),
        cmocka_unit_test(test_roots_taken_away),   cmocka_unit_test(test_lines),
        cmocka_unit_test(test_decisions),          cmocka_unit_test(test_stray_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
