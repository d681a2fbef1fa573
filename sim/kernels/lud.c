/* LUD (Rodinia; docs/workloads.md section 4): LU decomposition of an N x N matrix in 16 x 16
 * blocks. For each block o on the diagonal but the last: the block itself (one group of 16 items),
 * the strips right of it and below it (32 items a block pair, whose halves diverge), and the rest
 * (16 x 16 items a block); then the last block. */
#include "sim/kernels/kernels.h"
#include "sim/kernels/program_table.h"

#define BLOCK 16
#define F32 4
#define LAUNCHES 3
#define INDEX 8               /* alu */
#define SOLVE (BLOCK * BLOCK) /* alu: triangular loops in LDS (docs/workloads.md section 6) */
#define PRODUCT 64            /* alu: 16 multiply-adds from LDS */

enum { M };
enum launch_kind { DIAGONAL, PERIMETER, INTERNAL };

/* From the diagonal block's corner; i the iteration, b the group. */
enum formula {
    CORNER,     /* [i][t] */
    CORNER_LOW, /* [i + 8][t] */
    RIGHT,      /* [i][16(b+1) + t] */
    BELOW,      /* [16(b+1) + i][t] */
    CORNER_1,   /* [i + 1][t] */
    RIGHT_1,    /* [i + 1][16(b+1) + t] */
    RIGHT_2,    /* [i + 2][16(b+1) + t] */
    CORNER_2,   /* [i + 2][t] */
    TOP,        /* [ty][16(bx+1) + tx] */
    LEFT,       /* [16(by+1) + ty][tx] */
    OWN,        /* [16(by+1) + ty][16(bx+1) + tx] */
    FORMULAS
};

enum part { ONCE, HALF, ALL_ROWS, BUT_TWO, PARTS };

#define R LW_READ
#define W LW_WRITE
#define ALL LW_LANES_GUARD
#define UP LW_LANES_UPPER
#define LOW LW_LANES_LOWER
#define BOTH LW_MODE_BOTH

/* The first store waits for the loads and the work in LDS, the other rows follow it. */
static const lw_row diagonal_rows[] = {
    {ALL_ROWS, M, CORNER, R, 0, false, ALL, BOTH},
    {ONCE, M, CORNER_1, W, SOLVE, true, ALL, BOTH},
    {BUT_TWO, M, CORNER_2, W, 0, false, ALL, BOTH},
};

static const lw_row perimeter_rows[] = {
    {HALF, M, CORNER, R, 0, false, UP, BOTH},      {ALL_ROWS, M, RIGHT, R, 0, false, UP, BOTH},
    {HALF, M, CORNER_LOW, R, 0, false, LOW, BOTH}, {ALL_ROWS, M, BELOW, R, 0, false, LOW, BOTH},
    {ONCE, M, RIGHT_1, W, SOLVE, true, UP, BOTH},  {BUT_TWO, M, RIGHT_2, W, 0, false, UP, BOTH},
    {ALL_ROWS, M, BELOW, W, 0, false, LOW, BOTH},
};

static const lw_row internal_rows[] = {
    {ONCE, M, TOP, R, INDEX, false, ALL, BOTH},
    {ONCE, M, LEFT, R, 0, false, ALL, BOTH},
    {ONCE, M, OWN, R, PRODUCT, true, ALL, BOTH},
    {ONCE, M, OWN, W, 0, true, ALL, BOTH},
};

static void setup(lw_kernel *kernel) {
    const uint64_t n = kernel->params.size;
    lw_kernel_array(kernel, "m", n * n * F32);
    kernel->launches = LAUNCHES * (n / BLOCK - 1) + 1;
}

