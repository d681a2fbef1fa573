/* The GPU in front of the unit: what each instruction asks for, who is merged with whom, who waits
 * for whom, and that idle cycles may be skipped. The unit is a fake one (fake_unit.h). */
#include "tests/unit/sim/gpu/gpu_run.h"

/* ---------------------------------------------------------------- what is asked for */

/* One iteration of a group of 256 items; wave counts per docs/workloads.md section 3. Pages: of the
 * matrix loads alone N rows in their own page, a page for each vector. */
static void test_pages_of_kernels(void **state) {
    (void)state;
    static const struct {
        const char *name;
        uint64_t size;
        uint64_t instructions, translations, requests;
    } rows[] = {
        /* 4 waves: ld x1 (1 page), ld a (64), ld y1 (1), st x1 (1); 256 rows and two vectors */
        {"mvt", 512, UINT64_C(4) * 4, UINT64_C(4) * (1 + 64 + 1 + 1), 256 + 2},
        /* ld tmp, ld A (64), ld x, st tmp */
        {"atax", 1024, UINT64_C(4) * 4, UINT64_C(4) * (1 + 64 + 1 + 1), 256 + 2},
        /* st q, ld A (64), ld p, st q */
        {"bicg", 1024, UINT64_C(4) * 4, UINT64_C(4) * (1 + 64 + 1 + 1), 256 + 2},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        outcome o = run_one(&nha, open_kernel(rows[i].name, rows[i].size, 1, 1, 1), FAKE_UNIT);
        assert_int_equal(o.statistics.wave_instructions, rows[i].instructions);
        assert_int_equal(o.statistics.translations, rows[i].translations);
        assert_int_equal(o.statistics.l1_hits + o.statistics.l1_misses, rows[i].translations);
        assert_int_equal(o.unit->count, rows[i].requests);
        fake_free(o.unit);
    }
}

/* MVT's k1: the 64 pages of a wave's load are asked for in lane order, two L1 probes a cycle. */
static void test_lane_order(void **state) {
    (void)state;
    const hand_inst table[] = {{.page = 0x7f0000000, .lanes = 64, .stride = 8}};
    outcome o = run_one(&nha, hand_workload(table, 1), FAKE_UNIT);
    assert_int_equal(o.unit->count, 64);
    for (size_t i = 0; i < 64; i++) {
        assert_int_equal(o.unit->log[i].request.page, 0x7f0000000 + 8 * i);
        assert_int_equal(o.unit->log[i].cycle, o.unit->log[0].cycle + i);
        assert_int_equal(o.unit->log[i].request.src, 0);
    }
    fake_free(o.unit);
}

/* ---------------------------------------------------------------- hits, misses, merging */

