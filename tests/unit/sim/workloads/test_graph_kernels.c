/* BFS, SSSP and Color: the results against plain sequential algorithms, and the streams against
 * the results (docs/workloads.md sections 4 and 5). */
#include "tests/unit/sim/workloads/workload_walk.h"

#include "sim/workloads/kernels.h"

#include <stdio.h>
#include <string.h>

/* A kernel with its data in sight. */
typedef struct bench {
    lw_vertex_walk *walk;
    lw_workload *w;
    const lw_array *arrays;
} bench;

static bench open_bench(const lw_vertex_type *type, lw_workload_params params) {
    lw_error err = {""};
    bench b = {.walk = lw_vertex_new(type, &params, &err)};
    assert_string_equal(err.text, "");
    assert_non_null(b.walk);
    b.w = lw_workload_wrap(&lw_vertex_ops, b.walk, &err);
    assert_non_null(b.w);
    b.arrays = lw_workload_arrays(b.w, &(size_t){0}, NULL);
    return b;
}

static const lw_array *named(const bench *b, const char *name) {
    for (size_t i = 0; i < LW_KERNEL_ARRAYS; i++) {
        if (strcmp(b->arrays[i].name, name) == 0) {
            return &b->arrays[i];
        }
    }
    fail_msg("no array %s", name);
    return NULL;
}

/* All launches without walking a wave; their number. */
static unsigned run_bare(const bench *b) {
    lw_launch launch;
    unsigned launches = 0;
    while (lw_workload_next_launch(b->w, &launch, NULL) == 1) {
        launches++;
    }
    return launches;
}

/* For each element of an array, in which launch (+ 1) it was stored to last. */
typedef struct store_log {
    const lw_array *array;
    unsigned element;
    uint32_t *launch;
} store_log;

static void log_stores(void *context, lw_workload *w, const lw_wave_inst *inst, unsigned launch,
                       unsigned index) {
    (void)index;
    const store_log *log = context;
    for (uint64_t left = inst->mask; left != 0; left &= left - 1) {
        const uint64_t va = inst->va[__builtin_ctzll(left)];
        const lw_array *array = array_of(w, va);
        if (inst->access == LW_WRITE && array == log->array) {
            log->launch[(va - array->base) / log->element] = launch + 1;
        }
    }
}

/* ---------------------------------------------------------------- BFS */

/* Levels from vertex 0, UINT32_MAX where there is none; the number of levels. */
static uint32_t levels_of(const lw_graph *g, uint32_t *level) {
    uint32_t *queue = calloc(g->vertices, sizeof *queue);
    uint32_t tail = 1;
    assert_non_null(queue);
    memset(level, 0xff, g->vertices * sizeof *level);
    level[0] = 0;
    for (uint32_t head = 0; head < tail; head++) {
        const uint32_t t = queue[head];
        for (uint32_t e = g->row[t]; e < g->row[t + 1]; e++) {
            if (level[g->col[e]] == UINT32_MAX) {
                level[g->col[e]] = level[t] + 1;
                queue[tail++] = g->col[e];
            }
        }
    }
    const uint32_t levels = level[queue[tail - 1]] + 1;
    free(queue);
    return levels;
}

static void test_bfs_finds_the_levels(void **state) {
    (void)state;
    static const uint64_t sizes[] = {1, 2, 63, 300, 20000};
    for (size_t i = 0; i < COUNT(sizes) * 4; i++) {
        const uint64_t v = sizes[i / 4];
        bench b = open_bench(
            &lw_bfs,
            (lw_workload_params){.size = v, .seed = i / 2 % 2, .lanes = i % 2 == 0 ? 64 : 32});
        store_log log = {named(&b, "cost"), 4, calloc(v, sizeof(uint32_t))};
        uint32_t *level = calloc(v, sizeof *level);
        assert_non_null(log.launch);
        assert_non_null(level);
        const uint32_t levels = levels_of(&b.walk->graph, level);
        assert_int_equal(run(b.w, 0, 0, log_stores, &log), 2 * levels);
        assert_memory_equal(b.walk->data[0], level, v * sizeof *level);
        /* The stream: level L's k1 (launch 2L) stores the costs of level L + 1. */
        for (uint64_t t = 1; t < v; t++) {
            const uint32_t expected = level[t] == UINT32_MAX ? 0 : 2 * (level[t] - 1) + 1;
            assert_int_equal(log.launch[t], expected);
        }
        free(level);
        free(log.launch);
        lw_workload_close(b.w);
    }
}

