/* The CAM's search (R4.13, R4.14): in each cycle of random streams who is near, and at which
 * position, against the rules, from what stands in the registers at its beginning. */
#include "tests/unit/c_model/stream_bench.h"

enum { SLOTS = 16, MARK = 1, TYPE_PASID = 2, TYPE_ALL = 3, SCAN = 1, ADVANCE = 2 };

typedef struct seen {
    uint64_t level[4], claim[4]; /* by SEARCH_OP */
    uint64_t position, reached, marked, new;
} seen;

static uint64_t search(const bench *b, lw_field f) {
    return bench_peek(b, f, 0);
}

/* R11.9, of the PASID in search. */
static bool is_met(const bench *b) {
    const uint64_t type = search(b, LW_F_INVALIDATION_TYPE);
    const bool same = search(b, LW_F_INVALIDATION_KNOWN) != 0 &&
                      search(b, LW_F_INVALIDATION_PASID) == search(b, LW_F_SEARCH_SEARCH_PASID);
    return search(b, LW_F_INVALIDATION_STATE) == MARK && (type == TYPE_ALL || same);
}

/* R1.2 */
static bool is_near(const bench *b, uint32_t slot, uint64_t level, uint64_t reach) {
    const uint64_t widened = reach == 1 ? 6 : 9;
    const uint64_t shift = reach != 0 ? widened : 9 * (level - 1) + 3;
    const uint64_t vpn = bench_peek(b, LW_F_BUFFER_VPN, slot);
    return bench_peek(b, LW_F_BUFFER_VALID, slot) != 0 &&
           bench_peek(b, LW_F_BUFFER_PASID, slot) == search(b, LW_F_SEARCH_SEARCH_PASID) &&
           vpn >> shift == search(b, LW_F_SEARCH_SEARCH_VPN) >> shift;
}

typedef struct near {
    bool level, claim, is_new;
    uint64_t position;
} near;

static near near_after(const bench *b, uint32_t slot) {
    const uint64_t op = search(b, LW_F_SEARCH_SEARCH_OP), k = search(b, LW_F_SEARCH_SEARCH_LEVEL);
    const uint64_t reach = search(b, LW_F_SEARCH_SEARCH_REACH);
    near n = {.is_new = bench_peek(b, LW_F_BUFFER_VALID, slot) == 0};
    if (op == 0 || is_met(b) || b->hw.coalesce == 0) {
        return n;
    }
    n.level = k != 0 && is_near(b, slot, k, reach);
    n.claim = search(b, LW_F_SEARCH_SEARCH_CLAIM) != 0 &&
              is_near(b, slot, search(b, LW_F_SEARCH_SEARCH_CLAIM_LEVEL),
                      search(b, LW_F_SEARCH_SEARCH_CLAIM_REACH));
    if (n.level && op == SCAN) {
        n.position = reach != 0 ? search(b, LW_F_SEARCH_SEARCH_POSITION)
                                : bench_peek(b, LW_F_BUFFER_VPN, slot) >> (9 * (k - 1)) & 7;
    }
    return n;
}

static void watched_cycle(bench *b, seen *s) {
    near want[SLOTS];
    const uint64_t op = search(b, LW_F_SEARCH_SEARCH_OP);
    const bool reaches = search(b, LW_F_SEARCH_SEARCH_REACH) != 0;
    s->marked += op != 0 && is_met(b);
    for (uint32_t i = 0; i < SLOTS; i++) {
        want[i] = near_after(b, i);
    }
    bench_random_cycle(b, true);
    for (uint32_t i = 0; i < SLOTS; i++) {
        if (bench_peek(b, LW_F_BUFFER_VALID, i) == 0) {
            continue; /* R0.5 */
        }
        assert_int_equal(bench_peek(b, LW_F_BUFFER_NEAR_LEVEL, i), want[i].level);
        assert_int_equal(bench_peek(b, LW_F_BUFFER_NEAR_CLAIM, i), want[i].claim);
        assert_int_equal(bench_peek(b, LW_F_BUFFER_NEAR_POSITION, i), want[i].position);
        s->level[op] += want[i].level;
        s->claim[op] += want[i].claim;
        s->position += want[i].position != 0;
        s->reached += want[i].level && reaches;
        s->new += op != 0 && want[i].is_new;
    }
}

static void test_streams(void **state) {
    (void)state;
    enum { SEEDS = 6, CYCLES = 4000, EACH = 20 };
    seen s = {.marked = 0};
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        lw_params hw = bench_nha;
        hw.buffer_entries = SLOTS;
        hw.walkers = 1 + seed;
        hw.tlb_entries = hw.tlb_ways;
        if (seed % 2 != 0) {
            add_subregions(&hw, seed);
            hw.head_first = 0;
            hw.coalesce = 1;
        }
        bench b;
        bench_init(&b, &hw, seed);
        bench_keep_near(&b);
        bench_pool(&b, 60, 2, 2);
        if (hw.subregions == 0) {
            bench_pool_runs(&b, 6, 2); /* neighbours, as the frames' pages are */
        }
        b.latency = 3;
        b.jitter = 20;
        bench_enable(&b, 1 + seed / 2 % 2, seed % 3 != 0, false);
        for (uint32_t c = 0; c < CYCLES; c++) {
            b.in.inv_valid = c % 20 == 0;
            b.in.inv_type = c % 3 == 0 ? TYPE_ALL : TYPE_PASID;
            b.in.inv_pasid = c / 20 % 2;
            watched_cycle(&b, &s);
        }
        bench_drain(&b);
        bench_done(&b);
    }
    for (uint32_t op = SCAN; op <= ADVANCE + 1; op++) {
        assert_true(op > ADVANCE || s.level[op] > EACH);
        assert_true(s.claim[op] > EACH);
    }
    assert_true(s.position > EACH && s.reached > EACH && s.marked > EACH && s.new > EACH);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_streams)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
