/* What the banks of memory have done, in text and in JSON (docs/json.md): of counts that all
 * differ each stands where its name is. Of 2 channels of 2 banks bank 2, the first of channel 1,
 * has 16 of 40 reads. */
#include "app/reports/memory_report.h"

#include "tests/unit/app/reports/report.h"

static lw_banks banks;
static printed out;

static int begin(void **state) {
    (void)state;
    banks = (lw_banks){
        .channels = 2,
        .banks = 2,
        .bank = {{1, 1, 2, 10, 7}, {3, 2, 3, 20, 11}, {10, 3, 3, 30, 13}, {6, 2, 4, 40, 17}}};
    return 0;
}

/* A DRAM behind a cache of page-table lines. */
static void make_dram(void) {
    banks.ranks = 1;
    banks.dram = (lw_dram_counts){
        .users = {[LW_MEMORY_WALKS] = {30, 3, 1230}, [LW_MEMORY_DATA] = {10, 7, 555}},
        .refreshes = 5,
        .forwarded = 6,
        .bus_cycles = 250,
        .cycles = 1000};
    banks.has_pte_cache = true;
    banks.pte_hits = 3;
    banks.pte_misses = 1;
}

static const char *text(void) {
    printed_begin(&out);
    lw_memory_print(&banks);
    printed_end(&out);
    return out.text;
}

/* A DRAM's banks count what is written too, which waits by design. */
#define BANKS(who, what, of)                                                                       \
    "  memory banks         4: row open 50.0%, closed 20.0%, another open 30.0%; a " who           \
    " waits 2.5 cycles for its " what "; bank 2 has 40.0% of " of "\n"

static void test_text(void **state) {
    (void)state;
    assert_string_equal(text(), BANKS("read", "bank", "the reads"));
    make_dram();
    assert_string_equal(text(),
                        "  DRAM                 data buses used 12.5%, 5 refreshes; page "
                        "walks 30 reads of 41.0 cycles; data 10 reads of 55.5 cycles, 7 "
                        "writes\n"
                        "  page-table lines     hit rate 0.750 in front of the DRAM\n" BANKS(
                            "read or write", "first command", "them"));
}

/* A user that has read nothing has no mean, and a memory without banks, or that nobody asked, no
 * line. */
static void test_text_of_nothing(void **state) {
    (void)state;
    make_dram();
    banks.dram.users[LW_MEMORY_DATA] = (lw_memory_use){.writes = 7};
    assert_non_null(strstr(text(), "; data 0 reads of 0.0 cycles, 7 writes\n"));
    banks = (lw_banks){.channels = 1, .banks = 1};
    assert_string_equal(text(), "");
    banks.bank[0].row_misses = 1;
    assert_non_null(strstr(text(), " 1: row open 0.0%, closed 100.0%, another open 0.0%;"));
    banks = (lw_banks){.channels = 0};
    assert_string_equal(text(), "");
}

/* Whichever bank it is: each has 60 reads more in its turn. */
static void test_the_busiest_bank(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        char want[64];
        const uint64_t before = banks.bank[i].row_hits;
        const uint64_t reads = 60 + before + banks.bank[i].row_misses + banks.bank[i].row_conflicts;
        banks.bank[i].row_hits += 60;
        (void)snprintf(want, sizeof want, "; bank %u has %u.0%% of the reads\n", i,
                       (unsigned)reads);
        assert_non_null(strstr(text(), want)); /* of 100 in all */
        banks.bank[i].row_hits = before;
    }
}

/* Of a long run too: 2 channels, each used in a quarter of 10^11 cycles. */
static void test_a_long_run(void **state) {
    (void)state;
    make_dram();
    banks.dram.cycles = UINT64_C(100000000000);
    banks.dram.bus_cycles = 2 * banks.dram.cycles / 4;
    assert_non_null(strstr(text(), "data buses used 25.0%"));
}

static json_t *bank(int channel, int number, const lw_bank_counts *c) {
    const uint64_t reads = c->row_hits + c->row_misses + c->row_conflicts;
    return json_pack("{s:i, s:i, s:I, s:I, s:I, s:I, s:I, s:I}", "channel", channel, "bank", number,
                     "reads", (json_int_t)reads, "row_hits", (json_int_t)c->row_hits, "row_misses",
                     (json_int_t)c->row_misses, "row_conflicts", (json_int_t)c->row_conflicts,
                     "wait_cycles", (json_int_t)c->waited, "work_cycles", (json_int_t)c->worked);
}

static json_t *expected(json_t *dram, json_t *pte_cache) {
    return json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:[o, o, o, o], s:o, s:o}", "reads", 40,
                     "row_hits", 20, "row_misses", 8, "row_conflicts", 12, "wait_cycles", 100,
                     "work_cycles", 48, "banks", bank(0, 0, &banks.bank[0]),
                     bank(0, 1, &banks.bank[1]), bank(1, 0, &banks.bank[2]),
                     bank(1, 1, &banks.bank[3]), "dram", dram, "pte_cache", pte_cache);
}

static void test_json(void **state) {
    (void)state;
    assert_json(lw_memory_json(&banks), expected(json_null(), json_null()));
    make_dram();
    assert_json(lw_memory_json(&banks),
                expected(json_pack("{s:{s:i, s:f, s:i}, s:{s:i, s:f, s:i}, s:i, s:i, s:f}", "walks",
                                   "reads", 30, "read_cycles_mean", 41.0, "writes", 3, "data",
                                   "reads", 10, "read_cycles_mean", 55.5, "writes", 7, "forwarded",
                                   6, "refreshes", 5, "bus_percent", 12.5),
                         json_pack("{s:i, s:i}", "hits", 3, "misses", 1)));
    banks = (lw_banks){.channels = 0};
    assert_json(lw_memory_json(&banks), json_null());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_text, begin),
        cmocka_unit_test_setup(test_text_of_nothing, begin),
        cmocka_unit_test_setup(test_the_busiest_bank, begin),
        cmocka_unit_test_setup(test_a_long_run, begin),
        cmocka_unit_test_setup(test_json, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
