/* Pathfinder (Rodinia; docs/workloads.md section 4): the cheapest way through a grid of ROWS rows
 * of N columns, row by row, PYRAMID rows a launch inside local memory, by groups of 256 columns
 * that overlap: each row leaves a column out at both ends. */
#include "sim/kernels/kernels.h"
#include "sim/kernels/program_table.h"

#define ROWS 256
#define GROUP_ITEMS 256
#define PYRAMID 20
#define I32 4
#define INDEX 16 /* alu */
#define STEP 20  /* alu: the least of three in LDS, and a barrier */

enum { WALL, RESULT0, RESULT1 };

/* Rows of the current launch: the last one may have fewer. */
static int64_t rows_now(const lw_kernel *kernel) {
    const uint64_t left = ROWS - 1 - PYRAMID * kernel->current;
    return (int64_t)(left < PYRAMID ? left : PYRAMID);
}

static void setup(lw_kernel *kernel) {
    const uint64_t columns = kernel->params.size;
    lw_kernel_array(kernel, "wall", (ROWS - 1) * columns * I32);
    lw_kernel_array(kernel, "result0", columns * I32);
    lw_kernel_array(kernel, "result1", columns * I32);
    kernel->launches = (ROWS - 1 + PYRAMID - 1) / PYRAMID;
}

/* The first row waits for the results of the launch before it, each other for the row above. */
static void begin(lw_kernel *kernel) {
    const uint64_t pitch = kernel->params.size * I32;
    const bool odd = kernel->current % 2 != 0;
    lw_program *p = &kernel->programs[0];
    *p = (lw_program){
        .name = "pathfinder", .tile_width = kernel->params.lanes, .group_items = GROUP_ITEMS};
    lw_step step = {.base = kernel->arrays.at[odd ? RESULT1 : RESULT0].base,
                    .origin_x = I32,
                    .lane_x = I32,
                    .alu = INDEX};
    lw_program_step(p, step);
    lw_program_phase(p, 1);
    step.base = kernel->arrays.at[WALL].base + PYRAMID * kernel->current * pitch;
    step.iterate = (int64_t)pitch;
    step.narrows = true;
    step.dep = true;
    step.alu = STEP;
    lw_program_step(p, step);
    lw_program_phase(p, lw_program_cut(kernel, (uint64_t)rows_now(kernel)));
    step = (lw_step){.base = kernel->arrays.at[odd ? RESULT0 : RESULT1].base,
                     .origin_x = I32,
                     .lane_x = I32,
                     .lanes = LW_LANES_INNER,
                     .access = LW_WRITE,
                     .dep = true,
                     .alu = STEP};
    lw_program_step(p, step);
    lw_program_phase(p, 1);
}

/* Always for the full pyramid, as in the original. */
static void launch(const lw_kernel *kernel, lw_launch *out) {
    const uint64_t small = GROUP_ITEMS - 2 * PYRAMID;
    out->groups = (uint32_t)((kernel->params.size + small - 1) / small);
    out->waves_in_group = lw_waves_of(&kernel->params, GROUP_ITEMS);
}

static void place(const lw_kernel *kernel, lw_wave *wave) {
    const int64_t rows = rows_now(kernel);
    const int64_t first = (int64_t)wave->wave * kernel->params.lanes;
    wave->walk.x0 = (GROUP_ITEMS - 2 * rows) * (int64_t)wave->group - PYRAMID + first;
    for (int64_t l = 0; l < (int64_t)kernel->params.lanes; l++) {
        const int64_t x = wave->walk.x0 + l;
        const int64_t item = first + l;
        const bool in_grid = x >= 0 && x < (int64_t)kernel->params.size && item < GROUP_ITEMS;
        const bool inner = item >= rows && item <= GROUP_ITEMS - 1 - rows;
        wave->walk.lanes[LW_LANES_GUARD] |= (uint64_t)in_grid << l;
        wave->walk.lanes[LW_LANES_INNER] |= (uint64_t)(in_grid && inner) << l;
    }
}

const lw_kernel_type lw_pathfinder = {
    .info = {"pathfinder", "cheapest way through 256 rows, pyramid height 20 (Rodinia, i32)", false,
             1000000, 1, "columns N (i32)"},
    .max_size = UINT64_C(1) << 28,
    .setup = setup,
    .begin = begin,
    .launch = launch,
    .place = place,
};
