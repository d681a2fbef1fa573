/* Invalidations (chapter 11): its picture; what a lookup has found is its decision, whatever is
 * swept in between (R3.16, SETTLE); and a mark in every cycle of an answer's way to the TLB
 * (R10.2, R11.3, R3.6, R3.17). */
#include "tests/unit/c_model/iommu_bench.h"

enum { PASID = 3, OTHER_PASID = 5, MODE_FULL = 2, TYPE_PASID = 2, TYPE_ALL = 3, SETS = 2 };
enum { READ = 1, REQ = 5, MEM = 6, RESP = 7 };
enum { INV_IDLE, MARK, SWEEP, SETTLE, WALKS, QUEUES, COMPLETE };

static lw_params two_sets(void) {
    lw_params hw = bench_nha;
    hw.tlb_entries = SETS * hw.tlb_ways;
    hw.walkers = 2;
    return hw;
}

/* Two neighbours: the walk of page 0x100 answers both, each with its own fill. */
static void begin(bench *b, const lw_params *hw) {
    bench_init(b, hw, 1);
    b->latency = 4;
    bench_map(b, PASID, 0x100, 1);
    bench_map(b, PASID, 0x101, 2);
    bench_enable(b, MODE_FULL, false, false);
}

static void offer_both(bench *b) {
    bench_offer(b, &(bench_page){PASID, 0, 0x100});
    bench_step(b);
    bench_offer(b, &(bench_page){PASID, 0, 0x101});
}

static void invalidate(bench *b, uint32_t type) {
    b->in.inv_valid = true;
    b->in.inv_type = type;
    b->in.inv_pasid = PASID;
}

static uint32_t entries_with(const bench *b, uint64_t pfn) {
    uint32_t n = 0;
    for (uint32_t e = 0; e < b->hw.tlb_entries; e++) {
        n += bench_peek(b, LW_F_TLB_VALID, e) != 0 && bench_peek(b, LW_F_TLB_PFN, e) == pfn;
    }
    return n;
}

/* ---------------------------------------------------------------- the picture */

/* The states (R11.5, R11.6), the sweep (R3.10, R3.33), the old EPOCH (R10.6), and what a stale walk
 * leaves alone (R11.7). */
static void test_picture(void **state) {
    (void)state;
    static const struct {
        uint8_t inv, walker, stale, cl, pl, picked;
    } picture[] = {{INV_IDLE, MEM, 0, 1, 2, 0}, {MARK, MEM, 0, 1, 2, 0},
                   {SWEEP, MEM, 1, 0, 0, 0},    {SWEEP, MEM, 1, 0, 0, 0},
                   {SETTLE, MEM, 1, 0, 0, 0},   {WALKS, 0, 0, 0, 0, 0},
                   {QUEUES, READ, 0, 0, 0, 1},  {QUEUES, READ, 0, 0, 0, 1},
                   {COMPLETE, REQ, 0, 0, 0, 0}, {INV_IDLE, MEM, 0, 0, 0, 0}};
    lw_params hw = two_sets();
    hw.walkers = 1;
    bench b;
    begin(&b, &hw);
    offer_both(&b);
    for (int n = 0; bench_peek(&b, LW_F_PWST_LEVEL, 0) != 1; n++) {
        assert_true(n < 1000);
        bench_step(&b);
    }
    bench_steps(&b, 2); /* REQ, and the first cycle in MEM; the scan is four cycles away */
    invalidate(&b, TYPE_PASID);
    for (uint32_t t = 0; t < sizeof picture / sizeof picture[0]; t++) {
        lw_iommu_outputs(b.u, &b.out);
        assert_int_equal(bench_peek(&b, LW_F_INVALIDATION_STATE, 0), picture[t].inv);
        assert_int_equal(bench_peek(&b, LW_F_PWST_STATE, 0), picture[t].walker);
        assert_int_equal(bench_peek(&b, LW_F_PWST_STALE, 0), picture[t].stale);
        assert_int_equal(bench_peek(&b, LW_F_WALK_MEMORY_LINE_VALID, 0), t == 4);
        assert_int_equal(bench_peek(&b, LW_F_BUFFER_CL, 1), picture[t].cl);
        assert_int_equal(bench_peek(&b, LW_F_BUFFER_PL, 1), picture[t].pl);
        assert_int_equal(bench_peek(&b, LW_F_BUFFER_PICKED, 1), picture[t].picked);
        assert_int_equal(bench_peek(&b, LW_F_ANSWER_ANSWER_VALID, 0), t == 5);
        assert_int_equal(bench_peek(&b, LW_F_FILL_FILL_VALID, 0), 0);
        assert_int_equal(bench_peek(&b, LW_F_RESPONSE_WALK_COUNT, 0), 0);
        assert_int_equal(b.out.rsp_valid, t == 6);
        assert_int_equal(bench_peek(&b, LW_F_INVALIDATION_EPOCH, 0), t >= 6);
        assert_int_equal(b.out.inv_done, t == 8);
        bench_step(&b);
    }
    bench_drain(&b);
    bench_done(&b);
}

