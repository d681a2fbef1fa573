/* The arithmetic between accesses (docs/workloads.md section 6), worked out by hand of one wave of
 * each kernel. */
#include "tests/unit/sim/kernels/workload_walk.h"

#include <string.h>

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
        {"corr", 64, 1, 4 + 64 * 8 + 16, 0},
        {"corr", 64, 2, 4 + 4 + 16, 0},
        {"corr", 64, 3, 4 + 63 * (4 + 64 * 8), 0},
        {"covar", 64, 0, 4 + 64 * 8 + 16, 0},
        {"covar", 64, 1, 4 + 4, 0},
        {"covar", 64, 2, UINT64_C(64) * (4 + 64 * 8), 0},
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
        {"backprop", 64, 1, 8 + 8 + 8 + 8 + 8,
         0}, /* two weights each, and both of the hidden units' own */
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
            while (lw_workload_wave_next(w, wave, &inst) == 1) {
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

/* The loops of graphs, whose iterations a wave has as many of as its busiest lane has arcs: counted
 * are the accesses to the arcs' own array, one an iteration. Besides that a wave has at most six
 * steps of four cycles outside of the loop. */
typedef struct arcs {
    const char *kernel, *array;
    unsigned launch; /* the one that is counted, where not all have such a loop; or ALL */
    uint64_t iterations, cycles, most;
} arcs;

enum { ALL = 1000 };

static void count_arcs(void *context, lw_workload *w, const lw_wave_inst *inst, unsigned launch,
                       unsigned index) {
    arcs *a = context;
    if (index == 0) {
        if (a->cycles < 4 * a->iterations || a->cycles > 16 * a->iterations + 24) {
            fail_msg("%s, before launch %u: %llu cycles in %llu iterations", a->kernel, launch,
                     (unsigned long long)a->cycles, (unsigned long long)a->iterations);
        }
        a->most = a->iterations > a->most ? a->iterations : a->most;
        a->iterations = a->cycles = 0;
    }
    if (a->launch == ALL || a->launch == launch) {
        const lw_array *array = array_of(w, inst->va[__builtin_ctzll(inst->mask)]);
        a->iterations += strcmp(array->name, a->array) == 0;
        a->cycles += inst->alu;
    }
}

static void test_graphs(void **state) {
    (void)state;
    arcs rows[] = {
        {"bfs", "edges", ALL, 0, 0, 0},         {"sssp", "col", ALL, 0, 0, 0},
        {"color", "col", ALL, 0, 0, 0},         {"graphbig_bfs", "elist", ALL, 0, 0, 0},
        {"graphbig_sp", "elist", ALL, 0, 0, 0}, {"graphbig_kcore", "elist", ALL, 0, 0, 0},
        {"graphbig_bc", "elist", ALL, 0, 0, 0}, {"graphbig_cc", "src", 0, 0, 0, 0},
        {"graphbig_cc", "elist", 1, 0, 0, 0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_workload *w = open_kernel(rows[i].kernel, (lw_workload_params){.size = 3000});
        run(w, 40, 0, count_arcs, &rows[i]);
        lw_workload_close(w);
        assert_true(rows[i].most > 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
