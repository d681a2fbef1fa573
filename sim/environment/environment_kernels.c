/* The kernels or traces that a run has its GPU work at, a process each, and their address spaces.
 */
#include "sim/environment/environment_state.h"
#include "sim/kernels/kernel_list.h"
#include "sim/tables/hashed_layout.h"

#include <string.h>

enum { MAX_PROCESSES = LW_ENVIRONMENT_PROCESSES };

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

bool lw_environment_make_kernels(lw_environment *env, const lw_run *run, lw_error *err) {
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
