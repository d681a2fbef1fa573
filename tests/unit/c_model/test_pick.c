/* From the miss queue to a started walk: slots in turn (R4.2, R4.9), who is picked (R5.2), how fast
 * walks start (R5.20), and who has looked in vain (R5.10). */
#include "tests/unit/c_model/iommu_pair.h"

enum { PASID = 3, MODE_OFF = 0, MODE_LEAF = 1, MODE_FULL = 2 };
enum { IDLE, READ, PWC_REQ, PWC_WAIT, CAM, REQ };

/* Pages this far apart share no line below level 3. */
#define FAR (UINT64_C(1) << 18)

static bench *begin(pair *p, const lw_params *hw, bool rtl, uint32_t pages, uint32_t latency) {
    pair_init(p, hw, rtl);
    for (uint32_t i = 0; i < pages; i++) {
        bench_map(&p->b, PASID, i * FAR, i + 1);
    }
    p->b.latency = latency;
    return &p->b;
}

/* A request a cycle. */
static void offer_all(bench *b, uint32_t pages) {
    for (uint32_t i = 0; i < pages; i++) {
        bench_offer(b, &(bench_page){PASID, 0, i * FAR});
        bench_step(b);
    }
}

/* A miss a cycle is inserted, picked, read and started: request t's walk starts in cycle t + 6. */
static void test_one_a_cycle(void **state) {
    (void)state;
    enum { WALKERS = 8, START = 6 };
    pair both;
    bench *b = begin(&both, &bench_nha, true, WALKERS, 30);
    bench_enable(b, MODE_OFF, false, false);
    offer_all(b, START);
    for (uint32_t t = 0; t < WALKERS; t++) {
        bench_offer(b, &(bench_page){PASID, 0, (START + t) % WALKERS * FAR});
        assert_field(b, LW_F_READ_READ_VALID, 0, 1);
        assert_field(b, LW_F_READ_READ_WALKER, 0, t);
        assert_field(b, LW_F_READ_READ_SLOT, 0, t);
        assert_field(b, LW_F_BUFFER_VALID, t, 1);
        bench_step(b);
        assert_field(b, LW_F_BUFFER_VALID, t, 0);
        assert_field(b, LW_F_PWST_STATE, t, REQ);
    }
    bench_drain(b);
    pair_done(&both);
}

/* R4.9: a slot that is held when its turn comes holds up the insertion though others are free. Of
 * four slots the walkers take the first two; in slot 2 waits a miss whose neighbour's line is slow.
 */
static void test_slots_in_turn(void **state) {
    (void)state;
    enum { ENTRIES = 4, PAGES = 12 };
    lw_params hw = bench_nha;
    hw.buffer_entries = ENTRIES;
    hw.walkers = 2;
    pair both;
    bench *b = begin(&both, &hw, false, PAGES, 40);
    bench_enable(b, MODE_OFF, false, false);
    uint32_t tail = 0, inserted = 0, held = 0;
    for (uint32_t t = 0; t < 3000 && b->answered < PAGES; t++) {
        if (b->sent < PAGES) {
            bench_offer(b, &(bench_page){PASID, 0, b->sent * FAR});
        }
        uint32_t used = 0;
        for (uint32_t i = 0; i < ENTRIES; i++) {
            used += bench_peek(b, LW_F_BUFFER_VALID, i) != 0;
        }
        const bool taken = bench_peek(b, LW_F_BUFFER_VALID, tail) != 0;
        const bool inserts = bench_peek(b, LW_F_MISS_MISS_VALID, 0) != 0 &&
                             bench_peek(b, LW_F_BUFFER_RING_OPEN, 0) != 0;
        assert_int_equal(bench_peek(b, LW_F_BUFFER_RING_TAIL, 0), tail);
        assert_false(inserts && taken);
        held += taken && used < ENTRIES && bench_peek(b, LW_F_MISS_MISS_VALID, 0) != 0;
        bench_step(b);
        if (inserts) {
            assert_int_equal(bench_peek(b, LW_F_BUFFER_VALID, tail), 1);
            assert_int_equal(bench_peek(b, LW_F_BUFFER_VPN, tail), inserted * FAR);
            tail = (tail + 1) % ENTRIES;
            inserted++;
        }
    }
    assert_int_equal(inserted, PAGES);
    bench_drain(b);
    pair_done(&both);
}

