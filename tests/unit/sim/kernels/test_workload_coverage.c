/* The named kernels: every element as often as docs/workloads.md (sections 3, 4 and 12) says, NW's
 * order, guards, dependence, and what is refused. */
#include "sim/kernels/kernel_list.h"
#include "tests/unit/sim/kernels/workload_walk.h"

#include <string.h>

static void test_matrices_are_read_once_per_walk(void **state) {
    (void)state;
    static const struct {
        const char *name;
        unsigned matrices, step, launches; /* words between the counted elements */
    } rows[] = {{"mvt", 1, 2, 2},  {"mvt_f32", 1, 1, 2}, {"bicg_square", 1, 1, 2},
                {"atax", 1, 1, 2}, {"bicg", 1, 1, 2},    {"gesummv", 2, 1, 1}};
    static const uint64_t sizes[] = {64, 100, 300};
    for (size_t i = 0; i < COUNT(rows) * COUNT(sizes) * 2; i++) {
        const size_t kind = i / 2 % COUNT(rows);
        census c = {.only_launch = UINT32_MAX, .access = LW_READ};
        unsigned launches = 0;
        const lw_workload_params params = {.size = sizes[i / 2 / COUNT(rows)],
                                           .lanes = i % 2 == 0 ? 64 : 32};
        lw_workload *w = take_census(rows[kind].name, params, &c, &launches);
        assert_int_equal(launches, rows[kind].launches);
        const lw_array *arrays = lw_workload_arrays(w, &(size_t){0}, NULL);
        for (unsigned m = 0; m < rows[kind].matrices; m++) {
            const uint64_t at = (arrays[m].base - c.first_va) / 4;
            for (uint64_t word = 0; word < arrays[m].bytes / 4; word += rows[kind].step) {
                assert_int_equal(c.words[at + word], rows[kind].launches);
            }
        }
        free(c.words);
        lw_workload_close(w);
    }
}

/* A rectangle of an array (in words) whose elements are each accessed exactly once. */
static void test_each_cell_once(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint64_t size, max_iters;
        unsigned launches;
        unsigned launch; /* UINT32_MAX: all together */
        lw_access_kind access;
        unsigned array;
        uint64_t pitch, first_row, rows, first_column, columns;
    } rows[] = {
        /* NW blocks cover 1..N x 1..N in 2 N/16 - 1 launches. */
        {"nw", 16, 0, 1, UINT32_MAX, LW_WRITE, 1, 17, 1, 16, 1, 16},
        {"nw", 80, 0, 9, UINT32_MAX, LW_WRITE, 1, 81, 1, 80, 1, 80},
        {"nw", 80, 0, 9, UINT32_MAX, LW_READ, 0, 81, 1, 80, 1, 80},
        /* Hotspot tiles its grid once a launch, source and destination swapped. */
        {"hotspot", 50, 0, 2, 0, LW_WRITE, 1, 50, 0, 50, 0, 50},
        {"hotspot", 50, 0, 2, 1, LW_WRITE, 0, 50, 0, 50, 0, 50},
        {"hotspot", 64, 1, 1, 0, LW_WRITE, 1, 64, 0, 64, 0, 64},
        {"hotspot", 64, 2, 1, 0, LW_WRITE, 1, 64, 0, 64, 0, 64},
        {"hotspot", 64, 5, 2, 1, LW_WRITE, 0, 64, 0, 64, 0, 64},
        /* Backprop: unit y, hidden tx own weight [y + 1][tx + 1]; the bias row at the end. */
        {"backprop", 160, 0, 2, 0, LW_WRITE, 1, 17, 1, 160, 1, 16},
        {"backprop", 160, 0, 2, 0, LW_WRITE, 3, 160, 0, 1, 0, 160},
        {"backprop", 160, 0, 2, 0, LW_READ, 0, 161, 0, 1, 1, 160},
        {"backprop", 160, 0, 2, 1, LW_WRITE, 1, 17, 0, 161, 1, 16},
        {"backprop", 160, 0, 2, 1, LW_WRITE, 2, 17, 0, 161, 1, 16},
        {"2dconv", 50, 0, 1, 0, LW_WRITE, 1, 50, 1, 48, 1, 48},
        {"2dconv", 2, 0, 1, 0, LW_WRITE, 1, 2, 0, 0, 0, 0},
        {"srad", 48, 0, 4, 0, LW_WRITE, 1, 48, 0, 48, 0, 48},
        {"srad", 48, 1, 2, 0, LW_WRITE, 5, 48, 0, 48, 0, 48},
        {"srad", 48, 0, 4, 3, LW_WRITE, 0, 48, 0, 48, 0, 48},
        {"lud", 16, 0, 1, 0, LW_READ, 0, 16, 0, 16, 0, 16},
        {"lud", 16, 0, 1, 0, LW_WRITE, 0, 16, 1, 15, 0, 16},
        {"gramschm", 50, 0, 149, UINT32_MAX, LW_WRITE, 1, 50, 0, 50, 0, 50},
        /* LU's first step: row 0 right of the pivot, then all right of and below it. */
        {"lu", 50, 0, 98, 0, LW_WRITE, 0, 50, 0, 1, 1, 49},
        {"lu", 50, 0, 98, 1, LW_WRITE, 0, 50, 1, 49, 1, 49},
        /* Pathfinder's groups overlap where they read and tile where they write; 255 rows of wall
         * are 12 launches of 20 and one of 15. */
        {"pathfinder", 1000, 0, 13, 0, LW_WRITE, 2, 1000, 0, 1, 0, 1000},
        {"pathfinder", 1000, 0, 13, 1, LW_WRITE, 1, 1000, 0, 1, 0, 1000},
        {"pathfinder", 1000, 0, 13, 12, LW_WRITE, 2, 1000, 0, 1, 0, 1000},
    };
    for (size_t i = 0; i < COUNT(rows) * 2; i++) {
        const size_t k = i / 2;
        census c = {.only_launch = rows[k].launch, .access = rows[k].access};
        unsigned launches = 0;
        const lw_workload_params params = {
            .size = rows[k].size, .max_iters = rows[k].max_iters, .lanes = i % 2 == 0 ? 64 : 32};
        lw_workload *w = take_census(rows[k].name, params, &c, &launches);
        assert_int_equal(launches, rows[k].launches);
        size_t count = 0;
        const lw_array *array = lw_workload_arrays(w, &count, NULL) + rows[k].array;
        const uint8_t *words = c.words + (array->base - c.first_va) / 4;
        for (uint64_t word = 0; word < array->bytes / 4; word++) {
            const bool inside = word / rows[k].pitch - rows[k].first_row < rows[k].rows &&
                                word % rows[k].pitch - rows[k].first_column < rows[k].columns;
            assert_int_equal(words[word], inside ? 1 : 0);
        }
        free(c.words);
        lw_workload_close(w);
    }
}

