/* Tables of energies: the one that is there, what is read of a file, what is refused and how it is
 * said. */
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/energy/energy_table.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* A whole file: line i + 1 is lines[i]. */
static const char *const lines[] = {
    "[l1_tlb]", "read = 0.001",   "write = 0.002", "[l2_tlb]",        "read = 0.003", "write = 4",
    "[tlb]",    "read = 5",       "write = 6.25",  "[subregion_tlb]", "read = 7",     "write = 8",
    "[pwc]",    "read = 9",       "write = 10",    "[msc]",           "read = 11",    "write = 12",
    "[cam]",    "read = 13",      "write = 14",    "[pte_cache]",     "read = 15",    "write = 16",
    "[memory]", "read = 1000000",
};

static char path[64];

/* Loads the whole file with another text for one line (0: none); `more` is at the end. */
static bool load(size_t number, const char *text, const char *more, lw_energy_table *t,
                 lw_error *err) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (size_t i = 0; i < COUNT(lines); i++) {
        (void)fprintf(file, "%s\n", i + 1 == number ? text : lines[i]);
    }
    (void)fputs(more, file);
    assert_int_equal(fclose(file), 0);
    err->text[0] = '\0';
    return lw_energy_table_load(t, path, err);
}

/* The sentence is this one, behind the file's path. */
static void expect(const lw_error *err, const char *sentence) {
    if (strncmp(err->text, path, strlen(path)) != 0 ||
        strcmp(err->text + strlen(path), sentence) != 0) {
        fail_msg("\"%s\" is not \"%s%s\"", err->text, path, sentence);
    }
}

static void the_whole_file(void **state) {
    (void)state;
    static const double nj[LW_ENERGY_PARTS][LW_ENERGY_ACCESSES] = {
        {0.001, 0.002}, {0.003, 4}, {5, 6.25}, {7, 8},      {9, 10},
        {11, 12},       {13, 14},   {15, 16},  {1000000, 0}};
    lw_error err;
    lw_energy_table t;
    if (!load(0, "", "# the end", &t, &err)) {
        fail_msg("%s", err.text);
    }
    for (uint32_t part = 0; part < LW_ENERGY_PARTS; part++) {
        assert_true(t.nj[part][LW_ENERGY_READ] == nj[part][LW_ENERGY_READ]);
        assert_true(t.nj[part][LW_ENERGY_WRITE] == nj[part][LW_ENERGY_WRITE]);
    }
    assert_string_equal(t.name, strrchr(path, '/') + 1); /* a name without .ini stays as it is */
}

/* The table of the papers: NHA's two values of its CAM, and every section there. */
static void the_named_table(void **state) {
    (void)state;
    lw_error err = {0};
    lw_energy_table t;
    if (!lw_energy_table_load(&t, "systems/energy/cacti_32nm.ini", &err)) {
        fail_msg("%s", err.text);
    }
    assert_string_equal(t.name, "cacti_32nm");
    assert_true(t.nj[LW_ENERGY_CAM][LW_ENERGY_READ] == 0.041);
    assert_true(t.nj[LW_ENERGY_CAM][LW_ENERGY_WRITE] == 0.196);
}

/* What docs/machine.md says of it: a read of a line takes 8 nJ, 400 to 4400 times what an access to
 * a TLB, the page walk cache or the MSC does, to whole hundreds; and that follows from NHA's CAM,
 * which takes 40 to 200 times less. */
static void a_line_beside_what_is_on_chip(void **state) {
    (void)state;
    static const lw_energy_part parts[] = {LW_ENERGY_L1_TLB,        LW_ENERGY_L2_TLB,
                                           LW_ENERGY_TLB,           LW_ENERGY_PWC,
                                           LW_ENERGY_SUBREGION_TLB, LW_ENERGY_MSC};
    lw_error err = {0};
    lw_energy_table t;
    assert_true(lw_energy_table_load(&t, "systems/energy/cacti_32nm.ini", &err));
    const double line = t.nj[LW_ENERGY_MEMORY][LW_ENERGY_READ];
    double least = 1e9;
    double most = 0;
    for (size_t i = 0; i < 2 * COUNT(parts); i++) {
        const double times = line / t.nj[parts[i / 2]][i % 2];
        least = times < least ? times : least;
        most = times > most ? times : most;
    }
    assert_true(line == 8);
    assert_true(least >= 400 && least < 500 && most >= 4400 && most < 4500);
    assert_in_range(line * 10, 10 * 40 * t.nj[LW_ENERGY_CAM][LW_ENERGY_WRITE],
                    10 * 200 * t.nj[LW_ENERGY_CAM][LW_ENERGY_READ]);
}

