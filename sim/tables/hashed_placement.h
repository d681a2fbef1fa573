/* How the pages of a program lie in a hashed page table of the paper's size: placed one by one as
 * when it starts, then each of them walked by the oracle. */
#ifndef LW_SIM_TABLES_HASHED_PLACEMENT_H
#define LW_SIM_TABLES_HASHED_PLACEMENT_H

#include "common/error.h"
#include "sim/tables/hashed_table.h"
#include "sim/workloads/workload.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct lw_hashed_program {
    const lw_array *arrays; /* mapped in 4 KiB pages, in this order */
    size_t count;
    uint32_t processes;     /* 1..256, each with these arrays in an address space of its own */
    uint32_t local_percent; /* 1..100: of each process's pages so many are in the GPU's memory,
                               which holds no more; those mapped after them are remote */
    uint32_t factor;        /* 100..1000: the paper's m, in percent */
} lw_hashed_program;

typedef struct lw_hashed_placement {
    uint64_t pages, local_pages; /* of all processes */
    lw_hashed_config config;
    lw_hashed_figures figures;
    lw_hashed_counts counts;
    /* Lines that the walks of all pages read, each page once, no cache: with the step table first,
     * and with the home slot first (R20.13). */
    uint64_t accesses, home_first_accesses;
    uint64_t in_victim_buffer; /* pages that were found there */
    uint64_t wrong;            /* walks that did not give the page's frame: 0 */
} lw_hashed_placement;

/* False and a sentence where a table's sizes or the frames exceed what there is. */
bool lw_hashed_place_program(const lw_hashed_program *program, lw_hashed_placement *placement,
                             lw_error *err);

#endif
