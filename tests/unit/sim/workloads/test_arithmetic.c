/* The arithmetic between accesses (docs/workloads.md section 6), worked out by hand of one wave of
 * each kernel. */
#include "tests/unit/sim/workloads/workload_walk.h"

/* Cycles of arithmetic of that wave of the first group which has most. */
static void test_arithmetic(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint64_t size;
        unsigned launch;
        uint64_t cycles;
    } rows[] = {
        /* 4 before the first access, or none; 4 an iteration for the loop, 4 for each sum. */
        {"mvt", 64, 0, 4 + 64 * 8},
        {"mvt_f32", 64, 1, 4 + 64 * 8},
        {"atax", 64, 0, 4 + 64 * 8},
        {"bicg", 64, 1, 4 + 128 * 8},
        {"gesummv", 64, 0, 64 * 12 + 8},
        {"syrk", 64, 0, 8 + 64 * 8},
        {"corr", 64, 0, 4 + 64 * 8 + 16},
        {"corr", 64, 3, 4 + 63 * (4 + 64 * 8)},
        {"gramschm", 64, 0, 64 * 8 + 16},
        {"gramschm", 64, 1, 4 + 16},
        {"gramschm", 64, 2, 4 + 64 * 16},
        {"lu", 64, 0, 8 + 16},
        {"lu", 64, 1, 8 + 4},
        {"2dconv", 64, 0, 8 + 36},
        /* 31 steps of 20, 16^2 in triangular loops, a pyramid of 4 steps of 20. */
        {"nw", 64, 0, 8 + 31 * 20},
        {"lud", 64, 0, 256},
        {"lud", 64, 1, 256},
        {"lud", 64, 2, 8 + 64},
        {"hotspot", 64, 0, 16 + 80},
        {"srad", 64, 0, 16 + 80},
        {"srad", 64, 1, 16 + 16 + 80},
        {"backprop", 64, 0, 8 + 8 + 60},
        {"pathfinder", 64, 0, 16 + 20 * 20 + 20},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_workload *w = open_kernel(rows[i].name, (lw_workload_params){.size = rows[i].size});
        lw_launch now;
        uint64_t most = 0;
        for (unsigned l = 0; l <= rows[i].launch; l++) {
            assert_int_equal(lw_workload_next_launch(w, &now, NULL), 1);
        }
        for (uint32_t v = 0; v < now.waves_in_group; v++) {
            lw_wave *wave = lw_workload_wave_begin(w, 0, v);
            lw_wave_inst inst;
            uint64_t cycles = 0;
            while (lw_workload_wave_next(w, wave, &inst, NULL) == 1) {
                cycles += inst.alu;
            }
            most = cycles > most ? cycles : most;
            lw_workload_wave_end(w, wave);
        }
        if (most != rows[i].cycles) {
            fail_msg("%s: launch %u has %llu cycles, not %llu", rows[i].name, rows[i].launch,
                     (unsigned long long)most, (unsigned long long)rows[i].cycles);
        }
        lw_workload_close(w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
