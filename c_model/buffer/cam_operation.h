/* An operation of the CAM on its way (R4.4, R4.7): taken in one cycle, in search in the next, in
 * update in the one after it. What it does to the entries is iommu_buffer.h's. */
#ifndef LW_C_MODEL_BUFFER_CAM_OPERATION_H
#define LW_C_MODEL_BUFFER_CAM_OPERATION_H

#include "c_model/base/pte.h"

enum { LW_OP_NONE, LW_OP_SCAN, LW_OP_ADVANCE, LW_OP_COMMIT };

/* SEARCH and UPDATE. Update has no register for the position: there NEAR_POSITION stands for it,
 * as NEAR_LEVEL and NEAR_CLAIM say who is near, which the twin finds from the key once more. */
typedef struct lw_operation {
    uint64_t key; /* {PASID, VPN} */
    uint8_t op, level, reach, position, perm, claim_level, claim_reach, claim_perm, links;
    bool error, claim;
} lw_operation;

typedef struct lw_cam {
    const lw_config *cfg;
    const lw_watch *watch;
    lw_operation search, update;
    lw_pte search_line[8], update_line[8];
} lw_cam;

static inline bool lw_cam_is_busy(const lw_cam *c) {
    return c->search.op != LW_OP_NONE || c->update.op != LW_OP_NONE;
}

/* What is in search goes to update, and nothing is in search any more. */
void lw_cam_step(lw_cam *c);
/* An operation is taken, after the cycle's lw_cam_step; a scan with its line, which the others
 * leave NULL, and the bits of CONTIG that are read. */
void lw_cam_take(lw_cam *c, const lw_operation *op, const uint64_t *line, uint32_t contig_mask);

/* A register of two bits; a flipped one may hold a fourth REACH, which is none. */
static inline lw_reach lw_cam_reach(uint8_t bits) {
    return bits < LW_REACHES ? (lw_reach)bits : LW_REACH_LINE;
}

/* What an operation releases and tells, and what it claims, as accesses. */
static inline lw_access lw_operation_access(const lw_operation *o) {
    return (lw_access){
        .key = o->key, .reach = lw_cam_reach(o->reach), .level = o->level, .perm = o->perm};
}

static inline lw_access lw_operation_claim(const lw_operation *o) {
    return (lw_access){.key = o->key,
                       .reach = lw_cam_reach(o->claim_reach),
                       .level = o->claim_level,
                       .perm = o->claim_perm};
}

/* R5.6, in a unit and a MODE in which levels take part. */
static inline bool lw_operation_is_close(const lw_operation *o, uint64_t key) {
    if (o->op == LW_OP_NONE || (o->op == LW_OP_COMMIT && !o->claim)) {
        return false;
    }
    const lw_access a = o->op == LW_OP_COMMIT ? lw_operation_claim(o) : lw_operation_access(o);
    return lw_is_near(&a, key);
}

#endif
