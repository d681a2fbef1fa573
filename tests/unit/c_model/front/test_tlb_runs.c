/* The runs that full CoLT keeps in the unified TLB, by register names (R3.14): the group of
 * docs/architecture/18-colt-group.md, sets, overlaps, invalidations, and the lookup's time. */
#include "tests/unit/c_model/colt_group.h"

enum { RUN_WAYS = 16 };

/* The entry of a set's nth way, for the set of a page's group. */
static uint32_t run_entry(uint64_t page, uint32_t nth) {
    return (uint32_t)(page >> 2 & 15) * RUN_WAYS + nth;
}

/* TAG of a run from this page on: 16 sets. */
static uint64_t run_tag(uint64_t page) {
    return page >> 6 << 2 | (page & 3);
}

static void invalidate(bench *b, uint64_t page) {
    b->in.inv_valid = true;
    b->in.inv_type = 0;
    b->in.inv_pasid = PASID;
    b->in.inv_first = page;
    bench_steps(b, 40);
}

/* Chapter 18 with full CoLT. */
static void test_runs(void **state) {
    (void)state;
    const lw_params hw = colt(LW_COLT_FULL);
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    map_group(b);
    start(b);
    expect(b, GROUP + 1, 0x201, 3);
    const uint32_t first = run_entry(GROUP, 0), second = run_entry(GROUP, 1);
    assert_entry(b, first, 1, run_tag(GROUP), 2, 0x200);
    bench_offer(b, &(bench_page){PASID, 0, GROUP + 2});
    step_until(b, LW_F_TLB_FOUND_FOUND, 0, 1);
    assert_field(b, LW_F_TLB_FOUND_WAY, 0, 0);
    assert_field(b, LW_F_TLB_FOUND_FIRST, 0, 0);
    assert_field(b, LW_F_TLB_FOUND_FOUND_LENGTH, 0, 2);
    assert_field(b, LW_F_TLB_FOUND_FOUND_PFN, 0, 0x200);
    bench_drain(b);
    assert_true(b->last.pfn == 0x202);
    assert_int_equal(b->last.level, 3);
    assert_int_equal(counter(b, LW_C_TLB_HITS), 1);
    expect(b, GROUP + 3, 0x300, 3);
    assert_int_equal(counter(b, LW_C_TLB_HITS), 1);
    assert_entry(b, second, 1, run_tag(GROUP + 3), 0, 0x300);
    expect(b, GROUP + 3, 0x300, 0);
    assert_int_equal(subregion_entries(b), 2);
    assert_int_equal(counter(b, LW_C_SUBREGION_HITS), 0); /* R14.3 */
    assert_int_equal(counter(b, LW_C_SUBREGION_FILLS), 0);
    /* R3.15: a hit without links is a hit all the same */
    bench_write(b, LW_CTL_FEATURES, 0);
    expect(b, GROUP + 2, 0x202, 0);
    assert_int_equal(counter(b, LW_C_TLB_HITS), 3);
    pair_done(&both);
}

/* Both groups of a line, each in its set; the run that ends at the first frame began at the last.
 */
static void test_sets(void **state) {
    (void)state;
    const uint64_t top = (UINT64_C(1) << 36) - 1;
    const lw_params hw = colt(LW_COLT_FULL);
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    map_run(b, GROUP, 8, 0x200);
    map_run(b, GROUP + 0x100, 4, top - 1);
    *bench_pte(b, PASID, GROUP + 0x102, 1) &= bench_pa_mask(b);
    *bench_pte(b, PASID, GROUP + 0x103, 1) &= bench_pa_mask(b);
    start(b);
    expect(b, GROUP + 6, 0x206, 7);
    expect(b, GROUP + 2, 0x202, 7);
    assert_entry(b, run_entry(GROUP, 0), 1, run_tag(GROUP), 3, 0x200);
    assert_entry(b, run_entry(GROUP + 4, 0), 1, run_tag(GROUP + 4), 3, 0x204);
    expect(b, GROUP + 7, 0x207, 7);
    expect(b, GROUP + 0x103, 1, 7);
    assert_entry(b, run_entry(GROUP + 0x100, 1), 1, run_tag(GROUP + 0x100), 3, top - 1);
    expect(b, GROUP + 0x101, top, 7);
    expect(b, GROUP + 0x102, 0, 7);
    assert_int_equal(counter(b, LW_C_TLB_HITS), 3);
    pair_done(&both);
}

