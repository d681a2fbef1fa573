/* The twin against the document, rule by rule: timing, TLB, control, parameters. Verdicts are in
 * test_iommu_faults.c, streams of random requests in test_iommu_streams.c. */
#include "tests/unit/c_model/iommu_bench.h"

enum { MODE_OFF = 0, MODE_FULL = 2 };

/* Chapter 0's life of a hit, and a hit in every cycle for as long as one likes. */
static void test_hit_picture(void **state) {
    (void)state;
    bench b;
    bench_init(&b, &bench_nha, 1);
    bench_map(&b, 0, 0x123, 0x456);
    bench_enable(&b, MODE_OFF, false, false);
    bench_ask(&b, 0, 0x123, 0);
    bench_steps(&b, 5);
    for (uint32_t t = 0; t < 200; t++) {
        bench_offer(&b, &(bench_page){0, 0, 0x123});
        lw_iommu_outputs(b.u, &b.out);
        assert_true(b.out.req_ready);
        assert_int_equal(b.out.rsp_valid, t >= 3);
        assert_int_equal(bench_peek(&b, LW_F_TLB_PIPE_PIPE_VALID, 0), t >= 1);
        assert_int_equal(bench_peek(&b, LW_F_TLB_PIPE_PIPE_VALID, 1), t >= 2);
        assert_int_equal(bench_peek(&b, LW_F_TLB_FOUND_FOUND, 0), t >= 2);
        assert_int_equal(bench_peek(&b, LW_F_RESPONSE_HIT_COUNT, 0), 0); /* passed (R10.14) */
        bench_step(&b);
    }
    assert_int_equal(b.answered, 1 + 197);
    assert_int_equal(lw_iommu_counter(b.u, LW_C_TLB_HITS), 198);
    bench_drain(&b);
    bench_done(&b);
}

/* Chapter 0's life of a miss: one access, as the root's PTE is not present. MISS_USED (R2.1), the
 * pick (R5.2), the walker's states (R7.1, R7.2), look and start (R5.20, R5.8), request (R8.2), scan
 * (R9.2), and the answer past the empty queue (R10.13, R10.14). */
static void test_miss_picture(void **state) {
    (void)state;
    enum { READ = 1, REQ = 5, MEM };
    static const uint8_t walker[17] = {[5] = READ, READ, REQ, MEM, MEM, MEM, MEM, MEM, MEM};
    static const uint8_t search[17] = {[7] = 3, [14] = 1}, update[17] = {[8] = 3, [15] = 1};
    bench b;
    bench_init(&b, &bench_nha, 1);
    bench_root(&b, 0);
    bench_enable(&b, MODE_FULL, false, false);
    b.latency = 4;
    bench_offer(&b, &(bench_page){0, 0, 0x123});
    for (uint32_t t = 0; t < 17; t++) {
        lw_iommu_outputs(b.u, &b.out);
        assert_int_equal(bench_peek(&b, LW_F_TLB_PIPE_PIPE_VALID, 0), t == 1);
        assert_int_equal(bench_peek(&b, LW_F_TLB_PIPE_PIPE_VALID, 1), t == 2);
        assert_int_equal(bench_peek(&b, LW_F_ADMISSION_MISS_USED, 0), t == 1 || t == 2);
        assert_int_equal(bench_peek(&b, LW_F_MISS_MISS_VALID, 0), t == 3);
        assert_int_equal(bench_peek(&b, LW_F_MISS_MISS_COUNT, 0), 0);
        assert_int_equal(bench_peek(&b, LW_F_BUFFER_RING_TAIL, 0), t >= 4);
        assert_int_equal(bench_peek(&b, LW_F_BUFFER_VALID, 0), t >= 4 && t <= 6);
        assert_int_equal(bench_peek(&b, LW_F_BUFFER_CL, 0), 0);
        assert_int_equal(bench_peek(&b, LW_F_BUFFER_PICKED, 0), t == 5 || t == 6);
        assert_int_equal(bench_peek(&b, LW_F_ASK_ASK_VALID, 0), t == 5);
        assert_int_equal(bench_peek(&b, LW_F_READ_READ_VALID, 0), t == 6);
        assert_int_equal(bench_peek(&b, LW_F_SEARCH_SEARCH_OP, 0), search[t]);
        assert_int_equal(bench_peek(&b, LW_F_UPDATE_UPDATE_OP, 0), update[t]);
        assert_int_equal(bench_peek(&b, LW_F_PWST_STATE, 0), walker[t]);
        assert_int_equal(b.out.mem_req_valid, t == 8);
        assert_int_equal(bench_peek(&b, LW_F_WALK_MEMORY_LINE_VALID, 0), t == 13);
        assert_int_equal(bench_peek(&b, LW_F_RESPONSE_WALK_USED, 0), t == 14);
        assert_int_equal(bench_peek(&b, LW_F_ANSWER_ANSWER_VALID, 0), t == 14);
        assert_int_equal(bench_peek(&b, LW_F_RESPONSE_WALK_COUNT, 0), 0);
        assert_int_equal(b.out.rsp_valid, t == 15);
        bench_step(&b);
        assert_int_equal(b.in.mem_rsp_valid, t == 12);
    }
    assert_int_equal(b.last.kind, LW_NOT_PRESENT);
    assert_int_equal(b.last.level, 4);
    bench_done(&b);
}

