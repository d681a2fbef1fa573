#include "app/commands/table_plan.h"

#include "app/reports/figures.h"
#include "sim/kernels/kernel_list.h"
#include "sim/workloads/workload.h"

#include <stdio.h>
#include <string.h>

/* What `lockwalk table NAME` runs: every kernel on every system; the first is what the others are
 * measured by. */
typedef struct comparison {
    const char *name;
    lw_cut cuts[LW_TABLE_WORKLOADS];
    const char *systems[LW_TABLE_SYSTEMS];
} comparison;

static const comparison comparisons[] = {
    {"nha",
     {{"mvt", 20, 0, 0},
      {"atax", 20, 0, 0},
      {"bicg", 32, 0, 0},
      {"gesummv", 20, 0, 0},
      {"nw", 0, 160, 0},
      {"hotspot", 0, 0, 0},
      {"backprop", 0, 0, 4096}},
     {"baseline", "nha_leaf", "nha"}},
    {"mesc",
     {{"atax", 128, 0, 0},
      {"bfs", 0, 14, 0},
      {"bicg_square", 128, 0, 0},
      {"corr", 6, 0, 2},
      {"covar", 6, 0, 2},
      {"gesummv", 64, 0, 0},
      {"gramschm", 64, 12, 0},
      {"mvt_f32", 128, 0, 0},
      {"nw", 0, 160, 0},
      {"2dconv", 0, 0, 0},
      {"color", 0, 0, 0},
      {"hotspot", 0, 0, 0},
      {"lud", 0, 0, 0},
      {"srad", 0, 0, 0},
      {"sssp", 0, 8, 256}},
     {"baseline16", "colt", "full_colt", "mesc", "mesc_colt", "nha16", "nha_mesc", "mesc_headfirst",
      "thp"}},
};

enum { COMPARISONS = sizeof comparisons / sizeof comparisons[0] };

static const comparison *find_comparison(const char *name, lw_error *err) {
    for (size_t i = 0; i < COMPARISONS; i++) {
        if (name == NULL || strcmp(comparisons[i].name, name) == 0) {
            return &comparisons[i];
        }
    }
    (void)lw_fail(err, "table: \"%s\" is no comparison; allowed: nha, mesc", name);
    return NULL;
}

/* Copies the next name of a list to `name` and moves *list behind it and its comma. */
static bool next_name(const char *option, const char **list, char *name, size_t room,
                      lw_error *err) {
    const size_t n = strcspn(*list, ",");
    if (n == 0 || n >= room || ((*list)[n] == ',' && (*list)[n + 1] == '\0')) {
        return lw_fail(err, "--%s: \"%s\" is no list; allowed: names, a comma between two", option,
                       *list);
    }
    memcpy(name, *list, n);
    name[n] = '\0';
    *list += n + ((*list)[n] == ',');
    return true;
}

static bool full(const char *option, size_t count, size_t most, lw_error *err) {
    return count == most && !lw_fail(err, "--%s: names too many; allowed: %zu", option, most);
}

static bool add_system(lw_table_plan *plan, const lw_options *o, const char *name, lw_error *err) {
    char folder[600];
    (void)snprintf(folder, sizeof folder, "%s/systems", o->root);
    lw_system *system = &plan->systems[plan->system_count];
    if (full("systems", plan->system_count, LW_TABLE_SYSTEMS, err) ||
        !lw_system_load(system, folder, name, err) || !lw_options_check(system, err)) {
        return false;
    }
    for (size_t i = 0; i < plan->system_count; i++) {
        if (strcmp(plan->systems[i].name, system->name) == 0) { /* nobody could tell their rows */
            return lw_fail(err, "--systems: two are called %s; allowed: names that differ",
                           system->name);
        }
    }
    plan->system_count++;
    return true;
}

static bool add_systems(lw_table_plan *plan, const lw_options *o, const comparison *t,
                        lw_error *err) {
    if (o->systems == NULL) {
        for (size_t i = 0; i < LW_TABLE_SYSTEMS && t->systems[i] != NULL; i++) {
            if (!add_system(plan, o, t->systems[i], err)) {
                return false;
            }
        }
        return true;
    }
    const char *list = o->systems;
    do {
        char name[LW_TEXT_MAX];
        if (!next_name("systems", &list, name, sizeof name, err) ||
            !add_system(plan, o, name, err)) {
            return false;
        }
    } while (*list != '\0');
    return true;
}

