/* Operations of the CAM (R4.4, R4.7), the ask and the read register (R5.3, R5.18), when a walker
 * looks in vain (R5.20) and a mark beside all that (R11.3), cycle by cycle. A request of cycle 0 in
 * an empty unit is looked at in 6, and its lines are scanned in 13, 20, 27 and 34 (memory latency
 * 4). */
#include "tests/unit/c_model/iommu_pair.h"

enum { PASID = 3, OTHER_PASID = 5, MODE_OFF = 0, MODE_LEAF, MODE_FULL, LEVELS = 4 };
enum { READ = 1, CAM = 4, REQ = 5, SCAN = 1, ADVANCE = 2, COMMIT = 3, INV_MARK = 1, INV_SWEEP = 2 };
enum { LOOK_AFTER = 6, FIRST_SCAN = 13, BETWEEN_SCANS = 7 };

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

/* R4.3, R4.4: a neighbour's entry that is inserted in the cycle of the scan, or before, is in the
 * search and learns from the update; one that is inserted in the next is left alone by it, and
 * waits at once for the access that the scan has left to the walker. The access in flight: R7.3. */
static void test_new_beside_scan(void **state) {
    (void)state;
    enum { INSERTED_AFTER = 3, SLOT = 1 };
    for (uint32_t scan = 0; scan < LEVELS; scan++) {
        const uint32_t level = LEVELS - scan, at = FIRST_SCAN + BETWEEN_SCANS * scan;
        for (uint32_t late = 0; late < 3; late++) { /* it is inserted in `at` - 1 + late */
            pair both;
            const uint64_t begun = begin(&both, MODE_FULL, false);
            bench *b = &both.b;
            step_to(b, begun, at - 1 + late - INSERTED_AFTER);
            bench_offer(b, &(bench_page){PASID, 0, 1});
            step_to(b, begun, at + 2);
            assert_field(b, LW_F_UPDATE_UPDATE_OP, 0, SCAN);
            assert_field(b, LW_F_UPDATE_UPDATE_LEVEL, 0, level);
            assert_field(b, LW_F_BUFFER_VALID, SLOT, 1);
            assert_field(b, LW_F_BUFFER_NEAR_LEVEL, SLOT, late < 2);
            assert_field(b, LW_F_BUFFER_NEAR_POSITION, SLOT, late < 2 && level == 1);
            assert_field(b, LW_F_BUFFER_CL, SLOT, late < 2 ? level : level - 1);
            assert_field(b, LW_F_BUFFER_PL, SLOT, 0);
            bench_step(b);
            assert_field(b, LW_F_BUFFER_CL, SLOT, level - 1);
            assert_field(b, LW_F_BUFFER_PL, SLOT, late < 2 && level > 1 ? level : 0);
            assert_field(b, LW_F_BUFFER_DONE, SLOT, late < 2 && level == 1);
            bench_drain(b);
            pair_done(&both);
        }
    }
}

/* R5.20: a scan in the cycle of the look comes first; the walker asks again, and starts when it has
 * looked for the second time. */
static void test_looks_again(void **state) {
    (void)state;
    static const uint8_t ask[] = {0, 0, 1, 0, 0}, read[] = {1, 0, 0, 1, 0};
    static const uint8_t walker[] = {READ, CAM, READ, READ, REQ};
    pair both;
    const uint64_t begun = begin(&both, MODE_OFF, false);
    bench *b = &both.b;
    step_to(b, begun, FIRST_SCAN - LOOK_AFTER);
    bench_offer(b, &(bench_page){PASID, 0, FAR});
    step_to(b, begun, FIRST_SCAN);
    assert_field(b, LW_F_WALK_MEMORY_LINE_VALID, 0, 1);
    for (uint32_t t = 0; t < sizeof read; t++) {
        assert_field(b, LW_F_ASK_ASK_VALID, 0, ask[t]);
        assert_field(b, LW_F_ASK_ASK_WALKER, 0, 1);
        assert_field(b, LW_F_READ_READ_VALID, 0, read[t]);
        assert_field(b, LW_F_READ_READ_WALKER, 0, 1);
        assert_field(b, LW_F_READ_READ_NEAR, 0, 0);
        assert_field(b, LW_F_SEARCH_SEARCH_OP, 0, t == 1 ? SCAN : t == 4 ? COMMIT : 0);
        assert_field(b, LW_F_UPDATE_UPDATE_OP, 0, t == 2 ? SCAN : 0);
        assert_field(b, LW_F_PWST_STATE, 1, walker[t]);
        assert_field(b, LW_F_PWST_TRIED, 1, t >= 1 && t <= 3);
        bench_step(b);
    }
    bench_drain(b);
    assert_int_equal(lw_iommu_counter(b->u, LW_C_WALKS), 2);
    pair_done(&both);
}