static void begin(lw_kernel *kernel) {
    static const struct {
        const char *name;
        const lw_row *rows;
        size_t count;
    } launches[LAUNCHES] = {
        [DIAGONAL] = {"lud_diagonal", diagonal_rows,
                      sizeof diagonal_rows / sizeof diagonal_rows[0]},
        [PERIMETER] = {"lud_perimeter", perimeter_rows,
                       sizeof perimeter_rows / sizeof perimeter_rows[0]},
        [INTERNAL] = {"lud_internal", internal_rows,
                      sizeof internal_rows / sizeof internal_rows[0]},
    };
    static const uint64_t iterations[PARTS] = {
        [ONCE] = 1, [HALF] = BLOCK / 2, [ALL_ROWS] = BLOCK, [BUT_TWO] = BLOCK - 2};
    const int64_t n = (int64_t)kernel->params.size;
    const int64_t corner = (int64_t)(kernel->current / LAUNCHES) * BLOCK * (n + 1);
    const lw_formula formulas[FORMULAS] = {
        [CORNER] = {.constant = corner, .lane_x = 1, .iterate = n},
        [CORNER_LOW] = {.constant = corner + BLOCK / 2 * n, .lane_x = 1, .iterate = n},
        [RIGHT] = {.constant = corner, .origin_x = 1, .lane_x = 1, .iterate = n},
        [BELOW] = {.constant = corner, .origin_x = n, .lane_x = 1, .iterate = n},
        [CORNER_1] = {.constant = corner + n, .lane_x = 1},
        [CORNER_2] = {.constant = corner + 2 * n, .lane_x = 1, .iterate = n},
        [RIGHT_1] = {.constant = corner + n, .origin_x = 1, .lane_x = 1},
        [RIGHT_2] = {.constant = corner + 2 * n, .origin_x = 1, .lane_x = 1, .iterate = n},
        [TOP] = {.constant = corner, .origin_x = 1, .lane_x = 1, .lane_y = n},
        [LEFT] = {.constant = corner, .origin_y = n, .lane_x = 1, .lane_y = n},
        [OWN] = {.constant = corner, .origin_x = 1, .origin_y = n, .lane_x = 1, .lane_y = n},
    };
    const size_t kind = kernel->current % LAUNCHES;
    lw_program *p = &kernel->programs[0];
    *p = (lw_program){.name = launches[kind].name, .tile_width = BLOCK};
    lw_program_rows(kernel, p, &(lw_table){formulas, F32, iterations}, launches[kind].rows,
                    launches[kind].count);
}

/* Blocks right of the current diagonal block. */
static uint32_t blocks_left(const lw_kernel *kernel) {
    return (uint32_t)(kernel->params.size / BLOCK - kernel->current / LAUNCHES - 1);
}

static void launch(const lw_kernel *kernel, lw_launch *out) {
    const uint32_t left = blocks_left(kernel);
    const uint32_t groups[LAUNCHES] = {1, left, left * left};
    static const uint32_t items[LAUNCHES] = {BLOCK, 2 * BLOCK, BLOCK * BLOCK};
    const size_t kind = kernel->current % LAUNCHES;
    out->groups = groups[kind];
    out->waves_in_group = lw_waves_of(&kernel->params, items[kind]);
}

static void place(const lw_kernel *kernel, lw_wave *wave) {
    const uint64_t row = lw_first_lanes(BLOCK);
    uint64_t *lanes = wave->walk.lanes;
    switch ((enum launch_kind)(kernel->current % LAUNCHES)) {
    case DIAGONAL:
        lanes[LW_LANES_GUARD] = row;
        break;
    case PERIMETER:
        wave->walk.x0 = BLOCK * ((int64_t)wave->group + 1);
        lanes[LW_LANES_GUARD] = lw_first_lanes(UINT64_C(2) * BLOCK);
        lanes[LW_LANES_UPPER] = row;
        lanes[LW_LANES_LOWER] = row << BLOCK;
        break;
    case INTERNAL:
        wave->walk.x0 = BLOCK * ((int64_t)(wave->group % blocks_left(kernel)) + 1);
        wave->walk.y0 = BLOCK * ((int64_t)(wave->group / blocks_left(kernel)) + 1);
        wave->walk.row = (int64_t)wave->wave * kernel->params.lanes / BLOCK;
        lanes[LW_LANES_GUARD] = lw_first_lanes(kernel->params.lanes);
        break;
    }
}

const lw_kernel_type lw_lud = {
    .info = {"lud", "LU decomposition in 16 x 16 blocks (Rodinia, f32)", false, 512, BLOCK,
             "matrix side N (f32, pitch 4N bytes)"},
    .max_size = UINT64_C(1) << 18,
    .setup = setup,
    .begin = begin,
    .launch = launch,
    .place = place,
};
