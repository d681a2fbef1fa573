/* Rodinia's kernels against their public sources (docs/workloads.md section 4), each written down
 * once more as plain loops. */
#include "tests/unit/sim/kernels/source_tally.h"

static uint64_t at(uint64_t n, uint64_t row, uint64_t column) {
    return row * n + column;
}

#define B UINT64_C(16) /* a block's side */

static void nw(uint64_t n) {
    enum { REFERENCE, INPUT };
    const uint64_t blocks = n / B;
    const uint64_t c = n + 1;
    for (uint64_t diagonal = 0; diagonal < 2 * blocks - 1; diagonal++, launch++) {
        const uint64_t leftmost = diagonal < blocks ? 0 : diagonal - blocks + 1;
        for (uint64_t xt = leftmost * B; xt < blocks * B && xt / B <= diagonal; xt++) {
            const uint64_t x = xt / B;
            const uint64_t t = xt % B;
            const uint64_t corner = B * (diagonal - x) * c + B * x;
            item_of(x - leftmost, t);
            if (t == 0) {
                rd(INPUT, corner);
            }
            for (uint64_t y = 0; y < B; y++) {
                rd(REFERENCE, corner + c + 1 + t + c * y);
            }
            rd(INPUT, corner + c + c * t), rd(INPUT, corner + 1 + t);
            for (uint64_t y = 0; y < B; y++) {
                wr(INPUT, corner + c + 1 + t + c * y);
            }
        }
    }
}

static void lud_diagonal(uint64_t n, uint64_t o) {
    for (uint64_t t = 0; t < B; t++) {
        item_of(0, t);
        for (uint64_t i = 0; i < B; i++) {
            rd(0, at(n, o + i, o + t));
        }
        for (uint64_t i = 1; i < B; i++) {
            wr(0, at(n, o + i, o + t));
        }
    }
    launch++;
}

/* The first half of a group has the strip right of the block, the other the one below it; of the
 * block itself each loads a half. */
static void lud_strips(uint64_t n, uint64_t o, uint64_t strip) {
    for (uint64_t it = 0; it < 2 * B; it++) {
        const bool right = it < B;
        const uint64_t t = it % B;
        item_of((strip - o) / B - 1, it);
        for (uint64_t i = 0; i < B / 2; i++) {
            rd(0, at(n, o + i + (right ? 0 : B / 2), o + t));
        }
        for (uint64_t i = 0; i < B; i++) {
            rd(0, right ? at(n, o + i, strip + t) : at(n, strip + i, o + t));
        }
        for (uint64_t i = right ? 1 : 0; i < B; i++) {
            wr(0, right ? at(n, o + i, strip + t) : at(n, strip + i, o + t));
        }
    }
}

