/* Color (Pannotia, max; docs/workloads.md section 5): each round gives its colour to the vertices
 * whose random value is the greatest among their neighbours without one. As in the original a
 * vertex with a single arc looks at no neighbour, so that it and its neighbour can get one colour.
 * The graph is the matrix ecology1 (MESC), a 5-point grid; at the size of USA-road-d.FLA (NHA) it
 * is road-like. */
#include "sim/kernels/kernels.h"

#include "common/rng.h"

#define GROUP_ITEMS 256
#define LOOP 4 /* alu: index, compare, branch */
#define FLA_VERTICES 1070376
#define FLA_ARCS 2712798

enum { ROW, COL, NODE_VALUE, COLOR, MAX, STOP };
/* Of lw_vertex_walk.data. Color UINT32_MAX: none yet. Values are 1 .. 2^31; max 0: none. */
enum { DATA_COLOR, DATA_VALUE, DATA_MAX };
enum condition { ALWAYS = LW_ALWAYS, OPEN, OPEN_NOT_LAST, RIVAL, NEW_MAX, WINS };
enum { K1, K2 };

#define R LW_READ
#define W LW_WRITE

static const lw_vertex_step look[] = {
    {COLOR, LW_AT_OWN, 0, ALWAYS, R, LOOP, false, false},
    {ROW, LW_AT_OWN, 0, OPEN, R, LOOP, true, false},
    {ROW, LW_AT_NEXT, 0, OPEN_NOT_LAST, R, 0, false, false}, /* the last vertex knows E */
    {COL, LW_AT_ARC, 0, ALWAYS, R, LOOP, true, false},
    {COLOR, LW_AT_TARGET, 0, ALWAYS, R, 0, true, false},
    {STOP, LW_AT_FLAG, 0, RIVAL, W, LOOP, true, false},
    {NODE_VALUE, LW_AT_TARGET, 0, RIVAL, R, 0, false, false},
    {NODE_VALUE, LW_AT_TARGET, 0, NEW_MAX, R, LOOP, true, false},
    {MAX, LW_AT_OWN, 0, OPEN, W, 0, true, false},
};

static const lw_vertex_step assign[] = {
    {COLOR, LW_AT_OWN, 0, ALWAYS, R, LOOP, false, false},
    {NODE_VALUE, LW_AT_OWN, 0, OPEN, R, LOOP, true, false},
    {MAX, LW_AT_OWN, 0, OPEN, R, 0, false, false},
    {COLOR, LW_AT_OWN, 0, WINS, W, LOOP, true, false},
};

static const lw_vertex_program programs[] = {
    [K1] = {"color_k1", look, 3, 5, 1, OPEN},
    [K2] = {"color_k2", assign, 4, 0, 0, ALWAYS},
};

static bool setup(lw_vertex_walk *walk) {
    const uint64_t v = walk->params.size;
    lw_graph *g = &walk->graph;
    const bool made = v == FLA_VERTICES ? lw_graph_road(g, (uint32_t)v, FLA_ARCS, walk->params.seed)
                                        : lw_graph_grid(g, (uint32_t)v);
    if (!made || !lw_vertex_data(walk, DATA_COLOR) || !lw_vertex_data(walk, DATA_VALUE) ||
        !lw_vertex_data(walk, DATA_MAX)) {
        return false;
    }
    lw_rng rng;
    lw_rng_seed(&rng, ~walk->params.seed); /* not the graph's own numbers */
    for (uint64_t t = 0; t < v; t++) {
        walk->data[DATA_COLOR][t] = UINT32_MAX;
        walk->data[DATA_VALUE][t] = (uint32_t)(1 + (lw_rng_next(&rng) >> 33));
    }
    lw_vertex_array(walk, "row", v, 4);
    lw_vertex_array(walk, "col", g->arcs, 4);
    lw_vertex_array(walk, "node_value", v, 4);
    lw_vertex_array(walk, "color", v, 4);
    lw_vertex_array(walk, "max", v, 4);
    lw_vertex_array(walk, "stop", 1, 4);
    return true;
}

static bool is_open(const lw_vertex_walk *walk, uint32_t t) {
    return walk->data[DATA_COLOR][t] == UINT32_MAX;
}

static bool is_rival(const lw_vertex_walk *walk, uint32_t t, uint32_t e) {
    const lw_graph *g = &walk->graph;
    return g->row[t + 1] - g->row[t] > 1 && is_open(walk, g->col[e]);
}

/* The greatest value among the rivals of t's arcs before `end`. */
static uint32_t greatest(const lw_vertex_walk *walk, uint32_t t, uint32_t end) {
    uint32_t max = 0;
    for (uint32_t e = walk->graph.row[t]; e < end; e++) {
        const uint32_t value = walk->data[DATA_VALUE][walk->graph.col[e]];
        max = is_rival(walk, t, e) && value > max ? value : max;
    }
    return max;
}

static bool holds(const lw_vertex_walk *walk, unsigned condition, uint32_t t, uint32_t e) {
    switch ((enum condition)condition) {
    case OPEN:
        return is_open(walk, t);
    case OPEN_NOT_LAST:
        return is_open(walk, t) && t + 1 < walk->graph.vertices;
    case RIVAL:
        return is_rival(walk, t, e);
    case NEW_MAX:
        return greatest(walk, t, e + 1) > greatest(walk, t, e);
    case WINS:
        return is_open(walk, t) && walk->data[DATA_VALUE][t] >= walk->data[DATA_MAX][t];
    case ALWAYS:
        break;
    }
    return true;
}

/* One more round where, when this one began, two neighbours had no colour. */
static bool had_rivals(const lw_vertex_walk *walk) {
    for (uint32_t t = 0; t < walk->graph.vertices; t++) {
        if (is_open(walk, t) && walk->data[DATA_MAX][t] != 0) {
            return true;
        }
    }
    return false;
}

static int next(lw_vertex_walk *walk, int walked) {
    const uint32_t v = walk->graph.vertices;
    bool again = false;
    switch (walked) {
    case K1:
        for (uint32_t t = 0; t < v; t++) {
            walk->data[DATA_MAX][t] =
                is_open(walk, t) ? greatest(walk, t, walk->graph.row[t + 1]) : 0;
        }
        return K2;
    case K2:
        again = had_rivals(walk);
        for (uint32_t t = 0; t < v; t++) {
            if (holds(walk, WINS, t, 0)) {
                walk->data[DATA_COLOR][t] = (uint32_t)walk->rounds;
            }
        }
        walk->rounds++;
        return again ? K1 : -1;
    default:
        return K1;
    }
}

const lw_vertex_type lw_color = {
    .info = {"color", "graph colouring of a 5-point grid (Pannotia, max)", false, 1000000, 1,
             "vertices (1070376: road-like, as USA-road-d.FLA)"},
    .group_items = GROUP_ITEMS,
    .programs = programs,
    .setup = setup,
    .next = next,
    .holds = holds,
};
