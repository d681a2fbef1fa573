/* The generated graphs (docs/workloads.md section 5): exact sizes, symmetry, degrees, connectivity,
 * and that only the seed decides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/kernels/graph.h"

#include <stdlib.h>
#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

static bool has_arc(const lw_graph *g, uint32_t from, uint32_t to) {
    for (uint32_t e = g->row[from]; e < g->row[from + 1]; e++) {
        if (g->col[e] == to) {
            return true;
        }
    }
    return false;
}

/* Arcs without one back. */
static unsigned one_way(const lw_graph *g) {
    unsigned count = 0;
    for (uint32_t t = 0; t < g->vertices; t++) {
        for (uint32_t e = g->row[t]; e < g->row[t + 1]; e++) {
            assert_true(g->col[e] < g->vertices);
            count += has_arc(g, g->col[e], t) ? 0 : 1;
        }
    }
    return count;
}

/* Vertices that arcs reach from vertex 0, itself among them. */
static uint32_t reached(const lw_graph *g) {
    uint8_t *seen = calloc((size_t)g->vertices + 1, 1);
    uint32_t *queue = calloc((size_t)g->vertices + 1, sizeof *queue);
    uint32_t tail = 1;
    assert_non_null(seen);
    assert_non_null(queue);
    seen[0] = 1;
    for (uint32_t head = 0; head < tail; head++) {
        for (uint32_t e = g->row[queue[head]]; e < g->row[queue[head] + 1]; e++) {
            if (!seen[g->col[e]]) {
                seen[g->col[e]] = 1;
                queue[tail++] = g->col[e];
            }
        }
    }
    free(seen);
    free(queue);
    return tail;
}

static void check_shape(const lw_graph *g, uint32_t vertices, uint32_t arcs) {
    assert_int_equal(g->vertices, vertices);
    assert_int_equal(g->arcs, arcs);
    assert_int_equal(g->row[0], 0);
    assert_int_equal(g->row[vertices], arcs);
}

static void test_uniform(void **state) {
    (void)state;
    /* The last is Rodinia's graph1MW_6. */
    static const uint32_t sizes[][2] = {{1, 4}, {2, 10}, {3, 3 * 11}, {7, 8}, {1000000, 5999970}};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        lw_graph g;
        unsigned degrees[12] = {0};
        assert_true(lw_graph_uniform(&g, sizes[i][0], sizes[i][1] & ~1u, 3));
        check_shape(&g, sizes[i][0], sizes[i][1] & ~1u);
        for (uint32_t t = 0; t < g.vertices; t++) {
            assert_in_range(g.row[t + 1] - g.row[t], 1, 11);
            degrees[g.row[t + 1] - g.row[t]]++;
        }
        assert_int_equal(one_way(&g), 0);
        for (unsigned d = 1; d <= 11 && g.vertices == 1000000; d++) {
            assert_in_range(degrees[d], 1000000 / 11 - 2000, 1000000 / 11 + 2000);
        }
        if (g.vertices == 1000000) {
            assert_in_range(reached(&g), 990000, 1000000);
        }
        lw_graph_free(&g);
    }
}

static void test_grid(void **state) {
    (void)state;
    /* ecology1, and sizes whose last row is short. */
    static const uint32_t sizes[][2] = {{1, 0}, {2, 2},  {3, 4},
                                        {4, 8}, {7, 16}, {1000000, 3996000}};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        lw_graph g;
        assert_true(lw_graph_grid(&g, sizes[i][0]));
        check_shape(&g, sizes[i][0], sizes[i][1]);
        assert_int_equal(one_way(&g), 0);
        assert_int_equal(reached(&g), g.vertices);
        lw_graph_free(&g);
    }
    lw_graph g;
    assert_true(lw_graph_grid(&g, 100));
    static const uint32_t around[] = {45, 54, 56, 65};
    assert_int_equal(g.row[56] - g.row[55], 4);
    assert_memory_equal(&g.col[g.row[55]], around, sizeof around);
    lw_graph_free(&g);
}

