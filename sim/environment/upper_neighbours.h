/* How many accesses to the upper levels of the page table a walk would make for itself, and how
 * many of these meet another one in their line: what NHA's Figure 6 measures.
 *
 * A request that goes into flight needs an entry of each level. Where another one in flight uses
 * that very entry already, the access is left out, as the paper does: the page walk cache has it.
 * The others count, and those in whose line of eight entries (16 MiB at level 2, 8 GiB, 4 TiB)
 * another entry is in use have met. */
#ifndef LW_SIM_ENVIRONMENT_UPPER_NEIGHBOURS_H
#define LW_SIM_ENVIRONMENT_UPPER_NEIGHBOURS_H

#include <stdint.h>

typedef struct lw_upper_neighbours lw_upper_neighbours;

typedef struct lw_upper_counts {
    uint64_t accesses, met;
} lw_upper_counts;

/* For a table of `levels` levels, 5 at most, and at most `in_flight` requests at once; NULL where
 * there is no memory. */
lw_upper_neighbours *lw_upper_neighbours_new(uint32_t levels, uint32_t in_flight);
void lw_upper_neighbours_free(lw_upper_neighbours *u);
void lw_upper_neighbours_enter(lw_upper_neighbours *u, uint32_t pasid, uint64_t page);
void lw_upper_neighbours_leave(lw_upper_neighbours *u, uint32_t pasid, uint64_t page);
lw_upper_counts lw_upper_neighbours_counts(const lw_upper_neighbours *u);

#endif
