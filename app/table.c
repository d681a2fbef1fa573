#include "commands.h"

#include "json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The cut of each kernel that a minute of lockstep can run: the paper's sizes and pitches always,
 * fewer iterations of the inner loops or fewer launches. */
static const struct cut {
    const char *kernel;
    uint64_t max_iters, max_launches, max_groups;
} cuts[] = {
    {"mvt", 20, 0, 0}, {"atax", 20, 0, 0},   {"bicg", 12, 0, 0},       {"gesummv", 12, 0, 0},
    {"nw", 0, 160, 0}, {"hotspot", 0, 0, 0}, {"backprop", 0, 0, 4096},
};

static const char *const systems[] = {"baseline", "nha_leaf", "nha"};

enum { CUTS = sizeof cuts / sizeof cuts[0], SYSTEMS = sizeof systems / sizeof systems[0] };

static void print_row(const char *kernel, const char *system, const lw_session_result *r,
                      const lw_session_result *base) {
    const uint64_t *c = r->counters;
    uint64_t accesses = c[LW_C_PAGE_TABLE_ACCESSES];
    uint64_t base_accesses = base->counters[LW_C_PAGE_TABLE_ACCESSES];
    (void)printf("%-9s %-9s %9" PRIu64 " %10" PRIu64 " %9" PRIu64 " %6.3f %8" PRIu64
                 " %9.1f  %.2f %.2f %.2f %8.3f\n",
                 kernel, system, r->requests, r->compared_cycles, accesses,
                 base_accesses == 0 ? 0.0 : (double)accesses / (double)base_accesses, c[LW_C_WALKS],
                 lw_walk_latency_mean(r), lw_rate(r->front.l1_hits, r->front.l1_misses),
                 lw_rate(r->front.l2_hits, r->front.l2_misses),
                 lw_rate(c[LW_C_TLB_HITS], c[LW_C_TLB_MISSES]),
                 base->cycles == 0 ? 0.0 : (double)r->cycles / (double)base->cycles);
    (void)fflush(stdout);
}

/* One kernel on one system in lockstep; the exit status of the run. */
static int run_one(const lw_options *o, const struct cut *cut, const char *system_name,
                   lw_session_result *result) {
    lw_error err = {""};
    lw_system system;
    char folder[600];
    char name[64];
    (void)snprintf(folder, sizeof folder, "%s/systems", o->root);
    (void)snprintf(name, sizeof name, "%s on %s", cut->kernel, system_name);
    if (!lw_system_load(&system, folder, system_name, &err) || !lw_system_check(&system, &err)) {
        return lw_refuse(&err);
    }
    lw_run run = o->run;
    run.workload = cut->kernel;
    run.max_iters = run.max_iters == 0 ? cut->max_iters : run.max_iters;
    run.max_launches = cut->max_launches;
    run.max_groups = cut->max_groups;
    const lw_session_options session = {
        .root = o->root,
        .system = &system,
        .run = &run,
        .side = LW_SIDE_BOTH,
        .full_compare_every = 4096,
        .progress = o->progress ? lw_show_progress : NULL,
        .progress_ctx = name,
    };
    bool good = lw_session_run(&session, result, NULL, &err);
    if (o->progress) {
        lw_hide_progress();
    }
    if (!good) {
        return lw_refuse(&err);
    }
    return result->mismatch.found ? 1 : 0;
}

int lw_command_table(const lw_options *o) {
    static lw_session_result results[SYSTEMS];
    uint64_t compared = 0;
    double seconds = 0;
    (void)printf("%-9s %-9s %9s %10s %9s %6s %8s %9s  %-14s %8s\n", "kernel", "system", "requests",
                 "cycles", "accesses", "rel.", "walks", "latency", "L1   L2   TLB", "cycles");
    (void)printf("%-9s %-9s %9s %10s %9s %6s %8s %9s  %-14s %8s\n", "", "", "", "compared",
                 "of table", "base", "", "of a walk", "hit rates", "rel.base");
    for (size_t k = 0; k < CUTS; k++) {
        for (size_t s = 0; s < SYSTEMS; s++) {
            int status = run_one(o, &cuts[k], systems[s], &results[s]);
            if (status != 0) {
                (void)fprintf(stderr, "lockwalk: %s on %s: %s; `lockwalk cosim` tells more\n",
                              cuts[k].kernel, systems[s], status == 1 ? "MISMATCH" : "not run");
                return status;
            }
            compared += results[s].compared_cycles;
            seconds += results[s].seconds;
            print_row(cuts[k].kernel, systems[s], &results[s], &results[0]);
        }
    }
    (void)printf("\n%" PRIu64
                 " cycles compared, 0 mismatches; %.0f s of simulation; Verilator %s\n",
                 compared, seconds, results[0].rtl_version);
    return 0;
}
