/* SRAD (Rodinia, the v2 of CUDA; docs/workloads.md section 4): speckle-reducing diffusion of an
 * N x N image in 16 x 16 tiles, two launches a time step. Each tile loads the row north and south
 * of it and the column west and east, and tiles at the image's edges load their own edge again
 * instead. The first loads of those lie outside the image and are clamped into it, their values
 * unused. The run is STEPS time steps; params.max_iters cuts it. */
#include "sim/kernels/kernels.h"
#include "sim/kernels/program_table.h"

#define BLOCK 16
#define STEPS 2
#define F32 4
#define INDEX 16   /* alu */
#define STENCIL 80 /* alu (docs/workloads.md section 6: 50-100) */

enum { J, C, EAST_OF, WEST_OF, NORTH_OF, SOUTH_OF };

/* Of the item at (x, y); X and Y are its tile's first column and row. */
enum formula {
    OWN,       /* [y][x] */
    NORTH,     /* [Y - 1][x] */
    SOUTH,     /* [Y + 16][x] */
    WEST,      /* [y][X - 1]: one address for a row of 16 lanes */
    EAST,      /* [y][X + 16]: likewise */
    FIRST_ROW, /* [Y][x] */
    LAST_ROW,  /* [Y + 15][x] */
    FIRST_COL, /* [y][X] */
    LAST_COL,  /* [y][X + 15] */
    FORMULAS
};

#define R LW_READ
#define W LW_WRITE
#define ALL LW_LANES_GUARD
#define BOTH LW_MODE_BOTH

/* Each fetch into LDS ends at a barrier; what waits for memory is the computation. */
static const lw_row gradient_rows[] = {
    {0, J, NORTH, R, INDEX, false, ALL, BOTH},
    {0, J, SOUTH, R, 0, false, ALL, BOTH},
    {0, J, FIRST_ROW, R, 0, false, LW_LANES_NORTH, BOTH},
    {0, J, LAST_ROW, R, 0, false, LW_LANES_SOUTH, BOTH},
    {0, J, WEST, R, 0, true, ALL, BOTH},
    {0, J, EAST, R, 0, false, ALL, BOTH},
    {0, J, FIRST_COL, R, 0, false, LW_LANES_WEST, BOTH},
    {0, J, LAST_COL, R, 0, false, LW_LANES_EAST, BOTH},
    {0, J, OWN, R, 0, true, ALL, BOTH},
    {0, C, OWN, W, STENCIL, true, ALL, BOTH},
    {0, EAST_OF, OWN, W, 0, false, ALL, BOTH},
    {0, WEST_OF, OWN, W, 0, false, ALL, BOTH},
    {0, SOUTH_OF, OWN, W, 0, false, ALL, BOTH},
    {0, NORTH_OF, OWN, W, 0, false, ALL, BOTH},
};

static const lw_row update_rows[] = {
    {0, J, OWN, R, INDEX, false, ALL, BOTH},
    {0, C, SOUTH, R, 0, true, ALL, BOTH},
    {0, C, LAST_ROW, R, 0, false, LW_LANES_SOUTH, BOTH},
    {0, C, EAST, R, 0, true, ALL, BOTH},
    {0, C, LAST_COL, R, 0, false, LW_LANES_EAST, BOTH},
    {0, C, OWN, R, 0, true, ALL, BOTH},
    {0, NORTH_OF, OWN, R, INDEX, true, ALL, BOTH},
    {0, SOUTH_OF, OWN, R, 0, false, ALL, BOTH},
    {0, WEST_OF, OWN, R, 0, false, ALL, BOTH},
    {0, EAST_OF, OWN, R, 0, false, ALL, BOTH},
    {0, J, OWN, W, STENCIL, true, ALL, BOTH},
};

static void setup(lw_kernel *kernel) {
    static const char *const names[] = {"J", "C", "E", "W", "N", "S"};
    static const uint64_t iterations[] = {1};
    const uint64_t n = kernel->params.size;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        lw_kernel_array(kernel, names[i], n * n * F32);
    }
    kernel->launches = 2 * lw_program_cut(kernel, STEPS);

    const int64_t c = (int64_t)n;
    const lw_formula formulas[FORMULAS] = {
        [OWN] = {0, 1, c, 1, c, 0, 0, false},
        [NORTH] = {-c, 1, c, 1, 0, 0, 0, true},
        [SOUTH] = {BLOCK * c, 1, c, 1, 0, 0, 0, true},
        [WEST] = {-1, 1, c, 0, c, 0, 0, true},
        [EAST] = {BLOCK, 1, c, 0, c, 0, 0, true},
        [FIRST_ROW] = {0, 1, c, 1, 0, 0, 0, false},
        [LAST_ROW] = {(BLOCK - 1) * c, 1, c, 1, 0, 0, 0, false},
        [FIRST_COL] = {0, 1, c, 0, c, 0, 0, false},
        [LAST_COL] = {BLOCK - 1, 1, c, 0, c, 0, 0, false},
    };
    const lw_table table = {formulas, F32, iterations};
    kernel->programs[0] = (lw_program){.name = "srad_k1", .tile_width = BLOCK};
    kernel->programs[1] = (lw_program){.name = "srad_k2", .tile_width = BLOCK};
    lw_program_rows(kernel, &kernel->programs[0], &table, gradient_rows,
                    sizeof gradient_rows / sizeof gradient_rows[0]);
    lw_program_rows(kernel, &kernel->programs[1], &table, update_rows,
                    sizeof update_rows / sizeof update_rows[0]);
}

static const lw_program *program(const lw_kernel *kernel) {
    return &kernel->programs[kernel->current % 2];
}

static void launch(const lw_kernel *kernel, lw_launch *out) {
    const uint64_t across = kernel->params.size / BLOCK;
    out->groups = (uint32_t)(across * across);
    out->waves_in_group = lw_waves_of(&kernel->params, BLOCK * BLOCK);
}

static void place(const lw_kernel *kernel, lw_wave *wave) {
    const uint64_t across = kernel->params.size / BLOCK;
    const uint64_t bx = wave->group % across;
    const uint64_t by = wave->group / across;
    const uint64_t guard = lw_first_lanes(kernel->params.lanes);
    uint64_t *lanes = wave->walk.lanes;
    wave->walk.x0 = (int64_t)(BLOCK * bx);
    wave->walk.y0 = (int64_t)(BLOCK * by);
    wave->walk.row = (int64_t)wave->wave * kernel->params.lanes / BLOCK;
    lanes[LW_LANES_GUARD] = guard;
    lanes[LW_LANES_NORTH] = by == 0 ? guard : 0;
    lanes[LW_LANES_SOUTH] = by == across - 1 ? guard : 0;
    lanes[LW_LANES_WEST] = bx == 0 ? guard : 0;
    lanes[LW_LANES_EAST] = bx == across - 1 ? guard : 0;
}

const lw_kernel_type lw_srad = {
    .info = {"srad", "speckle-reducing diffusion, 2 time steps (Rodinia v2, f32)", false, 2048,
             BLOCK, "image side N (f32, pitch 4N bytes)"},
    .max_size = UINT64_C(1) << 18,
    .setup = setup,
    .launch = launch,
    .place = place,
    .program = program,
};
