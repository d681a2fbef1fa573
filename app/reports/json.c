#include "app/reports/json.h"

#include "app/reports/data_report.h"
#include "app/reports/energy_report.h"
#include "app/reports/figures.h"
#include "app/reports/json_object.h"
#include "app/reports/memory_report.h"
#include "app/reports/stages_report.h"
#include "app/versions.h"
#include "common/printable.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

static json_t *number(uint64_t value) {
    return json_integer((json_int_t)value);
}

/* JSON is UTF-8, and a file's name may be any bytes. */
static json_t *text(const char *from) {
    char shown[PATH_MAX];
    lw_printable(shown, sizeof shown, from);
    return json_string(shown);
}

/* Of a part that took part in the run. */
static json_t *number_of(bool took_part, uint64_t value) {
    return took_part ? number(value) : json_null();
}

static json_t *hits_and_misses(uint64_t hits, uint64_t misses) {
    json_t *o = json_object();
    (void)json_object_set_new(o, "hits", number(hits));
    (void)json_object_set_new(o, "misses", number(misses));
    return o;
}

static void add_counters(json_t *o, const lw_session_result *r, uint32_t from, uint32_t to) {
    for (uint32_t c = from; c < to; c++) {
        const char *name = lw_counter_name(c);
        if (name != NULL) {
            (void)json_object_set_new(o, name, number(r->counters[c]));
        }
    }
}

/* Those that count events, in the order of R12.5; and those of R12.6. */
static json_t *counters(const lw_session_result *r) {
    json_t *o = json_object();
    add_counters(o, r, 0, LW_C_EVENTS);
    add_counters(o, r, LW_C_ATTRIBUTION_END, LW_COUNTERS);
    return o;
}

static json_t *attribution(const lw_session_result *r) {
    json_t *o = json_object();
    add_counters(o, r, LW_C_IDLE_EMPTY, LW_C_ATTRIBUTION_END);
    return o;
}

static json_t *versions(const lw_session_result *r) {
    json_t *o = json_object();
    (void)json_object_set_new(o, "lockwalk", json_string(LW_VERSION));
    (void)json_object_set_new(o, "revision",
                              lw_revision() == NULL ? json_null() : json_string(lw_revision()));
    (void)json_object_set_new(o, "compiler", json_string(LW_COMPILER));
    (void)json_object_set_new(
        o, "verilator", r->rtl_version[0] == '\0' ? json_null() : json_string(r->rtl_version));
    return o;
}

/* The command line behind the command. */
static json_t *arguments(const lw_options *options) {
    json_t *list = json_array();
    for (int i = 1; i < options->argc; i++) {
        (void)json_array_append_new(list, text(options->argv[i]));
    }
    return list;
}

/* Each key of the system with the value that the run had. */
static json_t *values(const lw_system *system) {
    json_t *o = json_object();
    const lw_system_key *key = NULL;
    for (size_t i = 0; (key = lw_system_key_at(i)) != NULL; i++) {
        uint32_t value = 0;
        const char *words = lw_system_value(system, i, &value);
        (void)json_object_set_new(o, key->name, words != NULL ? text(words) : number(value));
    }
    return o;
}

static json_t *waits(const lw_waits *w) {
    const lw_json_row rows[] = {{"request", w->request},           {"acceptance", w->acceptance},
                                {"invalidation", w->invalidation}, {"memory", w->memory},
                                {"memory_ready", w->memory_ready}, {"held", w->held}};
    return lw_json_numbers(rows, sizeof rows / sizeof rows[0]);
}

static json_t *in_flight(const lw_session_result *r) {
    json_t *o = json_object();
    const uint64_t requests = r->requests == 0 ? 1 : r->requests;
    (void)json_object_set_new(o, "mean", json_real((double)r->in_flight_sum / (double)requests));
    (void)json_object_set_new(o, "max", number(r->in_flight_max));
    return o;
}

/* null where the run has not counted them. */
static json_t *upper_neighbours(const lw_run *run, const lw_upper_counts *c) {
    const lw_json_row rows[] = {{"accesses", c->accesses}, {"met", c->met}};
    return !run->neighbours ? json_null() : lw_json_numbers(rows, sizeof rows / sizeof rows[0]);
}

