/* Who walks alone (R9.15): ALONE of every entry in each cycle of random streams with faults and
 * errors, from what stands in the registers at the cycle's beginning. */
#include "tests/unit/c_model/iommu_bench.h"

enum { MODE_FULL = 2, SCAN = 1, SLOTS = 32, LINE_PTES = 8 };

typedef struct seen {
    uint64_t fault, refused, error; /* who has met one, by the first that applies */
    uint64_t nothing;               /* freed by a line that taught nothing and was no fault */
    uint64_t passed_over;           /* near a claim, with ALONE=1 */
    uint64_t told;                  /* with ALONE=1, and has learnt */
} seen;

/* An entry, and what the operation in update is to it. */
typedef struct entry {
    bool valid, alone, done, freed, fault, refused, claimable;
    uint64_t cl, pl;
} entry;

static bool is_granted(uint64_t perm, uint64_t access) {
    return access >= 2 ? (perm & 2) != 0 : access == 0 || (perm & 1) != 0;
}

static entry look(const bench *b, uint32_t slot) {
    const uint64_t access = bench_peek(b, LW_F_BUFFER_ACCESS, slot);
    const uint32_t at = (uint32_t)bench_peek(b, LW_F_BUFFER_NEAR_POSITION, slot) % LINE_PTES;
    const bool scan = bench_peek(b, LW_F_UPDATE_UPDATE_OP, 0) == SCAN;
    const bool near = bench_peek(b, LW_F_BUFFER_NEAR_LEVEL, slot) != 0;
    entry e = {.valid = bench_peek(b, LW_F_BUFFER_VALID, slot) != 0,
               .alone = bench_peek(b, LW_F_BUFFER_ALONE, slot) != 0,
               .done = bench_peek(b, LW_F_BUFFER_DONE, slot) != 0,
               .cl = bench_peek(b, LW_F_BUFFER_CL, slot),
               .pl = bench_peek(b, LW_F_BUFFER_PL, slot)};
    e.freed = scan && near && e.cl == bench_peek(b, LW_F_UPDATE_UPDATE_LEVEL, 0);
    e.fault = bench_peek(b, LW_F_UPDATE_LINE_UPDATE_KIND, at) != LW_OK ||
              bench_peek(b, LW_F_UPDATE_LINE_UPDATE_USER, at) == 0 ||
              !is_granted(bench_peek(b, LW_F_UPDATE_LINE_UPDATE_PTE_PERM, at), access);
    e.refused = !is_granted(bench_peek(b, LW_F_UPDATE_UPDATE_PERM, 0), access);
    e.claimable = bench_peek(b, LW_F_UPDATE_UPDATE_CLAIM, 0) != 0 &&
                  bench_peek(b, LW_F_BUFFER_NEAR_CLAIM, slot) != 0;
    return e;
}

/* Whether it meets a fault or an error in this cycle. */
static bool meets(const bench *b, const entry *e, seen *s) {
    if (!e->valid || !e->freed) {
        return false;
    }
    if (bench_peek(b, LW_F_UPDATE_UPDATE_ERROR, 0) != 0) {
        const bool failed = bench_peek(b, LW_F_UPDATE_UPDATE_FAILED, 0) != 0;
        s->error += failed;
        return failed;
    }
    s->fault += e->fault;
    s->refused += e->refused && !e->fault;
    return e->fault || e->refused;
}

static void watched_cycle(bench *b, seen *s) {
    entry before[SLOTS];
    bool met[SLOTS];
    const uint64_t tail = bench_peek(b, LW_F_BUFFER_RING_TAIL, 0);
    const bool inserts =
        bench_peek(b, LW_F_MISS_MISS_VALID, 0) != 0 && bench_peek(b, LW_F_BUFFER_RING_OPEN, 0) != 0;
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        before[slot] = look(b, slot);
        met[slot] = meets(b, &before[slot], s);
    }
    bench_random_cycle(b, true);
    for (uint32_t slot = 0; slot < SLOTS; slot++) {
        const entry *was = &before[slot];
        const entry now = look(b, slot);
        if (!now.valid) {
            continue;
        }
        if (inserts && slot == tail) { /* R4.2 */
            assert_false(now.alone);
            continue;
        }
        assert_int_equal(now.alone, was->alone || met[slot]);
        assert_true(!now.alone || now.cl == 0);
        s->nothing += was->freed && !met[slot] && !now.done && now.pl == was->pl;
        s->passed_over += was->alone && was->claimable;
        s->told += was->alone && ((now.done && !was->done) || (now.pl != was->pl && now.pl != 0));
    }
}

/* NEAR_LEVEL and NEAR_CLAIM are kept for who watches. */
static void watch(void *ctx, lw_structure s, uint32_t index) {
    (void)ctx;
    (void)s;
    (void)index;
}

static void test_streams(void **state) {
    (void)state;
    enum { SEEDS = 16, CYCLES = 6000 };
    seen s = {0};
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        lw_params hw = bench_nha;
        hw.buffer_entries = SLOTS;
        hw.lines = 4; /* so that the store is closed now and then (R9.14) */
        hw.walkers = 2 + seed % 5;
        hw.walk_queue = 1 + seed % 4;
        hw.tlb_entries = hw.tlb_ways;
        bench b;
        bench_init(&b, &hw, seed);
        lw_iommu_watch(b.u, watch, NULL);
        bench_pool(&b, 60, 2, 20); /* a fifth is a fault */
        bench_pool_runs(&b, 12, 2);
        b.any_kind = seed % 4 == 3;
        b.errors = seed % 4 == 3 ? 5 : 0;
        b.latency = 3;
        b.jitter = 6;
        b.response_not_ready = 20 * (seed % 3);
        bench_enable(&b, MODE_FULL, seed % 3 != 0, false);
        for (uint32_t c = 0; c < CYCLES; c++) {
            watched_cycle(&b, &s);
        }
        bench_drain(&b);
        bench_done(&b);
    }
    assert_true(s.fault > 50 && s.refused > 0 && s.error > 50 && s.nothing > 20);
    assert_true(s.passed_over > 50 && s.told > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_streams)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
