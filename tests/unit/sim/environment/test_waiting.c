/* What an environment remembers of requests in flight: since when each waits, and which errors of
 * memory may excuse its answer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/environment/failed_reads.h"
#include "sim/environment/waiting.h"

/* Whether an answer of a request in flight since then may be of a failed read of this line. */
static bool has(lw_failed_reads *f, uint64_t line, uint64_t since) {
    lw_failed_reads_ask(f, since);
    return lw_failed_reads_may(f, line);
}

/* The same of one of several lines; where it may, the answer is accepted. */
static bool excuses(lw_failed_reads *f, uint64_t since, const uint64_t *lines, size_t count) {
    bool may = false;
    lw_failed_reads_ask(f, since);
    for (size_t i = 0; i < count; i++) {
        may = lw_failed_reads_may(f, lines[i]) || may;
    }
    if (may) {
        lw_failed_reads_use(f);
    }
    return may;
}

static void test_failed_reads(void **state) {
    (void)state;
    lw_failed_reads *f = lw_failed_reads_new();
    assert_false(has(f, 7, 0));
    assert_true(lw_failed_reads_add(f, 7, 10, 0));
    assert_true(lw_failed_reads_add(f, 7, 20, 0));
    assert_false(has(f, 8, 0));
    assert_false(has(f, 7, 21));
    assert_true(has(f, 7, 5));
    lw_failed_reads_use(f);
    assert_true(has(f, 7, 20));
    lw_failed_reads_use(f);
    assert_false(has(f, 7, 0));
    lw_failed_reads_use(f); /* of an answer that needed no error: nothing */
    /* those that nobody in flight can have seen are forgotten in time */
    for (uint64_t now = 100; now < 100000; now++) {
        assert_true(lw_failed_reads_add(f, now, now, now - 10));
    }
    for (uint64_t now = 100000 - 10; now < 100000; now++) {
        assert_true(has(f, now, now));
    }
    assert_false(has(f, 50000, 50000));
    lw_failed_reads_free(f);
    /* nobody's error goes who has waited since it came, however many come behind */
    f = lw_failed_reads_new();
    for (uint64_t now = 5; now < 1000; now++) {
        assert_true(lw_failed_reads_add(f, now, now, 5));
    }
    assert_true(has(f, 5, 5));
    lw_failed_reads_free(f);
}

/* The error that is used is the line's, wherever it stands among the others, and no other goes with
 * it. */
static void test_one_error_excuses_one_answer(void **state) {
    (void)state;
    enum { ERRORS = 6 };
    for (uint64_t used = 0; used < ERRORS; used++) {
        lw_failed_reads *f = lw_failed_reads_new();
        for (uint64_t line = 0; line < ERRORS; line++) {
            assert_true(lw_failed_reads_add(f, line, 10 + line, 0));
        }
        assert_true(has(f, used, 0));
        lw_failed_reads_use(f);
        for (uint64_t line = 0; line < ERRORS; line++) {
            assert_int_equal(has(f, line, 10 + line), line != used);
            assert_false(has(f, line, 11 + line));
        }
        lw_failed_reads_free(f);
    }
    lw_failed_reads *f = lw_failed_reads_new();
    for (uint64_t now = 0; now < 100; now++) { /* nothing is left of those that were used */
        assert_true(lw_failed_reads_add(f, 7, now, 0));
        assert_true(has(f, 7, 0));
        lw_failed_reads_use(f);
        assert_false(has(f, 7, 0));
    }
    lw_failed_reads_free(f);
}

/* An answer that may be of either of two lines does not take the error of one that may be of the
 * other alone, whichever is asked for first; and there are never more answers than errors. */
static void test_errors_are_passed_on(void **state) {
    (void)state;
    static const uint64_t both[2][2] = {{1, 2}, {2, 1}};
    for (size_t order = 0; order < 2; order++) {
        for (uint64_t alone = 1; alone <= 2; alone++) {
            lw_failed_reads *f = lw_failed_reads_new();
            assert_true(lw_failed_reads_add(f, 1, 10, 0));
            assert_true(lw_failed_reads_add(f, 2, 20, 0));
            assert_true(excuses(f, 0, both[order], 2));
            assert_true(excuses(f, 0, &alone, 1));
            assert_false(excuses(f, 0, both[order], 2));
            assert_true(lw_failed_reads_add(f, 3 - alone, 30, 0));
            assert_true(excuses(f, 0, both[order], 2));
            assert_false(excuses(f, 0, both[order], 2));
            lw_failed_reads_free(f);
        }
    }
    /* by way of several answers, of which the first has not been in flight for long enough for all
     */
    static const uint64_t pairs[3][2] = {{1, 2}, {2, 3}, {3, 4}};
    for (uint64_t since = 0; since <= 45; since += 15) {
        lw_failed_reads *f = lw_failed_reads_new();
        for (uint64_t line = 1; line <= 4; line++) {
            assert_true(lw_failed_reads_add(f, line, 10 * line, 0));
        }
        for (size_t i = 0; i < 3; i++) {
            assert_true(excuses(f, 0, pairs[i], 2));
        }
        assert_int_equal(excuses(f, since, pairs[0], 2), since < 20);
        lw_failed_reads_free(f);
    }
}

/* Whatever is forgotten, it is none that the oldest request in flight may have seen. */
static void test_errors_in_flight_stay(void **state) {
    (void)state;
    enum { LONGEST = 50 };
    lw_failed_reads *f = lw_failed_reads_new();
    for (uint64_t now = LONGEST; now < 1000; now++) {
        assert_true(lw_failed_reads_add(f, now, now, now - LONGEST));
        for (uint64_t past = 0; past <= LONGEST && now - past >= LONGEST; past++) {
            assert_true(has(f, now - past, now - past));
        }
    }
    lw_failed_reads_free(f);
}

static void test_waiting(void **state) {
    (void)state;
    lw_waiting *w = lw_waiting_new(4);
    uint32_t id = 9;
    uint64_t since = 9;
    assert_false(lw_waiting_oldest(w, &id, &since));
    for (uint32_t i = 0; i < 4; i++) {
        lw_waiting_enter(w, 3 - i, 10 + i);
    }
    lw_waiting_leave(w, 2); /* from the middle, the old end, the new end */
    lw_waiting_leave(w, 3);
    lw_waiting_leave(w, 0);
    assert_true(lw_waiting_oldest(w, &id, &since));
    assert_int_equal(id, 1);
    assert_int_equal(since, 12);
    lw_waiting_enter(w, 3, 20);
    lw_waiting_leave(w, 1);
    assert_true(lw_waiting_oldest(w, &id, &since));
    assert_int_equal(id, 3);
    assert_int_equal(lw_waiting_since(w, 3), 20);
    lw_waiting_leave(w, 3);
    assert_false(lw_waiting_oldest(w, &id, &since));
    lw_waiting_free(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_failed_reads), cmocka_unit_test(test_one_error_excuses_one_answer),
        cmocka_unit_test(test_errors_are_passed_on), cmocka_unit_test(test_errors_in_flight_stay),
        cmocka_unit_test(test_waiting)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
