#include "app/option_table.h"

#include <string.h>

static const lw_option rows[] = {
    {"system", 's', "NAME|FILE", "the system: a name of `lockwalk systems`, or an .ini file [nha]",
     "systems"},
    {"workload", 'w', "NAME", "a kernel or stream of `lockwalk workloads` [mvt]", "workloads"},
    {"trace", 't', "FILE|DIR", "an NVBit/Accel-Sim trace: kernelslist.g, its folder, or one kernel",
     NULL},
    {"stream", 'r', "FILE",
     "requests: `pasid vpn access [cycle [source]]` a line, or the records of a ChampSim trace",
     NULL},
    {"map", 'M', "touched|arrays|FILE",
     "what a stream or trace has mapped: what it touches [touched], the arrays of a random stream, "
     "or the ranges of a file (docs/guide.md)",
     NULL},
    {"through", 'T', "unit|tlbs",
     "a stream goes straight to the unit, or through the GPU's L1 and L2 TLBs [unit]", NULL},
    {"partial", 'W', NULL,
     "take what is whole of a stream or trace that is cut, and say how much that is", NULL},
    {"size", 'n', "N", "the kernel's N, or the pages of a stream's array [the paper's]", NULL},
    {"seed", 'e', "N", "of everything random [1]", NULL},
    {"max-requests", 'm', "N", "end after N requests to the unit", NULL},
    {"max-iters", 'i', "N", "cut the kernel's inner loops after N iterations, keeping the pitch",
     NULL},
    {"max-launches", 'c', "N", "end after N kernel launches", NULL},
    {"max-groups", 'g', "N", "run only the first N work-groups of each launch", NULL},
    {"mapping", 'p', "POLICY", "contiguous, buddy:FRAG, memhog:FRAG, random or pagemap[:FILE]",
     NULL},
    {"pasids", 'a', "N", "processes that run the kernel side by side, each its own address space",
     NULL},
    {"local", '3', "PERCENT",
     "so much of each process's pages is in the GPU's memory, the rest are remote [100]", NULL},
    {"factor", '4', "PERCENT",
     "the factor m of the load factor at which remote entries are evicted, in percent [120]", NULL},
    {"set", 'k', "KEY=VALUE",
     "change a value of the system (`lockwalk systems --keys`); repeatable", "keys"},
    {"remap", 'b', "N", "page-table changes in 10000 cycles, while the kernel runs [the system's]",
     NULL},
    {"json", 'j', "FILE", "the figures as JSON (docs/json.md)", NULL},
    {"energy", 'J', "FILE",
     "the dynamic energy of the translation path by a table of energies, as those of "
     "systems/energy/",
     NULL},
    {"coverage", 'q', "FILE",
     "which corners of the unit the run has reached, as JSON (docs/json.md)", NULL},
    {"stages", 'A', NULL,
     "how long the requests are in each stage of their way, by kernel, also in --json", NULL},
    {"neighbours", 'L', NULL,
     "how many requests meet another one near them in the tables (NHA Figures 5 and 6), in --json",
     NULL},
    {"konata", 'O', "FILE", "the stages of each request of a window, for the viewer Konata", NULL},
    {"perfetto", 'F', "FILE", "the same as a Chrome trace, for the viewer Perfetto", NULL},
    {"trace-from", 'B', "CYCLE", "the window of these two: requests from this cycle on [0]", NULL},
    {"trace-to", 'E', "CYCLE", "... up to this cycle, each to its end [9999 cycles later]", NULL},
    {"systems", 'X', "LIST",
     "these instead: names or .ini files, the first is what they are held to", "systems"},
    {"workloads", 'Y', "LIST", "these instead: kernels, those of a comparison with its cuts",
     "workloads"},
    {"whole", 'I', NULL, "kernels without cuts, on the C twin alone: what the cuts are held to",
     NULL},
    {"jobs", '5', "N", "so many runs at a time, each in a process of its own [the processors]",
     NULL},
    {"counters", 'U', "LIST", "these counters too (docs/json.md)", "counters"},
    {"csv", 'v', "FILE", "the figures as lines of CSV, added to the file", NULL},
    {"max-cycles", 'C', "N", "end after N cycles, wherever the run is then", NULL},
    {"waves", 'f', "FILE",
     "FST waves of the RTL; of a FILE.vcd, the registers of both sides beside each other", NULL},
    {"waves-from", 'd', "CYCLE", "the first cycle of the waves [0]", NULL},
    {"waves-to", 'z', "CYCLE", "the last cycle of the waves [the run's]", NULL},
    {"log", 'l', "FILE", "every port event as a line", NULL},
    {"inject", 'x', "SPEC", "flip a bit of an RTL register: STRUCTURE[index].FIELD.bit@cycle",
     NULL},
    {"inject-twin", 'y', "SPEC", "flip a bit of a register of the C twin", NULL},
    {"resets", 'Z', "N",
     "reset the unit N times in mid-run, at cycles drawn from the seed; the environment starts "
     "over each time",
     NULL},
    {"netlist", 'N', "DIR",
     "the RTL's side is the netlist that `make synth` left in DIR; registers are not compared",
     NULL},
    {"rtl", 'u', "DIR|FILE.f",
     "the RTL's side is a design of one's own with the ports of rtl/iommu.sv: the sources that "
     "FILE.f, or files.f in DIR, lists",
     NULL},
    {"registers", 'G', "FILE",
     "where the design of --rtl keeps registers: lines `STRUCTURE.FIELD instance.name`, or `-` for "
     "none (dpi/register_map.h)",
     NULL},
    {"keep", 'H', NULL,
     "add the run to tests/regressions.list, which `make test` replays, if it fails", NULL},
    {"random-start", 'S', "N",
     "what has no reset (R0.2) begins in the RTL as random bits of seed N; registers are not "
     "compared",
     NULL},
    {"nets", 'o', "LIST", "the nets that are on: ports,state,oracle [all]; for tests of the nets",
     NULL},
    {"progress", 'P', NULL, "show progress on stderr [if it is a terminal]", NULL},
    {"no-progress", 'Q', NULL, "show none", NULL},
    {"keys", 'K', NULL, "list the keys of a system with their ranges", NULL},
    {"show", 'D', "NAME|FILE", "print the values of a system, as an .ini file", "systems"},
    {"parameters", 'R', NULL,
     "print the RTL's parameters in --system as -GName=value, for other tools", NULL},
    {"help", 'h', NULL, "this", NULL},
    {"version", 'V', NULL, "the versions of the program and its tools", NULL},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

_Static_assert(ROWS <= LW_OPTIONS_MAX, "the table of options is longer than it may be");

const lw_option *lw_option_at(size_t i) {
    return i < ROWS ? &rows[i] : NULL;
}

const lw_option *lw_option_of(int letter) {
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].letter == letter) {
            return &rows[i];
        }
    }
    return NULL;
}

bool lw_option_is_of(const lw_option *option, const lw_command *command) {
    return strchr("hVPQ", option->letter) != NULL ||
           strchr(command->accepts, option->letter) != NULL;
}
