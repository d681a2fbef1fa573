/* Walks of hashed tables and those that wait beside them: a unit with two PASIDs, a line of pages
 * of each size, and where a walk and a waiting entry stand. */
#ifndef LW_TESTS_UNIT_C_MODEL_HASHED_NEIGHBOURS_H
#define LW_TESTS_UNIT_C_MODEL_HASHED_NEIGHBOURS_H

#include "tests/unit/c_model/hashed_pasids.h"

enum { LATENCY = 20 };
enum { OFF, LEAF, FULL };
enum { MEM = 6, SCAN = 1, MARK = 1 };

/* A page at the beginning of its line; FURTHER is in another region of its 16 MiB. */
#define PAGE UINT64_C(0x123456788)
#define FURTHER (PAGE ^ 512)

static inline void begin_with(hashed *h, uint32_t walkers, uint32_t mode, bool home_first) {
    lw_params hw = hashed_hw;
    hw.walkers = walkers;
    begin_pasids(h, &hw, LATENCY, PAGE);
    h->judged = true;
    hashed_enable(h, mode, true, home_first);
}

static inline void begin(hashed *h, uint32_t mode, bool home_first) {
    begin_with(h, hashed_hw.walkers, mode, home_first);
}

/* Eight pages of each size beside each other, and one that is RESERVED. */
static inline void map_line(hashed *h, uint32_t step) {
    static const uint64_t hints[] = {0, 1, 2, 1, 0, 2, 3, 1};
    hashed_put_region(h, PASID, PAGE, step);
    for (uint64_t i = 0; i < 8; i++) {
        const uint64_t vpn = PAGE + i, frame = UINT64_C(0x4200000) + (vpn & 511);
        hashed_put_pte(h, PASID, vpn, step, frame << 12 | hints[i] << 9 | P_ | RW_ | US_);
    }
}

static inline uint64_t peek(const hashed *h, lw_field f, uint32_t i) {
    return bench_peek(&h->b, f, i);
}

/* The walker that is in a state with a WHERE, or WALKERS. */
static inline uint32_t walker_in(const hashed *h, uint32_t state, uint32_t where) {
    uint32_t i = 0;
    while (i < h->b.hw.walkers &&
           (peek(h, LW_F_PWST_STATE, i) != state || peek(h, LW_F_PWST_WHERE, i) != where)) {
        i++;
    }
    return i;
}

static inline uint32_t await(hashed *h, uint32_t state, uint32_t where) {
    for (uint32_t n = 0; walker_in(h, state, where) == h->b.hw.walkers; n++) {
        assert_true(n < 500);
        hashed_step(h);
    }
    return walker_in(h, state, where);
}

/* The slot of the entry that is inserted last. */
static inline uint32_t last_slot(const hashed *h) {
    const uint64_t tail = peek(h, LW_F_BUFFER_RING_TAIL, 0);
    return (uint32_t)(tail + h->b.hw.buffer_entries - 1) % h->b.hw.buffer_entries;
}

/* Offers a page and steps until it is an entry (decided in 2, inserted in 3). */
static inline uint32_t insert(hashed *h, uint64_t vpn) {
    hashed_offer(h, PASID, vpn);
    for (uint32_t n = 1; n < 4; n++) {
        hashed_step(h);
    }
    assert_int_equal(peek(h, LW_F_BUFFER_VALID, last_slot(h)), 1);
    assert_int_equal(peek(h, LW_F_BUFFER_VPN, last_slot(h)), vpn);
    return last_slot(h);
}

#endif
