/* LU (Polybench-GPU, the OpenCL form; docs/workloads.md section 3): decomposition of an N x N
 * matrix, two launches a step k: row k right of the diagonal is divided by its pivot, then each
 * item of the rest, in groups of 32 x 8, loses its row's share of it. */
#include "sim/kernels/kernels.h"
#include "sim/kernels/program_table.h"

#define F32 4
#define INDEX 8   /* alu */
#define MATH 4    /* alu: multiply-add */
#define DIVIDE 16 /* alu */
#define LAUNCHES 2

enum { A };
enum launch_kind { SCALE, REST };

enum formula {
    ROW_K,    /* [k*N + j], j = g + k + 1 */
    PIVOT,    /* [k*N + k] */
    OWN,      /* [i*N + j], i likewise */
    COLUMN_K, /* [i*N + k] */
    FORMULAS
};

#define R LW_READ
#define W LW_WRITE
#define ALL LW_LANES_GUARD
#define BOTH LW_MODE_BOTH

static const lw_row scale_rows[] = {
    {0, A, ROW_K, R, INDEX, false, ALL, BOTH},
    {0, A, PIVOT, R, 0, false, ALL, BOTH},
    {0, A, ROW_K, W, DIVIDE, true, ALL, BOTH},
};

static const lw_row rest_rows[] = {
    {0, A, OWN, R, INDEX, false, ALL, BOTH},
    {0, A, COLUMN_K, R, 0, false, ALL, BOTH},
    {0, A, ROW_K, R, 0, false, ALL, BOTH},
    {0, A, OWN, W, MATH, true, ALL, BOTH},
};

static int64_t step_of(const lw_kernel *kernel) {
    return (int64_t)(kernel->current / LAUNCHES);
}

/* Rows, and columns, past the step's. */
static uint64_t left(const lw_kernel *kernel) {
    return kernel->params.size - (uint64_t)step_of(kernel) - 1;
}

static void setup(lw_kernel *kernel) {
    const uint64_t n = kernel->params.size;
    lw_kernel_array(kernel, "A", n * n * F32);
    kernel->launches = LAUNCHES * (n - 1); /* the last step has nothing to do */
}

static void begin(lw_kernel *kernel) {
    const int64_t n = (int64_t)kernel->params.size;
    const int64_t k = step_of(kernel);
    const lw_formula formulas[FORMULAS] = {
        [ROW_K] = {.constant = k * n + k + 1, .origin_x = 1, .lane_x = 1},
        [PIVOT] = {.constant = k * n + k},
        [OWN] =
            {.constant = (k + 1) * (n + 1), .origin_x = 1, .origin_y = n, .lane_x = 1, .lane_y = n},
        [COLUMN_K] = {.constant = (k + 1) * n + k, .origin_y = n, .lane_y = n},
    };
    static const uint64_t once[] = {1};
    const bool scales = kernel->current % LAUNCHES == SCALE;
    lw_program *p = &kernel->programs[0];
    *p = (lw_program){.name = scales ? "lu_k1" : "lu_k2",
                      .items = scales ? left(kernel) : 0,
                      .tile_width = scales ? kernel->params.lanes : LW_GROUP_X};
    lw_program_rows(kernel, p, &(lw_table){formulas, F32, once}, scales ? scale_rows : rest_rows,
                    scales ? sizeof scale_rows / sizeof scale_rows[0]
                           : sizeof rest_rows / sizeof rest_rows[0]);
}

static void launch(const lw_kernel *kernel, lw_launch *out) {
    if (kernel->current % LAUNCHES == SCALE) {
        lw_row_launch(kernel, out);
        return;
    }
    lw_square_launch(kernel, left(kernel), out);
}

static void place(const lw_kernel *kernel, lw_wave *wave) {
    if (kernel->current % LAUNCHES == SCALE) {
        lw_row_place(kernel, wave);
        return;
    }
    lw_square_place(kernel, left(kernel), 0, wave);
}

const lw_kernel_type lw_lu = {
    .info = {"lu", "LU decomposition, an element an item (Polybench, f32)", false, 2048, 2,
             "matrix side N (f32, pitch 4N bytes)"},
    .max_size = UINT64_C(1) << 18,
    .setup = setup,
    .begin = begin,
    .launch = launch,
    .place = place,
};
