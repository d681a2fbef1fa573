/* A hashed page table while it changes, one word at a time (R20.21 to R20.24): after each word
 * every page is where it was, where it goes, or, if it comes or goes itself, there or not there. A
 * reader that still takes the home slot for its region's (R20.13) stands for one with an old step.
 */
#include "tests/unit/sim/tables/hashed_bench.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

/* The pages that are looked at after each word. */
typedef struct watched {
    struct {
        uint32_t pasid;
        uint64_t vpn;
        bool changes; /* may be missing, but is not wrong */
        lw_oracle_answer wanted;
    } pages[512];
    size_t count;
} watched;

static watched seen;

static void watch(uint32_t pasid, uint64_t vpn, bool changes) {
    assert_true(seen.count < COUNT(seen.pages));
    seen.pages[seen.count].pasid = pasid;
    seen.pages[seen.count].vpn = vpn;
    seen.pages[seen.count++].changes = changes;
}

static void watch_region(uint32_t pasid, uint64_t region) {
    static const uint64_t indices[] = {0, 1, 6, 7, 8, 63, 200, 511};
    for (size_t i = 0; i < COUNT(indices); i++) {
        watch(pasid, region * REGION + indices[i], false);
    }
}

/* Pages of a region, some in a line together, one that fills a line's last place. */
static void fill(bench *b, uint32_t pasid, uint64_t region, uint32_t flags) {
    static const uint64_t indices[] = {0, 6, 7, 200, 511};
    for (size_t i = 0; i < COUNT(indices); i++) {
        map(b, pasid, region * REGION + indices[i], (region + 3) << 10 | indices[i], flags);
    }
    watch_region(pasid, region);
}

/* The plain tables now hold what is right for every page that does not change, and for those that
 * do what they are when they are there. */
static void remember(const bench *b) {
    for (size_t i = 0; i < seen.count; i++) {
        seen.pages[i].wanted = plain_walk(b, seen.pages[i].pasid, seen.pages[i].vpn);
    }
}

static bool may_be(const bench *b, size_t i, bool home_first) {
    const lw_oracle_answer *wanted = &seen.pages[i].wanted;
    const lw_oracle_answer got =
        hashed_walk(b, seen.pages[i].pasid, seen.pages[i].vpn, home_first).answer;
    if (seen.pages[i].changes && got.kind == LW_ORACLE_NOT_PRESENT) {
        return true;
    }
    return got.kind == wanted->kind && got.pfn == wanted->pfn && got.w == wanted->w;
}

/* Whether the slot at a region's step, if it is present, carries its tag in the page's line. */
static bool has_its_tag(const bench *b, size_t i) {
    const lw_flat_image image = {.read64 = bench_read64, .ctx = b->mem};
    lw_hashed_walk_query q = bench_query(b, seen.pages[i].pasid, seen.pages[i].vpn, 0);
    q.has_victim_buffer = false;
    const lw_hashed_walk_answer a = lw_hashed_walk(&image, &q);
    return a.place == LW_HASHED_TABLE || a.accesses == 1;
}

/* Writes the words of a change, one by one; how many there were. */
static uint32_t write_words(bench *b) {
    uint32_t words = 0;
    bool written = true;
    lw_error err = {0};
    while (written) {
        assert_true(lw_hashed_table_step(b->table, &written, &err));
        words += written;
        for (size_t i = 0; i < seen.count; i++) {
            assert_true(may_be(b, i, false) && may_be(b, i, true) && has_its_tag(b, i));
        }
    }
    check_tables(b);
    return words;
}

static void begin(bench *b, lw_hashed_config config) {
    bench_open(b, config);
    seen.count = 0;
}

/* A change of one of both tables, planned and written by words; true if it was done. */
static bool change(bench *b, region_call *call, uint32_t pasid, uint64_t region, uint32_t least) {
    lw_error err = {0};
    bool done = false;
    remember(b);
    assert_true(call(b->table, pasid, region * REGION, &done, &err));
    const uint32_t words = write_words(b);
    assert_true(!done || words >= least);
    return done;
}