/* R5.20: what was read near an operation is looked at in vain, though MODE has become 0 since. */
static void test_near_when_read(void **state) {
    (void)state;
    for (uint32_t left = 0; left < 2; left++) {
        pair both;
        const uint64_t begun = begin(&both, MODE_LEAF, false);
        bench *b = &both.b;
        step_to(b, begun, FIRST_SCAN + 3 - LOOK_AFTER);
        bench_offer(b, &(bench_page){PASID, 0, FAR});
        step_to(b, begun, FIRST_SCAN + 2);
        if (left != 0) {
            bench_write(b, LW_CTL_FEATURES, MODE_OFF);
        } else {
            bench_step(b);
        }
        assert_field(b, LW_F_READ_READ_VALID, 0, 1);
        assert_field(b, LW_F_READ_READ_NEAR, 0, 1);
        bench_step(b);
        assert_field(b, LW_F_PWST_STATE, 1, CAM);
        assert_field(b, LW_F_PWST_TRIED, 1, 1);
        bench_drain(b);
        pair_done(&both);
    }
}

/* R5.20, R5.19, R5.21: a start beside the first walker's scan, which is taken in FIRST_SCAN, in
 * search in the next cycle and in update in the one after it. By the cycle of the first look: in
 * those three cycles, in the one whose reading misses the update, and in the next. In each mode:
 * R9.1. */
static void test_near(void **state) {
    (void)state;
    enum { LOOKS = 5 };
    static const struct {
        uint32_t mode, pasid;
        uint8_t start[LOOKS];
    } cases[] = {{MODE_LEAF, PASID, {19, 17, 18, 19, 17}},
                 {MODE_LEAF, OTHER_PASID, {16, 14, 15, 16, 17}},
                 {MODE_OFF, PASID, {16, 14, 15, 16, 17}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (uint32_t look = FIRST_SCAN; look < FIRST_SCAN + LOOKS; look++) {
            pair both;
            const uint64_t begun = begin(&both, cases[i].mode, false);
            bench *b = &both.b;
            const uint32_t start = cases[i].start[look - FIRST_SCAN];
            step_to(b, begun, look - LOOK_AFTER);
            bench_offer(b, &(bench_page){cases[i].pasid, 0, FAR});
            step_to(b, begun, look);
            assert_field(b, LW_F_READ_READ_VALID, 0, 1);
            for (uint32_t t = look; t <= start; t++) {
                assert_field(b, LW_F_PWST_TRIED, 1, t > look);
                assert_field(b, LW_F_PWST_STARTED, 1, 0);
                bench_step(b);
            }
            assert_field(b, LW_F_SEARCH_SEARCH_OP, 0, COMMIT);
            assert_field(b, LW_F_PWST_STATE, 1, REQ);
            assert_field(b, LW_F_PWST_TRIED, 1, 0);
            bench_drain(b);
            pair_done(&both);
        }
    }
}

typedef struct beside {
    uint32_t scan, search, update, ask, look, advance;
} beside;

/* R11.2, R11.3, for a mark that meets nobody here: it takes one cycle, in which the CAM goes on and
 * nothing is read. */
static void watch_mark(bench *b, beside *w) {
    const bool scan = bench_peek(b, LW_F_WALK_MEMORY_LINE_VALID, 0) != 0;
    const uint64_t search = bench_peek(b, LW_F_SEARCH_SEARCH_OP, 0);
    const uint64_t ask = bench_peek(b, LW_F_ASK_ASK_VALID, 0);
    const uint64_t read = bench_peek(b, LW_F_READ_READ_VALID, 0);
    bool advances = false;
    for (uint32_t i = 0; i < b->hw.walkers; i++) {
        advances |=
            bench_peek(b, LW_F_PWST_STATE, i) == CAM && bench_peek(b, LW_F_PWST_STARTED, i) != 0;
    }
    w->scan += scan;
    w->advance += advances;
    w->search += search != 0;
    w->update += bench_peek(b, LW_F_UPDATE_UPDATE_OP, 0) != 0;
    w->ask += ask != 0;
    w->look += read != 0;
    bench_step(b);
    assert_field(b, LW_F_SEARCH_SEARCH_OP, 0,
                 scan        ? SCAN
                 : read != 0 ? COMMIT
                 : advances  ? ADVANCE
                             : 0);
    assert_field(b, LW_F_UPDATE_UPDATE_OP, 0, search);
    assert_field(b, LW_F_ASK_ASK_VALID, 0, ask);
    assert_field(b, LW_F_READ_READ_VALID, 0, 0);
    assert_field(b, LW_F_INVALIDATION_STATE, 0, INV_SWEEP);
}

static void test_mark_beside(void **state) {
    (void)state;
    beside w = {0};
    for (uint32_t at = 3; at < 2 * (FIRST_SCAN + 12); at++) { /* the transfer */
        const bool pwc = at % 2 != 0;
        pair both;
        const uint64_t begun = begin(&both, MODE_FULL, pwc);
        bench *b = &both.b;
        step_to(b, begun, 1 + at / 2);
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
    assert_true(w.ask > 1 && w.look > 0 && w.advance > 0);
}

/* R6.1, R6.5: what a scan leaves in the fill register is in the PWC three cycles after it; a lookup
 * is compared with the key register and its walker moves on a cycle later. */
static void test_pwc_registers(void **state) {
    (void)state;
    enum { PWC_WAIT = 3, LATENCY = 2, UPPER = 2 * 32 };
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
        cmocka_unit_test(test_new_beside_scan), cmocka_unit_test(test_looks_again),
        cmocka_unit_test(test_near_when_read),  cmocka_unit_test(test_near),
        cmocka_unit_test(test_mark_beside),     cmocka_unit_test(test_pwc_registers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
