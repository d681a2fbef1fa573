#include "app/options.h"

#include "app/option_table.h"
#include "app/project_root.h"
#include "app/run_check.h"
#include "common/number.h"

#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool parse_number(const lw_option *row, const char *text, uint64_t lowest, uint64_t most,
                         uint64_t *value, lw_error *err) {
    const char *end = text;
    if (!lw_number_read(&end, most, value) || *end != '\0' || *value < lowest) {
        return lw_fail(
            err, "--%s: \"%s\" is not allowed; it takes a whole number in %" PRIu64 "..%" PRIu64,
            row->name, text, lowest, most);
    }
    return true;
}

static bool parse_nets(const char *text, uint32_t *off, lw_error *err) {
    static const char *const names[] = {"ports", "state", "oracle"};
    *off = LW_NETS;
    for (const char *at = text; *at != '\0';) {
        size_t n = strcspn(at, ",");
        size_t i = 0;
        while (i < 3 && (strlen(names[i]) != n || strncmp(at, names[i], n) != 0)) {
            i++;
        }
        if (i == 3) {
            return lw_fail(err, "--nets: \"%s\" is not a list of ports, state, oracle", text);
        }
        *off &= ~(1u << i);
        at += n + (at[n] == ',' && at[n + 1] != '\0');
    }
    return *off != LW_NETS || lw_fail(err, "--nets: names none; allowed: ports, state, oracle");
}

