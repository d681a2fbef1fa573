/* The timing pictures of chapters 3 to 6, cycle by cycle, on both sides. Those of chapter 0 are
 * held by test_iommu.c (a hit, a miss), test_answer_order.c (a coalesced miss) and test_marks.c (an
 * invalidation), that of chapter 16 by test_mesc_check.c. */
#include "tests/unit/c_model/iommu_pair.h"

enum { PASID = 3, MODE_OFF = 0, MODE_FULL = 2, PAGE = 0, SCAN = 1 };
enum { IDLE, READ, PWC_REQ, PWC_WAIT, CAM, REQ };

static lw_params two_walkers(void) {
    lw_params hw = bench_nha;
    hw.walkers = 2;
    return hw;
}

/* An empty unit in which every page has its frame. */
static bench *begin(pair *p, const lw_params *hw, bool rtl, const uint64_t *page, uint32_t pages) {
    pair_init(p, hw, rtl);
    for (uint32_t i = 0; i < pages; i++) {
        bench_map(&p->b, PASID, page[i], 1 + i);
    }
    p->b.latency = 4;
    return &p->b;
}

static void offer(bench *b, uint64_t page) {
    bench_offer(b, &(bench_page){PASID, 0, page});
}

static void walk(bench *b, uint64_t page) {
    offer(b, page);
    bench_drain(b);
    bench_steps(b, 10);
}

static void step_until(bench *b, lw_field f, uint32_t i, uint64_t value) {
    for (int n = 0; bench_peek(b, f, i) != value; n++) {
        assert_true(n < 1000);
        bench_step(b);
    }
}

/* Chapter 3, a fill; t counts from the cycle in which the answer enters the walk queue. A request
 * for the page that is transferred in 2 is looked up in 3, and finds it; the one transferred in 1
 * does not. The page before it, in the same set, lets the touch be seen. R3.17, R3.20, R3.28. */
static void test_fill(void **state) {
    (void)state;
    enum { SETS = 16, WAY = 1 };
    static const uint64_t page[] = {PAGE, PAGE + SETS};
    const lw_params hw = two_walkers();
    for (uint32_t sent = 1; sent <= 2; sent++) {
        pair both;
        bench *b = begin(&both, &hw, true, page, 2);
        bench_enable(b, MODE_OFF, false, false);
        walk(b, page[0]);
        offer(b, page[1]);
        step_until(b, LW_F_ANSWER_ANSWER_VALID, 0, 1);
        for (uint32_t t = 0; t <= 4; t++) {
            assert_field(b, LW_F_ANSWER_ANSWER_VALID, 0, t == 0);
            assert_field(b, LW_F_RESPONSE_WALK_COUNT, 0, 0);
            assert_field(b, LW_F_FILL_FILL_VALID, 0, t == 1);
            assert_field(b, LW_F_PLACE_PLACE_VALID, 0, t == 2);
            assert_field(b, LW_F_TLB_VALID, WAY, t >= 3);
            assert_field(b, LW_F_TLB_RANK_RANK, WAY, t >= 3 ? 0 : 1);
            assert_field(b, LW_F_TLB_PIPE_PIPE_VALID, 0, t == sent + 1);
            assert_field(b, LW_F_TLB_FOUND_FOUND, 0, sent == 2 && t == sent + 2);
            if (t == 2) {
                assert_field(b, LW_F_PLACE_PLACE_WRITE, 0, 1);
                assert_field(b, LW_F_PLACE_PLACE_WAY, 0, WAY);
            }
            if (t == sent) {
                offer(b, page[1]);
            }
            bench_step(b);
        }
        bench_drain(b);
        pair_done(&both);
    }
}

/* Chapter 4, a new entry beside an operation; the first cycle is t-1. The operation is the scan of
 * the root's line in cycle 13 of the walk of the neighbour. Taken in the cycle of the insertion or
 * later, it finds the entry with the level that is released then; taken before, the entry waits at
 * once for the access of level 3. R4.2, R4.3, R4.15. */
static void test_insertion(void **state) {
    (void)state;
    enum { SCAN_CYCLE = 13, INSERTED = 3, CYCLES = 5, ROOT = 4, NEXT = 3 };
    static const uint64_t page[] = {PAGE, PAGE + 1};
    const lw_params hw = two_walkers();
    for (uint32_t late = 0; late <= 2; late++) { /* the scan comes so much after the insertion */
        pair both;
        bench *b = begin(&both, &hw, true, page, 2);
        bench_enable(b, MODE_FULL, false, false);
        offer(b, page[0]);
        bench_steps(b, SCAN_CYCLE - INSERTED - late);
        offer(b, page[1]);
        bench_steps(b, 2);
        const uint32_t slot = (uint32_t)bench_peek(b, LW_F_BUFFER_RING_TAIL, 0);
        for (uint32_t t = 0; t < CYCLES; t++) { /* inserted in 1 */
            assert_field(b, LW_F_TLB_PIPE_PIPE_VALID, 1, t == 0);
            assert_field(b, LW_F_MISS_MISS_VALID, 0, t == 1);
            assert_field(b, LW_F_BUFFER_VALID, slot, t >= 2);
            assert_field(b, LW_F_WALK_MEMORY_LINE_VALID, 0, t == 1 + late);
            assert_field(b, LW_F_SEARCH_SEARCH_OP, 0, t == 2 + late ? SCAN : 0);
            assert_field(b, LW_F_BUFFER_NEAR_LEVEL, slot, t == 3 + late);
            if (t >= 2) {
                assert_field(b, LW_F_BUFFER_CL, slot, t < 4 + late ? ROOT : NEXT);
            }
            bench_step(b);
        }
        bench_drain(b);
        pair_done(&both);
    }
    /* a cycle earlier than the insertion: the walker has the next access already */
    pair both;
    bench *b = begin(&both, &hw, true, page, 2);
    bench_enable(b, MODE_FULL, false, false);
    offer(b, page[0]);
    bench_steps(b, SCAN_CYCLE - INSERTED + 1);
    offer(b, page[1]);
    bench_steps(b, INSERTED);
    assert_field(b, LW_F_SEARCH_SEARCH_OP, 0, SCAN);
    const uint32_t slot = (uint32_t)bench_peek(b, LW_F_BUFFER_RING_TAIL, 0);
    for (uint32_t t = 0; t < CYCLES; t++) {
        bench_step(b);
        assert_field(b, LW_F_BUFFER_CL, slot, NEXT);
        assert_field(b, LW_F_BUFFER_NEAR_LEVEL, slot, 0);
    }
    bench_drain(b);
    pair_done(&both);
}

