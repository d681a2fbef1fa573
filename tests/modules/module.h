/* The module lockstep: one RTL module alone against its part of the C twin alone, under constrained
 * random stimulus (`make cosim-module MODULE=unified_tlb SEED=1 CYCLES=1000000`).
 *
 * A *module* (one small file each) describes its ports, how each input is drawn, and the twin's
 * side: what the outputs are in a cycle, and what the clock edge does. A port that is a packed
 * struct is named field by field ("mark_i.pasid"); where a field lies is what Verilator says
 * (layout.py). The harness does the rest: in each cycle it draws the inputs, compares every output
 * port before the edge, and every register of the module (state/registers.yaml) after it; now and
 * then both sides are reset, and what the module's neighbours would know begins anew. The
 * twin's side is a whole unit (iommu_parts.h) of which only the module's own part is driven, so
 * that registers are found by their names.
 *
 * A *row* of the catalogue is a module built with one set of hardware parameters; they are small,
 * so that tables are full, queues run over their ends and counters wrap within a few cycles. */
#ifndef LW_TESTS_MODULES_MODULE_H
#define LW_TESTS_MODULES_MODULE_H

#include "c_model/iommu_parts.h"
#include "common/rng.h"

enum { LW_PORT_WORDS = 8, LW_PORTS_MAX = 128 };

/* A port's value, bit 0 lowest. */
typedef struct lw_bits {
    uint64_t w[LW_PORT_WORDS];
} lw_bits;

/* How an input is drawn in each cycle. LW_MASKED and LW_UNIFORM differ in how often values meet:
 * a masked value is random only in the bits of the mask, and one in 64 is uniform all the same. */
typedef enum lw_draw {
    LW_ZERO,    /* always zero, or what `legal` makes of it */
    LW_UNIFORM, /* every bit */
    LW_MASKED,  /* `of`: the mask */
    LW_BELOW,   /* `of`: the bound */
    LW_PERCENT, /* `of`: the share of ones; it changes with the phases of a run (stimulus.c) */
    LW_IGNORED  /* zero: a field that the module does not look at; it costs no random number */
} lw_draw;

typedef struct lw_input {
    const char *name;
    lw_draw draw;
    uint64_t of;
} lw_input;

/* `when`: 0, or 1 + the output (of the RTL and of the twin alike) without which this one means
 * nothing and is not compared. */
typedef struct lw_output {
    const char *name;
    uint32_t when;
} lw_output;

/* Registers of the module: a structure of state/registers.yaml, in the instance `scope` below the
 * module ("" for the module itself; by_address for a PWC by address). */
typedef struct lw_registers_of {
    lw_structure structure;
    const char *scope, *by_address;
} lw_registers_of;

/* The twin's side of a run: the unit, and `own`, zeroed memory for what the module's neighbours
 * would know. `unsaid`, one for each output and zero before `outputs_of`: its bits that mean
 * nothing in this cycle and are not compared, where `when` cannot say it. `rng` is for `legal`
 * alone. */
typedef struct lw_bench {
    lw_iommu *u;
    void *own;
    lw_bits *unsaid;
    lw_rng rng;
    uint32_t data_width; /* the module's */
} lw_bench;

typedef struct lw_module {
    const char *top;        /* the RTL module */
    const char *parameters; /* those of the RTL module's parameters that a row sets */
    const lw_input *inputs;
    const lw_output *outputs;
    const lw_registers_of *registers;
    uint32_t input_count, output_count, register_count;
    size_t own_bytes;
    uint32_t data_width; /* of the bus, where the module has one (chapter 19) */
    /* Turns drawn inputs into legal ones, on the state before the cycle. NULL: all are legal. */
    void (*legal)(lw_bench *b, lw_bits *in);
    /* The outputs of the cycle, which may depend on its inputs. */
    void (*outputs_of)(lw_bench *b, const lw_bits *in, lw_bits *out);
    /* The clock edge. */
    void (*step)(lw_bench *b, const lw_bits *in);
    /* A reset in mid-run (R0.2), of the module's part and what its neighbours would know. NULL: the
     * unit is reset, and `own` is zero. */
    void (*reset)(lw_bench *b);
} lw_module;

/* Inputs and outputs are numbered by their place in the table, which the module's enum names. */
#define LW_COUNT(table) (uint32_t)(sizeof(table) / sizeof(table)[0])

typedef struct lw_row {
    const char *name;
    const lw_module *module;
    const lw_params *hw;
} lw_row;

/* Chapter 19: the number of tags in use. */
static inline uint32_t lw_row_ids(const lw_params *hw) {
    return hw->walkers + (hw->subregions != 0 ? LW_HEADS : 0);
}

/* The row of this name, or NULL and one sentence that lists the rows. */
const lw_row *lw_row_find(const char *name, lw_error *err);
/* Verilator's options (-G...) for a row. */
void lw_row_options(const lw_row *row, char *text, size_t room);
/* The names of all rows, one a line. */
void lw_rows_print(void);

/* `width` bits (at most 64) from bit `lsb` on. */
static inline uint64_t lw_bits_get(const lw_bits *b, uint32_t lsb, uint32_t width) {
    uint64_t value = b->w[lsb / 64] >> (lsb % 64);
    if (lsb % 64 + width > 64) {
        value |= b->w[lsb / 64 + 1] << (64 - lsb % 64);
    }
    return width >= 64 ? value : value & ((UINT64_C(1) << width) - 1);
}

static inline void lw_bits_put(lw_bits *b, uint32_t lsb, uint32_t width, uint64_t value) {
    for (uint32_t i = 0; i < width; i++) {
        const uint32_t at = lsb + i;
        const uint64_t bit = UINT64_C(1) << (at % 64);
        b->w[at / 64] = (value >> i & 1) != 0 ? b->w[at / 64] | bit : b->w[at / 64] & ~bit;
    }
}

/* clog2 of a power of two. */
static inline uint32_t lw_log2(uint32_t value) {
    return (uint32_t)__builtin_ctz(value);
}

#endif
