/* Software at work on hashed tables, for random streams: regions that are new, and a driver that
 * moves, evicts and recalls them and adds pages, one word at a time (R20.21 to R20.23, R20.33). */
#ifndef LW_TESTS_UNIT_C_MODEL_HASHED_DRIVER_H
#define LW_TESTS_UNIT_C_MODEL_HASHED_DRIVER_H

#include "tests/unit/c_model/hashed_bench.h"
#include "tests/unit/c_model/stream_bench.h"

enum {
    HASHED_PASIDS = 3,
    SHARED_LOG = 6, /* one table for all PASIDs */
    SLOTS = 1 << SHARED_LOG,
    REGIONS = 24,
    FIRST_TREE = 12, /* the victim buffers are radix tables of these PASIDs */
    WORDS = 512 * 3 + 3,
    IN_VICTIM = 8
};

typedef struct region {
    uint32_t pasid;
    uint64_t vpn;
    uint32_t step;          /* or IN_VICTIM */
    bool moved;             /* from slot to slot, since the last invalidation of its PASID */
    bool copied;            /* a recall has left a copy of it in the victim buffer */
    uint64_t ac, c;         /* its contiguity bits, where the table has it (R20.29) */
    uint64_t came, came_at; /* its newest page, and the cycle from which on it is there */
} region;

/* The words that a driver's work still writes, in order. */
typedef struct work {
    uint64_t *at[WORDS];
    uint64_t value[WORDS];
    uint32_t count, done;
} work;

typedef struct stream {
    hashed h;
    region regions[REGIONS];
    bool used[SLOTS];
    work work;
    region *grows; /* that the work under way gives a page */
    uint64_t moves, pages_come;
    uint64_t asked_at[BENCH_IDS]; /* the cycle of the request */
    lw_iommu *sibling;
    uint64_t skip, skipped;
    uint64_t of_stale[LW_COUNTERS]; /* what scans by STALE walkers have counted */
} stream;

static inline void put(work *w, uint64_t *at, uint64_t value) {
    assert_true(w->count < WORDS);
    w->at[w->count] = at;
    w->value[w->count++] = value;
}

static inline uint64_t *slot_words(stream *s, const region *r, uint32_t step) {
    return hashed_at(&s->h, hashed_slot(&s->h, r->pasid, r->vpn, step));
}

static inline bool *slot_used(stream *s, const region *r, uint32_t step) {
    return &s->used[hashed_place(&s->h, r->pasid, r->vpn, step)];
}

static inline uint64_t *victim_words(stream *s, const region *r) {
    return bench_pte(&s->h.b, s->h.of[r->pasid].victim, r->vpn, 1);
}

/* R20.4: a PTE of a size, whose frame lies as that asks; mostly. The pages of 2 MiB here are 512
 * that lie anywhere, which nobody may know who keeps one entry for a frame (R3.8). */
static inline uint64_t random_pte(stream *s, uint64_t vpn) {
    static const uint64_t low[] = {0, 15, 511, 0};
    bench *b = &s->h.b;
    const uint64_t drawn = lw_rng_below(&b->rng, lw_rng_percent(&b->rng, 5) ? 4 : 3);
    const uint64_t hint = drawn == 2 && b->hw.subregions != 0 ? 1 : drawn;
    const uint64_t same = lw_rng_percent(&b->rng, 95) ? low[hint] : 0;
    const uint64_t frame = (lw_rng_next(&b->rng) & ((1 << 28) - 1) & ~same) | (vpn & same);
    uint64_t pte = frame << 12 | hint << 9 | P_ | US_ | RW_;
    pte &= lw_rng_percent(&b->rng, 15) ? ~RW_ : UINT64_MAX;
    pte |= lw_rng_percent(&b->rng, 15) ? NX_ : 0;
    pte &= lw_rng_percent(&b->rng, 5) ? ~US_ : UINT64_MAX;
    return lw_rng_percent(&b->rng, 10) ? 0 : pte;
}

/* Pages that go on over one subregion or more, and the bits that say so: none of them says what a
 * page's own PTE does not. */
