#include "sim/environment/environment_state.h"
#include "sim/kernels/kernel_list.h"
#include "sim/tables/hashed_layout.h"
#include "sim/tables/hashed_query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PROCESSES = LW_ENVIRONMENT_PROCESSES };

/* ---------------------------------------------------------------- making a run */

bool lw_environment_make_spaces(lw_environment *env, lw_room room, uint64_t seed, lw_error *err) {
    env->spaces = lw_address_spaces_new(env->system, room.pages, seed, err);
    return env->spaces != NULL && lw_address_spaces_hash(env->spaces, room.regions, err);
}

lw_room lw_environment_room_of(const lw_array *arrays, size_t count) {
    lw_room room = {0, 0};
    for (size_t a = 0; arrays != NULL && a < count; a++) {
        room.pages += (arrays[a].bytes >> LW_PAGE_SHIFT) + 2;
        room.regions += (arrays[a].bytes >> (LW_PAGE_SHIFT + LW_BLOCK_SHIFT)) + 2;
    }
    return room;
}

/* The regions of 2 MiB that hold pages of these arrays, which are in order and may share one. */
static uint64_t regions_of(const lw_array *arrays, size_t count) {
    uint64_t regions = 0;
    uint64_t next = 0;
    for (size_t a = 0; arrays != NULL && a < count; a++) {
        const uint64_t page = arrays[a].base >> LW_PAGE_SHIFT;
        const uint64_t first = page >> LW_BLOCK_SHIFT;
        const uint64_t end = ((page + lw_array_pages(&arrays[a]) - 1) >> LW_BLOCK_SHIFT) + 1;
        regions += end > next ? end - (first < next ? next : first) : 0;
        next = end > next ? end : next;
    }
    return regions;
}

lw_mapping lw_mapped_by(const lw_run *run) {
    return run->map == NULL || strcmp(run->map, "touched") == 0 ? LW_MAPPED_TOUCHED
           : strcmp(run->map, "arrays") == 0                    ? LW_MAPPED_ARRAYS
                                                                : LW_MAPPED_FILE;
}

bool lw_environment_map_file(lw_environment *env, const lw_run *run, uint32_t spaces,
                             lw_error *err) {
    lw_address_map *map = lw_address_map_read(run->map, env->system, err);
    if (map == NULL) {
        return false;
    }
    env->spaces =
        lw_address_spaces_new_beside(env->system, lw_address_map_pages(map), run->seed, map, err);
    bool good = env->spaces != NULL &&
                lw_address_spaces_hash(env->spaces, lw_address_map_regions(map), err);
    const uint32_t mapped = lw_address_map_spaces(map);
    for (uint32_t p = 0; p < (spaces > mapped ? spaces : mapped) && good; p++) {
        good = lw_address_spaces_add_map(env->spaces, map, err);
    }
    lw_address_map_free(map);
    return good;
}

/* The N that a kernel gets when none is asked for; 0 for a trace, which has none. */
static uint64_t default_size(const char *kernel) {
    const lw_workload_info *info = NULL;
    for (size_t i = 0; kernel != NULL && (info = lw_workload_at(i)) != NULL; i++) {
        if (strcmp(info->name, kernel) == 0) {
            return info->default_size;
        }
    }
    return 0;
}

/* What a TLB of the GPU has kept; the sentence waits for the end of the cycle. */
static void judge_hit(void *ctx, const lw_front_hit *hit) {
    lw_environment *env = ctx;
    const lw_oracle_answer kept = {.kind = LW_ORACLE_OK,
                                   .pfn = hit->pfn,
                                   .size = hit->size,
                                   .w = (hit->perm & 1) != 0,
                                   .x = (hit->perm & 2) != 0};
    const char *where = hit->tlb == LW_FRONT_L1 ? "L1 TLB of a CU" : "L2 TLB";
    if (env->wrong_hit.text[0] == '\0') {
        const int before = lw_environment_asks(env);
        (void)lw_oracle_hit(env->oracle, where, hit->pasid, hit->page, hit->access, &kept,
                            &env->wrong_hit);
        *env->at = before;
    }
}

static bool map_workloads(lw_environment *env, const lw_run *run, lw_room room, lw_error *err) {
    switch (lw_mapped_by(run)) {
    case LW_MAPPED_FILE:
        return lw_environment_map_file(env, run, env->processes, err);
    case LW_MAPPED_ARRAYS:
        return lw_fail(err, "--map: \"arrays\" is for --stream; for a trace \"touched\" or a file "
                            "is allowed");
    default:
        break;
    }
    bool good = lw_environment_make_spaces(env, room, run->seed, err);
    for (uint32_t p = 0; p < env->processes && good; p++) {
        size_t count = 0;
        const lw_array *arrays = lw_workload_arrays(env->workloads[p], &count, err);
        good = lw_address_spaces_add(env->spaces, arrays, count, err);
    }
    return good;
}

