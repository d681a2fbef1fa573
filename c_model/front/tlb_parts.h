/* What the unified TLB's files share: the words of an entry, and the half of it that is spans. */
#ifndef LW_C_MODEL_FRONT_TLB_PARTS_H
#define LW_C_MODEL_FRONT_TLB_PARTS_H

#include "c_model/base/ranks.h"
#include "c_model/front/unified_tlb.h"

#define LW_TLB_VALID (UINT64_C(1) << 63)
#define LW_TLB_CLASS (UINT64_C(1) << 62) /* 1: a span */

/* Payload word: the PFN in 39:0, then these. The key word: PASID and TAG as lw_key has them. */
enum { LW_TLB_AT_PERM = 40, LW_TLB_AT_SIZE = 42, LW_TLB_AT_LENGTH = 44 };

static inline uint32_t lw_tlb_perm(uint64_t payload) {
    return payload >> LW_TLB_AT_PERM & 3;
}

static inline uint32_t lw_tlb_size(uint64_t payload) {
    return payload >> LW_TLB_AT_SIZE & 3;
}

static inline uint32_t lw_tlb_length(uint64_t payload) {
    return payload >> LW_TLB_AT_LENGTH & 7;
}

/* The set of a regular entry of this page. */
static inline uint32_t lw_tlb_page_set(const lw_tlb *t, uint64_t page) {
    return (uint32_t)page & (t->cfg->sets - 1);
}

/* The set in which spans of this page's group live. */
static inline uint32_t lw_tlb_span_set(const lw_tlb *t, uint64_t page) {
    return (uint32_t)(page >> t->cfg->span.group_shift) & (t->cfg->sets - 1);
}

static inline uint32_t lw_tlb_fill_set(const lw_tlb *t, const lw_fill *fill) {
    return fill->span ? lw_tlb_span_set(t, fill->page) : lw_tlb_page_set(t, fill->page);
}

/* R3.17: the ranks of a set as a fill sees them that gets its place: what is written in this cycle
 * is not the highest, unless it is alone. */
static inline uint64_t lw_tlb_ranks_seen(const lw_tlb *t, uint32_t set) {
    const lw_tlb_place *p = &t->place;
    const bool here = p->valid && lw_tlb_fill_set(t, &p->fill) == set;
    return here ? lw_rank_touch(t->ranks[set], p->way) : t->ranks[set];
}

/* The key word of a span from the place of this page on. */
uint64_t lw_tlb_span_key(const lw_tlb *t, uint32_t pasid, uint64_t page);
/* R3.9: loads `out` with the entry that holds the page for this access; false, and `out` as it was,
 * without one. */
bool lw_tlb_find_span(const lw_tlb *t, const lw_request *request, lw_found *out);
/* The hit of a span that has been found: the addition (R3.9) and LINKS (R3.15). */
void lw_tlb_hit_span(const lw_tlb *t, uint64_t page, bool colt_enable, lw_lookup *out);
/* R3.12: the place of a span, when that of the place register has been written but not touched. */
lw_tlb_place lw_tlb_place_span(const lw_tlb *t, const lw_fill *fill);
/* R3.11: the pages that a span in this set covers, whatever its SIZE is. */
void lw_tlb_span_covers(const lw_tlb *t, uint32_t entry, uint32_t set, uint64_t *first,
                        uint64_t *last);

#endif
