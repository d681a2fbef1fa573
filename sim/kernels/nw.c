/* Needleman-Wunsch (Rodinia; docs/workloads.md section 4): 16 x 16 blocks along the anti-diagonals
 * of an (N+1) x (N+1) matrix, one launch per diagonal, one 16-item group (hence one quarter-full
 * wave) per block. output_itemsets is allocated and never touched, as in the original. */
#include "sim/kernels/kernels.h"

#define BLOCK 16
#define I32 4
/* The LDS wavefront: 31 barrier steps of about 20 cycles (docs/workloads.md section 6). */
#define ALU_WAVEFRONT (31 * 20)
#define ALU_INDEX 8

enum { REFERENCE, INPUT, OUTPUT };

static void setup(lw_kernel *kernel) {
    const int64_t pitch = (int64_t)(kernel->params.size + 1) * I32;
    const uint64_t bytes = (uint64_t)pitch * (kernel->params.size + 1);
    lw_kernel_array(kernel, "reference", bytes);
    lw_kernel_array(kernel, "input_itemsets", bytes);
    lw_kernel_array(kernel, "output_itemsets", bytes);
    kernel->launches = 2 * (kernel->params.size / BLOCK) - 1;

    lw_program *p = &kernel->programs[0];
    *p = (lw_program){.name = "nw", .tile_width = BLOCK};
    const uint64_t input = kernel->arrays.at[INPUT].base;
    const uint64_t inside = (uint64_t)pitch + I32; /* from the block's corner to its first cell */
    const lw_step at = {.base = input, .origin_x = I32, .origin_y = pitch, .lane_x = I32};

    lw_step corner = at;
    corner.lanes = LW_LANES_COLUMN;
    corner.alu = ALU_INDEX;
    lw_program_step(p, corner);
    lw_program_phase(p, 1);

    lw_step cells = at;
    cells.base = kernel->arrays.at[REFERENCE].base + inside;
    cells.iterate = pitch;
    lw_program_step(p, cells);
    lw_program_phase(p, BLOCK);

    lw_step west = at;
    west.base = input + (uint64_t)pitch;
    west.lane_x = pitch;
    lw_program_step(p, west);
    lw_step north = at;
    north.base = input + I32;
    lw_program_step(p, north);
    lw_program_phase(p, 1);

    /* The first store waits for all loads and the wavefront, the other rows follow it. */
    lw_step store = at;
    store.base = input + inside;
    store.access = LW_WRITE;
    store.dep = true;
    store.alu = ALU_WAVEFRONT;
    lw_program_step(p, store);
    lw_program_phase(p, 1);
    store.base += (uint64_t)pitch;
    store.iterate = pitch;
    store.dep = false;
    store.alu = 0;
    lw_program_step(p, store);
    lw_program_phase(p, BLOCK - 1);
}

/* Blocks on the current diagonal: 1, 2 .. nb .. 2, 1. */
static uint64_t diagonal(const lw_kernel *kernel) {
    const uint64_t nb = kernel->params.size / BLOCK;
    return kernel->current < nb ? kernel->current + 1 : 2 * nb - 1 - kernel->current;
}

static void launch(const lw_kernel *kernel, lw_launch *out) {
    out->groups = (uint32_t)diagonal(kernel);
    out->waves_in_group = 1;
}

static void place(const lw_kernel *kernel, lw_wave *wave) {
    const uint64_t nb = kernel->params.size / BLOCK;
    const uint64_t d = diagonal(kernel);
    const bool falling = kernel->current >= nb;
    const uint64_t x = falling ? wave->group + nb - d : wave->group;
    const uint64_t y = (falling ? nb : d) - 1 - wave->group;
    wave->walk.x0 = (int64_t)(BLOCK * x);
    wave->walk.y0 = (int64_t)(BLOCK * y);
    wave->walk.lanes[LW_LANES_GUARD] = lw_first_lanes(BLOCK);
    wave->walk.lanes[LW_LANES_COLUMN] = 1;
}

const lw_kernel_type lw_nw = {
    .info = {"nw", "Needleman-Wunsch alignment, 16 x 16 blocks (Rodinia, i32)", true, 6816, BLOCK,
             "sequence length N (i32, pitch 4(N+1) bytes)"},
    .max_size = UINT64_C(1) << 21,
    .setup = setup,
    .launch = launch,
    .place = place,
};
