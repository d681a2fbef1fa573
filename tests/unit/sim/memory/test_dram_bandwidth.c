/* As many lines as a DRAM's times allow, and no more; and the bandwidths that docs/machine.md says.
 */
#include "tests/unit/sim/memory/dram_run.h"

#include "common/rng.h"

/* So many reads as fast as they are taken; clocks until the last is there. */
static uint64_t clocks_of(const lw_dram_timing *t, uint64_t (*line)(lw_rng *rng, uint64_t i),
                          uint32_t reads) {
    lw_error err = {0};
    lw_dram *dram = lw_dram_new(t, t->clock_mhz, &err);
    assert_non_null(dram);
    lw_memory *m = lw_dram_memory(dram);
    lw_rng rng;
    lw_rng_seed(&rng, 7);
    lw_memory_request request = {line(&rng, 0), LW_MEMORY_WALKS, false, 0};
    uint32_t asked = 0;
    uint32_t ends = 0;
    uint64_t now = 0;
    while (ends < reads) {
        uint32_t id = 0;
        while (m->finished(m->state, now, LW_MEMORY_WALKS, &id)) {
            ends++;
        }
        while (asked < reads && m->ready(m->state, now, &request)) {
            m->ask(m->state, now, &request);
            request.line = line(&rng, ++asked);
        }
        now = ends < reads ? m->next_event(m->state, now) : now;
    }
    m->destroy(m->state);
    return now;
}

static uint64_t one_after_another(lw_rng *rng, uint64_t i) {
    (void)rng;
    return i;
}

static uint64_t anywhere(lw_rng *rng, uint64_t i) {
    (void)i;
    return lw_rng_below(rng, UINT64_C(1) << 30);
}

/* Another row of the first bank each time: 8 banks of 128 lines are a row of all. */
static uint64_t rows_of_one_bank(lw_rng *rng, uint64_t i) {
    (void)rng;
    return i * 8 * 128;
}

static void within(uint64_t clocks, uint64_t least, uint64_t percent_more) {
    if (clocks < least || clocks * 100 > least * (100 + percent_more)) {
        fail_msg("%llu clocks; the times allow %llu, and %llu %% more are expected",
                 (unsigned long long)clocks, (unsigned long long)least,
                 (unsigned long long)percent_more);
    }
}

static void as_many_lines_as_the_times_allow(void **state) {
    (void)state;
    const uint64_t reads = 20000;
    lw_dram_timing t = dram_plain();
    /* The bus is never idle: 4 clocks a line, 64 bytes in 5 ns = 12.8 GB/s; 1 % for the start. */
    within(clocks_of(&t, one_after_another, reads), reads * 4, 1);
    /* One row a read: tRC = 39, and the first read's 26 at the end. */
    within(clocks_of(&t, rows_of_one_bank, 1000), 1000 * 39 - 39 + 26, 0);
    /* Rows at random in 8 banks: four activations in tFAW = 24 clocks, 6 a line, which 8 banks of
     * 39 clocks (4.9 a line) could do if the queue's 32 always spread over all. */
    within(clocks_of(&t, anywhere, reads), reads * 6, 12);
    /* Two ranks of 16 banks are not bound by tFAW (3 a line) but by the bus, with tRTRS whenever
     * the rank changes: between 4 and 6. */
    t.ranks = 2;
    t.banks = 16;
    within(clocks_of(&t, anywhere, reads), reads * 4, 50);
    /* 13 refreshes within 83000 clocks, each tRP + tRFC + tRCD = 230 clocks without a read. */
    t = dram_plain();
    t.refi = 6240;
    within(clocks_of(&t, one_after_another, reads), reads * 4 + UINT64_C(13) * 230, 1);
}

/* Of GDDR6's 16 channels and 4 groups, whose bits are above the channel's, the lines of the first
 * group alone. */
static uint64_t lines_of_one_group(lw_rng *rng, uint64_t i) {
    (void)rng;
    return i / 16 * 64 + i % 16;
}

/* GDDR6 in all its channels. Neighbouring lines of a channel lie in different bank groups, so the
 * bus is never idle: by tCCD_S 4 clocks a line; rows are opened in time, as the queue sees 32 lines
 * ahead. Those of one group are 6 apart, by tCCD_L. */
static void lines_of_bank_groups(void **state) {
    (void)state;
    const uint32_t reads = 400000;
    const uint64_t each = reads / 16; /* channel */
    lw_dram_timing t = dram_timing("gddr6");
    t.refi = 0;
    within(clocks_of(&t, one_after_another, reads), each * 4, 1);
    within(clocks_of(&t, lines_of_one_group, reads), each * 6, 1);
    /* 32 refreshes within 108400 clocks, each tRP + tRFC + tRCD = 262 clocks without a read. */
    t = dram_timing("gddr6");
    within(clocks_of(&t, one_after_another, reads), each * 4 + UINT64_C(32) * 262, 1);
}

/* The table of docs/machine.md has of each memory what its buses move at most, and a stream of
 * reads. */
static void what_the_document_says(void **state) {
    (void)state;
    static const char *const names[] = {"ddr3_1600", "mesc_1ghz", "gddr6"};
    const uint32_t reads = 1000000;
    const char *text = dram_document();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const lw_dram_timing t = dram_timing(names[i]);
        const double buses = t.channels * (t.bus_bits / 8.0) * 2 * t.clock_mhz / 1000;
        const double seconds = (double)clocks_of(&t, one_after_another, reads) / t.clock_mhz / 1e6;
        char row[64], figures[64];
        (void)snprintf(row, sizeof row, "\n| `%s` |", names[i]);
        (void)snprintf(figures, sizeof figures, " | %.1f | %.1f |\n", buses,
                       64.0 * reads / seconds / 1e9);
        const char *line = strstr(text, row);
        assert_non_null(line);
        const char *found = strstr(line, figures);
        if (found == NULL || found > strchr(line + 1, '\n')) {
            fail_msg("%s: the document does not say \"%.*s\"", names[i], (int)strlen(figures) - 1,
                     figures);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_many_lines_as_the_times_allow),
        cmocka_unit_test(lines_of_bank_groups),
        cmocka_unit_test(what_the_document_says),
    };
    return cmocka_run_group_tests_name("dram_bandwidth", tests, NULL, NULL);
}
