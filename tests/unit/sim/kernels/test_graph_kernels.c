/* BFS, SSSP and Color: the results against plain sequential algorithms, and what is stored in which
 * launch against the results (docs/workloads.md sections 4 and 5). */
#include "tests/unit/sim/kernels/graph_bench.h"

#include <string.h>

static const lw_array *named(const bench *b, const char *name) {
    for (size_t i = 0; i < LW_KERNEL_ARRAYS; i++) {
        if (strcmp(b->arrays[i].name, name) == 0) {
            return &b->arrays[i];
        }
    }
    fail_msg("no array %s", name);
    return NULL;
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
        /* Random values: of the at most 4 x 3^24 x 10^6 ways over 25 edges fewer than one in 10^6
         * has falling ones, 1 in 26! each. */
        assert_true(most(color, b.walk->graph.vertices) < 25);
        assert_memory_equal(b.walk->data[0], color, b.walk->graph.vertices * sizeof *color);
        free(color);
        lw_workload_close(b.w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bfs_finds_the_levels),
        cmocka_unit_test(test_bfs_at_its_default_size),
        cmocka_unit_test(test_sssp_finds_the_distances),
        cmocka_unit_test(test_color_is_the_sequential_one),
        cmocka_unit_test(test_color_at_the_papers_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
