/* Memory with a hashed page table for the oracle's tests, what a word of it was, and a line that
 * may fail. */
#ifndef LW_TESTS_UNIT_ORACLE_TABLE_IMAGE_H
#define LW_TESTS_UNIT_ORACLE_TABLE_IMAGE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "oracle/hashed_walk.h"

#include <string.h>

/* Slots are the frames 8..15, the step table is 16, the victim buffer's nodes are 17 to 20. */
enum { FRAMES = 24 };
#define TABLE UINT64_C(8)
#define STEPS UINT64_C(16)
#define ROOT UINT64_C(17)

typedef struct image {
    uint64_t words[FRAMES][512];
    uint64_t old_pa, old_value[2], old_until; /* what a word was */
    uint64_t failing_line;
} image;

static inline uint64_t read64(void *ctx, uint64_t pa) {
    image *m = ctx;
    assert_true(pa % 8 == 0 && pa >> 12 < FRAMES);
    return m->words[pa >> 12][pa / 8 % 512];
}

static inline bool old64(void *ctx, uint64_t pa, size_t n, lw_flat_old *old) {
    const image *m = ctx;
    *old = (lw_flat_old){m->old_value[n % 2], m->old_until};
    return n < 2 && pa == m->old_pa && pa != 0;
}

static inline bool line_may_fail(void *ctx, uint64_t line) {
    return ((image *)ctx)->failing_line == line;
}

static inline void clear(image *m) {
    memset(m, 0, sizeof *m);
    m->failing_line = UINT64_MAX;
}

static inline lw_hashed_walk_answer ask(image *m, const lw_hashed_walk_query *q) {
    const lw_flat_image flat = {.read64 = read64, .ctx = m};
    return lw_hashed_walk(&flat, q);
}

static inline bool may(image *m, const lw_hashed_walk_query *q, lw_oracle_answer answer) {
    const lw_flat_image flat = {read64, old64, line_may_fail, m};
    return lw_hashed_walk_may(&flat, q, &answer);
}

#endif
