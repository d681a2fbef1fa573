/* Walks of hashed tables, one at a time: what is answered where the step leads elsewhere, to
 * nothing or to an error (chapter 21; R20.10, R20.14, R20.26). */
#include "tests/unit/c_model/hashed_walk.h"

/* R20.12, R20.10, R21.10: what is not in the table is in the victim buffer. */
static void test_victim(void **state) {
    (void)state;
    for (uint32_t home_first = 0; home_first < 2; home_first++) {
        for (uint32_t group = 0; group < 2; group++) { /* the bucket has it, without the region */
            hashed h;
            begin(&h, home_first != 0);
            if (group != 0) {
                hashed_put_step(&h, PASID, PAGE, 4, false);
            }
            hashed_ask(&h, PASID, PAGE, READ);
            assert_answer(&h, LW_OK, 0, 0x777, 0);
            assert_int_equal(h.reads, home_first + 1 + LEVELS);
            assert_read(&h, home_first + 1,
                        (uint64_t)bench_root(&h.b, TREE) * 64 + (PAGE >> 30 & 63),
                        h.at[home_first] + LATENCY + 3);
            for (uint32_t k = 1; k < LEVELS; k++) {
                assert_int_equal(h.at[home_first + 1 + k], h.at[home_first + k] + LATENCY + 3);
            }
            assert_int_equal(hashed_count(&h, LW_C_VICTIM_WALKS), 1);
            assert_int_equal(hashed_count(&h, LW_C_VICTIM_READS), LEVELS);
            assert_int_equal(hashed_count(&h, LW_C_STEP_READS), 1);
            /* R21.14: a group is kept, present or not; an absent region is no hit (R21.3) */
            const uint32_t entry = PAGE >> 13 & (hashed_hw.pwc_entries - 1);
            assert_int_equal(bench_peek(&h.b, LW_F_STEP_CACHE_VALID, entry), group);
            hashed_ask(&h, PASID, PAGE ^ 1, READ);
            assert_answer(&h, LW_NOT_PRESENT, 1, 0, 0); /* R20.14: the level of the PTE */
            assert_int_equal(h.reads, home_first + 1 + LEVELS);
            hashed_ask(&h, PASID, PAGE ^ UINT64_C(1) << 18, READ);
            assert_answer(&h, LW_NOT_PRESENT, 3, 0, 0);
            bench_done(&h.b);
        }
    }
}

/* R20.10: large pages of the victim buffer are those of R1.7; at its level 1 sizes are R20.5's. */
static void test_victim_sizes(void **state) {
    (void)state;
    hashed h;
    begin(&h, false);
    const uint64_t large = PAGE ^ UINT64_C(1) << 20;
    *bench_pte(&h.b, TREE, large, 2) = UINT64_C(0x40200000) | P_ | RW_ | US_ | PS_;
    *bench_pte(&h.b, TREE, PAGE, 1) =
        (UINT64_C(0x5550) | (PAGE & 15)) << 12 | UINT64_C(1) << 9 | P_ | RW_ | US_;
    hashed_ask(&h, PASID, large, READ);
    assert_answer(&h, LW_OK, 0, 0x40200 | (large & 511), 1);
    hashed_ask(&h, PASID, PAGE, READ);
    assert_answer(&h, LW_OK, 0, 0x5550 | (PAGE & 15), 3);
    bench_done(&h.b);
}

/* R20.14, R21.10 */
static void test_no_victim(void **state) {
    (void)state;
    hashed h;
    begin(&h, false);
    hashed_put_step(&h, OTHER, PAGE, 4, false);
    hashed_put_step(&h, OTHER, FURTHER, 1, true); /* of a slot that is empty */
    hashed_ask(&h, OTHER, PAGE, READ);
    assert_answer(&h, LW_NOT_PRESENT, WALK_ABOVE, 0, 0);
    assert_int_equal(h.reads, 1);
    assert_int_equal(hashed_count(&h, LW_C_VICTIM_WALKS), 0);
    hashed_ask(&h, OTHER, FURTHER, READ);
    assert_answer(&h, LW_NOT_PRESENT, WALK_ABOVE, 0, 0);
    /* R12.3 */
    bench_write(&h.b, 1, 0);
    hashed_ask(&h, OTHER, PAGE, WRITE);
    assert_int_equal(bench_peek(&h.b, LW_F_CONTROL_FAULT_INFO, 0) >> 4 & 7, WALK_ABOVE);
    bench_done(&h.b);
}

