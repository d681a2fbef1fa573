/* A cache of the data path: when lookups are decided, who waits, what is kept, what is written
 * back. The values are computed by hand; what it keeps is held against a list that is scanned. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/rng.h"
#include "sim/memory/data_cache.h"

#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* 1 KiB of 64-byte lines in one set of 16 ways, unless a test changes it. */
#define SMALL .kib = 1, .ways = 16, .line = 64, .latency = 1, .lookups = 1, .mshrs = 4

static lw_data_cache *make(lw_data_cache_params params) {
    lw_error err = {""};
    assert_true(lw_data_cache_check(&params, "l1d", &err));
    lw_data_cache *c = lw_data_cache_new(&params);
    assert_non_null(c);
    return c;
}

/* Asks in `now` and decides as soon as it can be (latency 1): the outcome. */
static lw_data_lookup ask(lw_data_cache *c, uint64_t now, uint64_t line, bool store) {
    lw_data_lookup l = {0};
    assert_true(lw_data_cache_takes(c, now));
    lw_data_cache_ask(c, now, line, store, (uint32_t)line);
    assert_true(lw_data_cache_decide(c, now + 1, &l));
    assert_int_equal(l.line, line);
    assert_int_equal(l.who, line);
    assert_int_equal(l.store, store);
    return l;
}

/* A load that misses, with its line brought in: whether a dirty victim is to be written, and which.
 */
static bool load(lw_data_cache *c, uint64_t now, uint64_t line, uint64_t *victim) {
    uint32_t who = 0;
    const lw_data_lookup l = ask(c, now, line, false);
    assert_true(l.asks && !l.answered && !l.passes);
    const bool writes = lw_data_cache_fill(c, l.mshr, victim);
    assert_true(lw_data_cache_wake(c, l.mshr, &who));
    assert_int_equal(who, line);
    assert_false(lw_data_cache_wake(c, l.mshr, &who));
    return writes;
}

