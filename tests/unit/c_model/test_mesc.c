/* MESC's Figures 6 and 9 (chapter 17) and the lookup of subregion entries, by register names. */
#include "tests/unit/c_model/mesc_frames.h"

/* The line that the last access at level 1 asked for, counted from the node's first. */
static uint64_t last_line(bench *b) {
    const uint64_t first = bench_pte(b, PASID, FRAME, 1) - b->table;
    return bench_peek(b, LW_F_WALK_MEMORY_REQ_LINE, 0) - first / 8;
}

/* ---------------------------------------------------------------- Figure 6 */

/* (a): the whole frame is contiguous, from 0x6000A on, which is not aligned. */
static void test_figure6_a(void **state) {
    (void)state;
    const lw_params hw = mesc();
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    map_joined(b, PASID, FRAME, 0x6000a);
    set_bits(b, PASID, FRAME, AC_);
    *bench_pte(b, PASID, 0x80188, 1) = 0; /* the head answers for the page (R1.12) */
    start(b);
    ask(b, 0x80188);
    assert_true(b->last.pfn == 0x60192);
    assert_int_equal(last_line(b), 0);
    assert_int_equal(b->accesses, 4);
    assert_entry(b, partition_entry(b, FRAME, 0), 1, 0x2000, 7, 0x6000a);
    ask(b, 0x801ff);
    assert_true(b->last.pfn == 0x60209);
    settle(b);
    assert_int_equal(b->accesses, 4);
    assert_int_equal(counter(b, LW_C_SUBREGION_HITS), 1);
    assert_int_equal(counter(b, LW_C_MSC_LOOKUPS), 0);
    assert_int_equal(subregion_entries(b), 1);
    pair_done(&both);
}

static void test_figure6_b(void **state) {
    (void)state;
    const lw_params hw = mesc();
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    bench_map(b, PASID, 0x80188, 0x12345);
    set_bits(b, PASID, FRAME, C_(5) | C_(7));
    start(b);
    ask(b, 0x80188);
    assert_true(b->last.pfn == 0x12345);
    assert_int_equal(last_line(b), 0x188 / 8);
    assert_int_equal(b->accesses, 4);
    assert_entry(b, 0x188 % 16 * 16, 0, 0x80188 / 16, 0, 0x12345);
    assert_int_equal(subregion_entries(b), 0);
    pair_done(&both);
}

/* (c): the page is answered with the head alone; then the check finds that S7 joins. */
static void test_figure6_c(void **state) {
    (void)state;
    const lw_params hw = mesc();
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    map_subregion(b, PASID, FRAME, 6, 0x777);
    map_subregion(b, PASID, FRAME, 7, 0x777 + PAGES);
    set_bits(b, PASID, FRAME, C_(6) | C_(7));
    start(b);
    bench_offer(b, &(bench_page){PASID, 0, 0x80188});
    step_until(b, LW_F_RESPONSE_OUT_VALID, 0, 1);
    assert_int_equal(last_line(b), 0x180 / 8);
    assert_field(b, LW_F_RESPONSE_OUT_PFN, 0, 0x777 + 8);
    assert_field(b, LW_F_FILL_FILL_VALID, 0, 1);
    bench_step(b);
    assert_field(b, LW_F_PLACE_PLACE_VALID, 0, 1);
    assert_field(b, LW_F_PLACE_PLACE_WRITE, 0, 1);
    assert_field(b, LW_F_PLACE_PLACE_DROP, 0, 0);
    assert_field(b, LW_F_PLACE_PLACE_WAY, 0, hw.tlb_ways - hw.tlb_partition);
    bench_step(b);
    assert_entry(b, partition_entry(b, FRAME, 0), 1, 0x2006, 0, 0x777);
    assert_field(b, LW_F_CHECK_QUEUE_JOB_BITS, 0, 0xc0);
    bench_drain(b);
    settle(b);
    assert_entry(b, partition_entry(b, FRAME, 0), 1, 0x2006, 1, 0x777);
    assert_field(b, LW_F_CHECK_MAP, 0, 0x40);
    assert_int_equal(b->accesses, 5);
    assert_int_equal(b->heads, 1);
    assert_int_equal(counter(b, LW_C_JOINED), 1);
    pair_done(&both);
}

/* ---------------------------------------------------------------- Figure 9 */