static void move_region(hashed *h, uint64_t vpn, uint32_t from, uint32_t to) {
    uint64_t *old = hashed_at(h, hashed_slot(h, PASID, vpn, from));
    memcpy(hashed_at(h, hashed_slot(h, PASID, vpn, to)), old, 4096);
    hashed_put_step(h, PASID, vpn, to, true);
    memset(old, 0, 4096);
}

/* R20.26, R21.9: a step that has become wrong costs a read, and no invalidation. */
static void test_moved_region(void **state) {
    (void)state;
    hashed h;
    begin(&h, false);
    for (uint64_t i = 0; i < 4; i++) {
        hashed_map(&h, PASID, PAGE ^ i << 6, 0, 0x100 + i);
    }
    hashed_ask(&h, PASID, PAGE, READ);
    move_region(&h, PAGE, 0, 6);
    hashed_ask(&h, PASID, PAGE ^ 1 << 6, READ);
    assert_answer(&h, LW_OK, 0, 0x101, 0);
    assert_int_equal(h.reads, 3);
    assert_true(h.line[0] == hashed_slot_line(&h, PASID, PAGE ^ 1 << 6, 0));
    assert_true(h.line[1] == hashed_bucket(&h, PASID, PAGE));
    assert_true(h.line[2] == hashed_slot_line(&h, PASID, PAGE ^ 1 << 6, 6));
    assert_int_equal(h.at[1] - h.at[0], LATENCY + SCAN_TAKES + LOOKUP_TAKES);
    assert_int_equal(hashed_count(&h, LW_C_STEP_RETRIES), 1);
    assert_int_equal(hashed_count(&h, LW_C_TAG_MISSES), 1);
    hashed_ask(&h, PASID, PAGE ^ 2 << 6, READ); /* the cache has learnt */
    assert_answer(&h, LW_OK, 0, 0x102, 0);
    assert_int_equal(h.reads, 1);
    bench_done(&h.b);
}

/* A region that moves between the two reads of a walk. */
static void test_moves_meanwhile(void **state) {
    (void)state;
    hashed h;
    begin(&h, false);
    hashed_map(&h, PASID, PAGE, 0, 0x100);
    h.reads = 0;
    hashed_offer(&h, PASID, PAGE);
    for (uint32_t n = 0; h.reads < 1 || n < ENTERS + LOOKUP_TAKES + LATENCY + 4; n++) {
        hashed_step(&h);
    }
    move_region(&h, PAGE, 0, 7);
    hashed_drain(&h);
    assert_answer(&h, LW_OK, 0, 0x100, 0);
    assert_int_equal(h.reads, 4);
    assert_true(h.line[2] == h.line[0]);
    assert_true(h.line[3] == hashed_slot_line(&h, PASID, PAGE, 7));
    assert_int_equal(hashed_count(&h, LW_C_STEP_RETRIES), 1);
    bench_done(&h.b);
}

/* R21.9, R20.33: an old step and a move during the walk lead to the victim buffer, where the copy
 * that a recall has left has the pages that have come since. */
static void test_moves_after_recall(void **state) {
    (void)state;
    hashed h;
    begin(&h, false);
    hashed_map(&h, PASID, PAGE, 0, 0x777);
    hashed_ask(&h, PASID, PAGE, READ); /* the step cache has this step */
    /* evicted: the tree has the page; then recalled */
    hashed_put_step(&h, PASID, PAGE, 0, false);
    memset(hashed_at(&h, hashed_slot(&h, PASID, PAGE, 0)), 0, 4096);
    hashed_map(&h, PASID, PAGE, 3, 0x777);
    hashed_map(&h, PASID, BESIDE, 3, 0x888);
    bench_map(&h.b, TREE, BESIDE, 0x888);
    h.reads = 0;
    hashed_offer(&h, PASID, BESIDE);
    while (h.reads < 2 || bench_peek(&h.b, LW_F_PWST_WHERE, 0) != KNOWN) {
        hashed_step(&h);
    }
    move_region(&h, PAGE, 3, 6);
    hashed_drain(&h);
    assert_answer(&h, LW_OK, 0, 0x888, 0);
    assert_int_equal(h.reads, 3 + LEVELS);
    assert_true(h.line[2] == hashed_slot_line(&h, PASID, BESIDE, 3));
    bench_done(&h.b);
}

