/* CORR and COVAR (Polybench-GPU; docs/workloads.md section 3): columns of an N x N data matrix are
 * centred (and scaled), then item j1 multiplies its column with each later one. The accumulator
 * symmat[j1][j2] is in memory, where neighbouring lanes are a row and a cell apart, and the matrix
 * is mirrored: both diverge over 64 pages.
 *
 * symmat[j1][j2] starts with a store of 0, as in the CUDA original, which MESC's GPU runs. Loads
 * that one expression repeats are repeated in SRC mode only. */
#include "sim/kernels/kernels.h"
#include "sim/kernels/program_table.h"

#define F32 4
#define LOOP 4  /* alu: index, compare, branch */
#define MATH 4  /* alu: multiply-add */
#define ROOT 16 /* alu: division and root */

enum { DATA, SYMMAT, MEAN, STD };

/* Each is BEFORE, SUM over i < N, AFTER; the last kernel walks all but BEFORE for each j2. */
enum part { BEFORE, ZERO, SUM, AFTER, PARTS };

enum formula {
    OWN,      /* v[j] */
    COLUMN,   /* data[i*N + j], i the iteration */
    PARTNER,  /* data[i*N + j2] */
    CELL,     /* data[y*N + x] */
    DIAGONAL, /* symmat[j1*N + j1] */
    PAIR,     /* symmat[j1*N + j2] */
    MIRRORED, /* symmat[j2*N + j1] */
    FORMULAS
};

#define R LW_READ
#define W LW_WRITE
#define ALL LW_LANES_GUARD
#define TRIP LW_LANES_TRIP
#define BOTH LW_MODE_BOTH
#define SRC LW_MODE_SRC

static const lw_row mean_rows[] = {
    {BEFORE, MEAN, OWN, W, LOOP, false, ALL, BOTH}, {SUM, MEAN, OWN, R, 0, false, ALL, SRC},
    {SUM, DATA, COLUMN, R, LOOP, false, ALL, BOTH}, {SUM, MEAN, OWN, W, MATH, true, ALL, BOTH},
    {AFTER, MEAN, OWN, R, 0, false, ALL, BOTH},     {AFTER, MEAN, OWN, W, ROOT, true, ALL, BOTH},
};

static const lw_row std_rows[] = {
    {BEFORE, STD, OWN, W, LOOP, false, ALL, BOTH},  {SUM, STD, OWN, R, 0, false, ALL, SRC},
    {SUM, DATA, COLUMN, R, LOOP, false, ALL, BOTH}, {SUM, MEAN, OWN, R, 0, false, ALL, BOTH},
    {SUM, DATA, COLUMN, R, 0, false, ALL, SRC},     {SUM, MEAN, OWN, R, 0, false, ALL, SRC},
    {SUM, STD, OWN, W, MATH, true, ALL, BOTH},      {AFTER, STD, OWN, R, 0, false, ALL, BOTH},
    {AFTER, STD, OWN, W, ROOT, true, ALL, BOTH},
};

static const lw_row scale_rows[] = {
    {BEFORE, DATA, CELL, R, LOOP, false, ALL, BOTH}, {BEFORE, MEAN, OWN, R, 0, false, ALL, BOTH},
    {BEFORE, DATA, CELL, W, MATH, true, ALL, BOTH},  {BEFORE, DATA, CELL, R, 0, false, ALL, BOTH},
    {BEFORE, STD, OWN, R, 0, false, ALL, BOTH},      {BEFORE, DATA, CELL, W, ROOT, true, ALL, BOTH},
};

static const lw_row centre_rows[] = {
    {BEFORE, DATA, CELL, R, LOOP, false, ALL, BOTH},
    {BEFORE, MEAN, OWN, R, 0, false, ALL, BOTH},
    {BEFORE, DATA, CELL, W, MATH, true, ALL, BOTH},
};

static const lw_row diagonal_rows[] = {
    {BEFORE, SYMMAT, DIAGONAL, W, LOOP, false, ALL, BOTH},
};

static const lw_row pair_rows[] = {
    {ZERO, SYMMAT, PAIR, W, LOOP, false, TRIP, BOTH},
    {SUM, SYMMAT, PAIR, R, 0, false, TRIP, SRC},
    {SUM, DATA, COLUMN, R, LOOP, false, TRIP, BOTH},
    {SUM, DATA, PARTNER, R, 0, false, TRIP, BOTH},
    {SUM, SYMMAT, PAIR, W, MATH, true, TRIP, BOTH},
    {AFTER, SYMMAT, PAIR, R, 0, false, TRIP, BOTH},
    {AFTER, SYMMAT, MIRRORED, W, 0, true, TRIP, BOTH},
};

#define ROWS(table) (table), sizeof(table) / sizeof(table)[0]

