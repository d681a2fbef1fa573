/* Invalidation, one at a time (chapter 11): the state machine, its captured operands, and whom
 * they meet. The marking and sweeping of the structures is theirs. After COMPLETE no response
 * is based on a page table read from before the transfer, for pages that it matches (R11.8). */
#ifndef LW_C_MODEL_HOST_INVALIDATION_H
#define LW_C_MODEL_HOST_INVALIDATION_H

#include "c_model/base/signals.h"

enum {
    LW_INV_IDLE,
    LW_INV_MARK,
    LW_INV_SWEEP,
    LW_INV_SETTLE,
    LW_INV_WALKS,
    LW_INV_QUEUES,
    LW_INV_COMPLETE
};

typedef struct lw_invalidation {
    const lw_config *cfg;
    const lw_watch *watch;
    uint8_t state, type;
    bool epoch, known;
    uint32_t pasid, sweep_set, settle_left;
    uint64_t first, last;
} lw_invalidation;

void lw_invalidation_init(lw_invalidation *v, const lw_config *cfg, const lw_watch *watch);

/* R11.2: the mark, which is made in MARK, and whom it meets. */
static inline lw_mark lw_invalidation_mark(const lw_invalidation *v) {
    return (lw_mark){.valid = v->state == LW_INV_MARK,
                     .all = v->type == LW_INV_ALL,
                     .one = v->known,
                     .pasid = v->pasid};
}
/* R11.4: what is swept in this cycle. */
static inline lw_sweep lw_invalidation_sweep(const lw_invalidation *v) {
    return (lw_sweep){.valid = v->state == LW_INV_SWEEP,
                      .type = v->type,
                      .set = v->sweep_set,
                      .pasid = v->pasid,
                      .first = v->first,
                      .last = v->last};
}

/* The state machine's step: `under_way` if at the cycle's beginning a walker, an entry or a miss
 * in front of the buffer was STALE or a contiguity check in DRAIN (R11.5), `old_epoch` if a
 * response of the other epoch was queued or on its way. */
void lw_invalidation_step(lw_invalidation *v, const lw_inputs *in, bool under_way, bool old_epoch);

#endif
