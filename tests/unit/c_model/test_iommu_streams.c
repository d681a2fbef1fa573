/* The twin under random streams, every answer against the reference walk: units of the paper's
 * size, tiny ones, those with subregions and with CoLT in each shape. */
#include "tests/unit/c_model/stream_bench.h"

static void add_counters(const bench *b, uint64_t sum[LW_COUNTERS]) {
    for (uint32_t n = 0; n < LW_COUNTERS; n++) {
        sum[n] += lw_iommu_counter(b->u, n);
    }
}

/* Returns the answers with LINKS. */
static uint64_t run_stream(const lw_params *hw, uint32_t mode, bool pwc, bool skips, uint64_t seed,
                           uint64_t requests, uint64_t sum[LW_COUNTERS]) {
    bench b;
    bench_init(&b, hw, seed);
    bench_pool(&b, 1500, hw->pasids < 4 ? hw->pasids : 4, 2);
    b.latency = 1 + (uint32_t)lw_rng_below(&b.rng, 30);
    b.jitter = (uint32_t)lw_rng_below(&b.rng, 40);
    b.not_ready = (uint32_t)lw_rng_below(&b.rng, 60);
    b.response_not_ready = (uint32_t)lw_rng_below(&b.rng, 60);
    b.request_gap = (uint32_t)lw_rng_below(&b.rng, 60);
    b.errors = seed % 3 == 0 ? 2 : 0;
    bench_enable(&b, mode, pwc, skips);
    bench_run(&b, requests);
    assert_counters(&b);
    assert_empty(&b);
    add_counters(&b, sum);
    bench_done(&b);
    return b.linked;
}

static void test_nha(void **state) {
    (void)state;
    uint64_t sum[LW_COUNTERS] = {0};
    for (uint64_t seed = 0; seed < 12; seed++) {
        lw_params hw = bench_nha;
        hw.pwc_org = seed & 1;
        hw.levels = 4 + (seed >> 1 & 1);
        hw.tlb_latency = 1 + seed % 4;
        hw.tlb_entries = seed % 5 == 0 ? 256 : 32;
        (void)run_stream(&hw, (uint32_t)(seed % MODES), (seed & 4) != 0, (seed & 8) != 0, seed, 800,
                         sum);
    }
    assert_true(sum[LW_C_SAME_NEIGHBOURHOOD] > 0);
}

/* R9.1: MODE 3 is full coalescing as 2 is, cycle by cycle. */
static void test_mode_3(void **state) {
    (void)state;
    enum { MODE_FULL = 2, MODE_3 };
    uint64_t sum[2][LW_COUNTERS] = {{0}};
    for (uint32_t mode = MODE_FULL; mode <= MODE_3; mode++) {
        (void)run_stream(&bench_nha, mode, true, false, 1, 800, sum[mode - MODE_FULL]);
    }
    assert_true(sum[0][LW_C_COALESCED_ANSWERS] > 0 && sum[0][LW_C_COALESCED_LEVELS] > 0);
    assert_memory_equal(sum[0], sum[1], sizeof sum[0]);
}

/* The smallest parameters never hang and answer everything once. */
static void test_tiny(void **state) {
    (void)state;
    uint64_t sum[LW_COUNTERS] = {0};
    for (uint64_t seed = 0; seed < 36; seed++) {
        lw_params hw = tiny;
        hw.walkers = 1 + seed % 3;
        hw.pwc_org = seed >> 1 & 1;
        hw.tlb_latency = 1 + (seed >> 2) % 2;
        hw.pwc_latency = 1 + (seed >> 3) % 8;
        hw.pa_width = seed % 7 == 0 ? 52 : 40;
        hw.coalesce = seed % 11 != 0;
        (void)run_stream(&hw, (uint32_t)(seed % MODES), seed % 4 != 0, seed % 5 == 0, seed, 600,
                         sum);
    }
    assert_true(sum[LW_C_GIVEN_BACK] > 0);
}

/* Subregions in every shape, in tiny units and larger ones. */
static void test_subregions(void **state) {
    (void)state;
    uint64_t sum[LW_COUNTERS] = {0};
    for (uint64_t seed = 0; seed < 60; seed++) {
        lw_params hw = seed % 2 == 0 ? bench_nha : tiny;
        hw.walkers = seed % 2 == 0 ? 1 + seed % 9 : 1 + seed % 3;
        hw.levels = 4 + (seed >> 1 & 1);
        hw.pwc_org = seed >> 2 & 1;
        hw.tlb_entries = hw.tlb_ways << seed % 8;
        add_subregions(&hw, seed / 2);
        (void)run_stream(&hw, (uint32_t)(seed % MODES), seed % 4 != 0, seed % 5 == 0, seed, 600,
                         sum);
    }
    for (uint32_t n = LW_C_MSC_LOOKUPS; n < LW_C_STEP_READS; n++) {
        assert_true(sum[n] > 0);
    }
}

/* LINKS of every answer against the page tables, runs in every shape of a TLB. */
static void test_colt(void **state) {
    (void)state;
    uint64_t hits[3] = {0};
    for (uint64_t seed = 0; seed < 36; seed++) {
        uint64_t sum[LW_COUNTERS] = {0};
        lw_params hw = seed % 2 == 0 ? bench_nha : tiny;
        hw.walkers = seed % 2 == 0 ? 1 + seed % 9 : 1 + seed % 3;
        hw.levels = 4 + (seed >> 1 & 1);
        hw.pwc_org = seed >> 2 & 1;
        hw.tlb_entries = hw.tlb_ways << seed % 8;
        add_colt(&hw, seed / 2);
        const uint64_t linked =
            run_stream(&hw, (uint32_t)(seed % MODES), seed % 4 != 0, seed % 5 == 0, seed, 600, sum);
        assert_true(linked > 100);
        hits[seed / 2 % 3] += sum[LW_C_TLB_HITS];
    }
    assert_true(hits[2] > hits[1]); /* runs hold more pages than the same entries one by one */
}

/* The second lookup (R5.26) in all of these. */
static void test_second_lookup(void **state) {
    (void)state;
    uint64_t sum[LW_COUNTERS] = {0};
    for (uint64_t seed = 0; seed < 48; seed++) {
        lw_params hw = seed % 2 == 0 ? bench_nha : tiny;
        hw.second_lookup = 1;
        hw.walkers = seed % 2 == 0 ? 1 + seed % 9 : 1 + seed % 3;
        hw.levels = 4 + (seed >> 1 & 1);
        hw.pwc_org = seed >> 2 & 1;
        hw.tlb_latency = 1 + seed % 7;
        hw.tlb_entries = hw.tlb_ways << seed % 8;
        if (seed % 3 == 1) {
            add_subregions(&hw, seed / 2);
        } else if (seed % 3 == 2) {
            add_colt(&hw, seed / 2);
        }
        (void)run_stream(&hw, (uint32_t)(seed % MODES), seed % 4 != 0, seed % 5 == 0, seed, 600,
                         sum);
    }
    assert_true(sum[LW_C_SECOND_HITS] > 100 &&
                sum[LW_C_SECOND_LOOKUPS] > 2 * sum[LW_C_SECOND_HITS]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nha),           cmocka_unit_test(test_tiny),
        cmocka_unit_test(test_subregions),    cmocka_unit_test(test_colt),
        cmocka_unit_test(test_second_lookup), cmocka_unit_test(test_mode_3),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
