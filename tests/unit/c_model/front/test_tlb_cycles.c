/* The unified TLB in each cycle of random streams, against the rules, from what stands in the
 * registers at its beginning: ranks (R3.4, R3.5, R3.7, R3.34), what is swept (R3.10, R3.11, R3.33),
 * which entries are valid (R3.17), and a fill's place (R3.6, R3.12, R3.28, R3.31). */
#include "tests/unit/c_model/stream_bench.h"

enum { SETS = 4, WAYS = 4, SET_BITS = 2, SWEEP = 2, TYPES = 4, TYPE_RANGE = 1, TYPE_PASID };

typedef struct seen {
    uint64_t hit_and_fill, span_hit, swept, spared, beside, held, no_touch, overlaps, evicts,
        span_evicts, beside_writing, span_beside_writing, finds_written, passes_by;
} seen;

typedef struct entry {
    uint64_t valid, class, pasid, tag, length, size, perm, rank;
} entry;

typedef struct tlb {
    entry at[SETS][WAYS];
    uint64_t swept[SETS], insertions;
    uint64_t drop, held; /* of the fill that gets its place */
    uint32_t way;        /* NONE if no rule here says which */
} tlb;

enum { NONE = 99 };

static uint64_t get(const bench *b, lw_field f) {
    return bench_peek(b, f, 0);
}

static entry entry_at(const bench *b, uint32_t i) {
    return (entry){.valid = bench_peek(b, LW_F_TLB_VALID, i),
                   .class = bench_peek(b, LW_F_TLB_CLASS, i),
                   .pasid = bench_peek(b, LW_F_TLB_PASID, i),
                   .tag = bench_peek(b, LW_F_TLB_TAG, i),
                   .length = bench_peek(b, LW_F_TLB_LENGTH, i),
                   .size = bench_peek(b, LW_F_TLB_SIZE, i),
                   .perm = bench_peek(b, LW_F_TLB_PERM, i),
                   .rank = bench_peek(b, LW_F_TLB_RANK_RANK, i)};
}

static uint32_t set_of(uint64_t vpn, bool span) {
    return (uint32_t)(span ? vpn >> 9 : vpn) % SETS;
}

/* R3.4 */
static void touch(entry set[WAYS], uint64_t way) {
    const uint64_t rank = set[way].rank;
    for (uint32_t w = 0; w < WAYS; w++) {
        set[w].rank += set[w].rank < rank;
    }
    set[way].rank = 0;
}

/* R3.11, R3.22 */
static bool matches(const bench *b, const entry *e, uint32_t set) {
    const uint64_t type = get(b, LW_F_INVALIDATION_TYPE);
    const uint64_t inv_first = get(b, LW_F_INVALIDATION_FIRST);
    const uint64_t inv_last = type == TYPE_RANGE ? get(b, LW_F_INVALIDATION_LAST) : inv_first;
    const uint64_t inside = (UINT64_C(1) << (9 * e->size)) - 1;
    uint64_t first = e->tag << SET_BITS | set, last = first;
    if (e->class != 0) {
        first = e->tag << 6;
        last = (e->tag + e->length) << 6 | 63;
    }
    const bool same =
        get(b, LW_F_INVALIDATION_KNOWN) != 0 && get(b, LW_F_INVALIDATION_PASID) == e->pasid;
    return type > TYPE_PASID || (same && (type == TYPE_PASID ||
                                          (inv_first <= inv_last && (first & ~inside) <= inv_last &&
                                           (last | inside) >= inv_first)));
}

/* The hit that is decided, and the fill that is written. */
static void touches(const bench *b, tlb *t, seen *s) {
    const uint64_t place = get(b, LW_F_PLACE_PLACE_VALID), way = get(b, LW_F_PLACE_PLACE_WAY);
    const uint32_t last = b->hw.tlb_latency + (b->hw.subregions != 0 && b->hw.par_lookup == 0);
    const bool decided = bench_peek(b, LW_F_TLB_PIPE_PIPE_VALID, last) != 0; /* R3.19 */
    const bool hit = decided && get(b, LW_F_TLB_FOUND_FOUND) != 0 &&
                     get(b, LW_F_TLB_REFUSAL_BAD_PAGE) == 0 &&
                     get(b, LW_F_TLB_REFUSAL_BAD_PASID) == 0;
    const uint32_t written = set_of(get(b, LW_F_PLACE_PLACE_VPN), get(b, LW_F_PLACE_PLACE_CLASS));
    if (hit) { /* R3.5 */
        const bool span = get(b, LW_F_TLB_FOUND_FOUND_CLASS) != 0;
        const uint32_t set = set_of(bench_peek(b, LW_F_TLB_PIPE_PIPE_PAGE, last), span);
        touch(t->at[set], get(b, LW_F_TLB_FOUND_WAY));
        s->span_hit += span;
        s->hit_and_fill += place != 0 && set == written;
    }
    t->insertions = get(b, LW_F_TLB_INSERTIONS_INSERTIONS);
    if (place == 0) {
        return;
    }
    const bool new = get(b, LW_F_PLACE_PLACE_WRITE) != 0;
    if (b->hw.tlb_bimodal == 0 || !new || t->insertions == 0) { /* R3.7, R3.34 */
        touch(t->at[written], way);
    } else {
        s->no_touch++;
    }
    s->held += !new;
    if (new && b->hw.tlb_bimodal != 0) {
        t->insertions = (t->insertions + 1) % (UINT64_C(1) << b->hw.tlb_bimodal);
    }
}

