/* System files and settings: every system that is there, what is refused and how it is said, the
 * key and the options of the RTL build. */
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "c_model/iommu.h"
#include "sim/system/system.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

static const char *systems_folder(void) {
    const char *folder = getenv("LW_SYSTEMS");
    return folder == NULL ? "systems" : folder;
}

static lw_system baseline(void) {
    lw_system system;
    lw_error err = {0};
    if (!lw_system_load(&system, systems_folder(), "baseline", &err)) {
        fail_msg("%s", err.text);
    }
    return system;
}

/* ---------------------------------------------------------------- the systems there are */

static void test_every_system(void **state) {
    (void)state;
    glob_t found;
    char pattern[512];
    (void)snprintf(pattern, sizeof pattern, "%s/*.ini", systems_folder());
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    assert_true(found.gl_pathc >= 13);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        lw_system by_path;
        lw_system by_name;
        lw_error err = {0};
        if (!lw_system_load(&by_path, systems_folder(), found.gl_pathv[i], &err) ||
            !lw_system_check(&by_path, &err) ||
            !lw_system_load(&by_name, systems_folder(), by_path.name, &err)) {
            fail_msg("%s: %s", found.gl_pathv[i], err.text);
        }
        assert_true(by_path.summary[0] != '\0');
        assert_non_null(strstr(found.gl_pathv[i], by_path.name));
        assert_memory_equal(&by_path, &by_name, sizeof by_path);
    }
    globfree(&found);
}

/* What a system takes from the one it extends, and what it says itself. */
static void test_extends(void **state) {
    (void)state;
    lw_system system;
    lw_error err = {0};
    assert_true(lw_system_load(&system, systems_folder(), "nha_walkers32", &err));
    assert_string_equal(system.name, "nha_walkers32");
    assert_int_equal(system.hw.walkers, 32);
    assert_int_equal(system.mode, 2);                /* from nha */
    assert_int_equal(system.hw.buffer_entries, 256); /* from baseline */
    assert_string_equal(system.mapping, "buddy:25");
}

/* ---------------------------------------------------------------- files that are refused */

static int make_folder(void **state) {
    char *folder = strdup("/tmp/lockwalk_system_XXXXXX");
    *state = folder;
    return folder != NULL && mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **state) {
    const int status = rmdir(*state);
    free(*state);
    return status;
}

typedef struct ini_file {
    const char *name, *text;
} ini_file;

#define LONG_50 "--------------------------------------------------"

