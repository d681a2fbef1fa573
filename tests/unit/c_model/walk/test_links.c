/* LINKS in the answers of every kind of access, by register names (R1.14, R3.15): the group of
 * docs/architecture/18-colt-group.md, what ends a run, coalesced entries, subregions. */
#include "tests/unit/c_model/colt_group.h"

enum { MODE_FULL = 2 };

/* Chapter 18; the regular entries that the walks leave give their pages alone. The run of each
 * place: R1.15. */
static void test_group(void **state) {
    (void)state;
    const lw_params hw = colt(LW_COLT_LINKS);
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    map_group(b);
    start(b);
    expect(b, GROUP, 0x200, 3);
    expect(b, GROUP + 1, 0x201, 3);
    bench_offer(b, &(bench_page){PASID, 0, GROUP + 2});
    step_until(b, LW_F_ANSWER_ANSWER_VALID, 0, 1);
    assert_field(b, LW_F_ANSWER_ANSWER_LEVEL, 0, 3);
    step_until(b, LW_F_RESPONSE_OUT_VALID, 0, 1);
    assert_field(b, LW_F_RESPONSE_OUT_LEVEL, 0, 3);
    bench_drain(b);
    expect(b, GROUP + 3, 0x300, 3);
    assert_int_equal(counter(b, LW_C_TLB_HITS), 0);
    for (uint32_t i = 0; i < 4; i++) {
        expect(b, GROUP + i, i < 3 ? 0x200 + i : 0x300, 0);
    }
    assert_int_equal(counter(b, LW_C_TLB_HITS), 4);
    assert_int_equal(subregion_entries(b), 0);
    pair_done(&both);
}

/* What the four PTEs of a group say, and the page that is asked for. */
static void test_combinations(void **state) {
    (void)state;
    const uint64_t all = P_ | RW_ | US_, top = (UINT64_C(1) << 36) - 1, wide = UINT64_C(1) << 51;
    const uint64_t dirty = UINT64_C(0x60), ignored = UINT64_C(0x7ff) << 52 | 0xe00;
    const struct {
        uint64_t frame[4], flags[4];
        uint32_t asked, links;
    } rows[] = {
        {{0x200, 0x201, 0x202, 0x203}, {all, all, all, all}, 1, 7},
        /* chapter 18 */
        {{0x200, 0x201, 0x202, 0x300}, {all, P_ | US_, all, all}, 0, 0},
        {{0x200, 0x201, 0x202, 0x300}, {0, all, all, all}, 1, 2},
        /* what ends a run */
        {{0x200, 0x201, 0x202, 0x203}, {all, all, all & ~US_, all}, 0, 1},
        {{0x200, 0x201, 0x202, 0x203}, {all, all, all | wide, all}, 3, 1},
        {{0x200, 0x201, 0x202, 0x203}, {all, all | NX_, all | NX_, all}, 3, 2},
        {{0x203, 0x202, 0x201, 0x200}, {all, all, all, all}, 2, 0},
        {{0x200, 0x200, 0x201, 0x203}, {all, all, all, all}, 0, 2},
        /* what does not: permissions that are few but equal, all that is not looked at */
        {{0x200, 0x201, 0x202, 0x203}, {P_ | US_, P_ | US_, P_ | US_, P_ | US_}, 3, 7},
        {{0x200, 0x201, 0x202, 0x203}, {all | NX_, all | NX_, all | NX_, all | NX_}, 0, 7},
        {{0x200, 0x201, 0x202, 0x203}, {all, all | dirty, all | ignored, all | PS_}, 0, 7},
        /* no alignment; modulo 2^PFN_W */
        {{0x1ff, 0x200, 0x201, 0x202}, {all, all, all, all}, 2, 7},
        {{top - 1, top, 0, 1}, {all, all, all, all}, 2, 7},
    };
    const lw_params hw = colt(LW_COLT_LINKS);
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    bench_map(b, PASID, 0, 1); /* so that there is a root */
    start(b);
    for (uint32_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        for (uint32_t i = 0; i < 4; i++) {
            *bench_pte(b, PASID, GROUP + 4 * r + i, 1) = rows[r].frame[i] << 12 | rows[r].flags[i];
        }
        expect(b, GROUP + 4 * r + rows[r].asked, rows[r].frame[rows[r].asked], rows[r].links);
    }
    pair_done(&both);
}

/* A line has eight pages, a group four; a fault names its level. */
static void test_two_groups(void **state) {
    (void)state;
    const lw_params hw = colt(LW_COLT_LINKS);
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    bench_map(b, PASID, GROUP + 3, 0x203);
    bench_map(b, PASID, GROUP + 4, 0x204);
    map_run(b, GROUP + 8, 7, 0x500);
    *bench_pte(b, PASID, GROUP + 12, 1) &= ~RW_;
    start(b);
    expect(b, GROUP + 3, 0x203, 0);
    expect(b, GROUP + 4, 0x204, 0);
    expect(b, GROUP + 8, 0x500, 7);
    expect(b, GROUP + 14, 0x506, 2);
    bench_offer(b, &(bench_page){PASID, 1, GROUP + 12});
    bench_drain(b);
    assert_int_equal(b->last.kind, LW_PERMISSION);
    assert_int_equal(b->last.level, 1);
    pair_done(&both);
}