static void test_bfs_at_its_default_size(void **state) {
    (void)state;
    bench b = open_bench(&lw_bfs, (lw_workload_params){.seed = 1});
    uint32_t *level = calloc(1000000, sizeof *level);
    assert_non_null(level);
    assert_int_equal(run_bare(&b), 2 * levels_of(&b.walk->graph, level));
    assert_memory_equal(b.walk->data[0], level, 1000000 * sizeof *level);
    free(level);
    lw_workload_close(b.w);
}

/* ---------------------------------------------------------------- SSSP */

/* Dijkstra, with a plain search for the nearest vertex. An arc out of t is a way into t, as the
 * kernel pulls: it matters where one edge is one-way. */
static void distances_of(const lw_vertex_walk *walk, uint32_t *distance) {
    const lw_graph *g = &walk->graph;
    uint8_t *done = calloc(g->vertices, 1);
    assert_non_null(done);
    memset(distance, 0xff, g->vertices * sizeof *distance);
    distance[0] = 0;
    for (;;) {
        uint32_t nearest = UINT32_MAX;
        for (uint32_t t = 0; t < g->vertices; t++) {
            if (!done[t] && distance[t] != UINT32_MAX &&
                (nearest == UINT32_MAX || distance[t] < distance[nearest])) {
                nearest = t;
            }
        }
        if (nearest == UINT32_MAX) {
            break;
        }
        done[nearest] = 1;
        for (uint32_t t = 0; t < g->vertices; t++) {
            for (uint32_t e = g->row[t]; e < g->row[t + 1]; e++) {
                const uint32_t through = distance[nearest] + walk->weights[e];
                if (g->col[e] == nearest && through < distance[t]) {
                    distance[t] = through;
                }
            }
        }
    }
    free(done);
}

typedef struct stop_log {
    const lw_array *stop;
    unsigned last; /* launch (+ 1) with a store to it */
} stop_log;

static void log_stop(void *context, lw_workload *w, const lw_wave_inst *inst, unsigned launch,
                     unsigned index) {
    (void)index;
    stop_log *log = context;
    if (array_of(w, inst->va[__builtin_ctzll(inst->mask)]) == log->stop) {
        assert_int_equal(inst->access, LW_WRITE);
        assert_int_equal(launch % 3, 0);
        log->last = launch + 1;
    }
}

