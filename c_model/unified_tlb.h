/* The unified TLB (section 3): the lookup pipeline and the set-associative table with true LRU,
 * which holds regular entries in all ways and subregion entries in those of the partition; or, with
 * full CoLT, runs alone (R3.14).
 *
 * Order within a cycle, so that all judge the state at its beginning: lw_tlb_decide, lw_tlb_look_up
 * and, for a fill, lw_tlb_choose; then lw_tlb_sweep, lw_tlb_touch for the hit, lw_tlb_fill (R3.7,
 * R3.10), and lw_tlb_advance for the pipeline. */
#ifndef LW_UNIFIED_TLB_H
#define LW_UNIFIED_TLB_H

#include "control.h"
#include "invalidation.h"

enum { LW_TLB_MAX = 16 * 256, LW_TLB_STAGES = 8 + 2 };

typedef struct lw_request {
    uint64_t page;
    uint32_t pasid;
    uint16_t id, src;
    uint8_t access;
    bool valid;
} lw_request;

/* TLB_RANGE (R3.9) and TLB_FOUND (R3.16); `length`, `pfn`, `perm`, `size` are the entry's. */
typedef struct lw_found {
    bool found, span;
    uint8_t way, first, length, perm, size;
    uint64_t pfn;
} lw_found;

typedef struct lw_tlb {
    const lw_config *cfg;
    const lw_watch *watch;
    lw_request stage[LW_TLB_STAGES]; /* a ring: stage s is at (first + s - 1) mod TLB_STAGES */
    uint32_t first, lookups;         /* lookups: derived, the valid stages */
    lw_found range, found;           /* range: with the serial lookup only */
    uint64_t key[LW_TLB_MAX];        /* {VALID, CLASS, PASID, TAG}, set x TLB_WAYS + way */
    uint64_t payload[LW_TLB_MAX];    /* {LENGTH, SIZE, PERM, PFN} */
    uint64_t ranks[256];             /* by set */
} lw_tlb;

/* How a lookup ends (R3.2): kind LW_OK with hit, kind LW_OK without hit (a miss), or a fault. */
typedef struct lw_lookup {
    uint8_t kind;
    bool hit, subregion; /* subregion: a range of subregions (counter 21) */
    uint32_t entry;      /* of a hit */
    uint64_t pfn;
    uint8_t perm, size, links; /* links: R3.15 */
} lw_lookup;

/* What a fill writes: a regular entry for `page`, or a span from the place of `page` on: its
 * subregion (R3.12), itself (R3.14). */
typedef struct lw_mapping {
    uint64_t page, pfn;
    uint32_t pasid;
    bool span;
    uint8_t length, perm, size;
} lw_mapping;

/* Where a fill goes: entries of the set `entry` is in (a bit a way) lose VALID, then `entry` is
 * written, or only touched. */
typedef struct lw_tlb_choice {
    uint32_t entry;
    uint32_t overlapping;
    bool only_touch;
} lw_tlb_choice;

void lw_tlb_init(lw_tlb *t, const lw_config *cfg, const lw_watch *watch);

/* Stage 1 is the youngest. */
static inline const lw_request *lw_tlb_stage(const lw_tlb *t, uint32_t stage) {
    const uint32_t at = t->first + stage - 1;
    return &t->stage[at < t->cfg->tlb_stages ? at : at - t->cfg->tlb_stages];
}

/* The request in the last stage, or NULL. */
static inline const lw_request *lw_tlb_last_stage(const lw_tlb *t) {
    if (t->lookups == 0) {
        return NULL;
    }
    const lw_request *q = lw_tlb_stage(t, t->cfg->tlb_stages);
    return q->valid ? q : NULL;
}

/* Whether the pipeline has something to do without a request. */
static inline bool lw_tlb_is_busy(const lw_tlb *t) {
    return t->lookups != 0 || t->found.found || t->range.found;
}

/* R3.2, with what TLB_FOUND holds. */
void lw_tlb_decide(const lw_tlb *t, const lw_request *request, const lw_control *control,
                   lw_lookup *out);
/* R3.9, R3.14, R3.16: loads TLB_FOUND and TLB_RANGE. Not needed unless lw_tlb_is_busy. */
void lw_tlb_look_up(lw_tlb *t);
/* R3.6, R3.12 */
lw_tlb_choice lw_tlb_choose(const lw_tlb *t, const lw_mapping *mapping);
/* R3.10; not needed beyond the last set. */
void lw_tlb_sweep(lw_tlb *t, const lw_invalidation *inv);
/* R3.4 */
void lw_tlb_touch(lw_tlb *t, uint32_t entry);
/* R3.6, R3.12: writes the entry and touches it. */
void lw_tlb_fill(lw_tlb *t, const lw_tlb_choice *choice, const lw_mapping *mapping);
/* R3.1: one stage on; `entering` (or NULL) is the request transferred in this cycle. Not needed in
 * a cycle in which there is neither that nor lw_tlb_is_busy. */
void lw_tlb_advance(lw_tlb *t, const lw_request *entering);

void lw_tlb_derive(lw_tlb *t);
lw_cell lw_tlb_cell(lw_tlb *t, lw_field field, uint32_t index);

#endif
