/* What each cycle of random streams adds to the counters of looks, answers, scans and contiguity
 * checks (R12.5), by the rules that say when each event happens, from what stands in the registers
 * before the cycle and after it. */
#include "tests/unit/c_model/stream_bench.h"

enum { MEM = 6, SCAN = 1, INV_MARK = 1, TYPE_ALL = 3, NONE = 99 };
enum { CHECK_IDLE, CHECK_INSERT = 5, CHECK_DRAIN, CHECK_COMPARE };

typedef struct counts {
    uint64_t of[LW_COUNTERS];
} counts;

static uint64_t get(const bench *b, lw_field f) {
    return bench_peek(b, f, 0);
}

static counts now(const bench *b) {
    counts c;
    for (uint32_t n = 0; n < LW_COUNTERS; n++) {
        c.of[n] = lw_iommu_counter(b->u, n);
    }
    return c;
}

/* R11.9: whether a mark of this cycle meets it. */
static bool is_marked(const bench *b, uint64_t pasid) {
    const bool own =
        get(b, LW_F_INVALIDATION_KNOWN) != 0 && get(b, LW_F_INVALIDATION_PASID) == pasid;
    return get(b, LW_F_INVALIDATION_STATE) == INV_MARK &&
           (get(b, LW_F_INVALIDATION_TYPE) == TYPE_ALL || own);
}

/* R3.2, R5.28: the lookup that is decided. */
static void count_decision(const bench *b, counts *c) {
    const uint32_t last = b->hw.tlb_latency + (b->hw.subregions != 0 && b->hw.par_lookup == 0);
    if (bench_peek(b, LW_F_TLB_PIPE_PIPE_VALID, last) == 0) {
        return;
    }
    const bool second = bench_peek(b, LW_F_TLB_PIPE_PIPE_SECOND, last) != 0;
    const bool bad_pasid = get(b, LW_F_TLB_REFUSAL_BAD_PASID) != 0;
    const bool bad = bad_pasid || (!second && get(b, LW_F_TLB_REFUSAL_BAD_PAGE) != 0);
    const bool hit = !bad && get(b, LW_F_TLB_FOUND_FOUND) != 0;
    c->of[LW_C_FAULTS] += bad && !second;
    c->of[LW_C_TLB_HITS] += hit && !second;
    c->of[LW_C_SECOND_HITS] += hit && second;
    c->of[LW_C_SUBREGION_HITS] +=
        hit && !second && b->hw.subregions != 0 && get(b, LW_F_TLB_FOUND_FOUND_CLASS) != 0;
}

/* R5.20: the look, as far as it is known before what it does; true if a walk may start. */
static bool count_look(const bench *b, counts *c) {
    const bool gives_back = get(b, LW_F_READ_READ_DONE) != 0 || get(b, LW_F_READ_READ_CL) != 0;
    const bool looks = get(b, LW_F_READ_READ_VALID) != 0;
    c->of[LW_C_GIVEN_BACK] += looks && gives_back;
    c->of[LW_C_SECOND_LOOKUPS] += looks && !gives_back && get(b, LW_F_READ_READ_FIRST) != 0 &&
                                  get(b, LW_F_READ_READ_STALE) == 0 &&
                                  get(b, LW_F_ADMISSION_HIT_USED) < b->hw.hit_queue; /* R5.26 */
    return looks && !gives_back;
}

/* R12.7: the update of a scan. */
static void count_neighbours(const bench *b, counts *c) {
    bool any = false;
    for (uint32_t i = 0; i < b->hw.buffer_entries; i++) {
        any |= bench_peek(b, LW_F_BUFFER_VALID, i) != 0 &&
               bench_peek(b, LW_F_BUFFER_DONE, i) == 0 &&
               bench_peek(b, LW_F_BUFFER_NEAR_LEVEL, i) != 0;
    }
    c->of[LW_C_SAME_NEIGHBOURHOOD] += any && get(b, LW_F_UPDATE_UPDATE_OP) == SCAN &&
                                      get(b, LW_F_UPDATE_UPDATE_LEVEL) == 1 &&
                                      get(b, LW_F_UPDATE_UPDATE_ERROR) == 0;
}

/* R8.4: the walker whose line is scanned, NONE without one. */
static uint32_t scanner(const bench *b) {
    const uint64_t tag = get(b, LW_F_WALK_MEMORY_LINE_TAG);
    const bool scans = get(b, LW_F_WALK_MEMORY_LINE_VALID) != 0 && tag < b->hw.walkers &&
                       bench_peek(b, LW_F_PWST_STATE, (uint32_t)tag) == MEM;
    return scans ? (uint32_t)tag : NONE;
}