/* R2.4: while the buffer is full hits pass, until as many misses wait as the miss queue holds. */
static void test_hits_pass(void **state) {
    (void)state;
    enum { ENTRIES = 4, QUEUE = 6, WALKERS = 2, HITS = 50, PAGES = 40 };
    lw_params hw = bench_nha;
    hw.buffer_entries = ENTRIES;
    hw.miss_queue = QUEUE;
    hw.walkers = WALKERS;
    pair both;
    bench *b = begin(&both, &hw, false, PAGES, 4);
    bench_enable(b, MODE_OFF, false, false);
    bench_offer(b, &(bench_page){PASID, 0, 0}); /* page 0 will hit */
    bench_drain(b);
    b->latency = 1000;
    /* with the walkers, the buffer and the insertion register full, all places but one of the
     * queue, so that a lookup still has one */
    const uint32_t misses = WALKERS + ENTRIES + 1 + QUEUE - 1;
    for (uint32_t i = 1; i <= misses; i++) {
        bench_offer(b, &(bench_page){PASID, 0, i * FAR});
        for (int n = 0; b->in.req_valid; n++) {
            assert_true(n < 100);
            bench_step(b);
        }
    }
    bench_steps(b, 5);
    assert_int_equal(bench_peek(b, LW_F_MISS_MISS_COUNT, 0), QUEUE - 1);
    const uint64_t answered = b->answered;
    for (uint32_t i = 0; i < HITS; i++) {
        bench_offer(b, &(bench_page){PASID, 0, 0});
        for (int n = 0; b->in.req_valid; n++) {
            assert_true(n < 10);
            bench_step(b);
        }
    }
    bench_steps(b, 5);
    assert_int_equal(b->answered, answered + HITS);
    bench_offer(b, &(bench_page){PASID, 0, (misses + 1) * FAR});
    bench_steps(b, 5);
    assert_int_equal(bench_peek(b, LW_F_MISS_MISS_COUNT, 0), QUEUE);
    lw_iommu_outputs(b->u, &b->out);
    assert_false(b->out.req_ready);
    bench_drain(b);
    pair_done(&both);
}

/* R5.10: of three neighbours the first starts; the second looks while the first one's commit is on
 * its way, and until it has given its entry back nothing is picked, not even a page of another
 * PASID. */
static void test_in_vain(void **state) {
    (void)state;
    static const uint64_t page[] = {0, 1, FAR << 9};
    lw_params hw = bench_nha;
    hw.walkers = 3;
    pair both;
    pair_init(&both, &hw, false);
    bench *b = &both.b;
    b->latency = 30;
    for (uint32_t i = 0; i < 3; i++) {
        bench_map(b, PASID + (i == 2), page[i], i + 1);
    }
    bench_enable(b, MODE_FULL, false, false);
    for (uint32_t i = 0; i < 2; i++) {
        bench_offer(b, &(bench_page){PASID, 0, page[i]});
        bench_step(b);
    }
    bench_steps(b, 2);
    bench_offer(b, &(bench_page){PASID + 1, 0, page[2]}); /* transferred in 4, eligible in 8 */
    bench_step(b);
    static const uint8_t walker1[] = {[5] = IDLE, READ, READ, CAM, READ, READ, IDLE, READ};
    for (uint32_t t = 5; t < sizeof walker1; t++) {
        assert_int_equal(bench_peek(b, LW_F_PWST_STATE, 1), walker1[t]);
        assert_int_equal(bench_peek(b, LW_F_PWST_TRIED, 1), t >= 8 && t <= 10);
        assert_int_equal(bench_peek(b, LW_F_PWST_STATE, 2), IDLE);
        assert_int_equal(bench_peek(b, LW_F_BUFFER_VALID, 2), t >= 8);
        assert_int_equal(bench_peek(b, LW_F_BUFFER_PICKED, 2), t >= 12);
        bench_step(b);
    }
    bench_drain(b);
    pair_done(&both);
}

/* ---------------------------------------------------------------- in random streams */

enum { SLOTS_MAX = 512, WALKERS_MAX = 8 };

/* Every entry's number of arrival, counted here. */
typedef struct arrivals {
    uint64_t number[SLOTS_MAX], inserted;
    uint64_t picks, passed; /* passed: slots before the picked one that were not eligible */
} arrivals;

/* R5.1 */
static bool is_eligible(const bench *b, uint32_t slot) {
    return bench_peek(b, LW_F_BUFFER_VALID, slot) != 0 &&
           bench_peek(b, LW_F_BUFFER_PICKED, slot) == 0 &&
           bench_peek(b, LW_F_BUFFER_DONE, slot) == 0 && bench_peek(b, LW_F_BUFFER_CL, slot) == 0;
}

/* The oldest by the numbers, or -1. */
static int32_t oldest(const bench *b, arrivals *a) {
    int32_t best = -1;
    for (uint32_t i = 0; i < b->hw.buffer_entries; i++) {
        if (is_eligible(b, i) && (best < 0 || a->number[i] < a->number[best])) {
            best = (int32_t)i;
        }
    }
    return best;
}

