/* Contiguity bits in the step entries of a hashed table (R20.27 to R20.29): where they lie in
 * memory, whose PTE answers a page then, and what becomes of them when regions move. */
#include "tests/unit/sim/tables/hashed_bench.h"

#define AC UINT64_C(256)

/* A table whose step entries have contiguity bits. */
static void open(bench *b) {
    lw_hashed_config config = bench_config(5);
    config.contiguity = true;
    bench_open(b, config);
}

static void find_bits(bench *b, uint64_t region) {
    lw_error err = {0};
    assert_true(lw_hashed_table_find_contiguity(b->table, 0, region * REGION, &err));
    assert_true(lw_hashed_table_drain(b->table, &err));
}

/* Pages first..last of a region, to frames in a row. */
static void map_run(bench *b, uint64_t region, uint64_t first, uint64_t last, uint64_t pfn) {
    for (uint64_t i = first; i <= last; i++) {
        map(b, 0, region * REGION + i, pfn + i - first, RWX);
    }
}

/* Where the entry of a region's group lies, one of two in a line (R20.6, R20.8, R20.27), or 0. */
static uint64_t entry_of(const bench *b, uint64_t region) {
    lw_hashed_roots roots;
    const uint64_t group = region >> 4;
    assert_true(lw_hashed_table_roots(b->table, 0, &roots));
    const uint64_t product = (group ^ group >> 27 << 9) * UINT64_C(0x4f1bbcd) & 0x7ffffff;
    const uint64_t bucket = product >> (27 - roots.step_log);
    for (uint64_t entry = 0; entry < 2; entry++) {
        const uint64_t pa = (roots.step_frame << 12) + 64 * bucket + 32 * entry;
        const uint64_t word = lw_phys_mem_read64(b->mem, pa);
        if ((word & ~(UINT64_C(0xffff) << 43)) == (UINT64_C(1) << 63 | group)) {
            return pa;
        }
    }
    return 0;
}

/* {AC, C7..C0} of a region of PASID 0. */
static uint64_t bits_of(const bench *b, uint64_t region) {
    const uint64_t pa = entry_of(b, region), number = region & 15;
    if (pa == 0) {
        return 0;
    }
    const uint64_t c = lw_phys_mem_read64(b->mem, pa + 16 + 8 * (number / 8));
    return (lw_phys_mem_read64(b->mem, pa) >> (43 + number) & 1) << 8 |
           (c >> (8 * (number % 8)) & 0xff);
}

static bool is_present(const bench *b, uint64_t region) {
    const uint64_t pa = entry_of(b, region);
    return pa != 0 && (lw_phys_mem_read64(b->mem, pa + 8) >> (4 * (region & 15) + 3) & 1) != 0;
}

/* The walk that looks at the bits; its answer must be that of the plain table. */
static lw_hashed_walk_answer walk(const bench *b, uint64_t vpn) {
    const lw_flat_image image = {.read64 = bench_read64, .ctx = b->mem};
    lw_hashed_walk_query q = bench_query(b, 0, vpn, 0);
    q.page.subregions = true;
    const lw_hashed_walk_answer a = lw_hashed_walk(&image, &q);
    const lw_oracle_answer wanted = plain_walk(b, 0, vpn);
    assert_int_equal(a.answer.kind, wanted.kind);
    assert_int_equal(a.answer.pfn, wanted.pfn);
    return a;
}

static uint64_t slot_frame(const bench *b, uint64_t region) {
    lw_hashed_roots roots;
    const uint64_t tag = UINT64_C(1) << 47 | region;
    assert_true(lw_hashed_table_roots(b->table, 0, &roots));
    return roots.table_frame +
           lw_hpt_map_at(lw_hashed_table_map_of(b->table), tag, step_of(b, 0, region));
}

/* A page's PTE is lost, by a mistake of nobody: who reaches it through the head does not see it. */
static void lose_pte(bench *b, uint64_t region, uint64_t page) {
    lw_error err = {0};
    const uint64_t pa = slot_frame(b, region) << 12 | page * 8;
    const uint64_t tag = lw_phys_mem_read64(b->mem, pa) & UINT64_C(63) << 57;
    assert_true(lw_phys_mem_write64(b->mem, pa, tag, &err));
}

