/* Reads waves as IEEE 1364 writes them (VCD): names, widths, and the values at a point in time. */
#ifndef LW_TESTS_UNIT_DPI_VCD_H
#define LW_TESTS_UNIT_DPI_VCD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct vcd_signal {
    char name[128]; /* as GTKWave shows it: with its scopes, and its range if it has more bits */
    char code[8];
    uint32_t bits;
    bool known; /* it has had a value */
    uint64_t value;
} vcd_signal;

typedef struct vcd {
    FILE *file;
    vcd_signal *signals;
    size_t count, at;    /* `at`: the one that changed last; they change in their order */
    uint64_t time, next; /* `next`: of the values that follow; UINT64_MAX: there are none */
} vcd;

/* One declaration: `$var reg BITS CODE NAME [RANGE] $end`. */
static inline void vcd_declare(vcd *v, const char *scope, const char *line) {
    vcd_signal s = {.known = false};
    char name[64], range[16];
    v->signals = realloc(v->signals, (v->count + 1) * sizeof *v->signals);
    assert_non_null(v->signals);
    assert_int_equal(sscanf(line, "$var reg %u %7s %63s %15s", &s.bits, s.code, name, range), 4);
    const bool is_wide = strcmp(range, "$end") != 0;
    (void)snprintf(s.name, sizeof s.name, "%s%s%s", scope, name, is_wide ? range : "");
    unsigned high = 0;
    assert_int_equal(is_wide ? sscanf(range, "[%u:0]", &high) : 1, 1);
    assert_int_equal(high + 1, s.bits);
    for (const char *c = s.code; *c != '\0'; c++) {
        assert_true(*c >= '!' && *c <= '~');
    }
    v->signals[v->count++] = s;
}

/* Each signal has a code and a name of its own. */
static inline void vcd_assert_distinct(const vcd *v) {
    for (size_t i = 0; i < v->count; i++) {
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(v->signals[i].code, v->signals[k].code);
            assert_string_not_equal(v->signals[i].name, v->signals[k].name);
        }
    }
}

/* Opens it and reads the declarations. */
static inline void vcd_open(vcd *v, const char *path) {
    char line[256], scope[128] = "", unit[8] = "";
    *v = (vcd){.file = fopen(path, "r"), .next = UINT64_MAX};
    assert_non_null(v->file);
    while (fgets(line, sizeof line, v->file) != NULL &&
           strncmp(line, "$enddefinitions $end", 20) != 0) {
        char name[64];
        if (sscanf(line, "$scope module %63s $end", name) == 1) {
            const size_t used = strlen(scope);
            (void)snprintf(scope + used, sizeof scope - used, "%s.", name);
        } else if (strncmp(line, "$upscope $end", 13) == 0) {
            assert_true(scope[0] != '\0');
            scope[strlen(scope) - 1] = '\0';
            char *dot = strrchr(scope, '.');
            dot == NULL ? (scope[0] = '\0') : (dot[1] = '\0');
        } else if (strncmp(line, "$var", 4) == 0) {
            vcd_declare(v, scope, line);
        } else if (strncmp(line, "$timescale", 10) == 0) {
            assert_int_equal(sscanf(line, "$timescale %*u%7s $end", unit), 1);
        }
    }
    assert_string_equal(unit, "ns");
    assert_string_equal(scope, "");
    assert_true(fgets(line, sizeof line, v->file) != NULL && line[0] == '#');
    v->next = strtoull(line + 1, NULL, 10);
}

static inline void vcd_close(vcd *v) {
    free(v->signals);
    (void)fclose(v->file);
}

/* `b1010 CODE`, or of one bit `1CODE`. */
static inline void vcd_change(vcd *v, const char *line) {
    char digits[65] = {line[0], '\0'}, code[8];
    assert_int_equal(line[0] == 'b' ? sscanf(line, "b%64[01] %7s", digits, code) == 2
                                    : sscanf(line + 1, "%7s", code) == 1,
                     1);
    size_t i = v->at;
    for (size_t tried = 0; strcmp(v->signals[i].code, code) != 0; tried++) {
        assert_true(tried < v->count);
        i = i + 1 == v->count ? 0 : i + 1;
    }
    v->at = i;
    assert_int_equal(strlen(digits), v->signals[i].bits);
    assert_int_equal(strspn(digits, "01"), strlen(digits));
    const uint64_t value = strtoull(digits, NULL, 2);
    assert_true(!v->signals[i].known || v->signals[i].value != value); /* it is a change */
    v->signals[i].value = value;
    v->signals[i].known = true;
}

/* On to the next point in time, with the values that all signals then have; false at the end. */
static inline bool vcd_go_on(vcd *v) {
    char line[256];
    if (v->next == UINT64_MAX) {
        return false;
    }
    v->time = v->next;
    v->next = UINT64_MAX;
    while (v->next == UINT64_MAX && fgets(line, sizeof line, v->file) != NULL) {
        if (line[0] == '#') {
            v->next = strtoull(line + 1, NULL, 10);
            assert_true(v->next > v->time);
        } else {
            vcd_change(v, line);
        }
    }
    return true;
}

static inline const vcd_signal *vcd_signal_named(const vcd *v, const char *name) {
    for (size_t i = 0; i < v->count; i++) {
        if (strcmp(v->signals[i].name, name) == 0) {
            return &v->signals[i];
        }
    }
    return NULL;
}

/* Of a signal that is there and has had one. */
static inline uint64_t vcd_value(const vcd *v, const char *name) {
    const vcd_signal *s = vcd_signal_named(v, name);
    if (s == NULL || !s->known) {
        fail_msg("%s has no value in the waves", name);
        return 0;
    }
    return s->value;
}

#endif
