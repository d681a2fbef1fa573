/* What the unit owes beyond the agreement of its two sides: the cases in which it once gave an
 * answer that its document allowed and no page table did, or none at all. All of them are seen at
 * the ports. */
#include "tests/unit/c_model/ports_bench.h"

static const uint64_t FRAME_PAGES = 512;

static void set_root(bench *b, uint32_t pasid, bool valid, uint64_t frame) {
    bench_write(b, LW_CTL_ROOT + pasid, (uint64_t)valid << 63 | frame);
}

/* R9.5: a line that was read before a page became present tells a request that was made after it
 * nothing: the page is there, and its owner owes no invalidation. */
static void test_fault_older_than_its_request(void **state) {
    (void)state;
    bench b;
    bench_init(&b, &bench_nha, 1);
    b.any_kind = true;
    bench_map(&b, PASID, PAGE ^ 1, 7);
    bench_enable(&b, MODE_FULL, false, false);
    for (uint64_t seed = 0; seed < 8;
         seed++) { /* memory gives a line as of either end of its read */
        lw_rng_seed(&b.rng, seed);
        *bench_pte(&b, PASID, PAGE, 1) = 0;
        invalidate(&b, TYPE_PASID, PASID);
        b.latency = 40;
        offer(&b, PASID, PAGE ^ 1);
        for (const uint64_t reads = b.accesses; b.accesses < reads + b.hw.levels;) {
            bench_step(&b); /* the leaf's line is asked for */
        }
        bench_step(&b);
        bench_map(&b, PASID, PAGE, 9);
        offer(&b, PASID, PAGE);
        bench_drain(&b);
        assert_int_equal(b.last.kind, LW_OK);
        assert_int_equal(b.last.pfn, b.last_id == 0 ? 7 : 9);
    }
    bench_done(&b);
}

/* R6.15: two PASIDs share a level-2 table. What a late line of the one says of it must not outlive
 * an invalidation of the other. */
static void test_late_line_of_a_shared_table(void **state) {
    (void)state;
    lw_params hw = bench_nha;
    hw.pwc_org = 1;
    hw.coalesce = 0;
    bench b;
    bench_init(&b, &hw, 1);
    b.any_kind = true;
    bench_map(&b, PASID, PAGE, 0x118);
    bench_map(&b, PASID, PAGE + 1, 0x119);
    *bench_pte(&b, OTHER, PAGE, 3) = *bench_pte(&b, PASID, PAGE, 3);
    bench_enable(&b, 0, true, false);
    for (uint64_t seed = 0; seed < 8; seed++) {
        lw_rng_seed(&b.rng, seed);
        b.latency = 10;
        invalidate(&b, TYPE_ALL, 0);
        offer(&b, OTHER, PAGE);
        for (const uint64_t reads = b.accesses; b.accesses < reads + 3;) {
            b.latency = b.accesses == reads + 2 ? 400 : 10; /* that of level 2 */
            bench_step(&b);
        }
        const uint64_t old = *bench_pte(&b, PASID, PAGE, 2), node = bench_node(&b);
        b.latency = 10;
        bench_steps(&b, 50);
        *bench_pte(&b, PASID, PAGE, 2) = node << 12 | P_ | RW_ | US_;
        bench_map(&b, PASID, PAGE + 1, 0x229);
        invalidate(&b, TYPE_PASID, PASID);
        bench_drain(&b);
        offer(&b, PASID, PAGE + 1);
        bench_drain(&b);
        assert_int_equal(b.last.pfn, 0x229);
        *bench_pte(&b, PASID, PAGE, 2) = old;
    }
    bench_done(&b);
}

/* R5.23: a walk starts at the root of the cycle in which it starts. `at` cycles after the request
 * the root is cleared and the PASID invalidated; a new root then comes after `gap` cycles. */
