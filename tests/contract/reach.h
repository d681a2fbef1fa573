/* Which page-table frames a walk can reach from a root: what is freed may not be read, and what
 * software owes before it links or changes. */
#ifndef LW_TESTS_CONTRACT_REACH_H
#define LW_TESTS_CONTRACT_REACH_H

#include "tests/contract/world.h"

/* After a change that takes effect in `cycle`. */
void lw_reach_update(lw_world *w, uint64_t cycle);

/* The PTE was written into the frame: if that is out of a PASID's reach, but not since before the
 * latest completed invalidation that meets it, walks may be there and go on to the table, and
 * below. */
void lw_reach_linked(lw_world *w, int frame, uint64_t pte);

/* Whether software may link the frame into one more place: with a page walk cache by address not
 * before an upper PTE that was changed in it, or below, has had its invalidation. */
bool lw_reach_may_link(const lw_world *w, int frame);

/* Whether the PTE at this physical index of the frame may change: one that contiguity bits of a
 * level-2 PTE, or of a region in the step table, make a head may not (chapter 16). */
bool lw_reach_may_change(lw_world *w, int frame, uint32_t index);

/* A read was transferred: false if it went into a table that is out of the reach of each PASID
 * since before the latest completed invalidation that meets that PASID. */
bool lw_reach_may_read(const lw_world *w, int frame);

#endif