/* `ahead`: j2 starts at j1 + ahead. */
static void add_rows(const lw_kernel *kernel, lw_program *program, const lw_row *rows, size_t count,
                     int64_t ahead) {
    const int64_t n = (int64_t)kernel->params.size;
    const lw_formula formulas[FORMULAS] = {
        [OWN] = {.origin_x = 1, .lane_x = 1},
        [COLUMN] = {.origin_x = 1, .lane_x = 1, .iterate = n},
        [PARTNER] = {.constant = ahead, .origin_x = 1, .lane_x = 1, .iterate = n, .again = 1},
        [CELL] = {.origin_x = 1, .lane_x = 1, .origin_y = n, .lane_y = n},
        [DIAGONAL] = {.origin_x = n + 1, .lane_x = n + 1},
        [PAIR] = {.constant = ahead, .origin_x = n + 1, .lane_x = n + 1, .again = 1},
        [MIRRORED] = {.constant = ahead * n, .origin_x = n + 1, .lane_x = n + 1, .again = n},
    };
    uint64_t iterations[PARTS] = {1, 1, lw_program_cut(kernel, kernel->params.size), 1};
    lw_program_rows(kernel, program, &(lw_table){formulas, F32, iterations}, rows, count);
}

static lw_program *add(lw_kernel *kernel, const char *name, uint64_t items, uint32_t tile_width) {
    lw_program *p = &kernel->programs[kernel->launches++];
    *p = (lw_program){.name = name, .items = items, .tile_width = tile_width};
    return p;
}

static void setup_corr(lw_kernel *kernel) {
    const uint64_t n = kernel->params.size;
    const uint32_t row = kernel->params.lanes; /* 1-D launches */
    lw_kernel_array(kernel, "data", n * n * F32);
    lw_kernel_array(kernel, "symmat", n * n * F32);
    lw_kernel_array(kernel, "mean", n * F32);
    lw_kernel_array(kernel, "std", n * F32);
    add_rows(kernel, add(kernel, "corr_mean", n, row), ROWS(mean_rows), 0);
    add_rows(kernel, add(kernel, "corr_std", n, row), ROWS(std_rows), 0);
    add_rows(kernel, add(kernel, "corr_reduce", 0, LW_GROUP_X), ROWS(scale_rows), 0);
    lw_program *p = add(kernel, "corr_corr", n > 1 ? n - 1 : 0, row);
    add_rows(kernel, p, ROWS(diagonal_rows), 1);
    p->again_from = p->phase_count;
    add_rows(kernel, p, ROWS(pair_rows), 1);
}

static void setup_covar(lw_kernel *kernel) {
    const uint64_t n = kernel->params.size;
    const uint32_t row = kernel->params.lanes; /* 1-D launches */
    lw_kernel_array(kernel, "data", n * n * F32);
    lw_kernel_array(kernel, "symmat", n * n * F32);
    lw_kernel_array(kernel, "mean", n * F32);
    add_rows(kernel, add(kernel, "covar_mean", n, row), ROWS(mean_rows), 0);
    add_rows(kernel, add(kernel, "covar_reduce", 0, LW_GROUP_X), ROWS(centre_rows), 0);
    add_rows(kernel, add(kernel, "covar_covar", n, row), ROWS(pair_rows), 0);
}

static const lw_program *program(const lw_kernel *kernel) {
    return &kernel->programs[kernel->current];
}

/* The reduction, the last launch but one, has an item a cell. */
static bool by_cells(const lw_kernel *kernel) {
    return kernel->current + 2 == kernel->launches;
}

/* A row of groups is of all N columns, though CORR's last column has no item. */
static void launch(const lw_kernel *kernel, lw_launch *out) {
    const uint64_t n = kernel->params.size;
    if (by_cells(kernel)) {
        lw_square_launch(kernel, n, out);
        return;
    }
    lw_row_launch(kernel, out);
    out->groups = (uint32_t)((n + LW_GROUP_ITEMS - 1) / LW_GROUP_ITEMS);
}

static void place(const lw_kernel *kernel, lw_wave *wave) {
    if (by_cells(kernel)) {
        lw_square_place(kernel, kernel->params.size, 0, wave);
        return;
    }
    lw_row_place(kernel, wave);
    const uint64_t first = (uint64_t)wave->walk.x0;
    /* Item j1 has as many trips as there are items from it on: the triangle. */
    if (kernel->current + 1 == kernel->launches && first < kernel->now->items) {
        wave->walk.trips = kernel->now->items - first;
    }
}

#define CORRELATION(id, text, init)                                                                \
    const lw_kernel_type lw_##id = {                                                               \
        .info = {#id, text, true, 2048, 1, "matrix side N (f32, pitch 4N bytes)"},                 \
        .max_size = UINT64_C(1) << 18,                                                             \
        .setup = (init),                                                                           \
        .launch = launch,                                                                          \
        .place = place,                                                                            \
        .program = program,                                                                        \
    }

CORRELATION(corr, "correlation of a matrix's columns (Polybench, f32)", setup_corr);
CORRELATION(covar, "covariance of a matrix's columns (Polybench, f32)", setup_covar);
