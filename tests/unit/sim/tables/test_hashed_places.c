/* What stays where it is in a hashed table when a page of it changes (hashed_table.h): an entry
 * that becomes local, a page that is replaced, and whoever leaves the GPU's memory for another. */
#include "tests/unit/sim/tables/hashed_bench.h"

/* R20.17, R20.20: a remote entry becomes local with a local page, where it is; only where the GPU's
 * memory is full does another leave for it. */
static void a_remote_entry_becomes_local(void **state) {
    (void)state;
    bench b;
    lw_hashed_config config = bench_config(4);
    config.max_local = 2;
    bench_open(&b, config);
    map(&b, 0, 3 * REGION, 1, RWX);
    map(&b, 0, 5 * REGION, 2, REMOTE);
    map(&b, 0, 9 * REGION, 3, REMOTE);
    const uint32_t step = step_of(&b, 0, 5);
    map(&b, 0, 5 * REGION + 1, 4, RWX);
    lw_hashed_figures f = lw_hashed_table_figures(b.table);
    assert_true(f.local == 2 && f.remote == 1 && b.paged_out == 0);
    assert_int_equal(step_of(&b, 0, 5), step);
    assert_true(agree(&b, 0, 5 * REGION) && agree(&b, 0, 5 * REGION + 1));
    check_tables(&b);
    map(&b, 0, 9 * REGION + 1, 5, RWX);
    f = lw_hashed_table_figures(b.table);
    assert_true(f.local == 2 && f.remote == 0 && b.paged_out == 1);
    assert_int_equal(lw_hashed_table_counts(b.table).page_evictions, 1);
    assert_int_equal(step_of(&b, 0, 3), UINT32_MAX); /* it was used least recently */
    assert_true(agree(&b, 0, 3 * REGION) && agree(&b, 0, 9 * REGION) && agree(&b, 0, 5 * REGION));
    check_tables(&b);
    bench_close(&b);
}

/* A page of 4 KiB gets another frame and other permissions by one word, and stays where it is,
 * local or remote; others, and pages that are not there, are refused. */
static void a_page_is_replaced(void **state) {
    (void)state;
    bench b;
    lw_error err = {0};
    lw_hashed_page before, after;
    bench_open(&b, bench_config(4));
    map(&b, 0, 3 * REGION, 1, REMOTE);
    map_size(&b, 0, 3 * REGION + 16, 0x100, LW_SIZE_64K, RWX);
    for (int evicted = 0; evicted < 2; evicted++) {
        const uint64_t frame = 0x77 + (uint64_t)evicted;
        assert_true(evicted == 0 || act(&b, lw_hashed_table_evict, 0, 3 * REGION));
        assert_true(lw_hashed_table_find(b.table, 0, 3 * REGION, &before));
        const uint64_t words = lw_hashed_table_counts(b.table).words;
        assert_true(lw_hashed_table_replace(b.table, 0, 3 * REGION, frame, LW_MAP_U, &err));
        assert_true(lw_hashed_table_drain(b.table, &err));
        assert_int_equal(lw_hashed_table_counts(b.table).words, words + 1);
        assert_true(lw_page_table_remap(b.plain[0], 3 * REGION, frame, &err) &&
                    lw_page_table_protect(b.plain[0], 3 * REGION, LW_MAP_U, &err));
        assert_true(lw_hashed_table_find(b.table, 0, 3 * REGION, &after));
        assert_true(after.pa == before.pa && after.in_victim_buffer == (evicted != 0));
        assert_true((after.pte & REMOTE_BIT) != 0 && agree(&b, 0, 3 * REGION));
        for (uint64_t page = 1; page < 40; page++) {
            assert_false(
                lw_hashed_table_replace(b.table, 0, 3 * REGION + page, 0x78, LW_MAP_U, &err));
            assert_non_null(strstr(err.text, "is no page of 4 KiB"));
            assert_true(agree(&b, 0, 3 * REGION + page));
        }
        assert_false(lw_hashed_table_replace(b.table, 0, 4 * REGION, 0x78, LW_MAP_U, &err));
    }
    check_tables(&b);
    bench_close(&b);
}

