/* GraphBIG's kernels against their public sources (docs/workloads.md section 5): the loops of each
 * launch written down once more, over the data as it is when the launch begins. */
#include "tests/unit/sim/kernels/graph_bench.h"
#include "tests/unit/sim/kernels/source_tally.h"

#include "sim/kernels/graphbig.h"

enum { VLIST, ELIST };

/* What an arc does. */
typedef void arc_does(const lw_vertex_walk *walk, uint32_t t, uint32_t e);

static void ends(uint32_t t) {
    rd(VLIST, t), rd(VLIST, (uint64_t)t + 1);
}

/* The vertex's arcs, between the two ends that it has read. */
static void arcs(const lw_vertex_walk *walk, uint32_t t, arc_does *does) {
    for (uint32_t e = walk->graph.row[t]; e < walk->graph.row[t + 1]; e++) {
        does(walk, t, e);
    }
}

static bool unreached(const lw_vertex_walk *walk, uint32_t e) {
    return walk->data[0][walk->graph.col[e]] == UINT32_MAX;
}

/* ---------------------------------------------------------------- BFS */

static void bfs_arc(const lw_vertex_walk *walk, uint32_t t, uint32_t e) {
    enum { VPL = 2, CHANGED };
    (void)t;
    rd(ELIST, e), rd(VPL, walk->graph.col[e]);
    if (unreached(walk, e)) {
        wr(CHANGED, 0), wr(VPL, walk->graph.col[e]);
    }
}

static void bfs(const lw_vertex_walk *walk, const char *name, uint32_t t) {
    enum { VPL = 2 };
    if (strcmp(name, "graphbig_bfs_init") == 0) {
        wr(VPL, t);
        return;
    }
    rd(VPL, t);
    if (walk->data[0][t] == walk->rounds) {
        ends(t), arcs(walk, t, bfs_arc);
    }
}

/* ---------------------------------------------------------------- SP */

static void sp_arc(const lw_vertex_walk *walk, uint32_t t, uint32_t e) {
    enum { EPL = 2, UPDATE = 4 };
    (void)t;
    rd(ELIST, e), rd(EPL, e), wr(UPDATE, walk->graph.col[e]);
}

static void sp(const lw_vertex_walk *walk, const char *name, uint32_t t) {
    enum { VPL = 3, UPDATE, MASK, CHANGED };
    if (strcmp(name, "graphbig_sp_init") == 0) {
        wr(VPL, t), wr(UPDATE, t), wr(MASK, t);
    } else if (strcmp(name, "graphbig_sp_k1") == 0) {
        rd(MASK, t);
        if (walk->data[2][t] != 0) {
            ends(t), rd(VPL, t), arcs(walk, t, sp_arc);
            wr(MASK, t);
        }
    } else {
        rd(VPL, t), rd(UPDATE, t);
        if (walk->data[1][t] < walk->data[0][t]) {
            wr(VPL, t), wr(MASK, t), wr(CHANGED, 0);
        } else {
            wr(UPDATE, t);
        }
    }
}

/* ---------------------------------------------------------------- KC */

static bool kcore_removed(const lw_vertex_walk *walk, uint32_t t) {
    return (walk->data[1][t] & 1) != 0;
}

static void kcore_arc(const lw_vertex_walk *walk, uint32_t t, uint32_t e) {
    enum { VPL = 2, REMOVED };
    (void)t;
    rd(ELIST, e), rd(REMOVED, walk->graph.col[e]);
    if (!kcore_removed(walk, walk->graph.col[e])) {
        wr(VPL, walk->graph.col[e]);
    }
}

static void kcore(const lw_vertex_walk *walk, const char *name, uint32_t t) {
    enum { VPL = 2, REMOVED, FLAG, OVER };
    if (strcmp(name, "graphbig_kcore_init") == 0) {
        ends(t), wr(VPL, t), wr(REMOVED, t), wr(FLAG, t);
    } else if (strcmp(name, "graphbig_kcore_k1") == 0) {
        rd(FLAG, t);
        if ((walk->data[1][t] & 2) != 0) {
            ends(t), arcs(walk, t, kcore_arc);
            wr(FLAG, t);
        }
    } else {
        rd(REMOVED, t);
        if (!kcore_removed(walk, t)) {
            rd(VPL, t);
            if (walk->data[0][t] < 3) {
                wr(REMOVED, t), wr(FLAG, t), wr(OVER, 0);
            }
        }
    }
}

/* ---------------------------------------------------------------- BC */

enum { DIST = 2, SIGMA, DELTA, BC, BC_OVER };

static void bc_outward(const lw_vertex_walk *walk, uint32_t t, uint32_t e) {
    const uint32_t w = walk->graph.col[e];
    rd(ELIST, e), rd(DIST, w);
    if (unreached(walk, e)) {
        wr(DIST, w), wr(BC_OVER, 0);
    }
    if (unreached(walk, e) || walk->data[0][w] == walk->rounds + 1) {
        rd(SIGMA, t), wr(SIGMA, w);
    }
}