static void test_sssp_finds_the_distances(void **state) {
    (void)state;
    static const uint64_t sizes[] = {1, 2, 3, 5, 64, 100, 900, 1001};
    for (size_t i = 0; i < COUNT(sizes) * 2; i++) {
        const uint64_t v = sizes[i / 2];
        bench b = open_bench(&lw_sssp, (lw_workload_params){.size = v, .seed = i});
        uint32_t *distance = calloc(v, sizeof *distance);
        assert_non_null(distance);
        distances_of(b.walk, distance);
        for (uint32_t e = 0; e < b.walk->graph.arcs; e++) {
            assert_in_range(b.walk->weights[e], 1, 10000);
        }
        stop_log log = {named(&b, "stop"), 0};
        const unsigned launches = run(b.w, 0, 0, log_stop, &log);
        assert_memory_equal(b.walk->data[1], distance, v * sizeof *distance);
        /* init, then rounds of three; at most V - 1; the last but that bound changes nothing. */
        assert_int_equal(launches % 3, 1);
        assert_true((launches - 1) / 3 <= v - 1);
        if ((launches - 1) / 3 < v - 1) {
            assert_int_equal(log.last, launches - 3);
            assert_memory_equal(b.walk->data[0], distance, v * sizeof *distance);
        }
        free(distance);
        lw_workload_close(b.w);
    }
}

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
            while (lw_workload_wave_next(b.w, wave, &inst, NULL) == 1) {
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

/* ---------------------------------------------------------------- Color */

static int by_falling_value(const void *a, const void *b, void *values) {
    const uint32_t *value = values;
    const uint32_t x = value[*(const uint32_t *)a];
    const uint32_t y = value[*(const uint32_t *)b];
    return x > y ? -1 : x < y ? 1 : 0;
}

/* From the greatest value down: one colour past those of the greater neighbours, as each of them
 * has to go first; a vertex with a single arc waits for none. */
static void colors_of(const lw_vertex_walk *walk, uint32_t *color) {
    const lw_graph *g = &walk->graph;
    uint32_t *order = calloc(g->vertices, sizeof *order);
    assert_non_null(order);
    for (uint32_t t = 0; t < g->vertices; t++) {
        order[t] = t;
    }
    qsort_r(order, g->vertices, sizeof *order, by_falling_value, walk->data[1]);
    for (uint32_t i = 0; i < g->vertices; i++) {
        const uint32_t t = order[i];
        color[t] = 0;
        for (uint32_t e = g->row[t]; e < g->row[t + 1] && g->row[t + 1] - g->row[t] > 1; e++) {
            const uint32_t u = g->col[e];
            if (walk->data[1][u] > walk->data[1][t] && color[u] >= color[t]) {
                color[t] = color[u] + 1;
            }
        }
    }
    free(order);
}

static uint32_t most(const uint32_t *values, uint64_t count) {
    uint32_t max = 0;
    for (uint64_t i = 0; i < count; i++) {
        max = values[i] > max ? values[i] : max;
    }
    return max;
}

static void test_color_is_the_sequential_one(void **state) {
    (void)state;
    static const uint64_t sizes[] = {1, 2, 3, 4, 100, 257, 5000};
    for (size_t i = 0; i < COUNT(sizes) * 2; i++) {
        const uint64_t v = sizes[i / 2];
        bench b = open_bench(
            &lw_color, (lw_workload_params){.size = v, .seed = i, .lanes = i % 2 == 0 ? 64 : 32});
        const lw_graph *g = &b.walk->graph;
        store_log log = {named(&b, "color"), 4, calloc(v, sizeof(uint32_t))};
        uint32_t *color = calloc(v, sizeof *color);
        assert_non_null(log.launch);
        assert_non_null(color);
        colors_of(b.walk, color);
        const unsigned launches = run(b.w, 0, 0, log_stores, &log);
        assert_memory_equal(b.walk->data[0], color, v * sizeof *color);
        assert_int_equal(launches, 2 * (most(color, v) + 1));
        for (uint32_t t = 0; t < v; t++) {
            /* The stream: round r's k2 (launch 2r + 1) stores the vertices of colour r. */
            assert_int_equal(log.launch[t], 2 * color[t] + 2);
            for (uint32_t e = g->row[t]; e < g->row[t + 1]; e++) {
                const bool single = g->row[t + 1] - g->row[t] == 1 ||
                                    g->row[g->col[e] + 1] - g->row[g->col[e]] == 1;
                assert_true(single || color[t] != color[g->col[e]]);
            }
        }
        free(color);
        free(log.launch);
        lw_workload_close(b.w);
    }
}

static void test_color_at_the_papers_sizes(void **state) {
    (void)state;
    static const struct { uint64_t size, bytes; } rows[] = {{0, 31984004}, {1070376, 27977212}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        bench b = open_bench(&lw_color, (lw_workload_params){.size = rows[i].size});
        uint32_t *color = calloc(b.walk->graph.vertices, sizeof *color);
        uint64_t bytes = 0;
        assert_non_null(color);
        for (size_t a = 0; a < 6; a++) {
            bytes += b.arrays[a].bytes;
        }
        assert_int_equal(bytes, rows[i].bytes);
        colors_of(b.walk, color);
        assert_int_equal(run_bare(&b), 2 * (most(color, b.walk->graph.vertices) + 1));
        assert_memory_equal(b.walk->data[0], color, b.walk->graph.vertices * sizeof *color);
        free(color);
        lw_workload_close(b.w);
    }
}

/* ---------------------------------------------------------------- instructions */

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
        while (lw_workload_wave_next(b.w, wave, &inst, NULL) == 1) {
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
        lw_error err = {""};
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
        cmocka_unit_test(test_bfs_finds_the_levels),
        cmocka_unit_test(test_bfs_at_its_default_size),
        cmocka_unit_test(test_sssp_finds_the_distances),
        cmocka_unit_test(test_sssp_rounds),
        cmocka_unit_test(test_color_is_the_sequential_one),
        cmocka_unit_test(test_color_at_the_papers_sizes),
        cmocka_unit_test(test_instructions_of_a_wave),
        cmocka_unit_test(test_a_cut_changes_no_address),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
