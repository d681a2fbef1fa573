/* The cache of page-table lines in front of a DRAM of one channel whose clock is the unit's: a
 * closed row takes 26 clocks, an open one 15 (test_line_port_shared.c); the cache's lookup 2. */
#include "tests/unit/sim/memory/dram_run.h"

#include "sim/memory/pte_cache.h"

enum { LOOKUP = 2, CLOSED = 26, OPEN = 15, LINES = 16, LATEST = 1000 };

typedef struct cached_run {
    dram_run dram;
    lw_dram_timing timing;
    lw_pte_cache *cache;
    lw_memory *memory;
} cached_run;

/* On a memory of `reads` places a channel. */
static void open_cached_on(cached_run *r, uint32_t reads) {
    const lw_pte_cache_params params = {.kib = 1, .ways = LINES, .latency = LOOKUP};
    lw_error err = {0};
    r->timing = dram_plain();
    r->timing.read_queue = reads;
    r->timing.walk_places = 0;
    dram_open(&r->dram, &r->timing, r->timing.clock_mhz);
    r->cache = lw_pte_cache_new(&params, r->dram.memory, &err);
    assert_non_null(r->cache);
    r->memory = lw_pte_cache_memory(r->cache);
}

static void open_cached(cached_run *r) {
    open_cached_on(r, 32);
}

static void close_cached(cached_run *r) {
    lw_pte_cache_free(r->cache);
    dram_close(&r->dram);
}

static void ask(cached_run *r, uint64_t now, lw_memory_user user, uint64_t line, uint32_t id) {
    const lw_memory_request request = {.line = line, .user = user, .id = id};
    assert_true(r->memory->ready(r->memory->state, now, &request));
    r->memory->ask(r->memory->state, now, &request);
}

/* Only at events: the cycle in which the user's next read has finished, and its id. */
static uint64_t next(cached_run *r, uint64_t now, lw_memory_user user, uint32_t *id) {
    const uint64_t last = now + LATEST;
    while (!r->memory->finished(r->memory->state, now, user, id)) {
        const uint64_t event = r->memory->next_event(r->memory->state, now);
        assert_true(event > now && event < last);
        now = event;
    }
    return now;
}

static void expect(cached_run *r, uint64_t from, lw_memory_user user, uint64_t cycle, uint32_t id) {
    uint32_t got = 0;
    assert_int_equal(next(r, from, user, &got), cycle);
    assert_int_equal(got, id);
}

static void expect_counts(const cached_run *r, uint64_t hits, uint64_t misses) {
    uint64_t h = 0;
    uint64_t m = 0;
    lw_pte_cache_counts(r->cache, &h, &m);
    assert_true(h == hits && m == misses);
}

static void misses_and_hits_to_the_cycle(void **state) {
    (void)state;
    cached_run r;
    open_cached(&r);
    ask(&r, 0, LW_MEMORY_WALKS, 3, 7);
    expect(&r, 0, LW_MEMORY_WALKS, LOOKUP + CLOSED, 7);
    ask(&r, 40, LW_MEMORY_WALKS, 4, 8);
    expect(&r, 40, LW_MEMORY_WALKS, 40 + LOOKUP + OPEN, 8);
    ask(&r, 70, LW_MEMORY_WALKS, 3, 9);
    expect(&r, 70, LW_MEMORY_WALKS, 70 + LOOKUP, 9);
    expect_counts(&r, 1, 2);
    close_cached(&r);
}

/* The second asks no memory: it waits for the line of the first. */
static void reads_of_one_line_join(void **state) {
    (void)state;
    cached_run r;
    open_cached(&r);
    ask(&r, 0, LW_MEMORY_WALKS, 3, 1);
    ask(&r, 1, LW_MEMORY_WALKS, 3, 2);
    expect(&r, 1, LW_MEMORY_WALKS, LOOKUP + CLOSED, 1);
    expect(&r, LOOKUP + CLOSED, LW_MEMORY_WALKS, LOOKUP + CLOSED, 2);
    assert_true(r.memory->next_event(r.memory->state, LOOKUP + CLOSED) == UINT64_MAX);
    lw_banks banks;
    lw_dram_banks(r.dram.dram, &banks);
    assert_int_equal(banks.dram.users[LW_MEMORY_WALKS].reads, 1);
    close_cached(&r);
}

