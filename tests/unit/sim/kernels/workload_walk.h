/* For the tests of named kernels: run one, look at each of its instructions, count accesses. */
#ifndef LW_TESTS_UNIT_SIM_KERNELS_WORKLOAD_WALK_H
#define LW_TESTS_UNIT_SIM_KERNELS_WORKLOAD_WALK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/kernels/kernel_list.h"
#include "sim/workloads/workload.h"

#include <stdlib.h>

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

static inline lw_workload *open_kernel(const char *name, lw_workload_params params) {
    lw_error err = {0};
    lw_workload *w = lw_workload_open(name, &params, &err);
    assert_string_equal(err.text, "");
    assert_non_null(w);
    return w;
}

static inline const lw_array *array_of(lw_workload *w, uint64_t va) {
    size_t count = 0;
    const lw_array *arrays = lw_workload_arrays(w, &count, NULL);
    for (size_t i = 0; i < count; i++) {
        if (va - arrays[i].base < arrays[i].bytes) {
            return &arrays[i];
        }
    }
    fail_msg("0x%llx lies in no array", (unsigned long long)va);
    return NULL;
}

/* Called for each instruction; `launch` and `index` (in its wave) count from 0. */
typedef void visit(void *context, lw_workload *w, const lw_wave_inst *inst, unsigned launch,
                   unsigned index);

/* Runs up to max_launches (0: all) and max_groups groups of each (0: all); the launches' number. */
static inline unsigned run(lw_workload *w, unsigned max_launches, unsigned max_groups, visit *each,
                           void *context) {
    lw_launch launch;
    unsigned launches = 0;
    while ((max_launches == 0 || launches < max_launches) &&
           lw_workload_next_launch(w, &launch, NULL) == 1) {
        for (uint32_t g = 0; g < launch.groups && (max_groups == 0 || g < max_groups); g++) {
            for (uint32_t v = 0; v < launch.waves_in_group; v++) {
                lw_wave *wave = lw_workload_wave_begin(w, g, v);
                assert_non_null(wave);
                lw_wave_inst inst;
                for (unsigned i = 0; lw_workload_wave_next(w, wave, &inst) == 1; i++) {
                    assert_true(inst.mask != 0);
                    each(context, w, &inst, launches, i);
                }
                lw_workload_wave_end(w, wave);
            }
        }
        launches++;
    }
    return launches;
}

/* A counter for each 4-byte word of each array. */
typedef struct census {
    unsigned only_launch; /* UINT_MAX: all */
    lw_access_kind access;
    uint64_t first_va;
    uint8_t *words;
} census;

static inline void count_words(void *context, lw_workload *w, const lw_wave_inst *inst,
                               unsigned launch, unsigned index) {
    (void)index;
    census *c = context;
    for (unsigned lane = 0; lane < LW_MAX_LANES; lane++) {
        if ((inst->mask >> lane & 1) != 0) {
            assert_non_null(array_of(w, inst->va[lane]));
            const bool wanted = inst->access == c->access &&
                                (c->only_launch == UINT32_MAX || c->only_launch == launch);
            c->words[(inst->va[lane] - c->first_va) / 4] += wanted ? 1 : 0;
        }
    }
}

static inline uint64_t words_of(lw_workload *w, uint64_t *first) {
    size_t count = 0;
    const lw_array *arrays = lw_workload_arrays(w, &count, NULL);
    *first = arrays[0].base;
    return (arrays[count - 1].base + arrays[count - 1].bytes - arrays[0].base + 3) / 4;
}

/* Runs the kernel; how often each word was accessed. The caller frees c->words and closes. */
static inline lw_workload *take_census(const char *name, lw_workload_params params, census *c,
                                       unsigned *launches) {
    lw_workload *w = open_kernel(name, params);
    const uint64_t words = words_of(w, &c->first_va);
    c->words = calloc(words, 1);
    assert_non_null(c->words);
    *launches = run(w, 0, 0, count_words, c);
    return w;
}

#endif
