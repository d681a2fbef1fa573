/* A workload written down by hand, instruction by instruction, for the tests of the GPU. */
#ifndef LW_TESTS_UNIT_SIM_GPU_HAND_WORKLOAD_H
#define LW_TESTS_UNIT_SIM_GPU_HAND_WORKLOAD_H

#include "sim/workloads/source.h"

#include <stdio.h>
#include <stdlib.h>

/* One wave instruction: lane i touches page + i * stride. Sorted by launch; an instruction belongs
 * to the wave that it names, in the order of the table. */
typedef struct hand_inst {
    uint64_t page;
    uint32_t launch, group, wave;
    uint32_t lanes, stride; /* lanes 0: none (the wave exists all the same) */
    lw_access_kind access;
    bool dep;
    uint16_t alu;
} hand_inst;

typedef struct hand {
    const hand_inst *insts;
    size_t count;
    uint32_t launches, launch; /* the current one, counted from 1 */
} hand;

static inline const lw_array *hand_arrays(void *self, size_t *count, lw_error *err) {
    (void)self;
    (void)err;
    *count = 0;
    return NULL;
}

static inline int hand_next_launch(void *self, lw_launch *launch, lw_error *err) {
    hand *h = self;
    (void)err;
    if (h->launch == h->launches) {
        return 0;
    }
    *launch = (lw_launch){.groups = 0, .waves_in_group = 1};
    for (size_t i = 0; i < h->count; i++) {
        const hand_inst *x = &h->insts[i];
        if (x->launch == h->launch) {
            launch->groups = x->group >= launch->groups ? x->group + 1 : launch->groups;
            launch->waves_in_group =
                x->wave >= launch->waves_in_group ? x->wave + 1 : launch->waves_in_group;
        }
    }
    (void)snprintf(launch->name, sizeof launch->name, "launch %u", h->launch);
    h->launch++;
    return 1;
}

static inline void hand_wave_begin(void *self, lw_wave *wave) {
    (void)self;
    wave->trace.next = 0;
}

static inline int hand_wave_next(void *self, lw_wave *wave, lw_wave_inst *inst) {
    const hand *h = self;
    while (wave->trace.next < h->count) {
        const hand_inst *x = &h->insts[wave->trace.next++];
        if (x->launch + 1 != h->launch || x->group != wave->group || x->wave != wave->wave ||
            x->lanes == 0) {
            continue;
        }
        *inst = (lw_wave_inst){.access = x->access, .dep = x->dep, .alu = x->alu};
        for (uint32_t lane = 0; lane < x->lanes; lane++) {
            inst->va[lane] = (x->page + (uint64_t)lane * x->stride) << 12 | lane << 2;
            inst->mask |= UINT64_C(1) << lane;
        }
        return 1;
    }
    return 0;
}

static inline lw_workload *hand_workload(const hand_inst *insts, size_t count) {
    static const lw_source_ops ops = {
        free, hand_arrays, hand_next_launch, hand_wave_begin, hand_wave_next, NULL};
    hand *h = malloc(sizeof *h);
    if (h == NULL) {
        return NULL;
    }
    *h = (hand){insts, count, count == 0 ? 0 : insts[count - 1].launch + 1, 0};
    return lw_workload_wrap(&ops, h, NULL);
}

#endif
