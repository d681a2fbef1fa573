#include "app/options/options.h"

#include "app/host/interrupt.h"
#include "app/host/project_root.h"
#include "app/options/option_table.h"
#include "app/options/option_values.h"
#include "app/options/run_check.h"

#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool lw_options_are_vcd(const lw_options *o) {
    const size_t length = o->waves == NULL ? 0 : strlen(o->waves);
    return length > 4 && strcmp(o->waves + length - 4, ".vcd") == 0;
}

static bool check_inputs(const lw_options *o, lw_error *err) {
    int inputs = (o->run.workload != NULL) + (o->run.trace != NULL) + (o->run.stream != NULL);
    if (inputs > 1) {
        return lw_fail(err, "--workload, --trace and --stream: only one of them at a time");
    }
    if ((o->run.map != NULL || o->run.partial) && o->run.trace == NULL && o->run.stream == NULL) {
        return lw_fail(err, "--%s: goes with --stream or --trace; a kernel needs no such option",
                       o->run.map != NULL ? "map" : "partial");
    }
    if (o->through != NULL && o->run.stream == NULL) {
        return lw_fail(err, "--through: goes with --stream; kernels and traces run on the GPU");
    }
    if (o->waves == NULL && (o->waves_from != 0 || o->waves_to != 0)) {
        return lw_fail(err, "--waves-%s: goes with --waves", o->waves_to != 0 ? "to" : "from");
    }
    if (o->waves_to != 0 && o->waves_to < o->waves_from) {
        return lw_fail(err, "--waves-to: allowed: a cycle from --waves-from on");
    }
    if (o->waves != NULL && strcmp(o->command->name, "model") == 0 && !lw_options_are_vcd(o)) {
        return lw_fail(err,
                       "--waves: %s; allowed: a name that ends with .vcd, for the twin has no FST",
                       o->waves);
    }
    if (o->rtl != NULL && o->netlist != NULL) {
        return lw_fail(err, "--rtl and --netlist: only one of them at a time");
    }
    if (o->register_file != NULL && o->rtl == NULL) {
        return lw_fail(err, "--registers: goes with --rtl; Lockwalk's own are known");
    }
    if (o->konata == NULL && o->perfetto == NULL &&
        (o->trace_from != 0 || o->trace_to != UINT64_MAX)) {
        return lw_fail(err, "--trace-%s: goes with --konata or --perfetto, whose window it is",
                       o->trace_from != 0 ? "from" : "to");
    }
    if (o->trace_to < o->trace_from) {
        return lw_fail(err, "--trace-to: cycle %" PRIu64 " is before --trace-from, %" PRIu64,
                       o->trace_to, o->trace_from);
    }
    if (o->netlist != NULL && (o->inject != NULL || strchr(o->netlist, '\'') != NULL)) {
        return lw_fail(err, o->inject != NULL
                                ? "--inject: a netlist's registers have no names to flip bits by; "
                                  "leave out --netlist"
                                : "--netlist: the name of the folder must be without a '");
    }
    return true;
}

static const lw_command *find_command(const lw_command *commands, const char *name) {
    for (; commands->name != NULL; commands++) {
        if (strcmp(commands->name, name) == 0) {
            return commands;
        }
    }
    return NULL;
}

static bool take_operand(lw_options *o, const char *text, lw_error *err) {
    const uint32_t taken = (o->operand != NULL) + (o->second != NULL);
    if (taken == o->command->operands_max) {
        return lw_fail(err, "\"%s\": %s takes no such operand; see `lockwalk %s --help`", text,
                       o->command->name, o->command->name);
    }
    *(o->operand == NULL ? &o->operand : &o->second) = text;
    return true;
}

/* A file's name that is empty, as of a variable that is not set, would give odd sentences later. */
static bool is_named(const lw_option *row, const char *text, lw_error *err) {
    return row->argument == NULL || text[0] != '\0' || strstr(row->argument, "FILE") == NULL ||
           lw_fail(err, "--%s: the name of the file is empty", row->name);
}

/* Of two values one would be dropped without a word; what takes none means the same twice. */
static bool stands_once(bool *seen, const lw_option *row, lw_error *err) {
    const bool before = *seen;
    *seen = true;
    return !before || row->argument == NULL || row->value.take == lw_take_setting ||
           lw_fail(err, "--%s: it stands twice; allowed: once, only --set may be repeated",
                   row->name);
}

