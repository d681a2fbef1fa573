/* The named kernels against docs/workloads.md: footprints (section 2), pages per wave instruction
 * (section 2's table), and that the pages touched are the arrays' pages (section 10). */
#include "tests/unit/sim/kernels/workload_walk.h"

#define PAGE_SHIFT 12

static unsigned distinct(const lw_wave_inst *inst, unsigned shift) {
    uint64_t seen[LW_MAX_LANES];
    unsigned n = 0;
    for (unsigned lane = 0; lane < LW_MAX_LANES; lane++) {
        if ((inst->mask >> lane & 1) == 0) {
            continue;
        }
        unsigned i = 0;
        while (i < n && seen[i] != inst->va[lane] >> shift) {
            i++;
        }
        if (i == n) {
            seen[n++] = inst->va[lane] >> shift;
        }
    }
    return n;
}

static void test_footprints(void **state) {
    (void)state;
    /* The byte sums that docs/workloads.md prints in section 2. */
    static const struct {
        const char *name;
        size_t arrays;
        uint64_t bytes;
        uint64_t size; /* 0: the default */
    } rows[] = {
        {"mvt", 5, 134348800, 0},
        {"mvt_f32", 5, 67174400, 0},
        {"atax", 4, 67158016, 0},
        {"bicg", 5, 134316032, 0},
        {"bicg_square", 5, 67174400, 0},
        {"gesummv", 5, 134266880, 0},
        {"nw", 3, 557657868, 0},
        {"backprop", 5, 113246416, 0},
        {"hotspot", 3, 12582912, 0},
        /* Section 9: 32.0, 32.0, 48.0, 128, 1.0, 96, 37.2, 35.49 and 30.50 MiB. */
        {"corr", 4, 33570816, 0},
        {"covar", 3, 33562624, 0},
        {"gramschm", 3, 50331648, 0},
        {"2dconv", 2, 134217728, 0},
        {"lud", 1, 1048576, 0},
        {"srad", 6, 100663296, 0},
        {"bfs", 7, 38999881, 0},
        {"sssp", 6, 37217012, 0},
        {"color", 6, 31984004, 0},
        /* 128, 16 and 980.4 MiB: 2 x 4096^2, 2048^2 and 257 x 10^6 words. */
        {"syrk", 2, 134217728, 0},
        {"lu", 1, 16777216, 0},
        {"pathfinder", 3, 1028000000, 0},
        /* Section 5's formulas: 8(V+1) + 8E, and 4V, 12E + 9V, 6V, 16V, 9E + 16V beside them. */
        {"graphbig_bfs", 4, 8 * 262145 + 8 * 4194304 + 4 * 262144 + 4, 0},
        {"graphbig_sp", 7, 8 * 262145 + 12 * 4194304 + 9 * 262144 + 4, 0},
        {"graphbig_kcore", 6, 8 * 262145 + 8 * 4194304 + 6 * 262144 + 4, 0},
        {"graphbig_bc", 7, 8 * 262145 + 8 * 4194304 + 16 * 262144 + 4, 0},
        {"graphbig_cc", 7, 8 * 262145 + 17 * 4194304 + 16 * 262144 + 4, 0},
        /* What NHA's sizes make of those whose default is MESC's: section 2. */
        {"lud", 1, 1254400, 560},
        {"sssp", 6, 109387440, 3470000},
        {"color", 6, 27977212, 1070376}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_workload *w = open_kernel(rows[i].name, (lw_workload_params){.size = rows[i].size});
        size_t count = 0;
        uint64_t bytes = 0;
        uint64_t next = UINT64_C(0x7f0000000000);
        const lw_array *arrays = lw_workload_arrays(w, &count, NULL);
        for (size_t a = 0; a < count; a++) {
            assert_int_equal(arrays[a].base, next);
            next = (next + arrays[a].bytes + 4095) & ~UINT64_C(4095);
            bytes += arrays[a].bytes;
        }
        assert_true(next <= UINT64_C(1) << 47);
        assert_int_equal(count, rows[i].arrays);
        assert_int_equal(bytes, rows[i].bytes);
        lw_workload_close(w);
    }
}

typedef struct spread {
    const char *kernel;
    uint32_t lanes;
    unsigned launch;
    unsigned first, last; /* instruction indices within the wave that the row is about */
    const char *array;    /* and the array it must touch */
    unsigned pages[2], neighbourhoods[2], directories[2], lines[2]; /* least and most */
    unsigned seen;
    bool whole; /* only instructions of all lanes */
} spread;

