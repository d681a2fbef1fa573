/* The DRAM's commands, each clock worked out by hand from the times that dram_plain names. The two
 * clocks are alike unless a test says other, so cycles are clocks. */
#include "tests/unit/sim/memory/dram_run.h"

/* tRCD to the read, tCL to its data, 4 clocks of data: 11 + 11 + 4 = 26. */
static void a_closed_row(void **state) {
    (void)state;
    const lw_dram_timing t = dram_plain();
    dram_run r;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 0, dram_line(&r, 0, 0, 0, 0), 1);
    DRAM_COMMANDS_ARE(&r, 100, {0, LW_DRAM_ACT, 0, 0}, {11, LW_DRAM_RD, 0, 0});
    assert_int_equal(r.finished[1], 26);
    dram_close(&r);
}

/* The row stays open: 11 + 4 = 15 from clock 40. */
static void a_row_that_is_open(void **state) {
    (void)state;
    const lw_dram_timing t = dram_plain();
    dram_run r;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 0, dram_line(&r, 0, 0, 0, 0), 1);
    dram_read(&r, 40, dram_line(&r, 0, 0, 0, 9), 2);
    DRAM_COMMANDS_ARE(&r, 100, {0, LW_DRAM_ACT, 0, 0}, {11, LW_DRAM_RD, 0, 0},
                      {40, LW_DRAM_RD, 0, 0});
    assert_int_equal(r.finished[2], 55);
    dram_close(&r);
}

/* PRE by tRAS in 28, later than tRTP after the read (11 + 6 = 17); ACT by tRP in 39, which tRC
 * allows too; read in 50, data until 65. */
static void another_row_is_open(void **state) {
    (void)state;
    const lw_dram_timing t = dram_plain();
    dram_run r;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 0, dram_line(&r, 0, 3, 0, 0), 1);
    dram_read(&r, 20, dram_line(&r, 0, 3, 1, 0), 2);
    DRAM_COMMANDS_ARE(&r, 60, {0, LW_DRAM_ACT, 0, 3}, {11, LW_DRAM_RD, 0, 3},
                      {28, LW_DRAM_PRE, 0, 3}, {39, LW_DRAM_ACT, 0, 3}, {50, LW_DRAM_RD, 0, 3});
    /* the same in 60: a read in 50 allows PRE in 56, tRAS only in 39 + 28 = 67 */
    dram_read(&r, 60, dram_line(&r, 0, 3, 2, 0), 3);
    dram_go(&r, 200);
    assert_int_equal(r.finished[2], 65);
    assert_int_equal(r.commands[5].clock, 67);
    /* where the read is the later of the two: RD in 200, PRE in 206 */
    dram_read(&r, 200, dram_line(&r, 0, 3, 2, 1), 4);
    dram_read(&r, 201, dram_line(&r, 0, 3, 5, 1), 5);
    dram_go(&r, 300);
    assert_true(r.commands[8].kind == LW_DRAM_RD && r.commands[8].clock == 200);
    assert_true(r.commands[9].kind == LW_DRAM_PRE && r.commands[9].clock == 206);
    dram_close(&r);
}

/* tRC alone: with tRC 60 the second ACT waits for it, in 60 and not in 39. */
static void the_row_cycle(void **state) {
    (void)state;
    lw_dram_timing t = dram_plain();
    t.rc = 60;
    dram_run r;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 0, dram_line(&r, 0, 0, 0, 0), 1);
    dram_read(&r, 0, dram_line(&r, 0, 0, 1, 0), 2);
    DRAM_COMMANDS_ARE(&r, 100, {0, LW_DRAM_ACT, 0, 0}, {11, LW_DRAM_RD, 0, 0},
                      {28, LW_DRAM_PRE, 0, 0}, {60, LW_DRAM_ACT, 0, 0}, {71, LW_DRAM_RD, 0, 0});
    dram_close(&r);
}

