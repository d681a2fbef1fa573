/* Skipped cycles under random streams, compared by all registers, and what ends a skip. */
#include "tests/unit/c_model/stream_bench.h"

static void assert_equal_units(const lw_params *hw, const lw_iommu *a, const lw_iommu *b) {
    for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
        const uint32_t entries = lw_structure_entries(hw, lw_field_structure(f));
        for (uint32_t i = 0; i < entries; i++) {
            if (lw_iommu_peek(a, f, i) != lw_iommu_peek(b, f, i)) {
                print_error("%s.%s[%u]\n", lw_structure_name(lw_field_structure(f)),
                            lw_field_name(f), i);
                fail();
            }
        }
    }
}

/* A sibling that skips whatever it may is equal in every register. */
static void test_skip(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 30; seed++) {
        lw_params params = seed % 2 == 0 ? bench_nha : tiny;
        const lw_params *hw = &params;
        bench b;
        if (seed >= 24) {
            add_colt(&params, seed / 2);
        } else if (seed >= 8) {
            add_subregions(&params, seed);
        }
        params.second_lookup = seed >> 1 & 1;
        bench_init(&b, hw, seed);
        bench_pool(&b, 600, 2, 2);
        b.latency = 60;
        b.request_gap = 95;
        bench_enable(&b, (uint32_t)(seed % MODES), seed % 3 != 0, false);
        lw_iommu *sibling = lw_iommu_new(hw, NULL);
        assert_non_null(sibling);
        for (uint32_t p = 0; p < hw->pasids; p++) { /* as bench_enable */
            if (b.root[p] != 0) {
                lw_iommu_step(sibling, &(lw_inputs){.rsp_ready = true,
                                                    .mem_req_ready = true,
                                                    .ctl_write = true,
                                                    .ctl_addr = LW_CTL_ROOT + p,
                                                    .ctl_wdata = UINT64_C(1) << 63 | b.root[p]});
            }
        }
        lw_iommu_step(sibling, &(lw_inputs){.ctl_write = true,
                                            .ctl_wdata = bench_peek(&b, LW_F_CONTROL_FEATURES, 0)});
        uint64_t skip = 0, skipped = 0;
        for (uint32_t n = 0; n < 40000; n++) {
            if (lw_rng_below(&b.rng, 500) == 0) {
                b.in.inv_valid = true;
                b.in.inv_type = (uint32_t)lw_rng_below(&b.rng, 4);
                b.in.inv_pasid = (uint32_t)lw_rng_below(&b.rng, 2);
                b.in.inv_last = UINT64_MAX;
            }
            bench_random_cycle(&b, true);
            const lw_inputs in = b.stepped;
            if (!in.req_valid && !in.mem_rsp_valid && !in.inv_valid &&
                lw_iommu_idle_cycles(sibling) > skip) {
                skip++;
                continue;
            }
            lw_iommu_skip(sibling, skip, false);
            skipped += skip;
            skip = 0;
            lw_iommu_step(sibling, &in);
            if (lw_rng_below(&b.rng, 200) == 0) {
                assert_equal_units(hw, b.u, sibling);
            }
        }
        lw_iommu_skip(sibling, skip, false);
        assert_equal_units(hw, b.u, sibling);
        assert_true(skipped > 1000);
        lw_iommu_free(sibling);
        bench_done(&b);
    }
}

/* A bit that is flipped while nothing is under way is acted upon in the next cycle. */
static void test_flip_wakes(void **state) {
    (void)state;
    lw_iommu *u = lw_iommu_new(&bench_nha, NULL);
    lw_outputs out;
    assert_non_null(u);
    for (uint32_t n = 0; n < 3; n++) {
        lw_iommu_step(u, &(lw_inputs){.rsp_ready = true});
        assert_true(lw_iommu_idle_cycles(u) == UINT64_MAX);
    }
    lw_iommu_flip(u, LW_F_RESPONSE_OUT_VALID, 0, 0);
    assert_true(lw_iommu_idle_cycles(u) == 0);
    lw_iommu_outputs(u, &out);
    assert_true(out.rsp_valid);
    lw_iommu_step(u, &(lw_inputs){.rsp_ready = true});
    lw_iommu_outputs(u, &out);
    assert_false(out.rsp_valid);
    lw_iommu_free(u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_skip),
        cmocka_unit_test(test_flip_wakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
