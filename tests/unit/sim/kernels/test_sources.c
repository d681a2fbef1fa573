/* Polybench's kernels against their public sources (docs/workloads.md section 3), each written down
 * once more as plain loops. */
#include "tests/unit/sim/kernels/source_tally.h"

static uint64_t at(uint64_t n, uint64_t row, uint64_t column) {
    return row * n + column;
}

/* acc[g] += sum over j of m[..] v[j], the sum begun with a load of acc or a store of 0. */
static void dot(const unsigned m_acc_v[3], uint64_t items, uint64_t terms, uint64_t pitch,
                bool by_rows, bool zeroed) {
    for (uint64_t g = 0; g < items; g++) {
        item_in_row(g);
        if (zeroed) {
            wr(m_acc_v[1], g);
        } else if (!in_memory) {
            rd(m_acc_v[1], g);
        }
        for (uint64_t j = 0; j < cut(terms); j++) {
            src(m_acc_v[1], g);
            rd(m_acc_v[0], by_rows ? at(pitch, g, j) : at(pitch, j, g));
            rd(m_acc_v[2], j);
            wr(m_acc_v[1], g);
        }
    }
    launch++;
}

static void mvt(uint64_t n) {
    dot((const unsigned[]){0, 1, 3}, n, n, n, true, false);
    dot((const unsigned[]){0, 2, 4}, n, n, n, false, false);
}

static void atax(uint64_t n) {
    dot((const unsigned[]){0, 3, 1}, n, n, n, true, false);
    dot((const unsigned[]){0, 2, 3}, n, n, n, false, false);
}

static void bicg_of(uint64_t rows, uint64_t n) {
    dot((const unsigned[]){0, 4, 3}, rows, n, n, true, true);
    dot((const unsigned[]){0, 2, 1}, n, rows, n, false, true);
}

static void bicg(uint64_t n) {
    bicg_of(2 * n, n);
}

static void bicg_square(uint64_t n) {
    bicg_of(n, n);
}

static void gesummv(uint64_t n) {
    enum { A, B, X, Y, TMP };
    for (uint64_t i = 0; i < n; i++) {
        item_in_row(i);
        for (uint64_t j = 0; j < cut(n); j++) {
            rd(A, at(n, i, j)), rd(X, j), rd(TMP, i), wr(TMP, i);
            rd(B, at(n, i, j)), rd(X, j), rd(Y, i), wr(Y, i);
        }
        rd(TMP, i), rd(Y, i), wr(Y, i);
    }
    launch++;
}

/* Item (x, y) of a launch `side` items wide, in groups of 32 x 8. */
static void item_of_cell(uint64_t x, uint64_t y, uint64_t side) {
    item_at(x, y, (side + 31) / 32, 32, 8);
}

static void syrk(uint64_t n) {
    enum { A, C };
    for (uint64_t ij = 0; ij < n * n; ij++) {
        item_of_cell(ij % n, ij / n, n);
        rd(C, ij), wr(C, ij);
        for (uint64_t k = 0; k < cut(n); k++) {
            src(C, ij), rd(A, at(n, ij / n, k)), rd(A, at(n, ij % n, k)), wr(C, ij);
        }
    }
    launch++;
}

static void conv2d(uint64_t n) {
    for (uint64_t i = 1; i + 1 < n; i++) {
        for (uint64_t j = 1; j + 1 < n; j++) {
            item_of_cell(j, i, n);
            for (uint64_t cell = 0; cell < 9; cell++) {
                rd(0, at(n, i + cell / 3 - 1, j + cell % 3 - 1));
            }
            wr(1, at(n, i, j));
        }
    }
    launch++;
}

enum { DATA, SYMMAT, MEAN, STD };

/* v[j] over column j of data: its mean, or with the means there its deviation, whose expression
 * has the difference of the two twice. */
static void of_columns(uint64_t n, unsigned v) {
    for (uint64_t j = 0; j < n; j++) {
        item_in_row(j);
        wr(v, j);
        for (uint64_t i = 0; i < cut(n); i++) {
            src(v, j), rd(DATA, at(n, i, j));
            if (v == STD) {
                rd(MEAN, j), src(DATA, at(n, i, j)), src(MEAN, j);
            }
            wr(v, j);
        }
        rd(v, j), wr(v, j);
    }
    launch++;
}

static void centre(uint64_t n, bool scale) {
    for (uint64_t ij = 0; ij < n * n; ij++) {
        item_of_cell(ij % n, ij / n, n);
        rd(DATA, ij), rd(MEAN, ij % n), wr(DATA, ij);
        if (scale) {
            rd(DATA, ij), rd(STD, ij % n), wr(DATA, ij);
        }
    }
    launch++;
}

