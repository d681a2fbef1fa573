/* Whole runs of the GPU: skipped cycles change nothing, several workloads of every kind end, and
 * how a run is cut, disturbed or refused. */
#include "tests/unit/sim/gpu/gpu_run.h"

/* ---------------------------------------------------------------- skip == step */

typedef struct run_row {
    const char *kernel; /* NULL: the sample trace */
    uint64_t size, max_iters, launches, groups;
    uint64_t delay, spread, stall;
    uint32_t cus, processes, mshrs, l1_entries, l1_probes, max_requests, l1_latency, l1_mshrs;
} run_row;

static const run_row run_rows[] = {
    {"mvt", 512, 3, 2, 0, 50, 0, 0, 8, 1, 1024, 32, 2, 0, 0, 0},
    {"mvt", 512, 3, 2, 0, 1, 0, 0, 8, 1, 1024, 32, 2, 0, 0, 0},
    {"mvt", 512, 2, 2, 0, 400, 300, 3, 8, 1, 16, 32, 64, 0, 0, 0},
    {"mvt", 512, 2, 1, 0, 40, 100, 2, 8, 1, 1, 1, 1, 0, 0, 0}, /* one MSHR, one L1 entry */
    {"gesummv", 1024, 2, 0, 2, 60, 500, 7, 2, 1, 64, 8, 3, 0, 0, 0},
    {"nw", 256, 0, 0, 0, 30, 20, 0, 3, 1, 4, 32, 2, 0, 0, 0},
    {"backprop", 1024, 0, 0, 0, 100, 90, 5, 8, 1, 1024, 32, 2, 0, 0, 0},
    {"hotspot", 128, 0, 0, 0, 100, 90, 5, 8, 1, 2, 32, 2, 0, 0, 0},
    {"covar", 100, 2, 0, 0, 100, 90, 5, 8, 1, 64, 32, 2, 0, 0, 0},
    {"lud", 96, 0, 0, 0, 100, 90, 5, 8, 1, 64, 32, 2, 0, 0, 0},
    {"bfs", 500, 0, 0, 0, 100, 90, 5, 8, 2, 64, 8, 2, 0, 0, 0},
    {"color", 500, 0, 0, 1, 100, 90, 5, 8, 1, 64, 8, 2, 0, 0, 0},
    {"mvt", 512, 8, 2, 0, 70, 50, 4, 8, 3, 128, 32, 2, 0, 0, 0},
    {"mvt", 512, 8, 2, 0, 70, 50, 4, 7, 7, 128, 32, 2, 1500, 0, 0},
    {"atax", 1024, 0, 1, 0, 90, 0, 0, 8, 1, 1024, 32, 2, 777, 0, 0},
    {NULL, 0, 0, 0, 0, 90, 30, 2, 2, 1, 8, 4, 1, 0, 0, 0},
    {NULL, 0, 0, 0, 0, 20, 0, 0, 4, 2, 1, 4, 1, 0, 0, 0},
    {"mvt", 512, 3, 2, 0, 50, 0, 0, 8, 1, 1024, 32, 2, 0, 20, 32},
    {"mvt", 512, 2, 1, 0, 400, 300, 3, 8, 1, 16, 8, 1, 0, 1, 1},
    {"gesummv", 1024, 2, 0, 2, 60, 500, 7, 2, 1, 64, 8, 3, 0, 0, 2},
    {"gesummv", 1024, 2, 0, 2, 60, 500, 7, 2, 1, 64, 8, 64, 0, 7, 5},
    {"nw", 256, 0, 0, 0, 30, 20, 0, 3, 1, 4, 32, 2, 0, 300, 0},
    {"bfs", 500, 0, 0, 0, 100, 90, 5, 8, 2, 64, 8, 2, 0, 9, 3},
    {"mvt", 512, 8, 2, 0, 70, 50, 4, 7, 7, 128, 32, 2, 1500, 11, 4},
};

