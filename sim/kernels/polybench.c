/* MVT, ATAX, BICG and GESUMMV (Polybench-GPU; docs/workloads.md sections 2 and 3): 1-D launches of
 * 256-item groups in which item g walks row g or column g of a matrix. The guard is g < items. MVT
 * and BICG are there twice, as NHA's footprints and as MESC's have them.
 *
 * MVT, ATAX and BICG are six launches of one form, a dot product per item, so a table describes
 * them. dep: the store waits for the loads whose sum it stores; the next iteration's loads overlap
 * the posted store, also where they read an accumulator back from memory (SRC mode, and GESUMMV
 * always), as accesses of one wave to one address keep their order on their way. */
#include "sim/kernels/kernels.h"
#include "sim/kernels/program_table.h"

#define F32 4
#define F64 8
#define ALU_LOOP 4 /* index, compare, branch: in front of an iteration's first load */
/* Multiply-add: in front of the store (docs/workloads.md section 6: 4 to 16 in all). */
#define ALU_MATH 4
#define MATRIX_MAX (UINT64_C(1) << 22)

typedef enum pattern {
    ROW,     /* m[g*columns + j]: neighbouring lanes a whole row apart */
    COLUMN,  /* m[j*columns + g]: neighbouring lanes adjacent */
    UNIFORM, /* v[j]: all lanes the same element */
    OWN,     /* v[g] */
} pattern;

/* One launch: for each item, acc[g] += sum over j of matrix[walk] * vec[j]. */
typedef struct dot {
    const char *name;
    uint8_t matrix, acc, vec; /* array indices */
    pattern walk;             /* ROW: g counts rows, j columns; COLUMN: the other way */
    bool zeroed;              /* the sum starts with a store of 0 instead of a load of acc */
} dot;

typedef struct shape {
    uint64_t rows, columns, element;
} shape;

static lw_step access_step(const lw_kernel *kernel, const shape *s, uint32_t array, pattern walk,
                           lw_access_kind access) {
    const int64_t element = (int64_t)s->element;
    const int64_t pitch = (int64_t)s->columns * element;
    const int64_t lane[] = {[ROW] = pitch, [COLUMN] = element, [UNIFORM] = 0, [OWN] = element};
    const int64_t iterate[] = {[ROW] = element, [COLUMN] = pitch, [UNIFORM] = element, [OWN] = 0};
    return (lw_step){.base = kernel->arrays.at[array].base,
                     .origin_x = lane[walk],
                     .lane_x = lane[walk],
                     .iterate = iterate[walk],
                     .access = access};
}

static lw_step with(lw_step step, bool dep, uint16_t alu) {
    step.dep = dep;
    step.alu = alu;
    return step;
}

static lw_program *next_program(lw_kernel *kernel, const char *name, uint64_t items) {
    lw_program *program = &kernel->programs[kernel->launches++];
    *program =
        (lw_program){.name = name, .items = items, .tile_width = (uint32_t)kernel->params.lanes};
    return program;
}

static void add_dot(lw_kernel *kernel, const shape *s, const dot *d) {
    const bool by_rows = d->walk == ROW;
    const bool src = kernel->params.accumulate_in_memory;
    lw_program *p = next_program(kernel, d->name, by_rows ? s->rows : s->columns);
    const lw_step load_acc = access_step(kernel, s, d->acc, OWN, LW_READ);
    const lw_step store_acc = access_step(kernel, s, d->acc, OWN, LW_WRITE);
    const lw_step load_matrix = access_step(kernel, s, d->matrix, d->walk, LW_READ);
    const lw_step load_vec = access_step(kernel, s, d->vec, UNIFORM, LW_READ);

    if (d->zeroed || !src) {
        lw_program_step(p, with(d->zeroed ? store_acc : load_acc, false, ALU_LOOP));
        lw_program_phase(p, 1);
    }
    if (src) {
        lw_program_step(p, with(load_acc, false, ALU_LOOP));
    }
    lw_program_step(p, with(load_matrix, false, src ? 0 : ALU_LOOP));
    lw_program_step(p, load_vec);
    lw_program_step(p, with(store_acc, true, ALU_MATH));
    lw_program_phase(p, lw_program_cut(kernel, by_rows ? s->columns : s->rows));
}

static void add_arrays(lw_kernel *kernel, const shape *s, uint32_t matrices,
                       const char *const *names, const uint64_t *elements) {
    for (uint32_t i = 0; names[i] != NULL; i++) {
        const uint64_t n = i < matrices ? s->rows * s->columns : elements[i - matrices];
        lw_kernel_array(kernel, names[i], n * s->element);
    }
}

static void add_mvt(lw_kernel *kernel, uint64_t element) {
    enum { A, X1, X2, Y1, Y2 };
    const uint64_t n = kernel->params.size;
    const shape s = {n, n, element};
    static const char *const names[] = {"a", "x1", "x2", "y1", "y2", NULL};
    add_arrays(kernel, &s, 1, names, (uint64_t[]){n, n, n, n});
    add_dot(kernel, &s, &(dot){"mvt_k1", A, X1, Y1, ROW, false});
    add_dot(kernel, &s, &(dot){"mvt_k2", A, X2, Y2, COLUMN, false});
}

static void setup_mvt(lw_kernel *kernel) {
    add_mvt(kernel, F64);
}

