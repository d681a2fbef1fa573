/* The driver of a hashed table at work while kernels run: it moves a region to another slot, evicts
 * it to the victim buffer, recalls it, or empties the copies that recalls have left. No translation
 * changes by any of these, and every word is written in a cycle of its own (R20.21 to R20.23). */
#ifndef LW_SIM_OS_REGION_MOVES_H
#define LW_SIM_OS_REGION_MOVES_H

#include "common/error.h"
#include "common/rng.h"
#include "sim/os/address_space.h"
#include "sim/os/os_plan.h"

typedef struct lw_region_moves {
    uint64_t moves, evictions, recalls, settled;
} lw_region_moves;

/* Begins a change of the region of this page of a process and plans what follows it: its words, and
 * after a move the invalidation that is owed before the next one. The plan is empty where the
 * process has no hashed table or the region has no place to go to. False and a sentence without
 * memory. */
bool lw_region_move(lw_address_spaces *s, uint32_t process, uint64_t vpn, lw_rng *rng,
                    lw_os_plan *plan, lw_region_moves *counts, lw_error *err);

#endif
