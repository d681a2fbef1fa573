/* CC (GraphBIG; docs/workloads.md section 5): connected components. In rounds of four launches
 * trees of vertices hook onto their neighbours' trees, arc by arc, and then every vertex is put
 * below the root of its tree by walking up to it; until a round hooks none. */
#include "sim/kernels/graphbig.h"
#include "sim/kernels/kernels.h"

#include <string.h>

#define LOOP 4         /* alu: index, compare, branch */
#define ARCS_OF_ITEM 2 /* of an even number of arcs, as each edge is two */

enum { MASK = LW_GB_ARRAYS, SRC, PARENTS, SHADOW, OVER };
/* BEFORE: the parents that the hooking of the round before saw. */
enum { DATA_PARENT, DATA_SHADOW, DATA_BEFORE };
enum condition { ALWAYS = LW_ALWAYS, OPEN, APART, JOINED };
enum { INIT, HOOK, UPDATE, JUMP, UPDATE_AGAIN };

#define R LW_READ
#define W LW_WRITE

/* Nothing waits for a store: the arcs follow one another once their bounds are there. */
static const lw_vertex_step init_steps[] = {
    {LW_GB_VLIST, LW_AT_OWN, 0, ALWAYS, R, LOOP, false, false},
    {LW_GB_VLIST, LW_AT_NEXT, 0, ALWAYS, R, 0, false, false},
    {PARENTS, LW_AT_OWN, 0, ALWAYS, W, 0, true, false},
    {SHADOW, LW_AT_OWN, 0, ALWAYS, W, 0, false, false},
    {MASK, LW_AT_ARC, 0, ALWAYS, W, LOOP, false, false},
    {SRC, LW_AT_ARC, 0, ALWAYS, W, 0, false, false},
};

/* An arc whose ends are in one tree is masked, and not looked at again. */
static const lw_vertex_step hook_steps[] = {
    {MASK, LW_AT_ARC, 0, ALWAYS, R, LOOP, false, false},
    {SRC, LW_AT_ARC, 0, OPEN, R, LOOP, true, false},
    {LW_GB_ELIST, LW_AT_ARC, 0, OPEN, R, 0, false, false},
    {PARENTS, LW_AT_OWN, 0, OPEN, R, 0, true, false},
    {PARENTS, LW_AT_TARGET, 0, OPEN, R, 0, false, false},
    {SHADOW, LW_AT_FOUND, 0, APART, W, LOOP, true, false},
    {OVER, LW_AT_FLAG, 0, APART, W, 0, false, false},
    {MASK, LW_AT_ARC, 0, JOINED, W, LOOP, true, false},
};

static const lw_vertex_step update_steps[] = {
    {SHADOW, LW_AT_OWN, 0, ALWAYS, R, LOOP, false, false},
    {PARENTS, LW_AT_OWN, 0, ALWAYS, W, 0, true, false},
};

/* Each turn is at the parent of the turn before, up to the root. */
static const lw_vertex_step jump_steps[] = {
    {PARENTS, LW_AT_OWN, 0, ALWAYS, R, LOOP, true, false},
    {SHADOW, LW_AT_OWN, 0, ALWAYS, W, LOOP, true, false},
};

static const lw_vertex_program programs[] = {
    [INIT] = {"graphbig_cc_init", init_steps, 4, 2, 0, ALWAYS},
    [HOOK] = {"graphbig_cc_hook", hook_steps, 0, 8, 0, ALWAYS},
    [UPDATE] = {"graphbig_cc_update", update_steps, 2, 0, 0, ALWAYS},
    [JUMP] = {"graphbig_cc_jump", jump_steps, 0, 1, 1, ALWAYS},
    [UPDATE_AGAIN] = {"graphbig_cc_update", update_steps, 2, 0, 0, ALWAYS},
};

static bool setup(lw_vertex_walk *walk) {
    const uint64_t v = walk->params.size;
    if (!lw_graphbig_setup(walk) || !lw_vertex_data(walk, DATA_PARENT) ||
        !lw_vertex_data(walk, DATA_SHADOW) || !lw_vertex_data(walk, DATA_BEFORE)) {
        return false;
    }
    lw_vertex_array(walk, "mask", walk->graph.arcs, 1);
    lw_vertex_array(walk, "src", walk->graph.arcs, 8);
    lw_vertex_array(walk, "parents", v, 8);
    lw_vertex_array(walk, "shadow", v, 8);
    lw_vertex_array(walk, "over", 1, 4);
    for (uint32_t t = 0; t < walk->graph.vertices; t++) {
        walk->data[DATA_PARENT][t] = walk->data[DATA_SHADOW][t] = t;
    }
    return true;
}

static bool is_one_tree(const lw_vertex_walk *walk, unsigned data, uint32_t t, uint32_t e) {
    return walk->data[data][t] == walk->data[data][walk->graph.col[e]];
}

