/* What comes before what in a DRAM's channel. It turns from reads to writes not for a write that
 * could go at once, but for as many as the high mark says: reads have opened two rows; of the first
 * bank a conflict waits until the row may be closed in 28, while the second bank's row could be
 * written from 31 + 2 - 8 = 25 on, when the reads' data has left the bus. */
#include "tests/unit/sim/memory/dram_run.h"

static void open_two_rows(dram_run *r, const lw_dram_timing *t) {
    dram_open(r, t, t->clock_mhz);
    dram_read(r, 0, dram_line(r, 0, 0, 0, 0), 1);
    dram_read(r, 0, dram_line(r, 0, 1, 0, 0), 2);
    dram_read(r, 20, dram_line(r, 0, 0, 1, 0), 3);
}

/* A read waits, so the write goes after it: its data is there until 50 + 15. */
static void a_write_behind_a_read(void **state) {
    (void)state;
    const lw_dram_timing t = dram_plain();
    dram_run r;
    open_two_rows(&r, &t);
    dram_write(&r, 21, dram_line(&r, 0, 1, 0, 1));
    DRAM_COMMANDS_ARE(&r, 100, {0, LW_DRAM_ACT, 0, 0}, {5, LW_DRAM_ACT, 0, 1},
                      {11, LW_DRAM_RD, 0, 0}, {16, LW_DRAM_RD, 0, 1}, {28, LW_DRAM_PRE, 0, 0},
                      {39, LW_DRAM_ACT, 0, 0}, {50, LW_DRAM_RD, 0, 0}, {59, LW_DRAM_WR, 0, 1});
    dram_close(&r);
}

/* The second write is as many as the mark says: one goes first, and the other when the read has
 * gone, since one is left. */
static void as_many_writes_as_the_mark(void **state) {
    (void)state;
    lw_dram_timing t = dram_plain();
    dram_run r;
    t.write_high = 2;
    t.write_low = 1;
    open_two_rows(&r, &t);
    dram_write(&r, 21, dram_line(&r, 0, 1, 0, 1));
    dram_write(&r, 22, dram_line(&r, 0, 1, 0, 2));
    DRAM_COMMANDS_ARE(&r, 100, {0, LW_DRAM_ACT, 0, 0}, {5, LW_DRAM_ACT, 0, 1},
                      {11, LW_DRAM_RD, 0, 0}, {16, LW_DRAM_RD, 0, 1}, {25, LW_DRAM_WR, 0, 1},
                      {28, LW_DRAM_PRE, 0, 0}, {39, LW_DRAM_ACT, 0, 0}, {50, LW_DRAM_RD, 0, 0},
                      {59, LW_DRAM_WR, 0, 1});
    dram_close(&r);
}

/* Of two ranks one is to be refreshed in 3120, and the other could open a row then: that comes a
 * clock later. */
static void a_refresh_before_another_rank(void **state) {
    (void)state;
    lw_dram_timing t = dram_plain();
    dram_run r;
    t.ranks = 2;
    t.refi = 6240;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 3120, dram_line(&r, 1, 0, 0, 0), 1);
    DRAM_COMMANDS_ARE(&r, 3200, {3120, LW_DRAM_REF, 0, 0}, {3121, LW_DRAM_ACT, 1, 0},
                      {3132, LW_DRAM_RD, 1, 0});
    dram_close(&r);
}

/* A hit goes before the conflicts of its bank also where it is neither the first nor the second of
 * them: column 1 of row 0 in 11 + 4 = 15. The rows follow by their age, each with all that waits
 * for it: row 1 is opened in 28 + 11 = 39 and read in 50 and 54, row 2 after 39 + 28 = 67. */
static void a_hit_behind_two_conflicts(void **state) {
    (void)state;
    const lw_dram_timing t = dram_plain();
    dram_run r;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 0, dram_line(&r, 0, 0, 0, 0), 1);
    dram_read(&r, 12, dram_line(&r, 0, 0, 1, 0), 2);
    dram_read(&r, 12, dram_line(&r, 0, 0, 2, 0), 3);
    dram_read(&r, 13, dram_line(&r, 0, 0, 0, 1), 4);
    dram_read(&r, 13, dram_line(&r, 0, 0, 1, 1), 5);
    DRAM_COMMANDS_ARE(&r, 110, {0, LW_DRAM_ACT, 0, 0}, {11, LW_DRAM_RD, 0, 0},
                      {15, LW_DRAM_RD, 0, 0}, {28, LW_DRAM_PRE, 0, 0}, {39, LW_DRAM_ACT, 0, 0},
                      {50, LW_DRAM_RD, 0, 0}, {54, LW_DRAM_RD, 0, 0}, {67, LW_DRAM_PRE, 0, 0},
                      {78, LW_DRAM_ACT, 0, 0}, {89, LW_DRAM_RD, 0, 0});
    assert_int_equal(r.finished[4], 15 + 15);
    assert_int_equal(r.finished[2], 50 + 15);
    assert_int_equal(r.finished[5], 54 + 15);
    assert_int_equal(r.finished[3], 89 + 15);
    dram_close(&r);
}

/* A read of a line that waits to be written has a place of the queue as any, until it is taken. */
static void a_place_without_a_command(void **state) {
    (void)state;
    lw_dram_timing t = dram_plain();
    dram_run r;
    t.read_queue = 1;
    t.walk_places = 0;
    dram_open(&r, &t, t.clock_mhz);
    dram_write(&r, 0, 3);
    dram_read(&r, 1, 3, 1);
    const lw_memory_request other = {.line = 4, .user = LW_MEMORY_DATA, .id = 2};
    uint32_t id = 0;
    assert_false(r.memory->ready(r.memory->state, 1, &other));
    assert_false(r.memory->ready(r.memory->state, 16, &other)); /* there, and not taken */
    assert_true(r.memory->finished(r.memory->state, 16, LW_MEMORY_DATA, &id) && id == 1);
    assert_true(r.memory->ready(r.memory->state, 16, &other));
    dram_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_write_behind_a_read),
        cmocka_unit_test(as_many_writes_as_the_mark),
        cmocka_unit_test(a_refresh_before_another_rank),
        cmocka_unit_test(a_hit_behind_two_conflicts),
        cmocka_unit_test(a_place_without_a_command),
    };
    return cmocka_run_group_tests_name("dram_turns", tests, NULL, NULL);
}
