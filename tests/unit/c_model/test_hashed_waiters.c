/* Walks of hashed tables and those beside them: who waits for which access (R21.13). */
#include "tests/unit/c_model/hashed_neighbours.h"

/* A step read holds up the 16 MiB of a level-2 access, where level 2 takes part, and answers
 * nobody; those find their line in the step cache then, and may be claimed again (R9.15). */
static void test_step_reads_claim(void **state) {
    (void)state;
    for (uint32_t mode = OFF; mode <= FULL; mode++) {
        const uint32_t waits = mode == FULL ? 2 : 0;
        hashed h;
        begin_with(&h, 1, mode, false);
        map_line(&h, 2);
        hashed_map(&h, PASID, FURTHER, 3, 0x4200123);
        hashed_map(&h, PASID, FURTHER + 1, 3, 0x4200124);
        hashed_offer(&h, PASID, PAGE);
        const uint32_t before = insert(&h, FURTHER); /* before the walk's lookup has ended */
        (void)await(&h, MEM, STEPS);
        hashed_step(&h);
        hashed_step(&h);
        if (mode == FULL) {
            assert_int_equal(peek(&h, LW_F_BUFFER_CL, before), waits); /* R7.7 */
        }
        const uint32_t after = insert(&h, FURTHER + 1); /* R4.3 */
        assert_int_equal(peek(&h, LW_F_BUFFER_CL, after), waits);
        const uint32_t outside = insert(&h, PAGE ^ 4096);
        assert_int_equal(peek(&h, LW_F_BUFFER_CL, outside), 0);
        if (mode == FULL) {
            while (peek(&h, LW_F_UPDATE_UPDATE_OP, 0) != SCAN) {
                hashed_step(&h);
            }
            assert_int_equal(peek(&h, LW_F_BUFFER_CL, before), waits);
            hashed_step(&h);
            assert_int_equal(peek(&h, LW_F_BUFFER_CL, before), 0);
            assert_int_equal(peek(&h, LW_F_BUFFER_CL, after), 0);
            assert_int_equal(peek(&h, LW_F_BUFFER_PL, before), 0);
            assert_int_equal(peek(&h, LW_F_BUFFER_DONE, before), 0);
            assert_int_equal(peek(&h, LW_F_BUFFER_ALONE, before), 0);
            assert_int_equal(peek(&h, LW_F_BUFFER_ALONE, after), 0);
        }
        hashed_drain(&h);
        if (mode == FULL) { /* of its group, and of the one outside */
            assert_int_equal(hashed_count(&h, LW_C_STEP_READS), 2);
            assert_int_equal(hashed_count(&h, LW_C_PWC_HITS), 1);
            assert_int_equal(hashed_count(&h, LW_C_COALESCED_ANSWERS), 1); /* FURTHER + 1 */
        }
        bench_done(&h.b);
    }
}

/* Upper levels of the victim buffer hold nobody up and teach nobody; level 1 does both. */
static void test_victim_holds_nobody(void **state) {
    (void)state;
    hashed h;
    begin(&h, FULL, false);
    bench_map(&h.b, TREE, PAGE + 1, 0x778);
    bench_map(&h.b, TREE, PAGE + 2, 0x779);
    hashed_offer(&h, PASID, PAGE);
    const uint32_t w = await(&h, MEM, VICTIM);
    assert_int_equal(peek(&h, LW_F_PWST_LEVEL, w), LEVELS);
    const uint32_t upper = insert(&h, PAGE + 1);
    assert_int_equal(peek(&h, LW_F_BUFFER_CL, upper), 0);
    while (peek(&h, LW_F_PWST_LEVEL, w) != 1 || peek(&h, LW_F_PWST_STATE, w) != MEM) {
        hashed_step(&h);
        for (uint32_t i = 0; i < hashed_hw.buffer_entries; i++) {
            assert_int_equal(peek(&h, LW_F_BUFFER_PL, i), 0);
        }
    }
    const uint32_t lowest = insert(&h, PAGE + 2);
    assert_int_equal(peek(&h, LW_F_BUFFER_CL, lowest), 1);
    const uint32_t free = insert(&h, FURTHER);
    assert_int_equal(peek(&h, LW_F_BUFFER_CL, free), 0);
    hashed_drain(&h);
    assert_int_equal(hashed_count(&h, LW_C_COALESCED_ANSWERS), 1);
    assert_int_equal(hashed_count(&h, LW_C_VICTIM_WALKS), 3);
    bench_done(&h.b);
}

