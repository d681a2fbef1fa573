/* SYRK (Polybench-GPU; docs/workloads.md section 3): C = beta C + alpha A A' of N x N matrices, an
 * item an element of C, in groups of 32 x 8. Item (j, i) walks row i and row j of A: of the wave's
 * first that is one row or two, of its second a row for each of 32 lanes. */
#include "sim/kernels/kernels.h"
#include "sim/kernels/program_table.h"

#define F32 4
#define LOOP 4 /* alu: index, compare, branch */
#define MATH 4 /* alu: multiply-add */

enum { A, C };
enum part { BEFORE, SUM, PARTS };

enum formula {
    OWN,   /* [i*N + j] */
    ROW_I, /* [i*N + k], k the iteration */
    ROW_J, /* [j*N + k] */
    FORMULAS
};

#define R LW_READ
#define W LW_WRITE
#define ALL LW_LANES_GUARD
#define BOTH LW_MODE_BOTH
#define SRC LW_MODE_SRC

static const lw_row rows[] = {
    {BEFORE, C, OWN, R, LOOP, false, ALL, BOTH}, {BEFORE, C, OWN, W, MATH, true, ALL, BOTH},
    {SUM, C, OWN, R, 0, false, ALL, SRC},        {SUM, A, ROW_I, R, LOOP, false, ALL, BOTH},
    {SUM, A, ROW_J, R, 0, false, ALL, BOTH},     {SUM, C, OWN, W, MATH, true, ALL, BOTH},
};

static void setup(lw_kernel *kernel) {
    const uint64_t n = kernel->params.size;
    const int64_t pitch = (int64_t)n;
    lw_kernel_array(kernel, "A", n * n * F32);
    lw_kernel_array(kernel, "C", n * n * F32);
    kernel->launches = 1;
    const lw_formula formulas[FORMULAS] = {
        [OWN] = {.origin_x = 1, .origin_y = pitch, .lane_x = 1, .lane_y = pitch},
        [ROW_I] = {.origin_y = pitch, .lane_y = pitch, .iterate = 1},
        [ROW_J] = {.origin_x = pitch, .lane_x = pitch, .iterate = 1},
    };
    const uint64_t iterations[PARTS] = {[BEFORE] = 1, [SUM] = lw_program_cut(kernel, n)};
    kernel->programs[0] = (lw_program){.name = "syrk", .tile_width = LW_GROUP_X};
    lw_program_rows(kernel, &kernel->programs[0], &(lw_table){formulas, F32, iterations}, rows,
                    sizeof rows / sizeof rows[0]);
}

static void launch(const lw_kernel *kernel, lw_launch *out) {
    lw_square_launch(kernel, kernel->params.size, out);
}

static void place(const lw_kernel *kernel, lw_wave *wave) {
    lw_square_place(kernel, kernel->params.size, 0, wave);
}

const lw_kernel_type lw_syrk = {
    .info = {"syrk", "C = beta C + alpha A A' (Polybench, f32)", true, 4096, 1,
             "matrix side N (f32, pitch 4N bytes)"},
    .max_size = UINT64_C(1) << 18,
    .setup = setup,
    .launch = launch,
    .place = place,
};