/* lw_gpu_frames.of: what the page table says now. */
static bool frame_of(void *ctx, uint32_t pasid, uint64_t page, uint64_t *frame) {
    lw_environment *env = ctx;
    const lw_page_table *table = lw_address_spaces_table(env->spaces, pasid);
    const uint64_t vpn = page & ((UINT64_C(1) << 9 * lw_page_table_levels(table)) - 1);
    lw_page_table_leaf leaf;
    lw_error nobody = {0};
    if (!lw_page_table_find(table, vpn, &leaf, &nobody)) {
        return false;
    }
    const uint64_t within = (UINT64_C(1) << 9 * (leaf.level - 1)) - 1;
    *frame = ((leaf.entry & LW_PTE_FRAME) >> LW_PAGE_SHIFT & ~within) | (vpn & within);
    return true;
}

/* The data path of the system, which shares main memory with the page walks where there is one. */
static lw_data_path_params data_path(const lw_environment *env) {
    const lw_system *s = env->system;
    return (lw_data_path_params){
        .l1 = {.kib = s->l1d_kib,
               .ways = s->l1d_ways,
               .line = s->data_line,
               .latency = s->l1d_latency,
               .lookups = s->l1d_lookups,
               .mshrs = s->l1d_mshrs,
               .hash = s->l1d_hash != 0},
        .l2 = {.kib = s->l2d_kib,
               .ways = s->l2d_ways,
               .line = s->data_line,
               .latency = s->l2d_latency,
               .lookups = s->l2d_lookups,
               .mshrs = s->l2d_mshrs,
               .store_fetch = s->l2d_store_fetch != 0,
               .hash = s->l2d_hash != 0,
               .write_back = true},
        .crossbar = s->crossbar_latency,
        .memory_latency = s->data_latency,
        .memory = env->memory,
        .walks = s->l2d_walks != 0 ? s->memory_capacity : 0,
    };
}

bool lw_environment_gpu(lw_environment *env, const lw_run *run, lw_gpu_params *params,
                        lw_error *err) {
    const lw_system *s = env->system;
    env->judge = (lw_front_judge){judge_hit, env};
    *params = (lw_gpu_params){
        .cus = s->cus,
        .simds = s->simds,
        .waves = s->waves,
        .l1_entries = s->l1_entries,
        .l1_probes = s->l1_probes,
        .l1_latency = s->l1_latency,
        .l1_mshrs = s->l1_mshrs,
        .l2_entries = s->l2_entries,
        .l2_ways = s->l2_ways,
        .l2_latency = s->l2_latency,
        .l2_lookups = s->l2_lookups,
        .l2_mshrs = s->l2_mshrs,
        .schedule = s->schedule,
        .wave_loads = s->wave_loads,
        .issue_period = s->issue_period,
        .ideal = s->ideal_translation != 0,
        .frames = {frame_of, env},
        .has_data = s->data != 0,
        .data = data_path(env),
        .judge = &env->judge,
        .max_requests = run->max_requests,
    };
    return s->l2_mshrs <= 1u << s->hw.id_w ||
           lw_fail_key(err, "l2_mshrs", " is %u; allowed: at most 2^id_w = %u", s->l2_mshrs,
                       1u << s->hw.id_w);
}

static bool make_gpu(lw_environment *env, const lw_run *run, lw_error *err) {
    const lw_system *s = env->system;
    lw_gpu_params params;
    lw_workload_params wanted = {
        .size = run->size, .seed = run->seed, .lanes = s->lanes, .max_iters = run->max_iters};
    uint32_t processes = run->processes == 0 ? 1 : run->processes;
    if (processes > MAX_PROCESSES || processes > s->hw.pasids || processes > s->cus) {
        return lw_fail(err, "--pasids is %u; allowed: 1..%u (the system's pasids and cus bound it)",
                       processes, s->hw.pasids < s->cus ? s->hw.pasids : s->cus);
    }
    if (!lw_environment_gpu(env, run, &params, err)) {
        return false;
    }
    lw_room room = {0, 0};
    for (uint32_t p = 0; p < processes; p++) {
        size_t count = 0;
        env->workloads[p] = run->trace != NULL
                                ? lw_workload_open_trace(run->trace, run->partial, err)
                                : lw_workload_open(run->workload, &wanted, err);
        if (env->workloads[p] == NULL) {
            return false;
        }
        lw_workload_cut(env->workloads[p], run->max_launches, run->max_groups);
        env->processes++;
        const lw_array *arrays = lw_workload_arrays(env->workloads[p], &count, err);
        if (arrays == NULL && err->text[0] != '\0') {
            return false;
        }
        env->partial = lw_workload_partial(env->workloads[p]);
        room.pages += lw_environment_room_of(arrays, count).pages;
        room.regions += regions_of(arrays, count);
    }
    if (!map_workloads(env, run, room, err)) {
        return false;
    }
    env->total = run->max_requests;
    env->size = run->size != 0 ? run->size : default_size(run->workload);
    env->statistics = lw_gpu_statistics;
    env->kernel = lw_gpu_kernel;
    if (!lw_gpu_new(&params, env->workloads, processes, &env->front, err)) {
        return false;
    }
    env->l2_of_walks = lw_gpu_walks(&env->front);
    return true;
}

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
           (streams ? lw_environment_make_stream(env, run, err) : make_gpu(env, run, err)) &&
           make_surroundings(env, run, err);
}

lw_partial lw_environment_partial(const lw_environment *env) {
    return env->partial;
}