typedef struct block_order {
    uint64_t pitch;
    unsigned stored_in[16 * 16]; /* launch + 1; 0: not yet */
} block_order;

static void check_order(void *context, lw_workload *w, const lw_wave_inst *inst, unsigned launch,
                        unsigned index) {
    block_order *o = context;
    if (index != 19) { /* the block's first store, of cell (1, 1) */
        return;
    }
    assert_int_equal(inst->access, LW_WRITE);
    const uint64_t word = (inst->va[0] - array_of(w, inst->va[0])->base) / 4;
    const uint64_t x = word % o->pitch / 16;
    const uint64_t y = word / o->pitch / 16;
    o->stored_in[y * 16 + x] = launch + 1;
    const unsigned west = x > 0 ? o->stored_in[y * 16 + x - 1] : launch;
    const unsigned north = y > 0 ? o->stored_in[(y - 1) * 16 + x] : launch;
    assert_true(west == launch && north == launch); /* the diagonal just before, that is */
}

static void test_nw_blocks_follow_their_neighbours(void **state) {
    (void)state;
    const uint64_t n = 144; /* 9 blocks in each direction */
    block_order order = {.pitch = n + 1};
    lw_workload *w = open_kernel("nw", (lw_workload_params){.size = n});
    assert_int_equal(run(w, 0, 0, check_order, &order), 17);
    lw_workload_close(w);
}

static void test_guard(void **state) {
    (void)state;
    /* 100 items in a group of 256: waves of 64, 36, and two without a lane. */
    lw_workload *w = open_kernel("atax", (lw_workload_params){.size = 100});
    lw_launch launch;
    assert_int_equal(lw_workload_next_launch(w, &launch, NULL), 1);
    assert_string_equal(launch.name, "atax_k1");
    assert_int_equal(launch.groups, 1);
    assert_int_equal(launch.waves_in_group, 4);
    static const uint64_t masks[] = {UINT64_MAX, 0xfffffffff, 0, 0};
    for (uint32_t v = 0; v < COUNT(masks); v++) {
        lw_wave *wave = lw_workload_wave_begin(w, 0, v);
        lw_wave_inst inst = {.mask = 0};
        assert_int_equal(lw_workload_wave_next(w, wave, &inst), masks[v] != 0 ? 1 : 0);
        assert_true(inst.mask == masks[v]);
        lw_workload_wave_end(w, wave);
    }
    assert_null(lw_workload_wave_begin(w, 1, 0));
    assert_null(lw_workload_wave_begin(w, 0, 4));
    lw_workload_close(w);
}

