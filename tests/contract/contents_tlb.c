/* The unified TLB (chapter 3): regular entries, subregions, runs. */
#include "tests/contract/contents_parts.h"
#include "tests/contract/failure.h"

#include <inttypes.h>
#include <stdio.h>

enum { WAYS = 16, SUBREGION = 6, FRAME = 9, GROUP = 2, SIZE_64K = 3 };

typedef enum shape { REGULAR, SUBREGIONS, RUN } shape;

typedef struct entry {
    bool valid;
    shape shape;
    uint32_t index, pasid, length, perm, size;
    uint64_t tag, pfn;
    uint64_t first, last; /* the pages that it answers */
    uint32_t step;        /* of so many pages each place */
} entry;

static void text_of(const entry *e, char text[LW_TEXT]) {
    (void)snprintf(text, LW_TEXT,
                   "CLASS=%u PASID=%u TAG=0x%" PRIx64 " LENGTH=%u PFN=0x%" PRIx64
                   " PERM=%u SIZE=%u: pages 0x%" PRIx64 "..0x%" PRIx64,
                   e->shape != REGULAR, e->pasid, e->tag, e->length, e->pfn, e->perm, e->size,
                   e->first, e->last);
}

static uint32_t log2_of(uint32_t power) {
    return (uint32_t)__builtin_ctz(power);
}

/* The table of chapter 3's Encoding. */
static void place(const lw_params *hw, entry *e) {
    const uint32_t sets = hw->tlb_entries / hw->tlb_ways, bits = log2_of(sets);
    const uint64_t set = e->index / hw->tlb_ways;
    e->step = 1;
    switch (e->shape) {
    case REGULAR:
        e->first = e->tag << bits | set;
        break;
    case SUBREGIONS:
        e->first = e->tag << SUBREGION;
        e->step = 1u << SUBREGION;
        break;
    default:
        e->first = e->tag >> GROUP << (GROUP + bits) | set << GROUP | lw_low(e->tag, GROUP);
        break;
    }
    e->last = e->first + (uint64_t)e->step * (e->length + 1) - 1;
}

static entry read_entry(const lw_contents *c, uint32_t index) {
    entry e = {.index = index, .valid = lw_peek(c, LW_F_TLB_VALID, index) != 0};
    if (e.valid) {
        const bool ranges = lw_peek(c, LW_F_TLB_CLASS, index) != 0;
        e.shape = !ranges ? REGULAR : c->w->hw.colt == LW_COLT_FULL ? RUN : SUBREGIONS;
        e.pasid = lw_peek32(c, LW_F_TLB_PASID, index);
        e.tag = lw_peek(c, LW_F_TLB_TAG, index);
        e.length = lw_peek32(c, LW_F_TLB_LENGTH, index);
        e.pfn = lw_peek(c, LW_F_TLB_PFN, index);
        e.perm = lw_peek32(c, LW_F_TLB_PERM, index);
        e.size = lw_peek32(c, LW_F_TLB_SIZE, index);
        place(&c->w->hw, &e);
    }
    return e;
}

/* R3.22: what an invalidation meets; of a large page all of it, but not of a run. */
static uint64_t since(const lw_contents *c, const entry *e, uint64_t key, uint64_t payload) {
    lw_seen *seen = &c->tlb[e->index];
    const bool same = seen->judged && seen->key == key && seen->payload == payload;
    /* of a page of 64 KiB at least that (R20.5) */
    const uint32_t large = e->size == SIZE_64K ? 4 : FRAME * e->size;
    const uint32_t wide = e->shape == RUN ? 0 : large;
    const uint64_t ones = lw_low(UINT64_MAX, wide);
    return lw_since_pages(c, seen, same, e->pasid, e->first & ~ones, e->last | ones);
}

static void count(lw_world *w, const entry *e) {
    const bool subregions = e->shape == SUBREGIONS;
    w->tally.n[LW_T_TLB_REGULAR] += e->shape == REGULAR;
    w->tally.n[LW_T_TLB_LARGE] += e->shape == REGULAR && e->size != 0;
    w->tally.n[LW_T_TLB_SUBREGION] += subregions;
    w->tally.n[LW_T_TLB_JOINED] += subregions && e->size == 0 && e->length != 0;
    w->tally.n[LW_T_TLB_RUN] += e->shape == RUN;
}

/* Each place of a range: a subregion by its head (R3.8, R16.17), a page of a run by itself. */
static void judge(lw_contents *c, const entry *e) {
    const uint64_t key = (uint64_t)e->shape << 62 | (uint64_t)e->pasid << 48 | e->tag;
    const uint64_t payload =
        (uint64_t)e->length << 56 | (uint64_t)e->size << 54 | (uint64_t)e->perm << 52 | e->pfn;
    const uint64_t from = since(c, e, key, payload);
    if (!lw_unseen(&c->tlb[e->index], key, payload, from)) {
        return;
    }
    count(c->w, e);
    const bool heads = e->shape == SUBREGIONS && e->size == 0;
    for (uint32_t i = 0; i <= e->length; i++) {
        const uint64_t beyond = (uint64_t)e->step * i;
        const lw_fact fact = {.pasid = e->pasid,
                              .vpn = e->first + beyond,
                              .from = from,
                              .level = e->size + 1,
                              .leaf = true,
                              .page = true,
                              .frame = lw_low(e->pfn + beyond, c->w->pfn_w),
                              .perm = e->perm,
                              .reaches = heads ? LW_REACH_SUBREGION_BIT | LW_REACH_FRAME_BIT
                                               : LW_REACH_ANY};
        if (!lw_fact_holds(c->w, &fact)) {
            char text[LW_TEXT];
            text_of(e, text);
            lw_contents_bark_fact(c, "TLB", e->index, text, &fact);
            return;
        }
    }
}

/* R3.6, R3.12: of one shape no two entries hold one page. */
static bool both(const entry *a, const entry *b) {
    return a->valid && b->valid && a->shape == b->shape && a->pasid == b->pasid &&
           a->first <= b->last && b->first <= a->last;
}

static void check_hits(lw_contents *c, const entry set[WAYS]) {
    const lw_params *hw = &c->w->hw;
    for (uint32_t i = 0; i < hw->tlb_ways; i++) {
        char one[LW_TEXT], other[LW_TEXT];
        if (set[i].valid && set[i].shape == SUBREGIONS && i < hw->tlb_ways - hw->tlb_partition) {
            text_of(&set[i], one);
            lw_bark(c->w, LW_CHECK_CONTENTS, NULL,
                    "TLB[%u] holds {%s} outside the partition of %u ways", set[i].index, one,
                    hw->tlb_partition);
        }
        for (uint32_t j = 0; j < i; j++) {
            if (both(&set[i], &set[j])) {
                text_of(&set[i], one);
                text_of(&set[j], other);
                lw_bark(c->w, LW_CHECK_CONTENTS, NULL,
                        "TLB[%u] holds {%s} and TLB[%u] {%s}: one page twice", set[j].index, other,
                        set[i].index, one);
            }
        }
    }
}

void lw_contents_tlb(lw_contents *c) {
    const uint32_t ways = c->w->hw.tlb_ways;
    for (uint32_t first = 0; first < c->w->hw.tlb_entries && !c->w->failed; first += ways) {
        entry set[WAYS];
        for (uint32_t way = 0; way < ways; way++) {
            set[way] = read_entry(c, first + way);
            if (set[way].valid) {
                judge(c, &set[way]);
            }
        }
        check_hits(c, set);
    }
}
