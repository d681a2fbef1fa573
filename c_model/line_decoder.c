#include "line_decoder.h"

/* R1.3 */
#define PTE_P (UINT64_C(1) << 0)
#define PTE_RW (UINT64_C(1) << 1)
#define PTE_US (UINT64_C(1) << 2)
#define PTE_PS (UINT64_C(1) << 7)
#define PTE_NX (UINT64_C(1) << 63)
#define BITS(high, low) ((UINT64_MAX >> (63 - (high))) & (UINT64_MAX << (low)))
/* R1.10 */
#define PTE_AC BITS(60, 60)
#define PTE_C BITS(59, 52)

/* R1.6: the first that applies. */
static uint8_t kind_of(const lw_config *cfg, uint64_t pte, uint32_t level, uint32_t access) {
    if ((pte & PTE_P) == 0) {
        return LW_NOT_PRESENT;
    }
    const bool large = (pte & PTE_PS) != 0;
    if ((large && level >= 4) || (pte & cfg->reserved) != 0) {
        return LW_RESERVED;
    }
    if (large &&
        ((level == 3 && (pte & BITS(29, 13)) != 0) || (level == 2 && (pte & BITS(20, 13)) != 0))) {
        return LW_MISALIGNED;
    }
    if ((pte & PTE_US) == 0 || (lw_is_write(access) && (pte & PTE_RW) == 0) ||
        (lw_is_execute(access) && (pte & PTE_NX) != 0)) {
        return LW_PERMISSION;
    }
    return LW_OK;
}

lw_verdict lw_judge(const lw_config *cfg, uint64_t pte, uint32_t level, uint64_t vpn,
                    uint32_t access, uint32_t perm) {
    lw_verdict v = {.kind = kind_of(cfg, pte, level, access)};
    v.own_perm = (uint8_t)(((pte & PTE_NX) == 0 ? 2 : 0) | ((pte & PTE_RW) != 0 ? 1 : 0));
    if (v.kind != LW_OK) {
        return v;
    }
    v.perm = (uint8_t)perm & v.own_perm; /* R1.8 */
    v.frame = (pte & BITS(51, 12)) >> 12;
    v.node = level != 1 && (pte & PTE_PS) == 0;
    if (v.node && level == 2) {
        v.contig = (uint16_t)((pte & PTE_AC) >> (60 - 8) | (pte & PTE_C) >> 52);
    } else if (!v.node) { /* R1.7: the VPN's bits below the page's size */
        const uint64_t inside = (UINT64_C(1) << lw_index_shift(level)) - 1;
        v.frame = (v.frame & ~inside) | (vpn & inside);
        v.size = (uint8_t)(level - 1) & 3;
    }
    return v;
}

/* The permissions and the frame of a page that can be part of a run. */
#define GOES_ON (PTE_NX | PTE_RW | BITS(51, 12))

uint8_t lw_line_links(const lw_config *cfg, const uint64_t pte[8], uint32_t level, lw_reach reach) {
    enum { READ = 0, BOTH = LW_LINKS_ALL << LW_RUN_PLACES | LW_LINKS_ALL };
    if (level != 1) {
        return 0;
    }
    if (reach != LW_REACH_LINE) {
        return BOTH;
    }
    uint32_t leaf = 0, next = 0;
    for (uint32_t j = 0; j < 8; j++) {
        leaf |= (uint32_t)(kind_of(cfg, pte[j], level, READ) == LW_OK) << j;
    }
    for (uint32_t j = 0; j + 1 < 8; j++) {
        const uint64_t frame = ((pte[j] >> 12) + 1) & cfg->pfn_mask;
        const uint64_t wanted = (pte[j] & (PTE_NX | PTE_RW)) | frame << 12;
        next |= (uint32_t)((pte[j + 1] & GOES_ON) == wanted) << j;
    }
    return leaf & leaf >> 1 & next & BOTH; /* a group does not go on in the next */
}
