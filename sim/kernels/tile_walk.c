#include "sim/kernels/tile_walk.h"

#include <stdio.h>
#include <stdlib.h>

void lw_kernel_array(lw_kernel *kernel, const char *name, uint64_t bytes) {
    lw_kernel_append(&kernel->arrays, kernel->params.base_va, name, bytes);
}

void lw_program_step(lw_program *program, lw_step step) {
    program->steps[program->step_count++] = step;
}

void lw_program_phase(lw_program *program, uint64_t iterations) {
    program->phases[program->phase_count++] =
        (lw_phase){.end = program->step_count, .iterations = iterations};
}

static uint64_t groups_across(uint64_t side) {
    return (side + LW_GROUP_X - 1) / LW_GROUP_X;
}

void lw_square_launch(const lw_kernel *kernel, uint64_t side, lw_launch *out) {
    const uint64_t down = (side + LW_GROUP_Y - 1) / LW_GROUP_Y;
    out->groups = (uint32_t)(groups_across(side) * down);
    out->waves_in_group = lw_waves_of(&kernel->params, LW_GROUP_X * LW_GROUP_Y);
}

void lw_square_place(const lw_kernel *kernel, uint64_t side, int64_t border, lw_wave *wave) {
    const int64_t across = (int64_t)groups_across(side), end = (int64_t)side - border;
    wave->walk.x0 = LW_GROUP_X * (wave->group % across);
    wave->walk.y0 = LW_GROUP_Y * (wave->group / across);
    wave->walk.row = (int64_t)(wave->wave * kernel->params.lanes / LW_GROUP_X);
    for (uint32_t l = 0; l < kernel->params.lanes; l++) {
        const int64_t x = wave->walk.x0 + l % LW_GROUP_X;
        const int64_t y = wave->walk.y0 + wave->walk.row + l / LW_GROUP_X;
        const bool inside = x >= border && x < end && y >= border && y < end;
        wave->walk.lanes[LW_LANES_GUARD] |= (uint64_t)inside << l;
    }
}

void lw_row_launch(const lw_kernel *kernel, lw_launch *out) {
    out->groups = (uint32_t)((kernel->now->items + LW_GROUP_ITEMS - 1) / LW_GROUP_ITEMS);
    out->waves_in_group = lw_waves_of(&kernel->params, LW_GROUP_ITEMS);
}

void lw_row_place(const lw_kernel *kernel, lw_wave *wave) {
    uint64_t first = 0;
    wave->walk.lanes[LW_LANES_GUARD] = lw_lanes_of_items(
        &kernel->params, kernel->now->items, LW_GROUP_ITEMS, wave->group, wave->wave, &first);
    wave->walk.x0 = (int64_t)first;
}

static void walk_close(void *self) {
    free(self);
}

static const lw_array *walk_arrays(void *self, size_t *count, lw_error *err) {
    (void)err;
    const lw_kernel *kernel = self;
    *count = kernel->arrays.count;
    return kernel->arrays.at;
}

static int walk_next_launch(void *self, lw_launch *launch, lw_error *err) {
    (void)err;
    lw_kernel *kernel = self;
    if (kernel->started == kernel->launches) {
        return 0;
    }
    kernel->current = kernel->started++;
    if (kernel->type->begin != NULL) {
        kernel->type->begin(kernel);
    }
    kernel->now =
        kernel->type->program == NULL ? &kernel->programs[0] : kernel->type->program(kernel);
    (void)snprintf(launch->name, sizeof launch->name, "%s", kernel->now->name);
    kernel->type->launch(kernel, launch);
    return 1;
}

/* The lanes that are in the outer loop's current trip. */
static void mask_trip(const lw_kernel *kernel, lw_wave *wave) {
    const uint64_t left = wave->walk.trips - wave->walk.trip;
    const uint64_t lanes = kernel->params.lanes;
    wave->walk.lanes[LW_LANES_TRIP] =
        wave->walk.lanes[LW_LANES_GUARD] & lw_first_lanes(left < lanes ? left : lanes);
}

static void walk_wave_begin(void *self, lw_wave *wave) {
    const lw_kernel *kernel = self;
    kernel->type->place(kernel, wave);
    mask_trip(kernel, wave);
    if (wave->walk.lanes[LW_LANES_GUARD] == 0) {
        wave->walk.trip = wave->walk.trips;
        wave->walk.phase = kernel->now->phase_count;
    }
}

static uint32_t phase_begin(const lw_program *program, uint32_t phase) {
    return phase == 0 ? 0 : program->phases[phase - 1].end;
}

/* The step that the wave stands at, in which iteration and trip; advances the counters. NULL at the
 * program's end. */
