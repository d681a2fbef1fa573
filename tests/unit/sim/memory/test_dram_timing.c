/* Timing files: those that are there, what each says, what is refused and how it is said; and where
 * a line lies by its address. */
#define _POSIX_C_SOURCE 200809L

#include "tests/unit/sim/memory/dram_run.h"

#include "common/rng.h"
#include "sim/memory/dram_map.h"

#include <unistd.h>

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* ---------------------------------------------------------------- files that are refused */

/* The whole file of the tests, with one line for each key in the order of lw_dram_timing_key_at, so
 * that key i stands in line i + 1, and the order of the address last. */
static const struct {
    const char *name, *value;
} whole[] = {
    {"clock_mhz", "800"},  {"channels", "2"},      {"ranks", "2"},
    {"banks", "16"},       {"bank_groups", "1"},   {"row_bytes", "8192"},
    {"bus_bits", "64"},    {"burst_length", "8"},  {"tRCD", "11"},
    {"tRP", "11"},         {"tCL", "11"},          {"tCWL", "8"},
    {"tRAS", "28"},        {"tRC", "39"},          {"tCCD_S", "4"},
    {"tCCD_L", "4"},       {"tRRD_S", "5"},        {"tRRD_L", "5"},
    {"tFAW", "24"},        {"tWTR_S", "6"},        {"tWTR_L", "6"},
    {"tRTP", "6"},         {"tWR", "12"},          {"tRTRS", "2"},
    {"tREFI", "6240"},     {"tRFC", "208"},        {"read_queue", "32"},
    {"write_queue", "64"}, {"write_high", "54"},   {"write_low", "38"},
    {"walk_places", "4"},  {"starvation", "2000"}, {"close_idle", "0"},
    {"channel_hash", "1"}, {"bank_hash", "0"},     {"order", "rank:group:bank:column:channel"},
};

static char path[64];

/* Loads the whole file with another value of one key; NULL leaves its line out. `more` is at the
 * end. */
static bool load(const char *key, const char *value, const char *more, lw_dram_timing *t,
                 lw_error *err) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (size_t i = 0; i < COUNT(whole); i++) {
        const bool changed = key != NULL && strcmp(key, whole[i].name) == 0;
        const char *text = changed ? value : whole[i].value;
        (void)fprintf(file, text != NULL ? "%s = %s\n" : "# no %s\n", whole[i].name, text);
    }
    (void)fputs(more, file);
    assert_int_equal(fclose(file), 0);
    err->text[0] = '\0';
    return lw_dram_timing_load(t, path, err);
}

static void expect(const lw_error *err, const char *sentence) {
    if (strstr(err->text, sentence) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", err->text, sentence);
    }
}

static void the_whole_file(void **state) {
    (void)state;
    lw_error err = {0};
    lw_dram_timing t;
    if (!load(NULL, NULL, "", &t, &err)) {
        fail_msg("%s", err.text);
    }
    lw_dram_timing named = dram_timing("ddr3_1600");
    assert_memory_equal(&t, &named, sizeof t);
    for (size_t i = 0; i + 1 < COUNT(whole); i++) {
        assert_string_equal(lw_dram_timing_key_at(i)->name, whole[i].name);
    }
    assert_null(lw_dram_timing_key_at(COUNT(whole) - 1));
    assert_true(t.order[0] == LW_DRAM_CHANNEL && t.order[4] == LW_DRAM_RANK);
}

/* Data sheets give most times in ns, and some so many clocks at least; a file has them in whole
 * clocks, rounded up. These are those of 4 Gb x8 at DDR3-1600 in clocks of 1.25 ns, and at
 * DDR3-2133 in clocks of 1 ns, as the files say. */
