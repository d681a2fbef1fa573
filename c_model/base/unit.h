/* What the twin's parts share: widths derived from the parameters, keys, bitmaps over buffer
 * slots, the register cell behind peek and flip, and the state net's touch.
 *
 * A part's registers are written only by its own functions. A *cell* is the place of one register:
 * `bits` bits from bit `lsb` of the `bytes` wide integer at `at`; `shown` is false where R0.5 lets
 * probes see zero. */
#ifndef LW_C_MODEL_BASE_UNIT_H
#define LW_C_MODEL_BASE_UNIT_H

#include "c_model/iommu.h"

#include <string.h>

enum {
    LW_NONE = -1,
    LW_LEVELS_MAX = 5,
    LW_BUFFER_MAX = 512,
    LW_SLOT_WORDS = LW_BUFFER_MAX / 64,
    LW_KEY_PASID = 48
};

/* R2.3: a SEQ's two top bits name its block. */
enum { LW_BLOCK_BITS = 2, LW_BLOCKS = 1 << LW_BLOCK_BITS };

/* The entries of CLASS 1 in this unit's TLB: subregion entries (section 3), or runs (R3.14). Each
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
    uint32_t sweep_sets;            /* R11.4 */
    uint32_t seq_mask, block_shift; /* R2.3 */
    uint64_t vpn_mask, pfn_mask;
    uint64_t reserved; /* PTE bits 51:PA_WIDTH (R1.6) */
} lw_config;

typedef struct lw_watch {
    lw_written_fn *written; /* NULL: off */
    void *ctx;
} lw_watch;

static inline void lw_touch(const lw_watch *watch, lw_structure s, uint32_t index) {
    if (watch->written != NULL) {
        watch->written(watch->ctx, s, index);
    }
}

typedef struct lw_cell {
    void *at;
    uint8_t bytes, lsb, bits;
    bool shown;
} lw_cell;

/* The cell of a whole object (8 to 64 bits wide) of which the register has `bits` bits. */
#define LW_CELL(object, bits_, shown_)                                                             \
    ((lw_cell){&(object), (uint8_t)sizeof(object), 0, (uint8_t)(bits_), (shown_)})
/* The cell of a part of an object. */
#define LW_CELL_PART(object, lsb_, bits_, shown_)                                                  \
    ((lw_cell){&(object), (uint8_t)sizeof(object), (uint8_t)(lsb_), (uint8_t)(bits_), (shown_)})

/* {PASID, VPN} in one word; the VPN has at most 45 bits, the PASID of an admitted request 8. */
static inline uint64_t lw_key(uint32_t pasid, uint64_t vpn) {
    return (uint64_t)pasid << LW_KEY_PASID | vpn;
}

static inline uint64_t lw_key_vpn(uint64_t key) {
    return key & ((UINT64_C(1) << LW_KEY_PASID) - 1);
}

static inline uint32_t lw_key_pasid(uint64_t key) {
    return (uint32_t)(key >> LW_KEY_PASID);
}

/* R1.1: where the index of a level begins in a VPN. Levels 0, 6 and 7 exist only after a flip. */
static inline uint32_t lw_index_shift(uint32_t level) {
    static const uint8_t shift[8] = {0, 0, 9, 18, 27, 36, 36, 36};
    return shift[level & 7];
}

/* R1.1: the index of a level, and the place of its PTE in the line. */
static inline uint32_t lw_index(uint64_t key, uint32_t level) {
    return (uint32_t)(key >> lw_index_shift(level)) & 511;
}

/* R1.10: CONTIG is {AC, C7..C0}. */
enum { LW_CONTIG_BITS = 9, LW_CONTIG_AC = 0x100, LW_CONTIG_C = 0xff };

/* R1.11: what the PTE of an access answers, beside its line. */
typedef enum lw_reach { LW_REACH_LINE, LW_REACH_SUBREGION, LW_REACH_FRAME, LW_REACHES } lw_reach;

/* A subregion is 64 pages, a frame 512; eight subregions to a frame. */
enum { LW_SUBREGION_SHIFT = 6, LW_FRAME_SHIFT = 9 };

