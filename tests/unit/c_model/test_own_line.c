/* A walk that starts before its lookup of the page walk cache (R5.8): until the lookup is made it
 * has claimed its own line (R5.24), then what it reads first (R6.16, R7.7). */
#include "tests/unit/c_model/iommu_pair.h"

enum { PASID = 3, MODE_LEAF = 1, MODE_FULL = 2, LEVELS = 4 };
enum { PWC_REQ = 2, PWC_WAIT = 3, CAM = 4, REQ = 5, MEM = 6, ADVANCE = 2 };
enum { BY_LEVEL, BY_ADDRESS };

/* The walk's page, one of its line, and one of another line but of the same table. */
enum { PAGE = 0, BESIDE = 1, FURTHER = 64, PAGES = 3 };
/* Cycles from the transfer: the walker looks at its entry, and is in PWC_REQ in the next. */
enum { LOOK_AFTER = 6, WAIT_FOR_ALL = 30 };

static void begin(pair *p, uint32_t mode, uint32_t pwc_org) {
    static const uint64_t page[PAGES] = {PAGE, BESIDE, FURTHER};
    lw_params hw = bench_nha;
    hw.walkers = 2;
    hw.pwc_org = pwc_org;
    pair_init(p, &hw, true);
    for (uint32_t i = 0; i < PAGES; i++) {
        bench_map(&p->b, PASID, page[i], 0x100 + i);
    }
    p->b.latency = 40;
    bench_enable(&p->b, mode, true, false);
}

static void offer(bench *b, uint64_t page) {
    bench_offer(b, &(bench_page){PASID, 0, page});
    bench_step(b);
}

/* CL of slot 1 and of slot 2. */
static void assert_waits(const bench *b, uint32_t one, uint32_t two) {
    assert_field(b, LW_F_BUFFER_CL, 1, one);
    assert_field(b, LW_F_BUFFER_CL, 2, two);
}

/* The lookup misses, so the walk reads the root's line first. Slot 1 is inserted before the claim,
 * slot 2 (of the same line again) while the lookup is under way, so by R4.3 and R7.3. */
static void test_lookup_misses(void **state) {
    (void)state;
    static const uint32_t modes[] = {MODE_LEAF, MODE_FULL};
    for (uint32_t m = 0; m < sizeof modes / sizeof modes[0]; m++) {
        const bool full = modes[m] == MODE_FULL;
        pair both;
        begin(&both, modes[m], BY_LEVEL);
        bench *b = &both.b;
        offer(b, PAGE);
        offer(b, BESIDE);
        bench_steps(b, 3);
        offer(b, BESIDE);
        assert_field(b, LW_F_READ_READ_VALID, 0, 1);
        bench_step(b);
        assert_field(b, LW_F_PWST_STATE, 0, PWC_REQ);
        assert_field(b, LW_F_PWST_STARTED, 0, 1);
        assert_field(b, LW_F_BUFFER_VALID, 0, 0);
        assert_field(b, LW_F_SEARCH_SEARCH_CLAIM_LEVEL, 0, 1);
        bench_steps(b, 2); /* search, update */
        assert_field(b, LW_F_PWST_STATE, 0, PWC_WAIT);
        assert_waits(b, 1, 1);
        bench_steps(b, 2);
        assert_field(b, LW_F_PWST_STATE, 0, CAM); /* R6.2; it advances */
        bench_step(b);
        assert_field(b, LW_F_PWST_STATE, 0, REQ);
        assert_field(b, LW_F_SEARCH_SEARCH_LEVEL, 0, 1);
        assert_field(b, LW_F_SEARCH_SEARCH_CLAIM_LEVEL, 0, LEVELS);
        bench_steps(b, 2);
        assert_waits(b, full ? LEVELS : 0, full ? LEVELS : 0);
        bench_drain(b);
        pair_done(&both);
    }
}

/* The lookup leaves one level: what was claimed is what is read, and who is in another line walks
 * at once. */
static void test_lookup_hits(void **state) {
    (void)state;
    pair both;
    begin(&both, MODE_FULL, BY_LEVEL);
    bench *b = &both.b;
    offer(b, FURTHER);
    bench_drain(b);
    const uint64_t accesses = b->accesses;
    offer(b, PAGE);
    bench_steps(b, LOOK_AFTER);
    const uint32_t walker = bench_peek(b, LW_F_PWST_STATE, 0) == PWC_REQ ? 0 : 1;
    assert_field(b, LW_F_PWST_STATE, walker, PWC_REQ);
    bench_steps(b, 3);
    assert_field(b, LW_F_PWC_RESULT_RESULT_HIT, 0, 1);
    bench_step(b);
    assert_field(b, LW_F_PWST_STATE, walker, REQ);
    assert_field(b, LW_F_PWST_LEVEL, walker, 1);
    assert_field(b, LW_F_SEARCH_SEARCH_OP, 0, 0);
    offer(b, BESIDE);
    bench_steps(b, 3);
    assert_field(b, LW_F_PWST_STATE, walker, MEM);
    bench_drain(b);
    assert_true(b->accesses == accesses + 1);
    assert_int_equal(lw_iommu_counter(b->u, LW_C_COALESCED_ANSWERS), 1);
    pair_done(&both);
}