static inline void put_contiguous_pages(stream *s, region *r, uint64_t *to) {
    lw_rng *rng = &s->h.b.rng;
    uint64_t frame = 0, flags = 0;
    r->ac = lw_rng_percent(rng, 50);
    for (uint64_t i = 0; i < 512; i++) {
        if (i == 0 || (i % 64 == 0 && lw_rng_percent(rng, 25))) {
            frame = lw_rng_next(rng) & ((1 << 28) - 1);
            flags = P_ | US_ | (lw_rng_percent(rng, 80) ? RW_ : 0);
            flags |= lw_rng_percent(rng, 20) ? NX_ : 0;
            r->ac = i == 0 && r->ac;
        }
        r->c |= i % 64 == 0 && lw_rng_percent(rng, 85) ? UINT64_C(1) << i / 64 : 0;
        to[i] = (frame + i) << 12 | flags;
    }
}

/* R20.18 is simpler here: the first free slot of the chain that is not `but`, or IN_VICTIM. */
static inline uint32_t free_step(stream *s, const region *r, uint32_t but) {
    const uint32_t from = (uint32_t)lw_rng_below(&s->h.b.rng, 8);
    for (uint32_t n = 0; n < 8; n++) {
        const uint32_t step = (from + n) % 8;
        if (step != but && !*slot_used(s, r, step)) {
            return step;
        }
    }
    return IN_VICTIM;
}

static inline void put_new_region(stream *s, region *r) {
    r->step = lw_rng_percent(&s->h.b.rng, 25) ? (uint32_t)IN_VICTIM : free_step(s, r, IN_VICTIM);
    uint64_t *to = r->step == IN_VICTIM ? victim_words(s, r) : slot_words(s, r, r->step);
    (void)victim_words(s, r); /* the path, for what is evicted later */
    for (uint64_t i = 0; i < s->h.b.hw.slot_pages; i++) {
        to[i] = random_pte(s, r->vpn + i);
    }
    const bool contiguous = s->h.b.hw.subregions != 0 && lw_rng_percent(&s->h.b.rng, 50);
    if (contiguous) {
        put_contiguous_pages(s, r, to);
    }
    if (r->step != IN_VICTIM) {
        hashed_put_region(&s->h, r->pasid, r->vpn, r->step);
        if (contiguous) {
            hashed_put_contig(&s->h, r->pasid, r->vpn, r->ac != 0, r->c);
        }
        *slot_used(s, r, r->step) = true;
    }
}

/* ---------------------------------------------------------------- the driver */

/* R20.21: line by line, word 7 last. */
static inline void put_copy(stream *s, const region *r, uint32_t to, const uint64_t *from) {
    const uint64_t tag = hashed_tag(&s->h, r->pasid, r->vpn);
    uint64_t *at = to == IN_VICTIM ? victim_words(s, r) : slot_words(s, r, to);
    for (uint32_t i = 0; i < s->h.b.hw.slot_pages; i++) {
        const uint64_t bits = to == IN_VICTIM ? 0 : (tag >> (6 * (i % 8)) & 63) << 57;
        put(&s->work, at + i, (from[i] & ~(UINT64_C(63) << 57)) | bits);
    }
}

/* R20.22: word 7 of each line first. */
static inline void put_zeros(stream *s, uint64_t *at) {
    for (uint32_t line = 0; line < s->h.b.hw.slot_pages; line += 8) {
        for (uint32_t n = 0; n < 8; n++) {
            put(&s->work, at + line + (n + 7) % 8, 0);
        }
    }
}

/* R20.29: after PRESENT has been set or cleared. */
static inline void put_contig(stream *s, const region *r, uint64_t *group, bool there) {
    const uint32_t n = hashed_region_place(&s->h, r->vpn), ac = 43 + n, c = 8 * (n & 7);
    uint64_t *bytes = &group[2 + n / 8];
    if (s->h.b.hw.subregions != 0) {
        put(&s->work, group, (*group & ~(UINT64_C(1) << ac)) | (there ? r->ac << ac : 0));
        put(&s->work, bytes, (*bytes & ~(UINT64_C(255) << c)) | (there ? r->c << c : 0));
    }
}

