#include "workloads/tile_walk.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define PAGE UINT64_C(4096)
#define USER_END (UINT64_C(1) << 47) /* the user half of a canonical 48-bit address space */
#define DEFAULT_BASE UINT64_C(0x7f0000000000)
#define DEFAULT_LANES 64

void lw_kernel_array(lw_kernel *kernel, const char *name, uint64_t bytes) {
    uint64_t base = kernel->params.base_va;
    if (kernel->array_count > 0) {
        const lw_array *last = &kernel->arrays[kernel->array_count - 1];
        base = (last->base + last->bytes + PAGE - 1) & ~(PAGE - 1);
    }
    lw_array *array = &kernel->arrays[kernel->array_count++];
    *array = (lw_array){.base = base, .bytes = bytes};
    (void)snprintf(array->name, sizeof array->name, "%s", name);
}

void lw_program_step(lw_program *program, lw_step step) {
    program->steps[program->step_count++] = step;
}

void lw_program_phase(lw_program *program, uint64_t iterations) {
    program->phases[program->phase_count++] =
        (lw_phase){.end = program->step_count, .iterations = iterations};
}

uint32_t lw_kernel_waves(const lw_kernel *kernel, uint32_t items) {
    return (items + kernel->params.lanes - 1) / kernel->params.lanes;
}

static void walk_close(void *self) {
    free(self);
}

static const lw_array *walk_arrays(void *self, size_t *count, lw_error *err) {
    (void)err;
    const lw_kernel *kernel = self;
    *count = kernel->array_count;
    return kernel->arrays;
}

static int walk_next_launch(void *self, lw_launch *launch, lw_error *err) {
    (void)err;
    lw_kernel *kernel = self;
    if (kernel->started == kernel->launches) {
        return 0;
    }
    kernel->current = kernel->started++;
    kernel->now = kernel->type->program(kernel);
    (void)snprintf(launch->name, sizeof launch->name, "%s", kernel->now->name);
    kernel->type->launch(kernel, launch);
    return 1;
}

static void walk_wave_begin(void *self, lw_wave *wave) {
    const lw_kernel *kernel = self;
    kernel->type->place(kernel, wave);
    if (wave->walk.lanes[LW_LANES_GUARD] == 0) {
        wave->walk.phase = kernel->now->phase_count;
    }
}

/* The step that the wave stands at, its iteration in *iteration; advances the counters. NULL at
 * the program's end. */
static const lw_step *advance(const lw_program *program, lw_wave *wave, uint64_t *iteration) {
    if (wave->walk.phase == program->phase_count) {
        return NULL;
    }
    const lw_phase *phase = &program->phases[wave->walk.phase];
    const lw_step *step = &program->steps[wave->walk.step];
    *iteration = wave->walk.iteration;
    if (++wave->walk.step < phase->end) {
        return step;
    }
    if (++wave->walk.iteration < phase->iterations) {
        wave->walk.step = wave->walk.phase == 0 ? 0 : phase[-1].end;
        return step;
    }
    wave->walk.iteration = 0;
    wave->walk.phase++;
    return step;
}

static int walk_wave_next(void *self, lw_wave *wave, lw_wave_inst *inst) {
    const lw_kernel *kernel = self;
    const lw_program *program = kernel->now;
    const lw_step *step = NULL;
    uint64_t iteration = 0;
    do {
        step = advance(program, wave, &iteration);
        if (step == NULL) {
            return 0;
        }
    } while (wave->walk.lanes[step->lanes] == 0);

    inst->mask = wave->walk.lanes[step->lanes];
    inst->access = step->access;
    inst->dep = step->dep;
    inst->alu = step->alu;
    /* Unsigned throughout: a lane outside the guard may lie before the array, and wraps. */
    uint64_t row = step->base + (uint64_t)wave->walk.x0 * (uint64_t)step->origin_x +
                   (uint64_t)wave->walk.y0 * (uint64_t)step->origin_y +
                   iteration * (uint64_t)step->iterate;
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
    return 1;
}

static const lw_source_ops walk_ops = {
    .close = walk_close,
    .arrays = walk_arrays,
    .next_launch = walk_next_launch,
    .wave_begin = walk_wave_begin,
    .wave_next = walk_wave_next,
};

static bool check_params(const lw_kernel_type *type, lw_workload_params *p, lw_error *err) {
    const lw_workload_info *info = &type->info;
    p->size = p->size != 0 ? p->size : info->default_size;
    p->lanes = p->lanes != 0 ? p->lanes : DEFAULT_LANES;
    p->base_va = p->base_va != 0 ? p->base_va : DEFAULT_BASE;
    if (p->size % info->size_multiple != 0 || p->size > type->max_size) {
        return lw_fail(err,
                       "size %" PRIu64 " is not allowed for %s: a multiple of %" PRIu64
                       " from %" PRIu64 " to %" PRIu64 " is (%s)",
                       p->size, info->name, info->size_multiple, info->size_multiple,
                       type->max_size, info->size_means);
    }
    if (p->lanes != 32 && p->lanes != 64) {
        return lw_fail(err, "lanes %" PRIu32 " is not allowed for a wave: 32 or 64 is", p->lanes);
    }
    if (p->base_va % PAGE != 0 || p->base_va >= USER_END) {
        return lw_fail(err,
                       "base_va 0x%" PRIx64 " is not allowed: a multiple of 4096 below 0x%" PRIx64
                       " (the 47-bit user half) is",
                       p->base_va, USER_END);
    }
    return true;
}

lw_workload *lw_kernel_open(const lw_kernel_type *type, const lw_workload_params *params,
                            lw_error *err) {
    lw_workload_params filled = params != NULL ? *params : (lw_workload_params){0};
    if (!check_params(type, &filled, err)) {
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
    const lw_array *last = &kernel->arrays[kernel->array_count - 1];
    if (last->base + last->bytes > USER_END) {
        (void)lw_fail(err,
                      "size %" PRIu64 " of %s needs the addresses 0x%" PRIx64 " to 0x%" PRIx64
                      ", past the 47-bit user address space, which ends at 0x%" PRIx64
                      ": a smaller size or base_va is allowed",
                      filled.size, type->info.name, filled.base_va, last->base + last->bytes,
                      USER_END);
        free(kernel);
        return NULL;
    }
    return lw_workload_wrap(&walk_ops, kernel, err);
}
