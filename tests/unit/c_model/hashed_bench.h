/* For the tests of walks in hashed tables: tables that the test builds by hand in the bench's
 * memory (chapter 20), with a hash of its own, and what the unit reads of them. It shares nothing
 * with the unit but the ports. */
#ifndef LW_TESTS_UNIT_C_MODEL_HASHED_BENCH_H
#define LW_TESTS_UNIT_C_MODEL_HASHED_BENCH_H

#include "tests/unit/c_model/iommu_bench.h"

enum {
    HASHED_NODES = 4096, /* the radix nodes of the bench come from here on */
    HASHED_READS = 64,
    GROUP_REGIONS = 16,
    HOME_FIRST_BIT = 1 << 6,
    WALK_ABOVE = 6 /* LEVEL of a fault that no PTE has (R20.14) */
};

/* A PASID's table, step table and victim buffer. */
typedef struct hashed_table {
    uint32_t table_log, step_log;
    uint64_t table_frame, step_frame;
    uint32_t victim; /* a PASID of the bench whose radix table it is; 0: there is none */
} hashed_table;

typedef struct hashed {
    bench b;
    uint64_t stride;
    hashed_table of[256];
    uint64_t bad_line; /* answered with the error bit */
    bool bad;
    bool judged;     /* each answer is held against hashed_reference */
    bool contiguous; /* which reads contiguity bits (SUBREGION_ENABLE) */
    /* of one walk: the lines that were read, and when, from the cycle of the request's transfer */
    uint32_t reads;
    uint64_t line[HASHED_READS], at[HASHED_READS], asked, answered_at;
} hashed;

static const lw_params hashed_hw = {.levels = 4,
                                    .pa_width = 40,
                                    .pasids = 16,
                                    .id_w = 12,
                                    .src_w = 6,
                                    .tlb_entries = 64,
                                    .tlb_ways = 4,
                                    .tlb_latency = 1,
                                    .hit_queue = 8,
                                    .walk_queue = 4,
                                    .miss_queue = 16,
                                    .buffer_entries = 32,
                                    .lines = 16,
                                    .walkers = 4,
                                    .pwc_org = 2,
                                    .pwc_entries = 8,
                                    .pwc_ways = 2,
                                    .pwc_latency = 4,
                                    .coalesce = 1,
                                    .msc_entries = 4,
                                    .msc_ways = 2,
                                    .check_queue = 1,
                                    .slot_pages = 512};

static inline void hashed_init(hashed *h, const lw_params *hw, uint64_t seed) {
    memset(h, 0, sizeof *h);
    bench_init(&h->b, hw, seed);
    h->b.nodes = HASHED_NODES;
    h->b.any_kind = true;
    h->stride = 5;
}

/* ---------------------------------------------------------------- where things lie */

/* R20.6, bit by bit: the product is summed up in a register of 27 bits. */
static inline uint64_t hashed_hash(uint64_t n, uint32_t pasid, uint32_t log) {
    const uint64_t multiplier = 0x4F1BBCD;
    uint64_t k = n;
    for (uint32_t bit = 0; bit < 9; bit++) {
        k ^= (n >> (27 + bit) & 1) << (9 + bit);
    }
    for (uint32_t bit = 0; bit < 20; bit++) {
        k ^= (uint64_t)(pasid >> bit & 1) << (18 + bit);
    }
    uint64_t sum = 0;
    for (uint32_t bit = 0; bit < 27; bit++) {
        sum = (sum + ((k >> bit & 1) != 0 ? multiplier << bit : 0)) % (1 << 27);
    }
    return sum / (1 << (27 - log));
}

/* R20.32: the numbers of a page's region and group, and the region's place in it. */
static inline uint64_t hashed_region(const hashed *h, uint64_t vpn) {
    return vpn / h->b.hw.slot_pages;
}

static inline uint64_t hashed_group_number(const hashed *h, uint64_t vpn) {
    return hashed_region(h, vpn) / GROUP_REGIONS;
}

static inline uint32_t hashed_region_place(const hashed *h, uint64_t vpn) {
    return hashed_region(h, vpn) % GROUP_REGIONS;
}

/* R20.7: the number of the slot. */
static inline uint64_t hashed_place(const hashed *h, uint32_t pasid, uint64_t vpn, uint32_t step) {
    const uint32_t log = h->of[pasid].table_log;
    return (hashed_hash(hashed_region(h, vpn), pasid, log) + step * h->stride) %
           (UINT64_C(1) << log);
}

/* R20.1: a slot's first line, that of its frame, and R20.31: the only one of one that is a line. */
static inline uint64_t hashed_slot(const hashed *h, uint32_t pasid, uint64_t vpn, uint32_t step) {
    const uint64_t lines = h->b.hw.slot_pages / 8;
    return h->of[pasid].table_frame * 64 + hashed_place(h, pasid, vpn, step) * lines;
}

