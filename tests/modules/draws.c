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
    enum { SIZE_AT = 9, FRAME_AT = 12, INSIDE_BITS = 9, ASTRAY_IN = 4 };
    static const uint64_t inside[4] = {0, 0xf, 0x1ff, 0x1ff};
    for (uint32_t j = 0; j < 8; j++) {
        const uint64_t same = (inside[line[j] >> SIZE_AT & 3] & cfg->pfn_mask) << FRAME_AT;
        line[j] = (line[j] & ~same) | (((vpn & ~UINT64_C(7)) | j) << FRAME_AT & same);
        if (lw_one_in(rng, ASTRAY_IN)) { /* by one bit */
            line[j] ^= UINT64_C(1) << (FRAME_AT + lw_rng_below(rng, INSIDE_BITS));
        }
        line[j] ^= lw_one_in(rng, ASTRAY_IN) ? 0 : line[j] & line[j] << 1 & UINT64_C(1) << 10;
    }
}

enum { TAG_AT = 57, TAG_PIECE_BITS = 6, TAG_PIECE = 0x3f };

void lw_draw_tag(lw_rng *rng, uint32_t pasid, uint64_t region, uint64_t line[8]) {
    enum { TAG_BITS = 48, PASID_AT = 36, BESIDE_IN = 8 };
    uint64_t tag = UINT64_C(1) << 47 | (uint64_t)pasid << PASID_AT | region;
    if (lw_one_in(rng, BESIDE_IN)) {
        tag ^= UINT64_C(1) << lw_rng_below(rng, TAG_BITS);
    }
    for (uint32_t j = 0; j < 8; j++) {
        line[j] &= ~((uint64_t)TAG_PIECE << TAG_AT);
        line[j] |= (tag >> (TAG_PIECE_BITS * j) & TAG_PIECE) << TAG_AT;
    }
}

void lw_slot_at_port(const uint64_t line[8], lw_bits *sized, lw_bits *tag) {
    enum { SIZES = 3, SIZE_AT = 9 };
    sized->w[0] = (line[0] >> SIZE_AT & SIZES) != 0;
    *tag = (lw_bits){{0}};
    for (uint32_t j = 0; j < 8; j++) {
        lw_bits_put(tag, TAG_PIECE_BITS * j, TAG_PIECE_BITS, line[j] >> TAG_AT & TAG_PIECE);
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

void lw_tables_at_port(const lw_iommu *u, lw_bits ports[LW_TABLES_PORTS]) {
    enum { LOG_BITS = 5 };
    const lw_roots *r = &u->control.roots;
    const uint32_t pfn_w = u->cfg.pfn_w;
    memset(ports, 0, LW_TABLES_PORTS * sizeof *ports);
    for (uint32_t p = 0; p < u->cfg.hw.pasids; p++) {
        lw_bits_put(&ports[LW_HASHED], p, 1, lw_roots_hashed(r, p));
        lw_bits_put(&ports[LW_TABLE_LOG], LOG_BITS * p, LOG_BITS, lw_root_log(r->root[p]));
        lw_bits_put(&ports[LW_STEP_LOG], LOG_BITS * p, LOG_BITS, lw_root_log(r->step[p]));
        lw_bits_put(&ports[LW_STEP_FRAME], pfn_w * p, pfn_w, lw_root_frame(r->step[p]));
        lw_bits_put(&ports[LW_VICTIM_VALID], p, 1, r->victim[p] >> 63);
        lw_bits_put(&ports[LW_VICTIM_FRAME], pfn_w * p, pfn_w, lw_root_frame(r->victim[p]));
    }
    ports[LW_STRIDE].w[0] = r->stride;
}

void lw_roots_at_port(const lw_iommu *u, lw_bits *valid, lw_bits *frame) {
    const uint32_t pfn_w = u->cfg.pfn_w;
    for (uint32_t p = 0; p < u->cfg.hw.pasids; p++) {
        lw_bits_put(valid, p, 1, u->control.roots.root[p] >> 63);
        lw_bits_put(frame, p * pfn_w, pfn_w, lw_roots_frame(&u->control.roots, p));
    }
}

/* R20.11, R21.16: now and then a logarithm that no table has. */
static uint64_t draw_log(lw_rng *rng, uint32_t from, uint32_t to) {
    enum { ANY_IN = 8 };
    const uint64_t log = lw_one_in(rng, ANY_IN) ? lw_rng_below(rng, LW_ROOT_LOG_MAX + 1)
                                                : from + lw_rng_below(rng, to + 1 - from);
    return log << LW_ROOT_LOG;
}

void lw_draw_roots(lw_rng *rng, lw_iommu *u) {
    enum { CHANGE_IN = 32, ABSENT_IN = 8, RADIX_IN = 6, NO_VICTIM_IN = 4, STRIDES = 1 << 18 };
    enum { TABLE_MIN = 3, TABLE_MAX = 18, STEPS_MIN = 6, STEPS_MAX = 24 };
    const uint32_t more = u->cfg.hw.slot_pages == LW_SLOT_OF_A_LINE ? STEPS_MIN - TABLE_MIN : 0;
    lw_roots *r = &u->control.roots;
    const uint64_t frames = u->cfg.pfn_mask;
    const bool hashes = u->cfg.hw.pwc_org == LW_PWC_OF_STEPS;
    for (uint32_t p = 0; p < u->cfg.hw.pasids; p++) {
        if (!lw_one_in(rng, CHANGE_IN)) {
            continue;
        }
        const uint64_t valid = !lw_one_in(rng, ABSENT_IN);
        r->root[p] = (lw_rng_next(rng) & frames) | valid << 63;
        if (hashes) {
            r->root[p] |= (uint64_t)!lw_one_in(rng, RADIX_IN) << LW_ROOT_HASHED |
                          draw_log(rng, TABLE_MIN + more, TABLE_MAX + 2 * more);
            r->step[p] = (lw_rng_next(rng) & frames) | draw_log(rng, STEPS_MIN, STEPS_MAX);
            r->victim[p] = (lw_rng_next(rng) & frames) | (uint64_t)!lw_one_in(rng, NO_VICTIM_IN)
                                                             << 63;
            r->stride = (uint32_t)lw_rng_below(rng, STRIDES);
        }
    }
}

uint32_t lw_draw_bit(lw_rng *rng, uint32_t mask) {
    for (uint64_t skip = lw_rng_below(rng, (uint64_t)__builtin_popcount(mask)); skip > 0; skip--) {
        mask &= mask - 1;
    }
    return (uint32_t)__builtin_ctz(mask);
}
