/* Which wave of a SIMD issues in which cycle: the schedules, the period of an instruction, and how
 * many of a wave's memory instructions are under way. */
#include "tests/unit/sim/gpu/data_path_costs.h"
#include "tests/unit/sim/gpu/gpu_run.h"

/* Three waves: their instructions, and their pages' order where the oldest goes first. */
static const hand_inst three_waves[] = {{.page = 0, .lanes = 1},
                                        {.page = 1, .lanes = 1},
                                        {.page = 2, .lanes = 1},
                                        {.wave = 1, .page = 3, .lanes = 1},
                                        {.wave = 1, .page = 4, .lanes = 1},
                                        {.wave = 2, .page = 5, .lanes = 1}};
static const uint64_t oldest[] = {0, 1, 2, 3, 4, 5};

/* They ask for these pages, one after the other and so many cycles apart. */
static void run_order(lw_gpu_params params, const uint64_t *pages, uint64_t apart) {
    outcome o = run_one(&params, hand_workload(three_waves, COUNT(three_waves)), FAKE_UNIT);
    assert_int_equal(o.unit->count, COUNT(three_waves));
    for (size_t i = 0; i < COUNT(three_waves); i++) {
        assert_int_equal(o.unit->log[i].request.page, pages[i]);
        assert_int_equal(o.unit->log[i].cycle, o.unit->log[0].cycle + i * apart);
    }
    fake_free(o.unit);
}

/* A CU issues its oldest wave first, also where a younger one has been ready for longer. */
static void test_oldest_first(void **state) {
    (void)state;
    run_order(nha, oldest, 1);
}

/* The same of one SIMD: the oldest that can; in turn; an instruction every `issue_period`. */
static void test_schedules(void **state) {
    (void)state;
    static const uint64_t turns[] = {0, 3, 5, 1, 4, 2};
    lw_gpu_params params = nha;
    params.simds = 1;
    run_order(params, oldest, 1);
    params.issue_period = 4;
    run_order(params, oldest, 4);
    params.schedule = LW_SCHEDULE_ROUND_ROBIN;
    run_order(params, turns, 4);
    params.issue_period = 1;
    run_order(params, turns, 1);
    params.simds = 3; /* one for each wave: in turn all the same */
    run_order(params, turns, 1);
}

/* The oldest is who began first, whatever its slot. Group 0 is answered in 62, when group 2 takes
 * its slot; so both that wait then can issue in 63, and group 1 does first. */
static void test_oldest_in_any_slot(void **state) {
    (void)state;
    enum { ANSWERED = 62 };
    static const hand_inst table[] = {{.group = 0, .page = 0, .lanes = 1},
                                      {.group = 1, .page = 1, .lanes = 1, .alu = ANSWERED - 1},
                                      {.group = 2, .page = 2, .lanes = 1}};
    lw_gpu_params params = nha;
    params.cus = params.simds = 1;
    params.waves = 2;
    outcome o = run_one(&params, hand_workload(table, COUNT(table)), FAKE_UNIT);
    assert_int_equal(o.unit->count, COUNT(table));
    assert_int_equal(o.unit->log[0].answered, ANSWERED);
    for (size_t i = 1; i < COUNT(table); i++) {
        assert_int_equal(o.unit->log[i].request.page, i);
        assert_int_equal(o.unit->log[i].cycle, ANSWERED + i + 11);
    }
    fake_free(o.unit);
}

/* In turn goes who has been able to for longest, and not who has issued least lately: while the
 * first instruction keeps the SIMD busy, its own wave computes so long, and the other one five
 * cycles. */
static void test_able_for_longest(void **state) {
    (void)state;
    enum { PERIOD = 20 };
    for (uint16_t alu = 0; alu <= 10; alu += 10) {
        const hand_inst table[] = {{.page = 0, .lanes = 1},
                                   {.page = 1, .lanes = 1, .alu = alu},
                                   {.wave = 1, .page = 2, .lanes = 1, .alu = 5}};
        lw_gpu_params params = nha;
        params.simds = 1;
        params.issue_period = PERIOD;
        params.schedule = LW_SCHEDULE_ROUND_ROBIN;
        outcome o = run_one(&params, hand_workload(table, COUNT(table)), FAKE_UNIT);
        assert_int_equal(o.unit->count, COUNT(table));
        assert_int_equal(o.unit->log[1].request.page, alu == 0 ? 1 : 2);
        assert_int_equal(o.unit->log[1].cycle, o.unit->log[0].cycle + PERIOD);
        fake_free(o.unit);
    }
}

