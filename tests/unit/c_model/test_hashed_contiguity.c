/* Hashed tables in a unit with SUBREGIONS=1: contiguity bits of the step table (R20.27, R20.28),
 * how they come to a walker and go (R21.4 to R21.14), what a head may be (R20.5), and what fills
 * the TLB (R3.8). */
#include "tests/unit/c_model/hashed_regions.h"

/* ---------------------------------------------------------------- where CONTIG comes from */

/* R20.28, R21.9: the bucket says that one PTE answers the frame, and that of the page, which is not
 * even there, is not read. R21.14, R21.4: then the step cache says it of the other regions of the
 * group, and one access is enough for a page that nobody has read. */
static void test_bucket_and_step_cache(void **state) {
    (void)state;
    hashed h;
    begin(&h, OFF);
    const uint32_t entry = REGION >> 13 & (h.b.hw.pwc_entries - 1);
    map_head(&h, REGION, 2, 0x5000);
    map_head(&h, HEAD_OF(SECOND), 3, 0x6000);
    map_head(&h, HEAD_OF(UPPER), 1, 0x7000);
    put_pte(&h, PAGE_OF(UPPER) + 64, 1, 0x7777, 0);
    hashed_put_contig(&h, PASID, REGION, true, 0);
    hashed_put_contig(&h, PASID, SECOND, false, 1 << 5);
    hashed_put_contig(&h, PASID, UPPER, false, 0x20);
    ask(&h, PAGE_OF(REGION), 0x5000 + 0x14d, 2, REGION, 2);
    assert_read(&h, 0, hashed_bucket(&h, PASID, REGION));
    assert_true(peek(&h, LW_F_STEP_CACHE_VALID, entry) != 0);
    assert_int_equal(peek(&h, LW_F_STEP_CACHE_PASID, entry), PASID);
    assert_true(peek(&h, LW_F_STEP_CACHE_TAG, entry) == (REGION >> 13) / h.b.hw.pwc_entries);
    assert_int_equal(peek(&h, LW_F_STEP_CACHE_AC, entry), 1 << (REGION >> 9 & 15));
    assert_true(peek(&h, LW_F_STEP_CACHE_LOW_C, entry) == UINT64_C(0x20)
                                                              << (8 * (SECOND >> 9 & 7)));
    assert_true(peek(&h, LW_F_STEP_CACHE_HIGH_C, entry) == UINT64_C(0x20)
                                                               << (8 * (UPPER >> 9 & 7)));
    ask(&h, PAGE_OF(SECOND), 0x6000 + 13, 1, HEAD_OF(SECOND), 3);
    assert_int_equal(peek(&h, LW_F_PWC_RESULT_RESULT_CONTIG, 0), 0x20);
    ask(&h, PAGE_OF(UPPER), 0x7000 + 13, 1, HEAD_OF(UPPER), 1);
    assert_int_equal(hashed_count(&h, LW_C_STEP_READS), 1);
    assert_int_equal(hashed_count(&h, LW_C_PWC_HITS), 2);
    ask(&h, PAGE_OF(UPPER) + 64, 0x7777, 1, PAGE_OF(UPPER) + 64, 1); /* its C bit is clear */
    bench_done(&h.b);
}

/* R1.11: AC comes before C; a region without bits has each page's own PTE. */
static void test_which_reach(void **state) {
    (void)state;
    hashed h;
    begin(&h, OFF);
    map_region(&h, REGION, 2, 0x5000);
    put_pte(&h, REGION, 2, 0x9000, 0);
    hashed_put_contig(&h, PASID, REGION, true, 0xff);
    ask(&h, PAGE_OF(REGION), 0x9000 + 0x14d, 2, REGION, 2);
    map_region(&h, SECOND, 3, 0x6000);
    put_pte(&h, PAGE_OF(SECOND), 3, 0x8888, 0);
    hashed_invalidate(&h, PASID);
    ask(&h, PAGE_OF(SECOND), 0x8888, 2, PAGE_OF(SECOND), 3);
    ask(&h, PAGE_OF(SECOND) + 1, 0x6000 + 0x14e, 1, PAGE_OF(SECOND), 3);
    assert_int_equal(hashed_count(&h, LW_C_MSC_LOOKUPS), 0);
    bench_done(&h.b);
}

