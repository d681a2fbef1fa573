#include "app/commands/commands.h"

#include "app/commands/table_plan.h"
#include "app/host/interrupt.h"
#include "app/host/output.h"
#include "app/host/processes.h"
#include "app/reports/figures.h"

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

/* What a row's process leaves: its run's figures, or the sentence why there are none, and how far
 * it is meanwhile. */
typedef struct row {
    lw_session_result result;
    lw_error err;
    _Atomic uint64_t cycle, requests, total;
} row;

static void note_progress(void *ctx, uint64_t cycle, uint64_t requests, uint64_t total) {
    row *r = ctx;
    r->cycle = cycle;
    r->requests = requests;
    r->total = total;
}

/* The rows: every kernel on every system. */
typedef struct comparison {
    const lw_options *options;
    const lw_table_plan *plan;
    const volatile sig_atomic_t *stop;
} comparison;

static const lw_cut *cut_of(const lw_table_plan *plan, size_t number) {
    return &plan->cuts[number / plan->system_count];
}

static const lw_system *system_of(const lw_table_plan *plan, size_t number) {
    return &plan->systems[number % plan->system_count];
}

/* A row's process: one kernel on one system, in lockstep if it is cut. */
static int run_row(void *ctx, size_t number, void *place) {
    const comparison *c = ctx;
    const lw_options *o = c->options;
    const lw_cut *cut = cut_of(c->plan, number);
    row *r = place;
    lw_run run = o->run;
    run.workload = cut->kernel;
    run.max_iters = cut->max_iters;
    run.max_launches = cut->max_launches;
    run.max_groups = cut->max_groups;
    const lw_session_options session = {
        .root = o->root,
        .system = system_of(c->plan, number),
        .run = &run,
        .side = o->whole ? LW_SIDE_TWIN : LW_SIDE_BOTH,
        .full_compare_every = 4096,
        .progress = note_progress,
        .progress_ctx = r,
        .stop = c->stop,
    };
    if (!lw_session_run(&session, &r->result, NULL, &r->err)) {
        return 2;
    }
    return r->result.mismatch.found ? 1 : 0;
}

/* Waits for a row, and shows meanwhile how far it is; the exit status, as a sentence where it is
 * not 0. */
static int await(const comparison *c, lw_processes *processes, size_t number) {
    row *r = lw_processes_place(processes, number);
    lw_process_state state = LW_PROCESS_WORKING;
    int status = 0;
    char name[160];
    (void)snprintf(name, sizeof name, "%s on %s", cut_of(c->plan, number)->kernel,
                   system_of(c->plan, number)->name);
    for (uint64_t shown = 0; *c->stop == 0 && state == LW_PROCESS_WORKING;) {
        state = lw_processes_wait(processes, number, &status);
        if (c->options->progress && r->cycle != shown) {
            shown = r->cycle;
            lw_show_progress(name, r->cycle, r->requests, r->total);
        }
    }
    if (c->options->progress) {
        lw_hide_progress();
    }
    if (*c->stop != 0) {
        lw_processes_end(processes);
        return lw_interrupted(name, &r->result);
    }
    if (state == LW_PROCESS_DIED) {
        (void)(status == 0
                   ? lw_fail(&r->err, "%s: there is no process for it", name)
                   : lw_fail(&r->err, "%s: its process was ended by signal %d", name, status));
        return lw_refuse(&r->err);
    }
    if (status == 1) {
        (void)fprintf(stderr, "lockwalk: %s: the verdict is \"%s\"; `lockwalk %s` tells more\n",
                      name, lw_verdict(&r->result), c->options->whole ? "model" : "cosim");
    }
    return status == 0 || status == 1 ? status : lw_refuse(&r->err);
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
        (void)printf("\nwhole kernels on the C twin, %.0f s of simulation\n", seconds);
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

/* Prints the rows in their order, whichever is done first. */
static int print_rows(const comparison *c, lw_processes *processes, FILE *csv) {
    const lw_table_plan *plan = c->plan;
    const row *base = NULL;
    uint64_t compared = 0;
    double seconds = 0;
    furthest most = {.kernel = NULL};
    print_head(plan);
    for (size_t number = 0; number < plan->cut_count * plan->system_count; number++) {
        const char *kernel = cut_of(plan, number)->kernel;
        const char *system = system_of(plan, number)->name;
        const int status = await(c, processes, number);
        if (status != 0) {
            return status;
        }
        const row *r = lw_processes_place(processes, number);
        base = number % plan->system_count == 0 ? r : base;
        compared += r->result.compared_cycles;
        seconds += r->result.seconds;
        const double part = relative_cycles(&r->result, &base->result);
        const double whole =
            lw_whole_kernels_relative(&plan->whole, kernel, system, plan->systems[0].name);
        print_row(plan, kernel, system, &r->result, &base->result, whole);
        if (size_of(distance(part, whole)) > size_of(distance(most.cut, most.whole))) {
            most = (furthest){kernel, system, part, whole};
        }
        if (csv != NULL) {
            write_csv(plan, csv, kernel, system, &r->result);
        }
    }
    print_end(c->options, compared, seconds, base->result.rtl_version, &most);
    return 0;
}

static int run_all(const lw_options *o, const lw_table_plan *plan, FILE *csv) {
    comparison c = {o, plan, lw_interrupt_watch()};
    lw_error err = {0};
    lw_processes *processes =
        lw_processes_new(plan->cut_count * plan->system_count,
                         o->jobs != 0 ? o->jobs : lw_processors(), sizeof(row), run_row, &c, &err);
    if (processes == NULL) {
        return lw_refuse(&err);
    }
    const int status = print_rows(&c, processes, csv);
    lw_processes_free(processes);
    return status;
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
    lw_error err = {0};
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
