/* What the oracle is told of a process's hashed table: a query of its walk but for the page. */
#ifndef LW_SIM_TABLES_HASHED_QUERY_H
#define LW_SIM_TABLES_HASHED_QUERY_H

#include "oracle/hashed_walk.h"
#include "sim/tables/hashed_table.h"

#include <assert.h>

/* The process has been added to the table. */
static inline lw_hashed_walk_query lw_hashed_query(const lw_hashed_table *t, uint32_t pasid) {
    lw_hashed_roots roots = {0};
    const bool has = lw_hashed_table_roots(t, pasid, &roots);
    assert(has);
    (void)has;
    return (lw_hashed_walk_query){.page = {.levels = lw_hashed_table_config(t)->levels,
                                           .has_root = true,
                                           .root = roots.victim_frame},
                                  .slot_pages = lw_hashed_table_config(t)->slot_pages,
                                  .contiguity = lw_hashed_table_config(t)->contiguity,
                                  .has_victim_buffer = true,
                                  .pasid = pasid,
                                  .table_frame = roots.table_frame,
                                  .step_frame = roots.step_frame,
                                  .table_log = roots.table_log,
                                  .step_log = roots.step_log,
                                  .stride = roots.stride,
                                  .multiplier = roots.multiplier};
}

#endif