/* ---------------------------------------------------------------- lookups */

/* A request's set is swept in cycle 3 and its entry loses VALID in 4 (R3.33). Transferred in cycle
 * 2 it is looked up in 3 and is a hit in 4, which is SETTLE; transferred in 3 it is looked up in 4
 * and is a hit in 5, which is WALKS, still of the old EPOCH. Either response leaves before the
 * completion. One of cycle 4 misses. */
static void test_settle(void **state) {
    (void)state;
    const lw_params hw = two_sets();
    for (uint32_t sent = 2; sent < 5; sent++) {
        bench b;
        begin(&b, &hw);
        bench_offer(&b, &(bench_page){PASID, 0, 0x101}); /* set 1, the last */
        bench_drain(&b);
        bench_steps(&b, 5);
        const uint64_t hits = lw_iommu_counter(b.u, LW_C_TLB_HITS);
        invalidate(&b, TYPE_PASID);
        uint64_t answered = 0;
        for (uint32_t t = 0; !b.out.inv_done; t++) {
            assert_true(t < 40);
            if (t == sent) {
                bench_offer(&b, &(bench_page){PASID, 0, 0x101});
            }
            if (t == 4 || t == 5) {
                assert_int_equal(bench_peek(&b, LW_F_INVALIDATION_STATE, 0),
                                 t == 4 ? SETTLE : WALKS);
                assert_int_equal(bench_peek(&b, LW_F_TLB_SWEPT_SWEPT, 0) != 0, t == 4);
                assert_int_equal(entries_with(&b, 2), t == 4);
                assert_int_equal(bench_peek(&b, LW_F_TLB_FOUND_FOUND, 0), t == sent + 2);
            }
            if (t == sent + 3 && sent < 4) {
                assert_int_equal(bench_peek(&b, LW_F_RESPONSE_OUT_VALID, 0), 1);
                assert_int_equal(bench_peek(&b, LW_F_RESPONSE_OUT_EPOCH, 0), 0);
            }
            answered = b.answered;
            bench_step(&b);
        }
        assert_int_equal(lw_iommu_counter(b.u, LW_C_TLB_HITS) - hits, sent < 4);
        assert_int_equal(answered, sent < 4 ? 2 : 1);
        b.out.inv_done = false;
        bench_drain(&b);
        bench_done(&b);
    }
}

/* R3.5, R3.16: what is found is touched where it was found, though something else is there by then:
 * a fill between lookup and decision changes nothing of the answer. */
static void test_found_stays(void **state) {
    (void)state;
    lw_params hw = two_sets();
    hw.tlb_entries = hw.tlb_ways = 2;
    hw.tlb_partition = 0;
    bench b;
    begin(&b, &hw);
    bench_map(&b, PASID, 0x200000, 8);
    bench_map(&b, PASID, 0x999000, 9);
    bench_offer(&b, &(bench_page){PASID, 0, 0x100});
    bench_drain(&b);
    bench_offer(&b, &(bench_page){PASID, 0, 0x200000}); /* takes the other way */
    bench_drain(&b);
    bench_offer(&b, &(bench_page){PASID, 0, 0x999000});
    for (int n = 0; bench_peek(&b, LW_F_ANSWER_ANSWER_VALID, 0) == 0; n++) {
        assert_true(n < 1000);
        bench_step(&b);
    }
    /* ANSWER in this cycle, PLACE two cycles later, in which 0x100, the older, is looked up */
    bench_step(&b);
    assert_int_equal(bench_peek(&b, LW_F_FILL_FILL_VALID, 0), 1);
    bench_offer(&b, &(bench_page){PASID, 0, 0x100});
    bench_step(&b);
    assert_int_equal(bench_peek(&b, LW_F_PLACE_PLACE_VALID, 0), 1);
    assert_int_equal(entries_with(&b, 1), 1);
    const uint64_t hits = lw_iommu_counter(b.u, LW_C_TLB_HITS);
    bench_step(&b);
    assert_int_equal(entries_with(&b, 1), 0);
    assert_int_equal(entries_with(&b, 9), 1);
    assert_int_equal(bench_peek(&b, LW_F_TLB_FOUND_FOUND, 0), 1);
    bench_drain(&b);
    assert_int_equal(lw_iommu_counter(b.u, LW_C_TLB_HITS) - hits, 1);
    assert_int_equal(b.last.pfn, 1);
    bench_done(&b);
}

