/* For tests that hold a kernel's accesses to its public source, written down once more as plain
 * loops over the items of each launch: how often each launch reads and writes which elements of
 * which array, and of a kernel whose items are told apart which item does. In which order is not
 * told. */
#ifndef LW_TESTS_UNIT_SIM_WORKLOADS_SOURCE_TALLY_H
#define LW_TESTS_UNIT_SIM_WORKLOADS_SOURCE_TALLY_H

#include "tests/unit/sim/workloads/workload_walk.h"

#include <string.h>

enum { TALLY_LAUNCHES = 1000, TALLY_ARRAYS = 8 };

/* Accesses, and sums of what they are to and by whom, which tell elements and items apart. */
typedef struct tally {
    uint64_t count, sum, squares, by_item;
} tally;

typedef tally tallies[TALLY_LAUNCHES][TALLY_ARRAYS][2]; /* launch, array, read or write */

static tallies source, stream;
static unsigned launch; /* of `source`, the present one */
static uint64_t item;   /* of `source`, likewise; 0 where items are not told apart */

static inline void tally_add(tally *t, uint64_t of, uint64_t element) {
    t->count++;
    t->sum += element;
    t->squares += element * element;
    t->by_item += of * element;
}

/* What the source reads, and writes. */
static inline void rd(unsigned array, uint64_t element) {
    tally_add(&source[launch][array][0], item, element);
}

static inline void wr(unsigned array, uint64_t element) {
    tally_add(&source[launch][array][1], item, element);
}

/* How a kernel is looked at: the bytes of an element of each array; the items of a group and the
 * lanes of a wave, 0 items where these are not told apart. */
typedef struct tally_shape {
    uint8_t bytes[TALLY_ARRAYS];
    uint32_t group_items, lanes;
} tally_shape;

static inline void tally_wave(lw_workload *w, const tally_shape *shape, unsigned number,
                              uint32_t group, uint32_t wave) {
    const lw_array *arrays = lw_workload_arrays(w, &(size_t){0}, NULL);
    const uint64_t first = (uint64_t)group * shape->group_items + (uint64_t)wave * shape->lanes;
    lw_wave *handle = lw_workload_wave_begin(w, group, wave);
    lw_wave_inst inst;
    while (lw_workload_wave_next(w, handle, &inst, NULL) == 1) {
        for (uint64_t left = inst.mask; left != 0; left &= left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctzll(left);
            const size_t array = (size_t)(array_of(w, inst.va[lane]) - arrays);
            assert_true(number < TALLY_LAUNCHES && array < TALLY_ARRAYS);
            tally_add(&stream[number][array][inst.access == LW_WRITE],
                      shape->group_items == 0 ? 0 : first + lane,
                      (inst.va[lane] - arrays[array].base) / shape->bytes[array]);
        }
    }
    lw_workload_wave_end(w, handle);
}

static inline void tally_launch(lw_workload *w, const tally_shape *shape, unsigned number,
                                const lw_launch *of) {
    for (uint32_t i = 0; i < of->groups * of->waves_in_group; i++) {
        tally_wave(w, shape, number, i / of->waves_in_group, i % of->waves_in_group);
    }
}

static inline void tally_begin(void) {
    memset(source, 0, sizeof source);
    memset(stream, 0, sizeof stream);
    launch = 0;
    item = 0;
}

static inline void tally_compare(const char *name) {
    for (unsigned i = 0; i < TALLY_LAUNCHES * TALLY_ARRAYS * 2; i++) {
        const tally *s = &source[0][0][0] + i;
        const tally *k = &stream[0][0][0] + i;
        if (memcmp(s, k, sizeof *s) != 0) {
            fail_msg("%s: launch %u %s array %u %llu times, the source %llu times, or elsewhere",
                     name, i / 2 / TALLY_ARRAYS, i % 2 == 0 ? "reads" : "writes",
                     i / 2 % TALLY_ARRAYS, (unsigned long long)k->count,
                     (unsigned long long)s->count);
        }
    }
}

/* Runs the kernel, all of it, against what the source has done. */
static inline void tally_run(const char *name, lw_workload *w, const tally_shape *shape) {
    lw_launch of;
    unsigned number = 0;
    for (; lw_workload_next_launch(w, &of, NULL) == 1; number++) {
        tally_launch(w, shape, number, &of);
    }
    assert_int_equal(number, launch);
    tally_compare(name);
}

#endif
