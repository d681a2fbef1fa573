/* What the two halves of page_walkers share: the ports, and what both know of a cycle. */
#ifndef LW_TESTS_MODULES_WALK_WALKER_PORTS_H
#define LW_TESTS_MODULES_WALK_WALKER_PORTS_H

#include "tests/modules/module.h"

/* Ports that belong together share a line, where clang-format would give each its own. */
/* clang-format off */
enum { /* what the inputs show of an operation in search and of one in update */
    OP, OP_PASID, OP_VPN, OP_LEVEL, OP_REACH, OP_POSITION, OP_ERROR, OP_PERM, OP_CLAIM, OP_CLAIM_LEVEL,
    OP_CLAIM_REACH, OP_CLAIM_PERM, OPERATION_PORTS
};
/* Inputs, then outputs. */
enum {
    MODE, PWC_ENABLE, PL_SKIPS_PWC, SUBREGION_ENABLE, COLT_ENABLE, ROOT_VALID, ROOT_FRAME, CANDIDATE_HELD,
    CANDIDATE_SLOT, READ_ID, READ_SRC, READ_PASID, READ_VPN, READ_ACCESS, READ_DONE, READ_CL,
    READ_PL, READ_PA, READ_PERM, READ_CONTIG, READ_BLOCK, RES_VALID, RES_WALKER, RES_HIT, RES_LEVEL, RES_NODE,
    RES_PERM, RES_CONTIG, MEM_READY, MEM_VALID, MEM_TAG, MEM_ERROR, MEM_DATA, HEAD_REQ,
    HEAD_PLACE, HEAD_NODE, SEARCH, UPDATE = SEARCH + OPERATION_PORTS,
    KEY_WALKER = UPDATE + OPERATION_PORTS, MARK_REQ, MARK_ALL, MARK_PASID, MARK_VALUE, ANS_TAKE
};
enum {
    TAKE, TAKING, READ_SLOT, COMMIT_SLOT, COMMIT_BLOCK, GIVE_BACK, COMMIT, COALESCED_LEVELS, FLIGHT_VALID, FLIGHT_VPN, FLIGHT_PASID,
    FLIGHT_LEVEL, FLIGHT_PERM, FLIGHT_REACH, CAM_OP, CAM_PASID, CAM_VPN, CAM_LEVEL, CAM_REACH,
    CAM_POSITION, CAM_ERROR, CAM_PERM, CAM_VERDICT, CAM_FRAME, CAM_CONTIG, CAM_LINKS, CLAIM_VALID,
    CLAIM_LEVEL, CLAIM_REACH, CLAIM_PERM, ENTER, ENTER_WALKER, DROP, KEY_VPN, KEY_PASID,
    KEY_ACCESS, KEY_LEVEL, KEY_NODE, KEY_PERM, KEY_CONTIG, FILL_VALID, FILL_LEVEL, FILL_VPN, FILL_PASID,
    FILL_PARENT, FILL_NODE, FILL_PERM, FILL_PTE_PERM, FILL_CONTIG, REQ_VALID, REQ_TAG, REQ_LINE,
    CHECK_VALID, CHECK_PASID, CHECK_VSN, CHECK_BITS, CHECK_NODE, CHECK_PFN, CHECK_PERM,
    CHECK_PTE_PERM, HEAD_TAKEN, HEAD_TRANSFER, LINE_HEAD, LINE_PLACE, LINE_ERROR, MARK, MARKED_ALL, MARKED_ONE, MARKED_PASID, ANS_VALID,
    ANS_ID, ANS_SRC, ANS_PASID, ANS_VPN, ANS_ACCESS, ANS_KIND, ANS_LEVEL, ANS_PFN, ANS_SIZE,
    ANS_PERM, ANS_CONTIG, ANS_STALE, ANY_STALE, STRAY, STARTED_COUNT, CAUSE_COUNT, IDLE_COUNT
};
/* clang-format on */
enum { TYPE_PASID = 2, TYPE_ALL = 3 };

/* Whose turn it is in the cycle. */
static inline lw_turns walker_turns(const lw_bench *bench) {
    const lw_iommu *u = bench->u;
    return lw_walkers_turns(&u->walkers, &u->buffer.cam, u->invalidation.state == LW_INV_MARK,
                            u->buffer.candidate_held, u->control.takes_part);
}

/* Turns drawn inputs into those that the walkers' neighbours can give. */
void walker_stimulus_make_legal(lw_bench *bench, lw_bits *in);

#endif
