#include "app/commands/commands.h"

#include "app/host/interrupt.h"
#include "app/host/output.h"
#include "app/reports/data_report.h"
#include "app/reports/energy_report.h"
#include "app/reports/figures.h"
#include "app/reports/json.h"
#include "app/reports/memory_report.h"
#include "app/reports/mismatch.h"
#include "app/reports/stage_files.h"
#include "app/reports/stages_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int lw_refuse(const lw_error *err) {
    (void)fprintf(stderr, "lockwalk: %s\n", err->text);
    return 2;
}

void lw_show_progress(void *ctx, uint64_t cycle, uint64_t requests, uint64_t total) {
    const char *name = ctx;
    if (total != 0) {
        (void)fprintf(stderr, "\r\033[K%s: cycle %" PRIu64 ", %" PRIu64 " of %" PRIu64 " requests",
                      name, cycle, requests, total);
    } else {
        (void)fprintf(stderr, "\r\033[K%s: cycle %" PRIu64 ", %" PRIu64 " requests", name, cycle,
                      requests);
    }
}

void lw_hide_progress(void) {
    (void)fprintf(stderr, "\r\033[K");
}

void lw_say_partial(const char *path, const lw_partial *p) {
    if (!p->cut) {
        return;
    }
    (void)fprintf(stderr, "lockwalk: %s is cut: %" PRIu64, path, p->whole);
    if (p->of_known) {
        (void)fprintf(stderr, " of %" PRIu64, p->of);
    }
    (void)fprintf(stderr, " %s are whole", p->unit);
    if (p->kernels_of != 0) {
        (void)fprintf(stderr, ", in %" PRIu64 " of %" PRIu64 " kernels", p->kernels, p->kernels_of);
    }
    (void)fprintf(stderr, ", and only these are taken\n");
}

/* What runs: a kernel or stream by its name, or a file. */
static const char *name_of(const lw_run *run) {
    return run->workload != NULL ? run->workload : run->trace != NULL ? run->trace : run->stream;
}

static void print_summary(const lw_options *o, const lw_session_result *r) {
    const uint64_t *c = r->counters;
    double cycles = r->counted_cycles == 0 ? 1.0 : (double)r->counted_cycles;
    (void)printf("%s on %s", name_of(&o->run), o->system.name);
    if (r->size != 0) {
        (void)printf(", size %" PRIu64, r->size);
    }
    (void)printf(", seed %" PRIu64 "\n", o->run.seed);
    (void)printf("  cycles               %" PRIu64, r->cycles);
    if (r->resets != 0) {
        (void)printf(", %" PRIu64 " of them since the last of %" PRIu32
                     " resets; so is all that is counted below",
                     r->counted_cycles, r->resets);
    }
    (void)printf("\n");
    if (r->compared_cycles != 0) {
        (void)printf("  compared             %" PRIu64 " cycles, %" PRIu64 " register values, %s\n",
                     r->compared_cycles, r->compared_state_writes,
                     r->mismatch.found ? "MISMATCH" : "0 mismatches");
    }
    if (r->compared_cycles != 0 && !r->mismatch.found &&
        (o->inject != NULL || o->inject_twin != NULL)) {
        (void)printf(
            "  flip                 seen by no net, as in an entry that is not valid (R0.5)\n");
    }
    if (o->rtl != NULL && r->fields_compared < r->fields) {
        (void)printf("  registers            %u of %u compared; not in %s: %s%s\n",
                     r->fields_compared, r->fields, o->rtl, r->left_out,
                     strlen(r->left_out) + 1 == sizeof r->left_out ? "..." : "");
    }
    (void)printf("  requests, responses  %" PRIu64 ", %" PRIu64 " (%.2f cycles each)\n",
                 r->requests, r->responses,
                 r->responses == 0 ? 0.0 : cycles / (double)r->responses);
    (void)printf("  page-table accesses  %" PRIu64 "\n", c[LW_C_PAGE_TABLE_ACCESSES]);
    (void)printf("  walks                %" PRIu64 ", coalesced answers %" PRIu64
                 ", mean walk latency %.1f cycles\n",
                 c[LW_C_WALKS], c[LW_C_COALESCED_ANSWERS], lw_walk_latency_mean(r));
    (void)printf("  TLB hit rates        ");
    if (r->front.has_l1) {
        (void)printf("L1 %.3f, ", lw_rate(r->front.l1_hits, r->front.l1_misses));
    }
    if (r->front.has_l2) {
        (void)printf("L2 %.3f, ", lw_rate(r->front.l2_hits, r->front.l2_misses));
    }
    if (c[LW_C_TLB_HITS] + c[LW_C_TLB_MISSES] == 0) {
        (void)printf("unified -\n"); /* nothing was asked */
    } else {
        (void)printf("unified %.3f\n", lw_rate(c[LW_C_TLB_HITS], c[LW_C_TLB_MISSES]));
    }
    (void)printf("  faults               %" PRIu64 "\n", c[LW_C_FAULTS]);
    (void)printf("  walker cycles       ");
    for (uint32_t i = LW_C_IDLE_EMPTY; i < LW_C_ATTRIBUTION_END; i++) {
        (void)printf(" %s %.1f%%", lw_counter_name(i),
                     100.0 * (double)c[i] / (cycles * o->system.hw.walkers));
    }
    (void)printf("\n");
}

