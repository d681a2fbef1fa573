/* The named kernels (docs/workloads.md), each with the engine that walks it. */
#ifndef LW_SIM_KERNELS_KERNEL_LIST_H
#define LW_SIM_KERNELS_KERNEL_LIST_H

#include "sim/workloads/workload.h"

/* The i-th kernel, NULL past the last. */
const lw_workload_info *lw_workload_at(size_t i);

/* NULL and a sentence naming the option where the name, the size, or another value is not allowed
 * (also where a size does not fit the 47-bit user address space). */
lw_workload *lw_workload_open(const char *name, const lw_workload_params *params, lw_error *err);

#endif