static json_t *provocations(const lw_provocations *p) {
    const lw_json_row rows[] = {{"page_changes", p->os.page_changes},
                                {"shared_changes", p->os.shared_changes},
                                {"shared_tables", p->shared_tables},
                                {"table_moves", p->os.table_moves},
                                {"roots_replaced", p->os.roots_replaced},
                                {"roots_vanished", p->os.roots_vanished},
                                {"roots_blinked", p->os.roots_blinked},
                                {"orphans", p->orphans},
                                {"orphans_met", p->orphans_met},
                                {"appeared", p->os.appeared},
                                {"permitted", p->os.permitted},
                                {"bursts", p->os.bursts},
                                {"burst_invalidations", p->os.burst_invalidations},
                                {"slow_sinks", p->slow_sinks},
                                {"slow_memories", p->slow_memories},
                                {"late_lines", p->late_lines},
                                {"outdated_lines", p->outdated_lines},
                                {"tables_replaced", p->os.tables_replaced}};
    return lw_json_numbers(rows, sizeof rows / sizeof rows[0]);
}

/* null where the system has no hashed table. */
static json_t *hashed_table(const lw_session_result *r) {
    const lw_hashed_figures *f = &r->hashed;
    const lw_os_agent_counts *os = &r->provocations.os;
    const lw_region_moves *done = &os->regions;
    const lw_json_row rows[] = {{"slots", f->slots},
                                {"local", f->local},
                                {"remote", f->remote},
                                {"step_places", f->step_places},
                                {"groups", f->groups},
                                {"victim_regions", f->victim_regions},
                                {"moves", done->moves},
                                {"evictions", done->evictions},
                                {"recalls", done->recalls},
                                {"settled", done->settled},
                                {"demotions", f->demotions},
                                {"live_cycles", f->live_cycles},
                                {"remote_evictions", f->remote_evictions},
                                {"migrations", os->migrations},
                                {"remote_accesses", os->remote_accesses},
                                {"no_victim_buffer", r->lacks[LW_LACKS_VICTIM_BUFFER]},
                                {"step_table_outside", r->lacks[LW_LACKS_STEP_TABLE]},
                                {"table_outside", r->lacks[LW_LACKS_TABLE]}};
    if (f->slots == 0) {
        return json_null();
    }
    json_t *o = lw_json_numbers(rows, sizeof rows / sizeof rows[0]);
    json_t *steps = json_array();
    for (size_t i = 0; i < LW_HPT_STEPS; i++) {
        (void)json_array_append_new(steps, number(f->steps[i]));
    }
    (void)json_object_set_new(o, "steps", steps);
    (void)json_object_set_new(o, "load_factor",
                              json_real((double)(f->local + f->remote) / (double)f->slots));
    return o;
}

/* What shortens the workload; 0: nothing does. */
static json_t *cuts(const lw_run *run) {
    const lw_json_row rows[] = {{"max_requests", run->max_requests},
                                {"max_iters", run->max_iters},
                                {"max_launches", run->max_launches},
                                {"max_groups", run->max_groups}};
    return lw_json_numbers(rows, sizeof rows / sizeof rows[0]);
}

/* What a trace or stream has mapped; a kernel has its arrays. */
static json_t *map(const lw_run *run) {
    return run->workload != NULL ? json_null()
                                 : json_string(run->map != NULL ? run->map : "touched");
}

/* How much of a file that is cut has run; null where nothing is missing. */
static json_t *partial(const lw_partial *p) {
    if (!p->cut) {
        return json_null();
    }
    json_t *o = json_object();
    (void)json_object_set_new(o, "unit", json_string(p->unit));
    (void)json_object_set_new(o, "whole", number(p->whole));
    (void)json_object_set_new(o, "of", number_of(p->of_known, p->of));
    (void)json_object_set_new(o, "kernels", number_of(p->kernels_of != 0, p->kernels));
    (void)json_object_set_new(o, "kernels_of", number_of(p->kernels_of != 0, p->kernels_of));
    return o;
}

