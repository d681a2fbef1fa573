/* The GPU with a data path: what its loads and stores wait for, computed by hand; and whole
 * kernels, in every cycle and only in those that next_event names. */
#include "tests/unit/sim/gpu/data_path_costs.h"
#include "tests/unit/sim/gpu/gpu_run.h"

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

/* A divergent load takes a cycle for each of its 64 lines, or for as many as the L1 may look up in
 * one; lanes of one line take one. Of lines of 128 bytes either half will do. */
static void test_divergent_load(void **state) {
    (void)state;
    static const struct {
        uint32_t line, lanes, stride, lines;
    } rows[] = {{64, 1, 0, 1},   {64, 16, 0, 1},  {64, 17, 0, 2},  {64, 64, 0, 4},
                {64, 64, 1, 64}, {64, 48, 3, 48}, {128, 16, 0, 1}, {128, 17, 0, 1},
                {128, 33, 0, 2}, {128, 64, 1, 64}};
    for (size_t n = 0; n < 3 * COUNT(rows); n++) {
        const size_t i = n / 3;
        const uint32_t lookups = 1 + n % 3;
        const hand_inst table[] = {
            {.page = 0x1000, .lanes = rows[i].lanes, .stride = rows[i].stride}};
        lw_gpu_params params = ideal_gpu(true);
        params.data.l1.line = params.data.l2.line = rows[i].line;
        params.data.l1.lookups = params.data.l2.lookups = lookups;
        outcome o = run_one(&params, hand_workload(table, 1), FAKE_UNIT);
        assert_int_equal(o.statistics.data.lines, rows[i].lines);
        assert_int_equal(o.unit->end, 1 + (rows[i].lines - 1) / lookups + MISS + 1);
        fake_free(o.unit);
    }
}

/* Divergent loads one behind the other: all their lines are asked for, one a cycle, also where more
 * pages wait than a GPU of a single wave holds. */