static void map_by_words(bench *b, uint32_t pasid, uint64_t vpn, uint64_t pfn, lw_page_size size,
                         uint32_t flags) {
    lw_error err = {0};
    for (uint64_t i = 0; i < pages_of_size[size]; i += size == LW_SIZE_2M ? 100 : 1) {
        watch(pasid, vpn + i, true);
    }
    plain_map(b, pasid, vpn, pfn, size, flags);
    remember(b);
    assert_true(lw_hashed_table_map(b->table, pasid, vpn, pfn, size, flags, &err));
    (void)write_words(b);
    for (uint64_t i = 0; i < pages_of_size[size]; i++) {
        assert_true(agree(b, pasid, vpn + i));
    }
}

/* R20.21: new entries, in new groups and old ones, and pages of each size. */
static void pages_come(void **state) {
    (void)state;
    bench b;
    begin(&b, bench_config(4));
    fill(&b, 1, 0, RWX);
    map_by_words(&b, 1, 3, 0x300, LW_SIZE_4K, RWX);
    map_by_words(&b, 1, REGION + 16, 0x4000, LW_SIZE_64K, LW_MAP_U);
    map_by_words(&b, 1, 40 * REGION, 0x8000, LW_SIZE_2M, RWX);
    map_by_words(&b, 2, 0, 0x555, LW_SIZE_4K, RWX);
    bench_close(&b);
}

/* R20.24: pages go, one of some, the last of an entry, a large one. */
static void pages_go(void **state) {
    (void)state;
    static const uint64_t gone[] = {0, 7, 511, 200, 6};
    bench b;
    lw_error err = {0};
    begin(&b, bench_config(4));
    fill(&b, 0, 5, RWX);
    fill(&b, 0, 6, RWX);
    fill(&b, 1, 5, RWX);
    for (size_t i = 0; i < COUNT(gone); i++) {
        const uint64_t vpn = 5 * REGION + gone[i];
        for (size_t k = 0; k < seen.count; k++) {
            if (seen.pages[k].pasid == 0 && seen.pages[k].vpn == vpn) {
                seen.pages[k].changes = true;
            }
        }
        remember(&b);
        assert_true(lw_hashed_table_unmap(b.table, 0, vpn, &err));
        (void)write_words(&b);
        assert_true(lw_page_table_unmap(b.plain[0], vpn, &err));
        assert_true(agree(&b, 0, vpn));
    }
    assert_int_equal(lw_hashed_table_figures(b.table).local, 2);
    bench_close(&b);
}

/* R20.22: entries move between their slots and back. */
static void entries_move(void **state) {
    (void)state;
    bench b;
    begin(&b, bench_config(4));
    fill(&b, 0, region_at(&b, 0, 9, 0), RWX);
    fill(&b, 0, region_at(&b, 0, 9, 1), LW_MAP_U);
    fill(&b, 3, region_at(&b, 3, 9, 0), RWX);
    for (uint32_t i = 0; i < 12; i++) {
        const uint32_t pasid = i % 3 == 2 ? 3 : 0;
        const uint64_t region = region_at(&b, pasid, 9, i % 3 % 2);
        const uint32_t step = step_of(&b, pasid, region);
        assert_true(change(&b, lw_hashed_table_move, pasid, region, 130));
        assert_int_not_equal(step_of(&b, pasid, region), step);
    }
    assert_false(change(&b, lw_hashed_table_move, 0, 12345, 0));
    bench_close(&b);
}

/* R20.22, R20.23: regions go to the victim buffer and come back, with the copies that stay. */
static void regions_go_and_come_back(void **state) {
    (void)state;
    bench b;
    begin(&b, bench_config(4));
    for (uint64_t n = 0; n < 4; n++) {
        fill(&b, 0, n * 300, n % 2 == 0 ? RWX : REMOTE);
        fill(&b, 1, n * 300, RWX);
    }
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < 8; i++) {
            assert_true(change(&b, lw_hashed_table_evict, i % 2, i / 2 * UINT64_C(300), 5));
            assert_false(change(&b, lw_hashed_table_evict, i % 2, i / 2 * UINT64_C(300), 5));
        }
        assert_int_equal(lw_hashed_table_figures(b.table).victim_regions, 8);
        assert_int_equal(lw_hashed_table_figures(b.table).groups, 0);
        for (uint32_t i = 0; i < 8; i++) {
            assert_true(change(&b, lw_hashed_table_recall, i % 2, i / 2 * UINT64_C(300), 60));
            assert_false(change(&b, lw_hashed_table_recall, i % 2, i / 2 * UINT64_C(300), 60));
        }
        if (round > 0) {
            lw_error err = {0};
            remember(&b);
            assert_true(lw_hashed_table_settle(b.table, &err));
            assert_true(write_words(&b) == 8 * 5);
        }
    }
    bench_close(&b);
}