/* Reports name a table by its file, in which nothing moves a terminal's cursor. */
static void a_name_that_is_not_printable(void **state) {
    (void)state;
    lw_error err;
    lw_energy_table t;
    char plain[sizeof path];
    (void)snprintf(plain, sizeof plain, "%s", path);
    (void)snprintf(path, sizeof path, "/tmp/lockwalk_\x1b[31m_%ld.ini", (long)getpid());
    const bool loaded = load(0, "", "", &t, &err);
    (void)unlink(path);
    (void)snprintf(path, sizeof path, "lockwalk_\\x1b[31m_%ld", (long)getpid());
    assert_true(loaded);
    assert_string_equal(t.name, path);
    (void)snprintf(path, sizeof path, "%s", plain);
}

static void every_key_is_needed(void **state) {
    (void)state;
    const char *section = "";
    for (size_t i = 0; i < COUNT(lines); i++) {
        if (lines[i][0] == '[') {
            section = lines[i];
            continue;
        }
        lw_error err;
        lw_energy_table t;
        char sentence[128];
        assert_false(load(i + 1, "", "", &t, &err));
        (void)snprintf(sentence, sizeof sentence, ": %s is not set in %s (nJ of an access)",
                       lines[i][0] == 'r' ? "read" : "write", section);
        expect(&err, sentence);
    }
}

static void values_that_are_none(void **state) {
    (void)state;
    static const char *const values[] = {"-1",   "-0.1",      "+1", "1e3",  "0x1", "nan",
                                         "inf",  "one",       "1.", ".5",   "1,5", "1.2.3",
                                         "5 nJ", "1000000.1", "",   "1.5x", "5x",  "1.5e"};
    for (size_t i = 0; i < COUNT(values); i++) {
        lw_error err;
        lw_energy_table t;
        char line[64];
        char sentence[128];
        (void)snprintf(line, sizeof line, "read = %s", values[i]);
        if (load(8, line, "", &t, &err)) {
            fail_msg("%s is taken", values[i]);
        }
        (void)snprintf(sentence, sizeof sentence,
                       ":8: read is \"%s\"; allowed: a number in 0..1000000, as 0.0041 (nJ of an "
                       "access)",
                       values[i]);
        expect(&err, sentence);
    }
}

static void lines_that_are_refused(void **state) {
    (void)state;
    static const struct {
        size_t number;
        const char *text, *more, *sentence;
    } rows[] = {
        {1, "", "",
         ":2: read stands above all sections; allowed: in that of its structure, as [tlb]"},
        {7, "[tlp]", "",
         ":7: there is no section [tlp]; allowed: [l1_tlb], [l2_tlb], [tlb], [subregion_tlb], "
         "[pwc], [msc], [cam], [pte_cache], [memory]"},
        {8, "reed = 5", "", ":8: there is no key \"reed\" in [tlb]; allowed: read, write"},
        {0, "", "write = 1\n", ":27: there is no key \"write\" in [memory]; allowed: read"},
        {0, "", "read = 8\n", ":27: read stands in line 26 already"},
        {0, "", "[tlb]\nwrite = 1\n", ":28: write stands in line 9 already"},
        {0, "", "what is this\n",
         ":27: not a line of a table of energies; allowed: [section], key = value, # comment"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_error err;
        lw_energy_table t;
        assert_false(load(rows[i].number, rows[i].text, rows[i].more, &t, &err));
        expect(&err, rows[i].sentence);
    }
    lw_error err = {0};
    lw_energy_table t;
    assert_false(lw_energy_table_load(&t, "no/such.ini", &err));
    assert_string_equal(err.text, "no/such.ini: cannot be read (No such file or directory); "
                                  "allowed for --energy: a table as those of systems/energy/");
}

static int name_file(void **state) {
    (void)state;
    return snprintf(path, sizeof path, "/tmp/lockwalk_energy_%ld", (long)getpid()) <= 0;
}

static int remove_file(void **state) {
    (void)state;
    (void)unlink(path);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_whole_file, remove_file),
        cmocka_unit_test(the_named_table),
        cmocka_unit_test(a_line_beside_what_is_on_chip),
        cmocka_unit_test(a_name_that_is_not_printable),
        cmocka_unit_test_teardown(every_key_is_needed, remove_file),
        cmocka_unit_test_teardown(values_that_are_none, remove_file),
        cmocka_unit_test_teardown(lines_that_are_refused, remove_file),
    };
    return cmocka_run_group_tests_name("energy_table", tests, name_file, NULL);
}
