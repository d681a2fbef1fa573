/* Delta debugging leaves what a test needs, and nothing else. */
#include "app/commands/delta.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

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
        cmocka_unit_test(test_nothing_to_take),
        cmocka_unit_test(test_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
