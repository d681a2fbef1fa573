/* The data path: what a line costs by where it is found, computed by hand; and whole runs of the
 * GPU with it, in every cycle and only in those that next_event names. */
#include "tests/unit/sim/gpu/gpu_run.h"

#include "common/rng.h"
#include "sim/memory/fixed_memory.h"

/* ---------------------------------------------------------------- the path alone */

/* Times of PATH below: a load that the L1 has, that the L2 has, that nobody has. */
enum { L1 = 4, CROSSBAR = 3, L2 = 5, MEMORY = 20 };
enum { L1_HIT = L1, L2_HIT = L1 + CROSSBAR + L2 + CROSSBAR, MISS = L2_HIT + MEMORY };

/* L1s of 16 lines in 8 sets, an L2 of 64 lines in 16 sets. */
#define PATH                                                                                       \
    .cus = 2, .l1 = {.kib = 1, .ways = 2, .line = 64, .latency = L1, .lookups = 1, .mshrs = 8},    \
    .l2 = {.kib = 4,                                                                               \
           .ways = 4,                                                                              \
           .line = 64,                                                                             \
           .latency = L2,                                                                          \
           .lookups = 1,                                                                           \
           .mshrs = 8,                                                                             \
           .write_back = true},                                                                    \
    .crossbar = CROSSBAR, .memory_latency = MEMORY

enum { MAX_ASKS = 160 };

typedef struct path_ask {
    uint64_t cycle; /* not before; in the order of the table */
    uint32_t cu;
    uint64_t line; /* of 64 bytes */
    bool store;
} path_ask;

typedef struct path_run {
    lw_data_path *path;
    const path_ask *asks;
    uint64_t now;
    uint64_t asked[MAX_ASKS], done[MAX_ASKS], left[MAX_ASKS]; /* cycles; `left`: for memory */
    size_t answered;
    lw_data_counts counts;
    uint64_t executed;
} path_run;

static void done(void *ctx, uint32_t who, lw_data_place from) {
    path_run *r = ctx;
    assert_int_equal(r->done[who], 0); /* once */
    assert_int_equal(from == LW_DATA_IN_MEMORY, r->left[who] != 0);
    r->done[who] = r->now;
    r->answered++;
}

static void leaves_caches(void *ctx, uint32_t who) {
    path_run *r = ctx;
    assert_int_equal(r->left[who], 0);
    r->left[who] = r->now;
}