/* Four SIMDs issue side by side, one memory instruction a cycle: a wave each, a store, then each
 * again, a load. */
static void test_issue_period(void **state) {
    (void)state;
    enum { WAVES = 4 };
    hand_inst table[2 * WAVES];
    for (uint32_t i = 0; i < 2 * WAVES; i++) {
        table[i] = (hand_inst){
            .wave = i % WAVES, .page = i, .lanes = 1, .access = i < WAVES ? LW_WRITE : LW_READ};
    }
    lw_gpu_params params = nha;
    params.simds = WAVES;
    params.issue_period = 6;
    outcome o = run_one(&params, hand_workload(table, COUNT(table)), FAKE_UNIT);
    for (size_t i = 0; i < COUNT(table); i++) {
        assert_int_equal(o.unit->log[i].request.page, i);
        assert_int_equal(o.unit->log[i].cycle - o.unit->log[0].cycle, i / WAVES * 6 + i % WAVES);
    }
    fake_free(o.unit);
}

/* With `wave_loads` instructions of a wave under way, loads or stores, the next one waits for an
 * answer. */
static void test_wave_loads(void **state) {
    (void)state;
    enum { INSTS = 5 };
    hand_inst table[INSTS];
    for (uint32_t n = 0; n < 2 * (INSTS + 1); n++) {
        const uint32_t loads = n / 2;
        for (uint32_t i = 0; i < INSTS; i++) {
            table[i] =
                (hand_inst){.page = i, .lanes = 1, .access = n % 2 == 0 ? LW_READ : LW_WRITE};
        }
        lw_gpu_params params = nha;
        params.wave_loads = loads;
        outcome o = run_one(&params, hand_workload(table, INSTS), FAKE_UNIT);
        for (size_t i = 0; i < INSTS; i++) {
            const size_t before = loads == 0 || i < loads ? SIZE_MAX : i - loads;
            /* answered; issued in the next cycle; the L2 TLB's ten; the port */
            const uint64_t expected =
                before == SIZE_MAX ? o.unit->log[0].cycle + i : o.unit->log[before].answered + 12;
            assert_int_equal(o.unit->log[i].cycle, expected);
        }
        fake_free(o.unit);
    }
}

static bool same_frame(void *ctx, uint32_t pasid, uint64_t page, uint64_t *frame) {
    (void)ctx;
    (void)pasid;
    *frame = page;
    return true;
}

/* With data a store is under way until the word that the L2 has it is back. */
static void test_stores_under_way(void **state) {
    (void)state;
    static const hand_inst table[] = {{.page = 1, .lanes = 1, .access = LW_WRITE},
                                      {.page = 2, .lanes = 1, .access = LW_WRITE}};
    for (uint32_t loads = 1; loads <= 2; loads++) {
        lw_gpu_params params = nha;
        params.ideal = true;
        params.frames = (lw_gpu_frames){same_frame, NULL};
        params.has_data = true;
        params.data = (lw_data_path_params){PATH};
        params.wave_loads = loads;
        outcome o = run_one(&params, hand_workload(table, COUNT(table)), FAKE_UNIT);
        assert_int_equal(o.unit->end, 1 + (loads == 1 ? L2_HIT + 1 : 1) + L2_HIT + 1);
        fake_free(o.unit);
    }
}

/* Without a bound a wave stops at `dep` alone: a load a cycle, all in memory at once. A GPU of a
 * single wave has places for 256 pages and one in its coalescer, so that the load behind them waits
 * for the first one's answer, and is issued in its cycle. */
static void test_many_loads(void **state) {
    (void)state;
    enum { INSTS = 1500, FAR = 5000, PLACES = 256 + 1, LOAD = MISS - MEMORY + FAR };
    static hand_inst table[INSTS];
    for (uint32_t i = 0; i < INSTS; i++) {
        table[i] = (hand_inst){.page = i, .lanes = 1};
    }
    lw_gpu_params params = nha;
    params.cus = params.simds = 1;
    params.ideal = true;
    params.frames = (lw_gpu_frames){same_frame, NULL};
    params.has_data = true;
    params.data = (lw_data_path_params){PATH};
    params.data.l1.mshrs = params.data.l2.mshrs = 4096;
    params.data.memory_latency = FAR;
    outcome o = run_one(&params, hand_workload(table, INSTS), FAKE_UNIT);
    assert_int_equal(o.statistics.data.memory_reads, INSTS);
    assert_int_equal(o.unit->end, 1 + (INSTS - 1) + LOAD + 1);
    fake_free(o.unit);
    params.waves = 1;
    o = run_one(&params, hand_workload(table, INSTS), FAKE_UNIT);
    assert_int_equal(o.statistics.wave_instructions, INSTS);
    assert_int_equal(o.statistics.data.memory_reads, INSTS);
    assert_int_equal(o.unit->end, 1 + INSTS / PLACES * LOAD + (INSTS % PLACES - 1) + LOAD + 1);
    fake_free(o.unit);
}

