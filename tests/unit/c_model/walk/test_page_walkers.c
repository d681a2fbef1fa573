/* A walker's row of the PWST where a walk begins: what is zero as it leaves IDLE (R14.2), when its
 * lookup of the page walk cache is due (R5.5), what it takes of an entry (R5.4), and the start of
 * a walk that has no root (R5.9). */
#include "tests/unit/c_model/iommu_pair.h"

enum { PASID = 3, OTHER = 5, MODE_OFF = 0, MODE_FULL = 2, TYPE_PASID = 2, COMMIT = 3 };
enum { IDLE, READ, PWC_REQ, PWC_WAIT, CAM, REQ, MEM, RESP };
enum { INV_WALKS = 4, LEVELS = 4, PAGE = 0x12345 };

static lw_params one_walker(uint32_t pwc_org) {
    lw_params hw = bench_nha;
    hw.walkers = 1;
    hw.pwc_org = pwc_org;
    return hw;
}

static void step_until(bench *b, lw_field f, uint64_t value) {
    for (int n = 0; bench_peek(b, f, 0) != value; n++) {
        assert_true(n < 1000);
        bench_step(b);
    }
}

static void invalidate(bench *b, uint32_t pasid) {
    b->in.inv_valid = true;
    b->in.inv_type = TYPE_PASID;
    b->in.inv_pasid = pasid;
    bench_step(b);
}

/* R14.2: whatever the walk before has left, a walker leaves IDLE without it. */
static void test_leaves_idle(void **state) {
    (void)state;
    enum { BY_ADDRESS = 1, FAULT, LARGE, MARKED, MARKED_AT_ITS_END, WALKS };
    static const lw_field zero[] = {LW_F_PWST_STALE,   LW_F_PWST_STARTED, LW_F_PWST_TRIED,
                                    LW_F_PWST_NO_FILL, LW_F_PWST_KIND,    LW_F_PWST_FLEVEL,
                                    LW_F_PWST_SIZE};
    for (uint32_t walk = FAULT; walk < WALKS; walk++) {
        const lw_params hw = one_walker(BY_ADDRESS);
        pair both;
        pair_init(&both, &hw, false);
        bench *b = &both.b;
        bench_map(b, PASID, PAGE, 7);
        bench_map(b, OTHER, PAGE, 8);
        if (walk == FAULT) {
            *bench_pte(b, PASID, PAGE, 3) = 0;
        } else if (walk == LARGE) {
            *bench_pte(b, PASID, PAGE, 2) = UINT64_C(0x40200000) | P_ | RW_ | US_ | PS_;
        } else if (walk == MARKED_AT_ITS_END) {
            *bench_pte(b, PASID, PAGE, LEVELS) = 0;
        }
        bench_enable(b, MODE_OFF, true, false);
        bench_offer(b, &(bench_page){PASID, 0, PAGE});
        if (walk >= MARKED) {
            step_until(b, LW_F_PWST_STATE, MEM);
            bench_step(b);
            invalidate(b, PASID);
            bench_step(b);
            assert_field(b, LW_F_PWST_STALE, 0, 1);
            assert_field(b, LW_F_PWST_NO_FILL, 0, 1);
        }
        bench_drain(b);
        assert_field(b, LW_F_PWST_STATE, 0, IDLE);
        bench_offer(b, &(bench_page){OTHER, 0, PAGE});
        step_until(b, LW_F_PWST_STATE, READ);
        for (uint32_t i = 0; i < sizeof zero / sizeof zero[0]; i++) {
            assert_field(b, zero[i], 0, 0);
        }
        bench_drain(b);
        pair_done(&both);
    }
}

/* R5.5, R5.8: an entry waits for the one walker, which works for page 0 and tells it the way down
 * to PL=k. Whether its lookup is due depends on the LEVEL that is left, PWC_ENABLE and, if it has
 * been told anything, PL_SKIPS_PWC. The walker's row then is what R5.4 says. */
