/* From the insertion register to a walker (R4.2, R5.2, R5.3, R5.10): free slots, the rounds of a
 * pick, candidates that are held, released and dropped. */
#include "iommu_pair.h"

enum { PASID = 3, MODE_OFF = 0, MODE_LEAF = 1 };

/* Pages this far apart share no line at any level but the root's. */
#define FAR (UINT64_C(1) << 18)

/* Figure 8's hardware. */
static lw_params two_walkers(void) {
    lw_params hw = bench_nha;
    hw.walkers = 2;
    return hw;
}

static void offer_all(bench *b, const uint64_t *page, uint32_t pages) {
    for (uint32_t i = 0; i < pages; i++) {
        bench_offer(b, &(bench_page){PASID, 0, page[i]});
        bench_step(b);
    }
}

static void assert_round(const bench *b, lw_field found, uint32_t slot, uint32_t age) {
    assert_field(b, found, 0, 1);
    assert_field(b, found + 1, 0, slot);
    assert_field(b, found + 2, 0, age);
    assert_field(b, found, 1, 0);
}

/* R5.2: requests of cycles 0 to 2 are eligible from 5 on; the second pick goes through its rounds
 * while the first one's candidate is held and taken. */
static void test_rounds(void **state) {
    (void)state;
    enum { YOUNG = 0x100 }; /* in the block of NEXT_SEQ - 1 */
    static const uint64_t page[] = {0, FAR, 2 * FAR};
    const lw_params hw = two_walkers();
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    for (uint32_t i = 0; i < 3; i++) {
        bench_map(b, PASID, page[i], i + 1);
    }
    bench_enable(b, MODE_OFF, false, false);
    const uint64_t begin = b->cycle;
    offer_all(b, page, 3);
    for (uint32_t pick = 0; pick < 2; pick++) {
        const uint32_t at = 6 + 4 * pick;
        bench_steps(b, (uint32_t)(begin + at - b->cycle));
        assert_field(b, LW_F_PICK_PICK_STEP, 0, 1);
        assert_round(b, LW_F_ROUND1_ROUND1_FOUND, pick, YOUNG + pick);
        bench_step(b);
        assert_field(b, LW_F_PICK_PICK_STEP, 0, 2);
        assert_round(b, LW_F_ROUND2_ROUND2_FOUND, pick, YOUNG + pick);
        bench_step(b);
        assert_field(b, LW_F_PICK_PICK_STEP, 0, 0);
        assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_VALID, 0, 1);
        assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_SLOT, 0, pick);
    }
    bench_drain(b);
    pair_done(&both);
}

/* Both walkers are busy while a neighbour of the first one's page is held; the first one's access
 * at level 1 claims it: it is released, and its neighbour's line answers it. */
static void test_released(void **state) {
    (void)state;
    static const uint64_t page[] = {0, FAR, 1};
    const lw_params hw = two_walkers();
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    b->latency = 30;
    for (uint32_t i = 0; i < 3; i++) {
        bench_map(b, PASID, page[i], i + 1);
    }
    bench_enable(b, MODE_LEAF, false, false);
    offer_all(b, page, 3);
    for (int n = 0; bench_peek(b, LW_F_BUFFER_CL, 2) != 1; n++) {
        assert_true(n < 1000);
        bench_step(b);
    }
    assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_HELD, 0, 1);
    assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_SLOT, 0, 2);
    assert_field(b, LW_F_BUFFER_PICKED, 2, 1);
    bench_step(b);
    assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_VALID, 0, 0);
    assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_HELD, 0, 0);
    assert_field(b, LW_F_BUFFER_PICKED, 2, 0);
    bench_drain(b);
    assert_int_equal(b->accesses, 8);
    assert_int_equal(lw_iommu_counter(b->u, LW_C_GIVEN_BACK), 0);
    assert_int_equal(lw_iommu_counter(b->u, LW_C_COALESCED_ANSWERS), 1);
    pair_done(&both);
}

/* The candidate waits for a walker, is read in the cycle in which one is IDLE, and taken in the
 * next. */
static void test_waits(void **state) {
    (void)state;
    static const uint64_t page[] = {0, FAR, 2 * FAR, 3 * FAR};
    const lw_params hw = two_walkers();
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    for (uint32_t i = 0; i < 4; i++) {
        bench_map(b, PASID, page[i], i + 1);
    }
    bench_enable(b, MODE_OFF, false, false);
    offer_all(b, page, 4);
    for (int n = 0; bench_peek(b, LW_F_ANSWER_ANSWER_VALID, 0) == 0; n++) {
        assert_true(n < 1000);
        bench_step(b);
    }
    assert_field(b, LW_F_PWST_STATE, 0, 0);
    assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_HELD, 0, 1);
    assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_SLOT, 0, 2);
    assert_field(b, LW_F_PICK_PICK_STEP, 0, 2); /* the next one is known already */
    bench_step(b);
    assert_field(b, LW_F_READ_READ_FOR, 0, 1);
    assert_field(b, LW_F_READ_READ_WALKER, 0, 0);
    assert_field(b, LW_F_READ_READ_SLOT, 0, 2);
    assert_field(b, LW_F_READ_READ_VPN, 0, page[2]);
    assert_field(b, LW_F_PWST_STATE, 0, 0);
    assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_VALID, 0, 0);
    bench_step(b);
    assert_field(b, LW_F_READ_READ_FOR, 0, 0);
    assert_field(b, LW_F_PWST_STATE, 0, 3);
    assert_field(b, LW_F_PWST_SLOT, 0, 2);
    assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_VALID, 0, 1);
    assert_field(b, LW_F_BUFFER_CONTROL_CANDIDATE_SLOT, 0, 3);
    bench_drain(b);
    pair_done(&both);
}

