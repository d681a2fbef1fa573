/* Page tables that move: a node is copied to another frame, every entry that led to the old one is
 * written anew, and once nobody can know the old one it is emptied, so that a walk that still does
 * finds nothing where pages are. A node of level 1 may come to hold its pages in another order. */
#ifndef LW_SIM_OS_TABLE_MOVES_H
#define LW_SIM_OS_TABLE_MOVES_H

#include "common/error.h"
#include "common/rng.h"
#include "sim/os/address_space.h"
#include "sim/os/os_plan.h"
#include "sim/os/os_roots.h"
#include "sim/os/page_changes.h"

typedef struct lw_table_move_of {
    uint32_t process;
    uint64_t vpn;
    bool contiguity;              /* level-2 entries have MESC's bits */
    const lw_page_changes *pages; /* knows which pages must stay where they are */
} lw_table_move_of;

/* Moves a node on the way to a process's page and plans what is owed for it; where there is none
 * below the root the plan stays empty. *replaced: pages in it have changed. False and a sentence if
 * memory ran out. */
bool lw_table_move(lw_address_spaces *spaces, const lw_os_roots *roots,
                   const lw_table_move_of *what, lw_rng *rng, lw_os_plan *plan, bool *replaced,
                   lw_error *err);

#endif
