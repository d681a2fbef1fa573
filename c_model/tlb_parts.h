/* What the unified TLB's files share: the words of an entry, and the subregion entries' half. */
#ifndef LW_TLB_PARTS_H
#define LW_TLB_PARTS_H

#include "ranks.h"
#include "unified_tlb.h"

#define LW_TLB_VALID (UINT64_C(1) << 63)
#define LW_TLB_CLASS (UINT64_C(1) << 62) /* 1: a subregion entry */

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

/* The set in which subregion entries of this page's frame live. */
static inline uint32_t lw_tlb_subregion_set(const lw_tlb *t, uint64_t page) {
    return (uint32_t)(page >> LW_FRAME_SHIFT) & (t->cfg->sets - 1);
}

/* R3.9: the entry that holds the page for this access; `found` is false without one. */
lw_found lw_tlb_find_subregion(const lw_tlb *t, const lw_request *request);
/* R3.12 */
lw_tlb_choice lw_tlb_choose_subregion(const lw_tlb *t, const lw_mapping *mapping);

#endif
