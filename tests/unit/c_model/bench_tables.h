/* The bench's page tables, the pool of pages to ask for, and the reference walk (iommu_bench.h). */
#ifndef LW_TESTS_UNIT_C_MODEL_BENCH_TABLES_H
#define LW_TESTS_UNIT_C_MODEL_BENCH_TABLES_H

#include "tests/unit/c_model/bench_state.h"

static inline uint32_t bench_node(bench *b) {
    assert_true(b->nodes < BENCH_NODES);
    return b->nodes++;
}

static inline uint32_t bench_root(bench *b, uint32_t pasid) {
    if (b->root[pasid] == 0) {
        b->root[pasid] = bench_node(b);
    }
    return b->root[pasid];
}

/* Where the PTE of a page lies in the node of a level. */
static inline uint32_t bench_index(const bench *b, uint64_t vpn, uint32_t level) {
    const uint32_t i = vpn >> (9 * (level - 1)) & 511;
    const bool moved = b->hw.head_first != 0 && level == 1 && (i >> 3 & 7) == 0;
    return moved ? (i & 7) << 6 | i >> 6 : i;
}

/* The PTE of a level, with nodes made on the way (P, RW, US). */
static inline uint64_t *bench_pte(bench *b, uint32_t pasid, uint64_t vpn, uint32_t level) {
    uint64_t node = bench_root(b, pasid);
    for (uint32_t k = b->hw.levels; k >= level; k--) {
        uint64_t *pte = &b->table[node * 512 + bench_index(b, vpn, k)];
        if (k == level) {
            return pte;
        }
        if (*pte == 0) {
            *pte = (uint64_t)bench_node(b) << 12 | P_ | RW_ | US_;
        }
        node = *pte >> 12 & (BENCH_NODES - 1);
    }
    fail();
    return NULL;
}

/* Maps 4 KiB to a PFN with all rights. */
static inline void bench_map(bench *b, uint32_t pasid, uint64_t vpn, uint64_t pfn) {
    *bench_pte(b, pasid, vpn, 1) = pfn << 12 | P_ | RW_ | US_;
}

static inline uint64_t bench_pa_mask(const bench *b) {
    return (UINT64_C(1) << b->hw.pa_width) - 1;
}

/* The bits of a VPN that a level-2 PTE's contiguity bits leave to the head of its subregion or
 * frame; bench_enable enables subregions wherever there are any. */
static inline uint64_t bench_rest(const bench *b, uint64_t pte, uint64_t vpn) {
    if (b->hw.subregions == 0) {
        return 0;
    }
    if ((pte & AC_) != 0) {
        return 511;
    }
    return (pte & C_(vpn >> 6 & 7)) != 0 ? 63 : 0;
}

/* Whether a page and the next one are leaves that go on: the next frame, the same permissions. */
static inline bool bench_goes_on(const bench *b, uint64_t node, uint64_t vpn) {
    const uint64_t frames = UINT64_C(0x000ffffffffff000) & bench_pa_mask(b);
    uint64_t pte[2];
    for (uint32_t i = 0; i < 2; i++) {
        pte[i] = b->table[node * 512 + bench_index(b, vpn + i, 1)];
        const uint64_t wide = pte[i] & UINT64_C(0x000ffffffffff000) & ~frames;
        if ((pte[i] & (P_ | US_)) != (P_ | US_) || wide != 0) {
            return false;
        }
    }
    return ((pte[0] ^ pte[1]) & (NX_ | RW_)) == 0 &&
           ((pte[0] + 4096) & frames) == (pte[1] & frames);
}

/* The links that an answer may have, which it may leave away. */
static inline uint32_t bench_links(const bench *b, uint64_t node, uint64_t vpn, uint64_t rest) {
    uint32_t links = rest != 0 ? 7 : 0;
    for (uint32_t i = 0; i < 3 && rest == 0; i++) {
        links |= (uint32_t)bench_goes_on(b, node, (vpn & ~UINT64_C(3)) + i) << i;
    }
    return b->hw.colt != LW_COLT_NONE ? links : 0;
}

