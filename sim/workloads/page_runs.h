/* Runs of 4 KiB virtual pages, joined into the arrays that a trace or a stream has mapped.
 * Internal. */
#ifndef LW_SIM_WORKLOADS_PAGE_RUNS_H
#define LW_SIM_WORKLOADS_PAGE_RUNS_H

#include "sim/workloads/page_set.h"
#include "sim/workloads/workload.h"

/* A run of 4 KiB pages, [first, end) in virtual page numbers (VA[63:12]). */
typedef struct lw_page_run {
    uint64_t first, end;
} lw_page_run;

/* The `run_count` runs and the pages of the set as sorted, disjoint arrays that do not adjoin,
 * named range0, range1, ..., in an array that the caller frees. NULL where memory is short. */
lw_array *lw_page_runs_join(const lw_page_run *runs, size_t run_count, const lw_page_set *pages,
                            size_t *count);

#endif