/* Whether something may be picked in this cycle (R5.2). */
static bool may_pick(const bench *b) {
    bool idle = false;
    for (uint32_t w = 0; w < b->hw.walkers; w++) {
        const uint64_t walker = bench_peek(b, LW_F_PWST_STATE, w);
        if (walker == CAM || (walker != IDLE && bench_peek(b, LW_F_PWST_TRIED, w) != 0)) {
            return false;
        }
        idle |= walker == IDLE;
    }
    return idle && bench_peek(b, LW_F_INVALIDATION_STATE, 0) != 1;
}

static uint32_t idle_walkers(const bench *b) {
    uint32_t idle = 0;
    for (uint32_t w = 0; w < b->hw.walkers; w++) {
        idle |= (uint32_t)(bench_peek(b, LW_F_PWST_STATE, w) == IDLE) << w;
    }
    return idle;
}

/* R5.22: AHEAD as it becomes in a cycle at whose beginning `idle` are in IDLE. */
static uint64_t ahead_after(const bench *b, uint32_t w, uint32_t idle) {
    const uint64_t every = (UINT64_C(1) << b->hw.walkers) - 1;
    const uint64_t from = (idle >> w & 1) != 0 ? every : bench_peek(b, LW_F_ORDER_AHEAD, w);
    return from & ~(uint64_t)idle;
}

static void watched_cycle(bench *b, arrivals *a) {
    const int32_t first = may_pick(b) ? oldest(b, a) : -1;
    const bool marks = bench_peek(b, LW_F_INVALIDATION_STATE, 0) == 1;
    uint32_t tail = (uint32_t)bench_peek(b, LW_F_BUFFER_RING_TAIL, 0);
    const bool was_there = bench_peek(b, LW_F_BUFFER_VALID, tail) != 0;
    const uint32_t idle = idle_walkers(b);
    uint64_t ahead[WALKERS_MAX];
    for (uint32_t w = 0; w < b->hw.walkers; w++) {
        ahead[w] = ahead_after(b, w, idle);
    }
    bench_random_cycle(b, true);
    for (uint32_t w = 0; w < b->hw.walkers; w++) {
        assert_true(bench_peek(b, LW_F_ORDER_AHEAD, w) == ahead[w]);
    }
    const uint64_t asks_for =
        bench_peek(b, LW_F_ASK_ASK_WALKER, 0); /* or again, if it is not idle */
    const bool taken = bench_peek(b, LW_F_ASK_ASK_VALID, 0) != 0 && (idle >> asks_for & 1) != 0;
    if (!marks) {
        assert_int_equal(taken, first >= 0);
        assert_true(first < 0 || bench_peek(b, LW_F_ASK_ASK_SLOT, 0) == (uint32_t)first);
        assert_true(first < 0 || bench_peek(b, LW_F_BUFFER_PICKED, (uint32_t)first) != 0);
        a->picks += first >= 0;
        a->passed += first >= 0 && a->number[first] + 1 != a->inserted;
    }
    if (bench_peek(b, LW_F_BUFFER_RING_TAIL, 0) != tail) {
        assert_false(was_there);
        a->number[tail] = a->inserted++;
    }
}

/* R5.2, R5.22: in each cycle the oldest that may be picked is, and AHEAD follows, for all modes,
 * caches and marks. */
static void test_streams(void **state) {
    (void)state;
    uint64_t picks = 0, passed = 0;
    for (uint32_t seed = 0; seed < 12; seed++) {
        lw_params hw = bench_nha;
        hw.buffer_entries = 4u << seed % 5;
        hw.miss_queue = 1 + seed % 7;
        hw.walkers = 1 + seed % 6;
        hw.pwc_org = seed % 2;
        hw.tlb_entries = hw.tlb_ways; /* so that most requests miss */
        static arrivals a;
        memset(&a, 0, sizeof a);
        bench b;
        bench_init(&b, &hw, seed);
        bench_pool(&b, 60, 2, 0);
        bench_pool_runs(&b, 12, 2);
        b.latency = 3;
        b.jitter = 20;
        bench_enable(&b, seed % MODE_FULL + 1, seed % 3 != 0, seed % 4 == 0);
        for (uint32_t c = 0; c < 6000; c++) {
            if (c % 500 == 250) {
                b.in.inv_valid = true;
                b.in.inv_type = 3;
            }
            watched_cycle(&b, &a);
        }
        picks += a.picks;
        passed += a.passed;
        bench_drain(&b);
        bench_done(&b);
    }
    assert_true(picks > 5000 && passed > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_a_cycle), cmocka_unit_test(test_slots_in_turn),
        cmocka_unit_test(test_hits_pass),   cmocka_unit_test(test_in_vain),
        cmocka_unit_test(test_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
