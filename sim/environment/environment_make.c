/* Puts a machine together around the unit: main memory, who asks, the memory port, the oracle and
 * the OS agent. */
#include "sim/environment/environment_state.h"
#include "sim/tables/hashed_query.h"

#include <stdlib.h>
#include <string.h>

static uint64_t read_memory(void *ctx, uint64_t pa) {
    const lw_environment *env = ctx;
    return lw_phys_mem_read64(lw_address_spaces_memory(env->spaces), pa);
}

static bool line_may_fail(void *ctx, uint64_t line) {
    const lw_environment *env = ctx;
    return lw_failed_reads_may(env->failed_reads, line);
}

static void entry_changes(void *ctx, uint64_t pa, uint64_t old_value) {
    lw_environment *env = ctx;
    if (env->l2_of_walks != NULL) {
        lw_gpu_table_changes(&env->front, pa);
    }
    lw_oracle_entry_changes(env->oracle, pa, old_value);
}

/* The ports show the order of walks where each walk begins at a root that stays. */
static bool shows_order(const lw_system *s) {
    return s->hashed_tables == 0 && s->mode == 0 && s->pwc_enable == 0 && s->feature_changes == 0 &&
           s->root_changes == 0;
}

/* One cache at most stands between page walks and main memory, and it must be there. */
static bool check_walks(const lw_system *s, lw_error *err) {
    if (s->l2d_walks != 0 && s->data == 0) {
        return lw_fail_key(err, "l2d_walks", " is 1; allowed: 0, because data is 0");
    }
    if (s->l2d_walks != 0 && s->pte_cache_kib != 0) {
        return lw_fail_key(err, "pte_cache_kib", " is %u; allowed: 0, because l2d_walks is 1",
                           s->pte_cache_kib);
    }
    return s->pte_cache_kib == 0 || strcmp(s->dram, "none") != 0 ||
           lw_fail_key(err, "pte_cache_kib", " is %u; allowed: 0, because dram is none",
                       s->pte_cache_kib);
}

static bool make_memory(lw_environment *env, lw_error *err) {
    const lw_system *s = env->system;
    char path[LW_DRAM_FILE_MAX];
    lw_dram_timing timing;
    if (!check_walks(s, err)) {
        return false;
    }
    if (!lw_system_dram_file(s, path)) {
        return true;
    }
    if (!lw_dram_timing_load(&timing, path, err)) {
        return false;
    }
    env->dram = lw_dram_new(&timing, s->clock_mhz, err);
    env->memory = env->dram != NULL ? lw_dram_memory(env->dram) : NULL;
    if (env->dram != NULL && s->pte_cache_kib != 0) {
        const lw_pte_cache_params cache = {s->pte_cache_kib, s->pte_cache_ways,
                                           s->pte_cache_latency};
        env->pte_cache = lw_pte_cache_new(&cache, env->memory, err);
    }
    return env->dram != NULL && (s->pte_cache_kib == 0 || env->pte_cache != NULL);
}

/* The unit's port, on the memory that page walks read first, where there is one. */
static bool make_port(lw_environment *env, const lw_run *run, lw_error *err) {
    const lw_system *s = env->system;
    const lw_phys_mem *content = lw_address_spaces_memory(env->spaces);
    lw_line_port_config config;
    lw_line_port_config_default(&config);
    config.reorder = s->memory_reorder != 0;
    config.not_ready_percent = s->memory_not_ready;
    config.error_percent = s->memory_errors;
    config.late_in_10000 = s->late_lines;
    config.late_cycles = s->late_cycles;
    config.early_percent = s->early_lines;
    config.capacity = s->memory_capacity;
    config.end_line = lw_address_spaces_end_line(env->spaces);
    config.seed = run->seed;
    if (!lw_latency_parse(s->memory_latency, &config.latency, err)) {
        return false;
    }
    lw_memory *memory = env->l2_of_walks != NULL ? env->l2_of_walks
                        : env->pte_cache != NULL ? lw_pte_cache_memory(env->pte_cache)
                                                 : env->memory;
    env->port = memory != NULL ? lw_line_port_new_on(&config, memory, content, err)
                               : lw_line_port_new(&config, content, err);
    return env->port != NULL;
}

/* What counts NHA's Figures 5 and 6. */
static bool make_neighbours(lw_environment *env) {
    const uint32_t in_flight = 1u << env->system->hw.id_w;
    env->neighbourhoods = lw_neighbourhoods_new(in_flight);
    env->upper = lw_upper_neighbours_new(env->system->hw.levels, in_flight);
    return env->neighbourhoods != NULL && env->upper != NULL;
}

static bool make_surroundings(lw_environment *env, const lw_run *run, lw_error *err) {
    const lw_system *s = env->system;
    lw_oracle_config oracle = {
        .levels = s->hw.levels,
        .pa_width = s->hw.pa_width,
        .ids = 1u << s->hw.id_w,
        .pasids = s->hw.pasids,
        .read64 = read_memory,
        .line_may_fail = line_may_fail,
        .ctx = env,
        .subregions = s->hw.subregions != 0 && s->subregion_enable != 0,
        .head_first = s->hw.head_first != 0,
        .size_hints = s->hw.pages_64k != 0,
        .links = s->hw.colt != 0,
    };
    env->oracle = make_port(env, run, err) ? lw_oracle_new(&oracle, err) : NULL;
    env->agent =
        env->oracle == NULL ? NULL : lw_os_agent_new(s, env->spaces, env->oracle, run->seed, err);
    env->requests = calloc(1u << s->hw.id_w, sizeof *env->requests);
    const bool neighbours = !run->neighbours || make_neighbours(env);
    env->waiting = lw_waiting_new(1u << s->hw.id_w);
    env->failed_reads = lw_failed_reads_new();
    env->held_then = calloc(1u << s->hw.id_w, sizeof *env->held_then);
    env->owners = lw_old_owners_new(s->hw.pasids);
    env->order = shows_order(s) ? lw_walk_order_new(1u << s->hw.id_w) : NULL;
    if (env->agent == NULL) {
        return false;
    }
    if (env->requests == NULL || !neighbours || env->waiting == NULL || env->failed_reads == NULL ||
        env->held_then == NULL || env->owners == NULL || (env->order == NULL && shows_order(s))) {
        return lw_fail(err, "no memory for the environment");
    }
    for (uint32_t p = 0; p < lw_address_spaces_processes(env->spaces); p++) {
        uint64_t root = lw_page_table_root(lw_address_spaces_table(env->spaces, p));
        if (!lw_oracle_set_root(env->oracle, p, true, root, err)) {
            return false;
        }
        if (lw_address_spaces_is_hashed(env->spaces, p)) {
            const lw_hashed_walk_query tables = lw_address_spaces_told(env->spaces, p);
            lw_oracle_set_hashed(env->oracle, p, &tables);
        }
    }
    lw_rng_seed(&env->rng, run->seed ^ UINT64_C(0xfea7));
    lw_slow_phases_begin(&env->slow, run->seed);
    lw_phys_mem_watch(lw_address_spaces_memory(env->spaces), entry_changes, env);
    return true;
}

bool lw_environment_make(lw_environment *env, const lw_run *run, lw_error *err) {
    const bool streams = run->stream != NULL || lw_environment_is_stream(run->workload);
    return make_memory(env, err) &&
           (streams ? lw_environment_make_stream(env, run, err)
                    : lw_environment_make_kernels(env, run, err)) &&
           make_surroundings(env, run, err);
}

lw_partial lw_environment_partial(const lw_environment *env) {
    return env->partial;
}
