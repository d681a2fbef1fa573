/* Bimodal insertion in a TLB of one set of four ways (R3.34). */
#include "tests/unit/c_model/iommu_bench.h"

enum { MODE_OFF = 0, PAGES = 8 };

static void begin(bench *b, uint32_t bimodal) {
    lw_params hw = bench_nha;
    hw.tlb_entries = hw.tlb_ways = hw.tlb_partition = 4;
    hw.tlb_bimodal = bimodal;
    bench_init(b, &hw, 1);
    for (uint64_t v = 0; v < PAGES; v++) {
        bench_map(b, 0, v << 12, v + 1);
    }
    bench_enable(b, MODE_OFF, true, false);
}

static void ask(bench *b, uint64_t page) {
    bench_ask(b, 0, page << 12, 0);
    bench_steps(b, 2); /* a fill is written after its response has left */
}

/* One of two new entries is touched: pages 0, 2, 4 and 6 are, page 2 by its hit too. */
static void test_every_second_entry_is_touched(void **state) {
    (void)state;
    static const struct {
        uint8_t page, rank[4];
    } step[] = {
        {0, {0, 1, 2, 3}}, /* into way 0, touched */
        {1, {0, 1, 2, 3}}, /* into way 1 */
        {2, {1, 2, 0, 3}}, /* into way 2, touched */
        {3, {1, 2, 0, 3}}, /* into way 3 */
        {4, {2, 3, 1, 0}}, /* replaces 3, touched */
        {5, {2, 3, 1, 0}}, /* replaces 1 */
        {6, {3, 0, 2, 1}}, /* replaces 5, touched */
        {2, {3, 1, 0, 2}}, /* a hit */
        {7, {3, 1, 0, 2}}, /* replaces 0 */
    };
    static const uint8_t pfn[4] = {8, 7, 3, 5};
    bench b;
    begin(&b, 1);
    for (size_t i = 0; i < sizeof step / sizeof step[0]; i++) {
        ask(&b, step[i].page);
        for (uint32_t w = 0; w < 4; w++) {
            assert_int_equal(bench_peek(&b, LW_F_TLB_RANK_RANK, w), step[i].rank[w]);
        }
    }
    for (uint32_t w = 0; w < 4; w++) {
        assert_int_equal(bench_peek(&b, LW_F_TLB_PFN, w), pfn[w]);
    }
    assert_int_equal(bench_peek(&b, LW_F_TLB_INSERTIONS_INSERTIONS, 0), 0); /* eight, modulo 2 */
    assert_int_equal(lw_iommu_counter(b.u, LW_C_TLB_HITS), 1);
    bench_done(&b);
}

/* What it is for: of five pages, asked for in turn, LRU replaces each just before its use. */
static void test_a_part_of_the_pages_stays(void **state) {
    (void)state;
    enum { ROUNDS = 20, IN_TURN = 5 };
    for (uint32_t bimodal = 0; bimodal <= 8; bimodal += 4) {
        bench b;
        begin(&b, bimodal);
        for (uint32_t i = 0; i < ROUNDS * IN_TURN; i++) {
            ask(&b, i % IN_TURN);
        }
        const uint64_t hits = lw_iommu_counter(b.u, LW_C_TLB_HITS);
        assert_true(bimodal == 0 ? hits == 0 : hits > ROUNDS * IN_TURN / 2);
        bench_done(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_second_entry_is_touched),
        cmocka_unit_test(test_a_part_of_the_pages_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
