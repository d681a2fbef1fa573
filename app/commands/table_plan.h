/* What a table runs: every workload on every system, and the counters that it shows. */
#ifndef LW_APP_COMMANDS_TABLE_PLAN_H
#define LW_APP_COMMANDS_TABLE_PLAN_H

#include "app/commands/whole_kernels.h"
#include "app/options/options.h"

enum { LW_TABLE_WORKLOADS = 16, LW_TABLE_SYSTEMS = 10, LW_TABLE_COUNTERS = 16 };

/* The cut of a kernel that some minutes of lockstep can run at most: the papers' sizes and pitches
 * always, fewer iterations of the inner loops, work-groups or launches; 0: none. */
typedef struct lw_cut {
    const char *kernel;
    uint64_t max_iters, max_launches, max_groups;
} lw_cut;

typedef struct lw_table_plan {
    lw_system systems[LW_TABLE_SYSTEMS]; /* the first is what the others are measured by */
    size_t system_count;
    lw_cut cuts[LW_TABLE_WORKLOADS];
    size_t cut_count;
    uint32_t counters[LW_TABLE_COUNTERS]; /* LW_C_* */
    size_t counter_count;
    char workloads[1024];   /* where the names of `cuts` are, if they are the user's */
    lw_whole_kernels whole; /* empty where the runs are not the comparison's own */
} lw_table_plan;

/* The comparison that the operand names, with the systems, workloads, counters and cuts of the
 * options. False and a sentence where one of them is unknown, before anything is run. */
bool lw_table_plan_make(lw_table_plan *plan, const lw_options *options, lw_error *err);

#endif
