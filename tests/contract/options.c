#include "tests/contract/options.h"

#include "common/number.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const checks[LW_CHECKS] = {"answer", "oldfault", "rootless", "links",
                                              "error",  "owner",    "freed",    "starved",
                                              "port",   "record",   "contents", "lockstep"};

static const char *const acts[LW_ACTS] = {"roots", "free",  "features", "errors",
                                          "late",  "flood", "tangle",   "changes"};

static const struct option rows[] = {
    {"seeds", required_argument, NULL, 's'},
    {"cycles", required_argument, NULL, 'c'},
    {"only", required_argument, NULL, 'o'},
    {"set", required_argument, NULL, 'k'},
    {"without", required_argument, NULL, 'w'},
    {"failures", required_argument, NULL, 'f'},
    {"contents", required_argument, NULL, 't'},
    {"lie", required_argument, NULL, 'l'},
    {"system", required_argument, NULL, 'y'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

const char *lw_check_name(lw_check check) {
    return checks[check];
}

void lw_options_print_help(void) {
    (void)puts(
        "contract: random page tables, software and memory around the unit, judged by the "
        "contract\n"
        "  --seeds A..B     the runs, a seed each [1..100]\n"
        "  --cycles N       cycles of a run, before its tail [20000]\n"
        "  --only LIST      the checks that count: answer, oldfault, rootless, links, error, "
        "owner,\n"
        "                   freed, starved, port, record, contents, lockstep [all]\n"
        "  --without LIST   what does not happen: roots, free, features, errors, late, flood, "
        "tangle,\n"
        "                   changes [all of it does]\n"
        "  --set NAME=VALUE a parameter of chapter 13 that is not drawn; repeatable\n"
        "  --system NAME    all parameters are those of a system, and its RTL runs beside the "
        "twin,\n"
        "                   ports and registers compared in every cycle\n"
        "  --failures N     end after N failed runs [10]\n"
        "  --contents N     look into the unit's tables at each inv_done and every N cycles; 0: "
        "never\n"
        "                   [64]\n"
        "  --lie LIE        the tester's own test: the unit's ports are falsified; LIE is pfn, "
        "perm,\n"
        "                   size, links, kind, level, fields, id, error, rootless, rooted,\n"
        "                   canonical, oldfault, twice, lost, held, ready, shut, undone, done, "
        "stale,\n"
        "                   freed, tag, payload, line, record; or its registers: tlb, range, "
        "length,\n"
        "                   double, doublerange, partition, pwc, doublepwc, steps, stepac, "
        "steplow,\n"
        "                   stephigh, msc, mscnode, doublemsc, buffer, bufferlevel, bufferdone, "
        "picked,\n"
        "                   walker, walkeranswer, rank, pwcrank or mscrank;\n"
        "                   with --system also flip, a bit of the twin's\n"
        "  --help           this\n"
        "Exit status: 0 all is as the contract says, 1 something is not, or a provocation never\n"
        "happened (looked at from 200 runs on), 2 bad usage.");
}

static bool number(const char *name, const char *text, uint64_t least, uint64_t most,
                   uint64_t *value, lw_error *err) {
    const char *end = text;
    return (lw_number_read(&end, most, value) && *end == '\0' && *value >= least) ||
           lw_fail(err,
                   "--%s: \"%s\" is not allowed; it takes a whole number in %" PRIu64 "..%" PRIu64,
                   name, text, least, most);
}

static bool seeds(const char *text, lw_options *o, lw_error *err) {
    const char *at = text;
    bool good = lw_number_read(&at, UINT64_MAX - 1, &o->first);
    o->last = o->first;
    if (good && strncmp(at, "..", 2) == 0) {
        at += 2;
        good = lw_number_read(&at, UINT64_MAX - 1, &o->last);
    }
    return (good && *at == '\0' && o->first <= o->last) ||
           lw_fail(err, "--seeds: \"%s\" is not allowed; it takes A..B with A not above B, or A",
                   text);
}

/* A list of names, as bits. */
static bool list(const char *option, const char *text, const char *const *names, size_t count,
                 uint32_t *bits, lw_error *err) {
    *bits = 0;
    for (const char *at = text; *at != '\0';) {
        const size_t n = strcspn(at, ",");
        size_t i = 0;
        while (i < count && (strlen(names[i]) != n || strncmp(names[i], at, n) != 0)) {
            i++;
        }
        if (i == count) {
            return lw_fail(err, "--%s: \"%s\" is not a list of what --help names there", option,
                           text);
        }
        *bits |= 1u << i;
        at += n + (at[n] == ',');
    }
    return true;
}

static void repeat(lw_options *o, const char *name, const char *value) {
    const size_t used = strlen(o->again);
    (void)snprintf(o->again + used, sizeof o->again - used, " --%s %s", name, value);
}

static bool take(lw_options *o, int letter, lw_error *err) {
    uint64_t value = 0;
    switch (letter) {
    case 's':
        return seeds(optarg, o, err);
    case 'c':
        return number("cycles", optarg, 100, 1000000000, &o->cycles, err);
    case 'o':
        repeat(o, "only", optarg);
        return list("only", optarg, checks, LW_CHECKS, &o->checks, err);
    case 'w':
        repeat(o, "without", optarg);
        return list("without", optarg, acts, LW_ACTS, &o->without, err);
    case 'k':
        repeat(o, "set", optarg);
        if (o->settings == LW_SETTINGS) {
            return lw_fail(err, "--set: at most %d of them", LW_SETTINGS);
        }
        o->setting[o->settings++] = optarg;
        return true;
    case 'f':
        if (!number("failures", optarg, 1, UINT32_MAX, &value, err)) {
            return false;
        }
        o->failures = (uint32_t)value;
        return true;
    case 't':
        repeat(o, "contents", optarg);
        return number("contents", optarg, 0, UINT32_MAX, &o->contents, err);
    case 'y':
        repeat(o, "system", optarg);
        o->system = optarg;
        return true;
    case 'l':
        repeat(o, "lie", optarg);
        o->lie = optarg;
        return true;
    default:
        o->help = true;
        return true;
    }
}

bool lw_options_read(lw_options *o, int argc, char **argv, lw_error *err) {
    *o = (lw_options){.first = 1,
                      .last = 100,
                      .cycles = 20000,
                      .checks = (1u << LW_CHECKS) - 1,
                      .failures = 10,
                      .contents = 64};
    opterr = 0;
    int letter = 0;
    while ((letter = getopt_long(argc, argv, "-:", rows, NULL)) != -1) {
        if (letter == ':') {
            return lw_fail(err, "%s: a value is missing", argv[optind - 1]);
        }
        if (letter == 1 || letter == '?') {
            return lw_fail(err, "%s: there is no such option; --help lists them", argv[optind - 1]);
        }
        if (!take(o, letter, err)) {
            return false;
        }
    }
    return o->system == NULL || o->settings == 0 ||
           lw_fail(err, "--set: with --system all parameters are those of the system");
}
