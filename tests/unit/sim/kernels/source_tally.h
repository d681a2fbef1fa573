/* For tests that hold a kernel's accesses to its public source, written down once more as plain
 * loops over the items of each launch: how often each launch reads and writes which elements of
 * which array, and of a kernel whose items are told apart which item does. In which order an item
 * does so is told where the source has them in that order. */
#ifndef LW_TESTS_UNIT_SIM_KERNELS_SOURCE_TALLY_H
#define LW_TESTS_UNIT_SIM_KERNELS_SOURCE_TALLY_H

#include "tests/unit/sim/kernels/workload_walk.h"

#include <string.h>

enum { TALLY_LAUNCHES = 1000, TALLY_ARRAYS = 8 };

/* Accesses, and sums of what they are to, by whom, and which of its accesses it is, which tell
 * elements, items and orders apart. */
typedef struct tally {
    uint64_t count, sum, squares, by_item, by_order;
} tally;

typedef tally tallies[TALLY_LAUNCHES][TALLY_ARRAYS][2]; /* launch, array, read or write */

static tallies source, stream;
static unsigned launch; /* of `source`, the present one */
static uint64_t item;   /* of `source`, likewise; 0 where items are not told apart */
static bool in_order;   /* whether the order of an item's accesses is told */
static uint64_t nth;    /* of `source`, the item's accesses so far, where it is */
static bool in_memory;  /* SRC: accumulators are loaded in each iteration (section 1) */
static uint64_t most;   /* iterations that a loop is cut to (section 8); 0: not cut */

static inline void tally_add(tally *t, uint64_t of, uint64_t at, uint64_t element) {
    t->count++;
    t->sum += element;
    t->squares += element * element;
    t->by_item += of * element;
    t->by_order += in_order ? at * element : 0;
}

/* What the source reads, and writes. */
static inline void rd(unsigned array, uint64_t element) {
    tally_add(&source[launch][array][0], item, nth++, element);
}

static inline void wr(unsigned array, uint64_t element) {
    tally_add(&source[launch][array][1], item, nth++, element);
}

/* What it reads where accumulators are in memory. */
static inline void src(unsigned array, uint64_t element) {
    if (in_memory) {
        rd(array, element);
    }
}

static inline uint64_t cut(uint64_t iterations) {
    return most != 0 && most < iterations ? most : iterations;
}

/* Groups have fewer items than this. */
enum { TALLY_GROUP = 1024 };

/* The item whose accesses follow. */
static inline void item_is(uint64_t number) {
    item = number;
    nth = 0;
}

/* The same of a group's. */
static inline void item_of(uint64_t group, uint64_t local) {
    item_is(group * TALLY_GROUP + local);
}

/* The same of the item at (x, y), in groups of width x height, `across` of them side by side. */
static inline void item_at(uint64_t x, uint64_t y, uint64_t across, uint64_t width,
                           uint64_t height) {
    item_of(y / height * across + x / width, y % height * width + x % width);
}

/* The same of a launch in one dimension. */
static inline void item_in_row(uint64_t g) {
    item_of(g / 256, g % 256);
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
    uint64_t at[LW_MAX_LANES] = {0};
    lw_wave_inst inst;
    while (lw_workload_wave_next(w, handle, &inst) == 1) {
        for (uint64_t left = inst.mask; left != 0; left &= left - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctzll(left);
            const size_t array = (size_t)(array_of(w, inst.va[lane]) - arrays);
            assert_true(number < TALLY_LAUNCHES && array < TALLY_ARRAYS);
            tally_add(&stream[number][array][inst.access == LW_WRITE],
                      shape->group_items == 0 ? 0 : first + lane, at[lane]++,
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
    nth = 0;
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

/* A tile walk's source, at a size, the bytes of its elements, and what its loops are cut to. */
typedef struct tile_source {
    const char *name;
    uint64_t size;
    void (*source)(uint64_t size);
    uint8_t bytes;
    uint64_t most;
} tile_source;

/* Waves of both widths, accumulators in registers and in memory. */
static inline void tally_tiles(const tile_source *of, size_t count) {
    in_order = true;
    for (size_t i = 0; i < count * 4; i++) {
        const tile_source *k = &of[i / 4];
        const uint8_t b = k->bytes;
        const uint32_t lanes = i % 2 == 0 ? 64 : 32;
        in_memory = i / 2 % 2 != 0;
        most = k->most;
        lw_workload *w =
            open_kernel(k->name, (lw_workload_params){.size = k->size,
                                                      .lanes = lanes,
                                                      .max_iters = most,
                                                      .accumulate_in_memory = in_memory});
        tally_begin();
        k->source(k->size);
        tally_run(k->name, w, &(tally_shape){{b, b, b, b, b, b, b, b}, TALLY_GROUP, lanes});
        lw_workload_close(w);
    }
}

#endif