/* R20.27, R20.28: two subregions of a region, all of another, and the two in one group's entry. */
static void heads_answer_their_pages(void **state) {
    (void)state;
    bench b;
    open(&b);
    map_run(&b, 0x23, 0, 127, 0x7005);
    map_run(&b, 0x23, 200, 210, 0x8000);
    map_run(&b, 0x2e, 0, 511, 0x9003);
    find_bits(&b, 0x23);
    find_bits(&b, 0x2e);
    assert_int_equal(bits_of(&b, 0x23), 3);
    assert_int_equal(bits_of(&b, 0x2e), AC | 0xff);
    lose_pte(&b, 0x23, 100);
    lose_pte(&b, 0x23, 205);
    lose_pte(&b, 0x2e, 511);
    assert_int_equal(walk(&b, 0x23 * REGION + 100).answer.pfn, 0x7005 + 100);
    assert_int_equal(walk(&b, 0x2e * REGION + 511).answer.pfn, 0x9003 + 511);
    /* who does not look at the bits, and a page without, need the PTE */
    assert_int_equal(hashed_walk(&b, 0, 0x23 * REGION + 100, false).answer.kind,
                     LW_ORACLE_NOT_PRESENT);
    assert_int_equal(hashed_walk(&b, 0, 0x23 * REGION + 205, false).answer.kind,
                     LW_ORACLE_NOT_PRESENT);
    assert_int_equal(walk(&b, 0x23 * REGION + 201).accesses, 2);
    bench_close(&b);
}

/* R20.29: bits go with their region, and come back with it; a move leaves them. */
static void bits_follow_their_region(void **state) {
    (void)state;
    bench b;
    open(&b);
    map_run(&b, 5, 0, 511, 0x9003);
    find_bits(&b, 5);
    assert_true(act(&b, lw_hashed_table_move, 0, 5 * REGION));
    assert_int_equal(bits_of(&b, 5), AC | 0xff);
    (void)walk(&b, 5 * REGION + 77);
    map(&b, 0, 6 * REGION, 0x4444, RWX); /* keeps the group's entry */
    assert_true(act(&b, lw_hashed_table_evict, 0, 5 * REGION));
    assert_int_equal(bits_of(&b, 5), 0);
    assert_int_equal(walk(&b, 5 * REGION + 77).place, LW_HASHED_VICTIM_BUFFER);
    assert_true(act(&b, lw_hashed_table_recall, 0, 5 * REGION));
    assert_int_equal(bits_of(&b, 5), AC | 0xff);
    assert_int_equal(walk(&b, 5 * REGION + 77).place, LW_HASHED_TABLE);
    bench_close(&b);
}

/* R20.5, R20.29: pages with a size of their own get no bits, and are refused where they have them.
 */
static void other_sizes_have_no_bits(void **state) {
    (void)state;
    bench b;
    open(&b);
    map_size(&b, 0, 7 * REGION, 0x9000, LW_SIZE_64K, RWX);
    for (uint64_t page = 16; page < 64; page++) {
        map(&b, 0, 7 * REGION + page, 0x9000 + page, RWX);
    }
    find_bits(&b, 7);
    assert_int_equal(bits_of(&b, 7), 0);
    assert_int_equal(walk(&b, 7 * REGION + 3).answer.size, 3);
    const lw_hashed_walk_query q = bench_query(&b, 0, 7 * REGION + 3, 0);
    const uint64_t pte = lw_phys_mem_read64(b.mem, slot_frame(&b, 7) << 12);
    lw_flat_walk_query page = q.page;
    page.size_hints = true;
    assert_int_equal(lw_flat_leaf_answer(&page, pte, 6).kind, LW_ORACLE_RESERVED);
    bench_close(&b);
}

/* R20.28: a head whose line has another tag answers nobody. */
static void a_head_with_another_tag(void **state) {
    (void)state;
    bench b;
    lw_error err = {0};
    open(&b);
    map_run(&b, 9, 0, 511, 0x9003);
    find_bits(&b, 9);
    const uint64_t pa = slot_frame(&b, 9) << 12 | UINT64_C(3) * 8;
    const uint64_t word = lw_phys_mem_read64(b.mem, pa);
    assert_true(lw_phys_mem_write64(b.mem, pa, word ^ UINT64_C(1) << 57, &err));
    const lw_flat_image image = {.read64 = bench_read64, .ctx = b.mem};
    lw_hashed_walk_query q = bench_query(&b, 0, 9 * REGION + 300, 0);
    q.page.subregions = true;
    assert_int_equal(lw_hashed_walk(&image, &q).answer.kind, LW_ORACLE_NOT_PRESENT);
    bench_close(&b);
}

/* R20.25: a bucket has two entries then, so the table has twice as many. */
static void a_table_of_wide_entries(void **state) {
    (void)state;
    const lw_hashed_config narrow = bench_sizes(UINT64_C(819) * 256, 120, 512, false);
    const lw_hashed_config wide = bench_sizes(UINT64_C(819) * 256, 120, 512, true);
    bench b;
    assert_int_equal(wide.step_log, narrow.step_log + 1);
    open(&b);
    for (uint64_t group = 0; group < 300; group++) {
        const uint64_t product = group * UINT64_C(0x4f1bbcd) & 0x7ffffff;
        if (product >> 21 == 17) { /* bucket 17 of 64 */
            map(&b, 0, group * 16 * REGION, 100 + group, RWX);
        }
    }
    assert_int_equal(lw_hashed_table_figures(b.table).groups, 2);
    assert_true(lw_hashed_table_counts(b.table).bucket_full > 0);
    bench_close(&b);
}