static void test_lookup_is_due(void **state) {
    (void)state;
    static const struct {
        uint32_t pasid, pl;
        uint64_t page;
    } entries[] = {{OTHER, 0, 0},
                   {PASID, 4, UINT64_C(1) << 27},
                   {PASID, 3, UINT64_C(1) << 18},
                   {PASID, 2, UINT64_C(1) << 9}};
    enum { PWC = 1, PL_SKIPS = 2, FEATURES = 4, SLOT = 1 };
    for (uint32_t e = 0; e < sizeof entries / sizeof entries[0]; e++) {
        for (uint32_t features = 0; features < FEATURES; features++) {
            const uint32_t pl = entries[e].pl, level = pl != 0 ? pl - 1 : LEVELS;
            const bool due =
                (features & PWC) != 0 && level >= 2 && !(pl != 0 && (features & PL_SKIPS) != 0);
            const lw_params hw = one_walker(0);
            pair both;
            pair_init(&both, &hw, false);
            bench *b = &both.b;
            bench_map(b, PASID, 0, 1);
            bench_map(b, entries[e].pasid, entries[e].page, 2);
            bench_enable(b, MODE_FULL, (features & PWC) != 0, (features & PL_SKIPS) != 0);
            bench_offer(b, &(bench_page){PASID, 0, 0});
            bench_step(b);
            bench_offer(b, &(bench_page){entries[e].pasid, 0, entries[e].page});
            step_until(b, LW_F_READ_READ_SLOT, SLOT);
            assert_field(b, LW_F_READ_READ_VALID, 0, 1);
            assert_field(b, LW_F_READ_READ_PL, 0, pl);
            bench_step(b);
            assert_field(b, LW_F_PWST_STARTED, 0, 1);
            assert_field(b, LW_F_PWST_STATE, 0, due ? PWC_REQ : REQ);
            assert_field(b, LW_F_PWST_OWN_LINE, 0, due);
            assert_field(b, LW_F_PWST_LEVEL, 0, level);
            assert_field(b, LW_F_PWST_PASID, 0, entries[e].pasid);
            assert_field(b, LW_F_PWST_VPN, 0, entries[e].page);
            assert_field(b, LW_F_PWST_SLOT, 0, SLOT);
            assert_field(b, LW_F_PWST_PERM, 0, 3);
            if (pl == 0) {
                assert_field(b, LW_F_PWST_NODE, 0, b->root[OTHER]);
            } else {
                assert_field(b, LW_F_PWST_NODE, 0, *bench_pte(b, PASID, entries[e].page, pl) >> 12);
            }
            bench_drain(b);
            pair_done(&both);
        }
    }
}

/* R5.9, R11.13, R10.11: an entry whose PASID had no root when a mark met it starts without a claim
 * and is STALE until it is answered, though there is a root again; until then WALKS does not end
 * (R11.5). */
static void test_starts_without_root(void **state) {
    (void)state;
    enum { SLOT = 1, HELD = 20 };
    const lw_params hw = one_walker(0);
    pair both;
    pair_init(&both, &hw, false);
    bench *b = &both.b;
    b->any_kind = true;
    b->latency = 30;
    bench_map(b, PASID, PAGE, 7);
    bench_map(b, OTHER, PAGE, 8);
    bench_enable(b, MODE_FULL, true, false);
    bench_offer(b, &(bench_page){OTHER, 0, PAGE});
    bench_step(b);
    bench_offer(b, &(bench_page){PASID, 2, PAGE});
    step_until(b, LW_F_PWST_STATE, MEM);
    bench_write(b, LW_CTL_ROOT + PASID, 0);
    invalidate(b, PASID);
    bench_step(b);
    assert_field(b, LW_F_BUFFER_STALE, SLOT, 1);
    bench_write(b, LW_CTL_ROOT + PASID, UINT64_C(1) << 63 | b->root[PASID]);
    step_until(b, LW_F_READ_READ_SLOT, SLOT);
    assert_field(b, LW_F_READ_READ_VALID, 0, 1);
    assert_field(b, LW_F_READ_READ_STALE, 0, 1);
    bench_step(b);
    assert_field(b, LW_F_SEARCH_SEARCH_OP, 0, COMMIT);
    assert_field(b, LW_F_SEARCH_SEARCH_CLAIM, 0, 0);
    static const lw_field none[] = {LW_F_PWST_FLEVEL, LW_F_PWST_NODE, LW_F_PWST_SIZE,
                                    LW_F_PWST_PERM, LW_F_PWST_CONTIG};
    assert_field(b, LW_F_PWST_STATE, 0, RESP);
    assert_field(b, LW_F_PWST_STARTED, 0, 1);
    assert_field(b, LW_F_PWST_STALE, 0, 1);
    assert_field(b, LW_F_PWST_KIND, 0, LW_UNKNOWN_PASID);
    for (uint32_t i = 0; i < sizeof none / sizeof none[0]; i++) {
        assert_field(b, none[i], 0, 0);
    }
    assert_field(b, LW_F_INVALIDATION_STATE, 0, INV_WALKS);
    bench_step(b);
    assert_field(b, LW_F_ANSWER_ANSWER_VALID, 0, 1);
    assert_field(b, LW_F_ANSWER_ANSWER_STALE, 0, 1);
    assert_field(b, LW_F_INVALIDATION_STATE, 0, INV_WALKS);
    bench_drain(b);
    assert_int_equal(b->last.kind, LW_UNKNOWN_PASID);
    pair_done(&both);
}