/* R3.12 for runs: a longer one takes the place of the shorter, an equal one finds itself. */
static void test_overlap(void **state) {
    (void)state;
    const lw_params hw = colt(LW_COLT_FULL);
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    map_group(b);
    const uint64_t pte = *bench_pte(b, PASID, GROUP, 1);
    *bench_pte(b, PASID, GROUP, 1) = 0;
    start(b);
    const uint32_t first = run_entry(GROUP, 0);
    expect(b, GROUP + 1, 0x201, 2);
    assert_entry(b, first, 1, run_tag(GROUP + 1), 1, 0x201);
    ask(b, GROUP);
    assert_int_equal(b->last.kind, LW_NOT_PRESENT);
    *bench_pte(b, PASID, GROUP, 1) = pte;
    expect(b, GROUP, 0x200, 3);
    assert_entry(b, first, 1, run_tag(GROUP), 2, 0x200);
    assert_int_equal(subregion_entries(b), 1);
    /* two walks at once fill one run; alone, a page that a run holds is not filled again */
    map_run(b, GROUP + 8, 4, 0x700);
    for (uint32_t i = 0; i < 2; i++) {
        bench_offer(b, &(bench_page){PASID, 0, GROUP + 8 + i});
        bench_step(b);
    }
    bench_drain(b);
    assert_int_equal(counter(b, LW_C_TLB_HITS), 0);
    assert_int_equal(subregion_entries(b), 2);
    assert_entry(b, run_entry(GROUP + 8, 0), 1, run_tag(GROUP + 8), 3, 0x700);
    pair_done(&both);
}

/* Whether the group's pages may be written. */
static void put_write(bench *b, bool may) {
    for (uint32_t page = 0; page < 4; page++) {
        uint64_t *pte = bench_pte(b, PASID, GROUP + page, 1);
        *pte = may ? *pte | RW_ : *pte & ~RW_;
    }
}

/* R3.12: a run of other permissions does not hold a fill, whichever of the two grants more: the
 * fill takes its way. Both walks miss, and the second reads the line after it has changed. */
static void test_other_permissions_do_not_hold(void **state) {
    (void)state;
    const lw_params hw = colt(LW_COLT_FULL);
    for (uint32_t first = 0; first < 2; first++) {
        pair both;
        pair_init(&both, &hw, true);
        bench *b = &both.b;
        map_run(b, GROUP, 4, 0x200);
        start(b);
        put_write(b, first != 0);
        bench_offer(b, &(bench_page){PASID, 0, GROUP});
        bench_steps(b, 30);
        bench_offer(b, &(bench_page){PASID, 0, GROUP + 1});
        while (b->answered == 0) {
            bench_step(b);
        }
        assert_int_equal(b->last.perm, 2 + first);
        put_write(b, first == 0);
        bench_drain(b);
        bench_steps(b, 3);
        assert_int_equal(counter(b, LW_C_TLB_HITS), 0);
        assert_int_equal(subregion_entries(b), 1);
        assert_field(b, LW_F_TLB_PERM, run_entry(GROUP, 0), 3 - first);
        assert_field(b, LW_F_TLB_LENGTH, run_entry(GROUP, 0), 3);
        pair_done(&both);
    }
}

/* A group of this set: two walks that begin after a mark of its PASID fill one run, while an
 * invalidation that matches it sweeps. Until the second fill, which is held, is in the place
 * register; the set that is swept then. */
static uint64_t until_held(bench *b, uint64_t group) {
    b->latency = 5;
    map_run(b, group, 4, 0x200);
    start(b);
    b->in.inv_valid = true;
    b->in.inv_type = TYPE_PASID;
    b->in.inv_pasid = PASID;
    bench_offer(b, &(bench_page){PASID, 0, group});
    bench_steps(b, 4);
    bench_offer(b, &(bench_page){PASID, 0, group + 1});
    do {
        step_until(b, LW_F_PLACE_PLACE_VALID, 0, 0);
        step_until(b, LW_F_PLACE_PLACE_VALID, 0, 1);
    } while (bench_peek(b, LW_F_PLACE_PLACE_WRITE, 0) != 0);
    assert_field(b, LW_F_INVALIDATION_STATE, 0, INV_SWEEP);
    return bench_peek(b, LW_F_INVALIDATION_SWEEP_SET, 0);
}

