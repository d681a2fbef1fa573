/* Where no second lookup is made, where it finds nothing that may be used, and who waits for it
 * meanwhile (R5.26 to R5.29). */
#include "tests/unit/c_model/second_bench.h"

/* The table of the look: without a place in the hit queue the walk starts at the first look. */
static void test_no_room(void **state) {
    (void)state;
    lw_params hw = second_of(bench_nha, 1);
    hw.hit_queue = 1;
    for (uint32_t other = 0; other < 2; other++) { /* a request holds the place */
        pair both;
        bench *b = begin(&both, &hw, false);
        bench_map(b, PASID, 0, 7);
        bench_map(b, PASID, 1, 8);
        bench_enable(b, MODE_OFF, false, false);
        offer(b, PASID, 0, 0);
        bench_steps(b, 4 + 1);
        if (other != 0) {
            offer(b, PASID, 1, 0);
        }
        bench_step(b);
        assert_field(b, LW_F_READ_READ_FIRST, 0, 1);
        assert_field(b, LW_F_ADMISSION_HIT_USED, 0, other);
        bench_step(b);
        assert_field(b, LW_F_PWST_STATE, 0, other != 0 ? W_REQ : W_READ);
        assert_field(b, LW_F_BUFFER_VALID, 0, other == 0);
        assert_int_equal(lw_iommu_counter(b->u, LW_C_SECOND_LOOKUPS), other == 0);
        bench_drain(b);
        pair_done(&both);
    }
}

/* R5.26: an entry that is STALE is not looked up; it is answered UNKNOWN_PASID at once (R5.9). */
static void test_stale(void **state) {
    (void)state;
    const lw_params hw = second_of(bench_nha, 1);
    pair both;
    bench *b = begin(&both, &hw, false);
    b->any_kind = true;
    b->latency = 40;
    bench_map(b, PASID, 0, 7);
    bench_map(b, OTHER_PASID, 0, 8);
    bench_enable(b, MODE_OFF, false, false);
    offer(b, PASID, 0, 0);
    bench_step(b);
    offer(b, OTHER_PASID, 0, 0);
    bench_steps(b, 10);
    bench_write(b, LW_CTL_ROOT + OTHER_PASID, 0);
    b->in.inv_valid = true;
    b->in.inv_type = TYPE_PASID;
    b->in.inv_pasid = OTHER_PASID;
    bench_steps(b, 3);
    assert_field(b, LW_F_BUFFER_STALE, 1, 1);
    bench_write(b, LW_CTL_ROOT + OTHER_PASID, UINT64_C(1) << 63 | b->root[OTHER_PASID]);
    step_until(b, LW_F_PWST_STATE, 0, W_IDLE);
    bench_steps(b, LOOKS);
    assert_field(b, LW_F_READ_READ_FIRST, 0, 1);
    assert_field(b, LW_F_READ_READ_STALE, 0, 1);
    bench_step(b);
    assert_field(b, LW_F_PWST_STATE, 0, W_RESP);
    bench_drain(b);
    assert_int_equal(b->last.kind, LW_UNKNOWN_PASID);
    bench_steps(b, 30);
    assert_counts(b, 0, 1, 0, 2);
    pair_done(&both);
}

/* R5.28, R3.3: an entry of the TLB that does not grant the access is no second hit; the walk gives
 * the fault with its level. */
static void test_permission(void **state) {
    (void)state;
    enum { WRITE = 1 };
    const lw_params hw = second_of(bench_nha, 1);
    pair both;
    bench *b = begin(&both, &hw, false);
    bench_map(b, PASID, 0, 7);
    *bench_pte(b, PASID, 0, 1) &= ~RW_;
    bench_enable(b, MODE_OFF, false, false);
    const bench_page reads = {PASID, 0, 0}, writes = {PASID, WRITE, 0};
    until_second_pick(b, &reads, &writes);
    bench_steps(b, LOOKS + 3);
    assert_field(b, LW_F_PWST_STATE, 0, W_CAM);
    assert_field(b, LW_F_BUFFER_VALID, 1, 1);
    bench_drain(b);
    assert_int_equal(b->last.kind, LW_PERMISSION);
    assert_int_equal(b->last.level, 1);
    bench_steps(b, 4);
    assert_counts(b, 0, 2, 0, 2);
    pair_done(&both);
}

/* R5.28, R3.32, R5.9: the root is gone in the stage before the last: a second miss, no fault of the
 * lookup; then the walk ends UNKNOWN_PASID. A cycle later it is a second hit. */
