/* Times of a DRAM where they bind alone, as they do not in dram_plain: tCCD longer than a burst and
 * than what else lies between two columns, tRC longer than tRAS + tRP, a bus that rests for longer
 * than anything else, and bursts of another length. */
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

/* tRTRS lies between two data; before the first there are none, of whichever rank and direction it
 * is. The second waits for it: of a read the data is there from 11 + 11 until 26, of a write from
 * 11 + 8 until 23. */
static void the_first_data_waits_for_none(void **state) {
    (void)state;
    enum { REST = 100 };
    for (uint32_t i = 0; i < 4; i++) {
        const bool write = i % 2 == 1;
        const uint32_t rank = i / 2;
        const uint64_t second = (write ? 23 : 26) + REST - (write ? 11 : 8);
        lw_dram_timing t = dram_plain();
        dram_run r;
        t.ranks = 2;
        t.rtrs = REST;
        dram_open(&r, &t, t.clock_mhz);
        assert_true(dram_try(&r, 0, dram_line(&r, rank, 0, 0, 0), write, 1));
        assert_true(dram_try(&r, 12, dram_line(&r, rank, 0, 0, 1), !write, 2));
        DRAM_COMMANDS_ARE(&r, 300, {0, LW_DRAM_ACT, rank, 0},
                          {11, write ? LW_DRAM_WR : LW_DRAM_RD, rank, 0},
                          {second, write ? LW_DRAM_RD : LW_DRAM_WR, rank, 0});
        dram_close(&r);
    }
}

/* 16 words are 8 clocks on the bus. The read's data ends in 11 + 11 + 8 = 30, the write's begins in
 * 30 + 2 and ends in 40; the next read by tWTR in 40 + 6, until 46 + 11 + 8 = 65, and its row is
 * closed by tWR in 40 + 12, by tRTP in 46 + 6. */
static void a_line_of_sixteen_words(void **state) {
    (void)state;
    lw_dram_timing t = dram_plain();
    dram_run r;
    t.bus_bits = 32;
    t.burst_length = 16;
    t.ccd_s = t.ccd_l = 8;
    t.close_idle = 1;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 0, dram_line(&r, 0, 0, 0, 0), 1);
    dram_write(&r, 0, dram_line(&r, 0, 0, 0, 1));
    dram_read(&r, 25, dram_line(&r, 0, 0, 0, 2), 2);
    dram_write(&r, 100, dram_line(&r, 0, 0, 0, 0));
    DRAM_COMMANDS_ARE(&r, 200, {0, LW_DRAM_ACT, 0, 0}, {11, LW_DRAM_RD, 0, 0},
                      {24, LW_DRAM_WR, 0, 0}, {46, LW_DRAM_RD, 0, 0}, {52, LW_DRAM_PRE, 0, 0},
                      {100, LW_DRAM_ACT, 0, 0}, {111, LW_DRAM_WR, 0, 0}, {139, LW_DRAM_PRE, 0, 0});
    assert_true(r.finished[1] == 30 && r.finished[2] == 65);
    dram_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_of_a_rank),
        cmocka_unit_test(columns_of_two_ranks),
        cmocka_unit_test(a_row_cycle_before_a_refresh),
        cmocka_unit_test(the_first_data_waits_for_none),
        cmocka_unit_test(a_line_of_sixteen_words),
    };
    return cmocka_run_group_tests_name("dram_times", tests, NULL, NULL);
}