static bool take(lw_options *o, const lw_option *row, const char *text, lw_error *err) {
    uint64_t value = 0;
    switch (row->letter) {
    case 'D':
    case 's':
        o->show = o->show || row->letter == 'D';
        o->system_name = text;
        return true;
    case 'w':
        o->run.workload = text;
        return true;
    case 't':
        o->run.trace = text;
        return true;
    case 'r':
        o->run.stream = text;
        return true;
    case 'M':
        o->run.map = text;
        return true;
    case 'T':
        o->through = text;
        o->run.through_tlbs = strcmp(text, "tlbs") == 0;
        return o->run.through_tlbs || strcmp(text, "unit") == 0 ||
               lw_fail(err, "--through: \"%s\" is not allowed; unit or tlbs is", text);
    case 'W':
        o->run.partial = true;
        return true;
    case 'n':
        return parse_number(row, text, 1, UINT64_C(1) << 40, &o->run.size, err);
    case 'e':
        return parse_number(row, text, 0, INT64_MAX, &o->run.seed, err);
    case 'm':
        return parse_number(row, text, 1, UINT64_C(1) << 62, &o->run.max_requests, err);
    case 'i':
        return parse_number(row, text, 1, UINT64_C(1) << 40, &o->run.max_iters, err);
    case 'c':
        return parse_number(row, text, 1, UINT64_C(1) << 40, &o->run.max_launches, err);
    case 'g':
        return parse_number(row, text, 1, UINT64_C(1) << 31, &o->run.max_groups, err);
    case 'a':
        if (!parse_number(row, text, 1, 256, &value, err)) {
            return false;
        }
        o->run.processes = (uint32_t)value;
        return true;
    case '3':
        return parse_number(row, text, 1, 100, &o->local, err);
    case '5':
        return parse_number(row, text, 1, 1024, &o->jobs, err);
    case '4':
        return parse_number(row, text, 100, 1000, &o->factor, err);
    case 'p':
        o->mapping = text;
        return true;
    case 'b':
        o->remap = text;
        return true;
    case 'v':
        o->csv = text;
        return true;
    case 'X':
        o->systems = text;
        return true;
    case 'Y':
        o->workloads = text;
        return true;
    case 'U':
        o->counters = text;
        return true;
    case 'I':
        o->whole = true;
        return true;
    case 'k':
        if (o->settings == LW_SETTINGS_MAX) {
            return lw_fail(err, "--set: at most %d of them", LW_SETTINGS_MAX);
        }
        o->setting[o->settings++] = text;
        return true;
    case 'j':
        o->json = text;
        return true;
    case 'q':
        o->coverage = text;
        return true;
    case 'J':
        o->energy_file = text;
        return true;
    case 'A':
        o->stages = true;
        return true;
    case 'L':
        o->run.neighbours = true;
        return true;
    case 'O':
        o->konata = text;
        return true;
    case 'F':
        o->perfetto = text;
        return true;
    case 'B':
    case 'E':
        return parse_number(row, text, 0, INT64_MAX,
                            row->letter == 'B' ? &o->trace_from : &o->trace_to, err);
    case 'f':
        o->waves = text;
        return true;
    case 'l':
        o->log = text;
        return true;
    case 'x':
        o->inject = text;
        return true;
    case 'y':
        o->inject_twin = text;
        return true;
    case 'Z':
        return parse_number(row, text, 1, 1000, &o->resets, err);
    case 'N':
        o->netlist = text;
        return true;
    case 'u':
        o->rtl = text;
        return true;
    case 'C':
        return parse_number(row, text, 1, UINT64_MAX, &o->max_cycles, err);
    case 'd':
        return parse_number(row, text, 0, UINT64_MAX - 1, &o->waves_from, err);
    case 'z':
        return parse_number(row, text, 1, UINT64_MAX - 1, &o->waves_to, err);
    case 'H':
        o->keep = true;
        return true;
    case 'G':
        o->register_file = text;
        return true;
    case 'S':
        return parse_number(row, text, 1, INT32_MAX, &o->random_start, err);
    case 'o':
        return parse_nets(text, &o->nets_off, err);
    case 'P':
    case 'Q':
        o->progress = row->letter == 'P';
        return true;
    case 'K':
        o->keys = true;
        return true;
    case 'R':
        o->parameters = true;
        return true;
    case 'h':
        o->help = true;
        return true;
    default:
        o->version = true;
        return true;
    }
}

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
    const bool one = strchr(o->command->accepts, '1') != NULL;
    const bool two = strchr(o->command->accepts, '2') != NULL;
    if (o->operand != NULL ? !two || o->second != NULL : !one && !two) {
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
static bool stands_once(bool seen[UCHAR_MAX + 1], const lw_option *row, lw_error *err) {
    const bool before = seen[row->letter];
    seen[row->letter] = true;
    return !before || row->argument == NULL || row->letter == 'k' ||
           lw_fail(err, "--%s: it stands twice; allowed: once, only --set may be repeated",
                   row->name);
}

static bool read_options(lw_options *o, int argc, char **argv, lw_error *err) {
    struct option table[LW_OPTIONS_MAX + 1];
    const lw_option *known = NULL;
    bool seen[UCHAR_MAX + 1] = {false};
    memset(table, 0, sizeof table);
    for (size_t i = 0; (known = lw_option_at(i)) != NULL; i++) {
        table[i].name = known->name;
        table[i].has_arg = known->argument == NULL ? no_argument : required_argument;
        table[i].val = known->letter;
    }
    opterr = 0;
    int letter = 0;
    int at = optind;
    while ((letter = getopt_long(argc, argv, "-:", table, NULL)) != -1) {
        const char *text = argv[at]; /* several letters may be one argument */
        const bool is_long = strncmp(text, "--", 2) == 0;
        const lw_option *row = lw_option_of(letter != '?' ? letter : is_long ? optopt : 0);
        at = optind;
        if (letter == 1) {
            if (!take_operand(o, optarg, err)) {
                return false;
            }
        } else if (letter == ':') {
            return lw_fail(err, "%s: a value is missing", text);
        } else if (row == NULL || !lw_option_is_of(row, o->command)) {
            return lw_fail(err, "%s: %s has no such option; `lockwalk %s --help` lists them", text,
                           o->command->name, o->command->name);
        } else if (letter == '?') {
            return lw_fail(err, "%s: --%s takes no value", text, row->name);
        } else if (!stands_once(seen, row, err) || !is_named(row, optarg, err) ||
                   !take(o, row, optarg, err)) {
            return false;
        }
    }
    if (seen['s'] && seen['D']) {
        return lw_fail(err, "--system and --show: only one of them at a time");
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
    o->system_name = "nha";
    o->trace_to = UINT64_MAX;
    o->progress = isatty(STDERR_FILENO) != 0;
    if (!lw_project_root(o->root, sizeof o->root, err)) {
        return false;
    }
    o->help = argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0;
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
    if (o->help || o->version || strchr(o->command->accepts, 's') == NULL) {
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

void lw_options_help(FILE *file, const lw_command *commands, const lw_command *command) {
    if (command == NULL) {
        (void)fprintf(file, "Lockwalk: a GPU's IOMMU in SystemVerilog and in C, in lockstep.\n\n"
                            "lockwalk COMMAND [OPTIONS]\n\n");
        for (const lw_command *c = commands; c->name != NULL; c++) {
            (void)fprintf(file, "  %-11s %s\n", c->name, c->summary);
        }
        (void)fprintf(file,
                      "\n`lockwalk COMMAND --help` lists a command's options.\n"
                      "Exit status: 0 equal, 1 mismatch or failed check, 2 bad usage or input.\n");
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
