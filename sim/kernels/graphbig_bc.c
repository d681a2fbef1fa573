/* BC (GraphBIG; docs/workloads.md section 5): betweenness centrality by Brandes' algorithm, from
 * one root: level by level outward, counting the shortest paths to each vertex, then back, summing
 * what share of them leads through it. */
#include "sim/kernels/graphbig.h"
#include "sim/kernels/kernels.h"

#include <string.h>

#define LOOP 4   /* alu: index, compare, branch */
#define DIVIDE 8 /* alu: the share of a path */

enum { DIST = LW_GB_ARRAYS, SIGMA, DELTA, BC, OVER };
enum { DATA_DIST, DATA_SIGMA, DATA_DELTA }; /* dist UINT32_MAX: not reached; delta a float's bits */
enum condition { ALWAYS = LW_ALWAYS, ACTIVE, UNREACHED, ON_PATH, PARENT, CHILD };
enum { INIT, FORWARD, BACKWARD, BACKSUM };

#define R LW_READ
#define W LW_WRITE

static const lw_vertex_step init_steps[] = {
    {DIST, LW_AT_OWN, 0, ALWAYS, W, LOOP, false, false},
    {SIGMA, LW_AT_OWN, 0, ALWAYS, W, 0, false, false},
    {DELTA, LW_AT_OWN, 0, ALWAYS, W, 0, false, false},
};

/* The atomic addition is one access that writes. */
static const lw_vertex_step forward_steps[] = {
    {DIST, LW_AT_OWN, 0, ALWAYS, R, LOOP, false, false},
    {LW_GB_VLIST, LW_AT_OWN, 0, ACTIVE, R, LOOP, true, false},
    {LW_GB_VLIST, LW_AT_NEXT, 0, ACTIVE, R, 0, false, false},
    {LW_GB_ELIST, LW_AT_ARC, 0, ALWAYS, R, LOOP, true, false},
    {DIST, LW_AT_TARGET, 0, ALWAYS, R, 0, true, false},
    {DIST, LW_AT_TARGET, 0, UNREACHED, W, LOOP, true, false},
    {OVER, LW_AT_FLAG, 0, UNREACHED, W, 0, false, false},
    {SIGMA, LW_AT_OWN, 0, ON_PATH, R, LOOP, false, false},
    {SIGMA, LW_AT_TARGET, 0, ON_PATH, W, 0, true, false},
};

static const lw_vertex_step backward_steps[] = {
    {DIST, LW_AT_OWN, 0, ALWAYS, R, LOOP, false, false},
    {LW_GB_VLIST, LW_AT_OWN, 0, PARENT, R, LOOP, true, false},
    {LW_GB_VLIST, LW_AT_NEXT, 0, PARENT, R, 0, false, false},
    {LW_GB_ELIST, LW_AT_ARC, 0, ALWAYS, R, LOOP, true, false},
    {DIST, LW_AT_TARGET, 0, ALWAYS, R, 0, true, false},
    {SIGMA, LW_AT_OWN, 0, CHILD, R, LOOP, true, false},
    {SIGMA, LW_AT_TARGET, 0, CHILD, R, 0, false, false},
    {DELTA, LW_AT_TARGET, 0, CHILD, R, 0, false, false},
    {DELTA, LW_AT_OWN, 0, PARENT, R, DIVIDE, true, false},
    {DELTA, LW_AT_OWN, 0, PARENT, W, 0, true, false},
};

static const lw_vertex_step backsum_steps[] = {
    {DIST, LW_AT_OWN, 0, ALWAYS, R, LOOP, false, false},
    {DELTA, LW_AT_OWN, 0, ALWAYS, R, 0, false, false},
    {BC, LW_AT_OWN, 0, ALWAYS, R, 0, false, false},
    {BC, LW_AT_OWN, 0, ALWAYS, W, LOOP, true, false},
};

static const lw_vertex_program programs[] = {
    [INIT] = {"graphbig_bc_init", init_steps, 3, 0, 0, ALWAYS},
    [FORWARD] = {"graphbig_bc_forward", forward_steps, 3, 6, 0, ACTIVE},
    [BACKWARD] = {"graphbig_bc_backward", backward_steps, 3, 5, 2, PARENT},
    [BACKSUM] = {"graphbig_bc_backsum", backsum_steps, 4, 0, 0, ALWAYS},
};