static outcome run_row_once(const run_row *row, bool skip) {
    lw_workload *workloads[8];
    lw_gpu_params params = nha;
    fake_config config = FAKE_UNIT;
    char path[512];
    const char *data = getenv("LW_TEST_DATA");
    (void)snprintf(path, sizeof path, "%s/trace", data == NULL ? "tests/data" : data);
    for (uint32_t p = 0; p < row->processes; p++) {
        lw_error err = {0};
        workloads[p] = row->kernel == NULL ? lw_workload_open_trace(path, false, &err)
                                           : open_kernel(row->kernel, row->size, row->max_iters,
                                                         row->launches, row->groups);
        assert_string_equal(err.text, "");
    }
    params.cus = row->cus;
    params.l2_mshrs = row->mshrs;
    params.l1_entries = row->l1_entries;
    params.l1_probes = row->l1_probes;
    params.l1_latency = row->l1_latency;
    params.l1_mshrs = row->l1_mshrs;
    params.max_requests = row->max_requests;
    config.delay = row->delay;
    config.spread = row->spread;
    config.stall = row->stall;
    config.skip = skip;
    return run_all(&params, workloads, row->processes, config);
}

static void test_skip_is_step(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(run_rows); i++) {
        outcome step = run_row_once(&run_rows[i], false);
        outcome skip = run_row_once(&run_rows[i], true);
        assert_same_run(step.unit, skip.unit);
        assert_memory_equal(&step.statistics, &skip.statistics, sizeof step.statistics);
        assert_int_equal(step.unit->executed, step.unit->end + 1);
        assert_true(skip.unit->executed <= step.unit->executed);
        fake_free(step.unit);
        fake_free(skip.unit);
    }
}

/* Every id is below the number of MSHRs, and a request's key is not in flight twice. */
static void test_ids_and_keys(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(run_rows); i++) {
        outcome o = run_row_once(&run_rows[i], true);
        for (size_t r = 0; r < o.unit->count; r++) {
            const fake_request *x = &o.unit->log[r];
            assert_true(x->request.id < run_rows[i].mshrs);
            assert_true(x->request.src < run_rows[i].cus);
            assert_int_equal(x->request.pasid, x->request.src % run_rows[i].processes);
            assert_true(x->answered > x->cycle);
            for (size_t e = r; e-- > 0 && r - e < 64;) {
                const fake_request *y = &o.unit->log[e];
                assert_false(y->answered > x->cycle && y->request.page == x->request.page &&
                             y->request.pasid == x->request.pasid &&
                             y->request.access == x->request.access);
            }
        }
        fake_free(o.unit);
    }
}

/* Most cycles of a slow unit are idle: those are skipped. */
static void test_idle_cycles_are_skipped(void **state) {
    (void)state;
    const hand_inst table[] = {{.page = 0x1000, .lanes = 1, .alu = 500},
                               {.dep = true, .page = 0x2000, .lanes = 1, .alu = 500}};
    fake_config config = FAKE_UNIT;
    config.delay = 10000;
    config.skip = true;
    outcome o = run_one(&nha, hand_workload(table, COUNT(table)), config);
    assert_true(o.unit->end > 21000);
    assert_true(o.unit->executed < 30);
    fake_free(o.unit);
}

/* ---------------------------------------------------------------- ends */

static void test_max_requests(void **state) {
    (void)state;
    static const uint64_t limits[] = {1, 2, 63, 64, 65, 1000, 5000};
    outcome whole = run_one(&nha, open_kernel("mvt", 512, 0, 1, 0), FAKE_UNIT);
    const uint64_t all = whole.unit->count;
    fake_free(whole.unit);
    assert_true(all > 1000 && all < 5000);
    for (size_t i = 0; i < 2 * COUNT(limits); i++) {
        lw_gpu_params params = nha;
        fake_config config = FAKE_UNIT;
        params.max_requests = limits[i / 2];
        config.skip = i % 2 != 0;
        outcome o = run_one(&params, open_kernel("mvt", 512, 0, 1, 0), config);
        const uint64_t expected = params.max_requests < all ? params.max_requests : all;
        assert_int_equal(o.unit->count, expected);
        assert_int_equal(o.unit->answers, expected);
        fake_free(o.unit);
    }
}

