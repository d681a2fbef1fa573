/* The engine of the named kernels but the graphs: a wave walks tables of affine accesses.
 *
 * A kernel is arrays, a few programs, and three functions: `program` (which one a launch runs),
 * `launch` (how many groups) and `place` (where a wave's tile lies and which of its lanes are
 * live). A program is phases (a loop each), a phase is steps (a wave instruction each). Lane l of a
 * wave has the local coordinates lx = l mod tile_width, ly = row + l / tile_width, with `row` the
 * wave's first row within its tile, and a step's lane address is
 *
 *   base + x0*origin_x + y0*origin_y + lx*lane_x + ly*lane_y + iteration*iterate + trip*again
 *
 * (all in bytes) with (x0, y0) the wave's tile origin. A program's phases from `again_from` on are
 * walked once for each of the wave's trips, an outer loop from which the highest lanes drop out one
 * a trip (triangular loops). A kernel whose programs depend on the launch's number builds them in
 * `begin`. A step whose lane set is empty issues nothing; a wave with an empty guard ends at once.
 */
#ifndef LW_SIM_KERNELS_TILE_WALK_H
#define LW_SIM_KERNELS_TILE_WALK_H

#include "sim/kernels/kernel_base.h"
#include "sim/workloads/source.h"

#define LW_PROGRAM_STEPS 16
#define LW_PROGRAM_PHASES 8
#define LW_KERNEL_PROGRAMS 4

typedef struct lw_step {
    uint64_t base; /* address of the element at origin, lane and iteration 0 */
    int64_t origin_x, origin_y;
    int64_t lane_x, lane_y;
    int64_t iterate, again;
    uint64_t first, last; /* where last is not 0, addresses are clamped to first..last */
    lw_lanes lanes;
    lw_access_kind access;
    bool narrows; /* iteration i leaves i + 1 of the group's items out at both of its ends */
    bool dep;     /* as in lw_wave_inst */
    uint16_t alu; /* as in lw_wave_inst */
} lw_step;

typedef struct lw_phase {
    uint32_t end;        /* one past the phase's last step; it begins where the former one ends */
    uint64_t iterations; /* >= 1 */
} lw_phase;

typedef struct lw_program {
    const char *name;     /* of the launch: "mvt_k1" */
    uint64_t items;       /* work-items of a 1-D launch; 0: the kernel's `place` needs none */
    uint32_t tile_width;  /* lanes in a row of the tile: 16, 32, or the wave's width */
    uint32_t group_items; /* of a group; matters to steps that narrow */
    lw_step steps[LW_PROGRAM_STEPS];
    lw_phase phases[LW_PROGRAM_PHASES];
    uint32_t step_count;
    uint32_t phase_count;
    uint32_t again_from; /* a phase; matters where `place` gives the wave more than one trip */
} lw_program;

typedef struct lw_kernel lw_kernel;

typedef struct lw_kernel_type {
    lw_workload_info info;
    uint64_t max_size;          /* keeps every product of sizes far inside 64 bits */
    void (*setup)(lw_kernel *); /* declares arrays, programs and the number of launches */
    void (*begin)(lw_kernel *); /* or NULL: builds the programs of launch `current` */
    void (*launch)(const lw_kernel *, lw_launch *);  /* fills *launch for `current` */
    void (*place)(const lw_kernel *, lw_wave *wave); /* origin, trips and lane sets */
    const lw_program *(*program)(
        const lw_kernel *kernel); /* of the launch `current`; NULL: the first */
} lw_kernel_type;

struct lw_kernel {
    const lw_kernel_type *type;
    lw_workload_params params; /* with the defaults filled in */
    lw_array_list arrays;
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

/* For `launch` and `place` of a square of so many items a side in groups of 32 x 8: the groups and
 * their waves; a wave's origin, its first row, and its live lanes, which are those within the
 * square but its border of so many items. */
enum { LW_GROUP_X = 32, LW_GROUP_Y = 8 };
void lw_square_launch(const lw_kernel *kernel, uint64_t side, lw_launch *out);
void lw_square_place(const lw_kernel *kernel, uint64_t side, int64_t border, lw_wave *wave);

/* The same of the current program's items in a row, in groups of 256. */
enum { LW_GROUP_ITEMS = 256 };
void lw_row_launch(const lw_kernel *kernel, lw_launch *out);
void lw_row_place(const lw_kernel *kernel, lw_wave *wave);

/* For `setup`: appends a step to the phase that is being built; closes that phase. */
void lw_program_step(lw_program *program, lw_step step);
void lw_program_phase(lw_program *program, uint64_t iterations);

#endif
