/* The contiguity check of a region in a hashed table (R16.1, R16.15): which heads in its slot join.
 */
#include "tests/unit/c_model/hashed_regions.h"

/* The joined entry, or the page's own, in the partition's first way. */
static void assert_joined(const hashed *h, uint32_t pasid, uint64_t vsn, uint32_t length,
                          uint64_t pfn) {
    const uint32_t sets = h->b.hw.tlb_entries / h->b.hw.tlb_ways, ways = h->b.hw.tlb_ways;
    uint32_t found = 0;
    for (uint32_t way = ways - h->b.hw.tlb_partition; way < ways; way++) {
        const uint32_t e = (uint32_t)(vsn >> 3) % sets * ways + way;
        if (peek(h, LW_F_TLB_VALID, e) != 0 && peek(h, LW_F_TLB_TAG, e) == vsn &&
            peek(h, LW_F_TLB_PASID, e) == pasid) {
            assert_int_equal(peek(h, LW_F_TLB_LENGTH, e), length);
            assert_true(peek(h, LW_F_TLB_PFN, e) == pfn);
            found++;
        }
    }
    assert_int_equal(found, 1);
}

/* Asks for a page of a region whose subregions join, and watches what the check is told. */
static void ask_for_check(hashed *h, uint32_t pasid, uint64_t vpn, bool tagged) {
    bool seen = false;
    hashed_offer(h, pasid, vpn);
    for (uint32_t n = 0; !seen || peek(h, LW_F_CHECK_STATE, 0) != CHECK_READ; n++) {
        assert_true(n < 500);
        if (peek(h, LW_F_CHECK_RING_QUEUE_COUNT, 0) != 0) {
            seen = true;
            assert_int_equal(peek(h, LW_F_CHECK_QUEUE_JOB_TAGGED,
                                  (uint32_t)peek(h, LW_F_CHECK_RING_QUEUE_HEAD, 0)),
                             tagged);
        }
        hashed_step(h);
    }
    assert_int_equal(peek(h, LW_F_CHECK_TAGGED, 0), tagged);
    hashed_drain(h);
    settle(h);
}

/* R16.1, R16.15: heads in the slot whose lines carry the region's tag join, all eight of them. */
static void test_check_joins(void **state) {
    (void)state;
    hashed h;
    begin(&h, OFF);
    map_region(&h, REGION, 2, 0x5000);
    hashed_put_contig(&h, PASID, REGION, false, 0xff);
    ask_for_check(&h, PASID, PAGE_OF(REGION), true);
    assert_int_equal(h.b.heads, 7);
    assert_joined(&h, PASID, REGION >> 6, 7, 0x5000);
    hashed_ask(&h, PASID, REGION + 511, 0);
    assert_int_equal(h.reads, 0);
    assert_true(h.b.last.pfn == 0x5000 + 511);
    bench_done(&h.b);
}

/* R16.15: not a head whose line has another tag, in whichever bit, and not one with a size. */
static void test_check_of_a_foreign_head(void **state) {
    (void)state;
    for (uint32_t bit = 0; bit < 49; bit++) {
        hashed h;
        begin(&h, OFF);
        map_region(&h, REGION, 2, 0x5000);
        hashed_put_contig(&h, PASID, REGION, false, 0xff);
        uint64_t *line = hashed_at(&h, hashed_slot_line(&h, PASID, REGION + 0xc0, 2));
        if (bit < 48) {
            line[bit / 6] ^= UINT64_C(1) << (57 + bit % 6);
        } else {
            line[0] |= UINT64_C(1) << 9;
        }
        ask_for_check(&h, PASID, REGION + 5, true);
        assert_int_equal(h.b.heads, 7);
        assert_joined(&h, PASID, REGION >> 6, 2, 0x5000);
        hashed_ask(&h, PASID, PAGE_OF(REGION), 0);
        settle(&h); /* by MAP in the MSC */
        assert_joined(&h, PASID, (REGION >> 6) + 4, 3, 0x5000 + 4 * 64);
        assert_int_equal(hashed_count(&h, LW_C_MSC_HITS), 1);
        bench_done(&h.b);
    }
}

/* The same unit's radix tables have neither tags nor sizes: TAGGED=0, and bits 10:9 say nothing. */
static void test_check_of_a_radix_table(void **state) {
    (void)state;
    hashed h;
    begin(&h, OFF);
    h.judged = false;
    for (uint64_t i = 0; i < 512; i++) {
        bench_map(&h.b, RADIX_PASID, REGION + i, 0x5000 + i);
        *bench_pte(&h.b, RADIX_PASID, REGION + i, 1) |= UINT64_C(1) << 9;
    }
    *bench_pte(&h.b, RADIX_PASID, REGION, 2) |= CONTIG_ & ~AC_;
    bench_write(&h.b, LW_CTL_ROOT + RADIX_PASID, UINT64_C(1) << 63 | bench_root(&h.b, RADIX_PASID));
    ask_for_check(&h, RADIX_PASID, PAGE_OF(REGION), false);
    assert_true(h.b.last.pfn == 0x5000 + 0x14d);
    assert_joined(&h, RADIX_PASID, REGION >> 6, 7, 0x5000);
    bench_done(&h.b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check_joins),
        cmocka_unit_test(test_check_of_a_foreign_head),
        cmocka_unit_test(test_check_of_a_radix_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