/* R21.9, R21.18: of what the bucket says twice in vain the victim buffer knows; 5 + LEVELS reads
 * with the home. Without a step cache nothing else is different. */
static void test_twice_in_vain(void **state) {
    (void)state;
    for (uint32_t home_first = 0; home_first < 2; home_first++) {
        hashed h;
        begin_with(&h, &hashed_hw, 0, false, home_first != 0);
        hashed_put_step(&h, PASID, PAGE, 1, true);
        for (uint32_t n = 0; n < 2; n++) { /* R21.2: RETRIED is of one walk */
            hashed_ask(&h, PASID, n == 0 ? PAGE : PAGE ^ 1, READ);
            assert_answer(&h, n == 0 ? LW_OK : LW_NOT_PRESENT, n, n == 0 ? 0x777 : 0, 0);
            assert_int_equal(h.reads, home_first + 4 + LEVELS);
            const uint64_t *line = &h.line[home_first];
            assert_true(line[0] == line[2] && line[1] == line[3]);
            assert_true(line[0] == hashed_bucket(&h, PASID, PAGE));
            assert_true(line[1] == hashed_slot_line(&h, PASID, PAGE, 1));
        }
        assert_int_equal(hashed_count(&h, LW_C_STEP_RETRIES), 2);
        assert_int_equal(hashed_count(&h, LW_C_VICTIM_WALKS), 2);
        bench_done(&h.b);
    }
}

/* R21.10: a walker that goes to the victim buffer keeps all else that it has: that it has read the
 * bucket twice, and where that is, too. */
static void test_keeps_the_rest(void **state) {
    (void)state;
    static const lw_field kept[] = {LW_F_PWST_VPN,    LW_F_PWST_PASID,   LW_F_PWST_SLOT,
                                    LW_F_PWST_PERM,   LW_F_PWST_RETRIED, LW_F_PWST_BUCKET,
                                    LW_F_PWST_STARTED};
    enum { KEPT = sizeof kept / sizeof kept[0] };
    for (uint32_t present = 0; present < 2; present++) {
        hashed h;
        uint64_t before[KEPT];
        begin(&h, false);
        hashed_put_step(&h, PASID, PAGE, 1, present != 0); /* of a slot that is empty */
        hashed_offer(&h, PASID, PAGE);
        for (uint32_t n = 0; bench_peek(&h.b, LW_F_PWST_WHERE, 0) != VICTIM; n++) {
            assert_true(n < 500);
            for (uint32_t i = 0; i < KEPT; i++) {
                before[i] = bench_peek(&h.b, kept[i], 0);
            }
            hashed_step(&h);
        }
        for (uint32_t i = 0; i < KEPT; i++) {
            assert_int_equal(bench_peek(&h.b, kept[i], 0), before[i]);
        }
        assert_int_equal(bench_peek(&h.b, LW_F_PWST_RETRIED, 0), present);
        assert_int_not_equal(bench_peek(&h.b, LW_F_PWST_BUCKET, 0), 0);
        assert_int_equal(bench_peek(&h.b, LW_F_PWST_STATE, 0), REQ);
        assert_int_equal(bench_peek(&h.b, LW_F_PWST_LEVEL, 0), LEVELS);
        assert_int_equal(bench_peek(&h.b, LW_F_PWST_NODE, 0), bench_root(&h.b, TREE));
        hashed_drain(&h);
        bench_done(&h.b);
    }
}

