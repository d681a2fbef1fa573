/* Operations of the CAM (R4.4, R4.7), the ask and the read register (R5.3, R5.6) and what a mark
 * waits for (R11.2), cycle by cycle. A walk that begins with a request of cycle 0 in an empty unit
 * is read for its commit in 15, and its lines are scanned in 23, 30, 37 and 44 (memory latency 4).
 */
#include "tests/unit/c_model/iommu_pair.h"

enum { PASID = 3, OTHER_PASID = 5, MODE_OFF = 0, MODE_LEAF, MODE_FULL, LEVELS = 4 };
enum { CAM = 3, REQ = 4, SCAN = 1, COMMIT = 3, INV_MARK = 1, INV_SWEEP = 2 };
enum { FIRST_SCAN = 23, BETWEEN_SCANS = 7 };

/* Pages this far apart share no line below level 3. */
#define FAR (UINT64_C(1) << 18)

static lw_params two_walkers(void) {
    lw_params hw = bench_nha;
    hw.walkers = 2;
    return hw;
}

/* The walk for page 0 begins; cycles count from here. */
static uint64_t begin(pair *p, uint32_t mode, bool pwc) {
    const lw_params hw = two_walkers();
    pair_init(p, &hw, true);
    bench *b = &p->b;
    b->latency = 4;
    for (uint64_t page = 0; page < 2; page++) {
        bench_map(b, PASID, page, 1 + page);
        bench_map(b, PASID, FAR + page, 3 + page);
        bench_map(b, OTHER_PASID, FAR + page, 5 + page);
    }
    bench_enable(b, mode, pwc, false);
    bench_offer(b, &(bench_page){PASID, 0, 0});
    return b->cycle;
}

static void step_to(bench *b, uint64_t begun, uint32_t cycle) {
    bench_steps(b, (uint32_t)(begun + cycle - b->cycle));
}

/* R4.3, R4.4: a neighbour's entry that is inserted in the cycle of the scan is in the search, and
 * gets its CL in the update, which also tells it; one that is inserted in the next is left alone by
 * the update, and waits for the access that the scan has left to the walker all the same. The
 * access in flight: R7.3. */
static void test_new_beside_scan(void **state) {
    (void)state;
    enum { NEW_AFTER = 4, UNKNOWN = 7 };
    for (uint32_t scan = 0; scan < LEVELS; scan++) {
        const uint32_t level = LEVELS - scan, at = FIRST_SCAN + BETWEEN_SCANS * scan;
        for (uint32_t late = 0; late < 3; late++) { /* it is new in `at` + late */
            pair both;
            const uint64_t begun = begin(&both, MODE_FULL, false);
            bench *b = &both.b;
            step_to(b, begun, at + late - NEW_AFTER);
            bench_offer(b, &(bench_page){PASID, 0, 1});
            step_to(b, begun, at + late);
            assert_field(b, LW_F_BUFFER_CONTROL_NEW_VALID, 0, 1);
            step_to(b, begun, at + 2);
            assert_field(b, LW_F_UPDATE_UPDATE_OP, 0, SCAN);
            assert_field(b, LW_F_UPDATE_UPDATE_LEVEL, 0, level);
            const uint32_t slot = (uint32_t)bench_peek(b, LW_F_BUFFER_CONTROL_NEW_SLOT, 0);
            assert_field(b, LW_F_BUFFER_NEAR_LEVEL, slot, late < 2);
            assert_field(b, LW_F_BUFFER_NEAR_POSITION, slot, late < 2 && level == 1);
            assert_field(b, LW_F_BUFFER_CONTROL_FIRST_VALID, 0, late == 1);
            assert_field(b, LW_F_BUFFER_CL, slot, late == 0 ? level : UNKNOWN);
            assert_field(b, LW_F_BUFFER_PL, slot, 0);
            bench_step(b);
            assert_field(b, LW_F_BUFFER_CONTROL_FIRST_VALID, 0, late == 2);
            assert_field(b, LW_F_BUFFER_CL, slot, late == 2 ? UNKNOWN : level - 1);
            assert_field(b, LW_F_BUFFER_PL, slot, late < 2 && level > 1 ? level : 0);
            assert_field(b, LW_F_BUFFER_DONE, slot, late < 2 && level == 1);
            bench_step(b);
            assert_field(b, LW_F_BUFFER_CL, slot, level - 1);
            bench_drain(b);
            pair_done(&both);
        }
    }
}

/* R5.6: a scan in the cycle after the reading comes first; the walker asks again in that cycle, and
 * what it asks for is read beside the scan that is in search. */
