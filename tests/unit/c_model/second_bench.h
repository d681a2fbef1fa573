/* A unit with second lookups (R5.26 to R5.29), and what its tests ask for. */
#ifndef LW_TESTS_UNIT_C_MODEL_SECOND_BENCH_H
#define LW_TESTS_UNIT_C_MODEL_SECOND_BENCH_H

#include "tests/unit/c_model/mesc_frames.h"

enum { MODE_LEAF = 1, COMMIT = 3, SETS = 16 };
enum { LOOKS = 2 }; /* cycles from a pick to its look (R5.18) */
enum { W_IDLE, W_READ, W_PWC_REQ, W_PWC_WAIT, W_CAM, W_REQ, W_MEM, W_RESP };

static inline lw_params second_of(lw_params hw, uint32_t walkers) {
    hw.second_lookup = 1;
    hw.walkers = walkers;
    return hw;
}

static inline bench *begin(pair *p, const lw_params *hw, bool rtl) {
    pair_init(p, hw, rtl);
    p->b.latency = 4;
    return &p->b;
}

static inline void offer(bench *b, uint32_t pasid, uint64_t page, uint32_t access) {
    bench_offer(b, &(bench_page){pasid, access, page});
}

/* Two requests in a row; the first is the only walker's, up to the cycle in which the other's entry
 * can be picked. */
static inline void until_second_pick(bench *b, const bench_page *first, const bench_page *second) {
    bench_offer(b, first);
    bench_step(b);
    bench_offer(b, second);
    bench_step(b);
    step_until(b, LW_F_PWST_STATE, 0, W_MEM);
    step_until(b, LW_F_PWST_STATE, 0, W_IDLE);
}

static inline void assert_counts(bench *b, uint64_t hits, uint64_t lookups, uint64_t second_hits,
                                 uint64_t walks) {
    assert_int_equal(counter(b, LW_C_TLB_HITS), hits);
    assert_int_equal(counter(b, LW_C_SECOND_LOOKUPS), lookups);
    assert_int_equal(counter(b, LW_C_SECOND_HITS), second_hits);
    assert_int_equal(counter(b, LW_C_WALKS), walks);
    assert_int_equal(counter(b, LW_C_GIVEN_BACK), 0);
    assert_empty(b);
}

#endif
