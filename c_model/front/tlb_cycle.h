/* The TLB's part of the unit's cycle (section 3): lookup, decision, sweep and fill, with what
 * leaves for the hit queue and the IOMMU buffer. */
#ifndef LW_C_MODEL_FRONT_TLB_CYCLE_H
#define LW_C_MODEL_FRONT_TLB_CYCLE_H

#include "c_model/iommu_parts.h"

/* Whether there is something to do in a cycle with or without a request transfer. */
static inline bool lw_tlb_has_work(const lw_iommu *u, bool request) {
    return request || lw_tlb_is_busy(&u->tlb) || u->answers.fill_valid || u->buffer.miss.valid ||
           u->invalidation.state == LW_INV_SWEEP;
}
/* With what the fill register holds; the insertion register, whose content has been inserted, is
 * loaded. `mark`: a mark takes place; `epoch`: R10.6. The places that admission promises (`places`,
 * which knows of the request transfer), and a fault that enters the hit queue, are added to
 * `places` and `fault`. */
void lw_tlb_cycle(lw_iommu *u, const lw_inputs *in, bool mark, bool epoch, lw_places *places,
                  lw_fault *fault);

#endif
