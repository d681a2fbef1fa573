/* What a miss becomes in the cycle of its insertion (R4.2, R4.3). */
#include "tests/unit/c_model/iommu_pair.h"

enum { PASID = 3, OTHER = 5, MODE_OFF = 0, MODE_LEAF, MODE_FULL };
enum { MEM = 6, INV_MARK = 1, TYPE_PASID = 2, TYPE_ALL = 3, NO_MARK = 4, WRITE = 1, LEVELS = 4 };

/* R4.3: the first CL of page 1 beside a walker that waits for the line of a level of page 0: by
 * the mode, by what the walker's PERM grants, and in the cycle of a mark. */
static void test_first_cl(void **state) {
    (void)state;
    enum { SLOT = 1, INSERTED_AFTER = 3 };
    static const struct {
        uint32_t mode, level, pasid, access, mark, marked, cl;
    } cases[] = {{MODE_FULL, LEVELS, PASID, 0, NO_MARK, 0, LEVELS},
                 {MODE_FULL, 1, PASID, 0, NO_MARK, 0, 1},
                 {MODE_LEAF, LEVELS, PASID, 0, NO_MARK, 0, 0},
                 {MODE_LEAF, 1, PASID, 0, NO_MARK, 0, 1},
                 {MODE_OFF, 1, PASID, 0, NO_MARK, 0, 0},
                 {MODE_FULL, 1, PASID, WRITE, NO_MARK, 0, 0}, /* level 3 has refused writes */
                 {MODE_FULL, LEVELS, PASID, WRITE, NO_MARK, 0, LEVELS},
                 {MODE_FULL, 1, OTHER, 0, NO_MARK, 0, 0},
                 {MODE_FULL, 1, PASID, 0, TYPE_PASID, OTHER, 1},
                 {MODE_FULL, 1, PASID, 0, TYPE_PASID, PASID, 0},
                 {MODE_LEAF, 1, PASID, 0, TYPE_ALL, OTHER, 0}};
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        lw_params hw = bench_nha;
        hw.walkers = 1;
        pair both;
        pair_init(&both, &hw, false);
        bench *b = &both.b;
        bench_map(b, PASID, 0, 1);
        bench_map(b, PASID, 1, 2);
        bench_map(b, OTHER, 1, 3);
        *bench_pte(b, PASID, 0, 3) &= ~RW_;
        bench_enable(b, cases[i].mode, false, false);
        bench_offer(b, &(bench_page){PASID, 0, 0});
        while (bench_peek(b, LW_F_PWST_STATE, 0) != MEM ||
               bench_peek(b, LW_F_PWST_LEVEL, 0) != cases[i].level) {
            assert_true(b->cycle < 1000);
            bench_step(b);
        }
        bench_offer(b, &(bench_page){cases[i].pasid, cases[i].access, 1});
        bench_steps(b, INSERTED_AFTER - 1);
        if (cases[i].mark != NO_MARK) {
            b->in.inv_valid = true;
            b->in.inv_type = cases[i].mark;
            b->in.inv_pasid = cases[i].marked;
        }
        bench_step(b);
        assert_field(b, LW_F_INVALIDATION_STATE, 0, cases[i].mark != NO_MARK ? INV_MARK : 0);
        assert_field(b, LW_F_MISS_MISS_VALID, 0, 1);
        assert_field(b, LW_F_BUFFER_VALID, SLOT, 0);
        bench_step(b);
        assert_field(b, LW_F_BUFFER_VALID, SLOT, 1);
        assert_field(b, LW_F_BUFFER_CL, SLOT, cases[i].cl);
        assert_field(b, LW_F_BUFFER_STALE, SLOT, 0);
        bench_drain(b);
        pair_done(&both);
    }
}

/* R4.3: of two accesses in flight that hold the entry the lower level is its CL, whichever walker
 * makes it. */
static void test_lowest_of_two(void **state) {
    (void)state;
    enum { AFTER = 4, SLOW = 200 };
    static const uint64_t far = UINT64_C(1) << 18;
    for (uint32_t low = 0; low < 2; low++) { /* the walker that is at level 1 */
        lw_params hw = bench_nha;
        hw.walkers = 2;
        pair both;
        pair_init(&both, &hw, false);
        bench *b = &both.b;
        bench_map(b, PASID, 0, 1);
        bench_map(b, PASID, 1, 2);
        bench_map(b, PASID, far, 3);
        bench_enable(b, MODE_FULL, true, false);
        bench_ask(b, PASID, 1, 0); /* so that the walk of page 0 begins at level 1 */
        b->latency = SLOW;
        for (uint32_t i = 0; i < 2; i++) {
            bench_offer(b, &(bench_page){PASID, 0, i == low ? 0 : far});
            bench_step(b);
        }
        bench_steps(b, SLOW / 2);
        for (uint32_t i = 0; i < 2; i++) {
            assert_field(b, LW_F_PWST_STATE, i, MEM);
        }
        const uint32_t at = bench_peek(b, LW_F_PWST_LEVEL, 0) == 1 ? 0 : 1;
        assert_field(b, LW_F_PWST_LEVEL, at, 1);
        assert_field(b, LW_F_PWST_LEVEL, 1 - at, 3);
        const uint32_t slot = (uint32_t)bench_peek(b, LW_F_BUFFER_RING_TAIL, 0);
        bench_offer(b, &(bench_page){PASID, 0, 2});
        bench_steps(b, AFTER);
        assert_field(b, LW_F_BUFFER_VALID, slot, 1);
        assert_field(b, LW_F_BUFFER_CL, slot, 1);
        bench_drain(b);
        pair_done(&both);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_first_cl),
                                       cmocka_unit_test(test_lowest_of_two)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
