/* What the operating system does one after the other: the writes of roots and the invalidations
 * that it owes for a change, and pauses between them. A change is made when its plan is; what may
 * happen only once nobody knows the old state any more waits for the plan's end. */
#ifndef LW_SIM_OS_OS_PLAN_H
#define LW_SIM_OS_OS_PLAN_H

#include "c_model/base/ports.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum lw_os_step_kind {
    LW_STEP_INVALIDATE,
    LW_STEP_ROOT,
    LW_STEP_PAUSE,
    LW_STEP_WORDS, /* those of the hashed table's change under way are written, one a cycle */
    /* another change of it begins, and its words are written: its copies are emptied, a region gets
     * the contiguity bits that its pages allow */
    LW_STEP_SETTLE,
    LW_STEP_CONTIGUITY
} lw_os_step_kind;

typedef struct lw_os_step {
    lw_os_step_kind kind;
    uint32_t pasid; /* INVALIDATE, ROOT; CONTIGUITY, of the region that holds the page `first` */
    /* INVALIDATE: the port, and the pages of which nothing from before is left once it is done */
    uint32_t type;
    uint64_t first, last;
    uint64_t covers_first, covers_last;
    /* ROOT: the register's frame; where it is valid, the process whose table it is */
    bool valid;
    uint64_t frame;
    uint32_t table;
    uint32_t cycles; /* PAUSE */
} lw_os_step;

/* One invalidation a PASID, with pauses between them. */
enum { LW_OS_PASIDS = 256, LW_OS_STEPS = 2 * LW_OS_PASIDS + 5, LW_OS_BEFORE = 2 };

typedef struct lw_os_plan {
    lw_os_step steps[LW_OS_STEPS];
    uint32_t count, next;
    /* at its end: frames that nobody maps any more */
    uint64_t free_frame, free_count;
    bool clears; /* the frame was a node: what lay in it goes too */
    /* the level-2 entry that has lost contiguity bits; 0: none */
    uint64_t bits_lost;
    /* What entries of the page table were before a change that the hashed table has to follow: as
     * long as its words are being written, this is what a walk may find. */
    struct {
        uint64_t pa, value;
    } before[LW_OS_BEFORE];
    uint32_t before_count;
} lw_os_plan;

static inline void lw_os_plan_begin(lw_os_plan *plan) {
    plan->count = plan->next = 0;
    plan->free_count = 0;
    plan->clears = false;
    plan->bits_lost = 0;
    plan->before_count = 0;
}

static inline void lw_os_plan_add(lw_os_plan *plan, lw_os_step step) {
    assert(plan->count < LW_OS_STEPS);
    plan->steps[plan->count++] = step;
}

/* Of everything, in address spaces of so many levels. */
static inline lw_os_step lw_os_invalidate_all(uint32_t levels) {
    return (lw_os_step){.kind = LW_STEP_INVALIDATE,
                        .type = LW_INV_ALL,
                        .covers_last = (UINT64_C(1) << 9 * levels) - 1};
}

static inline bool lw_os_plan_over(const lw_os_plan *plan) {
    return plan->next == plan->count;
}

#endif