/* What the page tables say: a walk of its own, one level at a time. */
static inline bench_answer bench_reference(const bench *b, const bench_page *q) {
    const uint32_t vpn_w = 9 * b->hw.levels;
    const int64_t sign = (int64_t)(q->page << 12) >> (12 + vpn_w - 1);
    if (sign != 0 && sign != -1) {
        return (bench_answer){.kind = LW_NONCANONICAL};
    }
    if (q->pasid >= b->hw.pasids || b->root[q->pasid] == 0) {
        return (bench_answer){.kind = LW_UNKNOWN_PASID};
    }
    const uint64_t vpn = q->page & ((UINT64_C(1) << vpn_w) - 1);
    const bool execute = (q->access & 2) != 0, write = q->access == 1;
    uint64_t node = b->root[q->pasid], above = 0;
    uint32_t perm = 3;
    for (uint32_t k = b->hw.levels; k >= 1; k--) {
        const uint64_t rest = k == 1 ? bench_rest(b, above, vpn) : 0;
        const uint64_t pte = b->table[node * 512 + bench_index(b, vpn & ~rest, k)];
        const uint64_t frame = pte & UINT64_C(0x000ffffffffff000);
        const bool large = (pte & PS_) != 0;
        if ((pte & P_) == 0) {
            return (bench_answer){.kind = LW_NOT_PRESENT, .level = k};
        }
        if ((large && k >= 4) || frame >> b->hw.pa_width != 0) {
            return (bench_answer){.kind = LW_RESERVED, .level = k};
        }
        const uint64_t below = k == 3 ? 0x3fffe000 : 0x1fe000;
        if (large && (k == 2 || k == 3) && (pte & below) != 0) {
            return (bench_answer){.kind = LW_MISALIGNED, .level = k};
        }
        if ((pte & US_) == 0 || (write && (pte & RW_) == 0) || (execute && (pte & NX_) != 0)) {
            return (bench_answer){.kind = LW_PERMISSION, .level = k};
        }
        perm &= ((pte & NX_) == 0 ? 2u : 0u) | ((pte & RW_) != 0 ? 1u : 0u);
        if (k == 1 || large) {
            const uint64_t inside = (UINT64_C(1) << (9 * (k - 1))) - 1;
            const uint64_t pfn = ((frame >> 12 & ~inside) | (vpn & inside)) + (vpn & rest);
            return (bench_answer){.level = k == 1 ? bench_links(b, node, vpn, rest) : 0,
                                  .size = k - 1,
                                  .perm = perm,
                                  .pfn = pfn & (bench_pa_mask(b) >> 12)};
        }
        node = frame >> 12;
        above = pte;
    }
    fail();
    return (bench_answer){0};
}

/* A random PTE for a level: mostly a usable one, sometimes each kind of fault. */
static inline uint64_t bench_random_pte(bench *b, uint32_t level, uint32_t bad) {
    uint64_t flags = P_ | US_ | RW_;
    const uint64_t frame = lw_rng_next(&b->rng) & ((UINT64_C(1) << b->hw.pa_width) - 4096);
    const bool large = level <= 3 && level >= 2 && lw_rng_percent(&b->rng, 8);
    uint64_t pte = large ? (frame & ~((UINT64_C(1) << (12 + 9 * (level - 1))) - 1)) | PS_ : frame;
    if (level > 1 && !large) {
        pte = (uint64_t)bench_node(b) << 12;
    }
    if (level == 2 && !large && b->hw.subregions != 0) { /* wrongly set, mostly */
        const uint64_t one_of_two = lw_rng_next(&b->rng);
        flags |= one_of_two & lw_rng_next(&b->rng) & CONTIG_;
    }
    flags |= lw_rng_percent(&b->rng, 15) ? NX_ : 0;
    flags &= lw_rng_percent(&b->rng, 15) ? ~RW_ : UINT64_MAX;
    if (lw_rng_percent(&b->rng, bad)) {
        switch (lw_rng_below(&b->rng, 4)) {
        case 0:
            return UINT64_C(1) << 55; /* not present, but decided */
        case 1:
            return b->hw.pa_width < 52 ? pte | flags | UINT64_C(1) << 51 : pte | RW_ | P_;
        case 2:
            return level >= 2 ? (level <= 3 ? pte | PS_ | UINT64_C(1) << 13 : pte | PS_) | flags
                              : pte | P_ | RW_;
        default:
            return (pte | flags) & ~US_;
        }
    }
    return pte | flags;
}