/* The first file is loaded. %s in a sentence is the folder. */
static const struct refusal {
    ini_file files[3];
    const char *sentence;
} refusals[] = {
    {{{"a", "walkers = 2\nfrob = 3\n"}},
     "%s/a.ini:2: there is no key \"frob\"; `lockwalk systems --keys` lists them"},
    {{{"a", "[hardware]\n\n# no more than 32\nwalkers = 33\n"}},
     "%s/a.ini:4: walkers is \"33\"; allowed: a whole number in 1..32 (page walkers)"},
    {{{"a", "walkers = many"}}, "%s/a.ini:1: walkers is \"many\"; allowed: a whole number"},
    {{{"a", "walkers =\n"}}, "%s/a.ini:1: walkers is \"\"; allowed: a whole number"},
    {{{"a", "walkers = -1\n"}}, "%s/a.ini:1: walkers is \"-1\"; allowed: a whole number"},
    {{{"a", "walkers = 2 3\n"}}, "%s/a.ini:1: walkers is \"2 3\"; allowed: a whole number"},
    {{{"a", "walkers = 1.5\n"}}, "%s/a.ini:1: walkers is \"1.5\"; allowed: a whole number"},
    {{{"a", "walkers = 18446744073709551617\n"}},
     "%s/a.ini:1: walkers is \"18446744073709551617\""},
    {{{"a", "mapping =\n"}}, "%s/a.ini:1: mapping takes a text of 1 to 255 characters"},
    {{{"a", "walkers = 2\n\nwhat is this\nfrob = 1\n"}},
     "%s/a.ini:3: not a line of a system file; allowed: [section], key = value, # comment"},
    {{{"a", "[hardware\n"}}, "%s/a.ini:1: not a line of a system file"},
    {{{"a", "frob = 1\nwhat is this\n"}}, "%s/a.ini:1: there is no key \"frob\""},
    {{{"a", "walkers = 2\nmapping = pagemap:" LONG_50 LONG_50 LONG_50 LONG_50 "\n"}},
     "%s/a.ini:2: the line is too long; allowed: "},
    {{{"a", "walkers = 2\nextends = b\n"}, {"b", ""}},
     "%s/a.ini:2: extends must stand before every setting"},
    {{{"a", "extends = b\nextends = b\n"}, {"b", ""}},
     "%s/a.ini:2: extends stands in line 1 already"},
    {{{"a", "walkers = 2\n[gpu]\nwalkers = 2\n"}},
     "%s/a.ini:3: walkers stands in section [gpu]; allowed: [hardware], or above all sections"},
    {{{"a", "[gp]\n"}}, "%s/a.ini:1: there is no section [gp]; allowed: [hardware], "},
    {{{"a", "[gpu]\nextends = b\n"}, {"b", ""}},
     "%s/a.ini:2: extends stands in section [gpu]; allowed: above all sections"},
    {{{"a", "[os]\nsummary = b\n"}},
     "%s/a.ini:2: summary stands in section [os]; allowed: above all sections"},
    {{{"a", "# first\nextends = b\n"}},
     "%s/a.ini:2: %s/b.ini: cannot be read (No such file or directory); `lockwalk systems`"},
    {{{"a", "extends = b\n"}, {"b", "extends = c\n"}},
     "%s/b.ini:1: %s/c.ini: cannot be read (No such file or directory); `lockwalk systems`"},
    {{{"a", "extends = a\n"}},
     "%s/a.ini:1: more than 8 systems extend each other; is it a circle?"},
    {{{"a", "extends = b\n"}, {"b", "\nextends = c\n"}, {"c", "extends = a\n"}},
     "%s/c.ini:1: more than 8 systems extend each other; is it a circle?"},
    {{{"a", "summary = " LONG_50 LONG_50 "----------------------------\n"}}, /* 128 */
     "%s/a.ini:1: the summary is too long; allowed: 127 characters"},
    {{{"a", "\nextends = b\nwalkers = 99\n"}, {"b", "[gpu]\ncus = 65\n"}},
     "%s/b.ini:2: cus is \"65\"; allowed: a whole number in 1..64 (compute units)"},
};

static void test_refused_files(void **state) {
    const char *folder = *state;
    for (size_t i = 0; i < COUNT(refusals); i++) {
        char path[3][300];
        char expected[1024];
        lw_system system;
        lw_error err = {0};
        for (size_t f = 0; f < 3 && refusals[i].files[f].name != NULL; f++) {
            (void)snprintf(path[f], sizeof path[f], "%s/%s.ini", folder, refusals[i].files[f].name);
            FILE *file = fopen(path[f], "w");
            assert_non_null(file);
            assert_true(fputs(refusals[i].files[f].text, file) >= 0);
            assert_int_equal(fclose(file), 0);
        }
        assert_false(lw_system_load(&system, folder, "a", &err));
        (void)snprintf(expected, sizeof expected, refusals[i].sentence, folder, folder);
        err.text[strlen(expected)] = '\0';
        assert_string_equal(err.text, expected);
        for (size_t f = 0; f < 3 && refusals[i].files[f].name != NULL; f++) {
            assert_int_equal(remove(path[f]), 0);
        }
    }
}

