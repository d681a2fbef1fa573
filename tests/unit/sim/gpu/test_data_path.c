/* The data path alone: what a line costs by where it is found, computed by hand; when it is written
 * back; and that idle cycles may be skipped. */
#include "tests/unit/sim/gpu/data_path_costs.h"
#include "tests/unit/sim/gpu/path_times.h"

#include "common/rng.h"

typedef struct path_ask {
    uint64_t cycle; /* not before; in the order of the table */
    uint32_t cu;
    uint64_t line; /* of 64 bytes */
    bool store;
} path_ask;

typedef struct path_run {
    lw_data_path *path;
    const path_ask *asks;
    path_times times;
    lw_data_counts counts;
    uint64_t executed;
} path_run;

/* Runs the table to its end; `launch`: a kernel begins on CU 0 before the ask of this number. */
static path_run run_path(lw_data_path_params params, const path_ask *asks, size_t count,
                         size_t launch, bool skip) {
    path_run r = {.asks = asks};
    lw_error err = {0};
    size_t next = 0;
    params.done = line_is_done;
    params.leaves_caches = line_leaves;
    params.ctx = &r.times;
    assert_true(lw_data_path_check(&params, &err));
    r.path = lw_data_path_new(&params);
    assert_non_null(r.path);
    while (r.times.answered < count) {
        lw_data_path_tick(r.path, r.times.now);
        r.executed++;
        while (next < count && asks[next].cycle <= r.times.now &&
               lw_data_path_takes(r.path, asks[next].cu, r.times.now)) {
            if (next == launch) {
                lw_data_path_launch(r.path, 0);
            }
            r.times.asked[next] = r.times.now;
            lw_data_path_ask(r.path, asks[next].cu, r.times.now, asks[next].line << 6 | 24,
                             asks[next].store, (uint32_t)next);
            next++;
        }
        uint64_t event = lw_data_path_next_event(r.path, r.times.now);
        const bool waits = next < count;
        if (waits && asks[next].cycle > r.times.now) {
            event = asks[next].cycle < event ? asks[next].cycle : event;
        } else if (waits && lw_data_path_takes(r.path, asks[next].cu, r.times.now + 1)) {
            event = r.times.now + 1;
        }
        assert_true(event > r.times.now && (event < FAKE_CYCLES || r.times.answered == count));
        r.times.now = skip ? event : r.times.now + 1;
    }
    lw_data_path_counts(r.path, &r.counts);
    lw_data_path_free(r.path);
    return r;
}