/* How long a miss alone takes, from its transfer to its response, for each number of levels left
 * and memory latency: 11 cycles beside the reads, and 3 between two of them. */
static void test_miss_alone(void **state) {
    (void)state;
    enum { LEVELS = 4, BESIDE = 11, BETWEEN = 3 };
    for (uint32_t levels = 1; levels <= LEVELS; levels++) {
        for (uint32_t latency = 1; latency <= 20; latency += 3) {
            bench b;
            bench_init(&b, &bench_nha, 1);
            bench_map(&b, 0, 0x123, 0x456);
            *bench_pte(&b, 0, 0x123, LEVELS + 1 - levels) = 0;
            bench_enable(&b, MODE_FULL, false, false);
            b.latency = latency;
            const uint64_t begin = b.cycle;
            bench_offer(&b, &(bench_page){0, 0, 0x123});
            while (b.answered == 0) {
                bench_step(&b);
            }
            assert_int_equal(b.cycle - 1 - begin,
                             BESIDE + levels * latency + (levels - 1) * BETWEEN);
            assert_int_equal(b.last.level, LEVELS + 1 - levels);
            bench_done(&b);
        }
    }
}

/* R12.1: what an address names is read a cycle later, as it stands then, and shown in the next. */
static void test_control_read(void **state) {
    (void)state;
    const uint64_t root = UINT64_C(1) << 63 | 5, other = UINT64_C(1) << 63 | 6;
    bench b;
    bench_init(&b, &bench_nha, 1);
    bench_write(&b, LW_CTL_FEATURES, 5);
    bench_write(&b, LW_CTL_ROOT + 3, root);
    bench_steps(&b, 2);
    const uint64_t shown[] = {5, 5, root, other};
    for (uint32_t t = 0; t < 4; t++) {
        lw_iommu_outputs(b.u, &b.out);
        assert_true(b.out.ctl_rdata == shown[t]);
        b.in.ctl_addr = t < 2 ? LW_CTL_ROOT + 3 : 0;
        b.in.ctl_write = t == 1; /* seen from the next cycle on */
        b.in.ctl_wdata = other;
        bench_step(&b);
    }
    bench_done(&b);
}

/* R3.4 to R3.6 in a TLB of one set. */
static void test_tlb_lru(void **state) {
    (void)state;
    lw_params hw = bench_nha;
    hw.tlb_entries = hw.tlb_ways = hw.tlb_partition = 4;
    bench b;
    bench_init(&b, &hw, 1);
    for (uint64_t v = 0; v < 8; v++) {
        bench_map(&b, 0, v << 12, v + 1);
    }
    bench_enable(&b, MODE_OFF, true, false);
    static const uint8_t order[] = {0, 1, 2, 3, 1, 0, 4, 2, 5}; /* 4 replaces 2, 2 3, 5 1 */
    for (size_t i = 0; i < sizeof order; i++) {
        bench_ask(&b, 0, (uint64_t)order[i] << 12, 0);
    }
    bench_steps(&b, 2); /* the last fill is written after its response has left */
    static const uint8_t pfn[4] = {1, 6, 5, 3}, rank[4] = {3, 0, 2, 1};
    for (uint32_t w = 0; w < 4; w++) {
        assert_int_equal(bench_peek(&b, LW_F_TLB_PFN, w), pfn[w]);
        assert_int_equal(bench_peek(&b, LW_F_TLB_RANK_RANK, w), rank[w]);
    }
    assert_int_equal(lw_iommu_counter(b.u, LW_C_TLB_HITS), 2);
    bench_done(&b);
}

/* R3.28: a fill gets its place by the ranks at the beginning of the cycle, so it takes the way that
 * was used longest ago from a page that is hit in that cycle. */