static json_t *document(const lw_options *options, const lw_session_result *r,
                        const lw_stages *stages) {
    const lw_run *run = &options->run;
    json_t *o = json_object();
    json_t *faults = json_object();
    (void)json_object_set_new(o, "command", json_string(options->command->name));
    (void)json_object_set_new(o, "system", text(options->system.name));
    (void)json_object_set_new(o, "workload",
                              text(run->workload != NULL ? run->workload
                                   : run->trace != NULL  ? run->trace
                                                         : run->stream));
    (void)json_object_set_new(o, "map", map(run));
    (void)json_object_set_new(o, "partial", partial(&r->partial));
    (void)json_object_set_new(o, "size", number(r->size));
    (void)json_object_set_new(o, "seed", number(run->seed));
    (void)json_object_set_new(o, "processes", number(run->processes == 0 ? 1 : run->processes));
    (void)json_object_set_new(o, "cuts", cuts(run));
    (void)json_object_set_new(o, "values", values(&options->system));
    (void)json_object_set_new(o, "arguments", arguments(options));
    (void)json_object_set_new(o, "versions", versions(r));
    (void)json_object_set_new(o, "cycles", number(r->cycles));
    (void)json_object_set_new(o, "resets", number(r->resets));
    (void)json_object_set_new(o, "compared_cycles", number(r->compared_cycles));
    (void)json_object_set_new(o, "compared_state_writes", number(r->compared_state_writes));
    (void)json_object_set_new(o, "mismatches",
                              number(r->mismatch.differences + r->mismatch.ports +
                                     r->mismatch.oracle + r->mismatch.hang +
                                     r->mismatch.assertion));
    (void)json_object_set_new(o, "verdict", json_string(lw_verdict(r)));
    (void)json_object_set_new(o, "requests", number(r->requests));
    (void)json_object_set_new(o, "in_flight", in_flight(r));
    (void)json_object_set_new(o, "neighbours", number_of(run->neighbours, r->neighbours));
    (void)json_object_set_new(o, "upper_neighbours", upper_neighbours(run, &r->upper_neighbours));
    (void)json_object_set_new(o, "responses", number(r->responses));
    (void)json_object_set_new(o, "checked", number(r->checked));
    (void)json_object_set_new(o, "ordered_walks", number(r->ordered_walks));
    (void)json_object_set_new(o, "longest_wait", number(r->longest_wait));
    (void)json_object_set_new(o, "waits", waits(&r->waits));
    (void)json_object_set_new(o, "provocations", provocations(&r->provocations));
    (void)json_object_set_new(o, "hashed_table", hashed_table(r));
    (void)json_object_set_new(o, "page_table_accesses",
                              number(r->counters[LW_C_PAGE_TABLE_ACCESSES]));
    (void)json_object_set_new(o, "walks", number(r->counters[LW_C_WALKS]));
    (void)json_object_set_new(o, "walk_latency_mean", json_real(lw_walk_latency_mean(r)));
    for (uint32_t k = 1; k < 8; k++) {
        (void)json_object_set_new(faults, lw_fault_name(k), number(r->faults[k]));
    }
    (void)json_object_set_new(o, "faults", faults);
    (void)json_object_set_new(o, "unasked_faults", number(lw_unasked_faults(r)));
    const lw_front_statistics *f = &r->front;
    (void)json_object_set_new(o, "l1_tlb",
                              f->has_l1 ? hits_and_misses(f->l1_hits, f->l1_misses) : json_null());
    (void)json_object_set_new(o, "l2_tlb",
                              f->has_l2 ? hits_and_misses(f->l2_hits, f->l2_misses) : json_null());
    (void)json_object_set_new(
        o, "tlb", hits_and_misses(r->counters[LW_C_TLB_HITS], r->counters[LW_C_TLB_MISSES]));
    (void)json_object_set_new(o, "counters", counters(r));
    (void)json_object_set_new(o, "attribution", attribution(r));
    (void)json_object_set_new(o, "wave_instructions",
                              number_of(f->has_waves, f->wave_instructions));
    (void)json_object_set_new(o, "translations",
                              number_of(f->has_waves || f->has_l1, f->translations));
    (void)json_object_set_new(o, "data", lw_data_json(f));
    (void)json_object_set_new(o, "wave_cycles", lw_wave_cycles_json(f));
    (void)json_object_set_new(o, "memory", lw_memory_json(&r->banks));
    (void)json_object_set_new(o, "energy", lw_energy_json(options, r));
    (void)json_object_set_new(o, "stages", lw_stages_json(stages));
    return o;
}

bool lw_json_write(const lw_options *options, const lw_session_result *result,
                   const lw_stages *stages, lw_error *err) {
    return lw_json_write_object("json", options->json, document(options, result, stages), err);
}

bool lw_json_write_coverage(const char *path, const lw_coverage *coverage, lw_error *err) {
    json_t *o = json_object();
    lw_coverage_point point;
    for (size_t i = 0; lw_coverage_point_at(coverage, i, &point); i++) {
        (void)json_object_set_new(o, point.name, number(point.count));
    }
    return lw_json_write_object("coverage", path, o, err);
}
