/* What stands behind a workload handle: the two kinds of source (named kernel, trace) implement
 * these operations, workload.c owns the handle, the current launch and the wave handles.
 * Internal to c_model/workloads. */
#ifndef LW_WORKLOADS_SOURCE_H
#define LW_WORKLOADS_SOURCE_H

#include "workloads/workload.h"

/* The lane sets of a wave that a step of a tile walk can name (tile_walk.h). */
typedef enum lw_lanes {
    LW_LANES_GUARD,  /* inside the kernel's guard */
    LW_LANES_INNER,  /* guard, and inside the part of the tile that is written back */
    LW_LANES_COLUMN, /* guard, and lx == 0 */
    LW_LANES_ROW,    /* guard, and global y == 0 */
    LW_LANES_KINDS
} lw_lanes;

/* Loop counters only; workload.c zeroes all but `group`, `wave` and the links before wave_begin. */
struct lw_wave {
    uint32_t group;
    uint32_t wave;
    struct {
        int64_t x0, y0; /* the tile coordinates of lane 0; negative in a halo */
        uint64_t lanes[LW_LANES_KINDS];
        uint64_t iteration;
        uint32_t phase, step;
    } walk;
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
} lw_source_ops;

/* Takes `self` over (closes it also on failure). NULL and a sentence where memory is short. */
lw_workload *lw_workload_wrap(const lw_source_ops *ops, void *self, lw_error *err);

#endif
