/* What the twin's parts share: widths derived from the parameters, keys, bitmaps over buffer
 * slots, the register cell behind peek and flip, and the state net's touch.
 *
 * A part's registers are written only by its own functions. A *cell* is the place of one register:
 * `bits` bits from bit `lsb` of the `bytes` wide integer at `at`; `shown` is false where R0.5 lets
 * probes see zero. */
#ifndef LW_UNIT_H
#define LW_UNIT_H

#include "iommu.h"

#include <string.h>

enum { LW_NONE = -1, LW_LEVELS_MAX = 5, LW_SLOT_WORDS = 4, LW_KEY_PASID = 48 };

typedef struct lw_config {
    lw_params hw;
    uint32_t vpn_w, pfn_w, walker_w;
    uint32_t sets, set_bits;        /* of the TLB */
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

/* R1.2: two keys lie in one neighbourhood at this level if they are equal from this bit on. */
static inline uint32_t lw_neighbour_shift(uint32_t level) {
    return lw_index_shift(level) + 3;
}

/* R1.1: the index of a level, and the place of its PTE in the line. */
static inline uint32_t lw_index(uint64_t key, uint32_t level) {
    return (uint32_t)(key >> lw_index_shift(level)) & 511;
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