/* The way of CONTIG through the registers of the lookup (R21.4 to R21.7). */
static void test_contig_travels(void **state) {
    (void)state;
    lw_params hw = contiguous_hw();
    hashed h;
    hw.walkers = 1;
    begin_with(&h, &hw, OFF, false);
    map_region(&h, REGION, 2, 0x5000);
    map_region(&h, SECOND, 3, 0x6000);
    hashed_put_contig(&h, PASID, SECOND, true, 0x41);
    ask(&h, REGION, 0x5000, 2, REGION, 2);
    hashed_offer(&h, PASID, PAGE_OF(SECOND));
    for (uint32_t n = 0; peek(&h, LW_F_HASH_CHOSEN_WHERE, 0) != CACHED; n++) {
        assert_true(n < 50);
        hashed_step(&h);
    }
    static const lw_field way[] = {LW_F_HASH_CHOSEN_CONTIG, LW_F_HASH_PRODUCT_CONTIG,
                                   LW_F_HASH_SUM_CONTIG, LW_F_PWC_RESULT_RESULT_CONTIG,
                                   LW_F_PWST_CONTIG};
    for (uint32_t at = 0; at < sizeof way / sizeof way[0]; at++) {
        assert_int_equal(peek(&h, way[at], 0), AC | 0x41);
        for (uint32_t later = at + 1; later < sizeof way / sizeof way[0]; later++) {
            assert_int_equal(peek(&h, way[later], 0), 0);
        }
        hashed_step(&h);
    }
    hashed_drain(&h);
    assert_true(h.b.last.pfn == 0x6000 + 0x14d);
    bench_done(&h.b);
}

/* The fill register holds what the bucket says of REGION and SECOND. */
static void assert_fill(const hashed *h) {
    const uint32_t region = REGION >> 9 & 15, second = SECOND >> 9 & 15;
    assert_true(peek(h, LW_F_PWC_FILL_PWC_FILL_VPN, 0) >> 13 == REGION >> 13);
    assert_int_equal(peek(h, LW_F_PWC_FILL_PWC_FILL_PASID, 0), PASID);
    assert_true(peek(h, LW_F_PWC_FILL_PWC_FILL_STEPS, 0) ==
                (UINT64_C(10) << 4 * region | UINT64_C(11) << 4 * second));
    assert_int_equal(peek(h, LW_F_PWC_FILL_PWC_FILL_AC, 0), 1 << region);
    assert_true(peek(h, LW_F_PWC_FILL_PWC_FILL_LOW_C, 0) == UINT64_C(0x20) << 8 * (second & 7));
    assert_true(peek(h, LW_F_PWC_FILL_PWC_FILL_HIGH_C, 0) == 0);
}

/* R21.14: a cycle after the scan, as its operation is in search, the group is in the fill register,
 * which keeps it, and a cycle later in the step cache. R21.3: who is compared in the cycle between
 * does not see it, who comes next does. */