static void test_missing_files(void **state) {
    const char *folder = *state;
    lw_system system;
    lw_error err = {0};
    char name[LW_TEXT_MAX + 1];
    assert_false(lw_system_load(&system, "/nowhere", "baseline", &err));
    assert_non_null(strstr(err.text, "/nowhere/baseline.ini: cannot be read (No such file"));
    assert_false(lw_system_load(&system, systems_folder(), "/nowhere.ini", &err));
    assert_non_null(strstr(err.text, "/nowhere.ini: cannot be read (No such file"));
    memset(name, 'n', LW_TEXT_MAX);
    name[LW_TEXT_MAX] = '\0';
    assert_false(lw_system_load(&system, systems_folder(), name, &err));
    assert_non_null(strstr(err.text, "nnn...: a system's path has at most 255 characters"));
    /* A folder opens like a file, and cannot be read. */
    (void)snprintf(name, sizeof name, "%s/folder.ini", folder);
    assert_int_equal(symlink(folder, name), 0);
    assert_false(lw_system_load(&system, systems_folder(), name, &err));
    assert_non_null(strstr(err.text, "/folder.ini: is a folder, a text file is needed"));
    assert_int_equal(remove(name), 0);
}

/* Whatever is left out is named. */
static void test_unset_keys(void **state) {
    (void)state;
    const lw_system good = baseline();
    for (size_t i = 0; lw_system_key_at(i) != NULL; i++) {
        lw_system system = good;
        lw_error err = {0};
        char expected[100];
        assert_true(lw_system_check(&system, &err));
        system.set[i] = false;
        assert_false(lw_system_check(&system, &err));
        (void)snprintf(expected, sizeof expected, "systems/baseline.ini: %s is not set (",
                       lw_system_key_at(i)->name);
        assert_int_equal(strncmp(err.text, expected, strlen(expected)), 0);
    }
}

/* ---------------------------------------------------------------- one setting */

static void test_set_ranges(void **state) {
    (void)state;
    lw_system system = baseline();
    for (size_t i = 0; lw_system_key_at(i) != NULL; i++) {
        const lw_system_key *key = lw_system_key_at(i);
        const struct {
            int64_t value;
            bool good;
        } rows[] = {{key->min, true},
                    {key->max, true},
                    {(int64_t)key->min - 1, false},
                    {(int64_t)key->max + 1, false}};
        for (size_t r = 0; !key->is_text && r < COUNT(rows); r++) {
            char text[32];
            char expected[256];
            lw_error err = {0};
            uint32_t stored = 0;
            (void)snprintf(text, sizeof text, "%lld", (long long)rows[r].value);
            assert_int_equal(lw_system_set(&system, key->name, text, "--set: ", &err),
                             rows[r].good);
            memcpy(&stored, (char *)&system + key->offset, sizeof stored);
            (void)snprintf(expected, sizeof expected,
                           "--set: %s is \"%s\"; allowed: a whole number in %u..%u (%s)", key->name,
                           text, key->min, key->max, key->summary);
            assert_string_equal(err.text, rows[r].good ? "" : expected);
            assert_int_equal(stored, rows[r].good ? rows[r].value : key->max);
        }
    }
}

static void test_set_forms(void **state) {
    (void)state;
    static const struct {
        const char *key, *value;
        int64_t number; /* -1: refused */
    } rows[] = {{"walkers", "0x10", 16}, {"walkers", "010", 10}, {"walkers", "0X1f", 31},
                {"walkers", "+5", -1},   {"walkers", " 5", -1},  {"walkers", "0x", -1},
                {"walkers", "1e1", -1},  {"walkers", "", -1},    {"walkers", "a", -1},
                {"Walkers", "5", -1},    {"walkers ", "5", -1},  {"", "5", -1},
                {"summary", "x", -1},    {"extends", "nha", -1}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_system system = baseline();
        lw_error err = {0};
        assert_int_equal(lw_system_set(&system, rows[i].key, rows[i].value, "", &err),
                         rows[i].number >= 0);
        assert_int_equal(system.hw.walkers, rows[i].number >= 0 ? rows[i].number : 8);
    }
    lw_system system = baseline();
    char text[LW_TEXT_MAX + 1];
    memset(text, 'x', LW_TEXT_MAX);
    text[LW_TEXT_MAX] = '\0';
    assert_false(lw_system_set(&system, "mapping", text, "", NULL));
    text[LW_TEXT_MAX - 1] = '\0';
    assert_true(lw_system_set(&system, "mapping", text, "", NULL));
    assert_string_equal(system.mapping, text);
}

