/* The list of an Accel-Sim trace: kernel files and the ranges copied to the GPU. */
#ifndef LW_SIM_TRACES_TRACE_LIST_H
#define LW_SIM_TRACES_TRACE_LIST_H

#include "common/error.h"
#include "sim/workloads/page_runs.h"

#include <stddef.h>
#include <stdint.h>

typedef struct lw_trace_list {
    char *path;     /* the file that was read: the list, or the one kernel */
    char **kernels; /* paths, in launch order; every file was there when the list was read */
    size_t kernel_count, kernel_room;
    size_t missing;      /* kernels that it names and that are not there (partial) */
    lw_page_run *copies; /* the MemcpyHtoD ranges, in the list's order */
    size_t copy_count, copy_room;
} lw_trace_list;

/* `path` and `partial` as lw_workload_open_trace takes them. On failure *list is empty. */
bool lw_trace_list_read(lw_trace_list *list, const char *path, bool partial, lw_error *err);
void lw_trace_list_free(lw_trace_list *list);

#endif