static void test_fill_cycles(void **state) {
    (void)state;
    const lw_params hw = contiguous_hw();
    const uint32_t entry = REGION >> 13 & (hw.pwc_entries - 1);
    uint32_t between = 0, hits = 0;
    for (uint32_t at = 0; at < 30; at++) {
        hashed h;
        begin_with(&h, &hw, OFF, false);
        map_head(&h, REGION, 2, 0x5000);
        map_region(&h, SECOND, 3, 0x6000);
        hashed_put_contig(&h, PASID, REGION, true, 0);
        hashed_put_contig(&h, PASID, SECOND, false, 0x20);
        hashed_offer(&h, PASID, PAGE_OF(REGION));
        bool filled = false;
        for (uint32_t n = 0; n < 60; n++) {
            const bool compared = peek(&h, LW_F_PWC_PIPE_PIPE_VALID, 0) != 0 &&
                                  peek(&h, LW_F_PWC_KEY_KEY_WHERE, 0) == LOOKUP;
            const bool cached = peek(&h, LW_F_STEP_CACHE_VALID, entry) != 0;
            const bool fills = peek(&h, LW_F_PWC_FILL_PWC_FILL_VALID, 0) != 0;
            assert_int_equal(fills, peek(&h, LW_F_SEARCH_SEARCH_OP, 0) == SCAN &&
                                        peek(&h, LW_F_SEARCH_SEARCH_LEVEL, 0) == 2);
            filled = filled || fills;
            if (filled) {
                assert_fill(&h);
            }
            if (n == at) {
                bench_offer(&h.b, &(bench_page){PASID, 0, SECOND});
            }
            hashed_step(&h);
            if (compared) {
                assert_int_equal(peek(&h, LW_F_HASH_CHOSEN_WHERE, 0), cached ? CACHED : STEPS);
            }
            assert_int_equal(peek(&h, LW_F_STEP_CACHE_VALID, entry), cached || fills);
            between += compared && fills;
            hits += compared && cached;
        }
        hashed_drain(&h);
        bench_done(&h.b);
    }
    assert_true(between != 0 && hits != 0);
}

/* R20.27, R21.14: with SUBREGION_ENABLE=0 the bits are not read, nor kept. */
static void test_disabled(void **state) {
    (void)state;
    hashed h;
    begin(&h, OFF);
    h.contiguous = false;
    bench_write(&h.b, LW_CTL_FEATURES, PWC_ENABLE);
    map_region(&h, REGION, 2, 0x5000);
    map_region(&h, SECOND, 3, 0x6000);
    put_pte(&h, REGION, 2, 0x9000, 0);
    put_pte(&h, SECOND, 3, 0x9000, 0);
    hashed_put_contig(&h, PASID, REGION, true, 0xff);
    hashed_put_contig(&h, PASID, SECOND, true, 0xff);
    ask(&h, PAGE_OF(REGION), 0x5000 + 0x14d, 2, PAGE_OF(REGION), 2);
    const uint32_t entry = REGION >> 13 & (h.b.hw.pwc_entries - 1);
    assert_int_equal(peek(&h, LW_F_STEP_CACHE_AC, entry), 0);
    assert_true(peek(&h, LW_F_STEP_CACHE_LOW_C, entry) == 0);
    assert_true(peek(&h, LW_F_STEP_CACHE_HIGH_C, entry) == 0);
    bench_write(&h.b, LW_CTL_FEATURES, PWC_ENABLE | SUBREGION_ENABLE); /* and stay so in it */
    ask(&h, PAGE_OF(SECOND), 0x6000 + 0x14d, 1, PAGE_OF(SECOND), 3);
    hashed_invalidate(&h, PASID);
    h.contiguous = true;
    ask(&h, PAGE_OF(SECOND), 0x9000 + 0x14d, 2, SECOND, 3);
    bench_done(&h.b);
}

/* R20.28: a home that is read first is read without bits; those of the bucket come after it. */
static void test_home_first(void **state) {
    (void)state;
    const lw_params hw = contiguous_hw();
    hashed h;
    begin_with(&h, &hw, OFF, true);
    h.judged = false;
    map_region(&h, REGION, 0, 0x5000);
    put_pte(&h, REGION, 0, 0x9000, 0);
    hashed_put_contig(&h, PASID, REGION, true, 0);
    ask(&h, PAGE_OF(REGION), 0x5000 + 0x14d, 1, PAGE_OF(REGION), 0);
    map_head(&h, SECOND, 4, 0x6000);
    hashed_put_contig(&h, PASID, SECOND, true, 0);
    ask(&h, PAGE_OF(SECOND), 0x6000 + 0x14d, 3, SECOND, 4);
    assert_read(&h, 0, hashed_slot_line(&h, PASID, PAGE_OF(SECOND), 0));
    bench_done(&h.b);
}