/* A copy that a recall has left does not come to light when its region goes (R20.24). */
static void copies_stay_hidden(void **state) {
    (void)state;
    bench b;
    lw_error err = {0};
    lw_hashed_config config = bench_config(4);
    config.max_local = 2;
    begin(&b, config);
    for (uint64_t n = 0; n < 2; n++) {
        map(&b, 0, n * REGION, 0x70 + n, RWX);
        assert_true(act(&b, lw_hashed_table_evict, 0, n * REGION));
        assert_true(act(&b, lw_hashed_table_recall, 0, n * REGION));
    }
    unmap(&b, 0, REGION, 1);
    assert_int_equal(hashed_walk(&b, 0, REGION, false).answer.kind, LW_ORACLE_NOT_PRESENT);
    map(&b, 0, 2 * REGION, 0x72, RWX);
    watch(0, 0, true);
    plain_map(&b, 0, 3 * REGION, 0x73, LW_SIZE_4K, RWX);
    watch(0, 3 * REGION, true);
    remember(&b);
    assert_true(lw_hashed_table_map(b.table, 0, 3 * REGION, 0x73, LW_SIZE_4K, RWX, &err));
    assert_int_equal(b.paged_out, 1);
    (void)write_words(&b);
    assert_true(agree(&b, 0, 0) && agree(&b, 0, 3 * REGION));
    bench_close(&b);
}

/* The same for what Algorithm 1 does on its own: a full chain gives a remote entry, moves a member,
 * and the threshold evicts. */
static void room_is_made(void **state) {
    (void)state;
    bench b;
    begin(&b, bench_config(4));
    for (uint32_t n = 0; n < 7; n++) {
        fill(&b, 0, region_at(&b, 0, 4, n), n == 2 ? REMOTE : RWX);
    }
    fill(&b, 0, region_at(&b, 0, 11, 0), RWX);
    map_by_words(&b, 0, region_at(&b, 0, 4, 7) * REGION + 9, 0x901, LW_SIZE_4K, RWX);
    assert_int_equal(lw_hashed_table_counts(b.table).chain_evictions, 1);
    map_by_words(&b, 0, region_at(&b, 0, 4, 8) * REGION + 9, 0x902, LW_SIZE_4K, RWX);
    assert_int_equal(lw_hashed_table_counts(b.table).chain_moves, 1);
    /* the first local page of a region of the victim buffer */
    map_by_words(&b, 0, region_at(&b, 0, 4, 2) * REGION + 9, 0x903, LW_SIZE_4K, RWX);
    bench_close(&b);
    lw_hashed_config config = bench_config(4);
    config.max_entries = 2;
    begin(&b, config);
    for (uint64_t n = 0; n < 4; n++) {
        fill(&b, 0, n * 20, REMOTE);
    }
    map_by_words(&b, 0, 5 * REGION, 0x910, LW_SIZE_64K, REMOTE);
    map_by_words(&b, 0, 2, 0x906, LW_SIZE_4K, RWX);
    assert_int_equal(lw_hashed_table_counts(b.table).remote_evictions, 4);
    assert_int_equal(lw_hashed_table_counts(b.table).recalls, 1);
    bench_close(&b);
}

/* Whether all pages of a region that `fill` has mapped are where they should be. */
static bool is_remote(const bench *b, uint64_t region, bool remote, bool in_victim_buffer) {
    static const uint64_t indices[] = {0, 6, 7, 200, 511};
    for (size_t i = 0; i < COUNT(indices); i++) {
        lw_hashed_page page;
        if (!lw_hashed_table_find(b->table, 0, region * REGION + indices[i], &page) ||
            ((page.pte & REMOTE_BIT) != 0) != remote || page.in_victim_buffer != in_victim_buffer) {
            return false;
        }
    }
    return true;
}

