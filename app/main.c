#include "app/commands.h"
#include "app/versions.h"

#include <stdio.h>

static const lw_command commands[] = {
    {"cosim", "", "RTL and C twin in lockstep, every port and register compared in every cycle",
     lw_command_cosim, "swtrMTWnemicgpakbjqflxyoNSZ"},
    {"model", "", "the C twin alone, same arguments, same figures", lw_command_model,
     "swtrMTWnemicgpakbjqlyZ"},
    {"table", "[nha|mesc]", "kernels on systems in lockstep: what each mechanism saves",
     lw_command_table, "1nemiv"},
    {"bench", "", "speed of twin, RTL and lockstep, and cycles a translation, as ratios of one run",
     lw_command_bench, ""},
    {"systems", "", "the systems, a line each", lw_command_systems, "KRsk"},
    {"registers", "", "the registers of a system: what a mismatch names and --inject can flip",
     lw_command_registers, "sk"},
    {"workloads", "", "the kernels and streams, a line each", lw_command_workloads, ""},
    {"trace-info", "FILE|DIR", "what an NVBit/Accel-Sim trace holds", lw_command_trace_info, "1W"},
    {"contiguity", "", "how contiguous the frames of --size MiB are under --mapping [pagemap, 128]",
     lw_command_contiguity, "pnev"},
    {NULL, NULL, NULL, NULL, NULL},
};

int main(int argc, char **argv) {
    static lw_options options;
    lw_error err = {""};
    if (!lw_options_parse(&options, commands, argc, argv, &err)) {
        return lw_refuse(&err);
    }
    if (options.help) {
        lw_options_help(commands, options.command);
        return 0;
    }
    if (options.version) {
        (void)printf("lockwalk %s, %s\n", LW_VERSION, LW_COMPILER);
        return 0;
    }
    return options.command->run(&options);
}
