/* A cache of the data path: when lookups are decided, who waits for whom, and what is refused. What
 * it keeps is in test_data_cache_lines.c. */
#include "tests/unit/sim/memory/data_cache_run.h"

static void test_latency_and_lookups(void **state) {
    (void)state;
    static const struct { uint32_t latency, lookups; } rows[] = {{1, 1}, {4, 1}, {4, 2}, {7, 3}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const uint32_t latency = rows[i].latency;
        lw_data_cache *c = make((lw_data_cache_params){.kib = 1,
                                                       .ways = 1,
                                                       .line = 64,
                                                       .latency = latency,
                                                       .lookups = rows[i].lookups,
                                                       .mshrs = 64});
        lw_data_lookup l;
        assert_true(lw_data_cache_next_event(c, 9) == UINT64_MAX);
        for (uint64_t now = 10; now < 10 + latency; now++) {
            for (uint32_t n = 0; n < rows[i].lookups; n++) {
                assert_true(lw_data_cache_takes(c, now));
                lw_data_cache_ask(c, now, now, false, n);
            }
            assert_false(lw_data_cache_takes(c, now)); /* no more in this cycle */
            assert_false(lw_data_cache_decide(c, now, &l));
            assert_int_equal(lw_data_cache_next_event(c, now), 10 + latency);
        }
        assert_false(lw_data_cache_takes(c, 10 + latency)); /* the pipeline is full */
        for (uint32_t n = 0; n < rows[i].lookups; n++) {
            assert_true(lw_data_cache_decide(c, 10 + latency, &l));
            assert_int_equal(l.who, n);
        }
        assert_int_equal(lw_data_cache_decide(c, 10 + latency, &l), false);
        assert_true(lw_data_cache_takes(c, 10 + latency));
        lw_data_cache_free(c);
    }
}

/* Loads of a line that is under way join its MSHR: one asks, all are woken, in the order they came.
 */
static void test_merging(void **state) {
    (void)state;
    lw_data_cache *c = make((lw_data_cache_params){SMALL, .ways = 16, .latency = 1, .mshrs = 4});
    lw_data_lookup first = {0};
    uint64_t victim = 0;
    uint32_t who = 0;
    for (uint32_t n = 0; n < 3; n++) {
        lw_data_lookup l;
        lw_data_cache_ask(c, n, 77, false, n);
        assert_true(lw_data_cache_decide(c, n + 1, &l));
        assert_int_equal(l.asks, n == 0);
        assert_false(l.answered);
        first = n == 0 ? l : first;
        assert_int_equal(l.mshr, first.mshr);
    }
    assert_false(lw_data_cache_fill(c, first.mshr, &victim));
    for (uint32_t n = 0; n < 3; n++) {
        assert_true(lw_data_cache_wake(c, first.mshr, &who));
        assert_int_equal(who, n);
    }
    assert_false(lw_data_cache_wake(c, first.mshr, &who));
    assert_true(ask(c, 9, 77, false).answered);
    lw_data_cache_counts counts = {0};
    lw_data_cache_add_counts(c, &counts);
    assert_int_equal(counts.hits, 1);
    assert_int_equal(counts.misses, 3);
    lw_data_cache_free(c);
}

typedef struct told {
    uint32_t who[4], count;
} told;

static void note_who(void *ctx, uint32_t who) {
    told *t = ctx;
    assert_true(t->count < COUNT(t->who));
    t->who[t->count++] = who;
}

/* Once it is known that a line comes from far below, the loads that wait for it are told, once and
 * in their order; who joins later hears it from its decision, and the MSHR's next line is not far.
 */
static void test_a_line_from_far_below(void **state) {
    (void)state;
    lw_data_cache *c = make((lw_data_cache_params){SMALL, .ways = 16, .latency = 1, .mshrs = 1});
    told t = {.count = 0};
    uint64_t victim = 0;
    uint32_t who = 0;
    lw_data_lookup l = {0};
    for (uint32_t n = 0; n < 3; n++) {
        lw_data_cache_ask(c, n, 77, false, n);
        assert_true(lw_data_cache_decide(c, n + 1, &l));
        assert_int_equal(l.far, n == 2);
        assert_int_equal(lw_data_cache_far(c, l.mshr), n == 2);
        if (n == 1) {
            lw_data_cache_is_far(c, l.mshr, note_who, &t);
        }
    }
    lw_data_cache_is_far(c, l.mshr, note_who, &t);
    assert_int_equal(t.count, 2);
    assert_true(t.who[0] == 0 && t.who[1] == 1);
    assert_false(lw_data_cache_fill(c, l.mshr, &victim));
    while (lw_data_cache_wake(c, l.mshr, &who)) {
    }
    assert_false(ask(c, 9, 78, false).far);
    assert_false(lw_data_cache_far(c, l.mshr));
    lw_data_cache_free(c);
}

/* The third miss waits for one of two MSHRs, and the hit behind it waits with it. */
static void test_full_mshrs_hold_up(void **state) {
    (void)state;
    lw_data_cache *c = make((lw_data_cache_params){SMALL, .ways = 16, .latency = 4, .mshrs = 2});
    lw_data_lookup l;
    uint64_t victim = 0;
    uint32_t who = 0;
    uint32_t mshr[2];
    for (uint32_t n = 0; n < 3; n++) {
        lw_data_cache_ask(c, n, n, false, n);
    }
    lw_data_cache_ask(c, 3, 1, false, 3);
    for (uint32_t n = 0; n < 2; n++) {
        assert_true(lw_data_cache_decide(c, n + 4, &l));
        mshr[n] = l.mshr;
    }
    assert_false(lw_data_cache_decide(c, 50, &l));
    assert_true(lw_data_cache_next_event(c, 50) == UINT64_MAX);
    (void)lw_data_cache_fill(c, mshr[1], &victim);
    assert_false(lw_data_cache_decide(c, 50, &l)); /* its load is not yet woken */
    while (lw_data_cache_wake(c, mshr[1], &who)) {
    }
    assert_true(lw_data_cache_decide(c, 50, &l));
    assert_true(l.who == 2 && l.asks);
    assert_false(lw_data_cache_decide(c, 50, &l)); /* a lookup a cycle, also after a wait */
    assert_int_equal(lw_data_cache_next_event(c, 50), 51);
    assert_true(lw_data_cache_decide(c, 51, &l));
    assert_true(l.who == 3 && l.answered);
    lw_data_cache_free(c);
}