/* A lookup a cycle: of two reads that hit the second is there a cycle after the first. */
static void one_lookup_a_cycle(void **state) {
    (void)state;
    const lw_memory_request read = {.line = 3, .user = LW_MEMORY_WALKS, .id = 2};
    cached_run r;
    open_cached(&r);
    ask(&r, 0, LW_MEMORY_WALKS, 3, 1);
    expect(&r, 0, LW_MEMORY_WALKS, LOOKUP + CLOSED, 1);
    ask(&r, 50, LW_MEMORY_WALKS, 3, 1);
    assert_false(r.memory->ready(r.memory->state, 50, &read));
    ask(&r, 51, LW_MEMORY_WALKS, 3, 2);
    expect(&r, 51, LW_MEMORY_WALKS, 50 + LOOKUP, 1);
    expect(&r, 50 + LOOKUP, LW_MEMORY_WALKS, 51 + LOOKUP, 2);
    close_cached(&r);
}

/* Memory has one place: the second miss is asked for when the first has left it, and finds its row
 * open; the hit behind it is decided after it. */
static void memory_without_room(void **state) {
    (void)state;
    enum { FIRST = 100 + LOOKUP + OPEN };
    cached_run r;
    open_cached_on(&r, 1);
    ask(&r, 0, LW_MEMORY_WALKS, 3, 1);
    expect(&r, 0, LW_MEMORY_WALKS, LOOKUP + CLOSED, 1);
    ask(&r, 100, LW_MEMORY_WALKS, 4, 2);
    ask(&r, 101, LW_MEMORY_WALKS, 5, 3);
    ask(&r, 102, LW_MEMORY_WALKS, 3, 4);
    expect(&r, 102, LW_MEMORY_WALKS, FIRST, 2);
    expect(&r, FIRST, LW_MEMORY_WALKS, FIRST, 4);
    expect(&r, FIRST, LW_MEMORY_WALKS, FIRST + OPEN, 3);
    expect_counts(&r, 1, 3);
    close_cached(&r);
}

/* Each miss is a read of a walk's of its own line; a write, of whomever, goes to memory. */
static void what_memory_is_asked(void **state) {
    (void)state;
    enum { READS = 3 };
    cached_run r;
    uint64_t lines[READS];
    open_cached(&r);
    for (uint32_t i = 0; i < READS; i++) {
        lines[i] = dram_line(&r.dram, 0, 5 - i, 7 + i, 3 * i);
        ask(&r, 100 * (uint64_t)i, LW_MEMORY_WALKS, lines[i], i);
        expect(&r, 100 * (uint64_t)i, LW_MEMORY_WALKS, 100 * (uint64_t)i + LOOKUP + CLOSED, i);
        const lw_dram_command *c = &r.dram.commands[2 * i + 1];
        assert_int_equal(r.dram.count, 2 * i + 2);
        assert_true(c->kind == LW_DRAM_RD && c->bank == 5 - i && c->row == 7 + i &&
                    c->column == 3 * i);
    }
    for (uint32_t user = 0; user < LW_MEMORY_USERS; user++) {
        const lw_memory_request write = {lines[user], (lw_memory_user)user, true, 0};
        assert_true(r.memory->ready(r.memory->state, 300, &write));
        r.memory->ask(r.memory->state, 300, &write);
    }
    assert_true(r.memory->next_event(r.memory->state, 400) == UINT64_MAX);
    lw_banks banks;
    lw_dram_banks(r.dram.dram, &banks);
    assert_int_equal(banks.dram.users[LW_MEMORY_WALKS].reads, READS);
    assert_int_equal(banks.dram.users[LW_MEMORY_DATA].reads, 0);
    assert_int_equal(banks.dram.users[LW_MEMORY_WALKS].writes, 1);
    assert_int_equal(banks.dram.users[LW_MEMORY_DATA].writes, 1);
    expect_counts(&r, 0, READS);
    close_cached(&r);
}

/* While a read that has finished is not taken, each next cycle is one in which it may be. */
static void a_read_that_is_not_taken(void **state) {
    (void)state;
    cached_run r;
    uint32_t id = 0;
    open_cached(&r);
    for (uint32_t i = 0; i < 3; i++) {
        ask(&r, i, LW_MEMORY_WALKS, 3, i);
    }
    expect(&r, 2, LW_MEMORY_WALKS, LOOKUP + CLOSED, 0);
    for (uint32_t i = 1; i < 3; i++) {
        const uint64_t now = LOOKUP + CLOSED + 5 * (uint64_t)i;
        assert_int_equal(r.memory->next_event(r.memory->state, now), now + 1);
        assert_true(r.memory->finished(r.memory->state, now, LW_MEMORY_WALKS, &id));
        assert_int_equal(id, i);
    }
    assert_false(r.memory->finished(r.memory->state, 50, LW_MEMORY_WALKS, &id));
    assert_true(r.memory->next_event(r.memory->state, 50) == UINT64_MAX);
    close_cached(&r);
}

