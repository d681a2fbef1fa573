/* GRAMSCHM (Polybench-GPU; docs/workloads.md section 3): the columns of an N x N matrix a become an
 * orthonormal q, three launches a column k: the norm of column k (one item, a serial walk), column
 * k scaled, and its share taken out of all later columns. Nothing to do after the last column: no
 * third launch. */
#include "sim/kernels/kernels.h"
#include "sim/kernels/program_table.h"

#define F32 4
#define LOOP 4  /* alu: index, compare, branch */
#define MATH 4  /* alu: multiply-add */
#define ROOT 16 /* alu: root or division */
#define LAUNCHES 3

enum { A, Q, R_ARRAY };
enum part { BEFORE, SUM, AFTER, SUBTRACT, PARTS };

enum formula {
    DOWN_K,   /* [i*N + k], i the iteration */
    OWN_K,    /* [g*N + k]: neighbouring lanes a row apart */
    DIAGONAL, /* [k*N + k] */
    DOWN_J,   /* [i*N + j], j = g + k + 1 */
    ROW_K,    /* [k*N + j] */
    FORMULAS
};

#define R LW_READ
#define W LW_WRITE
#define ALL LW_LANES_GUARD
#define BOTH LW_MODE_BOTH
#define SRC LW_MODE_SRC

/* The sum is in a register, so each iteration waits for the load that it adds. */
static const lw_row norm_rows[] = {
    {SUM, A, DOWN_K, R, LOOP + MATH, true, ALL, BOTH},
    {SUM, A, DOWN_K, R, 0, false, ALL, SRC},
    {AFTER, R_ARRAY, DIAGONAL, W, ROOT, true, ALL, BOTH},
};

static const lw_row scale_rows[] = {
    {BEFORE, A, OWN_K, R, LOOP, false, ALL, BOTH},
    {BEFORE, R_ARRAY, DIAGONAL, R, 0, false, ALL, BOTH},
    {BEFORE, Q, OWN_K, W, ROOT, true, ALL, BOTH},
};

static const lw_row subtract_rows[] = {
    {BEFORE, R_ARRAY, ROW_K, W, LOOP, false, ALL, BOTH},
    {SUM, R_ARRAY, ROW_K, R, 0, false, ALL, SRC},
    {SUM, Q, DOWN_K, R, LOOP, false, ALL, BOTH},
    {SUM, A, DOWN_J, R, 0, false, ALL, BOTH},
    {SUM, R_ARRAY, ROW_K, W, MATH, true, ALL, BOTH},
    {SUBTRACT, Q, DOWN_K, R, LOOP, false, ALL, BOTH},
    {SUBTRACT, R_ARRAY, ROW_K, R, 0, false, ALL, BOTH},
    {SUBTRACT, A, DOWN_J, R, 0, false, ALL, BOTH},
    {SUBTRACT, A, DOWN_J, W, MATH, true, ALL, BOTH},
};

static void setup(lw_kernel *kernel) {
    const uint64_t n = kernel->params.size;
    lw_kernel_array(kernel, "a", n * n * F32);
    lw_kernel_array(kernel, "q", n * n * F32);
    lw_kernel_array(kernel, "r", n * n * F32);
    kernel->launches = LAUNCHES * n - 1;
}

static void begin(lw_kernel *kernel) {
    const int64_t n = (int64_t)kernel->params.size;
    const int64_t k = (int64_t)(kernel->current / LAUNCHES);
    const lw_formula formulas[FORMULAS] = {
        [DOWN_K] = {.constant = k, .iterate = n},
        [OWN_K] = {.constant = k, .origin_x = n, .lane_x = n},
        [DIAGONAL] = {.constant = k * n + k},
        [DOWN_J] = {.constant = k + 1, .origin_x = 1, .lane_x = 1, .iterate = n},
        [ROW_K] = {.constant = k * n + k + 1, .origin_x = 1, .lane_x = 1},
    };
    const uint64_t rows = lw_program_cut(kernel, kernel->params.size);
    const uint64_t iterations[PARTS] = {[BEFORE] = 1, [SUM] = rows, [AFTER] = 1, [SUBTRACT] = rows};
    const struct {
        const char *name;
        int64_t items;
        const lw_row *rows;
        size_t count;
    } launches[LAUNCHES] = {
        {"gramschm_k1", 1, norm_rows, sizeof norm_rows / sizeof norm_rows[0]},
        {"gramschm_k2", n, scale_rows, sizeof scale_rows / sizeof scale_rows[0]},
        {"gramschm_k3", n - (k + 1), subtract_rows, sizeof subtract_rows / sizeof subtract_rows[0]},
    };
    const size_t i = kernel->current % LAUNCHES;
    lw_program *p = &kernel->programs[0];
    *p = (lw_program){.name = launches[i].name,
                      .items = (uint64_t)launches[i].items,
                      .tile_width = kernel->params.lanes};
    lw_program_rows(kernel, p, &(lw_table){formulas, F32, iterations}, launches[i].rows,
                    launches[i].count);
}

const lw_kernel_type lw_gramschm = {
    .info = {"gramschm", "Gram-Schmidt orthogonalisation (Polybench, f32)", true, 2048, 1,
             "matrix side N (f32, pitch 4N bytes)"},
    .max_size = UINT64_C(1) << 18,
    .setup = setup,
    .begin = begin,
    .launch = lw_row_launch,
    .place = lw_row_place,
};
