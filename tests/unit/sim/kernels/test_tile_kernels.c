/* The tile walks of MESC's and FS-HPT's kernels (docs/workloads.md sections 3 and 4): waves
 * instruction by instruction, and how often each cell is accessed. */
#include "tests/unit/sim/kernels/workload_walk.h"

#include <stdio.h>
#include <string.h>

static unsigned pages_of(const lw_wave_inst *inst) {
    uint64_t seen[LW_MAX_LANES];
    unsigned n = 0;
    for (uint64_t left = inst->mask; left != 0; left &= left - 1) {
        const uint64_t page = inst->va[__builtin_ctzll(left)] >> 12;
        unsigned i = 0;
        while (i < n && seen[i] != page) {
            i++;
        }
        n += i == n ? 1 : 0;
        seen[i] = page;
    }
    return n;
}

/* An instruction a word: r or w, upper case where dep is set, the array, and its pages. */
static void test_instructions_of_a_wave(void **state) {
    (void)state;
    static const struct {
        const char *name;
        lw_workload_params params;
        unsigned launch;
        uint32_t group, wave;
        const char *words;
    } rows[] = {
        /* The paper's size: section 2's table. */
        {"2dconv",
         {0},
         0,
         3 * 128 + 5,
         1,
         "r:A:2 r:A:2 r:A:2 r:A:2 r:A:2 r:A:2 r:A:2 r:A:2 r:A:2 W:B:2 "},
        {"2dconv",
         {.lanes = 32},
         0,
         3 * 128 + 5,
         1,
         "r:A:1 r:A:1 r:A:1 r:A:1 r:A:1 r:A:1 r:A:1 r:A:1 r:A:1 W:B:1 "},
        {"srad",
         {0},
         0,
         3 * 128 + 5,
         1,
         "r:J:1 r:J:1 R:J:4 r:J:4 R:J:4 W:C:4 w:E:4 w:W:4 w:S:4 w:N:4 "},
        {"srad",
         {0},
         0,
         0,
         0,
         "r:J:1 r:J:1 r:J:1 R:J:4 r:J:4 r:J:4 R:J:4 W:C:4 w:E:4 w:W:4 w:S:4 w:N:4 "},
        {"srad",
         {0},
         0,
         128 * 128 - 1,
         3,
         "r:J:1 r:J:1 r:J:1 R:J:4 r:J:4 r:J:4 R:J:4 W:C:4 w:E:4 w:W:4 w:S:4 w:N:4 "},
        {"srad", {0}, 1, 3 * 128 + 5, 1, "r:J:4 R:C:1 R:C:4 R:C:4 R:N:4 r:S:4 r:W:4 r:E:4 W:J:4 "},
        {"srad",
         {.lanes = 32},
         1,
         128 * 128 - 1,
         1,
         "r:J:2 R:C:1 r:C:1 R:C:2 r:C:2 R:C:2 R:N:2 r:S:2 r:W:2 r:E:2 W:J:2 "},
        {"lud", {0}, 2, 33, 1, "r:m:2 r:m:2 R:m:2 W:m:2 "},
        /* A row of C for 32 lanes; of A the row of them all, and one of each. */
        {"syrk",
         {.lanes = 32, .max_iters = 2},
         0,
         128 * 7 + 3,
         5,
         "r:C:1 W:C:1 r:A:1 r:A:32 W:C:1 r:A:1 r:A:32 W:C:1 "},
        {"syrk",
         {.max_iters = 1, .accumulate_in_memory = true},
         0,
         128 * 7 + 3,
         2,
         "r:C:2 W:C:2 r:C:2 r:A:2 r:A:32 W:C:2 "},
        {"lu", {0}, 0, 3, 1, "r:A:1 r:A:1 W:A:1 "},
        {"lu", {.lanes = 32}, 1, 64 * 9 + 5, 2, "r:A:1 r:A:1 r:A:1 W:A:1 "},
        {"lu", {0}, 1, 64 * 9 + 5, 2, "r:A:2 r:A:2 r:A:1 W:A:2 "},
        {"pathfinder", {.max_iters = 2}, 1, 7, 1, "r:result1:1 R:wall:1 R:wall:1 W:result0:1 "},
        {"corr", {.max_iters = 1}, 0, 0, 1, "w:mean:1 r:data:1 W:mean:1 r:mean:1 W:mean:1 "},
        {"corr", {.max_iters = 1}, 1, 0, 1, "w:std:1 r:data:1 r:mean:1 W:std:1 r:std:1 W:std:1 "},
        {"corr",
         {.max_iters = 1, .accumulate_in_memory = true},
         1,
         0,
         1,
         "w:std:1 r:std:1 r:data:1 r:mean:1 r:data:1 r:mean:1 W:std:1 r:std:1 W:std:1 "},
        {"corr",
         {.max_iters = 1},
         2,
         70,
         1,
         "r:data:2 r:mean:1 W:data:2 r:data:2 r:std:1 W:data:2 "},
        {"covar", {.max_iters = 1}, 1, 70, 1, "r:data:2 r:mean:1 W:data:2 "},
        {"gramschm", {.max_iters = 3}, 0, 0, 0, "R:a:1 R:a:1 R:a:1 W:r:1 "},
        {"gramschm",
         {.max_iters = 2, .accumulate_in_memory = true},
         0,
         0,
         0,
         "R:a:1 r:a:1 R:a:1 r:a:1 W:r:1 "},
        {"gramschm", {0}, 1, 7, 3, "r:a:64 r:r:1 W:q:64 "},
        {"gramschm", {.lanes = 32}, 1, 7, 3, "r:a:32 r:r:1 W:q:32 "},
        {"gramschm",
         {.max_iters = 2},
         2,
         0,
         1,
         "w:r:1 r:q:1 r:a:1 W:r:1 r:q:1 r:a:1 W:r:1 "
         "r:q:1 r:r:1 r:a:1 W:a:1 r:q:1 r:r:1 r:a:1 W:a:1 "},
        /* The last three items of 67 have 3, 2 and 1 pairs. A page has 15 rows of 268 bytes. */
        {"covar",
         {.size = 67, .max_iters = 3},
         2,
         0,
         1,
         "w:symmat:1 r:data:1 r:data:1 W:symmat:1 r:data:1 r:data:1 W:symmat:1 "
         "r:data:1 r:data:1 W:symmat:1 r:symmat:1 W:symmat:1 "
         "w:symmat:1 r:data:1 r:data:1 W:symmat:1 r:data:1 r:data:1 W:symmat:1 "
         "r:data:1 r:data:1 W:symmat:1 r:symmat:1 W:symmat:1 "
         "w:symmat:1 r:data:1 r:data:1 W:symmat:1 r:data:1 r:data:1 W:symmat:1 "
         "r:data:1 r:data:1 W:symmat:1 r:symmat:1 W:symmat:1 "},
        {"corr",
         {.size = 66, .max_iters = 2, .accumulate_in_memory = true},
         3,
         0,
         1,
         "w:symmat:1 w:symmat:1 r:symmat:1 r:data:1 r:data:1 W:symmat:1 "
         "r:symmat:1 r:data:1 r:data:1 W:symmat:1 r:symmat:1 W:symmat:1 "},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        char words[1024] = "";
        size_t used = 0;
        lw_launch launch;
        lw_wave_inst inst;
        lw_workload *w = open_kernel(rows[i].name, rows[i].params);
        for (unsigned l = 0; l <= rows[i].launch; l++) {
            assert_int_equal(lw_workload_next_launch(w, &launch, NULL), 1);
        }
        lw_wave *wave = lw_workload_wave_begin(w, rows[i].group, rows[i].wave);
        assert_non_null(wave);
        while (lw_workload_wave_next(w, wave, &inst) == 1) {
            assert_true(used + 40 < sizeof words);
            used += (size_t)snprintf(words + used, sizeof words - used, "%c:%s:%u ",
                                     (inst.access == LW_READ ? "rR" : "wW")[inst.dep ? 1 : 0],
                                     array_of(w, inst.va[__builtin_ctzll(inst.mask)])->name,
                                     pages_of(&inst));
        }
        assert_string_equal(words, rows[i].words);
        lw_workload_wave_end(w, wave);
        lw_workload_close(w);
    }
}

