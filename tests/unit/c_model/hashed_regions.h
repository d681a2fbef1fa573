/* What the tests of hashed tables with contiguity bits share: a unit with SUBREGIONS=1, and regions
 * of its table. */
#ifndef LW_TESTS_UNIT_C_MODEL_HASHED_REGIONS_H
#define LW_TESTS_UNIT_C_MODEL_HASHED_REGIONS_H

#include "tests/unit/c_model/hashed_bench.h"

enum { PASID = 3, RADIX_PASID = 6, TREE = 15, LATENCY = 10, LEVELS = 4 };
enum { OFF, LEAF, FULL };
enum { RADIX, VICTIM, LOOKUP, HOME, CACHED, STEPS, KNOWN };
enum { IDLE, CHECK_READ = 2, SCAN = 1, AC = 0x100, REACH_FRAME = 2 };
enum { SUBREGION_ENABLE = 1 << 4, PWC_ENABLE = 1 << 2 };

/* A region, and two others of its group, one of its lower and one of its upper eight; the head of
 * subregion 5, and another page of it. */
#define REGION UINT64_C(0x123456600)
#define SECOND (REGION ^ 1 << 9)
#define UPPER (REGION ^ 8 << 9)
#define HEAD_OF(region) ((region) + 0x140)
#define PAGE_OF(region) ((region) + 0x14d)

static inline lw_params contiguous_hw(void) {
    lw_params hw = hashed_hw;
    hw.subregions = 1;
    hw.tlb_partition = 2;
    hw.check_queue = 4;
    return hw;
}

static inline void begin_with(hashed *h, const lw_params *hw, uint32_t mode, bool home_first) {
    hashed_init(h, hw, 1);
    h->judged = true;
    h->b.latency = LATENCY;
    h->of[PASID] = (hashed_table){
        .table_log = 6, .step_log = 8, .table_frame = 64, .step_frame = 32, .victim = TREE};
    (void)bench_root(&h->b, TREE);
    hashed_tell(h, PASID);
    hashed_enable(h, mode, true, home_first);
}

static inline void begin(hashed *h, uint32_t mode) {
    const lw_params hw = contiguous_hw();
    begin_with(h, &hw, mode, false);
}

static inline uint64_t peek(const hashed *h, lw_field f, uint32_t i) {
    return bench_peek(&h->b, f, i);
}

static inline void put_pte(hashed *h, uint64_t vpn, uint32_t step, uint64_t pfn, uint64_t hint) {
    hashed_put_pte(h, PASID, vpn, step, pfn << 12 | hint << 9 | P_ | RW_ | US_);
}

/* A region whose page i has frame pfn + i. */
static inline void map_region(hashed *h, uint64_t region, uint32_t step, uint64_t pfn) {
    hashed_put_region(h, PASID, region, step);
    for (uint64_t i = 0; i < 512; i++) {
        put_pte(h, region + i, step, pfn + i, 0);
    }
}

/* A region that has nothing but the PTE of one page. */
static inline void map_head(hashed *h, uint64_t vpn, uint32_t step, uint64_t pfn) {
    hashed_put_region(h, PASID, vpn, step);
    put_pte(h, vpn, step, pfn, 0);
}

static inline void assert_read(const hashed *h, uint32_t n, uint64_t line) {
    assert_true(n < h->reads);
    assert_true(h->line[n] == line);
}

/* Asks for a page that has this frame after so many reads, the last in this page's line. */
static inline void ask(hashed *h, uint64_t vpn, uint64_t pfn, uint32_t reads, uint64_t in,
                       uint32_t step) {
    hashed_ask(h, PASID, vpn, 0);
    assert_int_equal(h->b.last.kind, LW_OK);
    assert_true(h->b.last.pfn == pfn);
    assert_int_equal(h->b.last.size, 0);
    assert_int_equal(h->reads, reads);
    assert_read(h, reads - 1, hashed_slot_line(h, PASID, in, step));
}

/* Until the last check is over and what it has joined is in the TLB. */
static inline void settle(hashed *h) {
    for (uint32_t n = 0; n < 4 || peek(h, LW_F_CHECK_STATE, 0) != IDLE ||
                         peek(h, LW_F_CHECK_RING_QUEUE_COUNT, 0) != 0;
         n++) {
        assert_true(n < 5000);
        hashed_step(h);
    }
    hashed_step(h);
    hashed_step(h);
}

#endif