/* Once the unit has taken the last request no wave issues any more, though one could before that is
 * answered. */
static void test_nothing_issues_after_the_last(void **state) {
    (void)state;
    const hand_inst table[] = {{.page = 0x1000, .lanes = 1},
                               {.wave = 1, .page = 0x2000, .lanes = 1, .alu = 20}};
    lw_gpu_params params = nha;
    params.max_requests = 1;
    outcome o = run_one(&params, hand_workload(table, COUNT(table)), FAKE_UNIT);
    assert_int_equal(o.statistics.wave_instructions, 1);
    assert_int_equal(o.unit->end, o.unit->log[0].answered);
    fake_free(o.unit);
}

/* A launch leaves the TLBs as they are: the second one finds its page in the L1 TLB of the only CU,
 * and where that has lost it, as another page took its place, in the L2 TLB. */
static void test_launches_keep_tlbs(void **state) {
    (void)state;
    const hand_inst table[] = {{.page = 0x1000, .lanes = 1},
                               {.page = 0x2000, .lanes = 1, .dep = true},
                               {.launch = 1, .page = 0x1000, .lanes = 1}};
    for (uint32_t l1_entries = 1; l1_entries <= 2; l1_entries++) {
        lw_gpu_params params = nha;
        params.cus = 1;
        params.l1_entries = l1_entries;
        outcome o = run_one(&params, hand_workload(table, COUNT(table)), FAKE_UNIT);
        assert_int_equal(o.unit->count, 2);
        assert_int_equal(o.statistics.l1_hits, l1_entries == 2);
        assert_int_equal(o.statistics.l2_hits, l1_entries == 1);
        fake_free(o.unit);
    }
}

static void count_hit(void *ctx, const lw_front_hit *hit) {
    uint64_t *hits = ctx;
    hits[hit->tlb]++;
    assert_true(hit->cu < nha.cus && hit->pasid == 0 && hit->pfn == hit->page);
}

/* Each hit of an L1 TLB and of the L2 TLB is told. */
static void test_who_is_told_of_hits(void **state) {
    (void)state;
    uint64_t hits[2] = {0};
    const lw_front_judge judge = {count_hit, hits};
    lw_gpu_params params = nha;
    params.judge = &judge;
    outcome o = run_one(&params, open_kernel("mvt", 512, 2, 2, 0), FAKE_UNIT);
    assert_true(hits[LW_FRONT_L1] > 0 && hits[LW_FRONT_L2] > 0);
    assert_int_equal(hits[LW_FRONT_L1], o.statistics.l1_hits);
    assert_int_equal(hits[LW_FRONT_L2], o.statistics.l2_hits);
    fake_free(o.unit);
}

static void test_shootdown(void **state) {
    (void)state;
    const hand_inst table[] = {{.page = 0x1000, .lanes = 1},
                               {.dep = true, .page = 0x1000, .lanes = 1}};
    static const struct {
        uint32_t type, pasid;
        uint64_t first, last;
        size_t requests;
    } rows[] = {{LW_INV_PAGE, 0, 0x1000, 0, 2},
                {LW_INV_PAGE, 0, 0x1001, 0x1000, 1},
                {LW_INV_RANGE, 0, 0xf00, 0x1000, 2},
                {LW_INV_RANGE, 0, 0x1000, 0x1fff, 2},
                {LW_INV_RANGE, 0, 0x1001, 0xfff, 1},
                {LW_INV_RANGE, 0, 0x1001, 0x1fff, 1},
                {LW_INV_PASID, 0, 0, 0, 2},
                {LW_INV_ALL, 0, 0, 0, 2},
                {LW_INV_ALL, 9, 0, 0, 2},
                {LW_INV_PAGE, 1, 0x1000, 0x1000, 1},
                {LW_INV_RANGE, 1, 0, UINT64_MAX, 1},
                {LW_INV_PASID, 1, 0, 0, 1},
                {LW_INV_PASID, 4095, 0, 0, 1}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        fake_config config = FAKE_UNIT;
        config.shootdown_after = 1;
        config.shootdown_type = rows[i].type;
        config.shootdown_pasid = rows[i].pasid;
        config.shootdown_first = rows[i].first;
        config.shootdown_last = rows[i].last;
        outcome o = run_one(&nha, hand_workload(table, COUNT(table)), config);
        assert_int_equal(o.unit->count, rows[i].requests);
        fake_free(o.unit);
    }
}

