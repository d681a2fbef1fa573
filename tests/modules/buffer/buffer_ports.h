/* What the two halves of iommu_buffer share: the ports, and what both know of a cycle. */
#ifndef LW_TESTS_MODULES_BUFFER_BUFFER_PORTS_H
#define LW_TESTS_MODULES_BUFFER_BUFFER_PORTS_H

#include "tests/modules/module.h"

/* Ports that belong together share a line, where clang-format would give each its own. */
/* clang-format off */
enum { /* what the outputs show of an operation in search and of one in update */
    OP, OP_PASID, OP_VPN, OP_LEVEL, OP_REACH, OP_POSITION, OP_ERROR, OP_FAILED, OP_PERM, OP_CLAIM, OP_CLAIM_LEVEL,
    OP_CLAIM_REACH, OP_CLAIM_PERM, OPERATION_PORTS
};
enum {
    MODE, EPOCH, MISS_VALID, MISS_ID, MISS_SRC, MISS_PASID, MISS_VPN, MISS_ACCESS, MISS_STALE, FLIGHT_VALID,
    FLIGHT_VPN, FLIGHT_PASID, FLIGHT_LEVEL, FLIGHT_PERM, FLIGHT_REACH, CAM_OP, CAM_PASID, CAM_VPN, CAM_LEVEL,
    CAM_REACH, CAM_POSITION, CAM_ERROR, CAM_FAILED, CAM_PERM, CAM_VERDICT, CAM_FRAME, CAM_CONTIG, CAM_SIZE, CAM_LINKS,
    CLAIM_VALID, CLAIM_LEVEL, CLAIM_REACH, CLAIM_PERM, MARK, MARK_ALL, MARK_PASID, MARK_VALUE, ROOTS_VALID, WANTED,
    READ_SLOT, DECIDED_SLOT, GIVE_BACK, COMMIT, ANS_CHOOSE, SECOND_HIT, SECOND_SLOT
};
enum {
    INSERT, PICK, PICK_SLOT, READ_ID, READ_SRC, READ_PASID,
    READ_VPN, READ_ACCESS, READ_DONE, READ_STALE, READ_CL, READ_PL, LEARNT_PA, LEARNT_PERM, LEARNT_CONTIG, READ_CHANGING,
    ANS_VALID, READING, READING_EPOCH, ANS_ID, ANS_SRC, ANS_PASID, ANS_VPN, ANS_ACCESS, ANS_KIND, ANS_LEVEL, ANS_PFN,
    ANS_SIZE, ANS_PERM, ANS_CONTIG, ANS_STALE, ANY_VALID, ANY_ELIGIBLE, ANY_STALE,
    SEARCH, UPDATE = SEARCH + OPERATION_PORTS, SAME_NEIGHBOURHOOD = UPDATE + OPERATION_PORTS
};
/* clang-format on */

/* Two bits of a line, and one bit of each step between two neighbourhoods. */
#define VPNS UINT64_C(0x4824120b)

/* R11.2: the mark at the port. */
static inline lw_mark buffer_mark_of(const lw_bits *in) {
    return (lw_mark){.valid = in[MARK].w[0] != 0,
                     .all = in[MARK_ALL].w[0] != 0,
                     .one = in[MARK_PASID].w[0] != 0,
                     .pasid = (uint32_t)in[MARK_VALUE].w[0]};
}

/* What the neighbours would know. */
typedef struct own {
    uint64_t line[8];  /* of which the verdicts are those at the port */
    lw_reading as;     /* how it was read */
    bool enabled;      /* SUBREGION_ENABLE in the cycle in which it was read */
    lw_buffer scratch; /* where an update is tried */
} own;

/* The operation at the port (R4.7). */
static inline lw_cam_op buffer_operation(const lw_bits *in) {
    return (lw_cam_op){.key = lw_key((uint32_t)in[CAM_PASID].w[0], in[CAM_VPN].w[0]),
                       .op = (uint8_t)in[CAM_OP].w[0],
                       .level = (uint8_t)in[CAM_LEVEL].w[0],
                       .reach = (uint8_t)in[CAM_REACH].w[0],
                       .position = (uint8_t)in[CAM_POSITION].w[0],
                       .error = in[CAM_ERROR].w[0] != 0,
                       .failed = in[CAM_FAILED].w[0] != 0,
                       .perm = (uint8_t)in[CAM_PERM].w[0],
                       .claim = in[CLAIM_VALID].w[0] != 0,
                       .claim_level = (uint8_t)in[CLAIM_LEVEL].w[0],
                       .claim_reach = (uint8_t)in[CLAIM_REACH].w[0],
                       .claim_perm = (uint8_t)in[CLAIM_PERM].w[0],
                       .links = (uint8_t)in[CAM_LINKS].w[0]};
}

/* Turns drawn inputs into those that the buffer's neighbours can give. */
void buffer_stimulus_make_legal(lw_bench *bench, lw_bits *in);

#endif
