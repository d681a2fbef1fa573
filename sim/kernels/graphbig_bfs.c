/* BFS (GraphBIG, topological and thread-centric; docs/workloads.md section 5): in each launch every
 * vertex looks whether it is of the level, and if so offers the next one to its neighbours. */
#include "sim/kernels/graphbig.h"
#include "sim/kernels/kernels.h"

#define LOOP 4 /* alu: index, compare, branch */

enum { VPL = LW_GB_ARRAYS, CHANGED };
enum { DATA_LEVEL }; /* UINT32_MAX: not reached */
enum condition { ALWAYS = LW_ALWAYS, ACTIVE, UNREACHED };
enum { INIT, EXPAND };

#define R LW_READ
#define W LW_WRITE

static const lw_vertex_step init_steps[] = {
    {VPL, LW_AT_OWN, 0, ALWAYS, W, LOOP, false, false},
};

static const lw_vertex_step expand_steps[] = {
    {VPL, LW_AT_OWN, 0, ALWAYS, R, LOOP, false, false},
    {LW_GB_VLIST, LW_AT_OWN, 0, ACTIVE, R, LOOP, true, false},
    {LW_GB_VLIST, LW_AT_NEXT, 0, ACTIVE, R, 0, false, false},
    {LW_GB_ELIST, LW_AT_ARC, 0, ALWAYS, R, LOOP, true, false},
    {VPL, LW_AT_TARGET, 0, ALWAYS, R, 0, true, false},
    {CHANGED, LW_AT_FLAG, 0, UNREACHED, W, LOOP, true, false},
    {VPL, LW_AT_TARGET, 0, UNREACHED, W, 0, false, false},
};

static const lw_vertex_program programs[] = {
    [INIT] = {"graphbig_bfs_init", init_steps, 1, 0, 0, ALWAYS},
    [EXPAND] = {"graphbig_bfs", expand_steps, 3, 4, 0, ACTIVE},
};

static bool setup(lw_vertex_walk *walk) {
    if (!lw_graphbig_setup(walk) || !lw_vertex_data(walk, DATA_LEVEL)) {
        return false;
    }
    lw_vertex_array(walk, "vpl", walk->params.size, 4);
    lw_vertex_array(walk, "changed", 1, 4);
    for (uint32_t t = 0; t < walk->graph.vertices; t++) {
        walk->data[DATA_LEVEL][t] = UINT32_MAX;
    }
    walk->data[DATA_LEVEL][lw_graphbig_root(&walk->graph)] = 0;
    return true;
}

static bool holds(const lw_vertex_walk *walk, unsigned condition, uint32_t t, uint32_t e) {
    const uint32_t *level = walk->data[DATA_LEVEL];
    switch ((enum condition)condition) {
    case ACTIVE:
        return level[t] == walk->rounds;
    case UNREACHED:
        return level[walk->graph.col[e]] == UINT32_MAX;
    case ALWAYS:
        break;
    }
    return true;
}

/* Whether the launch has reached a vertex. */
static bool expand(lw_vertex_walk *walk) {
    const lw_graph *g = &walk->graph;
    uint32_t *level = walk->data[DATA_LEVEL];
    bool changed = false;
    for (uint32_t t = 0; t < g->vertices; t++) {
        for (uint32_t e = g->row[t]; e < g->row[t + 1] && level[t] == walk->rounds; e++) {
            if (level[g->col[e]] == UINT32_MAX) {
                level[g->col[e]] = (uint32_t)walk->rounds + 1;
                changed = true;
            }
        }
    }
    walk->rounds++;
    return changed;
}

static int next(lw_vertex_walk *walk, int walked) {
    switch (walked) {
    case INIT:
        return EXPAND;
    case EXPAND:
        return expand(walk) ? EXPAND : -1;
    default:
        return INIT;
    }
}

const lw_vertex_type lw_graphbig_bfs = {
    .info = {"graphbig_bfs", "breadth-first search over a power-law graph (GraphBIG)", true,
             LW_GRAPHBIG_VERTICES, 1, "vertices, of 16 arcs in the mean"},
    .group_items = LW_GRAPHBIG_ITEMS,
    .programs = programs,
    .setup = setup,
    .next = next,
    .holds = holds,
};