static void test_refusals(void **state) {
    (void)state;
#define ROW(field, value, text)                                                                    \
    { offsetof(lw_gpu_params, field), value, #field " is " text }
    static const struct {
        size_t offset;
        uint32_t value;
        const char *sentence;
    } rows[] = {
        ROW(cus, 0, "0; allowed: 1..64"),
        ROW(cus, 65, "65; allowed: 1..64"),
        ROW(simds, 17, "17; allowed: 1..16"),
        ROW(waves, 0, "0; allowed: 1..64"),
        ROW(schedule, 2, "2; allowed: 0..1"),
        ROW(wave_loads, 65, "65; allowed: 0..64"),
        ROW(issue_period, 0, "0; allowed: 1..64"),
        ROW(l1_entries, 1025, "1025; allowed: 1..1024"),
        ROW(l1_probes, 65, "65; allowed: 1..64"),
        ROW(l1_latency, 1001, "1001; allowed: 0..1000"),
        ROW(l1_mshrs, 65537, "65537; allowed: 0..65536"),
        ROW(l2_entries, 65537, "65537; allowed: 0..65536"),
        ROW(l2_ways, 65, "65; allowed: 1..64"),
        ROW(l2_latency, 0, "0; allowed: 1..1000"),
        ROW(l2_lookups, 0, "0; allowed: 1..64"),
        ROW(l2_mshrs, 65537, "65537; allowed: 1..65536"),
        ROW(l2_entries, 511, "511; allowed: l2_ways (16) times a power of two"),
        ROW(l2_entries, 520, "520; allowed: l2_ways (16) times a power of two"),
        ROW(l2_entries, 768, "768; allowed: l2_ways (16) times a power of two"),
    };
    lw_front_end front;
    lw_workload *none = NULL;
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_gpu_params params = nha;
        lw_error err = {0};
        assert_true(lw_gpu_params_check(&params, &err));
        memcpy((char *)&params + rows[i].offset, &rows[i].value, sizeof rows[i].value);
        assert_false(lw_gpu_params_check(&params, &err));
        assert_string_equal(err.text, rows[i].sentence);
        assert_false(lw_gpu_new(&params, &none, 1, &front, &err));
    }
    lw_error err = {0};
    assert_false(lw_gpu_new(&nha, &none, 0, &front, &err));
    assert_false(lw_gpu_new(&nha, &none, 9, &front, &err));
    assert_non_null(strstr(err.text, "9 processes; allowed: 1..8"));
}

/* A group larger than a CU ends the run with a sentence. */
static void test_group_too_large(void **state) {
    (void)state;
    lw_gpu_params params = nha;
    params.simds = params.waves = 1;
    lw_workload *w = open_kernel("mvt", 512, 1, 1, 1);
    lw_front_end front;
    lw_error err = {0};
    fake_config config = FAKE_UNIT;
    config.ends = false;
    assert_true(lw_gpu_new(&params, &w, 1, &front, &err));
    fake_free(fake_run(&front, config));
    assert_true(front.failed(front.self, &err));
    assert_string_equal(err.text, "mvt_k1 has groups of 4 waves; a CU of this system holds 1");
    front.free(front.self);
    lw_workload_close(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_skip_is_step),
        cmocka_unit_test(test_ids_and_keys),
        cmocka_unit_test(test_idle_cycles_are_skipped),
        cmocka_unit_test(test_max_requests),
        cmocka_unit_test(test_nothing_issues_after_the_last),
        cmocka_unit_test(test_launches_keep_tlbs),
        cmocka_unit_test(test_who_is_told_of_hits),
        cmocka_unit_test(test_shootdown),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_group_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
