#include "app/options.h"

#include "app/project_root.h"
#include "app/run_check.h"
#include "common/number.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct option_row {
    const char *name;
    int letter;
    const char *argument; /* NULL: takes none */
    const char *help;
} option_row;

static const option_row rows[] = {
    {"system", 's', "NAME|FILE", "the system: a name of `lockwalk systems`, or an .ini file [nha]"},
    {"workload", 'w', "NAME", "a kernel or stream of `lockwalk workloads` [mvt]"},
    {"trace", 't', "FILE|DIR",
     "an NVBit/Accel-Sim trace: kernelslist.g, its folder, or one kernel"},
    {"stream", 'r', "FILE",
     "requests: `pasid vpn access [cycle [source]]` a line, or the records of a ChampSim trace"},
    {"map", 'M', "touched|arrays|FILE",
     "what a stream or trace has mapped: what it touches [touched], the arrays of a random stream, "
     "or the ranges of a file (docs/guide.md)"},
    {"through", 'T', "unit|tlbs",
     "a stream goes straight to the unit, or through the GPU's L1 and L2 TLBs [unit]"},
    {"partial", 'W', NULL,
     "take what is whole of a stream or trace that is cut, and say how much that is"},
    {"size", 'n', "N", "the kernel's N, or the pages of a stream's array [the paper's]"},
    {"seed", 'e', "N", "of everything random [1]"},
    {"max-requests", 'm', "N", "end after N requests to the unit"},
    {"max-iters", 'i', "N", "cut the kernel's inner loops after N iterations, keeping the pitch"},
    {"max-launches", 'c', "N", "end after N kernel launches"},
    {"max-groups", 'g', "N", "run only the first N work-groups of each launch"},
    {"mapping", 'p', "POLICY", "contiguous, buddy:FRAG, memhog:FRAG, random or pagemap[:FILE]"},
    {"pasids", 'a', "N", "processes that run the kernel side by side, each its own address space"},
    {"set", 'k', "KEY=VALUE",
     "change a value of the system (`lockwalk systems --keys`); repeatable"},
    {"remap", 'b', "N", "page-table changes in 10000 cycles, while the kernel runs [the system's]"},
    {"json", 'j', "FILE", "the figures as JSON (docs/json.md)"},
    {"coverage", 'q', "FILE",
     "which corners of the unit the run has reached, as JSON (docs/json.md)"},
    {"systems", 'X', "LIST",
     "these instead: names or .ini files, the first is what they are held to"},
    {"workloads", 'Y', "LIST", "these instead: kernels, those of a comparison with its cuts"},
    {"counters", 'U', "LIST", "these counters too (docs/json.md)"},
    {"csv", 'v', "FILE", "the figures as lines of CSV, added to the file"},
    {"waves", 'f', "FILE", "FST waves of the whole run"},
    {"log", 'l', "FILE", "every port event as a line"},
    {"inject", 'x', "SPEC", "flip a bit of an RTL register: STRUCTURE[index].FIELD.bit@cycle"},
    {"inject-twin", 'y', "SPEC", "flip a bit of a register of the C twin"},
    {"resets", 'Z', "N",
     "reset the unit N times in mid-run, at cycles drawn from the seed; the environment starts "
     "over each time"},
    {"netlist", 'N', "DIR",
     "the RTL's side is the netlist that `make synth` left in DIR; registers are not compared"},
    {"random-start", 'S', "N",
     "what has no reset (R0.2) begins in the RTL as random bits of seed N; registers are not "
     "compared"},
    {"nets", 'o', "LIST", "the nets that are on: ports,state,oracle [all]; for tests of the nets"},
    {"progress", 'P', NULL, "show progress on stderr [if it is a terminal]"},
    {"no-progress", 'Q', NULL, "show none"},
    {"keys", 'K', NULL, "list the keys of a system with their ranges"},
    {"show", 'D', "NAME|FILE", "print the values of a system, as an .ini file"},
    {"rtl", 'R', NULL, "print the RTL's parameters in --system as -GName=value, for other tools"},
    {"help", 'h', NULL, "this"},
    {"version", 'V', NULL, "the versions of the program and its tools"},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static const option_row *row_of(int letter) {
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].letter == letter) {
            return &rows[i];
        }
    }
    return NULL;
}

static bool parse_number(const option_row *row, const char *text, uint64_t lowest, uint64_t most,
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

static bool take(lw_options *o, const option_row *row, const char *text, lw_error *err) {
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
    case 'f':
        o->waves = text;
        return true;
    case 'l':
        o->log = text;
        return true;
    case 'x':
    case 'y': {
        const char **flip = row->letter == 'x' ? &o->inject : &o->inject_twin;
        if (*flip != NULL) {
            return lw_fail(err, "--%s: it stands twice; a run flips one bit of a side", row->name);
        }
        *flip = text;
        return true;
    }
    case 'Z':
        return parse_number(row, text, 1, 1000, &o->resets, err);
    case 'N':
        o->netlist = text;
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
        o->rtl = true;
        return true;
    case 'h':
        o->help = true;
        return true;
    default:
        o->version = true;
        return true;
    }
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
    if (strchr(o->command->accepts, '1') == NULL || o->operand != NULL) {
        return lw_fail(err, "\"%s\": %s takes no such operand; see `lockwalk %s --help`", text,
                       o->command->name, o->command->name);
    }
    o->operand = text;
    return true;
}

static bool read_options(lw_options *o, int argc, char **argv, lw_error *err) {
    struct option table[ROWS + 1];
    memset(table, 0, sizeof table);
    for (size_t i = 0; i < ROWS; i++) {
        table[i].name = rows[i].name;
        table[i].has_arg = rows[i].argument == NULL ? no_argument : required_argument;
        table[i].val = rows[i].letter;
    }
    opterr = 0;
    int letter = 0;
    int at = optind;
    while ((letter = getopt_long(argc, argv, "-:", table, NULL)) != -1) {
        const char *text = argv[at]; /* several letters may be one argument */
        const bool is_long = strncmp(text, "--", 2) == 0;
        const option_row *row = row_of(letter != '?' ? letter : is_long ? optopt : 0);
        at = optind;
        if (letter == 1) {
            if (!take_operand(o, optarg, err)) {
                return false;
            }
        } else if (letter == ':') {
            return lw_fail(err, "%s: a value is missing", text);
        } else if (row == NULL || (strchr("hVPQ", row->letter) == NULL &&
                                   strchr(o->command->accepts, row->letter) == NULL)) {
            return lw_fail(err, "%s: %s has no such option; `lockwalk %s --help` lists them", text,
                           o->command->name, o->command->name);
        } else if (letter == '?') {
            return lw_fail(err, "%s: --%s takes no value", text, row->name);
        } else if (!take(o, row, optarg, err)) {
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
    o->argc = argc - 1;
    o->argv = argv + 1;
    o->run.seed = 1;
    o->system_name = "nha";
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
    return lw_run_check(o, err) && lw_options_system(o, err);
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
    for (size_t i = 0; i < ROWS; i++) {
        char left[40];
        if (strchr("hVPQ", rows[i].letter) == NULL &&
            strchr(command->accepts, rows[i].letter) == NULL) {
            continue;
        }
        (void)snprintf(left, sizeof left, "--%s %s", rows[i].name,
                       rows[i].argument == NULL ? "" : rows[i].argument);
        (void)fprintf(file, "  %-24s %s\n", left, rows[i].help);
    }
}
