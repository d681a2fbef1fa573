/* One walk of a hashed table at a time: a unit with two PASIDs, the times of a walk's steps, and
 * what is asserted of a read and of an answer. */
#ifndef LW_TESTS_UNIT_C_MODEL_HASHED_WALK_H
#define LW_TESTS_UNIT_C_MODEL_HASHED_WALK_H

#include "tests/unit/c_model/hashed_pasids.h"

enum { LATENCY = 10 };
enum { READ, WRITE, EXECUTE };
enum { PWC_REQ = 2, PWC_WAIT = 3, REQ = 5 };

/* A page, one in another line of its region, and one in another region of its group. */
#define PAGE UINT64_C(0x123456789)
#define BESIDE (PAGE ^ 64)
#define FURTHER (PAGE ^ 512)

/* Cycles from the transfer of a request to its look (chapter 0), and from a lookup's entering to
 * the request for its line: PWC_LATENCY, the result, the request register. */
enum { ENTERS = 7, LOOKUP_TAKES = 4 + 1 + 1 + 1 };
/* From a line's arrival to the next lookup's entering, and to the response. */
enum { SCAN_TAKES = 1 + 1, ANSWER_TAKES = 1 + 1 + 1 };

static inline void begin_with(hashed *h, const lw_params *hw, uint32_t mode, bool pwc,
                              bool home_first) {
    begin_pasids(h, hw, LATENCY, PAGE);
    hashed_enable(h, mode, pwc, home_first);
}

static inline void begin(hashed *h, bool home_first) {
    begin_with(h, &hashed_hw, 0, true, home_first);
}

static inline void assert_answer(const hashed *h, uint32_t kind, uint32_t level, uint64_t pfn,
                                 uint32_t size) {
    assert_int_equal(h->b.last.kind, kind);
    assert_int_equal(h->b.last.level, level);
    assert_true(h->b.last.pfn == pfn);
    assert_int_equal(h->b.last.size, size);
    assert_int_equal(h->b.last.perm, kind == LW_OK ? 3 : 0);
}

static inline void assert_read(const hashed *h, uint32_t n, uint64_t line, uint64_t at) {
    assert_true(n < h->reads);
    assert_true(h->line[n] == line);
    assert_int_equal(h->at[n], at);
}

#endif