static bool is_kernel(const char *name) {
    const lw_workload_info *info = NULL;
    for (size_t i = 0; (info = lw_workload_at(i)) != NULL; i++) {
        if (strcmp(info->name, name) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_stream(const char *name) {
    const char *summary = NULL;
    const char *stream = NULL;
    for (size_t i = 0; (stream = lw_stream_name_at(i, &summary)) != NULL; i++) {
        if (strcmp(stream, name) == 0) {
            return true;
        }
    }
    return false;
}

/* A comparison's cut of the kernel, its own first. */
static lw_cut cut_of(const comparison *t, const char *kernel) {
    for (size_t i = 0; i <= COMPARISONS; i++) {
        const comparison *from = i == 0 ? t : &comparisons[i - 1];
        for (size_t k = 0; k < LW_TABLE_WORKLOADS && from->cuts[k].kernel != NULL; k++) {
            if (strcmp(from->cuts[k].kernel, kernel) == 0) {
                return from->cuts[k];
            }
        }
    }
    return (lw_cut){.kernel = kernel};
}

static bool add_workloads(lw_table_plan *plan, const lw_options *o, const comparison *t,
                          lw_error *err) {
    const char *list = o->workloads;
    size_t used = 0;
    while (list == NULL && plan->cut_count < LW_TABLE_WORKLOADS &&
           t->cuts[plan->cut_count].kernel != NULL) {
        plan->cuts[plan->cut_count] = t->cuts[plan->cut_count];
        plan->cut_count++;
    }
    while (list != NULL && (used == 0 || *list != '\0')) {
        char *name = plan->workloads + used;
        if (full("workloads", plan->cut_count, LW_TABLE_WORKLOADS, err) ||
            !next_name("workloads", &list, name, sizeof plan->workloads - used, err)) {
            return false;
        }
        if (!is_kernel(name) && !is_stream(name)) {
            return lw_fail(
                err, "--workloads: \"%s\" is no workload; `lockwalk workloads` lists them", name);
        }
        plan->cuts[plan->cut_count] = cut_of(t, name);
        plan->cuts[plan->cut_count++].kernel = name;
        used += strlen(name) + 1;
    }
    for (size_t i = 0; i < plan->cut_count; i++) {
        lw_cut *cut = &plan->cuts[i];
        if (o->whole) {
            *cut = (lw_cut){.kernel = cut->kernel};
            continue;
        }
        cut->max_iters = o->run.max_iters == 0 ? cut->max_iters : o->run.max_iters;
        cut->max_launches = o->run.max_launches == 0 ? cut->max_launches : o->run.max_launches;
        cut->max_groups = o->run.max_groups == 0 ? cut->max_groups : o->run.max_groups;
    }
    return true;
}

/* Whether each kernel has the size that is asked for: found out before the first runs. */
static bool check_size(const lw_table_plan *plan, const lw_run *run, lw_error *err) {
    const lw_workload_params params = {.size = run->size, .seed = run->seed};
    for (size_t i = 0; run->size != 0 && i < plan->cut_count; i++) {
        if (!is_kernel(plan->cuts[i].kernel)) {
            continue;
        }
        lw_workload *kernel = lw_workload_open(plan->cuts[i].kernel, &params, err);
        if (kernel == NULL) {
            return false;
        }
        lw_workload_close(kernel);
    }
    return true;
}

static bool add_counters(lw_table_plan *plan, const char *list, lw_error *err) {
    while (list != NULL && (plan->counter_count == 0 || *list != '\0')) {
        char name[64];
        uint32_t n = 0;
        if (full("counters", plan->counter_count, LW_TABLE_COUNTERS, err) ||
            !next_name("counters", &list, name, sizeof name, err)) {
            return false;
        }
        while (n < LW_COUNTERS &&
               (lw_counter_name(n) == NULL || strcmp(lw_counter_name(n), name) != 0)) {
            n++;
        }
        if (n == LW_COUNTERS) {
            return lw_fail(err,
                           "--counters: \"%s\" is none; allowed: those that docs/json.md has in "
                           "`counters` and `attribution`",
                           name);
        }
        plan->counters[plan->counter_count++] = n;
    }
    return true;
}

static bool is_cut(const lw_run *r) {
    return r->max_requests != 0 || r->max_iters != 0 || r->max_launches != 0 || r->max_groups != 0;
}

/* Whether the runs are others than those of the comparison itself, whose whole kernels are known.
 */
static bool is_changed(const lw_options *o) {
    const lw_run *r = &o->run;
    return o->whole || o->systems != NULL || r->size != 0 || is_cut(r);
}

bool lw_table_plan_make(lw_table_plan *plan, const lw_options *options, lw_error *err) {
    const comparison *t = find_comparison(options->operand, err);
    memset(plan, 0, sizeof *plan);
    if (options->whole && is_cut(&options->run)) {
        return lw_fail(err, "--whole: the kernels are not cut; allowed without --max-requests, "
                            "--max-iters, --max-launches and --max-groups");
    }
    if (!is_changed(options) && !lw_whole_kernels_load(&plan->whole, options->root, err)) {
        return false;
    }
    return t != NULL && add_systems(plan, options, t, err) &&
           add_workloads(plan, options, t, err) && check_size(plan, &options->run, err) &&
           add_counters(plan, options->counters, err);
}
