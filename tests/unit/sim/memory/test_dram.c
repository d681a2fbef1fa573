/* The DRAM's commands, each clock worked out by hand from the times that dram_plain names. The two
 * clocks are alike unless a test says other, so cycles are clocks. */
#include "tests/unit/sim/memory/dram_case.h"

static const dram_case cases[] = {
    /* ------------------------------------------------------------ a bank */

    /* tRCD to the read, tCL to its data, 4 clocks of data: 11 + 11 + 4 = 26. */
    {"a_closed_row", .asks = {READ(0, 0, 0, 0, 0)}, .commands = {ACT(0, 0, 0), RD(11, 0, 0)},
     .finished = {26}, .until = 100},
    /* The row stays open: 11 + 4 = 15 from clock 40. */
    {"a_row_that_is_open", .asks = {READ(0, 0, 0, 0, 0), READ(40, 0, 0, 0, 9)},
     .commands = {ACT(0, 0, 0), RD(11, 0, 0), RD(40, 0, 0)}, .finished = {0, 55}, .until = 100},
    /* PRE by tRAS in 28, later than tRTP after the read (11 + 6 = 17); ACT by tRP in 39, which tRC
     * allows too; read in 50, data until 65. The same for the row of clock 60: the read in 50
     * allows PRE in 56, tRAS only in 39 + 28 = 67. Where the read is the later of the two: RD in
     * 200, PRE in 206. */
    {"another_row_is_open",
     .asks = {READ(0, 0, 3, 0, 0), READ(20, 0, 3, 1, 0), READ(60, 0, 3, 2, 0),
              READ(200, 0, 3, 2, 1), READ(201, 0, 3, 5, 1)},
     .commands = {ACT(0, 0, 3), RD(11, 0, 3), PRE(28, 0, 3), ACT(39, 0, 3), RD(50, 0, 3),
                  PRE(67, 0, 3), ACT(78, 0, 3), RD(89, 0, 3), RD(200, 0, 3), PRE(206, 0, 3),
                  ACT(217, 0, 3), RD(228, 0, 3)},
     .finished = {0, 65}, .until = 300},
    /* tRC alone: with tRC 60 the second ACT waits for it, in 60 and not in 39. */
    {"the_row_cycle", .changes = {CHANGE(rc, 60)},
     .asks = {READ(0, 0, 0, 0, 0), READ(0, 0, 0, 1, 0)},
     .commands = {ACT(0, 0, 0), RD(11, 0, 0), PRE(28, 0, 0), ACT(60, 0, 0), RD(71, 0, 0)},
     .until = 100},

    /* ------------------------------------------------------------ a rank and the bus */

    /* The second ACT tRRD after the first, the second read tRCD after its own; both overlap. */
    {"two_banks", .asks = {READ(0, 0, 0, 0, 0), READ(0, 0, 1, 0, 0)},
     .commands = {ACT(0, 0, 0), ACT(5, 0, 1), RD(11, 0, 0), RD(16, 0, 1)}, .finished = {26, 31},
     .until = 100},
    /* ACT in 0, 5, 10, 15; the fifth not in 20 by tRRD but in 24, tFAW after the first. */
    {"five_activations",
     .asks = {READ(0, 0, 0, 0, 0), READ(0, 0, 1, 0, 0), READ(0, 0, 2, 0, 0), READ(0, 0, 3, 0, 0),
              READ(0, 0, 4, 0, 0)},
     .commands = {ACT(0, 0, 0), ACT(5, 0, 1), ACT(10, 0, 2), RD(11, 0, 0), ACT(15, 0, 3),
                  RD(16, 0, 1), RD(21, 0, 2), ACT(24, 0, 4), RD(26, 0, 3), RD(35, 0, 4)},
     .until = 100},
    /* tFAW is each rank's own: after four rows of the first, in 15, the second's is opened as soon
     * as no open row is read in the same clock, and read when the bus has turned, from 41 + 2 on.
     */
    {"a_fifth_activation_of_another_rank", .changes = {CHANGE(ranks, 2)},
     .asks = {READ(0, 0, 0, 0, 0), READ(0, 0, 1, 0, 0), READ(0, 0, 2, 0, 0), READ(0, 0, 3, 0, 0),
              READ(16, 1, 0, 0, 0)},
     .commands = {ACT(0, 0, 0), ACT(5, 0, 1), ACT(10, 0, 2), RD(11, 0, 0), ACT(15, 0, 3),
                  RD(16, 0, 1), ACT(17, 1, 0), RD(21, 0, 2), RD(26, 0, 3), RD(32, 1, 0)},
     .until = 100},
    /* Reads of one row follow each other by tCCD, and so the data without a gap: 26, 30, 34. */
    {"reads_of_a_row_back_to_back",
     .asks = {READ(0, 0, 0, 0, 0), READ(0, 0, 0, 0, 1), READ(0, 0, 0, 0, 2)},
     .commands = {ACT(0, 0, 0), RD(11, 0, 0), RD(15, 0, 0), RD(19, 0, 0)}, .finished = {0, 0, 34},
     .until = 100},
    /* The read's data ends in 11 + 11 + 4 = 26, the bus rests for tRTRS until 28, and the write's
     * data begins tCWL after it: 28 - 8 = 20. */
    {"a_read_then_a_write", .asks = {READ(0, 0, 0, 0, 0), WRITE(0, 0, 0, 0, 1)},
     .commands = {ACT(0, 0, 0), RD(11, 0, 0), WR(20, 0, 0)}, .until = 100},
    /* The write's data ends in 11 + 8 + 4 = 23. A read of the rank may come tWTR later, in 29, and
     * its row may be closed tWR later, in 35, so that a conflict reads in 35 + 11 + 11 = 57. */
    {"a_write_then_a_read",
     .asks = {WRITE(0, 0, 0, 0, 0), READ(12, 0, 0, 0, 1), READ(12, 0, 0, 1, 0)},
     .commands = {ACT(0, 0, 0), WR(11, 0, 0), RD(29, 0, 0), PRE(35, 0, 0), ACT(46, 0, 0),
                  RD(57, 0, 0)},
     .finished = {0, 44}, .until = 100},
    /* A bus that is taken long after the read: until 23 by the write, and from 29 + 100 on by the
     * read of its row, which keeps tWTR alone. */
    {"a_read_whose_data_is_far_off", .changes = {CHANGE(cl, 100)},
     .asks = {WRITE(0, 0, 0, 0, 0), READ(12, 0, 0, 0, 1)},
     .commands = {ACT(0, 0, 0), WR(11, 0, 0), RD(29, 0, 0)}, .finished = {0, 133}, .until = 200},
    /* Ranks keep no tRRD between them, only a command a clock; but the bus rests for tRTRS: data
     * until 26, then from 28 on, so a read in 28 - 11 = 17 and not in 12. After a write of the
     * other rank a read waits for the bus alone, not for tWTR: of the write in 40 data from 48
     * until 52, the other rank's from 54 on, RD in 43. */
    {"two_ranks", .changes = {CHANGE(ranks, 2)},
     .asks = {READ(0, 0, 0, 0, 0), READ(0, 1, 0, 0, 0), WRITE(40, 0, 0, 0, 1),
              READ(41, 1, 0, 0, 1)},
     .commands = {ACT(0, 0, 0), ACT(1, 1, 0), RD(11, 0, 0), RD(17, 1, 0), WR(40, 0, 0),
                  RD(43, 1, 0)},
     .finished = {0, 32}, .until = 100},

    /* ------------------------------------------------------------ refresh */

    /* Due in 6240: the row, open since 6200, may be closed then (6200 + 28), REF follows tRP later,
     * the read's ACT tRFC after that: 6251 + 208 = 6459; data until 6459 + 26. With all closed REF
     * comes in the clock in which the next is due, 12480, and the read in 12480 + 208 + 11. */
    {"a_refresh_delays_a_read", .changes = {CHANGE(refi, 6240), CHANGE(close_idle, 100)},
     .asks = {READ(6200, 0, 0, 0, 0), READ(6240, 0, 0, 0, 1), READ(12480, 0, 0, 0, 1)},
     .commands = {ACT(6200, 0, 0), RD(6211, 0, 0), PRE_ALL(6240, 0, 0), REF(6251, 0, 0),
                  ACT(6459, 0, 0), RD(6470, 0, 0), PRE(6570, 0, 0), REF(12480, 0, 0),
                  ACT(12688, 0, 0), RD(12699, 0, 0), PRE(12799, 0, 0)},
     .finished = {0, 6485}, .until = 13000},
    /* When the refresh is due in 6240 the second bank could be read and the first, unused since
     * 6140, closed; but the rank gets nothing but PRE_ALL, by tRAS in 6229 + 28. */
    {"nothing_but_a_refresh_that_is_due", .changes = {CHANGE(refi, 6240), CHANGE(close_idle, 100)},
     .asks = {READ(6129, 0, 0, 0, 0), READ(6229, 0, 1, 0, 0)},
     .commands = {ACT(6129, 0, 0), RD(6140, 0, 0), ACT(6229, 0, 1), PRE_ALL(6257, 0, 0),
                  REF(6268, 0, 0), ACT(6476, 0, 1), RD(6487, 0, 1)},
     .until = 6500},
    /* Of two ranks the first is refreshed half an interval before the second, which goes on
     * meanwhile, also while the first's row may not yet be closed: until 3110 + 28. */
    {"ranks_refresh_in_turn", .changes = {CHANGE(ranks, 2), CHANGE(refi, 6240)},
     .asks = {READ(3110, 0, 0, 0, 0), READ(3125, 1, 0, 0, 0)},
     .commands = {ACT(3110, 0, 0), ACT(3125, 1, 0), RD(3136, 1, 0), PRE_ALL(3138, 0, 0),
                  REF(3149, 0, 0), ACT(3357, 0, 0), RD(3368, 0, 0), PRE_ALL(6240, 1, 0),
                  REF(6251, 1, 0)},
     .until = 6241 + 12},

    /* ------------------------------------------------------------ which request goes first */

    /* The conflict of clock 12 may close the row in 28 at the earliest; a hit that comes in 27
     * still goes before it, and moves its PRE to 27 + 6 = 33. */
    {"a_hit_before_an_older_conflict",
     .asks = {READ(0, 0, 0, 0, 0), READ(12, 0, 0, 1, 0), READ(27, 0, 0, 0, 1)},
     .commands = {ACT(0, 0, 0), RD(11, 0, 0), RD(27, 0, 0), PRE(33, 0, 0), ACT(44, 0, 0),
                  RD(55, 0, 0)},
     .finished = {0, 70, 42}, .until = 100},
    /* Both can be served in 50: the hit of another bank is, and the older ACT a clock later. */
    {"a_hit_before_an_older_row",
     .asks = {READ(0, 0, 0, 0, 0), READ(50, 0, 1, 0, 0), READ(50, 0, 0, 0, 1)},
     .commands = {ACT(0, 0, 0), RD(11, 0, 0), RD(50, 0, 0), ACT(51, 0, 1), RD(62, 0, 1)},
     .until = 100},
    /* After the write of clock 40 no read of its rank may come before 40 + 8 + 4 + 6 = 58. The row
     * could be closed for the read of clock 41 in 17 + 28, but that of clock 43 waits for it: PRE
     * in 58 + 6. */
    {"a_row_is_not_closed_while_its_read_cannot_go",
     .asks = {READ(17, 0, 0, 0, 0), WRITE(29, 0, 1, 0, 0), READ(41, 0, 0, 1, 0),
              READ(43, 0, 0, 0, 1)},
     .commands = {ACT(17, 0, 0), RD(28, 0, 0), ACT(29, 0, 1), WR(40, 0, 1), RD(58, 0, 0),
                  PRE(64, 0, 0), ACT(75, 0, 0), RD(86, 0, 0)},
     .until = 120},
    /* The older of two banks that could both be opened, and of two rows that could both be read,
     * goes first, whatever their numbers. */
    {"the_older_of_two_banks",
     .asks = {READ(0, 0, 2, 0, 0), READ(0, 0, 5, 0, 0), READ(0, 0, 1, 0, 0), READ(60, 0, 5, 0, 1),
              READ(60, 0, 1, 0, 1), READ(60, 0, 2, 0, 1)},
     .commands = {ACT(0, 0, 2), ACT(5, 0, 5), ACT(10, 0, 1), RD(11, 0, 2), RD(16, 0, 5),
                  RD(21, 0, 1), RD(60, 0, 5), RD(64, 0, 1), RD(68, 0, 2)},
     .until = 100},
    /* While the conflict of clock 12 waits for its PRE in 28, another bank's ACT goes in 13. */
    {"a_bank_while_another_waits",
     .asks = {READ(0, 0, 0, 0, 0), READ(12, 0, 0, 1, 0), READ(13, 0, 1, 0, 0)},
     .commands = {ACT(0, 0, 0), RD(11, 0, 0), ACT(13, 0, 1), RD(24, 0, 1), PRE(28, 0, 0),
                  ACT(39, 0, 0), RD(50, 0, 0)},
     .until = 100},
    /* A conflict of clock 12 with ten hits behind it: reads in 15, 19, .. 39, but none in 43, as it
     * has waited 31 clocks then. Its PRE comes tRTP after the last, in 45, its read in 45 + 22 =
     * 67; the four hits that are left open their row again: tRAS after 56 in 84. */
    {"the_starvation_bound", .changes = {CHANGE(starvation, 31)},
     .asks = {READ(0, 0, 0, 0, 0), READ(12, 0, 0, 1, 0), READ(12, 0, 0, 0, 1), READ(12, 0, 0, 0, 2),
              READ(12, 0, 0, 0, 3), READ(12, 0, 0, 0, 4), READ(12, 0, 0, 0, 5),
              READ(12, 0, 0, 0, 6), READ(12, 0, 0, 0, 7), READ(12, 0, 0, 0, 8),
              READ(12, 0, 0, 0, 9), READ(12, 0, 0, 0, 10)},
     .commands = {ACT(0, 0, 0), RD(11, 0, 0), RD(15, 0, 0), RD(19, 0, 0), RD(23, 0, 0),
                  RD(27, 0, 0), RD(31, 0, 0), RD(35, 0, 0), RD(39, 0, 0), PRE(45, 0, 0),
                  ACT(56, 0, 0), RD(67, 0, 0), PRE(84, 0, 0)},
     .finished = {0, 82}, .until = 90},
    /* Each write goes first here. The second may close its row in 35; the read of clock 13 starves
     * in 23 and is then served, in 23 + 11 = 34, before it. */
    {"a_read_starves_behind_writes",
     .changes = {CHANGE(starvation, 10), CHANGE(write_high, 1), CHANGE(write_low, 0)},
     .asks = {WRITE(0, 0, 0, 0, 0), WRITE(12, 0, 0, 1, 0), READ(13, 0, 1, 0, 0)},
     .commands = {ACT(0, 0, 0), WR(11, 0, 0), ACT(23, 0, 1), RD(34, 0, 1), PRE(35, 0, 0),
                  ACT(46, 0, 0), WR(57, 0, 0)},
     .until = 100},
    /* Three writes of four are the high mark: they go before the reads until one is left. WR in 11
     * and 15, data until 27, RD by tWTR in 33 and 37, data until 52; the last write 52 + 2 - 8 =
     * 46. */
    {"writes_between_their_marks",
     .changes = {CHANGE(write_queue, 4), CHANGE(write_high, 3), CHANGE(write_low, 1)},
     .asks = {READ(0, 0, 0, 0, 0), READ(0, 0, 0, 0, 1), WRITE(0, 0, 0, 0, 2), WRITE(0, 0, 0, 0, 3),
              WRITE(0, 0, 0, 0, 4)},
     .commands = {ACT(0, 0, 0), WR(11, 0, 0), WR(15, 0, 0), RD(33, 0, 0), RD(37, 0, 0),
                  WR(46, 0, 0)},
     .until = 100},
    /* While no read waits the writes go, four of them below the high mark; the read of clock 12
     * goes before those that are left: by tWTR in 29, and they when its data has left the bus, 44 +
     * 2 - 8 = 38. */
    {"a_read_before_writes_below_the_mark",
     .changes = {CHANGE(write_high, 8), CHANGE(write_low, 1)},
     .asks = {WRITE(0, 0, 0, 0, 0), WRITE(0, 0, 0, 0, 1), WRITE(0, 0, 0, 0, 2),
              WRITE(0, 0, 0, 0, 3), READ(12, 0, 1, 0, 0)},
     .commands = {ACT(0, 0, 0), WR(11, 0, 0), ACT(12, 0, 1), RD(29, 0, 1), WR(38, 0, 0),
                  WR(42, 0, 0), WR(46, 0, 0)},
     .until = 100},
    /* Unused since 11, to be closed in 111, when another bank's row can be read: that goes first.
     */
    {"an_idle_row_holds_nobody_up", .changes = {CHANGE(close_idle, 100)},
     .asks = {READ(0, 0, 0, 0, 0), READ(100, 0, 1, 0, 0)},
     .commands = {ACT(0, 0, 0), RD(11, 0, 0), ACT(100, 0, 1), RD(111, 0, 1), PRE(112, 0, 0),
                  PRE(211, 0, 1)},
     .until = 300},
    /* Unused since 11, closed in 31; the next ACT by tRP in 42, though asked for in 40. */
    {"an_idle_row_is_closed", .changes = {CHANGE(close_idle, 20)},
     .asks = {READ(0, 0, 0, 0, 0), READ(40, 0, 0, 0, 1)},
     .commands = {ACT(0, 0, 0), RD(11, 0, 0), PRE(31, 0, 0), ACT(42, 0, 0), RD(53, 0, 0)},
     .until = 72},

    /* ------------------------------------------------------------ two clocks */

    /* 2.5 cycles a clock. Cycle 1 is in clock 1 (0.4), cycles 5 and 6 in 2 and 3: ACT 1, RD 12,
     * data until 27 = cycle 67.5; RD 16, 31 = 77.5; 35 = 87.5. Then clock 400 to 415, 1037.5, and
     * clock 401 to 427, 1067.5. */
    {"a_clock_that_is_no_whole_part", .unit_mhz = 2000,
     .asks = {READ(1, 0, 0, 0, 0), READ(5, 0, 0, 0, 1), READ(6, 0, 0, 0, 2), READ(1000, 0, 0, 0, 3),
              READ(1001, 0, 1, 0, 3)},
     .commands = {ACT(1, 0, 0), RD(12, 0, 0), RD(16, 0, 0), RD(20, 0, 0), RD(400, 0, 0),
                  ACT(401, 0, 1), RD(412, 0, 1)},
     .finished = {68, 78, 88, 1038, 1068}, .until = 2000},
};

