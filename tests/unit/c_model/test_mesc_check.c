/* The contiguity check (chapter 16) by register names: its jobs, marks in each of its states, and
 * the picture. */
#include "tests/unit/c_model/mesc_frames.h"

/* ---------------------------------------------------------------- the check's jobs */

/* An MSC hit after a miss joins again, without a head read: S4's entry is pushed out by S0's. */
static void test_msc_hit(void **state) {
    (void)state;
    lw_params hw = mesc();
    hw.tlb_partition = 1;
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    map_figure9(b);
    start(b);
    ask(b, FRAME);
    settle(b);
    assert_int_equal(b->heads, 4);
    ask(b, FRAME + 7 * 64);
    assert_entry(b, partition_entry(b, FRAME, 0), 1, 0x2007, 0, 0x0205d);
    ask(b, FRAME + 2 * 64 + 9);
    settle(b);
    assert_int_equal(b->heads, 4);
    assert_int_equal(counter(b, LW_C_MSC_HITS), 1);
    assert_int_equal(counter(b, LW_C_JOINED), 2);
    assert_entry(b, partition_entry(b, FRAME, 0), 1, 0x2000, 3, 0x00f87);
    pair_done(&both);
}

/* Two walks to one subregion ask for one check; the entries that they and a third left overlap the
 * joined one, which takes the lowest of their ways. */
static void test_merged_and_overlapping(void **state) {
    (void)state;
    const lw_params hw = mesc();
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    b->latency = 40;
    map_joined(b, PASID, FRAME, 0x6000a);
    start(b);
    static const uint16_t page[] = {0, 1, 64, 128};
    for (uint32_t i = 0; i < 4; i++) {
        bench_offer(b, &(bench_page){PASID, 0, FRAME + page[i]});
        bench_step(b);
    }
    bench_drain(b);
    bench_steps(b, 2); /* the last fill's place, and the writing */
    assert_int_equal(subregion_entries(b), 3);
    assert_int_equal(counter(b, LW_C_CHECKS_MERGED), 1);
    settle(b);
    assert_int_equal(subregion_entries(b), 1);
    assert_entry(b, partition_entry(b, FRAME, 0), 1, 0x2000, 7, 0x6000a);
    /* the queued jobs found the MSC filled, and their fill held already */
    assert_int_equal(counter(b, LW_C_MSC_LOOKUPS), 3);
    assert_int_equal(counter(b, LW_C_MSC_HITS), 2);
    assert_int_equal(counter(b, LW_C_JOINED), 3);
    assert_int_equal(b->heads, 7);
    pair_done(&both);
}

static void test_dropped(void **state) {
    (void)state;
    lw_params hw = mesc();
    hw.check_queue = 1;
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    b->latency = 40;
    for (uint32_t i = 0; i < 4; i++) {
        map_joined(b, PASID, FRAME + UINT64_C(512) * i, UINT64_C(0x10000) * (i + 1));
    }
    start(b);
    for (uint32_t i = 0; i < 4; i++) {
        bench_offer(b, &(bench_page){PASID, 0, FRAME + UINT64_C(512) * i});
        bench_step(b);
    }
    bench_drain(b);
    settle(b);
    assert_int_equal(counter(b, LW_C_CHECKS_DROPPED), 2);
    assert_int_equal(counter(b, LW_C_JOINED), 2);
    assert_int_equal(subregion_entries(b), 4); /* the dropped ones' own subregions */
    pair_done(&both);
}

/* ---------------------------------------------------------------- the MSC's cycles */

static uint32_t msc_entries(const bench *b) {
    uint32_t n = 0;
    for (uint32_t e = 0; e < b->hw.msc_entries; e++) {
        n += bench_peek(b, LW_F_MSC_VALID, e) != 0;
    }
    return n;
}

/* R16.19, R16.20: what a fill and a sweep find is done a cycle later. The way is the one that was
 * used longest ago, the set's first. */