/* The second ACT tRRD after the first, the second read tRCD after its own; both overlap. */
static void two_banks(void **state) {
    (void)state;
    const lw_dram_timing t = dram_plain();
    dram_run r;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 0, dram_line(&r, 0, 0, 0, 0), 1);
    dram_read(&r, 0, dram_line(&r, 0, 1, 0, 0), 2);
    DRAM_COMMANDS_ARE(&r, 100, {0, LW_DRAM_ACT, 0, 0}, {5, LW_DRAM_ACT, 0, 1},
                      {11, LW_DRAM_RD, 0, 0}, {16, LW_DRAM_RD, 0, 1});
    assert_int_equal(r.finished[1], 26);
    assert_int_equal(r.finished[2], 31);
    dram_close(&r);
}

/* ACT in 0, 5, 10, 15; the fifth not in 20 by tRRD but in 24, tFAW after the first. */
static void five_activations(void **state) {
    (void)state;
    const lw_dram_timing t = dram_plain();
    dram_run r;
    dram_open(&r, &t, t.clock_mhz);
    for (uint32_t b = 0; b < 5; b++) {
        dram_read(&r, 0, dram_line(&r, 0, b, 0, 0), b);
    }
    DRAM_COMMANDS_ARE(&r, 100, {0, LW_DRAM_ACT, 0, 0}, {5, LW_DRAM_ACT, 0, 1},
                      {10, LW_DRAM_ACT, 0, 2}, {11, LW_DRAM_RD, 0, 0}, {15, LW_DRAM_ACT, 0, 3},
                      {16, LW_DRAM_RD, 0, 1}, {21, LW_DRAM_RD, 0, 2}, {24, LW_DRAM_ACT, 0, 4},
                      {26, LW_DRAM_RD, 0, 3}, {35, LW_DRAM_RD, 0, 4});
    dram_close(&r);
}

/* Reads of one row follow each other by tCCD, and so the data without a gap: 26, 30, 34. */
static void reads_of_a_row_back_to_back(void **state) {
    (void)state;
    const lw_dram_timing t = dram_plain();
    dram_run r;
    dram_open(&r, &t, t.clock_mhz);
    for (uint32_t i = 0; i < 3; i++) {
        dram_read(&r, 0, dram_line(&r, 0, 0, 0, i), i);
    }
    DRAM_COMMANDS_ARE(&r, 100, {0, LW_DRAM_ACT, 0, 0}, {11, LW_DRAM_RD, 0, 0},
                      {15, LW_DRAM_RD, 0, 0}, {19, LW_DRAM_RD, 0, 0});
    assert_int_equal(r.finished[2], 34);
    dram_close(&r);
}

/* The read's data ends in 11 + 11 + 4 = 26, the bus rests for tRTRS until 28, and the write's data
 * begins tCWL after it: 28 - 8 = 20. */
static void a_read_then_a_write(void **state) {
    (void)state;
    const lw_dram_timing t = dram_plain();
    dram_run r;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 0, dram_line(&r, 0, 0, 0, 0), 1);
    dram_write(&r, 0, dram_line(&r, 0, 0, 0, 1));
    DRAM_COMMANDS_ARE(&r, 100, {0, LW_DRAM_ACT, 0, 0}, {11, LW_DRAM_RD, 0, 0},
                      {20, LW_DRAM_WR, 0, 0});
    dram_close(&r);
}

/* The write's data ends in 11 + 8 + 4 = 23. A read of the rank may come tWTR later, in 29, and its
 * row may be closed tWR later, in 35, so that a conflict reads in 35 + 11 + 11 = 57. */
static void a_write_then_a_read(void **state) {
    (void)state;
    const lw_dram_timing t = dram_plain();
    dram_run r;
    dram_open(&r, &t, t.clock_mhz);
    dram_write(&r, 0, dram_line(&r, 0, 0, 0, 0));
    dram_read(&r, 12, dram_line(&r, 0, 0, 0, 1), 1);
    dram_read(&r, 12, dram_line(&r, 0, 0, 1, 0), 2);
    DRAM_COMMANDS_ARE(&r, 100, {0, LW_DRAM_ACT, 0, 0}, {11, LW_DRAM_WR, 0, 0},
                      {29, LW_DRAM_RD, 0, 0}, {35, LW_DRAM_PRE, 0, 0}, {46, LW_DRAM_ACT, 0, 0},
                      {57, LW_DRAM_RD, 0, 0});
    assert_int_equal(r.finished[1], 44);
    dram_close(&r);
}