static void figure9(uint32_t head_first) {
    lw_params hw = mesc();
    hw.head_first = head_first;
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    map_figure9(b);
    start(b);
    ask(b, FRAME + 64 + 5); /* S1 */
    settle(b);
    assert_entry(b, partition_entry(b, FRAME, 0), 1, 0x2000, 3, 0x00f87);
    assert_field(b, LW_F_CHECK_MAP, 0, 0x07);
    if (head_first == 0) {
        assert_field(b, LW_F_CHECK_GOT, 0, 0x1d);
        assert_field(b, LW_F_HEAD_HEAD_PFN, 1, 0x00fc7);
        assert_field(b, LW_F_HEAD_HEAD_PFN, 3, 0x01047);
        assert_field(b, LW_F_HEAD_HEAD_PFN, 4, 0x0201d);
        assert_field(b, LW_F_MSC_VALID, 0, 1);
        assert_field(b, LW_F_MSC_MAP, 0, 0x07);
    }
    ask(b, FRAME + 3 * 64 + 63);
    assert_true(b->last.pfn == 0x01047 + 63);
    assert_int_equal(counter(b, LW_C_SUBREGION_HITS), 1);
    ask(b, FRAME + 4 * 64); /* S4: its check finds the MSC filled and nothing to join */
    settle(b);
    assert_entry(b, partition_entry(b, FRAME, 1), 1, 0x2004, 0, 0x0201d);
    ask(b, FRAME + 7 * 64 + 1);
    settle(b);
    assert_entry(b, partition_entry(b, FRAME, 2), 1, 0x2007, 0, 0x0205d);
    assert_int_equal(subregion_entries(b), 3);
    assert_int_equal(b->heads, head_first != 0 ? 0 : 4);
    assert_int_equal(counter(b, LW_C_MSC_LOOKUPS), head_first != 0 ? 0 : 2);
    assert_int_equal(counter(b, LW_C_MSC_HITS), head_first != 0 ? 0 : 1);
    assert_int_equal(counter(b, LW_C_JOINED), 1);
    assert_int_equal(counter(b, LW_C_SUBREGION_FILLS), 4);
    pair_done(&both);
}

static void test_figure9(void **state) {
    (void)state;
    figure9(0);
}

static void test_figure9_head_first(void **state) {
    (void)state;
    figure9(1);
}

/* ---------------------------------------------------------------- the TLB */

/* R3.8: a 2 MiB page is one subregion entry of a whole frame, if subregions are enabled. */
static void test_large_page(void **state) {
    (void)state;
    const lw_params hw = mesc();
    for (uint32_t enabled = 0; enabled < 2; enabled++) {
        pair both;
        pair_init(&both, &hw, true);
        bench *b = &both.b;
        *bench_pte(b, PASID, FRAME, 2) = UINT64_C(0x40000000) | P_ | RW_ | US_ | PS_;
        start(b);
        if (enabled == 0) {
            bench_write(b, LW_CTL_FEATURES, 0);
        }
        ask(b, FRAME + 0x123);
        ask(b, FRAME + 0x1ff);
        assert_true(b->last.pfn == 0x401ff);
        assert_int_equal(b->last.size, 1);
        assert_int_equal(b->accesses, enabled != 0 ? 3 : 6);
        assert_int_equal(subregion_entries(b), enabled);
        if (enabled != 0) {
            const uint32_t e = partition_entry(b, FRAME, 0);
            assert_field(b, LW_F_TLB_TAG, e, 0x2000);
            assert_field(b, LW_F_TLB_LENGTH, e, 7);
            assert_field(b, LW_F_TLB_PFN, e, 0x40000);
            assert_field(b, LW_F_TLB_SIZE, e, 1);
        }
        pair_done(&both);
    }
}

/* R3.8: of a page of 1 GiB a fill covers the 2 MiB that were asked for, with its SIZE; the rest of
 * the page misses. */
static void test_part_of_a_gigabyte(void **state) {
    (void)state;
    enum { ASKED = 0x2c5, IN_FRAME = 0x31f, BEYOND = 0x412 };
    const lw_params hw = mesc();
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    *bench_pte(b, PASID, FRAME, 3) = UINT64_C(0x80000000) | P_ | RW_ | US_ | PS_;
    start(b);
    ask(b, FRAME + ASKED);
    const uint32_t e = partition_entry(b, FRAME + ASKED, 0);
    assert_field(b, LW_F_TLB_VALID, e, 1);
    assert_field(b, LW_F_TLB_CLASS, e, 1);
    assert_field(b, LW_F_TLB_TAG, e, (FRAME + 0x200) >> 6);
    assert_field(b, LW_F_TLB_LENGTH, e, 7);
    assert_field(b, LW_F_TLB_PFN, e, 0x80200);
    assert_field(b, LW_F_TLB_SIZE, e, 2);
    ask(b, FRAME + IN_FRAME);
    assert_true(b->last.pfn == 0x80000 + IN_FRAME);
    assert_int_equal(b->last.size, 2);
    assert_int_equal(counter(b, LW_C_SUBREGION_HITS), 1);
    ask(b, FRAME + BEYOND);
    assert_true(b->last.pfn == 0x80000 + BEYOND);
    assert_int_equal(counter(b, LW_C_SUBREGION_HITS), 1);
    assert_int_equal(subregion_entries(b), 2);
    pair_done(&both);
}