static void test_msc_cycles(void **state) {
    (void)state;
    const lw_params hw = mesc();
    const uint32_t sets = hw.msc_entries / hw.msc_ways;
    const uint32_t set = (FRAME >> 9) % sets, first = set * hw.msc_ways;
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    map_joined(b, PASID, FRAME, 0x6000a);
    start(b);
    bench_offer(b, &(bench_page){PASID, 0, FRAME});
    step_until(b, LW_F_CHECK_STATE, 0, FILL);
    bench_step(b);
    assert_field(b, LW_F_CHECK_STATE, 0, INSERT);
    assert_field(b, LW_F_MSC_PLACE_TOUCH, 0, 1);
    assert_field(b, LW_F_MSC_PLACE_WRITE, 0, 1);
    assert_field(b, LW_F_MSC_PLACE_WAY, 0, 0);
    assert_int_equal(msc_entries(b), 0);
    bench_step(b);
    assert_field(b, LW_F_MSC_PLACE_TOUCH, 0, 0);
    assert_field(b, LW_F_MSC_VALID, first, 1);
    assert_field(b, LW_F_MSC_MAP, first, 0x7f);
    bench_drain(b);

    b->in.inv_valid = true;
    b->in.inv_type = TYPE_PASID;
    b->in.inv_pasid = PASID;
    bench_step(b);
    b->in.inv_valid = false;
    step_until(b, LW_F_MSC_SWEEP_SWEEP, 0, 1);
    step_until(b, LW_F_MSC_SWEEP_SWEEP_SET, 0, set);
    bench_step(b);
    assert_field(b, LW_F_MSC_SWEEP_SWEPT, 0, 1);
    assert_field(b, LW_F_MSC_SWEEP_SWEPT_SET, 0, set);
    assert_int_equal(msc_entries(b), 1);
    bench_step(b);
    assert_field(b, LW_F_MSC_SWEEP_SWEPT, 0, 0);
    assert_int_equal(msc_entries(b), 0);
    pair_done(&both);
}

/* ---------------------------------------------------------------- marks (R16.11) */

/* The last of these checks is the one that matters; it waits in the queue for those before it. */
static void begin_checks(bench *b, uint32_t jobs) {
    for (uint32_t j = 0; j < jobs; j++) {
        map_joined(b, PASID, FRAME + UINT64_C(512) * j, 0x6000a + UINT64_C(0x1000) * j);
    }
    map_joined(b, OTHER_PASID, FRAME, 0x7000a);
    start(b);
    for (uint32_t j = 0; j < jobs; j++) {
        if (j != 0) {
            bench_step(b);
        }
        bench_offer(b, &(bench_page){PASID, 0, FRAME + UINT64_C(512) * j + 64});
    }
}

/* The first cycle in which the last check is in this state. */
static uint64_t cycle_of(const lw_params *hw, uint32_t jobs, uint32_t state) {
    bench b;
    bench_init(&b, hw, 1);
    begin_checks(&b, jobs);
    for (uint32_t j = 1; j < jobs; j++) {
        step_until(&b, LW_F_CHECK_STATE, 0, INSERT);
        bench_step(&b);
    }
    step_until(&b, LW_F_CHECK_STATE, 0, state);
    const uint64_t cycle = b.cycle;
    bench_done(&b);
    return cycle;
}

static void offer_invalidation(bench *b, uint32_t pasid) {
    b->in.inv_valid = true;
    b->in.inv_type = TYPE_PASID;
    b->in.inv_pasid = pasid;
}

/* Steps to the cycle of a mark for `pasid` at whose beginning the check is in `state`, and on. */
static void mark_in(bench *b, const lw_params *hw, uint32_t jobs, uint32_t state, uint32_t pasid) {
    const uint64_t cycle = cycle_of(hw, jobs, state);
    begin_checks(b, jobs);
    while (b->cycle + 1 < cycle) {
        bench_step(b);
    }
    offer_invalidation(b, pasid);
    bench_step(b);
    assert_field(b, LW_F_INVALIDATION_STATE, 0, INV_MARK);
    assert_field(b, LW_F_CHECK_STATE, 0, state);
    bench_step(b);
    assert_field(b, LW_F_INVALIDATION_STATE, 0, INV_SWEEP);
}

static void test_marks(void **state) {
    (void)state;
    const lw_params hw = mesc();
    static const uint8_t states[] = {LOOKUP, COMPARE, READ, JOIN, FILL, INSERT};
    for (uint32_t i = 0; i < sizeof states; i++) {
        pair both;
        pair_init(&both, &hw, true);
        bench *b = &both.b;
        mark_in(b, &hw, 1, states[i], PASID);
        assert_field(b, LW_F_CHECK_STATE, 0, states[i] == READ ? DRAIN : IDLE);
        assert_int_equal(counter(b, LW_C_JOINED), 0); /* nor in INSERT (R3.6) */
        assert_field(b, LW_F_FILL_FILL_VALID, 0, 0);
        step_until(b, LW_F_INVALIDATION_STATE, 0, 0);
        settle(b);
        assert_int_equal(subregion_entries(b), 0);
        for (uint32_t e = 0; e < hw.msc_entries; e++) {
            assert_field(b, LW_F_MSC_VALID, e, 0);
        }
        assert_int_equal(counter(b, LW_C_STRAY_LINES), 0);
        assert_int_equal(counter(b, LW_C_MSC_LOOKUPS), states[i] != LOOKUP);
        pair_done(&both);
    }
}

