/* The timing pictures of chapters 3 to 6, cycle by cycle, on both sides. Those of chapter 0 are
 * held by test_iommu.c (a hit, a miss), test_answer_order.c (a coalesced miss) and test_marks.c (an
 * invalidation), that of chapter 16 by test_mesc_check.c. */
#include "tests/unit/c_model/iommu_pair.h"

enum { PASID = 3, MODE_OFF = 0, MODE_FULL = 2, PAGE = 0, SCAN = 1 };
enum { IDLE, PWC_REQ, PWC_WAIT, CAM, REQ };

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
            assert_field(b, LW_F_RESPONSE_WALK_COUNT, 0, t == 1);
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
 * the root's line in cycle 23 of the walk of the neighbour, which then has the access of level 3 in
 * flight. R4.2, R4.3, R4.12, R4.15. */
static void test_insertion(void **state) {
    (void)state;
    enum { FIRST_SCAN = 23, TRANSFER = FIRST_SCAN - 3, UNKNOWN = 7, LEVEL = 3 };
    static const uint64_t page[] = {PAGE, PAGE + 1};
    static const struct {
        uint8_t decided, miss, valid, cl, new, first, line, search, update;
    } picture[] = {{1, 0, 0, 0, 0, 0, 0, 0, 0},
                   {0, 1, 0, 0, 0, 0, 1, 0, 0},
                   {0, 0, 1, UNKNOWN, 1, 0, 0, SCAN, 0},
                   {0, 0, 1, UNKNOWN, 0, 1, 0, 0, SCAN},
                   {0, 0, 1, LEVEL, 0, 0, 0, 0, 0}};
    const lw_params hw = two_walkers();
    pair both;
    bench *b = begin(&both, &hw, true, page, 2);
    bench_enable(b, MODE_FULL, false, false);
    offer(b, page[0]);
    bench_steps(b, TRANSFER);
    offer(b, page[1]);
    bench_steps(b, 2);
    const uint32_t slot = (uint32_t)bench_peek(b, LW_F_BUFFER_CONTROL_FREE_SLOT, 0);
    for (uint32_t t = 0; t < sizeof picture / sizeof picture[0]; t++) {
        assert_field(b, LW_F_TLB_PIPE_PIPE_VALID, 1, picture[t].decided);
        assert_field(b, LW_F_BUFFER_CONTROL_MISS_VALID, 0, picture[t].miss);
        assert_field(b, LW_F_BUFFER_VALID, slot, picture[t].valid);
        assert_field(b, LW_F_BUFFER_CL, slot, picture[t].cl);
        assert_field(b, LW_F_BUFFER_CONTROL_NEW_VALID, 0, picture[t].new);
        assert_field(b, LW_F_BUFFER_CONTROL_FIRST_VALID, 0, picture[t].first);
        assert_field(b, LW_F_WALK_MEMORY_LINE_VALID, 0, picture[t].line);
        assert_field(b, LW_F_SEARCH_SEARCH_OP, 0, picture[t].search);
        assert_field(b, LW_F_UPDATE_UPDATE_OP, 0, picture[t].update);
        if (picture[t].first != 0) {
            assert_field(b, LW_F_BUFFER_CONTROL_FIRST_CL, 0, LEVEL);
            assert_field(b, LW_F_BUFFER_NEAR_LEVEL, slot, 1);
        }
        bench_step(b);
    }
    bench_drain(b);
    pair_done(&both);
}

/* Chapter 5, one entry from eligible, in the sixth cycle after the transfer, to its first memory
 * request: the rounds (R5.11 to R5.15), hold (R5.10), take (R5.3, R5.4) and commit (R5.6, R5.8). */
static void test_pick(void **state) {
    (void)state;
    enum { ELIGIBLE = 6, TAKE = 1, COMMIT = 2 };
    static const uint64_t page[] = {PAGE};
    static const struct {
        uint8_t step, candidate, held, valid, picked, ask, read, walker;
    } picture[] = {{0, 0, 0, 1, 0, 0, 0, IDLE},     {1, 0, 0, 1, 0, 0, 0, IDLE},
                   {2, 0, 0, 1, 0, 0, 0, IDLE},     {3, 0, 0, 1, 0, 0, 0, IDLE},
                   {0, 1, 0, 1, 0, 0, 0, IDLE},     {0, 1, 1, 1, 1, 0, 0, IDLE},
                   {0, 0, 0, 1, 1, TAKE, 0, IDLE},  {0, 0, 0, 1, 1, 0, TAKE, IDLE},
                   {0, 0, 0, 1, 1, 0, 0, CAM},      {0, 0, 0, 1, 1, COMMIT, 0, CAM},
                   {0, 0, 0, 1, 1, 0, COMMIT, CAM}, {0, 0, 0, 0, 0, 0, 0, REQ}};
    const lw_params hw = two_walkers();
    pair both;
    bench *b = begin(&both, &hw, true, page, 1);
    bench_enable(b, MODE_OFF, false, false);
    offer(b, page[0]);
    bench_steps(b, ELIGIBLE);
    for (uint32_t t = 0; t < sizeof picture / sizeof picture[0]; t++) {
        assert_field(b, LW_F_PICK_PICK_STEP, 0, picture[t].step);
        assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_VALID, 0, picture[t].candidate);
        assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_HELD, 0, picture[t].held);
        assert_field(b, LW_F_BUFFER_VALID, 0, picture[t].valid);
        assert_field(b, LW_F_BUFFER_PICKED, 0, picture[t].picked);
        assert_field(b, LW_F_BUFFER_CL, 0, 0);
        assert_field(b, LW_F_ASK_ASK_FOR, 0, picture[t].ask);
        assert_field(b, LW_F_READ_READ_FOR, 0, picture[t].read);
        assert_field(b, LW_F_PWST_STATE, 0, picture[t].walker);
        bench_step(b);
    }
    bench_drain(b);
    pair_done(&both);
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
