/* Page walks that read through the L2 data cache: what a read costs by where its line is, how it
 * shares the L2 with the CUs' lines, what the CPU's writes to tables do, and that idle cycles may
 * be skipped. */
#include "tests/unit/sim/gpu/data_path_costs.h"
#include "tests/unit/sim/gpu/fake_unit.h"

#include "common/rng.h"

enum { MAX_READS = 120, WALKS = 16, NOBODY = 999 };

/* A walk reads a line of 64 bytes, or CU 0 loads it, or the CPU writes to it. */
typedef enum reader { WALK, CU, CPU } reader;

typedef struct path_read {
    uint64_t cycle; /* not before; in the order of the table */
    reader by;
    uint64_t line;
} path_read;

typedef struct walks_run {
    lw_data_path *path;
    uint64_t now;
    uint64_t asked[MAX_READS], done[MAX_READS]; /* cycles */
    size_t answered;
    lw_data_counts counts;
    uint64_t executed;
} walks_run;

static void answer(walks_run *r, uint32_t who) {
    assert_true(who < MAX_READS);
    assert_int_equal(r->done[who], 0); /* once */
    r->done[who] = r->now;
    r->answered++;
}

static void done(void *ctx, uint32_t who, lw_data_place from) {
    (void)from;
    answer(ctx, who);
}

static void leaves_caches(void *ctx, uint32_t who) {
    (void)ctx;
    assert_true(who < MAX_READS);
}

/* Whether this read is taken in this cycle; it is before the tick for walks, after it for CUs. */
static bool takes(walks_run *r, const path_read *read, uint32_t n, bool ticked) {
    lw_memory *walks = lw_data_path_walks(r->path);
    const lw_memory_request request = {.line = read->line, .user = LW_MEMORY_WALKS, .id = n};
    if (read->cycle > r->now || (read->by == CU) != ticked) {
        return false;
    }
    if (read->by == CPU) {
        lw_data_path_table_changes(r->path, read->line << 6 | 24);
        answer(r, n);
    } else if (read->by == WALK && walks->ready(walks->state, r->now, &request)) {
        walks->ask(walks->state, r->now, &request);
    } else if (read->by == CU && lw_data_path_takes(r->path, 0, r->now)) {
        lw_data_path_ask(r->path, 0, r->now, read->line << 6, false, n);
    } else {
        return false;
    }
    r->asked[n] = r->now;
    return true;
}

/* Runs the table to its end, in every cycle or only in those of events. */
static walks_run run_walks(lw_data_path_params params, const path_read *reads, size_t count,
                           bool skip) {
    walks_run r = {.path = NULL};
    lw_error err = {0};
    size_t next = 0;
    uint32_t id = NOBODY;
    params.done = done;
    params.leaves_caches = leaves_caches;
    params.ctx = &r;
    assert_true(lw_data_path_check(&params, &err));
    r.path = lw_data_path_new(&params);
    assert_non_null(r.path);
    lw_memory *walks = lw_data_path_walks(r.path);
    while (r.answered < count) {
        assert_false(walks->finished(walks->state, r.now, LW_MEMORY_DATA, &id));
        while (walks->finished(walks->state, r.now, LW_MEMORY_WALKS, &id)) {
            answer(&r, id);
        }
        while (next < count && takes(&r, &reads[next], (uint32_t)next, false)) {
            next++;
        }
        lw_data_path_tick(r.path, r.now);
        r.executed++;
        while (next < count && takes(&r, &reads[next], (uint32_t)next, true)) {
            next++;
        }
        uint64_t event = walks->next_event(walks->state, r.now);
        if (next < count && reads[next].cycle < event) {
            event = reads[next].cycle > r.now ? reads[next].cycle : r.now + 1;
        }
        assert_true(event > r.now && (event < FAKE_CYCLES || r.answered == count));
        r.now = skip ? event : r.now + 1;
    }
    lw_data_path_counts(r.path, &r.counts);
    lw_data_path_free(r.path);
    return r;
}

/* A read is looked up in the tick of the cycle in which it is asked for, and what the L2 has in a
 * tick is taken a cycle later: so a hit takes the lookup and one cycle more. */
enum { WALK_HIT = L2 + 1, WALK_MISS = L2 + MEMORY + 1 };

