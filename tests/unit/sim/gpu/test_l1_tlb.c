/* The L1 TLBs' time and MSHRs (sim/gpu/l1_tlb.h), seen from the port of a fake unit: when a hit and
 * a miss are known, who joins whom, and who waits for an MSHR. */
#include "tests/unit/sim/gpu/data_path_costs.h"
#include "tests/unit/sim/gpu/gpu_run.h"

enum { P = 0x1000, Q = 0x2000, L2_LATENCY = 10 };

static lw_gpu_params gpu_with(uint32_t latency, uint32_t mshrs) {
    lw_gpu_params params = nha;
    params.l1_latency = latency;
    params.l1_mshrs = mshrs;
    return params;
}

/* 32 pages that miss, again as hits, then one that misses. The first miss is on the port after the
 * issue in cycle 1, both lookups and a cycle; the last after the hits, which take 16 cycles of
 * probes and a latency, however long that is, and its own lookups. */
static void test_latency(void **state) {
    (void)state;
    const hand_inst table[] = {{.page = P, .lanes = 32, .stride = 1},
                               {.dep = true, .page = P, .lanes = 32, .stride = 1},
                               {.dep = true, .page = Q, .lanes = 1}};
    static const uint32_t latencies[] = {0, 1, 2, 20, 300};
    for (size_t i = 0; i < 2 * COUNT(latencies); i++) {
        const uint32_t latency = latencies[i / 2];
        const lw_gpu_params params = gpu_with(latency, 0);
        fake_config config = FAKE_UNIT;
        config.skip = i % 2 != 0;
        outcome o = run_one(&params, hand_workload(table, COUNT(table)), config);
        assert_int_equal(o.unit->count, 33);
        assert_int_equal(o.statistics.l1_hits, 32);
        assert_int_equal(o.unit->log[0].cycle, 1 + latency + L2_LATENCY + 1);
        assert_int_equal(o.unit->log[32].cycle - o.unit->log[31].answered,
                         16 + latency + 1 + latency + L2_LATENCY + 1);
        fake_free(o.unit);
    }
}

/* Three waves, in their order: P, P again, Q. With one MSHR both of P have it, and Q's is there in
 * the cycle of P's answer; with two Q is on the port in the cycle after P, or as soon as it has
 * been probed, two a cycle. */
static void test_mshrs(void **state) {
    (void)state;
    const hand_inst table[] = {{.page = P, .lanes = 1},
                               {.wave = 1, .page = P, .lanes = 1},
                               {.wave = 2, .page = Q, .lanes = 1}};
    static const uint32_t latencies[] = {0, 3};
    for (size_t i = 0; i < 8; i++) {
        const uint32_t mshrs = (uint32_t)(i / 2 % 3); /* 0: no bound */
        const lw_gpu_params params = gpu_with(latencies[i % 2], mshrs);
        outcome o = run_one(&params, hand_workload(table, COUNT(table)), FAKE_UNIT);
        const fake_request *p = &o.unit->log[0];
        const fake_request *q = &o.unit->log[1];
        assert_int_equal(o.unit->count, 2);
        assert_int_equal(o.statistics.l1_misses, 3);
        assert_int_equal(p->request.page, P);
        assert_int_equal(q->request.page, Q);
        assert_int_equal(q->cycle, mshrs == 1 ? p->answered + L2_LATENCY + 1 : p->cycle + 2);
        fake_free(o.unit);
    }
}

/* What waits holds up a page that would join or hit; it hits once its turn has come. Reads and
 * writes of a page are two misses, and each CU has MSHRs of its own. */
static void test_who_waits(void **state) {
    (void)state;
    static const struct {
        hand_inst table[3];
        size_t count;
        uint32_t mshrs;
        uint64_t l1_hits, l1_misses;
        bool second_waits;
    } rows[] = {
        {{{.page = P, .lanes = 1}, {.page = Q, .lanes = 1}, {.page = P, .lanes = 1}},
         3,
         2,
         0,
         3,
         false},
        {{{.page = P, .lanes = 1}, {.page = Q, .lanes = 1}, {.page = P, .lanes = 1}},
         3,
         1,
         1,
         2,
         true},
        {{{.page = P, .lanes = 1}, {.access = LW_WRITE, .page = P, .lanes = 1}}, 2, 2, 0, 2, false},
        {{{.page = P, .lanes = 1}, {.access = LW_WRITE, .page = P, .lanes = 1}}, 2, 1, 1, 1, true},
        {{{.page = P, .lanes = 1}, {.group = 1, .page = Q, .lanes = 1}}, 2, 1, 0, 2, false},
    };
    for (size_t i = 0; i < 2 * COUNT(rows); i++) {
        const lw_gpu_params params = gpu_with(i % 2 == 0 ? 0 : 4, rows[i / 2].mshrs);
        outcome o =
            run_one(&params, hand_workload(rows[i / 2].table, rows[i / 2].count), FAKE_UNIT);
        const uint64_t first = o.unit->log[0].answered;
        assert_int_equal(o.statistics.l1_hits, rows[i / 2].l1_hits);
        assert_int_equal(o.statistics.l1_misses, rows[i / 2].l1_misses);
        assert_int_equal(o.unit->count > 1 && o.unit->log[1].cycle < first,
                         !rows[i / 2].second_waits);
        fake_free(o.unit);
    }
}

/* While Q waits nothing is probed: the third wave, which issues then, is probed in the cycle of the
 * answer to P, and its hit is known a latency later, when Q has long been answered. */
