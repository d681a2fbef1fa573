/* The page walk cache of both organisations in each cycle of random streams, against the rules,
 * from what stands in the registers at its beginning: ranks (R6.4, R6.13), what is written and
 * cleared (R6.6, R6.13), which scan fills (R6.5, R6.9, R6.15) and what a mark ends of it (R6.12),
 * and a fill's place (R6.5, R6.11, R6.14, R6.17). */
#include "tests/unit/c_model/stream_bench.h"

enum { ENTRIES = 4, WAYS = 2, GROUPS_MAX = 3, GROUP_MAX = 4, NONE = 99, PARTIAL_TAG = 4095 };
enum { MARK = 1, MEM = 6, TYPE_PASID = 2, TYPE_ALL = 3 };

typedef struct seen {
    uint64_t hits, evicts, same, beside, cleared, spared, fills, ends_fill, ends_place;
} seen;

typedef struct entry {
    uint64_t valid, pasid, tag, rank;
} entry;

typedef struct pwc {
    entry at[GROUPS_MAX * GROUP_MAX];
    uint32_t size; /* of a group: a table by level, a set by address */
} pwc;

static uint64_t get(const bench *b, lw_field f) {
    return bench_peek(b, f, 0);
}

static bool by_address(const bench *b) {
    return b->hw.pwc_org == 1;
}

/* R3.4 */
static void touch(pwc *c, uint64_t e) {
    entry *group = &c->at[e / c->size * c->size];
    const uint64_t rank = c->at[e].rank;
    for (uint32_t i = 0; i < c->size; i++) {
        group[i].rank += group[i].rank < rank;
    }
    c->at[e].rank = 0;
}

/* R11.9 */
static bool is_met(const bench *b, uint64_t pasid) {
    return get(b, LW_F_INVALIDATION_STATE) == MARK &&
           (get(b, LW_F_INVALIDATION_TYPE) == TYPE_ALL ||
            (get(b, LW_F_INVALIDATION_KNOWN) != 0 && get(b, LW_F_INVALIDATION_PASID) == pasid));
}

/* Of a fill: its group, and the key that it is found by. */
typedef struct key {
    uint64_t group, pasid, tag;
} key;

static key key_of(const bench *b, uint64_t vpn, uint64_t pasid, uint64_t parent, uint64_t level) {
    const uint64_t pte = parent << 9 | (vpn >> (9 * (level - 1)) & 511); /* A[.. : 3] */
    const uint32_t sets = b->hw.pwc_entries / b->hw.pwc_ways;
    return by_address(b)
               ? (key){.group = pte % sets, .tag = pte / sets & PARTIAL_TAG}
               : (key){.group = level - 2, .pasid = pasid, .tag = vpn >> (9 * (level - 1))};
}

static key placed(const bench *b) {
    return key_of(b, get(b, LW_F_PWC_PLACE_PWC_PLACE_VPN), get(b, LW_F_PWC_PLACE_PWC_PLACE_PASID),
                  get(b, LW_F_PWC_PLACE_PWC_PLACE_PARENT), get(b, LW_F_PWC_PLACE_PWC_PLACE_LEVEL));
}

static uint32_t place_of_fill(const bench *b, const pwc *c, seen *s) {
    if (get(b, LW_F_PWC_FILL_PWC_FILL_VALID) == 0) {
        return NONE;
    }
    const key k =
        key_of(b, get(b, LW_F_PWC_FILL_PWC_FILL_VPN), get(b, LW_F_PWC_FILL_PWC_FILL_PASID),
               get(b, LW_F_PWC_FILL_PWC_FILL_PARENT), get(b, LW_F_PWC_FILL_PWC_FILL_LEVEL));
    const bool writes = get(b, LW_F_PWC_PLACE_PWC_PLACE_VALID) != 0;
    const uint64_t written = get(b, LW_F_PWC_PLACE_PWC_PLACE_ENTRY);
    uint32_t lowest = NONE, highest = NONE;
    for (uint32_t i = (uint32_t)k.group * c->size; i < (k.group + 1) * c->size; i++) {
        const bool here = writes && i == written; /* R6.14 */
        const key w = here ? placed(b) : (key){.tag = 0};
        const entry *e = &c->at[i];
        const uint64_t tag = by_address(b) ? e->tag & PARTIAL_TAG : e->tag;
        const bool equal = here ? w.tag == k.tag && w.pasid == k.pasid
                                : tag == k.tag && (by_address(b) || e->pasid == k.pasid);
        if ((here || e->valid != 0) && equal) {
            s->same++;
            return i;
        }
        lowest = !here && e->valid == 0 && lowest == NONE ? i : lowest;
        highest = !here && (highest == NONE || e->rank > c->at[highest].rank) ? i : highest;
    }
    s->evicts += lowest == NONE;
    s->beside += lowest == NONE && writes && written / c->size == k.group;
    return lowest != NONE ? lowest : highest;
}

/* R6.6, R6.12: whether a mark of this cycle ends what is on its way into the cache. */
static bool is_ended(const bench *b, uint64_t pasid) {
    return by_address(b) ? get(b, LW_F_INVALIDATION_STATE) == MARK : is_met(b, pasid);
}

