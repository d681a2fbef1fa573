/* Walks of hashed tables, one at a time: what is read, in which cycle (chapter 21; R20.12, R20.13).
 */
#include "tests/unit/c_model/hashed_walk.h"

/* R20.12, R21.7, R21.8: a miss reads the bucket and the slot; then its region is a hit in the step
 * cache (R21.14), and one read is enough. Other regions of the group are hits as well. */
static void test_miss_and_hit(void **state) {
    (void)state;
    hashed h;
    begin(&h, false);
    hashed_map(&h, PASID, PAGE, 2, 0x100);
    hashed_map(&h, PASID, BESIDE, 2, 0x101);
    hashed_map(&h, PASID, FURTHER, 0, 0x102);
    hashed_ask(&h, PASID, PAGE, READ);
    assert_answer(&h, LW_OK, 0, 0x100, 0);
    assert_int_equal(h.reads, 2);
    /* with OWN_LINE=1 the walk advances first (R6.16, R7.7), a cycle more */
    const uint64_t bucket = ENTERS + LOOKUP_TAKES + 1;
    const uint64_t slot = bucket + LATENCY + SCAN_TAKES + LOOKUP_TAKES;
    assert_read(&h, 0, hashed_bucket(&h, PASID, PAGE), bucket);
    assert_read(&h, 1, hashed_slot_line(&h, PASID, PAGE, 2), slot);
    assert_int_equal(h.answered_at, slot + LATENCY + ANSWER_TAKES);
    assert_int_equal(hashed_count(&h, LW_C_PWC_LOOKUPS), 1);
    assert_int_equal(hashed_count(&h, LW_C_PWC_HITS), 0);

    hashed_ask(&h, PASID, BESIDE, READ);
    assert_answer(&h, LW_OK, 0, 0x101, 0);
    assert_int_equal(h.reads, 1);
    assert_read(&h, 0, hashed_slot_line(&h, PASID, BESIDE, 2), ENTERS + LOOKUP_TAKES);
    assert_int_equal(h.answered_at, ENTERS + LOOKUP_TAKES + LATENCY + ANSWER_TAKES);
    hashed_ask(&h, PASID, FURTHER, READ);
    assert_answer(&h, LW_OK, 0, 0x102, 0);
    assert_int_equal(h.reads, 1);
    assert_int_equal(hashed_count(&h, LW_C_PWC_LOOKUPS), 3);
    assert_int_equal(hashed_count(&h, LW_C_PWC_HITS), 2);
    assert_int_equal(hashed_count(&h, LW_C_STEP_READS), 1); /* R21.17 */
    assert_int_equal(hashed_count(&h, LW_C_TABLE_READS), 3);
    assert_int_equal(hashed_count(&h, LW_C_TAG_MISSES), 0);
    bench_done(&h.b);
}

static void assert_reg(const hashed *h, lw_field f, uint64_t want) {
    const uint64_t got = bench_peek(&h->b, f, 0);
    if (got != want) {
        fail_msg("%s is %llx, not %llx", lw_field_name(f), (unsigned long long)got,
                 (unsigned long long)want);
    }
}