/* Ranks keep no tRRD between them, only a command a clock; but the bus rests for tRTRS: data until
 * 26, then from 28 on, so a read in 28 - 11 = 17 and not in 12. After a write of the other rank,
 * data until 17 + ... a read waits for the bus alone, not for tWTR. */
static void two_ranks(void **state) {
    (void)state;
    lw_dram_timing t = dram_plain();
    t.ranks = 2;
    dram_run r;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 0, dram_line(&r, 0, 0, 0, 0), 1);
    dram_read(&r, 0, dram_line(&r, 1, 0, 0, 0), 2);
    /* a write in 40: data from 48 until 52; the other rank's read data from 54 on, RD in 43 */
    dram_write(&r, 40, dram_line(&r, 0, 0, 0, 1));
    dram_read(&r, 41, dram_line(&r, 1, 0, 0, 1), 3);
    DRAM_COMMANDS_ARE(&r, 100, {0, LW_DRAM_ACT, 0, 0}, {1, LW_DRAM_ACT, 1, 0},
                      {11, LW_DRAM_RD, 0, 0}, {17, LW_DRAM_RD, 1, 0}, {40, LW_DRAM_WR, 0, 0},
                      {43, LW_DRAM_RD, 1, 0});
    assert_int_equal(r.finished[2], 32);
    dram_close(&r);
}

/* Due in 6240: the row, open since 6200, may be closed then (6200 + 28), REF follows tRP later, the
 * read's ACT tRFC after that: 6251 + 208 = 6459; data until 6459 + 26. With all closed REF comes in
 * the clock in which the next is due, 12480, and the read in 12480 + 208 + 11. */
static void a_refresh_delays_a_read(void **state) {
    (void)state;
    lw_dram_timing t = dram_plain();
    t.refi = 6240;
    t.close_idle = 100;
    dram_run r;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 6200, dram_line(&r, 0, 2, 0, 0), 1);
    dram_read(&r, 6240, dram_line(&r, 0, 2, 0, 1), 2);
    dram_read(&r, 12480, dram_line(&r, 0, 2, 0, 1), 3);
    DRAM_COMMANDS_ARE(
        &r, 13000, {6200, LW_DRAM_ACT, 0, 2}, {6211, LW_DRAM_RD, 0, 2},
        {6240, LW_DRAM_PRE_ALL, 0, 0}, {6251, LW_DRAM_REF, 0, 0}, {6459, LW_DRAM_ACT, 0, 2},
        {6470, LW_DRAM_RD, 0, 2}, {6570, LW_DRAM_PRE, 0, 2}, {12480, LW_DRAM_REF, 0, 0},
        {12688, LW_DRAM_ACT, 0, 2}, {12699, LW_DRAM_RD, 0, 2}, {12799, LW_DRAM_PRE, 0, 2});
    assert_int_equal(r.finished[2], 6485);
    dram_close(&r);
}

/* Of two ranks the first is refreshed half an interval before the second, which goes on meanwhile.
 */
static void ranks_refresh_in_turn(void **state) {
    (void)state;
    lw_dram_timing t = dram_plain();
    t.ranks = 2;
    t.refi = 6240;
    dram_run r;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 3121, dram_line(&r, 1, 0, 0, 0), 1);
    DRAM_COMMANDS_ARE(&r, 6241 + 12, {3120, LW_DRAM_REF, 0, 0}, {3121, LW_DRAM_ACT, 1, 0},
                      {3132, LW_DRAM_RD, 1, 0}, {6240, LW_DRAM_PRE_ALL, 1, 0},
                      {6251, LW_DRAM_REF, 1, 0});
    dram_close(&r);
}

/* The conflict of clock 12 may close the row in 28 at the earliest; a hit that comes in 27 still
 * goes before it, and moves its PRE to 27 + 6 = 33. */
