#include "sim/kernels/program_table.h"

uint64_t lw_program_cut(const lw_kernel *kernel, uint64_t iterations) {
    const uint64_t max = kernel->params.max_iters;
    return max != 0 && max < iterations ? max : iterations;
}

static lw_step step_of(const lw_kernel *kernel, const lw_table *table, const lw_row *row) {
    const lw_formula *f = &table->formulas[row->formula];
    const lw_array *array = &kernel->arrays.at[row->array];
    const int64_t element = table->element;
    lw_step step = {.base = array->base + (uint64_t)(f->constant * element),
                    .origin_x = f->origin_x * element,
                    .origin_y = f->origin_y * element,
                    .lane_x = f->lane_x * element,
                    .lane_y = f->lane_y * element,
                    .iterate = f->iterate * element,
                    .again = f->again * element,
                    .lanes = row->lanes,
                    .access = row->access,
                    .dep = row->dep,
                    .alu = (uint16_t)row->alu};
    if (f->clamped) {
        step.first = array->base;
        step.last = array->base + array->bytes - table->element;
    }
    return step;
}

void lw_program_rows(const lw_kernel *kernel, lw_program *program, const lw_table *table,
                     const lw_row *rows, size_t count) {
    const lw_mode mode = kernel->params.accumulate_in_memory ? LW_MODE_SRC : LW_MODE_OPT;
    for (size_t i = 0; i < count; i++) {
        const lw_row *row = &rows[i];
        if (row->mode == LW_MODE_BOTH || row->mode == mode) {
            lw_program_step(program, step_of(kernel, table, row));
        }
        if (i + 1 == count || rows[i + 1].part != row->part) {
            lw_program_phase(program, table->iterations[row->part]);
        }
    }
}
