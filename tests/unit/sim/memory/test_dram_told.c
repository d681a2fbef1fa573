/* What a DRAM tells: each command with its row and column, and of each bank, channel and user what
 * they have done. The clocks are alike, and the times those that dram_plain names. */
#include "tests/unit/sim/memory/dram_run.h"

/* A row that is opened, read, closed for another, written and closed by a refresh: ACT, RD and WR
 * name the row that is open then, PRE that which it closes; only RD and WR move a column, and
 * PRE_ALL and REF are of a whole rank. */
static void what_a_trace_shows(void **state) {
    (void)state;
    static const lw_dram_command want[] = {
        {10, 0, 0, 0, LW_DRAM_ACT, 5, 0},  {21, 0, 0, 0, LW_DRAM_RD, 5, 9},
        {38, 0, 0, 0, LW_DRAM_PRE, 5, 0},  {49, 0, 0, 0, LW_DRAM_ACT, 7, 0},
        {60, 0, 0, 0, LW_DRAM_WR, 7, 11},  {500, 0, 0, 0, LW_DRAM_PRE_ALL, 0, 0},
        {511, 0, 0, 0, LW_DRAM_REF, 0, 0},
    };
    lw_dram_timing t = dram_plain();
    dram_run r;
    t.refi = 500;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 10, dram_line(&r, 0, 0, 5, 9), 1);
    dram_write(&r, 12, dram_line(&r, 0, 0, 7, 11));
    dram_go(&r, 600);
    assert_int_equal(r.count, sizeof want / sizeof want[0]);
    for (size_t i = 0; i < r.count; i++) {
        const lw_dram_command *c = &r.commands[i];
        assert_true(c->clock == want[i].clock && c->channel == want[i].channel &&
                    c->rank == want[i].rank && c->bank == want[i].bank && c->kind == want[i].kind);
        assert_true(c->row == want[i].row && c->column == want[i].column);
    }
    dram_close(&r);
}

/* Two channels of two ranks of two banks, a line in each place, first the channel's bit: each bank
 * has its own number, and counts the reads of so many rows as its number. */
static void each_bank_counts_its_own(void **state) {
    (void)state;
    enum { CHANNELS = 2, RANKS = 2, BANKS = 2, ALL = CHANNELS * RANKS * BANKS };
    lw_dram_timing t = dram_plain();
    dram_run r;
    uint64_t now = 0;
    t.channels = CHANNELS;
    t.ranks = RANKS;
    t.banks = BANKS;
    dram_open(&r, &t, t.clock_mhz);
    for (uint32_t number = 0; number < ALL; number++) {
        const uint32_t channel = number / (RANKS * BANKS);
        const uint32_t rank = number / BANKS % RANKS;
        for (uint32_t row = 0; row <= number; row++) {
            dram_read(&r, now, dram_line(&r, rank, number % BANKS, row, 0) * CHANNELS + channel, 1);
            now += 200;
            dram_go(&r, now);
            r.finished[1] = 0;
        }
    }
    lw_banks *banks = calloc(1, sizeof *banks);
    assert_non_null(banks);
    lw_dram_banks(r.dram, banks);
    assert_true(banks->channels == CHANNELS && banks->ranks == RANKS &&
                banks->banks == RANKS * BANKS);
    for (uint32_t number = 0; number < ALL; number++) {
        const lw_bank_counts *b = &banks->bank[number];
        assert_int_equal(b->row_misses, 1);
        assert_int_equal(b->row_conflicts, number);
        assert_int_equal(b->row_hits, 0);
    }
    /* 1 + 2 + .. + 8 reads, of 4 clocks of the bus each; a closed row takes 26, another's 37 */
    const lw_memory_use *use = &banks->dram.users[LW_MEMORY_DATA];
    assert_true(use->reads == 36 && use->read_cycles == 8 * 26 + 28 * 37 && use->writes == 0);
    assert_int_equal(banks->dram.bus_cycles, 36 * 4);
    assert_int_equal(banks->dram.cycles, 36 * 200);
    assert_int_equal(banks->dram.refreshes, 0);
    free(banks);
    dram_close(&r);
}

/* Of each user its own reads and writes; the refreshes of all ranks of all channels. */
static void users_and_refreshes(void **state) {
    (void)state;
    lw_dram_timing t = dram_plain();
    dram_run r;
    t.channels = 2;
    t.ranks = 2;
    t.refi = 1000;
    dram_open(&r, &t, t.clock_mhz);
    lw_memory *m = r.memory;
    for (uint32_t i = 0; i < 9; i++) {
        const bool write = i % 3 == 2;
        const lw_memory_request request = {i, i < 3 ? LW_MEMORY_WALKS : LW_MEMORY_DATA, write, i};
        assert_true(m->ready(m->state, 0, &request));
        m->ask(m->state, 0, &request);
    }
    dram_go(&r, 10100);
    lw_banks *banks = calloc(1, sizeof *banks);
    assert_non_null(banks);
    lw_dram_banks(r.dram, banks);
    lw_dram_banks(r.dram, banks); /* asked again it tells the same */
    assert_int_equal(banks->dram.users[LW_MEMORY_WALKS].reads, 2);
    assert_int_equal(banks->dram.users[LW_MEMORY_WALKS].writes, 1);
    assert_int_equal(banks->dram.users[LW_MEMORY_DATA].reads, 4);
    assert_int_equal(banks->dram.users[LW_MEMORY_DATA].writes, 2);
    assert_int_equal(banks->dram.refreshes, 2 * 2 * 10);
    free(banks);
    dram_close(&r);
}

