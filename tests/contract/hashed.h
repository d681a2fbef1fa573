/* PASIDs with hashed tables (chapters 20 and 21), of a unit that walks them. They share a table of
 * eight slots, or of the 64 to 512 that are lines of those frames (R20.31), and a step table of one
 * frame, in which some of their regions are for the whole run;
 * what is in the slots changes as in any table. The rest is in their victim buffers, which are
 * radix tables like any other but for the sizes in the level-1 PTEs; and those tables other PASIDs
 * have as radix tables too. */
#ifndef LW_TESTS_CONTRACT_HASHED_H
#define LW_TESTS_CONTRACT_HASHED_H

#include "tests/contract/verdict.h"
#include "tests/contract/walk.h"
#include "tests/contract/world.h"

/* The frames of the slots, that of the step table, and how many are left for radix tables. */
enum { LW_SLOT_FRAME = LW_FRAMES - LW_SLOT_FRAMES - 1, LW_STEP_FRAME = LW_FRAMES - 1 };
enum { LW_RADIX_FRAMES = LW_SLOT_FRAME };

static inline bool lw_has_hashed_tables(const lw_world *w) {
    return w->hw.pwc_org == 2;
}

/* R20.31 */
static inline bool lw_has_line_slots(const lw_world *w) {
    return w->hw.slot_pages == 8;
}

/* R20.32: where the numbers of a region and of a group begin in a VPN. */
static inline uint32_t lw_region_at(const lw_world *w) {
    return lw_has_line_slots(w) ? 3 : 9;
}
static inline uint32_t lw_group_at(const lw_world *w) {
    return lw_region_at(w) + 4;
}

/* Whether the frame is one of the table's. */
static inline bool lw_has_slots(const lw_world *w, int frame) {
    const int frames = lw_has_line_slots(w) ? 1 << (w->table_log - 6) : LW_SLOT_FRAMES;
    return lw_has_hashed_tables(w) && frame >= LW_SLOT_FRAME && frame < LW_SLOT_FRAME + frames;
}

/* Whether the unit reads contiguity bits; SUBREGION_ENABLE stays as it is for the whole run. */
static inline bool lw_reads_contiguity(const lw_world *w) {
    enum { SUBREGION_ENABLE = 16 };
    return w->hw.subregions != 0 && (w->features & SUBREGION_ENABLE) != 0;
}

/* Gives the slots their places, before anything is in a table. */
void lw_hashed_put(lw_world *w);
/* Draws who has such a table, and which regions are in it. */
void lw_hashed_build(lw_world *w);

/* What software writes to ROOT (`data` says whether there is one), STEP and VICTIM (R21.16). */
uint64_t lw_hashed_root(lw_world *w, uint32_t pasid, uint64_t data);
uint64_t lw_hashed_step(const lw_world *w);
uint64_t lw_hashed_victim(const lw_world *w, uint32_t pasid);

/* Where the walk of a page may be that has found its slot, or with none is at this root or victim
 * buffer: so many places. A slot at home may have been found without the bits (R20.28). */
enum { LW_STARTS = 2 };
uint32_t lw_hashed_starts(const lw_world *w, uint32_t pasid, uint64_t vpn, uint64_t root,
                          lw_walk_at at[LW_STARTS]);

/* What a unit knows that has read a group's entry in the step table; false without one. */
typedef struct lw_hashed_group {
    uint64_t steps;
    uint32_t ac;
    uint64_t c[2];
} lw_hashed_group;
bool lw_hashed_find(const lw_world *w, uint32_t pasid, uint64_t vpn, lw_hashed_group *group);

/* Whether the frame is a slot, and its region's bits make the PTE of this subregion's first page a
 * head. */
bool lw_hashed_names_head(const lw_world *w, int frame, uint32_t subregion);
/* Whether a region has its slot in this frame, and these subregions are contiguous. */
bool lw_hashed_joins(const lw_world *w, uint32_t pasid, uint64_t vpn, uint64_t node,
                     uint32_t subregions);

/* Lines that a walk may read beside those: its bucket, and the one at home. */
uint64_t lw_hashed_bucket(const lw_world *w, uint32_t pasid, uint64_t vpn);
uint64_t lw_hashed_home(const lw_world *w, uint32_t pasid, uint64_t vpn);

/* R1.17: whether a PASID's PTEs of level 1 are sized. */
static inline bool lw_has_sizes(const lw_world *w, uint32_t pasid) {
    return w->hashed[pasid].there || w->hw.pages_64k != 0;
}

/* R20.4: a level-1 PTE of this index gets a size, and mostly a frame that lies as that asks. */
uint64_t lw_hashed_sized(lw_world *w, uint32_t index, uint64_t pte);
/* A word of a slot keeps its piece of the tag. With SUBREGIONS=1 no page has 2 MiB here: one that
 * is not 512 that lie together would be a wrong one for the frame (R3.8). */
uint64_t lw_hashed_kept(const lw_world *w, int frame, uint64_t old, uint64_t value);

#endif