/* What each ask of a short table costs, from its being taken. */
static void test_costs(void **state) {
    (void)state;
    static const struct {
        const char *what;
        path_ask asks[4];
        size_t count;
        uint64_t cycles[4];
        uint64_t reads, writes;
    } rows[] = {
        {"a miss is the sum of all latencies; then the L1 has the line",
         {{0, 0, 5, false}, {100, 0, 5, false}},
         2,
         {MISS, L1_HIT},
         1,
         0},
        {"the other CU finds it in the L2",
         {{0, 0, 5, false}, {100, 1, 5, false}},
         2,
         {MISS, L2_HIT},
         1,
         0},
        {"a second load joins the first in the L1",
         {{0, 0, 5, false}, {10, 0, 5, false}},
         2,
         {MISS, MISS - 10},
         1,
         0},
        {"the other CU's joins it in the L2",
         {{0, 0, 5, false}, {10, 1, 5, false}},
         2,
         {MISS, MISS - 10},
         1,
         0},
        {"a store is done when the L2 has it, though its line must come; the L1 gets nothing",
         {{0, 0, 5, true}, {100, 0, 5, false}, {200, 0, 5, true}},
         3,
         {L2_HIT, L2_HIT, L2_HIT},
         1,
         0},
        {"lines of a set of the L1: the one used longest ago goes",
         {{0, 0, 0, false}, {100, 0, 8, false}, {200, 0, 24, false}, {300, 0, 0, false}},
         4,
         {MISS, MISS, MISS, L2_HIT},
         3,
         0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (int skip = 0; skip < 2; skip++) {
            const lw_data_path_params params = {PATH};
            const path_run r = run_path(params, rows[i].asks, rows[i].count, SIZE_MAX, skip != 0);
            for (size_t n = 0; n < rows[i].count; n++) {
                if (r.times.done[n] - r.times.asked[n] != rows[i].cycles[n]) {
                    fail_msg("%s: %zu takes %llu", rows[i].what, n,
                             (unsigned long long)(r.times.done[n] - r.times.asked[n]));
                }
            }
            assert_int_equal(r.counts.memory_reads, rows[i].reads);
            assert_int_equal(r.counts.memory_writes, rows[i].writes);
            assert_int_equal(r.counts.lines, rows[i].count);
        }
    }
}

/* The cycle in which a load is told to go on to memory: when the L2 has decided. */
static void test_goes_on_to_memory(void **state) {
    (void)state;
    static const path_ask asks[] = {{0, 0, 5, false}, {10, 0, 5, false}, {16, 1, 5, false}};
    const path_run r = run_path((lw_data_path_params){PATH}, asks, COUNT(asks), SIZE_MAX, false);
    assert_int_equal(r.times.left[0], L1 + CROSSBAR + L2);
    assert_int_equal(r.times.left[1], 10 + L1); /* joins what is on its way already */
    assert_int_equal(r.times.left[2], 16 + L1 + CROSSBAR + L2);
}

/* Dirty lines are written when they are driven out of the L2, in pieces of 64 bytes; lines of a set
 * of the L2 (16 sets). */
static void test_writebacks(void **state) {
    (void)state;
    for (uint32_t line = 64; line <= 128; line += 64) {
        lw_data_path_params params = {PATH};
        path_ask asks[6];
        params.l1.line = params.l2.line = line;
        params.l2.kib = 4 * line / 64;
        for (uint32_t i = 0; i < 6; i++) {
            asks[i] = (path_ask){100 * (uint64_t)i, 0, (uint64_t)i * 16 * (line / 64), i < 2};
        }
        const path_run r = run_path(params, asks, 6, SIZE_MAX, true);
        assert_int_equal(r.counts.l2.writebacks, 2);
        assert_int_equal(r.counts.memory_writes, 2 * line / 64);
        /* The last line is back, and with it all reads. */
        assert_int_equal(r.counts.memory_reads, 6 * line / 64);
        assert_int_equal(r.times.done[5] - r.times.asked[5], MISS);
        assert_int_equal(r.counts.l2.misses, 4);
        assert_int_equal(r.counts.l2.stores, 2);
    }
}

/* Where the L2 does not bring in the line of a store, it comes with the first load, which is a
 * miss; a line of which only stores were seen is written without having been read. */
static void test_stores_without_lines(void **state) {
    (void)state;
    static const path_ask asks[] = {{0, 0, 5, true},    {100, 1, 5, true},  {200, 1, 5, false},
                                    {300, 0, 5, false}, {400, 0, 0, true},  {500, 0, 16, true},
                                    {600, 0, 32, true}, {700, 0, 48, true}, {800, 0, 64, true}};
    static const uint64_t cycles[] = {L2_HIT, L2_HIT, MISS,   L2_HIT, L2_HIT,
                                      L2_HIT, L2_HIT, L2_HIT, L2_HIT};
    for (int skip = 0; skip < 2; skip++) {
        lw_data_path_params params = {PATH};
        params.l2.store_fetch = false;
        const path_run r = run_path(params, asks, COUNT(asks), SIZE_MAX, skip != 0);
        for (size_t i = 0; i < COUNT(asks); i++) {
            assert_int_equal(r.times.done[i] - r.times.asked[i], cycles[i]);
        }
        assert_int_equal(r.counts.memory_reads, 1);
        assert_int_equal(r.counts.memory_writes, 1); /* of line 0, for line 64 */
        assert_int_equal(r.counts.l2.writebacks, 1);
        assert_int_equal(r.counts.l2.store_hits, 1);
        assert_int_equal(r.counts.l2.misses, 1);
        assert_int_equal(r.counts.l2.hits, 1);
    }
}

/* A kernel's launch empties its CU's L1, not the other CU's and not the L2. */
static void test_launch_invalidates(void **state) {
    (void)state;
    static const path_ask asks[] = {
        {0, 0, 5, false}, {100, 1, 5, false}, {200, 0, 5, false}, {300, 1, 5, false}};
    const path_run r = run_path((lw_data_path_params){PATH}, asks, COUNT(asks), 2, false);
    assert_int_equal(r.times.done[2] - r.times.asked[2], L2_HIT);
    assert_int_equal(r.times.done[3] - r.times.asked[3], L1_HIT);
}

/* 64 lines, one a cycle; with two MSHRs in the L1 two at a time, a miss apart. */
static void test_width_and_mshrs(void **state) {
    (void)state;
    path_ask asks[64];
    lw_data_path_params params = {PATH};
    for (uint32_t i = 0; i < 64; i++) {
        asks[i] = (path_ask){0, 0, i, false};
    }
    params.l1.mshrs = params.l2.mshrs = 64;
    path_run r = run_path(params, asks, 64, SIZE_MAX, true);
    for (uint32_t i = 0; i < 64; i++) {
        assert_int_equal(r.times.asked[i], i);
        assert_int_equal(r.times.done[i], i + MISS);
    }
    params.l1.mshrs = 2;
    r = run_path(params, asks, 64, SIZE_MAX, true);
    for (uint32_t i = 2; i < 64; i++) {
        /* Decided in the cycle in which the line before the last is back, and that is all of L1. */
        assert_int_equal(r.times.done[i] - r.times.done[i - 2], MISS - L1);
    }
    params.l1.mshrs = 64;
    params.l2.mshrs = 2;
    r = run_path(params, asks, 64, SIZE_MAX, true);
    for (uint32_t i = 2; i < 64; i++) {
        assert_int_equal(r.times.done[i] - r.times.done[i - 2], MEMORY);
    }
}

/* As many lookups a cycle as each cache may make, of lines that all miss: CUs take turns, and the
 * narrower of the L1s together and the L2 sets the pace. The path's own memory has room for all
 * that the L2 may ask of it, whose lines of 128 bytes are two pieces each. */
static void test_lookups_a_cycle(void **state) {
    (void)state;
    enum { LINES = 64 };
    static const struct {
        uint32_t cus, l1, l2, line;
        uint64_t together; /* lines a cycle */
    } rows[] = {{1, 1, 4, 64, 1}, {1, 4, 4, 64, 4}, {1, 4, 4, 128, 4},
                {2, 1, 2, 64, 2}, {2, 1, 1, 64, 1}, {2, 2, 4, 128, 4}};
    for (size_t n = 0; n < COUNT(rows); n++) {
        path_ask asks[LINES];
        lw_data_path_params params = {PATH};
        params.l1.lookups = rows[n].l1;
        params.l2.lookups = rows[n].l2;
        params.l1.line = params.l2.line = rows[n].line;
        params.l1.mshrs = params.l2.mshrs = LINES;
        for (uint32_t i = 0; i < LINES; i++) {
            asks[i] = (path_ask){0, i % rows[n].cus, (uint64_t)i * (rows[n].line / 64), false};
        }
        const path_run r = run_path(params, asks, LINES, SIZE_MAX, true);
        for (uint32_t i = 0; i < LINES; i++) {
            assert_int_equal(r.times.asked[i], i / (rows[n].cus * rows[n].l1));
            assert_int_equal(r.times.done[i], i / rows[n].together + MISS);
        }
    }
}

/* Random asks: with and without idle cycles the same, whatever the shape. */
static void test_path_skip_is_step(void **state) {
    (void)state;
    lw_rng rng;
    lw_rng_seed(&rng, 7);
    for (uint32_t n = 0; n < 300; n++) {
        path_ask asks[MAX_ASKS];
        lw_data_path_params params = {PATH};
        uint64_t cycle = 0;
        const uint64_t gap = 1 + lw_rng_below(&rng, 20);
        const uint64_t lines = 4 + lw_rng_below(&rng, 200);
        params.l1.line = params.l2.line = n % 2 == 0 ? 64 : 128;
        params.l1.mshrs = 1 + (uint32_t)lw_rng_below(&rng, 4);
        params.l2.mshrs = 1 + (uint32_t)lw_rng_below(&rng, 4);
        params.l2.lookups = 1 + (uint32_t)lw_rng_below(&rng, 2);
        params.l2.kib = 1u << lw_rng_below(&rng, 3);
        params.l2.ways = 1u << lw_rng_below(&rng, 3);
        params.l2.store_fetch = n / 2 % 2 == 0;
        params.crossbar = 1 + (uint32_t)lw_rng_below(&rng, 9);
        params.memory_latency = 1 + (uint32_t)lw_rng_below(&rng, 60);
        for (uint32_t i = 0; i < MAX_ASKS; i++) {
            cycle += lw_rng_below(&rng, gap);
            asks[i] = (path_ask){cycle, (uint32_t)lw_rng_below(&rng, 2), lw_rng_below(&rng, lines),
                                 lw_rng_percent(&rng, 30)};
        }
        const path_run step = run_path(params, asks, MAX_ASKS, 50, false);
        const path_run skip = run_path(params, asks, MAX_ASKS, 50, true);
        assert_memory_equal(step.times.done, skip.times.done, sizeof step.times.done);
        assert_memory_equal(step.times.asked, skip.times.asked, sizeof step.times.asked);
        assert_memory_equal(step.times.left, skip.times.left, sizeof step.times.left);
        assert_memory_equal(&step.counts, &skip.counts, sizeof step.counts);
        assert_true(skip.executed < step.executed);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_costs),
        cmocka_unit_test(test_goes_on_to_memory),
        cmocka_unit_test(test_writebacks),
        cmocka_unit_test(test_stores_without_lines),
        cmocka_unit_test(test_launch_invalidates),
        cmocka_unit_test(test_width_and_mshrs),
        cmocka_unit_test(test_lookups_a_cycle),
        cmocka_unit_test(test_path_skip_is_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