static void check_spread(void *context, lw_workload *w, const lw_wave_inst *inst, unsigned launch,
                         unsigned index) {
    spread *row = context;
    if (launch != row->launch || index < row->first || index > row->last ||
        (row->whole && inst->mask != UINT64_MAX)) {
        return;
    }
    const struct {
        unsigned shift;
        const unsigned *range;
    } units[] = {
        {12, row->pages}, {15, row->neighbourhoods}, {21, row->directories}, {6, row->lines}};
    assert_string_equal(array_of(w, inst->va[__builtin_ctzll(inst->mask)])->name, row->array);
    for (size_t i = 0; i < COUNT(units); i++) {
        assert_in_range(distinct(inst, units[i].shift), units[i].range[0], units[i].range[1]);
    }
    row->seen++;
}

static void test_pages_per_instruction(void **state) {
    (void)state;
    /* Polybench: index 0 is the prologue, then (matrix, vector, accumulator) each iteration. NW: 0
     * the corner, 1-16 reference rows, 17 the west column, 18 the north row, 19-34 stores. CORR,
     * four iterations: 0 the diagonal, 1 a pair's 0, 2-13 the sum, 14 the pair, 15 its mirror. */
    static const spread table[] = {
        {"mvt", 64, 0, 1, 1, "a", {64, 64}, {64, 64}, {1, 1}, {64, 64}, 0, false},
        {"mvt", 64, 0, 2, 2, "y1", {1, 1}, {1, 1}, {1, 1}, {1, 1}, 0, false},
        {"mvt", 64, 0, 3, 3, "x1", {1, 1}, {1, 1}, {1, 1}, {8, 8}, 0, false},
        {"mvt", 64, 1, 1, 1, "a", {1, 1}, {1, 1}, {1, 1}, {8, 8}, 0, false},
        {"mvt_f32", 64, 0, 1, 1, "a", {64, 64}, {32, 32}, {1, 1}, {64, 64}, 0, false},
        {"mvt_f32", 64, 1, 1, 1, "a", {1, 1}, {1, 1}, {1, 1}, {4, 4}, 0, false},
        {"atax", 64, 0, 1, 1, "A", {64, 64}, {32, 32}, {1, 1}, {64, 64}, 0, false},
        {"atax", 32, 0, 1, 1, "A", {32, 32}, {16, 16}, {1, 1}, {32, 32}, 0, false},
        {"atax", 64, 1, 1, 1, "A", {1, 1}, {1, 1}, {1, 1}, {4, 4}, 0, false},
        {"bicg", 64, 0, 1, 1, "A", {64, 64}, {32, 32}, {1, 1}, {64, 64}, 0, false},
        {"bicg_square", 64, 0, 1, 1, "A", {64, 64}, {32, 32}, {1, 1}, {64, 64}, 0, false},
        {"gesummv", 64, 0, 0, 0, "A", {64, 64}, {32, 32}, {1, 1}, {64, 64}, 0, false},
        {"gesummv", 64, 0, 4, 4, "B", {64, 64}, {32, 32}, {1, 1}, {64, 64}, 0, false},
        {"nw", 64, 425, 0, 0, "input_itemsets", {1, 1}, {1, 1}, {1, 1}, {1, 1}, 0, false},
        {"nw", 64, 425, 1, 16, "reference", {1, 2}, {1, 2}, {1, 2}, {1, 2}, 0, false},
        {"nw", 64, 425, 17, 17, "input_itemsets", {16, 16}, {13, 14}, {1, 2}, {16, 16}, 0, false},
        {"nw", 64, 425, 19, 34, "input_itemsets", {1, 2}, {1, 2}, {1, 2}, {1, 2}, 0, false},
        {"backprop", 64, 0, 1, 1, "w", {1, 2}, {1, 2}, {1, 2}, {5, 6}, 0, false},
        {"gesummv", 32, 0, 4, 4, "B", {32, 32}, {16, 16}, {1, 1}, {32, 32}, 0, false},
        {"bicg", 32, 0, 1, 1, "A", {32, 32}, {16, 16}, {1, 1}, {32, 32}, 0, false},
        {"2dconv", 64, 0, 0, 8, "A", {2, 2}, {1, 2}, {1, 1}, {4, 6}, 0, true},
        {"2dconv", 64, 0, 9, 9, "B", {2, 2}, {1, 1}, {1, 1}, {4, 4}, 0, true},
        {"srad", 64, 1, 0, 0, "J", {4, 4}, {1, 2}, {1, 1}, {4, 8}, 0, true},
        {"corr", 64, 3, 1, 1, "symmat", {64, 64}, {16, 17}, {1, 2}, {64, 64}, 0, true},
        {"corr", 64, 3, 14, 15, "symmat", {64, 64}, {16, 17}, {1, 2}, {64, 64}, 0, true},
        {"covar", 64, 2, 0, 0, "symmat", {64, 64}, {16, 17}, {1, 2}, {64, 64}, 0, true},
        {"gramschm", 64, 1, 0, 0, "a", {64, 64}, {16, 16}, {1, 1}, {64, 64}, 0, true},
        {"gramschm", 64, 1, 2, 2, "q", {64, 64}, {16, 16}, {1, 1}, {64, 64}, 0, true},
    };
    for (size_t i = 0; i < COUNT(table); i++) {
        spread row = table[i];
        const lw_workload_params params = {.lanes = row.lanes, .max_iters = 4};
        lw_workload *w = open_kernel(row.kernel, params);
        run(w, row.launch + 1, row.launch > 3 ? 430 : 16, check_spread, &row);
        assert_true(row.seen > 0);
        lw_workload_close(w);
    }
}

