/* What the parts of page_walkers share: the ports, and what both know of a cycle. */
#ifndef LW_TESTS_MODULES_WALK_WALKER_PORTS_H
#define LW_TESTS_MODULES_WALK_WALKER_PORTS_H

#include "tests/modules/draws.h"

/* Ports that belong together share a line, where clang-format would give each its own. */
/* clang-format off */
enum { /* what the inputs show of an operation in search and of one in update */
    OP, OP_PASID, OP_VPN, OP_LEVEL, OP_REACH, OP_POSITION, OP_ERROR, OP_FAILED, OP_PERM, OP_CLAIM, OP_CLAIM_LEVEL,
    OP_CLAIM_REACH, OP_CLAIM_PERM, OPERATION_PORTS
};
enum { /* what the outputs show of a walk's end */
    ANS_VALID, ANS_ID, ANS_SRC, ANS_PASID, ANS_VPN, ANS_ACCESS, ANS_KIND, ANS_LEVEL, ANS_PFN, ANS_SIZE,
    ANS_PERM, ANS_CONTIG, ANS_STALE, ANSWER_PORTS
};
/* Inputs, then outputs. */
enum {
    MODE, PWC_ENABLE, PL_SKIPS_PWC, SUBREGION_ENABLE, COLT_ENABLE, HOME_FIRST, ROOT_VALID, ROOT_FRAME,
    TABLES, PICK = TABLES + LW_TABLES_PORTS,
    PICK_SLOT, READ_ID, READ_SRC, READ_PASID, READ_VPN, READ_ACCESS, READ_DONE, READ_STALE, READ_CL,
    READ_PL, LEARNT_PA, LEARNT_PERM, LEARNT_CONTIG, READ_CHANGING, RES_VALID, RES_WALKER, RES_HIT, RES_LEVEL, RES_NODE,
    RES_PERM, RES_CONTIG, RES_WHERE, RES_RETRIED, RES_BUCKET, MEM_READY, MEM_VALID, MEM_TAG, MEM_ERROR, MEM_DATA, HEAD_REQ,
    HEAD_PLACE, HEAD_NODE, SEARCH, UPDATE = SEARCH + OPERATION_PORTS,
    KEY_WALKER = UPDATE + OPERATION_PORTS, TOLD_WALKER, MARK, MARK_ALL, MARK_PASID, MARK_VALUE, ANS_TAKE,
    SCAN_TAKE, HIT_ROOM, SECOND_HIT, SECOND_MISS, SECOND_WALKER
};
enum {
    WANTED, READ_SLOT, DECIDED_SLOT, GIVE_BACK, COMMIT, COALESCED_LEVELS, FLIGHT_VALID, FLIGHT_VPN, FLIGHT_PASID,
    FLIGHT_LEVEL, FLIGHT_PERM, FLIGHT_REACH, CAM_OP, CAM_PASID, CAM_VPN, CAM_LEVEL, CAM_REACH,
    CAM_POSITION, CAM_ERROR, CAM_FAILED, CAM_PERM, CAM_VERDICT, CAM_FRAME, CAM_CONTIG, CAM_SIZE, CAM_LINKS, CLAIM_VALID,
    CLAIM_LEVEL, CLAIM_REACH, CLAIM_PERM, ENTER, ENTER_WALKER, KEY_VPN, KEY_PASID,
    KEY_ACCESS, KEY_LEVEL, KEY_NODE, KEY_PERM, KEY_CONTIG, KEY_WHERE, KEY_RETRIED, KEY_BUCKET, TOLD_LOOK, TOLD_FILL,
    FILL_VALID, FILL_LEVEL, FILL_VPN, FILL_PASID,
    FILL_PARENT, FILL_NODE, FILL_PERM, FILL_PTE_PERM, FILL_CONTIG, STEPS_VALID, STEPS_VPN, STEPS_PASID, STEPS, STEPS_AC,
    STEPS_C, STEP_LOOK, REQ_VALID, REQ_TAG, REQ_LINE,
    CHECK_VALID, CHECK_PASID, CHECK_VSN, CHECK_BITS, CHECK_NODE, CHECK_PFN, CHECK_PERM,
    CHECK_PTE_PERM, CHECK_OF_SLOT, HEAD_TAKEN, HEAD_TRANSFER, LINE_HEAD, LINE_PLACE, LINE_ERROR, LINE_SIZED, LINE_TAG,
    ANS,
    SCANNED = ANS + ANSWER_PORTS, ANY_STALE = SCANNED + ANSWER_PORTS, STRAY, CAUSE_COUNT, IDLE_COUNT,
    STEP_READ, TABLE_READ, VICTIM_WALK, VICTIM_READ, TAG_MISS, STEP_RETRY, TURN, SECOND, SECOND_ID, SECOND_SRC,
    SECOND_PASID, SECOND_PAGE, SECOND_ACCESS, SECOND_OF, SECOND_FREES, FREED_SLOT
};
/* clang-format on */