static void a_hit_before_an_older_conflict(void **state) {
    (void)state;
    const lw_dram_timing t = dram_plain();
    dram_run r;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 0, dram_line(&r, 0, 0, 0, 0), 1);
    dram_read(&r, 12, dram_line(&r, 0, 0, 1, 0), 2);
    dram_read(&r, 27, dram_line(&r, 0, 0, 0, 1), 3);
    DRAM_COMMANDS_ARE(&r, 100, {0, LW_DRAM_ACT, 0, 0}, {11, LW_DRAM_RD, 0, 0},
                      {27, LW_DRAM_RD, 0, 0}, {33, LW_DRAM_PRE, 0, 0}, {44, LW_DRAM_ACT, 0, 0},
                      {55, LW_DRAM_RD, 0, 0});
    assert_true(r.finished[3] == 42 && r.finished[2] == 70);
    dram_close(&r);
}

/* Both can be served in 50: the hit of another bank is, and the older ACT a clock later. */
static void a_hit_before_an_older_row(void **state) {
    (void)state;
    const lw_dram_timing t = dram_plain();
    dram_run r;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 0, dram_line(&r, 0, 0, 0, 0), 1);
    dram_read(&r, 50, dram_line(&r, 0, 1, 0, 0), 2);
    dram_read(&r, 50, dram_line(&r, 0, 0, 0, 1), 3);
    DRAM_COMMANDS_ARE(&r, 100, {0, LW_DRAM_ACT, 0, 0}, {11, LW_DRAM_RD, 0, 0},
                      {50, LW_DRAM_RD, 0, 0}, {51, LW_DRAM_ACT, 0, 1}, {62, LW_DRAM_RD, 0, 1});
    dram_close(&r);
}

/* While the conflict of clock 12 waits for its PRE in 28, another bank's ACT goes in 13. */
static void a_bank_while_another_waits(void **state) {
    (void)state;
    const lw_dram_timing t = dram_plain();
    dram_run r;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 0, dram_line(&r, 0, 0, 0, 0), 1);
    dram_read(&r, 12, dram_line(&r, 0, 0, 1, 0), 2);
    dram_read(&r, 13, dram_line(&r, 0, 1, 0, 0), 3);
    DRAM_COMMANDS_ARE(&r, 100, {0, LW_DRAM_ACT, 0, 0}, {11, LW_DRAM_RD, 0, 0},
                      {13, LW_DRAM_ACT, 0, 1}, {24, LW_DRAM_RD, 0, 1}, {28, LW_DRAM_PRE, 0, 0},
                      {39, LW_DRAM_ACT, 0, 0}, {50, LW_DRAM_RD, 0, 0});
    dram_close(&r);
}

/* A conflict of clock 12 with ten hits behind it: reads in 15, 19, .. 39, but none in 43, as it has
 * waited 30 clocks in 42. Its PRE comes tRTP after the last, in 45, its read in 45 + 22 = 67; the
 * four hits that are left open their row again: tRAS after 56 in 84. */
static void the_starvation_bound(void **state) {
    (void)state;
    lw_dram_timing t = dram_plain();
    t.starvation = 30;
    dram_run r;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 0, dram_line(&r, 0, 0, 0, 0), 1);
    dram_read(&r, 12, dram_line(&r, 0, 0, 1, 0), 2);
    for (uint32_t i = 0; i < 10; i++) {
        dram_read(&r, 12, dram_line(&r, 0, 0, 0, 1 + i), 10 + i);
    }
    DRAM_COMMANDS_ARE(&r, 90, {0, LW_DRAM_ACT, 0, 0}, {11, LW_DRAM_RD, 0, 0},
                      {15, LW_DRAM_RD, 0, 0}, {19, LW_DRAM_RD, 0, 0}, {23, LW_DRAM_RD, 0, 0},
                      {27, LW_DRAM_RD, 0, 0}, {31, LW_DRAM_RD, 0, 0}, {35, LW_DRAM_RD, 0, 0},
                      {39, LW_DRAM_RD, 0, 0}, {45, LW_DRAM_PRE, 0, 0}, {56, LW_DRAM_ACT, 0, 0},
                      {67, LW_DRAM_RD, 0, 0}, {84, LW_DRAM_PRE, 0, 0});
    assert_int_equal(r.finished[2], 82);
    dram_close(&r);
}

