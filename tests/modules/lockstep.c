/* The module lockstep's program:
 *   lockstep --list                  the modules, one a line
 *   lockstep --options MODULE        Verilator's options for one
 *   lockstep MODULE SEED CYCLES LIBRARY [INJECT] [--shares]
 * INJECT is STRUCTURE.FIELD[INDEX].BIT@CYCLE: that bit of the twin is flipped after that cycle.
 * Exit status: 0 equal, 1 a mismatch, 2 bad usage (one sentence). */
#include "tests/modules/run.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { USAGE = 2, ARGUMENTS = 5, DECIMAL = 10 };

static bool number(const char *name, const char *text, uint64_t *value, lw_error *err) {
    char *end = NULL;
    *value = strtoull(text, &end, DECIMAL);
    return (text[0] >= '0' && text[0] <= '9' && *end == '\0') ||
           lw_fail(err, "%s '%s' is not a number; allowed: 0 to 18446744073709551615", name, text);
}

static bool find_field(const char *text, size_t length, lw_field *field) {
    char name[80];
    for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
        (void)snprintf(name, sizeof name, "%s.%s", lw_structure_name(lw_field_structure(f)),
                       lw_field_name(f));
        if (strlen(name) == length && memcmp(name, text, length) == 0) {
            *field = f;
            return true;
        }
    }
    return false;
}

static bool belongs(const lw_row *row, lw_field field) {
    for (uint32_t i = 0; i < row->module->register_count; i++) {
        if (row->module->registers[i].structure == lw_field_structure(field)) {
            return true;
        }
    }
    return false;
}

/* One decimal number and the text that must follow it. */
static bool part(const char **text, const char *after, uint64_t *value) {
    char *end = NULL;
    if (**text < '0' || **text > '9') {
        return false;
    }
    *value = strtoull(*text, &end, DECIMAL);
    const size_t length = strlen(after);
    *text = end + length;
    return length == 0 ? *end == '\0' : strncmp(end, after, length) == 0;
}

static bool parse_flip(const char *text, const lw_row *row, lw_flip *flip, lw_error *err) {
    const size_t name = strcspn(text, "[");
    const char *rest = text + name + 1;
    uint64_t index = 0, bit = 0;
    const bool parsed = text[name] == '[' && find_field(text, name, &flip->field) &&
                        part(&rest, "].", &index) && part(&rest, "@", &bit) &&
                        part(&rest, "", &flip->cycle);
    if (!parsed || !belongs(row, flip->field) || !lw_field_exists(row->hw, flip->field) ||
        index >= lw_structure_entries(row->hw, lw_field_structure(flip->field)) || bit > 63) {
        return lw_fail(err,
                       "INJECT '%s' names no register bit of %s; allowed: "
                       "STRUCTURE.FIELD[INDEX].BIT@CYCLE of its structures in state/registers.yaml",
                       text, row->name);
    }
    *flip = (lw_flip){true, flip->field, (uint32_t)index, (uint32_t)bit, flip->cycle};
    return true;
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
    for (int i = ARGUMENTS; i < argc; i++) {
        if (strcmp(argv[i], "--shares") == 0) {
            q.shares = true;
        } else if (!parse_flip(argv[i], q.row, &q.flip, err)) {
            return USAGE;
        }
    }
    q.functions = open_library(argv[4], err);
    return q.functions == NULL ? USAGE : (int)lw_module_run(&q, err);
}

int main(int argc, char **argv) {
    lw_error err = {""};
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
