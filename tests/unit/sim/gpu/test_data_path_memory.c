/* The data path on a memory that it shares with others: what it asks of it, as whom and in which
 * order, what waits while the memory takes nothing, and that idle cycles may be skipped. */
#include "tests/unit/sim/gpu/data_path_costs.h"
#include "tests/unit/sim/gpu/path_times.h"

#include "common/rng.h"

enum { MAX_REQUESTS = 2000, WALKS = 16 };

/* ---------------------------------------------------------------- a memory, and all it was asked
 */

typedef struct told {
    uint64_t cycle, due;
    lw_memory_request request;
    bool taken;
} told;

/* A read keeps its place until it is taken, a write for the same time as a read. */
typedef struct shared {
    lw_memory memory;
    uint64_t latency, room, opens; /* it takes nothing before the cycle `opens` */
    uint64_t write_gap;            /* cycles from one write to the next at least */
    told log[MAX_REQUESTS];
    size_t count;
} shared;

static bool has_place(const told *t, uint64_t now) {
    return t->request.write ? t->due > now : !t->taken;
}

static bool is_ready(void *state, uint64_t now, const lw_memory_request *request) {
    const shared *s = state;
    uint64_t places = 0;
    for (size_t i = 0; i < s->count; i++) {
        places += has_place(&s->log[i], now) ? 1 : 0;
        if (request->write && s->log[i].request.write && now < s->log[i].cycle + s->write_gap) {
            return false;
        }
    }
    return now >= s->opens && places < s->room;
}

static void is_asked(void *state, uint64_t now, const lw_memory_request *request) {
    shared *s = state;
    assert_true(is_ready(state, now, request));
    assert_true(s->count < MAX_REQUESTS);
    s->log[s->count++] = (told){now, now + s->latency, *request, false};
}

static bool has_finished(void *state, uint64_t now, lw_memory_user user, uint32_t *id) {
    shared *s = state;
    for (size_t i = 0; i < s->count; i++) {
        told *t = &s->log[i];
        if (!t->request.write && !t->taken && t->request.user == user && t->due <= now) {
            t->taken = true;
            *id = t->request.id;
            return true;
        }
    }
    return false;
}

static uint64_t first_event(void *state, uint64_t now) {
    const shared *s = state;
    uint64_t first = s->opens > now ? s->opens : UINT64_MAX;
    for (size_t i = 0; i < s->count; i++) {
        const told *t = &s->log[i];
        const uint64_t events[] = {t->request.write || !t->taken ? t->due : 0,
                                   t->request.write ? t->cycle + s->write_gap : 0};
        for (size_t e = 0; e < COUNT(events); e++) {
            first = events[e] > now && events[e] < first ? events[e] : first;
        }
    }
    return first;
}

/* It is not the path's. */
static void destroyed(void *state) {
    (void)state;
    fail();
}

static shared *new_shared(uint64_t latency, uint64_t room) {
    shared *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->latency = latency;
    s->room = room;
    s->memory = (lw_memory){s, is_ready, is_asked, has_finished, first_event, destroyed};
    return s;
}

/* ---------------------------------------------------------------- a run */

/* CU 0 or 1, or a page walk, whose reads are of 64 bytes. */
typedef enum asker { CU_0, CU_1, A_WALK } asker;

typedef struct path_ask {
    uint64_t cycle; /* not before; in the order of the table */
    asker by;
    uint64_t line; /* of 64 bytes */
    bool store;
} path_ask;

typedef struct path_run {
    path_times times;
    lw_data_counts counts;
} path_run;

/* Whether the ask is taken in this cycle; a walk's before the tick, a CU's after it. */
static bool takes(lw_data_path *path, path_run *r, const path_ask *ask, uint32_t n, bool ticked) {
    lw_memory *walks = lw_data_path_walks(path);
    const lw_memory_request request = {.line = ask->line, .user = LW_MEMORY_WALKS, .id = n};
    if (ask->cycle > r->times.now || (ask->by != A_WALK) != ticked) {
        return false;
    }
    if (ask->by == A_WALK ? !walks->ready(walks->state, r->times.now, &request)
                          : !lw_data_path_takes(path, ask->by, r->times.now)) {
        return false;
    }
    if (ask->by == A_WALK) {
        walks->ask(walks->state, r->times.now, &request);
    } else {
        lw_data_path_ask(path, ask->by, r->times.now, ask->line << 6, ask->store, n);
    }
    r->times.asked[n] = r->times.now;
    return true;
}

