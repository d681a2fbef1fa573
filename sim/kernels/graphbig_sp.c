/* SP (GraphBIG, topological and thread-centric; docs/workloads.md section 5): shortest paths, in
 * rounds of two launches: each vertex that has become nearer offers its neighbours their way
 * through it, and each whose offer is nearer takes it. */
#include "sim/kernels/graphbig.h"
#include "sim/kernels/kernels.h"

#include <stdlib.h>

#define LOOP 4 /* alu: index, compare, branch */
#define MATH 4 /* alu: add and minimum */

enum { EPL = LW_GB_ARRAYS, VPL, UPDATE, MASK, CHANGED };
enum { DATA_VPL, DATA_UPDATE, DATA_MASK }; /* UINT32_MAX: no path yet */
enum condition { ALWAYS = LW_ALWAYS, MASKED, NEARER, NOT_NEARER };
enum { INIT, OFFER, TAKE };

#define R LW_READ
#define W LW_WRITE

static const lw_vertex_step init_steps[] = {
    {VPL, LW_AT_OWN, 0, ALWAYS, W, LOOP, false, false},
    {UPDATE, LW_AT_OWN, 0, ALWAYS, W, 0, false, false},
    {MASK, LW_AT_OWN, 0, ALWAYS, W, 0, false, false},
};

/* The atomic minimum is one access that writes. */
static const lw_vertex_step offer_steps[] = {
    {MASK, LW_AT_OWN, 0, ALWAYS, R, LOOP, false, false},
    {LW_GB_VLIST, LW_AT_OWN, 0, MASKED, R, LOOP, true, false},
    {LW_GB_VLIST, LW_AT_NEXT, 0, MASKED, R, 0, false, false},
    {VPL, LW_AT_OWN, 0, MASKED, R, 0, false, false},
    {LW_GB_ELIST, LW_AT_ARC, 0, ALWAYS, R, LOOP, true, false},
    {EPL, LW_AT_ARC, 0, ALWAYS, R, 0, false, false},
    {UPDATE, LW_AT_TARGET, 0, ALWAYS, W, MATH, true, false},
    {MASK, LW_AT_OWN, 0, MASKED, W, LOOP, false, false},
};

static const lw_vertex_step take_steps[] = {
    {VPL, LW_AT_OWN, 0, ALWAYS, R, LOOP, false, false},
    {UPDATE, LW_AT_OWN, 0, ALWAYS, R, 0, false, false},
    {VPL, LW_AT_OWN, 0, NEARER, W, LOOP, true, false},
    {MASK, LW_AT_OWN, 0, NEARER, W, 0, false, false},
    {CHANGED, LW_AT_FLAG, 0, NEARER, W, 0, false, false},
    {UPDATE, LW_AT_OWN, 0, NOT_NEARER, W, LOOP, true, false},
};

static const lw_vertex_program programs[] = {
    [INIT] = {"graphbig_sp_init", init_steps, 3, 0, 0, ALWAYS},
    [OFFER] = {"graphbig_sp_k1", offer_steps, 4, 3, 1, MASKED},
    [TAKE] = {"graphbig_sp_k2", take_steps, 6, 0, 0, ALWAYS},
};

static bool make_weights(lw_vertex_walk *walk) {
    const lw_graph *g = &walk->graph;
    walk->weights = malloc(((size_t)g->arcs + 1) * sizeof *walk->weights);
    for (uint32_t t = 0; walk->weights != NULL && t < g->vertices; t++) {
        for (uint32_t e = g->row[t]; e < g->row[t + 1]; e++) {
            walk->weights[e] = lw_edge_weight(walk->params.seed, t, g->col[e]);
        }
    }
    return walk->weights != NULL;
}

static bool setup(lw_vertex_walk *walk) {
    const uint64_t v = walk->params.size;
    if (!lw_graphbig_setup(walk) || !make_weights(walk) || !lw_vertex_data(walk, DATA_VPL) ||
        !lw_vertex_data(walk, DATA_UPDATE) || !lw_vertex_data(walk, DATA_MASK)) {
        return false;
    }
    lw_vertex_array(walk, "epl", walk->graph.arcs, 4);
    lw_vertex_array(walk, "vpl", v, 4);
    lw_vertex_array(walk, "update", v, 4);
    lw_vertex_array(walk, "mask", v, 1);
    lw_vertex_array(walk, "changed", 1, 4);
    for (uint64_t t = 0; t < v; t++) {
        walk->data[DATA_VPL][t] = walk->data[DATA_UPDATE][t] = UINT32_MAX;
    }
    const uint32_t root = lw_graphbig_root(&walk->graph);
    walk->data[DATA_VPL][root] = walk->data[DATA_UPDATE][root] = 0;
    walk->data[DATA_MASK][root] = 1;
    return true;
}

static bool holds(const lw_vertex_walk *walk, unsigned condition, uint32_t t, uint32_t e) {
    (void)e;
    const bool nearer = walk->data[DATA_UPDATE][t] < walk->data[DATA_VPL][t];
    switch ((enum condition)condition) {
    case MASKED:
        return walk->data[DATA_MASK][t] != 0;
    case NEARER:
        return nearer;
    case NOT_NEARER:
        return !nearer;
    case ALWAYS:
        break;
    }
    return true;
}

static void offer(lw_vertex_walk *walk) {
    const lw_graph *g = &walk->graph;
    uint32_t *update = walk->data[DATA_UPDATE];
    for (uint32_t t = 0; t < g->vertices; t++) {
        for (uint32_t e = g->row[t]; e < g->row[t + 1] && walk->data[DATA_MASK][t] != 0; e++) {
            const uint32_t through = walk->data[DATA_VPL][t] + walk->weights[e];
            update[g->col[e]] = through < update[g->col[e]] ? through : update[g->col[e]];
        }
        walk->data[DATA_MASK][t] = 0;
    }
}

/* Whether any vertex has become nearer. */
static bool take(lw_vertex_walk *walk) {
    bool changed = false;
    for (uint32_t t = 0; t < walk->graph.vertices; t++) {
        if (holds(walk, NEARER, t, 0)) {
            walk->data[DATA_VPL][t] = walk->data[DATA_UPDATE][t];
            walk->data[DATA_MASK][t] = 1;
            changed = true;
        }
        walk->data[DATA_UPDATE][t] = walk->data[DATA_VPL][t];
    }
    return changed;
}

static int next(lw_vertex_walk *walk, int walked) {
    switch (walked) {
    case OFFER:
        offer(walk);
        return TAKE;
    case TAKE:
        return take(walk) ? OFFER : -1;
    case INIT:
        return OFFER;
    default:
        return INIT;
    }
}

const lw_vertex_type lw_graphbig_sp = {
    .info = {"graphbig_sp", "shortest paths over a power-law graph (GraphBIG)", true,
             LW_GRAPHBIG_VERTICES, 1, "vertices, of 16 arcs in the mean"},
    .group_items = LW_GRAPHBIG_ITEMS,
    .programs = programs,
    .setup = setup,
    .next = next,
    .holds = holds,
};
