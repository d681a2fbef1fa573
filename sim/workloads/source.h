/* What stands behind a workload handle: each kind of source (tile walk, vertex walk, trace)
 * implements these operations, workload.c owns the handle, the current launch and the wave handles.
 * For sim/kernels and sim/traces alone, where those are. */
#ifndef LW_SIM_WORKLOADS_SOURCE_H
#define LW_SIM_WORKLOADS_SOURCE_H

#include "sim/workloads/workload.h"

/* The lane sets of a wave that a step of a tile walk can name (tile_walk.h). */
typedef enum lw_lanes {
    LW_LANES_GUARD,  /* inside the kernel's guard */
    LW_LANES_INNER,  /* guard, and inside the part of the tile that is written back */
    LW_LANES_COLUMN, /* guard, and lx == 0 */
    LW_LANES_ROW,    /* guard, and global y == 0 */
    LW_LANES_UPPER,  /* guard, and ly == 0: the halves of a group of two rows, which */
    LW_LANES_LOWER,  /* guard, and ly == 1: diverge */
    LW_LANES_NORTH,  /* guard, in a tile at the grid's first row, */
    LW_LANES_SOUTH,  /* last row, */
    LW_LANES_WEST,   /* first column, */
    LW_LANES_EAST,   /* last column */
    LW_LANES_TRIP,   /* guard, and not yet dropped out of the outer loop */
    LW_LANES_KINDS
} lw_lanes;

/* Loop counters only; workload.c zeroes all but `group`, `wave` and the links before wave_begin. */
struct lw_wave {
    uint32_t group;
    uint32_t wave;
    struct {
        int64_t x0, y0; /* the tile coordinates of lane 0; negative in a halo */
        uint64_t lanes[LW_LANES_KINDS];
        int64_t row; /* the first row of the tile that is the wave's */
        uint64_t
            trips; /* of lane 0 through the outer loop, a lane higher one less; 0: one of all */
        uint64_t trip, iteration;
        uint32_t phase, step;
    } walk;
    struct {
        uint64_t first; /* the item of lane 0 */
        uint64_t guard;
        uint64_t arc_lanes; /* whose item is in the arc steps now */
        uint32_t turn;      /* how often they have been through them */
        uint32_t step;
        bool past_arcs;
    } vertex;
    struct {
        uint64_t next, end; /* indices into the kernel's instructions */
    } trace;
    struct lw_wave *next_free;
    struct lw_wave *next_owned;
};

typedef struct lw_source_ops {
    void (*close)(void *self);
    const lw_array *(*arrays)(void *self, size_t *count, lw_error *err);
    int (*next_launch)(void *self, lw_launch *launch, lw_error *err);
    void (*wave_begin)(void *self, lw_wave *wave);
    int (*wave_next)(void *self, lw_wave *wave, lw_wave_inst *inst); /* 1, or 0 at the end */
    lw_partial (*partial)(const void *self); /* NULL: nothing is ever missing */
} lw_source_ops;

/* Takes `self` over (closes it also on failure). NULL and a sentence where memory is short. */
lw_workload *lw_workload_wrap(const lw_source_ops *ops, void *self, lw_error *err);

#endif
