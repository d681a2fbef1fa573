/* The module lockstep's program:
 *   lockstep --list                  the modules, one a line
 *   lockstep --options MODULE        Verilator's options for one
 *   lockstep MODULE SEED CYCLES LIBRARY [INJECT] [--shares] [--checkers]
 * INJECT is STRUCTURE[index].FIELD.bit@cycle: that bit of the twin is flipped after that cycle.
 * Exit status: 0 equal, 1 a mismatch, 2 bad usage (one sentence). */
#include "common/number.h"
#include "tests/modules/run.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>

enum { USAGE = 2, ARGUMENTS = 5 };

static bool number(const char *name, const char *text, uint64_t *value, lw_error *err) {
    const char *end = text;
    return (lw_number_read(&end, UINT64_MAX, value) && *end == '\0') ||
           lw_fail(err, "%s '%s' is not a number; allowed: 0 to 18446744073709551615", name, text);
}

static bool belongs(const lw_row *row, lw_field field) {
    for (uint32_t i = 0; i < row->module->register_count; i++) {
        if (row->module->registers[i].structure == lw_field_structure(field)) {
            return true;
        }
    }
    return false;
}

static bool parse_flip(const char *text, const lw_run_request *q, lw_injection *flip,
                       lw_error *err) {
    if (!lw_injection_parse(text, "INJECT", q->row->hw, flip, err)) {
        return false;
    }
    if (!belongs(q->row, flip->field)) {
        return lw_fail(err, "INJECT: %s has no %s; allowed: its structures in state/registers.yaml",
                       q->row->name, lw_structure_name(lw_field_structure(flip->field)));
    }
    return flip->cycle < q->cycles ||
           lw_fail(err, "INJECT: the run has %" PRIu64 " cycles; allowed: a cycle below",
                   q->cycles);
}

static const lw_module_rtl_functions *open_library(const char *path, lw_error *err) {
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        (void)lw_fail(err, "%s: cannot be loaded (%s)", path, dlerror());
        return NULL;
    }
    /* POSIX's way to turn an object pointer into a function pointer. */
    const lw_module_rtl_functions *(*entry)(void) = NULL;
    *(void **)&entry = dlsym(handle, "lw_module_rtl_library");
    if (entry == NULL) {
        (void)lw_fail(err, "%s: is no library of this project", path);
        return NULL;
    }
    return entry();
}

static int run_module(int argc, char **argv, lw_error *err) {
    lw_run_request q = {.row = lw_row_find(argv[1], err)};
    if (q.row == NULL || !number("SEED", argv[2], &q.seed, err) ||
        !number("CYCLES", argv[3], &q.cycles, err)) {
        return USAGE;
    }
    if (q.cycles == 0) {
        (void)lw_fail(err, "CYCLES is 0; allowed: 1 and more");
        return USAGE;
    }
    for (int i = ARGUMENTS; i < argc; i++) {
        if (strcmp(argv[i], "--shares") == 0) {
            q.shares = true;
        } else if (strcmp(argv[i], "--checkers") == 0) {
            q.checkers = true;
        } else if (!parse_flip(argv[i], &q, &q.flip, err)) {
            return USAGE;
        }
    }
    q.functions = open_library(argv[4], err);
    return q.functions == NULL ? USAGE : (int)lw_module_run(&q, err);
}

int main(int argc, char **argv) {
    lw_error err = {0};
    int status = USAGE;
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        lw_rows_print();
        status = 0;
    } else if (argc == 3 && strcmp(argv[1], "--options") == 0) {
        const lw_row *row = lw_row_find(argv[2], &err);
        char options[1024];
        if (row != NULL) {
            lw_row_options(row, options, sizeof options);
            (void)printf("--top-module %s %s\n", row->module->top, options);
            status = 0;
        }
    } else if (argc >= ARGUMENTS) {
        status = run_module(argc, argv, &err);
    } else {
        (void)lw_fail(&err, "MODULE, SEED, CYCLES and the library are needed");
    }
    if (err.text[0] != '\0') {
        (void)fprintf(stderr, "lockwalk: %s\n", err.text);
    }
    return status;
}