static void root_changes(uint32_t at, uint32_t gap, uint32_t coalesce) {
    lw_params hw = bench_nha;
    hw.coalesce = coalesce;
    hw.tlb_entries = hw.tlb_ways;
    bench b;
    bench_init(&b, &hw, 1);
    b.any_kind = true;
    b.latency = 3;
    bench_map(&b, PASID, PAGE, 0x111);
    bench_map(&b, OTHER, PAGE, 0x222); /* the new owner's tables */
    bench_enable(&b, coalesce != 0 ? MODE_FULL : 0, false, false);
    offer(&b, PASID, PAGE);
    bench_steps(&b, at);
    set_root(&b, PASID, false, 0x999);
    const uint64_t before = b.answered;
    invalidate(&b, TYPE_PASID, PASID);
    /* R11.13: the old owner has its answer, of its own tables or that it has none */
    assert_int_equal(b.answered, 1);
    assert_true(before == 1 || b.last.kind == LW_UNKNOWN_PASID || b.last.pfn == 0x111);
    offer(&b, PASID, PAGE);
    bench_steps(&b, gap);
    set_root(&b, PASID, true, b.root[OTHER]);
    offer(&b, PASID, PAGE ^ 1);
    bench_drain(&b);
    offer(&b, PASID, PAGE);
    bench_drain(&b);
    assert_int_equal(b.last.kind, LW_OK);
    assert_int_equal(b.last.pfn, 0x222);
    bench_done(&b);
}

static void test_root_changes(void **state) {
    (void)state;
    for (uint32_t at = 0; at < 40; at++) {
        root_changes(at, at % 20, at & 1);
    }
}

/* R11.12: invalidations that follow each other at once hold up neither their own PASID nor others,
 * though the sweep of a small TLB is over in no time. */
static void test_back_to_back_invalidations(void **state) {
    (void)state;
    for (uint32_t type = TYPE_PASID; type <= TYPE_ALL; type++) {
        lw_params hw = bench_nha;
        hw.tlb_entries = hw.tlb_ways;
        bench b;
        bench_init(&b, &hw, 1);
        b.latency = 20;
        for (uint64_t page = 0; page < 200; page++) {
            bench_map(&b, page % 2 == 0 ? PASID : OTHER, PAGE + page * 64, page + 1);
        }
        bench_enable(&b, MODE_FULL, true, false);
        for (uint64_t n = 0, page = 0; b.answered < 200; n++) {
            assert_true(n < 20000);
            if (page < 200 && !b.in.req_valid) {
                bench_offer(&b, &(bench_page){page % 2 == 0 ? PASID : OTHER, 0, PAGE + page * 64});
                page++;
            }
            b.in.inv_valid = true;
            b.in.inv_type = type;
            b.in.inv_pasid = PASID;
            bench_step(&b);
        }
        bench_done(&b);
    }
}

/* R16.4: a level-2 PTE with contiguity bits is replaced. Until the invalidation a page may be
 * answered from the old table or the new, but the MAP of the old does not join the heads of the
 * new. */
static void test_replaced_node(void **state) {
    (void)state;
    lw_params hw = bench_nha;
    hw.subregions = 1;
    hw.tlb_entries = hw.tlb_ways = hw.tlb_partition = 2;
    bench b;
    bench_init(&b, &hw, 1);
    b.any_kind = true;
    const uint64_t frame = PAGE & ~UINT64_C(511);
    for (uint64_t page = 0; page < 128; page++) {
        bench_map(&b, PASID, frame + page, 0x1000 + page); /* two subregions that join */
        bench_map(&b, OTHER, frame + page, (page < 64 ? 0x5000 : 0x9000) + page); /* that do not */
    }
    *bench_pte(&b, PASID, frame, 2) |= C_(0) | C_(1);
    *bench_pte(&b, OTHER, frame, 2) |= C_(0) | C_(1);
    for (uint64_t i = 1; i <= 2; i++) {
        bench_map(&b, OTHER, frame + i * FRAME_PAGES, i);
    }
    bench_enable(&b, MODE_FULL, false, false);
    offer(&b, PASID, frame);
    bench_drain(&b);
    bench_steps(&b, 200); /* MAP is known by now */
    assert_int_equal(lw_iommu_counter(b.u, LW_C_JOINED), 1);
    for (uint64_t i = 1; i <= 2; i++) { /* the TLB forgets the frame */
        offer(&b, OTHER, frame + i * FRAME_PAGES);
        bench_drain(&b);
        bench_steps(&b, 10);
    }
    *bench_pte(&b, PASID, frame, 2) = *bench_pte(&b, OTHER, frame, 2);
    offer(&b, PASID, frame);
    bench_drain(&b);
    assert_int_equal(b.last.pfn, 0x5000);
    bench_steps(&b, 200);
    offer(&b, PASID, frame + 65);
    bench_drain(&b);
    assert_int_equal(b.last.pfn, 0x9041);
    bench_done(&b);
}