/* R1.10: PTEs that lead through a victim buffer have no CONTIG, whatever is in their bits. */
static void test_victim_buffer(void **state) {
    (void)state;
    hashed h;
    begin(&h, FULL);
    bench_map(&h.b, TREE, PAGE_OF(REGION), 0x777);
    bench_map(&h.b, TREE, REGION, 0x555);
    *bench_pte(&h.b, TREE, REGION, 2) |= CONTIG_;
    hashed_offer(&h, PASID, PAGE_OF(REGION));
    while (h.b.answered < h.b.sent || h.b.in.req_valid) {
        hashed_step(&h);
        for (uint32_t i = 0; i < 8; i++) {
            assert_int_equal(peek(&h, LW_F_SEARCH_LINE_SEARCH_CONTIG, i), 0);
        }
        for (uint32_t i = 0; i < h.b.hw.walkers; i++) {
            assert_int_equal(peek(&h, LW_F_PWST_CONTIG, i), 0);
        }
    }
    assert_int_equal(h.b.last.kind, LW_OK);
    assert_true(h.b.last.pfn == 0x777);
    bench_done(&h.b);
}

/* ---------------------------------------------------------------- a step that is wrong */

/* R21.9: a line without the tag says that what came with the step is old too. The bucket is read
 * again, and says of the region's new slot that nothing is contiguous. */
static void test_wrong_tag(void **state) {
    (void)state;
    hashed h;
    begin(&h, OFF);
    map_head(&h, SECOND, 3, 0x6000);
    map_head(&h, REGION, 2, 0x5000);
    hashed_put_contig(&h, PASID, REGION, false, 0x70);
    ask(&h, SECOND, 0x6000, 2, SECOND, 3);
    memset(hashed_at(&h, hashed_slot_line(&h, PASID, REGION, 2)), 0, 4096);
    map_region(&h, REGION, 6, 0x8000);
    put_pte(&h, HEAD_OF(REGION), 6, 0x9999, 0);
    hashed_put_contig(&h, PASID, REGION, false, 0);
    h.reads = 0;
    hashed_offer(&h, PASID, PAGE_OF(REGION));
    bool given_up = false;
    while (h.b.answered < h.b.sent || h.b.in.req_valid) {
        hashed_step(&h);
        for (uint32_t i = 0; i < h.b.hw.walkers && peek(&h, LW_F_PWST_WHERE, i) == STEPS; i++) {
            assert_int_equal(peek(&h, LW_F_PWST_CONTIG, i), 0);
            given_up = given_up || peek(&h, LW_F_PWST_RETRIED, i) != 0;
        }
    }
    assert_true(given_up);
    assert_true(h.b.last.pfn == 0x8000 + 0x14d);
    assert_int_equal(h.reads, 3);
    assert_read(&h, 0, hashed_slot_line(&h, PASID, HEAD_OF(REGION), 2));
    assert_read(&h, 1, hashed_bucket(&h, PASID, REGION));
    assert_read(&h, 2, hashed_slot_line(&h, PASID, PAGE_OF(REGION), 6));
    settle(&h);
    assert_int_equal(hashed_count(&h, LW_C_STEP_RETRIES), 1);
    assert_int_equal(hashed_count(&h, LW_C_MSC_LOOKUPS), 0); /* R16.1: it asked for no check */
    bench_done(&h.b);
}