/* R20.8: the line of a group's bucket. */
static inline uint64_t hashed_bucket(const hashed *h, uint32_t pasid, uint64_t vpn) {
    const hashed_table *t = &h->of[pasid];
    return t->step_frame * 64 + hashed_hash(hashed_group_number(h, vpn), pasid, t->step_log);
}

static inline uint64_t hashed_slot_line(const hashed *h, uint32_t pasid, uint64_t vpn,
                                        uint32_t step) {
    return hashed_slot(h, pasid, vpn, step) + vpn % h->b.hw.slot_pages / 8;
}

static inline uint64_t *hashed_at(hashed *h, uint64_t line) {
    return &h->b.table[line * 8];
}

/* ---------------------------------------------------------------- the driver */

/* R20.2 */
static inline uint64_t hashed_tag(const hashed *h, uint32_t pasid, uint64_t vpn) {
    return UINT64_C(1) << 47 | (uint64_t)pasid << 36 | hashed_region(h, vpn);
}

/* R20.3: the tag in all lines of a slot, from this one on, in the place of what is in its bits. */
static inline void hashed_put_tag(hashed *h, uint64_t slot, uint64_t tag) {
    for (uint32_t i = 0; i < h->b.hw.slot_pages; i++) {
        uint64_t *pte = &hashed_at(h, slot)[i];
        *pte = (*pte & ~(UINT64_C(63) << 57)) | (tag >> (6 * (i % 8)) & 63) << 57;
    }
}

/* Words of an entry of the step table, and the bits of its first that are the group's (R20.27). */
static inline uint32_t hashed_words(const hashed *h) {
    return h->b.hw.subregions != 0 ? 4 : 2;
}

static inline uint64_t hashed_group_bits(const hashed *h) {
    return h->b.hw.subregions != 0 ? ~(UINT64_C(0xffff) << 43) : UINT64_MAX;
}

/* R20.9: the first entry of a bucket with these bits in its first word, or NULL. */
static inline const uint64_t *hashed_find(const hashed *h, const uint64_t *line, uint64_t word) {
    for (uint32_t at = 0; at < 8; at += hashed_words(h)) {
        if ((line[at] & hashed_group_bits(h)) == word) {
            return &line[at];
        }
    }
    return NULL;
}

/* R20.8: the entry of a group in its bucket; a new one where there is none, NULL in a full one. */
static inline uint64_t *hashed_group(hashed *h, uint32_t pasid, uint64_t vpn) {
    uint64_t *line = hashed_at(h, hashed_bucket(h, pasid, vpn));
    const uint64_t word = UINT64_C(1) << 63 | (uint64_t)pasid << 32 | hashed_group_number(h, vpn);
    const uint64_t *found = hashed_find(h, line, word);
    const uint64_t *entry = found != NULL ? found : hashed_find(h, line, 0);
    if (entry == NULL) {
        return NULL;
    }
    line[entry - line] |= word;
    return &line[entry - line];
}

/* R20.27: AC and C7..C0 of a region, of which the table has its step. */
static inline void hashed_put_contig(hashed *h, uint32_t pasid, uint64_t vpn, bool ac, uint64_t c) {
    const uint32_t region = hashed_region_place(h, vpn), at = 8 * (region & 7);
    uint64_t *entry = hashed_group(h, pasid, vpn), *bytes = &entry[2 + region / 8];
    assert_int_equal(hashed_words(h), 4);
    entry[0] = (entry[0] & ~(UINT64_C(1) << (43 + region))) | (uint64_t)ac << (43 + region);
    *bytes = (*bytes & ~(UINT64_C(255) << at)) | c << at;
}

static inline void hashed_put_step(hashed *h, uint32_t pasid, uint64_t vpn, uint32_t step,
                                   bool present) {
    uint64_t *entry = hashed_group(h, pasid, vpn);
    assert_non_null(entry);
    const uint32_t at = 4 * hashed_region_place(h, vpn);
    entry[1] = (entry[1] & ~(UINT64_C(15) << at)) | (uint64_t)(step | (present ? 8 : 0)) << at;
}

/* A region gets the slot at this step. */
static inline void hashed_put_region(hashed *h, uint32_t pasid, uint64_t vpn, uint32_t step) {
    hashed_put_tag(h, hashed_slot(h, pasid, vpn, step), hashed_tag(h, pasid, vpn));
    hashed_put_step(h, pasid, vpn, step, true);
}

/* A PTE in a slot, but for the bits of the tag. */
static inline void hashed_put_pte(hashed *h, uint32_t pasid, uint64_t vpn, uint32_t step,
                                  uint64_t pte) {
    uint64_t *at = hashed_at(h, hashed_slot_line(h, pasid, vpn, step)) + vpn % 8;
    *at = (*at & UINT64_C(63) << 57) | pte;
}

