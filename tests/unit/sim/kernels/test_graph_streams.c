/* BFS, SSSP and Color: the instructions of a wave, the accesses of a round, what a cut leaves
 * alone, and what is refused (docs/workloads.md sections 4 and 5). */
#include "tests/unit/sim/kernels/graph_bench.h"

#include <stdio.h>
#include <string.h>

static void test_sssp_rounds(void **state) {
    (void)state;
    typedef struct tally {
        uint64_t reads[6], writes[6];
    } tally;
    /* One full round on 1000 vertices: lane accesses of each array. */
    bench b = open_bench(&lw_sssp, (lw_workload_params){.size = 1000});
    const uint64_t v = 1000;
    const uint64_t e = b.walk->graph.arcs;
    tally t = {{0}, {0}};
    lw_launch launch;
    lw_wave_inst inst;
    assert_int_equal(e, v * 2840208 / 1207945);
    for (unsigned l = 0; l < 3; l++) { /* init, assign, min-plus */
        assert_int_equal(lw_workload_next_launch(b.w, &launch, NULL), 1);
        assert_int_equal(launch.groups, 16);
        assert_int_equal(launch.waves_in_group, 1);
        for (uint32_t g = 0; g < launch.groups; g++) {
            lw_wave *wave = lw_workload_wave_begin(b.w, g, 0);
            while (lw_workload_wave_next(b.w, wave, &inst) == 1) {
                uint64_t *counts = inst.access == LW_READ ? t.reads : t.writes;
                counts[array_of(b.w, inst.va[__builtin_ctzll(inst.mask)]) - b.arrays] +=
                    (uint64_t)__builtin_popcountll(inst.mask);
            }
            lw_workload_wave_end(b.w, wave);
        }
    }
    const tally expected = {{2 * v, e, e, v + e, v, 0}, {0, 0, 0, 2 * v, 2 * v, 0}};
    assert_memory_equal(&t, &expected, sizeof t);
    lw_workload_close(b.w);
}

/* The first wave's instructions, as in test_tile_kernels.c, with lanes instead of pages. */
static void test_instructions_of_a_wave(void **state) {
    (void)state;
    static const struct {
        const lw_vertex_type *type;
        lw_workload_params params;
        unsigned launch;
        const char *words;
    } rows[] = {
        /* A grid of 2 x 2, each vertex with two neighbours. */
        {&lw_color,
         {.size = 4},
         0,
         "r:color:4 R:row:4 r:row:3 "
         "R:col:4 R:color:4 W:stop:4 r:node_value:4 R:node_value:4 "
         "R:col:4 R:color:4 W:stop:4 r:node_value:4 R:node_value:2 W:max:4 "},
        {&lw_sssp, {.size = 2}, 2, "r:row:2 r:row:2 r:v1:2 R:data:2 r:col:2 R:v1:2 W:v2:2 "},
        {&lw_sssp,
         {.size = 2, .accumulate_in_memory = true},
         2,
         "r:row:2 r:row:2 r:v1:2 R:data:2 r:col:2 R:v1:2 R:data:1 r:col:1 R:v1:1 W:v2:2 "},
        {&lw_sssp, {.size = 2}, 3, "r:v2:2 r:v1:2 W:stop:1 "},
        /* One vertex with four arcs to itself. */
        {&lw_bfs,
         {.size = 1},
         0,
         "r:mask:1 W:mask:1 r:nodes:1 r:nodes:1 R:edges:1 R:visited:1 R:edges:1 R:visited:1 "
         "R:edges:1 R:visited:1 R:edges:1 R:visited:1 "},
        {&lw_bfs, {.size = 1}, 1, "r:updating:1 "},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char words[512] = "";
        size_t used = 0;
        lw_launch launch;
        lw_wave_inst inst;
        bench b = open_bench(rows[i].type, rows[i].params);
        for (unsigned l = 0; l <= rows[i].launch; l++) {
            assert_int_equal(lw_workload_next_launch(b.w, &launch, NULL), 1);
        }
        lw_wave *wave = lw_workload_wave_begin(b.w, 0, 0);
        while (lw_workload_wave_next(b.w, wave, &inst) == 1) {
            assert_true(used + 40 < sizeof words);
            used += (size_t)snprintf(words + used, sizeof words - used, "%c:%s:%d ",
                                     (inst.access == LW_READ ? "rR" : "wW")[inst.dep ? 1 : 0],
                                     array_of(b.w, inst.va[__builtin_ctzll(inst.mask)])->name,
                                     __builtin_popcountll(inst.mask));
        }
        assert_string_equal(words, rows[i].words);
        lw_workload_close(b.w);
    }
}

