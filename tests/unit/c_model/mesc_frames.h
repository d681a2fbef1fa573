/* Frames with contiguous subregions for the tests of MESC, and what those ask of the unit. */
#ifndef LW_TESTS_UNIT_C_MODEL_MESC_FRAMES_H
#define LW_TESTS_UNIT_C_MODEL_MESC_FRAMES_H

#include "tests/unit/c_model/iommu_pair.h"

enum { PASID = 3, OTHER_PASID = 5, MODE_OFF = 0, FRAME = 0x80000, PAGES = 64 };
enum { IDLE, LOOKUP, READ, JOIN, FILL, INSERT, DRAIN, COMPARE };
enum { INV_MARK = 1, INV_SWEEP = 2, INV_WALKS = 4, TYPE_PASID = 2 };

/* No coalescing of walks and no PWC: every miss is a walk of four accesses. */
static inline lw_params mesc(void) {
    lw_params hw = bench_nha;
    hw.coalesce = 0;
    hw.subregions = 1;
    return hw;
}

static inline void map_subregion(bench *b, uint32_t pasid, uint64_t frame, uint32_t place,
                                 uint64_t pfn) {
    for (uint32_t page = 0; page < PAGES; page++) {
        bench_map(b, pasid, frame + (uint64_t)place * PAGES + page, pfn + page);
    }
}

static inline void set_bits(bench *b, uint32_t pasid, uint64_t frame, uint64_t bits) {
    *bench_pte(b, pasid, frame, 2) |= bits;
}

/* Eight subregions from `pfn` on; all join, and the C bits say so. */
static inline void map_joined(bench *b, uint32_t pasid, uint64_t frame, uint64_t pfn) {
    for (uint32_t place = 0; place < 8; place++) {
        map_subregion(b, pasid, frame, place, pfn + (uint64_t)place * PAGES);
    }
    set_bits(b, pasid, frame, CONTIG_ & ~AC_);
}

/* Figure 9: S0..S3 join, S4 lies elsewhere, S5 and S6 are not contiguous, S7 stands alone. */
static inline void map_figure9(bench *b) {
    for (uint32_t place = 0; place < 4; place++) {
        map_subregion(b, PASID, FRAME, place, 0x00f87 + (uint64_t)place * PAGES);
    }
    map_subregion(b, PASID, FRAME, 4, 0x0201d);
    map_subregion(b, PASID, FRAME, 7, 0x0205d);
    set_bits(b, PASID, FRAME, C_(0) | C_(1) | C_(2) | C_(3) | C_(4) | C_(7));
}

static inline void start(bench *b) {
    bench_enable(b, MODE_OFF, false, false);
}

/* Until the page's answer has left and what it fills is in the TLB (R3.20), which may be later. */
static inline void ask(bench *b, uint64_t page) {
    bench_offer(b, &(bench_page){PASID, 0, page});
    bench_drain(b);
    bench_steps(b, 3);
}

static inline void step_until(bench *b, lw_field f, uint32_t i, uint64_t value) {
    for (int n = 0; bench_peek(b, f, i) != value; n++) {
        assert_true(n < 5000);
        bench_step(b);
    }
}

/* Until the last check is over and what it has joined is in the TLB. */
static inline void settle(bench *b) {
    bench_steps(b, 4);
    for (int n = 0; bench_peek(b, LW_F_CHECK_STATE, 0) != IDLE ||
                    bench_peek(b, LW_F_CHECK_RING_QUEUE_COUNT, 0) != 0;
         n++) {
        assert_true(n < 5000);
        bench_step(b);
    }
    bench_steps(b, 2); /* the fill's place, and the writing */
}

static inline uint64_t counter(const bench *b, uint32_t number) {
    return lw_iommu_counter(b->u, number);
}

static inline uint32_t subregion_entries(const bench *b) {
    uint32_t n = 0;
    for (uint32_t e = 0; e < b->hw.tlb_entries; e++) {
        n += bench_peek(b, LW_F_TLB_VALID, e) != 0 && bench_peek(b, LW_F_TLB_CLASS, e) != 0;
    }
    return n;
}

/* The partition's nth way in the set of a page's frame. */
static inline uint32_t partition_entry(const bench *b, uint64_t page, uint32_t nth) {
    const uint32_t sets = b->hw.tlb_entries / b->hw.tlb_ways;
    return (uint32_t)(page >> 9 & (sets - 1)) * b->hw.tlb_ways + b->hw.tlb_ways -
           b->hw.tlb_partition + nth;
}

static inline void assert_entry(const bench *b, uint32_t e, uint64_t class, uint64_t tag,
                                uint64_t length, uint64_t pfn) {
    assert_field(b, LW_F_TLB_VALID, e, 1);
    assert_field(b, LW_F_TLB_CLASS, e, class);
    assert_field(b, LW_F_TLB_PASID, e, PASID);
    assert_field(b, LW_F_TLB_TAG, e, tag);
    assert_field(b, LW_F_TLB_LENGTH, e, length);
    assert_field(b, LW_F_TLB_PFN, e, pfn);
    assert_field(b, LW_F_TLB_PERM, e, 3);
    assert_field(b, LW_F_TLB_SIZE, e, 0);
}

#endif