static void test_road(void **state) {
    (void)state;
    /* Arcs asked for and got: NW, FLA and NHA's; the comb's and the grid's bounds; odd ones. */
    static const uint32_t sizes[][3] = {
        {1207945, 2840208, 2840208},
        {1070376, 2712798, 2712798},
        {3470000, 8468429, 8468429},
        {1, 2, 0},
        {100, 0, 198},
        {100, 1000, 360},
        {100, 235, 235},
        {101, 236, 236},
    };
    for (size_t i = 0; i < COUNT(sizes); i++) {
        lw_graph g;
        assert_true(lw_graph_road(&g, sizes[i][0], sizes[i][1], 5));
        check_shape(&g, sizes[i][0], sizes[i][2]);
        for (uint32_t t = 0; t < g.vertices; t++) {
            assert_in_range(g.row[t + 1] - g.row[t], 0, 4);
        }
        assert_int_equal(one_way(&g), sizes[i][2] % 2);
        assert_int_equal(reached(&g), g.vertices);
        lw_graph_free(&g);
    }
}

/* Where the ids are not swapped, an arc leads a column or a row away. */
static void test_road_is_local_but_for_the_swapped(void **state) {
    (void)state;
    lw_graph g;
    uint32_t local = 0;
    assert_true(lw_graph_road(&g, 1000000, 2400000, 1));
    for (uint32_t t = 0; t < g.vertices; t++) {
        for (uint32_t e = g.row[t]; e < g.row[t + 1]; e++) {
            const uint32_t apart = t > g.col[e] ? t - g.col[e] : g.col[e] - t;
            local += apart == 1 || apart == 1000 ? 1 : 0;
        }
    }
    /* Both ends in place: 0.92 x 0.92. */
    assert_in_range(local, 2400000 / 100 * 83, 2400000 / 100 * 87);
    lw_graph_free(&g);
}