/* Whose turn it is in the cycle, with this entry the oldest eligible one, or LW_NONE (R5.2). The
 * neighbours' registers are those of the bench's unit: roots, the invalidation's state and
 * operands, the operations of the CAM, and the entries that walkers hold. */
static inline lw_turns walker_turns(const lw_bench *bench, int32_t oldest) {
    const lw_iommu *u = bench->u;
    const lw_cam *cam = &u->walk.buffer.cam;
    const lw_buffer_view view = {.search = &cam->search, .update = &cam->update, .oldest = oldest};
    const lw_mark mark = lw_invalidation_mark(&u->invalidation);
    return lw_walkers_turns(&u->walk.walkers, &view, &mark, u->control.features.takes_part);
}

/* R5.2: whether a walker would be given an entry. */
static inline bool walkers_want(const lw_bench *bench) {
    return walker_turns(bench, 0).picker != LW_NONE;
}

/* The entry that is picked at the port. */
static inline int32_t walkers_picked(const lw_bits *in) {
    return in[PICK].w[0] != 0 ? (int32_t)in[PICK_SLOT].w[0] : LW_NONE;
}

/* What the walkers do in a cycle with what was read, with the line and with the CAM. */
typedef struct walker_work {
    lw_turns turns;
    lw_scan scan; /* of one, what it leaves */
    lw_cam_op op; /* that the CAM takes */
    lw_decision decision;
    lw_request second; /* R5.26 */
    lw_result scanned; /* how a scan has ended its walk (R10.13) */
    lw_events counted; /* R12.5: 11, R21.17 */
} walker_work;

/* R16.6, R8.1: whether the memory request register takes the head that is asked for. */
static inline bool walkers_take_head(const lw_walkers *w, const lw_bits *in) {
    return in[HEAD_REQ].w[0] != 0 && w->in_state[LW_REQ] == 0 &&
           (!w->req_valid || in[MEM_READY].w[0] != 0);
}

/* R1.10: which bits of CONTIG the scan of the cycle reads. */
static inline uint32_t walkers_contig_mask(const lw_bench *bench, const lw_turns *t) {
    const lw_iommu *u = bench->u;
    return t->scanner != LW_NONE && u->walk.walkers.walker[t->scanner].where == LW_WHERE_RADIX
               ? u->control.features.contig_mask
               : 0;
}

/* The outputs of a cycle, in which this is what the walkers do. */
void walker_outputs_show(const lw_bench *bench, const lw_bits *in, const walker_work *work,
                         lw_bits *out);

/* What a scan looks at (R9.2). */
static inline lw_scan_view walker_view(const lw_bench *bench, const lw_turns *t) {
    const lw_control *c = &bench->u->control;
    return (lw_scan_view){&c->features, &c->roots, t->scan_on_cam};
}

/* Turns drawn inputs into those that the walkers' neighbours can give. */
void walker_stimulus_make_legal(lw_bench *bench, lw_bits *in);

#endif