static void test_costs(void **state) {
    (void)state;
    static const struct {
        const char *what;
        path_read reads[4];
        size_t count;
        uint64_t cycles[4];
        uint64_t hits, misses, walk_reads, all_reads;
    } rows[] = {
        {"a miss goes to memory, then the L2 has the line",
         {{0, WALK, 5}, {100, WALK, 5}},
         2,
         {WALK_MISS, WALK_HIT},
         1,
         1,
         1,
         1},
        {"reads of one line join, and memory is asked once",
         {{0, WALK, 5}, {10, WALK, 5}},
         2,
         {WALK_MISS, WALK_MISS - 10},
         0,
         2,
         1,
         1},
        {"a CU finds what a walk has brought in",
         {{0, WALK, 5}, {100, CU, 5}},
         2,
         {WALK_MISS, L2_HIT},
         0,
         1,
         1,
         1},
        {"a walk finds what a CU has brought in, which is no read of a walk's",
         {{0, CU, 5}, {100, WALK, 5}},
         2,
         {MISS, WALK_HIT},
         1,
         0,
         0,
         1},
        {"what the CPU has written to is read from memory again",
         {{0, WALK, 5}, {100, WALK, 5}, {200, CPU, 5}, {200, WALK, 5}},
         4,
         {WALK_MISS, WALK_HIT, 0, WALK_MISS},
         1,
         2,
         2,
         2},
        {"another line stays, and so do the places of the set",
         {{0, WALK, 5}, {100, CPU, 21}, {200, WALK, 5}, {300, WALK, 21}},
         4,
         {WALK_MISS, 0, WALK_HIT, WALK_MISS},
         1,
         2,
         2,
         2},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        for (int skip = 0; skip < 2; skip++) {
            const lw_data_path_params params = {PATH, .walks = WALKS};
            const walks_run r = run_walks(params, rows[i].reads, rows[i].count, skip != 0);
            for (size_t n = 0; n < rows[i].count; n++) {
                if (r.done[n] - r.asked[n] != rows[i].cycles[n]) {
                    fail_msg("%s: %zu takes %llu", rows[i].what, n,
                             (unsigned long long)(r.done[n] - r.asked[n]));
                }
            }
            assert_true(r.counts.has_walks);
            assert_int_equal(r.counts.walk_hits, rows[i].hits);
            assert_int_equal(r.counts.walk_misses, rows[i].misses);
            assert_int_equal(r.counts.walk_reads, rows[i].walk_reads);
            assert_int_equal(r.counts.memory_reads, rows[i].all_reads);
        }
    }
}

/* A line of the L2 of 128 bytes is two of the walks', and two reads of memory. */
static void test_lines_of_128(void **state) {
    (void)state;
    static const path_read reads[] = {{0, WALK, 6}, {100, WALK, 7}, {200, WALK, 8}};
    lw_data_path_params params = {PATH, .walks = WALKS};
    params.l1.line = params.l2.line = 128;
    const walks_run r = run_walks(params, reads, COUNT(reads), true);
    assert_int_equal(r.done[1] - r.asked[1], WALK_HIT);
    assert_int_equal(r.done[2] - r.asked[2], WALK_MISS);
    assert_int_equal(r.counts.walk_reads, 4);
}

/* With a lookup a cycle the walk goes first: the CU's line comes to the L2 in cycle L1 + CROSSBAR.
 */
static void test_walks_are_looked_up_first(void **state) {
    (void)state;
    enum { MEET = L1 + CROSSBAR };
    static const path_read alone[] = {{0, CU, 5}};
    static const path_read both[] = {{0, CU, 5}, {MEET, WALK, 6}};
    const lw_data_path_params params = {PATH, .walks = WALKS};
    assert_int_equal(run_walks(params, alone, 1, false).done[0], MISS);
    const walks_run r = run_walks(params, both, 2, false);
    assert_int_equal(r.done[0], MISS + 1);
    assert_int_equal(r.done[1] - r.asked[1], WALK_MISS);
}

/* Two lookups a cycle, for walks and the CU's lines together, also of those that have waited for a
 * place in the L2's pipeline, which holds ten: a load without an MSHR stands before 14 walks whose
 * lines the L2 has. It goes on when the line before it is back, a walk beside it. */