/* Runs the table until all is answered, and some cycles more for victims. */
static path_run run_path(lw_data_path_params params, shared *s, const path_ask *asks, size_t count,
                         bool skip) {
    path_run r = {.times = {.now = 0}};
    lw_error err = {0};
    size_t next = 0;
    params.memory = &s->memory;
    params.walks = WALKS;
    params.done = line_is_done;
    params.leaves_caches = line_leaves;
    params.ctx = &r.times;
    assert_true(lw_data_path_check(&params, &err));
    lw_data_path *path = lw_data_path_new(&params);
    assert_non_null(path);
    lw_memory *walks = lw_data_path_walks(path);
    uint64_t last = FAKE_CYCLES;
    while (r.times.now < last) {
        uint32_t id = 0;
        while (walks->finished(walks->state, r.times.now, LW_MEMORY_WALKS, &id)) {
            line_is_done(&r.times, id,
                         r.times.left[id] != 0 ? LW_DATA_IN_MEMORY : LW_DATA_IN_CACHES);
        }
        while (next < count && takes(path, &r, &asks[next], (uint32_t)next, false)) {
            next++;
        }
        lw_data_path_tick(path, r.times.now);
        while (next < count && takes(path, &r, &asks[next], (uint32_t)next, true)) {
            next++;
        }
        last = r.times.answered == count && last == FAKE_CYCLES ? r.times.now + 2000 : last;
        uint64_t event = walks->next_event(walks->state, r.times.now);
        if (next < count && asks[next].cycle < event) {
            event = asks[next].cycle > r.times.now ? asks[next].cycle : r.times.now + 1;
        }
        assert_true(event > r.times.now && (event != UINT64_MAX || r.times.answered == count));
        r.times.now = skip ? event : r.times.now + 1;
    }
    assert_int_equal(r.times.answered, count);
    lw_data_path_counts(path, &r.counts);
    lw_data_path_free(path);
    return r;
}

/* ---------------------------------------------------------------- what memory is asked */

typedef struct expected {
    uint64_t cycle, line;
    lw_memory_user user;
    bool write;
} expected;

static void expect_log(const shared *s, const expected *want, size_t count) {
    assert_int_equal(s->count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(s->log[i].cycle, want[i].cycle);
        assert_int_equal(s->log[i].request.line, want[i].line);
        assert_int_equal(s->log[i].request.user, want[i].user);
        assert_int_equal(s->log[i].request.write, want[i].write);
    }
}

/* Lines that CUs miss are asked of it as data, page walks' as walks', each when the L2 has decided;
 * of lines of 128 bytes both pieces, and the same of the victim, which is data. */
static void test_who_asks(void **state) {
    (void)state;
    enum { DECIDED = L1 + CROSSBAR + L2 };
    static const path_ask asks[] = {
        {0, CU_0, 5, false}, {10, A_WALK, 48, false}, {100, CU_1, 3, true}, {200, CU_0, 19, false}};
    for (uint32_t pieces = 1; pieces <= 2; pieces++) {
        lw_data_path_params params = {PATH};
        shared *s = new_shared(MEMORY, 100);
        expected want[10];
        static const expected lines[] = {{DECIDED, 5, LW_MEMORY_DATA, false},
                                         {10 + L2, 48, LW_MEMORY_WALKS, false},
                                         {100 + DECIDED, 3, LW_MEMORY_DATA, false},
                                         {200 + DECIDED, 19, LW_MEMORY_DATA, false},
                                         {200 + DECIDED + MEMORY, 3, LW_MEMORY_DATA, true}};
        params.l1.line = params.l2.line = 64 * pieces;
        params.l2.kib = pieces; /* 16 lines, of one way: 3 and 19 are of one set */
        params.l2.ways = 1;
        for (uint32_t i = 0; i < COUNT(lines) * pieces; i++) {
            want[i] = lines[i / pieces];
            want[i].line = pieces == 1 ? want[i].line : 2 * want[i].line + i % 2;
        }
        path_ask scaled[COUNT(asks)];
        for (size_t i = 0; i < COUNT(asks); i++) {
            scaled[i] = asks[i];
            scaled[i].line *= pieces;
        }
        const path_run r = run_path(params, s, scaled, COUNT(asks), false);
        expect_log(s, want, COUNT(lines) * pieces);
        assert_int_equal(r.times.done[0] - r.times.asked[0], MISS);
        assert_int_equal(r.times.done[1] - r.times.asked[1], L2 + MEMORY + 1);
        assert_int_equal(r.times.done[3] - r.times.asked[3], MISS);
        assert_int_equal(r.counts.memory_reads, 4 * pieces);
        assert_int_equal(r.counts.memory_writes, pieces);
        assert_int_equal(r.counts.walk_reads, pieces);
        free(s);
    }
}