/* Runs the table to its end; `launch`: a kernel begins on CU 0 before the ask of this number. */
static path_run run_path(lw_data_path_params params, const path_ask *asks, size_t count,
                         size_t launch, bool skip) {
    path_run r = {.asks = asks};
    lw_error err = {""};
    size_t next = 0;
    params.done = done;
    params.leaves_caches = leaves_caches;
    params.ctx = &r;
    assert_true(lw_data_path_check(&params, &err));
    r.path = lw_data_path_new(&params);
    assert_non_null(r.path);
    while (r.answered < count) {
        lw_data_path_tick(r.path, r.now);
        r.executed++;
        while (next < count && asks[next].cycle <= r.now &&
               lw_data_path_takes(r.path, asks[next].cu, r.now)) {
            if (next == launch) {
                lw_data_path_launch(r.path, 0);
            }
            r.asked[next] = r.now;
            lw_data_path_ask(r.path, asks[next].cu, r.now, asks[next].line << 6 | 24,
                             asks[next].store, (uint32_t)next);
            next++;
        }
        uint64_t event = lw_data_path_next_event(r.path, r.now);
        const bool waits = next < count;
        if (waits && asks[next].cycle > r.now) {
            event = asks[next].cycle < event ? asks[next].cycle : event;
        } else if (waits && lw_data_path_takes(r.path, asks[next].cu, r.now + 1)) {
            event = r.now + 1;
        }
        assert_true(event > r.now && (event < FAKE_CYCLES || r.answered == count));
        r.now = skip ? event : r.now + 1;
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
                if (r.done[n] - r.asked[n] != rows[i].cycles[n]) {
                    fail_msg("%s: %zu takes %llu", rows[i].what, n,
                             (unsigned long long)(r.done[n] - r.asked[n]));
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
    assert_int_equal(r.left[0], L1 + CROSSBAR + L2);
    assert_int_equal(r.left[1], 10 + L1); /* joins what is on its way already */
    assert_int_equal(r.left[2], 16 + L1 + CROSSBAR + L2);
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
        assert_int_equal(r.done[5] - r.asked[5], MISS);
        assert_int_equal(r.counts.l2.misses, 4);
        assert_int_equal(r.counts.l2.stores, 2);
    }
}

/* A kernel's launch empties its CU's L1, not the other CU's and not the L2. */
static void test_launch_invalidates(void **state) {
    (void)state;
    static const path_ask asks[] = {
        {0, 0, 5, false}, {100, 1, 5, false}, {200, 0, 5, false}, {300, 1, 5, false}};
    const path_run r = run_path((lw_data_path_params){PATH}, asks, COUNT(asks), 2, false);
    assert_int_equal(r.done[2] - r.asked[2], L2_HIT);
    assert_int_equal(r.done[3] - r.asked[3], L1_HIT);
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
        assert_int_equal(r.asked[i], i);
        assert_int_equal(r.done[i], i + MISS);
    }
    params.l1.mshrs = 2;
    r = run_path(params, asks, 64, SIZE_MAX, true);
    for (uint32_t i = 2; i < 64; i++) {
        /* Decided in the cycle in which the line before the last is back, and that is all of L1. */
        assert_int_equal(r.done[i] - r.done[i - 2], MISS - L1);
    }
    params.l1.mshrs = 64;
    params.l2.mshrs = 2;
    r = run_path(params, asks, 64, SIZE_MAX, true);
    for (uint32_t i = 2; i < 64; i++) {
        assert_int_equal(r.done[i] - r.done[i - 2], MEMORY);
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
        params.crossbar = 1 + (uint32_t)lw_rng_below(&rng, 9);
        params.memory_latency = 1 + (uint32_t)lw_rng_below(&rng, 60);
        for (uint32_t i = 0; i < MAX_ASKS; i++) {
            cycle += lw_rng_below(&rng, gap);
            asks[i] = (path_ask){cycle, (uint32_t)lw_rng_below(&rng, 2), lw_rng_below(&rng, lines),
                                 lw_rng_percent(&rng, 30)};
        }
        const path_run step = run_path(params, asks, MAX_ASKS, 50, false);
        const path_run skip = run_path(params, asks, MAX_ASKS, 50, true);
        assert_memory_equal(step.done, skip.done, sizeof step.done);
        assert_memory_equal(step.asked, skip.asked, sizeof step.asked);
        assert_memory_equal(step.left, skip.left, sizeof step.left);
        assert_memory_equal(&step.counts, &skip.counts, sizeof step.counts);
        assert_true(skip.executed < step.executed);
    }
}

/* ---------------------------------------------------------------- the GPU with it */

static bool same_frame(void *ctx, uint32_t pasid, uint64_t page, uint64_t *frame) {
    (void)ctx;
    (void)pasid;
    *frame = page;
    return true;
}

/* NHA's GPU with ideal translation and PATH's caches, with MSHRs that do not bind. */
static lw_gpu_params ideal_gpu(bool data) {
    lw_gpu_params params = nha;
    params.ideal = true;
    params.frames = (lw_gpu_frames){same_frame, NULL};
    params.has_data = data;
    params.data = (lw_data_path_params){PATH};
    params.data.l1.mshrs = params.data.l2.mshrs = 128;
    return params;
}

/* A wave issues in cycle 1; the run ends in the cycle after its last answer. */
static void test_ideal_without_data(void **state) {
    (void)state;
    static const struct {
        hand_inst table[3];
        size_t count;
        uint64_t end;
    } rows[] = {
        {{{.page = 1, .lanes = 64, .stride = 1}}, 1, 2},
        {{{.page = 1, .lanes = 1, .alu = 9}}, 1, 11},
        {{{.page = 1, .lanes = 64}, {.dep = true, .page = 9, .lanes = 1, .alu = 4}}, 2, 7},
        {{{.page = 1, .lanes = 1}, {.page = 9, .lanes = 1}, {.page = 7, .lanes = 1}}, 3, 4},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const lw_gpu_params params = ideal_gpu(false);
        outcome o = run_one(&params, hand_workload(rows[i].table, rows[i].count), FAKE_UNIT);
        assert_int_equal(o.unit->count, 0);
        assert_int_equal(o.unit->end, rows[i].end);
        assert_int_equal(o.statistics.l1_hits + o.statistics.l1_misses, 0);
        assert_false(o.statistics.has_l1 || o.statistics.has_l2 || o.statistics.has_data);
        fake_free(o.unit);
    }
}

