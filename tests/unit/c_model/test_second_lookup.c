/* The second lookup of the unified TLB before a walk (R5.26 to R5.28), by chapter 5's sentences and
 * its last picture. */
#include "tests/unit/c_model/second_bench.h"

/* ---------------------------------------------------------------- the picture */

typedef struct column {
    uint8_t valid, picked, ask, ask_first, read, read_first, stage, walker, hit_used;
} column;

static void assert_column(bench *b, uint32_t slot, const column *c, bool ready) {
    assert_field(b, LW_F_BUFFER_VALID, slot, c->valid);
    assert_field(b, LW_F_BUFFER_PICKED, slot, c->picked);
    assert_field(b, LW_F_ASK_ASK_VALID, 0, c->ask);
    assert_field(b, LW_F_ASK_ASK_FIRST, 0, c->ask_first);
    assert_field(b, LW_F_READ_READ_VALID, 0, c->read);
    assert_field(b, LW_F_READ_READ_FIRST, 0, c->read_first);
    assert_field(b, LW_F_PWST_STATE, 0, c->walker);
    assert_field(b, LW_F_PWST_TRIED, 0, 0);
    assert_field(b, LW_F_PWST_STARTED, 0, c->walker == W_REQ || c->walker == W_MEM);
    assert_field(b, LW_F_ADMISSION_HIT_USED, 0, c->hit_used);
    for (uint32_t s = 1; s <= 2; s++) {
        assert_field(b, LW_F_TLB_PIPE_PIPE_VALID, s - 1, c->stage == s);
        assert_field(b, LW_F_TLB_PIPE_PIPE_SECOND, s - 1, c->stage == s);
    }
    /* of an entry that is asked for the CAM takes nothing: its commit comes with the start */
    assert_int_equal(bench_peek(b, LW_F_SEARCH_SEARCH_OP, 0) == COMMIT, c->walker == W_REQ);
    lw_iommu_outputs(b->u, &b->out);
    assert_int_equal(b->out.req_ready, ready);
}

/* A second miss: R5.26, R5.27, R5.28, R2.2, R2.4. */
static void test_second_miss(void **state) {
    (void)state;
    static const column picture[] = {
        {1, 0, 0, 0, 0, 0, 0, W_IDLE, 0}, {1, 1, 1, 1, 0, 0, 0, W_READ, 0},
        {1, 1, 0, 1, 1, 1, 0, W_READ, 0}, {1, 1, 0, 1, 0, 1, 1, W_READ, 1},
        {1, 1, 0, 1, 0, 1, 2, W_READ, 1}, {1, 1, 0, 1, 0, 1, 0, W_CAM, 0},
        {1, 1, 1, 0, 0, 1, 0, W_READ, 0}, {1, 1, 0, 0, 1, 0, 0, W_READ, 0},
        {0, 0, 0, 0, 0, 0, 0, W_REQ, 0},  {0, 0, 0, 0, 0, 0, 0, W_MEM, 0}};
    enum { PICKABLE = 4, CYCLES = sizeof picture / sizeof picture[0] };
    const lw_params hw = second_of(bench_nha, 1);
    pair both;
    bench *b = begin(&both, &hw, true);
    bench_map(b, PASID, 0, 7);
    bench_enable(b, MODE_OFF, false, false);
    offer(b, PASID, 0, 0);
    bench_steps(b, PICKABLE);
    for (uint32_t t = 0; t < CYCLES; t++) {
        assert_column(b, 0, &picture[t], t != LOOKS);
        bench_step(b);
    }
    bench_drain(b);
    bench_steps(b, 4);
    assert_counts(b, 0, 1, 0, 1);
    assert_int_equal(counter(b, LW_C_CAM), 7); /* of R12.6: cycles 1 to 7 */
    pair_done(&both);
}

/* A second hit: the first request's answer fills the page just in time (R3.17). */
static void test_second_hit(void **state) {
    (void)state;
    static const column picture[] = {
        {1, 0, 0, 0, 0, 0, 0, W_IDLE, 0}, {1, 1, 1, 1, 0, 0, 0, W_READ, 0},
        {1, 1, 0, 1, 1, 1, 0, W_READ, 0}, {1, 1, 0, 1, 0, 1, 1, W_READ, 1},
        {1, 1, 0, 1, 0, 1, 2, W_READ, 1}, {0, 0, 0, 1, 0, 1, 0, W_IDLE, 0}};
    enum { CYCLES = sizeof picture / sizeof picture[0], SLOT = 1, ID = 1 };
    const lw_params hw = second_of(bench_nha, 1);
    pair both;
    bench *b = begin(&both, &hw, true);
    bench_map(b, PASID, 0, 7);
    bench_enable(b, MODE_OFF, false, false);
    const bench_page page = {PASID, 0, 0};
    until_second_pick(b, &page, &page);
    for (uint32_t t = 0; t < CYCLES; t++) {
        column c = picture[t];
        c.read_first = t < LOOKS ? 0 : 1; /* of the first request's second look */
        assert_column(b, SLOT, &c, t != LOOKS);
        assert_int_equal(b->out.rsp_valid && b->out.rsp_id == ID, t == 5);
        bench_step(b);
    }
    bench_drain(b);
    assert_int_equal(b->last_id, ID);
    bench_steps(b, 4);
    assert_counts(b, 0, 2, 1, 1);
    assert_int_equal(counter(b, LW_C_TLB_MISSES), 2);
    assert_int_equal(b->accesses, 4);
    pair_done(&both);
}