static void test_reads_again(void **state) {
    (void)state;
    static const uint8_t ask[] = {0, 2, 0, 0}, read[] = {2, 0, 2, 0};
    pair both;
    const uint64_t begun = begin(&both, MODE_OFF, false);
    bench *b = &both.b;
    step_to(b, begun, 7);
    bench_offer(b, &(bench_page){PASID, 0, FAR});
    step_to(b, begun, FIRST_SCAN);
    assert_field(b, LW_F_WALK_MEMORY_LINE_VALID, 0, 1);
    for (uint32_t t = 0; t < sizeof read; t++) {
        assert_field(b, LW_F_ASK_ASK_FOR, 0, ask[t]);
        assert_field(b, LW_F_ASK_ASK_WALKER, 0, 1);
        assert_field(b, LW_F_READ_READ_FOR, 0, read[t]);
        assert_field(b, LW_F_READ_READ_WALKER, 0, 1);
        assert_field(b, LW_F_READ_READ_NEAR, 0, 0);
        assert_field(b, LW_F_SEARCH_SEARCH_OP, 0, t == 1 ? SCAN : t == 3 ? COMMIT : 0);
        assert_field(b, LW_F_UPDATE_UPDATE_OP, 0, t == 2 ? SCAN : 0);
        assert_field(b, LW_F_PWST_STATE, 1, t < 3 ? CAM : REQ);
        bench_step(b);
    }
    bench_drain(b);
    assert_int_equal(lw_iommu_counter(b->u, LW_C_WALKS), 2);
    pair_done(&both);
}

/* R5.6: a commit beside the first walker's scan, which is in search in the cycle after FIRST_SCAN
 * and in update in the next. A request is read for its commit 15 cycles after its transfer, and
 * looked at in the cycle after that, unless the scan is close: then it is read again two cycles
 * later. In each mode: R9.1. */
