/* The one engine that all named kernels run on: a wave walks tables of affine accesses.
 *
 * A kernel is arrays, one or two programs, and two functions: `launch` (how many groups, which
 * program) and `place` (where a wave's tile lies and which of its lanes are live). A program is
 * phases (a loop each), a phase is steps (a wave instruction each). Lane l of a wave has the local
 * coordinates lx = l mod tile_width, ly = l / tile_width, and a step's lane address is
 *
 *   base + x0*origin_x + y0*origin_y + lx*lane_x + ly*lane_y + iteration*iterate     (all in bytes)
 *
 * with (x0, y0) the wave's tile origin. All kernels of workloads.md sections 3 and 4 that this
 * folder holds have that form, so none has a state machine of its own. A step whose lane set is
 * empty issues nothing; a wave with an empty guard ends at once. */
#ifndef LW_WORKLOADS_TILE_WALK_H
#define LW_WORKLOADS_TILE_WALK_H

#include "workloads/source.h"

#define LW_KERNEL_ARRAYS 8
#define LW_PROGRAM_STEPS 16
#define LW_PROGRAM_PHASES 5
#define LW_KERNEL_PROGRAMS 2

typedef struct lw_step {
    uint64_t base; /* address of the element at origin, lane and iteration 0 */
    int64_t origin_x, origin_y;
    int64_t lane_x, lane_y;
    int64_t iterate;
    lw_lanes lanes;
    lw_access access;
    bool dep;     /* as in lw_wave_inst */
    uint16_t alu; /* as in lw_wave_inst */
} lw_step;

typedef struct lw_phase {
    uint32_t end;        /* one past the phase's last step; it begins where the former one ends */
    uint64_t iterations; /* >= 1 */
} lw_phase;

typedef struct lw_program {
    const char *name;    /* of the launch: "mvt_k1" */
    uint64_t items;      /* work-items of a 1-D launch; 0: the kernel's `place` needs none */
    uint32_t tile_width; /* lanes in a row of the tile: 16, or the wave's width */
    lw_step steps[LW_PROGRAM_STEPS];
    lw_phase phases[LW_PROGRAM_PHASES];
    uint32_t step_count;
    uint32_t phase_count;
} lw_program;

typedef struct lw_kernel lw_kernel;

typedef struct lw_kernel_type {
    lw_workload_info info;
    uint64_t max_size;          /* keeps every product of sizes far inside 64 bits */
    void (*setup)(lw_kernel *); /* declares arrays, programs and the number of launches */
    void (*launch)(const lw_kernel *, lw_launch *);        /* fills *launch for `current` */
    void (*place)(const lw_kernel *, lw_wave *wave);       /* x0, y0 and lane sets */
    const lw_program *(*program)(const lw_kernel *kernel); /* of the launch `current` */
} lw_kernel_type;

struct lw_kernel {
    const lw_kernel_type *type;
    lw_workload_params params; /* with the defaults filled in */
    lw_array arrays[LW_KERNEL_ARRAYS];
    size_t array_count;
    lw_program programs[LW_KERNEL_PROGRAMS];
    uint64_t launches;
    uint64_t started; /* launches begun so far; the current one is started - 1 */
    uint64_t current; /* valid between next_launch and the one after it */
    const lw_program *now;
};

/* Checks the parameters against the type, sets it up. NULL and a sentence. */
lw_workload *lw_kernel_open(const lw_kernel_type *type, const lw_workload_params *params,
                            lw_error *err);

/* For `setup`: an array right after the former one, page aligned; its index is its order. */
void lw_kernel_array(lw_kernel *kernel, const char *name, uint64_t bytes);

/* For `setup`: appends a step to the phase that is being built; closes that phase. */
void lw_program_step(lw_program *program, lw_step step);
void lw_program_phase(lw_program *program, uint64_t iterations);

/* Waves of a group of `items` work-items. */
uint32_t lw_kernel_waves(const lw_kernel *kernel, uint32_t items);

/* The mask of the first n lanes (n 0..64). */
static inline uint64_t lw_first_lanes(uint64_t n) {
    return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

#endif
