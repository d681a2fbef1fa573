/* An invalidation's states (chapter 11): how long each lasts, what is captured, for what WALKS and
 * QUEUES wait, and what others notice. */
#include "tests/unit/c_model/stream_bench.h"

enum { PASID = 3, OTHER = 5, MODE_FULL = 2, TYPE_RANGE = 1, TYPE_PASID, PAGE = 0x12345 };
enum { INV_IDLE, MARK, SWEEP, SETTLE, WALKS, QUEUES, COMPLETE, STATES };

static uint64_t inv_state(const bench *b) {
    return bench_peek(b, LW_F_INVALIDATION_STATE, 0);
}

static void invalidate(bench *b, uint32_t pasid) {
    b->in.inv_valid = true;
    b->in.inv_type = TYPE_PASID;
    b->in.inv_pasid = pasid;
    bench_step(b);
}

/* R11.1, R11.4: of an empty unit, for each number of stages and sets, with HEAD_FIRST and without.
 * Beyond the TLB's last set nothing of it is swept. */
static void test_lengths(void **state) {
    (void)state;
    enum { SHAPES = 16, LATENCY_MAX = 8 };
    for (uint32_t shape = 0; shape < SHAPES * LATENCY_MAX; shape++) {
        lw_params hw = bench_nha;
        hw.tlb_latency = 1 + shape / SHAPES;
        hw.subregions = shape & 1;
        hw.par_lookup = hw.subregions & shape >> 1;
        hw.head_first = hw.subregions & shape >> 3;
        hw.coalesce = 1 - hw.head_first;
        hw.tlb_entries = hw.tlb_ways << (shape & 3);
        hw.msc_entries = hw.msc_ways << (shape >> 2 & 1) * 3;
        const uint32_t stages = hw.tlb_latency + 1 + (hw.subregions != 0 && hw.par_lookup == 0);
        const uint32_t sets = hw.tlb_entries / hw.tlb_ways, msc = hw.msc_entries / hw.msc_ways;
        const uint32_t lasts[STATES] = {[MARK] = 1,
                                        [SWEEP] = hw.subregions != 0 && msc > sets ? msc : sets,
                                        [SETTLE] = stages - 1,
                                        [WALKS] = 1,
                                        [QUEUES] = 1,
                                        [COMPLETE] = 1};
        bench b;
        bench_init(&b, &hw, 1);
        invalidate(&b, PASID);
        for (uint32_t s = MARK; s < STATES; s++) {
            for (uint32_t n = 0; n < lasts[s]; n++) {
                lw_iommu_outputs(b.u, &b.out);
                assert_int_equal(inv_state(&b), s);
                assert_int_equal(b.out.inv_ready, 0);
                assert_int_equal(b.out.inv_done, s == COMPLETE);
                assert_int_equal(bench_peek(&b, LW_F_INVALIDATION_EPOCH, 0), s > WALKS);
                if (s == SWEEP) {
                    const uint32_t swept = n == 0 ? 0 : n < sets ? n - 1 : sets - 1; /* R3.10 */
                    assert_int_equal(bench_peek(&b, LW_F_INVALIDATION_SWEEP_SET, 0), n);
                    assert_int_equal(bench_peek(&b, LW_F_TLB_SWEPT_SWEPT_SET, 0), swept);
                } else if (s == SETTLE) {
                    assert_int_equal(bench_peek(&b, LW_F_INVALIDATION_SETTLE_LEFT, 0),
                                     stages - 2 - n);
                }
                bench_step(&b);
            }
        }
        lw_iommu_outputs(b.u, &b.out);
        assert_int_equal(inv_state(&b), INV_IDLE);
        assert_int_equal(b.out.inv_ready, 1);
        assert_int_equal(b.out.inv_done, 0);
        bench_done(&b);
    }
}

