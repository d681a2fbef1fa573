/* Runs of the GPU with a fake unit behind it, for the tests of the GPU. */
#ifndef LW_TESTS_UNIT_SIM_GPU_GPU_RUN_H
#define LW_TESTS_UNIT_SIM_GPU_GPU_RUN_H

#include "sim/kernels/kernel_list.h"
#include "tests/unit/sim/gpu/fake_unit.h"

#include "c_model/base/ports.h"
#include "sim/gpu/gpu.h"
#include "tests/unit/sim/gpu/hand_workload.h"

/* NHA's GPU but for what a test changes. */
#define NHA_GPU                                                                                    \
    .cus = 8, .simds = 4, .waves = 10, .issue_period = 1, .l1_entries = 32, .l1_probes = 2,        \
    .l2_entries = 512, .l2_ways = 16, .l2_latency = 10, .l2_lookups = 2, .l2_mshrs = 1024

static const lw_gpu_params nha = {NHA_GPU};

static inline lw_workload *open_kernel(const char *name, uint64_t size, uint64_t max_iters,
                                       uint64_t launches, uint64_t groups) {
    const lw_workload_params params = {.size = size, .max_iters = max_iters};
    lw_error err = {0};
    lw_workload *w = lw_workload_open(name, &params, &err);
    assert_string_equal(err.text, "");
    lw_workload_cut(w, launches, groups);
    return w;
}

typedef struct outcome {
    fake_unit *unit;
    lw_front_statistics statistics;
} outcome;

/* Runs workloads[0..n-1] to the end and closes them. */
static inline outcome run_all(const lw_gpu_params *params, lw_workload **workloads, uint32_t n,
                              fake_config config) {
    lw_front_end front;
    lw_error err = {0};
    outcome o;
    if (!lw_gpu_new(params, workloads, n, &front, &err)) {
        fail_msg("%s", err.text);
    }
    o.unit = fake_run(&front, config);
    lw_gpu_statistics(&front, &o.statistics);
    front.free(front.self);
    for (uint32_t i = 0; i < n; i++) {
        lw_workload_close(workloads[i]);
    }
    return o;
}

static inline outcome run_one(const lw_gpu_params *params, lw_workload *w, fake_config config) {
    assert_non_null(w);
    return run_all(params, &w, 1, config);
}

#endif
