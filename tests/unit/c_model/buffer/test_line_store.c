/* The line store (R9.10 to R9.14): what an entry has learnt it keeps as a place and a position,
 * loses when its line is the next to be written over, and never while it is still to be answered
 * from it. */
#include "tests/unit/c_model/iommu_pair.h"

enum { PASID = 3, MODE_LEAF = 1, MODE_FULL = 2, FEW = 4, MANY = 16 };

/* Pages this far apart share a line of the root (level 4), but none below. */
#define FAR (UINT64_C(1) << 21)

static void begin(pair *p, uint32_t lines, uint32_t walkers) {
    lw_params hw = bench_nha;
    hw.lines = lines;
    hw.walkers = walkers;
    pair_init(p, &hw, true);
    p->b.latency = 10;
}

static void offer(bench *b, uint64_t page) {
    bench_offer(b, &(bench_page){PASID, 0, page});
    bench_step(b);
}

/* R9.10, R9.12, R9.13: one walker works for page 0. Its neighbour (slot 1) learns from each of its
 * lines, the page far away (slot 2) from the first only, which is in place 0. With four places it
 * is the next to be written over after three lines: slot 2 loses its PL, and later reads the root's
 * line again; else its walk starts from what it has learnt (R5.25). */
static void test_loses(void **state) {
    (void)state;
    static const uint32_t sizes[] = {FEW, MANY};
    for (uint32_t i = 0; i < 2; i++) {
        const bool few = sizes[i] == FEW;
        pair both;
        begin(&both, sizes[i], 1);
        bench *b = &both.b;
        for (uint64_t page = 0; page < 2; page++) {
            bench_map(b, PASID, page, 0x100 + page);
        }
        bench_map(b, PASID, FAR, 0x200);
        bench_enable(b, MODE_FULL, false, false);
        offer(b, 0);
        offer(b, 1);
        offer(b, FAR);
        uint64_t before = 0;
        while (bench_peek(b, LW_F_STORE_CONTROL_STORE_TAIL, 0) < 3) {
            before = bench_peek(b, LW_F_BUFFER_PL, 2);
            bench_step(b);
        }
        assert_int_equal(before, 4);
        assert_field(b, LW_F_BUFFER_PL, 2, 4);
        assert_field(b, LW_F_BUFFER_LINE, 2, 0);
        assert_field(b, LW_F_STORE_STORED_LEVEL, 0, 4);
        assert_field(b, LW_F_BUFFER_PL, 1, 2);
        assert_field(b, LW_F_BUFFER_LINE, 1, 2);
        bench_step(b);
        assert_field(b, LW_F_BUFFER_PL, 2, few ? 0 : 4);
        assert_field(b, LW_F_BUFFER_PL, 1, 2);
        bench_drain(b);
        assert_int_equal(b->accesses, few ? 8 : 7);
        pair_done(&both);
    }
}

/* Of each place whether an entry is still to be answered from it. */
static void awaits(const bench *b, bool awaited[MANY]) {
    memset(awaited, 0, MANY * sizeof *awaited);
    for (uint32_t slot = 0; slot < bench_nha.buffer_entries; slot++) {
        const uint64_t line = bench_peek(b, LW_F_BUFFER_LINE, slot);
        awaited[line] |= bench_peek(b, LW_F_BUFFER_VALID, slot) == 1 &&
                         bench_peek(b, LW_F_BUFFER_DONE, slot) == 1;
    }
}

/* R9.14: nobody takes the answers, and four lines have neighbours that wait for theirs. A fifth
 * tells nobody anything, and all are answered from their own lines once the requester takes them.
 * The store closes in the very cycle in which STORE_TAIL comes upon a line that is waited for. */
