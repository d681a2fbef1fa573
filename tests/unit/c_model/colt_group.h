/* A unit with CoLT, groups of pages and questions for a page: for the tests of LINKS and of runs.
 */
#ifndef LW_TESTS_UNIT_C_MODEL_COLT_GROUP_H
#define LW_TESTS_UNIT_C_MODEL_COLT_GROUP_H

#include "tests/unit/c_model/mesc_frames.h"

enum { GROUP = 0x1000, COLT_ENABLE = 0x20 };

/* No PWC, and no coalescing of walks but where a test says so: every miss is a walk of four
 * accesses. */
static inline lw_params colt(uint32_t kind) {
    lw_params hw = bench_nha;
    hw.buffer_entries = 16; /* a small RTL: it is built in seconds */
    hw.walkers = 2;
    hw.pwc_entries = 4;
    hw.pwc_ways = 4;
    hw.colt = kind;
    return hw;
}

/* The places of chapter 18. */
static inline void map_group(bench *b) {
    static const uint16_t frame[] = {0x200, 0x201, 0x202, 0x300};
    for (uint32_t i = 0; i < 4; i++) {
        bench_map(b, PASID, GROUP + i, frame[i]);
    }
}

static inline void map_run(bench *b, uint64_t page, uint32_t pages, uint64_t pfn) {
    for (uint32_t i = 0; i < pages; i++) {
        bench_map(b, PASID, page + i, pfn + i);
    }
}

/* Asks for a page, which is translated, and looks at the answer. */
static inline void expect(bench *b, uint64_t page, uint64_t pfn, uint32_t links) {
    ask(b, page);
    assert_int_equal(b->last.kind, LW_OK);
    assert_true(b->last.pfn == pfn);
    assert_int_equal(b->last.level, links);
}

#endif
