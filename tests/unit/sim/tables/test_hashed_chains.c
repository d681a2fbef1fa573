/* The driver of a hashed page table where all eight slots of a chain are valid (R20.18). */
#include "tests/unit/sim/tables/hashed_homes.h"

static void a_full_chain_gives_a_remote_entry(void **state) {
    (void)state;
    bench b;
    bench_open(&b, bench_config(4));
    (void)put(&b, 15, 0, REMOTE); /* older, but not of the chain */
    for (uint32_t n = 0; n < 8; n++) {
        (void)put(&b, 4, n, n == 2 || n == 5 ? REMOTE : RWX);
    }
    (void)lw_hashed_table_access(b.table, 0, region_at(&b, 0, 4, 2) * REGION, 1);
    assert_int_equal(step_of(&b, 0, put(&b, 4, 8, RWX)), 5);
    assert_int_equal(counts(&b).chain_evictions, 1);
    for (uint32_t n = 0; n < 9; n++) {
        assert_true(right(&b, region_at(&b, 0, 4, n), n));
    }
    assert_int_equal(hashed_walk(&b, 0, region_at(&b, 0, 4, 5) * REGION + 5, false).place,
                     LW_HASHED_VICTIM_BUFFER);
    assert_int_equal(step_of(&b, 0, region_at(&b, 0, 15, 0)), 0);
    check_tables(&b);
    bench_close(&b);
}

/* A move is no use: of two remote entries that of region 1 is the older one, whichever has moved.
 */
static void a_moved_entry_keeps_its_age(void **state) {
    (void)state;
    for (uint32_t moved = 1; moved <= 2; moved++) {
        bench b;
        bench_open(&b, bench_config(4));
        for (uint32_t n = 0; n < 7; n++) {
            (void)put(&b, 4, n, n == 1 || n == 2 ? REMOTE : RWX);
        }
        assert_true(act(&b, lw_hashed_table_move, 0, region_at(&b, 0, 4, moved) * REGION));
        assert_int_equal(step_of(&b, 0, region_at(&b, 0, 4, moved)), 7);
        assert_int_equal(step_of(&b, 0, put(&b, 4, 7, RWX)), moved);
        assert_int_equal(step_of(&b, 0, put(&b, 4, 8, RWX)), moved == 1 ? 7 : 1);
        assert_int_equal(hashed_walk(&b, 0, region_at(&b, 0, 4, 1) * REGION + 1, false).place,
                         LW_HASHED_VICTIM_BUFFER);
        assert_int_equal(counts(&b).chain_evictions, 1);
        check_tables(&b);
        bench_close(&b);
    }
}

static void a_full_chain_moves_a_member(void **state) {
    (void)state;
    bench b;
    bench_open(&b, bench_config(4));
    for (uint32_t n = 0; n < 7; n++) {
        (void)put(&b, 4, n, RWX);
    }
    const uint64_t other = put(&b, 11, 0, RWX); /* the last slot of the chain is its home */
    assert_int_equal(step_of(&b, 0, put(&b, 4, 7, RWX)), 7);
    assert_int_equal(step_of(&b, 0, other), 1);
    assert_int_equal(counts(&b).chain_moves, 1);
    for (uint32_t n = 0; n < 8; n++) {
        assert_true(right(&b, region_at(&b, 0, 4, n), n));
    }
    assert_true(right(&b, other, 0));
    check_tables(&b);
    /* the slot that a member leaves is a deleted one: what lies behind it is still found */
    unmap(&b, 0, region_at(&b, 0, 4, 7) * REGION + 7, 1);
    map(&b, 0, other * REGION + 1, 9, RWX);
    assert_int_equal(step_of(&b, 0, other), 1);
    check_tables(&b);
    bench_close(&b);
}

