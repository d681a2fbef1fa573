/* What each cycle adds to the counters (R12.5, R12.6), in random streams, from what stands in the
 * registers and at the ports at its beginning; and what they do at their end. */
#include "c_model/host/perf_counters.h"
#include "tests/unit/c_model/stream_bench.h"

enum { IDLE, READ, PWC_REQ, PWC_WAIT, CAM, REQ, MEM, RESP, STATES };
enum { TYPE_PASID = 2, INV_COMPLETE = 6, SLOTS = 128 };

typedef struct counts {
    uint64_t of[LW_COUNTERS];
} counts;

static counts now(const bench *b) {
    counts c;
    for (uint32_t n = 0; n < LW_COUNTERS; n++) {
        c.of[n] = lw_iommu_counter(b->u, n);
    }
    return c;
}

/* R12.6, and 16 of R12.5. */
static void attribute(const bench *b, counts *c) {
    static const uint32_t counter[STATES] = {[READ] = LW_C_CAM,           [PWC_REQ] = LW_C_PWC,
                                             [PWC_WAIT] = LW_C_PWC,       [CAM] = LW_C_CAM,
                                             [REQ] = LW_C_MEMORY_PORT,    [MEM] = LW_C_MEMORY,
                                             [RESP] = LW_C_RESPONSE_QUEUE};
    uint64_t valid = 0, eligible = 0, started = 0;
    for (uint32_t i = 0; i < b->hw.buffer_entries; i++) {
        const bool v = bench_peek(b, LW_F_BUFFER_VALID, i) != 0;
        valid += v;
        eligible += v && bench_peek(b, LW_F_BUFFER_PICKED, i) == 0 && /* R5.1 */
                    bench_peek(b, LW_F_BUFFER_DONE, i) == 0 &&
                    bench_peek(b, LW_F_BUFFER_CL, i) == 0;
    }
    for (uint32_t i = 0; i < b->hw.walkers; i++) {
        const uint64_t state = bench_peek(b, LW_F_PWST_STATE, i);
        const uint32_t idle = valid == 0      ? LW_C_IDLE_EMPTY
                              : eligible == 0 ? LW_C_IDLE_HELD
                                              : LW_C_IDLE_PICK;
        c->of[state == IDLE ? idle : counter[state]]++;
        started += bench_peek(b, LW_F_PWST_STARTED, i);
    }
    c->of[LW_C_WAITING] += valid + started - bench_peek(b, LW_F_CHOICE_WALKER_NEXT, 0);
    c->of[LW_C_CYCLES]++;
}

