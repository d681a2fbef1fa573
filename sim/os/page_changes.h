/* Changes of pages by the operating system: one is protected, moved, unmapped or put back as it
 * was; contiguity bits follow. And silent ones, for which x86 asks no invalidation: a page becomes
 * present, or is permitted more. */
#ifndef LW_SIM_OS_PAGE_CHANGES_H
#define LW_SIM_OS_PAGE_CHANGES_H

#include "common/error.h"
#include "common/rng.h"
#include "sim/os/address_space.h"
#include "sim/os/os_plan.h"
#include "sim/os/os_roots.h"

typedef struct lw_page_changes lw_page_changes;

/* NULL where there is no memory. */
lw_page_changes *lw_page_changes_new(const lw_system *system, lw_address_spaces *spaces,
                                     const lw_os_roots *roots);
void lw_page_changes_free(lw_page_changes *c);

/* The unit is asked for a page. */
void lw_page_changes_asked(lw_page_changes *c, uint32_t pasid, uint64_t page);

/* A page of some array of some process; in the system's `near_changes` percent one that the unit
 * was asked for lately, or a neighbour of it, so that a change meets who waits for the page. */
uint64_t lw_page_changes_draw_page(const lw_page_changes *c, lw_rng *rng, uint32_t *process);

/* Makes a change, or clears the contiguity bits that stand in its way, and plans what is owed for
 * it. False and a sentence if the host's memory ran out. */
bool lw_page_changes_make(lw_page_changes *c, lw_rng *rng, lw_os_plan *plan, lw_error *err);
/* The plan is carried out: whether a change stood back and is made, and planned, now. */
bool lw_page_changes_go_on(lw_page_changes *c, lw_rng *rng, lw_os_plan *plan, bool *more,
                           lw_error *err);
/* A silent change, if a page is there that can have one. */
bool lw_page_changes_make_silent(lw_page_changes *c, lw_rng *rng, lw_error *err);

/* Whether a page of this number is not as it was in the beginning, in whatever process. */
bool lw_page_changes_displaced(const lw_page_changes *c, uint64_t vpn);

typedef struct lw_page_change_counts {
    uint64_t changes, shared; /* of pages, and those that concern several PASIDs */
    uint64_t appeared, permitted;
} lw_page_change_counts;
lw_page_change_counts lw_page_changes_counts(const lw_page_changes *c);

/* Frames that no page maps now, kept for pages that will be put back. */
uint32_t lw_page_changes_frames_kept(const lw_page_changes *c);

#endif