static void pairs(uint64_t n, uint64_t j1, uint64_t from) {
    for (uint64_t j2 = from; j2 < from + cut(n - from); j2++) {
        wr(SYMMAT, at(n, j1, j2));
        for (uint64_t i = 0; i < cut(n); i++) {
            src(SYMMAT, at(n, j1, j2));
            rd(DATA, at(n, i, j1)), rd(DATA, at(n, i, j2)), wr(SYMMAT, at(n, j1, j2));
        }
        rd(SYMMAT, at(n, j1, j2)), wr(SYMMAT, at(n, j2, j1));
    }
}

static void corr(uint64_t n) {
    of_columns(n, MEAN);
    of_columns(n, STD);
    centre(n, true);
    for (uint64_t j1 = 0; j1 + 1 < n; j1++) {
        item_in_row(j1);
        wr(SYMMAT, at(n, j1, j1));
        pairs(n, j1, j1 + 1);
    }
    launch++;
}

static void covar(uint64_t n) {
    of_columns(n, MEAN);
    centre(n, false);
    for (uint64_t j1 = 0; j1 < n; j1++) {
        item_in_row(j1);
        pairs(n, j1, j1);
    }
    launch++;
}

static void gramschm(uint64_t n) {
    enum { A, Q, R };
    for (uint64_t k = 0; k < n; k++) {
        item_in_row(0);
        for (uint64_t i = 0; i < cut(n); i++) {
            rd(A, at(n, i, k)), src(A, at(n, i, k));
        }
        wr(R, at(n, k, k));
        launch++;
        for (uint64_t i = 0; i < n; i++) {
            item_in_row(i);
            rd(A, at(n, i, k)), rd(R, at(n, k, k)), wr(Q, at(n, i, k));
        }
        launch++;
        for (uint64_t j = k + 1; j < n; j++) {
            item_in_row(j - k - 1);
            wr(R, at(n, k, j));
            for (uint64_t i = 0; i < cut(n); i++) {
                src(R, at(n, k, j)), rd(Q, at(n, i, k)), rd(A, at(n, i, j)), wr(R, at(n, k, j));
            }
            for (uint64_t i = 0; i < cut(n); i++) {
                rd(Q, at(n, i, k)), rd(R, at(n, k, j)), rd(A, at(n, i, j)), wr(A, at(n, i, j));
            }
        }
        launch += k + 1 < n;
    }
}

static void lu(uint64_t n) {
    for (uint64_t k = 0; k + 1 < n; k++) {
        for (uint64_t j = k + 1; j < n; j++) {
            item_in_row(j - k - 1);
            rd(0, at(n, k, j)), rd(0, at(n, k, k)), wr(0, at(n, k, j));
        }
        launch++;
        for (uint64_t i = k + 1; i < n; i++) {
            for (uint64_t j = k + 1; j < n; j++) {
                item_of_cell(j - k - 1, i - k - 1, n - k - 1);
                rd(0, at(n, i, j)), rd(0, at(n, i, k)), rd(0, at(n, k, j)), wr(0, at(n, i, j));
            }
        }
        launch++;
    }
}

static void test_sources(void **state) {
    (void)state;
    static const tile_source kernels[] = {
        {"mvt", 300, mvt, 8, 0},
        {"mvt_f32", 70, mvt, 4, 0},
        {"atax", 300, atax, 4, 0},
        {"bicg", 150, bicg, 4, 0},
        {"bicg_square", 70, bicg_square, 4, 0},
        {"gesummv", 260, gesummv, 4, 0},
        {"syrk", 40, syrk, 4, 0},
        {"2dconv", 75, conv2d, 4, 0},
        {"corr", 40, corr, 4, 0},
        {"covar", 40, covar, 4, 0},
        {"gramschm", 70, gramschm, 4, 0},
        {"lu", 70, lu, 4, 0},
    };
    tally_tiles(kernels, COUNT(kernels));
}

/* Cut, loops do their first iterations, and CORR's and COVAR's items have their first partners;
 * what has no such loop is whole. */
static void test_cuts(void **state) {
    (void)state;
    static const tile_source kernels[] = {
        {"mvt", 300, mvt, 8, 3},           {"atax", 300, atax, 4, 2},
        {"bicg", 150, bicg, 4, 200},       {"gesummv", 300, gesummv, 4, 1},
        {"syrk", 70, syrk, 4, 3},          {"2dconv", 75, conv2d, 4, 2},
        {"corr", 300, corr, 4, 3},         {"covar", 300, covar, 4, 2},
        {"gramschm", 300, gramschm, 4, 2}, {"lu", 70, lu, 4, 2},
    };
    tally_tiles(kernels, COUNT(kernels));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sources),
        cmocka_unit_test(test_cuts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
