/* The lines of a cache of the data path, as loads and stores at random leave them, against a list
 * that is scanned: write-through, and write-back with the lines of stores brought in and not. */
#include "tests/unit/sim/memory/data_cache_run.h"

#include "common/rng.h"

#include <string.h>

enum { LINES = 16 };

typedef struct naive_line {
    bool used, dirty, in_part;
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
    for (size_t i = 0; i < 3 * COUNT(ways); i++) {
        const uint32_t w = ways[i / 3];
        const bool write_back = i % 3 != 0;
        const bool fetch = i % 3 == 1;
        lw_data_cache *c =
            make((lw_data_cache_params){SMALL, .ways = w, .latency = 1, .mshrs = 1,
                                        .write_back = write_back, .store_fetch = fetch});
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
            const bool alone = write_back && !fetch && store && x == NULL;
            hits += x != NULL && (store || !x->in_part) ? 1 : 0;
            assert_int_equal(l.passes, store && !write_back);
            assert_int_equal(l.asks, (x == NULL && !l.passes && !alone) ||
                                         (x != NULL && x->in_part && !store));
            if (l.passes) {
                lw_data_cache_stored(c);
            }
            if (alone) {
                x = naive_victim(set, w);
                assert_int_equal(l.evicts, x->used && x->dirty);
                if (l.evicts) {
                    assert_int_equal(l.victim, x->line);
                    lw_data_cache_written(c);
                }
                *x = (naive_line){.used = true, .in_part = true, .line = line};
            }
            if (l.asks) {
                uint64_t victim = 0;
                uint32_t who = 0;
                const bool comes = x == NULL;
                x = comes ? naive_victim(set, w) : x;
                const bool writes = lw_data_cache_fill(c, l.mshr, &victim);
                assert_int_equal(writes, comes && x->used && x->dirty);
                if (writes) {
                    assert_int_equal(victim, x->line);
                    lw_data_cache_written(c);
                }
                while (lw_data_cache_wake(c, l.mshr, &who)) {
                }
                *x = (naive_line){.used = true, .line = line, .dirty = !comes};
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
