/* What follows from the parameters and every part of the twin uses: widths, masks, counts of sets.
 */
#ifndef LW_C_MODEL_BASE_CONFIG_H
#define LW_C_MODEL_BASE_CONFIG_H

#include "c_model/base/params.h"

/* MESC: a frame has eight subregions, each with a head. */
enum { LW_HEADS = 8 };

enum { LW_NONE = -1, LW_LEVELS_MAX = 5, LW_BUFFER_MAX = 512, LW_SLOT_WORDS = LW_BUFFER_MAX / 64 };

/* R20.32: bits of a region's place in its group. */
enum { LW_REGION_PLACE_BITS = 4 };

/* The entries of CLASS 1 in this unit's TLB: subregion entries (chapter 3), or runs (R3.14). Each
 * holds a *span*, LENGTH + 1 neighbouring places of one group: subregions of a frame, or pages of
 * four. */
typedef struct lw_span_shape {
    uint32_t first_way;   /* they live in the ways from here on; TLB_WAYS: there are none */
    uint32_t place_shift; /* where a place's number begins in a VPN */
    uint32_t place_bits;  /* of that number */
    uint32_t group_shift; /* where a group's number begins, the set in its low bits */
    uint32_t tag_skips;   /* of those, the bits that TAG leaves out */
} lw_span_shape;

typedef struct lw_config {
    lw_params hw;
    uint32_t vpn_w, pfn_w, walker_w, tag_w;
    uint32_t increment_w;    /* of what a counter can take in a cycle (R12.5) */
    uint32_t tlb_stages;     /* R3.1 */
    uint32_t sets, set_bits; /* of the TLB */
    lw_span_shape span;
    uint32_t msc_sets, msc_set_bits;
    uint32_t region_shift, group_shift; /* where their numbers begin in a VPN (R20.32) */
    uint32_t sweep_sets;                /* R11.4 */
    uint64_t vpn_mask, pfn_mask;
    uint64_t reserved; /* PTE bits 51:PA_WIDTH (R1.6) */
} lw_config;

/* `p` is legal (lw_params_check). */
lw_config lw_config_of(const lw_params *p);

/* A VPN as a page of 52 bits, its highest bit repeated above (R5.26, R12.3). */
static inline uint64_t lw_page_of_vpn(const lw_config *cfg, uint64_t vpn) {
    const uint64_t sign = UINT64_C(1) << (cfg->vpn_w - 1);
    return ((vpn ^ sign) - sign) & ((UINT64_C(1) << 52) - 1);
}

#endif
