/* Walks of hashed tables and those beside them: what the CAM takes of each scan (R21.12), who is
 * answered (R21.11), and marks (R21.15). */
#include "tests/unit/c_model/hashed_neighbours.h"

/* R21.11, R9.10: each takes its own PTE from the line, with the SIZE of that PTE, and what is
 * RESERVED for one is not for the others. */
static void test_a_line_of_sizes(void **state) {
    (void)state;
    static const uint8_t sizes[] = {0, 3, 1, 3, 0, 1, 0, 3};
    for (uint32_t mode = LEAF; mode <= FULL; mode++) {
        hashed h;
        begin(&h, mode, false);
        map_line(&h, 2);
        hashed_ask(&h, PASID, PAGE ^ 256, 0); /* the step is cached */
        h.reads = 0;
        for (uint64_t i = 0; i < 8; i++) {
            hashed_offer(&h, PASID, PAGE + i);
        }
        for (uint32_t n = 0; peek(&h, LW_F_SEARCH_SEARCH_OP, 0) != SCAN; n++) {
            assert_true(n < 100);
            hashed_step(&h);
        }
        for (uint32_t i = 0; i < 8; i++) {
            assert_int_equal(peek(&h, LW_F_SEARCH_LINE_SEARCH_SIZE, i), sizes[i]);
            assert_int_equal(peek(&h, LW_F_SEARCH_LINE_SEARCH_KIND, i), i == 6 ? LW_RESERVED : 0);
        }
        hashed_step(&h);
        for (uint32_t i = 0; i < 8; i++) {
            assert_int_equal(peek(&h, LW_F_UPDATE_LINE_UPDATE_SIZE, i), sizes[i]);
        }
        hashed_step(&h);
        for (uint32_t i = 0; i < 8; i++) { /* STORE_TAIL was 0: nobody has learnt before */
            assert_int_equal(peek(&h, LW_F_STORED_PTE_STORED_SIZE, i), sizes[i]);
        }
        hashed_drain(&h);
        assert_int_equal(hashed_count(&h, LW_C_COALESCED_ANSWERS), 6);
        assert_int_equal(h.reads, 2); /* the one that is RESERVED walks for itself (R9.5) */
        assert_true(h.line[0] == h.line[1]);
        bench_done(&h.b);
    }
}

/* The level-1 PTEs of the victim buffer have sizes too, and radix tables none. */
static void test_lines_of_the_victim_buffer(void **state) {
    (void)state;
    hashed h;
    begin(&h, LEAF, false);
    for (uint64_t i = 0; i < 8; i++) {
        *bench_pte(&h.b, TREE, PAGE + i, 1) =
            (UINT64_C(0x4200000) + ((PAGE + i) & 511)) << 12 | (i % 3) << 9 | P_ | RW_ | US_;
    }
    hashed_offer(&h, PASID, PAGE);
    const uint32_t w = await(&h, MEM, VICTIM);
    while (peek(&h, LW_F_PWST_LEVEL, w) != 1 || peek(&h, LW_F_PWST_STATE, w) != MEM) {
        hashed_step(&h);
    }
    for (uint64_t i = 1; i < 8; i++) {
        hashed_offer(&h, PASID, PAGE + i);
    }
    hashed_drain(&h);
    assert_int_equal(hashed_count(&h, LW_C_COALESCED_ANSWERS), 7);
    assert_int_equal(hashed_count(&h, LW_C_VICTIM_WALKS), 1);
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(peek(&h, LW_F_STORED_PTE_STORED_SIZE, i), i % 3 == 0 ? 0 : 5 - i % 3 * 2);
    }
    /* the same tree as a radix table */
    h.judged = false;
    bench_write(&h.b, LW_CTL_ROOT + TREE, UINT64_C(1) << 63 | bench_root(&h.b, TREE));
    hashed_offer(&h, TREE, PAGE + 1);
    for (uint64_t i = 0; i < 8; i++) {
        hashed_offer(&h, TREE, PAGE + i);
        assert_true(h.b.last.kind == LW_OK);
    }
    for (uint32_t n = 0; h.b.answered < h.b.sent; n++) {
        const uint64_t answered = h.b.answered;
        hashed_step(&h);
        assert_true(n < 1000);
        if (h.b.answered != answered) {
            assert_int_equal(h.b.last.size, 0);
        }
    }
    bench_done(&h.b);
}

/* ---------------------------------------------------------------- the table of operations */

typedef struct operation {
    uint8_t level, error, claim_level; /* claim_level 0: no claim */
} operation;