/* R11.1: the operands are those of the transfer, and KNOWN says whether there is such a PASID. */
static void test_captured(void **state) {
    (void)state;
    static const struct {
        uint32_t pasid, known;
    } cases[] = {{0, 1}, {15, 1}, {16, 0}, {17, 0}, {1 << 19, 0}};
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bench b;
        bench_init(&b, &bench_nha, 1);
        b.in.inv_valid = true;
        b.in.inv_type = TYPE_RANGE;
        b.in.inv_pasid = cases[i].pasid;
        b.in.inv_first = 0x123;
        b.in.inv_last = 0x456;
        bench_step(&b);
        b.in.inv_type = TYPE_PASID;
        b.in.inv_pasid = OTHER;
        b.in.inv_first = b.in.inv_last = 0x789;
        while (inv_state(&b) != INV_IDLE) {
            b.in.inv_valid = true;
            assert_int_equal(bench_peek(&b, LW_F_INVALIDATION_TYPE, 0), TYPE_RANGE);
            assert_int_equal(bench_peek(&b, LW_F_INVALIDATION_PASID, 0), cases[i].pasid);
            assert_int_equal(bench_peek(&b, LW_F_INVALIDATION_KNOWN, 0), cases[i].known);
            assert_int_equal(bench_peek(&b, LW_F_INVALIDATION_FIRST, 0), 0x123);
            assert_int_equal(bench_peek(&b, LW_F_INVALIDATION_LAST, 0), 0x456);
            bench_step(&b);
        }
        bench_done(&b);
    }
}

/* R11.5: WALKS lasts while a miss that waits for the buffer is STALE, though nothing else is: of a
 * PASID without a root, behind a buffer full of another's. */
static void test_waiting_misses(void **state) {
    (void)state;
    enum { ENTRIES = 4, WALKERS = 1, OTHERS = WALKERS + ENTRIES, FAR_SHIFT = 27 };
    for (uint32_t queued = 0; queued < 2; queued++) { /* behind one more of OTHER */
        lw_params hw = bench_nha;
        hw.buffer_entries = ENTRIES;
        hw.walkers = WALKERS;
        hw.coalesce = 0;
        bench b;
        bench_init(&b, &hw, 1);
        b.any_kind = true;
        b.latency = 40;
        bench_root(&b, PASID);
        for (uint64_t i = 0; i < OTHERS + queued; i++) {
            bench_map(&b, OTHER, i << FAR_SHIFT, 1 + i);
        }
        bench_enable(&b, 0, false, false);
        for (uint64_t i = 0; i <= OTHERS + queued; i++) {
            bench_offer(&b, &(bench_page){i == OTHERS + queued ? PASID : OTHER, 0, i << FAR_SHIFT});
            while (b.in.req_valid) {
                bench_step(&b);
            }
        }
        bench_steps(&b, 5);
        bench_write(&b, LW_CTL_ROOT + PASID, 0);
        invalidate(&b, PASID);
        bench_step(&b);
        const lw_field stale = queued != 0 ? LW_F_MISS_QUEUE_QUEUED_STALE : LW_F_MISS_MISS_STALE;
        const uint32_t place = queued != 0 ? (uint32_t)bench_peek(&b, LW_F_MISS_MISS_HEAD, 0) : 0;
        assert_int_equal(bench_peek(&b, stale, place), 1);
        while (b.answered < OTHERS + queued) {
            assert_true(inv_state(&b) <= WALKS);
            bench_step(&b);
        }
        bench_drain(&b);
        assert_int_equal(b.last.kind, LW_UNKNOWN_PASID);
        bench_done(&b);
    }
}

/* R11.6, R10.6: QUEUES lasts until the last response of the old EPOCH has left, in whatever place
 * of the queues it stands. */
