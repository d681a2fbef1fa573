/* What is shown of a build's log (dpi/build_log.h): its first error, and the first warnings. */
#include "dpi/build_log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char path[64];

/* A log with this text. */
static const char *log_of(const char *text) {
    (void)snprintf(path, sizeof path, "/tmp/build_log_XXXXXX");
    const int file = mkstemp(path);
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    assert_int_equal(close(file), 0);
    return path;
}

static void assert_error(const char *text, const char *wanted) {
    char found[64] = "nothing";
    assert_true(lw_build_log_error(log_of(text), found, sizeof found));
    assert_string_equal(found, wanted);
    assert_int_equal(unlink(path), 0);
}

/* What Verilator, the compiler, the linker and make call an error. */
static void test_first_error(void **state) {
    (void)state;
    static const char *const errors[] = {"%Error: a.sv:3:1: syntax error",
                                         "%Error-TIMESCALEMOD: a.sv:3:1: Timescale missing",
                                         "a.cpp:3:1: error: expected ';'",
                                         "a.cpp:3:10: fatal error: a.h: No such file",
                                         "a.o: undefined reference to `lw_dpi_cycle'",
                                         "/usr/bin/ld: cannot find -lzstd",
                                         "make: *** No rule to make target 'a.sv'."};
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        char text[256];
        (void)snprintf(text, sizeof text, "- Verilator: Built\n\n%s\nb.cpp:9:1: error: the next\n",
                       errors[i]);
        if (strncmp(errors[i], "make", 4) != 0) {
            assert_error(text, errors[i]);
        }
        assert_error(errors[i], errors[i]); /* the last line needs no end */
    }
}

/* That there was an error says less than the error, or than a warning that counted as one. */
static void test_last_words(void **state) {
    (void)state;
    assert_error("%Warning-WIDTH: a.sv:3:1: 3 bits\n%Error: a.sv:4:1: no such pin\n",
                 "%Error: a.sv:4:1: no such pin");
    assert_error("  by %Warning\n%Warning-WIDTH: a.sv:3:1: 3 bits\n%Warning-LATCH: a.sv:4:1: a\n"
                 "%Error: Exiting due to 2 warning(s)\nmake: *** [a] Error 1\n",
                 "%Warning-WIDTH: a.sv:3:1: 3 bits");
    assert_error("sh: verilator: not there\nmake: *** [a] Error 127\n%Error: Exiting due to 1\n",
                 "make: *** [a] Error 127");
    assert_error("make: *** [b] Error 1\n%Error: Exiting due to 1 error(s)\n%Error: b.sv:1:1: b\n",
                 "%Error: b.sv:1:1: b");
}

static void test_no_error(void **state) {
    (void)state;
    char found[16] = "nothing";
    assert_false(lw_build_log_error(log_of("all is well\n"), found, sizeof found));
    assert_int_equal(unlink(path), 0);
    assert_false(lw_build_log_error("/nowhere/log", found, sizeof found));
    assert_string_equal(found, "nothing");
}

/* A long line is cut at the room that there is. */
static void test_room(void **state) {
    (void)state;
    char found[8] = "";
    assert_true(lw_build_log_error(log_of("%Error: a.sv\n"), found, sizeof found));
    assert_int_equal(unlink(path), 0);
    assert_string_equal(found, "%Error:");
}

static void assert_warnings(const char *log, unsigned shown, const char *wanted) {
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    lw_build_log_warnings(log, shown, to);
    assert_int_equal(fclose(to), 0);
    assert_string_equal(text, wanted);
    free(text);
}

static void test_warnings(void **state) {
    (void)state;
    char all[256];
    const char *log = log_of("%Warning-WIDTH: a.sv:1:1: one\n"
                             "  1 | a %Warning: in the midst of a line\n"
                             "%Warning-UNUSED: a.sv:2:1: two\n"
                             "%Error: a.sv:3:1: none\n"
                             "%Warning-LATCH: a.sv:4:1: three");
    static const char *const lines = "%Warning-WIDTH: a.sv:1:1: one\n"
                                     "%Warning-UNUSED: a.sv:2:1: two\n"
                                     "%Warning-LATCH: a.sv:4:1: three\n";
    const size_t length[] = {
        0, strlen("%Warning-WIDTH: a.sv:1:1: one\n"),
        strlen("%Warning-WIDTH: a.sv:1:1: one\n%Warning-UNUSED: a.sv:2:1: two\n"), strlen(lines),
        strlen(lines)};
    for (unsigned shown = 0; shown < 5; shown++) {
        (void)snprintf(all, sizeof all,
                       "%.*slockwalk: Verilator's warnings in this design: 3; all are in %s\n",
                       (int)length[shown], lines, log);
        assert_warnings(log, shown, all);
    }
    assert_int_equal(unlink(path), 0);
    assert_warnings(log_of("%Error: a.sv:3:1: none\n"), 3, "");
    assert_int_equal(unlink(path), 0);
    assert_warnings("/nowhere/log", 3, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_error), cmocka_unit_test(test_last_words),
        cmocka_unit_test(test_no_error),    cmocka_unit_test(test_room),
        cmocka_unit_test(test_warnings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