/* A page of 4 KiB with all rights, in a region that has its slot at this step. */
static inline void hashed_map(hashed *h, uint32_t pasid, uint64_t vpn, uint32_t step,
                              uint64_t pfn) {
    hashed_put_region(h, pasid, vpn, step);
    hashed_put_pte(h, pasid, vpn, step, pfn << 12 | P_ | RW_ | US_);
}

/* R20.11, R21.16: what the unit is told. */
static inline void hashed_tell(hashed *h, uint32_t pasid) {
    bench *b = &h->b;
    const hashed_table *t = &h->of[pasid];
    const uint64_t victim =
        t->victim != 0 ? UINT64_C(1) << 63 | bench_root(b, t->victim) : UINT64_C(0);
    bench_write(b, LW_CTL_STRIDE, h->stride);
    bench_write(b, LW_CTL_STEP + pasid, (uint64_t)t->step_log << 57 | t->step_frame);
    bench_write(b, LW_CTL_VICTIM + pasid, victim);
    bench_write(b, LW_CTL_ROOT + pasid,
                UINT64_C(3) << 62 | (uint64_t)t->table_log << 57 | t->table_frame);
}

static inline void hashed_enable(hashed *h, uint32_t mode, bool pwc, bool home_first) {
    bench_write(&h->b, LW_CTL_FEATURES,
                mode | (pwc ? 4u : 0u) | (h->b.hw.subregions != 0 ? 16u : 0u) |
                    (home_first ? HOME_FIRST_BIT : 0u));
    h->contiguous = h->b.hw.subregions != 0;
}

/* ---------------------------------------------------------------- what they say */

/* R1.6 with R20.5, of a PTE at a level; `size` from its bits at level 1. */
static inline bench_answer hashed_verdict(const hashed *h, uint64_t pte, uint32_t level,
                                          const bench_page *q) {
    static const uint32_t sizes[] = {0, 3, 1};
    static const uint64_t aligned[] = {0, 15, 511};
    const uint64_t frame = pte >> 12 & ((UINT64_C(1) << 40) - 1);
    const uint32_t hint = level == 1 ? pte >> 9 & 3 : 0;
    const bool large = level > 1 && (pte & PS_) != 0;
    const uint64_t inside = (UINT64_C(1) << (9 * (level - 1))) - 1;
    bench_answer a = {.level = level};
    if ((pte & P_) == 0) {
        a.kind = LW_NOT_PRESENT;
    } else if (frame >> (h->b.hw.pa_width - 12) != 0 || hint == 3 || (large && level >= 4)) {
        a.kind = LW_RESERVED;
    } else if (((frame ^ q->page) & aligned[hint]) != 0 ||
               (large && (frame & inside & ~1ull) != 0)) {
        a.kind = LW_MISALIGNED;
    } else if ((pte & US_) == 0 || (q->access == 1 && (pte & RW_) == 0) ||
               (q->access >= 2 && (pte & NX_) != 0)) {
        a.kind = LW_PERMISSION;
    } else {
        a = (bench_answer){.kind = LW_OK,
                           .size = level == 1 ? sizes[hint] : level - 1,
                           .perm = ((pte & NX_) == 0 ? 2u : 0u) | ((pte & RW_) != 0 ? 1u : 0u),
                           .pfn = (frame & ~inside) | (q->page & inside)};
    }
    return a;
}

/* R1.11, R20.27: the bits of a VPN that the PTE of its head leaves open. */
static inline uint64_t hashed_rest(const hashed *h, const uint64_t *entry, uint64_t vpn) {
    const uint32_t region = hashed_region_place(h, vpn);
    if (!h->contiguous) {
        return 0;
    }
    if ((entry[0] >> (43 + region) & 1) != 0) {
        return 511;
    }
    return (entry[2 + region / 8] >> ((region & 7) << 3 | (vpn >> 6 & 7)) & 1) != 0 ? 63 : 0;
}

/* R1.12, R20.5: the PTE of a head has no size of its own. */
static inline bench_answer hashed_head(const hashed *h, uint64_t pte, const bench_page *q,
                                       uint64_t rest) {
    bench_answer a = hashed_verdict(h, pte, 1, q);
    if (rest != 0 && (pte >> 9 & 3) != 0 && a.kind != LW_NOT_PRESENT) {
        a = (bench_answer){.kind = LW_RESERVED, .level = 1};
    }
    if (a.kind == LW_OK) {
        a.pfn = (a.pfn + (q->page & rest)) & ((UINT64_C(1) << (h->b.hw.pa_width - 12)) - 1);
    }
    return a;
}