/* R21.10: what is in vain twice goes to the victim buffer without bits, to the page's own PTE. */
static void test_twice_in_vain(void **state) {
    (void)state;
    hashed h;
    begin(&h, OFF);
    bench_map(&h.b, TREE, PAGE_OF(REGION), 0x777);
    hashed_put_step(&h, PASID, REGION, 1, true);
    hashed_put_contig(&h, PASID, REGION, true, 0x70);
    h.reads = 0;
    hashed_offer(&h, PASID, PAGE_OF(REGION));
    while (h.b.answered < h.b.sent || h.b.in.req_valid) {
        hashed_step(&h);
        for (uint32_t i = 0; i < h.b.hw.walkers; i++) {
            if (peek(&h, LW_F_PWST_WHERE, i) == VICTIM) {
                assert_int_equal(peek(&h, LW_F_PWST_CONTIG, i), 0);
            }
        }
    }
    assert_true(h.b.last.pfn == 0x777);
    assert_int_equal(h.reads, 4 + LEVELS);
    assert_read(&h, 1, hashed_slot_line(&h, PASID, REGION, 1));
    assert_read(&h, 3, hashed_slot_line(&h, PASID, REGION, 1));
    settle(&h);
    assert_int_equal(hashed_count(&h, LW_C_MSC_LOOKUPS), 0);
    bench_done(&h.b);
}

/* ---------------------------------------------------------------- heads and sizes */

/* R20.5: a head with a size is RESERVED, whichever; R21.11: so are all PTEs of its line, for those
 * that wait. Without REACH they are what they were. */
static void test_head_with_a_size(void **state) {
    (void)state;
    for (uint64_t hint = 1; hint < 4; hint++) {
        for (uint32_t ac = 0; ac < 2; ac++) {
            hashed h;
            begin(&h, FULL);
            const uint64_t head = ac != 0 ? REGION : HEAD_OF(REGION);
            map_region(&h, REGION, 2, 0x4200000);
            put_pte(&h, head, 2, 0x4200000 | (head & 511), hint);
            put_pte(&h, head + 3, 2, 0x4200000 | ((head + 3) & 511), 1);
            hashed_put_contig(&h, PASID, REGION, ac != 0, 0x20);
            h.reads = 0;
            hashed_offer(&h, PASID, PAGE_OF(REGION));
            while (peek(&h, LW_F_SEARCH_SEARCH_OP, 0) != SCAN ||
                   peek(&h, LW_F_SEARCH_SEARCH_REACH, 0) == 0) {
                hashed_step(&h);
            }
            static const uint8_t sizes[] = {0, 3, 1, 0};
            for (uint32_t i = 0; i < 8; i++) {
                const uint64_t of = i == 0 ? hint : i == 3;
                assert_int_equal(peek(&h, LW_F_SEARCH_LINE_SEARCH_KIND, i),
                                 of != 0 ? LW_RESERVED : LW_OK);
                assert_int_equal(peek(&h, LW_F_SEARCH_LINE_SEARCH_SIZE, i), sizes[of]);
            }
            hashed_drain(&h);
            assert_int_equal(h.b.last.kind, LW_RESERVED);
            assert_int_equal(h.b.last.level, 1);
            assert_int_equal(h.reads, 2);
            put_pte(&h, head, 2, 0x4200000 | (head & 511), 0);
            hashed_ask(&h, PASID, PAGE_OF(REGION), 0);
            assert_int_equal(h.b.last.kind, LW_OK);
            bench_done(&h.b);
        }
    }
}