/* R3.17, R3.33, R3.10 */
static void writes(const bench *b, tlb *t, seen *s) {
    const bool place = get(b, LW_F_PLACE_PLACE_VALID) != 0;
    const uint64_t way = get(b, LW_F_PLACE_PLACE_WAY), drop = get(b, LW_F_PLACE_PLACE_DROP);
    const bool new = place &&get(b, LW_F_PLACE_PLACE_WRITE) != 0;
    const uint32_t written = set_of(get(b, LW_F_PLACE_PLACE_VPN), get(b, LW_F_PLACE_PLACE_CLASS));
    const uint64_t sweeps = get(b, LW_F_INVALIDATION_STATE) == SWEEP;
    const uint64_t set = get(b, LW_F_INVALIDATION_SWEEP_SET);
    const uint64_t swept = get(b, LW_F_TLB_SWEPT_SWEPT), in = get(b, LW_F_TLB_SWEPT_SWEPT_SET);
    for (uint32_t i = 0; i < SETS; i++) {
        for (uint32_t w = 0; w < WAYS; w++) {
            entry *e = &t->at[i][w];
            const bool here = new &&i == written &&w == way;
            const bool match = sweeps != 0 && i == set && e->valid != 0 && matches(b, e, i);
            t->swept[i] |= (uint64_t)(match && !here) << w;
            s->swept += match && !here;
            s->spared += match && here;
            s->beside += match && new &&i != written &&w == way;
            const bool dropped = place && i == written && (drop >> w & 1) != 0;
            e->valid = here || (e->valid != 0 && !dropped && !(i == in && (swept >> w & 1) != 0));
        }
    }
}

/* R3.23: whether an entry of the fill's frame and PASID meets its places; if so, in `holds`,
 * whether it has all of them. */
static bool overlaps(const bench *b, const entry *e, bool *holds) {
    const uint64_t vsn = get(b, LW_F_FILL_FILL_VPN) >> 6, length = get(b, LW_F_FILL_FILL_LENGTH);
    *holds = e->tag <= vsn && vsn + length <= e->tag + e->length;
    return e->tag >> 3 == vsn >> 3 && e->tag <= vsn + length && vsn <= e->tag + e->length;
}

/* R3.31: what a fill sees of its set beside another's writing there; the way that this takes, which
 * is no victim of the fill, or NONE. */
static uint32_t see_writing(const bench *b, uint32_t set, entry at[WAYS]) {
    const uint64_t class = get(b, LW_F_PLACE_PLACE_CLASS), vpn = get(b, LW_F_PLACE_PLACE_VPN);
    const uint64_t drop = get(b, LW_F_PLACE_PLACE_DROP);
    const uint32_t way = (uint32_t)get(b, LW_F_PLACE_PLACE_WAY);
    if (get(b, LW_F_PLACE_PLACE_VALID) == 0 || set_of(vpn, class != 0) != set) {
        return NONE;
    }
    for (uint32_t w = 0; w < WAYS; w++) {
        at[w].valid &= (drop >> w & 1) == 0;
    }
    if (get(b, LW_F_PLACE_PLACE_WRITE) != 0) {
        at[way] = (entry){.valid = 1,
                          .class = class,
                          .pasid = get(b, LW_F_PLACE_PLACE_PASID),
                          .tag = class != 0 ? vpn >> 6 : vpn >> SET_BITS,
                          .length = get(b, LW_F_PLACE_PLACE_LENGTH),
                          .perm = get(b, LW_F_PLACE_PLACE_PERM),
                          .rank = at[way].rank};
    }
    return way;
}

/* The way with the highest rank from `first` on, but not the one that is being written. */
static uint32_t victim(const entry at[WAYS], uint32_t first, uint32_t written) {
    uint32_t highest = NONE;
    for (uint32_t w = first; w < WAYS; w++) {
        if (w != written && (highest == NONE || at[w].rank > at[highest].rank)) {
            highest = w;
        }
    }
    return highest != NONE ? highest : written;
}

