#include "app/commands/commands.h"

#include "app/host/output.h"
#include "app/reports/json_object.h"
#include "sim/kernels/kernel_list.h"
#include "sim/tables/hashed_placement.h"

#include <inttypes.h>
#include <stdio.h>

enum { LOCAL_DEFAULT = 100, KIB = 1024, MIB_PAGES = 256, LINE = 64 };

static double share(uint64_t part, uint64_t whole) {
    return whole == 0 ? 0.0 : (double)part / (double)whole;
}

static uint64_t entries_of(const lw_hashed_figures *f) {
    return f->local + f->remote;
}

static void print_tables(const lw_hashed_placement *p) {
    const lw_hashed_figures *f = &p->figures;
    const uint64_t table_kib = f->slots * 4;
    const uint64_t step_lines = UINT64_C(1) << p->config.step_log;
    const uint64_t memory_kib = (uint64_t)p->config.max_local * 2 * KIB;
    (void)printf("table            %" PRIu64 " slots, %" PRIu64
                 " KiB, %.2f %% of the GPU's memory\n",
                 f->slots, table_kib, 100.0 * share(table_kib, memory_kib));
    (void)printf("entries          %" PRIu64 " local, %" PRIu64
                 " remote: load factor %.3f; full at %" PRIu32 ", %.3f\n",
                 f->local, f->remote, share(entries_of(f), f->slots), p->config.max_entries,
                 share(p->config.max_entries, f->slots));
    (void)printf(
        "step table       %" PRIu64 " KiB; %" PRIu64 " of %" PRIu64 " places: load factor %.3f\n",
        step_lines * LINE / KIB, f->groups, f->step_places, share(f->groups, f->step_places));
    (void)printf("victim buffer    %" PRIu64 " regions, %" PRIu64 " nodes\n", f->victim_regions,
                 f->victim_nodes);
    (void)printf("step            ");
    for (int i = 0; i < LW_HPT_STEPS; i++) {
        (void)printf(" %6d", i);
    }
    (void)printf("\nentries         ");
    for (int i = 0; i < LW_HPT_STEPS; i++) {
        (void)printf(" %6" PRIu64, f->steps[i]);
    }
    (void)printf("\n");
}

/* What the driver did, by the names of the JSON. */
enum { COUNTS = 11 };
static void name_counts(const lw_hashed_counts *c, lw_json_row rows[COUNTS]) {
    const lw_json_row all[COUNTS] = {{"found", c->found},
                                     {"entries", c->entries},
                                     {"reused", c->reused},
                                     {"page_evictions", c->page_evictions},
                                     {"remote_evictions", c->remote_evictions},
                                     {"chain_evictions", c->chain_evictions},
                                     {"chain_moves", c->chain_moves},
                                     {"recalls", c->recalls},
                                     {"over_threshold", c->over_threshold},
                                     {"unplaced", c->unplaced},
                                     {"bucket_full", c->bucket_full}};
    for (int i = 0; i < COUNTS; i++) {
        rows[i] = all[i];
    }
}

static void print_driver(const lw_hashed_placement *p) {
    lw_json_row rows[COUNTS];
    name_counts(&p->counts, rows);
    (void)printf("driver          ");
    for (int i = 0; i < COUNTS; i++) {
        if (rows[i].value != 0) {
            (void)printf(" %s %" PRIu64, rows[i].name, rows[i].value);
        }
    }
    (void)printf("; %" PRIu64 " words written\n", p->counts.words);
    (void)printf(
        "accesses a walk  %.3f, with the home slot first %.3f; in the victim buffer %" PRIu64
        " pages\n",
        share(p->accesses, p->pages), share(p->home_first_accesses, p->pages), p->in_victim_buffer);
    (void)printf("walks            %" PRIu64 " wrong\n", p->wrong);
}

static json_t *steps_json(const lw_hashed_figures *f) {
    json_t *steps = json_array();
    for (int i = 0; i < LW_HPT_STEPS; i++) {
        (void)json_array_append_new(steps, json_integer((json_int_t)f->steps[i]));
    }
    return steps;
}

static bool write_json(const lw_options *o, const char *workload, const lw_hashed_program *program,
                       const lw_hashed_placement *p, lw_error *err) {
    const lw_hashed_figures *f = &p->figures;
    const lw_json_row rows[] = {{"size", o->run.size},
                                {"seed", o->run.seed},
                                {"processes", program->processes},
                                {"local_percent", program->local_percent},
                                {"factor_percent", program->factor},
                                {"pages", p->pages},
                                {"local_pages", p->local_pages},
                                {"slots", f->slots},
                                {"stride", p->config.stride},
                                {"max_local", p->config.max_local},
                                {"max_entries", p->config.max_entries},
                                {"local_entries", f->local},
                                {"remote_entries", f->remote},
                                {"step_places", f->step_places},
                                {"groups", f->groups},
                                {"victim_regions", f->victim_regions},
                                {"victim_nodes", f->victim_nodes},
                                {"victim_pages", p->in_victim_buffer},
                                {"accesses", p->accesses},
                                {"home_first_accesses", p->home_first_accesses},
                                {"words", p->counts.words},
                                {"wrong", p->wrong}};
    lw_json_row counts[COUNTS];
    json_t *json = lw_json_numbers(rows, sizeof rows / sizeof rows[0]);
    name_counts(&p->counts, counts);
    (void)json_object_set_new(json, "command", json_string("hashed"));
    (void)json_object_set_new(json, "workload", json_string(workload));
    (void)json_object_set_new(json, "load_factor", json_real(share(entries_of(f), f->slots)));
    (void)json_object_set_new(json, "threshold", json_real(share(p->config.max_entries, f->slots)));
    (void)json_object_set_new(json, "steps", steps_json(f));
    (void)json_object_set_new(json, "driver", lw_json_numbers(counts, COUNTS));
    return lw_json_write_object("json", o->json, json, err);
}

int lw_command_hashed(const lw_options *o) {
    lw_error err = {0};
    const char *name = o->run.workload == NULL ? "mvt" : o->run.workload;
    const lw_workload_params params = {.size = o->run.size, .seed = o->run.seed};
    lw_hashed_placement placement;
    lw_hashed_program program = {
        .processes = o->run.processes == 0 ? 1 : o->run.processes,
        .local_percent = o->local == 0 ? LOCAL_DEFAULT : (uint32_t)o->local,
        .factor = o->factor == 0 ? LW_FACTOR_DEFAULT : (uint32_t)o->factor};
    if (!lw_output_check("json", o->json, &err)) {
        return lw_refuse(&err);
    }
    lw_workload *w = lw_workload_open(name, &params, &err);
    program.arrays = w == NULL ? NULL : lw_workload_arrays(w, &program.count, &err);
    const bool placed =
        program.arrays != NULL && lw_hashed_place_program(&program, &placement, &err);
    lw_workload_close(w);
    if (!placed) {
        return lw_refuse(&err);
    }
    (void)printf("%s, %" PRIu32 " process%s: %" PRIu64 " pages, %.1f MiB, of them %" PRIu64
                 " local\n",
                 name, program.processes, program.processes == 1 ? "" : "es", placement.pages,
                 (double)placement.pages / MIB_PAGES, placement.local_pages);
    print_tables(&placement);
    print_driver(&placement);
    if (o->json != NULL && !write_json(o, name, &program, &placement, &err)) {
        return lw_refuse(&err);
    }
    return placement.wrong == 0 ? 0 : 1;
}