/* R3.8: a page of 64 KiB is a regular fill, one of 2 MiB a frame of subregions. */
static void test_fills(void **state) {
    (void)state;
    hashed h;
    begin(&h, OFF);
    const uint64_t page = PAGE_OF(REGION), large = PAGE_OF(SECOND);
    hashed_put_region(&h, PASID, REGION, 2);
    hashed_put_region(&h, PASID, SECOND, 3);
    put_pte(&h, page, 2, UINT64_C(0x70000) | (page & 15), 1);
    put_pte(&h, large, 3, UINT64_C(0x80000) | (large & 511), 2);
    hashed_ask(&h, PASID, page, 0);
    assert_int_equal(h.b.last.size, 3);
    const uint32_t sets = h.b.hw.tlb_entries / h.b.hw.tlb_ways, ways = h.b.hw.tlb_ways;
    const uint32_t regular = (uint32_t)(page % sets) * ways;
    assert_int_equal(peek(&h, LW_F_TLB_VALID, regular), 1);
    assert_int_equal(peek(&h, LW_F_TLB_CLASS, regular), 0);
    assert_int_equal(peek(&h, LW_F_TLB_SIZE, regular), 3);
    assert_true(peek(&h, LW_F_TLB_PFN, regular) == (UINT64_C(0x70000) | (page & 15)));
    hashed_ask(&h, PASID, page, 0); /* a hit */
    assert_int_equal(h.reads, 0);
    assert_int_equal(h.b.last.size, 3);
    hashed_ask(&h, PASID, page - 1, 0); /* no hit */
    assert_int_equal(h.reads, 1);
    hashed_ask(&h, PASID, large, 0);
    assert_int_equal(h.b.last.size, 1);
    const uint32_t frame = (uint32_t)(large >> 9) % sets * ways + ways - h.b.hw.tlb_partition;
    assert_int_equal(peek(&h, LW_F_TLB_VALID, frame), 1);
    assert_int_equal(peek(&h, LW_F_TLB_CLASS, frame), 1);
    assert_int_equal(peek(&h, LW_F_TLB_LENGTH, frame), 7);
    assert_int_equal(peek(&h, LW_F_TLB_SIZE, frame), 1);
    assert_true(peek(&h, LW_F_TLB_PFN, frame) == 0x80000);
    bench_done(&h.b);
}

/* R21.12: the claim of the bucket's scan reaches as far as the walker does then, so one head
 * answers those who wait in its frame. */
static void test_neighbours(void **state) {
    (void)state;
    for (uint32_t mode = LEAF; mode <= FULL; mode++) {
        lw_params hw = contiguous_hw();
        hashed h;
        hw.walkers = 1;
        begin_with(&h, &hw, mode, false);
        map_head(&h, REGION, 2, 0x5000);
        hashed_put_contig(&h, PASID, REGION, true, 0);
        for (uint64_t i = 0; i < 4; i++) {
            hashed_offer(&h, PASID, REGION + 130 * i);
        }
        while (peek(&h, LW_F_SEARCH_SEARCH_OP, 0) != SCAN) {
            hashed_step(&h);
        }
        assert_int_equal(peek(&h, LW_F_SEARCH_SEARCH_LEVEL, 0), 2);
        assert_int_equal(peek(&h, LW_F_SEARCH_SEARCH_CLAIM_LEVEL, 0), 1);
        assert_int_equal(peek(&h, LW_F_SEARCH_SEARCH_CLAIM_REACH, 0), REACH_FRAME);
        assert_int_equal(peek(&h, LW_F_SEARCH_SEARCH_CLAIM_PERM, 0), 3);
        hashed_drain(&h);
        assert_int_equal(h.reads, 2);
        assert_int_equal(hashed_count(&h, LW_C_WALKS), 1);
        assert_int_equal(hashed_count(&h, LW_C_COALESCED_ANSWERS), 3);
        bench_done(&h.b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bucket_and_step_cache),
        cmocka_unit_test(test_which_reach),
        cmocka_unit_test(test_contig_travels),
        cmocka_unit_test(test_fill_cycles),
        cmocka_unit_test(test_disabled),
        cmocka_unit_test(test_home_first),
        cmocka_unit_test(test_victim_buffer),
        cmocka_unit_test(test_wrong_tag),
        cmocka_unit_test(test_twice_in_vain),
        cmocka_unit_test(test_head_with_a_size),
        cmocka_unit_test(test_fills),
        cmocka_unit_test(test_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
