/* The unified TLB (chapter 3): the lookup pipeline and the set-associative table with true LRU (but
 * for bimodal insertion, R3.34), which holds regular entries in all ways and subregion entries in
 * those of the partition; or, with full CoLT, runs alone (R3.14).
 *
 * Order within a cycle, so that all judge the state at its beginning: lw_tlb_decide,
 * lw_tlb_look_up, lw_tlb_step for the entries, and lw_tlb_advance for the pipeline. */
#ifndef LW_C_MODEL_FRONT_UNIFIED_TLB_H
#define LW_C_MODEL_FRONT_UNIFIED_TLB_H

#include "c_model/base/signals.h"

enum { LW_TLB_MAX = 16 * 256, LW_TLB_STAGES = 8 + 2 };

/* TLB_RANGE (R3.9) and TLB_FOUND (R3.16); `length`, `pfn`, `perm`, `size` are the entry's. */
typedef struct lw_found {
    bool found, span;
    uint8_t way, first, length, perm, size;
    uint64_t pfn;
} lw_found;

/* PLACE (R3.17): the way that a fill goes to, and the ways that lose VALID, a bit each. */
typedef struct lw_tlb_place {
    lw_fill fill;
    uint16_t drop;
    uint8_t way;
    bool valid, write;
} lw_tlb_place;

typedef struct lw_tlb {
    const lw_config *cfg;
    const lw_watch *watch;
    lw_request stage[LW_TLB_STAGES]; /* a ring: stage s is at (first + s - 1) mod TLB_STAGES */
    uint32_t first, lookups;         /* lookups: derived, the valid stages */
    bool bad_page, bad_pasid;        /* R3.32: of the request in the last stage */
    lw_found range, found;           /* range: with the serial lookup only */
    lw_tlb_place place;
    uint32_t swept, swept_set;    /* R3.10: the ways that lose VALID, a bit each */
    uint64_t key[LW_TLB_MAX];     /* {VALID, CLASS, PASID, TAG}, set x TLB_WAYS + way */
    uint64_t payload[LW_TLB_MAX]; /* {LENGTH, SIZE, PERM, PFN} */
    uint64_t ranks[256];          /* by set */
    uint32_t insertions;          /* R3.34 */
} lw_tlb;

/* How a lookup ends (R3.2): kind LW_OK with hit, kind LW_OK without hit (a miss), or a fault, which
 * a second lookup never is (R5.28). */
typedef struct lw_lookup {
    uint8_t kind;
    bool hit, subregion; /* subregion: a range of subregions (counter 21) */
    uint32_t entry;      /* of a hit */
    uint64_t pfn;
    uint8_t perm, size, links; /* links: R3.15 */
} lw_lookup;

/* What a cycle does to the entries, beside the fill that is written. */
typedef struct lw_tlb_events {
    int32_t hit;           /* R3.5: the entry that a decision hits, or LW_NONE */
    const lw_sweep *sweep; /* R3.10, if it is valid */
    const lw_fill *fill;   /* that gets its place (R3.6), if it is valid */
    bool marked;           /* a mark meets its PASID */
} lw_tlb_events;

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
    return t->lookups != 0 || t->found.found || t->range.found || t->place.valid || t->swept != 0;
}

/* R3.2, R5.28, with what TLB_FOUND holds. */
void lw_tlb_decide(const lw_tlb *t, const lw_request *request, const lw_features *features,
                   lw_lookup *out);
/* R3.9, R3.14, R3.16, R3.32: loads TLB_FOUND and TLB_RANGE. Not needed unless lw_tlb_is_busy. */
void lw_tlb_look_up(lw_tlb *t, const lw_roots *roots);
/* R3.4 to R3.7, R3.10, R3.12, R3.17, R3.33, R3.34: the entries, the place register, the sweep. */
void lw_tlb_step(lw_tlb *t, const lw_tlb_events *e);
/* R3.1: one stage on; `entering` (or NULL) is the request transferred in this cycle, or the second
 * lookup of it (R5.26). Not needed in a cycle in which there is neither that nor lw_tlb_is_busy. */
void lw_tlb_advance(lw_tlb *t, const lw_request *entering);

/* What follows from the registers; to be called when one has been changed from outside. */
void lw_tlb_derive(lw_tlb *t);

#endif