/* R3.10, R3.33: only what is written spares its way. A fill that is held writes nothing, so the run
 * that holds it goes, where its set is swept in the cycle of the touch and where what the sweep has
 * found goes in it. */
static void test_held_fill_spares_nothing(void **state) {
    (void)state;
    enum { SETS = 64, TIMES = 3 };
    lw_params hw = colt(LW_COLT_FULL);
    hw.tlb_ways = hw.tlb_partition = hw.tlb_entries / SETS;
    uint64_t swept = 0; /* in the cycle of the touch, whatever the group's set is */
    for (uint32_t time = 0; time < TIMES; time++) {
        pair both;
        pair_init(&both, &hw, true);
        bench *b = &both.b;
        const uint64_t set = time == 0 ? SETS - 1 : swept - (time - 1);
        const uint32_t e = (uint32_t)set * hw.tlb_ways;
        const uint64_t now = until_held(b, GROUP + 4 * set);
        assert_true(time == 0 || now == swept);
        swept = now;
        assert_field(b, LW_F_PLACE_PLACE_WAY, 0, 0);
        assert_field(b, LW_F_TLB_VALID, e, 1);
        assert_field(b, LW_F_TLB_SWEPT_SWEPT, 0, time == 2);
        bench_step(b);
        assert_field(b, LW_F_TLB_SWEPT_SWEPT, 0, time == 1);
        assert_field(b, LW_F_TLB_VALID, e, time != 2);
        bench_step(b);
        assert_field(b, LW_F_TLB_VALID, e, time == 0);
        bench_drain(b);
        pair_done(&both);
    }
}

/* R3.12, R3.25: places and permissions alone say that a fill is held. Of a large page that has
 * become a small one in another frame before the second of two walks, the entry stays as it is. */
static void test_held_whatever_frame_and_size(void **state) {
    (void)state;
    enum { PLACE = 0x123, SMALL = 0x777 };
    const lw_params hw = colt(LW_COLT_FULL);
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    const uint64_t large = UINT64_C(0x40000000) | P_ | RW_ | US_ | PS_;
    uint64_t *pte = bench_pte(b, PASID, FRAME, 2);
    bench_map(b, PASID, FRAME + PLACE, SMALL);
    const uint64_t node = *pte;
    *pte = large;
    start(b);
    bench_offer(b, &(bench_page){PASID, 0, FRAME + PLACE});
    bench_steps(b, 30);
    bench_offer(b, &(bench_page){PASID, 0, FRAME + PLACE});
    while (b->answered == 0) {
        bench_step(b);
    }
    assert_true(b->last.pfn == 0x40000 + PLACE);
    *pte = node;
    bench_drain(b);
    bench_steps(b, 3);
    assert_true(b->last.pfn == SMALL);
    const uint32_t e = run_entry(FRAME + PLACE, 0);
    assert_int_equal(subregion_entries(b), 1);
    assert_field(b, LW_F_TLB_VALID, e, 1);
    assert_field(b, LW_F_TLB_PFN, e, 0x40000 + PLACE);
    assert_field(b, LW_F_TLB_SIZE, e, 1);
    pair_done(&both);
}

/* Single pages make way for the run that holds them, the lowest of their ways is its own. */
static void test_singles(void **state) {
    (void)state;
    const lw_params hw = colt(LW_COLT_FULL);
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    map_run(b, GROUP, 4, 0x200);
    start(b);
    bench_write(b, LW_CTL_FEATURES, 0);
    for (uint32_t i = 4; i-- > 1;) {
        expect(b, GROUP + i, 0x200 + i, 0);
        assert_entry(b, run_entry(GROUP, 3 - i), 1, run_tag(GROUP + i), 0, 0x200 + i);
    }
    bench_write(b, LW_CTL_FEATURES, COLT_ENABLE);
    expect(b, GROUP + 3, 0x203, 0);
    expect(b, GROUP, 0x200, 7);
    assert_entry(b, run_entry(GROUP, 0), 1, run_tag(GROUP), 3, 0x200);
    assert_int_equal(subregion_entries(b), 1);
    pair_done(&both);
}

