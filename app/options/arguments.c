#include "app/options/arguments.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* An option with its value as one word of a shell; nothing where it is not given. */
static void print_option(FILE *file, const char *option, const char *value) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./:,=@%+-";
    if (value == NULL) {
        return;
    }
    (void)fprintf(file, " --%s ", option);
    if (value[0] != '\0' && value[strspn(value, plain)] == '\0') {
        (void)fprintf(file, "%s", value);
        return;
    }
    (void)fputc('\'', file);
    for (; *value != '\0'; value++) {
        (void)fprintf(file, *value == '\'' ? "'\\''" : "%c", *value);
    }
    (void)fputc('\'', file);
}

/* The same with a path that is right from every folder. */
static void print_path(FILE *file, const char *option, const char *path) {
    char whole[PATH_MAX];
    print_option(file, option, path != NULL && realpath(path, whole) != NULL ? whole : path);
}

void lw_print_arguments(FILE *file, const lw_options *o) {
    const lw_run *run = &o->run;
    if (strstr(o->system_name, ".ini") != NULL) {
        print_path(file, "system", o->system_name);
    } else {
        print_option(file, "system", o->system_name);
    }
    print_option(file, "workload", run->workload);
    print_path(file, "trace", run->trace);
    print_path(file, "stream", run->stream);
    (void)fprintf(file, " --seed %" PRIu64, run->seed);
    const struct {
        const char *option;
        uint64_t value;
    } numbers[] = {
        {"size", run->size},
        {"max-requests", run->max_requests},
        {"max-iters", run->max_iters},
        {"max-launches", run->max_launches},
        {"max-groups", run->max_groups},
        {"pasids", run->processes},
        {"resets", o->resets},
        {"random-start", o->random_start},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (numbers[i].value != 0) {
            (void)fprintf(file, " --%s %" PRIu64, numbers[i].option, numbers[i].value);
        }
    }
    for (size_t i = 0; i < o->settings; i++) {
        print_option(file, "set", o->setting[i]);
    }
    print_option(file, "remap", o->remap);
    print_option(file, "mapping", o->mapping);
    if (run->map != NULL && strcmp(run->map, "touched") != 0 && strcmp(run->map, "arrays") != 0) {
        print_path(file, "map", run->map);
    } else {
        print_option(file, "map", run->map);
    }
    (void)fprintf(file, "%s", run->partial ? " --partial" : "");
    print_option(file, "through", o->through);
}

static void print_nets(FILE *file, uint32_t off) {
    static const char *const names[] = {"ports", "state", "oracle"};
    const char *before = " --nets ";
    for (uint32_t net = 0; off != 0 && net < 3; net++) {
        if ((off >> net & 1) == 0) {
            (void)fprintf(file, "%s%s", before, names[net]);
            before = ",";
        }
    }
}

void lw_print_sides(FILE *file, const lw_options *o) {
    print_nets(file, o->nets_off);
    print_path(file, "netlist", o->netlist);
    print_path(file, "rtl", o->rtl);
    print_path(file, "registers", o->register_file);
    print_option(file, "inject", o->inject);
    print_option(file, "inject-twin", o->inject_twin);
}
