/* What a report prints, as text, and its JSON beside what that should be. */
#ifndef LW_TESTS_UNIT_APP_REPORT_H
#define LW_TESTS_UNIT_APP_REPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Stdout goes to a file from the beginning to the end. */
typedef struct printed {
    FILE *file;
    int out; /* stdout as it was */
    char text[8192];
} printed;

static inline void printed_begin(printed *p) {
    p->file = tmpfile();
    assert_non_null(p->file);
    (void)fflush(stdout);
    p->out = dup(STDOUT_FILENO);
    assert_true(p->out >= 0);
    assert_true(dup2(fileno(p->file), STDOUT_FILENO) >= 0);
}

static inline void printed_end(printed *p) {
    (void)fflush(stdout);
    assert_true(dup2(p->out, STDOUT_FILENO) >= 0);
    (void)close(p->out);
    rewind(p->file);
    p->text[fread(p->text, 1, sizeof p->text - 1, p->file)] = '\0';
    (void)fclose(p->file);
}

/* Both are given up. */
static inline void assert_json(json_t *o, json_t *expected) {
    assert_non_null(expected);
    if (!json_equal(o, expected)) {
        fail_msg("%s", json_dumps(o, 0));
    }
    json_decref(o);
    json_decref(expected);
}

#endif