/* What is told is in cycles of the unit, here 2.5 a clock. Cycle 1001 is in clock 401 (400.4). */
static void cycles_of_the_unit(void **state) {
    (void)state;
    const lw_dram_timing t = dram_plain();
    dram_run r;
    dram_open(&r, &t, 2000);
    dram_read(&r, 1001, dram_line(&r, 0, 1, 0, 0), 1);
    dram_read(&r, 1001, dram_line(&r, 0, 1, 0, 1), 2);
    dram_go(&r, 2000);
    lw_banks *banks = calloc(1, sizeof *banks);
    assert_non_null(banks);
    lw_dram_banks(r.dram, banks);
    /* ACT, RD, RD in clocks 401, 412 and 416: waits of 0 and 15 clocks, work of 11 + 4 + 4 */
    assert_in_range(banks->bank[1].waited, 37, 38);
    assert_in_range(banks->bank[1].worked, 47, 48);
    assert_int_equal(banks->dram.bus_cycles, 20);
    assert_int_equal(banks->dram.cycles, 2000);
    /* until clocks 427 and 431, which are in cycles 1068 (1067.5) and 1078 (1077.5) */
    assert_int_equal(banks->dram.users[LW_MEMORY_DATA].read_cycles, 67 + 77);
    free(banks);
    dram_close(&r);
}

/* 10 clocks in 7 cycles. What begins just before a cycle or a clock is of that one all the same:
 * cycle 2 is in clock 3 (2.86), and the reads are there in clocks 29 and 33, cycles 21 (20.3) and
 * 24 (23.1); cycle 75 is in clock 108 (107.14), and the row is open. */
static void clocks_that_begin_just_before(void **state) {
    (void)state;
    lw_dram_timing t = dram_plain();
    dram_run r;
    t.clock_mhz = 10;
    dram_open(&r, &t, 7);
    dram_read(&r, 2, dram_line(&r, 0, 1, 0, 0), 1);
    dram_read(&r, 2, dram_line(&r, 0, 1, 0, 1), 2);
    dram_read(&r, 75, dram_line(&r, 0, 1, 0, 2), 3);
    DRAM_COMMANDS_ARE(&r, 100, {3, LW_DRAM_ACT, 0, 1}, {14, LW_DRAM_RD, 0, 1},
                      {18, LW_DRAM_RD, 0, 1}, {108, LW_DRAM_RD, 0, 1});
    assert_true(r.finished[1] == 21 && r.finished[2] == 24);
    assert_int_equal(r.finished[3], 87); /* clock 123, 86.1 */
    lw_banks *banks = calloc(1, sizeof *banks);
    assert_non_null(banks);
    lw_dram_banks(r.dram, banks);
    assert_int_equal(banks->dram.users[LW_MEMORY_DATA].read_cycles, 19 + 22 + 12);
    free(banks);
    dram_close(&r);
}

/* Each channel answers reads of lines that it is to write: so many as there are, of two channels, 1
 * and 3. No bank and no bus has them, only the two writes. */
static void reads_that_no_bank_has_seen(void **state) {
    (void)state;
    lw_dram_timing t = dram_plain();
    dram_run r;
    t.channels = 2;
    dram_open(&r, &t, t.clock_mhz);
    dram_write(&r, 0, 0);
    dram_write(&r, 0, 1);
    for (uint32_t i = 0; i < 4; i++) {
        dram_read(&r, 1, i != 0, i);
    }
    dram_go(&r, 100);
    lw_banks *banks = calloc(1, sizeof *banks);
    assert_non_null(banks);
    lw_dram_banks(r.dram, banks);
    assert_int_equal(banks->dram.forwarded, 4);
    assert_int_equal(banks->dram.users[LW_MEMORY_DATA].reads, 4);
    for (size_t channel = 0; channel < 2; channel++) { /* of one bank each the write alone */
        const lw_bank_counts *b = &banks->bank[channel * banks->banks];
        assert_true(b->row_hits == 0 && b->row_misses == 1 && b->row_conflicts == 0);
        assert_int_equal(b->worked, 11 + 4);
    }
    assert_int_equal(banks->dram.bus_cycles, 2 * 4);
    free(banks);
    dram_close(&r);
}

/* A line takes the bus for as long as its burst is, 4 clocks, however far apart lines must be. */
static void the_bus_rests_between_lines(void **state) {
    (void)state;
    lw_dram_timing t = dram_plain();
    dram_run r;
    t.ccd_l = 50;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 0, dram_line(&r, 0, 0, 0, 0), 1);
    dram_read(&r, 0, dram_line(&r, 0, 0, 0, 1), 2);
    dram_go(&r, 100);
    assert_int_equal(r.finished[2], 26 + 50);
    lw_banks *banks = calloc(1, sizeof *banks);
    assert_non_null(banks);
    lw_dram_banks(r.dram, banks);
    assert_int_equal(banks->dram.bus_cycles, 8);
    assert_int_equal(banks->bank[0].worked, 11 + 4 + 4); /* ACT, RD, RD */
    free(banks);
    dram_close(&r);
}

