/* KC (GraphBIG; docs/workloads.md section 5): which vertices are in the graph's 3-core. In rounds
 * of two launches those that were removed take an arc from each neighbour that is still there, and
 * those with fewer than three are removed. */
#include "sim/kernels/graphbig.h"
#include "sim/kernels/kernels.h"

#define LOOP 4 /* alu: index, compare, branch */
#define CORE 3

enum { VPL = LW_GB_ARRAYS, REMOVED, FLAG, OVER };
enum { DATA_DEGREE, DATA_STATE };
enum { IS_REMOVED = 1, IS_FLAGGED = 2 };
enum condition { ALWAYS = LW_ALWAYS, FLAGGED, TARGET_THERE, THERE, LEAVES };
enum { INIT, TELL, REMOVE };

#define R LW_READ
#define W LW_WRITE

static const lw_vertex_step init_steps[] = {
    {LW_GB_VLIST, LW_AT_OWN, 0, ALWAYS, R, LOOP, false, false},
    {LW_GB_VLIST, LW_AT_NEXT, 0, ALWAYS, R, 0, false, false},
    {VPL, LW_AT_OWN, 0, ALWAYS, W, LOOP, true, false},
    {REMOVED, LW_AT_OWN, 0, ALWAYS, W, 0, false, false},
    {FLAG, LW_AT_OWN, 0, ALWAYS, W, 0, false, false},
};

/* The atomic subtraction is one access that writes. */
static const lw_vertex_step tell_steps[] = {
    {FLAG, LW_AT_OWN, 0, ALWAYS, R, LOOP, false, false},
    {LW_GB_VLIST, LW_AT_OWN, 0, FLAGGED, R, LOOP, true, false},
    {LW_GB_VLIST, LW_AT_NEXT, 0, FLAGGED, R, 0, false, false},
    {LW_GB_ELIST, LW_AT_ARC, 0, ALWAYS, R, LOOP, true, false},
    {REMOVED, LW_AT_TARGET, 0, ALWAYS, R, 0, true, false},
    {VPL, LW_AT_TARGET, 0, TARGET_THERE, W, LOOP, true, false},
    {FLAG, LW_AT_OWN, 0, FLAGGED, W, LOOP, false, false},
};

static const lw_vertex_step remove_steps[] = {
    {REMOVED, LW_AT_OWN, 0, ALWAYS, R, LOOP, false, false},
    {VPL, LW_AT_OWN, 0, THERE, R, 0, true, false},
    {REMOVED, LW_AT_OWN, 0, LEAVES, W, LOOP, true, false},
    {FLAG, LW_AT_OWN, 0, LEAVES, W, 0, false, false},
    {OVER, LW_AT_FLAG, 0, LEAVES, W, 0, false, false},
};

static const lw_vertex_program programs[] = {
    [INIT] = {"graphbig_kcore_init", init_steps, 5, 0, 0, ALWAYS},
    [TELL] = {"graphbig_kcore_k1", tell_steps, 3, 3, 1, FLAGGED},
    [REMOVE] = {"graphbig_kcore_k2", remove_steps, 5, 0, 0, ALWAYS},
};

static bool setup(lw_vertex_walk *walk) {
    const uint64_t v = walk->params.size;
    if (!lw_graphbig_setup(walk) || !lw_vertex_data(walk, DATA_DEGREE) ||
        !lw_vertex_data(walk, DATA_STATE)) {
        return false;
    }
    lw_vertex_array(walk, "vpl", v, 4);
    lw_vertex_array(walk, "removed", v, 1);
    lw_vertex_array(walk, "flag", v, 1);
    lw_vertex_array(walk, "over", 1, 4);
    for (uint32_t t = 0; t < walk->graph.vertices; t++) {
        walk->data[DATA_DEGREE][t] = walk->graph.row[t + 1] - walk->graph.row[t];
    }
    return true;
}

static bool holds(const lw_vertex_walk *walk, unsigned condition, uint32_t t, uint32_t e) {
    const uint32_t *state = walk->data[DATA_STATE];
    switch ((enum condition)condition) {
    case FLAGGED:
        return (state[t] & IS_FLAGGED) != 0;
    case TARGET_THERE:
        return (state[walk->graph.col[e]] & IS_REMOVED) == 0;
    case THERE:
        return (state[t] & IS_REMOVED) == 0;
    case LEAVES:
        return (state[t] & IS_REMOVED) == 0 && walk->data[DATA_DEGREE][t] < CORE;
    case ALWAYS:
        break;
    }
    return true;
}

static void tell(lw_vertex_walk *walk) {
    const lw_graph *g = &walk->graph;
    uint32_t *state = walk->data[DATA_STATE];
    for (uint32_t t = 0; t < g->vertices; t++) {
        for (uint32_t e = g->row[t]; e < g->row[t + 1] && (state[t] & IS_FLAGGED) != 0; e++) {
            walk->data[DATA_DEGREE][g->col[e]] -= holds(walk, TARGET_THERE, t, e);
        }
    }
    for (uint32_t t = 0; t < g->vertices; t++) {
        state[t] &= ~(uint32_t)IS_FLAGGED;
    }
}

/* Whether any vertex has left. */
static bool remove_some(lw_vertex_walk *walk) {
    bool more = false;
    for (uint32_t t = 0; t < walk->graph.vertices; t++) {
        if (holds(walk, LEAVES, t, 0)) {
            walk->data[DATA_STATE][t] = IS_REMOVED | IS_FLAGGED;
            more = true;
        }
    }
    return more;
}

static int next(lw_vertex_walk *walk, int walked) {
    switch (walked) {
    case TELL:
        tell(walk);
        return REMOVE;
    case REMOVE:
        return remove_some(walk) ? TELL : -1;
    case INIT:
        return TELL;
    default:
        return INIT;
    }
}

const lw_vertex_type lw_graphbig_kcore = {
    .info = {"graphbig_kcore", "the 3-core of a power-law graph (GraphBIG)", false,
             LW_GRAPHBIG_VERTICES, 1, "vertices, of 16 arcs in the mean"},
    .group_items = LW_GRAPHBIG_ITEMS,
    .programs = programs,
    .setup = setup,
    .next = next,
    .holds = holds,
};
