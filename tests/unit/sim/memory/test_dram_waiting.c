/* Whom those who wait in a DRAM's channel hold up, and whom they do not. A row stays open for those
 * of its own direction, not for those of the other; a read that has starved has the channel alone;
 * and no idle row is closed in a bank that somebody waits for. Each clock is worked out by hand
 * from the times that dram_plain names. */
#include "tests/unit/sim/memory/dram_case.h"

/* A write that waits goes before all reads. */
#define WRITES_FIRST CHANGE(write_high, 1), CHANGE(write_low, 0)

/* Two rows are open from 11 and 16 on. The conflict of clock 12 closes the first in 28, reads in 28
 * + 11 + 11 = 50, and has starved from 12 + 20 = 32 on. */
#define STARVES CHANGE(starvation, 20)
#define A_CONFLICT READ(0, 0, 0, 0, 0), READ(0, 0, 1, 0, 0), READ(12, 0, 0, 1, 0)
#define UNTIL_ITS_PRE ACT(0, 0, 0), ACT(5, 0, 1), RD(11, 0, 0), RD(16, 0, 1), PRE(28, 0, 0)

static const dram_case cases[] = {
    /* ------------------------------------------------------------ the other direction */

    /* The write closes row 0 as soon as tRAS allows, in 28, though a read waits for that row, and
     * whichever came first. Then the read wants it again: PRE in 50 + 8 + 4 + 12 = 74. */
    {"a_write_closes_the_row_of_a_younger_read", .changes = {WRITES_FIRST},
     .asks = {READ(0, 0, 0, 0, 0), WRITE(20, 0, 0, 1, 0), READ(21, 0, 0, 0, 1)},
     .commands = {ACT(0, 0, 0), RD(11, 0, 0), PRE(28, 0, 0), ACT(39, 0, 0), WR(50, 0, 0),
                  PRE(74, 0, 0), ACT(85, 0, 0), RD(96, 0, 0)},
     .until = 200},
    {"a_write_closes_the_row_of_an_older_read", .changes = {WRITES_FIRST},
     .asks = {READ(0, 0, 0, 0, 0), READ(20, 0, 0, 0, 1), WRITE(20, 0, 0, 1, 0)},
     .commands = {ACT(0, 0, 0), RD(11, 0, 0), PRE(28, 0, 0), ACT(39, 0, 0), WR(50, 0, 0),
                  PRE(74, 0, 0), ACT(85, 0, 0), RD(96, 0, 0)},
     .until = 200},
    /* The same of a read where a write waits for the row; the second PRE by tRAS in 39 + 28. */
    {"a_read_closes_the_row_of_a_younger_write",
     .asks = {READ(0, 0, 0, 0, 0), READ(20, 0, 0, 1, 0), WRITE(21, 0, 0, 0, 1)},
     .commands = {ACT(0, 0, 0), RD(11, 0, 0), PRE(28, 0, 0), ACT(39, 0, 0), RD(50, 0, 0),
                  PRE(67, 0, 0), ACT(78, 0, 0), WR(89, 0, 0)},
     .until = 200},
    {"a_read_closes_the_row_of_an_older_write",
     .asks = {READ(0, 0, 0, 0, 0), WRITE(20, 0, 0, 0, 1), READ(20, 0, 0, 1, 0)},
     .commands = {ACT(0, 0, 0), RD(11, 0, 0), PRE(28, 0, 0), ACT(39, 0, 0), RD(50, 0, 0),
                  PRE(67, 0, 0), ACT(78, 0, 0), WR(89, 0, 0)},
     .until = 200},
    /* A write waits for the row as well, and so the older write may not close it in 28, although
     * the other bank's data, on the bus until 27 + 15 = 42, keeps the row's own from going before
     * 42 + 2 - 8 = 36. PRE in 36 + 24; the read opens the row again after 82 + 24. */
    {"a_row_that_a_write_waits_for_too_stays_open", .changes = {WRITES_FIRST},
     .asks = {READ(0, 0, 0, 0, 0), READ(16, 0, 1, 0, 0), READ(28, 0, 0, 0, 1),
              WRITE(28, 0, 0, 1, 0), WRITE(28, 0, 0, 0, 2)},
     .commands = {ACT(0, 0, 0), RD(11, 0, 0), ACT(16, 0, 1), RD(27, 0, 1), WR(36, 0, 0),
                  PRE(60, 0, 0), ACT(71, 0, 0), WR(82, 0, 0), PRE(106, 0, 0), ACT(117, 0, 0),
                  RD(128, 0, 0)},
     .until = 200},

    /* ------------------------------------------------------------ a read that has starved */

    /* A closed bank: the ACT of clock 31 is the last that is given before it. Its RD could go in
     * 42, and goes tCCD after the starved read's. */
    {"a_closed_bank_just_before_a_read_starves", .changes = {STARVES},
     .asks = {A_CONFLICT, READ(31, 0, 2, 0, 0)},
     .commands = {UNTIL_ITS_PRE, ACT(31, 0, 2), ACT(39, 0, 0), RD(50, 0, 0), RD(54, 0, 2)},
     .until = 200},
    {"a_closed_bank_after_a_read_starved", .changes = {STARVES},
     .asks = {A_CONFLICT, READ(32, 0, 2, 0, 0)},
     .commands = {UNTIL_ITS_PRE, ACT(39, 0, 0), RD(50, 0, 0), ACT(51, 0, 2), RD(62, 0, 2)},
     .until = 200},
    /* A row that is open. */
    {"an_open_row_just_before_a_read_starves", .changes = {STARVES},
     .asks = {A_CONFLICT, READ(31, 0, 1, 0, 1)},
     .commands = {UNTIL_ITS_PRE, RD(31, 0, 1), ACT(39, 0, 0), RD(50, 0, 0)}, .until = 200},
    {"an_open_row_after_a_read_starved", .changes = {STARVES},
     .asks = {A_CONFLICT, READ(32, 0, 1, 0, 1)},
     .commands = {UNTIL_ITS_PRE, ACT(39, 0, 0), RD(50, 0, 0), RD(54, 0, 1)}, .until = 200},
    /* It keeps the times of its own command alone: its PRE, by tRAS in 5 + 28, does not wait for
     * tCCD after the read of another bank in 31. */
    {"an_open_row_just_before_a_starved_reads_pre", .changes = {STARVES},
     .asks = {READ(0, 0, 1, 0, 0), READ(0, 0, 0, 0, 0), READ(12, 0, 0, 1, 0), READ(31, 0, 1, 0, 1)},
     .commands = {ACT(0, 0, 1), ACT(5, 0, 0), RD(11, 0, 1), RD(16, 0, 0), RD(31, 0, 1),
                  PRE(33, 0, 0), ACT(44, 0, 0), RD(55, 0, 0)},
     .until = 100},
    /* A write that goes before reads; after the starved one's data, 50 + 15 + 2 - 8 = 59. */
    {"a_write_just_before_a_read_starves", .changes = {STARVES, WRITES_FIRST},
     .asks = {A_CONFLICT, WRITE(31, 0, 1, 0, 1)},
     .commands = {UNTIL_ITS_PRE, WR(31, 0, 1), ACT(39, 0, 0), RD(50, 0, 0)}, .until = 200},
    {"a_write_after_a_read_starved", .changes = {STARVES, WRITES_FIRST},
     .asks = {A_CONFLICT, WRITE(32, 0, 1, 0, 1)},
     .commands = {UNTIL_ITS_PRE, ACT(39, 0, 0), RD(50, 0, 0), WR(59, 0, 1)}, .until = 200},
    /* Writes have their turn already when the second comes; then they go by their age. */
    {"a_write_among_writes_after_a_read_starved", .changes = {STARVES, WRITES_FIRST},
     .asks = {A_CONFLICT, WRITE(31, 0, 2, 0, 0), WRITE(32, 0, 1, 0, 1)},
     .commands = {UNTIL_ITS_PRE, ACT(31, 0, 2), ACT(39, 0, 0), RD(50, 0, 0), WR(59, 0, 2),
                  WR(63, 0, 1)},
     .until = 200},
    /* The second row, unused since 16, is to be closed in 36. The first is in 50 + 20. */
    {"an_idle_row_after_a_read_starved", .changes = {STARVES, CHANGE(close_idle, 20)},
     .asks = {A_CONFLICT},
     .commands = {UNTIL_ITS_PRE, ACT(39, 0, 0), RD(50, 0, 0), PRE(51, 0, 1), PRE(70, 0, 0)},
     .until = 200},
    /* The read of 6212 has starved in 6232, and is read in 6250; the other rank's refresh is due in
     * 6240 and comes, the read of 6233 waits. */
    {"another_rank_is_refreshed_after_a_read_starved",
     .changes = {STARVES, CHANGE(ranks, 2), CHANGE(refi, 6240)},
     .asks = {READ(6200, 0, 0, 0, 0), READ(6212, 0, 0, 1, 0), READ(6233, 0, 1, 0, 0)},
     .commands = {REF(3120, 0, 0), ACT(6200, 0, 0), RD(6211, 0, 0), PRE(6228, 0, 0),
                  ACT(6239, 0, 0), REF(6240, 1, 0), RD(6250, 0, 0), ACT(6251, 0, 1),
                  RD(6262, 0, 1)},
     .until = 6400},
    /* The same a clock later: the starved read's ACT could go in 6229 + 11 = 6240 too, and comes
     * after the refresh, which is not put off. */
    {"a_refresh_that_is_due_before_a_starved_read",
     .changes = {STARVES, CHANGE(ranks, 2), CHANGE(refi, 6240)},
     .asks = {READ(6201, 0, 0, 0, 0), READ(6213, 0, 0, 1, 0)},
     .commands = {REF(3120, 0, 0), ACT(6201, 0, 0), RD(6212, 0, 0), PRE(6229, 0, 0),
                  REF(6240, 1, 0), ACT(6241, 0, 0), RD(6252, 0, 0)},
     .until = 6400},
    /* A refresh of its own rank, due in 3120, holds the starved read up: PRE_ALL in 3100 + 28, ACT
     * 11 + 208 later. The other rank waits with it: a row that is opened in 3131 for its RD in 3358
     * + 11 + 4 + 2 - 11 = 3364, one of 3132, when the read has starved, for its ACT. */
    {"another_rank_just_before_a_read_starves",
     .changes = {STARVES, CHANGE(ranks, 2), CHANGE(refi, 6240)},
     .asks = {READ(3100, 0, 0, 0, 0), READ(3112, 0, 0, 1, 0), READ(3131, 1, 0, 0, 0)},
     .commands = {ACT(3100, 0, 0), RD(3111, 0, 0), PRE_ALL(3128, 0, 0), ACT(3131, 1, 0),
                  REF(3139, 0, 0), ACT(3347, 0, 0), RD(3358, 0, 0), RD(3364, 1, 0)},
     .until = 3400},
    {"another_rank_after_a_read_starved",
     .changes = {STARVES, CHANGE(ranks, 2), CHANGE(refi, 6240)},
     .asks = {READ(3100, 0, 0, 0, 0), READ(3112, 0, 0, 1, 0), READ(3132, 1, 0, 0, 0)},
     .commands = {ACT(3100, 0, 0), RD(3111, 0, 0), PRE_ALL(3128, 0, 0), REF(3139, 0, 0),
                  ACT(3347, 0, 0), RD(3358, 0, 0), ACT(3359, 1, 0), RD(3370, 1, 0)},
     .until = 3400},

    /* ------------------------------------------------------------ a row without use */

    /* The first bank's row, unused since 11, is not closed in 31, since a write waits for it while
     * the second bank's conflict has the turn: PRE in 12 + 28, RD in 62, WR in 62 + 15 + 2 - 8. */
    {"an_idle_row_that_a_write_waits_for", .changes = {CHANGE(close_idle, 20)},
     .asks = {READ(0, 0, 0, 0, 0), READ(12, 0, 1, 0, 0), READ(24, 0, 1, 1, 0),
              WRITE(25, 0, 0, 0, 1)},
     .commands = {ACT(0, 0, 0), RD(11, 0, 0), ACT(12, 0, 1), RD(23, 0, 1), PRE(40, 0, 1),
                  ACT(51, 0, 1), RD(62, 0, 1), WR(71, 0, 0)},
     .until = 80},
    /* Nor where the write waits for another row of the bank: its own PRE comes when writes have
     * their turn. */
    {"an_idle_row_whose_bank_a_write_waits_for", .changes = {CHANGE(close_idle, 20)},
     .asks = {READ(0, 0, 0, 0, 0), READ(12, 0, 1, 0, 0), READ(24, 0, 1, 1, 0),
              WRITE(25, 0, 0, 1, 0)},
     .commands = {ACT(0, 0, 0), RD(11, 0, 0), ACT(12, 0, 1), RD(23, 0, 1), PRE(40, 0, 1),
                  ACT(51, 0, 1), RD(62, 0, 1), PRE(63, 0, 0), ACT(74, 0, 0)},
     .until = 80},
    /* The same of a read while writes have the turn: WR in 23, PRE 24 later, the second WR in 69,
     * RD in 69 + 8 + 4 + 6. */
    {"an_idle_row_that_a_read_waits_for", .changes = {WRITES_FIRST, CHANGE(close_idle, 20)},
     .asks = {READ(0, 0, 0, 0, 0), WRITE(12, 0, 1, 0, 0), WRITE(24, 0, 1, 1, 0),
              READ(25, 0, 0, 0, 1)},
     .commands = {ACT(0, 0, 0), RD(11, 0, 0), ACT(12, 0, 1), WR(23, 0, 1), PRE(47, 0, 1),
                  ACT(58, 0, 1), WR(69, 0, 1), RD(87, 0, 0)},
     .until = 90},
    /* Of whichever rank: the second's row is opened in 1 and read in 28 - 11, when the first's data
     * has left the bus. */
    {"idle_rows_of_two_ranks", .changes = {CHANGE(ranks, 2), CHANGE(close_idle, 100)},
     .asks = {READ(0, 0, 0, 0, 0), READ(0, 1, 0, 0, 0)},
     .commands = {ACT(0, 0, 0), ACT(1, 1, 0), RD(11, 0, 0), RD(17, 1, 0), PRE(111, 0, 0),
                  PRE(117, 1, 0)},
     .until = 200},
    /* Unused since 11, to be closed in 111; but a command for a request goes first, and it in the
     * clock after: another bank's ACT, and the PRE of one whose row is in the way. */
    {"an_idle_row_and_a_closed_bank", .changes = {CHANGE(close_idle, 100)},
     .asks = {READ(0, 0, 0, 0, 0), READ(111, 0, 1, 0, 0)},
     .commands = {ACT(0, 0, 0), RD(11, 0, 0), ACT(111, 0, 1), PRE(112, 0, 0), RD(122, 0, 1)},
     .until = 200},
    {"an_idle_row_and_another_row", .changes = {CHANGE(close_idle, 100)},
     .asks = {READ(0, 0, 0, 0, 0), READ(60, 0, 1, 0, 0), READ(111, 0, 1, 1, 0)},
     .commands = {ACT(0, 0, 0), RD(11, 0, 0), ACT(60, 0, 1), RD(71, 0, 1), PRE(111, 0, 1),
                  PRE(112, 0, 0), ACT(122, 0, 1), RD(133, 0, 1)},
     .until = 200},
    /* A read is use and so is a write: closed 100 clocks after the last. */
    {"a_row_that_is_read", .changes = {CHANGE(close_idle, 100)},
     .asks = {READ(0, 0, 0, 0, 0), READ(60, 0, 0, 0, 1)},
     .commands = {ACT(0, 0, 0), RD(11, 0, 0), RD(60, 0, 0), PRE(160, 0, 0)}, .until = 200},
    {"a_row_that_is_written", .changes = {CHANGE(close_idle, 100)},
     .asks = {WRITE(0, 0, 0, 0, 0), WRITE(60, 0, 0, 0, 1)},
     .commands = {ACT(0, 0, 0), WR(11, 0, 0), WR(60, 0, 0), PRE(160, 0, 0)}, .until = 200},
};

int main(void) {
    enum { CASES = sizeof cases / sizeof cases[0] };
    struct CMUnitTest tests[CASES];
    for (size_t i = 0; i < CASES; i++) {
        tests[i] = (struct CMUnitTest){cases[i].name, dram_run_case, NULL, NULL, (void *)&cases[i]};
    }
    return cmocka_run_group_tests_name("dram_waiting", tests, NULL, NULL);
}