/* The first of those who have a slot to go to is moved, to the first that it has. */
static void the_first_that_can_is_moved(void **state) {
    (void)state;
    bench b;
    bench_open(&b, bench_config(4));
    for (uint32_t n = 0; n < 6; n++) {
        (void)put(&b, 4, n, RWX);
    }
    const uint64_t first = put(&b, 10, 0, RWX), second = put(&b, 11, 0, RWX);
    assert_int_equal(step_of(&b, 0, put(&b, 4, 6, RWX)), 6);
    assert_int_equal(step_of(&b, 0, first), 2); /* past the second */
    assert_int_equal(step_of(&b, 0, second), 0);
    check_tables(&b);
    bench_close(&b);
}

/* Who is pinned is passed over: another is moved, and where there is no other, nobody. */
static void a_pinned_member_stays(void **state) {
    (void)state;
    bench b;
    bench_open(&b, bench_config(4));
    for (uint32_t n = 0; n < 6; n++) {
        (void)put(&b, 4, n, RWX);
    }
    const uint64_t pinned = put(&b, 10, 0, RWX);
    const uint64_t other = put(&b, 11, 0, RWX);
    lw_hashed_table_pin(b.table, 0, pinned * REGION);
    assert_int_equal(step_of(&b, 0, put(&b, 4, 6, RWX)), 7);
    assert_int_equal(step_of(&b, 0, pinned), 0);
    assert_int_equal(step_of(&b, 0, other), 1);
    assert_int_equal(step_of(&b, 0, put(&b, 4, 7, RWX)), UINT32_MAX);
    assert_int_equal(step_of(&b, 0, pinned), 0);
    assert_int_equal(counts(&b).chain_moves, 1);
    assert_int_equal(counts(&b).unplaced, 1);
    check_tables(&b);
    bench_close(&b);
}

/* All slots of a chain are taken by local entries that have nowhere else to go. */
static void a_chain_that_stays_full(void **state) {
    (void)state;
    bench b;
    lw_hashed_config config = bench_config(3);
    config.max_local = 100; /* more memory than the table can say */
    bench_open(&b, config);
    for (uint64_t n = 0; n < 8; n++) {
        map(&b, 0, n * REGION, 50 + n, RWX);
    }
    map(&b, 0, 8 * REGION, 60, RWX);
    assert_int_equal(counts(&b).over_threshold, 1);
    bench_close(&b);
    config = bench_config(4);
    bench_open(&b, config);
    for (uint32_t n = 0; n < 8; n++) {
        (void)put(&b, 4, n, RWX);
    }
    const uint64_t ninth = put(&b, 4, 8, RWX);
    assert_int_equal(counts(&b).unplaced, 1);
    assert_int_equal(hashed_walk(&b, 0, ninth * REGION + 8, false).place, LW_HASHED_VICTIM_BUFFER);
    map(&b, 0, ninth * REGION, 5, RWX); /* a second page is no second try */
    assert_int_equal(counts(&b).unplaced, 1);
    assert_int_equal(lw_hashed_table_figures(b.table).victim_regions, 1);
    assert_true(right(&b, ninth, 8) && right(&b, ninth, 0));
    /* it comes back when there is room */
    assert_false(act(&b, lw_hashed_table_recall, 0, ninth * REGION));
    unmap(&b, 0, region_at(&b, 0, 4, 3) * REGION + 3, 1);
    assert_true(act(&b, lw_hashed_table_recall, 0, ninth * REGION));
    assert_int_equal(step_of(&b, 0, ninth), 3);
    assert_true(right(&b, ninth, 8) && right(&b, ninth, 0));
    check_tables(&b);
    bench_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_chain_gives_a_remote_entry),
        cmocka_unit_test(a_moved_entry_keeps_its_age),
        cmocka_unit_test(a_full_chain_moves_a_member),
        cmocka_unit_test(the_first_that_can_is_moved),
        cmocka_unit_test(a_pinned_member_stays),
        cmocka_unit_test(a_chain_that_stays_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
