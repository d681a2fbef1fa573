/* Where a wave's cycles go, each worked out by hand: NHA's GPU with the caches of
 * data_path_costs.h, whose L2 decides 12 cycles after a line was sent and is answered by memory 23
 * cycles before the line is back. A wave begins in cycle 0 and can issue in 1. */
#include "tests/unit/sim/gpu/data_path_costs.h"
#include "tests/unit/sim/gpu/gpu_run.h"

enum { P = 0x1000, Q = 0x2000, R = 0x3000 };

#define CACHES ((uint64_t)(L1 + CROSSBAR + L2))
#define BACK ((uint64_t)(MEMORY + CROSSBAR))

typedef struct cause_row {
    const char *what;
    hand_inst table[4];
    size_t count;
    bool unit;       /* pages are asked of the GPU's TLBs and the unit; else translation is ideal */
    uint32_t period; /* of a GPU with one SIMD a CU; 0: NHA's */
    uint64_t max_requests;
    uint64_t end; /* of the run; 0: not compared */
    uint64_t cycles[LW_CAUSES];
} cause_row;

static const cause_row rows[] = {
    /* The second load issues in 102, long after the first is back. */
    {.what = "arithmetic counts, whatever a load before it waits for",
     .table = {{.page = P, .lanes = 1}, {.page = Q, .lanes = 1, .alu = 100}},
     .count = 2,
     .cycles = {[LW_CAUSE_ALU] = 102, [LW_CAUSE_CACHE] = CACHES, [LW_CAUSE_MEMORY] = BACK}},
    /* P issues in 1 and is back in 36, the store in 2 and is done in 17, R in 30. From 30 on the
     * wave waits for P, which is in memory; from 36 for R, which is so from 42 on. */
    {.what = "the oldest instruction counts, also where one behind it was answered first",
     .table = {{.page = P, .lanes = 1},
               {.page = Q, .lanes = 1, .access = LW_WRITE},
               {.page = R, .lanes = 1, .alu = 27}},
     .count = 3,
     .cycles = {[LW_CAUSE_ALU] = 30, [LW_CAUSE_CACHE] = 6, [LW_CAUSE_MEMORY] = 6 + BACK}},
    /* Q issues in 2, so from then on the wave waits for P, which goes to memory in 13 and is back
     * in 36, a cycle before Q. */
    {.what = "the oldest instruction counts while it goes on, with one behind it",
     .table = {{.page = P, .lanes = 1}, {.page = Q, .lanes = 1}},
     .count = 2,
     .cycles = {[LW_CAUSE_ALU] = 2, [LW_CAUSE_CACHE] = CACHES - 1, [LW_CAUSE_MEMORY] = BACK + 1}},
    /* Of the second load's lines the first hits, and the second is sent a cycle later. */
    {.what = "a line that is back is in no place any more",
     .table = {{.page = P, .lanes = 1}, {.page = P, .lanes = 17, .dep = true}},
     .count = 2,
     .cycles = {[LW_CAUSE_ALU] = 2,
                [LW_CAUSE_CACHE] = CACHES + 1 + CACHES,
                [LW_CAUSE_MEMORY] = 2 * BACK}},
    {.what = "another wave of the CU comes first",
     .table = {{.page = P, .lanes = 1}, {.wave = 1, .page = Q, .lanes = 1}},
     .count = 2,
     .cycles = {[LW_CAUSE_ISSUE] = 1,
                [LW_CAUSE_ALU] = 2,
                [LW_CAUSE_CACHE] = 2 * CACHES,
                [LW_CAUSE_MEMORY] = 2 * BACK}},
    {.what = "its SIMD is busy",
     .table = {{.page = P, .lanes = 1}, {.wave = 1, .page = Q, .lanes = 1}},
     .count = 2,
     .period = 6,
     .cycles = {[LW_CAUSE_ISSUE] = 6,
                [LW_CAUSE_ALU] = 2,
                [LW_CAUSE_CACHE] = 2 * CACHES,
                [LW_CAUSE_MEMORY] = 2 * BACK}},
    /* Two probes a cycle, in 1 and 2; the second wave issues in 3. The L2 TLB decides ten cycles
     * after the last probe of each, in 12 and 13, and the unit is asked in 12 to 15 and in 16. */
    {.what = "the coalescer still has pages",
     .table = {{.page = P, .lanes = 4, .stride = 1}, {.wave = 1, .page = Q, .lanes = 1}},
     .count = 2,
     .unit = true,
     .cycles = {[LW_CAUSE_ISSUE] = 2,
                [LW_CAUSE_ALU] = 2,
                [LW_CAUSE_TLB] = 11 + 10,
                [LW_CAUSE_UNIT] = (15 + 50 - 12) + (16 + 50 - 13),
                [LW_CAUSE_CACHE] = 2 * CACHES,
                [LW_CAUSE_MEMORY] = 2 * BACK}},
    /* The store has brought the first line to the L2, but not to the L1. Of the load of cycle 52
     * the first line is back in 52 + 15, when the second, sent a cycle later, is in memory. */
    {.what = "a line that is answered leaves the place of the others",
     .table = {{.page = P, .lanes = 1, .access = LW_WRITE}, {.page = P, .lanes = 17, .alu = 50}},
     .count = 2,
     .cycles =
         {[LW_CAUSE_ALU] = 52, [LW_CAUSE_CACHE] = L2_HIT, [LW_CAUSE_MEMORY] = 1 + MISS - L2_HIT}},
    /* The second wave asks for the page in 21, when the unit has been asked in 12 already; its line
     * joins the first wave's, which goes on to memory for both. */
    {.what = "a page that joins a miss which waits for the unit waits for it too",
     .table = {{.page = P, .lanes = 1}, {.wave = 1, .page = P, .lanes = 1, .alu = 20}},
     .count = 2,
     .unit = true,
     .cycles = {[LW_CAUSE_ALU] = 1 + 21,
                [LW_CAUSE_TLB] = 10,
                [LW_CAUSE_UNIT] = 51 + 41,
                [LW_CAUSE_CACHE] = 2 * CACHES,
                [LW_CAUSE_MEMORY] = 2 * BACK}},
    /* Both TLB and caches have what the second load asks for. */
    {.what = "a hit of the L1 TLB takes no time",
     .table = {{.page = P, .lanes = 1}, {.page = P, .lanes = 1, .dep = true}},
     .count = 2,
     .unit = true,
     .cycles = {[LW_CAUSE_ALU] = 2,
                [LW_CAUSE_TLB] = 10,
                [LW_CAUSE_UNIT] = 51,
                [LW_CAUSE_CACHE] = CACHES + L1_HIT,
                [LW_CAUSE_MEMORY] = BACK}},
    /* The first launch ends in 36. The second begins in 37 and issues in 38; its L1 data caches are
     * empty. */
    {.what = "a wave of a later launch begins with it",
     .table = {{.page = P, .lanes = 1}, {.launch = 1, .page = P, .lanes = 1}},
     .count = 2,
     .end = 38 + L2_HIT + 1,
     .cycles = {[LW_CAUSE_ALU] = 2, [LW_CAUSE_CACHE] = CACHES + L2_HIT, [LW_CAUSE_MEMORY] = BACK}},
    /* The second wave ends in 97; the run ends with the answer to the third in 162. */
    {.what = "waves that are left count until the end",
     .table = {{.page = R, .lanes = 1, .alu = 1000},
               {.wave = 1, .page = P, .lanes = 1},
               {.wave = 2, .page = Q, .lanes = 1, .alu = 100},
               {.wave = 3, .page = R, .lanes = 1, .alu = 2000}},
     .count = 4,
     .unit = true,
     .max_requests = 2,
     .cycles = {[LW_CAUSE_ALU] = 162 + 1 + 101 + 162,
                [LW_CAUSE_TLB] = 10 + 10,
                [LW_CAUSE_UNIT] = 51 + 51,
                [LW_CAUSE_CACHE] = CACHES,
                [LW_CAUSE_MEMORY] = BACK}},
};