static inline void plan_move(stream *s, region *r) {
    hashed *h = &s->h;
    const uint32_t from = r->step;
    uint32_t to = free_step(s, r, from);
    if (from != IN_VICTIM && lw_rng_percent(&h->b.rng, 40)) {
        to = IN_VICTIM; /* an eviction */
    }
    if (to == from || (r->moved && to != IN_VICTIM && from != IN_VICTIM)) {
        return;
    }
    uint64_t *group = hashed_group(h, r->pasid, r->vpn);
    const uint32_t at = 4 * hashed_region_place(h, r->vpn);
    const uint64_t step = to == IN_VICTIM ? 0 : 8 | to;
    s->work.count = s->work.done = 0;
    uint64_t *old = from == IN_VICTIM ? victim_words(s, r) : slot_words(s, r, from);
    put_copy(s, r, to, old);
    put(&s->work, &group[1], (group[1] & ~(UINT64_C(15) << at)) | step << at);
    put_contig(s, r, group, to != IN_VICTIM);
    if (from != IN_VICTIM) { /* R20.23: those of a recall stay as a copy */
        put_zeros(s, old);
        *slot_used(s, r, from) = false;
    }
    if (to != IN_VICTIM) {
        *slot_used(s, r, to) = true;
    }
    r->moved = r->moved || (to != IN_VICTIM && from != IN_VICTIM);
    r->copied = to != IN_VICTIM && (r->copied || from == IN_VICTIM);
    r->step = to;
    s->moves++;
}

/* Whether a request is under way from before the newest page of the region came. */
static inline bool awaits_older(const stream *s, const region *r) {
    bool awaits = false;
    for (uint32_t id = 0; id < BENCH_IDS && r->came_at != 0; id++) {
        awaits = awaits || (s->h.b.open[id].busy && s->asked_at[id] <= r->came_at);
    }
    return awaits;
}

/* A page becomes present, in the copy too (R20.33): one of those that are asked for. */
static inline void plan_page(stream *s, region *r) {
    bench *b = &s->h.b;
    const uint64_t pages = b->hw.slot_pages == 512 ? 32 : 8, from = lw_rng_below(&b->rng, pages);
    uint64_t *at = r->step == IN_VICTIM ? victim_words(s, r) : slot_words(s, r, r->step);
    const uint64_t pte = (lw_rng_next(&b->rng) & ((1 << 28) - 1)) << 12 | P_ | US_ | RW_;
    uint64_t i = from;
    while ((at[i] & P_) != 0 && (i + 1) % pages != from) {
        i = (i + 1) % pages;
    }
    if ((at[i] & P_) != 0 || r->c != 0 || awaits_older(s, r)) {
        return;
    }
    s->work.count = s->work.done = 0;
    if (r->copied) {
        put(&s->work, victim_words(s, r) + i, pte);
    }
    put(&s->work, at + i, pte | (at[i] & UINT64_C(63) << 57));
    r->came = r->vpn + i;
    r->came_at = UINT64_MAX;
    s->grows = r;
    s->pages_come++;
}

static inline void drive(stream *s) {
    work *w = &s->work;
    bench *b = &s->h.b;
    for (uint64_t n = lw_rng_below(&b->rng, 12); n > 0 && w->done < w->count; n--) {
        *w->at[w->done] = w->value[w->done];
        w->done++;
    }
    if (w->done == w->count && s->grows != NULL) {
        s->grows->came_at = b->cycle;
        s->grows = NULL;
    }
    if (w->done == w->count && lw_rng_below(&b->rng, 50) == 0) {
        region *r = &s->regions[lw_rng_below(&b->rng, REGIONS)];
        (lw_rng_percent(&b->rng, 30) ? plan_page : plan_move)(s, r);
    }
}

/* Whether the page that the last answer is for has come since the request. */
static inline bool has_come_since(const stream *s) {
    const bench_page *q = &s->h.b.open[s->h.b.last_id].page;
    for (uint32_t i = 0; i < REGIONS; i++) {
        const region *r = &s->regions[i];
        if (r->pasid == q->pasid && r->came == q->page && r->came_at != 0) {
            return r->came_at >= s->asked_at[s->h.b.last_id];
        }
    }
    return false;
}

#endif
