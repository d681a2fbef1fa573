/* Invalidation, one at a time (section 11): the state machine, its captured operands, and what they
 * meet and match. The marking and sweeping of the structures is theirs. After COMPLETE no response
 * is based on a page table read from before the transfer, for pages that it matches (R11.8). */
#ifndef LW_C_MODEL_HOST_INVALIDATION_H
#define LW_C_MODEL_HOST_INVALIDATION_H

#include "c_model/base/address.h"
#include "c_model/base/ports.h"
#include "c_model/base/watch.h"

#include <string.h>

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
    bool epoch;
    uint32_t pasid, sweep_set;
    uint64_t first, last;
} lw_invalidation;

void lw_invalidation_init(lw_invalidation *v, const lw_config *cfg, const lw_watch *watch);

/* R11.2: whether the mark meets a PASID. */
bool lw_invalidation_meets(const lw_invalidation *v, uint32_t pasid);
/* R3.11, R16.12: whether an entry of the TLB or the MSC matches that covers these pages of an
 * address space. */
bool lw_invalidation_matches(const lw_invalidation *v, uint32_t pasid, uint64_t first,
                             uint64_t last);

/* The state machine's step: `marked` if the mark took place in this cycle, `stale` if a walker or
 * entry was STALE at its beginning, `old_epoch` if a response of the other epoch was queued or on
 * its way. */
void lw_invalidation_step(lw_invalidation *v, const lw_inputs *in, bool marked, bool stale,
                          bool old_epoch);

#endif