/* R4.10, R11.13: misses wait in the insertion register and in the miss queue when their PASID loses
 * its root and is invalidated: they have left, UNKNOWN_PASID, before the completion, whatever root
 * there is by then; one of another PASID that waits among them keeps its page. */
static void test_rootless_misses(void **state) {
    (void)state;
    enum { ENTRIES = 4, MISSES = 4, FAR_SHIFT = 18, SENT = 1 + ENTRIES + 1 + MISSES };
    lw_params hw = bench_nha;
    hw.buffer_entries = ENTRIES;
    hw.miss_queue = MISSES;
    hw.walkers = 1;
    bench b;
    bench_init(&b, &hw, 1);
    b.any_kind = true;
    for (uint64_t i = 0; i < SENT; i++) {
        bench_map(&b, i == SENT - 2 ? OTHER : PASID, i << FAR_SHIFT, 0x100 + i);
    }
    bench_enable(&b, MODE_FULL, false, false);
    b.latency = 100;
    for (uint64_t i = 0; i < SENT; i++) {
        offer(&b, i == SENT - 2 ? OTHER : PASID, i << FAR_SHIFT);
    }
    bench_steps(&b, 10);
    assert_int_equal(bench_peek(&b, LW_F_MISS_MISS_VALID, 0), 1);
    assert_int_equal(bench_peek(&b, LW_F_MISS_MISS_COUNT, 0), MISSES);
    assert_int_equal(b.answered, 0);
    set_root(&b, PASID, false, 0);
    begin_invalidation(&b, TYPE_PASID, PASID);
    bench_step(&b); /* the mark */
    assert_int_equal(bench_peek(&b, LW_F_MISS_MISS_STALE, 0), 1);
    for (uint32_t i = 0; i < MISSES; i++) {
        const uint64_t pasid = bench_peek(&b, LW_F_MISS_QUEUE_QUEUED_PASID, i);
        assert_int_equal(bench_peek(&b, LW_F_MISS_QUEUE_QUEUED_STALE, i), pasid == PASID);
    }
    set_root(&b, PASID, true, b.root[OTHER]);
    uint32_t unknown = 0;
    for (int n = 0; !b.out.inv_done; n++) {
        assert_true(n < 10000);
        const uint64_t answered = b.answered;
        bench_step(&b);
        unknown += b.answered != answered && b.last.kind == LW_UNKNOWN_PASID;
    }
    /* all but the first, whose walk had started, and the other PASID's, which nobody waits for */
    assert_int_equal(unknown, SENT - 2);
    bench_drain(&b);
    bench_done(&b);
}

/* R11.13: a PASID goes to another owner after an invalidation of all of it, while it has no root:
 * nothing is left of the old tables. After one of another page, or of another PASID, there is. */
static void test_another_owner(void **state) {
    static const struct {
        uint32_t type, pasid;
        bool is_left;
    } rows[] = {{TYPE_PASID, PASID, false},
                {TYPE_ALL, OTHER, false},
                {TYPE_PAGE, PASID, true},
                {TYPE_PASID, OTHER, true}};
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        bench b;
        bench_init(&b, &bench_nha, 1);
        b.any_kind = true;
        bench_map(&b, PASID, PAGE, 7);
        bench_map(&b, OTHER, PAGE, 9);
        bench_enable(&b, MODE_FULL, true, false);
        bench_ask(&b, PASID, PAGE, 0);
        assert_int_equal(b.last.pfn, 7);
        set_root(&b, PASID, false, 0);
        bench_ask(&b, PASID, PAGE, 0);
        assert_int_equal(b.last.kind, LW_UNKNOWN_PASID);
        invalidate(&b, rows[r].type, rows[r].pasid);
        set_root(&b, PASID, true, b.root[OTHER]);
        bench_ask(&b, PASID, PAGE, 0);
        assert_int_equal(b.last.kind, LW_OK);
        assert_int_equal(b.last.pfn, rows[r].is_left ? 7 : 9);
        bench_done(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fault_older_than_its_request),
        cmocka_unit_test(test_late_line_of_a_shared_table),
        cmocka_unit_test(test_root_changes),
        cmocka_unit_test(test_rootless_misses),
        cmocka_unit_test(test_another_owner),
        cmocka_unit_test(test_back_to_back_invalidations),
        cmocka_unit_test(test_replaced_node),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
