/* The unit's state: its parts side by side (for iommu.c, which joins them cycle by cycle, and
 * registers.c, which finds their registers by name). */
#ifndef LW_C_MODEL_IOMMU_PARTS_H
#define LW_C_MODEL_IOMMU_PARTS_H

#include "c_model/iommu.h"

#include "c_model/front/admission.h"
#include "c_model/front/response_queue.h"
#include "c_model/front/unified_tlb.h"
#include "c_model/host/control.h"
#include "c_model/host/invalidation.h"
#include "c_model/host/perf_counters.h"
#include "c_model/walk/walk_engine.h"

struct lw_iommu {
    lw_config cfg;
    lw_watch watch;
    lw_admission admission;
    lw_control control;
    lw_invalidation invalidation;
    lw_responses responses;
    lw_events events;
    lw_counters counters;
    lw_walk walk;
    lw_tlb tlb;
    /* derived, and kept, as they are asked for more often than they change */
    bool req_ready;  /* R2.4 */
    bool quiet;      /* it was found quiet, and nothing has happened since */
    uint8_t tail[8]; /* so that a word can be read at every register (lw_iommu_locate) */
};

/* The place of one register: `bits` bits from bit `lsb` of the `bytes` wide integer at `at`; bits
 * 0: the unit does not have it. */
typedef struct lw_cell {
    void *at;
    uint8_t bytes, lsb, bits;
} lw_cell;

/* Made from state/registers.yaml. */
lw_cell lw_register_cell(lw_iommu *u, lw_field f, uint32_t i);

#endif