/* R21.13, R4.3: of none of its upper levels is there an access on which a new entry waits. */
static void test_upper_levels_are_not_in_flight(void **state) {
    (void)state;
    for (uint32_t level = LEVELS; level >= 2; level--) {
        hashed h;
        begin(&h, FULL, false);
        hashed_offer(&h, PASID, PAGE);
        const uint32_t w = await(&h, MEM, VICTIM);
        while (peek(&h, LW_F_PWST_LEVEL, w) != level || peek(&h, LW_F_PWST_STATE, w) != MEM) {
            hashed_step(&h);
        }
        const uint32_t beside = insert(&h, PAGE + 1);
        assert_int_equal(peek(&h, LW_F_PWST_STATE, w), MEM);
        assert_int_equal(peek(&h, LW_F_PWST_LEVEL, w), level);
        assert_int_equal(peek(&h, LW_F_BUFFER_CL, beside), 0);
        hashed_drain(&h);
        bench_done(&h.b);
    }
}

/* R5.21, R21.12: a scan that releases no level is close at its claim, and without one to nobody:
 * who looks beside it then starts. */
static void test_upper_levels_are_close_at_their_claim(void **state) {
    (void)state;
    uint32_t looks = 0;
    for (uint32_t at = 0; at < 4 * (LATENCY + 3); at++) {
        hashed h;
        begin(&h, FULL, false);
        hashed_offer(&h, PASID, PAGE);
        (void)await(&h, MEM, VICTIM);
        for (uint32_t n = 0; n < at; n++) {
            hashed_step(&h);
        }
        hashed_offer(&h, PASID, PAGE + 1);
        for (uint32_t n = 0; n < 10; n++) {
            const bool beside = peek(&h, LW_F_READ_READ_VALID, 0) != 0 &&
                                peek(&h, LW_F_READ_READ_NEAR, 0) == 0 &&
                                peek(&h, LW_F_READ_READ_CL, 0) == 0 &&
                                peek(&h, LW_F_WALK_MEMORY_LINE_VALID, 0) == 0 &&
                                peek(&h, LW_F_SEARCH_SEARCH_OP, 0) == SCAN &&
                                peek(&h, LW_F_SEARCH_SEARCH_LEVEL, 0) == 0;
            const uint32_t walker = (uint32_t)peek(&h, LW_F_READ_READ_WALKER, 0);
            const bool claims = peek(&h, LW_F_SEARCH_SEARCH_CLAIM, 0) != 0;
            hashed_step(&h);
            if (beside) {
                assert_int_equal(peek(&h, LW_F_PWST_STARTED, walker), claims ? 0 : 1);
                looks++;
            }
        }
        hashed_drain(&h);
        bench_done(&h.b);
    }
    assert_true(looks >= 2);
}

/* R21.12: the scan that leads a victim walk to level 1 claims its line, for entries that are there
 * already. */
static void test_victim_claims_its_line(void **state) {
    (void)state;
    hashed h;
    begin_with(&h, 1, FULL, false);
    bench_map(&h.b, TREE, PAGE + 1, 0x778);
    hashed_offer(&h, PASID, PAGE);
    (void)await(&h, MEM, VICTIM);
    const uint32_t slot = insert(&h, PAGE + 1); /* and there is no other walker */
    assert_int_equal(peek(&h, LW_F_BUFFER_CL, slot), 0);
    hashed_drain(&h);
    assert_int_equal(hashed_count(&h, LW_C_COALESCED_ANSWERS), 1);
    assert_int_equal(hashed_count(&h, LW_C_VICTIM_READS), LEVELS);
    bench_done(&h.b);
}

