/* common/rng.h gives the numbers of its authors' algorithms: what is drawn is part of every run, so
 * that another stream would change them all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/rng.h"

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* splitmix64 from 1234567, as its published examples have it. */
static void test_seeds(void **state) {
    (void)state;
    static const uint64_t published[] = {
        UINT64_C(6457827717110365317), UINT64_C(3203168211198807973), UINT64_C(9817491932198370423),
        UINT64_C(4593380528125082431)};
    lw_rng rng;
    lw_rng_seed(&rng, 1234567);
    for (size_t i = 0; i < COUNT(published); i++) {
        assert_int_equal(rng.s[i], published[i]);
    }
}

/* xoshiro256** from the state 1, 2, 3, 4. */
static void test_stream(void **state) {
    (void)state;
    static const uint64_t published[] = {UINT64_C(11520),
                                         UINT64_C(0),
                                         UINT64_C(1509978240),
                                         UINT64_C(1215971899390074240),
                                         UINT64_C(1216172134540287360),
                                         UINT64_C(607988272756665600),
                                         UINT64_C(16172922978634559625),
                                         UINT64_C(8476171486693032832),
                                         UINT64_C(10595114339597558777),
                                         UINT64_C(2904607092377533576)};
    lw_rng rng = {{1, 2, 3, 4}};
    for (size_t i = 0; i < COUNT(published); i++) {
        assert_int_equal(lw_rng_next(&rng), published[i]);
    }
}

/* Each number below the bound comes up as often as the others, and no other. */
static void test_below(void **state) {
    (void)state;
    static const uint64_t bounds[] = {1, 2, 7, 100};
    enum { EACH = 1000 };
    lw_rng rng;
    lw_rng_seed(&rng, 1);
    for (size_t i = 0; i < COUNT(bounds); i++) {
        uint32_t seen[100] = {0};
        for (uint64_t n = 0; n < EACH * bounds[i]; n++) {
            const uint64_t number = lw_rng_below(&rng, bounds[i]);
            assert_true(number < bounds[i]);
            seen[number]++;
        }
        for (uint64_t number = 0; number < bounds[i]; number++) {
            assert_in_range(seen[number], EACH * 8 / 10, EACH * 12 / 10);
        }
    }
    /* the largest bound that there is gives all of the 32 upper bits */
    lw_rng same = rng;
    assert_int_equal(lw_rng_below(&rng, UINT64_C(1) << 32), lw_rng_next(&same) >> 32);
}

static void test_percent(void **state) {
    (void)state;
    static const unsigned percents[] = {0, 1, 50, 99, 100};
    enum { DRAWS = 20000 };
    lw_rng rng;
    lw_rng_seed(&rng, 1);
    for (size_t i = 0; i < COUNT(percents); i++) {
        uint32_t hits = 0;
        for (uint32_t n = 0; n < DRAWS; n++) {
            hits += lw_rng_percent(&rng, percents[i]) != 0;
        }
        const uint32_t expected = percents[i] * (DRAWS / 100);
        if (percents[i] == 0 || percents[i] == 100) {
            assert_int_equal(hits, expected);
        } else {
            assert_in_range(hits, expected - DRAWS / 100, expected + DRAWS / 100);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_stream),
        cmocka_unit_test(test_below),
        cmocka_unit_test(test_percent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
