/* Page tables that move: a node is copied to another frame, every entry that led to the old one is
 * written anew, and once nobody can know the old one it is emptied, so that a walk that still does
 * finds nothing where pages are. */
#ifndef LW_SIM_OS_TABLE_MOVES_H
#define LW_SIM_OS_TABLE_MOVES_H

#include "common/error.h"
#include "common/rng.h"
#include "sim/os/address_space.h"
#include "sim/os/os_plan.h"
#include "sim/os/os_roots.h"

/* Moves a node on the way to `vpn` in the process's table and plans what is owed for it; where
 * there is none below the root the plan stays empty. False and a sentence if memory ran out. */
bool lw_table_move(lw_address_spaces *spaces, const lw_os_roots *roots, uint32_t process,
                   uint64_t vpn, lw_rng *rng, lw_os_plan *plan, lw_error *err);

#endif