typedef struct divergence {
    uint64_t full, seen;
} divergence;

static void check_divergence(void *context, lw_workload *w, const lw_wave_inst *inst,
                             unsigned launch, unsigned index) {
    (void)index;
    divergence *d = context;
    const lw_array *array = array_of(w, inst->va[__builtin_ctzll(inst->mask)]);
    if (launch == 2 && strcmp(array->name, "symmat") == 0) {
        const unsigned lanes = (unsigned)__builtin_popcountll(inst->mask);
        assert_int_equal(pages_of(inst), lanes);
        d->full += lanes == 64 ? 1 : 0;
        d->seen++;
    }
}

static void test_symmat_diverges_over_a_page_a_lane(void **state) {
    (void)state;
    divergence d = {0, 0};
    lw_workload *w = open_kernel("covar", (lw_workload_params){.max_iters = 2});
    run(w, 3, 1, check_divergence, &d);
    /* Waves 0 to 3, two trips each of zero, two sums, and the pair read and mirrored. */
    assert_int_equal(d.seen, 4 * 2 * (1 + 2 + 2));
    assert_int_equal(d.full, d.seen);
    lw_workload_close(w);
}

/* What the accesses to cell (row, column) of an N x N array should count. */
typedef unsigned cell_count(unsigned n, unsigned row, unsigned column);

