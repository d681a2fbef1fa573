#include "app/commands.h"

#include "app/interrupt.h"
#include "app/json.h"
#include "app/output.h"
#include "app/table_plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Digits of a counter's column. */
static int counter_width(uint32_t counter) {
    enum { DIGITS = 10 };
    const int name = (int)strlen(lw_counter_name(counter));
    return name < DIGITS ? DIGITS : name;
}

/* The hit rates of the CUs' TLBs, the GPU's L2 TLB and the unit's: a dash, or nothing in a CSV,
 * where nothing was looked up. */
typedef struct rates {
    char text[3][16];
} rates;

static rates rates_of(const lw_session_result *r, bool csv) {
    const uint64_t pairs[3][2] = {{r->front.l1_hits, r->front.l1_misses},
                                  {r->front.l2_hits, r->front.l2_misses},
                                  {r->counters[LW_C_TLB_HITS], r->counters[LW_C_TLB_MISSES]}};
    rates all;
    for (size_t i = 0; i < 3; i++) {
        char *text = all.text[i];
        if (pairs[i][0] + pairs[i][1] == 0) {
            (void)snprintf(text, sizeof all.text[i], "%s", csv ? "" : "   -");
        } else {
            (void)snprintf(text, sizeof all.text[i], csv ? "%.6f" : "%.2f",
                           lw_rate(pairs[i][0], pairs[i][1]));
        }
    }
    return all;
}

static double relative_cycles(const lw_session_result *r, const lw_session_result *base) {
    return base->cycles == 0 ? 0.0 : (double)r->cycles / (double)base->cycles;
}

/* Of all cuts the one that is furthest from its whole kernel. */
typedef struct furthest {
    const char *kernel, *system;
    double cut, whole; /* cycles, relative to the first system's */
} furthest;

/* By how much a cut's part of the base's cycles is another than the whole kernel's. */
static double distance(double cut, double whole) {
    return whole == 0 ? 0.0 : cut / whole - 1.0;
}

static double size_of(double distance) {
    return distance < 0 ? -distance : distance;
}

/* What the whole kernel takes, a dash where it has not been run. */
static void print_whole(double whole) {
    if (whole == 0) {
        (void)printf(" %8s", "-");
    } else {
        (void)printf(" %8.3f", whole);
    }
}

static void print_row(const lw_table_plan *plan, const char *kernel, const char *system,
                      const lw_session_result *r, const lw_session_result *base, double whole) {
    const uint64_t *c = r->counters;
    const rates rate = rates_of(r, false);
    uint64_t accesses = c[LW_C_PAGE_TABLE_ACCESSES];
    uint64_t base_accesses = base->counters[LW_C_PAGE_TABLE_ACCESSES];
    (void)printf("%-9s %-14s %9" PRIu64 " %10" PRIu64 " %9" PRIu64 " %6.3f %8" PRIu64
                 " %9.1f  %s %s %s %8.3f",
                 kernel, system, r->requests, r->cycles, accesses,
                 base_accesses == 0 ? 0.0 : (double)accesses / (double)base_accesses, c[LW_C_WALKS],
                 lw_walk_latency_mean(r), rate.text[0], rate.text[1], rate.text[2],
                 relative_cycles(r, base));
    if (plan->whole.count != 0) {
        print_whole(whole);
    }
    for (size_t i = 0; i < plan->counter_count; i++) {
        const uint32_t n = plan->counters[i];
        (void)printf(" %*" PRIu64, counter_width(n), c[n]);
    }
    (void)printf("\n");
    (void)fflush(stdout);
}