static void test_old_responses(void **state) {
    (void)state;
    enum { RESPONSES = 5, HELD = 60, PAGE = 0x100, BEFORE = 3, MAPPED = 10 };
    for (uint32_t before = 0; before <= BEFORE; before++) { /* so far HEAD has gone */
        for (uint32_t hits = 0; hits < 2; hits++) {
            lw_params hw = bench_nha;
            hw.hit_queue = hw.walk_queue = RESPONSES;
            bench b;
            bench_init(&b, &hw, 1);
            for (uint64_t i = 0; i < MAPPED; i++) {
                bench_map(&b, OTHER, PAGE + i * 64, 1 + i);
            }
            bench_enable(&b, 0, false, false);
            for (uint64_t i = 0; i < RESPONSES; i++) {
                bench_ask(&b, OTHER, PAGE + i * 64, 0);
            }
            for (uint64_t i = 0; i < before + RESPONSES; i++) {
                b.in.rsp_ready = i < before;
                const uint64_t page = hits != 0 ? i % RESPONSES : (i + RESPONSES) % MAPPED;
                bench_offer(&b, &(bench_page){OTHER, 0, PAGE + page * 64});
                bench_steps(&b, HELD);
            }
            const uint64_t answered = b.answered, sent = b.sent;
            invalidate(&b, PASID);
            bench_steps(&b, HELD);
            assert_int_equal(inv_state(&b), QUEUES);
            b.in.rsp_ready = true;
            while (b.answered < sent) {
                assert_int_equal(inv_state(&b), QUEUES);
                bench_step(&b);
            }
            assert_true(sent - answered > 3);
            bench_step(&b);
            assert_int_equal(inv_state(&b), COMPLETE);
            bench_drain(&b);
            bench_done(&b);
        }
    }
}

/* What QUEUES has waited for, where nothing else was of the old EPOCH. */
typedef struct waited {
    uint64_t queues, out, reading, answer;
} waited;

/* The places of a ring that hold a response of another EPOCH. */
static bool is_old_in(const bench *b, lw_field epoch, lw_field head, lw_field count,
                      uint32_t places) {
    const uint64_t now = bench_peek(b, LW_F_INVALIDATION_EPOCH, 0);
    bool old = false;
    for (uint64_t n = 0; n < bench_peek(b, count, 0); n++) {
        const uint32_t place = (uint32_t)(bench_peek(b, head, 0) + n) % places;
        old |= bench_peek(b, epoch, place) != now;
    }
    return old;
}

static bool is_old(const bench *b, lw_field valid, lw_field epoch) {
    return bench_peek(b, valid, 0) != 0 &&
           bench_peek(b, epoch, 0) != bench_peek(b, LW_F_INVALIDATION_EPOCH, 0);
}

/* R11.6 */
static bool queues_wait(const bench *b, waited *w) {
    const bool queues = is_old_in(b, LW_F_HIT_QUEUE_HIT_EPOCH, LW_F_RESPONSE_HIT_HEAD,
                                  LW_F_RESPONSE_HIT_COUNT, b->hw.hit_queue) ||
                        is_old_in(b, LW_F_WALK_QUEUE_WALK_EPOCH, LW_F_RESPONSE_WALK_HEAD,
                                  LW_F_RESPONSE_WALK_COUNT, b->hw.walk_queue);
    const bool out = is_old(b, LW_F_RESPONSE_OUT_VALID, LW_F_RESPONSE_OUT_EPOCH);
    const bool reading = is_old(b, LW_F_BUFFER_CONTROL_READING, LW_F_BUFFER_CONTROL_READING_EPOCH);
    const bool answer = is_old(b, LW_F_ANSWER_ANSWER_VALID, LW_F_ANSWER_ANSWER_EPOCH);
    w->queues += queues;
    w->out += out && !queues && !reading && !answer;
    w->reading += reading && !queues && !out && !answer;
    w->answer += answer && !queues && !out && !reading;
    return queues || out || reading || answer;
}

/* R11.5, but for what test_waiting_misses looks at, without contiguity checks. */
static bool walks_wait(const bench *b) {
    bool stale = false;
    for (uint32_t i = 0; i < b->hw.walkers; i++) {
        stale |= bench_peek(b, LW_F_PWST_STALE, i) != 0;
    }
    for (uint32_t i = 0; i < b->hw.buffer_entries; i++) {
        stale |= bench_peek(b, LW_F_BUFFER_STALE, i) != 0;
    }
    return stale;
}

/* WALKS and QUEUES in streams: each ends in the first cycle at whose beginning nothing is left of
 * what it waits for. */