/* Asks, and compares what the CAM takes of its scans. */
static void assert_operations(hashed *h, uint32_t pasid, uint64_t vpn, const operation *want,
                              uint32_t count) {
    uint32_t scans = 0;
    hashed_offer(h, pasid, vpn);
    while (h->b.answered < h->b.sent) {
        hashed_step(h);
        if (peek(h, LW_F_SEARCH_SEARCH_OP, 0) != SCAN) {
            continue;
        }
        assert_true(scans < count);
        assert_int_equal(peek(h, LW_F_SEARCH_SEARCH_LEVEL, 0), want[scans].level);
        assert_int_equal(peek(h, LW_F_SEARCH_SEARCH_ERROR, 0), want[scans].error);
        assert_int_equal(peek(h, LW_F_SEARCH_SEARCH_CLAIM, 0), want[scans].claim_level != 0);
        assert_int_equal(peek(h, LW_F_SEARCH_SEARCH_CLAIM_LEVEL, 0), want[scans].claim_level);
        assert_int_equal(peek(h, LW_F_SEARCH_SEARCH_CLAIM_REACH, 0), 0);
        assert_int_equal(peek(h, LW_F_SEARCH_SEARCH_CLAIM_PERM, 0),
                         want[scans].claim_level != 0 ? 3 : 0);
        assert_int_equal(peek(h, LW_F_SEARCH_SEARCH_PERM, 0), 3);
        assert_int_equal(peek(h, LW_F_SEARCH_SEARCH_VPN, 0), vpn);
        scans++;
    }
    assert_int_equal(scans, count);
    hashed_drain(h);
}

#define OPERATIONS(h, pasid, vpn, ...)                                                             \
    do {                                                                                           \
        const operation want[] = {__VA_ARGS__};                                                    \
        assert_operations(h, pasid, vpn, want, sizeof want / sizeof want[0]);                      \
    } while (0)

static void test_operations(void **state) {
    (void)state;
    hashed h;
    begin(&h, FULL, false);
    map_line(&h, 2);
    OPERATIONS(&h, PASID, PAGE, {2, 1, 1}, {1, 0, 0});
    OPERATIONS(&h, PASID, PAGE ^ 64, {1, 0, 0}); /* CACHED; not present */
    OPERATIONS(&h, PASID, FURTHER, {2, 1, 0}, {0, 1, 0}, {0, 1, 0}, {0, 1, 0});
    bench_map(&h.b, TREE, FURTHER, 0x123);
    OPERATIONS(&h, PASID, FURTHER, {2, 1, 0}, {0, 1, 0}, {0, 1, 0}, {0, 1, 1}, {1, 0, 0});
    hashed_put_step(&h, PASID, FURTHER, 7, true);
    OPERATIONS(&h, PASID, FURTHER + 1, {2, 1, 1}, {1, 1, 2}, {2, 1, 1}, {1, 1, 0}, {0, 1, 0},
               {0, 1, 0}, {0, 1, 1}, {1, 0, 0});
    OPERATIONS(&h, PASID, FURTHER + 2, {1, 1, 2}, {2, 1, 1}, {1, 1, 0}, {0, 1, 0}, {0, 1, 0},
               {0, 1, 1}, {1, 0, 0});
    hashed_put_step(&h, OTHER, PAGE, 7, true);
    OPERATIONS(&h, OTHER, PAGE, {2, 1, 1}, {1, 1, 2}, {2, 1, 1}, {1, 1, 0});
    OPERATIONS(&h, OTHER, FURTHER, {2, 1, 0});
    h.judged = false;
    h.bad = true;
    h.bad_line = hashed_bucket(&h, PASID, PAGE ^ 8192);
    OPERATIONS(&h, PASID, PAGE ^ 8192, {2, 1, 0});
    h.bad_line = hashed_slot_line(&h, PASID, PAGE ^ 128, 2);
    OPERATIONS(&h, PASID, PAGE ^ 128, {2, 1, 1}, {1, 1, 0});
    h.bad = false;
    *bench_pte(&h.b, TREE, PAGE ^ UINT64_C(1) << 20, 2) =
        UINT64_C(0x40200000) | P_ | RW_ | US_ | PS_;
    OPERATIONS(&h, PASID, PAGE ^ UINT64_C(1) << 20, {2, 1, 0}, {0, 1, 0}, {0, 1, 0}, {0, 1, 0});
    hashed_enable(&h, FULL, true, true);
    OPERATIONS(&h, PASID, PAGE ^ UINT64_C(1) << 21, {1, 1, 2}, {2, 1, 0}, {0, 1, 0}, {0, 1, 0});
    bench_done(&h.b);
}

/* R9.15, R21.12: who waits for a line that comes with the error bit walks alone from then on, be it
 * the slot's or the bucket's; a bucket that teaches nobody makes nobody alone. */