/* By address the lookups of a walk find a level each, and who is in another line walks meanwhile.
 */
static void test_lookups_by_address(void **state) {
    (void)state;
    pair both;
    begin(&both, MODE_FULL, BY_ADDRESS);
    bench *b = &both.b;
    offer(b, FURTHER);
    bench_drain(b);
    const uint64_t accesses = b->accesses;
    offer(b, PAGE);
    offer(b, BESIDE);
    bench_steps(b, LOOK_AFTER - 1);
    assert_field(b, LW_F_PWST_STATE, 0, PWC_REQ);
    bench_steps(b, 2); /* search, update */
    const uint32_t slot = (uint32_t)bench_peek(b, LW_F_BUFFER_RING_TAIL, 0) - 1;
    for (uint32_t n = 0; bench_peek(b, LW_F_PWST_STATE, 0) != REQ; n++) {
        assert_true(n < 20);
        assert_field(b, LW_F_PWST_OWN_LINE, 0, 1);
        assert_field(b, LW_F_BUFFER_CL, slot, 1);
        assert_true(bench_peek(b, LW_F_SEARCH_SEARCH_OP, 0) != ADVANCE);
        bench_step(b);
    }
    assert_field(b, LW_F_PWST_OWN_LINE, 0, 0);
    assert_field(b, LW_F_PWST_LEVEL, 0, 1);
    bench_drain(b);
    assert_true(b->accesses == accesses + 1);
    pair_done(&both);
}

/* R11.2: a mark during the lookup makes the walk STALE; who waited for it walks. */
static void test_mark_during_lookup(void **state) {
    (void)state;
    for (uint32_t at = 0; at < WAIT_FOR_ALL; at++) {
        pair both;
        begin(&both, MODE_FULL, BY_LEVEL);
        bench *b = &both.b;
        offer(b, PAGE);
        offer(b, BESIDE);
        bench_steps(b, at);
        b->in.inv_valid = true;
        b->in.inv_type = 2;
        b->in.inv_pasid = PASID;
        bench_step(b);
        bench_drain(b);
        assert_true(b->answered == 2);
        pair_done(&both);
    }
}

/* R6.2: a walk that a neighbour's line has led to level 2 looks into the table of level 2 alone,
 * though those above have its entries. */
static void test_no_table_above(void **state) {
    (void)state;
    enum { COUSIN = 1 << 18, SIBLING = COUSIN + 512, FAR = 1 << 30 };
    pair both;
    begin(&both, MODE_FULL, BY_LEVEL);
    bench *b = &both.b;
    bench_map(b, PASID, COUSIN, 0x200);
    bench_map(b, PASID, SIBLING, 0x300);
    bench_map(b, PASID, FAR, 0x400);
    bench_ask(b, PASID, COUSIN, 0);
    assert_int_equal(b->accesses, LEVELS);
    offer(b, PAGE); /* hits in the table of level 4 */
    offer(b, FAR);
    offer(b, SIBLING); /* in PAGE's line of level 3; it waits for one of the two walkers */
    bench_drain(b);
    assert_int_equal(b->accesses, LEVELS + 3 + LEVELS + 2);
    assert_int_equal(lw_iommu_counter(b->u, LW_C_COALESCED_LEVELS), LEVELS - 2);
    assert_int_equal(lw_iommu_counter(b->u, LW_C_PWC_LOOKUPS), 4);
    assert_int_equal(lw_iommu_counter(b->u, LW_C_PWC_HITS), 1);
    pair_done(&both);
}

/* The lookup leaves level 1, but what is read there is the head of a subregion (R1.11): the walker
 * goes to CAM, and who is near in the subregion, in another line, waits for it. */