/* R12.2; SUBREGION_ENABLE is not there. */
static void test_disabled(void **state) {
    (void)state;
    const lw_params hw = colt(LW_COLT_LINKS);
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    map_group(b);
    start(b);
    bench_write(b, LW_CTL_FEATURES, UINT64_MAX);
    assert_field(b, LW_F_CONTROL_FEATURES, 0, 0x2f);
    bench_write(b, LW_CTL_FEATURES, 0);
    expect(b, GROUP, 0x200, 0);
    bench_write(b, LW_CTL_FEATURES, COLT_ENABLE);
    expect(b, GROUP + 1, 0x201, 3);
    pair_done(&both);
}

static void test_absent(void **state) {
    (void)state;
    const lw_params hw = colt(LW_COLT_NONE);
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    map_group(b);
    start(b);
    bench_write(b, LW_CTL_FEATURES, COLT_ENABLE);
    assert_field(b, LW_F_CONTROL_FEATURES, 0, 0);
    expect(b, GROUP, 0x200, 0);
    pair_done(&both);
}

/* R9.6: each entry that the line answers gets the links of its own group. */
static void test_coalesced(void **state) {
    (void)state;
    const lw_params hw = colt(LW_COLT_LINKS);
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    b->latency = 40;
    map_group(b);
    bench_map(b, PASID, GROUP + 4, 0x900);
    map_run(b, GROUP + 5, 2, 0x600);
    bench_enable(b, MODE_FULL, false, false);
    static const uint8_t page[] = {0, 1, 3, 4, 6, 7};
    for (uint32_t i = 0; i < sizeof page; i++) {
        bench_offer(b, &(bench_page){PASID, 0, GROUP + page[i]});
        bench_step(b);
    }
    step_until(b, LW_F_ANSWER_ANSWER_VALID, 0, 1);
    assert_field(b, LW_F_ANSWER_ANSWER_LEVEL, 0, 3);
    step_until(b, LW_F_BUFFER_DONE, 1, 1);
    /* by slot: the first request's is its walker's, the last one has a fault and walks (R9.5) */
    static const uint8_t links[] = {0, 3, 3, 2, 2};
    for (uint32_t i = 1; i < sizeof links; i++) {
        assert_field(b, LW_F_BUFFER_DONE, i, 1);
        const uint64_t both = bench_peek(b, LW_F_STORE_STORED_LINKS, bench_learnt(b, i) / 8);
        assert_int_equal(both >> (page[i] < 4 ? 0 : 3) & 7, links[i]);
    }
    assert_field(b, LW_F_BUFFER_DONE, sizeof links, 0);
    bench_drain(b);
    assert_int_equal(b->last.kind, LW_NOT_PRESENT);
    assert_int_equal(b->accesses, 5);
    pair_done(&both);
}

/* A subregion goes on whatever its pages' own PTEs say; a large page says more by its SIZE. */
static void test_subregions(void **state) {
    (void)state;
    lw_params hw = mesc();
    hw.colt = LW_COLT_LINKS;
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    const uint64_t whole = FRAME + 512, large = FRAME + 1024;
    bench_map(b, PASID, FRAME, 0x777);
    set_bits(b, PASID, FRAME, C_(0));
    bench_map(b, PASID, whole, 0x6000a);
    set_bits(b, PASID, whole, AC_);
    *bench_pte(b, PASID, large, 2) = UINT64_C(0x40000000) | P_ | RW_ | US_ | PS_;
    start(b);
    for (uint32_t hit = 0; hit < 2; hit++) {
        expect(b, FRAME + 9, 0x777 + 9, 7);
        expect(b, whole + 0x188, 0x6000a + 0x188, 7);
        expect(b, large + 5, 0x40005, 0);
        assert_int_equal(b->last.size, 1);
        assert_int_equal(counter(b, LW_C_SUBREGION_HITS), 3 * hit);
    }
    bench_write(b, LW_CTL_FEATURES, 0x10);
    expect(b, FRAME + 9, 0x777 + 9, 0);
    assert_int_equal(counter(b, LW_C_SUBREGION_HITS), 4);
    pair_done(&both);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_group),      cmocka_unit_test(test_combinations),
        cmocka_unit_test(test_two_groups), cmocka_unit_test(test_disabled),
        cmocka_unit_test(test_absent),     cmocka_unit_test(test_coalesced),
        cmocka_unit_test(test_subregions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