/* R3.9, R3.26: a hit a cycle, of both classes in turn; the serial lookup takes one more. */
static void hit_timing(uint32_t par_lookup) {
    lw_params hw = mesc();
    hw.par_lookup = par_lookup;
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    map_joined(b, PASID, FRAME, 0x6000a);
    bench_map(b, PASID, 0x123, 0x456);
    start(b);
    ask(b, FRAME);
    ask(b, 0x123);
    settle(b);
    bench_steps(b, 5);
    const uint64_t before = b->answered;
    const uint32_t first = par_lookup != 0 ? 3 : 4, found = first - 1;
    for (uint32_t t = 0; t < 200; t++) {
        bench_offer(b, &(bench_page){PASID, 0, t % 2 == 0 ? FRAME + t : 0x123});
        lw_iommu_outputs(b->u, &b->out);
        assert_true(b->out.req_ready);
        assert_int_equal(b->out.rsp_valid, t >= first);
        assert_field(b, LW_F_TLB_FOUND_FOUND, 0, t >= found);
        if (t >= found) {
            assert_field(b, LW_F_TLB_FOUND_FOUND_CLASS, 0, (t - found) % 2 == 0);
        }
        if (par_lookup == 0) {
            assert_field(b, LW_F_TLB_RANGE_RANGE_FOUND, 0, t >= 2 && t % 2 == 0);
        }
        bench_step(b);
    }
    assert_int_equal(b->answered - before, 200 - first);
    bench_drain(b);
    assert_int_equal(counter(b, LW_C_TLB_HITS), 200);
    assert_int_equal(counter(b, LW_C_SUBREGION_HITS), 100);
    pair_done(&both);
}

static void test_serial_lookup(void **state) {
    (void)state;
    hit_timing(0);
}

static void test_parallel_lookup(void **state) {
    (void)state;
    hit_timing(1);
}

/* R3.12, R3.27: a regular entry in the shadow of a range stays, but the range is found first, and
 * counts. */
static void test_range_before_regular_entry(void **state) {
    (void)state;
    enum { OWN = 5, NEXT = 6 };
    for (uint32_t par_lookup = 0; par_lookup < 2; par_lookup++) {
        lw_params hw = mesc();
        hw.par_lookup = par_lookup;
        pair both;
        pair_init(&both, &hw, true);
        bench *b = &both.b;
        map_joined(b, PASID, FRAME, 0x6000a);
        set_bits(b, PASID, FRAME, AC_);
        start(b);
        bench_write(b, LW_CTL_FEATURES, 0);
        ask(b, FRAME + OWN);
        start(b);
        ask(b, FRAME + NEXT);
        const uint32_t sets = hw.tlb_entries / hw.tlb_ways;
        const uint32_t regular = (FRAME + OWN) % sets * hw.tlb_ways;
        const uint32_t range = partition_entry(b, FRAME, 0);
        assert_field(b, LW_F_TLB_VALID, regular, 1);
        assert_field(b, LW_F_TLB_CLASS, regular, 0);
        assert_field(b, LW_F_TLB_LENGTH, range, 7);
        bench_offer(b, &(bench_page){PASID, 0, FRAME + OWN});
        step_until(b, LW_F_TLB_FOUND_FOUND, 0, 1);
        assert_field(b, LW_F_TLB_FOUND_FOUND_CLASS, 0, 1);
        assert_field(b, LW_F_TLB_FOUND_WAY, 0, range % hw.tlb_ways);
        assert_field(b, LW_F_TLB_FOUND_FOUND_PFN, 0, 0x6000a);
        bench_drain(b);
        assert_true(b->last.pfn == 0x6000a + OWN);
        assert_int_equal(counter(b, LW_C_TLB_HITS), 1);
        assert_int_equal(counter(b, LW_C_SUBREGION_HITS), 1);
        pair_done(&both);
    }
}

/* R16.15, R16.16: a head is judged for a read, so subregions that may not be written join, with
 * their rights. */
