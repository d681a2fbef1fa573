/* Where a system comes from (system.h): files from each other's folders, and which of them, or who
 * else, set a value that the whole refuses. */
#define _POSIX_C_SOURCE 200809L

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/system/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 128 };

/* base.ini, with below/mine.ini, which extends it. */
typedef struct folder {
    char path[PATH / 2];
    char base[PATH], below[PATH], mine[PATH];
} folder;

static const char *systems(void) {
    const char *given = getenv("LW_SYSTEMS");
    return given == NULL ? "systems" : given;
}

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static int make_folder(void **state) {
    static folder f;
    (void)snprintf(f.path, sizeof f.path, "/tmp/lockwalk_places_XXXXXX");
    if (mkdtemp(f.path) == NULL) {
        return -1;
    }
    (void)snprintf(f.base, PATH, "%s/base.ini", f.path);
    (void)snprintf(f.below, PATH, "%s/below", f.path);
    (void)snprintf(f.mine, PATH, "%s/below/mine.ini", f.path);
    *state = &f;
    return mkdir(f.below, 0700);
}

static int remove_folder(void **state) {
    const folder *f = *state;
    (void)unlink(f->mine);
    (void)unlink(f->base);
    return rmdir(f->below) + rmdir(f->path);
}

static lw_system load(const char *name) {
    lw_system system;
    lw_error err = {0};
    if (!lw_system_load(&system, systems(), name, &err)) {
        fail_msg("%s", err.text);
    }
    return system;
}

/* A path is one from the folder of the file that it stands in, or from the root; a name is one of
 * the named systems wherever it stands. */
static void test_paths(void **state) {
    const folder *f = *state;
    const char *const forms[] = {"../base.ini", f->base};
    for (size_t i = 0; i < 2; i++) {
        char text[2 * PATH];
        write_file(f->base, "extends = nha\nlines = 8\n");
        (void)snprintf(text, sizeof text, "extends = %s\nwalkers = 3\n", forms[i]);
        write_file(f->mine, text);
        const lw_system s = load(f->mine);
        assert_string_equal(s.name, "mine");
        assert_string_equal(s.folder, systems());
        assert_true(s.hw.walkers == 3 && s.hw.lines == 8 && s.mode == 2);
        assert_string_equal(s.files[0], f->mine);
    }
}

/* So is the path of a DRAM's timing file; its name is one of the folder of the named systems. */
static void test_dram_files(void **state) {
    const folder *f = *state;
    const struct {
        const char *dram, *file;
    } rows[] = {{"none", ""},
                {"ddr3_1600", "dram/ddr3_1600.ini"},
                {"fast.ini", "below/fast.ini"},
                {"/some/fast.ini", "/some/fast.ini"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[2 * PATH], wanted[3 * PATH], path[LW_DRAM_FILE_MAX];
        (void)snprintf(text, sizeof text, "extends = nha\n[memory]\ndram = %s\n", rows[i].dram);
        write_file(f->mine, text);
        lw_system s = load(f->mine);
        assert_int_equal(lw_system_dram_file(&s, path), i != 0);
        (void)snprintf(wanted, sizeof wanted, "%s/%s", i == 1 ? systems() : f->path, rows[i].file);
        if (i != 0) {
            assert_string_equal(path, i == 3 ? rows[i].file : wanted);
        }
    }
}

static void test_what_is_a_path(void **state) {
    (void)state;
    static const char *const paths[] = {"a.ini", "./a.ini", "/b/a.ini", "a.b.ini"};
    static const char *const names[] = {"a", ".ini", "a.in", "a.ini.", "ini", "", "aini"};
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
        assert_true(lw_system_is_path(paths[i]));
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_false(lw_system_is_path(names[i]));
    }
}

/* The sentence of what the whole refuses begins with where the value was set last, a file as it was
 * found from the one before it. */
static void test_places(void **state) {
    const folder *f = *state;
    const struct {
        const char *mine, *set; /* by lw_system_set */
        const char *sentence;   /* begins so, behind the folder */
    } rows[] = {
        {"extends = ../base.ini\n", NULL, "/below/../base.ini:3: lanes is 48; allowed: 32, 64"},
        {"extends = ../base.ini\n\nlanes = 33\n", NULL, "/below/mine.ini:3: lanes is 33"},
        {"extends = ../base.ini\n\nlanes = 33\n", "34", "--set: lanes is 34"},
    };
    write_file(f->base, "extends = nha\n# as none is\nlanes = 48\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lw_error err = {0};
        char wanted[2 * PATH];
        write_file(f->mine, rows[i].mine);
        (void)snprintf(wanted, sizeof wanted, "%s%s", i < 2 ? f->path : "", rows[i].sentence);
        lw_system s = load(f->mine);
        assert_true(rows[i].set == NULL ||
                    lw_system_set(&s, "lanes", rows[i].set, "--set: ", &err));
        assert_false(lw_system_check(&s, &err));
        assert_int_equal(strncmp(err.text, wanted, strlen(wanted)), 0);
    }
}

/* Events that exclude each other are no more than 10000 in 10000 cycles. */
static void test_rates(void **state) {
    (void)state;
    static const char *const keys[] = {"remaps",      "invalidations",       "root_changes",
                                       "table_moves", "invalidation_bursts", "region_moves"};
    enum { KEYS = sizeof keys / sizeof keys[0] };
    for (size_t a = 0; a < KEYS; a++) {
        for (size_t b = 0; b < KEYS; b++) {
            lw_system s = load("nha");
            lw_error err = {0};
            assert_true(lw_system_set(&s, keys[a], "5000", "", &err));
            assert_true(lw_system_set(&s, keys[b], "5000", "", &err));
            assert_int_equal(lw_system_check(&s, &err), a != KEYS - 1 && b != KEYS - 1);
            assert_null(strstr(err.text, "because other rates"));
            assert_true(lw_system_set(&s, keys[b], "5001", "", &err));
            assert_int_equal(lw_system_check(&s, &err), a == b && a != KEYS - 1); /* hashed only */
            assert_true(a == b || strstr(err.text, "because other rates take 500") != NULL);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_paths, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_dram_files, make_folder, remove_folder),
        cmocka_unit_test(test_what_is_a_path),
        cmocka_unit_test_setup_teardown(test_places, make_folder, remove_folder),
        cmocka_unit_test(test_rates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