/* FNV-1a over the arcs: the same numbers on every machine. */
static uint64_t fingerprint(const lw_graph *g) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint32_t e = 0; e < g->arcs; e++) {
        hash = (hash ^ g->col[e]) * UINT64_C(0x100000001b3);
    }
    for (uint32_t t = 0; t <= g->vertices; t++) {
        hash = (hash ^ g->row[t]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static void test_the_seed_decides(void **state) {
    (void)state;
    uint64_t prints[2][3];
    for (uint64_t i = 0; i < 3; i++) {
        lw_graph g;
        assert_true(lw_graph_uniform(&g, 1000, 6000, i / 2));
        prints[0][i] = fingerprint(&g);
        lw_graph_free(&g);
        assert_true(lw_graph_road(&g, 1000, 2400, i / 2));
        prints[1][i] = fingerprint(&g);
        lw_graph_free(&g);
    }
    assert_true(prints[0][0] == UINT64_C(0xe174061b22820de7));
    assert_true(prints[1][0] == UINT64_C(0x42ee78be26f50b47));
    for (size_t k = 0; k < 2; k++) {
        assert_true(prints[k][0] == prints[k][1]);
        assert_true(prints[k][0] != prints[k][2]);
    }
}

/* R-MAT's shares: a tenth of the vertices have more than half of the arcs, and no two seeds the
 * same graph; any number of vertices. */
static void test_power_law(void **state) {
    (void)state;
    static const uint32_t vertices[] = {1, 2, 5, 100, 4096, 100000};
    for (size_t i = 0; i < COUNT(vertices); i++) {
        const uint32_t arcs = 16 * vertices[i];
        lw_graph g;
        lw_graph again;
        assert_true(lw_graph_power_law(&g, vertices[i], arcs, 7));
        assert_true(lw_graph_power_law(&again, vertices[i], arcs, 8));
        check_shape(&g, vertices[i], arcs);
        uint32_t degrees[2048] = {0}; /* vertices by their arcs, those above at the end */
        uint64_t of_greatest = 0;
        for (uint32_t t = 0; t < g.vertices; t++) {
            const uint32_t d = g.row[t + 1] - g.row[t];
            degrees[d < COUNT(degrees) - 1 ? d : COUNT(degrees) - 1]++;
        }
        uint32_t left = vertices[i] / 10;
        uint32_t least = COUNT(degrees) - 1;
        while (least > 0 && degrees[least] <= left) {
            left -= degrees[least--];
        }
        for (uint32_t t = 0; t < g.vertices; t++) {
            const uint32_t d = g.row[t + 1] - g.row[t];
            of_greatest += d > least ? d : 0;
        }
        if (vertices[i] >= 4096) {
            assert_true(of_greatest > arcs / 2);
            assert_true(memcmp(g.col, again.col, arcs * sizeof *g.col) != 0);
            assert_in_range(reached(&g) + degrees[0], 1, vertices[i]);
        }
        if (vertices[i] <= 4096) {
            assert_int_equal(one_way(&g), 0);
        }
        lw_graph_free(&g);
        lw_graph_free(&again);
    }
}

/* How often each of the few vertices of a graph has each of them at the end of an arc. */
static void count_pairs(const lw_graph *g, uint32_t pairs[4][4]) {
    memset(pairs, 0, 4 * sizeof *pairs);
    for (uint32_t t = 0; t < g->vertices; t++) {
        for (uint32_t e = g->row[t]; e < g->row[t + 1]; e++) {
            pairs[t][g->col[e]]++;
        }
    }
}

/* Of four vertices, which are two levels of quadrants, that with most arcs is where the first
 * quadrant was taken twice: an edge from it to itself has 0.57 x 0.57 of the edges, one between it
 * and the vertex with fewest, whichever way, 2 x 0.19 x 0.19, and one from that to itself
 * 0.05 x 0.05. An edge to itself is two arcs of one vertex, another one of each. */
static void test_shares_of_the_quadrants(void **state) {
    (void)state;
    enum { EDGES = 1000000 };
    lw_graph g;
    uint32_t pairs[4][4];
    uint32_t most = 0;
    uint32_t fewest = 0;
    assert_true(lw_graph_power_law(&g, 4, 2 * EDGES, 3));
    count_pairs(&g, pairs);
    for (uint32_t t = 1; t < 4; t++) {
        const uint32_t arcs = g.row[t + 1] - g.row[t];
        most = arcs > g.row[most + 1] - g.row[most] ? t : most;
        fewest = arcs < g.row[fewest + 1] - g.row[fewest] ? t : fewest;
    }
    assert_in_range(pairs[most][most] / 2, EDGES * 0.3249 - 2500, EDGES * 0.3249 + 2500);
    assert_in_range(pairs[most][fewest], EDGES * 0.0722 - 1500, EDGES * 0.0722 + 1500);
    assert_in_range(pairs[fewest][fewest] / 2, EDGES * 0.0025 - 300, EDGES * 0.0025 + 300);
    lw_graph_free(&g);
}

/* Unless ids were permuted, the vertex with most arcs would be the first in every graph. */
static void test_ids_are_permuted(void **state) {
    (void)state;
    uint32_t last = 0;
    for (uint64_t seed = 0; seed < 4; seed++) {
        lw_graph g;
        uint32_t most = 0;
        assert_true(lw_graph_power_law(&g, 65536, 16 * 65536, seed));
        for (uint32_t t = 1; t < g.vertices; t++) {
            most = g.row[t + 1] - g.row[t] > g.row[most + 1] - g.row[most] ? t : most;
        }
        assert_true(most != 0 && most != last);
        last = most;
        lw_graph_free(&g);
    }
}

/* Weights are drawn from 1 to 10^4, each as often as any other, and are an edge's: of both its
 * arcs. */
static void test_weights(void **state) {
    (void)state;
    enum { EDGES = 1000000, TENTHS = 10 };
    uint32_t tenths[TENTHS] = {0};
    bool least = false;
    bool greatest = false;
    for (uint32_t a = 0; a < EDGES; a++) {
        const uint32_t weight = lw_edge_weight(7, a, a + 1000);
        assert_in_range(weight, 1, 10000);
        assert_int_equal(weight, lw_edge_weight(7, a + 1000, a));
        tenths[(weight - 1) / 1000]++;
        least = least || weight == 1;
        greatest = greatest || weight == 10000;
    }
    assert_true(least && greatest);
    for (unsigned i = 0; i < TENTHS; i++) {
        assert_in_range(tenths[i], EDGES / 10 - 1500, EDGES / 10 + 1500);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_power_law),
        cmocka_unit_test(test_shares_of_the_quadrants),
        cmocka_unit_test(test_ids_are_permuted),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_uniform),
        cmocka_unit_test(test_grid),
        cmocka_unit_test(test_road),
        cmocka_unit_test(test_road_is_local_but_for_the_swapped),
        cmocka_unit_test(test_the_seed_decides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
