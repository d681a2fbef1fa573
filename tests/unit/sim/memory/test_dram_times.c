/* Times of a DRAM where they bind alone, as they do not in dram_plain: tCCD longer than a burst and
 * than what else lies between two columns, tRC longer than tRAS + tRP. */
#include "tests/unit/sim/memory/dram_run.h"

/* From 11 on a read or write every so many clocks, whatever the two are. Without tCCD a write could
 * follow a read in 20, and a read a write in 29. */
static void columns_of_a_rank(void **state) {
    (void)state;
    enum { CCD = 50 };
    for (uint32_t i = 0; i < 4; i++) {
        const bool writes[] = {i % 2 == 1, i / 2 == 1};
        const lw_dram_command_kind kinds[] = {writes[0] ? LW_DRAM_WR : LW_DRAM_RD,
                                              writes[1] ? LW_DRAM_WR : LW_DRAM_RD};
        lw_dram_timing t = dram_plain();
        dram_run r;
        t.ccd_l = CCD;
        dram_open(&r, &t, t.clock_mhz);
        assert_true(dram_try(&r, 0, dram_line(&r, 0, 0, 0, 0), writes[0], 1));
        assert_true(dram_try(&r, 12, dram_line(&r, 0, 0, 0, 1), writes[1], 2));
        DRAM_COMMANDS_ARE(&r, 100, {0, LW_DRAM_ACT, 0, 0}, {11, kinds[0], 0, 0},
                          {11 + CCD, kinds[1], 0, 0});
        dram_close(&r);
    }
}

/* Another rank need not wait for it, only for the bus: data until 26, then from 28 on. */
static void columns_of_two_ranks(void **state) {
    (void)state;
    lw_dram_timing t = dram_plain();
    dram_run r;
    t.ranks = 2;
    t.ccd_l = 50;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 0, dram_line(&r, 0, 0, 0, 0), 1);
    dram_read(&r, 0, dram_line(&r, 1, 0, 0, 0), 2);
    DRAM_COMMANDS_ARE(&r, 100, {0, LW_DRAM_ACT, 0, 0}, {1, LW_DRAM_ACT, 1, 0},
                      {11, LW_DRAM_RD, 0, 0}, {17, LW_DRAM_RD, 1, 0});
    dram_close(&r);
}

/* A row cycle must be over before the rank is refreshed: of the row of clock 470, closed in 500, in
 * 570, and not in 500 + 11. */
static void a_row_cycle_before_a_refresh(void **state) {
    (void)state;
    lw_dram_timing t = dram_plain();
    dram_run r;
    t.rc = 100;
    t.refi = 500;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 470, dram_line(&r, 0, 0, 0, 0), 1);
    DRAM_COMMANDS_ARE(&r, 700, {470, LW_DRAM_ACT, 0, 0}, {481, LW_DRAM_RD, 0, 0},
                      {500, LW_DRAM_PRE_ALL, 0, 0}, {570, LW_DRAM_REF, 0, 0});
    dram_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_of_a_rank),
        cmocka_unit_test(columns_of_two_ranks),
        cmocka_unit_test(a_row_cycle_before_a_refresh),
    };
    return cmocka_run_group_tests_name("dram_times", tests, NULL, NULL);
}