static void test_nothing_is_probed(void **state) {
    (void)state;
    enum { LATENCY = 100 };
    const hand_inst table[] = {{.page = P, .lanes = 1},
                               {.wave = 1, .page = Q, .lanes = 1},
                               {.wave = 2, .page = P, .lanes = 1, .alu = LATENCY + 20}};
    const lw_gpu_params params = gpu_with(LATENCY, 1);
    outcome o = run_one(&params, hand_workload(table, COUNT(table)), FAKE_UNIT);
    assert_int_equal(o.unit->end, o.unit->log[0].answered + LATENCY + 1);
    fake_free(o.unit);
}

/* What was held up is decided one after the other: behind Q are hits of so many waves, and the last
 * of these then asks for a page that finds an MSHR. */
static void test_one_after_the_other(void **state) {
    (void)state;
    enum { WAVES = 20, LATENCY = 30 };
    hand_inst table[WAVES + 3] = {{.page = P, .lanes = 2, .stride = 1},
                                  {.wave = 1, .page = Q, .lanes = 1}};
    for (uint32_t i = 0; i < WAVES; i++) {
        table[2 + i] = (hand_inst){.wave = 2 + i, .page = P, .lanes = 1};
    }
    table[WAVES + 2] = (hand_inst){.wave = WAVES + 1, .page = Q + 1, .lanes = 1, .dep = true};
    for (uint32_t i = 0; i < 2; i++) {
        lw_gpu_params params = gpu_with(LATENCY, 2);
        fake_config config = FAKE_UNIT;
        params.l1_probes = 1;
        config.skip = i == 1;
        outcome o = run_one(&params, hand_workload(table, COUNT(table)), config);
        assert_int_equal(o.unit->count, 4);
        assert_int_equal(o.unit->log[3].cycle,
                         o.unit->log[0].answered + WAVES + 1 + LATENCY + L2_LATENCY + 1);
        fake_free(o.unit);
    }
}

/* The same where what was held up takes the only MSHR again: the hits behind it go on one a cycle,
 * and the wave of the last of them then computes until after the answer to Q. */
static void test_hits_behind_the_last_mshr(void **state) {
    (void)state;
    enum { WAVES = 20, LATENCY = 30, ALU = 300 };
    hand_inst table[WAVES + 3] = {{.page = P, .lanes = 1}, {.wave = 1, .page = Q, .lanes = 1}};
    for (uint32_t i = 0; i < WAVES; i++) {
        table[2 + i] = (hand_inst){.wave = 2 + i, .page = P, .lanes = 1};
    }
    table[WAVES + 2] =
        (hand_inst){.wave = WAVES + 1, .page = Q + 1, .lanes = 1, .dep = true, .alu = ALU};
    for (uint32_t i = 0; i < 2; i++) {
        lw_gpu_params params = gpu_with(LATENCY, 1);
        fake_config config = FAKE_UNIT;
        params.l1_probes = 1;
        config.skip = i == 1;
        outcome o = run_one(&params, hand_workload(table, COUNT(table)), config);
        assert_int_equal(o.unit->count, 3);
        assert_int_equal(o.unit->log[2].cycle,
                         o.unit->log[0].answered + WAVES + 1 + ALU + LATENCY + L2_LATENCY + 1);
        fake_free(o.unit);
    }
}

/* Of a kernel whose waves miss everywhere a CU never has more requests under way than MSHRs, and
 * as many at some time. */
static void test_bound(void **state) {
    (void)state;
    static const uint32_t bounds[] = {1, 3, 32};
    for (size_t i = 0; i < COUNT(bounds); i++) {
        const lw_gpu_params params = gpu_with(5, bounds[i]);
        outcome o = run_one(&params, open_kernel("gesummv", 1024, 2, 0, 2), FAKE_UNIT);
        size_t most = 0;
        for (size_t r = 0; r < o.unit->count; r++) {
            const fake_request *x = &o.unit->log[r];
            size_t under_way = 1;
            for (size_t e = 0; e < r; e++) {
                const fake_request *y = &o.unit->log[e];
                under_way += y->request.src == x->request.src && y->answered > x->cycle ? 1 : 0;
            }
            most = under_way > most ? under_way : most;
        }
        assert_int_equal(most, bounds[i]);
        fake_free(o.unit);
    }
}

/* The time of both lookups is the TLBs', that of a wait for an MSHR too. */
static void test_cause(void **state) {
    (void)state;
    const hand_inst table[] = {{.page = P, .lanes = 2, .stride = Q - P}};
    for (uint32_t mshrs = 0; mshrs < 2; mshrs++) {
        lw_gpu_params params = gpu_with(7, mshrs);
        params.has_data = true;
        params.data = (lw_data_path_params){PATH};
        outcome o = run_one(&params, hand_workload(table, 1), FAKE_UNIT);
        /* When the unit is asked for the second page: until then a part is in the TLBs. */
        const uint64_t asked = mshrs == 0 ? 1 + 7 + L2_LATENCY : o.unit->log[1].cycle - 1;
        assert_int_equal(o.statistics.cycles.of[LW_CAUSE_TLB], asked - 1);
        assert_int_equal(o.statistics.cycles.of[LW_CAUSE_UNIT], o.unit->log[1].answered - asked);
        fake_free(o.unit);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_latency),
        cmocka_unit_test(test_mshrs),
        cmocka_unit_test(test_who_waits),
        cmocka_unit_test(test_nothing_is_probed),
        cmocka_unit_test(test_one_after_the_other),
        cmocka_unit_test(test_hits_behind_the_last_mshr),
        cmocka_unit_test(test_bound),
        cmocka_unit_test(test_cause),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