static void what_data_sheets_say(void **state) {
    (void)state;
#define NS(field, of_1600, of_2133, clocks)                                                        \
    { #field, offsetof(lw_dram_timing, field), {of_1600, of_2133 }, clocks }
    static const struct {
        const char *name;
        size_t at;
        double ns[2];
        uint32_t least; /* clocks */
    } times[] = {
        NS(rcd, 13.75, 13.09, 1), NS(rp, 13.75, 13.09, 1), NS(cl, 13.75, 13.09, 1),
        NS(ras, 35, 33, 1),       NS(rc, 48.75, 47, 1),    NS(rrd_s, 6, 5, 4),
        NS(rrd_l, 6, 5, 4),       NS(faw, 30, 25, 1),      NS(wtr_s, 7.5, 7.5, 4),
        NS(wtr_l, 7.5, 7.5, 4),   NS(rtp, 7.5, 7.5, 4),    NS(wr, 15, 15, 1),
        NS(ccd_s, 0, 0, 4),       NS(ccd_l, 0, 0, 4),      NS(refi, 7800, 7800, 1),
        NS(rfc, 260, 260, 1),
    };
    for (size_t i = 0; i < 2 * COUNT(times); i++) {
        const lw_dram_timing t = dram_timing(i % 2 == 0 ? "ddr3_1600" : "mesc_1ghz");
        const double clocks = times[i / 2].ns[i % 2] * t.clock_mhz / 1000;
        uint32_t want = times[i / 2].least;
        uint32_t found = 0;
        while (want < clocks) {
            want++;
        }
        memcpy(&found, (const char *)&t + times[i / 2].at, sizeof found);
        if (found != want) {
            fail_msg("%s: %u clocks and not %u", times[i / 2].name, found, want);
        }
    }
}

static void every_key_is_needed(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(whole); i++) {
        lw_error err;
        lw_dram_timing t;
        char sentence[256];
        const lw_dram_key *key = lw_dram_timing_key_at(i);
        assert_false(load(whole[i].name, NULL, "", &t, &err));
        (void)snprintf(sentence, sizeof sentence, "%s: %s is not set (%s", path, whole[i].name,
                       key != NULL ? key->summary : "the parts of an address below the row");
        expect(&err, sentence);
    }
}