/* Decides every PTE on the way to a page, once. */
static inline void bench_decide(bench *b, uint32_t pasid, uint64_t vpn, uint32_t bad) {
    uint64_t node = bench_root(b, pasid);
    for (uint32_t k = b->hw.levels; k >= 1; k--) {
        uint64_t *pte = &b->table[node * 512 + bench_index(b, vpn, k)];
        if (*pte == 0) {
            *pte = bench_random_pte(b, k, bad);
        }
        const uint64_t frame = *pte >> 12 & ((UINT64_C(1) << 40) - 1);
        if (k == 1 || (*pte & (P_ | PS_)) != P_ || frame >= BENCH_NODES) {
            return;
        }
        node = frame;
    }
}

static inline uint64_t bench_sign_extend(const bench *b, uint64_t vpn) {
    const uint64_t sign = UINT64_C(1) << (b->hw.levels == 5 ? 44 : 35);
    return ((vpn ^ sign) - sign) & ((UINT64_C(1) << 52) - 1);
}

/* Whether a page's upper levels are nothing or plain nodes, so that bench_pte may go there. */
static inline bool bench_is_free(bench *b, uint32_t pasid, uint64_t vpn) {
    uint64_t node = bench_root(b, pasid);
    for (uint32_t k = b->hw.levels; k >= 2; k--) {
        const uint64_t pte = b->table[node * 512 + bench_index(b, vpn, k)];
        if (pte == 0) {
            return true;
        }
        if ((pte & ~(NX_ | CONTIG_) & ~((uint64_t)BENCH_NODES - 1) << 12) != 0 ||
            (pte & (P_ | RW_ | US_ | PS_)) != (P_ | RW_ | US_)) {
            return false;
        }
        node = pte >> 12 & (BENCH_NODES - 1);
    }
    return false;
}

/* Maps a frame whose subregions are contiguous, join and differ in their rights now and then, with
 * most of the bits that say so. */
static inline void bench_frame(bench *b, uint32_t pasid, uint64_t vpn) {
    uint64_t pa = 0, bits = 0, flags = P_ | US_ | RW_;
    bool whole = true;
    for (uint32_t page = 0; page < 512; page++, pa += 4096) {
        if (page == 0 || (page % 64 == 0 && lw_rng_percent(&b->rng, 25))) {
            pa = lw_rng_next(&b->rng) & ~UINT64_C(4095);
            flags = P_ | US_ | (lw_rng_percent(&b->rng, 80) ? RW_ : 0);
            flags |= lw_rng_percent(&b->rng, 20) ? NX_ : 0;
            whole = whole && page == 0;
        }
        if (page % 64 == 0 && lw_rng_percent(&b->rng, 90)) {
            bits |= C_(page / 64);
        }
        *bench_pte(b, pasid, vpn + page, 1) = (pa & bench_pa_mask(b)) | flags;
    }
    *bench_pte(b, pasid, vpn, 2) |= whole && lw_rng_percent(&b->rng, 50) ? AC_ | bits : bits;
}

/* Maps 16 pages that mostly go on, with what ends a run now and then. */
static inline void bench_runs(bench *b, uint32_t pasid, uint64_t vpn) {
    uint64_t pa = lw_rng_next(&b->rng) & ~UINT64_C(4095), flags = P_ | US_ | RW_;
    if (lw_rng_percent(&b->rng, 10)) {
        pa = -UINT64_C(4096) * lw_rng_below(&b->rng, 16); /* around the last frame */
    }
    for (uint32_t page = 0; page < 16; page++, pa += 4096) {
        if (lw_rng_percent(&b->rng, 10)) {
            pa = lw_rng_next(&b->rng) & ~UINT64_C(4095);
        }
        flags ^= lw_rng_percent(&b->rng, 8) ? RW_ : 0;
        flags ^= lw_rng_percent(&b->rng, 8) ? NX_ : 0;
        const uint64_t broken = lw_rng_percent(&b->rng, 8) ? (P_ | US_) & lw_rng_next(&b->rng) : 0;
        *bench_pte(b, pasid, vpn + page, 1) = (pa & bench_pa_mask(b)) | (flags & ~broken) | PS_;
    }
}