/* The picture of R21.6, stage by stage (R6.1, R21.3 to R21.7), with each PWC_LATENCY. */
static void test_picture(void **state) {
    (void)state;
    for (uint32_t latency = 4; latency <= 8; latency++) {
        hashed h;
        lw_params hw = hashed_hw;
        hw.pwc_latency = latency;
        hw.walkers = 1;
        begin_with(&h, &hw, 0, true, false);
        hashed_map(&h, PASID, PAGE, 5, 0x100);
        hashed_map(&h, PASID, BESIDE, 5, 0x101);
        hashed_ask(&h, PASID, PAGE, READ);
        hashed_offer(&h, PASID, BESIDE);
        for (uint32_t n = 1; n < ENTERS; n++) {
            hashed_step(&h);
        }
        assert_reg(&h, LW_F_PWST_STATE, PWC_REQ); /* cycle t */
        assert_reg(&h, LW_F_PWST_WHERE, LOOKUP);
        assert_reg(&h, LW_F_PWST_OWN_LINE, 1);
        assert_reg(&h, LW_F_PWC_KEY_KEY_WHERE, KNOWN); /* of the walk before */
        for (uint32_t n = 4; n < latency; n++) {
            hashed_step(&h);
            assert_reg(&h, LW_F_PWC_KEY_KEY_WHERE, KNOWN);
        }
        hashed_step(&h); /* stage PWC_LATENCY - 3: compared */
        assert_reg(&h, LW_F_PWST_STATE, PWC_WAIT);
        assert_reg(&h, LW_F_PWC_KEY_KEY_VPN, BESIDE);
        assert_reg(&h, LW_F_PWC_KEY_KEY_PASID, PASID);
        assert_reg(&h, LW_F_PWC_KEY_KEY_WHERE, LOOKUP);
        assert_reg(&h, LW_F_HASH_CHOSEN_WHERE, KNOWN);
        hashed_step(&h); /* product */
        assert_reg(&h, LW_F_HASH_CHOSEN_WHERE, CACHED);
        assert_reg(&h, LW_F_HASH_CHOSEN_STEP, 5);
        assert_reg(&h, LW_F_HASH_CHOSEN_LOG, h.of[PASID].table_log);
        assert_reg(&h, LW_F_HASH_CHOSEN_FRAME, h.of[PASID].table_frame);
        assert_reg(&h, LW_F_HASH_PRODUCT_WHERE, KNOWN);
        hashed_step(&h); /* sum */
        assert_reg(&h, LW_F_HASH_PRODUCT_WHERE, CACHED);
        assert_reg(&h, LW_F_HASH_PRODUCT_OFFSET, (5 * h.stride) << (27 - 6) & 0x7ffffff);
        assert_reg(&h, LW_F_HASH_SUM_WHERE, KNOWN);
        hashed_step(&h); /* place */
        assert_reg(&h, LW_F_HASH_SUM_WHERE, CACHED);
        assert_reg(&h, LW_F_PWC_RESULT_RESULT_VALID, 0);
        hashed_step(&h);
        assert_reg(&h, LW_F_PWC_RESULT_RESULT_VALID, 1); /* cycle t + PWC_LATENCY + 1 */
        assert_reg(&h, LW_F_PWC_RESULT_RESULT_HIT, 1);
        assert_reg(&h, LW_F_PWC_RESULT_RESULT_WHERE, CACHED);
        assert_reg(&h, LW_F_PWC_RESULT_RESULT_NODE, hashed_slot(&h, PASID, BESIDE, 5) / 64);
        assert_reg(&h, LW_F_PWST_STATE, PWC_WAIT);
        hashed_step(&h);
        assert_reg(&h, LW_F_PWC_RESULT_RESULT_VALID, 0);
        assert_reg(&h, LW_F_PWC_RESULT_RESULT_HIT, 1); /* the rest stays */
        assert_reg(&h, LW_F_PWST_STATE, REQ);
        assert_reg(&h, LW_F_PWST_WHERE, CACHED);
        assert_reg(&h, LW_F_PWST_LEVEL, 1);
        assert_reg(&h, LW_F_PWST_PERM, 3);
        assert_reg(&h, LW_F_PWST_NODE, hashed_slot(&h, PASID, BESIDE, 5) / 64);
        assert_reg(&h, LW_F_PWST_BUCKET, bench_peek(&h.b, LW_F_PWC_RESULT_RESULT_BUCKET, 0));
        assert_reg(&h, LW_F_HASH_SUM_WHERE, CACHED);
        hashed_drain(&h);
        assert_int_equal(h.answered_at,
                         ENTERS + LOOKUP_TAKES + latency - 4 + LATENCY + ANSWER_TAKES);
        bench_done(&h.b);
    }
}

/* R21.3: whatever a walker looks up, the key register gets VPN, PASID, WHERE and NODE[2:0] as they
 * stood in the cycle in which the lookup entered, and keeps them till the next does. */
static void test_key(void **state) {
    (void)state;
    static const lw_field of[] = {LW_F_PWST_VPN, LW_F_PWST_PASID, LW_F_PWST_WHERE, LW_F_PWST_NODE};
    static const lw_field key[] = {LW_F_PWC_KEY_KEY_VPN, LW_F_PWC_KEY_KEY_PASID,
                                   LW_F_PWC_KEY_KEY_WHERE, LW_F_PWC_KEY_KEY_STEP};
    enum { FIELDS = 4 };
    hashed h;
    uint64_t want[FIELDS] = {0};
    uint32_t seen = 0;
    lw_params hw = hashed_hw;
    hw.walkers = 1;
    begin_with(&h, &hw, 0, true, true);
    hashed_map(&h, PASID, PAGE, 3, 0x100);
    hashed_offer(&h, PASID, PAGE);
    while (h.b.answered < h.b.sent) {
        if (bench_peek(&h.b, LW_F_PWST_STATE, 0) == PWC_REQ) { /* nobody is before it */
            for (uint32_t i = 0; i < FIELDS; i++) {
                want[i] = bench_peek(&h.b, of[i], 0) & (i == FIELDS - 1 ? 7 : UINT64_MAX);
            }
            seen |= 1u << want[2];
        }
        hashed_step(&h);
        for (uint32_t i = 0; i < FIELDS; i++) {
            assert_reg(&h, key[i], want[i]);
        }
    }
    assert_int_equal(seen, 1 << LOOKUP | 1 << STEPS | 1 << KNOWN);
    bench_done(&h.b);
}

/* R21.5: registers of the hash stay where their stage holds no lookup, though the frame and the
 * STRIDE that they were loaded from have become others. */
