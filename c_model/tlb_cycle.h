/* The TLB's part of the unit's cycle (section 3): lookup, sweep and fill, with what leaves for the
 * hit queue and the IOMMU buffer. */
#ifndef LW_TLB_CYCLE_H
#define LW_TLB_CYCLE_H

#include "iommu_parts.h"

/* What the rest of the cycle has decided for the TLB. */
typedef struct lw_tlb_work {
    const lw_mapping *fill; /* R3.13, or NULL */
    int32_t free_slot;      /* R4.2 */
    bool request;           /* a request transfer */
    bool epoch;             /* R10.6 */
} lw_tlb_work;

/* The places that admission promises, and a fault that enters the hit queue, are added to `places`
 * and `fault`. */
void lw_tlb_cycle(lw_iommu *u, const lw_inputs *in, const lw_tlb_work *work, lw_places *places,
                  lw_fault *fault);

#endif