/* Of those that have waited no more are decided in a cycle than a pipeline's end has ports. */
static void test_no_catching_up(void **state) {
    (void)state;
    for (uint32_t lookups = 1; lookups <= 4; lookups++) {
        lw_data_cache *c = make((lw_data_cache_params){
            .kib = 1, .ways = 16, .line = 64, .latency = 6, .lookups = lookups, .mshrs = 64});
        lw_data_lookup l;
        for (uint32_t n = 0; n < 6 * lookups; n++) {
            lw_data_cache_ask(c, n / lookups, n, false, n);
        }
        for (uint64_t now = 30; now < 36; now++) {
            for (uint32_t n = 0; n < lookups; n++) {
                assert_true(lw_data_cache_decide(c, now, &l));
            }
            assert_false(lw_data_cache_decide(c, now, &l));
            assert_true(lw_data_cache_next_event(c, now) == (now < 35 ? now + 1 : UINT64_MAX));
        }
        lw_data_cache_free(c);
    }
}

/* Eight loads an MSHR wait in the mean, so of two 15 for one line and one for the other. The next
 * load waits until one of these is woken; a store, which nobody waits for, does not. */
static void test_full_waiters_hold_up(void **state) {
    (void)state;
    enum { ONE = 5, OTHER = 9, LOADS = 15 };
    lw_data_cache *c = make((lw_data_cache_params){SMALL, .ways = 16, .latency = 1, .mshrs = 2,
                                                   .write_back = true, .store_fetch = true});
    lw_data_lookup l;
    uint64_t victim = 0;
    uint32_t who = 0;
    for (uint32_t n = 0; n <= LOADS; n++) {
        l = (lw_data_lookup){.line = 0};
        lw_data_cache_ask(c, n, n < LOADS ? ONE : OTHER, false, n);
        assert_true(lw_data_cache_decide(c, n + 1, &l));
        assert_int_equal(l.asks, n == 0 || n == LOADS);
    }
    const uint32_t mshr = l.mshr;
    lw_data_cache_ask(c, 50, ONE, true, 50);
    assert_true(lw_data_cache_decide(c, 51, &l));
    assert_true(l.answered);
    lw_data_cache_ask(c, 100, ONE, false, 100);
    assert_false(lw_data_cache_decide(c, 101, &l));
    (void)lw_data_cache_fill(c, mshr, &victim);
    assert_true(lw_data_cache_wake(c, mshr, &who));
    assert_int_equal(who, LOADS);
    assert_false(lw_data_cache_wake(c, mshr, &who));
    assert_true(lw_data_cache_decide(c, 101, &l));
    assert_false(l.answered || l.asks); /* it joins the others */
    lw_data_cache_free(c);
}

static void test_refusals(void **state) {
    (void)state;
    static const struct {
        lw_data_cache_params params;
        const char *sentence;
    } rows[] = {
        {{0, 16, 64, 1, 1, 1, false, false, false}, "l2d_kib is 0; allowed: 1..65536"},
        {{32, 65, 64, 1, 1, 1, false, false, false}, "l2d_ways is 65; allowed: 1..64"},
        {{32, 16, 96, 1, 1, 1, false, false, false}, "data_line is 96; allowed: 64, 128"},
        {{32, 16, 64, 0, 1, 1, false, false, false}, "l2d_latency is 0; allowed: 1..1000"},
        {{32, 16, 64, 1, 65, 1, false, false, false}, "l2d_lookups is 65; allowed: 1..64"},
        {{32, 16, 64, 1, 1, 4097, false, false, false}, "l2d_mshrs is 4097; allowed: 1..4096"},
        {{33, 16, 64, 1, 1, 1, false, false, false},
         "l2d_kib is 33, 528 lines; allowed: l2d_ways (16) times a power of two"},
        {{1, 3, 64, 1, 1, 1, false, false, false},
         "l2d_kib is 1, 16 lines; allowed: l2d_ways (3) times a power of two"},
        {{1, 32, 64, 1, 1, 1, false, false, false},
         "l2d_kib is 1, 16 lines; allowed: l2d_ways (32) times a power of two"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_error err = {0};
        assert_false(lw_data_cache_check(&rows[i].params, "l2d", &err));
        assert_string_equal(err.text, rows[i].sentence);
    }
}

/* The smallest and the largest value of each key are taken. */
static void test_bounds(void **state) {
    (void)state;
    static const lw_data_cache_params rows[] = {
        {1, 1, 64, 1, 1, 1, false, false, false},
        {65536, 64, 128, 1000, 64, 4096, true, true, true},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_error err = {0};
        assert_true(lw_data_cache_check(&rows[i], "l2d", &err));
        assert_string_equal(err.text, "");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latency_and_lookups),
        cmocka_unit_test(test_merging),
        cmocka_unit_test(test_a_line_from_far_below),
        cmocka_unit_test(test_full_mshrs_hold_up),
        cmocka_unit_test(test_no_catching_up),
        cmocka_unit_test(test_full_waiters_hold_up),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