/* ---------------------------------------------------------------- entries */

/* R11.2, R11.9: two PASIDs have a walk each and a neighbour that waits for it, or that has its
 * answer. A mark of the one leaves the other's alone. */
static void test_met_entries(void **state) {
    (void)state;
    enum { LATENCY = 30, SLOT = 2, OTHER_SLOT = 3 };
    static const uint32_t slot[] = {SLOT, OTHER_SLOT};
    for (uint32_t done = 0; done < 2; done++) {
        lw_params hw = two_sets();
        hw.walk_queue = 1;
        bench b;
        begin(&b, &hw);
        b.latency = LATENCY;
        bench_map(&b, OTHER_PASID, 0x100, 3);
        bench_map(&b, OTHER_PASID, 0x101, 4);
        bench_enable(&b, MODE_FULL, false, false);
        b.in.rsp_ready = false;
        for (uint64_t page = 0x100; page <= 0x101; page++) {
            bench_offer(&b, &(bench_page){PASID, 0, page});
            bench_step(&b);
            bench_offer(&b, &(bench_page){OTHER_PASID, 0, page});
            bench_step(&b);
        }
        for (int n = 0;
             bench_peek(&b, LW_F_PWST_LEVEL, 1) != 1 || bench_peek(&b, LW_F_PWST_STATE, 1) != MEM;
             n++) {
            assert_true(n < 1000);
            bench_step(&b);
        }
        bench_steps(&b, 3); /* the last operation's update */
        for (uint32_t i = 0; i < 2; i++) {
            assert_int_equal(bench_peek(&b, LW_F_BUFFER_CL, slot[i]), 1);
            assert_int_equal(bench_peek(&b, LW_F_BUFFER_PL, slot[i]), 2);
        }
        bench_steps(&b, done != 0 ? 2 * LATENCY : 0);
        invalidate(&b, TYPE_PASID);
        bench_step(&b);
        bench_step(&b);
        assert_int_equal(bench_peek(&b, LW_F_INVALIDATION_STATE, 0), SWEEP);
        for (uint32_t i = 0; i < 2; i++) {
            const bool met = slot[i] == SLOT;
            assert_int_equal(bench_peek(&b, LW_F_BUFFER_VALID, slot[i]), 1);
            assert_int_equal(bench_peek(&b, LW_F_BUFFER_DONE, slot[i]), done);
            assert_int_equal(bench_peek(&b, LW_F_BUFFER_STALE, slot[i]), met && done != 0);
            if (done == 0) {
                assert_int_equal(bench_peek(&b, LW_F_BUFFER_CL, slot[i]), met ? 0 : 1);
                assert_int_equal(bench_peek(&b, LW_F_BUFFER_PL, slot[i]), met ? 0 : 2);
                assert_int_equal(bench_peek(&b, LW_F_PWST_STALE, i), met);
            }
        }
        bench_drain(&b);
        bench_done(&b);
    }
}

/* ---------------------------------------------------------------- answers on their way */

typedef struct hit {
    uint32_t choice, ready, reading, answer, fill, place, entry;
} hit;

/* Two answers of others fill the walk queue of one place and the output register. */
static void begin_blocked(bench *b) {
    lw_params hw = two_sets();
    hw.walk_queue = 1;
    begin(b, &hw);
    bench_map(b, OTHER_PASID, 0x100, 3);
    bench_map(b, OTHER_PASID, 0x40000, 4);
    bench_enable(b, MODE_FULL, false, false);
    b->in.rsp_ready = false;
    bench_offer(b, &(bench_page){OTHER_PASID, 0, 0x100});
    bench_step(b);
    bench_offer(b, &(bench_page){OTHER_PASID, 0, 0x40000});
    for (int n = 0; bench_peek(b, LW_F_RESPONSE_WALK_COUNT, 0) == 0 || !b->out.rsp_valid; n++) {
        assert_true(n < 1000);
        bench_step(b);
    }
}