static bool setup(lw_vertex_walk *walk) {
    const uint64_t v = walk->params.size;
    if (!lw_graphbig_setup(walk) || !lw_vertex_data(walk, DATA_DIST) ||
        !lw_vertex_data(walk, DATA_SIGMA) || !lw_vertex_data(walk, DATA_DELTA)) {
        return false;
    }
    lw_vertex_array(walk, "dist", v, 4);
    lw_vertex_array(walk, "sigma", v, 4);
    lw_vertex_array(walk, "delta", v, 4);
    lw_vertex_array(walk, "bc", v, 4);
    lw_vertex_array(walk, "over", 1, 4);
    for (uint64_t t = 0; t < v; t++) {
        walk->data[DATA_DIST][t] = UINT32_MAX;
    }
    const uint32_t root = lw_graphbig_root(&walk->graph);
    walk->data[DATA_DIST][root] = 0;
    walk->data[DATA_SIGMA][root] = 1;
    return true;
}

/* `rounds` is the level: outward that of the vertices at work, back that of their children. */
static bool holds(const lw_vertex_walk *walk, unsigned condition, uint32_t t, uint32_t e) {
    const uint32_t *dist = walk->data[DATA_DIST];
    const uint32_t level = (uint32_t)walk->rounds;
    switch ((enum condition)condition) {
    case ACTIVE:
        return dist[t] == level;
    case UNREACHED:
        return dist[walk->graph.col[e]] == UINT32_MAX;
    case ON_PATH:
        return dist[walk->graph.col[e]] == UINT32_MAX || dist[walk->graph.col[e]] == level + 1;
    case PARENT:
        return dist[t] == level - 1;
    case CHILD:
        return dist[walk->graph.col[e]] == level;
    case ALWAYS:
        break;
    }
    return true;
}

/* Whether the next level has a vertex. */
static bool forward(lw_vertex_walk *walk) {
    const lw_graph *g = &walk->graph;
    uint32_t *dist = walk->data[DATA_DIST];
    bool more = false;
    for (uint32_t t = 0; t < g->vertices; t++) {
        for (uint32_t e = g->row[t]; e < g->row[t + 1] && holds(walk, ACTIVE, t, e); e++) {
            if (holds(walk, ON_PATH, t, e)) {
                dist[g->col[e]] = (uint32_t)walk->rounds + 1;
                walk->data[DATA_SIGMA][g->col[e]] += walk->data[DATA_SIGMA][t];
                more = true;
            }
        }
    }
    walk->rounds += more;
    return more;
}

static float delta_of(const lw_vertex_walk *walk, uint32_t t) {
    float delta = 0;
    memcpy(&delta, &walk->data[DATA_DELTA][t], sizeof delta);
    return delta;
}

static void backward(lw_vertex_walk *walk) {
    const lw_graph *g = &walk->graph;
    const uint32_t *sigma = walk->data[DATA_SIGMA];
    for (uint32_t t = 0; t < g->vertices; t++) {
        float delta = delta_of(walk, t);
        for (uint32_t e = g->row[t]; e < g->row[t + 1] && holds(walk, PARENT, t, e); e++) {
            if (holds(walk, CHILD, t, e)) {
                const uint32_t child = g->col[e];
                delta += (float)sigma[t] / (float)sigma[child] * (1 + delta_of(walk, child));
            }
        }
        memcpy(&walk->data[DATA_DELTA][t], &delta, sizeof delta);
    }
    walk->rounds--;
}

static int next(lw_vertex_walk *walk, int walked) {
    switch (walked) {
    case INIT:
        return FORWARD;
    case FORWARD:
        return forward(walk) ? FORWARD : walk->rounds > 0 ? BACKWARD : BACKSUM;
    case BACKWARD:
        backward(walk);
        return walk->rounds > 0 ? BACKWARD : BACKSUM;
    case BACKSUM:
        return -1;
    default:
        return INIT;
    }
}

const lw_vertex_type lw_graphbig_bc = {
    .info = {"graphbig_bc", "betweenness from one root of a power-law graph (GraphBIG)", true,
             LW_GRAPHBIG_VERTICES, 1, "vertices, of 16 arcs in the mean"},
    .group_items = LW_GRAPHBIG_ITEMS,
    .programs = programs,
    .setup = setup,
    .next = next,
    .holds = holds,
};