static void joins_read_only(uint32_t head_first) {
    lw_params hw = mesc();
    hw.head_first = head_first;
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    map_joined(b, PASID, FRAME, 0x6000a);
    for (uint32_t page = 0; page < 8 * PAGES; page++) {
        *bench_pte(b, PASID, FRAME + page, 1) &= ~RW_;
    }
    start(b);
    ask(b, FRAME);
    settle(b);
    const uint32_t e = partition_entry(b, FRAME, 0);
    assert_field(b, LW_F_TLB_VALID, e, 1);
    assert_field(b, LW_F_TLB_LENGTH, e, 7);
    assert_field(b, LW_F_TLB_PFN, e, 0x6000a);
    assert_field(b, LW_F_TLB_PERM, e, 2);
    assert_int_equal(subregion_entries(b), 1);
    pair_done(&both);
}

static void test_read_only_subregions_join(void **state) {
    (void)state;
    joins_read_only(0);
    joins_read_only(1);
}

/* R16.8, R16.17: subregions join across the last frame of all, and the joined entry's PFN is that
 * of the first, modulo 2^PFN_W. */
static void test_joins_across_the_last_frame(void **state) {
    (void)state;
    const lw_params hw = mesc();
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    const uint64_t last = (UINT64_C(1) << (hw.pa_width - 12)) - PAGES;
    map_subregion(b, PASID, FRAME, 0, last);
    map_subregion(b, PASID, FRAME, 1, 0);
    set_bits(b, PASID, FRAME, C_(0) | C_(1));
    start(b);
    ask(b, FRAME + PAGES);
    settle(b);
    const uint32_t e = partition_entry(b, FRAME, 0);
    assert_field(b, LW_F_TLB_VALID, e, 1);
    assert_field(b, LW_F_TLB_LENGTH, e, 1);
    assert_field(b, LW_F_TLB_PFN, e, last);
    ask(b, FRAME);
    assert_true(b->last.pfn == last);
    ask(b, FRAME + PAGES + 1);
    assert_true(b->last.pfn == 1);
    assert_int_equal(counter(b, LW_C_SUBREGION_HITS), 2);
    pair_done(&both);
}

/* NHA over MESC: entries of one frame wait for one head (R1.2, R9.4, R9.6). */
static void test_coalesced_frame(void **state) {
    (void)state;
    enum { MODE_FULL = 2 };
    lw_params hw = mesc();
    hw.coalesce = 1;
    hw.walkers = 1;
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    map_joined(b, PASID, FRAME, 0x6000a);
    set_bits(b, PASID, FRAME, AC_);
    bench_enable(b, MODE_FULL, false, false);
    static const uint16_t page[] = {0x188, 0, 0x1ff};
    for (uint32_t i = 0; i < 3; i++) {
        bench_offer(b, &(bench_page){PASID, 0, FRAME + page[i]});
        bench_step(b);
    }
    step_until(b, LW_F_BUFFER_PL, 1, 2);
    for (uint32_t i = 1; i < 3; i++) {
        assert_field(b, LW_F_BUFFER_CL, i, 1);
        assert_field(b, LW_F_STORED_PTE_STORED_CONTIG, bench_learnt(b, i), 0x1ff);
    }
    assert_field(b, LW_F_PWST_CONTIG, 0, 0x1ff);
    step_until(b, LW_F_BUFFER_DONE, 1, 1);
    for (uint32_t i = 1; i < 3; i++) {
        assert_field(b, LW_F_BUFFER_DONE, i, 1);
        assert_field(b, LW_F_STORED_PTE_STORED_FRAME, bench_learnt(b, i), 0x6000a);
        assert_field(b, LW_F_STORE_STORED_REACH, bench_learnt(b, i) / 8, 2 /* frame */);
    }
    bench_drain(b);
    assert_int_equal(b->accesses, 4);
    assert_int_equal(subregion_entries(b), 1);
    pair_done(&both);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure6_a),
        cmocka_unit_test(test_figure6_b),
        cmocka_unit_test(test_figure6_c),
        cmocka_unit_test(test_figure9),
        cmocka_unit_test(test_figure9_head_first),
        cmocka_unit_test(test_large_page),
        cmocka_unit_test(test_serial_lookup),
        cmocka_unit_test(test_parallel_lookup),
        cmocka_unit_test(test_coalesced_frame),
        cmocka_unit_test(test_range_before_regular_entry),
        cmocka_unit_test(test_part_of_a_gigabyte),
        cmocka_unit_test(test_read_only_subregions_join),
        cmocka_unit_test(test_joins_across_the_last_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