static bool read_options(lw_options *o, int argc, char **argv, lw_error *err) {
    enum { FIRST = UCHAR_MAX + 1 }; /* getopt's number of the first option: no character's */
    struct option table[LW_OPTIONS_MAX + 1];
    const lw_option *known = NULL;
    bool seen[LW_OPTIONS_MAX] = {false};
    memset(table, 0, sizeof table);
    for (int i = 0; (known = lw_option_at((size_t)i)) != NULL; i++) {
        table[i].name = known->name;
        table[i].has_arg = known->argument == NULL ? no_argument : required_argument;
        table[i].val = FIRST + i;
    }
    opterr = 0;
    int found = 0;
    int at = optind;
    while ((found = getopt_long(argc, argv, "-:h", table, NULL)) != -1) {
        const char *text = argv[at]; /* several letters may be one argument */
        const int number = found == '?' ? optopt : found;
        const lw_option *row = number >= FIRST ? lw_option_at((size_t)(number - FIRST)) : NULL;
        at = optind;
        if (found == 1) {
            if (!take_operand(o, optarg, err)) {
                return false;
            }
        } else if (found == 'h') {
            o->help = true;
        } else if (found == ':') {
            return lw_fail(err, "%s: a value is missing", text);
        } else if (row == NULL || !lw_option_is_of(row, o->command)) {
            return lw_fail(err, "%s: %s has no such option; `lockwalk %s --help` lists them", text,
                           o->command->name, o->command->name);
        } else if (found == '?') {
            return lw_fail(err, "%s: --%s takes no value", text, row->name);
        } else if (!stands_once(&seen[number - FIRST], row, err) || !is_named(row, optarg, err) ||
                   !row->value.take(o, row, optarg, err)) {
            return false;
        }
    }
    for (; optind < argc; optind++) { /* behind a -- */
        if (!take_operand(o, argv[optind], err)) {
            return false;
        }
    }
    return true;
}

bool lw_options_parse(lw_options *o, const lw_command *commands, int argc, char **argv,
                      lw_error *err) {
    memset(o, 0, sizeof *o);
    o->commands = commands;
    o->argc = argc - 1;
    o->argv = argv + 1;
    o->run.seed = 1;
    o->trace_to = UINT64_MAX;
    o->progress = isatty(STDERR_FILENO) != 0;
    if (!lw_project_root(o->root, sizeof o->root, err)) {
        return false;
    }
    o->help = argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
              strcmp(argv[1], "help") == 0;
    o->version = !o->help && strcmp(argv[1], "--version") == 0;
    if (o->help || o->version) {
        return argc <= 2 || lw_fail(err, "\"%s\": nothing may stand behind %s", argv[2], argv[1]);
    }
    o->command = find_command(commands, argv[1]);
    if (o->command == NULL) {
        return lw_fail(err, "\"%s\" is no command; `lockwalk --help` lists them", argv[1]);
    }
    if (!read_options(o, argc - 1, argv + 1, err)) {
        return false;
    }
    if (o->system_name == NULL) {
        o->system_name = "nha";
    }
    if (o->help || o->version || (o->command->id & LW_OF_A_SYSTEM) == 0) {
        return true;
    }
    if (!check_inputs(o, err)) {
        return false;
    }
    if (o->run.workload == NULL && o->run.trace == NULL && o->run.stream == NULL) {
        o->run.workload = "mvt";
    }
    return lw_run_check(o, err) && lw_options_system(o, err) && lw_run_check_inputs(o, err);
}

lw_session_options lw_options_session(const lw_options *o, lw_side side) {
    return (lw_session_options){.root = o->root,
                                .netlist = o->netlist,
                                .rtl = o->rtl,
                                .registers = o->rtl != NULL ? &o->registers : NULL,
                                .system = &o->system,
                                .run = &o->run,
                                .side = side,
                                .max_cycles = o->max_cycles,
                                .rtl_injection = o->rtl_injection,
                                .twin_injection = o->twin_injection,
                                .nets_off = o->nets_off,
                                .random_start = (int)o->random_start,
                                .resets = (uint32_t)o->resets,
                                .stop = lw_interrupt_watch()};
}

void lw_options_help(FILE *file, const lw_command *commands, const lw_command *command) {
    if (command == NULL) {
        (void)fprintf(file, "Lockwalk: a GPU's IOMMU in SystemVerilog and in C, in lockstep.\n\n"
                            "lockwalk COMMAND [OPTIONS]\n\n");
        for (const lw_command *c = commands; c->name != NULL; c++) {
            (void)fprintf(file, "  %-11s %s\n", c->name, c->summary);
        }
        (void)fprintf(file,
                      "\n`lockwalk COMMAND --help` lists a command's options.\n"
                      "Exit status: 0 equal, 1 mismatch or failed check, 2 bad usage or input, "
                      "128+N ended by signal N.\n");
        return;
    }
    (void)fprintf(file, "lockwalk %s%s%s [OPTIONS]\n%s\n\n", command->name,
                  command->operands[0] == '\0' ? "" : " ", command->operands, command->summary);
    const lw_option *row = NULL;
    for (size_t i = 0; (row = lw_option_at(i)) != NULL; i++) {
        char left[40];
        if (!lw_option_is_of(row, command)) {
            continue;
        }
        (void)snprintf(left, sizeof left, "--%s %s", row->name,
                       row->argument == NULL ? "" : row->argument);
        (void)fprintf(file, "  %-24s %s\n", left, row->help);
    }
}
