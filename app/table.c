#include "app/commands.h"

#include "app/interrupt.h"
#include "app/json.h"
#include "app/output.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The cut of a kernel that some seconds of lockstep can run: the papers' sizes and pitches always,
 * fewer iterations of the inner loops, work-groups or launches. */
typedef struct cut {
    const char *kernel;
    uint64_t max_iters, max_launches, max_groups;
} cut;

enum { CUTS_MAX = 16, SYSTEMS_MAX = 10 };

/* What `lockwalk table NAME` runs: every kernel on every system; the first is what the others are
 * measured by. */
typedef struct comparison {
    const char *name;
    cut cuts[CUTS_MAX];
    const char *systems[SYSTEMS_MAX];
} comparison;

static const comparison comparisons[] = {
    {"nha",
     {{"mvt", 20, 0, 0},
      {"atax", 20, 0, 0},
      {"bicg", 12, 0, 0},
      {"gesummv", 12, 0, 0},
      {"nw", 0, 160, 0},
      {"hotspot", 0, 0, 0},
      {"backprop", 0, 0, 4096}},
     {"baseline", "nha_leaf", "nha"}},
    {"mesc",
     {{"atax", 6, 0, 0},
      {"bfs", 0, 8, 0},
      {"bicg", 4, 0, 0},
      {"corr", 6, 0, 2},
      {"covar", 6, 0, 2},
      {"gesummv", 4, 0, 0},
      {"gramschm", 64, 12, 0},
      {"mvt", 6, 0, 0},
      {"nw", 0, 60, 0},
      {"2dconv", 0, 0, 2048},
      {"color", 0, 4, 256},
      {"hotspot", 0, 1, 1024},
      {"lud", 0, 12, 0},
      {"srad", 0, 1, 2048},
      {"sssp", 0, 8, 256}},
     {"baseline16", "colt", "full_colt", "mesc", "mesc_colt", "nha16", "nha_mesc", "mesc_headfirst",
      "thp"}},
};

static const comparison *find_comparison(const char *name, lw_error *err) {
    enum { COMPARISONS = sizeof comparisons / sizeof comparisons[0] };
    for (size_t i = 0; i < COMPARISONS; i++) {
        if (name == NULL || strcmp(comparisons[i].name, name) == 0) {
            return &comparisons[i];
        }
    }
    (void)lw_fail(err, "table: \"%s\" is no comparison; allowed: nha, mesc", name);
    return NULL;
}

static void print_row(const char *kernel, const char *system, const lw_session_result *r,
                      const lw_session_result *base) {
    const uint64_t *c = r->counters;
    uint64_t accesses = c[LW_C_PAGE_TABLE_ACCESSES];
    uint64_t base_accesses = base->counters[LW_C_PAGE_TABLE_ACCESSES];
    (void)printf("%-9s %-14s %9" PRIu64 " %10" PRIu64 " %9" PRIu64 " %6.3f %8" PRIu64
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
static int run_one(const lw_options *o, const cut *cut, const char *system_name,
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
        .stop = lw_interrupt_watch(),
    };
    bool good = lw_session_run(&session, result, NULL, &err);
    if (o->progress) {
        lw_hide_progress();
    }
    if (*session.stop != 0) {
        return lw_interrupted(name, result);
    }
    if (!good) {
        return lw_refuse(&err);
    }
    return result->mismatch.found ? 1 : 0;
}

static void write_csv(FILE *csv, const char *kernel, const char *system,
                      const lw_session_result *r) {
    const uint64_t *c = r->counters;
    (void)fprintf(
        csv, "%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.3f,%.6f,%.6f,%.6f\n", kernel,
        system, r->cycles, r->requests, c[LW_C_PAGE_TABLE_ACCESSES], c[LW_C_WALKS],
        lw_walk_latency_mean(r), lw_rate(r->front.l1_hits, r->front.l1_misses),
        lw_rate(r->front.l2_hits, r->front.l2_misses),
        lw_rate(c[LW_C_TLB_HITS], c[LW_C_TLB_MISSES]));
    (void)fflush(csv); /* a row is there as soon as it is known; a failure is seen at the end */
}

static int run_all(const lw_options *o, const comparison *t, FILE *csv) {
    static lw_session_result results[SYSTEMS_MAX];
    uint64_t compared = 0;
    double seconds = 0;
    (void)printf("%-9s %-14s %9s %10s %9s %6s %8s %9s  %-14s %8s\n", "kernel", "system", "requests",
                 "cycles", "accesses", "rel.", "walks", "latency", "L1   L2   TLB", "cycles");
    (void)printf("%-9s %-14s %9s %10s %9s %6s %8s %9s  %-14s %8s\n", "", "", "", "compared",
                 "of table", "base", "", "of a walk", "hit rates", "rel.base");
    for (const cut *k = t->cuts; k < t->cuts + CUTS_MAX && k->kernel != NULL; k++) {
        for (size_t s = 0; s < SYSTEMS_MAX && t->systems[s] != NULL; s++) {
            int status = run_one(o, k, t->systems[s], &results[s]);
            if (status == 1) {
                (void)fprintf(stderr, "lockwalk: %s on %s: MISMATCH; `lockwalk cosim` tells more\n",
                              k->kernel, t->systems[s]);
            }
            if (status != 0) {
                return status;
            }
            compared += results[s].compared_cycles;
            seconds += results[s].seconds;
            print_row(k->kernel, t->systems[s], &results[s], &results[0]);
            if (csv != NULL) {
                write_csv(csv, k->kernel, t->systems[s], &results[s]);
            }
        }
    }
    (void)printf("\n%" PRIu64
                 " cycles compared, 0 mismatches; %.0f s of simulation; Verilator %s\n",
                 compared, seconds, results[0].rtl_version);
    return 0;
}

int lw_command_table(const lw_options *o) {
    lw_error err = {""};
    const comparison *t = find_comparison(o->operand, &err);
    FILE *csv = NULL;
    if (t == NULL) {
        return lw_refuse(&err);
    }
    if (o->csv != NULL) {
        csv = lw_output_open_table("csv", o->csv,
                                   "kernel,system,cycles,requests,page_table_accesses,walks,"
                                   "walk_latency_mean,l1_hit_rate,l2_hit_rate,tlb_hit_rate",
                                   &err);
        if (csv == NULL) {
            return lw_refuse(&err);
        }
    }
    const int status = run_all(o, t, csv);
    if (!lw_output_close(csv, "csv", o->csv, &err)) {
        const int refused = lw_refuse(&err);
        return status == 0 ? refused : status;
    }
    return status;
}
