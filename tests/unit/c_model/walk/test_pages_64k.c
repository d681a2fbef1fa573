/* Pages of 64 KiB in radix tables (R1.17, R20.4, R20.5, R21.11, R21.19): what their PTEs say to the
 * walk, to those who wait for the same line and to the TLB, and that they say nothing elsewhere. */
#include "tests/unit/c_model/iommu_bench.h"

enum { PAGE = 0x12345, NEXT = PAGE - 1, READ = 0, WRITE = 1, EXECUTE = 2, MODE_FULL = 2 };

#define SIZE(n) (UINT64_C(n) << 9)

static void begin(bench *b, uint32_t pages_64k) {
    lw_params hw = bench_nha;
    hw.pages_64k = pages_64k;
    bench_init(b, &hw, 1);
    b->any_kind = true; /* the bench's own walk knows no sizes */
}

static void assert_last(const bench *b, uint32_t kind, uint32_t size, uint64_t pfn) {
    assert_int_equal(b->last.kind, kind);
    assert_int_equal(b->last.level, kind == LW_OK ? 0 : 1);
    assert_int_equal(b->last.size, size);
    assert_int_equal(b->last.pfn, pfn);
}

/* R1.17, R20.5: sizes and their faults, at their places in the order of R1.6. */
static void test_sizes(void **state) {
    (void)state;
    const uint64_t all = P_ | RW_ | US_;
    const uint64_t aligned = UINT64_C(0xab1f0) | (PAGE & 15), not_so = aligned ^ 8;
    const struct {
        uint64_t pte;
        uint32_t access, kind, size;
    } cases[] = {
        {UINT64_C(0xab777) << 12 | all, READ, LW_OK, 0},
        {aligned << 12 | SIZE(1) | all, READ, LW_OK, 3},
        {(UINT64_C(0xab200) | (PAGE & 511)) << 12 | SIZE(2) | all, WRITE, LW_OK, 1},
        {UINT64_C(0xab777) << 12 | SIZE(3) | all, READ, LW_RESERVED, 0},
        {UINT64_C(1) << 51 | not_so << 12 | SIZE(1) | all, READ, LW_RESERVED, 0},
        {not_so << 12 | SIZE(1) | all, READ, LW_MISALIGNED, 0},
        {(UINT64_C(0xab200) | ((PAGE ^ 256) & 511)) << 12 | SIZE(2) | all, READ, LW_MISALIGNED, 0},
        {not_so << 12 | SIZE(1) | P_ | RW_, READ, LW_MISALIGNED, 0},
        {aligned << 12 | SIZE(1) | P_ | US_, WRITE, LW_PERMISSION, 0},
        {aligned << 12 | SIZE(1) | NX_ | all, EXECUTE, LW_PERMISSION, 0},
        {not_so << 12 | SIZE(3), READ, LW_NOT_PRESENT, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bench b;
        begin(&b, 1);
        *bench_pte(&b, 0, PAGE, 1) = cases[i].pte;
        bench_enable(&b, MODE_FULL, true, false);
        const bool ok = cases[i].kind == LW_OK;
        for (uint32_t n = 0; n < 2; n++) { /* from the walk, and of a translation from the TLB */
            bench_ask(&b, 0, PAGE, cases[i].access);
            assert_last(&b, cases[i].kind, cases[i].size,
                        ok ? cases[i].pte >> 12 & ((UINT64_C(1) << 36) - 1) : 0);
        }
        assert_int_equal(lw_iommu_counter(b.u, LW_C_TLB_HITS), ok);
        bench_done(&b);
    }
}

/* R21.11, R9.10: who is answered from another's line has the size of its own PTE. */
static void test_neighbour(void **state) {
    (void)state;
    bench b;
    begin(&b, 1);
    *bench_pte(&b, 0, PAGE, 1) = UINT64_C(0x777) << 12 | P_ | US_;
    *bench_pte(&b, 0, NEXT, 1) = (UINT64_C(0x880) | (NEXT & 15)) << 12 | SIZE(1) | P_ | US_;
    bench_enable(&b, MODE_FULL, true, false);
    bench_offer(&b, &(bench_page){0, READ, PAGE});
    while (b.in.req_valid) {
        bench_step(&b);
    }
    bench_ask(&b, 0, NEXT, READ);
    assert_last(&b, LW_OK, 3, 0x880 | (NEXT & 15));
    assert_int_equal(lw_iommu_counter(b.u, LW_C_WALKS), 1);
    bench_done(&b);
}

/* R3.22: an invalidation of any of its sixteen pages finds what is held of it, and no other does.
 */
static void test_invalidation(void **state) {
    (void)state;
    const uint64_t inside = PAGE ^ 15, outside = PAGE ^ 16;
    bench b;
    begin(&b, 1);
    *bench_pte(&b, 0, PAGE, 1) = (UINT64_C(0x880) | (PAGE & 15)) << 12 | SIZE(1) | P_ | US_;
    bench_enable(&b, MODE_FULL, true, false);
    bench_ask(&b, 0, PAGE, READ);
    const uint64_t pages[] = {outside, inside};
    for (uint32_t n = 0; n < 2; n++) {
        b.in.inv_valid = true;
        b.in.inv_type = 0;
        b.in.inv_first = pages[n];
        bench_steps(&b, 100);
        bench_ask(&b, 0, PAGE, READ);
        assert_int_equal(lw_iommu_counter(b.u, LW_C_TLB_HITS), 1);
    }
    bench_done(&b);
}

/* R1.3: without PAGES_64K these bits of a radix table are software's own, at level 1 and above. */
static void test_ignored(void **state) {
    (void)state;
    for (uint32_t pages_64k = 0; pages_64k < 2; pages_64k++) {
        bench b;
        begin(&b, pages_64k);
        *bench_pte(&b, 0, PAGE, 2) = UINT64_C(0x40200000) | SIZE(3) | P_ | US_ | PS_;
        *bench_pte(&b, 1, PAGE, 1) = UINT64_C(0x123) << 12 | SIZE(1) | P_ | US_;
        bench_enable(&b, MODE_FULL, true, false);
        bench_ask(&b, 0, PAGE, READ);
        assert_last(&b, LW_OK, 1, 0x40200 | (PAGE & 511));
        bench_ask(&b, 1, PAGE, READ);
        assert_last(&b, pages_64k != 0 ? LW_MISALIGNED : LW_OK, 0, pages_64k != 0 ? 0 : 0x123);
        bench_done(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_neighbour),
        cmocka_unit_test(test_invalidation),
        cmocka_unit_test(test_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
