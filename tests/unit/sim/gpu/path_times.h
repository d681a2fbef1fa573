/* When the lines of a table were asked of a data path, left its caches and were answered, for the
 * tests of the path alone. */
#ifndef LW_TESTS_UNIT_SIM_GPU_PATH_TIMES_H
#define LW_TESTS_UNIT_SIM_GPU_PATH_TIMES_H

#include "sim/gpu/data_path.h"
#include "tests/unit/sim/gpu/fake_unit.h"

enum { MAX_ASKS = 160 };

typedef struct path_times {
    uint64_t now;
    uint64_t asked[MAX_ASKS], done[MAX_ASKS], left[MAX_ASKS]; /* cycles; `left`: for memory */
    size_t answered;
} path_times;

/* lw_data_path_params.done and .leaves_caches, with a path_times: each of a line once. */
static inline void line_is_done(void *ctx, uint32_t who, lw_data_place from) {
    path_times *t = ctx;
    assert_int_equal(t->done[who], 0);
    assert_int_equal(from == LW_DATA_IN_MEMORY, t->left[who] != 0);
    t->done[who] = t->now;
    t->answered++;
}

static inline void line_leaves(void *ctx, uint32_t who) {
    path_times *t = ctx;
    assert_int_equal(t->left[who], 0);
    t->left[who] = t->now;
}

#endif
