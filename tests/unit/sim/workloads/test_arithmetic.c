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
        uint64_t before; /* of them before a loop, to load what SRC loads in the loop (section 1) */
    } rows[] = {
        /* 4 before the first access, or none; 4 an iteration for the loop, 4 for each sum. */
        {"mvt", 64, 0, 4 + 64 * 8, 4},
        {"mvt_f32", 64, 1, 4 + 64 * 8, 4},
        {"atax", 64, 0, 4 + 64 * 8, 4},
        {"bicg", 64, 1, 4 + 128 * 8, 0},
        {"gesummv", 64, 0, 64 * 12 + 8, 0},
        {"syrk", 64, 0, 8 + 64 * 8, 0},
        {"corr", 64, 0, 4 + 64 * 8 + 16, 0},
        {"corr", 64, 3, 4 + 63 * (4 + 64 * 8), 0},
        {"gramschm", 64, 0, 64 * 8 + 16, 0},
        {"gramschm", 64, 1, 4 + 16, 0},
        {"gramschm", 64, 2, 4 + 64 * 16, 0},
        {"lu", 64, 0, 8 + 16, 0},
        {"lu", 64, 1, 8 + 4, 0},
        {"2dconv", 64, 0, 8 + 36, 0},
        /* 31 steps of 20, 16^2 in triangular loops, a pyramid of 4 steps of 20. */
        {"nw", 64, 0, 8 + 31 * 20, 0},
        {"lud", 64, 0, 256, 0},
        {"lud", 64, 1, 256, 0},
        {"lud", 64, 2, 8 + 64, 0},
        {"hotspot", 64, 0, 16 + 80, 0},
        {"srad", 64, 0, 16 + 80, 0},
        {"srad", 64, 1, 16 + 16 + 80, 0},
        {"backprop", 64, 0, 8 + 8 + 60, 0},
        {"pathfinder", 64, 0, 16 + 20 * 20 + 20, 0},
    };
    for (size_t n = 0; n < 2 * COUNT(rows); n++) {
        const size_t i = n / 2;
        const bool in_memory = n % 2 != 0;
        const uint64_t all = rows[i].cycles - (in_memory ? rows[i].before : 0);
        lw_workload *w =
            open_kernel(rows[i].name, (lw_workload_params){.size = rows[i].size,
                                                           .accumulate_in_memory = in_memory});
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
        if (most != all) {
            fail_msg("%s%s: launch %u has %llu cycles, not %llu", rows[i].name,
                     in_memory ? ", accumulators in memory" : "", rows[i].launch,
                     (unsigned long long)most, (unsigned long long)all);
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