/* ---------------------------------------------------------------- the whole */

/* Conditions between parameters (section 13): the sentence names the parameter and its value. */
static void test_check(void **state) {
    (void)state;
    static const struct {
        const char *set[4][2], *part; /* NULL: allowed */
    } rows[] = {
        {{{"lanes", "32"}}, NULL},
        {{{"lanes", "48"}}, "system baseline: lanes is 48; allowed: 32, 64"},
        {{{"pasids", "12"}}, "pasids is 12, legal is a power of two from 2 to 256"},
        {{{"tlb_ways", "3"}}, "tlb_ways is 3, legal is a power of two"},
        {{{"tlb_entries", "24"}}, "tlb_entries is 24, legal is a power of two"},
        {{{"tlb_entries", "8"}}, "tlb_entries is 8, legal is tlb_ways (16) times"},
        {{{"tlb_ways", "2"}, {"tlb_entries", "1024"}},
         "tlb_entries is 1024, legal is tlb_ways (2)"},
        {{{"tlb_ways", "4"}, {"tlb_entries", "1024"}},
         "tlb_partition is 8, legal is 0 to tlb_ways"},
        {{{"buffer_entries", "100"}},
         "buffer_entries is 100, legal is a power of two from 4 to 512"},
        {{{"miss_queue", "1"}, {"buffer_entries", "4"}, {"tlb_latency", "8"}}, NULL},
        {{{"pwc_entries", "128"}}, "pwc_entries is 128, legal is"},
        {{{"pwc_entries", "128"}, {"pwc_org", "1"}}, NULL},
        {{{"pwc_entries", "4"}, {"pwc_org", "1"}}, "pwc_ways is 8, legal is 2 to pwc_entries (4)"},
        {{{"pwc_entries", "4"}, {"pwc_org", "0"}}, NULL},
        {{{"msc_entries", "100"}}, "msc_entries is 100, legal is a power of two"},
        {{{"msc_ways", "2"}, {"msc_entries", "1024"}},
         "msc_entries is 1024, legal is msc_ways (2)"},
        {{{"head_first", "1"}}, "head_first is 1, legal is 0 unless subregions is 1 (is 0)"},
        {{{"head_first", "1"}, {"subregions", "1"}, {"coalesce", "1"}},
         "coalesce 0 (is 1) and colt 0 (is 0)"},
        {{{"head_first", "1"}, {"subregions", "1"}}, NULL},
        {{{"colt", "2"}}, NULL},
        {{{"colt", "1"}, {"subregions", "1"}}, NULL},
        {{{"colt", "2"}, {"subregions", "1"}}, "colt is 2, legal is 0 to 1 with subregions 1"},
        {{{"slot_pages", "64"}}, "slot_pages is 64, legal is 8 or 512"},
        {{{"slot_pages", "8"}}, "slot_pages is 8, legal is 512 unless pwc_org is 2 (is 0)"},
        {{{"slot_pages", "8"}, {"pwc_org", "2"}, {"pwc_latency", "4"}}, NULL},
        {{{"pages_64k", "1"}, {"colt", "1"}}, "pages_64k is 1, legal is 0 unless subregions is 0"},
        {{{"pages_64k", "1"}, {"page_size", "4"}}, NULL},
        {{{"page_size", "4"}},
         "system baseline: page_size is 4 (64 KiB); allowed: 0..3, because pages_64k is 0"},
        {{{"hashed_tables", "1"}},
         "system baseline: hashed_tables is 1; allowed: 0, because pwc_org is 0"},
        {{{"home_first", "1"}}, "home_first is 1; allowed: 0, because hashed_tables is 0"},
        {{{"local_share", "99"}}, "local_share is 99; allowed: 100, because hashed_tables is 0"},
        {{{"pwc_org", "2"}, {"pwc_latency", "4"}, {"hashed_tables", "1"}, {"local_share", "1"}},
         NULL},
        {{{"pwc_org", "2"}, {"hashed_tables", "1"}, {"table_moves", "1"}},
         "table_moves is 1; allowed: 0, because hashed_tables is 1"},
        {{{"remaps", "6000"}, {"invalidations", "1"}, {"root_changes", "4000"}},
         "root_changes is 4000; allowed: at most 3999, because other rates take 6001 of the 10000"},
        {{{"region_moves", "1"}}, "region_moves is 1; allowed: 0, because hashed_tables is 0"},
        {{{"pwc_org", "2"}, {"pwc_latency", "4"}, {"hashed_tables", "1"}, {"remaps", "5"}}, NULL},
        {{{"pwc_org", "2"}, {"hashed_tables", "1"}, {"root_changes", "5"}},
         "root_changes is 5; allowed: 0, because hashed_tables is 1"},
        {{{"pwc_org", "2"}, {"hashed_tables", "2"}, {"shared_tables", "1"}},
         "shared_tables is 1; allowed: 0, because hashed_tables is 2"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_system system = baseline();
        lw_error err = {0};
        for (size_t k = 0; k < COUNT(rows[i].set) && rows[i].set[k][0] != NULL; k++) {
            assert_true(lw_system_set(&system, rows[i].set[k][0], rows[i].set[k][1], "", &err));
        }
        const bool good = lw_system_check(&system, &err);
        if (good != (rows[i].part == NULL) || (!good && strstr(err.text, rows[i].part) == NULL)) {
            fail_msg("row %zu: %s", i, err.text);
        }
    }
}

static void test_build(void **state) {
    (void)state;
    const lw_system system = baseline();
    char key[LW_TEXT_MAX];
    char options[1024];
    lw_system_build_key(&system, key);
    lw_system_build_options(&system, options, sizeof options);
    assert_string_equal(
        key, "4_48_16_12_6_256_16_1_8_0_8_16_4_256_16_8_0_32_8_2_0_0_0_512_8_8_0_0_512_0_0");
    assert_string_equal(
        options,
        "-GLevels=4 -GPaWidth=48 -GPasids=16 -GIdW=12 -GSrcW=6 -GTlbEntries=256 "
        "-GTlbWays=16 -GTlbLatency=1 -GTlbPartition=8 -GTlbBimodal=0 -GHitQueue=8 "
        "-GMissQueue=16 -GWalkQueue=4 -GBufferEntries=256 -GLines=16 -GWalkers=8 -GPwcOrg=0 "
        "-GPwcEntries=32 -GPwcWays=8 "
        "-GPwcLatency=2 -GCoalesce=0 -GSubregions=0 -GParLookup=0 "
        "-GMscEntries=512 -GMscWays=8 -GCheckQueue=8 -GHeadFirst=0 "
        "-GColt=0 -GSlotPages=512 -GPages64K=0 -GSecondLookup=0");
    /* Every hardware value, and no other, makes another build. */
    for (size_t i = 0; lw_system_key_at(i) != NULL; i++) {
        const lw_system_key *k = lw_system_key_at(i);
        lw_system other = system;
        char other_key[LW_TEXT_MAX];
        uint32_t value = 0;
        if (k->is_text) {
            assert_false(k->hardware);
            continue;
        }
        memcpy(&value, (const char *)&other + k->offset, sizeof value);
        value = value == k->max ? k->min : k->max;
        memcpy((char *)&other + k->offset, &value, sizeof value);
        lw_system_build_key(&other, other_key);
        assert_int_equal(strcmp(key, other_key) != 0, k->hardware);
        assert_int_equal(k->rtl != NULL, k->hardware);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_system),
        cmocka_unit_test(test_extends),
        cmocka_unit_test_setup_teardown(test_refused_files, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_missing_files, make_folder, remove_folder),
        cmocka_unit_test(test_unset_keys),
        cmocka_unit_test(test_set_ranges),
        cmocka_unit_test(test_set_forms),
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_build),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
