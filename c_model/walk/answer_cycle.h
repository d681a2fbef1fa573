/* The answers' part of the unit's cycle (R10.1 to R10.3): the choice, and the ways through the
 * reading, answer and fill registers. */
#ifndef LW_C_MODEL_WALK_ANSWER_CYCLE_H
#define LW_C_MODEL_WALK_ANSWER_CYCLE_H

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
 */
void lw_answer_choose(lw_iommu *u, const lw_answer_plan *p, lw_places *places);
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

#endif
