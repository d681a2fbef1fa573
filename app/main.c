#include "app/commands/commands.h"
#include "app/host/output.h"
#include "app/versions.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static const lw_command commands[] = {
    {"cosim", "", "RTL and C twin in lockstep, every port and register compared in every cycle",
     lw_command_cosim, LW_COSIM, 0},
    {"shrink", "", "the shortest stream and the fewest pages with which a failing run still fails",
     lw_command_shrink, LW_SHRINK, 0},
    {"model", "", "the C twin alone, same arguments, same figures", lw_command_model, LW_MODEL, 0},
    {"table", "[nha|mesc]", "kernels on systems in lockstep: what each mechanism saves",
     lw_command_table, LW_TABLE, 1},
    {"compare", "FILE FILE",
     "two runs of the same work, by their JSON: what differs, in which stage", lw_command_compare,
     LW_PLAIN, 2},
    {"bench", "", "speed of twin, RTL and lockstep, and cycles a translation, as ratios of one run",
     lw_command_bench, LW_PLAIN, 0},
    {"systems", "", "the systems, a line each", lw_command_systems, LW_SYSTEMS, 0},
    {"registers", "", "the registers of a system: what a mismatch names and --inject can flip",
     lw_command_registers, LW_REGISTERS, 0},
    {"workloads", "", "the kernels and streams, a line each", lw_command_workloads, LW_PLAIN, 0},
    {"trace-info", "FILE|DIR", "what an NVBit/Accel-Sim trace holds", lw_command_trace_info,
     LW_TRACE_INFO, 1},
    {"contiguity", "", "how contiguous the frames of --size MiB are under --mapping [pagemap, 128]",
     lw_command_contiguity, LW_CONTIGUITY, 0},
    {"hashed", "", "how a kernel's pages lie in a hashed page table of FS-HPT's size",
     lw_command_hashed, LW_HASHED, 0},
    {"man", "", "the manual page of this program, as `man -l` reads it", lw_command_man, LW_PLAIN,
     0},
    {"completion", "bash", "completions for a shell: `. <(lockwalk completion bash)`",
     lw_command_completion, LW_PLAIN, 1},
    {NULL, NULL, NULL, NULL, 0, 0},
};

/* Where one of the three standard streams is closed, the first file that is opened would take its
 * place, and the figures would go into it. */
static void keep_streams(void) {
    int fd = 0;
    do {
        fd = open("/dev/null", O_RDONLY);
    } while (fd >= 0 && fd <= STDERR_FILENO);
    (void)close(fd);
}

static int run(const lw_options *options) {
    if (options->help) {
        lw_options_help(stdout, commands, options->command);
        return 0;
    }
    if (options->version) {
        const char *revision = lw_revision();
        (void)printf("lockwalk %s, revision %s, %s\n", LW_VERSION,
                     revision == NULL ? "unknown" : revision, LW_COMPILER);
        return 0;
    }
    return options->command->run(options);
}

int main(int argc, char **argv) {
    static lw_options options;
    lw_error err = {0};
    keep_streams();
    (void)signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is a write that fails */
    if (argc < 2) {
        lw_options_help(stderr, commands, NULL);
        return 2;
    }
    if (!lw_options_parse(&options, commands, argc, argv, &err)) {
        return lw_refuse(&err);
    }
    const int status = run(&options);
    if (!lw_output_flush(&err)) {
        const int refused = lw_refuse(&err);
        return status == 0 ? refused : status;
    }
    return status;
}
