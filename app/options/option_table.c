#include "app/options/option_table.h"

#include "app/options/option_values.h"

#include <stddef.h>

/* Which commands take an option. */
#define RUN (LW_COSIM | LW_SHRINK | LW_MODEL)
#define LOCKSTEP (LW_COSIM | LW_SHRINK)
#define FIGURES (LW_COSIM | LW_MODEL)
#define EVERY UINT32_MAX

/* How its value is taken. */
#define TEXT(field)                                                                                \
    { lw_take_text, offsetof(lw_options, field), 0, 0 }
#define FLAG(field)                                                                                \
    { lw_take_flag, offsetof(lw_options, field), 0, 0 }
#define NUMBER(field, lowest, most)                                                                \
    { lw_take_number, offsetof(lw_options, field), lowest, most }
#define BY(function)                                                                               \
    { function, 0, 0, 0 }
#define WITHIN(function, lowest, most)                                                             \
    { function, 0, lowest, most }

static const lw_option rows[] = {
    {"system", LW_OF_A_SYSTEM, BY(lw_take_system), "NAME|FILE",
     "the system: a name of `lockwalk systems`, or an .ini file [nha]", "systems"},
    {"workload", RUN | LW_HASHED, TEXT(run.workload), "NAME",
     "a kernel of `lockwalk workloads`, or a stream of it where requests run [mvt]", "workloads"},
    {"trace", RUN, TEXT(run.trace), "FILE|DIR",
     "an NVBit/Accel-Sim trace: kernelslist.g, its folder, or one kernel", NULL},
    {"stream", RUN, TEXT(run.stream), "FILE",
     "requests: `pasid vpn access [cycle [source]]` a line, or the records of a ChampSim trace",
     NULL},
    {"map", RUN, TEXT(run.map), "touched|arrays|FILE",
     "what a stream or trace has mapped: what it touches [touched], the arrays of a random stream, "
     "or the ranges of a file (docs/guide/streams.md)",
     NULL},
    {"through", RUN, BY(lw_take_through), "unit|tlbs",
     "a stream goes straight to the unit, or through the GPU's L1 and L2 TLBs [unit]", NULL},
    {"partial", RUN | LW_TRACE_INFO, FLAG(run.partial), NULL,
     "take what is whole of a stream or trace that is cut, and say how much that is", NULL},
    {"size", RUN | LW_TABLE | LW_CONTIGUITY | LW_HASHED, NUMBER(run.size, 1, UINT64_C(1) << 40),
     "N",
     "the kernel's N, or the pages of a stream's array [the paper's]; of `contiguity` the MiB of "
     "one array [128]",
     NULL},
    {"seed", RUN | LW_TABLE | LW_CONTIGUITY | LW_HASHED, NUMBER(run.seed, 0, INT64_MAX), "N",
     "of everything random [1]", NULL},
    {"max-requests", RUN | LW_TABLE, NUMBER(run.max_requests, 1, UINT64_C(1) << 62), "N",
     "end after N requests to the unit", NULL},
    {"max-iters", RUN | LW_TABLE, NUMBER(run.max_iters, 1, UINT64_C(1) << 40), "N",
     "cut the kernel's inner loops after N iterations, keeping the pitch", NULL},
    {"max-launches", RUN | LW_TABLE, NUMBER(run.max_launches, 1, UINT64_C(1) << 40), "N",
     "end after N kernel launches", NULL},
    {"max-groups", RUN | LW_TABLE, NUMBER(run.max_groups, 1, UINT64_C(1) << 31), "N",
     "run only the first N work-groups of each launch", NULL},
    {"mapping", RUN | LW_CONTIGUITY, TEXT(mapping), "POLICY",
     "contiguous, buddy:FRAG, memhog:FRAG, random or pagemap[:FILE]", NULL},
    {"pasids", RUN | LW_HASHED, WITHIN(lw_take_pasids, 1, 256), "N",
     "processes that run the kernel side by side, each its own address space", NULL},
    {"local", LW_HASHED, NUMBER(local, 1, 100), "PERCENT",
     "so much of each process's pages is in the GPU's memory, the rest are remote [100]", NULL},
    {"factor", LW_HASHED, NUMBER(factor, 100, 1000), "PERCENT",
     "the factor m of the load factor at which remote entries are evicted, in percent [120]", NULL},
    {"set", LW_OF_A_SYSTEM, BY(lw_take_setting), "KEY=VALUE",
     "change a value of the system (`lockwalk systems --keys`); repeatable", "keys"},
    {"remap", RUN, TEXT(remap), "N",
     "page-table changes in 10000 cycles, while the kernel runs [the system's]", NULL},
    {"json", FIGURES | LW_HASHED, TEXT(json), "FILE", "the figures as JSON (docs/json.md)", NULL},
    {"energy", FIGURES, TEXT(energy_file), "FILE",
     "the dynamic energy of the translation path by a table of energies, as those of "
     "systems/energy/",
     NULL},
    {"coverage", FIGURES, TEXT(coverage), "FILE",
     "which corners of the unit the run has reached, as JSON (docs/json.md)", NULL},
    {"stages", FIGURES, FLAG(stages), NULL,
     "how long the requests are in each stage of their way, by kernel, also in --json", NULL},
    {"neighbours", FIGURES, FLAG(run.neighbours), NULL,
     "how many requests meet another one near them in the tables (NHA Figures 5 and 6), in --json",
     NULL},
    {"konata", FIGURES, TEXT(konata), "FILE",
     "the stages of each request of a window, for the viewer Konata", NULL},
    {"perfetto", FIGURES, TEXT(perfetto), "FILE",
     "the same as a Chrome trace, for the viewer Perfetto", NULL},
    {"trace-from", FIGURES, NUMBER(trace_from, 0, INT64_MAX), "CYCLE",
     "the window of these two: requests from this cycle on [0]", NULL},
    {"trace-to", FIGURES, NUMBER(trace_to, 0, INT64_MAX), "CYCLE",
     "... up to this cycle, each to its end [9999 cycles later]", NULL},
    {"systems", LW_TABLE, TEXT(systems), "LIST",
     "these instead: names or .ini files, the first is what they are held to", "systems"},
    {"workloads", LW_TABLE, TEXT(workloads), "LIST",
     "these instead: kernels and streams, those of a comparison with its cuts", "workloads"},
    {"whole", LW_TABLE, FLAG(whole), NULL,
     "kernels without cuts, on the C twin alone: what the cuts are held to", NULL},
    {"jobs", LW_TABLE, NUMBER(jobs, 1, 1024), "N",
     "so many runs at a time, each in a process of its own [the processors]", NULL},
    {"counters", LW_TABLE, TEXT(counters), "LIST", "these counters too (docs/json.md)", "counters"},
    {"csv", LW_TABLE | LW_CONTIGUITY, TEXT(csv), "FILE",
     "the figures as lines of CSV, added to the file", NULL},
    {"max-cycles", RUN, NUMBER(max_cycles, 1, UINT64_MAX), "N",
     "end after N cycles, wherever the run is then", NULL},
    {"waves", FIGURES, TEXT(waves), "FILE",
     "FST waves of the RTL; of a FILE.vcd, the registers of both sides beside each other", NULL},
    {"waves-from", FIGURES, NUMBER(waves_from, 0, UINT64_MAX - 1), "CYCLE",
     "the first cycle of the waves [0]", NULL},
    {"waves-to", FIGURES, NUMBER(waves_to, 1, UINT64_MAX - 1), "CYCLE",
     "the last cycle of the waves [the run's]", NULL},
    {"log", FIGURES, TEXT(log), "FILE", "every port event as a line", NULL},
    {"inject", LOCKSTEP, TEXT(inject), "SPEC",
     "flip a bit of an RTL register: STRUCTURE[index].FIELD.bit@cycle", NULL},
    {"inject-twin", RUN, TEXT(inject_twin), "SPEC", "flip a bit of a register of the C twin", NULL},
    {"resets", RUN, NUMBER(resets, 1, 1000), "N",
     "reset the unit N times in mid-run, at cycles drawn from the seed; the environment starts "
     "over each time",
     NULL},
    {"netlist", LOCKSTEP, TEXT(netlist), "DIR",
     "the RTL's side is the netlist that `make synth` left in DIR; registers are not compared",
     NULL},
    {"rtl", LOCKSTEP, TEXT(rtl), "DIR|FILE.f",
     "the RTL's side is a design of one's own with the ports of rtl/iommu.sv: the sources that "
     "FILE.f, or files.f in DIR, lists",
     NULL},
    {"registers", LOCKSTEP, TEXT(register_file), "FILE",
     "where the design of --rtl keeps registers: lines `STRUCTURE.FIELD instance.name`, or `-` for "
     "none (dpi/register_map.h)",
     NULL},
    {"keep", LW_COSIM, FLAG(keep), NULL,
     "add the run to tests/regressions.list, which `make test` replays, if it fails", NULL},
    {"random-start", LOCKSTEP, NUMBER(random_start, 1, INT32_MAX), "N",
     "what has no reset (R0.2) begins in the RTL as random bits of seed N; registers are not "
     "compared",
     NULL},
    {"nets", LOCKSTEP, BY(lw_take_nets), "LIST",
     "the nets that are on: ports,state,oracle [all]; for tests of the nets", NULL},
    {"progress", EVERY, BY(lw_take_progress), NULL, "show progress on stderr [if it is a terminal]",
     NULL},
    {"no-progress", EVERY, BY(lw_take_no_progress), NULL, "show none", NULL},
    {"keys", LW_SYSTEMS, FLAG(keys), NULL, "list the keys of a system with their ranges", NULL},
    {"show", LW_SYSTEMS, BY(lw_take_show), "NAME|FILE",
     "print the values of a system, as an .ini file", "systems"},
    {"parameters", LW_SYSTEMS, FLAG(parameters), NULL,
     "print the RTL's parameters in --system as -GName=value, for other tools", NULL},
    {"help", EVERY, FLAG(help), NULL, "this", NULL},
    {"version", EVERY, FLAG(version), NULL,
     "the version and revision of the program, and its compiler", NULL},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

_Static_assert(ROWS <= LW_OPTIONS_MAX, "the table of options is longer than it may be");

const lw_option *lw_option_at(size_t i) {
    return i < ROWS ? &rows[i] : NULL;
}

bool lw_option_is_of(const lw_option *option, const lw_command *command) {
    return (option->commands & command->id) != 0;
}
