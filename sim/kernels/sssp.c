/* SSSP (Pannotia, csr; docs/workloads.md section 5): shortest paths from vertex 0 over a road-like
 * graph, each round of three launches relaxing every vertex (v2[t] = min over its arcs of
 * data + v1[target]), until a round changes nothing or V - 1 rounds are over. */
#include "sim/kernels/kernels.h"

#include <stdlib.h>

#define GROUP_ITEMS 64
#define LOOP 4 /* alu: index, compare, branch */
#define MATH 4 /* alu: add and minimum */
#define SOURCE 0

enum { ROW, COL, DATA, V1, V2, STOP };
enum { DATA_V1, DATA_V2 }; /* of lw_vertex_walk.data; UINT32_MAX: no path yet */
enum condition { ALWAYS = LW_ALWAYS, RELAXES, CHANGED };
enum { INIT, ASSIGN, MIN_PLUS, DIFF };

#define R LW_READ
#define W LW_WRITE

static const lw_vertex_step init_steps[] = {
    {V1, LW_AT_OWN, 0, ALWAYS, W, LOOP, false, false},
    {V2, LW_AT_OWN, 0, ALWAYS, W, 0, false, false},
};

static const lw_vertex_step assign_steps[] = {
    {V2, LW_AT_OWN, 0, ALWAYS, R, LOOP, false, false},
    {V1, LW_AT_OWN, 0, ALWAYS, W, 0, true, false},
};

static const lw_vertex_step min_plus_steps[] = {
    {ROW, LW_AT_OWN, 0, ALWAYS, R, LOOP, false, false},
    {ROW, LW_AT_NEXT, 0, ALWAYS, R, 0, false, false},
    {V1, LW_AT_OWN, 0, ALWAYS, R, 0, false, false},
    {DATA, LW_AT_ARC, 0, ALWAYS, R, LOOP, true, false},
    {COL, LW_AT_ARC, 0, ALWAYS, R, 0, false, false},
    {V1, LW_AT_TARGET, 0, ALWAYS, R, 0, true, false},
    /* The minimum repeats the sum that it compared. */
    {DATA, LW_AT_ARC, 0, RELAXES, R, MATH, true, true},
    {COL, LW_AT_ARC, 0, RELAXES, R, 0, false, true},
    {V1, LW_AT_TARGET, 0, RELAXES, R, 0, true, true},
    {V2, LW_AT_OWN, 0, ALWAYS, W, MATH, true, false},
};

static const lw_vertex_step diff_steps[] = {
    {V2, LW_AT_OWN, 0, ALWAYS, R, LOOP, false, false},
    {V1, LW_AT_OWN, 0, ALWAYS, R, 0, false, false},
    {STOP, LW_AT_FLAG, 0, CHANGED, W, LOOP, true, false},
};

static const lw_vertex_program programs[] = {
    [INIT] = {"sssp_init", init_steps, 2, 0, 0, ALWAYS},
    [ASSIGN] = {"sssp_assign", assign_steps, 2, 0, 0, ALWAYS},
    [MIN_PLUS] = {"sssp_min_plus", min_plus_steps, 3, 6, 1, ALWAYS},
    [DIFF] = {"sssp_diff", diff_steps, 3, 0, 0, ALWAYS},
};

/* USA-road-d.NW (MESC) has 2,840,208 arcs, NHA's graph (docs/workloads.md section 2) 8,468,429; any
 * other size has NW's arcs per vertex. */
static uint32_t arcs_of(uint64_t vertices) {
    const uint64_t nw_vertices = 1207945;
    const uint64_t nw_arcs = 2840208;
    return (uint32_t)(vertices == 3470000 ? 8468429 : vertices * nw_arcs / nw_vertices);
}

static bool setup(lw_vertex_walk *walk) {
    const uint64_t v = walk->params.size;
    lw_graph *g = &walk->graph;
    if (!lw_graph_road(g, (uint32_t)v, arcs_of(v), walk->params.seed) ||
        !lw_vertex_data(walk, DATA_V1) || !lw_vertex_data(walk, DATA_V2)) {
        return false;
    }
    walk->weights = malloc(((size_t)g->arcs + 1) * sizeof *walk->weights);
    if (walk->weights == NULL) {
        return false;
    }
    for (uint32_t t = 0; t < g->vertices; t++) {
        for (uint32_t e = g->row[t]; e < g->row[t + 1]; e++) {
            walk->weights[e] = lw_edge_weight(walk->params.seed, t, g->col[e]);
        }
        walk->data[DATA_V1][t] = walk->data[DATA_V2][t] = t == SOURCE ? 0 : UINT32_MAX;
    }
    lw_vertex_array(walk, "row", v + 1, 4);
    lw_vertex_array(walk, "col", g->arcs, 4);
    lw_vertex_array(walk, "data", g->arcs, 4);
    lw_vertex_array(walk, "v1", v, 4);
    lw_vertex_array(walk, "v2", v, 4);
    lw_vertex_array(walk, "stop", 1, 4);
    return true;
}

/* The least of v1[t] and what t's arcs before `end` give. */
static uint32_t least(const lw_vertex_walk *walk, uint32_t t, uint32_t end) {
    const lw_graph *g = &walk->graph;
    const uint32_t *v1 = walk->data[DATA_V1];
    uint64_t min = v1[t];
    for (uint32_t e = g->row[t]; e < end; e++) {
        const uint64_t sum = (uint64_t)v1[g->col[e]] + walk->weights[e];
        min = sum < min ? sum : min;
    }
    return (uint32_t)min;
}

static bool holds(const lw_vertex_walk *walk, unsigned condition, uint32_t t, uint32_t e) {
    switch ((enum condition)condition) {
    case RELAXES:
        return least(walk, t, e + 1) < least(walk, t, e);
    case CHANGED:
        return walk->data[DATA_V1][t] != walk->data[DATA_V2][t];
    case ALWAYS:
        break;
    }
    return true;
}

static bool changed(const lw_vertex_walk *walk) {
    for (uint32_t t = 0; t < walk->graph.vertices; t++) {
        if (holds(walk, CHANGED, t, 0)) {
            return true;
        }
    }
    return false;
}

static int next(lw_vertex_walk *walk, int walked) {
    const uint32_t v = walk->graph.vertices;
    switch (walked) {
    case ASSIGN:
        for (uint32_t t = 0; t < v; t++) {
            walk->data[DATA_V1][t] = walk->data[DATA_V2][t];
        }
        return MIN_PLUS;
    case MIN_PLUS:
        for (uint32_t t = 0; t < v; t++) {
            walk->data[DATA_V2][t] = least(walk, t, walk->graph.row[t + 1]);
        }
        return DIFF;
    case INIT:
        return v > 1 ? ASSIGN : -1;
    case DIFF:
        return changed(walk) && ++walk->rounds < v - 1 ? ASSIGN : -1;
    default:
        return INIT;
    }
}

const lw_vertex_type lw_sssp = {
    .info = {"sssp", "shortest paths over a road-like graph (Pannotia, csr)", false, 1207945, 1,
             "vertices"},
    .group_items = GROUP_ITEMS,
    .programs = programs,
    .setup = setup,
    .next = next,
    .holds = holds,
};
