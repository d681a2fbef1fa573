/* Programs of a tile walk written as tables: a row is a step, its address one of the kernel's
 * formulas, whose coefficients count elements. Internal. */
#ifndef LW_SIM_KERNELS_PROGRAM_TABLE_H
#define LW_SIM_KERNELS_PROGRAM_TABLE_H

#include "sim/kernels/tile_walk.h"

/* As in lw_step, in elements; `constant` belongs to its base. */
typedef struct lw_formula {
    int64_t constant;
    int64_t origin_x, origin_y;
    int64_t lane_x, lane_y;
    int64_t iterate, again;
    bool clamped; /* into the array */
} lw_formula;

typedef enum lw_mode {
    LW_MODE_BOTH,
    LW_MODE_SRC,
    LW_MODE_OPT
} lw_mode; /* docs/workloads.md section 1 */

typedef struct lw_row {
    unsigned part; /* neighbouring rows of one part are one phase */
    unsigned array, formula;
    lw_access_kind access;
    unsigned alu;
    bool dep;
    lw_lanes lanes;
    lw_mode mode; /* in which the row is there */
} lw_row;

typedef struct lw_table {
    const lw_formula *formulas;
    uint32_t element;           /* bytes */
    const uint64_t *iterations; /* of each part, >= 1 */
} lw_table;

/* Appends the rows to the program. */
void lw_program_rows(const lw_kernel *kernel, lw_program *program, const lw_table *table,
                     const lw_row *rows, size_t count);

/* `iterations`, or what --max-iters cuts them to. */
uint64_t lw_program_cut(const lw_kernel *kernel, uint64_t iterations);

#endif