/* Each write goes first here. The second may close its row in 35; the read of clock 13 starves in
 * 23 and is then served, in 23 + 11 = 34, before it. */
static void a_read_starves_behind_writes(void **state) {
    (void)state;
    lw_dram_timing t = dram_plain();
    t.starvation = 10;
    t.write_high = 1;
    t.write_low = 0;
    dram_run r;
    dram_open(&r, &t, t.clock_mhz);
    dram_write(&r, 0, dram_line(&r, 0, 0, 0, 0));
    dram_write(&r, 12, dram_line(&r, 0, 0, 1, 0));
    dram_read(&r, 13, dram_line(&r, 0, 1, 0, 0), 1);
    DRAM_COMMANDS_ARE(&r, 100, {0, LW_DRAM_ACT, 0, 0}, {11, LW_DRAM_WR, 0, 0},
                      {23, LW_DRAM_ACT, 0, 1}, {34, LW_DRAM_RD, 0, 1}, {35, LW_DRAM_PRE, 0, 0},
                      {46, LW_DRAM_ACT, 0, 0}, {57, LW_DRAM_WR, 0, 0});
    dram_close(&r);
}

/* Three writes of four are the high mark: they go before the reads until one is left. WR in 11 and
 * 15, data until 27, RD by tWTR in 33 and 37, data until 52; the last write 52 + 2 - 8 = 46. */
static void writes_between_their_marks(void **state) {
    (void)state;
    lw_dram_timing t = dram_plain();
    t.write_queue = 4;
    t.write_high = 3;
    t.write_low = 1;
    dram_run r;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 0, dram_line(&r, 0, 0, 0, 0), 1);
    dram_read(&r, 0, dram_line(&r, 0, 0, 0, 1), 2);
    for (uint32_t i = 0; i < 3; i++) {
        dram_write(&r, 0, dram_line(&r, 0, 0, 0, 2 + i));
    }
    DRAM_COMMANDS_ARE(&r, 100, {0, LW_DRAM_ACT, 0, 0}, {11, LW_DRAM_WR, 0, 0},
                      {15, LW_DRAM_WR, 0, 0}, {33, LW_DRAM_RD, 0, 0}, {37, LW_DRAM_RD, 0, 0},
                      {46, LW_DRAM_WR, 0, 0});
    dram_close(&r);
}

/* A read of the line needs no command and takes 11 + 4 clocks; a second write is one with the
 * first.
 */
static void a_line_that_waits_to_be_written(void **state) {
    (void)state;
    const lw_dram_timing t = dram_plain();
    dram_run r;
    dram_open(&r, &t, t.clock_mhz);
    dram_write(&r, 0, dram_line(&r, 0, 0, 0, 7));
    dram_write(&r, 1, dram_line(&r, 0, 0, 0, 7));
    dram_read(&r, 5, dram_line(&r, 0, 0, 0, 7), 1);
    DRAM_COMMANDS_ARE(&r, 100, {0, LW_DRAM_ACT, 0, 0}, {11, LW_DRAM_WR, 0, 0});
    assert_int_equal(r.finished[1], 20);
    dram_read(&r, 100, dram_line(&r, 0, 0, 0, 7), 2); /* written: from the row */
    dram_go(&r, 200);
    assert_int_equal(r.finished[2], 115);
    lw_banks *banks = calloc(1, sizeof *banks);
    assert_non_null(banks);
    lw_dram_banks(r.dram, banks);
    assert_true(banks->dram.forwarded == 1 && banks->dram.users[LW_MEMORY_DATA].writes == 2);
    free(banks);
    dram_close(&r);
}

/* Unused since 11, closed in 31; the next ACT by tRP in 42, though asked for in 40. */
static void an_idle_row_is_closed(void **state) {
    (void)state;
    lw_dram_timing t = dram_plain();
    t.close_idle = 20;
    dram_run r;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 0, dram_line(&r, 0, 0, 0, 0), 1);
    dram_read(&r, 40, dram_line(&r, 0, 0, 0, 1), 2);
    DRAM_COMMANDS_ARE(&r, 72, {0, LW_DRAM_ACT, 0, 0}, {11, LW_DRAM_RD, 0, 0},
                      {31, LW_DRAM_PRE, 0, 0}, {42, LW_DRAM_ACT, 0, 0}, {53, LW_DRAM_RD, 0, 0});
    dram_close(&r);
}