static void test_hash_stays(void **state) {
    (void)state;
    hashed h;
    begin(&h, false);
    hashed_map(&h, PASID, PAGE, 5, 0x100);
    hashed_map(&h, PASID, BESIDE, 5, 0x101);
    hashed_ask(&h, PASID, PAGE, READ);
    hashed_offer(&h, PASID, BESIDE);
    for (uint32_t n = 0; bench_peek(&h.b, LW_F_HASH_CHOSEN_WHERE, 0) != CACHED; n++) {
        assert_true(n < 50);
        hashed_step(&h);
    }
    const uint64_t offset = (5 * h.stride) << (27 - 6) & 0x7ffffff;
    bench_write(&h.b, LW_CTL_ROOT + PASID, UINT64_C(3) << 62 | UINT64_C(7) << 57 | 128);
    bench_write(&h.b, LW_CTL_STRIDE, h.stride + 2);
    for (uint32_t n = 0; n < 4; n++) {
        assert_reg(&h, LW_F_HASH_CHOSEN_WHERE, CACHED);
        assert_reg(&h, LW_F_HASH_CHOSEN_STEP, 5);
        assert_reg(&h, LW_F_HASH_CHOSEN_LOG, h.of[PASID].table_log);
        assert_reg(&h, LW_F_HASH_CHOSEN_FRAME, h.of[PASID].table_frame);
        assert_reg(&h, LW_F_HASH_PRODUCT_OFFSET, offset);
        assert_reg(&h, LW_F_HASH_PRODUCT_LOG, h.of[PASID].table_log);
        hashed_step(&h);
    }
    hashed_drain(&h);
    assert_answer(&h, LW_OK, 0, 0x101, 0);
    bench_done(&h.b);
}

/* R20.13: at home one read, off its home three; the home that is another's is no retry (R21.9). */
static void test_home_first(void **state) {
    (void)state;
    hashed h;
    begin(&h, true);
    hashed_map(&h, PASID, PAGE, 0, 0x100);
    hashed_map(&h, PASID, FURTHER ^ 8192, 3, 0x102);
    hashed_ask(&h, PASID, PAGE, READ);
    assert_answer(&h, LW_OK, 0, 0x100, 0);
    assert_int_equal(h.reads, 1);
    assert_read(&h, 0, hashed_slot_line(&h, PASID, PAGE, 0), ENTERS + LOOKUP_TAKES);
    hashed_ask(&h, PASID, FURTHER ^ 8192, READ);
    assert_answer(&h, LW_OK, 0, 0x102, 0);
    assert_int_equal(h.reads, 3);
    const uint64_t home = ENTERS + LOOKUP_TAKES;
    const uint64_t bucket = home + LATENCY + SCAN_TAKES + LOOKUP_TAKES;
    const uint64_t slot = bucket + LATENCY + SCAN_TAKES + LOOKUP_TAKES;
    assert_read(&h, 0, hashed_slot_line(&h, PASID, FURTHER ^ 8192, 0), home);
    assert_read(&h, 1, hashed_bucket(&h, PASID, FURTHER ^ 8192), bucket);
    assert_read(&h, 2, hashed_slot_line(&h, PASID, FURTHER ^ 8192, 3), slot);
    assert_int_equal(hashed_count(&h, LW_C_TAG_MISSES), 1);
    assert_int_equal(hashed_count(&h, LW_C_STEP_RETRIES), 0);
    assert_int_equal(hashed_count(&h, LW_C_TABLE_READS), 3);
    hashed_ask(&h, PASID, (FURTHER ^ 8192) + 1, READ); /* cached now, which comes before the home */
    assert_answer(&h, LW_NOT_PRESENT, 1, 0, 0);
    assert_int_equal(h.reads, 1);
    assert_int_equal(hashed_count(&h, LW_C_PWC_HITS), 1);
    bench_done(&h.b);
}

/* R12.8: the root goes in any cycle of a walk, by a word that has other bits of a table
 * than the walk's. The walk ends in the table that it began in, or it has not begun. */
static void test_root_goes(void **state) {
    (void)state;
    static const uint64_t words[] = {0, ~(UINT64_C(1) << 63), UINT64_C(18) << 57 | 1};
    uint32_t walked = 0;
    for (uint32_t n = 0; n < 3; n++) {
        for (uint32_t at = 0; at < 60; at++) {
            hashed h;
            begin(&h, false);
            hashed_map(&h, PASID, PAGE, 2, 0x100);
            h.reads = 0;
            hashed_offer(&h, PASID, PAGE);
            for (uint32_t cycle = 0; cycle < at; cycle++) {
                hashed_step(&h);
            }
            h.b.in.ctl_write = true;
            h.b.in.ctl_addr = LW_CTL_ROOT + PASID;
            h.b.in.ctl_wdata = words[n];
            hashed_step(&h);
            hashed_drain(&h);
            if (h.b.last.kind == LW_OK) {
                assert_answer(&h, LW_OK, 0, 0x100, 0);
                assert_true(h.line[0] == hashed_bucket(&h, PASID, PAGE));
                walked++;
            } else {
                assert_answer(&h, LW_UNKNOWN_PASID, 0, 0, 0);
                assert_int_equal(h.reads, 0);
            }
            bench_done(&h.b);
        }
    }
    assert_true(walked > 90 && walked < 180);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_miss_and_hit), cmocka_unit_test(test_picture),
        cmocka_unit_test(test_key),          cmocka_unit_test(test_hash_stays),
        cmocka_unit_test(test_home_first),   cmocka_unit_test(test_root_goes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