/* R6.5, R6.9, R6.15: the walker whose scan fills the cache if its own PTE is a node, or NONE. */
static uint32_t filler(const bench *b, seen *s) {
    const uint32_t w = (uint32_t)get(b, LW_F_WALK_MEMORY_LINE_TAG);
    if (get(b, LW_F_WALK_MEMORY_LINE_VALID) == 0 || bench_peek(b, LW_F_PWST_STATE, w) != MEM ||
        bench_peek(b, LW_F_PWST_STALE, w) != 0 || bench_peek(b, LW_F_PWST_NO_FILL, w) != 0) {
        return NONE;
    }
    const uint64_t pasid = bench_peek(b, LW_F_PWST_PASID, w);
    const bool ended = is_met(b, pasid) || is_ended(b, pasid);
    s->ends_fill += ended;
    return ended ? NONE : w;
}

static void watched_cycle(bench *b, seen *s) {
    const uint32_t entries = by_address(b) ? b->hw.pwc_entries : 3 * b->hw.pwc_entries;
    pwc c = {.size = by_address(b) ? b->hw.pwc_ways : b->hw.pwc_entries};
    for (uint32_t i = 0; i < entries; i++) {
        c.at[i] = (entry){.valid = bench_peek(b, LW_F_PWC_VALID, i),
                          .pasid = by_address(b) ? 0 : bench_peek(b, LW_F_PWC_PASID, i),
                          .tag = bench_peek(b, LW_F_PWC_TAG, i),
                          .rank = bench_peek(b, LW_F_PWC_RANK_RANK, i)};
    }
    const uint32_t place = place_of_fill(b, &c, s), fills = filler(b, s);
    const uint64_t level = fills != NONE ? bench_peek(b, LW_F_PWST_LEVEL, fills) : 0;
    const bool filling = get(b, LW_F_PWC_FILL_PWC_FILL_VALID) != 0;
    const bool ends = filling && is_ended(b, get(b, LW_F_PWC_FILL_PWC_FILL_PASID));
    if (get(b, LW_F_PWC_RESULT_RESULT_VALID) != 0 && get(b, LW_F_PWC_RESULT_RESULT_HIT) != 0) {
        touch(&c, get(b, LW_F_PWC_RESULT_RESULT_ENTRY));
        s->hits++;
    }
    if (get(b, LW_F_PWC_PLACE_PWC_PLACE_VALID) != 0) {
        const uint64_t e = get(b, LW_F_PWC_PLACE_PWC_PLACE_ENTRY);
        c.at[e].valid = 1;
        c.at[e].pasid = placed(b).pasid;
        touch(&c, e);
    }
    for (uint32_t i = 0; i < entries; i++) {
        const bool clears =
            get(b, LW_F_INVALIDATION_STATE) == MARK && (by_address(b) || is_met(b, c.at[i].pasid));
        s->cleared += clears && c.at[i].valid != 0;
        s->spared += !clears && c.at[i].valid != 0 && get(b, LW_F_INVALIDATION_STATE) == MARK;
        c.at[i].valid = c.at[i].valid != 0 && !clears;
    }
    bench_random_cycle(b, true);
    for (uint32_t i = 0; i < entries; i++) {
        assert_int_equal(bench_peek(b, LW_F_PWC_VALID, i), c.at[i].valid);
        assert_int_equal(bench_peek(b, LW_F_PWC_RANK_RANK, i), c.at[i].rank);
    }
    if (place != NONE) {
        assert_int_equal(get(b, LW_F_PWC_PLACE_PWC_PLACE_ENTRY), place);
    }
    assert_int_equal(get(b, LW_F_PWC_PLACE_PWC_PLACE_VALID), filling && !ends);
    const bool node = level >= 2 && bench_peek(b, LW_F_PWST_LEVEL, fills) == level - 1;
    assert_int_equal(get(b, LW_F_PWC_FILL_PWC_FILL_VALID), node);
    s->fills += node;
    s->ends_place += ends;
}

static void test_streams(void **state) {
    (void)state;
    enum { SEEDS = 8, CYCLES = 4000, EACH = 5, UNKNOWN = 16 };
    static const uint32_t marked[] = {0, 1, UNKNOWN};
    for (uint32_t org = 0; org < 2; org++) {
        seen s = {.hits = 0};
        for (uint32_t seed = 0; seed < SEEDS; seed++) {
            lw_params hw = bench_nha;
            hw.pwc_org = org;
            hw.pwc_entries = ENTRIES;
            hw.pwc_ways = WAYS;
            hw.pwc_latency = 1 + seed % 3;
            hw.walkers = 8;
            hw.tlb_entries = hw.tlb_ways;
            bench b;
            bench_init(&b, &hw, seed);
            bench_pool(&b, 400, 2, 1);
            b.latency = 1;
            b.jitter = seed % 2 * 5;
            bench_enable(&b, seed % MODES, true, false);
            for (uint32_t c = 0; c < CYCLES; c++) {
                b.in.inv_valid = c % 150 == 0;
                b.in.inv_type = c % 4 == 0 ? TYPE_ALL : TYPE_PASID;
                b.in.inv_pasid = marked[c / 150 % 3];
                watched_cycle(&b, &s);
            }
            bench_drain(&b);
            bench_done(&b);
        }
        assert_true(s.hits > EACH && s.evicts > EACH && s.same > EACH && s.beside > EACH);
        assert_true(s.fills > EACH && s.ends_fill > 0 && s.ends_place > 0);
        assert_true(s.cleared > EACH && (org == 1 || s.spared > EACH));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_streams)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