/* R20.14: the level of an error is that of the line that had it. */
static void test_memory_errors(void **state) {
    (void)state;
    hashed h;
    begin(&h, false);
    hashed_map(&h, PASID, PAGE, 2, 0x100);
    h.bad = true;
    h.bad_line = hashed_bucket(&h, PASID, PAGE);
    hashed_ask(&h, PASID, PAGE, READ);
    assert_answer(&h, LW_MEMORY_ERROR, WALK_ABOVE, 0, 0);
    assert_int_equal(h.reads, 1);
    /* R21.14: such a line fills nothing */
    assert_int_equal(bench_peek(&h.b, LW_F_STEP_CACHE_VALID, PAGE >> 13 & 7), 0);
    h.bad_line = hashed_slot_line(&h, PASID, PAGE, 2);
    hashed_ask(&h, PASID, PAGE, READ);
    assert_answer(&h, LW_MEMORY_ERROR, 1, 0, 0);
    assert_int_equal(h.reads, 2);
    uint64_t *slot = hashed_at(&h, h.bad_line), kept[8]; /* what comes with an error is nothing */
    memcpy(kept, slot, sizeof kept);
    memset(slot, 0, sizeof kept);
    hashed_ask(&h, PASID, PAGE, READ);
    assert_answer(&h, LW_MEMORY_ERROR, 1, 0, 0);
    assert_int_equal(h.reads, 1);
    memcpy(slot, kept, sizeof kept);
    assert_int_equal(hashed_count(&h, LW_C_TAG_MISSES), 0);
    h.bad_line = (uint64_t)bench_root(&h.b, TREE) * 64 + (PAGE >> 30 & 63);
    hashed_ask(&h, PASID, PAGE ^ UINT64_C(1) << 14, READ);
    assert_answer(&h, LW_MEMORY_ERROR, LEVELS, 0, 0);
    h.bad = false;
    hashed_ask(&h, PASID, PAGE, READ);
    assert_answer(&h, LW_OK, 0, 0x100, 0);
    bench_done(&h.b);
}

/* R20.26: whichever bit of the tag is wrong, the frame in that slot is never the answer. */
static void test_wrong_tags(void **state) {
    (void)state;
    hashed h;
    begin(&h, false);
    hashed_map(&h, PASID, PAGE, 2, 0x100);
    for (uint32_t bit = 0; bit < 48; bit++) {
        uint64_t *line = hashed_at(&h, hashed_slot_line(&h, PASID, PAGE, 2));
        line[bit / 6] ^= UINT64_C(1) << (57 + bit % 6);
        hashed_ask(&h, PASID, PAGE, READ);
        line[bit / 6] ^= UINT64_C(1) << (57 + bit % 6);
        assert_answer(&h, LW_OK, 0, 0x777, 0);
        hashed_invalidate(&h, PASID);
    }
    hashed_ask(&h, PASID, PAGE, READ);
    assert_answer(&h, LW_OK, 0, 0x100, 0);
    /* A bucket that leads a PASID to the slot of another. */
    for (uint32_t step = 0; step < 8; step++) {
        hashed_put_step(&h, OTHER, PAGE, step, true);
        h.b.any_kind = true;
        hashed_put_tag(&h, hashed_slot(&h, OTHER, PAGE, step), hashed_tag(&h, PASID, PAGE));
        hashed_put_pte(&h, OTHER, PAGE, step, UINT64_C(0x66) << 12 | P_ | RW_ | US_);
        hashed_ask(&h, OTHER, PAGE, READ);
        assert_answer(&h, LW_NOT_PRESENT, WALK_ABOVE, 0, 0);
    }
    bench_done(&h.b);
}

