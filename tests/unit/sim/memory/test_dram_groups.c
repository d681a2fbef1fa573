/* Bank groups of a DRAM: which time two commands of a rank keep, by whether they are of one group.
 * The 8 banks of dram_plain are in so many groups, those of a group in a row; where a test wants to
 * see a time it is longer than all else that lies between the two commands. */
#include "tests/unit/sim/memory/dram_run.h"

enum { BANKS = 8, LATE = 2000 };

static uint32_t group_of(const lw_dram_timing *t, uint32_t bank) {
    return bank / (BANKS / t->bank_groups);
}

/* Clocks between two commands: bank a's row is asked in LATE, bank b's a clock later. */
static uint64_t apart(const dram_run *r, lw_dram_command_kind first, lw_dram_command_kind second) {
    uint64_t from = 0;
    for (size_t i = 0; i < r->count; i++) {
        const lw_dram_command *c = &r->commands[i];
        if (from == 0 && c->clock >= LATE) {
            assert_true(c->kind == first && c->clock == LATE);
            from = c->clock;
        } else if (from != 0 && c->kind == second) {
            return c->clock - from;
        }
    }
    fail_msg("no two such commands");
    return 0;
}

/* Both rows are open since long before; then one line of each, in this direction. */
static uint64_t columns_apart(const lw_dram_timing *t, uint32_t a, bool write_a, uint32_t b,
                              bool write_b) {
    dram_run r;
    dram_open(&r, t, t->clock_mhz);
    dram_read(&r, 0, dram_line(&r, 0, a, 0, 0), 1);
    dram_read(&r, LATE / 2, dram_line(&r, 0, b, 0, 1), 2);
    assert_true(dram_try(&r, LATE, dram_line(&r, 0, a, 0, 2), write_a, 3));
    assert_true(dram_try(&r, LATE + 1, dram_line(&r, 0, b, 0, 3), write_b, 4));
    dram_go(&r, UINT64_C(2) * LATE);
    const uint64_t clocks =
        apart(&r, write_a ? LW_DRAM_WR : LW_DRAM_RD, write_b ? LW_DRAM_WR : LW_DRAM_RD);
    dram_close(&r);
    return clocks;
}

/* Both are closed. */
static uint64_t rows_apart(const lw_dram_timing *t, uint32_t a, uint32_t b) {
    dram_run r;
    dram_open(&r, t, t->clock_mhz);
    dram_read(&r, LATE, dram_line(&r, 0, a, 0, 0), 1);
    dram_read(&r, LATE + 1, dram_line(&r, 0, b, 0, 0), 2);
    dram_go(&r, UINT64_C(2) * LATE);
    const uint64_t clocks = apart(&r, LW_DRAM_ACT, LW_DRAM_ACT);
    dram_close(&r);
    return clocks;
}

/* Of each two banks, in 1, 2, 4 and 8 groups. With one group the _S act nowhere; with 8 a bank is a
 * group of its own, so that only two lines of one bank keep an _L. */
static void each_two_banks(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 4 * BANKS * BANKS; i++) {
        lw_dram_timing t = dram_plain();
        t.bank_groups = 1 << i / (BANKS * BANKS);
        const uint32_t a = i / BANKS % BANKS;
        const uint32_t b = i % BANKS;
        const bool one = group_of(&t, a) == group_of(&t, b);
        t.ccd_s = 20;
        t.ccd_l = 30;
        for (uint32_t way = 0; way < 4; way++) {
            assert_int_equal(columns_apart(&t, a, way & 1, b, way >> 1), one ? 30 : 20);
        }
        /* tCWL + 4 from a write to its last data, 12 clocks; tCCD is shorter. From a read to a
         * write it is the bus: 11 + 4 + 2 - 8 clocks. */
        t.ccd_s = t.ccd_l = 4;
        t.wtr_s = 5;
        t.wtr_l = 9;
        assert_int_equal(columns_apart(&t, a, true, b, false), 12 + (one ? 9 : 5));
        assert_int_equal(columns_apart(&t, a, false, b, true), 9);
        t.rrd_s = 3;
        t.rrd_l = 7;
        if (a != b) {
            assert_int_equal(rows_apart(&t, a, b), one ? 7 : 3);
        }
    }
}

/* Two groups of 4 banks, all other times those of dram_plain. */
static lw_dram_timing two_groups(void) {
    lw_dram_timing t = dram_plain();
    t.bank_groups = 2;
    return t;
}

/* Lines of banks 0, 1 and 4 with open rows are asked at once, tCCD_S 6. The first is bank 0's, in
 * 2000. Bank 4's goes before the older one of bank 1, in 2006. That must keep tCCD_L from bank 0's
 * and 6 from bank 4's: with 9 it goes in 2012, with 15 in 2015. */
static void a_younger_line_of_another_group(void **state) {
    (void)state;
    static const uint32_t banks[] = {0, 1, 4};
    for (uint32_t i = 0; i < 4; i++) {
        const bool write = i / 2 == 1;
        const lw_dram_command_kind kind = write ? LW_DRAM_WR : LW_DRAM_RD;
        lw_dram_timing t = two_groups();
        dram_run r;
        t.ccd_s = 6;
        t.ccd_l = i % 2 == 0 ? 9 : 15;
        dram_open(&r, &t, t.clock_mhz);
        for (uint32_t b = 0; b < 3; b++) {
            dram_read(&r, UINT64_C(100) * b, dram_line(&r, 0, banks[b], 0, 0), b);
        }
        for (uint32_t b = 0; b < 3; b++) {
            assert_true(dram_try(&r, LATE, dram_line(&r, 0, banks[b], 0, 1), write, 3 + b));
        }
        DRAM_COMMANDS_ARE(&r, 3000, {0, LW_DRAM_ACT, 0, 0}, {11, LW_DRAM_RD, 0, 0},
                          {100, LW_DRAM_ACT, 0, 1}, {111, LW_DRAM_RD, 0, 1},
                          {200, LW_DRAM_ACT, 0, 4}, {211, LW_DRAM_RD, 0, 4}, {2000, kind, 0, 0},
                          {2006, kind, 0, 4}, {i % 2 == 0 ? 2012 : 2015, kind, 0, 1});
        dram_close(&r);
    }
}