/* The way of a fill. */
static void place(const bench *b, tlb *t, seen *s) {
    const bool span = get(b, LW_F_FILL_FILL_CLASS) != 0;
    const uint64_t vpn = get(b, LW_F_FILL_FILL_VPN);
    const uint32_t set = set_of(vpn, span), first = span ? WAYS - b->hw.tlb_partition : 0;
    uint32_t lowest = NONE, same = NONE;
    entry at[WAYS];
    t->way = NONE;
    if (get(b, LW_F_FILL_FILL_VALID) == 0) {
        return;
    }
    memcpy(at, t->at[set], sizeof at);
    const uint32_t written = see_writing(b, set, at);
    for (uint32_t w = first; w < WAYS && t->held == 0; w++) {
        const entry *e = &at[w];
        bool holds;
        const bool alike = e->valid != 0 && (e->class != 0) == span &&
                           e->pasid == get(b, LW_F_FILL_FILL_PASID) &&
                           (span ? overlaps(b, e, &holds) : e->tag == vpn >> SET_BITS);
        t->held = alike && span && holds && e->perm == get(b, LW_F_FILL_FILL_PERM);
        t->drop = t->held != 0 ? 0 : t->drop | (uint64_t)(alike && span) << w;
        same = alike && (same == NONE || t->held != 0) ? w : same;
        lowest = e->valid == 0 && lowest == NONE ? w : lowest;
    }
    const bool evicts = same == NONE && lowest == NONE;
    const uint32_t highest = victim(at, first, written);
    t->way = same != NONE ? same : lowest != NONE ? lowest : highest;
    s->overlaps += t->drop != 0;
    s->evicts += !span && evicts;
    s->span_evicts += span && evicts;
    s->beside_writing += written != NONE && !span;
    s->span_beside_writing += written != NONE && span;
    s->finds_written += written != NONE && same == written;
    s->passes_by += evicts && written != NONE && victim(at, first, NONE) == written;
}

static void watched_cycle(bench *b, seen *s) {
    tlb want = {.drop = 0};
    for (uint32_t i = 0; i < SETS * WAYS; i++) {
        want.at[i / WAYS][i % WAYS] = entry_at(b, i);
    }
    place(b, &want, s);
    touches(b, &want, s);
    writes(b, &want, s);
    bench_random_cycle(b, true);
    for (uint32_t i = 0; i < SETS * WAYS; i++) {
        const entry *e = &want.at[i / WAYS][i % WAYS];
        assert_int_equal(bench_peek(b, LW_F_TLB_VALID, i), e->valid);
        assert_int_equal(bench_peek(b, LW_F_TLB_RANK_RANK, i), e->rank);
    }
    assert_int_equal(get(b, LW_F_TLB_SWEPT_SWEPT),
                     want.swept[get(b, LW_F_TLB_SWEPT_SWEPT_SET) % SETS]);
    assert_int_equal(get(b, LW_F_TLB_INSERTIONS_INSERTIONS), want.insertions);
    if (want.way != NONE) {
        assert_int_equal(get(b, LW_F_PLACE_PLACE_WAY), want.way);
        assert_int_equal(get(b, LW_F_PLACE_PLACE_WRITE), want.held == 0);
        assert_int_equal(get(b, LW_F_PLACE_PLACE_DROP), want.drop);
    }
}

static void test_streams(void **state) {
    (void)state;
    enum { SEEDS = 12, CYCLES = 6000, EACH = 5 };
    seen s = {.swept = 0};
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        lw_params hw = bench_nha;
        hw.tlb_entries = SETS * WAYS;
        hw.tlb_ways = WAYS;
        hw.walkers = 4;
        hw.tlb_bimodal = seed / 2 % 2 * 2;
        if (seed % 2 != 0) {
            add_subregions(&hw, seed);
            hw.head_first = 0;
            hw.coalesce = 1;
        }
        hw.tlb_partition = 2;
        bench b;
        bench_init(&b, &hw, seed);
        bench_pool(&b, 400, 2, 1);
        b.latency = 2;
        b.jitter = 5;
        bench_enable(&b, seed % MODES, true, false);
        for (uint32_t c = 0; c < CYCLES; c++) {
            const bench_page *q = &b.pool[lw_rng_below(&b.rng, b.pool_size)];
            b.in.inv_valid = c % 60 == 0;
            b.in.inv_type = c / 60 % TYPES;
            b.in.inv_pasid = q->pasid;
            b.in.inv_first = q->page & ((UINT64_C(1) << 36) - 1);
            b.in.inv_last = (b.in.inv_first + 1000) & ((UINT64_C(1) << 36) - 1);
            watched_cycle(&b, &s);
        }
        bench_drain(&b);
        bench_done(&b);
    }
    assert_true(s.hit_and_fill > EACH && s.span_hit > EACH && s.no_touch > EACH);
    assert_true(s.swept > EACH && s.spared > 0 && s.beside > 0 && s.held > EACH);
    assert_true(s.evicts > EACH && s.overlaps > EACH && s.span_evicts > EACH);
    assert_true(s.beside_writing > EACH && s.span_beside_writing > EACH);
    assert_true(s.finds_written > EACH && s.passes_by > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_streams)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