static void test_latency_and_lookups(void **state) {
    (void)state;
    static const struct { uint32_t latency, lookups; } rows[] = {{1, 1}, {4, 1}, {7, 3}};
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
    lw_data_cache *c = make((lw_data_cache_params){SMALL});
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

/* The third miss waits for one of two MSHRs, and the hit behind it waits with it. */
static void test_full_mshrs_hold_up(void **state) {
    (void)state;
    lw_data_cache *c = make((lw_data_cache_params){
        .kib = 1, .ways = 16, .line = 64, .latency = 4, .lookups = 1, .mshrs = 2});
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
    assert_true(lw_data_cache_decide(c, 50, &l));
    assert_true(l.who == 3 && l.answered);
    lw_data_cache_free(c);
}

/* Each MSHR stands for LW_DATA_MERGES loads: with one MSHR the ninth load of its line waits. */
static void test_full_waiters_hold_up(void **state) {
    (void)state;
    lw_data_cache *c = make((lw_data_cache_params){
        .kib = 1, .ways = 16, .line = 64, .latency = 1, .lookups = 1, .mshrs = 1});
    lw_data_lookup l;
    uint64_t victim = 0;
    uint32_t who = 0;
    uint32_t woken = 0;
    for (uint32_t n = 0; n < LW_DATA_MERGES; n++) {
        lw_data_cache_ask(c, n, 5, false, n);
        assert_true(lw_data_cache_decide(c, n + 1, &l));
    }
    lw_data_cache_ask(c, 100, 5, false, 100);
    assert_false(lw_data_cache_decide(c, 101, &l));
    (void)lw_data_cache_fill(c, 0, &victim);
    while (lw_data_cache_wake(c, 0, &who)) {
        woken++;
    }
    assert_int_equal(woken, LW_DATA_MERGES);
    assert_true(lw_data_cache_decide(c, 101, &l));
    assert_true(l.answered);
    lw_data_cache_free(c);
}

/* One set of two ways: A, B, A again, then C drives out B. */
static void test_lru(void **state) {
    (void)state;
    enum { A = 0, B = 8, C = 16 }; /* of the same of 8 sets */
    lw_data_cache *c = make((lw_data_cache_params){
        .kib = 1, .ways = 2, .line = 64, .latency = 1, .lookups = 1, .mshrs = 4});
    uint64_t victim = 0;
    assert_false(load(c, 0, A, &victim));
    assert_false(load(c, 2, B, &victim));
    assert_true(ask(c, 4, A, false).answered);
    assert_false(load(c, 6, C, &victim));
    assert_true(ask(c, 8, A, false).answered);
    assert_true(ask(c, 10, C, false).answered);
    assert_true(ask(c, 12, B, false).asks);
    lw_data_cache_free(c);
}

/* Write-back: a store that misses is answered, brings its line in, and the line is written when it
 * is driven out; until memory has taken it, its place is that of an MSHR. */
/* 16 lines in 4 sets of 4 ways; 8 lines asked for twice, 4 apart. By the lowest bits all lie in set
 * 0, where LRU has none of them the second time; by all bits, folded two by two, line 4k lies in
 * set k XOR k / 4, two in each. */
static void test_hash(void **state) {
    (void)state;
    for (uint32_t hash = 0; hash < 2; hash++) {
        lw_data_cache *c = make((lw_data_cache_params){.kib = 1,
                                                       .ways = 4,
                                                       .line = 64,
                                                       .latency = 1,
                                                       .lookups = 1,
                                                       .mshrs = 4,
                                                       .hash = hash != 0});
        uint64_t now = 0;
        uint64_t victim = 0;
        lw_data_cache_counts counts = {0};
        for (uint64_t k = 0; k < 8; k++) {
            assert_false(load(c, now += 2, 4 * k, &victim));
        }
        for (uint64_t k = 0; k < 8; k++) {
            if (hash == 0) {
                assert_false(load(c, now += 2, 4 * k, &victim));
            } else {
                assert_true(ask(c, now += 2, 4 * k, false).answered);
            }
        }
        lw_data_cache_add_counts(c, &counts);
        assert_int_equal(counts.hits, hash == 0 ? 0 : 8);
        lw_data_cache_free(c);
    }
}

static void test_write_back(void **state) {
    (void)state;
    lw_data_cache *c = make((lw_data_cache_params){.kib = 1,
                                                   .ways = 1,
                                                   .line = 64,
                                                   .latency = 1,
                                                   .lookups = 1,
                                                   .mshrs = 1,
                                                   .write_back = true});
    uint64_t victim = 0;
    uint32_t who = 0;
    const lw_data_lookup l = ask(c, 0, 3, true);
    assert_true(l.asks && l.answered && !l.passes);
    assert_false(lw_data_cache_fill(c, l.mshr, &victim));
    assert_false(lw_data_cache_wake(c, l.mshr, &who)); /* nobody waits for a store's line */
    assert_true(ask(c, 2, 3, false).answered);
    assert_true(ask(c, 4, 3, true).answered);
    assert_true(load(c, 6, 3 + 16, &victim));
    assert_int_equal(victim, 3);
    lw_data_lookup waits;
    lw_data_cache_ask(c, 8, 3 + 32, false, 0);
    assert_false(lw_data_cache_decide(c, 20, &waits));
    lw_data_cache_written(c);
    assert_true(lw_data_cache_decide(c, 20, &waits));
    assert_true(waits.asks);
    assert_false(lw_data_cache_fill(c, waits.mshr, &victim)); /* that one was clean */
    lw_data_cache_counts counts = {0};
    lw_data_cache_add_counts(c, &counts);
    assert_int_equal(counts.stores, 2);
    assert_int_equal(counts.store_hits, 1);
    assert_int_equal(counts.writebacks, 1);
    lw_data_cache_free(c);
}

/* A store that joins a load's MSHR makes the line dirty too. */
static void test_store_joins(void **state) {
    (void)state;
    lw_data_cache *c = make((lw_data_cache_params){.kib = 1,
                                                   .ways = 1,
                                                   .line = 64,
                                                   .latency = 1,
                                                   .lookups = 1,
                                                   .mshrs = 2,
                                                   .write_back = true});
    uint64_t victim = 0;
    uint32_t who = 0;
    const lw_data_lookup l = ask(c, 0, 3, false);
    const lw_data_lookup store = ask(c, 2, 3, true);
    assert_true(store.answered && !store.asks && store.mshr == l.mshr);
    assert_false(lw_data_cache_fill(c, l.mshr, &victim));
    assert_true(lw_data_cache_wake(c, l.mshr, &who));
    assert_false(lw_data_cache_wake(c, l.mshr, &who));
    assert_true(load(c, 4, 3 + 16, &victim));
    assert_int_equal(victim, 3);
    lw_data_cache_free(c);
}

/* Write-through: a store passes, brings nothing in, and touches its line where that is there. */
static void test_write_through(void **state) {
    (void)state;
    lw_data_cache *c = make((lw_data_cache_params){
        .kib = 1, .ways = 2, .line = 64, .latency = 1, .lookups = 1, .mshrs = 2});
    uint64_t victim = 0;
    lw_data_lookup l = ask(c, 0, 0, true);
    assert_true(l.passes && !l.answered && !l.asks);
    assert_false(load(c, 2, 0, &victim)); /* not there: the store allocated nothing */
    assert_false(load(c, 4, 8, &victim));
    assert_true(ask(c, 6, 0, true).passes);
    lw_data_cache_ask(c, 8, 16, true, 16); /* as many as MSHRs are under way: the third waits */
    assert_false(lw_data_cache_decide(c, 20, &l));
    lw_data_cache_stored(c);
    assert_true(lw_data_cache_decide(c, 20, &l));
    lw_data_cache_stored(c);
    lw_data_cache_stored(c);
    assert_false(
        load(c, 22, 24, &victim)); /* drives out 8, since the store touched 0; never dirty */
    assert_true(ask(c, 24, 0, false).answered);
    assert_true(ask(c, 26, 8, false).asks);
    lw_data_cache_free(c);
}

static void test_invalidate(void **state) {
    (void)state;
    lw_data_cache *c = make((lw_data_cache_params){SMALL});
    uint64_t victim = 0;
    for (uint64_t line = 0; line < 16; line++) {
        assert_false(load(c, 2 * line, line, &victim));
    }
    lw_data_cache_invalidate(c);
    for (uint64_t line = 0; line < 16; line++) {
        assert_false(load(c, 100 + 2 * line, line, &victim));
    }
    lw_data_cache_free(c);
}

/* ---------------------------------------------------------------- against a list */

enum { LINES = 16 };

typedef struct naive_line {
    bool used, dirty;
    uint64_t line, touch;
} naive_line;

static naive_line *naive_find(naive_line *set, uint32_t ways, uint64_t line) {
    for (uint32_t w = 0; w < ways; w++) {
        if (set[w].used && set[w].line == line) {
            return &set[w];
        }
    }
    return NULL;
}

static naive_line *naive_victim(naive_line *set, uint32_t ways) {
    naive_line *v = &set[0];
    for (uint32_t w = 1; w < ways; w++) {
        const bool older = set[w].touch < v->touch;
        v = v->used && (!set[w].used || older) ? &set[w] : v;
    }
    return v;
}

static void test_contents(void **state) {
    (void)state;
    static const uint32_t ways[] = {1, 2, 4, 16};
    for (size_t i = 0; i < 2 * COUNT(ways); i++) {
        const uint32_t w = ways[i / 2];
        const bool write_back = i % 2 != 0;
        lw_data_cache *c = make((lw_data_cache_params){.kib = 1,
                                                       .ways = w,
                                                       .line = 64,
                                                       .latency = 1,
                                                       .lookups = 1,
                                                       .mshrs = 1,
                                                       .write_back = write_back});
        naive_line lines[LINES];
        lw_rng rng;
        uint64_t hits = 0;
        memset(lines, 0, sizeof lines);
        lw_rng_seed(&rng, i);
        for (uint64_t n = 1; n < 20000; n++) {
            const uint64_t line = lw_rng_below(&rng, 40);
            const bool store = lw_rng_percent(&rng, 30);
            naive_line *set = &lines[line % (LINES / w) * w];
            naive_line *x = naive_find(set, w, line);
            const lw_data_lookup l = ask(c, 2 * n, line, store);
            hits += x != NULL ? 1 : 0;
            assert_int_equal(l.passes, store && !write_back);
            assert_int_equal(l.asks, x == NULL && !l.passes);
            if (l.passes) {
                lw_data_cache_stored(c);
            }
            if (l.asks) {
                uint64_t victim = 0;
                uint32_t who = 0;
                x = naive_victim(set, w);
                const bool writes = lw_data_cache_fill(c, l.mshr, &victim);
                assert_int_equal(writes, x->used && x->dirty);
                if (writes) {
                    assert_int_equal(victim, x->line);
                    lw_data_cache_written(c);
                }
                while (lw_data_cache_wake(c, l.mshr, &who)) {
                }
                *x = (naive_line){.used = true, .line = line};
            }
            if (x != NULL) {
                x->touch = n;
                x->dirty = x->dirty || (store && write_back);
            }
        }
        assert_true(hits > 1000);
        lw_data_cache_free(c);
    }
}

static void test_refusals(void **state) {
    (void)state;
    static const struct {
        lw_data_cache_params params;
        const char *sentence;
    } rows[] = {
        {{0, 16, 64, 1, 1, 1, false, false}, "l2d_kib is 0; allowed: 1..65536"},
        {{32, 65, 64, 1, 1, 1, false, false}, "l2d_ways is 65; allowed: 1..64"},
        {{32, 16, 96, 1, 1, 1, false, false}, "data_line is 96; allowed: 64, 128"},
        {{32, 16, 64, 0, 1, 1, false, false}, "l2d_latency is 0; allowed: 1..1000"},
        {{32, 16, 64, 1, 65, 1, false, false}, "l2d_lookups is 65; allowed: 1..64"},
        {{32, 16, 64, 1, 1, 4097, false, false}, "l2d_mshrs is 4097; allowed: 1..4096"},
        {{33, 16, 64, 1, 1, 1, false, false},
         "l2d_kib is 33, 528 lines; allowed: l2d_ways (16) times a power of two"},
        {{1, 3, 64, 1, 1, 1, false, false},
         "l2d_kib is 1, 16 lines; allowed: l2d_ways (3) times a power of two"},
        {{1, 32, 64, 1, 1, 1, false, false},
         "l2d_kib is 1, 16 lines; allowed: l2d_ways (32) times a power of two"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_error err = {""};
        assert_false(lw_data_cache_check(&rows[i].params, "l2d", &err));
        assert_string_equal(err.text, rows[i].sentence);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latency_and_lookups),
        cmocka_unit_test(test_merging),
        cmocka_unit_test(test_full_mshrs_hold_up),
        cmocka_unit_test(test_full_waiters_hold_up),
        cmocka_unit_test(test_lru),
        cmocka_unit_test(test_hash),
        cmocka_unit_test(test_write_back),
        cmocka_unit_test(test_store_joins),
        cmocka_unit_test(test_write_through),
        cmocka_unit_test(test_invalidate),
        cmocka_unit_test(test_contents),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