/* A run that faults where nothing means it to measures something else than its user thinks. */
static void warn_of_faults(const lw_session_result *r) {
    if (lw_unasked_faults(r) == 0) {
        return;
    }
    (void)fprintf(
        stderr, "lockwalk: %" PRIu64 " of %" PRIu64 " responses are faults that nobody asked for:",
        lw_unasked_faults(r), r->responses);
    const char *between = "";
    for (uint32_t k = 1; k < 8; k++) {
        if (r->unasked[k] != 0) {
            (void)fprintf(stderr, "%s %" PRIu64 " %s", between, r->unasked[k], lw_fault_name(k));
            between = ",";
        }
    }
    (void)fprintf(stderr, "; --map says what a stream or trace has mapped\n");
}

static void print_coverage(const lw_coverage *coverage) {
    lw_coverage_point point;
    size_t reached = 0;
    size_t points = 0;
    for (; lw_coverage_point_at(coverage, points, &point); points++) {
        reached += point.count != 0;
    }
    (void)printf("  coverage             %zu of %zu points reached\n", reached, points);
}

/* Each file must be writable before the run, not after it. */
static bool check_outputs(const lw_options *o, lw_error *err) {
    return lw_output_check("json", o->json, err) && lw_output_check("log", o->log, err) &&
           lw_output_check("coverage", o->coverage, err) &&
           lw_output_check("konata", o->konata, err) &&
           lw_output_check("perfetto", o->perfetto, err) &&
           lw_output_check_regular("waves", o->waves, err);
}

/* Who looks on while a run goes on; each is there where it is asked for. */
typedef struct onlookers {
    FILE *log;
    lw_coverage *coverage;
    lw_stages *stages;
    lw_stage_files files;
} onlookers;

/* False and a sentence where one cannot be had; close_onlookers follows then too. */
static bool open_onlookers(onlookers *l, const lw_options *o, lw_error *err) {
    *l = (onlookers){.log = NULL};
    if (o->log != NULL) {
        l->log = lw_output_open("log", o->log, "w", err);
        if (l->log == NULL) {
            return false;
        }
    }
    if (o->coverage != NULL) {
        l->coverage = lw_coverage_new(&o->system.hw);
        if (l->coverage == NULL) {
            return lw_fail(err, "no memory for the coverage");
        }
    }
    if (!lw_stage_files_open(&l->files, o, err)) {
        return false;
    }
    if (o->stages || l->files.window != NULL) {
        l->stages = lw_stages_new(&o->system.hw);
        if (l->stages == NULL) {
            return lw_fail(err, "no memory for the stages of requests");
        }
        lw_stages_watch(l->stages, l->files.window);
    }
    return true;
}