/* 2.5 cycles a clock. Cycle 1 is in clock 1 (0.4), cycles 5 and 6 in 2 and 3; 26 clocks later, and
 * 15 for the hit in 2 + ... : ACT 1, RD 12, data until 27 = cycle 67.5; RD 16, 31 = 77.5; 35
 * = 87.5. */
static void a_clock_that_is_no_whole_part(void **state) {
    (void)state;
    const lw_dram_timing t = dram_plain();
    dram_run r;
    dram_open(&r, &t, 2000);
    dram_read(&r, 1, dram_line(&r, 0, 0, 0, 0), 1);
    dram_read(&r, 5, dram_line(&r, 0, 0, 0, 1), 2);
    dram_read(&r, 6, dram_line(&r, 0, 0, 0, 2), 3);
    dram_read(&r, 1000, dram_line(&r, 0, 0, 0, 3), 4); /* clock 400 to 415: 1037.5 */
    dram_read(&r, 1001, dram_line(&r, 0, 1, 0, 3), 5); /* clock 401 to 427: 1067.5 */
    DRAM_COMMANDS_ARE(&r, 2000, {1, LW_DRAM_ACT, 0, 0}, {12, LW_DRAM_RD, 0, 0},
                      {16, LW_DRAM_RD, 0, 0}, {20, LW_DRAM_RD, 0, 0}, {400, LW_DRAM_RD, 0, 0},
                      {401, LW_DRAM_ACT, 0, 1}, {412, LW_DRAM_RD, 0, 1});
    static const uint64_t finish[] = {0, 68, 78, 88, 1038, 1068};
    for (uint32_t i = 1; i < 6; i++) {
        assert_int_equal(r.finished[i], finish[i]);
    }
    dram_close(&r);
}

/* The other way round, and exact after a long time: a unit of 700 MHz before a memory of 1 GHz.
 * Cycle 7 x 10^12 is clock 10^13; 14 + 14 + 4 = 32 clocks are 22.4 cycles. */
static void a_slower_unit(void **state) {
    (void)state;
    lw_dram_timing t = dram_timing("mesc_1ghz");
    t.refi = 0;
    dram_run r;
    dram_open(&r, &t, 700);
    const uint64_t late = UINT64_C(7000000000000);
    dram_read(&r, late, 0, 1);
    dram_go(&r, late + 100);
    assert_int_equal(r.commands[0].clock, UINT64_C(10000000000000));
    assert_int_equal(r.finished[1], late + 23);
    dram_close(&r);
}

/* Two channels have nothing in common; without hash the lowest bit tells them apart. */
static void two_channels(void **state) {
    (void)state;
    lw_dram_timing t = dram_plain();
    t.channels = 2;
    dram_run r;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 0, 0, 1);
    dram_read(&r, 0, 1, 2);
    dram_go(&r, 100);
    assert_true(r.finished[1] == 26 && r.finished[2] == 26);
    dram_close(&r);
}