static void lud(uint64_t n) {
    uint64_t o = 0;
    for (; o + B < n; o += B) {
        lud_diagonal(n, o);
        for (uint64_t strip = o + B; strip < n; strip += B) {
            lud_strips(n, o, strip);
        }
        launch++;
        for (uint64_t y = o + B; y < n; y++) {
            for (uint64_t x = o + B; x < n; x++) {
                item_at(x - o - B, y - o - B, (n - o) / B - 1, B, B);
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
    for (uint64_t yx = 0; yx < n * B; yx++) {
        const uint64_t w = 17 * (yx / B) + yx % B + 18;
        item_at(yx % B, yx / B, 1, B, B);
        if (yx % B == 0) {
            rd(INPUT, yx / B + 1);
        }
        rd(WEIGHTS, w), wr(WEIGHTS, w);
        if (yx % B == 0) {
            wr(PARTIAL, yx / B);
        }
    }
    launch++;
    for (uint64_t yx = 0; yx < n * B; yx++) {
        const uint64_t x = yx % B;
        const uint64_t w = 17 * (yx / B) + x + 18;
        item_at(x, yx / B, 1, B, B);
        rd(WEIGHTS, w), rd(DELTA, x + 1), rd(INPUT, yx / B + 1), rd(OLD, w), wr(WEIGHTS, w);
        rd(DELTA, x + 1), rd(INPUT, yx / B + 1), rd(OLD, w), wr(OLD, w);
        if (yx < B) {
            rd(WEIGHTS, x + 1), rd(OLD, x + 1), rd(DELTA, x + 1);
            wr(WEIGHTS, x + 1), wr(OLD, x + 1);
        }
    }
    launch++;
}

/* Eight time steps, four a launch; the grid of groups is always that of four. */
static void hotspot(uint64_t n) {
    const int64_t side = B;
    const int64_t tile = side * side;
    const int64_t across = (int64_t)(n + 7) / 8;
    for (uint64_t done = 0; done < cut(8); done += 4, launch++) {
        const int64_t steps = cut(8) - done < 4 ? (int64_t)(cut(8) - done) : 4;
        for (int64_t it = 0; it < across * across * tile; it++) {
            const int64_t tx = it % side;
            const int64_t ty = it / side % side;
            const int64_t x = (side - 2 * steps) * (it / tile % across) - 4 + tx;
            const int64_t y = (side - 2 * steps) * (it / tile / across) - 4 + ty;
            if (x < 0 || y < 0 || x >= (int64_t)n || y >= (int64_t)n) {
                continue;
            }
            item_of((uint64_t)(it / tile), (uint64_t)(it % tile));
            rd(launch, at(n, (uint64_t)y, (uint64_t)x)), rd(2, at(n, (uint64_t)y, (uint64_t)x));
            if (tx >= steps && tx < side - steps && ty >= steps && ty < side - steps) {
                wr(1 - launch, at(n, (uint64_t)y, (uint64_t)x));
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
    for (unsigned l = 0; l < 2 * cut(2); l++, launch++) {
        const unsigned of = l % 2 == 0 ? J : C; /* whose neighbours are read */
        for (uint64_t it = 0; it < n * n; it++) {
            const uint64_t x = it % n;
            const uint64_t y = it / n;
            const int64_t own = (int64_t)it;
            const int64_t tx = (int64_t)(x % B);
            const int64_t column = (int64_t)((y - y % B) * n + x); /* its tile's first row */
            item_at(x, y, n / B, B, B);
            rd(J, of == J ? clamped(column - (int64_t)n, n) : it);
            rd(of, clamped(column + (int64_t)(n * B), n));
            if (of == J && y < B) {
                rd(J, x);
            }
            if (y + B >= n) {
                rd(of, at(n, n - 1, x));
            }
            if (of == J) {
                rd(J, clamped(own - tx - 1, n));
            }
            rd(of, clamped(own - tx + (int64_t)B, n));
            if (of == J && x < B) {
                rd(J, at(n, y, 0));
            }
            if (x + B >= n) {
                rd(of, at(n, y, n - 1));
            }
            rd(of, it);
            if (of == J) {
                wr(C, it), wr(E, it), wr(W, it), wr(S, it), wr(N, it);
            } else {
                rd(N, it), rd(S, it), rd(W, it), rd(E, it), wr(J, it);
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
            item_of((uint64_t)(it / 256), (uint64_t)tx);
            rd(from, (uint64_t)x);
            for (int64_t i = 0; i < (int64_t)cut((uint64_t)rows) && tx > i && tx < 255 - i; i++) {
                rd(WALL, at(n, (uint64_t)(t + i), (uint64_t)x));
            }
            if (tx >= rows && tx <= 255 - rows) {
                wr(RESULT + 1 - launch % 2, (uint64_t)x);
            }
        }
    }
}

static void test_sources(void **state) {
    (void)state;
    static const tile_source kernels[] = {
        {"nw", 96, nw, 4, 0},
        {"lud", 96, lud, 4, 0},
        {"backprop", 160, backprop, 4, 0},
        {"hotspot", 100, hotspot, 4, 0},
        {"srad", 64, srad, 4, 0},
        {"pathfinder", 1000, pathfinder, 4, 0},
    };
    tally_tiles(kernels, COUNT(kernels));
}

/* A cut leaves time steps out, and rows of Pathfinder's launches; nothing of the others. */
static void test_cuts(void **state) {
    (void)state;
    static const tile_source kernels[] = {
        {"nw", 48, nw, 4, 2},
        {"lud", 48, lud, 4, 2},
        {"backprop", 64, backprop, 4, 2},
        {"hotspot", 100, hotspot, 4, 5},
        {"srad", 64, srad, 4, 1},
        {"pathfinder", 1000, pathfinder, 4, 3},
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