/* False and a sentence where a file of a `good` run could not be written to its end. */
static bool close_onlookers(onlookers *l, const lw_options *o, bool good, lw_error *err) {
    lw_error nobody = {0};
    const bool log = lw_output_close(l->log, "log", o->log, good ? err : &nobody);
    const bool files = lw_stage_files_close(&l->files, good, good ? err : &nobody);
    lw_coverage_free(l->coverage);
    lw_stages_free(l->stages);
    return !good || (log && files);
}

/* What is said of a run that has ended: the figures, the files, and what was wrong. */
static int report(const lw_options *o, const lw_session_result *r, const lw_event_ring *events,
                  lw_side side, const onlookers *l) {
    lw_error err = {0};
    bool written = true;
    const lw_stages *stages = o->stages ? l->stages : NULL;
    print_summary(o, r);
    lw_data_print(&r->front);
    lw_memory_print(&r->banks);
    lw_energy_print(o, r);
    if (stages != NULL) {
        lw_stages_print(stages);
    }
    if (l->coverage != NULL) {
        print_coverage(l->coverage);
        written = lw_json_write_coverage(o->coverage, l->coverage, &err);
    }
    (void)fflush(stdout); /* the report on stderr comes after it, whole */
    lw_say_partial(o->run.stream != NULL ? o->run.stream : o->run.trace, &r->partial);
    warn_of_faults(r);
    if (r->mismatch.found && side == LW_SIDE_BOTH) {
        lw_mismatch_report(o, r, events);
    } else if (r->mismatch.found) {
        (void)fprintf(stderr, "lockwalk: cycle %" PRIu64 ": %s\n", r->mismatch.cycle,
                      r->mismatch.sentence.text);
    }
    if (written && o->json != NULL) {
        written = lw_json_write(o, r, stages, &err);
    }
    const int refused = written ? 0 : lw_refuse(&err);
    return r->mismatch.found ? 1 : refused;
}

static int run_command(const lw_options *o, lw_side side) {
    static lw_event_ring events;
    static lw_session_result result;
    lw_error err = {0};
    char name[160];
    onlookers l;
    if (!check_outputs(o, &err)) {
        return lw_refuse(&err);
    }
    if (!open_onlookers(&l, o, &err)) {
        lw_error nobody = {0};
        (void)close_onlookers(&l, o, false, &nobody);
        return lw_refuse(&err);
    }
    (void)snprintf(name, sizeof name, "%s on %s", name_of(&o->run), o->system.name);
    lw_session_options session = lw_options_session(o, side);
    session.full_compare_every = 4096;
    session.waves = lw_options_are_vcd(o) ? NULL : o->waves;
    session.lockstep_waves = lw_options_are_vcd(o) ? o->waves : NULL;
    session.waves_from = o->waves_from;
    session.waves_to = o->waves_to;
    session.trace_from = o->trace_from;
    session.log = l.log;
    session.coverage = l.coverage;
    session.stages = l.stages;
    session.progress = o->progress ? lw_show_progress : NULL;
    session.progress_ctx = name;
    const bool good = lw_session_run(&session, &result,
                                     side == LW_SIDE_BOTH || l.log != NULL ? &events : NULL, &err);
    if (o->progress) {
        lw_hide_progress();
    }
    int status = 0;
    if (good) {
        status = report(o, &result, &events, side, &l);
    } else if (*session.stop == 0) {
        status = lw_refuse(&err);
    }
    if (!close_onlookers(&l, o, good, &err)) {
        const int refused = lw_refuse(&err);
        status = status == 0 ? refused : status;
    }
    return *session.stop != 0 && status != 1 ? lw_interrupted(name, &result) : status;
}

int lw_command_cosim(const lw_options *options) {
    return run_command(options, LW_SIDE_BOTH);
}

int lw_command_model(const lw_options *options) {
    return run_command(options, LW_SIDE_TWIN);
}