static const lw_step *advance(const lw_kernel *kernel, lw_wave *wave, uint64_t *iteration,
                              uint64_t *trip) {
    const lw_program *program = kernel->now;
    if (wave->walk.phase == program->phase_count) {
        const uint64_t most = kernel->params.max_iters; /* the outer loop is cut like the inner */
        const uint64_t next = wave->walk.trip + 1;
        if (next >= wave->walk.trips || (most != 0 && next >= most)) {
            return NULL;
        }
        wave->walk.trip = next;
        wave->walk.phase = program->again_from;
        wave->walk.step = phase_begin(program, program->again_from);
        mask_trip(kernel, wave);
    }
    const lw_phase *phase = &program->phases[wave->walk.phase];
    const lw_step *step = &program->steps[wave->walk.step];
    *iteration = wave->walk.iteration;
    *trip = wave->walk.trip;
    if (++wave->walk.step < phase->end) {
        return step;
    }
    if (++wave->walk.iteration < phase->iterations) {
        wave->walk.step = phase_begin(program, wave->walk.phase);
        return step;
    }
    wave->walk.iteration = 0;
    wave->walk.phase++;
    return step;
}

static void clamp(const lw_step *step, uint64_t *va, uint32_t lanes) {
    for (uint32_t l = 0; l < lanes; l++) {
        const bool below = (int64_t)va[l] < (int64_t)step->first;
        const bool above = (int64_t)va[l] > (int64_t)step->last;
        va[l] = below ? step->first : above ? step->last : va[l];
    }
}

/* The lanes of a step in an iteration. */
static uint64_t lanes_of(const lw_kernel *kernel, const lw_wave *wave, const lw_step *step,
                         uint64_t iteration) {
    uint64_t lanes = wave->walk.lanes[step->lanes];
    for (uint32_t l = 0; step->narrows && l < kernel->params.lanes; l++) {
        const uint64_t item = (uint64_t)wave->wave * kernel->params.lanes + l;
        const bool inside = item > iteration && item + iteration + 1 < kernel->now->group_items;
        lanes &= ~((uint64_t)!inside << l);
    }
    return lanes;
}

static int walk_wave_next(void *self, lw_wave *wave, lw_wave_inst *inst) {
    const lw_kernel *kernel = self;
    const lw_program *program = kernel->now;
    const lw_step *step = NULL;
    uint64_t iteration = 0;
    uint64_t trip = 0;
    do {
        step = advance(kernel, wave, &iteration, &trip);
        if (step == NULL) {
            return 0;
        }
        inst->mask = lanes_of(kernel, wave, step, iteration);
    } while (inst->mask == 0);

    inst->access = step->access;
    inst->dep = step->dep;
    inst->alu = step->alu;
    /* Unsigned throughout: a lane outside the guard may lie before the array, and wraps. */
    uint64_t row = step->base + (uint64_t)wave->walk.x0 * (uint64_t)step->origin_x +
                   (uint64_t)wave->walk.y0 * (uint64_t)step->origin_y +
                   (uint64_t)wave->walk.row * (uint64_t)step->lane_y +
                   iteration * (uint64_t)step->iterate + trip * (uint64_t)step->again;
    const uint32_t lanes = kernel->params.lanes;
    const uint32_t width = program->tile_width;
    for (uint32_t first = 0; first < lanes; first += width) {
        uint64_t va = row;
        for (uint32_t l = 0; l < width; l++) {
            inst->va[first + l] = va;
            va += (uint64_t)step->lane_x;
        }
        row += (uint64_t)step->lane_y;
    }
    if (step->last != 0) {
        clamp(step, inst->va, lanes);
    }
    return 1;
}

static const lw_source_ops walk_ops = {
    .close = walk_close,
    .arrays = walk_arrays,
    .next_launch = walk_next_launch,
    .wave_begin = walk_wave_begin,
    .wave_next = walk_wave_next,
};

lw_workload *lw_kernel_open(const lw_kernel_type *type, const lw_workload_params *params,
                            lw_error *err) {
    lw_workload_params filled = params != NULL ? *params : (lw_workload_params){0};
    if (!lw_kernel_params(&type->info, type->max_size, &filled, err)) {
        return NULL;
    }
    lw_kernel *kernel = calloc(1, sizeof *kernel);
    if (kernel == NULL) {
        (void)lw_fail(err, "out of memory while opening %s", type->info.name);
        return NULL;
    }
    kernel->type = type;
    kernel->params = filled;
    type->setup(kernel);
    if (!lw_kernel_fits(&type->info, &filled, &kernel->arrays, err)) {
        free(kernel);
        return NULL;
    }
    return lw_workload_wrap(&walk_ops, kernel, err);
}