static void test_victim_is_hit(void **state) {
    (void)state;
    enum { NEW = 4 };
    lw_params hw = bench_nha;
    hw.tlb_entries = hw.tlb_ways = hw.tlb_partition = NEW;
    bench b;
    bench_init(&b, &hw, 1);
    for (uint64_t v = 0; v <= NEW; v++) {
        bench_map(&b, 0, v, v + 1);
    }
    bench_enable(&b, MODE_OFF, false, false);
    for (uint64_t v = 0; v < NEW; v++) {
        bench_ask(&b, 0, v, 0);
    }
    bench_steps(&b, 2);
    bench_offer(&b, &(bench_page){0, 0, NEW});
    while (bench_peek(&b, LW_F_WALK_MEMORY_LINE_VALID, 0) == 0 ||
           bench_peek(&b, LW_F_PWST_LEVEL, 0) != 1) {
        bench_step(&b);
    }
    bench_offer(&b, &(bench_page){0, 0, 0});
    bench_steps(&b, 2);
    assert_int_equal(bench_peek(&b, LW_F_FILL_FILL_VALID, 0), 1);
    assert_int_equal(bench_peek(&b, LW_F_TLB_FOUND_FOUND, 0), 1);
    assert_int_equal(bench_peek(&b, LW_F_TLB_FOUND_WAY, 0), 0);
    assert_int_equal(bench_peek(&b, LW_F_TLB_RANK_RANK, 0), NEW - 1);
    bench_step(&b);
    assert_int_equal(bench_peek(&b, LW_F_TLB_RANK_RANK, 0), 0);
    assert_int_equal(bench_peek(&b, LW_F_PLACE_PLACE_WAY, 0), 0);
    bench_step(&b);
    assert_int_equal(bench_peek(&b, LW_F_TLB_PFN, 0), NEW + 1);
    assert_int_equal(bench_peek(&b, LW_F_TLB_RANK_RANK, 0), 0);
    bench_drain(&b);
    bench_done(&b);
}

/* R3.6: several walks of one page leave one TLB entry. */
static void test_duplicates(void **state) {
    (void)state;
    for (uint32_t mode = MODE_OFF; mode <= MODE_FULL; mode++) {
        bench b;
        bench_init(&b, &bench_nha, 1);
        bench_map(&b, 0, 0x123, 9);
        bench_enable(&b, mode, true, false);
        for (uint32_t i = 0; i < 12; i++) {
            bench_offer(&b, &(bench_page){0, 0, 0x123});
            bench_step(&b);
        }
        bench_drain(&b);
        uint32_t held = 0;
        for (uint32_t e = 0; e < 256; e++) {
            held += bench_peek(&b, LW_F_TLB_PFN, e) == 9;
        }
        assert_int_equal(held, 1);
        assert_int_equal(b.answered, 12);
        assert_true(mode != MODE_FULL || b.accesses == 4);
        bench_done(&b);
    }
}

/* R1.7: large pages; bit 12 of their PTEs is no bit of the frame, and no reason to refuse (R1.6).
 */
static void test_large_pages(void **state) {
    (void)state;
    bench b;
    bench_init(&b, &bench_nha, 1);
    *bench_pte(&b, 0, 0x12345, 2) = UINT64_C(0x40201000) | P_ | RW_ | US_ | PS_ | NX_;
    *bench_pte(&b, 0, 0xabcdef1, 3) = UINT64_C(0x80001000) | P_ | RW_ | US_ | PS_;
    bench_enable(&b, MODE_FULL, true, false);
    bench_ask(&b, 0, 0x12345, 0);
    assert_int_equal(b.last.pfn, 0x40200 | 0x145);
    assert_int_equal(b.last.size, 1);
    assert_int_equal(b.last.perm, 1);
    bench_ask(&b, 0, 0xabcdef1, 0);
    assert_int_equal(b.last.pfn, 0x80000 | (0xabcdef1 & 0x3ffff));
    assert_int_equal(b.last.size, 2);
    /* R3.11: an invalidation inside of the mapping finds the part that is held */
    b.in.inv_valid = true;
    b.in.inv_type = 0;
    b.in.inv_first = 0x12399;
    bench_steps(&b, 40);
    bench_ask(&b, 0, 0x12345, 0);
    bench_ask(&b, 0, 0xabcdef1, 0);
    assert_int_equal(lw_iommu_counter(b.u, LW_C_TLB_HITS), 1);
    bench_done(&b);
}

/* R8.4 */
static void test_stray_lines(void **state) {
    (void)state;
    lw_params hw = bench_nha;
    hw.walkers = 5;
    bench b;
    bench_init(&b, &hw, 1);
    for (uint32_t tag = 0; tag < 8; tag++) {
        lw_inputs in = {.mem_rsp_valid = true, .mem_rsp_tag = tag};
        lw_iommu_step(b.u, &in);
    }
    bench_step(&b);
    assert_int_equal(lw_iommu_counter(b.u, LW_C_STRAY_LINES), 8);
    bench_done(&b);
}