/* R16.1, but for the verdict: whether the scan of this walker may ask for a check. */
static bool may_ask(const bench *b, uint32_t w) {
    const uint64_t contig = bench_peek(b, LW_F_PWST_CONTIG, w);
    const uint32_t x = bench_peek(b, LW_F_PWST_VPN, w) >> 6 & 7;
    const uint64_t beside = (contig << 1 & 0x1fe) | (contig & 0xff) >> 1;
    return bench_peek(b, LW_F_PWST_STALE, w) == 0 &&
           !is_marked(b, bench_peek(b, LW_F_PWST_PASID, w)) &&
           bench_peek(b, LW_F_PWST_LEVEL, w) == 1 && (contig & 0x100) == 0 &&
           (contig >> x & 1) != 0 && (beside >> x & 1) != 0 &&
           get(b, LW_F_WALK_MEMORY_LINE_ERROR) == 0;
}

/* R16.2: whether a check of this walker's page is merged. */
static bool is_merged(const bench *b, uint32_t w) {
    const uint64_t pasid = bench_peek(b, LW_F_PWST_PASID, w);
    const uint64_t vsn = bench_peek(b, LW_F_PWST_VPN, w) >> 6, state = get(b, LW_F_CHECK_STATE);
    bool merged = state != CHECK_IDLE && state != CHECK_DRAIN &&
                  get(b, LW_F_CHECK_PASID) == pasid && get(b, LW_F_CHECK_VSN) == vsn;
    const uint64_t jobs = b->hw.head_first != 0 ? 0 : get(b, LW_F_CHECK_RING_QUEUE_COUNT);
    for (uint64_t n = 0; n < jobs; n++) {
        const uint32_t job = (uint32_t)(get(b, LW_F_CHECK_RING_QUEUE_HEAD) + n) % b->hw.check_queue;
        merged |= bench_peek(b, LW_F_CHECK_QUEUE_JOB_LIVE, job) != 0 &&
                  bench_peek(b, LW_F_CHECK_QUEUE_JOB_PASID, job) == pasid &&
                  bench_peek(b, LW_F_CHECK_QUEUE_JOB_VSN, job) == vsn;
    }
    return merged;
}

/* R16.2, R16.13 */
static bool is_full(const bench *b) {
    return b->hw.head_first != 0 ? get(b, LW_F_CHECK_STATE) != CHECK_IDLE
                                 : get(b, LW_F_CHECK_RING_QUEUE_COUNT) == b->hw.check_queue;
}

/* R3.6, R3.20: whether the answer that stands in its register loads the fill register. */
static bool answer_fills(const bench *b) {
    return get(b, LW_F_ANSWER_ANSWER_VALID) != 0 && get(b, LW_F_ANSWER_ANSWER_KIND) == LW_OK &&
           get(b, LW_F_ANSWER_ANSWER_STALE) == 0 && !is_marked(b, get(b, LW_F_ANSWER_ANSWER_PASID));
}

static void assert_counts(const bench *b, const counts *want) {
    static const uint8_t compared[] = {LW_C_FAULTS,
                                       LW_C_TLB_HITS,
                                       LW_C_SECOND_HITS,
                                       LW_C_SUBREGION_HITS,
                                       LW_C_GIVEN_BACK,
                                       LW_C_WALKS,
                                       LW_C_SECOND_LOOKUPS,
                                       LW_C_COALESCED_LEVELS,
                                       LW_C_SAME_NEIGHBOURHOOD,
                                       LW_C_COALESCED_ANSWERS,
                                       LW_C_MSC_LOOKUPS,
                                       LW_C_MSC_HITS,
                                       LW_C_HEAD_READS,
                                       LW_C_SUBREGION_FILLS,
                                       LW_C_JOINED,
                                       LW_C_CHECKS_MERGED,
                                       LW_C_CHECKS_DROPPED,
                                       LW_C_STRAY_LINES};
    const counts got = now(b);
    for (uint32_t i = 0; i < sizeof compared; i++) {
        if (got.of[compared[i]] != want->of[compared[i]]) {
            fail_msg("cycle %llu: counter %u is %llu, not %llu", (unsigned long long)b->cycle,
                     compared[i], (unsigned long long)got.of[compared[i]],
                     (unsigned long long)want->of[compared[i]]);
        }
    }
}

