/* Walkers are served in the order in which they were given their entries (R5.22): in each cycle of
 * random streams who leaves a state in which walkers wait for their turn is the oldest of them, and
 * it leaves in the cycles that the rules name, in no other (R5.6, R6.1, R7.7, R8.1). */
#include "tests/unit/c_model/iommu_bench.h"

enum { MODE_FULL = 2, WALKERS = 8 };
enum { PWC_REQ = 2, CAM = 4, REQ = 5, MEM = 6, RESP = 7, STATES = 8, MARK = 1, TYPE_PASID };

/* The walkers in each state, a bit each. */
typedef struct waiting {
    uint32_t in[STATES];
} waiting;

static waiting look(const bench *b) {
    waiting w = {{0}};
    for (uint32_t i = 0; i < WALKERS; i++) {
        w.in[bench_peek(b, LW_F_PWST_STATE, i)] |= 1u << i;
    }
    return w;
}

/* The order is kept here: by walker the number of its entry, which it is given as it leaves IDLE.
 */
typedef struct order {
    uint64_t number[WALKERS], next;
} order;

static uint32_t oldest(const order *o, uint32_t set) {
    uint32_t found = WALKERS;
    for (uint32_t i = 0; i < WALKERS; i++) {
        if ((set >> i & 1) != 0 && (found == WALKERS || o->number[i] < o->number[found])) {
            found = i;
        }
    }
    return found;
}

/* R4.4, R11.7: whether the CAM takes a scan. All marks are of one PASID. */
static bool takes_scan(const bench *b) {
    const uint32_t tag = (uint32_t)bench_peek(b, LW_F_WALK_MEMORY_LINE_TAG, 0);
    const bool marked =
        bench_peek(b, LW_F_INVALIDATION_STATE, 0) == MARK &&
        bench_peek(b, LW_F_INVALIDATION_PASID, 0) == bench_peek(b, LW_F_PWST_PASID, tag);
    return bench_peek(b, LW_F_WALK_MEMORY_LINE_VALID, 0) != 0 &&
           bench_peek(b, LW_F_PWST_STATE, tag) == MEM && bench_peek(b, LW_F_PWST_STALE, tag) == 0 &&
           !marked;
}

/* Whether the oldest in CAM leaves: to advance (R7.7), STALE or not, or to ask (R5.6). */
static bool leaves_cam(const bench *b, uint32_t walker, uint64_t *stale_waits) {
    if (walker == WALKERS) {
        return false;
    }
    if (bench_peek(b, LW_F_PWST_STARTED, walker) == 0) {
        return bench_peek(b, LW_F_INVALIDATION_STATE, 0) != MARK;
    }
    *stale_waits += takes_scan(b) && bench_peek(b, LW_F_PWST_STALE, walker) != 0;
    return !takes_scan(b) && bench_peek(b, LW_F_READ_READ_VALID, 0) == 0;
}

static void watched_cycle(bench *b, order *o, uint64_t choices[STATES], uint64_t *stale_waits) {
    static const uint8_t served[] = {PWC_REQ, CAM, REQ, RESP};
    const waiting before = look(b);
    bool leaves[STATES] = {[PWC_REQ] = before.in[PWC_REQ] != 0,
                           [CAM] = leaves_cam(b, oldest(o, before.in[CAM]), stale_waits)};
    bench_random_cycle(b, true);
    const waiting after = look(b);
    leaves[REQ] = before.in[REQ] != 0 && (!b->out.mem_req_valid || b->stepped.mem_req_ready);
    for (size_t n = 0; n < sizeof served; n++) {
        const uint32_t waited = before.in[served[n]];
        const uint32_t left = waited & ~after.in[served[n]];
        assert_true(served[n] == RESP || (left != 0) == leaves[served[n]]);
        if (left != 0) {
            assert_int_equal(left, 1u << oldest(o, waited));
            choices[served[n]] += (waited & (waited - 1)) != 0;
        }
    }
    for (uint32_t given = before.in[0] & ~after.in[0]; given != 0; given &= given - 1) {
        o->number[__builtin_ctz(given)] = o->next++;
    }
}

static void test_streams(void **state) {
    (void)state;
    enum { SEEDS = 12, CYCLES = 6000 };
    uint64_t choices[STATES] = {0}, stale_waits = 0;
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        lw_params hw = bench_nha;
        hw.buffer_entries = 32;
        hw.walkers = WALKERS;
        hw.walk_queue = 1 + seed % 4;
        hw.tlb_entries = hw.tlb_ways; /* so that most requests miss */
        hw.pwc_org = seed % 2;        /* by address a walker looks up level after level */
        hw.pwc_entries = hw.pwc_ways = 8;
        bench b;
        bench_init(&b, &hw, seed);
        bench_pool(&b, 60, 2, 5);
        b.latency = 3;
        b.jitter = 6;
        b.response_not_ready = 20 * (seed % 3);
        b.not_ready = 10 * (seed % 3);
        bench_enable(&b, seed % 4 == 3 ? 0 : MODE_FULL, seed % 3 != 0, false);
        order o = {.next = 0};
        for (uint32_t c = 0; c < CYCLES; c++) {
            b.in.inv_valid = c % 40 == 39;
            b.in.inv_type = TYPE_PASID;
            b.in.inv_pasid = c / 40 % 2;
            watched_cycle(&b, &o, choices, &stale_waits);
        }
        bench_drain(&b);
        bench_done(&b);
    }
    assert_true(choices[PWC_REQ] > 50 && choices[CAM] > 50);
    assert_true(choices[REQ] > 50 && choices[RESP] > 50 && stale_waits > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_streams)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