static void test_hits_and_merging(void **state) {
    (void)state;
    enum { P = 0x1000 };
    static const struct rows {
        const char *what;
        hand_inst table[4];
        size_t count;
        uint32_t kind, perm;
        uint64_t l1_hits, l1_misses, l2_hits, l2_misses, requests, l1_fills;
    } rows[] = {
        {"one page, 64 lanes", {{.page = P, .lanes = 64}}, 1, LW_OK, 3, 0, 1, 0, 1, 1, 1},
        {"two waves of a CU miss together",
         {{.page = P, .lanes = 1}, {.wave = 1, .page = P, .lanes = 1}},
         2,
         LW_OK,
         3,
         0,
         2,
         0,
         1,
         1,
         1},
        {"two CUs miss together: merged in the MSHR",
         {{.page = P, .lanes = 1}, {.group = 1, .page = P, .lanes = 1}},
         2,
         LW_OK,
         3,
         0,
         2,
         0,
         2,
         1,
         2},
        {"a dependent load hits the L1",
         {{.page = P, .lanes = 1}, {.dep = true, .page = P, .lanes = 1}},
         2,
         LW_OK,
         3,
         1,
         1,
         0,
         1,
         1,
         1},
        {"the next launch, on another CU, hits the L2",
         {{.page = P, .lanes = 1}, {.launch = 1, .page = P, .lanes = 1}},
         2,
         LW_OK,
         3,
         0,
         2,
         1,
         1,
         1,
         2},
        {"read and write of a page do not merge",
         {{.page = P, .lanes = 1}, {.access = LW_WRITE, .page = P, .lanes = 1}},
         2,
         LW_OK,
         3,
         0,
         2,
         0,
         2,
         2,
         2},
        {"a write after the read's answer hits where the page is writable",
         {{.page = P, .lanes = 1}, {.access = LW_WRITE, .dep = true, .page = P, .lanes = 1}},
         2,
         LW_OK,
         3,
         1,
         1,
         0,
         1,
         1,
         1},
        {"and misses where it is not",
         {{.page = P, .lanes = 1}, {.access = LW_WRITE, .dep = true, .page = P, .lanes = 1}},
         2,
         LW_OK,
         2,
         0,
         2,
         0,
         2,
         2,
         2},
        {"a fault is not kept",
         {{.page = P, .lanes = 1}, {.dep = true, .page = P, .lanes = 1}},
         2,
         LW_NOT_PRESENT,
         0,
         0,
         2,
         0,
         2,
         2,
         0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        fake_config config = FAKE_UNIT;
        config.kind = rows[i].kind;
        config.perm = rows[i].perm;
        outcome o = run_one(&nha, hand_workload(rows[i].table, rows[i].count), config);
        const lw_front_statistics *s = &o.statistics;
        if (s->l1_hits != rows[i].l1_hits || s->l1_misses != rows[i].l1_misses ||
            s->l2_hits != rows[i].l2_hits || s->l2_misses != rows[i].l2_misses ||
            s->l1_fills != rows[i].l1_fills || o.unit->count != rows[i].requests ||
            s->l2_fills != (rows[i].kind == LW_OK ? rows[i].requests : 0)) {
            fail_msg("%s: L1 %llu/%llu, L2 %llu/%llu, %llu and %llu fills, %zu requests",
                     rows[i].what, (unsigned long long)s->l1_hits, (unsigned long long)s->l1_misses,
                     (unsigned long long)s->l2_hits, (unsigned long long)s->l2_misses,
                     (unsigned long long)s->l1_fills, (unsigned long long)s->l2_fills,
                     o.unit->count);
        }
        fake_free(o.unit);
    }
}

/* An L1 TLB of 4 entries, true LRU: pages 0 1 2 3 0 4 1 0, each after the one before. */
static void test_l1_lru(void **state) {
    (void)state;
    static const uint64_t pages[] = {0, 1, 2, 3, 0, 4, 1, 0};
    hand_inst table[COUNT(pages)];
    for (size_t i = 0; i < COUNT(pages); i++) {
        table[i] = (hand_inst){.dep = true, .page = 0x1000 + pages[i], .lanes = 1};
    }
    lw_gpu_params params = nha;
    params.l1_entries = 4;
    outcome o = run_one(&params, hand_workload(table, COUNT(table)), FAKE_UNIT);
    assert_int_equal(o.statistics.l1_hits, 2); /* both later uses of 0; 1 has been driven out */
    assert_int_equal(o.statistics.l2_hits, 1);
    assert_int_equal(o.unit->count, 5);
    fake_free(o.unit);
}

/* ---------------------------------------------------------------- who waits for whom */

/* A wave goes on when the last of its 32 lanes is answered, however scattered the answers. */
static void test_lock_step(void **state) {
    (void)state;
    const hand_inst table[] = {{.page = 0x1000, .lanes = 32, .stride = 1},
                               {.dep = true, .page = 0x2000, .lanes = 1, .alu = 7},
                               {.page = 0x3000, .lanes = 1}};
    fake_config config = FAKE_UNIT;
    config.spread = 200;
    outcome o = run_one(&nha, hand_workload(table, COUNT(table)), config);
    assert_int_equal(o.unit->count, 34);
    uint64_t last = 0;
    for (size_t i = 0; i < 32; i++) {
        last = o.unit->log[i].answered > last ? o.unit->log[i].answered : last;
    }
    /* Answered in `last`; 7 cycles of arithmetic; the instruction issues and probes the L1 in the
     * next; the L2 decides ten cycles later; the cycle after that it is on the port. */
    assert_int_equal(o.unit->log[32].request.page, 0x2000);
    assert_int_equal(o.unit->log[32].cycle, last + 1 + 7 + 10 + 1);
    /* The third depends on nothing: it is out before the second is answered. */
    assert_true(o.unit->log[33].cycle < o.unit->log[32].answered);
    fake_free(o.unit);
}

/* A launch begins when all of the one before is answered, stores too. */
static void test_launch_is_a_barrier(void **state) {
    (void)state;
    enum { GROUPS = 24 };
    hand_inst table[2 * GROUPS];
    for (uint32_t i = 0; i < 2 * GROUPS; i++) {
        table[i] = (hand_inst){.launch = i / GROUPS,
                               .group = i % GROUPS,
                               .access = LW_WRITE,
                               .page = 0x1000 + 16 * i,
                               .lanes = 4,
                               .stride = 1};
    }
    fake_config config = FAKE_UNIT;
    config.spread = 300;
    outcome o = run_one(&nha, hand_workload(table, COUNT(table)), config);
    assert_int_equal(o.unit->count, 2 * GROUPS * 4);
    uint64_t last = 0;
    for (size_t i = 0; i < o.unit->count; i++) {
        const fake_request *r = &o.unit->log[i];
        const bool second = r->request.page >= 0x1000 + UINT64_C(16) * GROUPS;
        assert_true(second == (i >= UINT64_C(4) * GROUPS));
        last = !second && r->answered > last ? r->answered : last;
        assert_true(!second || r->cycle > last);
    }
    fake_free(o.unit);
}

/* What the widths cost: 32 pages that the L1, or else the L2, has already, then a request. */
static void test_widths(void **state) {
    (void)state;
    const hand_inst table[] = {{.page = 0x1000, .lanes = 32, .stride = 1},
                               {.dep = true, .page = 0x1000, .lanes = 32, .stride = 1},
                               {.dep = true, .page = 0x2000, .lanes = 1}};
    static const struct {
        uint32_t l1_entries, l1_probes, l2_lookups;
        uint64_t cycles; /* from the last answer to the last request */
    } rows[] = {
        /* 32 / probes cycles of L1 hits; issue, 10 cycles of L2, the port */
        {32, 1, 2, 32 + 12},
        {32, 2, 2, 16 + 12},
        {32, 64, 2, 1 + 12},
        /* all probed at once: 31 miss and enter the L2 one after the other, 10 to its answer */
        {1, 64, 1, 31 + 10 + 12},
        {1, 64, 4, 8 + 10 + 12},
        {1, 64, 64, 1 + 10 + 12},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_gpu_params params = nha;
        params.l1_entries = rows[i].l1_entries;
        params.l1_probes = rows[i].l1_probes;
        params.l2_lookups = rows[i].l2_lookups;
        outcome o = run_one(&params, hand_workload(table, COUNT(table)), FAKE_UNIT);
        assert_int_equal(o.unit->count, 33);
        assert_int_equal(o.unit->log[32].cycle - o.unit->log[31].answered, rows[i].cycles);
        fake_free(o.unit);
    }
}

/* Groups go round the CUs, one each in a pass, the whole group at once. */
static void test_dispatch(void **state) {
    (void)state;
    enum { GROUPS = 16 };
    hand_inst table[GROUPS];
    for (uint32_t i = 0; i < GROUPS; i++) {
        table[i] = (hand_inst){.group = i, .page = 0x1000 + i, .lanes = 1};
    }
    uint32_t of_cu[8] = {0};
    outcome o = run_one(&nha, hand_workload(table, COUNT(table)), FAKE_UNIT);
    for (size_t i = 0; i < o.unit->count; i++) {
        of_cu[o.unit->log[i].request.src]++;
    }
    for (size_t cu = 0; cu < COUNT(of_cu); cu++) {
        assert_int_equal(of_cu[cu], 2);
    }
    fake_free(o.unit);
}

/* A pass gives a CU one group at most, in linear order, and each that gives any begins a CU further
 * on: the ninth group goes to CU 1, and launches of one group go to one CU after the other. */
static void test_passes(void **state) {
    (void)state;
    enum { CUS = 8, LAUNCHES = 10 };
    hand_inst groups[CUS + 1];
    for (uint32_t i = 0; i < COUNT(groups); i++) {
        groups[i] = (hand_inst){.group = i, .page = 0x1000 + i, .lanes = 1};
    }
    outcome o = run_one(&nha, hand_workload(groups, COUNT(groups)), FAKE_UNIT);
    assert_int_equal(o.unit->count, COUNT(groups));
    for (size_t i = 0; i < o.unit->count; i++) {
        const lw_front_request *r = &o.unit->log[i].request;
        const uint64_t group = r->page - 0x1000;
        assert_int_equal(r->src, group < CUS ? group : 1);
    }
    fake_free(o.unit);
    hand_inst launches[LAUNCHES];
    for (uint32_t i = 0; i < LAUNCHES; i++) {
        launches[i] = (hand_inst){.launch = i, .page = 0x1000 + i, .lanes = 1};
    }
    o = run_one(&nha, hand_workload(launches, LAUNCHES), FAKE_UNIT);
    assert_int_equal(o.unit->count, LAUNCHES);
    for (size_t i = 0; i < LAUNCHES; i++) {
        assert_int_equal(o.unit->log[i].request.src, i % CUS);
    }
    fake_free(o.unit);
}

/* ---------------------------------------------------------------- several address spaces */

static void test_two_processes(void **state) {
    (void)state;
    lw_workload *workloads[] = {open_kernel("mvt", 512, 2, 1, 0),
                                open_kernel("atax", 1024, 2, 1, 0)};
    outcome o = run_all(&nha, workloads, 2, FAKE_UNIT);
    uint64_t of_pasid[2] = {0};
    for (size_t i = 0; i < o.unit->count; i++) {
        const lw_front_request *r = &o.unit->log[i].request;
        assert_true(r->pasid < 2);
        assert_int_equal(r->src % 2, r->pasid);
        of_pasid[r->pasid]++;
    }
    /* Each alone touches at least its rows; the pages of both lie at the same addresses. */
    assert_true(of_pasid[0] >= 512 && of_pasid[1] >= 1024);
    fake_free(o.unit);
}

/* A run ends when each process has had all its launches, whichever of them is the last. */
static void test_all_processes_end(void **state) {
    (void)state;
    static const hand_inst one[] = {{.page = 1, .lanes = 1}};
    static const hand_inst three[] = {{.launch = 0, .page = 2, .lanes = 1},
                                      {.launch = 1, .page = 3, .lanes = 1},
                                      {.launch = 2, .page = 4, .lanes = 1}};
    for (uint32_t last = 0; last < 3; last++) {
        lw_workload *workloads[3];
        for (uint32_t p = 0; p < 3; p++) {
            workloads[p] = p == last ? hand_workload(three, 3) : hand_workload(one, 1);
        }
        outcome o = run_all(&nha, workloads, 3, FAKE_UNIT);
        assert_int_equal(o.unit->count, 5);
        fake_free(o.unit);
    }
}

/* Which TLBs there are: with ideal translation none, and without entries no L2. */
static void test_which_tlbs_there_are(void **state) {
    (void)state;
    static const hand_inst table[] = {{.page = 1, .lanes = 1}};
    for (uint32_t l2_entries = 0; l2_entries <= 512; l2_entries += 512) {
        lw_gpu_params params = nha;
        params.l2_entries = l2_entries;
        outcome o = run_one(&params, hand_workload(table, 1), FAKE_UNIT);
        assert_true(o.statistics.has_waves && o.statistics.has_l1);
        assert_int_equal(o.statistics.has_l2, l2_entries != 0);
        assert_false(o.statistics.has_data);
        fake_free(o.unit);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pages_of_kernels),
        cmocka_unit_test(test_lane_order),
        cmocka_unit_test(test_hits_and_merging),
        cmocka_unit_test(test_l1_lru),
        cmocka_unit_test(test_lock_step),
        cmocka_unit_test(test_launch_is_a_barrier),
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_dispatch),
        cmocka_unit_test(test_two_processes),
        cmocka_unit_test(test_passes),
        cmocka_unit_test(test_all_processes_end),
        cmocka_unit_test(test_which_tlbs_there_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
