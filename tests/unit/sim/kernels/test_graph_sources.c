/* BFS, SSSP and Color against their public sources (docs/workloads.md sections 4 and 5), each
 * written down once more as plain loops over its graph. */
#include "tests/unit/sim/kernels/graph_bench.h"
#include "tests/unit/sim/kernels/source_tally.h"

static void bfs(const lw_vertex_walk *walk) {
    enum { NODES, EDGES, MASK, UPDATING, VISITED, COST, OVER };
    const lw_graph *g = &walk->graph;
    uint8_t *mask = calloc(g->vertices, 3);
    assert_non_null(mask);
    uint8_t *updating = mask + g->vertices;
    uint8_t *visited = updating + g->vertices;
    mask[0] = visited[0] = 1;
    for (bool over = true; over;) {
        over = false;
        for (uint32_t t = 0; t < g->vertices; t++) {
            item_is(t);
            rd(MASK, t);
            if (!mask[t]) {
                continue;
            }
            mask[t] = 0;
            wr(MASK, t), rd(NODES, t), rd(NODES, t);
            for (uint32_t e = g->row[t]; e < g->row[t + 1]; e++) {
                rd(EDGES, e), rd(VISITED, g->col[e]);
                if (!visited[g->col[e]]) {
                    rd(COST, t), wr(COST, g->col[e]), wr(UPDATING, g->col[e]);
                    updating[g->col[e]] = 1;
                }
            }
        }
        launch++;
        for (uint32_t t = 0; t < g->vertices; t++) {
            item_is(t);
            rd(UPDATING, t);
            if (updating[t]) {
                wr(MASK, t), wr(VISITED, t), wr(OVER, 0), wr(UPDATING, t);
                mask[t] = visited[t] = 1;
                updating[t] = 0;
                over = true;
            }
        }
        launch++;
    }
    free(mask);
}

static void sssp(const lw_vertex_walk *walk) {
    enum { ROW, COL, DATA, V1, V2, STOP };
    const lw_graph *g = &walk->graph;
    uint64_t *v1 = calloc(g->vertices, 2 * sizeof *v1);
    assert_non_null(v1);
    uint64_t *v2 = v1 + g->vertices;
    for (uint32_t t = 0; t < g->vertices; t++) {
        item_is(t);
        wr(V1, t), wr(V2, t);
        v1[t] = v2[t] = t == 0 ? 0 : UINT32_MAX;
    }
    launch++;
    bool stop = false;
    for (uint32_t round = 1; round < g->vertices && !stop; round++) {
        stop = true;
        for (uint32_t t = 0; t < g->vertices; t++) {
            item_is(t);
            rd(V2, t), wr(V1, t);
            v1[t] = v2[t];
        }
        launch++;
        for (uint32_t t = 0; t < g->vertices; t++) {
            item_is(t);
            rd(ROW, t), rd(ROW, (uint64_t)t + 1), rd(V1, t);
            for (uint32_t e = g->row[t]; e < g->row[t + 1]; e++) {
                const uint64_t way = v1[g->col[e]] + walk->weights[e];
                rd(DATA, e), rd(COL, e), rd(V1, g->col[e]);
                if (way < v2[t]) { /* the sum that has been compared is there once more */
                    src(DATA, e), src(COL, e), src(V1, g->col[e]);
                    v2[t] = way;
                }
            }
            wr(V2, t);
        }
        launch++;
        for (uint32_t t = 0; t < g->vertices; t++) {
            item_is(t);
            rd(V2, t), rd(V1, t);
            if (v1[t] != v2[t]) {
                wr(STOP, 0);
                stop = false;
            }
        }
        launch++;
    }
    free(v1);
}

static void color(const lw_vertex_walk *walk) {
    enum { ROW, COL, NODE_VALUE, COLOR, MAX, STOP };
    const lw_graph *g = &walk->graph;
    const uint32_t *value = walk->data[1];
    uint8_t *colored = calloc(g->vertices, 1);
    uint32_t *max = calloc(g->vertices, sizeof *max);
    assert_non_null(colored);
    assert_non_null(max);
    for (bool stop = false; !stop;) {
        stop = true;
        for (uint32_t t = 0; t < g->vertices; t++) {
            item_is(t);
            const uint32_t last = g->row[t + 1];
            rd(COLOR, t);
            if (colored[t]) {
                continue;
            }
            max[t] = 0;
            rd(ROW, t);
            if (t + 1 < g->vertices) {
                rd(ROW, (uint64_t)t + 1);
            }
            for (uint32_t e = g->row[t]; e < last; e++) {
                const uint32_t u = g->col[e];
                rd(COL, e), rd(COLOR, u);
                if (colored[u] || last - g->row[t] == 1) {
                    continue;
                }
                stop = false;
                wr(STOP, 0), rd(NODE_VALUE, u);
                if (value[u] > max[t]) {
                    rd(NODE_VALUE, u);
                    max[t] = value[u];
                }
            }
            wr(MAX, t);
        }
        launch++;
        for (uint32_t t = 0; t < g->vertices; t++) {
            item_is(t);
            rd(COLOR, t);
            if (!colored[t]) {
                rd(NODE_VALUE, t), rd(MAX, t);
                if (value[t] >= max[t]) {
                    wr(COLOR, t);
                    colored[t] = 1;
                }
            }
        }
        launch++;
    }
    free(colored);
    free(max);
}

static const struct {
    const char *name;
    const lw_vertex_type *type;
    uint64_t size;
    uint32_t group_items;
    void (*source)(const lw_vertex_walk *walk);
    uint8_t bytes[TALLY_ARRAYS]; /* of an element of each array */
} kernels[] = {
    {"bfs", &lw_bfs, 3000, 256, bfs, {8, 4, 1, 1, 1, 4, 1, 1}},
    {"sssp", &lw_sssp, 900, 64, sssp, {4, 4, 4, 4, 4, 4, 1, 1}},
    {"color", &lw_color, 2000, 256, color, {4, 4, 4, 4, 4, 4, 1, 1}},
};

static void test_sources(void **state) {
    (void)state;
    in_order = true;
    for (size_t i = 0; i < COUNT(kernels) * 4; i++) {
        in_memory = i / 2 % 2 != 0;
        const lw_workload_params params = {.size = kernels[i / 4].size,
                                           .seed = i,
                                           .lanes = i % 2 == 0 ? 64 : 32,
                                           .accumulate_in_memory = in_memory};
        bench b = open_bench(kernels[i / 4].type, params);
        tally_shape shape = {.group_items = kernels[i / 4].group_items, .lanes = params.lanes};
        memcpy(shape.bytes, kernels[i / 4].bytes, sizeof shape.bytes);
        tally_begin();
        kernels[i / 4].source(b.walk);
        tally_run(kernels[i / 4].name, b.w, &shape);
        lw_workload_close(b.w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