static bool holds(const lw_vertex_walk *walk, unsigned condition, uint32_t t, uint32_t e) {
    const bool open = walk->rounds == 0 || !is_one_tree(walk, DATA_BEFORE, t, e);
    switch ((enum condition)condition) {
    case OPEN:
        return open;
    case APART:
        return open && !is_one_tree(walk, DATA_PARENT, t, e);
    case JOINED:
        return open && is_one_tree(walk, DATA_PARENT, t, e);
    case ALWAYS:
        break;
    }
    return true;
}

/* Which root is hooked, and onto which: in one round the greater one onto the lesser, in the next
 * the other way round, so that neither direction leaves a long row of trees. */
static uint32_t hooked(const lw_vertex_walk *walk, uint32_t t, uint32_t e, uint32_t *onto) {
    const uint32_t a = walk->data[DATA_PARENT][t];
    const uint32_t b = walk->data[DATA_PARENT][walk->graph.col[e]];
    const uint32_t lesser = a < b ? a : b;
    const uint32_t greater = a < b ? b : a;
    const bool down = walk->rounds % 2 == 0;
    *onto = down ? lesser : greater;
    return down ? greater : lesser;
}

static uint32_t found(const lw_vertex_walk *walk, uint32_t t, uint32_t e) {
    uint32_t onto = 0;
    return hooked(walk, t, e, &onto);
}

static uint32_t items(const lw_vertex_walk *walk) {
    return walk->current == HOOK ? walk->graph.arcs / ARCS_OF_ITEM : walk->graph.vertices;
}

/* The vertex that an arc leads out of. */
static uint32_t source_of(const lw_graph *g, uint32_t e) {
    uint32_t first = 0;
    uint32_t last = g->vertices - 1;
    while (first < last) {
        const uint32_t middle = first + (last - first) / 2;
        if (g->row[middle + 1] > e) {
            last = middle;
        } else {
            first = middle + 1;
        }
    }
    return first;
}

static bool turn(const lw_vertex_walk *walk, uint32_t item, uint32_t number, uint32_t *t,
                 uint32_t *e) {
    const lw_graph *g = &walk->graph;
    *t = item;
    *e = 0;
    switch (walk->current) {
    case HOOK:
        *e = ARCS_OF_ITEM * item + number;
        *t = source_of(g, *e);
        return number < ARCS_OF_ITEM;
    case JUMP:
        for (uint32_t i = 0; i < number; i++) {
            if (walk->data[DATA_PARENT][*t] == *t) {
                return false;
            }
            *t = walk->data[DATA_PARENT][*t];
        }
        return true;
    default:
        *e = g->row[item] + number;
        return *e < g->row[item + 1];
    }
}

/* Of several arcs that hook one root the last has its way. */
static void hook(lw_vertex_walk *walk) {
    const lw_graph *g = &walk->graph;
    for (uint32_t t = 0; t < g->vertices; t++) {
        for (uint32_t e = g->row[t]; e < g->row[t + 1]; e++) {
            uint32_t onto = 0;
            const uint32_t root = hooked(walk, t, e, &onto);
            if (root != onto) {
                walk->data[DATA_SHADOW][root] = onto;
            }
        }
    }
    memcpy(walk->data[DATA_BEFORE], walk->data[DATA_PARENT],
           g->vertices * sizeof *walk->data[DATA_BEFORE]);
    walk->rounds++;
}

static void jump(lw_vertex_walk *walk) {
    const uint32_t *parent = walk->data[DATA_PARENT];
    for (uint32_t t = 0; t < walk->graph.vertices; t++) {
        uint32_t root = t;
        while (parent[root] != root) {
            root = parent[root];
        }
        walk->data[DATA_SHADOW][t] = root;
    }
}

static void update(lw_vertex_walk *walk) {
    memcpy(walk->data[DATA_PARENT], walk->data[DATA_SHADOW],
           walk->graph.vertices * sizeof *walk->data[DATA_PARENT]);
}

/* Whether the round has hooked any tree. */
static bool has_changed(const lw_vertex_walk *walk) {
    return memcmp(walk->data[DATA_BEFORE], walk->data[DATA_PARENT],
                  walk->graph.vertices * sizeof *walk->data[DATA_BEFORE]) != 0;
}

static int next(lw_vertex_walk *walk, int walked) {
    switch (walked) {
    case HOOK:
        hook(walk);
        return UPDATE;
    case UPDATE:
        update(walk);
        return JUMP;
    case JUMP:
        jump(walk);
        return UPDATE_AGAIN;
    case UPDATE_AGAIN:
        update(walk);
        return has_changed(walk) ? HOOK : -1;
    case INIT:
        return HOOK;
    default:
        return INIT;
    }
}

const lw_vertex_type lw_graphbig_cc = {
    .info = {"graphbig_cc", "connected components of a power-law graph (GraphBIG)", false,
             LW_GRAPHBIG_VERTICES, 1, "vertices, of 16 arcs in the mean"},
    .group_items = LW_GRAPHBIG_ITEMS,
    .programs = programs,
    .setup = setup,
    .next = next,
    .holds = holds,
    .items = items,
    .turn = turn,
    .found = found,
};