/* R6.3, R7.7: by address OTHER's tables from level 3 on are PASID's, so of its walk the root's line
 * is read and the PTE of level 3 is found. Then who waits for level 3 is released, and who is near
 * at level 2 waits for that; the walker looks up on, unless the cache has been switched off by
 * then.
 */
static void advances_by_address(bool off) {
    enum { BY_ADDRESS = 1, ADVANCE = 2, WALKED = 0x200, NEAR = 0x600, NEAR_ABOVE = 1 << 18 };
    const lw_params hw = one_walker(BY_ADDRESS);
    pair both;
    pair_init(&both, &hw, false);
    bench *b = &both.b;
    static const uint64_t page[] = {0, WALKED, NEAR, NEAR_ABOVE};
    for (uint32_t i = 0; i < 4; i++) {
        bench_map(b, PASID, page[i], 1 + i);
    }
    *bench_pte(b, OTHER, 0, LEVELS) = *bench_pte(b, PASID, 0, LEVELS);
    bench_enable(b, MODE_FULL, true, false);
    bench_offer(b, &(bench_page){PASID, 0, 0});
    bench_drain(b);
    const uint32_t slot = (uint32_t)bench_peek(b, LW_F_BUFFER_RING_TAIL, 0);
    for (uint32_t i = 1; i < 4; i++) {
        bench_offer(b, &(bench_page){OTHER, 0, page[i]});
        bench_step(b);
    }
    for (int n = 0; bench_peek(b, LW_F_PWC_RESULT_RESULT_HIT, 0) == 0 ||
                    bench_peek(b, LW_F_PWC_RESULT_RESULT_VALID, 0) == 0;
         n++) {
        assert_true(n < 1000);
        bench_step(b);
    }
    assert_field(b, LW_F_PWST_LEVEL, 0, 3);
    if (off) {
        bench_write(b, LW_CTL_FEATURES, MODE_FULL);
    } else {
        bench_step(b);
    }
    assert_field(b, LW_F_PWST_STATE, 0, CAM);
    assert_field(b, LW_F_PWST_LEVEL, 0, 2);
    assert_field(b, LW_F_PWST_OWN_LINE, 0, 0);
    bench_step(b);
    assert_field(b, LW_F_PWST_STATE, 0, off ? REQ : PWC_REQ);
    assert_field(b, LW_F_SEARCH_SEARCH_OP, 0, ADVANCE);
    assert_field(b, LW_F_SEARCH_SEARCH_LEVEL, 0, 3);
    assert_field(b, LW_F_SEARCH_SEARCH_CLAIM_LEVEL, 0, 2);
    for (uint32_t t = 0; t < 3; t++) { /* search, update */
        assert_field(b, LW_F_BUFFER_CL, slot + 1, t < 2 ? 3 : 2);
        assert_field(b, LW_F_BUFFER_CL, slot + 2, t < 2 ? 3 : 0);
        bench_step(b);
    }
    bench_drain(b);
    pair_done(&both);
}

static void test_advances_by_address(void **state) {
    (void)state;
    advances_by_address(false);
    advances_by_address(true);
}