/* ---------------------------------------------------------------- what it asks */

/* R5.26: the entry's fields, the page with its highest bit repeated above; R2.4: a request that is
 * offered in that cycle is taken in the next, and is none. */
static void test_fields(void **state) {
    (void)state;
    enum { ID = 0, SRC = 0, TAKEN = LOOKS + 1, WRITE = 1 };
    const lw_params hw = second_of(bench_nha, 2);
    for (uint32_t upper = 0; upper < 2; upper++) {
        pair both;
        bench *b = begin(&both, &hw, false);
        const uint64_t vpn = upper != 0 ? UINT64_C(0x812345678) : 0x12345678;
        bench_map(b, PASID, vpn, 7);
        bench_enable(b, MODE_OFF, false, false);
        offer(b, PASID, bench_sign_extend(b, vpn), WRITE);
        bench_steps(b, 4 + LOOKS);
        const uint64_t stalls = lw_iommu_counter(b->u, LW_C_REQUEST_STALLS);
        offer(b, PASID, 1, 0);
        bench_step(b);
        assert_true(b->in.req_valid);
        assert_int_equal(lw_iommu_counter(b->u, LW_C_REQUEST_STALLS), stalls + 1);
        assert_field(b, LW_F_TLB_PIPE_PIPE_SECOND, 0, 1);
        assert_field(b, LW_F_TLB_PIPE_PIPE_WALKER, 0, 0);
        assert_field(b, LW_F_TLB_PIPE_PIPE_ID, 0, ID);
        assert_field(b, LW_F_TLB_PIPE_PIPE_SRC, 0, SRC);
        assert_field(b, LW_F_TLB_PIPE_PIPE_PASID, 0, PASID);
        assert_field(b, LW_F_TLB_PIPE_PIPE_PAGE, 0, bench_sign_extend(b, vpn));
        assert_field(b, LW_F_TLB_PIPE_PIPE_ACCESS, 0, WRITE);
        bench_step(b);
        assert_false(b->in.req_valid);
        assert_field(b, LW_F_TLB_PIPE_PIPE_VALID, 0, 1);
        assert_field(b, LW_F_TLB_PIPE_PIPE_SECOND, 0, 0);
        assert_field(b, LW_F_TLB_PIPE_PIPE_SECOND, 1, 1);
        bench_drain(b);
        pair_done(&both);
    }
}

/* R3.5: a second hit touches its way. */
static void test_touch(void **state) {
    (void)state;
    const lw_params hw = second_of(bench_nha, 1);
    pair both;
    bench *b = begin(&both, &hw, false);
    bench_map(b, PASID, 0, 7);
    bench_map(b, PASID, SETS, 8);
    bench_enable(b, MODE_OFF, false, false);
    static const uint64_t page[] = {0, SETS, 0};
    for (uint32_t i = 0; i < 3; i++) {
        offer(b, PASID, page[i], 0);
        bench_step(b);
    }
    for (uint32_t n = 0; b->answered < 2; n++) {
        assert_true(n < 1000);
        bench_step(b);
    }
    bench_steps(b, 2);
    assert_field(b, LW_F_TLB_RANK_RANK, 0, 1);
    assert_field(b, LW_F_TLB_RANK_RANK, 1, 0);
    bench_drain(b);
    bench_steps(b, 4);
    assert_field(b, LW_F_TLB_RANK_RANK, 0, 0);
    assert_field(b, LW_F_TLB_RANK_RANK, 1, 1);
    assert_counts(b, 0, 3, 1, 2);
    pair_done(&both);
}

/* R3.9: a second hit of a subregion entry that the walk before has filled; 21 counts requests only.
 */
static void test_subregion(void **state) {
    (void)state;
    for (uint32_t parallel = 0; parallel < 2; parallel++) {
        lw_params hw = second_of(mesc(), 1);
        hw.par_lookup = parallel;
        pair both;
        bench *b = begin(&both, &hw, false);
        map_joined(b, PASID, FRAME, 0x6000a);
        start(b);
        const bench_page first = {PASID, 0, FRAME + 64 + 5}, second = {PASID, 0, FRAME + 64 + 63};
        until_second_pick(b, &first, &second);
        bench_drain(b);
        assert_true(b->last.pfn == 0x6000a + 64 + 63);
        settle(b);
        assert_counts(b, 0, 2, 1, 1);
        assert_int_equal(counter(b, LW_C_SUBREGION_HITS), 0);
        ask(b, FRAME + 64 + 6);
        assert_int_equal(counter(b, LW_C_SUBREGION_HITS), 1);
        pair_done(&both);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_second_miss), cmocka_unit_test(test_second_hit),
        cmocka_unit_test(test_fields),      cmocka_unit_test(test_touch),
        cmocka_unit_test(test_subregion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
