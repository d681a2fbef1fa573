/* PASIDs with hashed tables (chapters 20 and 21), of a unit that walks them. Their step table is
 * empty, so that all is in the victim buffer, which is a radix table like any other but for the
 * sizes in its level-1 PTEs; and those tables other PASIDs have as radix tables too. */
#ifndef LW_TESTS_CONTRACT_HASHED_H
#define LW_TESTS_CONTRACT_HASHED_H

#include "tests/contract/verdict.h"
#include "tests/contract/world.h"

static inline bool lw_has_hashed_tables(const lw_world *w) {
    return w->hw.pwc_org == 2;
}

/* Draws who has one, and where it lies: outside all frames. */
void lw_hashed_begin(lw_world *w);

/* ROOT, STEP and VICTIM of a PASID, and STRIDE (R21.16); `data` says whether there is a root. */
uint64_t lw_hashed_root(lw_world *w, uint32_t pasid, uint64_t data);
uint64_t lw_hashed_step(const lw_world *w, uint32_t pasid);
uint64_t lw_hashed_victim(const lw_world *w, uint32_t pasid);

/* The lines that a walk reads before the victim buffer: its bucket, and the one at home. */
uint64_t lw_hashed_bucket(const lw_world *w, uint32_t pasid, uint64_t vpn);
uint64_t lw_hashed_home(const lw_world *w, uint32_t pasid, uint64_t vpn);

/* R20.4: a level-1 PTE of this index gets a size, and mostly a frame that lies as that asks. */
uint64_t lw_hashed_sized(lw_world *w, uint32_t index, uint64_t pte);

#endif