static bool same_frame(void *ctx, uint32_t pasid, uint64_t page, uint64_t *frame) {
    (void)ctx;
    (void)pasid;
    *frame = page;
    return true;
}

static void run_row(const cause_row *row, bool skip) {
    static const char *const names[] = {"issue", "alu", "tlb", "unit", "data_cache", "data_memory"};
    lw_gpu_params params = nha;
    fake_config config = FAKE_UNIT;
    uint64_t sum = 0;
    params.ideal = !row->unit;
    params.frames = (lw_gpu_frames){same_frame, NULL};
    params.has_data = true;
    params.data = (lw_data_path_params){PATH};
    params.max_requests = row->max_requests;
    if (row->period != 0) {
        params.simds = 1;
        params.issue_period = row->period;
    }
    config.skip = skip;
    outcome o = run_one(&params, hand_workload(row->table, row->count), config);
    for (size_t c = 0; c < LW_CAUSES; c++) {
        if (o.statistics.cycles.of[c] != row->cycles[c]) {
            fail_msg("%s: %llu cycles of %s", row->what,
                     (unsigned long long)o.statistics.cycles.of[c], names[c]);
        }
        sum += row->cycles[c];
    }
    assert_int_equal(o.statistics.cycles.waves, sum);
    assert_true(row->end == 0 || o.unit->end == row->end);
    fake_free(o.unit);
}

static void test_causes_by_hand(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        run_row(&rows[i], false);
        run_row(&rows[i], true);
    }
}

/* What is done grows when a wave begins, issues, and has a page answered, and never falls. */
static void test_done_grows(void **state) {
    (void)state;
    enum { ASKED = 12, ANSWERED = 62 };
    const hand_inst table[] = {{.page = P, .lanes = 1}};
    lw_workload *w = hand_workload(table, 1);
    lw_front_end front;
    lw_error err = {0};
    uint64_t before = 0;
    assert_true(lw_gpu_new(&nha, &w, 1, &front, &err));
    for (uint64_t now = 0; now <= ANSWERED; now++) {
        lw_front_request request;
        assert_int_equal(front.offer(front.self, now, &request), now == ASKED);
        if (now == ASKED) {
            front.accepted(front.self, now);
        }
        if (now == ANSWERED) {
            const lw_front_response response = {.kind = LW_OK, .perm = 3, .pfn = P};
            front.response(front.self, now, &response);
        }
        front.tick(front.self, now);
        const uint64_t done = front.done(front.self);
        const bool grows = now == 0 || now == 1 || now == ANSWERED;
        assert_true(grows ? done > before : done >= before);
        before = done;
    }
    front.free(front.self);
    lw_workload_close(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_causes_by_hand),
        cmocka_unit_test(test_done_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
