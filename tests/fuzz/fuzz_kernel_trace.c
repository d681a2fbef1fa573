/* A kernel file of an Accel-Sim trace, whole and cut: each of its instructions has the addresses of
 * its lanes. */
#include "sim/traces/trace_kernel.h"
#include "tests/fuzz/fuzz.h"

static void look_at(const lw_trace_kernel *kernel) {
    uint64_t va[LW_WARP], lanes = 0;
    for (size_t i = 0; i < kernel->inst_count; i++) {
        lw_trace_addresses(kernel, &kernel->insts[i], va);
        for (uint32_t lane = 0; lane < LW_WARP; lane++) {
            const bool is_canonical = (int64_t)(va[lane] << 16) >> 16 == (int64_t)va[lane];
            fuzz_must((kernel->insts[i].mask >> lane & 1) == 0 || is_canonical,
                      "an address of 48 bits");
        }
        lanes += (uint64_t)__builtin_popcount(kernel->insts[i].mask);
    }
    fuzz_must(lanes == kernel->lane_accesses, "as many addresses as the kernel says");
    for (size_t i = 0; i < kernel->span_count; i++) {
        fuzz_must(kernel->spans[i].begin <= kernel->spans[i].end &&
                      kernel->spans[i].end <= kernel->inst_count,
                  "a warp's instructions are the kernel's");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *path = fuzz_file("kernel-1.traceg", data, size);
    for (int partial = 0; partial < 2; partial++) {
        lw_trace_kernel kernel;
        lw_error err = {0};
        if (lw_trace_kernel_read(&kernel, path, partial != 0, &err)) {
            look_at(&kernel);
            lw_trace_kernel_free(&kernel);
        } else {
            fuzz_must_refuse(&err, path);
        }
    }
    return 0;
}