/* R20.4, R20.5, R21.11: sizes, and the faults of a size, at their places in the order of R1.6. */
static void test_sizes(void **state) {
    (void)state;
    const uint64_t all = P_ | RW_ | US_;
    const struct {
        uint64_t pte;
        uint32_t kind, size, access;
    } cases[] = {
        {(UINT64_C(0xab000) | (PAGE & 511)) << 12 | all, LW_OK, 0, READ},
        {(UINT64_C(0xab1f0) | (PAGE & 15)) << 12 | UINT64_C(1) << 9 | all, LW_OK, 3, READ},
        {(UINT64_C(0xab200) | (PAGE & 511)) << 12 | UINT64_C(2) << 9 | all, LW_OK, 1, READ},
        {(UINT64_C(0xab200) | (PAGE & 511)) << 12 | UINT64_C(4) << 9 | all, LW_OK, 0, READ},
        {(UINT64_C(0xab200) | (PAGE & 511)) << 12 | UINT64_C(3) << 9 | all, LW_RESERVED, 0, READ},
        {(UINT64_C(0xab1f0) | ((PAGE ^ 8) & 15)) << 12 | UINT64_C(1) << 9 | all, LW_MISALIGNED, 0,
         READ},
        {(UINT64_C(0xab200) | ((PAGE ^ 256) & 511)) << 12 | UINT64_C(2) << 9 | all, LW_MISALIGNED,
         0, READ},
        {UINT64_C(3) << 9, LW_NOT_PRESENT, 0, READ},
        {UINT64_C(1) << 51 | UINT64_C(1) << 9 | all, LW_RESERVED, 0, READ},
        {(UINT64_C(0xab1f0) | ((PAGE ^ 8) & 15)) << 12 | UINT64_C(1) << 9 | P_ | RW_, LW_MISALIGNED,
         0, READ},
        {UINT64_C(3) << 9 | P_, LW_RESERVED, 0, READ},
        {(UINT64_C(0xab1f0) | (PAGE & 15)) << 12 | UINT64_C(1) << 9 | P_ | US_, LW_PERMISSION, 0,
         WRITE},
        {(UINT64_C(0xab000) | (PAGE & 511)) << 12 | all | PS_, LW_OK, 0, EXECUTE},
    };
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        hashed h;
        begin(&h, false);
        hashed_map(&h, PASID, PAGE, 2, 0);
        hashed_put_pte(&h, PASID, PAGE, 2, cases[i].pte);
        const bool ok = cases[i].kind == LW_OK;
        for (uint32_t n = 0; n < 2; n++) { /* from the walk, and of a translation from the TLB */
            hashed_ask(&h, PASID, PAGE, cases[i].access);
            assert_answer(&h, cases[i].kind, ok ? 0 : 1,
                          ok ? cases[i].pte >> 12 & ((1 << 28) - 1) : 0, cases[i].size);
        }
        assert_int_equal(hashed_count(&h, LW_C_TLB_HITS), ok);
        bench_done(&h.b);
    }
}

/* R21.1, R21.2: a PASID without HASHED has a radix table and no lookups; with PWC_ENABLE=0 a hashed
 * table is walked as well, without a step cache (R21.3, R21.14). */
static void test_features(void **state) {
    (void)state;
    hashed h;
    begin(&h, false);
    bench_write(&h.b, LW_CTL_ROOT + TREE, UINT64_C(1) << 63 | bench_root(&h.b, TREE));
    for (uint32_t n = 0; n < 2; n++) {
        hashed_ask(&h, TREE, PAGE ^ n, READ);
        assert_answer(&h, n == 0 ? LW_OK : LW_NOT_PRESENT, n, n == 0 ? 0x777 : 0, 0);
        assert_int_equal(h.reads, LEVELS);
        assert_int_equal(h.at[0], ENTERS + 1);
    }
    /* R20.4 is of hashed tables: a radix table's bits are software's own */
    *bench_pte(&h.b, TREE, PAGE ^ 2, 1) = UINT64_C(0x123) << 12 | UINT64_C(3) << 9 | P_ | RW_ | US_;
    hashed_ask(&h, TREE, PAGE ^ 2, READ);
    assert_answer(&h, LW_OK, 0, 0x123, 0);
    assert_int_equal(hashed_count(&h, LW_C_PWC_LOOKUPS), 0);
    hashed_map(&h, PASID, PAGE, 2, 0x100);
    hashed_map(&h, PASID, BESIDE, 2, 0x101);
    hashed_enable(&h, 0, false, false);
    hashed_ask(&h, PASID, PAGE, READ);
    assert_int_equal(h.reads, 2);
    hashed_enable(&h, 0, true, false);
    hashed_ask(&h, PASID, BESIDE, READ); /* nothing has been kept */
    assert_int_equal(h.reads, 2);
    hashed_enable(&h, 0, false, false);
    hashed_ask(&h, PASID, PAGE ^ 128, READ); /* nothing is found */
    assert_int_equal(h.reads, 2);
    bench_done(&h.b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_victim),
        cmocka_unit_test(test_victim_sizes),
        cmocka_unit_test(test_no_victim),
        cmocka_unit_test(test_moved_region),
        cmocka_unit_test(test_moves_meanwhile),
        cmocka_unit_test(test_twice_in_vain),
        cmocka_unit_test(test_moves_after_recall),
        cmocka_unit_test(test_keeps_the_rest),
        cmocka_unit_test(test_memory_errors),
        cmocka_unit_test(test_wrong_tags),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_features),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