static void test_hotspot_tile(void **state) {
    (void)state;
    /* An inner tile's rows 4 to 7, with 4 and then (of 5 time steps) 1 left: the write-back shrinks
     * by a cell on each side and the stencil takes 20 cycles, for each step. */
    static const struct {
        int stored;
        uint16_t alu;
    } rows[] = {{4 * 8, 80}, {4 * 14, 20}};
    lw_workload *w = open_kernel("hotspot", (lw_workload_params){.max_iters = 5});
    lw_launch launch;
    lw_wave_inst inst;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_int_equal(lw_workload_next_launch(w, &launch, NULL), 1);
        assert_int_equal(launch.groups, 128 * 128);
        assert_int_equal(launch.waves_in_group, 4);
        lw_wave *wave = lw_workload_wave_begin(w, 128 + 1, 1);
        assert_int_equal(lw_workload_wave_next(w, wave, &inst), 1);
        assert_true(inst.mask == UINT64_MAX);
        assert_int_equal(distinct(&inst, 12), 4);
        assert_in_range(distinct(&inst, 15), 1, 2);
        assert_in_range(distinct(&inst, 6), 4, 8);
        assert_int_equal(lw_workload_wave_next(w, wave, &inst), 1);
        assert_int_equal(lw_workload_wave_next(w, wave, &inst), 1);
        assert_int_equal(inst.access, LW_WRITE);
        assert_int_equal(__builtin_popcountll(inst.mask), rows[i].stored);
        assert_int_equal(inst.alu, rows[i].alu);
        lw_workload_wave_end(w, wave);
    }
    assert_int_equal(lw_workload_next_launch(w, &launch, NULL), 0);
    lw_workload_close(w);
}

typedef struct page_map {
    uint64_t first;
    uint8_t *touched;
} page_map;

static void mark_pages(void *context, lw_workload *w, const lw_wave_inst *inst, unsigned launch,
                       unsigned index) {
    (void)w, (void)launch, (void)index;
    page_map *map = context;
    for (uint64_t left = inst->mask; left != 0; left &= left - 1) {
        map->touched[(inst->va[__builtin_ctzll(left)] >> PAGE_SHIFT) - map->first] = 1;
    }
}

static void test_touched_pages_are_the_arrays_pages(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint64_t size;
        uint64_t untouched[2]; /* first page and count, after the first array's base */
        uint64_t tail;         /* untouched pages at the end */
    } rows[] = {
        {"mvt", 300, {0, 0}, 0},
        {"mvt_f32", 300, {0, 0}, 0},
        {"atax", 300, {0, 0}, 0},
        {"bicg", 200, {0, 0}, 0},
        {"bicg_square", 200, {0, 0}, 0},
        {"gesummv", 200, {0, 0}, 0},
        {"backprop", 640, {0, 0}, 0},
        {"hotspot", 100, {0, 0}, 0},
        {"corr", 100, {0, 0}, 0},
        {"covar", 100, {0, 0}, 0},
        {"gramschm", 100, {0, 0}, 0},
        {"2dconv", 100, {0, 0}, 0},
        {"lud", 64, {0, 0}, 0},
        {"srad", 64, {0, 0}, 0},
        {"bfs", 20000, {0, 0}, 0},
        {"sssp", 2000, {0, 0}, 0},
        {"color", 20000, {0, 0}, 0},
        {"syrk", 100, {0, 0}, 0},
        {"lu", 100, {0, 0}, 0},
        {"pathfinder", 5000, {0, 0}, 0},
        {"graphbig_bfs", 20000, {0, 0}, 0},
        {"graphbig_sp", 20000, {0, 0}, 0},
        {"graphbig_bc", 20000, {0, 0}, 0},
        {"graphbig_cc", 20000, {0, 0}, 0},
        /* N=1024, a page a row: the first and the last row of B are no inside. */
        {"2dconv", 1024, {1024, 1}, 1},
        /* N=2048, pitch 8196: reference's row 0 fills its first two pages and is never read, and
         * output_itemsets (2049 * 8196 bytes, 4101 pages) is never touched (section 4). */
        {"nw", 2048, {0, 2}, 4101},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_workload *w = open_kernel(rows[i].name, (lw_workload_params){.size = rows[i].size});
        page_map map = {0};
        const uint64_t pages = (words_of(w, &map.first) + 1023) / 1024;
        map.first >>= PAGE_SHIFT;
        map.touched = calloc(pages, 1);
        assert_non_null(map.touched);
        run(w, 0, 0, mark_pages, &map);
        for (uint64_t p = 0; p < pages - rows[i].tail; p++) {
            const bool hole = p - rows[i].untouched[0] < rows[i].untouched[1];
            assert_int_equal(map.touched[p], hole ? 0 : 1);
        }
        for (uint64_t p = pages - rows[i].tail; p < pages; p++) {
            assert_int_equal(map.touched[p], 0);
        }
        free(map.touched);
        lw_workload_close(w);
    }
}