/* GraphBIG's launches on one vertex with sixteen arcs to itself, a letter an instruction as in
 * test_workload_coverage.c: upper case where one needs what a load before it brings. */
static void test_graphbig_dependence(void **state) {
    (void)state;
    static const struct {
        const lw_vertex_type *type;
        unsigned launch;
        const char *before, *turn;
        unsigned turns;
        const char *after;
    } rows[] = {
        {&lw_graphbig_bfs, 0, "w", "", 0, ""},
        {&lw_graphbig_bfs, 1, "rRr", "RR", 16, ""},
        {&lw_graphbig_sp, 0, "www", "", 0, ""},
        {&lw_graphbig_sp, 1, "rRrr", "RrW", 16, "w"},
        {&lw_graphbig_sp, 2, "rrW", "", 0, ""},
        {&lw_graphbig_kcore, 0, "rrWww", "", 0, ""},
        {&lw_graphbig_kcore, 2, "rR", "", 0, ""},
        {&lw_graphbig_bc, 1, "rRr", "RR", 16, ""},
        {&lw_graphbig_bc, 2, "rrrW", "", 0, ""},
        {&lw_graphbig_cc, 0, "rrWw", "ww", 16, ""},
        /* An item for two arcs; then a vertex that is its own root. */
        {&lw_graphbig_cc, 1, "", "rRrRrW", 2, ""},
        {&lw_graphbig_cc, 2, "rW", "", 0, ""},
        {&lw_graphbig_cc, 3, "RW", "", 0, ""},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char expected[128] = "";
        char letters[128] = "";
        size_t n = 0;
        lw_launch launch;
        lw_wave_inst inst;
        bench b = open_bench(rows[i].type, (lw_workload_params){.size = 1});
        (void)strcat(expected, rows[i].before);
        for (unsigned turn = 0; turn < rows[i].turns; turn++) {
            (void)strcat(expected, rows[i].turn);
        }
        (void)strcat(expected, rows[i].after);
        for (unsigned l = 0; l <= rows[i].launch; l++) {
            assert_int_equal(lw_workload_next_launch(b.w, &launch, NULL), 1);
        }
        lw_wave *wave = lw_workload_wave_begin(b.w, 0, 0);
        while (lw_workload_wave_next(b.w, wave, &inst) == 1) {
            assert_true(n + 1 < sizeof letters);
            letters[n++] = (inst.access == LW_READ ? "rR" : "wW")[inst.dep ? 1 : 0];
        }
        assert_string_equal(letters, expected);
        lw_workload_close(b.w);
    }
}

static void test_a_cut_changes_no_address(void **state) {
    (void)state;
    /* Only group 0 of each launch is walked; the algorithm goes on as if all were. */
    static const lw_vertex_type *const types[] = {&lw_bfs, &lw_sssp, &lw_color};
    for (size_t i = 0; i < COUNT(types); i++) {
        const lw_workload_params params = {.size = 3000, .seed = 7};
        bench whole = open_bench(types[i], params);
        bench cut = open_bench(types[i], params);
        lw_workload_cut(cut.w, 0, 1);
        assert_int_equal(run_bare(&whole), run_bare(&cut));
        assert_memory_equal(whole.walk->data[0], cut.walk->data[0], 3000 * sizeof(uint32_t));
        lw_workload_close(whole.w);
        lw_workload_close(cut.w);
    }
}

static void test_refusals(void **state) {
    (void)state;
    static const lw_vertex_type *const types[] = {&lw_bfs, &lw_sssp, &lw_color};
    for (size_t i = 0; i < COUNT(types); i++) {
        lw_error err = {0};
        const lw_workload_params big = {.size = (1 << 24) + 1};
        assert_null(lw_vertex_open(types[i], &big, &err));
        assert_non_null(strstr(err.text, "size 16777217 is not allowed for"));
        const lw_workload_params high = {.size = 1000, .base_va = (UINT64_C(1) << 47) - 4096};
        assert_null(lw_vertex_open(types[i], &high, &err));
        assert_non_null(strstr(err.text, "past the 47-bit user address space"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sssp_rounds),
        cmocka_unit_test(test_instructions_of_a_wave),
        cmocka_unit_test(test_graphbig_dependence),
        cmocka_unit_test(test_a_cut_changes_no_address),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