/* Who takes reads late gets that first which has finished first, whatever its channel: of channel 1
 * in 26 and 31, of channel 0 in 30. */
static void reads_that_are_taken_late(void **state) {
    (void)state;
    static const uint32_t want[] = {1, 2, 3};
    lw_dram_timing t = dram_plain();
    dram_run r;
    t.channels = 2;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 0, dram_line(&r, 0, 0, 0, 0) * 2 + 1, want[0]);
    dram_read(&r, 0, dram_line(&r, 0, 1, 0, 0) * 2 + 1, want[2]);
    dram_read(&r, 4, dram_line(&r, 0, 0, 0, 0) * 2, want[1]);
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t id = 0;
        assert_true(r.memory->finished(r.memory->state, 500, LW_MEMORY_DATA, &id));
        assert_int_equal(id, want[i]);
    }
    dram_close(&r);
}

/* A read takes as long as memory does, however late its answer is taken: until clock 26 here. */
static void a_read_that_is_taken_late(void **state) {
    (void)state;
    const lw_dram_timing t = dram_plain();
    dram_run r;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 0, dram_line(&r, 0, 1, 0, 0), 1);
    r.now = 500; /* over the cycles in which it could be taken */
    dram_take(&r, LW_MEMORY_DATA);
    assert_int_equal(r.finished[1], 500);
    lw_banks *banks = calloc(1, sizeof *banks);
    assert_non_null(banks);
    lw_dram_banks(r.dram, banks);
    assert_int_equal(banks->dram.users[LW_MEMORY_DATA].reads, 1);
    assert_int_equal(banks->dram.users[LW_MEMORY_DATA].read_cycles, 26);
    free(banks);
    dram_close(&r);
}

/* A row that is closed because nobody has used it is nobody's work: of the read of clock 105, which
 * waits for its own row when that happens in 111, none was in the way. */
static void an_idle_row_counts_for_nobody(void **state) {
    (void)state;
    lw_dram_timing t = dram_plain();
    dram_run r;
    t.close_idle = 100;
    dram_open(&r, &t, t.clock_mhz);
    dram_read(&r, 0, dram_line(&r, 0, 0, 0, 0), 1);
    dram_read(&r, 105, dram_line(&r, 0, 1, 0, 0), 2);
    DRAM_COMMANDS_ARE(&r, 200, {0, LW_DRAM_ACT, 0, 0}, {11, LW_DRAM_RD, 0, 0},
                      {105, LW_DRAM_ACT, 0, 1}, {111, LW_DRAM_PRE, 0, 0}, {116, LW_DRAM_RD, 0, 1});
    lw_banks *banks = calloc(1, sizeof *banks);
    assert_non_null(banks);
    lw_dram_banks(r.dram, banks);
    const lw_bank_counts want = {0, 1, 0, 0, 11 + 4};
    assert_memory_equal(&banks->bank[0], &want, sizeof want);
    assert_memory_equal(&banks->bank[1], &want, sizeof want);
    free(banks);
    dram_close(&r);
}

/* While a read that has finished is not taken, each next cycle is one in which it may be. */
static void a_read_that_is_not_taken(void **state) {
    (void)state;
    const lw_dram_timing t = dram_plain();
    dram_run r;
    uint32_t id = 0;
    dram_open(&r, &t, t.clock_mhz);
    lw_memory *m = r.memory;
    dram_read(&r, 0, 0, 4);
    assert_false(m->finished(m->state, 25, LW_MEMORY_DATA, &id));
    assert_int_equal(m->next_event(m->state, 25), 26);
    assert_int_equal(m->next_event(m->state, 26), 27);
    assert_int_equal(m->next_event(m->state, 40), 41);
    assert_false(m->finished(m->state, 40, LW_MEMORY_WALKS, &id));
    assert_true(m->finished(m->state, 40, LW_MEMORY_DATA, &id) && id == 4);
    assert_true(m->next_event(m->state, 40) == UINT64_MAX);
    dram_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_trace_shows),
        cmocka_unit_test(each_bank_counts_its_own),
        cmocka_unit_test(users_and_refreshes),
        cmocka_unit_test(cycles_of_the_unit),
        cmocka_unit_test(clocks_that_begin_just_before),
        cmocka_unit_test(reads_that_no_bank_has_seen),
        cmocka_unit_test(the_bus_rests_between_lines),
        cmocka_unit_test(reads_that_are_taken_late),
        cmocka_unit_test(a_read_that_is_taken_late),
        cmocka_unit_test(an_idle_row_counts_for_nobody),
        cmocka_unit_test(a_read_that_is_not_taken),
    };
    return cmocka_run_group_tests_name("dram_told", tests, NULL, NULL);
}