/* The groups of a launch by the document (docs/workloads.md sections 3 to 5), of sizes that a group
 * divides, and of one more. */
static void test_groups_of_a_launch(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint64_t size;
        unsigned launch; /* from 0 */
        uint32_t groups, waves;
    } rows[] = {
        {"mvt", 512, 1, 2, 4},
        {"mvt", 513, 1, 3, 4},
        {"atax", 512, 0, 2, 4},
        {"atax", 513, 0, 3, 4},
        {"bicg", 512, 0, 4, 4}, /* 2N items */
        {"bicg", 513, 0, 5, 4},
        {"bicg", 512, 1, 2, 4},
        {"gesummv", 512, 0, 2, 4},
        {"gesummv", 513, 0, 3, 4},
        {"2dconv", 64, 0, 2 * 8, 4}, /* of 32 x 8 items */
        {"2dconv", 65, 0, 3 * 9, 4},
        {"syrk", 64, 0, 2 * 8, 4},
        {"syrk", 65, 0, 3 * 9, 4},
        {"lu", 512, 0, 2, 4}, /* N - 1 items, then as many rows of them */
        {"lu", 514, 0, 3, 4},
        {"lu", 64, 1, 2 * 8, 4},
        {"lu", 66, 1, 3 * 9, 4},
        {"corr", 512, 0, 2, 4},
        {"corr", 513, 1, 3, 4},
        {"corr", 64, 2, 2 * 8, 4},
        {"corr", 65, 2, 3 * 9, 4},
        {"corr", 512, 3, 2, 4},
        {"corr", 513, 3, 3, 4},
        {"covar", 65, 1, 3 * 9, 4},
        {"covar", 513, 2, 3, 4},
        {"nw", 64, 0, 1, 1},
        {"nw", 64, 3, 4, 1},
        {"nw", 64, 6, 1, 1},
        {"backprop", 64, 0, 4, 4},
        {"backprop", 64, 1, 4, 4},
        {"hotspot", 64, 0, 8 * 8, 4}, /* tiles of 16 without a halo of 4 on each side */
        {"hotspot", 65, 0, 9 * 9, 4},
        {"srad", 64, 0, 4 * 4, 4},
        {"pathfinder", 432, 0, 2, 4}, /* 256 columns without 20 on each side */
        {"pathfinder", 433, 0, 3, 4},
        {"bfs", 512, 0, 2, 4},
        {"bfs", 513, 0, 3, 4},
        {"graphbig_bfs", 2048, 0, 2, 16},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_launch launch = {0};
        lw_workload *w = open_kernel(rows[i].name, (lw_workload_params){.size = rows[i].size});
        for (unsigned n = 0; n <= rows[i].launch; n++) {
            assert_int_equal(lw_workload_next_launch(w, &launch, NULL), 1);
        }
        if (launch.groups != rows[i].groups || launch.waves_in_group != rows[i].waves) {
            fail_msg("%s of %u, launch %u: %u groups of %u waves", rows[i].name,
                     (unsigned)rows[i].size, rows[i].launch, launch.groups, launch.waves_in_group);
        }
        lw_workload_close(w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_footprints),
        cmocka_unit_test(test_pages_per_instruction),
        cmocka_unit_test(test_hotspot_tile),
        cmocka_unit_test(test_touched_pages_are_the_arrays_pages),
        cmocka_unit_test(test_groups_of_a_launch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