static unsigned corr_symmat(unsigned n, unsigned row, unsigned column) {
    return row < column ? n + 1 : row == column ? row < n - 1 : 1;
}

static unsigned covar_symmat(unsigned n, unsigned row, unsigned column) {
    return row < column ? n + 1 : row == column ? n + 2 : 1;
}

static unsigned corr_data(unsigned n, unsigned row, unsigned column) {
    (void)row, (void)column;
    return n - 1;
}

static unsigned covar_data(unsigned n, unsigned row, unsigned column) {
    (void)row, (void)column;
    return n + 1;
}

static unsigned corr_symmat_loads(unsigned n, unsigned row, unsigned column) {
    (void)n;
    return row < column ? 1 : 0;
}

static unsigned twice(unsigned n, unsigned row, unsigned column) {
    (void)n, (void)row, (void)column;
    return 2;
}

static unsigned once(unsigned n, unsigned row, unsigned column) {
    (void)n, (void)row, (void)column;
    return 1;
}

static unsigned gramschm_a_loads(unsigned n, unsigned row, unsigned column) {
    (void)n, (void)row;
    return 2 + 2 * column;
}

static unsigned gramschm_a_stores(unsigned n, unsigned row, unsigned column) {
    (void)n, (void)row;
    return column;
}

static unsigned gramschm_q_loads(unsigned n, unsigned row, unsigned column) {
    (void)row;
    return 2 * (n - 1 - column);
}

static unsigned gramschm_r_stores(unsigned n, unsigned row, unsigned column) {
    return row < column ? n + 1 : row == column ? 1 : 0;
}

/* Once in each internal launch before its own block's, and then but for the block's first row
 * (diagonal and right strip: that row of the factor is the matrix's own). */
static unsigned lud_stores(unsigned n, unsigned row, unsigned column) {
    (void)n;
    const unsigned y = row / 16;
    const unsigned x = column / 16;
    return y <= x ? y + (row % 16 != 0 ? 1 : 0) : x + 1;
}

static unsigned conv_loads(unsigned n, unsigned row, unsigned column) {
    const unsigned edge[] = {row, column, n - 1 - row, n - 1 - column};
    unsigned across[2] = {3, 3};
    for (unsigned i = 0; i < 4; i++) {
        across[i % 2] -= edge[i] < 2 ? 2 - edge[i] : 0;
    }
    return across[0] * across[1];
}

/* Once as the row of its own item, and for each item of the column. */
static unsigned syrk_a_loads(unsigned n, unsigned row, unsigned column) {
    (void)row, (void)column;
    return 2 * n;
}

static unsigned syrk_c_stores(unsigned n, unsigned row, unsigned column) {
    (void)row, (void)column;
    return n + 1;
}

/* Divided once above the diagonal, and reduced in each step before that. */
static unsigned lu_stores(unsigned n, unsigned row, unsigned column) {
    (void)n;
    return row < column ? row + 1 : column;
}

static void test_cell_counts(void **state) {
    (void)state;
    static const struct {
        const char *name;
        unsigned n, launches, launch; /* UINT32_MAX: all together */
        lw_access_kind access;
        unsigned array;
        cell_count *expected;
    } rows[] = {
        {"corr", 100, 4, 0, LW_READ, 0, once},
        {"corr", 100, 4, 1, LW_READ, 0, once},
        {"corr", 100, 4, 2, LW_READ, 0, twice},
        {"corr", 100, 4, 2, LW_WRITE, 0, twice},
        {"corr", 100, 4, 3, LW_READ, 0, corr_data},
        {"corr", 100, 4, 3, LW_READ, 1, corr_symmat_loads},
        {"corr", 100, 4, 3, LW_WRITE, 1, corr_symmat},
        {"corr", 129, 4, 3, LW_WRITE, 1, corr_symmat},
        {"corr", 1, 4, 3, LW_WRITE, 1, corr_symmat},
        {"covar", 100, 3, 1, LW_WRITE, 0, once},
        {"covar", 100, 3, 2, LW_READ, 0, covar_data},
        {"covar", 100, 3, 2, LW_WRITE, 1, covar_symmat},
        {"covar", 1, 3, 2, LW_WRITE, 1, covar_symmat},
        {"gramschm", 70, 209, UINT32_MAX, LW_READ, 0, gramschm_a_loads},
        {"gramschm", 70, 209, UINT32_MAX, LW_WRITE, 0, gramschm_a_stores},
        {"gramschm", 70, 209, UINT32_MAX, LW_READ, 1, gramschm_q_loads},
        {"gramschm", 70, 209, UINT32_MAX, LW_WRITE, 2, gramschm_r_stores},
        {"gramschm", 1, 2, UINT32_MAX, LW_WRITE, 2, gramschm_r_stores},
        {"lud", 80, 13, UINT32_MAX, LW_WRITE, 0, lud_stores},
        {"2dconv", 70, 1, 0, LW_READ, 0, conv_loads},
        {"syrk", 70, 1, 0, LW_READ, 0, syrk_a_loads},
        {"syrk", 70, 1, 0, LW_READ, 1, once},
        {"syrk", 70, 1, 0, LW_WRITE, 1, syrk_c_stores},
        {"lu", 70, 138, UINT32_MAX, LW_WRITE, 0, lu_stores},
    };
    for (size_t i = 0; i < COUNT(rows) * 2; i++) {
        const size_t k = i / 2;
        const unsigned n = rows[k].n;
        census c = {.only_launch = rows[k].launch, .access = rows[k].access};
        unsigned launches = 0;
        lw_workload *w = take_census(rows[k].name,
                                     (lw_workload_params){.size = n, .lanes = i % 2 == 0 ? 64 : 32},
                                     &c, &launches);
        assert_int_equal(launches, rows[k].launches);
        const lw_array *array = lw_workload_arrays(w, &(size_t){0}, NULL) + rows[k].array;
        const uint8_t *words = c.words + (array->base - c.first_va) / 4;
        for (unsigned cell = 0; cell < n * n; cell++) {
            assert_int_equal(words[cell], rows[k].expected(n, cell / n, cell % n));
        }
        free(c.words);
        lw_workload_close(w);
    }
}

