#include "tests/modules/draws.h"

/* R1.3 */
#define PTE_P (UINT64_C(1) << 0)
#define PTE_RW (UINT64_C(1) << 1)
#define PTE_US (UINT64_C(1) << 2)
#define PTE_PS (UINT64_C(1) << 7)
#define PTE_NX (UINT64_C(1) << 63)
#define BITS(high, low) ((UINT64_MAX >> (63 - (high))) & (UINT64_MAX << (low)))

enum {
    UNIFORM_IN = 16,
    ABSENT_IN = 12,
    SYSTEM_IN = 12,
    WIDE_IN = 8,
    MISALIGNED_IN = 8,
    SHAPES = 4
};

uint64_t lw_draw_pte(lw_rng *rng) {
    uint64_t pte = lw_rng_next(rng);
    if (lw_one_in(rng, UNIFORM_IN)) {
        return pte;
    }
    pte = lw_one_in(rng, ABSENT_IN) ? pte & ~PTE_P : pte | PTE_P;
    pte = lw_one_in(rng, SYSTEM_IN) ? pte & ~PTE_US : pte | PTE_US;
    pte = lw_one_in(rng, WIDE_IN) ? pte : pte & ~BITS(51, 32);
    switch (lw_rng_below(rng, SHAPES)) {
    case 0: /* an aligned 1 GiB page */
        return (pte | PTE_PS) & ~BITS(29, 13);
    case 1: /* a misaligned 1 GiB page and a 2 MiB page, which is misaligned too now and then */
        return (pte | PTE_PS) & ~(lw_one_in(rng, MISALIGNED_IN) ? 0 : BITS(20, 13));
    default:
        return pte & ~PTE_PS;
    }
}

void lw_draw_line(lw_rng *rng, const lw_config *cfg, uint64_t line[8]) {
    enum { ENDS_IN = 4, DIFFERS_IN = 8, LAST_FRAME_IN = 16 };
    const uint64_t frames = cfg->pfn_mask << 12;
    const bool goes_on = cfg->hw.colt != LW_COLT_NONE && !lw_one_in(rng, ENDS_IN);
    for (uint32_t j = 0; j < 8; j++) {
        line[j] = lw_draw_pte(rng);
        if (!goes_on) {
            continue;
        }
        if (lw_one_in(rng, LAST_FRAME_IN)) {
            line[j] |= frames;
        }
        if (j == 0 || lw_one_in(rng, ENDS_IN)) {
            continue;
        }
        /* what R1.14 does not look at is drawn anew; what it does differs now and then */
        const uint64_t kept = PTE_NX | PTE_RW | PTE_P | PTE_US | BITS(51, 12);
        line[j] = (line[j] & ~kept) | (line[j - 1] & kept & ~frames) |
                  ((line[j - 1] + (UINT64_C(1) << 12)) & frames);
        if (lw_one_in(rng, DIFFERS_IN)) {
            line[j] ^= UINT64_C(1) << lw_rng_below(rng, 64);
        }
        if (lw_one_in(rng, DIFFERS_IN)) {
            line[j] ^= lw_rng_next(rng) & (PTE_NX | PTE_RW | PTE_P | PTE_US);
        }
    }
}

void lw_draw_sizes(lw_rng *rng, const lw_config *cfg, uint64_t vpn, uint64_t line[8]) {
    enum { SIZE_AT = 9, ASTRAY_IN = 4 };
    static const uint64_t inside[4] = {0, 0xf, 0x1ff, 0x1ff};
    for (uint32_t j = 0; j < 8; j++) {
        const uint64_t same = (inside[line[j] >> SIZE_AT & 3] & cfg->pfn_mask) << 12;
        if (!lw_one_in(rng, ASTRAY_IN)) {
            line[j] = (line[j] & ~same) | (((vpn & ~UINT64_C(7)) | j) << 12 & same);
        }
        line[j] ^= lw_one_in(rng, ASTRAY_IN) ? 0 : line[j] & line[j] << 1 & UINT64_C(1) << 10;
    }
}

void lw_decoded_at_port(const lw_config *cfg, const lw_pte line[8], lw_decoded *out) {
    enum { VERDICT_W = 8, SIZE_W = 2 };
    *out = (lw_decoded){.verdict = {{0}}};
    for (uint32_t j = 0; j < 8; j++) {
        const lw_pte *p = &line[j];
        lw_bits_put(&out->verdict, VERDICT_W * j, VERDICT_W,
                    (uint64_t)p->kind << 4 | (uint64_t)p->user << 3 | (uint64_t)p->leaf << 2 |
                        p->perm);
        lw_bits_put(&out->frame, cfg->pfn_w * j, cfg->pfn_w, p->frame);
        lw_bits_put(&out->contig, LW_CONTIG_BITS * j, LW_CONTIG_BITS, p->contig);
        lw_bits_put(&out->size, SIZE_W * j, SIZE_W, p->size);
    }
}

void lw_decode_line(const lw_config *cfg, const uint64_t line[8], const lw_reading *as,
                    uint64_t vpn, uint32_t contig_mask, lw_decoded *out) {
    lw_pte decoded[8];
    lw_decode_whole(cfg, line, as, vpn, contig_mask, decoded);
    lw_decoded_at_port(cfg, decoded, out);
}

uint32_t lw_draw_bit(lw_rng *rng, uint32_t mask) {
    for (uint64_t skip = lw_rng_below(rng, (uint64_t)__builtin_popcount(mask)); skip > 0; skip--) {
        mask &= mask - 1;
    }
    return (uint32_t)__builtin_ctz(mask);
}