/* In DRAIN the heads that are asked for are waited for and then forgotten: the invalidation ends no
 * earlier (R11.5), and a job that comes meanwhile is neither merged nor begun. */
static void test_drain(void **state) {
    (void)state;
    const lw_params hw = mesc();
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    mark_in(b, &hw, 1, READ, PASID);
    assert_field(b, LW_F_CHECK_ASKED, 0, 1);
    b->latency = 3000;
    bench_step(b); /* the head's read is transferred */
    b->latency = 10;
    ask(b, FRAME + 64);
    assert_field(b, LW_F_CHECK_STATE, 0, DRAIN);
    assert_field(b, LW_F_CHECK_RING_QUEUE_COUNT, 0, 1);
    assert_field(b, LW_F_HEAD_HEAD_OK, 0, 0);
    bench_steps(b, 1000);
    assert_field(b, LW_F_CHECK_STATE, 0, DRAIN);
    assert_field(b, LW_F_INVALIDATION_STATE, 0, INV_WALKS);
    while (bench_peek(b, LW_F_CHECK_STATE, 0) == DRAIN) {
        assert_int_equal(b->out.inv_done, 0);
        bench_step(b);
    }
    settle(b);
    assert_int_equal(counter(b, LW_C_JOINED), 1);
    assert_int_equal(counter(b, LW_C_CHECKS_MERGED), 0);
    assert_int_equal(counter(b, LW_C_STRAY_LINES), 0);
    assert_int_equal(counter(b, LW_C_HEAD_READS), 8);
    pair_done(&both);
}

/* A queued job that the mark meets is popped and gone. */
static void test_mark_of_queue(void **state) {
    (void)state;
    const lw_params hw = mesc();
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    map_joined(b, PASID, FRAME, 0x6000a);
    map_joined(b, OTHER_PASID, FRAME, 0x7000a);
    start(b);
    bench_offer(b, &(bench_page){OTHER_PASID, 0, FRAME});
    bench_step(b);
    ask(b, FRAME);
    assert_field(b, LW_F_CHECK_RING_QUEUE_COUNT, 0, 1);
    assert_field(b, LW_F_CHECK_QUEUE_JOB_LIVE, 1, 1);
    offer_invalidation(b, PASID);
    bench_steps(b, 2);
    assert_field(b, LW_F_CHECK_QUEUE_JOB_LIVE, 1, 0);
    settle(b);
    assert_int_equal(counter(b, LW_C_MSC_LOOKUPS), 1);
    assert_int_equal(counter(b, LW_C_JOINED), 1); /* that of the other PASID */
    assert_int_equal(subregion_entries(b), 1);
    pair_done(&both);
}

/* R16.3: of queued jobs that a mark has met one is gone in each cycle of IDLE. */
static void test_dead_jobs(void **state) {
    (void)state;
    enum { JOBS = 4 };
    const lw_params hw = mesc();
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    map_joined(b, PASID, FRAME, 0x6000a);
    map_joined(b, OTHER_PASID, FRAME, 0x7000a);
    start(b);
    for (uint32_t i = 0; i <= JOBS; i++) {
        const uint32_t pasid = i == 0 ? OTHER_PASID : PASID;
        bench_offer(b, &(bench_page){pasid, 0, FRAME + (uint64_t)PAGES * i});
        bench_step(b);
    }
    step_until(b, LW_F_CHECK_RING_QUEUE_COUNT, 0, JOBS);
    offer_invalidation(b, PASID);
    step_until(b, LW_F_CHECK_STATE, 0, INSERT);
    step_until(b, LW_F_CHECK_STATE, 0, IDLE);
    for (uint32_t left = JOBS; left > 0; left--) {
        assert_field(b, LW_F_CHECK_RING_QUEUE_COUNT, 0, left);
        assert_field(b, LW_F_CHECK_STATE, 0, IDLE);
        bench_step(b);
    }
    assert_field(b, LW_F_CHECK_RING_QUEUE_COUNT, 0, 0);
    bench_drain(b);
    assert_int_equal(counter(b, LW_C_MSC_LOOKUPS), 1);
    pair_done(&both);
}

/* The MSC is neither looked up nor filled while it is swept (R16.4, R16.9), which is a cycle after
 * the TLB (R16.18). */