/* A divergent load takes a cycle for each of its 64 lines; lanes of one line take one. */
static void test_divergent_load(void **state) {
    (void)state;
    static const struct {
        uint32_t lanes, stride, lines;
    } rows[] = {{1, 0, 1}, {16, 0, 1}, {17, 0, 2}, {64, 0, 4}, {64, 1, 64}, {48, 3, 48}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const hand_inst table[] = {
            {.page = 0x1000, .lanes = rows[i].lanes, .stride = rows[i].stride}};
        const lw_gpu_params params = ideal_gpu(true);
        outcome o = run_one(&params, hand_workload(table, 1), FAKE_UNIT);
        assert_int_equal(o.statistics.data.lines, rows[i].lines);
        assert_int_equal(o.unit->end, 1 + (rows[i].lines - 1) + MISS + 1);
        fake_free(o.unit);
    }
}

/* A load goes on when its data is back, a store when the L2 has it; what comes after begins in the
 * next cycle. Lines of 128 bytes are half as many. */
static void test_who_waits_for_data(void **state) {
    (void)state;
    static const struct {
        lw_access_kind first, second;
        uint32_t line;
        uint64_t end, lines;
    } rows[] = {{LW_READ, LW_READ, 64, 1 + 3 + MISS + 1 + 3 + L1_HIT + 1, 8},
                {LW_WRITE, LW_WRITE, 64, 1 + 3 + L2_HIT + 1 + 3 + L2_HIT + 1, 8},
                {LW_READ, LW_WRITE, 64, 1 + 3 + MISS + 1 + 3 + L2_HIT + 1, 8},
                {LW_READ, LW_READ, 128, 1 + 1 + MISS + 1 + 1 + L1_HIT + 1, 4}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const hand_inst table[] = {{.page = 1, .lanes = 64, .access = rows[i].first},
                                   {.dep = true, .page = 1, .lanes = 64, .access = rows[i].second}};
        lw_gpu_params params = ideal_gpu(true);
        params.data.l1.line = params.data.l2.line = rows[i].line;
        outcome o = run_one(&params, hand_workload(table, 2), FAKE_UNIT);
        assert_int_equal(o.statistics.data.lines, rows[i].lines);
        assert_int_equal(o.unit->end, rows[i].end);
        fake_free(o.unit);
    }
}

/* Each cycle of a wave has its cause: computed by hand for one load that misses everywhere. The
 * wave begins in 0, issues in 1, the L2 TLB decides in 11, the unit is asked in 12 and answers in
 * 62, the L2 data cache decides in 62 + 12. */
static void test_causes(void **state) {
    (void)state;
    const hand_inst table[] = {{.page = 0x1000, .lanes = 1}};
    lw_gpu_params params = ideal_gpu(true);
    params.ideal = false;
    outcome o = run_one(&params, hand_workload(table, 1), FAKE_UNIT);
    const uint64_t expected[LW_CAUSES] = {[LW_CAUSE_ALU] = 1,
                                          [LW_CAUSE_TLB] = 10,
                                          [LW_CAUSE_UNIT] = 51,
                                          [LW_CAUSE_CACHE] = L1 + CROSSBAR + L2,
                                          [LW_CAUSE_MEMORY] = MEMORY + CROSSBAR};
    for (size_t i = 0; i < LW_CAUSES; i++) {
        assert_int_equal(o.statistics.cycles.of[i], expected[i]);
    }
    assert_int_equal(o.statistics.cycles.waves, 62 + MISS);
    fake_free(o.unit);
}

/* ---------------------------------------------------------------- issue */

static void run_order(lw_gpu_params params, const hand_inst *table, size_t count,
                      const uint64_t *pages, uint64_t apart) {
    outcome o = run_one(&params, hand_workload(table, count), FAKE_UNIT);
    assert_int_equal(o.unit->count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(o.unit->log[i].request.page, pages[i]);
        assert_int_equal(o.unit->log[i].cycle, o.unit->log[0].cycle + i * apart);
    }
    fake_free(o.unit);
}

/* Three waves of one SIMD: the oldest that can; in turn; an instruction every `issue_period`. */
static void test_schedules(void **state) {
    (void)state;
    const hand_inst table[] = {{.page = 0, .lanes = 1},
                               {.page = 1, .lanes = 1},
                               {.page = 2, .lanes = 1},
                               {.wave = 1, .page = 3, .lanes = 1},
                               {.wave = 1, .page = 4, .lanes = 1},
                               {.wave = 2, .page = 5, .lanes = 1}};
    static const uint64_t oldest[] = {0, 1, 2, 3, 4, 5};
    static const uint64_t turns[] = {0, 3, 5, 1, 4, 2};
    lw_gpu_params params = nha;
    params.simds = 1;
    run_order(params, table, COUNT(table), oldest, 1);
    params.issue_period = 4;
    run_order(params, table, COUNT(table), oldest, 4);
    params.schedule = LW_SCHEDULE_ROUND_ROBIN;
    run_order(params, table, COUNT(table), turns, 4);
    params.issue_period = 1;
    run_order(params, table, COUNT(table), turns, 1);
}