/* R1.14: a page's place in its group of four, VPN[1:0]. */
enum {
    LW_RUN_PLACE_BITS = 2,
    LW_RUN_PLACES = 1 << LW_RUN_PLACE_BITS,
    LW_LINKS_BITS = LW_RUN_PLACES - 1,
    LW_LINKS_ALL = (1 << LW_LINKS_BITS) - 1
};

static inline uint32_t lw_run_place(uint64_t key) {
    return (uint32_t)key & (LW_RUN_PLACES - 1);
}

/* The place of a page's subregion in its frame, VSN[2:0]. */
static inline uint32_t lw_place(uint64_t key) {
    return (uint32_t)(key >> LW_SUBREGION_SHIFT) & 7;
}

static inline lw_reach lw_reach_of(uint32_t contig, uint32_t level, uint64_t key) {
    if (contig == 0 || level != 1) {
        return LW_REACH_LINE;
    }
    if ((contig & LW_CONTIG_AC) != 0) {
        return LW_REACH_FRAME;
    }
    return (contig >> lw_place(key) & 1) != 0 ? LW_REACH_SUBREGION : LW_REACH_LINE;
}

/* R1.12: the bits of a VPN that are added to the BASE of its reach. */
static inline uint64_t lw_reach_mask(lw_reach reach) {
    static const uint16_t mask[LW_REACHES] = {0, (1 << LW_SUBREGION_SHIFT) - 1,
                                              (1 << LW_FRAME_SHIFT) - 1};
    return mask[reach];
}

/* An access to a page table (R7.3) as the CAM port knows it: whose, at which level, how far it
 * reaches, and the PERM before its PTE. */
typedef struct lw_access {
    uint64_t key;
    lw_reach reach;
    uint8_t level, perm;
} lw_access;

/* R1.2: two keys lie in one neighbourhood if they are equal from this bit on. Neighbourhoods are
 * numbered: those of one line by their level (1 to 5), then the two that REACH widens at level 1.
 */
enum { LW_NEAR_SUBREGION = 8, LW_NEAR_FRAME = 9 };

static inline uint32_t lw_near(const lw_access *a) {
    return a->reach == LW_REACH_LINE ? a->level & 7u : LW_NEAR_SUBREGION + a->reach - 1u;
}

static inline uint32_t lw_near_shift(uint32_t near) {
    static const uint8_t shift[] = {
        3, 3, 12, 21, 30, 39, 39, 39, LW_SUBREGION_SHIFT, LW_FRAME_SHIFT};
    return shift[near];
}

static inline bool lw_is_near(const lw_access *a, uint64_t key) {
    return (a->key ^ key) >> lw_near_shift(lw_near(a)) == 0;
}

/* Where the PTE of an access lies in its node (R1.1, R1.12, R1.13): the line, and the place in it
 * in the low three bits. */
static inline uint32_t lw_pte_index(const lw_config *cfg, const lw_access *a) {
    uint32_t i = lw_index(a->key, a->level);
    if (a->level != 1) {
        return i;
    }
    i &= ~(uint32_t)lw_reach_mask(a->reach);
    const bool moved = cfg->hw.head_first != 0 && (i >> 3 & 7) == 0;
    return moved ? (i & 7) << 6 | i >> 6 : i;
}

/* R1.4 */
static inline bool lw_is_execute(uint32_t access) {
    return (access & 2) != 0;
}

static inline bool lw_is_write(uint32_t access) {
    return access == 1;
}

/* R1.5: PERM is {X, W}. */
static inline bool lw_grants(uint32_t perm, uint32_t access) {
    return lw_is_execute(access) ? (perm & 2) != 0 : !lw_is_write(access) || (perm & 1) != 0;
}

/* R0.4: the first set bit of a mask of at most 32 bits in the order from, from+1, ... around;
 * the mask is not empty. */
static inline uint32_t lw_first_from(uint32_t mask, uint32_t from) {
    uint32_t upper = mask & (UINT32_MAX << (from & 31));
    return (uint32_t)__builtin_ctz(upper != 0 ? upper : mask);
}

#endif