static void test_sweep_first(void **state) {
    (void)state;
    const lw_params hw = mesc();
    static const uint8_t states[] = {COMPARE, FILL}, after[] = {READ, INSERT};
    for (uint32_t i = 0; i < 2; i++) {
        pair both;
        pair_init(&both, &hw, true);
        bench *b = &both.b;
        const uint64_t cycle = cycle_of(&hw, 1, states[i]);
        begin_checks(b, 1);
        while (b->cycle + 4 < cycle) { /* the mark comes before the scan */
            bench_step(b);
        }
        offer_invalidation(b, OTHER_PASID);
        step_until(b, LW_F_INVALIDATION_STATE, 0, INV_SWEEP);
        uint32_t swept = 0;
        for (; bench_peek(b, LW_F_INVALIDATION_STATE, 0) == INV_SWEEP; swept++) {
            bench_step(b);
        }
        assert_int_equal(swept, hw.msc_entries / hw.msc_ways); /* R11.4 */
        assert_field(b, LW_F_MSC_SWEEP_SWEEP, 0, 1);
        assert_field(b, LW_F_CHECK_STATE, 0, states[i]);
        bench_step(b);
        assert_field(b, LW_F_CHECK_STATE, 0, states[i]);
        bench_step(b);
        assert_field(b, LW_F_CHECK_STATE, 0, after[i]);
        settle(b);
        assert_int_equal(subregion_entries(b), 1);
        pair_done(&both);
    }
}

/* ---------------------------------------------------------------- chapter 16's picture */

/* x = 0, C0..C3, memory latency 4; t counts from the scan. Three heads are asked for in cycles 4 to
 * 6 and arrive in the line register from 10 on. The states (R16.3) and the seven cycles of JOIN
 * (R16.8). */
static void test_check_picture(void **state) {
    (void)state;
    static const struct {
        uint8_t state, asked, got, line;
    } picture[] = {
        {IDLE, 0, 0, 1},     {IDLE, 0, 0, 0},     {LOOKUP, 0, 0, 0},     {COMPARE, 0, 0, 0},
        {READ, 0, 0, 0},     {READ, 0x2, 0, 0},   {READ, 0x6, 0, 0},     {READ, 0xe, 0, 0},
        {READ, 0xe, 0, 0},   {READ, 0xe, 0, 0},   {READ, 0xe, 0, 1},     {READ, 0xe, 0x2, 1},
        {READ, 0xe, 0x6, 1}, {READ, 0xe, 0xe, 0}, {JOIN, 0xe, 0xe, 0},   {JOIN, 0xe, 0xe, 0},
        {JOIN, 0xe, 0xe, 0}, {JOIN, 0xe, 0xe, 0}, {JOIN, 0xe, 0xe, 0},   {JOIN, 0xe, 0xe, 0},
        {JOIN, 0xe, 0xe, 0}, {FILL, 0xe, 0xe, 0}, {INSERT, 0xe, 0xe, 0}, {IDLE, 0xe, 0xe, 0},
        {IDLE, 0xe, 0xe, 0}};
    const lw_params hw = mesc();
    pair both;
    pair_init(&both, &hw, true);
    bench *b = &both.b;
    b->latency = 4;
    map_figure9(b);
    *bench_pte(b, PASID, FRAME, 2) &= ~(C_(4) | C_(7));
    start(b);
    bench_offer(b, &(bench_page){PASID, 0, FRAME});
    step_until(b, LW_F_PWST_LEVEL, 0, 1);
    step_until(b, LW_F_WALK_MEMORY_LINE_VALID, 0, 1);
    for (uint32_t t = 0; t < sizeof picture / sizeof picture[0]; t++) {
        assert_field(b, LW_F_FILL_FILL_VALID, 0, t == 2 || t == 23);
        if (t == 2 || t == 23) {
            assert_field(b, LW_F_FILL_FILL_CLASS, 0, 1);
            assert_field(b, LW_F_FILL_FILL_LENGTH, 0, t == 2 ? 0 : 3);
        }
        assert_field(b, LW_F_PLACE_PLACE_VALID, 0, t == 3 || t == 24);
        assert_field(b, LW_F_CHECK_STATE, 0, picture[t].state);
        assert_field(b, LW_F_CHECK_RING_QUEUE_COUNT, 0, t == 1);
        assert_field(b, LW_F_CHECK_ASKED, 0, picture[t].asked);
        assert_field(b, LW_F_CHECK_GOT, 0, picture[t].got);
        assert_field(b, LW_F_WALK_MEMORY_LINE_VALID, 0, picture[t].line);
        bench_step(b);
    }
    assert_entry(b, partition_entry(b, FRAME, 0), 1, 0x2000, 3, 0x00f87);
    pair_done(&both);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_msc_cycles),
        cmocka_unit_test(test_msc_hit),
        cmocka_unit_test(test_merged_and_overlapping),
        cmocka_unit_test(test_dropped),
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_drain),
        cmocka_unit_test(test_mark_of_queue),
        cmocka_unit_test(test_dead_jobs),
        cmocka_unit_test(test_sweep_first),
        cmocka_unit_test(test_check_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
