/* What every named kernel checks and lays out the same way, whatever engine walks it. Internal. */
#ifndef LW_SIM_KERNELS_KERNEL_BASE_H
#define LW_SIM_KERNELS_KERNEL_BASE_H

#include "sim/workloads/workload.h"

#define LW_KERNEL_ARRAYS 8

typedef struct lw_array_list {
    lw_array at[LW_KERNEL_ARRAYS];
    size_t count;
} lw_array_list;

/* Fills the defaults into *params and refuses what `info` and `max_size` do not allow. */
bool lw_kernel_params(const lw_workload_info *info, uint64_t max_size, lw_workload_params *params,
                      lw_error *err);

/* An array right after the former one, page aligned; the first at base_va. */
void lw_kernel_append(lw_array_list *list, uint64_t base_va, const char *name, uint64_t bytes);

/* Refuses arrays past the end of the user address space. */
bool lw_kernel_fits(const lw_workload_info *info, const lw_workload_params *params,
                    const lw_array_list *list, lw_error *err);

/* The mask of the first n lanes (n 0..64). */
static inline uint64_t lw_first_lanes(uint64_t n) {
    return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

/* Waves of a group of `items` work-items. */
static inline uint32_t lw_waves_of(const lw_workload_params *params, uint32_t items) {
    return (items + params->lanes - 1) / params->lanes;
}

/* The live lanes of wave `wave` of group `group` in a 1-D launch of `items` work-items, in groups
 * of group_items; its first item in *first. */
static inline uint64_t lw_lanes_of_items(const lw_workload_params *params, uint64_t items,
                                         uint32_t group_items, uint32_t group, uint32_t wave,
                                         uint64_t *first) {
    *first = (uint64_t)group * group_items + (uint64_t)wave * params->lanes;
    const uint64_t left = *first < items ? items - *first : 0;
    return lw_first_lanes(left < params->lanes ? left : params->lanes);
}

#endif
