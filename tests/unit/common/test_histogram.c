/* common/histogram.h against numbers sorted: quantiles are right to one part in 32, and each number
 * lies in one cell and one power of two. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/histogram.h"
#include "common/rng.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 5000 };

static int by_size(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void assert_quantiles(const lw_histogram *h, uint64_t *numbers, size_t count) {
    static const uint32_t percents[] = {1, 50, 90, 99, 100};
    qsort(numbers, count, sizeof numbers[0], by_size);
    for (size_t i = 0; i < sizeof percents / sizeof percents[0]; i++) {
        const uint64_t exact = numbers[(count * percents[i] + 99) / 100 - 1];
        const uint64_t got = lw_histogram_quantile(h, percents[i], numbers[count - 1]);
        assert_true(got >= exact && got <= exact + exact / LW_HISTOGRAM_PARTS);
        assert_true(exact >= UINT64_C(2) * LW_HISTOGRAM_PARTS || got == exact);
    }
    assert_int_equal(lw_histogram_quantile(h, 100, numbers[count - 1]), numbers[count - 1]);
}

static void test_random_numbers(void **state) {
    (void)state;
    lw_rng rng;
    lw_rng_seed(&rng, 7);
    for (uint32_t bits = 1; bits < LW_HISTOGRAM_WIDTH; bits++) {
        static lw_histogram h, other;
        static uint64_t numbers[NUMBERS];
        uint64_t powers[LW_HISTOGRAM_WIDTH + 1] = {0};
        memset(&h, 0, sizeof h);
        memset(&other, 0, sizeof other);
        for (size_t i = 0; i < NUMBERS; i++) {
            numbers[i] = lw_rng_below(&rng, UINT64_C(1) << (1 + lw_rng_below(&rng, bits)));
            lw_histogram_add(i % 2 == 0 ? &h : &other, numbers[i], 1);
            powers[numbers[i] == 0 ? 0 : 64 - __builtin_clzll(numbers[i])]++;
        }
        lw_histogram_merge(&h, &other);
        assert_int_equal(lw_histogram_count(&h), NUMBERS);
        assert_quantiles(&h, numbers, NUMBERS);
        for (uint32_t p = 0; p <= LW_HISTOGRAM_WIDTH; p++) {
            assert_int_equal(lw_histogram_power(&h, p), powers[p]);
        }
    }
}

static void test_edges(void **state) {
    (void)state;
    static lw_histogram h;
    assert_int_equal(lw_histogram_quantile(&h, 50, 0), 0);
    lw_histogram_add(&h, UINT64_MAX / 2, 1); /* wider than any cell */
    lw_histogram_add(&h, 0, 1);
    assert_int_equal(lw_histogram_quantile(&h, 50, UINT64_MAX / 2), 0);
    assert_int_equal(lw_histogram_quantile(&h, 99, UINT64_MAX / 2), UINT64_MAX / 2);
    assert_int_equal(lw_histogram_power(&h, 0), 1);
    memset(&h, 0, sizeof h); /* 64 and 65 share a cell, of which the quantile is the end */
    lw_histogram_add(&h, 64, 1);
    lw_histogram_add(&h, 1000, 1);
    assert_int_equal(lw_histogram_quantile(&h, 50, 1000), 65);
    for (uint32_t v = 1; v < 100000; v++) { /* cells rise with the numbers, one by one */
        const uint32_t step = lw_histogram_cell(v) - lw_histogram_cell(v - 1);
        assert_true(step <= 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_numbers),
        cmocka_unit_test(test_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