static void test_errors_make_alone(void **state) {
    (void)state;
    enum { BUCKET, SLOT, NO_ERROR, CASES };
    for (uint32_t c = 0; c < CASES; c++) {
        hashed h;
        begin_with(&h, 1, FULL, false);
        map_line(&h, 2);
        h.judged = false;
        h.bad = c != NO_ERROR;
        h.bad_line =
            c == SLOT ? hashed_slot_line(&h, PASID, PAGE, 2) : hashed_bucket(&h, PASID, PAGE);
        hashed_offer(&h, PASID, PAGE);
        for (uint32_t n = 0; peek(&h, LW_F_PWST_STARTED, 0) == 0; n++) {
            assert_true(n < 100);
            hashed_step(&h);
        }
        const uint32_t slot = insert(&h, PAGE + 1), level = c == SLOT ? 1 : 2;
        for (uint32_t n = 0; peek(&h, LW_F_UPDATE_UPDATE_OP, 0) != SCAN ||
                             peek(&h, LW_F_UPDATE_UPDATE_LEVEL, 0) != level;
             n++) {
            assert_true(n < 500);
            hashed_step(&h);
        }
        assert_int_equal(peek(&h, LW_F_UPDATE_UPDATE_ERROR, 0), 1);
        assert_int_equal(peek(&h, LW_F_UPDATE_UPDATE_FAILED, 0), c != NO_ERROR);
        assert_int_equal(peek(&h, LW_F_BUFFER_CL, slot), level);
        hashed_step(&h);
        assert_int_equal(peek(&h, LW_F_BUFFER_CL, slot), c == NO_ERROR);
        assert_int_equal(peek(&h, LW_F_BUFFER_ALONE, slot), c != NO_ERROR);
        h.bad = false;
        hashed_drain(&h);
        bench_done(&h.b);
    }
}

/* ---------------------------------------------------------------- marks */

static bool any_cached(const hashed *h, uint32_t pasid) {
    for (uint32_t i = 0; i < h->b.hw.pwc_entries; i++) {
        if (peek(h, LW_F_STEP_CACHE_VALID, i) != 0 && peek(h, LW_F_STEP_CACHE_PASID, i) == pasid) {
            return true;
        }
    }
    return false;
}

/* R21.15, R21.14: whenever a mark comes, what was read before it is not kept; a walk that it meets
 * is STALE and answers all the same; other PASIDs keep what they have. */
static void test_marks(void **state) {
    (void)state;
    uint32_t stale = 0, kept = 0;
    for (uint32_t at = 0; at < 100; at++) {
        hashed h;
        begin(&h, FULL, false);
        map_line(&h, 2);
        hashed_map(&h, OTHER, PAGE ^ 8192, 1, 0x55);
        hashed_ask(&h, OTHER, PAGE ^ 8192, 0);
        hashed_offer(&h, PASID, PAGE);
        for (uint32_t n = 0; n < at; n++) {
            hashed_step(&h);
        }
        h.b.in.inv_valid = true;
        h.b.in.inv_type = 2;
        h.b.in.inv_pasid = PASID;
        hashed_step(&h);
        assert_int_equal(peek(&h, LW_F_INVALIDATION_STATE, 0), MARK);
        const bool started = peek(&h, LW_F_PWST_STARTED, 0) != 0 || h.b.answered == h.b.sent;
        hashed_step(&h);
        assert_false(any_cached(&h, PASID));
        stale += (uint32_t)peek(&h, LW_F_PWST_STALE, 0);
        hashed_drain(&h);
        assert_int_equal(h.b.last.kind, LW_OK);
        kept += any_cached(&h, PASID);
        assert_true(any_cached(&h, OTHER));
        if (started) {
            assert_false(any_cached(&h, PASID));
        }
        assert_int_equal(hashed_count(&h, LW_C_STEP_READS), 2); /* R21.17: STALE ones too */
        bench_done(&h.b);
    }
    assert_true(stale > 30 && kept > 3);
}

/* R21.14, R21.15: whenever a mark comes that meets another PASID, be it in the cycle of the scan or
 * in that of the fill, what the bucket says is kept. */
static void test_marks_of_others(void **state) {
    (void)state;
    uint32_t scans = 0, fills = 0;
    for (uint32_t at = 0; at < 60; at++) {
        hashed h;
        begin(&h, FULL, false);
        map_line(&h, 2);
        hashed_offer(&h, PASID, PAGE);
        for (uint32_t n = 0; n < at; n++) {
            hashed_step(&h);
        }
        h.b.in.inv_valid = true;
        h.b.in.inv_type = 2;
        h.b.in.inv_pasid = OTHER;
        hashed_step(&h);
        assert_int_equal(peek(&h, LW_F_INVALIDATION_STATE, 0), MARK);
        fills += peek(&h, LW_F_PWC_FILL_PWC_FILL_VALID, 0) != 0;
        hashed_step(&h);
        scans += peek(&h, LW_F_PWC_FILL_PWC_FILL_VALID, 0) != 0;
        hashed_drain(&h);
        assert_true(any_cached(&h, PASID));
        assert_int_equal(hashed_count(&h, LW_C_STEP_READS), 1);
        bench_done(&h.b);
    }
    assert_true(scans == 1 && fills == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_line_of_sizes), cmocka_unit_test(test_lines_of_the_victim_buffer),
        cmocka_unit_test(test_operations),      cmocka_unit_test(test_marks),
        cmocka_unit_test(test_marks_of_others), cmocka_unit_test(test_errors_make_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
