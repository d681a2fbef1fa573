/* The copy of a region that a recall leaves in the victim buffer follows its entry (R20.33): a walk
 * that has met a move and an old step reads there. */
#include "tests/unit/sim/tables/hashed_bench.h"

/* Every page of the region is in the victim buffer as in the plain table. */
static bool copy_follows(const bench *b, uint64_t region) {
    const lw_flat_image image = {.read64 = bench_read64, .ctx = b->mem};
    lw_hashed_roots roots;
    assert_true(lw_hashed_table_roots(b->table, 0, &roots));
    for (uint64_t i = 0; i < b->slot_pages; i++) {
        lw_flat_walk_query q = bench_query(b, 0, region * b->slot_pages + i, 0).page;
        q.root = roots.victim_frame;
        const lw_oracle_answer wanted = plain_walk(b, 0, region * b->slot_pages + i);
        const lw_oracle_answer got = lw_flat_walk(&image, &q);
        const bool is_there = got.kind == LW_ORACLE_OK;
        if (is_there != (wanted.kind == LW_ORACLE_OK) ||
            (is_there && (got.pfn != wanted.pfn || got.w != wanted.w || got.x != wanted.x))) {
            return false;
        }
    }
    return true;
}

static void begin(bench *b) {
    bench_open(b, bench_config(4));
    map(b, 0, 3, 0x103, RWX);
    assert_true(act(b, lw_hashed_table_evict, 0, 3) && act(b, lw_hashed_table_recall, 0, 3));
    assert_true(copy_follows(b, 0));
}

static void test_pages_come(void **state) {
    (void)state;
    bench b;
    begin(&b);
    map(&b, 0, 4, 0x204, RWX);
    assert_true(copy_follows(&b, 0));
    map_size(&b, 0, 64, 0x240, LW_SIZE_64K, LW_MAP_U);
    assert_true(copy_follows(&b, 0) && agree(&b, 0, 4) && agree(&b, 0, 79));
    bench_close(&b);
}

static void test_pages_change(void **state) {
    (void)state;
    bench b;
    lw_error err = {0};
    begin(&b);
    assert_true(lw_hashed_table_replace(b.table, 0, 3, 0x303, LW_MAP_U, &err));
    assert_true(lw_hashed_table_drain(b.table, &err));
    assert_true(lw_page_table_unmap(b.plain[0], 3, &err));
    plain_map(&b, 0, 3, 0x303, LW_SIZE_4K, LW_MAP_U);
    assert_true(copy_follows(&b, 0) && agree(&b, 0, 3));
    bench_close(&b);
}

static void test_pages_go(void **state) {
    (void)state;
    bench b;
    begin(&b);
    map_size(&b, 0, 16, 0x210, LW_SIZE_64K, RWX);
    unmap(&b, 0, 20, 16);
    assert_true(copy_follows(&b, 0) && agree(&b, 0, 16) && agree(&b, 0, 3));
    unmap(&b, 0, 3, 1);
    assert_true(copy_follows(&b, 0));
    bench_close(&b);
}

/* R20.19: the first local page takes the region along, and is itself no part of what was left. */
static void test_first_local_page(void **state) {
    (void)state;
    bench b;
    bench_open(&b, bench_config(4));
    map(&b, 0, 3, 0x103, REMOTE);
    assert_true(act(&b, lw_hashed_table_evict, 0, 3));
    map(&b, 0, 4, 0x104, RWX);
    assert_int_equal(lw_hashed_table_counts(b.table).recalls, 1);
    assert_true(step_of(&b, 0, 0) != UINT32_MAX && copy_follows(&b, 0));
    bench_close(&b);
}

/* Another region of the same node, which has no copy, leaves none. */
static void test_beside(void **state) {
    (void)state;
    bench b;
    begin(&b);
    map(&b, 0, REGION + 7, 0x107, RWX);
    assert_false(copy_follows(&b, 1));
    unmap(&b, 0, REGION + 7, 1);
    assert_true(copy_follows(&b, 1) && copy_follows(&b, 0));
    bench_close(&b);
}

/* R20.24: of a region that is paged out the copy is emptied before its step goes, so that nobody
 * finds it there. */
static void test_the_copy_goes_first(void **state) {
    (void)state;
    bench b;
    lw_error err = {0};
    lw_hashed_config config = bench_config(4);
    config.max_local = 1;
    bench_open(&b, config);
    map(&b, 0, 3, 0x103, RWX);
    assert_true(act(&b, lw_hashed_table_evict, 0, 3) && act(&b, lw_hashed_table_recall, 0, 3));
    assert_true(copy_follows(&b, 0));
    assert_true(
        lw_hashed_table_map(b.table, 0, REGION, 0x200, LW_SIZE_4K, LW_MAP_W | LW_MAP_U, &err));
    assert_int_equal(b.paged_out, 1);
    uint32_t in_table = 0;
    for (bool written = true; written;) {
        const lw_hashed_walk_answer a = hashed_walk(&b, 0, 3, false);
        in_table += a.place == LW_HASHED_TABLE;
        assert_int_equal(a.answer.kind,
                         a.place == LW_HASHED_TABLE ? LW_ORACLE_OK : LW_ORACLE_NOT_PRESENT);
        assert_true(lw_hashed_table_step(b.table, &written, &err));
    }
    assert_int_not_equal(in_table, 0);
    assert_true(copy_follows(&b, 0) && agree(&b, 0, 3));
    bench_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pages_come), cmocka_unit_test(test_pages_change),
        cmocka_unit_test(test_pages_go),   cmocka_unit_test(test_first_local_page),
        cmocka_unit_test(test_beside),     cmocka_unit_test(test_the_copy_goes_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