/* Whether the region is remote, by its page `index`. */
static bool is_remote(const bench *b, uint64_t region, uint64_t index) {
    lw_hashed_page page;
    assert_true(lw_hashed_table_find(b->table, 0, region * REGION + index, &page));
    return (page.pte & REMOTE_BIT) != 0;
}

/* R20.30: where the GPU's memory has room nobody leaves it for another, which comes from the table
 * or from the victim buffer. */
static void regions_come_into_room(void **state) {
    (void)state;
    bench b;
    lw_hashed_config config = bench_config(4);
    config.max_local = 3;
    bench_open(&b, config);
    map(&b, 0, 0, 1, RWX);
    map(&b, 0, 20 * REGION, 2, REMOTE);
    map(&b, 0, 40 * REGION, 3, REMOTE);
    assert_true(act(&b, lw_hashed_table_evict, 0, 40 * REGION));
    assert_true(act(&b, lw_hashed_table_migrate, 0, 20 * REGION));
    assert_true(act(&b, lw_hashed_table_migrate, 0, 40 * REGION));
    assert_false(is_remote(&b, 0, 0) || is_remote(&b, 20, 0) || is_remote(&b, 40, 0));
    assert_int_equal(lw_hashed_table_figures(b.table).local, 3);
    assert_int_equal(lw_hashed_table_counts(b.table).demotions, 0);
    check_tables(&b);
    bench_close(&b);
}

/* R20.30, R20.20: else the local entry goes that was used least recently, and a page that is added
 * is a use. */
static void the_local_entry_used_least_recently_goes(void **state) {
    (void)state;
    bench b;
    lw_hashed_config config = bench_config(4);
    config.max_local = 2;
    bench_open(&b, config);
    map(&b, 0, 0, 1, RWX);
    map(&b, 0, 20 * REGION, 2, RWX);
    map(&b, 0, 40 * REGION, 3, REMOTE);
    map(&b, 0, 100, 4, RWX);
    const uint32_t step = step_of(&b, 0, 20);
    assert_true(act(&b, lw_hashed_table_migrate, 0, 40 * REGION));
    assert_true(!is_remote(&b, 0, 0) && is_remote(&b, 20, 0) && !is_remote(&b, 40, 0));
    assert_int_equal(step_of(&b, 0, 20), step);
    check_tables(&b);
    bench_close(&b);
}

/* R20.30: accesses to a region count from when it became remote on, wherever its entry is by then
 * and whatever other pages of it have come and gone, and so do the cycles from the first to the
 * last of them. */
static void accesses_go_along(void **state) {
    (void)state;
    bench b;
    bench_open(&b, bench_config(4));
    map(&b, 0, 0, 1, REMOTE);
    assert_int_equal(lw_hashed_table_access(b.table, 0, 0, 100), 1);
    assert_true(act(&b, lw_hashed_table_move, 0, 0));
    assert_int_equal(lw_hashed_table_access(b.table, 0, 0, 110), 2);
    assert_true(act(&b, lw_hashed_table_evict, 0, 0));
    assert_int_equal(lw_hashed_table_access(b.table, 0, 0, 130), 3);
    assert_true(act(&b, lw_hashed_table_recall, 0, 0));
    assert_int_equal(lw_hashed_table_access(b.table, 0, 0, 170), 4);
    map(&b, 0, 1, 2, REMOTE);
    assert_int_equal(lw_hashed_table_access(b.table, 0, 0, 180), 5);
    unmap(&b, 0, 1, 1);
    assert_int_equal(lw_hashed_table_access(b.table, 0, 0, 190), 6);
    assert_int_equal(lw_hashed_table_counts(b.table).live_cycles, 90);
    bench_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_remote_entry_becomes_local),
        cmocka_unit_test(a_page_is_replaced),
        cmocka_unit_test(regions_come_into_room),
        cmocka_unit_test(the_local_entry_used_least_recently_goes),
        cmocka_unit_test(accesses_go_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
