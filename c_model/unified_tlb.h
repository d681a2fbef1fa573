/* The unified TLB (section 3): the lookup pipeline and the set-associative table with true LRU.
 *
 * Order within a cycle, so that all judge the state at its beginning: lw_tlb_decide, then
 * lw_tlb_victim for a fill, then lw_tlb_sweep, lw_tlb_touch for the hit, lw_tlb_fill (R3.7, R3.10),
 * and lw_tlb_advance for the pipeline. */
#ifndef LW_UNIFIED_TLB_H
#define LW_UNIFIED_TLB_H

#include "control.h"
#include "invalidation.h"

enum { LW_TLB_MAX = 16 * 256, LW_TLB_STAGES = 8 };

typedef struct lw_request {
    uint64_t page;
    uint32_t pasid;
    uint16_t id, src;
    uint8_t access;
    bool valid;
} lw_request;

typedef struct lw_tlb {
    const lw_config *cfg;
    const lw_watch *watch;
    lw_request stage[LW_TLB_STAGES]; /* a ring: stage s is at (first + s - 1) mod TLB_LATENCY */
    uint32_t first, lookups;         /* lookups: derived, the valid stages */
    uint64_t key[LW_TLB_MAX];        /* {VALID, PASID, VPN}, set x TLB_WAYS + way */
    uint64_t payload[LW_TLB_MAX];    /* {CLASS, SIZE, PERM, PFN} */
    uint64_t ranks[256];             /* by set */
} lw_tlb;

/* How a lookup ends (R3.2): kind LW_OK with hit, kind LW_OK without hit (a miss), or a fault. */
typedef struct lw_lookup {
    uint8_t kind;
    bool hit;
    uint32_t entry; /* of a hit */
    uint64_t pfn;
    uint8_t perm, size;
} lw_lookup;

void lw_tlb_init(lw_tlb *t, const lw_config *cfg, const lw_watch *watch);

/* The request in the last stage, or NULL. */
static inline const lw_request *lw_tlb_last_stage(const lw_tlb *t) {
    if (t->lookups == 0) {
        return NULL;
    }
    const uint32_t at = t->first == 0 ? t->cfg->hw.tlb_latency - 1 : t->first - 1;
    return t->stage[at].valid ? &t->stage[at] : NULL;
}

lw_lookup lw_tlb_decide(const lw_tlb *t, const lw_request *request, const lw_control *control);
/* R3.6: the entry that a fill of this key goes to. */
uint32_t lw_tlb_victim(const lw_tlb *t, uint64_t key);
/* R3.10 */
void lw_tlb_sweep(lw_tlb *t, const lw_invalidation *inv);
/* R3.4 */
void lw_tlb_touch(lw_tlb *t, uint32_t entry);
/* R3.6, R3.8: writes the entry and touches it. */
void lw_tlb_fill(lw_tlb *t, uint32_t entry, uint64_t key, uint64_t pfn, uint32_t perm,
                 uint32_t size);
/* R3.1: one stage on; `entering` (or NULL) is the request transferred in this cycle. Not needed in
 * a cycle with neither. */
void lw_tlb_advance(lw_tlb *t, const lw_request *entering);

void lw_tlb_derive(lw_tlb *t);
lw_cell lw_tlb_cell(lw_tlb *t, lw_field field, uint32_t index);

#endif