static void values_out_of_range(void **state) {
    (void)state;
    static const struct {
        const char *key, *value, *sentence;
    } rows[] = {
        {"clock_mhz", "0", ":1: clock_mhz is \"0\"; allowed: a whole number in 1..10000 (MHz of"},
        {"clock_mhz", "1.5", ":1: clock_mhz is \"1.5\""},
        {"channels", "3", ":2: channels is \"3\"; allowed: a power of two in 1..64 (channels,"},
        {"ranks", "16",
         ":3: ranks is \"16\"; allowed: a power of two in 1..8 (ranks of a channel)"},
        {"banks", "12", ":4: banks is \"12\"; allowed: a power of two in 1..64 (banks of a rank)"},
        {"banks", "64", ":4: banks is 64; allowed: at most 32 (64 / ranks)"},
        {"row_bytes", "32", ":6: row_bytes is \"32\"; allowed: a power of two in 64..65536"},
        {"row_bytes", "10000", ":6: row_bytes is \"10000\"; allowed: a power of two"},
        {"bus_bits", "32", ":8: burst_length is 8; allowed: at least 16 (512 / bus_bits, a line"},
        {"bus_bits", "128", ":8: burst_length is 8; allowed: at most 4 (512 / bus_bits, a line"},
        {"tRAS", "10", ":13: tRAS is 10; allowed: at least 11 (tRCD)"},
        {"tRC", "38", ":14: tRC is 38; allowed: at least 39 (tRAS + tRP)"},
        {"tCWL", "12", ":12: tCWL is 12; allowed: at most 11 (tCL)"},
        {"bank_groups", "3",
         ":5: bank_groups is \"3\"; allowed: a power of two in 1..64 (groups of a rank's banks)"},
        {"bank_groups", "0", ":5: bank_groups is \"0\"; allowed: a power of two in 1..64"},
        {"bank_groups", "32", ":5: bank_groups is 32; allowed: at most 16 (banks)"},
        {"tCCD_S", "3", ":15: tCCD_S is 3; allowed: at least 4 (burst_length / 2)"},
        {"tCCD_L", "3", ":16: tCCD_L is 3; allowed: at least 4 (tCCD_S)"},
        {"tRRD_L", "4", ":18: tRRD_L is 4; allowed: at least 5 (tRRD_S)"},
        {"tFAW", "19", ":19: tFAW is 19; allowed: at least 20 (4 x tRRD_S)"},
        {"tWTR_L", "5", ":21: tWTR_L is 5; allowed: at least 6 (tWTR_S)"},
        {"tFAW", "many", ":19: tFAW is \"many\"; allowed: a whole number in 1..4000 (in which"},
        {"tRFC", "6163", ":25: tREFI is 6240; allowed: at least 6241 (tRFC + 2 x tRC, so that"},
        {"tREFI", "-1", ":25: tREFI is \"-1\"; allowed: a whole number in 0..1000000"},
        {"read_queue", "0", ":27: read_queue is \"0\"; allowed: a whole number in 1..1024"},
        {"read_queue", "4", ":31: walk_places is 4; allowed: at most 3 (read_queue - 1)"},
        {"write_queue", "53", ":29: write_high is 54; allowed: at most 53 (write_queue)"},
        {"write_low", "54", ":30: write_low is 54; allowed: at most 53 (write_high - 1)"},
        {"starvation", "0", ":32: starvation is \"0\"; allowed: a whole number in 1..1000000"},
        {"bank_hash", "2", ":35: bank_hash is \"2\"; allowed: a whole number in 0..1"},
        {"order", "rank:bank:column:channel",
         ":36: order is \"rank:bank:column:channel\"; allowed: the parts of an address below the "
         "row, "
         "highest first: channel, rank, group, bank (of its group) and column, each once, a colon"},
        {"order", "rank:group:bank:column:rank", ":36: order is \"rank:group:bank:column:rank\""},
        {"order",
         "rank:group:bank:column:channel:", ":36: order is \"rank:group:bank:column:channel:\""},
        {"order", "rank:group:bank:column:row",
         ":36: order is \"rank:group:bank:column:row\"; allowed: the"},
        {"order", "", ":36: order is \"\"; allowed: the parts of an address below the row"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_error err;
        lw_dram_timing t;
        char sentence[256];
        if (load(rows[i].key, rows[i].value, "", &t, &err)) {
            fail_msg("%s = %s is taken", rows[i].key, rows[i].value);
        }
        (void)snprintf(sentence, sizeof sentence, "%s%s", path, rows[i].sentence);
        expect(&err, sentence);
    }
}

/* What stands at the bound of a rule between two values is taken, and a time of 0 where that means
 * none. */
static void values_that_just_fit(void **state) {
    (void)state;
    static const struct {
        const char *key, *value;
    } rows[] = {
        {"tREFI", "0"},        {"tREFI", "286"},    {"tRTRS", "0"},      {"tCWL", "11"},
        {"tRAS", "11"},        {"tRC", "40"},       {"tFAW", "20"},      {"write_queue", "54"},
        {"write_high", "64"},  {"write_low", "53"}, {"write_low", "0"},  {"walk_places", "31"},
        {"walk_places", "0"},  {"read_queue", "5"}, {"starvation", "1"}, {"banks", "32"},
        {"bank_groups", "16"}, {"tCCD_L", "1000"},  {"tRRD_S", "1"},     {"tRRD_L", "1000"},
        {"tWTR_S", "1"},       {"tWTR_L", "1000"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_error err;
        lw_dram_timing t;
        if (!load(rows[i].key, rows[i].value, "", &t, &err)) {
            fail_msg("%s", err.text);
        }
    }
}

static void lines_that_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *line, *sentence;
    } rows[] = {
        {"tRFCC = 3\n", ":37: there is no key \"tRFCC\"; docs/machine.md lists those of a timing"},
        {"tRAS = 28\n", ":37: tRAS stands in line 13 already"},
        {"order = rank:group:bank:column:channel\n", ":37: order stands in line 36 already"},
        {"[shape]\ntRAS = 3\n", ":38: tRAS stands in section [shape]; allowed: [times], or above"},
        {"[times]\norder = a\n", ":38: order stands in section [times]; allowed: [controller]"},
        {"[timing]\n",
         ":37: there is no section [timing]; allowed: [shape], [times], [controller]"},
        {"what is this\n", ":37: not a line of a timing file; allowed: [section], key = value"},
        {" tRAS = 3\n", ":37: the line begins with a blank"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_error err;
        lw_dram_timing t;
        char sentence[128];
        assert_false(load(NULL, NULL, rows[i].line, &t, &err));
        (void)snprintf(sentence, sizeof sentence, "%s%s", path, rows[i].sentence);
        expect(&err, sentence);
    }
    lw_error err = {0};
    lw_dram_timing t;
    assert_false(lw_dram_timing_load(&t, "no/such.ini", &err));
    expect(&err,
           "no/such.ini: cannot be read (No such file or directory); allowed for dram: none,");
}

static int name_file(void **state) {
    (void)state;
    return snprintf(path, sizeof path, "/tmp/lockwalk_dram_%ld.ini", (long)getpid()) <= 0;
}

static int remove_file(void **state) {
    (void)state;
    (void)unlink(path);
    return 0;
}

/* ---------------------------------------------------------------- addresses */

/* order rank:group:bank:column:channel: one bit of the channel, 7 of the column, 4 of the bank, one
 * of the rank, then the row. */
static void where_a_line_lies(void **state) {
    (void)state;
    lw_dram_timing t = dram_timing("ddr3_1600");
    lw_dram_map map;
    t.channel_hash = 0;
    lw_dram_map_init(&map, &t);
    const lw_dram_place p =
        lw_dram_map_line(&map, UINT64_C(5) << 13 | 1 << 12 | 9 << 8 | 77 << 1 | 1);
    assert_true(p.row == 5 && p.bank == 16 + 9 && p.column == 77 && p.channel == 1);
    /* bits 0, 3, 6 and 9: with one more of them set it is the other channel */
    t.channel_hash = 1;
    lw_dram_map_init(&map, &t);
    static const uint64_t lines[] = {0,      1,      1 << 3, 1 << 6, 1 << 9, 1 << 3 | 1 << 6,
                                     1 << 4, 1 << 12};
    static const uint32_t channels[] = {0, 1, 1, 1, 1, 0, 0, 0};
    for (size_t i = 0; i < COUNT(lines); i++) {
        assert_int_equal(lw_dram_map_line(&map, lines[i]).channel, channels[i]);
    }
    /* nothing else than the channel moves: of bit 3 it is column 4, of bits 6 and 9 column 32 and
     * bank 2 */
    lw_dram_place moved = lw_dram_map_line(&map, 1 << 9 | 1 << 6 | 1 << 3);
    assert_true(moved.row == 0 && moved.bank == 2 && moved.column == 32 + 4 && moved.channel == 1);
    /* the row's low bits move the bank */
    t.bank_hash = 1;
    lw_dram_map_init(&map, &t);
    moved = lw_dram_map_line(&map, UINT64_C(3) << 13 | 9 << 8 | 77 << 1);
    assert_true(moved.row == 3 && moved.bank == (9 ^ 3) && moved.column == 77);
}

/* Above the channel's own bits, wherever these are: with the column below it they are 7 to 10, and
 * those folded into bit 7 are 10, 13 and 16. */
static void where_a_hashed_channel_lies(void **state) {
    (void)state;
    lw_error err;
    lw_dram_timing t;
    lw_dram_map map;
    assert_true(load("order", "rank:group:bank:channel:column", "", &t, &err));
    t.channels = 16;
    lw_dram_map_init(&map, &t);
    for (uint32_t bit = 0; bit < 20; bit++) {
        const uint32_t own = bit >= 7 && bit < 11 ? 1u << (bit - 7) : 0;
        uint32_t folded = 0;
        for (uint32_t above = 3; above <= 9; above += 3) {
            folded |= bit >= 7 + above && bit < 11 + above ? 1u << (bit - 7 - above) : 0;
        }
        assert_int_equal(lw_dram_map_line(&map, UINT64_C(1) << bit).channel, own | folded);
    }
}

/* A memory of 2^52 bytes has 2^46 lines, of which the highest is in row 2^33 - 1. */
static void the_highest_row(void **state) {
    (void)state;
    const lw_dram_timing t = dram_timing("ddr3_1600");
    lw_dram_map map;
    lw_dram_map_init(&map, &t);
    assert_true(lw_dram_map_line(&map, (UINT64_C(1) << 46) - 1).row == (UINT64_C(1) << 33) - 1);
}

/* GDDR6 with the order rank:bank:column:group:channel: 4 bits of the channel, 2 of the group, 5 of
 * the column, 2 of the bank within its group, then the row; with two ranks one more below that. A
 * bank's number has its group above, so that a group's 4 banks are in a row. */
static void where_a_group_lies(void **state) {
    (void)state;
    lw_dram_timing t = dram_timing("gddr6");
    lw_dram_map map;
    t.channel_hash = 0;
    lw_dram_map_init(&map, &t);
    const uint64_t line = 2 << 11 | 19 << 6 | 3 << 4 | 9;
    lw_dram_place p = lw_dram_map_line(&map, UINT64_C(5) << 13 | line);
    assert_true(p.row == 5 && p.bank == 3 * 4 + 2 && p.column == 19 && p.channel == 9);
    /* Neighbours of a channel go round the groups. */
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(lw_dram_map_line(&map, i * UINT64_C(16)).bank, i % 4 * 4);
    }
    /* The row's lowest 4 bits, 21 = 16 + 5, move group and bank: 1110 ^ 0101. */
    t.bank_hash = 1;
    lw_dram_map_init(&map, &t);
    assert_int_equal(lw_dram_map_line(&map, UINT64_C(21) << 13 | line).bank, 11);
    /* The rank is nobody's to move. */
    t.ranks = 2;
    lw_dram_map_init(&map, &t);
    p = lw_dram_map_line(&map, UINT64_C(21) << 14 | 1 << 13 | line);
    assert_true(p.row == 21 && p.bank == 16 + 11 && p.column == 19 && p.channel == 9);
}