/* The instructions of a wave of the first group, one letter each: r, w, and upper case where dep is
 * set. It is the second wave, where the group has one. */
static void test_order_and_dependence(void **state) {
    (void)state;
    static const struct {
        const char *name;
        bool src;
        uint64_t max_iters;
        const char *letters;
        unsigned launch;
        bool first_wave;
    } rows[] = {
        {"mvt", false, 3, "rrrWrrWrrW", 0, false},
        {"mvt", true, 2, "rrrWrrrW", 0, false},
        {"bicg", false, 2, "wrrWrrW", 0, false},
        {"bicg", true, 1, "wrrrW", 0, false},
        {"gesummv", false, 2, "rrrWrrrWrrrWrrrWrrW", 0, false},
        {"nw", false, 0, "rrrrrrrrrrrrrrrrrrrWwwwwwwwwwwwwwww", 0, false},
        {"hotspot", false, 0, "rrW", 0, false},
        {"backprop", false, 0, "rRWw", 0, false},
        /* The weights, and once more what has been stored to since; of LUD the block, and the
         * strips of both halves, whose first store waits for all. */
        {"backprop", false, 0, "rrrrWrrrW", 1, false},
        {"backprop", false, 0, "rrrrWrrrWRrrWw", 1, true}, /* and its hidden units' biases */
        {"lud", false, 0, "rrrrrrrrrrrrrrrrWwwwwwwwwwwwwww", 0, false},
        {"lud", false, 0,
         "rrrrrrrrrrrrrrrrrrrrrrrr"
         "rrrrrrrrrrrrrrrrrrrrrrrr"
         "Wwwwwwwwwwwwwwwwwwwwwwwwwwwwwww",
         1, false},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_workload *w =
            open_kernel(rows[i].name, (lw_workload_params){.accumulate_in_memory = rows[i].src,
                                                           .max_iters = rows[i].max_iters});
        lw_launch launch;
        lw_wave_inst inst;
        char letters[128] = "";
        for (unsigned l = 0; l <= rows[i].launch; l++) {
            assert_int_equal(lw_workload_next_launch(w, &launch, NULL), 1);
        }
        lw_wave *wave =
            lw_workload_wave_begin(w, 0, launch.waves_in_group > 1 && !rows[i].first_wave);
        for (size_t n = 0; lw_workload_wave_next(w, wave, &inst) == 1; n++) {
            assert_true(n + 1 < sizeof letters);
            letters[n] = (inst.access == LW_READ ? "rR" : "wW")[inst.dep ? 1 : 0];
            assert_true(inst.alu <= 700);
        }
        assert_string_equal(letters, rows[i].letters);
        lw_workload_close(w);
    }
}

static void test_list_and_refusals(void **state) {
    (void)state;
    static const struct {
        const char *name;
        lw_workload_params params;
        const char *expected; /* a part of the sentence */
    } rows[] = {
        {"mvx", {0}, "'mvx' is not known: mvt, mvt_f32, atax, bicg, bicg_square, gesummv"},
        {"nw", {.size = 100}, "size 100 is not allowed for nw: a multiple of 16"},
        {"mvt", {.size = UINT64_MAX}, "is not allowed for mvt"},
        {"mvt", {.size = 1 << 22}, "past the 47-bit user address space"},
        {"mvt", {.lanes = 48}, "lanes 48 is not allowed"},
        {"mvt", {.base_va = 0x1234}, "base_va 0x1234 is not allowed"},
        {"mvt", {.base_va = UINT64_C(1) << 47}, "base_va 0x800000000000 is not allowed"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_error err = {0};
        assert_null(lw_workload_open(rows[i].name, &rows[i].params, &err));
        assert_non_null(strstr(err.text, rows[i].expected));
    }
    size_t n = 0;
    for (; lw_workload_at(n) != NULL; n++) {
        const lw_workload_info *info = lw_workload_at(n);
        assert_int_equal(info->default_size % info->size_multiple, 0);
        assert_non_null(info->summary);
        lw_workload *w = open_kernel(info->name, (lw_workload_params){.base_va = 0x10000});
        assert_int_equal(lw_workload_arrays(w, &(size_t){0}, NULL)->base, 0x10000);
        lw_workload_close(w);
    }
    assert_int_equal(n, 26);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_matrices_are_read_once_per_walk),
        cmocka_unit_test(test_each_cell_once),
        cmocka_unit_test(test_nw_blocks_follow_their_neighbours),
        cmocka_unit_test(test_guard),
        cmocka_unit_test(test_order_and_dependence),
        cmocka_unit_test(test_list_and_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