/* R20.12, from memory as it stands. */
static inline bench_answer hashed_reference(const hashed *h, const bench_page *q) {
    const hashed_table *t = &h->of[q->pasid];
    const uint64_t *bucket = &h->b.table[hashed_bucket(h, q->pasid, q->page) * 8];
    const uint64_t word =
        UINT64_C(1) << 63 | (uint64_t)q->pasid << 32 | hashed_group_number(h, q->page);
    const uint64_t *entry = hashed_find(h, bucket, word);
    const uint32_t region =
        entry != NULL ? entry[1] >> (4 * hashed_region_place(h, q->page)) & 15 : 0;
    if (region >= 8) {
        const uint64_t rest = hashed_rest(h, entry, q->page), head = q->page & ~rest;
        const uint64_t *line = &h->b.table[hashed_slot_line(h, q->pasid, head, region & 7) * 8];
        uint64_t tag = 0;
        for (uint32_t j = 0; j < 8; j++) {
            tag |= (line[j] >> 57 & 63) << (6 * j);
        }
        if (tag == hashed_tag(h, q->pasid, q->page)) {
            return hashed_head(h, line[head & 7], q, rest);
        }
    }
    if (t->victim == 0) {
        return (bench_answer){.kind = LW_NOT_PRESENT, .level = WALK_ABOVE};
    }
    uint64_t node = h->b.root[t->victim];
    for (uint32_t k = h->b.hw.levels;; k--) { /* nodes have all rights (R20.10) */
        const uint64_t pte = h->b.table[node * 512 + (q->page >> (9 * (k - 1)) & 511)];
        const bench_answer a = hashed_verdict(h, pte, k, q);
        if (k == 1 || a.kind != LW_OK || (pte & PS_) != 0) {
            return a;
        }
        node = pte >> 12 & ((UINT64_C(1) << 40) - 1);
    }
}

/* ---------------------------------------------------------------- walks */

/* The last answer is what memory says. */
static inline void hashed_judge(const hashed *h) {
    const bench_page *q = &h->b.open[h->b.last_id].page;
    const bench_answer *got = &h->b.last, want = hashed_reference(h, q);
    if (!bench_is_right(got, &want)) {
        fail_msg("page %u:%llx: kind %u level %u size %u perm %u pfn %llx, not %u %u %u %u %llx",
                 q->pasid, (unsigned long long)q->page, got->kind, got->level, got->size, got->perm,
                 (unsigned long long)got->pfn, want.kind, want.level, want.size, want.perm,
                 (unsigned long long)want.pfn);
    }
}

static inline void hashed_step(hashed *h) {
    bench *b = &h->b;
    b->errors = 0;
    for (uint32_t t = 0; t < BENCH_TAGS && h->bad; t++) { /* of those due the lowest is answered */
        if (b->flight[t].busy && b->flight[t].due <= b->cycle) {
            b->errors = b->flight[t].line == h->bad_line ? 100 : 0;
            break;
        }
    }
    const uint64_t cycle = b->cycle, sent = b->sent, answered = b->answered;
    bench_step(b);
    if (b->sent != sent) {
        h->asked = cycle;
    }
    if (b->out.mem_req_valid && b->stepped.mem_req_ready && h->reads < HASHED_READS) {
        h->line[h->reads] = b->out.mem_req_line;
        h->at[h->reads++] = cycle - h->asked;
    }
    if (b->answered != answered) {
        h->answered_at = cycle - h->asked;
        if (h->judged) {
            hashed_judge(h);
        }
    }
}

static inline void hashed_drain(hashed *h) {
    for (uint32_t n = 0; h->b.answered < h->b.sent || h->b.in.req_valid; n++) {
        assert_true(n < 20000);
        hashed_step(h);
    }
    for (uint32_t n = 0; n < 6; n++) { /* what is left to fill and to write */
        hashed_step(h);
    }
}

static inline void hashed_ask(hashed *h, uint32_t pasid, uint64_t vpn, uint32_t access) {
    h->reads = 0;
    bench_offer(&h->b, &(bench_page){pasid, access, vpn});
    hashed_drain(h);
}

static inline void hashed_offer(hashed *h, uint32_t pasid, uint64_t vpn) {
    bench_offer(&h->b, &(bench_page){pasid, 0, vpn});
    hashed_step(h);
}

static inline uint64_t hashed_count(const hashed *h, uint32_t counter) {
    return lw_iommu_counter(h->b.u, counter);
}

static inline void hashed_invalidate(hashed *h, uint32_t pasid) {
    bench *b = &h->b;
    b->in.inv_valid = true;
    b->in.inv_type = 2;
    b->in.inv_pasid = pasid;
    hashed_step(h);
    for (uint32_t n = 0; !b->out.inv_done; n++) {
        assert_true(n < 20000);
        hashed_step(h);
    }
}

#endif
