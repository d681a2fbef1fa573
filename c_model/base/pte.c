#include "c_model/base/pte.h"

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

/* R1.6 as far as MISALIGNED: the first that applies. */
static uint8_t kind_of(const lw_config *cfg, uint64_t pte, uint32_t level) {
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
    return LW_OK;
}

lw_pte lw_decode(const lw_config *cfg, uint64_t pte, uint32_t level, uint32_t contig_mask) {
    const bool large = (pte & PTE_PS) != 0;
    const uint64_t contig = (pte & PTE_AC) >> (60 - 8) | (pte & PTE_C) >> 52;
    return (lw_pte){
        .frame = pte >> 12 & cfg->pfn_mask,
        .contig = (uint16_t)(level == 2 && !large ? contig & contig_mask : 0),
        .kind = kind_of(cfg, pte, level),
        .perm = (uint8_t)(((pte & PTE_NX) == 0 ? 2 : 0) | ((pte & PTE_RW) != 0 ? 1 : 0)),
        .user = (pte & PTE_US) != 0,
        .leaf = level == 1 || large,
    };
}

/* R20.4: the bits that say how large a page is, and of each size SIZE and the bits of its frame
 * that are those of its VPN. Of size 3, which no page has, SIZE is zero. */
enum { PTE_SIZE = 9, SIZES = 4, SIZE_RESERVED = 3 };
static const uint8_t size_of[SIZES] = {0, 3, 1, 0};
static const uint16_t in_size[SIZES] = {0, 0xf, 0x1ff, 0};

lw_pte lw_decode_sized(const lw_config *cfg, uint64_t pte, uint64_t vpn, lw_reach reach) {
    const uint32_t size = pte >> PTE_SIZE & (SIZES - 1);
    const bool is_head = reach != LW_REACH_LINE;
    lw_pte decoded = lw_decode(cfg, pte, 1, 0);
    decoded.size = size_of[size];
    if (decoded.kind == LW_OK && (size == SIZE_RESERVED || (is_head && size != 0))) {
        decoded.kind = LW_RESERVED;
    } else if (decoded.kind == LW_OK && ((decoded.frame ^ vpn) & in_size[size]) != 0) {
        decoded.kind = LW_MISALIGNED;
    }
    return decoded;
}

void lw_decode_whole(const lw_config *cfg, const uint64_t line[8], const lw_reading *as,
                     uint64_t vpn, uint32_t contig_mask, lw_pte out[8]) {
    const uint32_t mask = as->hashed ? 0 : contig_mask;
    for (uint32_t j = 0; j < 8; j++) {
        out[j] = as->sized ? lw_decode_sized(cfg, line[j], (vpn & ~UINT64_C(7)) | j, as->reach)
                           : lw_decode(cfg, line[j], as->level, mask);
    }
}

/* R1.6 from PERMISSION on. */
static bool is_permitted(const lw_pte *pte, uint32_t access) {
    return pte->user && lw_grants(pte->perm, access);
}

uint8_t lw_kind_for(const lw_pte *pte, uint32_t access) {
    return pte->kind == LW_OK && !is_permitted(pte, access) ? LW_PERMISSION : pte->kind;
}

lw_verdict lw_judge_decoded(const lw_pte *pte, uint32_t level, uint64_t vpn, uint32_t access,
                            uint32_t perm) {
    lw_verdict v = {.kind = lw_kind_for(pte, access), .own_perm = pte->perm};
    if (v.kind != LW_OK) {
        return v;
    }
    v.perm = (uint8_t)perm & pte->perm; /* R1.8 */
    v.frame = pte->frame;
    v.node = !pte->leaf;
    v.leaf = pte->leaf;
    if (v.node) {
        v.contig = pte->contig;
    } else { /* R1.7: the VPN's bits below the page's size */
        const uint64_t inside = (UINT64_C(1) << lw_index_shift(level)) - 1;
        v.frame = (v.frame & ~inside) | (vpn & inside);
        v.size = level == 1 ? pte->size : (uint8_t)(level - 1) & 3;
    }
    return v;
}

lw_verdict lw_judge(const lw_config *cfg, uint64_t pte, uint32_t level, uint64_t vpn,
                    uint32_t access, uint32_t perm) {
    const lw_pte decoded = lw_decode(cfg, pte, level, LW_CONTIG_AC | LW_CONTIG_C);
    return lw_judge_decoded(&decoded, level, vpn, access, perm);
}

/* The permissions and the frame of a page that can be part of a run. */
#define GOES_ON (PTE_NX | PTE_RW | BITS(51, 12))

uint8_t lw_line_links(const lw_config *cfg, const uint64_t pte[8], uint32_t level, lw_reach reach) {
    enum { HIGH = LW_LINKS_ALL << LW_LINKS_BITS, BOTH = HIGH | LW_LINKS_ALL };
    if (level != 1) {
        return 0;
    }
    if (reach != LW_REACH_LINE) {
        return BOTH;
    }
    uint32_t leaf = 0, next = 0;
    for (uint32_t j = 0; j < 8; j++) { /* judged for a read */
        leaf |= (uint32_t)(kind_of(cfg, pte[j], level) == LW_OK && (pte[j] & PTE_US) != 0) << j;
    }
    for (uint32_t j = 0; j + 1 < 8; j++) {
        const uint64_t frame = ((pte[j] >> 12) + 1) & cfg->pfn_mask;
        const uint64_t wanted = (pte[j] & (PTE_NX | PTE_RW)) | frame << 12;
        next |= (uint32_t)((pte[j + 1] & GOES_ON) == wanted) << j;
    }
    const uint32_t links = leaf & leaf >> 1 & next; /* a group does not go on in the next */
    return (uint8_t)((links & LW_LINKS_ALL) | (links >> LW_RUN_PLACES & LW_LINKS_ALL)
                                                  << LW_LINKS_BITS);
}