static void test_near(void **state) {
    (void)state;
    enum { FIRST = 8, LAST = 11, READ_AFTER = 15 };
    static const struct {
        uint32_t mode, pasid;
        bool close;
        uint8_t commit[LAST - FIRST + 1]; /* by the cycle of the transfer */
    } cases[] = {{MODE_LEAF, PASID, true, {28, 27, 28, 27}},
                 {MODE_LEAF, OTHER_PASID, false, {24, 25, 26, 27}},
                 {MODE_OFF, PASID, false, {24, 25, 26, 27}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (uint32_t at = FIRST; at <= LAST; at++) {
            pair both;
            const uint64_t begun = begin(&both, cases[i].mode, false);
            bench *b = &both.b;
            step_to(b, begun, at);
            bench_offer(b, &(bench_page){cases[i].pasid, 0, FAR});
            for (uint32_t t = at + READ_AFTER; t <= cases[i].commit[at - FIRST]; t++) {
                step_to(b, begun, t);
                const bool beside = t == FIRST_SCAN + 1 || t == FIRST_SCAN + 2;
                const bool reads = bench_peek(b, LW_F_ASK_ASK_FOR, 0) == 2;
                assert_field(b, LW_F_PWST_STATE, 1, CAM);
                assert_field(b, LW_F_READ_READ_FOR, 0, reads ? 0 : 2);
                bench_step(b);
                if (reads) {
                    assert_field(b, LW_F_READ_READ_NEAR, 0, cases[i].close && beside);
                }
            }
            assert_field(b, LW_F_SEARCH_SEARCH_OP, 0, COMMIT);
            assert_field(b, LW_F_PWST_STATE, 1, REQ);
            bench_drain(b);
            pair_done(&both);
        }
    }
}

typedef struct beside {
    uint32_t scan, search, update, ask, take, commit;
} beside;

/* R11.2, R11.3, for a mark that meets nobody here: it takes one cycle, in which the CAM goes on and
 * nothing is read. */
static void watch_mark(bench *b, beside *w) {
    const bool scan = bench_peek(b, LW_F_WALK_MEMORY_LINE_VALID, 0) != 0;
    const uint64_t search = bench_peek(b, LW_F_SEARCH_SEARCH_OP, 0);
    const uint64_t ask = bench_peek(b, LW_F_ASK_ASK_FOR, 0);
    const uint64_t read = bench_peek(b, LW_F_READ_READ_FOR, 0);
    w->scan += scan;
    w->search += search != 0;
    w->update += bench_peek(b, LW_F_UPDATE_UPDATE_OP, 0) != 0;
    w->ask += ask != 0;
    w->take += read == 1;
    w->commit += read == 2;
    bench_step(b);
    assert_field(b, LW_F_SEARCH_SEARCH_OP, 0, scan ? SCAN : read == 2 ? COMMIT : 0);
    assert_field(b, LW_F_UPDATE_UPDATE_OP, 0, search);
    assert_field(b, LW_F_ASK_ASK_FOR, 0, ask);
    assert_field(b, LW_F_READ_READ_FOR, 0, 0);
    assert_field(b, LW_F_INVALIDATION_STATE, 0, INV_SWEEP);
}

static void test_mark_beside(void **state) {
    (void)state;
    beside w = {0};
    for (uint32_t at = 3; at < FIRST_SCAN + 5; at++) { /* the transfer */
        pair both;
        const uint64_t begun = begin(&both, MODE_FULL, false);
        bench *b = &both.b;
        step_to(b, begun, at);
        b->in.inv_valid = true;
        b->in.inv_type = 2;
        b->in.inv_pasid = OTHER_PASID;
        bench_step(b);
        assert_field(b, LW_F_INVALIDATION_STATE, 0, INV_MARK);
        watch_mark(b, &w);
        bench_drain(b);
        pair_done(&both);
    }
    assert_true(w.scan > 0 && w.search > 1 && w.update > 1);
    assert_true(w.ask > 1 && w.take > 0 && w.commit > 0);
}

/* R6.1, R6.5: what a scan leaves in the fill register is in the PWC three cycles after it; a lookup
 * is compared with the key register and its walker moves on a cycle later. */
static void test_pwc_registers(void **state) {
    (void)state;
    enum { PWC_WAIT = 2, LATENCY = 2, UPPER = 2 * 32 };
    pair both;
    const uint64_t begun = begin(&both, MODE_FULL, true);
    bench *b = &both.b;
    for (int n = 0; bench_peek(b, LW_F_WALK_MEMORY_LINE_VALID, 0) == 0; n++) {
        assert_true(n < 100);
        bench_step(b);
    }
    assert_true(b->cycle > begun);
    assert_field(b, LW_F_PWC_FILL_PWC_FILL_VALID, 0, 0);
    bench_step(b);
    assert_field(b, LW_F_PWC_FILL_PWC_FILL_VALID, 0, 1);
    assert_field(b, LW_F_PWC_FILL_PWC_FILL_LEVEL, 0, LEVELS);
    assert_field(b, LW_F_PWC_FILL_PWC_FILL_PARENT, 0, b->root[PASID]);
    assert_field(b, LW_F_PWC_VALID, UPPER, 0); /* the first of the root's table */
    bench_step(b);
    assert_field(b, LW_F_PWC_FILL_PWC_FILL_VALID, 0, 0);
    assert_field(b, LW_F_PWC_PLACE_PWC_PLACE_VALID, 0, 1);
    assert_field(b, LW_F_PWC_PLACE_PWC_PLACE_LEVEL, 0, LEVELS);
    assert_field(b, LW_F_PWC_PLACE_PWC_PLACE_PARENT, 0, b->root[PASID]);
    assert_field(b, LW_F_PWC_PLACE_PWC_PLACE_ENTRY, 0, UPPER);
    assert_field(b, LW_F_PWC_VALID, UPPER, 0);
    bench_step(b);
    assert_field(b, LW_F_PWC_PLACE_PWC_PLACE_VALID, 0, 0);
    assert_field(b, LW_F_PWC_VALID, UPPER, 1);
    bench_drain(b);
    bench_steps(b, 10);

    /* a page that shares with the first the root's PTE alone */
    bench_offer(b, &(bench_page){PASID, 0, FAR});
    for (int n = 0; bench_peek(b, LW_F_PWST_STATE, 0) != PWC_WAIT; n++) {
        assert_true(n < 100);
        bench_step(b);
    }
    for (uint32_t t = 1; t <= LATENCY + 1; t++) {
        assert_field(b, LW_F_PWST_STATE, 0, PWC_WAIT);
        assert_field(b, LW_F_PWC_RESULT_RESULT_VALID, 0, t == LATENCY + 1);
        if (t == LATENCY) {
            assert_field(b, LW_F_PWC_KEY_KEY_VPN, 0, FAR);
            assert_field(b, LW_F_PWC_KEY_KEY_LEVEL, 0, LEVELS);
        }
        bench_step(b);
    }
    assert_field(b, LW_F_PWC_RESULT_RESULT_HIT, 0, 1);
    assert_field(b, LW_F_PWC_RESULT_RESULT_ENTRY, 0, UPPER);
    assert_field(b, LW_F_PWST_STATE, 0, CAM);
    assert_field(b, LW_F_PWST_LEVEL, 0, LEVELS - 1);
    bench_drain(b);
    pair_done(&both);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_new_beside_scan), cmocka_unit_test(test_reads_again),
        cmocka_unit_test(test_near), cmocka_unit_test(test_mark_beside),
        cmocka_unit_test(test_pwc_registers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