static void test_root_removed(void **state) {
    (void)state;
    const lw_params hw = second_of(bench_nha, 1);
    for (uint32_t late = 0; late < 2; late++) {
        pair both;
        bench *b = begin(&both, &hw, false);
        b->any_kind = true;
        bench_map(b, PASID, 0, 7);
        bench_enable(b, MODE_OFF, false, false);
        const bench_page page = {PASID, 0, 0};
        until_second_pick(b, &page, &page);
        bench_steps(b, LOOKS + late);
        bench_write(b, LW_CTL_ROOT + PASID, 0); /* in the cycle of the look, or the next */
        bench_steps(b, 1 - late);
        assert_field(b, LW_F_TLB_PIPE_PIPE_SECOND, 1, 1);
        assert_field(b, LW_F_TLB_FOUND_FOUND, 0, 1);
        assert_field(b, LW_F_TLB_REFUSAL_BAD_PASID, 0, late == 0);
        bench_step(b);
        assert_field(b, LW_F_PWST_STATE, 0, late == 0 ? W_CAM : W_IDLE);
        bench_drain(b);
        assert_int_equal(b->last.kind, late == 0 ? LW_UNKNOWN_PASID : LW_OK);
        bench_steps(b, 4);
        assert_counts(b, 0, 2, late, late == 0 ? 2 : 1);
        assert_int_equal(counter(b, LW_C_FAULTS), late == 0);
        assert_int_equal(b->accesses, 4);
        pair_done(&both);
    }
}

/* ---------------------------------------------------------------- beside other mechanisms */

/* R5.28, R5.7: what neighbours' lines tell an entry while its lookup lasts, it knows when it is
 * read again: it is given back. Of two neighbours the later one comes so many cycles after the
 * first that all of this happens: it waits for the first one's line, or has its answer. Levels take
 * part only since it was picked (R5.27). */
static void test_neighbour(void **state) {
    (void)state;
    enum { APART = 60, SLOT = 1, WALKER = 1, STAGES = 9, WARM = 2, LINE = 8 };
    lw_params hw = second_of(bench_nha, 2);
    hw.tlb_latency = STAGES - 1;
    uint32_t waits = 0, told = 0;
    for (uint32_t apart = 1; apart < APART; apart++) {
        pair both;
        bench *b = begin(&both, &hw, false);
        b->latency = 1;
        for (uint32_t i = 0; i < LINE + WARM; i++) {
            bench_map(b, PASID, i, 7 + 3 * i);
        }
        bench_enable(b, MODE_OFF, true, false);
        ask(b, LINE); /* so that the page walk cache knows the way to the line */
        offer(b, PASID, 0, 0);
        bench_steps(b, apart);
        offer(b, PASID, 1, 0);
        for (uint32_t n = 0; b->answered < 3 && n < 500; n++) {
            if (bench_peek(b, LW_F_TLB_PIPE_PIPE_SECOND, 0) != 0 &&
                bench_peek(b, LW_F_TLB_PIPE_PIPE_WALKER, 0) == WALKER) {
                bench_enable(b, MODE_LEAF, true, false);
            }
            const bool looked = bench_peek(b, LW_F_TLB_PIPE_PIPE_SECOND, STAGES - 1) != 0 &&
                                bench_peek(b, LW_F_TLB_PIPE_PIPE_WALKER, STAGES - 1) == WALKER;
            const bool done = bench_peek(b, LW_F_BUFFER_DONE, SLOT + 1) != 0;
            const bool held = bench_peek(b, LW_F_BUFFER_CL, SLOT + 1) != 0;
            bench_step(b);
            if (looked && (done || held)) {
                const uint64_t back = counter(b, LW_C_GIVEN_BACK);
                assert_field(b, LW_F_PWST_STATE, WALKER, W_CAM);
                assert_field(b, LW_F_BUFFER_PICKED, SLOT + 1, 1);
                bench_steps(b, 1 + LOOKS);
                assert_field(b, LW_F_PWST_STATE, WALKER, W_IDLE);
                assert_field(b, LW_F_BUFFER_PICKED, SLOT + 1, 0);
                assert_int_equal(counter(b, LW_C_GIVEN_BACK), back + 1);
                waits += !done;
                told += done;
            }
        }
        bench_drain(b);
        bench_steps(b, 20);
        assert_empty(b);
        assert_int_equal(counter(b, LW_C_TLB_MISSES), counter(b, LW_C_WALKS) +
                                                          counter(b, LW_C_COALESCED_ANSWERS) +
                                                          counter(b, LW_C_SECOND_HITS));
        pair_done(&both);
    }
    assert_true(waits > 0);
    assert_true(told > 0);
}

