/* The lines of a cache of the data path: which it keeps, which it drives out and which of those are
 * written; by hand; test_data_cache_list.c has the same against a list. */
#include "tests/unit/sim/memory/data_cache_run.h"

#include "common/rng.h"

/* One set of two ways: A, B, A again, then C drives out B. */
static void test_lru(void **state) {
    (void)state;
    enum { A = 0, B = 8, C = 16 }; /* of the same of 8 sets */
    lw_data_cache *c = make((lw_data_cache_params){SMALL, .ways = 2, .latency = 1, .mshrs = 4});
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

/* What is dropped leaves its place to the next line, though another has been used longer ago. */
static void test_empty_place_first(void **state) {
    (void)state;
    enum { A = 0, B = 8, C = 16 };
    lw_data_cache *c = make((lw_data_cache_params){SMALL, .ways = 2, .latency = 1, .mshrs = 4});
    uint64_t victim = 0;
    assert_false(load(c, 0, A, &victim));
    assert_false(load(c, 2, B, &victim));
    lw_data_cache_drop(c, B);
    assert_false(load(c, 4, C, &victim));
    assert_true(ask(c, 6, A, false).answered);
    assert_true(ask(c, 8, C, false).answered);
    lw_data_cache_free(c);
}

/* 16 lines in 4 sets of 4 ways; 8 lines asked for twice, 4 apart. By the lowest bits all lie in set
 * 0, where LRU has none of them the second time; by all bits, folded two by two, line 4k lies in
 * set k XOR k / 4, two in each. */
static void test_hash(void **state) {
    (void)state;
    for (uint32_t hash = 0; hash < 2; hash++) {
        lw_data_cache *c = make(
            (lw_data_cache_params){SMALL, .ways = 4, .latency = 1, .mshrs = 4, .hash = hash != 0});
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

/* A line's set is its number folded by XOR in parts of the bits that name a set, all of them: with
 * 16 sets of one way a line stays exactly where the other's folded number is not its own. With one
 * set all share it, whatever their numbers. */
static void test_all_bits_choose_the_set(void **state) {
    (void)state;
    lw_rng rng;
    lw_rng_seed(&rng, 3);
    for (uint64_t n = 0; n < 500; n++) {
        lw_data_cache *c =
            make((lw_data_cache_params){SMALL, .ways = 1, .latency = 1, .mshrs = 4, .hash = true});
        const uint64_t first = lw_rng_below(&rng, UINT64_C(1) << 28);
        const uint64_t second =
            first ^ UINT64_C(1) << lw_rng_below(&rng, 28) ^ UINT64_C(1) << lw_rng_below(&rng, 28);
        uint64_t folded = 0;
        uint64_t victim = 0;
        for (uint32_t shift = 0; shift < 28; shift += 4) {
            folded ^= (first ^ second) >> shift & 15;
        }
        assert_false(load(c, 0, first, &victim));
        if (first != second) {
            assert_false(load(c, 2, second, &victim));
        }
        assert_int_equal(ask(c, 4, first, false).answered, first == second || folded != 0);
        lw_data_cache_free(c);
    }
    lw_data_cache *c =
        make((lw_data_cache_params){SMALL, .ways = 16, .latency = 1, .mshrs = 4, .hash = true});
    uint64_t victim = 0;
    for (uint64_t k = 0; k < 16; k++) {
        assert_false(load(c, 2 * k, k << k, &victim));
    }
    for (uint64_t k = 0; k < 16; k++) {
        assert_true(ask(c, 40 + 2 * k, k << k, false).answered);
    }
    lw_data_cache_free(c);
}

/* A cache has as many lines as its bytes: those of 128 KiB side by side are all there, and the next
 * drives out the first. */
static void test_size(void **state) {
    (void)state;
    for (uint64_t line = 64; line <= 128; line += 64) {
        const uint64_t lines = UINT64_C(128) * 1024 / line;
        lw_data_cache *c = make((lw_data_cache_params){
            .kib = 128, .ways = 2, .latency = 1, .line = (uint32_t)line, .lookups = 1, .mshrs = 1});
        uint64_t now = 0;
        uint64_t victim = 0;
        for (uint64_t l = 0; l < lines; l++) {
            assert_false(load(c, now += 2, l, &victim));
        }
        for (uint64_t l = 0; l < lines; l++) {
            assert_true(ask(c, now += 2, l, false).answered);
        }
        assert_false(load(c, now += 2, lines, &victim));
        assert_int_equal(victim, 0);
        assert_true(ask(c, now += 2, 0, false).asks);
        lw_data_cache_free(c);
    }
}

/* Write-back with store_fetch: a store that misses is answered, brings its line in, and the line is
 * written when it is driven out; until memory has taken it, its place is that of an MSHR. */
static void test_write_back(void **state) {
    (void)state;
    lw_data_cache *c = make((lw_data_cache_params){SMALL, .ways = 1, .latency = 1, .mshrs = 1,
                                                   .write_back = true, .store_fetch = true});
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

/* Without store_fetch: a store that misses takes a place for itself and asks for nothing. The line
 * comes with the first load, around what is there, and stays dirty. */
static void test_store_without_line(void **state) {
    (void)state;
    lw_data_cache *c = make(
        (lw_data_cache_params){SMALL, .ways = 1, .latency = 1, .mshrs = 1, .write_back = true});
    uint64_t victim = 0;
    uint32_t who = 0;
    lw_data_lookup l = ask(c, 0, 3, true);
    assert_true(l.answered && !l.asks && !l.passes && !l.evicts);
    l = ask(c, 2, 3, true);
    assert_true(l.answered && !l.asks && !l.evicts);
    assert_false(load(c, 4, 3, &victim));
    assert_true(ask(c, 6, 3, false).answered);
    /* Another store in its way drives it out, for as long as an MSHR's place is free. */
    l = ask(c, 8, 3 + 16, true);
    assert_true(l.answered && !l.asks && l.evicts);
    assert_int_equal(l.victim, 3);
    lw_data_cache_ask(c, 10, 3 + 32, true, 0);
    assert_false(lw_data_cache_decide(c, 20, &l));
    assert_true(lw_data_cache_next_event(c, 20) == UINT64_MAX);
    lw_data_cache_written(c);
    assert_true(lw_data_cache_decide(c, 20, &l));
    assert_true(l.evicts && l.victim == 3 + 16);
    lw_data_cache_written(c);
    /* Driven out while a load waits for it, it comes whole, and clean: its bytes are in memory. */
    const lw_data_lookup waits = ask(c, 22, 3 + 32, false);
    assert_true(waits.asks && !waits.answered);
    lw_data_cache_drop(c, 3 + 32);
    assert_false(lw_data_cache_fill(c, waits.mshr, &victim));
    assert_true(lw_data_cache_wake(c, waits.mshr, &who));
    assert_false(lw_data_cache_wake(c, waits.mshr, &who));
    assert_false(load(c, 24, 3, &victim));
    lw_data_cache_counts counts = {0};
    lw_data_cache_add_counts(c, &counts);
    assert_int_equal(counts.stores, 4);
    assert_int_equal(counts.store_hits, 1);
    assert_int_equal(counts.hits, 1);
    assert_int_equal(counts.misses, 3);
    assert_int_equal(counts.writebacks, 2);
    lw_data_cache_free(c);
}

/* A store that joins a load's MSHR makes the line dirty too, and needs no place before it comes:
 * the line whose place that will be stays until then. */
static void test_store_joins(void **state) {
    (void)state;
    lw_data_cache *c = make(
        (lw_data_cache_params){SMALL, .ways = 1, .latency = 1, .mshrs = 2, .write_back = true});
    uint64_t victim = 0;
    uint32_t who = 0;
    assert_true(ask(c, 0, 3 + 32, true).answered);
    const lw_data_lookup l = ask(c, 2, 3, false);
    const lw_data_lookup store = ask(c, 4, 3, true);
    assert_true(store.answered && !store.asks && !store.evicts && store.mshr == l.mshr);
    const lw_data_lookup again = ask(c, 6, 3 + 32, true);
    assert_true(again.answered && !again.asks && !again.evicts);
    assert_true(lw_data_cache_fill(c, l.mshr, &victim));
    assert_int_equal(victim, 3 + 32);
    assert_true(lw_data_cache_wake(c, l.mshr, &who));
    assert_false(lw_data_cache_wake(c, l.mshr, &who));
    lw_data_cache_written(c);
    assert_true(load(c, 8, 3 + 16, &victim));
    assert_int_equal(victim, 3);
    lw_data_cache_free(c);
}

/* A load that joins a store's MSHR leaves the line dirty. */
static void test_load_joins_store(void **state) {
    (void)state;
    lw_data_cache *c = make((lw_data_cache_params){SMALL, .ways = 1, .latency = 1, .mshrs = 2,
                                                   .write_back = true, .store_fetch = true});
    uint64_t victim = 0;
    uint32_t who = 0;
    const lw_data_lookup store = ask(c, 0, 3, true);
    const lw_data_lookup l = ask(c, 2, 3, false);
    assert_true(!l.answered && !l.asks && l.mshr == store.mshr);
    assert_false(lw_data_cache_fill(c, store.mshr, &victim));
    assert_true(lw_data_cache_wake(c, store.mshr, &who));
    assert_false(lw_data_cache_wake(c, store.mshr, &who));
    assert_true(load(c, 4, 3 + 16, &victim));
    assert_int_equal(victim, 3);
    lw_data_cache_free(c);
}

/* Write-through: a store passes, brings nothing in, and touches its line where that is there. */
static void test_write_through(void **state) {
    (void)state;
    lw_data_cache *c = make((lw_data_cache_params){SMALL, .ways = 2, .latency = 1, .mshrs = 2});
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
    lw_data_cache *c = make((lw_data_cache_params){SMALL, .ways = 16, .latency = 1, .mshrs = 4});
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

/* A line that is dropped is gone, that one alone and for good; its way is the next to be filled,
 * though it was used last, and nothing is written for it, dirty or not. */
static void test_drop(void **state) {
    (void)state;
    for (uint64_t gone = 0; gone < 2; gone++) {
        lw_data_cache *c = make(
            (lw_data_cache_params){SMALL, .ways = 2, .latency = 1, .mshrs = 4, .write_back = true});
        uint64_t victim = 0;
        assert_false(load(c, 0, 0, &victim)); /* lines 0, 8 and 16 are of one set */
        assert_false(load(c, 2, 8, &victim));
        assert_true(ask(c, 4, 8 * gone, true).answered);
        lw_data_cache_drop(c, 8 * gone);
        lw_data_cache_drop(c, 24); /* which is not there */
        assert_false(load(c, 6, 16, &victim));
        assert_true(ask(c, 8, 8 - 8 * gone, false).answered);
        assert_true(ask(c, 10, 16, false).answered);
        lw_data_cache_invalidate(c);
        assert_true(ask(c, 12, 8 * gone, false).asks);
        lw_data_cache_free(c);
    }
}

/* A line that is still to come is not stopped by either. */
static void test_line_to_come(void **state) {
    (void)state;
    lw_data_cache *c = make((lw_data_cache_params){SMALL, .ways = 2, .latency = 1, .mshrs = 4});
    uint64_t victim = 0;
    uint32_t who = 0;
    const lw_data_lookup l = ask(c, 0, 5, false);
    lw_data_cache_drop(c, 5);
    lw_data_cache_invalidate(c);
    assert_false(lw_data_cache_fill(c, l.mshr, &victim));
    assert_true(lw_data_cache_wake(c, l.mshr, &who));
    assert_false(lw_data_cache_wake(c, l.mshr, &who));
    assert_true(ask(c, 2, 5, false).answered);
    lw_data_cache_free(c);
}

/* A line that was dropped is not there after all are gone either. */
static void test_drop_then_invalidate(void **state) {
    (void)state;
    lw_data_cache *c = make((lw_data_cache_params){SMALL, .ways = 2, .latency = 1, .mshrs = 4});
    uint64_t victim = 0;
    assert_false(load(c, 0, 5, &victim));
    lw_data_cache_drop(c, 5);
    lw_data_cache_invalidate(c);
    assert_true(ask(c, 2, 5, false).asks);
    lw_data_cache_free(c);
}

/* A store that takes a place by itself waits while no MSHR is free, though it drives nothing out.
 */
static void test_store_waits_for_an_mshr(void **state) {
    (void)state;
    lw_data_cache *c = make(
        (lw_data_cache_params){SMALL, .ways = 1, .latency = 1, .mshrs = 1, .write_back = true});
    uint64_t victim = 0;
    uint32_t who = 0;
    lw_data_lookup l = ask(c, 0, 3, false);
    lw_data_lookup store = {0};
    lw_data_cache_ask(c, 2, 4, true, 4);
    assert_false(lw_data_cache_decide(c, 3, &store));
    (void)lw_data_cache_fill(c, l.mshr, &victim);
    assert_true(lw_data_cache_wake(c, l.mshr, &who));
    assert_false(lw_data_cache_wake(c, l.mshr, &who));
    assert_true(lw_data_cache_decide(c, 3, &store));
    assert_true(store.answered && !store.evicts && !store.asks);
    lw_data_cache_free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lru),
        cmocka_unit_test(test_empty_place_first),
        cmocka_unit_test(test_hash),
        cmocka_unit_test(test_all_bits_choose_the_set),
        cmocka_unit_test(test_size),
        cmocka_unit_test(test_write_back),
        cmocka_unit_test(test_store_without_line),
        cmocka_unit_test(test_store_joins),
        cmocka_unit_test(test_load_joins_store),
        cmocka_unit_test(test_write_through),
        cmocka_unit_test(test_invalidate),
        cmocka_unit_test(test_drop),
        cmocka_unit_test(test_line_to_come),
        cmocka_unit_test(test_drop_then_invalidate),
        cmocka_unit_test(test_store_waits_for_an_mshr),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