/* They leave when the walker's answer has waited for some cycles. */
static void step_blocked(bench *b, uint64_t begun) {
    enum { HELD_CYCLES = 80 };
    b->in.rsp_ready = b->cycle - begun >= HELD_CYCLES;
    bench_step(b);
}

static hit look(const bench *b) {
    const bool room = bench_peek(b, LW_F_RESPONSE_WALK_USED, 0) == 0;
    const bool ready = bench_peek(b, LW_F_BUFFER_CONTROL_READY, 0) != 0;
    const bool reading = bench_peek(b, LW_F_BUFFER_CONTROL_READING, 0) != 0;
    const bool walker =
        bench_peek(b, LW_F_PWST_STATE, 0) == RESP || bench_peek(b, LW_F_PWST_STATE, 1) == RESP;
    const bool turn = bench_peek(b, LW_F_CHOICE_CHOSEN_ENTRY, 0) == 0; /* an entry's (R10.1) */
    return (hit){.choice = room && walker && !reading && (!ready || !turn),
                 .ready = ready && !room,
                 .reading = reading,
                 .answer = bench_peek(b, LW_F_ANSWER_ANSWER_VALID, 0) != 0,
                 .fill = bench_peek(b, LW_F_FILL_FILL_VALID, 0) != 0,
                 .place = bench_peek(b, LW_F_PLACE_PLACE_VALID, 0) != 0,
                 .entry = room && ready && (!walker || turn)};
}

/* The pages change in the cycle of the transfer, `at` cycles after the first request; the mark
 * comes in the next. */
static bool mark_at(uint32_t at, uint32_t type, hit *marked) {
    bench b;
    begin_blocked(&b);
    const uint64_t begun = b.cycle;
    offer_both(&b);
    while (b.cycle - begun <= at) {
        step_blocked(&b, begun);
    }
    const bool over = b.answered == 4;
    b.any_kind = true; /* either PFN may be answered until the completion */
    bench_map(&b, PASID, 0x100, 0x11);
    bench_map(&b, PASID, 0x101, 0x12);
    invalidate(&b, type);
    for (uint32_t n = 0; !b.out.inv_done; n++) {
        assert_true(n < 1000);
        const bool marks = bench_peek(&b, LW_F_INVALIDATION_STATE, 0) == MARK;
        const hit now = look(&b);
        step_blocked(&b, begun);
        if (marks && bench_peek(&b, LW_F_INVALIDATION_STATE, 0) == SWEEP) {
            assert_int_equal(bench_peek(&b, LW_F_FILL_FILL_VALID, 0), 0);
            assert_int_equal(bench_peek(&b, LW_F_PLACE_PLACE_VALID, 0), 0);
            marked->choice += now.choice;
            marked->ready += now.ready;
            marked->reading += now.reading;
            marked->answer += now.answer;
            marked->fill += now.fill;
            marked->place += now.place;
            marked->entry += now.entry;
        }
    }
    b.out.inv_done = false;
    assert_int_equal(entries_with(&b, 1) + entries_with(&b, 2), 0);
    bench_drain(&b);
    bench_steps(&b, 5);
    assert_int_equal(entries_with(&b, 1) + entries_with(&b, 2), 0);
    b.any_kind = false;
    for (uint64_t page = 0x100; page <= 0x101; page++) {
        bench_offer(&b, &(bench_page){PASID, 0, page});
        bench_drain(&b);
    }
    bench_done(&b);
    return over;
}

static void test_marks(void **state) {
    (void)state;
    for (uint32_t type = TYPE_PASID; type <= TYPE_ALL; type++) {
        hit marked = {0};
        for (uint32_t at = 0; !mark_at(at, type, &marked); at++) {
            assert_true(at < 200);
        }
        assert_true(marked.choice > 0 && marked.ready > 0 && marked.entry > 0);
        assert_true(marked.reading > 0 && marked.answer > 0);
        assert_true(marked.fill > 0 && marked.place > 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_picture), cmocka_unit_test(test_settle),
        cmocka_unit_test(test_found_stays), cmocka_unit_test(test_met_entries),
        cmocka_unit_test(test_marks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
