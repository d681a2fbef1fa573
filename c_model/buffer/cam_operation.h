/* An operation of the CAM on its way (R4.4, R4.7): taken in one cycle, in search in the next, in
 * update in the one after it. What it does to the entries is iommu_buffer.h's. */
#ifndef LW_C_MODEL_BUFFER_CAM_OPERATION_H
#define LW_C_MODEL_BUFFER_CAM_OPERATION_H

#include "c_model/base/signals.h"

/* SEARCH and UPDATE. Update has no register for the position: there NEAR_POSITION stands for it,
 * as NEAR_LEVEL and NEAR_CLAIM say who is near, which the twin finds from the key once more. */
typedef struct lw_cam {
    const lw_config *cfg;
    const lw_watch *watch;
    lw_cam_op search, update;
    lw_pte search_line[8], update_line[8];
} lw_cam;

static inline bool lw_cam_is_busy(const lw_cam *c) {
    return c->search.op != LW_OP_NONE || c->update.op != LW_OP_NONE;
}

/* What is in search goes to update, and nothing is in search any more. */
void lw_cam_step(lw_cam *c);
/* An operation is taken, after the cycle's lw_cam_step. */
void lw_cam_take(lw_cam *c, const lw_cam_op *op);
/* Of a scan that is taken, its line (R4.18), and the bits of CONTIG that are read. */
void lw_cam_take_line(lw_cam *c, const uint64_t line[8], const lw_reading *as,
                      uint32_t contig_mask);

#endif