/* Chapter 5, one entry from its pick, in the fourth cycle after the transfer, to its first memory
 * request, without a lookup of the page walk cache and with one that misses: pick (R5.2), read
 * (R5.18), look (R5.20), start (R5.8) and advance (R7.7). */
static void test_pick(void **state) {
    (void)state;
    enum { PICKABLE = 4, CYCLES = 11, MEM = 6 };
    static const uint64_t page[] = {PAGE};
    static const struct {
        uint8_t valid, picked, ask, read, walker;
    } picture[2][CYCLES] = {{{1, 0, 0, 0, IDLE},
                             {1, 1, 1, 0, READ},
                             {1, 1, 0, 1, READ},
                             {0, 0, 0, 0, REQ},
                             {0, 0, 0, 0, MEM},
                             {0, 0, 0, 0, MEM},
                             {0, 0, 0, 0, MEM},
                             {0, 0, 0, 0, MEM},
                             {0, 0, 0, 0, MEM},
                             {0, 0, 0, 0, MEM},
                             {0, 0, 0, 0, REQ}},
                            {{1, 0, 0, 0, IDLE},
                             {1, 1, 1, 0, READ},
                             {1, 1, 0, 1, READ},
                             {0, 0, 0, 0, PWC_REQ},
                             {0, 0, 0, 0, PWC_WAIT},
                             {0, 0, 0, 0, PWC_WAIT},
                             {0, 0, 0, 0, PWC_WAIT},
                             {0, 0, 0, 0, CAM},
                             {0, 0, 0, 0, REQ},
                             {0, 0, 0, 0, MEM},
                             {0, 0, 0, 0, MEM}}};
    for (uint32_t pwc = 0; pwc < 2; pwc++) {
        const lw_params hw = two_walkers();
        pair both;
        bench *b = begin(&both, &hw, true, page, 1);
        bench_enable(b, MODE_OFF, pwc != 0, false);
        offer(b, page[0]);
        bench_steps(b, PICKABLE);
        for (uint32_t t = 0; t < CYCLES; t++) {
            assert_field(b, LW_F_BUFFER_VALID, 0, picture[pwc][t].valid);
            assert_field(b, LW_F_BUFFER_PICKED, 0, picture[pwc][t].picked);
            assert_field(b, LW_F_BUFFER_CL, 0, 0);
            assert_field(b, LW_F_ASK_ASK_VALID, 0, picture[pwc][t].ask);
            assert_field(b, LW_F_READ_READ_VALID, 0, picture[pwc][t].read);
            assert_field(b, LW_F_PWST_STATE, 0, picture[pwc][t].walker);
            assert_field(b, LW_F_PWST_TRIED, 0, 0);
            bench_step(b);
        }
        bench_drain(b);
        pair_done(&both);
    }
}

/* Chapter 6, a lookup that hits, for short and long pipelines; t counts from PWC_REQ. Two walks
 * before have left the root's two PTEs, and the hit of the older one is seen by its rank. R6.1,
 * R6.4. */
static void test_lookup(void **state) {
    (void)state;
    enum {
        LEVELS = 4,
        OLDER = 2 * 32,
        BUILT = 2
    }; /* BUILT: the latency that the other tests build too */
    static const uint64_t page[] = {PAGE, UINT64_C(1) << 27, UINT64_C(1) << 18};
    static const uint8_t latencies[] = {1, BUILT, 5, 8};
    for (uint32_t n = 0; n < sizeof latencies; n++) {
        const uint32_t latency = latencies[n];
        lw_params hw = two_walkers();
        hw.pwc_latency = latency;
        pair both;
        bench *b = begin(&both, &hw, latency == BUILT, page, 3);
        bench_enable(b, MODE_OFF, true, false);
        walk(b, page[0]);
        walk(b, page[1]);
        offer(b, page[2]);
        step_until(b, LW_F_PWST_STATE, 0, PWC_REQ);
        for (uint32_t t = 0; t <= latency + 2; t++) {
            assert_field(b, LW_F_PWST_STATE, 0,
                         t == 0             ? PWC_REQ
                         : t <= latency + 1 ? PWC_WAIT
                                            : CAM);
            for (uint32_t i = 0; i < latency; i++) {
                assert_field(b, LW_F_PWC_PIPE_PIPE_VALID, i, t == i + 1);
            }
            assert_field(b, LW_F_PWC_RESULT_RESULT_VALID, 0, t == latency + 1);
            assert_field(b, LW_F_PWC_RANK_RANK, OLDER, t <= latency + 1);
            assert_field(b, LW_F_PWST_LEVEL, 0, t <= latency + 1 ? LEVELS : LEVELS - 1);
            bench_step(b);
        }
        bench_drain(b);
        pair_done(&both);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fill),
        cmocka_unit_test(test_insertion),
        cmocka_unit_test(test_pick),
        cmocka_unit_test(test_lookup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