/* A read of the line needs no command and takes 11 + 4 clocks; a second write is one with the
 * first. */
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

/* Nor where other lines of the bank wait before it: the write of column 7 stays one, and goes after
 * that of column 3. */
static void a_line_that_waits_behind_another(void **state) {
    (void)state;
    const lw_dram_timing t = dram_plain();
    dram_run r;
    dram_open(&r, &t, t.clock_mhz);
    dram_write(&r, 0, dram_line(&r, 0, 0, 0, 3));
    dram_write(&r, 0, dram_line(&r, 0, 0, 0, 7));
    dram_write(&r, 1, dram_line(&r, 0, 0, 0, 7));
    dram_read(&r, 5, dram_line(&r, 0, 0, 0, 7), 1);
    DRAM_COMMANDS_ARE(&r, 100, {0, LW_DRAM_ACT, 0, 0}, {11, LW_DRAM_WR, 0, 0},
                      {15, LW_DRAM_WR, 0, 0});
    assert_int_equal(r.finished[1], 20);
    dram_close(&r);
}

/* A unit slower than its memory, 700 MHz before 1 GHz, and exact after a long time. Cycle 7 x 10^12
 * is clock 10^13; 14 + 14 + 4 = 32 clocks are 22.4 cycles. */
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
    enum { CASES = sizeof cases / sizeof cases[0] };
    const struct CMUnitTest others[] = {
        cmocka_unit_test(a_line_that_waits_to_be_written),
        cmocka_unit_test(a_line_that_waits_behind_another),
        cmocka_unit_test(a_slower_unit),
        cmocka_unit_test(two_channels),
        cmocka_unit_test(room),
        cmocka_unit_test(what_banks_have_done),
    };
    struct CMUnitTest tests[CASES + sizeof others / sizeof others[0]];
    memcpy(&tests[CASES], others, sizeof others);
    for (size_t i = 0; i < CASES; i++) {
        tests[i] = (struct CMUnitTest){cases[i].name, dram_run_case, NULL, NULL, (void *)&cases[i]};
    }
    return cmocka_run_group_tests_name("dram", tests, NULL, NULL);
}