/* While memory takes nothing misses wait, and are then asked for in their order, a walk's behind
 * those that missed before it, as many as there is room for: here two, which are there 20 cycles
 * later, and then the next two. */
static void test_memory_without_room(void **state) {
    (void)state;
    static const path_ask asks[] = {{0, CU_0, 1, false},     {0, CU_1, 4, false},
                                    {0, CU_0, 2, false},     {0, CU_0, 3, false},
                                    {20, A_WALK, 48, false}, {30, CU_1, 7, false}};
    shared *s = new_shared(MEMORY, 2);
    s->opens = 100;
    const path_run r = run_path((lw_data_path_params){PATH}, s, asks, COUNT(asks), true);
    /* CU 1's line comes to the L2 with CU 0's first, and is looked up after it. */
    static const expected want[] = {
        {100, 1, LW_MEMORY_DATA, false},   {100, 4, LW_MEMORY_DATA, false},
        {120, 2, LW_MEMORY_DATA, false},   {120, 3, LW_MEMORY_DATA, false},
        {140, 48, LW_MEMORY_WALKS, false}, {140, 7, LW_MEMORY_DATA, false}};
    expect_log(s, want, COUNT(want));
    assert_int_equal(r.times.done[0], 120 + CROSSBAR);
    assert_int_equal(r.times.done[2], 140 + CROSSBAR);
    free(s);
}

/* A dirty line that is driven out keeps the place of an MSHR until memory has taken all of it: with
 * one MSHR the next miss is decided when the last piece goes. */
static void test_victim_keeps_its_place(void **state) {
    (void)state;
    enum { GAP = 70, FILLED = 100 + L1 + CROSSBAR + L2 + MEMORY };
    for (uint32_t pieces = 1; pieces <= 2; pieces++) {
        const path_ask asks[] = {{0, CU_0, 0, true}, /* these two of one set */
                                 {100, CU_0, UINT64_C(16) * pieces, false},
                                 {110, CU_1, pieces, false}};
        lw_data_path_params params = {PATH};
        shared *s = new_shared(MEMORY, 100);
        s->write_gap = GAP;
        params.l1.line = params.l2.line = 64 * pieces;
        params.l2.kib = pieces;
        params.l2.ways = params.l2.mshrs = 1;
        const path_run r = run_path(params, s, asks, COUNT(asks), true);
        assert_int_equal(r.counts.memory_writes, pieces);
        assert_int_equal(r.times.left[2], FILLED + (pieces - 1) * GAP);
        assert_int_equal(r.times.done[2], r.times.left[2] + MEMORY + CROSSBAR);
        free(s);
    }
}

/* As many loads and stores as a CU has MSHRs, and as many reads of walks as may be under way, all
 * at once: each is answered. */
static void test_all_places(void **state) {
    (void)state;
    enum { MSHRS = 4 };
    path_ask asks[4 * MSHRS + WALKS];
    lw_data_path_params params = {PATH};
    shared *s = new_shared(1000, 100);
    params.l1.mshrs = MSHRS;
    params.l2.mshrs = 64;
    for (uint32_t i = 0; i < COUNT(asks); i++) {
        asks[i] = (path_ask){i,
                             i >= 4 * MSHRS ? A_WALK
                             : i % 2 == 0   ? CU_0
                                            : CU_1,
                             UINT64_C(3) * i, i >= 2 * MSHRS && i < 4 * MSHRS};
    }
    const path_run r = run_path(params, s, asks, COUNT(asks), true);
    for (uint32_t i = 0; i < COUNT(asks); i++) {
        assert_true(r.times.asked[i] <= i + 1);
        const bool store = i >= 2 * MSHRS && i < 4 * MSHRS;
        assert_true(store ? r.times.done[i] < 200 : r.times.done[i] >= 1000);
    }
    free(s);
}