/* Five rows of two groups, tRRD_S 5, asked at once. Bank 4's comes before the older one of bank 1,
 * which keeps tRRD_L from bank 0's and 5 from bank 4's; then bank 5's, tRRD_L from 5 and 5 from
 * bank 1's: with 8 in 10 and 15, with 14 in 14 and 19. tFAW is the rank's, whatever the groups are:
 * the fifth not before 40. */
static void rows_of_two_groups(void **state) {
    (void)state;
    static const uint32_t banks[] = {0, 1, 4, 5, 2};
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t more = 4 * i;
        lw_dram_timing t = two_groups();
        dram_run r;
        t.rrd_s = 5;
        t.rrd_l = i == 0 ? 8 : 14;
        t.faw = 40;
        dram_open(&r, &t, t.clock_mhz);
        for (uint32_t b = 0; b < 5; b++) {
            dram_read(&r, 0, dram_line(&r, 0, banks[b], 0, 0), b);
        }
        dram_go(&r, 100);
        uint32_t rows = 0;
        const dram_expected want[] = {{0, LW_DRAM_ACT, 0, 0},
                                      {5, LW_DRAM_ACT, 0, 4},
                                      {10 + more, LW_DRAM_ACT, 0, 1},
                                      {15 + more, LW_DRAM_ACT, 0, 5},
                                      {40, LW_DRAM_ACT, 0, 2}};
        for (size_t k = 0; k < r.count; k++) {
            if (r.commands[k].kind == LW_DRAM_ACT) {
                r.commands[rows++] = r.commands[k];
            }
        }
        r.count = rows;
        dram_compare(&r, want, sizeof want / sizeof want[0]);
        dram_close(&r);
    }
}

/* tWTR_S 3 and tWTR_L 10: of the write in 2000 the last data is there in 2012. The other group's
 * read follows in 2015, the older one of the write's group in 2022. */
static void reads_after_a_write(void **state) {
    (void)state;
    lw_dram_timing t = two_groups();
    dram_run r;
    t.wtr_s = 3;
    t.wtr_l = 10;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 0, dram_line(&r, 0, 5, 0, 0), 1);
    dram_read(&r, 0, dram_line(&r, 0, 2, 0, 0), 2);
    dram_write(&r, LATE, dram_line(&r, 0, 5, 0, 1));
    dram_read(&r, LATE + 1, dram_line(&r, 0, 5, 0, 2), 3);
    dram_read(&r, LATE + 2, dram_line(&r, 0, 2, 0, 2), 4);
    DRAM_COMMANDS_ARE(&r, 3000, {0, LW_DRAM_ACT, 0, 5}, {5, LW_DRAM_ACT, 0, 2},
                      {11, LW_DRAM_RD, 0, 5}, {16, LW_DRAM_RD, 0, 2}, {2000, LW_DRAM_WR, 0, 5},
                      {2015, LW_DRAM_RD, 0, 2}, {2022, LW_DRAM_RD, 0, 5});
    dram_close(&r);
}

/* The last group of a rank and the first of the next have neighbouring numbers, and nothing between
 * them but the bus: data until 26, then from 28 on. */
static void groups_of_two_ranks(void **state) {
    (void)state;
    lw_dram_timing t = two_groups();
    t.ranks = 2;
    t.ccd_s = t.rrd_s = 50;
    t.ccd_l = t.rrd_l = 60;
    dram_run r;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 0, dram_line(&r, 0, 7, 0, 0), 1);
    dram_read(&r, 0, dram_line(&r, 1, 0, 0, 0), 2);
    DRAM_COMMANDS_ARE(&r, 100, {0, LW_DRAM_ACT, 0, 7}, {1, LW_DRAM_ACT, 1, 0},
                      {11, LW_DRAM_RD, 0, 7}, {17, LW_DRAM_RD, 1, 0});
    dram_close(&r);
}

/* A read that has waited too long keeps the times of its own group too: of clock 2001 it has waited
 * 5 clocks in 2006, and goes in 2020 where it is of another group than bank 0, else in 2030. */
static void a_read_that_starves(void **state) {
    (void)state;
    static const uint32_t other[] = {4, 1};
    for (uint32_t i = 0; i < 2; i++) {
        lw_dram_timing t = two_groups();
        t.ccd_s = 20;
        t.ccd_l = 30;
        t.starvation = 5;
        assert_int_equal(columns_apart(&t, 0, false, other[i], false), i == 0 ? 20 : 30);
        t = two_groups();
        t.rrd_s = 20;
        t.rrd_l = 30;
        t.starvation = 5;
        assert_int_equal(rows_apart(&t, 0, other[i]), i == 0 ? 20 : 30);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_two_banks),      cmocka_unit_test(a_younger_line_of_another_group),
        cmocka_unit_test(rows_of_two_groups),  cmocka_unit_test(reads_after_a_write),
        cmocka_unit_test(groups_of_two_ranks), cmocka_unit_test(a_read_that_starves),
    };
    return cmocka_run_group_tests_name("dram_groups", tests, NULL, NULL);
}