static void test_many_divergent_loads(void **state) {
    (void)state;
    enum { LOADS = 20, LINES = LOADS * LW_MAX_LANES };
    hand_inst table[LOADS];
    for (uint32_t i = 0; i < LOADS; i++) {
        table[i] = (hand_inst){.page = UINT64_C(64) * i, .lanes = LW_MAX_LANES, .stride = 1};
    }
    for (int ideal = 0; ideal < 2; ideal++) {
        lw_gpu_params params = ideal_gpu(true);
        params.ideal = ideal == 1;
        params.cus = params.simds = params.waves = 1;
        outcome o = run_one(&params, hand_workload(table, LOADS), FAKE_UNIT);
        assert_int_equal(o.statistics.translations, LINES);
        assert_int_equal(o.statistics.data.lines, LINES);
        assert_int_equal(o.statistics.data.memory_reads, LINES);
        assert_true(ideal == 0 || o.unit->end == 1 + (LINES - 1) + MISS + 1);
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

static bool all_but_one(void *ctx, uint32_t pasid, uint64_t page, uint64_t *frame) {
    (void)ctx;
    (void)pasid;
    *frame = page;
    return page != 1;
}

/* A page that faults has no lines, whether the unit says so or the page table: of three pages one
 * is missing, or all are. The wave goes on when that is known. */
static void test_faults_have_no_lines(void **state) {
    (void)state;
    const hand_inst table[] = {{.page = 0, .lanes = 3, .stride = 1},
                               {.dep = true, .page = 1, .lanes = 1}};
    lw_gpu_params params = ideal_gpu(true);
    fake_config config = FAKE_UNIT;
    params.frames = (lw_gpu_frames){all_but_one, NULL};
    outcome o = run_one(&params, hand_workload(table, COUNT(table)), config);
    assert_int_equal(o.statistics.data.lines, 2);
    assert_int_equal(o.unit->end, 1 + 1 + MISS + 2);
    fake_free(o.unit);
    params.ideal = false;
    config.kind = LW_NOT_PRESENT;
    o = run_one(&params, hand_workload(table, COUNT(table)), config);
    assert_int_equal(o.statistics.data.lines, 0);
    assert_int_equal(o.unit->count, 4);
    assert_int_equal(o.unit->end, o.unit->log[3].answered);
    fake_free(o.unit);
}

/* When a kernel begins the L1s of its process's CUs forget their lines, all of those and no others;
 * the L2 keeps them. Process `who` launches three kernels of two groups, one for each of its CUs,
 * all of which load the same line; the other one loads a line again when all that has passed. */
static void test_launches_begin_with_empty_l1s(void **state) {
    (void)state;
    static const hand_inst launches[] = {
        {.launch = 0, .page = 1, .lanes = 1}, {.launch = 0, .group = 1, .page = 1, .lanes = 1},
        {.launch = 1, .page = 1, .lanes = 1}, {.launch = 1, .group = 1, .page = 1, .lanes = 1},
        {.launch = 2, .page = 1, .lanes = 1}, {.launch = 2, .group = 1, .page = 1, .lanes = 1}};
    static const hand_inst stays[] = {{.page = 2, .lanes = 1},
                                      {.page = 2, .lanes = 1, .dep = true, .alu = 1000}};
    for (uint32_t who = 0; who < 2; who++) {
        lw_workload *workloads[2];
        lw_gpu_params params = ideal_gpu(true);
        params.cus = 4;
        workloads[who] = hand_workload(launches, COUNT(launches));
        workloads[1 - who] = hand_workload(stays, COUNT(stays));
        outcome o = run_all(&params, workloads, 2, FAKE_UNIT);
        const lw_data_counts *d = &o.statistics.data;
        assert_int_equal(d->l1.hits, 1);
        assert_int_equal(d->l1.misses, 2 * 3 + 1);
        assert_int_equal(d->l2.hits, 2 * 2);
        assert_int_equal(d->memory_reads, 2);
        fake_free(o.unit);
    }
}

/* Where nothing is under way between two launches of a process the run goes on, though the others
 * have ended. */
static void test_all_launches_run(void **state) {
    (void)state;
    static const hand_inst one[] = {{.page = 1, .lanes = 1}};
    static const hand_inst three[] = {{.launch = 0, .page = 2, .lanes = 1},
                                      {.launch = 1, .page = 3, .lanes = 1},
                                      {.launch = 2, .page = 4, .lanes = 1}};
    for (uint32_t last = 0; last < 3; last++) {
        lw_workload *workloads[3];
        const lw_gpu_params params = ideal_gpu(true);
        for (uint32_t p = 0; p < 3; p++) {
            workloads[p] = p == last ? hand_workload(three, 3) : hand_workload(one, 1);
        }
        outcome o = run_all(&params, workloads, 3, FAKE_UNIT);
        assert_int_equal(o.statistics.data.lines, 5);
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

/* The L2 data cache is there for page walks where the system says so; what the CPU writes to a
 * table it drops. */
static void test_page_walks(void **state) {
    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        lw_workload *w = hand_workload(NULL, 0);
        lw_gpu_params params = ideal_gpu(i != 0);
        lw_front_end front;
        lw_error err = {0};
        uint64_t now = 0;
        params.data.walks = i == 2 ? 4 : 0;
        assert_true(lw_gpu_new(&params, &w, 1, &front, &err));
        lw_memory *walks = lw_gpu_walks(&front);
        assert_int_equal(walks != NULL, i == 2);
        for (uint32_t n = 0; walks != NULL && n < 3; n++) {
            const lw_memory_request read = {.line = 77, .user = LW_MEMORY_WALKS, .id = n};
            const uint64_t since = now;
            uint32_t id = 9;
            walks->ask(walks->state, now, &read);
            while (!walks->finished(walks->state, now, LW_MEMORY_WALKS, &id)) {
                front.tick(front.self, now++);
            }
            assert_int_equal(id, n);
            assert_int_equal(now - since, n == 1 ? L2 + 1 : L2 + MEMORY + 1);
            if (n == 1) {
                lw_gpu_table_changes(&front, 77 << 6 | 8);
            }
        }
        front.free(front.self);
        lw_workload_close(w);
    }
}

/* Cycles in which nothing but memory is under way are idle, and skipped. */
static void test_idle_cycles_are_skipped(void **state) {
    (void)state;
    const hand_inst table[] = {{.page = 0x1000, .lanes = 1},
                               {.dep = true, .page = 0x2000, .lanes = 1, .access = LW_WRITE},
                               {.dep = true, .page = 0x3000, .lanes = 1}};
    lw_gpu_params params = ideal_gpu(true);
    fake_config config = FAKE_UNIT;
    params.ideal = false;
    params.data.memory_latency = 5000;
    config.delay = 5000;
    config.skip = true;
    outcome o = run_one(&params, hand_workload(table, COUNT(table)), config);
    assert_true(o.unit->end > 25000);
    assert_true(o.unit->executed < 80);
    fake_free(o.unit);
}

static void test_refusals(void **state) {
    (void)state;
    lw_gpu_params params = ideal_gpu(true);
    lw_error err = {0};
    assert_true(lw_gpu_params_check(&params, &err));
    params.data.l1.ways = 3;
    assert_false(lw_gpu_params_check(&params, &err));
    assert_string_equal(err.text,
                        "l1d_kib is 1, 16 lines; allowed: l1d_ways (3) times a power of two");
    params.has_data = false;
    assert_true(lw_gpu_params_check(&params, &err));
    params = ideal_gpu(true);
    params.data.l2.latency = 0;
    assert_false(lw_gpu_params_check(&params, &err));
    assert_string_equal(err.text, "l2d_latency is 0; allowed: 1..1000");
    params = ideal_gpu(true);
    params.data.crossbar = 1000;
    params.data.memory_latency = 100000;
    assert_true(lw_gpu_params_check(&params, &err));
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
        cmocka_unit_test(test_ideal_without_data),
        cmocka_unit_test(test_divergent_load),
        cmocka_unit_test(test_many_divergent_loads),
        cmocka_unit_test(test_who_waits_for_data),
        cmocka_unit_test(test_causes),
        cmocka_unit_test(test_launches_begin_with_empty_l1s),
        cmocka_unit_test(test_skip_is_step),
        cmocka_unit_test(test_idle_cycles_are_skipped),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_page_walks),
        cmocka_unit_test(test_faults_have_no_lines),
        cmocka_unit_test(test_all_launches_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
