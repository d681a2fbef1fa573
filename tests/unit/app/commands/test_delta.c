/* Delta debugging leaves what a test needs, and nothing else. */
#include "app/commands/delta.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/rng.h"

enum { ITEMS = 100 };

typedef struct state {
    bool keep[ITEMS];
    const size_t *needed;
    size_t count;
    unsigned asked;
} state;

static bool has_all(void *ctx) {
    state *s = ctx;
    s->asked++;
    for (size_t i = 0; i < s->count; i++) {
        if (!s->keep[s->needed[i]]) {
            return false;
        }
    }
    return true;
}

static void check(size_t items, const size_t *needed, size_t count) {
    state s = {.needed = needed, .count = count};
    memset(s.keep, true, items * sizeof s.keep[0]);
    assert_int_equal(lw_delta(s.keep, items, 10000, has_all, &s), count);
    for (size_t i = 0; i < count; i++) {
        assert_true(s.keep[needed[i]]);
    }
    assert_true(s.asked < 10 * ITEMS);
}

static void test_leaves_what_is_needed(void **unused) {
    (void)unused;
    check(ITEMS, (const size_t[]){0}, 1);
    check(ITEMS, (const size_t[]){99}, 1);
    check(ITEMS, (const size_t[]){3, 17, 18, 64}, 4);
    check(ITEMS, (const size_t[]){0}, 0);
    check(4, (const size_t[]){1, 2}, 2); /* no half can be left out, but two of four can */
}

/* Whether it holds of each of the 2^FEW sets of items, by the set's bits. */
enum { FEW = 6 };

typedef struct any_property {
    bool keep[FEW];
    bool holds[1 << FEW];
} any_property;

static bool holds(void *ctx) {
    const any_property *s = ctx;
    uint32_t set = 0;
    for (uint32_t i = 0; i < FEW; i++) {
        set |= (uint32_t)s->keep[i] << i;
    }
    return s->holds[set];
}

/* Of whatever property: it holds of what is left, and without any single one of it it does not,
 * although an item may be needed only as long as another is there. */
static void test_no_single_one_is_left(void **unused) {
    (void)unused;
    lw_rng rng;
    lw_rng_seed(&rng, 1);
    for (unsigned n = 0; n < 2000; n++) {
        any_property s;
        for (uint32_t set = 0; set < 1 << FEW; set++) {
            s.holds[set] = set + 1 == 1 << FEW || lw_rng_percent(&rng, 10 + n % 60);
        }
        memset(s.keep, true, sizeof s.keep);
        size_t left = lw_delta(s.keep, FEW, 10000, holds, &s);
        assert_true(holds(&s));
        for (uint32_t i = 0; i < FEW; i++) {
            if (s.keep[i]) {
                s.keep[i] = false;
                assert_false(holds(&s));
                s.keep[i] = true;
                left--;
            }
        }
        assert_int_equal(left, 0);
    }
}

static void test_nothing_to_take(void **unused) {
    (void)unused;
    state s = {.count = 0};
    assert_int_equal(lw_delta(s.keep, 0, 10, has_all, &s), 0);
    assert_int_equal(lw_delta(s.keep, ITEMS, 10, has_all, &s), 0);
}

/* It stops asking, and what is left still holds. */
static void test_bound(void **unused) {
    (void)unused;
    const size_t needed[] = {41};
    state s = {.needed = needed, .count = 1};
    memset(s.keep, true, sizeof s.keep);
    assert_true(lw_delta(s.keep, ITEMS, 3, has_all, &s) > 1);
    assert_int_equal(s.asked, 3);
    assert_true(s.keep[41]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leaves_what_is_needed),
        cmocka_unit_test(test_no_single_one_is_left),
        cmocka_unit_test(test_nothing_to_take),
        cmocka_unit_test(test_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
