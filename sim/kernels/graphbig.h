/* What GraphBIG's kernels share (docs/workloads.md section 5): a power-law graph, as vlist and
 * elist of 64-bit words. Internal. */
#ifndef LW_SIM_KERNELS_GRAPHBIG_H
#define LW_SIM_KERNELS_GRAPHBIG_H

#include "sim/kernels/vertex_walk.h"

enum { LW_GRAPHBIG_ITEMS = 1024, LW_GRAPHBIG_VERTICES = 262144 };

/* The first arrays of each. */
enum { LW_GB_VLIST, LW_GB_ELIST, LW_GB_ARRAYS };

/* The graph with sixteen arcs a vertex, and those two arrays; false where memory is short. */
static inline bool lw_graphbig_setup(lw_vertex_walk *walk) {
    const uint64_t v = walk->params.size;
    if (!lw_graph_power_law(&walk->graph, (uint32_t)v, (uint32_t)(16 * v), walk->params.seed)) {
        return false;
    }
    lw_vertex_array(walk, "vlist", v + 1, 8);
    lw_vertex_array(walk, "elist", walk->graph.arcs, 8);
    return true;
}

/* Where searches begin: the first vertex with the most arcs, so that most others are reached. */
static inline uint32_t lw_graphbig_root(const lw_graph *g) {
    uint32_t root = 0;
    for (uint32_t t = 1; t < g->vertices; t++) {
        if (g->row[t + 1] - g->row[t] > g->row[root + 1] - g->row[root]) {
            root = t;
        }
    }
    return root;
}

#endif
