/* Hotspot (Rodinia; docs/workloads.md section 4): an N x N stencil in 16 x 16 tiles that overlap by
 * a halo, PYRAMID time steps per launch inside local memory, source and destination swapped after
 * each launch. The run is STEPS time steps; params.max_iters cuts it. */
#include "sim/kernels/kernels.h"

#define BLOCK 16
#define PYRAMID 4
#define STEPS 8
#define F32 4
#define ALU_INDEX 16
/* One stencil step in LDS: 80 cycles for a full pyramid (docs/workloads.md section 6). */
#define ALU_STEP 20

enum { TEMP0, TEMP1, POWER };

static uint64_t time_steps(const lw_kernel *kernel) {
    const uint64_t max = kernel->params.max_iters;
    return max != 0 && max < STEPS ? max : STEPS;
}

/* Time steps of the current launch: the last one may have fewer. */
static uint64_t steps_now(const lw_kernel *kernel, uint64_t current) {
    const uint64_t left = time_steps(kernel) - PYRAMID * current;
    return left < PYRAMID ? left : PYRAMID;
}

static void setup(lw_kernel *kernel) {
    const uint64_t pitch = kernel->params.size * F32;
    const uint64_t bytes = pitch * kernel->params.size;
    lw_kernel_array(kernel, "temp0", bytes);
    lw_kernel_array(kernel, "temp1", bytes);
    lw_kernel_array(kernel, "power", bytes);
    kernel->launches = (time_steps(kernel) + PYRAMID - 1) / PYRAMID;

    for (uint32_t i = 0; i < LW_KERNEL_PROGRAMS; i++) {
        lw_program *p = &kernel->programs[i];
        *p = (lw_program){.name = "hotspot", .tile_width = BLOCK};
        lw_step step = {.base = kernel->arrays.at[i % 2 == 0 ? TEMP0 : TEMP1].base,
                        .origin_x = F32,
                        .origin_y = (int64_t)pitch,
                        .lane_x = F32,
                        .lane_y = (int64_t)pitch,
                        .alu = ALU_INDEX};
        lw_program_step(p, step);
        step.base = kernel->arrays.at[POWER].base;
        step.alu = 0;
        lw_program_step(p, step);
        step.base = kernel->arrays.at[i % 2 == 0 ? TEMP1 : TEMP0].base;
        step.lanes = LW_LANES_INNER;
        step.access = LW_WRITE;
        step.dep = true;
        step.alu = i < kernel->launches ? (uint16_t)(ALU_STEP * steps_now(kernel, i)) : 0;
        lw_program_step(p, step);
        lw_program_phase(p, 1);
    }
}

static const lw_program *program(const lw_kernel *kernel) {
    return &kernel->programs[kernel->current % LW_KERNEL_PROGRAMS];
}

/* Groups in each direction: always for the full pyramid, as in the original. */
static uint64_t groups_across(const lw_kernel *kernel) {
    const uint64_t small = BLOCK - 2 * PYRAMID;
    return (kernel->params.size + small - 1) / small;
}

static void launch(const lw_kernel *kernel, lw_launch *out) {
    const uint64_t across = groups_across(kernel);
    out->groups = (uint32_t)(across * across);
    out->waves_in_group = lw_waves_of(&kernel->params, BLOCK * BLOCK);
}

static void place(const lw_kernel *kernel, lw_wave *wave) {
    const int64_t across = (int64_t)groups_across(kernel);
    const int64_t n = (int64_t)kernel->params.size;
    const int64_t it = (int64_t)steps_now(kernel, kernel->current);
    const int64_t bx = wave->group % across;
    const int64_t by = wave->group / across;
    const int64_t rows = (int64_t)(kernel->params.lanes / BLOCK);
    const int64_t first_row = rows * wave->wave;
    const int64_t x0 = (BLOCK - 2 * it) * bx - PYRAMID;
    const int64_t y0 = (BLOCK - 2 * it) * by - PYRAMID + first_row;
    wave->walk.x0 = x0;
    wave->walk.y0 = y0;
    for (int64_t l = 0; l < rows * BLOCK; l++) {
        const int64_t tx = l % BLOCK;
        const int64_t ty = first_row + l / BLOCK;
        const int64_t x = x0 + tx;
        const int64_t y = y0 + l / BLOCK;
        const bool in_grid = x >= 0 && x < n && y >= 0 && y < n;
        const bool inner = tx >= it && tx <= BLOCK - 1 - it && ty >= it && ty <= BLOCK - 1 - it;
        wave->walk.lanes[LW_LANES_GUARD] |= (uint64_t)in_grid << l;
        wave->walk.lanes[LW_LANES_INNER] |= (uint64_t)(in_grid && inner) << l;
    }
}

const lw_kernel_type lw_hotspot = {
    .info = {"hotspot", "thermal stencil, pyramid height 4, 8 time steps (Rodinia, f32)", false,
             1024, 1, "grid side N (f32, pitch 4N bytes)"},
    .max_size = UINT64_C(1) << 18,
    .setup = setup,
    .launch = launch,
    .place = place,
    .program = program,
};