/* `stale_hits`: hits of the page walk cache by STALE walkers, which count as any other. */
static void watched_cycle(bench *b, uint64_t *stale_hits) {
    static const uint8_t compared[] = {
        LW_C_CYCLES,        LW_C_REQUESTS,       LW_C_RESPONSES,
        LW_C_TLB_MISSES,    LW_C_TLB_HITS,       LW_C_PAGE_TABLE_ACCESSES,
        LW_C_INVALIDATIONS, LW_C_REQUEST_STALLS, LW_C_WAITING,
        LW_C_PWC_HITS,      LW_C_PWC_LOOKUPS,    LW_C_IDLE_EMPTY,
        LW_C_IDLE_HELD,     LW_C_IDLE_PICK,      LW_C_PWC,
        LW_C_CAM,           LW_C_MEMORY_PORT,    LW_C_MEMORY,
        LW_C_RESPONSE_QUEUE};
    counts want = now(b);
    attribute(b, &want);
    uint64_t enters = 0;
    for (uint32_t i = 0; i < b->hw.walkers; i++) {
        enters |= bench_peek(b, LW_F_PWST_STATE, i) == PWC_REQ;
    }
    want.of[LW_C_PWC_LOOKUPS] += enters; /* R6.1: one a cycle */
    const bool hit = bench_peek(b, LW_F_PWC_RESULT_RESULT_VALID, 0) != 0 &&
                     bench_peek(b, LW_F_PWC_RESULT_RESULT_HIT, 0) != 0;
    const uint32_t hitter = (uint32_t)bench_peek(b, LW_F_PWC_RESULT_RESULT_WALKER, 0);
    want.of[LW_C_PWC_HITS] += hit;
    *stale_hits += hit && bench_peek(b, LW_F_PWST_STALE, hitter) != 0;
    want.of[LW_C_TLB_MISSES] += bench_peek(b, LW_F_MISS_MISS_VALID, 0) != 0 &&
                                bench_peek(b, LW_F_BUFFER_RING_OPEN, 0) != 0; /* R4.2 */
    want.of[LW_C_TLB_HITS] += bench_peek(b, LW_F_TLB_PIPE_PIPE_VALID, b->hw.tlb_latency) != 0 &&
                              bench_peek(b, LW_F_TLB_FOUND_FOUND, 0) != 0 &&
                              bench_peek(b, LW_F_TLB_REFUSAL_BAD_PAGE, 0) == 0 &&
                              bench_peek(b, LW_F_TLB_REFUSAL_BAD_PASID, 0) == 0;
    want.of[LW_C_INVALIDATIONS] += bench_peek(b, LW_F_INVALIDATION_STATE, 0) == INV_COMPLETE;
    bench_random_cycle(b, true);
    want.of[LW_C_REQUESTS] += b->stepped.req_valid && b->out.req_ready;
    want.of[LW_C_REQUEST_STALLS] += b->stepped.req_valid && !b->out.req_ready;
    want.of[LW_C_RESPONSES] += b->out.rsp_valid && b->stepped.rsp_ready;
    want.of[LW_C_PAGE_TABLE_ACCESSES] += b->out.mem_req_valid && b->stepped.mem_req_ready;
    const counts got = now(b);
    for (uint32_t i = 0; i < sizeof compared; i++) {
        if (got.of[compared[i]] != want.of[compared[i]]) {
            fail_msg("cycle %llu: counter %u is %llu, not %llu", (unsigned long long)b->cycle,
                     compared[i], (unsigned long long)got.of[compared[i]],
                     (unsigned long long)want.of[compared[i]]);
        }
    }
}

static void test_every_cycle(void **state) {
    (void)state;
    enum { SEEDS = 6, CYCLES = 1500, BUSY = 4 };
    uint64_t attributed[LW_COUNTERS] = {0}, stale_hits = 0;
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        lw_params hw = bench_nha;
        hw.buffer_entries = SLOTS;
        hw.walkers = 1 + seed;
        hw.pwc_org = seed % 2;
        hw.tlb_entries = 4 * hw.tlb_ways;
        hw.walk_queue = 1 + seed % 3;
        bench b;
        bench_init(&b, &hw, seed);
        bench_pool(&b, 200, 2, 1);
        bench_pool_runs(&b, 12, 2);
        b.latency = 5;
        b.jitter = 10;
        b.request_gap = seed % 3 == 0 ? 95 : 20;
        b.not_ready = 20;
        b.response_not_ready = 20 * (seed % BUSY);
        bench_enable(&b, seed % MODES, seed % 4 != 3, false);
        for (uint32_t c = 0; c < CYCLES; c++) {
            b.in.inv_valid = c % 40 == 20;
            b.in.inv_type = TYPE_PASID;
            watched_cycle(&b, &stale_hits);
        }
        bench_drain(&b);
        for (uint32_t n = LW_C_IDLE_EMPTY; n < LW_C_ATTRIBUTION_END; n++) {
            attributed[n] += lw_iommu_counter(b.u, n);
        }
        bench_done(&b);
    }
    for (uint32_t n = LW_C_IDLE_EMPTY; n < LW_C_ATTRIBUTION_END; n++) {
        assert_true(attributed[n] > 0);
    }
    assert_true(stale_hits > 0);
}

/* R12.5: 48 bits, then zero again, with what the last cycle adds still beside it. */
static void test_wrap(void **state) {
    (void)state;
    const uint64_t last = 0xffffffffffff;
    for (uint32_t n = 0; n < LW_COUNTERS; n++) {
        lw_counters counters;
        lw_events events = {0};
        lw_counters_init(&counters, NULL);
        assert_int_equal(lw_counters_count(&counters, n), 0);
        events.total[n] = last;
        lw_counters_begin(&counters, &events);
        assert_int_equal(lw_counters_count(&counters, n), last);
        events.total[n] += 3;
        assert_int_equal(lw_counters_count(&counters, n), last);
        lw_counters_begin(&counters, &events);
        assert_int_equal(lw_counters_count(&counters, n), 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_cycle),
        cmocka_unit_test(test_wrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