/* R6.15, R8.1: a mark of another PASID, or one that meets none, bars the line that a walker waits
 * for from the page walk cache by address, and only that line; not one that a walker which goes to
 * MEM in the cycle of the mark asks for. */
static void bars_one_line(uint32_t marked_pasid, bool goes_to_mem) {
    enum { BY_ADDRESS = 1, MARKED = LEVELS };
    const lw_params hw = one_walker(BY_ADDRESS);
    pair both;
    pair_init(&both, &hw, false);
    bench *b = &both.b;
    bench_map(b, PASID, PAGE, 7);
    bench_enable(b, MODE_OFF, true, false);
    bench_offer(b, &(bench_page){PASID, 0, PAGE});
    for (uint32_t level = LEVELS; level >= 2; level--) {
        if (level == MARKED && goes_to_mem) { /* in the cycle of the mark */
            step_until(b, LW_F_PWST_STATE, CAM);
            invalidate(b, marked_pasid);
            assert_field(b, LW_F_PWST_STATE, 0, REQ);
            bench_step(b);
            assert_field(b, LW_F_PWST_STATE, 0, MEM);
        }
        const bool barred = level == MARKED && !goes_to_mem;
        step_until(b, LW_F_PWST_STATE, MEM);
        assert_field(b, LW_F_PWST_NO_FILL, 0, 0);
        if (barred) {
            invalidate(b, marked_pasid);
            bench_step(b);
            assert_field(b, LW_F_PWST_STALE, 0, 0);
        }
        while (bench_peek(b, LW_F_WALK_MEMORY_LINE_VALID, 0) == 0) {
            assert_field(b, LW_F_PWST_LEVEL, 0, level);
            bench_step(b);
        }
        assert_field(b, LW_F_PWST_NO_FILL, 0, barred);
        bench_step(b);
        assert_field(b, LW_F_PWC_FILL_PWC_FILL_VALID, 0, !barred);
    }
    bench_drain(b);
    pair_done(&both);
}

static void test_no_fill(void **state) {
    (void)state;
    for (uint32_t goes_to_mem = 0; goes_to_mem < 2; goes_to_mem++) {
        bars_one_line(OTHER, goes_to_mem != 0);
        bars_one_line(bench_nha.pasids + PASID, goes_to_mem != 0);
    }
}

/* R7.4: where a walker goes from a node, by the organisation of the page walk cache, PWC_ENABLE and
 * the new LEVEL. */
static void test_after_a_node(void **state) {
    (void)state;
    for (uint32_t org = 0; org < 2; org++) {
        for (uint32_t enable = 0; enable < 2; enable++) {
            const lw_params hw = one_walker(org);
            pair both;
            pair_init(&both, &hw, false);
            bench *b = &both.b;
            bench_map(b, PASID, PAGE, 7);
            bench_enable(b, MODE_FULL, enable != 0, false);
            bench_offer(b, &(bench_page){PASID, 0, PAGE});
            for (uint32_t level = LEVELS; level >= 2; level--) {
                step_until(b, LW_F_WALK_MEMORY_LINE_VALID, 1);
                assert_field(b, LW_F_PWST_LEVEL, 0, level);
                bench_step(b);
                assert_field(b, LW_F_PWST_LEVEL, 0, level - 1);
                const bool looks_up = org == 1 && enable != 0 && level - 1 >= 2;
                assert_field(b, LW_F_PWST_STATE, 0, looks_up ? PWC_REQ : REQ);
                assert_field(b, LW_F_PWST_OWN_LINE, 0, 0);
            }
            bench_drain(b);
            pair_done(&both);
        }
    }
}

/* R11.7: the scans of a walk that a mark has met leave nothing: no operation of the CAM, no fill of
 * the page walk cache, no contiguity check, no fill of the TLB. A walk that no mark has met leaves
 * all of them. */