/* Row i of a launch of Pathfinder leaves i + 1 of a group's 256 columns out at both ends, whatever
 * wave they are in (docs/workloads.md section 4). */
static void test_rows_narrow(void **state) {
    (void)state;
    for (uint32_t lanes = 32; lanes <= 64; lanes += 32) {
        lw_launch launch;
        lw_wave_inst inst;
        unsigned loaded[20] = {0};
        lw_workload *w =
            open_kernel("pathfinder", (lw_workload_params){.size = 5000, .lanes = lanes});
        assert_int_equal(lw_workload_next_launch(w, &launch, NULL), 1);
        assert_int_equal(launch.groups, (5000 + 215) / 216);
        const uint64_t wall = lw_workload_arrays(w, &(size_t){0}, NULL)->base;
        for (uint32_t n = 0; n < launch.waves_in_group; n++) {
            lw_wave *wave = lw_workload_wave_begin(w, 3, n);
            while (lw_workload_wave_next(w, wave, &inst) == 1) {
                const uint64_t word = (inst.va[__builtin_ctzll(inst.mask)] - wall) / 4;
                if (word < UINT64_C(20) * 5000) {
                    loaded[word / 5000] += (unsigned)__builtin_popcountll(inst.mask);
                }
            }
            lw_workload_wave_end(w, wave);
        }
        for (unsigned i = 0; i < 20; i++) {
            assert_int_equal(loaded[i], 256 - 2 * (i + 1));
        }
        lw_workload_close(w);
    }
}

static void test_launches_shrink(void **state) {
    (void)state;
    /* LUD's triples of launches at N = 64: 1, left and left^2 groups. */
    static const uint32_t groups[] = {1, 3, 9, 1, 2, 4, 1, 1, 1, 1};
    lw_launch launch;
    lw_workload *w = open_kernel("lud", (lw_workload_params){.size = 64});
    for (size_t i = 0; i < COUNT(groups); i++) {
        assert_int_equal(lw_workload_next_launch(w, &launch, NULL), 1);
        assert_int_equal(launch.groups, groups[i]);
        assert_int_equal(launch.waves_in_group, i % 3 == 2 ? 4 : 1);
    }
    assert_int_equal(lw_workload_next_launch(w, &launch, NULL), 0);
    lw_workload_close(w);

    /* GRAMSCHM's third launches at N = 600 have a column less each time. */
    w = open_kernel("gramschm", (lw_workload_params){.size = 600});
    for (uint32_t k = 0; k < 600; k++) {
        for (unsigned i = 0; i < (k < 599 ? 3 : 2); i++) {
            const uint32_t expected[] = {1, 3, (599 - k + 255) / 256};
            assert_int_equal(lw_workload_next_launch(w, &launch, NULL), 1);
            assert_int_equal(launch.groups, expected[i]);
        }
    }
    assert_int_equal(lw_workload_next_launch(w, &launch, NULL), 0);
    lw_workload_close(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_instructions_of_a_wave),
        cmocka_unit_test(test_symmat_diverges_over_a_page_a_lane),
        cmocka_unit_test(test_cell_counts),
        cmocka_unit_test(test_launches_shrink),
        cmocka_unit_test(test_rows_narrow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