/* Without page walks of its own the path leaves the memory's to whoever asked for them. */
static void test_walks_of_others(void **state) {
    (void)state;
    path_run r = {.times = {.now = 0}};
    shared *s = new_shared(MEMORY, 100);
    lw_data_path_params params = {PATH};
    uint32_t id = 0;
    params.memory = &s->memory;
    params.done = line_is_done;
    params.leaves_caches = line_leaves;
    params.ctx = &r.times;
    lw_data_path *path = lw_data_path_new(&params);
    assert_non_null(path);
    lw_data_path_ask(path, 0, 0, 64, false, 0);
    is_asked(s, 0, &(lw_memory_request){.line = 9, .user = LW_MEMORY_WALKS, .id = 7});
    for (r.times.now = 1; r.times.now < 100; r.times.now++) {
        lw_data_path_tick(path, r.times.now);
    }
    assert_int_equal(r.times.done[0], MISS);
    assert_true(has_finished(s, 100, LW_MEMORY_WALKS, &id) && id == 7);
    lw_data_path_free(path);
    free(s);
}

/* ---------------------------------------------------------------- skip == step */

static void test_skip_is_step(void **state) {
    (void)state;
    lw_rng rng;
    lw_rng_seed(&rng, 5);
    for (uint32_t n = 0; n < 16; n++) {
        path_ask asks[MAX_ASKS];
        lw_data_path_params params = {PATH};
        uint64_t cycle = 0;
        const uint64_t gap = 1 + lw_rng_below(&rng, 12);
        const uint64_t lines = 4 + lw_rng_below(&rng, 150);
        params.l1.line = params.l2.line = n % 2 == 0 ? 64 : 128;
        params.l2.kib = 1u << lw_rng_below(&rng, 2);
        params.l2.ways = 1u << lw_rng_below(&rng, 3);
        params.l2.mshrs = 1 + (uint32_t)lw_rng_below(&rng, 6);
        params.l2.store_fetch = n / 2 % 2 == 0;
        for (uint32_t i = 0; i < MAX_ASKS; i++) {
            cycle += lw_rng_below(&rng, gap);
            asks[i] = (path_ask){cycle, (asker)lw_rng_below(&rng, 3), lw_rng_below(&rng, lines),
                                 lw_rng_percent(&rng, 40)};
        }
        shared *memories[2];
        path_run runs[2];
        const uint64_t latency = 1 + lw_rng_below(&rng, 60);
        const uint64_t room = 1 + lw_rng_below(&rng, 4);
        const uint64_t write_gap = lw_rng_below(&rng, 30);
        for (int skip = 0; skip < 2; skip++) {
            memories[skip] = new_shared(latency, room);
            memories[skip]->write_gap = write_gap;
            runs[skip] = run_path(params, memories[skip], asks, MAX_ASKS, skip == 1);
        }
        assert_memory_equal(runs[0].times.asked, runs[1].times.asked, sizeof runs[0].times.asked);
        assert_memory_equal(runs[0].times.done, runs[1].times.done, sizeof runs[0].times.done);
        assert_memory_equal(runs[0].times.left, runs[1].times.left, sizeof runs[0].times.left);
        assert_memory_equal(&runs[0].counts, &runs[1].counts, sizeof runs[0].counts);
        assert_int_equal(memories[0]->count, memories[1]->count);
        for (size_t i = 0; i < memories[0]->count; i++) {
            assert_int_equal(memories[0]->log[i].cycle, memories[1]->log[i].cycle);
        }
        free(memories[0]);
        free(memories[1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_who_asks),
        cmocka_unit_test(test_memory_without_room),
        cmocka_unit_test(test_victim_keeps_its_place),
        cmocka_unit_test(test_all_places),
        cmocka_unit_test(test_walks_of_others),
        cmocka_unit_test(test_skip_is_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
