/* Polybench's and Rodinia's kernels against their public sources (docs/workloads.md sections 3 and
 * 4), each written down once more as plain loops. */
#include "tests/unit/sim/workloads/source_tally.h"

static uint64_t at(uint64_t n, uint64_t row, uint64_t column) {
    return row * n + column;
}

/* ---------------------------------------------------------------- Polybench */

/* acc[g] += sum over j of m[..] v[j], the sum begun with a load of acc or a store of 0. */
static void dot(const unsigned m_acc_v[3], uint64_t items, uint64_t terms, uint64_t pitch,
                bool by_rows, bool zeroed) {
    for (uint64_t g = 0; g < items; g++) {
        (zeroed ? wr : rd)(m_acc_v[1], g);
        for (uint64_t j = 0; j < terms; j++) {
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
        for (uint64_t j = 0; j < n; j++) {
            rd(A, at(n, i, j)), rd(X, j), rd(TMP, i), wr(TMP, i);
            rd(B, at(n, i, j)), rd(X, j), rd(Y, i), wr(Y, i);
        }
        rd(TMP, i), rd(Y, i), wr(Y, i);
    }
    launch++;
}

static void syrk(uint64_t n) {
    enum { A, C };
    for (uint64_t ij = 0; ij < n * n; ij++) {
        rd(C, ij), wr(C, ij);
        for (uint64_t k = 0; k < n; k++) {
            rd(A, at(n, ij / n, k)), rd(A, at(n, ij % n, k)), wr(C, ij);
        }
    }
    launch++;
}

static void conv2d(uint64_t n) {
    for (uint64_t i = 1; i + 1 < n; i++) {
        for (uint64_t j = 1; j + 1 < n; j++) {
            for (uint64_t cell = 0; cell < 9; cell++) {
                rd(0, at(n, i + cell / 3 - 1, j + cell % 3 - 1));
            }
            wr(1, at(n, i, j));
        }
    }
    launch++;
}

enum { DATA, SYMMAT, MEAN, STD };

/* v[j] over column j of data: its mean, or with the means there its deviation. */
static void of_columns(uint64_t n, unsigned v) {
    for (uint64_t j = 0; j < n; j++) {
        wr(v, j);
        for (uint64_t i = 0; i < n; i++) {
            rd(DATA, at(n, i, j)), wr(v, j);
            if (v == STD) {
                rd(MEAN, j);
            }
        }
        rd(v, j), wr(v, j);
    }
    launch++;
}

static void centre(uint64_t n, bool scale) {
    for (uint64_t ij = 0; ij < n * n; ij++) {
        rd(DATA, ij), rd(MEAN, ij % n), wr(DATA, ij);
        if (scale) {
            rd(DATA, ij), rd(STD, ij % n), wr(DATA, ij);
        }
    }
    launch++;
}

static void pairs(uint64_t n, uint64_t j1, uint64_t j2) {
    for (; j2 < n; j2++) {
        wr(SYMMAT, at(n, j1, j2));
        for (uint64_t i = 0; i < n; i++) {
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
        wr(SYMMAT, at(n, j1, j1));
        pairs(n, j1, j1 + 1);
    }
    launch++;
}

static void covar(uint64_t n) {
    of_columns(n, MEAN);
    centre(n, false);
    for (uint64_t j1 = 0; j1 < n; j1++) {
        pairs(n, j1, j1);
    }
    launch++;
}

static void gramschm(uint64_t n) {
    enum { A, Q, R };
    for (uint64_t k = 0; k < n; k++) {
        for (uint64_t i = 0; i < n; i++) {
            rd(A, at(n, i, k));
        }
        wr(R, at(n, k, k));
        launch++;
        for (uint64_t i = 0; i < n; i++) {
            rd(A, at(n, i, k)), rd(R, at(n, k, k)), wr(Q, at(n, i, k));
        }
        launch++;
        for (uint64_t j = k + 1; j < n; j++) {
            wr(R, at(n, k, j));
            for (uint64_t i = 0; i < n; i++) {
                rd(Q, at(n, i, k)), rd(A, at(n, i, j)), wr(R, at(n, k, j));
                rd(Q, at(n, i, k)), rd(R, at(n, k, j)), rd(A, at(n, i, j)), wr(A, at(n, i, j));
            }
        }
        launch += k + 1 < n;
    }
}

static void lu(uint64_t n) {
    for (uint64_t k = 0; k + 1 < n; k++) {
        for (uint64_t j = k + 1; j < n; j++) {
            rd(0, at(n, k, j)), rd(0, at(n, k, k)), wr(0, at(n, k, j));
        }
        launch++;
        for (uint64_t i = k + 1; i < n; i++) {
            for (uint64_t j = k + 1; j < n; j++) {
                rd(0, at(n, i, j)), rd(0, at(n, i, k)), rd(0, at(n, k, j)), wr(0, at(n, i, j));
            }
        }
        launch++;
    }
}

/* ---------------------------------------------------------------- Rodinia */

#define B UINT64_C(16) /* a block's side */

static void nw(uint64_t n) {
    enum { REFERENCE, INPUT };
    const uint64_t blocks = n / B;
    const uint64_t c = n + 1;
    for (uint64_t diagonal = 0; diagonal < 2 * blocks - 1; diagonal++, launch++) {
        for (uint64_t x = 0; x < blocks; x++) {
            const uint64_t corner = B * (diagonal - x) * c + B * x;
            if (diagonal < x || diagonal - x >= blocks) {
                continue;
            }
            rd(INPUT, corner);
            for (uint64_t t = 0; t < B; t++) {
                rd(INPUT, corner + c + c * t), rd(INPUT, corner + 1 + t);
                for (uint64_t y = 0; y < B; y++) {
                    rd(REFERENCE, corner + c + 1 + t + c * y),
                        wr(INPUT, corner + c + 1 + t + c * y);
                }
            }
        }
    }
}

static void lud_diagonal(uint64_t n, uint64_t o) {
    for (uint64_t it = 0; it < B * B; it++) {
        rd(0, at(n, o + it / B, o + it % B));
        if (it >= B) {
            wr(0, at(n, o + it / B, o + it % B));
        }
    }
    launch++;
}

static void lud(uint64_t n) {
    uint64_t o = 0;
    for (; o + B < n; o += B) {
        lud_diagonal(n, o);
        for (uint64_t strip = o + B; strip < n; strip += B) {
            for (uint64_t it = 0; it < B * B; it++) {
                const uint64_t i = it / B;
                const uint64_t t = it % B;
                rd(0, at(n, o + i, o + t)); /* half of it by each half of the group */
                rd(0, at(n, o + i, strip + t)), rd(0, at(n, strip + i, o + t));
                wr(0, at(n, strip + i, o + t));
                if (i > 0) {
                    wr(0, at(n, o + i, strip + t));
                }
            }
        }
        launch++;
        for (uint64_t y = o + B; y < n; y++) {
            for (uint64_t x = o + B; x < n; x++) {
                rd(0, at(n, o + y % B, x)), rd(0, at(n, y, o + x % B));
                rd(0, at(n, y, x)), wr(0, at(n, y, x));
            }
        }
        launch++;
    }
    lud_diagonal(n, o);
}

static void backprop(uint64_t n) {
    enum { INPUT, WEIGHTS, OLD, PARTIAL, DELTA };
    for (uint64_t y = 0; y < n; y++) {
        rd(INPUT, y + 1), wr(PARTIAL, y);
        for (uint64_t x = 0; x < B; x++) {
            rd(WEIGHTS, 17 * y + x + 18), wr(WEIGHTS, 17 * y + x + 18);
        }
    }
    launch++;
    for (uint64_t yx = 0; yx < n * B; yx++) {
        const uint64_t x = yx % B;
        const uint64_t w = 17 * (yx / B) + x + 18;
        rd(WEIGHTS, w), wr(WEIGHTS, w), wr(OLD, w);
        for (unsigned twice = 0; twice < 2; twice++) {
            rd(DELTA, x + 1), rd(INPUT, yx / B + 1), rd(OLD, w);
        }
        if (yx < B) {
            rd(WEIGHTS, x + 1), rd(OLD, x + 1), rd(DELTA, x + 1);
            wr(WEIGHTS, x + 1), wr(OLD, x + 1);
        }
    }
    launch++;
}

/* Two launches of a full pyramid of 4. */
static void hotspot(uint64_t n) {
    const int64_t side = B;
    const int64_t tile = side * side;
    const int64_t across = (int64_t)(n + 7) / 8;
    for (unsigned l = 0; l < 2; l++, launch++) {
        for (int64_t it = 0; it < across * across * tile; it++) {
            const int64_t tx = it % side;
            const int64_t ty = it / side % side;
            const int64_t x = 8 * (it / tile % across) - 4 + tx;
            const int64_t y = 8 * (it / tile / across) - 4 + ty;
            if (x < 0 || y < 0 || x >= (int64_t)n || y >= (int64_t)n) {
                continue;
            }
            rd(l, at(n, (uint64_t)y, (uint64_t)x)), rd(2, at(n, (uint64_t)y, (uint64_t)x));
            if (tx >= 4 && tx <= 11 && ty >= 4 && ty <= 11) {
                wr(1 - l, at(n, (uint64_t)y, (uint64_t)x));
            }
        }
    }
}

static uint64_t clamped(int64_t element, uint64_t n) {
    const int64_t last = (int64_t)(n * n) - 1;
    return (uint64_t)(element < 0 ? 0 : element > last ? last : element);
}

/* Two time steps. */
static void srad(uint64_t n) {
    enum { J, C, E, W, N, S };
    for (unsigned l = 0; l < 4; l++, launch++) {
        const unsigned of = l % 2 == 0 ? J : C; /* whose neighbours are read */
        for (uint64_t it = 0; it < n * n; it++) {
            const uint64_t x = it % n;
            const uint64_t y = it / n;
            const int64_t own = (int64_t)it;
            const int64_t tx = (int64_t)(x % B);
            const int64_t column = (int64_t)((y - y % B) * n + x); /* its tile's first row */
            if (of == J) {
                rd(J, clamped(column - (int64_t)n, n)), rd(J, clamped(own - tx - 1, n));
                for (unsigned v = C; v <= S; v++) {
                    wr(v, it);
                }
                if (y < B) {
                    rd(J, x);
                }
                if (x < B) {
                    rd(J, at(n, y, 0));
                }
            } else {
                rd(J, it), rd(E, it), rd(W, it), rd(N, it), rd(S, it), wr(J, it);
            }
            rd(of, it), rd(of, clamped(column + (int64_t)(n * B), n));
            rd(of, clamped(own - tx + (int64_t)B, n));
            if (y + B >= n) {
                rd(of, at(n, n - 1, x));
            }
            if (x + B >= n) {
                rd(of, at(n, y, n - 1));
            }
        }
    }
}

/* 256 rows, 20 of them a launch. */
static void pathfinder(uint64_t n) {
    enum { WALL, RESULT };
    for (int64_t t = 0; t < 255; t += 20, launch++) {
        const int64_t rows = t + 20 < 255 ? 20 : 255 - t;
        const unsigned from = RESULT + launch % 2;
        for (int64_t it = 0; it < ((int64_t)n + 215) / 216 * 256; it++) {
            const int64_t tx = it % 256;
            const int64_t x = (256 - 2 * rows) * (it / 256) - 20 + tx;
            if (x < 0 || x >= (int64_t)n) {
                continue;
            }
            rd(from, (uint64_t)x);
            for (int64_t i = 0; i < rows && tx > i && tx < 255 - i; i++) {
                rd(WALL, at(n, (uint64_t)(t + i), (uint64_t)x));
            }
            if (tx >= rows && tx <= 255 - rows) {
                wr(RESULT + 1 - launch % 2, (uint64_t)x);
            }
        }
    }
}

static const struct {
    const char *name;
    uint64_t size;
    void (*source)(uint64_t size);
    uint8_t bytes; /* of an element */
} kernels[] = {
    {"mvt", 300, mvt, 8},
    {"mvt_f32", 70, mvt, 4},
    {"atax", 300, atax, 4},
    {"bicg", 150, bicg, 4},
    {"bicg_square", 70, bicg_square, 4},
    {"gesummv", 260, gesummv, 4},
    {"syrk", 40, syrk, 4},
    {"2dconv", 75, conv2d, 4},
    {"corr", 40, corr, 4},
    {"covar", 40, covar, 4},
    {"gramschm", 70, gramschm, 4},
    {"lu", 70, lu, 4},
    {"nw", 96, nw, 4},
    {"lud", 96, lud, 4},
    {"backprop", 160, backprop, 4},
    {"hotspot", 100, hotspot, 4},
    {"srad", 64, srad, 4},
    {"pathfinder", 1000, pathfinder, 4},
};

static void test_sources(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(kernels) * 2; i++) {
        const uint64_t size = kernels[i / 2].size;
        const uint8_t b = kernels[i / 2].bytes;
        lw_workload *w = open_kernel(
            kernels[i / 2].name, (lw_workload_params){.size = size, .lanes = i % 2 == 0 ? 64 : 32});
        tally_begin();
        kernels[i / 2].source(size);
        tally_run(kernels[i / 2].name, w, &(tally_shape){.bytes = {b, b, b, b, b, b, b, b}});
        lw_workload_close(w);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sources),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