/* R21.13, R5.24: during its first lookup a walk has its own line, and the line of its slot when it
 * knows its step. */
static void test_own_lines(void **state) {
    (void)state;
    hashed h;
    begin(&h, FULL, false);
    map_line(&h, 2);
    hashed_offer(&h, PASID, PAGE);
    hashed_step(&h);
    hashed_offer(&h, PASID, PAGE + 1);
    (void)await(&h, 2, LOOKUP);
    hashed_offer(&h, PASID, PAGE + 2);
    for (uint32_t n = 1; n < 4; n++) {
        hashed_step(&h);
    }
    for (uint32_t slot = 1; slot < 3; slot++) {
        assert_int_equal(peek(&h, LW_F_BUFFER_CL, slot), 1);
    }
    (void)await(&h, 2, KNOWN);
    hashed_step(&h);
    hashed_step(&h);
    const uint32_t own = insert(&h, PAGE + 3);
    assert_int_equal(peek(&h, LW_F_BUFFER_CL, own), 1);
    const uint32_t further = insert(&h, PAGE ^ 64);
    assert_int_equal(peek(&h, LW_F_BUFFER_CL, further), 0);
    hashed_drain(&h);
    bench_done(&h.b);
}

/* R21.2, R5.4: who has learnt something of a radix table goes on there, with no lookup due, though
 * the PASID's table is a hashed one by the cycle of the look. */
static void test_what_is_learnt_is_radix(void **state) {
    (void)state;
    enum { NEAR_LEVEL = 3, REQ = 5 };
    const uint64_t near = PAGE ^ UINT64_C(1) << 18; /* its PTE of level 3 is in the same line */
    const uint64_t root = UINT64_C(1) << 63;
    hashed h;
    begin_with(&h, 1, FULL, false);
    h.judged = false;
    bench_map(&h.b, TREE, near, 0x778);
    bench_write(&h.b, LW_CTL_ROOT + TREE, root | bench_root(&h.b, TREE));
    hashed_offer(&h, TREE, PAGE);
    const uint32_t slot = (uint32_t)peek(&h, LW_F_BUFFER_RING_TAIL, 0) + 1;
    hashed_offer(&h, TREE, near);
    for (uint32_t n = 0; peek(&h, LW_F_BUFFER_PL, slot) != NEAR_LEVEL; n++) {
        assert_true(n < 500);
        hashed_step(&h);
    }
    bench_write(&h.b, LW_CTL_ROOT + TREE, root | UINT64_C(1) << 62 | bench_root(&h.b, TREE));
    for (uint32_t n = 0;
         peek(&h, LW_F_READ_READ_VALID, 0) == 0 || peek(&h, LW_F_READ_READ_PL, 0) != NEAR_LEVEL;
         n++) {
        assert_true(n < 500);
        hashed_step(&h);
    }
    hashed_step(&h);
    assert_int_equal(peek(&h, LW_F_PWST_WHERE, 0), RADIX);
    assert_int_equal(peek(&h, LW_F_PWST_STATE, 0), REQ);
    assert_int_equal(peek(&h, LW_F_PWST_LEVEL, 0), NEAR_LEVEL - 1);
    hashed_drain(&h);
    assert_int_equal(h.b.last.kind, LW_OK);
    assert_true(h.b.last.pfn == 0x778);
    assert_int_equal(hashed_count(&h, LW_C_PWC_LOOKUPS), 0);
    bench_done(&h.b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_step_reads_claim),
        cmocka_unit_test(test_victim_holds_nobody),
        cmocka_unit_test(test_upper_levels_are_not_in_flight),
        cmocka_unit_test(test_upper_levels_are_close_at_their_claim),
        cmocka_unit_test(test_victim_claims_its_line),
        cmocka_unit_test(test_own_lines),
        cmocka_unit_test(test_what_is_learnt_is_radix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