/* One kernel on one system, in lockstep if it is cut; the exit status of the run. */
static int run_one(const lw_options *o, const lw_cut *cut, const lw_system *system,
                   lw_session_result *result) {
    lw_error err = {""};
    char name[160];
    (void)snprintf(name, sizeof name, "%s on %s", cut->kernel, system->name);
    lw_run run = o->run;
    run.workload = cut->kernel;
    run.max_iters = cut->max_iters;
    run.max_launches = cut->max_launches;
    run.max_groups = cut->max_groups;
    const lw_session_options session = {
        .root = o->root,
        .system = system,
        .run = &run,
        .side = o->whole ? LW_SIDE_TWIN : LW_SIDE_BOTH,
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

static void write_csv(const lw_table_plan *plan, FILE *csv, const char *kernel, const char *system,
                      const lw_session_result *r) {
    const uint64_t *c = r->counters;
    const rates rate = rates_of(r, true);
    (void)fprintf(csv, "%s,%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%.3f,%s,%s,%s",
                  kernel, system, r->cycles, r->requests, c[LW_C_PAGE_TABLE_ACCESSES],
                  c[LW_C_WALKS], lw_walk_latency_mean(r), rate.text[0], rate.text[1], rate.text[2]);
    for (size_t i = 0; i < plan->counter_count; i++) {
        (void)fprintf(csv, ",%" PRIu64, c[plan->counters[i]]);
    }
    (void)fprintf(csv, "\n");
    (void)fflush(csv); /* a row is there as soon as it is known; a failure is seen at the end */
}

static void print_head(const lw_table_plan *plan) {
    (void)printf("%-9s %-14s %9s %10s %9s %6s %8s %9s  %-14s %8s", "kernel", "system", "requests",
                 "cycles", "accesses", "rel.", "walks", "latency", "L1   L2   TLB", "cycles");
    if (plan->whole.count != 0) {
        (void)printf(" %8s", "cycles");
    }
    for (size_t i = 0; i < plan->counter_count; i++) {
        const uint32_t n = plan->counters[i];
        (void)printf(" %*s", counter_width(n), lw_counter_name(n));
    }
    (void)printf("\n%-9s %-14s %9s %10s %9s %6s %8s %9s  %-14s %8s", "", "", "", "", "of table",
                 "base", "", "of a walk", "hit rates", "rel.base");
    (void)printf("%s\n", plan->whole.count != 0 ? "  (whole)" : "");
}

static void print_end(const lw_options *o, uint64_t compared, double seconds,
                      const char *rtl_version, const furthest *most) {
    if (o->whole) {
        (void)printf("\nwhole kernels on the C twin, %.0f s\n", seconds);
        return;
    }
    if (most->kernel != NULL) {
        (void)printf(
            "\nfurthest from its whole kernel is the cut of %s on %s: %.3f for %.3f, %+.1f %%\n",
            most->kernel, most->system, most->cut, most->whole,
            100 * distance(most->cut, most->whole));
    }
    (void)printf("\n%" PRIu64
                 " cycles compared, 0 mismatches; %.0f s of simulation; Verilator %s\n",
                 compared, seconds, rtl_version);
}

static int run_all(const lw_options *o, const lw_table_plan *plan, FILE *csv) {
    static lw_session_result results[LW_TABLE_SYSTEMS];
    uint64_t compared = 0;
    double seconds = 0;
    furthest most = {.kernel = NULL};
    print_head(plan);
    for (size_t k = 0; k < plan->cut_count; k++) {
        const lw_cut *cut = &plan->cuts[k];
        for (size_t s = 0; s < plan->system_count; s++) {
            const char *system = plan->systems[s].name;
            const int status = run_one(o, cut, &plan->systems[s], &results[s]);
            if (status == 1) {
                (void)fprintf(stderr, "lockwalk: %s on %s: MISMATCH; `lockwalk cosim` tells more\n",
                              cut->kernel, system);
            }
            if (status != 0) {
                return status;
            }
            compared += results[s].compared_cycles;
            seconds += results[s].seconds;
            const double part = relative_cycles(&results[s], &results[0]);
            const double whole =
                lw_whole_kernels_relative(&plan->whole, cut->kernel, system, plan->systems[0].name);
            print_row(plan, cut->kernel, system, &results[s], &results[0], whole);
            if (size_of(distance(part, whole)) > size_of(distance(most.cut, most.whole))) {
                most = (furthest){cut->kernel, system, part, whole};
            }
            if (csv != NULL) {
                write_csv(plan, csv, cut->kernel, system, &results[s]);
            }
        }
    }
    print_end(o, compared, seconds, results[0].rtl_version, &most);
    return 0;
}

static FILE *open_csv(const lw_table_plan *plan, const char *path, lw_error *err) {
    char columns[1024] = "kernel,system,cycles,requests,page_table_accesses,walks,"
                         "walk_latency_mean,l1_hit_rate,l2_hit_rate,tlb_hit_rate";
    for (size_t i = 0; i < plan->counter_count; i++) {
        const size_t used = strlen(columns);
        (void)snprintf(columns + used, sizeof columns - used, ",%s",
                       lw_counter_name(plan->counters[i]));
    }
    return lw_output_open_table("csv", path, columns, err);
}

int lw_command_table(const lw_options *o) {
    static lw_table_plan plan;
    lw_error err = {""};
    FILE *csv = NULL;
    if (!lw_table_plan_make(&plan, o, &err)) {
        return lw_refuse(&err);
    }
    if (o->csv != NULL) {
        csv = open_csv(&plan, o->csv, &err);
        if (csv == NULL) {
            return lw_refuse(&err);
        }
    }
    const int status = run_all(o, &plan, csv);
    if (!lw_output_close(csv, "csv", o->csv, &err)) {
        const int refused = lw_refuse(&err);
        return status == 0 ? refused : status;
    }
    return status;
}