/* Of 2^16 lines in a row none lies where another does, whatever the order, the hashes and the
 * groups. */
static void no_two_lines_share_a_place(void **state) {
    (void)state;
    static const char *const orders[] = {
        "rank:group:bank:column:channel", "column:channel:bank:rank:group",
        "channel:column:group:rank:bank", "bank:rank:channel:group:column"};
    static uint8_t taken[1 << 16];
    for (size_t i = 0; i < COUNT(orders) * 8; i++) {
        lw_error err;
        lw_dram_timing t;
        lw_dram_map map;
        assert_true(load("order", orders[i / 8], "", &t, &err));
        t.channels = 16;
        t.row_bytes = 1024;
        t.channel_hash = i & 1;
        t.bank_hash = i >> 1 & 1;
        t.bank_groups = i & 4 ? 4 : 1;
        lw_dram_map_init(&map, &t);
        memset(taken, 0, sizeof taken);
        for (uint64_t line = 0; line < sizeof taken; line++) {
            const lw_dram_place p = lw_dram_map_line(&map, line);
            const uint64_t place =
                ((p.row * 32 + p.bank) * 16 + p.column) * 16 + p.channel; /* 8 rows in all */
            assert_true(p.bank < 32 && p.column < 16 && p.channel < 16 && place < sizeof taken);
            assert_int_equal(taken[place], 0);
            taken[place] = 1;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_whole_file, remove_file),
        cmocka_unit_test(what_data_sheets_say),
        cmocka_unit_test_teardown(every_key_is_needed, remove_file),
        cmocka_unit_test_teardown(values_out_of_range, remove_file),
        cmocka_unit_test_teardown(values_that_just_fit, remove_file),
        cmocka_unit_test_teardown(lines_that_are_refused, remove_file),
        cmocka_unit_test(where_a_line_lies),
        cmocka_unit_test_teardown(where_a_hashed_channel_lies, remove_file),
        cmocka_unit_test(where_a_group_lies),
        cmocka_unit_test(the_highest_row),
        cmocka_unit_test_teardown(no_two_lines_share_a_place, remove_file),
    };
    return cmocka_run_group_tests_name("dram_timing", tests, name_file, NULL);
}