static void assert_refused(bool done, lw_error *err) {
    assert_false(done);
    assert_string_equal(err->text, "hashed table: words of the change before are not written yet");
    err->text[0] = '\0';
}

/* The next change begins when all words of the one before are written: until then every call that
 * would change something is refused, and changes nothing. */
static void one_change_at_a_time(void **state) {
    (void)state;
    bench b;
    lw_error err = {0};
    bool done = false;
    bool written = true;
    open(&b);
    map_run(&b, 5, 0, 511, 0x9003);
    find_bits(&b, 5);
    map(&b, 0, 6 * REGION, 0x4444, RWX);
    assert_true(lw_hashed_table_is_settled(b.table));
    assert_true(lw_hashed_table_map(b.table, 0, 6 * REGION + 1, 0x5555, LW_SIZE_4K, RWX, &err));
    plain_map(&b, 0, 6 * REGION + 1, 0x5555, LW_SIZE_4K, RWX);
    assert_false(lw_hashed_table_is_settled(b.table));
    const lw_hashed_counts before = lw_hashed_table_counts(b.table);
    assert_refused(lw_hashed_table_map(b.table, 0, 6 * REGION + 2, 7, LW_SIZE_4K, RWX, &err), &err);
    assert_refused(lw_hashed_table_unmap(b.table, 0, 6 * REGION, &err), &err);
    assert_refused(lw_hashed_table_replace(b.table, 0, 6 * REGION, 7, RWX, &err), &err);
    assert_refused(lw_hashed_table_migrate(b.table, 0, 6 * REGION, &done, &err), &err);
    assert_refused(lw_hashed_table_move(b.table, 0, 6 * REGION, &done, &err), &err);
    assert_refused(lw_hashed_table_evict(b.table, 0, 6 * REGION, &done, &err), &err);
    assert_refused(lw_hashed_table_recall(b.table, 0, 6 * REGION, &done, &err), &err);
    assert_refused(lw_hashed_table_find_contiguity(b.table, 0, 5 * REGION, &err), &err);
    assert_refused(lw_hashed_table_forget_contiguity(b.table, 0, 5 * REGION, &err), &err);
    assert_refused(lw_hashed_table_settle(b.table, &err), &err);
    lw_hashed_counts after = lw_hashed_table_counts(b.table);
    assert_memory_equal(&after, &before, sizeof after);
    assert_true(lw_hashed_table_step(b.table, &written, &err) && written);
    assert_true(lw_hashed_table_step(b.table, &written, &err) && !written);
    assert_true(lw_hashed_table_is_settled(b.table));
    assert_true(agree(&b, 0, 6 * REGION) && agree(&b, 0, 6 * REGION + 1));
    assert_true(agree(&b, 0, 6 * REGION + 2));
    assert_int_equal(bits_of(&b, 5), AC | 0xff);
    check_tables(&b);
    bench_close(&b);
}

/* R20.29, word by word, in a group that has another region: the bits go after PRESENT and before
 * the first of the words that they speak of; they come after PRESENT, which finds them zero. */
static void bits_go_and_come_in_order(void **state) {
    (void)state;
    enum { GOES = 5, STAYS = 6 };
    bench b;
    lw_error err = {0};
    bool done = false, written = true;
    open(&b);
    map_run(&b, GOES, 0, 511, 0x9003);
    map_run(&b, STAYS, 0, 0, 0x8000);
    find_bits(&b, GOES);
    const uint64_t first_erased = (slot_frame(&b, GOES) << 12) + UINT64_C(7) * 8;
    assert_true(lw_hashed_table_evict(b.table, 0, GOES * REGION, &done, &err) && done);
    while (written) {
        const uint64_t bits = bits_of(&b, GOES);
        assert_true(bits == (AC | 0xff) || !is_present(&b, GOES));
        assert_true(bits == 0 || lw_phys_mem_read64(b.mem, first_erased) != 0);
        assert_true(lw_hashed_table_step(b.table, &written, &err));
    }
    assert_true(!is_present(&b, GOES) && bits_of(&b, GOES) == 0);
    assert_true(lw_hashed_table_recall(b.table, 0, GOES * REGION, &done, &err) && done);
    for (bool was_present = false; written || !was_present;) {
        was_present = is_present(&b, GOES);
        assert_true(lw_hashed_table_step(b.table, &written, &err));
        assert_true(bits_of(&b, GOES) == 0 || was_present);
    }
    assert_int_equal(bits_of(&b, GOES), AC | 0xff);
    bench_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_answer_their_pages),  cmocka_unit_test(bits_follow_their_region),
        cmocka_unit_test(other_sizes_have_no_bits),  cmocka_unit_test(a_head_with_another_tag),
        cmocka_unit_test(a_table_of_wide_entries),   cmocka_unit_test(one_change_at_a_time),
        cmocka_unit_test(bits_go_and_come_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