/* R3.11: a run is dropped with any of its pages, and with none beside them. */
static void test_invalidation(void **state) {
    (void)state;
    const lw_params hw = colt(LW_COLT_FULL);
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    map_group(b);
    map_run(b, GROUP + 4, 4, 0x600);
    start(b);
    for (uint32_t page = 0; page < 3; page++) {
        expect(b, GROUP + 1, 0x201, 3);
        expect(b, GROUP + 3, 0x300, page == 0 ? 3 : 0);
        expect(b, GROUP + 4, 0x600, 7);
        assert_int_equal(subregion_entries(b), 3);
        invalidate(b, GROUP + page);
        assert_field(b, LW_F_TLB_VALID, run_entry(GROUP, 0), 0);
        assert_int_equal(subregion_entries(b), 2);
    }
    expect(b, GROUP, 0x200, 3);
    invalidate(b, GROUP + 3);
    assert_entry(b, run_entry(GROUP, 0), 1, run_tag(GROUP), 2, 0x200);
    assert_int_equal(subregion_entries(b), 2);
    pair_done(&both);
}

/* A large page is held as the page asked for, with its SIZE; a write that a run does not grant
 * misses. */
static void test_large_page_and_permission(void **state) {
    (void)state;
    const lw_params hw = colt(LW_COLT_FULL);
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    *bench_pte(b, PASID, FRAME, 2) = UINT64_C(0x40000000) | P_ | RW_ | US_ | PS_;
    map_run(b, GROUP, 2, 0x200);
    *bench_pte(b, PASID, GROUP, 1) &= ~RW_;
    *bench_pte(b, PASID, GROUP + 1, 1) &= ~RW_;
    start(b);
    for (uint32_t hit = 0; hit < 2; hit++) {
        expect(b, FRAME + 0x123, 0x40123, 0);
        assert_int_equal(b->last.size, 1);
        assert_int_equal(counter(b, LW_C_TLB_HITS), hit);
    }
    const uint32_t e = run_entry(FRAME + 0x123, 0);
    assert_field(b, LW_F_TLB_TAG, e, run_tag(FRAME + 0x123));
    assert_field(b, LW_F_TLB_LENGTH, e, 0);
    assert_field(b, LW_F_TLB_SIZE, e, 1);
    invalidate(b, FRAME + 0x1ff);
    assert_field(b, LW_F_TLB_VALID, e, 0);
    expect(b, GROUP, 0x200, 1);
    assert_field(b, LW_F_TLB_PERM, run_entry(GROUP, 0), 2);
    bench_offer(b, &(bench_page){PASID, 1, GROUP + 1});
    bench_drain(b);
    assert_int_equal(b->last.kind, LW_PERMISSION);
    assert_int_equal(counter(b, LW_C_TLB_HITS), 1);
    pair_done(&both);
}

/* A hit a cycle, whatever PAR_LOOKUP is: there is nothing to look up after runs (R3.1). */
static void hit_timing(uint32_t par_lookup) {
    lw_params hw = colt(LW_COLT_FULL);
    hw.par_lookup = par_lookup;
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    map_run(b, GROUP, 4, 0x200);
    start(b);
    ask(b, GROUP);
    bench_steps(b, 5);
    const uint64_t before = b->answered;
    const uint32_t first = 3;
    for (uint32_t t = 0; t < 100; t++) {
        bench_offer(b, &(bench_page){PASID, 0, GROUP + t % 4});
        lw_iommu_outputs(b->u, &b->out);
        assert_true(b->out.req_ready);
        assert_int_equal(b->out.rsp_valid, t >= first);
        bench_step(b);
    }
    assert_int_equal(b->answered - before, 100 - first);
    bench_drain(b);
    assert_int_equal(counter(b, LW_C_TLB_HITS), 100);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_singles),
        cmocka_unit_test(test_invalidation),
        cmocka_unit_test(test_large_page_and_permission),
        cmocka_unit_test(test_serial_lookup),
        cmocka_unit_test(test_parallel_lookup),
        cmocka_unit_test(test_other_permissions_do_not_hold),
        cmocka_unit_test(test_held_fill_spares_nothing),
        cmocka_unit_test(test_held_whatever_frame_and_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