static void setup_mvt_f32(lw_kernel *kernel) {
    add_mvt(kernel, F32);
}

static void setup_atax(lw_kernel *kernel) {
    enum { A, X, Y, TMP };
    const uint64_t n = kernel->params.size;
    const shape s = {n, n, F32};
    static const char *const names[] = {"A", "x", "y", "tmp", NULL};
    add_arrays(kernel, &s, 1, names, (uint64_t[]){n, n, n});
    add_dot(kernel, &s, &(dot){"atax_k1", A, TMP, X, ROW, false});
    add_dot(kernel, &s, &(dot){"atax_k2", A, Y, TMP, COLUMN, false});
}

static void add_bicg(lw_kernel *kernel, uint64_t rows, uint64_t columns) {
    enum { A, R, S, P, Q };
    const shape s = {rows, columns, F32};
    static const char *const names[] = {"A", "r", "s", "p", "q", NULL};
    add_arrays(kernel, &s, 1, names, (uint64_t[]){rows, columns, columns, rows});
    add_dot(kernel, &s, &(dot){"bicg_k1", A, Q, P, ROW, true});
    add_dot(kernel, &s, &(dot){"bicg_k2", A, S, R, COLUMN, true});
}

static void setup_bicg(lw_kernel *kernel) {
    add_bicg(kernel, 2 * kernel->params.size, kernel->params.size);
}

static void setup_bicg_square(lw_kernel *kernel) {
    add_bicg(kernel, kernel->params.size, kernel->params.size);
}

static void setup_gesummv(lw_kernel *kernel) {
    enum { A, B, X, Y, TMP };
    typedef struct walk {
        unsigned array;
        pattern walk;
        lw_access_kind access;
        unsigned alu;
        bool dep;
    } walk;
    /* tmp and y may alias each other and x, so every load stays, in both modes. */
    static const walk loop[] = {
        {A, ROW, LW_READ, ALU_LOOP, false}, {X, UNIFORM, LW_READ, 0, false},
        {TMP, OWN, LW_READ, 0, false},      {TMP, OWN, LW_WRITE, ALU_MATH, true},
        {B, ROW, LW_READ, 0, false},        {X, UNIFORM, LW_READ, 0, false},
        {Y, OWN, LW_READ, 0, false},        {Y, OWN, LW_WRITE, ALU_MATH, true},
    };
    static const walk end[] = {
        {TMP, OWN, LW_READ, ALU_LOOP, false},
        {Y, OWN, LW_READ, 0, false},
        {Y, OWN, LW_WRITE, ALU_MATH, true},
    };
    const uint64_t n = kernel->params.size;
    const shape s = {n, n, F32};
    static const char *const names[] = {"A", "B", "x", "y", "tmp", NULL};
    add_arrays(kernel, &s, 2, names, (uint64_t[]){n, n, n});
    lw_program *p = next_program(kernel, "gesummv_k1", n);
    const struct {
        const walk *steps;
        size_t count;
        uint64_t iterations;
    } phases[] = {{loop, sizeof loop / sizeof loop[0], lw_program_cut(kernel, n)},
                  {end, sizeof end / sizeof end[0], 1}};
    for (size_t i = 0; i < sizeof phases / sizeof phases[0]; i++) {
        for (size_t j = 0; j < phases[i].count; j++) {
            const walk *w = &phases[i].steps[j];
            lw_program_step(p, with(access_step(kernel, &s, w->array, w->walk, w->access), w->dep,
                                    (uint16_t)w->alu));
        }
        lw_program_phase(p, phases[i].iterations);
    }
}

static const lw_program *program(const lw_kernel *kernel) {
    return &kernel->programs[kernel->current];
}

#define POLYBENCH(id, text, means, max, init)                                                      \
    const lw_kernel_type lw_##id = {                                                               \
        .info = {#id, text, true, 4096, 1, means},                                                 \
        .max_size = (max),                                                                         \
        .setup = (init),                                                                           \
        .launch = lw_row_launch,                                                                   \
        .place = lw_row_place,                                                                     \
        .program = program,                                                                        \
    }

POLYBENCH(mvt, "x1 += A y1, x2 += A' y2 (Polybench, f64)", "matrix side N (f64, pitch 8N bytes)",
          MATRIX_MAX, setup_mvt);
POLYBENCH(mvt_f32, "x1 += A y1, x2 += A' y2 (Polybench, f32)",
          "matrix side N (f32, pitch 4N bytes)", MATRIX_MAX, setup_mvt_f32);
POLYBENCH(atax, "y = A' (A x) (Polybench, f32)", "matrix side N (f32, pitch 4N bytes)", MATRIX_MAX,
          setup_atax);
POLYBENCH(bicg, "q = A p, s = A' r (Polybench, f32)",
          "columns N of a matrix of 2N rows (f32, pitch 4N bytes)", MATRIX_MAX, setup_bicg);
POLYBENCH(bicg_square, "q = A p, s = A' r (Polybench, f32)", "matrix side N (f32, pitch 4N bytes)",
          MATRIX_MAX, setup_bicg_square);
POLYBENCH(gesummv, "y = alpha A x + beta B x (Polybench, f32)",
          "side N of both matrices (f32, pitch 4N bytes)", MATRIX_MAX, setup_gesummv);
