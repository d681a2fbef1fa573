/* Keys, indices and neighbourhoods (chapter 1 of the contract): whose page, where its PTEs lie, and
 * who else's lie beside them. */
#ifndef LW_C_MODEL_BASE_ADDRESS_H
#define LW_C_MODEL_BASE_ADDRESS_H

#include "c_model/base/config.h"

#include <stdbool.h>
#include <stdint.h>

enum { LW_KEY_PASID = 48 }; /* where the PASID begins in a key */

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
static inline uint32_t lw_subregion_place(uint64_t key) {
    return (uint32_t)(key >> LW_SUBREGION_SHIFT) & 7;
}

static inline lw_reach lw_reach_of(uint32_t contig, uint32_t level, uint64_t key) {
    if (contig == 0 || level != 1) {
        return LW_REACH_LINE;
    }
    if ((contig & LW_CONTIG_AC) != 0) {
        return LW_REACH_FRAME;
    }
    return (contig >> lw_subregion_place(key) & 1) != 0 ? LW_REACH_SUBREGION : LW_REACH_LINE;
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

#endif