/* Chapter 13's refusals name parameter, value and range; legal corners are accepted. */
static void test_parameters(void **state) {
    (void)state;
    static const struct {
        size_t at;
        uint32_t value;
        const char *name;
    } illegal[] = {
        {offsetof(lw_params, levels), 3, "levels is 3"},
        {offsetof(lw_params, pa_width), 53, "pa_width is 53"},
        {offsetof(lw_params, pasids), 12, "pasids is 12"},
        {offsetof(lw_params, id_w), 0, "id_w is 0"},
        {offsetof(lw_params, tlb_ways), 32, "tlb_ways is 32"},
        {offsetof(lw_params, tlb_entries), 8, "tlb_entries is 8"},
        {offsetof(lw_params, tlb_latency), 9, "tlb_latency is 9"},
        {offsetof(lw_params, tlb_partition), 17, "tlb_partition is 17"},
        {offsetof(lw_params, tlb_bimodal), 9, "tlb_bimodal is 9"},
        {offsetof(lw_params, hit_queue), 0, "hit_queue is 0"},
        {offsetof(lw_params, miss_queue), 0, "miss_queue is 0"},
        {offsetof(lw_params, miss_queue), 65, "miss_queue is 65"},
        {offsetof(lw_params, buffer_entries), 2, "buffer_entries is 2"},
        {offsetof(lw_params, walkers), 33, "walkers is 33"},
        {offsetof(lw_params, pwc_org), 3, "pwc_org is 3"},
        {offsetof(lw_params, pwc_entries), 128, "pwc_entries is 128"},
        {offsetof(lw_params, pwc_ways), 3, "pwc_ways is 3"},
        {offsetof(lw_params, pwc_latency), 0, "pwc_latency is 0"},
        {offsetof(lw_params, coalesce), 2, "coalesce is 2"},
        {offsetof(lw_params, slot_pages), 0, "slot_pages is 0, legal is 8 or 512"},
        {offsetof(lw_params, slot_pages), 64, "slot_pages is 64, legal is 8 or 512"},
        {offsetof(lw_params, slot_pages), 8,
         "slot_pages is 8, legal is 512 unless pwc_org is 2 (is 0)"},
        {offsetof(lw_params, pages_64k), 2, "pages_64k is 2"},
        {offsetof(lw_params, second_lookup), 2, "second_lookup is 2, legal is 0 to 1"},
    };
    lw_error err = {0};
    assert_true(lw_params_check(&bench_nha, &err));
    for (size_t i = 0; i < sizeof illegal / sizeof illegal[0]; i++) {
        lw_params p = bench_nha;
        *(uint32_t *)((char *)&p + illegal[i].at) = illegal[i].value;
        assert_false(lw_params_check(&p, &err));
        assert_memory_equal(err.text, illegal[i].name, strlen(illegal[i].name));
        assert_null(lw_iommu_new(&p, &err));
    }
    lw_params p = bench_nha;
    p.tlb_latency = 8; /* more stages than entries and places */
    p.buffer_entries = 4;
    p.miss_queue = 1;
    assert_true(lw_params_check(&p, &err));
    p = bench_nha;
    p.pwc_org = 1;
    p.pwc_entries = 4;
    assert_false(lw_params_check(&p, &err));
    p.pwc_entries = 1024;
    assert_true(lw_params_check(&p, &err));
    p.pages_64k = 1;
    assert_true(lw_params_check(&p, &err));
    p.colt = 1;
    assert_false(lw_params_check(&p, &err));
    assert_string_equal(
        err.text, "pages_64k is 1, legal is 0 unless subregions is 0 (is 0) and colt 0 (is 1)");
    p.colt = 0;
    p.subregions = 1;
    assert_false(lw_params_check(&p, &err));
}

static void test_names(void **state) {
    (void)state;
    assert_string_equal(lw_structure_name(LW_S_TLB_RANK), "TLB_RANK");
    assert_string_equal(lw_field_name(LW_F_BUFFER_CL), "CL");
    assert_int_equal(lw_field_structure(LW_F_RESPONSE_OUT_EPOCH), LW_S_RESPONSE);
    assert_int_equal(lw_structure_entries(&bench_nha, LW_S_PWC), 96);
    assert_int_equal(lw_structure_entries(&bench_nha, LW_S_COUNTER), 42);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hit_picture),   cmocka_unit_test(test_miss_picture),
        cmocka_unit_test(test_miss_alone),    cmocka_unit_test(test_control_read),
        cmocka_unit_test(test_tlb_lru),       cmocka_unit_test(test_duplicates),
        cmocka_unit_test(test_large_pages),   cmocka_unit_test(test_stray_lines),
        cmocka_unit_test(test_parameters),    cmocka_unit_test(test_names),
        cmocka_unit_test(test_victim_is_hit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