static void watched_cycle(bench *b) {
    counts want = now(b);
    count_decision(b, &want);
    count_neighbours(b, &want);
    want.of[LW_C_FAULTS] +=
        get(b, LW_F_ANSWER_ANSWER_VALID) != 0 && get(b, LW_F_ANSWER_ANSWER_KIND) != LW_OK;
    const bool may_start = count_look(b, &want), fills = answer_fills(b);
    const uint32_t looker = (uint32_t)get(b, LW_F_READ_READ_WALKER), scans = scanner(b);
    const uint64_t known = get(b, LW_F_READ_READ_PL);
    const bool subregions = b->hw.subregions != 0;
    const bool asks = subregions && scans != NONE && may_ask(b, scans);
    const bool merged = asks && is_merged(b, scans), full = asks && is_full(b);
    const bool compares = subregions && b->hw.head_first == 0 &&
                          get(b, LW_F_CHECK_STATE) == CHECK_COMPARE &&
                          get(b, LW_F_MSC_SWEEP_SWEEP) == 0 && get(b, LW_F_MSC_SWEEP_SWEPT) == 0;
    bench_random_cycle(b, true);
    const bool starts = may_start && bench_peek(b, LW_F_PWST_STARTED, looker) != 0; /* R5.8 */
    want.of[LW_C_WALKS] += starts;
    want.of[LW_C_COALESCED_LEVELS] += starts && known != 0 ? b->hw.levels + 1 - known : 0;
    want.of[LW_C_COALESCED_ANSWERS] +=
        b->hw.coalesce != 0 && get(b, LW_F_BUFFER_CONTROL_READING) != 0; /* R10.2 */
    want.of[LW_C_HEAD_READS] +=
        b->out.mem_req_valid && b->stepped.mem_req_ready && b->out.mem_req_tag >= b->hw.walkers;
    if (subregions) {
        const bool range = get(b, LW_F_FILL_FILL_VALID) != 0 && get(b, LW_F_FILL_FILL_CLASS) != 0;
        const uint64_t kind = !asks ? 0
                              : bench_peek(b, LW_F_PWST_STATE, scans) == 0 /* R10.13 */
                                  ? get(b, LW_F_ANSWER_ANSWER_KIND)
                                  : bench_peek(b, LW_F_PWST_KIND, scans);
        const bool leaf = asks && kind == LW_OK;
        want.of[LW_C_SUBREGION_FILLS] += range;
        want.of[LW_C_JOINED] += range && !fills; /* R3.13 */
        want.of[LW_C_CHECKS_MERGED] += leaf && merged;
        want.of[LW_C_CHECKS_DROPPED] += leaf && !merged && full;
        want.of[LW_C_MSC_LOOKUPS] += compares; /* R16.4, R16.19 */
        want.of[LW_C_MSC_HITS] += compares && get(b, LW_F_MSC_PLACE_TOUCH) != 0;
    }
    assert_counts(b, &want);
}

/* Some registers the twin keeps only for those who listen. */
static void listen(void *ctx, lw_structure s, uint32_t index) {
    (void)ctx;
    (void)s;
    (void)index;
}

static void test_streams(void **state) {
    (void)state;
    enum { SEEDS = 12, CYCLES = 3000, EACH = 5, SECOND = 4 };
    counts sum = {{0}};
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        lw_params hw = bench_nha;
        hw.tlb_entries = 4 * hw.tlb_ways;
        hw.buffer_entries = 64;
        hw.walkers = 2 + seed % 3;
        hw.hit_queue = 2;
        hw.second_lookup = seed % SECOND == 0;
        if (seed % 2 != 0) {
            add_subregions(&hw, seed);
        }
        bench b;
        bench_init(&b, &hw, seed);
        lw_iommu_watch(b.u, listen, NULL);
        bench_pool(&b, 200, 2, 2);
        if (hw.subregions != 0) {
            bench_pool_frames(&b, 4, 2);
        }
        b.latency = 5;
        b.jitter = 20;
        b.errors = 2;
        b.response_not_ready = 10 * (seed % SECOND);
        bench_enable(&b, hw.second_lookup != 0 ? 0 : seed % MODES, seed % 5 != 0, false);
        for (uint32_t c = 0; c < CYCLES; c++) {
            b.in.inv_valid = c % 150 == 50;
            b.in.inv_type = 2 + c / 150 % 2;
            watched_cycle(&b);
        }
        bench_drain(&b);
        for (uint32_t n = 0; n < LW_COUNTERS; n++) {
            sum.of[n] += lw_iommu_counter(b.u, n);
        }
        bench_done(&b);
    }
    static const uint8_t happens[] = {
        LW_C_FAULTS,     LW_C_SECOND_LOOKUPS, LW_C_SECOND_HITS,      LW_C_SUBREGION_HITS,
        LW_C_GIVEN_BACK, LW_C_JOINED,         LW_C_COALESCED_LEVELS, LW_C_COALESCED_ANSWERS,
        LW_C_MSC_HITS,   LW_C_CHECKS_MERGED,  LW_C_CHECKS_DROPPED,   LW_C_SAME_NEIGHBOURHOOD};
    for (uint32_t i = 0; i < sizeof happens; i++) {
        if (sum.of[happens[i]] <= EACH) {
            fail_msg("counter %u: %llu", happens[i], (unsigned long long)sum.of[happens[i]]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_streams)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
