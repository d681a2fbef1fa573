/* The walk side of the unit, as rtl/walk/walk_engine.sv: it joins buffer, walkers, page walk cache,
 * contiguity check and answers, and passes between them what leaves one for another. No other file
 * but iommu.c knows more than one of them.
 *
 * Order within a cycle: lw_walk_plan_make on the state at its beginning, lw_answer_choose,
 * lw_walk_cycle, the rest of the unit, lw_answer_cycle. */
#ifndef LW_C_MODEL_WALK_WALK_ENGINE_H
#define LW_C_MODEL_WALK_WALK_ENGINE_H

#include "c_model/iommu_parts.h"

/* What is decided on the state at the beginning of the cycle. */
typedef struct lw_answer_plan {
    int32_t walker, slot;                             /* R10.1: chosen, or LW_NONE */
    int32_t read_slot;                                /* READING_SLOT with READING=1, or LW_NONE */
    bool walker_stale, read_stale, epoch, read_epoch; /* epoch: EPOCH */
    bool marks;                                       /* a mark takes place */
    bool fills;                                       /* R3.6: an answer loads the fill register */
    bool join_loads;                                  /* R16.10: a joined entry does */
} lw_answer_plan;

/* `joined`: the entry that waits in INSERT, or NULL. */
void lw_answer_plan_make(const lw_iommu *u, bool marks, const lw_mapping *joined,
                         lw_answer_plan *p);
/* The walker or the entry that is chosen leaves its place, after queues have been popped (R10.5).
 * Returns the buffer entries that it frees. */
uint32_t lw_answer_choose(lw_iommu *u, const lw_answer_plan *p);
/* Whether there is something to do for the rest of the cycle. */
static inline bool lw_answer_is_busy(const lw_iommu *u, const lw_answer_plan *p) {
    const lw_answers *a = &u->answers;
    return a->answer.valid || a->fill_valid || p->walker != LW_NONE || p->read_slot != LW_NONE ||
           p->join_loads;
}
/* What the answer register holds enters the walk queue (a fault is told); then it and the fill
 * register, with which the TLB has been filled, are loaded. */
void lw_answer_cycle(lw_iommu *u, const lw_answer_plan *p, const lw_mapping *joined,
                     lw_fault *fault);
/* R11.6: whether an answer on its way to the queues has an EPOCH other than this. */
bool lw_answer_other_epoch(const lw_iommu *u, bool epoch);

/* What a cycle decides on the state at its beginning (R0.1), before anything is written. */
typedef struct lw_walk_plan {
    uint32_t busy[LW_STATES];         /* the walkers by state */
    bool memory;                      /* a walk memory request is transferred */
    lw_turns turns;                   /* R4.4, R5.3, R5.6, R7.7, R9.2 */
    uint32_t candidate_slot;          /* R5.3 */
    lw_read read;                     /* R5.3, R5.6 */
    lw_pick_plan pick;                /* R5.2, R5.10 */
    lw_answer_plan answers;           /* R10.1 */
    int32_t next_free;                /* R4.2 */
    int32_t head_asked, head_arrived; /* R16.6, R16.7 */
} lw_walk_plan;

/* `joined` is the entry that waits in INSERT (R16.10), or NULL. */
void lw_walk_plan_make(const lw_iommu *u, const lw_inputs *in, const lw_mapping *joined,
                       lw_walk_plan *p);
/* The cycle of walkers, CAM, PWC and check, the mark among it, and the insertion. Returns the
 * buffer entries that it frees. */
uint32_t lw_walk_cycle(lw_iommu *u, const lw_walk_plan *p);

#endif