static void test_stays(void **state) {
    (void)state;
    enum { PAIRS = 8 };
    static const uint32_t sizes[] = {FEW, MANY};
    for (uint32_t i = 0; i < 2; i++) {
        const bool few = sizes[i] == FEW;
        pair both;
        begin(&both, sizes[i], PAIRS);
        bench *b = &both.b;
        b->latency = 60;
        for (uint64_t p = 0; p < PAIRS; p++) {
            bench_map(b, PASID, p * FAR, 0x100 + 2 * p);
            bench_map(b, PASID, p * FAR + 1, 0x101 + 2 * p);
        }
        bench_enable(b, MODE_LEAF, false, false);
        b->in.rsp_ready = false;
        bool closed = false;
        for (uint32_t p = 0; p < 2 * PAIRS; p++) { /* each page, then each neighbour */
            offer(b, p % PAIRS * FAR + p / PAIRS);
        }
        uint32_t comes_upon_one = 0;
        for (uint32_t t = 0; t < 600; t++) {
            bool awaited[MANY];
            awaits(b, awaited);
            const uint64_t before = bench_peek(b, LW_F_STORE_CONTROL_STORE_TAIL, 0);
            bench_step(b);
            const uint64_t tail = bench_peek(b, LW_F_STORE_CONTROL_STORE_TAIL, 0);
            assert_field(b, LW_F_STORE_CONTROL_STORE_OPEN, 0, awaited[tail] ? 0 : 1);
            closed |= awaited[tail];
            comes_upon_one += tail != before && awaited[tail] ? 1 : 0;
        }
        assert_int_equal(closed, few);
        assert_int_equal(comes_upon_one, few ? 1 : 0);
        b->in.rsp_ready = true;
        bench_drain(b);
        const uint64_t told = lw_iommu_counter(b->u, LW_C_COALESCED_ANSWERS);
        assert_true(few ? told >= FEW && told < PAIRS : told == PAIRS);
        assert_int_equal(b->answered, 2 * PAIRS);
        pair_done(&both);
    }
}

/* R9.13 in each cycle of random streams: who has learnt from the line that is the next to be
 * written over loses PL, but for one that learns in this cycle, which names the new line then. */
static void test_loses_or_learns(void **state) {
    (void)state;
    enum { SLOTS = 64, CYCLES = 6000, SEEDS = 4 };
    uint32_t lost = 0, learnt = 0;
    for (uint32_t seed = 0; seed < SEEDS; seed++) {
        lw_params hw = bench_nha;
        hw.buffer_entries = SLOTS;
        hw.lines = FEW;
        hw.tlb_entries = hw.tlb_ways;
        bench b;
        bench_init(&b, &hw, seed);
        bench_pool(&b, 200, 1, 0);
        b.latency = 2;
        b.jitter = 4;
        bench_enable(&b, MODE_FULL, seed % 2 != 0, false);
        for (uint32_t c = 0; c < CYCLES; c++) {
            const uint64_t tail = bench_peek(&b, LW_F_STORE_CONTROL_STORE_TAIL, 0);
            bool next[SLOTS];
            for (uint32_t i = 0; i < SLOTS; i++) {
                next[i] = bench_peek(&b, LW_F_BUFFER_VALID, i) != 0 &&
                          bench_peek(&b, LW_F_BUFFER_PL, i) != 0 &&
                          bench_peek(&b, LW_F_BUFFER_DONE, i) == 0 &&
                          bench_peek(&b, LW_F_BUFFER_LINE, i) == (tail + 1) % FEW;
            }
            bench_random_cycle(&b, true);
            for (uint32_t i = 0; i < SLOTS; i++) {
                if (!next[i] || bench_peek(&b, LW_F_BUFFER_VALID, i) == 0) {
                    continue;
                }
                const bool learns = bench_peek(&b, LW_F_BUFFER_LINE, i) == tail;
                assert_int_equal(bench_peek(&b, LW_F_BUFFER_PL, i) != 0, learns);
                lost += !learns;
                learnt += learns && bench_peek(&b, LW_F_BUFFER_DONE, i) == 0;
            }
        }
        bench_drain(&b);
        bench_done(&b);
    }
    assert_true(lost > 0 && learnt > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_loses),
        cmocka_unit_test(test_stays),
        cmocka_unit_test(test_loses_or_learns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
