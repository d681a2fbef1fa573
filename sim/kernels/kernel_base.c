#include "sim/kernels/kernel_base.h"

#include <inttypes.h>
#include <stdio.h>

#define PAGE UINT64_C(4096)
#define USER_END (UINT64_C(1) << 47) /* the user half of a canonical 48-bit address space */
#define DEFAULT_BASE UINT64_C(0x7f0000000000)
#define DEFAULT_LANES 64

bool lw_kernel_params(const lw_workload_info *info, uint64_t max_size, lw_workload_params *p,
                      lw_error *err) {
    p->size = p->size != 0 ? p->size : info->default_size;
    p->lanes = p->lanes != 0 ? p->lanes : DEFAULT_LANES;
    p->base_va = p->base_va != 0 ? p->base_va : DEFAULT_BASE;
    if (p->size % info->size_multiple != 0 || p->size > max_size) {
        return lw_fail(err,
                       "size %" PRIu64 " is not allowed for %s: a multiple of %" PRIu64
                       " from %" PRIu64 " to %" PRIu64 " is (%s)",
                       p->size, info->name, info->size_multiple, info->size_multiple, max_size,
                       info->size_means);
    }
    if (p->lanes != 32 && p->lanes != 64) {
        return lw_fail(err, "lanes %" PRIu32 " is not allowed for a wave: 32 or 64 is", p->lanes);
    }
    if (p->base_va % PAGE != 0 || p->base_va >= USER_END) {
        return lw_fail(err,
                       "base_va 0x%" PRIx64 " is not allowed: a multiple of 4096 below 0x%" PRIx64
                       " (the 47-bit user half) is",
                       p->base_va, USER_END);
    }
    return true;
}

void lw_kernel_append(lw_array_list *list, uint64_t base_va, const char *name, uint64_t bytes) {
    uint64_t base = base_va;
    if (list->count > 0) {
        const lw_array *last = &list->at[list->count - 1];
        base = (last->base + last->bytes + PAGE - 1) & ~(PAGE - 1);
    }
    lw_array *array = &list->at[list->count++];
    *array = (lw_array){.base = base, .bytes = bytes};
    (void)snprintf(array->name, sizeof array->name, "%s", name);
}

bool lw_kernel_fits(const lw_workload_info *info, const lw_workload_params *params,
                    const lw_array_list *list, lw_error *err) {
    const lw_array *last = &list->at[list->count - 1];
    const uint64_t end = last->base + last->bytes;
    if (end <= USER_END) {
        return true;
    }
    return lw_fail(err,
                   "size %" PRIu64 " of %s needs the addresses 0x%" PRIx64 " to 0x%" PRIx64
                   ", past the 47-bit user address space, which ends at 0x%" PRIx64
                   ": a smaller size is allowed",
                   params->size, info->name, params->base_va, end, USER_END);
}