/* A wave has as many instructions as it likes, one after the other: more than can be under way. */
static void test_long_wave(void **state) {
    (void)state;
    enum { INSTS = 3000 };
    static hand_inst table[INSTS];
    for (uint32_t i = 0; i < INSTS; i++) {
        table[i] = (hand_inst){.page = i % 4, .lanes = 1, .dep = true};
    }
    lw_gpu_params params = nha;
    params.cus = params.simds = params.waves = 1;
    for (int data = 0; data < 2; data++) {
        params.has_data = data == 1;
        params.data = (lw_data_path_params){PATH};
        outcome o = run_one(&params, hand_workload(table, INSTS), FAKE_UNIT);
        assert_int_equal(o.statistics.wave_instructions, INSTS);
        assert_int_equal(o.statistics.l1_hits, INSTS - 4);
        assert_int_equal(o.statistics.data.lines, data == 1 ? INSTS : 0);
        fake_free(o.unit);
    }
}

/* A CU takes a group that fills it, and the next when that has ended. */
static void test_group_that_fills_a_cu(void **state) {
    (void)state;
    enum { WAVES = 6 };
    hand_inst table[2 * WAVES];
    for (uint32_t i = 0; i < 2 * WAVES; i++) {
        table[i] =
            (hand_inst){.group = i / WAVES, .wave = i % WAVES, .page = i / WAVES, .lanes = 1};
    }
    lw_gpu_params params = nha;
    params.cus = 1;
    params.simds = 2;
    params.waves = WAVES / 2;
    outcome o = run_one(&params, hand_workload(table, COUNT(table)), FAKE_UNIT);
    assert_int_equal(o.statistics.wave_instructions, COUNT(table));
    assert_int_equal(o.unit->count, 2);
    /* The group begins in the cycle of the answer, issues in the next, and asks as ever. */
    assert_int_equal(o.unit->log[1].cycle - o.unit->log[0].answered, o.unit->log[0].cycle);
    fake_free(o.unit);
}

/* A wave that ends leaves its slot at once, but only a group's end lets the next one in: two waves
 * of two groups have ended long before, when the first group does. */
static void test_a_groups_end_lets_in(void **state) {
    (void)state;
    static const hand_inst table[] = {{.group = 0, .wave = 0, .page = 0, .lanes = 1},
                                      {.group = 0, .wave = 1, .page = 1, .lanes = 1, .alu = 500},
                                      {.group = 1, .wave = 0, .page = 0, .lanes = 1},
                                      {.group = 1, .wave = 1, .page = 3, .lanes = 1, .alu = 800},
                                      {.group = 2, .wave = 0, .page = 2, .lanes = 1},
                                      {.group = 2, .wave = 1}};
    lw_gpu_params params = nha;
    params.cus = params.simds = 1;
    params.waves = 4;
    outcome o = run_one(&params, hand_workload(table, COUNT(table)), FAKE_UNIT);
    assert_int_equal(o.unit->count, 4);
    for (size_t i = 0; i < o.unit->count; i++) {
        assert_int_equal(o.unit->log[i].request.page, i);
    }
    assert_int_equal(o.unit->log[2].cycle - o.unit->log[1].answered, o.unit->log[0].cycle);
    fake_free(o.unit);
}

/* Waves are dealt to the SIMDs in turn, in whatever order those before them have ended: the two of
 * the second launch get a SIMD each, and issue in two cycles that follow each other. */