/* A read keeps its place until it is taken, and the last ones are for page walks alone. */
static void room(void **state) {
    (void)state;
    lw_dram_timing t = dram_plain();
    t.read_queue = 2;
    t.walk_places = 1;
    t.write_queue = t.write_high = 1;
    t.write_low = 0;
    dram_run r;
    dram_open(&r, &t, t.clock_mhz);
    const lw_memory_request walk = {dram_line(&r, 0, 1, 0, 0), LW_MEMORY_WALKS, false, 9};
    const lw_memory_request data = {dram_line(&r, 0, 0, 0, 1), LW_MEMORY_DATA, false, 2};
    lw_memory *m = r.memory;
    dram_read(&r, 0, dram_line(&r, 0, 0, 0, 0), 1);
    assert_false(m->ready(m->state, 0, &data));
    assert_true(m->ready(m->state, 0, &walk));
    m->ask(m->state, 0, &walk);
    assert_false(m->ready(m->state, 0, &walk));
    uint32_t id = 0;
    assert_true(m->next_event(m->state, 0) <= 26); /* ACT in 0 and 5, RD in 11 */
    assert_false(m->finished(m->state, 25, LW_MEMORY_DATA, &id));
    assert_false(m->ready(m->state, 30, &walk));
    assert_false(m->finished(m->state, 30, LW_MEMORY_WALKS, &id));
    assert_true(m->finished(m->state, 31, LW_MEMORY_WALKS, &id) && id == 9);
    assert_false(m->ready(m->state, 31, &data));
    assert_true(m->finished(m->state, 31, LW_MEMORY_DATA, &id) && id == 1);
    assert_true(m->ready(m->state, 31, &data));
    /* one write: room comes the cycle after its WR; nobody else is under way */
    const lw_memory_request write = {dram_line(&r, 0, 0, 0, 3), LW_MEMORY_DATA, true, 0};
    const lw_memory_request other = {dram_line(&r, 0, 0, 0, 4), LW_MEMORY_DATA, true, 0};
    m->ask(m->state, 60, &write);
    assert_true(m->ready(m->state, 60, &write));
    assert_false(m->ready(m->state, 60, &other));
    assert_int_equal(m->next_event(m->state, 60), 61);
    assert_true(m->ready(m->state, 61, &other));
    assert_true(m->next_event(m->state, 61) == UINT64_MAX);
    dram_close(&r);
}

/* A closed row, a hit and a conflict, each counted at its bank; the read of 12 waits until 28. */
static void what_banks_have_done(void **state) {
    (void)state;
    const lw_dram_timing t = dram_plain();
    dram_run r;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 0, dram_line(&r, 0, 5, 0, 0), 1);
    dram_read(&r, 0, dram_line(&r, 0, 5, 0, 1), 2);
    dram_read(&r, 12, dram_line(&r, 0, 5, 1, 0), 3);
    dram_go(&r, 100);
    lw_banks *banks = calloc(1, sizeof *banks);
    assert_non_null(banks);
    lw_dram_banks(r.dram, banks);
    assert_true(banks->channels == 1 && banks->ranks == 1 && banks->banks == 8);
    /* ACT, RD, RD, PRE, ACT, RD: 11 + 4 + 4 + 11 + 11 + 4 */
    const lw_bank_counts want = {1, 1, 1, (15 - 0) + (28 - 12), 45};
    assert_memory_equal(&banks->bank[5], &want, sizeof want);
    const lw_memory_use *use = &banks->dram.users[LW_MEMORY_DATA];
    assert_true(use->reads == 3 && use->read_cycles == 26 + 30 + (65 - 12));
    assert_true(banks->dram.bus_cycles == 12 && banks->dram.cycles == 100);
    free(banks);
    dram_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_closed_row),
        cmocka_unit_test(a_row_that_is_open),
        cmocka_unit_test(another_row_is_open),
        cmocka_unit_test(the_row_cycle),
        cmocka_unit_test(two_banks),
        cmocka_unit_test(five_activations),
        cmocka_unit_test(reads_of_a_row_back_to_back),
        cmocka_unit_test(a_read_then_a_write),
        cmocka_unit_test(a_write_then_a_read),
        cmocka_unit_test(two_ranks),
        cmocka_unit_test(a_refresh_delays_a_read),
        cmocka_unit_test(ranks_refresh_in_turn),
        cmocka_unit_test(a_hit_before_an_older_conflict),
        cmocka_unit_test(a_hit_before_an_older_row),
        cmocka_unit_test(a_bank_while_another_waits),
        cmocka_unit_test(the_starvation_bound),
        cmocka_unit_test(a_read_starves_behind_writes),
        cmocka_unit_test(writes_between_their_marks),
        cmocka_unit_test(a_line_that_waits_to_be_written),
        cmocka_unit_test(an_idle_row_is_closed),
        cmocka_unit_test(a_clock_that_is_no_whole_part),
        cmocka_unit_test(a_slower_unit),
        cmocka_unit_test(two_channels),
        cmocka_unit_test(room),
        cmocka_unit_test(what_banks_have_done),
    };
    return cmocka_run_group_tests_name("dram", tests, NULL, NULL);
}