static void bc_back(const lw_vertex_walk *walk, uint32_t t, uint32_t e) {
    const uint32_t w = walk->graph.col[e];
    rd(ELIST, e), rd(DIST, w);
    if (walk->data[0][w] == walk->rounds) {
        rd(SIGMA, t), rd(SIGMA, w), rd(DELTA, w);
    }
}

static void bc(const lw_vertex_walk *walk, const char *name, uint32_t t) {
    if (strcmp(name, "graphbig_bc_init") == 0) {
        wr(DIST, t), wr(SIGMA, t), wr(DELTA, t);
        return;
    }
    rd(DIST, t);
    if (strcmp(name, "graphbig_bc_backsum") == 0) {
        rd(DELTA, t), rd(BC, t), wr(BC, t);
    } else if (strcmp(name, "graphbig_bc_forward") == 0) {
        if (walk->data[0][t] == walk->rounds) {
            ends(t), arcs(walk, t, bc_outward);
        }
    } else if (walk->data[0][t] == walk->rounds - 1) {
        ends(t), arcs(walk, t, bc_back);
        rd(DELTA, t), wr(DELTA, t);
    }
}

/* ---------------------------------------------------------------- CC */

enum { CC_MASK = 2, SRC, PARENTS, SHADOW, CC_OVER };

static void cc_begins(const lw_vertex_walk *walk, uint32_t t, uint32_t e) {
    (void)walk;
    (void)t;
    wr(CC_MASK, e), wr(SRC, e);
}

static void cc_hooks_arc(const lw_vertex_walk *walk, uint32_t t, uint32_t e) {
    const uint32_t *parents = walk->data[0];
    const uint32_t w = walk->graph.col[e];
    rd(CC_MASK, e);
    if (walk->rounds > 0 && walk->data[2][t] == walk->data[2][w]) {
        return;
    }
    rd(SRC, e), rd(ELIST, e), rd(PARENTS, t), rd(PARENTS, w);
    if (parents[t] == parents[w]) {
        wr(CC_MASK, e);
    } else {
        const bool lesser = parents[t] < parents[w];
        const bool down = walk->rounds % 2 == 0; /* the greater root is hooked */
        wr(SHADOW, parents[lesser == down ? w : t]), wr(CC_OVER, 0);
    }
}

/* An item hooks two arcs, which lie in a row whosever they are. */
static void cc_hooks(const lw_vertex_walk *walk, uint32_t t) {
    static uint64_t of_first; /* accesses of the first of the two */
    for (uint32_t e = walk->graph.row[t]; e < walk->graph.row[t + 1]; e++) {
        item_is(e / 2);
        nth = e % 2 == 0 ? 0 : of_first;
        cc_hooks_arc(walk, t, e);
        of_first = nth;
    }
}

static void cc(const lw_vertex_walk *walk, const char *name, uint32_t t) {
    if (strcmp(name, "graphbig_cc_init") == 0) {
        ends(t), wr(PARENTS, t), wr(SHADOW, t);
        arcs(walk, t, cc_begins);
    } else if (strcmp(name, "graphbig_cc_hook") == 0) {
        cc_hooks(walk, t);
    } else if (strcmp(name, "graphbig_cc_update") == 0) {
        rd(SHADOW, t), wr(PARENTS, t);
    } else {
        uint32_t at = t;
        for (rd(PARENTS, at); walk->data[0][at] != at; rd(PARENTS, at)) {
            at = walk->data[0][at];
        }
        wr(SHADOW, t);
    }
}

static const struct {
    const char *name;
    const lw_vertex_type *type;
    void (*vertex)(const lw_vertex_walk *walk, const char *launch, uint32_t t);
    uint8_t bytes[TALLY_ARRAYS];
} kernels[] = {
    {"bfs", &lw_graphbig_bfs, bfs, {8, 8, 4, 4, 1, 1, 1, 1}},
    {"sp", &lw_graphbig_sp, sp, {8, 8, 4, 4, 4, 1, 4, 1}},
    {"kcore", &lw_graphbig_kcore, kcore, {8, 8, 4, 1, 1, 4, 1, 1}},
    {"bc", &lw_graphbig_bc, bc, {8, 8, 4, 4, 4, 4, 4, 1}},
    {"cc", &lw_graphbig_cc, cc, {8, 8, 1, 8, 8, 8, 4, 1}},
};

static void test_sources(void **state) {
    (void)state;
    in_order = true;
    for (size_t i = 0; i < COUNT(kernels) * 2; i++) {
        const lw_workload_params params = {.size = 4096, .seed = i, .lanes = i % 2 == 0 ? 64 : 32};
        bench b = open_bench(kernels[i / 2].type, params);
        tally_shape shape = {.group_items = 1024, .lanes = params.lanes};
        lw_launch of;
        memcpy(shape.bytes, kernels[i / 2].bytes, sizeof shape.bytes);
        for (tally_begin(); lw_workload_next_launch(b.w, &of, NULL) == 1; launch++) {
            for (uint32_t t = 0; t < b.walk->graph.vertices; t++) {
                item_is(t);
                kernels[i / 2].vertex(b.walk, of.name, t);
            }
            tally_launch(b.w, &shape, launch, &of);
        }
        assert_true(launch > 3);
        tally_compare(kernels[i / 2].name);
        lw_workload_close(b.w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