static void test_stale_leaves_nothing(void **state) {
    (void)state;
    enum { FRAME = 0x80000, LINES = 4 };
    for (uint32_t org = 0; org < 2; org++) {
        for (uint32_t marked = 0; marked < 2; marked++) {
            lw_params hw = one_walker(org);
            hw.subregions = 1;
            pair both;
            pair_init(&both, &hw, false);
            bench *b = &both.b;
            bench_map(b, PASID, FRAME, 1);
            *bench_pte(b, PASID, FRAME, 2) |= C_(0) | C_(1);
            bench_enable(b, MODE_FULL, true, false);
            bench_offer(b, &(bench_page){PASID, 0, FRAME});
            step_until(b, LW_F_PWST_STATE, MEM);
            if (marked != 0) {
                invalidate(b, PASID);
            }
            for (uint32_t lines = 0; lines < LINES; lines++) {
                step_until(b, LW_F_WALK_MEMORY_LINE_VALID, 1);
                assert_field(b, LW_F_PWST_STALE, 0, marked);
                bench_step(b);
                const bool leaves = marked == 0, leaf = lines == LINES - 1;
                assert_field(b, LW_F_SEARCH_SEARCH_OP, 0, leaves);
                assert_field(b, LW_F_PWC_FILL_PWC_FILL_VALID, 0, leaves && !leaf);
                assert_field(b, LW_F_CHECK_RING_QUEUE_COUNT, 0, leaves && leaf);
            }
            assert_field(b, LW_F_ANSWER_ANSWER_VALID, 0, 1);
            assert_field(b, LW_F_ANSWER_ANSWER_STALE, 0, marked);
            bench_step(b);
            assert_field(b, LW_F_FILL_FILL_VALID, 0, marked == 0);
            bench_drain(b);
            pair_done(&both);
        }
    }
}

/* R6.2, R6.3, R1.12: what the page walk cache says of a level-2 PTE goes with its CONTIG, so the
 * walk reads the head of its subregion. The page's own PTE is not there. Each lookup and each hit
 * is counted (R12.5). */
static void test_contig_of_a_hit(void **state) {
    (void)state;
    enum { FRAME = 0x80000, HEAD = FRAME + 64, INSIDE = 5, PFN = 0x777 };
    for (uint32_t org = 0; org < 2; org++) {
        lw_params hw = one_walker(org);
        hw.subregions = 1;
        pair both;
        pair_init(&both, &hw, false);
        bench *b = &both.b;
        bench_map(b, PASID, FRAME, 1);
        bench_map(b, PASID, HEAD, PFN);
        *bench_pte(b, PASID, FRAME, 2) |= C_(1);
        bench_enable(b, MODE_OFF, true, false);
        bench_offer(b, &(bench_page){PASID, 0, FRAME});
        bench_drain(b);
        const uint64_t accesses = b->accesses;
        const uint64_t lookups = lw_iommu_counter(b->u, LW_C_PWC_LOOKUPS);
        assert_int_equal(lw_iommu_counter(b->u, LW_C_PWC_HITS), 0);
        const uint64_t node = (uint64_t)(bench_pte(b, PASID, FRAME, 1) - b->table) / 512;
        bench_offer(b, &(bench_page){PASID, 0, HEAD + INSIDE});
        step_until(b, LW_F_PWST_STATE, REQ);
        assert_field(b, LW_F_PWST_LEVEL, 0, 1);
        assert_field(b, LW_F_PWST_CONTIG, 0, 1 << 1);
        bench_step(b);
        assert_field(b, LW_F_WALK_MEMORY_REQ_LINE, 0, node << 6 | (HEAD - FRAME) / 8);
        bench_drain(b);
        assert_int_equal(b->last.pfn, PFN + INSIDE);
        assert_int_equal(b->accesses, accesses + 1);
        const uint64_t hits = lw_iommu_counter(b->u, LW_C_PWC_HITS);
        assert_int_equal(hits, org == 0 ? 1 : LEVELS - 1); /* R6.4: a level each by address */
        assert_int_equal(lw_iommu_counter(b->u, LW_C_PWC_LOOKUPS), lookups + hits);
        pair_done(&both);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leaves_idle),
        cmocka_unit_test(test_lookup_is_due),
        cmocka_unit_test(test_starts_without_root),
        cmocka_unit_test(test_advances_by_address),
        cmocka_unit_test(test_no_fill),
        cmocka_unit_test(test_after_a_node),
        cmocka_unit_test(test_stale_leaves_nothing),
        cmocka_unit_test(test_contig_of_a_hit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