static void test_walks_that_wait(void **state) {
    (void)state;
    enum { HITS = 14, BROUGHT = 100, FROM = BROUGHT * HITS, MEET = FROM + L1 + CROSSBAR + 2 };
    enum { GOES_ON = FROM + L1 + CROSSBAR + L2 + MEMORY };
    path_read reads[HITS + 2 + HITS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < HITS; i++) {
        reads[n++] = (path_read){BROUGHT * (uint64_t)i, WALK, i};
    }
    reads[n++] = (path_read){FROM, CU, 50};
    reads[n++] = (path_read){FROM + 1, CU, 60};
    for (uint32_t i = 0; i < HITS; i++) {
        reads[n++] = (path_read){MEET, WALK, i};
    }
    lw_data_path_params params = {PATH, .walks = WALKS};
    params.l2.lookups = 2;
    params.l2.mshrs = 1;
    const walks_run r = run_walks(params, reads, n, true);
    assert_int_equal(r.done[HITS], FROM + MISS);
    assert_int_equal(r.done[HITS + 1], GOES_ON + MEMORY + CROSSBAR);
    for (uint32_t i = 0; i < HITS; i++) {
        assert_int_equal(r.asked[HITS + 2 + i], MEET);
        assert_int_equal(r.done[HITS + 2 + i], GOES_ON + (i + 1) / 2 + 1);
    }
}

/* No more are taken than may be under way; a read that has finished counts until it is taken. */
static void test_room(void **state) {
    (void)state;
    static const path_read reads[] = {{0, WALK, 1}, {0, WALK, 2}, {0, WALK, 3}};
    lw_data_path_params params = {PATH, .walks = 2};
    const walks_run r = run_walks(params, reads, COUNT(reads), true);
    assert_int_equal(r.asked[1], 0);
    assert_int_equal(r.asked[2], r.done[0]);
    params.walks = 0;
    params.done = done;
    params.leaves_caches = leaves_caches;
    lw_data_path *without = lw_data_path_new(&params);
    assert_null(lw_data_path_walks(without));
    lw_data_path_free(without);
}

/* Random reads and writes: with and without idle cycles the same, whatever the shape. */
static void test_skip_is_step(void **state) {
    (void)state;
    lw_rng rng;
    uint64_t stepped = 0;
    uint64_t skipped = 0;
    lw_rng_seed(&rng, 11);
    for (uint32_t n = 0; n < 200; n++) {
        path_read reads[MAX_READS];
        lw_data_path_params params = {PATH, .walks = 1 + (uint32_t)lw_rng_below(&rng, 8)};
        uint64_t cycle = 0;
        const uint64_t gap = 1 + lw_rng_below(&rng, 20);
        const uint64_t lines = 4 + lw_rng_below(&rng, 100);
        params.l1.line = params.l2.line = n % 2 == 0 ? 64 : 128;
        params.l2.mshrs = 1 + (uint32_t)lw_rng_below(&rng, 4);
        params.l2.lookups = 1 + (uint32_t)lw_rng_below(&rng, 2);
        params.l2.latency = 1 + (uint32_t)lw_rng_below(&rng, 9);
        params.memory_latency = 1 + (uint32_t)lw_rng_below(&rng, 60);
        for (uint32_t i = 0; i < MAX_READS; i++) {
            const uint64_t by = lw_rng_below(&rng, 10);
            cycle += lw_rng_below(&rng, gap);
            reads[i] = (path_read){cycle,
                                   by < 5   ? WALK
                                   : by < 9 ? CU
                                            : CPU,
                                   lw_rng_below(&rng, lines)};
        }
        const walks_run step = run_walks(params, reads, MAX_READS, false);
        const walks_run skip = run_walks(params, reads, MAX_READS, true);
        assert_memory_equal(step.asked, skip.asked, sizeof step.asked);
        assert_memory_equal(step.done, skip.done, sizeof step.done);
        assert_memory_equal(&step.counts, &skip.counts, sizeof step.counts);
        stepped += step.executed;
        skipped += skip.executed;
    }
    assert_true(skipped < stepped);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_costs),
        cmocka_unit_test(test_lines_of_128),
        cmocka_unit_test(test_walks_are_looked_up_first),
        cmocka_unit_test(test_walks_that_wait),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_skip_is_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
