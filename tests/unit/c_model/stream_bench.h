/* For the tests under random streams: the smallest unit, units with subregions and CoLT in their
 * shapes, and what holds at the end of every run. */
#ifndef LW_TESTS_UNIT_C_MODEL_STREAM_BENCH_H
#define LW_TESTS_UNIT_C_MODEL_STREAM_BENCH_H

#include "tests/unit/c_model/iommu_bench.h"

enum { MODES = 3 };

static const lw_params tiny = {.levels = 4,
                               .pa_width = 40,
                               .pasids = 2,
                               .id_w = 3,
                               .src_w = 2,
                               .tlb_entries = 4,
                               .tlb_ways = 2,
                               .tlb_latency = 1,
                               .tlb_partition = 0,
                               .hit_queue = 1,
                               .miss_queue = 1,
                               .walk_queue = 1,
                               .buffer_entries = 4,
                               .lines = 4,
                               .walkers = 1,
                               .pwc_org = 0,
                               .pwc_entries = 2,
                               .pwc_ways = 2,
                               .pwc_latency = 1,
                               .coalesce = 1,
                               .msc_entries = 4,
                               .msc_ways = 2,
                               .check_queue = 1,
                               .slot_pages = 512};

/* R12.6, and what else every run adds up to. */
static inline void assert_counters(const bench *b) {
    uint64_t attributed = 0;
    for (uint32_t n = LW_C_IDLE_EMPTY; n < LW_C_ATTRIBUTION_END; n++) {
        attributed += lw_iommu_counter(b->u, n);
    }
    assert_int_equal(attributed, b->hw.walkers * lw_iommu_counter(b->u, LW_C_CYCLES));
    assert_int_equal(lw_iommu_counter(b->u, LW_C_CYCLES), b->cycle);
    assert_int_equal(lw_iommu_counter(b->u, LW_C_REQUESTS), b->sent);
    assert_int_equal(lw_iommu_counter(b->u, LW_C_RESPONSES), b->answered);
    assert_int_equal(lw_iommu_counter(b->u, LW_C_PAGE_TABLE_ACCESSES), b->accesses);
    assert_int_equal(lw_iommu_counter(b->u, LW_C_HEAD_READS), b->heads);
    for (uint32_t n = LW_C_MSC_LOOKUPS; n < LW_C_IDLE_EMPTY; n++) {
        const bool there = n < LW_C_STEP_READS ? b->hw.subregions != 0 : b->hw.pwc_org == 2;
        if (!there) {
            assert_int_equal(lw_iommu_counter(b->u, n), 0); /* R14.3 */
        }
    }
    const uint64_t second_hits = lw_iommu_counter(b->u, LW_C_SECOND_HITS);
    const uint64_t lookups = lw_iommu_counter(b->u, LW_C_SECOND_LOOKUPS);
    assert_true(second_hits <= lookups && (b->hw.second_lookup != 0 || lookups == 0));
    /* an entry leaves the buffer as its walk starts, as it is answered, or by a second hit */
    assert_int_equal(lw_iommu_counter(b->u, LW_C_TLB_MISSES),
                     lw_iommu_counter(b->u, LW_C_WALKS) +
                         lw_iommu_counter(b->u, LW_C_COALESCED_ANSWERS) + second_hits);
}

/* Subregions in one of the shapes that they have (chapter 3, R16.13). */
static inline void add_subregions(lw_params *hw, uint64_t shape) {
    hw->subregions = 1;
    hw->par_lookup = shape & 1;
    hw->tlb_partition = shape % 5 == 0 ? 0 : 1 + (uint32_t)(shape % hw->tlb_ways);
    hw->head_first = shape % 4 == 3;
    hw->coalesce = !hw->head_first;
    hw->msc_entries = hw->msc_ways * (shape % 3 == 0 ? 8 : 1);
    hw->check_queue = 1 + shape % 3;
}

/* CoLT: links alone, with subregions or without, or runs in the TLB. */
static inline void add_colt(lw_params *hw, uint64_t shape) {
    if (shape % 3 == 0) {
        add_subregions(hw, shape);
        hw->head_first = 0;
    }
    hw->colt = shape % 3 == 2 ? LW_COLT_FULL : LW_COLT_LINKS;
    hw->par_lookup = shape >> 1 & 1;
}

#endif
