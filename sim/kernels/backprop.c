/* Backprop (Rodinia; docs/workloads.md section 4): n input units against 16 hidden ones, both
 * launches n/16 groups of 16 x 16 items. Item (tx, ty) of group by owns weight 17*(16by+ty) + tx +
 * 18 of two arrays with a pitch of 17. */
#include "sim/kernels/kernels.h"

#define HIDDEN 16
#define PITCH (HIDDEN + 1)
#define F32 4
#define ALU_INDEX 8
/* log2(16) barrier steps of the sum in LDS (docs/workloads.md section 6: 50 to 100). */
#define ALU_REDUCE 60

enum { INPUT, WEIGHTS, OLD_WEIGHTS, PARTIAL, DELTA };

/* What a step addresses, as coefficients of the item's coordinates, in elements. */
typedef enum operand {
    WEIGHT,   /* 17*y + tx + 18 */
    OF_INPUT, /* y + 1 */
    OF_SUM,   /* y */
    BIAS,     /* tx + 1: delta, and the weights' own row 0 */
} operand;

typedef struct access_row {
    unsigned array;
    operand operand;
    lw_lanes lanes;
    lw_access_kind access;
    unsigned alu;
    bool dep;
} access_row;

static const access_row forward[] = {
    {INPUT, OF_INPUT, LW_LANES_COLUMN, LW_READ, ALU_INDEX, false},
    /* The input passes through LDS and a barrier before the weight is read. */
    {WEIGHTS, WEIGHT, LW_LANES_GUARD, LW_READ, ALU_INDEX, true},
    {WEIGHTS, WEIGHT, LW_LANES_GUARD, LW_WRITE, ALU_REDUCE, true},
    {PARTIAL, OF_SUM, LW_LANES_COLUMN, LW_WRITE, 0, false},
};

static const access_row adjust[] = {
    {WEIGHTS, WEIGHT, LW_LANES_GUARD, LW_READ, ALU_INDEX, false},
    {DELTA, BIAS, LW_LANES_GUARD, LW_READ, 0, false},
    {INPUT, OF_INPUT, LW_LANES_GUARD, LW_READ, 0, false},
    {OLD_WEIGHTS, WEIGHT, LW_LANES_GUARD, LW_READ, 0, false},
    {WEIGHTS, WEIGHT, LW_LANES_GUARD, LW_WRITE, ALU_INDEX, true},
    {DELTA, BIAS, LW_LANES_GUARD, LW_READ, 0, false},
    {INPUT, OF_INPUT, LW_LANES_GUARD, LW_READ, 0, false},
    {OLD_WEIGHTS, WEIGHT, LW_LANES_GUARD, LW_READ, 0, false},
    {OLD_WEIGHTS, WEIGHT, LW_LANES_GUARD, LW_WRITE, ALU_INDEX, true},
    {WEIGHTS, BIAS, LW_LANES_ROW, LW_READ, ALU_INDEX, true},
    {OLD_WEIGHTS, BIAS, LW_LANES_ROW, LW_READ, 0, false},
    {DELTA, BIAS, LW_LANES_ROW, LW_READ, 0, false},
    {WEIGHTS, BIAS, LW_LANES_ROW, LW_WRITE, ALU_INDEX, true},
    {OLD_WEIGHTS, BIAS, LW_LANES_ROW, LW_WRITE, 0, false},
};

static void add_program(lw_kernel *kernel, const char *name, const access_row *rows, size_t count) {
    static const struct {
        int64_t x, y, first;
    } formulas[] = {
        [WEIGHT] = {1, PITCH, PITCH + 1},
        [OF_INPUT] = {0, 1, 1},
        [OF_SUM] = {0, 1, 0},
        [BIAS] = {1, 0, 1},
    };
    lw_program *p = &kernel->programs[kernel->launches++];
    *p = (lw_program){.name = name, .tile_width = HIDDEN};
    for (size_t i = 0; i < count; i++) {
        const access_row *r = &rows[i];
        const int64_t x = formulas[r->operand].x * F32;
        const int64_t y = formulas[r->operand].y * F32;
        lw_program_step(p, (lw_step){.base = kernel->arrays.at[r->array].base +
                                             (uint64_t)formulas[r->operand].first * F32,
                                     .origin_y = y,
                                     .lane_x = x,
                                     .lane_y = y,
                                     .lanes = r->lanes,
                                     .access = r->access,
                                     .dep = r->dep,
                                     .alu = (uint16_t)r->alu});
    }
    lw_program_phase(p, 1);
}

static void setup(lw_kernel *kernel) {
    const uint64_t n = kernel->params.size;
    lw_kernel_array(kernel, "input", (n + 1) * F32);
    lw_kernel_array(kernel, "w", PITCH * (n + 1) * F32);
    lw_kernel_array(kernel, "oldw", PITCH * (n + 1) * F32);
    lw_kernel_array(kernel, "partial", n * F32);
    lw_kernel_array(kernel, "delta", (uint64_t)PITCH * F32);
    add_program(kernel, "backprop_forward", forward, sizeof forward / sizeof forward[0]);
    add_program(kernel, "backprop_adjust", adjust, sizeof adjust / sizeof adjust[0]);
}

static const lw_program *program(const lw_kernel *kernel) {
    return &kernel->programs[kernel->current];
}

static void launch(const lw_kernel *kernel, lw_launch *out) {
    out->groups = (uint32_t)(kernel->params.size / HIDDEN);
    out->waves_in_group = lw_waves_of(&kernel->params, HIDDEN * HIDDEN);
}

static void place(const lw_kernel *kernel, lw_wave *wave) {
    const uint64_t first_lane_of_each_row = UINT64_C(0x0001000100010001);
    const uint32_t lanes = kernel->params.lanes;
    const uint64_t guard = lw_first_lanes(lanes);
    wave->walk.y0 = (int64_t)HIDDEN * wave->group + (int64_t)(lanes / HIDDEN) * wave->wave;
    wave->walk.lanes[LW_LANES_GUARD] = guard;
    wave->walk.lanes[LW_LANES_COLUMN] = guard & first_lane_of_each_row;
    wave->walk.lanes[LW_LANES_ROW] = wave->walk.y0 == 0 ? lw_first_lanes(HIDDEN) : 0;
}

const lw_kernel_type lw_backprop = {
    .info = {"backprop", "neural network layer, 16 hidden units (Rodinia, f32)", false, 786432,
             HIDDEN, "input units n (f32, weights 68 bytes a unit)"},
    .max_size = UINT64_C(1) << 34,
    .setup = setup,
    .launch = launch,
    .place = place,
    .program = program,
};
