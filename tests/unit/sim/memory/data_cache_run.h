/* A small cache of the data path, a lookup in it and a load that brings its line in, for the tests
 * of the cache. */
#ifndef LW_TESTS_UNIT_SIM_MEMORY_DATA_CACHE_RUN_H
#define LW_TESTS_UNIT_SIM_MEMORY_DATA_CACHE_RUN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/memory/data_cache.h"

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* 16 lines, one lookup a cycle. */
#define SMALL .kib = 1, .line = 64, .lookups = 1

static inline lw_data_cache *make(lw_data_cache_params params) {
    lw_error err = {0};
    assert_true(lw_data_cache_check(&params, "l1d", &err));
    lw_data_cache *c = lw_data_cache_new(&params);
    assert_non_null(c);
    return c;
}

/* Asks in `now` and decides as soon as it can be (latency 1): the outcome. */
static inline lw_data_lookup ask(lw_data_cache *c, uint64_t now, uint64_t line, bool store) {
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
static inline bool load(lw_data_cache *c, uint64_t now, uint64_t line, uint64_t *victim) {
    uint32_t who = 0;
    const lw_data_lookup l = ask(c, now, line, false);
    assert_true(l.asks && !l.answered && !l.passes);
    const bool writes = lw_data_cache_fill(c, l.mshr, victim);
    assert_true(lw_data_cache_wake(c, l.mshr, &who));
    assert_int_equal(who, line);
    assert_false(lw_data_cache_wake(c, l.mshr, &who));
    return writes;
}

#endif