static void test_ends(void **state) {
    (void)state;
    enum { SEEDS = 12, CYCLES = 6000, EACH = 5 };
    waited w = {.out = 0};
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        lw_params hw = bench_nha;
        hw.buffer_entries = 32;
        hw.walkers = 1 + seed % 4;
        hw.hit_queue = hw.walk_queue = 2;
        hw.tlb_entries = hw.tlb_ways;
        bench b;
        bench_init(&b, &hw, seed);
        bench_pool(&b, 60, 2, 0);
        bench_pool_runs(&b, 12, 2);
        b.latency = 3;
        b.jitter = 6;
        b.request_gap = 20 * (seed % 4);
        b.response_not_ready = seed % 3 == 0 ? 30 : 0;
        bench_enable(&b, MODE_FULL, seed % 2 != 0, false);
        for (uint32_t c = 0; c < CYCLES; c++) {
            b.in.inv_valid = c % 25 == 0;
            b.in.inv_type = TYPE_PASID;
            b.in.inv_pasid = c / 25 % 3;
            const uint64_t before = inv_state(&b);
            const bool waits =
                before == WALKS ? walks_wait(&b) : before == QUEUES && queues_wait(&b, &w);
            bench_random_cycle(&b, true);
            if (before == WALKS || before == QUEUES) {
                assert_int_equal(inv_state(&b), waits ? before : before + 1);
            }
        }
        bench_drain(&b);
        bench_done(&b);
    }
    assert_true(w.queues > EACH && w.out > EACH && w.reading > EACH && w.answer > EACH);
}

/* A walk with one read, its upper levels being in the page walk cache: in how many cycles it is
 * answered with an invalidation of another PASID in its cycle `when`, and with how many reads. */
static uint32_t answer_time(uint32_t pwc_org, uint32_t pasid, uint32_t when, uint64_t *reads) {
    lw_params hw = bench_nha;
    hw.pwc_org = pwc_org;
    bench b;
    bench_init(&b, &hw, 1);
    bench_map(&b, PASID, PAGE, 7);
    bench_map(&b, PASID, PAGE + 8, 8);
    bench_enable(&b, 0, true, false);
    bench_ask(&b, PASID, PAGE, 0);
    *reads = b.accesses;
    bench_offer(&b, &(bench_page){PASID, 0, PAGE + 8});
    uint32_t cycles = 0;
    for (const uint64_t answered = b.answered; b.answered == answered; cycles++) {
        if (cycles == when) {
            invalidate(&b, pasid);
        } else {
            bench_step(&b);
        }
    }
    *reads = b.accesses - *reads;
    bench_done(&b);
    return cycles;
}

/* R11.8: another PASID's walk takes a cycle longer at most, and reads no more; but with a cache by
 * address, which knows no PASIDs, it reads the upper levels again (R6.6). So it is with a mark that
 * meets no PASID at all. */
static void test_others_are_delayed(void **state) {
    (void)state;
    const uint32_t marked[] = {OTHER, bench_nha.pasids + PASID};
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t pwc_org = i % 2, pasid = marked[i / 2];
        uint64_t reads = 0, most = 0;
        bool later = false;
        const uint32_t alone = answer_time(pwc_org, pasid, UINT32_MAX, &reads);
        assert_int_equal(reads, 1);
        for (uint32_t when = 0; when < alone; when++) {
            const uint32_t cycles = answer_time(pwc_org, pasid, when, &reads);
            if (pwc_org == 1 && reads != 1) {
                most = reads > most ? reads : most;
            } else {
                assert_int_equal(reads, 1);
                assert_in_range(cycles, alone, alone + 1);
                later = later || cycles > alone;
            }
        }
        assert_true(later || pwc_org == 1);
        assert_int_equal(most, pwc_org == 1 ? bench_nha.levels : 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_captured),
        cmocka_unit_test(test_waiting_misses),
        cmocka_unit_test(test_old_responses),
        cmocka_unit_test(test_others_are_delayed),
        cmocka_unit_test(test_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