static void test_simds_in_turn(void **state) {
    (void)state;
    enum { PERIOD = 6 };
    static const uint16_t orders[][4] = {
        {0, 100, 200, 300}, {0, 200, 100, 300}, {300, 0, 200, 100}, {100, 300, 0, 200}};
    for (size_t i = 0; i < COUNT(orders); i++) {
        hand_inst table[6];
        for (uint32_t w = 0; w < 4; w++) {
            table[w] = (hand_inst){.wave = w, .page = w, .lanes = 1, .alu = orders[i][w]};
        }
        for (uint32_t w = 0; w < 2; w++) {
            table[4 + w] = (hand_inst){.launch = 1, .wave = w, .page = 4 + w, .lanes = 1};
        }
        lw_gpu_params params = nha;
        params.cus = 1;
        params.simds = 2;
        params.waves = 4;
        params.issue_period = PERIOD;
        outcome o = run_one(&params, hand_workload(table, COUNT(table)), FAKE_UNIT);
        assert_int_equal(o.unit->count, COUNT(table));
        assert_int_equal(o.unit->log[5].cycle - o.unit->log[4].cycle, 1);
        fake_free(o.unit);
    }
}

/* In turn goes on from group to group, and whoever has fewer waves: two groups of one wave issue in
 * two cycles that follow each other. Then three of four groups end together, as they wait for one
 * page, and leave the first SIMD a wave and the second none: the next two get a SIMD each. */
static void test_turn_goes_on(void **state) {
    (void)state;
    enum { PERIOD = 6, P = 1, Q = 2, R = 4 };
    static const hand_inst table[] = {{.group = 0, .page = P, .lanes = 1},
                                      {.group = 1, .page = P, .lanes = 1},
                                      {.group = 2, .page = R, .lanes = 1, .alu = 1000},
                                      {.group = 3, .page = P, .lanes = 1},
                                      {.group = 4, .page = Q, .lanes = 1},
                                      {.group = 5, .page = Q + 1, .lanes = 1}};
    lw_gpu_params params = nha;
    params.cus = 1;
    params.simds = params.waves = 2;
    params.issue_period = PERIOD;
    static const hand_inst two[] = {{.group = 0, .page = P, .lanes = 1},
                                    {.group = 1, .page = Q, .lanes = 1}};
    outcome o = run_one(&params, hand_workload(two, COUNT(two)), FAKE_UNIT);
    assert_int_equal(o.unit->count, COUNT(two));
    assert_int_equal(o.unit->log[1].cycle, o.unit->log[0].cycle + 1);
    fake_free(o.unit);
    o = run_one(&params, hand_workload(table, COUNT(table)), FAKE_UNIT);
    assert_int_equal(o.unit->count, 4);
    assert_int_equal(o.unit->log[1].request.page, Q);
    assert_int_equal(o.unit->log[2].request.page, Q + 1);
    assert_int_equal(o.unit->log[2].cycle, o.unit->log[1].cycle + 1);
    fake_free(o.unit);
}

/* A SIMD that has all its waves is passed over: here by the third group, while the first computes.
 */
static void test_full_simd(void **state) {
    (void)state;
    enum { PERIOD = 64 }; /* longer than the answer takes */
    static const hand_inst table[] = {{.group = 0, .page = 0, .lanes = 1, .alu = 1000},
                                      {.group = 1, .page = 1, .lanes = 1},
                                      {.group = 2, .page = 2, .lanes = 1}};
    lw_gpu_params params = nha;
    params.cus = params.waves = 1;
    params.simds = 2;
    params.issue_period = PERIOD;
    outcome o = run_one(&params, hand_workload(table, COUNT(table)), FAKE_UNIT);
    assert_int_equal(o.unit->count, COUNT(table));
    assert_int_equal(o.unit->log[0].request.page, 1);
    assert_int_equal(o.unit->log[1].request.page, 2);
    assert_true(o.unit->log[0].answered < o.unit->log[0].cycle + PERIOD);
    assert_int_equal(o.unit->log[1].cycle, o.unit->log[0].cycle + PERIOD);
    fake_free(o.unit);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_oldest_first),       cmocka_unit_test(test_simds_in_turn),
        cmocka_unit_test(test_oldest_in_any_slot), cmocka_unit_test(test_able_for_longest),
        cmocka_unit_test(test_turn_goes_on),       cmocka_unit_test(test_a_groups_end_lets_in),
        cmocka_unit_test(test_full_simd),          cmocka_unit_test(test_schedules),
        cmocka_unit_test(test_issue_period),       cmocka_unit_test(test_wave_loads),
        cmocka_unit_test(test_stores_under_way),   cmocka_unit_test(test_many_loads),
        cmocka_unit_test(test_long_wave),          cmocka_unit_test(test_group_that_fills_a_cu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