static void test_lookup_finds_a_reach(void **state) {
    (void)state;
    enum { NEAR_IN_REACH = FURTHER + 16, SUBREGION = 1, REACH_PAGES = 64, PFN = 0x1000 };
    lw_params hw = bench_nha;
    hw.walkers = 2;
    hw.subregions = 1;
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    bench_map(b, PASID, PAGE, 0x100);
    for (uint32_t i = 0; i < REACH_PAGES; i++) {
        bench_map(b, PASID, FURTHER + i, PFN + i);
    }
    *bench_pte(b, PASID, PAGE, 2) |= C_(1);
    bench_enable(b, MODE_FULL, true, false);
    offer(b, PAGE);
    bench_drain(b);
    bench_steps(b, WAIT_FOR_ALL);
    const uint32_t walker = 0, slot = (uint32_t)bench_peek(b, LW_F_BUFFER_RING_TAIL, 0) + 1;
    offer(b, FURTHER);
    offer(b, NEAR_IN_REACH);
    for (uint32_t n = 0; bench_peek(b, LW_F_PWC_RESULT_RESULT_VALID, 0) == 0; n++) {
        assert_true(n < WAIT_FOR_ALL);
        assert_field(b, LW_F_BUFFER_CL, slot, 0);
        bench_step(b);
    }
    assert_field(b, LW_F_PWST_OWN_LINE, walker, 1);
    bench_step(b);
    assert_field(b, LW_F_PWST_LEVEL, walker, 1);
    assert_field(b, LW_F_PWST_STATE, walker, CAM); /* R6.16 */
    for (uint32_t n = 0; bench_peek(b, LW_F_PWST_STATE, walker) == CAM; n++) {
        assert_true(n < WAIT_FOR_ALL);
        bench_step(b);
    }
    assert_field(b, LW_F_PWST_STATE, walker, REQ);
    assert_field(b, LW_F_SEARCH_SEARCH_OP, 0, ADVANCE);
    assert_field(b, LW_F_SEARCH_SEARCH_LEVEL, 0, 1);
    assert_field(b, LW_F_SEARCH_SEARCH_CLAIM_LEVEL, 0, 1);
    assert_field(b, LW_F_SEARCH_SEARCH_CLAIM_REACH, 0, SUBREGION);
    bench_drain(b);
    assert_true(b->last.pfn == PFN || b->last.pfn == PFN + NEAR_IN_REACH - FURTHER);
    pair_done(&both);
}

/* R6.16: without the parameter COALESCE nobody waits for the walk, so it goes to REQ at once. */
static void test_without_coalesce(void **state) {
    (void)state;
    for (uint32_t pwc_org = BY_LEVEL; pwc_org <= BY_ADDRESS; pwc_org++) {
        lw_params hw = bench_nha;
        hw.pwc_org = pwc_org;
        hw.coalesce = 0;
        pair both;
        pair_init(&both, &hw, true);
        bench *b = &both.b;
        bench_map(b, PASID, PAGE, 0x100);
        bench_enable(b, MODE_FULL, true, false);
        offer(b, PAGE);
        for (uint32_t n = 0; bench_peek(b, LW_F_PWC_RESULT_RESULT_VALID, 0) == 0; n++) {
            assert_true(n < WAIT_FOR_ALL);
            bench_step(b);
        }
        assert_field(b, LW_F_PWST_LEVEL, 0, LEVELS);
        assert_field(b, LW_F_PWST_OWN_LINE, 0, 1);
        bench_step(b);
        assert_field(b, LW_F_PWST_STATE, 0, REQ);
        assert_field(b, LW_F_PWST_OWN_LINE, 0, 0);
        bench_drain(b);
        pair_done(&both);
    }
}

/* R6.3, R7.7: by address a hit behind a line that was read leads to CAM and from there to the next
 * lookup without the parameter COALESCE too. OTHER's tables are PASID's but for the root. */
static void test_advances_without_coalesce(void **state) {
    (void)state;
    enum { OTHER = 5, FAR = 0x200 };
    lw_params hw = bench_nha;
    hw.walkers = 1;
    hw.pwc_org = BY_ADDRESS;
    hw.coalesce = 0;
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    bench_map(b, PASID, PAGE, 0x100);
    bench_map(b, PASID, FAR, 0x101);
    *bench_pte(b, OTHER, PAGE, LEVELS) = *bench_pte(b, PASID, PAGE, LEVELS);
    bench_enable(b, MODE_FULL, true, false);
    offer(b, PAGE);
    bench_drain(b);
    bench_offer(b, &(bench_page){OTHER, 0, FAR});
    for (uint32_t n = 0; bench_peek(b, LW_F_PWC_RESULT_RESULT_VALID, 0) == 0 ||
                         bench_peek(b, LW_F_PWC_RESULT_RESULT_HIT, 0) == 0;
         n++) {
        assert_true(n < 2 * WAIT_FOR_ALL);
        bench_step(b);
    }
    assert_field(b, LW_F_PWST_LEVEL, 0, LEVELS - 1);
    assert_field(b, LW_F_PWST_OWN_LINE, 0, 0);
    bench_step(b);
    assert_field(b, LW_F_PWST_STATE, 0, CAM);
    bench_step(b);
    assert_field(b, LW_F_PWST_STATE, 0, PWC_REQ);
    assert_field(b, LW_F_PWST_LEVEL, 0, LEVELS - 2);
    bench_drain(b);
    pair_done(&both);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_advances_without_coalesce),
        cmocka_unit_test(test_without_coalesce),
        cmocka_unit_test(test_lookup_finds_a_reach),
        cmocka_unit_test(test_lookup_misses),
        cmocka_unit_test(test_lookup_hits),
        cmocka_unit_test(test_no_table_above),
        cmocka_unit_test(test_lookups_by_address),
        cmocka_unit_test(test_mark_during_lookup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