/* Gives two of three places in the pool to such pages. */
static inline void bench_pool_runs(bench *b, uint32_t runs, uint32_t pasids) {
    const uint64_t vpn_mask = (UINT64_C(1) << (9 * b->hw.levels)) - 1;
    uint64_t vpn[64] = {0};
    uint32_t pasid[64] = {0};
    for (uint32_t n = 0; n < runs;) {
        pasid[n] = (uint32_t)lw_rng_below(&b->rng, pasids);
        vpn[n] = lw_rng_next(&b->rng) & vpn_mask & ~UINT64_C(15);
        if (bench_is_free(b, pasid[n], vpn[n])) {
            bench_runs(b, pasid[n], vpn[n]);
            n++;
        }
    }
    for (uint32_t i = 0; i < b->pool_size; i++) {
        if (i % 3 != 0) {
            const uint32_t n = (uint32_t)lw_rng_below(&b->rng, runs);
            b->pool[i] = (bench_page){pasid[n], (uint32_t)lw_rng_below(&b->rng, 4),
                                      bench_sign_extend(b, vpn[n] + lw_rng_below(&b->rng, 16))};
        }
    }
}

/* Gives two of three places in the pool to pages of such frames. */
static inline void bench_pool_frames(bench *b, uint32_t frames, uint32_t pasids) {
    const uint64_t vpn_mask = (UINT64_C(1) << (9 * b->hw.levels)) - 1;
    uint64_t frame[16] = {0};
    uint32_t pasid[16] = {0};
    for (uint32_t n = 0; n < frames;) {
        pasid[n] = (uint32_t)lw_rng_below(&b->rng, pasids);
        frame[n] = lw_rng_next(&b->rng) & vpn_mask & ~UINT64_C(511);
        if (bench_is_free(b, pasid[n], frame[n])) {
            bench_frame(b, pasid[n], frame[n]);
            n++;
        }
    }
    for (uint32_t i = 0; i < b->pool_size; i++) {
        if (i % 3 != 0) {
            const uint32_t n = (uint32_t)lw_rng_below(&b->rng, frames);
            b->pool[i] = (bench_page){pasid[n], (uint32_t)lw_rng_below(&b->rng, 4),
                                      bench_sign_extend(b, frame[n] + lw_rng_below(&b->rng, 512))};
        }
    }
}

/* Fills the pool with pages of `pasids` address spaces: clusters that share the lower levels, pages
 * far apart, and `bad` percent of each kind of trouble. */
static inline void bench_pool(bench *b, uint32_t size, uint32_t pasids, uint32_t bad) {
    const uint64_t vpn_mask = (UINT64_C(1) << (9 * b->hw.levels)) - 1;
    uint64_t base = 0;
    b->pool_size = size;
    for (uint32_t i = 0; i < size; i++) {
        const uint32_t pasid = (uint32_t)lw_rng_below(&b->rng, pasids);
        static const uint8_t spread[] = {3, 4, 9, 10, 12, 18, 21, 27, 44};
        if (lw_rng_percent(&b->rng, 4)) {
            base = lw_rng_next(&b->rng);
        }
        const uint64_t reach = UINT64_C(1) << spread[lw_rng_below(&b->rng, sizeof spread - 2)];
        const uint64_t vpn = (base + (lw_rng_next(&b->rng) & (reach - 1))) & vpn_mask;
        bench_decide(b, pasid, vpn, bad);
        b->pool[i] =
            (bench_page){pasid, (uint32_t)lw_rng_below(&b->rng, 4), bench_sign_extend(b, vpn)};
        if (lw_rng_percent(&b->rng, bad)) {
            b->pool[i].page ^= UINT64_C(1) << 51;
        } else if (lw_rng_percent(&b->rng, bad)) {
            b->pool[i].pasid = b->hw.pasids + (uint32_t)lw_rng_below(&b->rng, 1000);
        }
    }
    if (b->hw.colt != LW_COLT_NONE) {
        bench_pool_runs(b, 16, pasids);
    }
    if (b->hw.subregions != 0) {
        bench_pool_frames(b, 8, pasids);
    }
}

#endif