/* R4.2: of a buffer of four, filled by the requests of cycles 0 to 3, the first commit frees slot
 * 0 in cycle 12; the fifth request transfers in 13. */
static void test_free_slot(void **state) {
    (void)state;
    lw_params hw = bench_nha;
    hw.buffer_entries = 4;
    hw.walkers = 1;
    bench b;
    bench_init(&b, &hw, 1);
    for (uint64_t i = 0; i < 5; i++) {
        bench_map(&b, 0, i * FAR, i + 1);
    }
    b.latency = 30;
    bench_enable(&b, MODE_OFF, false, false);
    static const uint8_t slot[] = {0, 0, 0, 0, 1, 2, 3, 3, 3, 3, 3, 3, 3, 3, 0, 0, 0, 0, 0, 0};
    for (uint32_t t = 0; t < sizeof slot; t++) {
        if (t < 5) {
            bench_offer(&b, &(bench_page){0, 0, t * FAR});
        }
        assert_int_equal(bench_peek(&b, LW_F_BUFFER_CONTROL_FREE_SLOT, 0), slot[t]);
        for (uint32_t i = 0; i < 4; i++) {
            const bool gone = i == 0 && t >= 13 && t < 17;
            assert_int_equal(bench_peek(&b, LW_F_BUFFER_VALID, i), t >= 4 + i && !gone);
        }
        lw_iommu_outputs(b.u, &b.out);
        assert_int_equal(b.out.req_ready, t < 4 || t == 13);
        bench_step(&b);
    }
    assert_int_equal(bench_peek(&b, LW_F_BUFFER_SEQ, 0), 4);
    bench_drain(&b);
    bench_done(&b);
}

/* ---------------------------------------------------------------- in random streams */

typedef struct seen {
    uint64_t held, dropped, released, freed;
} seen;

/* R5.10 and FREE_SLOT, from what stands at the beginning of a cycle and at its end. */
static void watched_cycle(bench *b, seen *s) {
    const lw_iommu *u = b->u;
    const uint32_t slot = (uint32_t)bench_peek(b, LW_F_BUFFER_CONTROL_CANDIDATE_SLOT, 0);
    const bool valid = bench_peek(b, LW_F_BUFFER_CONTROL_CANDIDATE_VALID, 0) != 0;
    const bool held = bench_peek(b, LW_F_BUFFER_CONTROL_CANDIDATE_HELD, 0) != 0;
    const bool fresh = bench_peek(b, LW_F_BUFFER_CONTROL_NEW_VALID, 0) != 0 &&
                       bench_peek(b, LW_F_BUFFER_CONTROL_NEW_SLOT, 0) == slot;
    const bool cut =
        bench_peek(b, LW_F_BUFFER_CL, slot) != 0 || bench_peek(b, LW_F_BUFFER_DONE, slot) != 0;
    const bool eligible = bench_peek(b, LW_F_BUFFER_VALID, slot) != 0 && !fresh && !cut &&
                          bench_peek(b, LW_F_BUFFER_PICKED, slot) == 0;
    const uint64_t was_free = bench_peek(b, LW_F_BUFFER_CONTROL_FREE_SLOT, 0);
    uint64_t next = was_free;
    const uint64_t into =
        bench_peek(b, LW_F_BUFFER_CONTROL_MISS_VALID, 0) != 0 ? was_free : UINT64_MAX;
    for (uint32_t i = b->hw.buffer_entries; i-- > 0;) {
        next = lw_iommu_peek(u, LW_F_BUFFER_VALID, i) == 0 && i != into ? i : next;
    }
    assert_true(into == UINT64_MAX || bench_peek(b, LW_F_BUFFER_VALID, (uint32_t)into) == 0);
    bench_random_cycle(b, true);
    assert_int_equal(bench_peek(b, LW_F_BUFFER_CONTROL_FREE_SLOT, 0), next);
    s->freed += next != was_free;
    const bool holds = bench_peek(b, LW_F_BUFFER_CONTROL_CANDIDATE_HELD, 0) != 0;
    if (valid && !held) {
        assert_int_equal(holds, eligible);
        assert_int_equal(bench_peek(b, LW_F_BUFFER_CONTROL_CANDIDATE_VALID, 0), eligible);
        s->held += eligible;
        s->dropped += !eligible;
    } else if (held && cut) {
        assert_false(holds); /* taken or released */
        s->released += bench_peek(b, LW_F_BUFFER_PICKED, slot) == 0;
    }
}

static void test_streams(void **state) {
    (void)state;
    seen s = {0};
    for (uint32_t seed = 0; seed < 12; seed++) {
        lw_params hw = bench_nha;
        hw.buffer_entries = 4u << seed % 4;
        hw.walkers = 1 + seed % 3;
        bench b;
        bench_init(&b, &hw, seed);
        bench_pool(&b, 60, 2, 0);
        b.jitter = 20;
        bench_enable(&b, MODE_LEAF + seed % 2, seed % 3 != 0, false);
        for (uint32_t c = 0; c < 6000; c++) {
            watched_cycle(&b, &s);
        }
        bench_drain(&b);
        bench_done(&b);
    }
    assert_true(s.held > 1000 && s.dropped > 10 && s.released > 10 && s.freed > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rounds),  cmocka_unit_test(test_released),
        cmocka_unit_test(test_waits),   cmocka_unit_test(test_free_slot),
        cmocka_unit_test(test_streams),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
