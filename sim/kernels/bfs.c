/* BFS (Rodinia; docs/workloads.md section 4): level by level over a random graph from vertex 0, two
 * launches a level. k1: each vertex of the frontier offers its neighbours not yet visited; k2:
 * those become the next frontier. Ends with the level that reaches nothing new. */
#include "sim/kernels/kernels.h"

#define GROUP_ITEMS 256
#define LOOP 4 /* alu: index, compare, branch */
#define SOURCE 0
/* Rodinia's graph1MW_6 has 5,999,970 arcs for 10^6 vertices. */
#define ARCS_OF_MILLION UINT64_C(5999970)
#define MILLION UINT64_C(1000000)

enum { NODES, EDGES, MASK, UPDATING, VISITED, COST, OVER };
enum { DATA_COST, DATA_FLAGS }; /* of lw_vertex_walk.data; cost UINT32_MAX: not reached */
enum { IN_FRONTIER = 1, IS_VISITED = 2, IS_UPDATED = 4 };
enum condition { ALWAYS = LW_ALWAYS, ACTIVE, UNVISITED, UPDATED };
enum { K1, K2 };

#define R LW_READ
#define W LW_WRITE

static const lw_vertex_step expand[] = {
    {MASK, LW_AT_OWN, 0, ALWAYS, R, LOOP, false, false},
    {MASK, LW_AT_OWN, 0, ACTIVE, W, LOOP, true, false},
    {NODES, LW_AT_OWN, 0, ACTIVE, R, 0, false, false},
    {NODES, LW_AT_OWN, 4, ACTIVE, R, 0, false, false},
    {EDGES, LW_AT_ARC, 0, ALWAYS, R, LOOP, true, false},
    {VISITED, LW_AT_TARGET, 0, ALWAYS, R, 0, true, false},
    {COST, LW_AT_OWN, 0, UNVISITED, R, LOOP, true, false},
    {COST, LW_AT_TARGET, 0, UNVISITED, W, LOOP, true, false},
    {UPDATING, LW_AT_TARGET, 0, UNVISITED, W, 0, false, false},
};

static const lw_vertex_step update[] = {
    {UPDATING, LW_AT_OWN, 0, ALWAYS, R, LOOP, false, false},
    {MASK, LW_AT_OWN, 0, UPDATED, W, LOOP, true, false},
    {VISITED, LW_AT_OWN, 0, UPDATED, W, 0, false, false},
    {OVER, LW_AT_FLAG, 0, UPDATED, W, 0, false, false},
    {UPDATING, LW_AT_OWN, 0, UPDATED, W, 0, false, false},
};

static const lw_vertex_program programs[] = {
    [K1] = {"bfs_k1", expand, 4, 5, 0, ACTIVE},
    [K2] = {"bfs_k2", update, 5, 0, 0, ALWAYS},
};

static bool setup(lw_vertex_walk *walk) {
    const uint64_t v = walk->params.size;
    const uint64_t arcs = v * ARCS_OF_MILLION / MILLION & ~UINT64_C(1);
    if (!lw_graph_uniform(&walk->graph, (uint32_t)v, (uint32_t)arcs, walk->params.seed) ||
        !lw_vertex_data(walk, DATA_COST) || !lw_vertex_data(walk, DATA_FLAGS)) {
        return false;
    }
    lw_vertex_array(walk, "nodes", v, 8);
    lw_vertex_array(walk, "edges", arcs, 4);
    lw_vertex_array(walk, "mask", v, 1);
    lw_vertex_array(walk, "updating", v, 1);
    lw_vertex_array(walk, "visited", v, 1);
    lw_vertex_array(walk, "cost", v, 4);
    lw_vertex_array(walk, "over", 1, 1);
    for (uint64_t t = 0; t < v; t++) {
        walk->data[DATA_COST][t] = UINT32_MAX;
    }
    walk->data[DATA_COST][SOURCE] = 0;
    walk->data[DATA_FLAGS][SOURCE] = IN_FRONTIER | IS_VISITED;
    return true;
}

static bool holds(const lw_vertex_walk *walk, unsigned condition, uint32_t t, uint32_t e) {
    const uint32_t *flags = walk->data[DATA_FLAGS];
    switch ((enum condition)condition) {
    case ACTIVE:
        return (flags[t] & IN_FRONTIER) != 0;
    case UNVISITED:
        return (flags[walk->graph.col[e]] & IS_VISITED) == 0;
    case UPDATED:
        return (flags[t] & IS_UPDATED) != 0;
    case ALWAYS:
        break;
    }
    return true;
}

static void apply_expand(lw_vertex_walk *walk) {
    const lw_graph *g = &walk->graph;
    uint32_t *cost = walk->data[DATA_COST];
    uint32_t *flags = walk->data[DATA_FLAGS];
    for (uint32_t t = 0; t < g->vertices; t++) {
        if ((flags[t] & IN_FRONTIER) == 0) {
            continue;
        }
        flags[t] &= ~(uint32_t)IN_FRONTIER;
        for (uint32_t e = g->row[t]; e < g->row[t + 1]; e++) {
            if ((flags[g->col[e]] & IS_VISITED) == 0) {
                cost[g->col[e]] = cost[t] + 1;
                flags[g->col[e]] |= IS_UPDATED;
            }
        }
    }
}

/* Whether the next frontier has a vertex. */
static bool apply_update(lw_vertex_walk *walk) {
    uint32_t *flags = walk->data[DATA_FLAGS];
    bool more = false;
    for (uint32_t t = 0; t < walk->graph.vertices; t++) {
        if ((flags[t] & IS_UPDATED) != 0) {
            flags[t] = IN_FRONTIER | IS_VISITED;
            more = true;
        }
    }
    return more;
}

static int next(lw_vertex_walk *walk, int walked) {
    switch (walked) {
    case K1:
        apply_expand(walk);
        return K2;
    case K2:
        return apply_update(walk) ? K1 : -1;
    default:
        return K1;
    }
}

const lw_vertex_type lw_bfs = {
    .info = {"bfs", "breadth-first search over a random graph of degree 6 (Rodinia)", true, 1000000,
             1, "vertices"},
    .group_items = GROUP_ITEMS,
    .programs = programs,
    .setup = setup,
    .next = next,
    .holds = holds,
};