/* R20.30: a remote region comes to the GPU's memory from the table and from the victim buffer, the
 * local one that was used least recently goes, and no page is anywhere else meanwhile. */
static void regions_migrate(void **state) {
    (void)state;
    bench b;
    lw_hashed_config config = bench_config(4);
    config.max_local = 2;
    config.max_entries = 3;
    begin(&b, config);
    fill(&b, 0, 0, RWX);
    fill(&b, 0, 20, RWX);
    fill(&b, 0, 40, REMOTE);
    fill(&b, 0, 60, REMOTE); /* drives the one before out */
    assert_true(is_remote(&b, 40, true, true) && is_remote(&b, 60, true, false));
    assert_int_equal(lw_hashed_table_access(b.table, 0, 60 * REGION, 100), 1);
    assert_int_equal(lw_hashed_table_access(b.table, 0, 60 * REGION + 7, 200), 2);
    assert_int_equal(lw_hashed_table_access(b.table, 0, 40 * REGION, 300), 1);
    assert_int_equal(lw_hashed_table_access(b.table, 0, 40 * REGION, 337), 2);
    assert_int_equal(lw_hashed_table_access(b.table, 0, 0, 400), 0);
    assert_int_equal(lw_hashed_table_access(b.table, 0, 99 * REGION, 500), 0);
    assert_true(change(&b, lw_hashed_table_migrate, 0, 60, 10));
    assert_true(is_remote(&b, 60, false, false) && is_remote(&b, 0, true, false));
    assert_int_equal(lw_hashed_table_access(b.table, 0, 60 * REGION, 600), 0);
    assert_true(change(&b, lw_hashed_table_migrate, 0, 40, 10));
    assert_true(is_remote(&b, 40, false, false) && is_remote(&b, 20, true, false));
    assert_true(is_remote(&b, 0, true, true));
    assert_false(change(&b, lw_hashed_table_migrate, 0, 40, 0));
    assert_false(change(&b, lw_hashed_table_migrate, 0, 99, 0));
    assert_int_equal(lw_hashed_table_counts(b.table).live_cycles, 100 + 37); /* 60, 40 */
    assert_int_equal(lw_hashed_table_counts(b.table).demotions, 2);
    assert_int_equal(lw_hashed_table_counts(b.table).recalls, 1);
    assert_int_equal(lw_hashed_table_access(b.table, 0, 20 * REGION, 700), 1);
    /* who becomes remote again is counted anew */
    assert_true(change(&b, lw_hashed_table_migrate, 0, 20, 10));
    assert_true(is_remote(&b, 20, false, false) && is_remote(&b, 60, true, false));
    assert_int_equal(lw_hashed_table_access(b.table, 0, 60 * REGION, 800), 1);
    bench_close(&b);
}

/* m = 1.0: who leaves the GPU's memory leaves the table with the same change. A region that is not
 * to be moved stays local, and nobody comes in its place. */
static void regions_migrate_without_room(void **state) {
    (void)state;
    bench b;
    lw_hashed_config config = bench_config(4);
    config.max_local = config.max_entries = 1;
    begin(&b, config);
    fill(&b, 0, 0, RWX);
    fill(&b, 0, 20, REMOTE);
    assert_true(is_remote(&b, 20, true, true));
    assert_true(change(&b, lw_hashed_table_migrate, 0, 20, 10));
    assert_true(is_remote(&b, 0, true, true) && is_remote(&b, 20, false, false));
    lw_hashed_table_pin(b.table, 0, 20 * REGION);
    assert_false(change(&b, lw_hashed_table_migrate, 0, 0, 0));
    assert_true(is_remote(&b, 0, true, true) && is_remote(&b, 20, false, false));
    bench_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_come),         cmocka_unit_test(pages_go),
        cmocka_unit_test(entries_move),       cmocka_unit_test(regions_go_and_come_back),
        cmocka_unit_test(copies_stay_hidden), cmocka_unit_test(room_is_made),
        cmocka_unit_test(regions_migrate),    cmocka_unit_test(regions_migrate_without_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