/* R5.27: where levels take part nobody is looked up again, and a request can be taken. */
static void test_levels_take_part(void **state) {
    (void)state;
    const lw_params hw = second_of(bench_nha, 1);
    for (uint32_t mode = MODE_OFF; mode <= MODE_LEAF; mode++) {
        pair both;
        bench *b = begin(&both, &hw, false);
        bench_map(b, PASID, 0, 7);
        bench_enable(b, mode, false, false);
        offer(b, PASID, 0, 0);
        bench_steps(b, 4 + LOOKS);
        lw_iommu_outputs(b->u, &b->out);
        assert_field(b, LW_F_READ_READ_VALID, 0, 1);
        assert_field(b, LW_F_READ_READ_FIRST, 0, mode == MODE_OFF);
        assert_int_equal(b->out.req_ready, mode != MODE_OFF);
        bench_drain(b);
        bench_steps(b, 4);
        assert_counts(b, 0, mode == MODE_OFF, 0, 1);
        pair_done(&both);
    }
}

/* R5.29: the second entry finds no room in the hit queue, as a request and the first one's lookup
 * have the places; it does not start before the first one, but has looked in vain. */
static void test_order(void **state) {
    (void)state;
    lw_params hw = second_of(bench_nha, 2);
    hw.hit_queue = 2;
    hw.tlb_latency = 5;
    pair both;
    bench *b = begin(&both, &hw, false);
    for (uint64_t page = 0; page < 3; page++) {
        bench_map(b, PASID, page, 7 + page);
    }
    bench_enable(b, MODE_OFF, false, false);
    offer(b, PASID, 0, 0);
    bench_step(b);
    offer(b, PASID, 1, 0);
    bench_step(b);
    step_until(b, LW_F_ADMISSION_HIT_USED, 0, 0);
    offer(b, PASID, 2, 0);
    step_until(b, LW_F_READ_READ_WALKER, 0, 1);
    assert_field(b, LW_F_READ_READ_FIRST, 0, 1);
    assert_field(b, LW_F_PWST_STATE, 0, W_READ);
    assert_field(b, LW_F_ADMISSION_HIT_USED, 0, 2);
    bench_step(b);
    assert_field(b, LW_F_PWST_STATE, 1, W_CAM);
    assert_field(b, LW_F_PWST_TRIED, 1, 1);
    step_until(b, LW_F_PWST_STARTED, 1, 1);
    assert_field(b, LW_F_PWST_STARTED, 0, 1);
    bench_drain(b);
    pair_done(&both);
}

/* The table of the look: what has its answer or waits is given back before anything is asked; a
 * flip makes the entry that was read one of these. */
static void test_given_back_first(void **state) {
    (void)state;
    static const lw_field told[] = {LW_F_READ_READ_DONE, LW_F_READ_READ_CL};
    const lw_params hw = second_of(bench_nha, 1);
    for (uint32_t i = 0; i < 2; i++) {
        pair both;
        bench *b = begin(&both, &hw, false);
        bench_map(b, PASID, 0, 7);
        bench_enable(b, MODE_OFF, false, false);
        offer(b, PASID, 0, 0);
        bench_steps(b, 4 + LOOKS);
        assert_field(b, LW_F_READ_READ_FIRST, 0, 1);
        lw_iommu_flip(b->u, told[i], 0, 0);
        bench_step(b);
        assert_field(b, LW_F_TLB_PIPE_PIPE_VALID, 0, 0);
        assert_field(b, LW_F_PWST_STATE, 0, W_IDLE);
        assert_field(b, LW_F_BUFFER_PICKED, 0, 0);
        assert_int_equal(counter(b, LW_C_GIVEN_BACK), 1);
        assert_int_equal(counter(b, LW_C_SECOND_LOOKUPS), 0);
        bench_drain(b);
        pair_done(&both);
    }
}

/* R14.3: without SECOND_LOOKUP there is nothing of it. */
static void test_without(void **state) {
    (void)state;
    lw_params hw = bench_nha;
    hw.walkers = 1;
    pair both;
    bench *b = begin(&both, &hw, false);
    bench_map(b, PASID, 0, 7);
    bench_enable(b, MODE_OFF, false, false);
    const bench_page page = {PASID, 0, 0};
    until_second_pick(b, &page, &page);
    bench_steps(b, LOOKS);
    lw_iommu_outputs(b->u, &b->out);
    assert_true(b->out.req_ready);
    assert_field(b, LW_F_READ_READ_FIRST, 0, 0);
    bench_drain(b);
    bench_steps(b, 4);
    assert_counts(b, 0, 0, 0, 2);
    pair_done(&both);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_room),    cmocka_unit_test(test_stale),
        cmocka_unit_test(test_permission), cmocka_unit_test(test_root_removed),
        cmocka_unit_test(test_neighbour),  cmocka_unit_test(test_levels_take_part),
        cmocka_unit_test(test_order),      cmocka_unit_test(test_given_back_first),
        cmocka_unit_test(test_without),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