/* Four SIMDs issue side by side, one memory instruction a cycle: a wave each, then each again. */
static void test_issue_period(void **state) {
    (void)state;
    enum { WAVES = 4 };
    hand_inst table[2 * WAVES];
    for (uint32_t i = 0; i < 2 * WAVES; i++) {
        table[i] = (hand_inst){.wave = i % WAVES, .page = i, .lanes = 1};
    }
    lw_gpu_params params = nha;
    params.simds = WAVES;
    params.issue_period = 6;
    outcome o = run_one(&params, hand_workload(table, COUNT(table)), FAKE_UNIT);
    for (size_t i = 0; i < COUNT(table); i++) {
        assert_int_equal(o.unit->log[i].request.page, i);
        assert_int_equal(o.unit->log[i].cycle - o.unit->log[0].cycle, i / WAVES * 6 + i % WAVES);
    }
    fake_free(o.unit);
}

/* With `wave_loads` instructions of a wave under way the next one waits for an answer. */
static void test_wave_loads(void **state) {
    (void)state;
    enum { INSTS = 5 };
    hand_inst table[INSTS];
    for (uint32_t i = 0; i < INSTS; i++) {
        table[i] = (hand_inst){.page = i, .lanes = 1};
    }
    for (uint32_t loads = 0; loads <= INSTS; loads++) {
        lw_gpu_params params = nha;
        params.wave_loads = loads;
        outcome o = run_one(&params, hand_workload(table, INSTS), FAKE_UNIT);
        for (size_t i = 0; i < INSTS; i++) {
            const size_t before = loads == 0 || i < loads ? SIZE_MAX : i - loads;
            /* answered; issued in the next cycle; the L2 TLB's ten; the port */
            const uint64_t expected =
                before == SIZE_MAX ? o.unit->log[0].cycle + i : o.unit->log[before].answered + 12;
            assert_int_equal(o.unit->log[i].cycle, expected);
        }
        fake_free(o.unit);
    }
}

/* ---------------------------------------------------------------- whole kernels */

typedef struct run_row {
    const char *kernel;
    uint64_t size, max_iters, launches, groups;
    uint32_t cus, processes, line, mshrs, period, loads, schedule;
    bool ideal;
} run_row;

static const run_row run_rows[] = {
    {"mvt", 512, 3, 2, 0, 8, 1, 64, 8, 1, 0, 0, false},
    {"mvt", 512, 3, 2, 0, 8, 1, 64, 1, 4, 2, 1, false},
    {"mvt", 512, 8, 2, 0, 7, 3, 128, 3, 4, 0, 0, false},
    {"mvt", 512, 8, 2, 0, 8, 1, 64, 2, 1, 0, 0, true},
    {"nw", 256, 0, 0, 0, 3, 1, 64, 4, 4, 1, 0, false},
    {"backprop", 1024, 0, 0, 0, 8, 1, 128, 8, 4, 3, 1, false},
    {"hotspot", 128, 0, 0, 0, 8, 1, 64, 2, 4, 0, 0, true},
    {"bfs", 500, 0, 0, 0, 8, 2, 64, 16, 2, 0, 1, false},
    {"lud", 96, 0, 0, 0, 8, 1, 64, 64, 1, 0, 0, true},
};

static outcome run_row_once(const run_row *row, bool skip) {
    lw_workload *workloads[8];
    lw_gpu_params params = ideal_gpu(true);
    fake_config config = FAKE_UNIT;
    for (uint32_t p = 0; p < row->processes; p++) {
        workloads[p] =
            open_kernel(row->kernel, row->size, row->max_iters, row->launches, row->groups);
    }
    params.cus = row->cus;
    params.ideal = row->ideal;
    params.issue_period = row->period;
    params.wave_loads = row->loads;
    params.schedule = row->schedule;
    params.data.l1.line = params.data.l2.line = row->line;
    params.data.l1.mshrs = params.data.l2.mshrs = row->mshrs;
    config.delay = 90;
    config.spread = 40;
    config.skip = skip;
    return run_all(&params, workloads, row->processes, config);
}

/* Idle cycles may be skipped; each cycle of each wave has one cause; each line is looked up once in
 * its L1; what the L1s miss or store is looked up in the L2. */
