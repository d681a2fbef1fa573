/* What the page walkers' files share: how a walker goes to a state, fails, and claims. */
#ifndef LW_C_MODEL_WALK_WALKER_PARTS_H
#define LW_C_MODEL_WALK_WALKER_PARTS_H

#include "c_model/walk/page_walkers.h"

/* What the request of a walker that has started waits for, by the walker's state. */
static inline lw_stage lw_walker_stage(const lw_pwst *p) {
    static const uint8_t stages[LW_STATES] = {[LW_PWC_REQ] = LW_STAGE_PWC,
                                              [LW_PWC_WAIT] = LW_STAGE_PWC,
                                              [LW_CAM] = LW_STAGE_CAM,
                                              [LW_REQ] = LW_STAGE_PORT,
                                              [LW_RESP] = LW_STAGE_ANSWER};
    enum { LEVELS = LW_STAGE_LEVEL_5 - LW_STAGE_LEVEL_1 + 1 };
    /* a level that is none only after a flip */
    return p->state == LW_MEM ? LW_STAGE_LEVEL_1 + (p->level + LEVELS - 1u) % LEVELS
                              : stages[p->state];
}

static inline void lw_walker_goes(lw_walkers *w, uint32_t i, uint32_t state) {
    lw_pwst *p = &w->walker[i];
    const uint32_t bit = UINT32_C(1) << i;
    w->in_state[p->state] &= ~bit;
    w->count[p->state]--;
    w->in_state[state] |= bit;
    w->count[state]++;
    p->state = (uint8_t)state;
    lw_touch(w->watch, LW_S_PWST, i);
    if (p->started) {
        lw_move(w->watch, p->id, lw_walker_stage(p));
    }
}

/* The claim of an operation (R4.7): of the access that the walker makes now. */
static inline void lw_claim_for(lw_cam_op *op, lw_access access) {
    op->claim = true;
    op->claim_level = access.level;
    op->claim_reach = (uint8_t)access.reach;
    op->claim_perm = access.perm;
}

/* A walker's own fault (R7.4, R7.5) or its answer UNKNOWN_PASID (R5.9). */
static inline void lw_walker_fails(lw_walkers *w, uint32_t i, uint32_t kind, uint32_t level) {
    lw_pwst *p = &w->walker[i];
    p->kind = (uint8_t)kind;
    p->flevel = (uint8_t)level;
    p->node = 0;
    p->size = 0;
    p->perm = 0;
    p->contig = 0;
    lw_walker_goes(w, i, LW_RESP);
}

#endif
