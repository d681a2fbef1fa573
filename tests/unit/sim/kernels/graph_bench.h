/* A kernel on a graph with its data in sight, for the tests of what it finds and of what it asks
 * for. */
#ifndef LW_TESTS_UNIT_SIM_KERNELS_GRAPH_BENCH_H
#define LW_TESTS_UNIT_SIM_KERNELS_GRAPH_BENCH_H

#include "tests/unit/sim/kernels/workload_walk.h"

#include "sim/kernels/kernels.h"

typedef struct bench {
    lw_vertex_walk *walk;
    lw_workload *w;
    const lw_array *arrays;
} bench;

static inline bench open_bench(const lw_vertex_type *type, lw_workload_params params) {
    lw_error err = {0};
    bench b = {.walk = lw_vertex_new(type, &params, &err)};
    assert_string_equal(err.text, "");
    assert_non_null(b.walk);
    b.w = lw_workload_wrap(&lw_vertex_ops, b.walk, &err);
    assert_non_null(b.w);
    b.arrays = lw_workload_arrays(b.w, &(size_t){0}, NULL);
    return b;
}

/* All launches without walking a wave; their number. */
static inline unsigned run_bare(const bench *b) {
    lw_launch launch;
    unsigned launches = 0;
    while (lw_workload_next_launch(b->w, &launch, NULL) == 1) {
        launches++;
    }
    return launches;
}

#endif
