/* 2DCONV (Polybench-GPU; docs/workloads.md section 3): a 3 x 3 stencil over an N x N matrix, items
 * in groups of 32 x 8, the border left out. */
#include "sim/kernels/kernels.h"

#define F32 4
#define ALU_INDEX 8
#define ALU_SUM 36 /* nine multiply-adds */

enum { A, B };

static void setup(lw_kernel *kernel) {
    const int64_t pitch = (int64_t)kernel->params.size * F32;
    const uint64_t bytes = (uint64_t)pitch * kernel->params.size;
    lw_kernel_array(kernel, "A", bytes);
    lw_kernel_array(kernel, "B", bytes);
    kernel->launches = 1;

    lw_program *p = &kernel->programs[0];
    *p = (lw_program){.name = "2dconv", .tile_width = LW_GROUP_X};
    lw_step step = {.origin_x = F32, .origin_y = pitch, .lane_x = F32, .lane_y = pitch};
    for (int64_t cell = 0; cell < 9; cell++) {
        const int64_t offset = (cell / 3 - 1) * pitch + (cell % 3 - 1) * F32;
        step.base = kernel->arrays.at[A].base + (uint64_t)offset;
        step.alu = cell == 0 ? ALU_INDEX : 0;
        lw_program_step(p, step);
    }
    step.base = kernel->arrays.at[B].base;
    step.access = LW_WRITE;
    step.dep = true;
    step.alu = ALU_SUM;
    lw_program_step(p, step);
    lw_program_phase(p, 1);
}

static void launch(const lw_kernel *kernel, lw_launch *out) {
    lw_square_launch(kernel, kernel->params.size, out);
}

static void place(const lw_kernel *kernel, lw_wave *wave) {
    lw_square_place(kernel, kernel->params.size, 1, wave);
}

const lw_kernel_type lw_conv2d = {
    .info = {"2dconv", "3 x 3 convolution (Polybench, f32)", false, 4096, 1,
             "matrix side N (f32, pitch 4N bytes)"},
    .max_size = UINT64_C(1) << 18,
    .setup = setup,
    .launch = launch,
    .place = place,
};
