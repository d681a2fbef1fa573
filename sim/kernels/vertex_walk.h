/* The engine of the graph kernels: an item a vertex, walking its arcs in lock step with its wave;
 * or what the kernel's `items` and `turn` say, such as an item for two arcs.
 *
 * A program is steps in three parts: before the arcs, for each arc, after them. A wave goes round
 * the arc steps while any of its lanes has an arc left; a step whose condition holds in no lane
 * issues nothing. The kernel runs its real algorithm on host-side data, a whole launch at a time:
 * `next` applies what the launch just walked has computed, and says which program comes next. So
 * all addresses of a launch come from the data as it was when the launch began, whatever order or
 * part of its waves is simulated. (Of these kernels GraphBIG's BFS and BC alone look in a launch
 * whether another item of it has reached their arc's target, and store only where none has: here
 * each of them finds it as it was, and stores. Where two store to one place, either may be last.)
 */
#ifndef LW_SIM_KERNELS_VERTEX_WALK_H
#define LW_SIM_KERNELS_VERTEX_WALK_H

#include "sim/kernels/graph.h"
#include "sim/kernels/kernel_base.h"
#include "sim/workloads/source.h"

/* What an access is to, of vertex t and, in the arc steps, of arc e. */
typedef enum lw_vertex_place {
    LW_AT_OWN,    /* [t] */
    LW_AT_NEXT,   /* [t + 1] */
    LW_AT_ARC,    /* [e] */
    LW_AT_TARGET, /* [col[e]] */
    LW_AT_FLAG,   /* [0] */
    LW_AT_FOUND,  /* [found(t, e)] */
} lw_vertex_place;

#define LW_ALWAYS 0 /* the condition that every lane fulfils; the others are the kernel's own */

typedef struct lw_vertex_step {
    unsigned array;
    lw_vertex_place place;
    unsigned offset; /* bytes into the element */
    unsigned condition;
    lw_access_kind access;
    unsigned alu;
    bool dep;
    bool only_src; /* there in SRC mode only */
} lw_vertex_step;

typedef struct lw_vertex_program {
    const char *name;
    const lw_vertex_step *steps;
    uint32_t before, arc, after; /* steps of each part */
    unsigned arc_condition;      /* of the vertices that walk their arcs */
} lw_vertex_program;

#define LW_VERTEX_DATA 3

typedef struct lw_vertex_walk lw_vertex_walk;

typedef struct lw_vertex_type {
    lw_workload_info info;
    uint32_t group_items;
    const lw_vertex_program *programs;
    bool (*setup)(lw_vertex_walk *); /* graph, host-side data, arrays; false: memory is short */
    /* Applies the program that has been walked (-1: none yet); the next one, -1: the end. */
    int (*next)(lw_vertex_walk *, int walked);
    /* Whether a condition holds for vertex t (and its arc e). */
    bool (*holds)(const lw_vertex_walk *, unsigned condition, uint32_t t, uint32_t e);
    /* Of a kernel that needs them, else NULL. The items of the current program, where they are not
     * the vertices; the vertex and the arc of an item's turn of the arc steps, counted from 0,
     * where they are not itself and its arcs (false: it has had its turns); LW_AT_FOUND. */
    uint32_t (*items)(const lw_vertex_walk *);
    bool (*turn)(const lw_vertex_walk *, uint32_t item, uint32_t number, uint32_t *t, uint32_t *e);
    uint32_t (*found)(const lw_vertex_walk *, uint32_t t, uint32_t e);
} lw_vertex_type;

struct lw_vertex_walk {
    const lw_vertex_type *type;
    lw_workload_params params; /* with the defaults filled in */
    lw_array_list arrays;
    uint32_t elements[LW_KERNEL_ARRAYS]; /* bytes of an element of each */
    lw_graph graph;
    uint32_t *weights;              /* of the arcs; NULL where the kernel has none */
    uint32_t *data[LW_VERTEX_DATA]; /* of the vertices; the kernel names them */
    uint64_t rounds;
    int current; /* program; -1: none yet, or ended */
};

/* Checks the parameters and sets the kernel up. NULL and a sentence. */
lw_workload *lw_vertex_open(const lw_vertex_type *type, const lw_workload_params *params,
                            lw_error *err);

/* The same without the handle around it, so that a test sees the data: what lw_workload_wrap takes,
 * with lw_vertex_ops. */
lw_vertex_walk *lw_vertex_new(const lw_vertex_type *type, const lw_workload_params *params,
                              lw_error *err);
extern const lw_source_ops lw_vertex_ops;

/* For `setup`. */
void lw_vertex_array(lw_vertex_walk *walk, const char *name, uint64_t count, uint32_t element);
bool lw_vertex_data(lw_vertex_walk *walk, unsigned which); /* zeroed, one for each vertex */

#endif