/* Reads that nobody takes fill the cache's room for them, and no more are taken then: none is lost,
 * and they come in the order in which they were asked for. Far more find room than a unit has under
 * way. */
static void reads_that_nobody_takes(void **state) {
    (void)state;
    enum { UNDER_WAY = 64, CYCLES = 3000 };
    const lw_memory_request read = {.line = 3, .user = LW_MEMORY_WALKS};
    cached_run r;
    uint64_t now = 100;
    uint32_t asked = 0, id = 0;
    open_cached(&r);
    ask(&r, 0, LW_MEMORY_WALKS, read.line, 0);
    expect(&r, 0, LW_MEMORY_WALKS, LOOKUP + CLOSED, 0);
    while (now < CYCLES && r.memory->ready(r.memory->state, now, &read)) {
        ask(&r, now++, LW_MEMORY_WALKS, read.line, asked++);
    }
    assert_in_range(now, 100 + UNDER_WAY, CYCLES - 1);
    now += LOOKUP;
    assert_false(r.memory->ready(r.memory->state, now, &read));
    for (uint32_t i = 0; i < asked; i++) {
        assert_true(r.memory->finished(r.memory->state, now, LW_MEMORY_WALKS, &id));
        assert_int_equal(id, i);
    }
    assert_false(r.memory->finished(r.memory->state, now, LW_MEMORY_WALKS, &id));
    assert_true(r.memory->ready(r.memory->state, now, &read));
    close_cached(&r);
}

/* A set of all lines: the one used longest ago makes room. */
static void the_oldest_makes_room(void **state) {
    (void)state;
    cached_run r;
    uint64_t now = 0;
    uint32_t id = 0;
    open_cached(&r);
    for (uint64_t line = 0; line < LINES; line++) {
        ask(&r, now, LW_MEMORY_WALKS, line, 0);
        now = next(&r, now, LW_MEMORY_WALKS, &id) + 1;
    }
    const uint64_t asked[] = {0, LINES, 0, 1}; /* LINES drives out 1, since 0 was used */
    for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++) {
        ask(&r, now, LW_MEMORY_WALKS, asked[i], 0);
        now = next(&r, now, LW_MEMORY_WALKS, &id) + 1;
    }
    expect_counts(&r, 2, LINES + 2);
    close_cached(&r);
}

/* Data passes by, also of a line that is there. */
static void data_passes_by(void **state) {
    (void)state;
    cached_run r;
    open_cached(&r);
    ask(&r, 0, LW_MEMORY_WALKS, 3, 1);
    expect(&r, 0, LW_MEMORY_WALKS, LOOKUP + CLOSED, 1);
    ask(&r, 50, LW_MEMORY_DATA, 3, 2);
    expect(&r, 50, LW_MEMORY_DATA, 50 + OPEN, 2);
    expect_counts(&r, 0, 1);
    close_cached(&r);
}

static void what_is_no_cache_is_refused(void **state) {
    (void)state;
    static const struct {
        lw_pte_cache_params params;
        const char *sentence;
    } rows[] = {
        {{1, 3, 1},
         "pte_cache_kib is 1, 16 lines; allowed: pte_cache_ways (3) times a power of two"},
        {{1, 16, 0}, "pte_cache_latency is 0; allowed: 1..1000"},
        {{0, 16, 1}, "pte_cache_kib is 0; allowed: 1..65536"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lw_memory below = {.state = NULL};
        lw_error err = {0};
        assert_null(lw_pte_cache_new(&rows[i].params, &below, &err));
        assert_string_equal(err.text, rows[i].sentence);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misses_and_hits_to_the_cycle),
        cmocka_unit_test(reads_of_one_line_join),
        cmocka_unit_test(one_lookup_a_cycle),
        cmocka_unit_test(memory_without_room),
        cmocka_unit_test(what_memory_is_asked),
        cmocka_unit_test(a_read_that_is_not_taken),
        cmocka_unit_test(reads_that_nobody_takes),
        cmocka_unit_test(the_oldest_makes_room),
        cmocka_unit_test(data_passes_by),
        cmocka_unit_test(what_is_no_cache_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