static void test_skip_is_step(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(run_rows); i++) {
        outcome step = run_row_once(&run_rows[i], false);
        outcome skip = run_row_once(&run_rows[i], true);
        const lw_data_counts *d = &step.statistics.data;
        const lw_wave_cycles *w = &step.statistics.cycles;
        uint64_t sum = 0;
        assert_same_run(step.unit, skip.unit);
        assert_memory_equal(&step.statistics, &skip.statistics, sizeof step.statistics);
        assert_true(skip.unit->executed <= step.unit->executed);
        for (size_t c = 0; c < LW_CAUSES; c++) {
            sum += w->of[c];
        }
        assert_true(w->waves > 0);
        assert_int_equal(sum, w->waves);
        assert_int_equal(w->of[LW_CAUSE_UNIT] != 0, !run_rows[i].ideal);
        assert_int_equal(step.unit->count != 0, !run_rows[i].ideal);
        assert_int_equal(d->lines, d->l1.hits + d->l1.misses + d->l1.stores);
        assert_int_equal(d->l2.stores, d->l1.stores);
        assert_true(d->l2.hits + d->l2.misses <= d->l1.misses);
        assert_true(d->memory_reads <=
                    (d->l2.misses + d->l2.stores - d->l2.store_hits) * run_rows[i].line / 64);
        assert_int_equal(d->l1.writebacks, 0);
        fake_free(step.unit);
        fake_free(skip.unit);
    }
}

/* ---------------------------------------------------------------- memory of one latency */

static void test_fixed_memory(void **state) {
    (void)state;
    lw_memory m;
    uint32_t id = 0;
    const lw_memory_request read = {.user = LW_MEMORY_DATA, .id = 7};
    const lw_memory_request write = {.user = LW_MEMORY_DATA, .write = true};
    assert_true(lw_fixed_memory_new(30, 2, &m));
    for (uint64_t now = 5; now < 7; now++) {
        assert_true(m.ready(m.state, now, &read));
        m.ask(m.state, now, &read);
    }
    assert_false(m.ready(m.state, 6, &read));
    assert_true(m.ready(m.state, 6, &write));
    m.ask(m.state, 6, &write);
    assert_int_equal(m.next_event(m.state, 6), 35);
    assert_false(m.finished(m.state, 34, LW_MEMORY_DATA, &id));
    assert_true(m.finished(m.state, 35, LW_MEMORY_DATA, &id));
    assert_int_equal(id, 7);
    assert_false(m.finished(m.state, 35, LW_MEMORY_DATA, &id));
    assert_true(m.ready(m.state, 35, &read));
    assert_int_equal(m.next_event(m.state, 35), 36);
    assert_true(m.finished(m.state, 90, LW_MEMORY_DATA, &id));
    assert_true(m.next_event(m.state, 90) == UINT64_MAX);
    m.destroy(m.state);
}

static void test_refusals(void **state) {
    (void)state;
    lw_gpu_params params = ideal_gpu(true);
    lw_error err = {""};
    assert_true(lw_gpu_params_check(&params, &err));
    params.data.l1.ways = 3;
    assert_false(lw_gpu_params_check(&params, &err));
    assert_string_equal(err.text,
                        "l1d_kib is 1, 16 lines; allowed: l1d_ways (3) times a power of two");
    params.has_data = false;
    assert_true(lw_gpu_params_check(&params, &err));
    params = ideal_gpu(true);
    params.data.crossbar = 0;
    assert_false(lw_gpu_params_check(&params, &err));
    assert_string_equal(err.text, "crossbar_latency is 0; allowed: 1..1000");
    params.data.crossbar = 1;
    params.data.memory_latency = 100001;
    assert_false(lw_gpu_params_check(&params, &err));
    assert_string_equal(err.text, "data_latency is 100001; allowed: 1..100000");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_costs),
        cmocka_unit_test(test_goes_on_to_memory),
        cmocka_unit_test(test_writebacks),
        cmocka_unit_test(test_launch_invalidates),
        cmocka_unit_test(test_width_and_mshrs),
        cmocka_unit_test(test_path_skip_is_step),
        cmocka_unit_test(test_ideal_without_data),
        cmocka_unit_test(test_divergent_load),
        cmocka_unit_test(test_who_waits_for_data),
        cmocka_unit_test(test_causes),
        cmocka_unit_test(test_schedules),
        cmocka_unit_test(test_issue_period),
        cmocka_unit_test(test_wave_loads),
        cmocka_unit_test(test_skip_is_step),
        cmocka_unit_test(test_fixed_memory),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
