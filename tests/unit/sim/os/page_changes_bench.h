/* Address spaces whose pages the OS changes, one change after the other, for the tests of that. */
#ifndef LW_TESTS_UNIT_SIM_OS_PAGE_CHANGES_BENCH_H
#define LW_TESTS_UNIT_SIM_OS_PAGE_CHANGES_BENCH_H

#include "tests/unit/sim/os/space_walk.h"

#include "common/rng.h"
#include "sim/os/page_changes.h"

/* Neither begins nor ends with a line of entries, and the first has half of its first page and half
 * of its last. */
static const lw_array arrays[] = {
    {"first", UINT64_C(0x10003800), 9 << 12},
    {"second", UINT64_C(0x7f0000005000), 21 << 12},
};

enum { PAGES = 31 };

typedef struct bench {
    lw_system system;
    lw_address_spaces *spaces;
    lw_os_roots *roots;
    lw_page_changes *changes;
    lw_rng rng;
    lw_os_plan plan;
    lw_oracle_answer at_first[PAGES];
} bench;

static inline uint64_t page_at(uint64_t n) {
    return n < 10 ? (arrays[0].base >> 12) + n : (arrays[1].base >> 12) + n - 10;
}

static inline lw_oracle_answer answer(bench *b, uint64_t n) {
    return walk(&b->system, b->spaces, 0, page_at(n), LW_READ);
}

static inline void begin_with(bench *b, lw_system system, const lw_array *list, size_t count,
                              uint32_t processes) {
    lw_error err = {0};
    memset(b, 0, sizeof *b);
    b->system = system;
    lw_rng_seed(&b->rng, 1);
    b->spaces = lw_address_spaces_new(&b->system, 1 << 17, 1, &err);
    for (uint32_t p = 0; p < processes; p++) {
        assert_true(lw_address_spaces_add(b->spaces, list, count, &err));
    }
    b->roots = lw_os_roots_new(b->spaces);
    b->changes = lw_page_changes_new(&b->system, b->spaces, b->roots);
    assert_non_null(b->changes);
}

static inline void begin(bench *b, uint32_t near_changes) {
    lw_system system = make_system("random", LW_SIZE_4K, 4, 48);
    system.near_changes = near_changes;
    begin_with(b, system, arrays, COUNT(arrays), 1);
    for (uint64_t n = 0; n < PAGES; n++) {
        b->at_first[n] = answer(b, n);
        assert_true(b->at_first[n].kind == LW_ORACLE_OK && b->at_first[n].w && b->at_first[n].x);
    }
}

static inline void end(bench *b) {
    lw_page_changes_free(b->changes);
    lw_os_roots_free(b->roots);
    lw_address_spaces_free(b->spaces);
}

/* A change, and what its plan frees. */
static inline void change(bench *b) {
    lw_error err = {0};
    bool more = false;
    assert_true(lw_page_changes_make(b->changes, &b->rng, &b->plan, &err));
    assert_true(b->plan.count >= 1);
    assert_true(b->plan.free_count == 0 ||
                lw_frame_release(lw_address_spaces_frames(b->spaces), b->plan.free_frame,
                                 b->plan.free_count, &err));
    assert_true(lw_page_changes_go_on(b->changes, &b->rng, &b->plan, &more, &err));
    assert_false(more); /* without subregions nothing stands back */
}

#endif
