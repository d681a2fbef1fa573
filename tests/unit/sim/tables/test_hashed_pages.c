/* Hashed page tables: their sizes by the paper (Equation 1), a full bucket of the step table, the
 * sizes of pages, PASIDs that share a table, what is refused, and flipped bits in memory. */
#include "tests/unit/sim/tables/hashed_bench.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

/* ---------------------------------------------------------------- sizes */

static const struct size_row {
    uint64_t mib;
    uint32_t factor, table_log, max_local, max_entries, step_log;
} size_rows[] = {
    {410, 120, 9, 205, 246, 9},    /* 0.4 of 512; Equation 1: 0.48 */
    {819, 120, 10, 410, 492, 10},  /* 0.4 of 1024 */
    {1024, 120, 10, 512, 614, 10}, /* 0.5 of 1024: nearer than 0.25 of 2048 */
    {1160, 120, 11, 580, 696, 11}, /* 0.283 of 2048: nearer than 0.566 of 1024 */
    {1024, 100, 10, 512, 512, 10}, /* m = 1 */
    {1024, 150, 10, 512, 768, 11}, /* m = 1.5 */
    {1, 120, 3, 1, 1, 6},          /* the smallest */
    {UINT64_C(1) << 21, 120, 18, 1 << 20, 1 << 18, 21}, /* 2 TiB: the largest */
};

/* R20.25 and Equation 1 (R20.17). */
static void sizes_follow_the_paper(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(size_rows); i++) {
        const struct size_row *row = &size_rows[i];
        const lw_hashed_config c = bench_sizes(row->mib * 256, row->factor, 512, false);
        assert_int_equal(c.table_log, row->table_log);
        assert_int_equal(c.max_local, row->max_local);
        assert_int_equal(c.max_entries, row->max_entries);
        assert_int_equal(c.step_log, row->step_log);
        assert_int_equal(c.stride, 1);
        assert_int_equal(c.multiplier, 0x4f1bbcd);
    }
    const lw_hashed_config paper = bench_sizes(209664, LW_FACTOR_DEFAULT, 512, false);
    const double slots = (double)(UINT64_C(1) << paper.table_log);
    assert_float_equal(paper.max_local / slots, 0.40, 0.001);
    assert_float_equal(paper.max_entries / slots, 0.48, 0.001);
}

/* R20.25: the least power of two of buckets, of four entries or two, that has a hundred places for
 * each group of 16 entries or part of one: 164 groups need 4100 buckets or 8200, one group less
 * 4075 or 8150. */
static void a_hundred_places_for_each_group(void **state) {
    (void)state;
    for (uint32_t contiguity = 0; contiguity < 2; contiguity++) {
        for (uint64_t groups = 163; groups <= 164; groups++) {
            const lw_hashed_config c = bench_sizes(groups * 16 * REGION, 100, 512, contiguity != 0);
            assert_int_equal(c.max_entries, groups * 16);
            assert_int_equal(c.step_log, 12 + contiguity + (groups == 164));
            const uint64_t and_part = groups * 16 - 15;
            const lw_hashed_config p = bench_sizes(and_part * REGION, 100, 512, contiguity != 0);
            assert_int_equal(p.max_entries, and_part);
            assert_int_equal(p.step_log, c.step_log);
        }
    }
}

/* R20.25: half of the load factor is twice as many slots; nothing else depends on it. */
static void a_smaller_load_is_a_larger_table(void **state) {
    (void)state;
    const lw_hashed_config paper = bench_sizes(209664, LW_FACTOR_DEFAULT, 512, false);
    for (uint32_t halved = 0; halved < 4; halved++) {
        const lw_hashed_need need = {209664, LW_FACTOR_DEFAULT, LW_LOAD_DEFAULT >> halved, 4, 512,
                                     false};
        const lw_hashed_config c = lw_hashed_config_for(&need);
        assert_int_equal(c.table_log, paper.table_log + halved);
        assert_int_equal(c.max_entries, paper.max_entries);
        assert_int_equal(c.step_log, paper.step_log);
    }
}

/* R20.25: nearest by ratio to L over the load factor. 753 regions at 13 percent want 5792.3 slots,
 * which is nearer to 4096 than to 8192 (5792.6 is as near to both), and 754 want 5800. */
static void the_nearest_by_ratio(void **state) {
    (void)state;
    for (uint64_t regions = 753; regions <= 754; regions++) {
        const lw_hashed_need need = {regions * REGION, LW_FACTOR_DEFAULT, 13, 4, 512, false};
        assert_int_equal(lw_hashed_config_for(&need).table_log, regions == 753 ? 12 : 13);
    }
}

/* ---------------------------------------------------------------- a full bucket */

/* R20.19: five groups of one bucket of the step table. The fifth's regions take nobody's place: at
 * the threshold, and with the GPU's memory full, all others stay (R20.17). */
static void a_full_bucket(void **state) {
    (void)state;
    bench b;
    uint64_t groups[5];
    uint32_t found = 0;
    lw_hashed_config config = bench_config(8);
    config.max_local = config.max_entries = 8;
    bench_open(&b, config);
    for (uint64_t group = 0; found < 5; group++) { /* bucket 17 of 64 */
        const uint64_t product = (group ^ group >> 27 << 9) * UINT64_C(0x4f1bbcd) & 0x7ffffff;
        if (product >> 21 == 17) {
            groups[found++] = group;
        }
    }
    for (uint32_t i = 0; i < 5; i++) {
        map(&b, 0, groups[i] * 16 * REGION, 100 + i, RWX);
        map(&b, 0, (groups[i] * 16 + 15) * REGION, 200 + i, RWX);
    }
    assert_int_equal(lw_hashed_table_counts(b.table).bucket_full, 2);
    assert_int_equal(lw_hashed_table_figures(b.table).groups, 4);
    assert_int_equal(lw_hashed_table_figures(b.table).local, 8);
    assert_int_equal(b.paged_out, 0);
    assert_int_equal(hashed_walk(&b, 0, groups[4] * 16 * REGION, false).place,
                     LW_HASHED_VICTIM_BUFFER);
    /* a group without regions gives its place back */
    unmap(&b, 0, groups[1] * 16 * REGION, 1);
    unmap(&b, 0, (groups[1] * 16 + 15) * REGION, 1);
    assert_true(act(&b, lw_hashed_table_recall, 0, groups[4] * 16 * REGION));
    assert_int_equal(lw_hashed_table_figures(b.table).groups, 4);
    for (uint32_t i = 0; i < 5; i++) {
        assert_true(agree(&b, 0, groups[i] * 16 * REGION));
        assert_true(agree(&b, 0, (groups[i] * 16 + 15) * REGION));
    }
    check_tables(&b);
    bench_close(&b);
}

/* ---------------------------------------------------------------- pages */

/* R20.4, R20.5: three sizes in one entry, each page with its size in the answer. */
static void three_page_sizes(void **state) {
    (void)state;
    bench b;
    bench_open(&b, bench_config(4));
    map_size(&b, 0, 3 * REGION, 0x1200, LW_SIZE_2M, RWX);
    map_size(&b, 0, 32, 0x4560, LW_SIZE_64K, LW_MAP_U);
    map(&b, 0, 48, 0x777, RWX);
    static const struct {
        uint64_t vpn;
        uint32_t size;
        bool w;
    } rows[] = {{3 * REGION, 1, true},
                {3 * REGION + 511, 1, true},
                {32, 3, false},
                {47, 3, false},
                {48, 0, true}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const lw_hashed_walk_answer a = hashed_walk(&b, 0, rows[i].vpn, false);
        assert_true(agree(&b, 0, rows[i].vpn));
        assert_int_equal(a.answer.kind, LW_ORACLE_OK);
        assert_int_equal(a.answer.size, rows[i].size);
        assert_int_equal(a.answer.w, rows[i].w);
        assert_int_equal(a.accesses, 2); /* whatever the size */
    }
    unmap(&b, 0, 40, 16); /* by a page in its middle */
    for (uint64_t vpn = 31; vpn < 50; vpn++) {
        assert_true(agree(&b, 0, vpn));
    }
    assert_int_equal(lw_hashed_table_figures(b.table).local, 2);
    unmap(&b, 0, 3 * REGION + 200, REGION);
    assert_int_equal(lw_hashed_table_figures(b.table).local, 1);
    check_tables(&b);
    bench_close(&b);
}

/* Equal pages of all PASIDs lie in one table, each with its own frame (R20.26). */
static void pasids_share_a_table(void **state) {
    (void)state;
    bench b;
    lw_hashed_config config = bench_config(6);
    config.levels = 5;
    bench_open(&b, config);
    for (uint32_t p = 0; p < BENCH_PASIDS; p++) {
        for (uint64_t i = 0; i < 6; i++) {
            map(&b, p, (i * 0x10000000) + 7, 1 + p * 16 + i, p % 2 == 0 ? RWX : LW_MAP_U);
        }
    }
    check_tables(&b);
    for (uint32_t p = 0; p < BENCH_PASIDS; p++) {
        for (uint64_t i = 0; i < 6; i++) {
            assert_true(agree(&b, p, (i * 0x10000000) + 7));
            assert_true(agree(&b, p, (i * 0x10000000) + 8));
        }
        unmap(&b, p, 7, 1);
        assert_int_equal(hashed_walk(&b, p, 7, false).answer.kind, LW_ORACLE_NOT_PRESENT);
        assert_true(p + 1 == BENCH_PASIDS || agree(&b, p + 1, 7));
    }
    check_tables(&b);
    bench_close(&b);
}

/* Whatever the frames held that a table, a step table or a tree's node gets: it begins empty. */
static void old_frames_are_emptied(void **state) {
    (void)state;
    enum { OLD = 128 };
    static const uint64_t others[] = {UINT64_C(1) << 9, UINT64_C(1) << 18, UINT64_C(1) << 27,
                                      UINT64_C(1) << 35, 6};
    uint64_t frames[OLD];
    bench b;
    lw_error err = {0};
    const lw_hashed_config config = bench_config(4);
    bench_open(&b, config);
    lw_hashed_table_free(b.table);
    /* the first of them stays: all words lead there, and there too */
    for (uint32_t i = 0; i < OLD; i++) {
        assert_true(lw_frame_alloc(b.frames, &frames[i], &err));
        for (uint64_t word = 0; word < 512; word++) {
            const uint64_t pa = frames[i] << 12 | word * 8;
            assert_true(lw_phys_mem_write64(b.mem, pa, frames[0] << 12 | 7, &err));
        }
    }
    for (uint32_t i = 1; i < OLD; i++) {
        assert_true(lw_frame_release(b.frames, frames[i], 1, &err));
    }
    b.table = lw_hashed_table_new(&config, b.mem, b.frames, &err);
    for (uint32_t p = 0; p < BENCH_PASIDS; p++) {
        assert_true(lw_hashed_table_add_process(b.table, p, &err));
    }
    check_tables(&b);
    map(&b, 0, 5, 0x200, RWX);
    assert_true(act(&b, lw_hashed_table_evict, 0, 5));
    assert_int_equal(hashed_walk(&b, 0, 5, false).answer.pfn, 0x200);
    for (size_t i = 0; i < COUNT(others); i++) {
        assert_int_equal(hashed_walk(&b, 0, others[i], false).answer.kind, LW_ORACLE_NOT_PRESENT);
    }
    assert_true(lw_frame_release(b.frames, frames[0], 1, &err));
    bench_close(&b);
}

/* ---------------------------------------------------------------- what is refused */

static void refused(bench *b, uint32_t pasid, uint64_t vpn, uint64_t pfn, lw_page_size size,
                    const char *why) {
    lw_error err = {0};
    assert_false(lw_hashed_table_map(b->table, pasid, vpn, pfn, size, RWX, &err));
    assert_non_null(strstr(err.text, why));
}

static void bad_pages_are_refused(void **state) {
    (void)state;
    bench b;
    lw_error err = {0};
    bench_open(&b, bench_config(4));
    map(&b, 0, 17, 5, RWX);
    const uint64_t words = lw_hashed_table_counts(b.table).words;
    refused(&b, 0, 0, 0, LW_SIZE_1G, "page size 2; allowed: 4 KiB, and with slots of 512");
    refused(&b, 0, 0, 0, (lw_page_size)4, "page size 4; allowed: 4 KiB");
    refused(&b, 0, 8, 16, LW_SIZE_64K, "not a multiple");
    refused(&b, 0, 16, 8, LW_SIZE_64K, "not a multiple");
    refused(&b, 0, 512, 16, LW_SIZE_2M, "not a multiple");
    refused(&b, 0, UINT64_C(1) << 36, 0, LW_SIZE_4K, "below 2^36, 2^36");
    refused(&b, 0, 0, UINT64_C(1) << 36, LW_SIZE_4K, "below 2^36, 2^36");
    refused(&b, 0, 17, 6, LW_SIZE_4K, "VPN 0x11 is mapped already");
    refused(&b, 0, 16, 16, LW_SIZE_64K, "VPN 0x11 is mapped already");
    refused(&b, BENCH_PASIDS, 0, 0, LW_SIZE_4K, "has no process");
    assert_false(lw_hashed_table_add_process(b.table, 0, &err));
    assert_false(lw_hashed_table_add_process(b.table, 2048, &err));
    assert_false(lw_hashed_table_unmap(b.table, 0, 18, &err));
    assert_non_null(strstr(err.text, "VPN 0x12 of PASID 0 is not mapped"));
    assert_int_equal(lw_hashed_table_counts(b.table).words, words);
    /* one change at a time */
    bool written = false;
    assert_true(lw_hashed_table_map(b.table, 1, 0, 1, LW_SIZE_4K, RWX, &err));
    assert_true(lw_hashed_table_step(b.table, &written, &err) && written);
    refused(&b, 0, 0, 1, LW_SIZE_4K, "words of the change before");
    assert_false(lw_hashed_table_unmap(b.table, 0, 17, &err));
    assert_false(lw_hashed_table_evict(b.table, 0, 17, &written, &err));
    assert_false(lw_hashed_table_move(b.table, 0, 17, &written, &err));
    assert_false(lw_hashed_table_recall(b.table, 0, 17, &written, &err));
    assert_false(lw_hashed_table_settle(b.table, &err));
    assert_true(lw_hashed_table_drain(b.table, &err));
    bench_close(&b);
}

static void bad_sizes_are_refused(void **state) {
    (void)state;
    const lw_hashed_config good = bench_config(4);
    const struct {
        size_t offset;
        uint32_t value;
        const char *why;
    } rows[] = {
        {offsetof(lw_hashed_config, levels), 3, "levels 3 is not in 4..5"},
        {offsetof(lw_hashed_config, table_log), 2, "table_log 2 is not in 3..18"},
        {offsetof(lw_hashed_config, table_log), 19, "table_log 19"},
        {offsetof(lw_hashed_config, step_log), 5, "step_log 5 is not in 6..24"},
        {offsetof(lw_hashed_config, step_log), 25, "step_log 25"},
        {offsetof(lw_hashed_config, stride), 16, "stride 16 is not in 1..15"},
        {offsetof(lw_hashed_config, stride), 2, "stride 2 is even"},
        {offsetof(lw_hashed_config, multiplier), 0, "multiplier 0 is not in 1..134217727"},
        {offsetof(lw_hashed_config, multiplier), 2, "multiplier 2 is even"},
        {offsetof(lw_hashed_config, max_local), 0, "max_local 0"},
        {offsetof(lw_hashed_config, max_entries), 17, "max_entries 17 is not in 1..16"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_hashed_config config = good;
        lw_error err = {0};
        memcpy((char *)&config + rows[i].offset, &rows[i].value, sizeof rows[i].value);
        assert_null(lw_hashed_table_new(&config, NULL, NULL, &err));
        assert_non_null(strstr(err.text, rows[i].why));
    }
}

/* ---------------------------------------------------------------- flipped bits */

/* Whether a page of the plain tables is itself or not there at all. */
static bool own_or_nothing(const bench *b, uint32_t pasid, uint64_t vpn) {
    const lw_oracle_answer wanted = plain_walk(b, pasid, vpn);
    for (int home_first = 0; home_first < 2; home_first++) {
        const lw_oracle_answer got = hashed_walk(b, pasid, vpn, home_first != 0).answer;
        if (got.kind == LW_ORACLE_OK && got.pfn != wanted.pfn) {
            return false;
        }
    }
    return true;
}

/* R20.26: a table with collisions, of four PASIDs, and bits flipped in memory, one or a few at a
 * time, either of tags or of the step table. No page is another's frame, and once the bits are as
 * they were, every page is there again. */
static void flipped_bits_give_no_foreign_frame(void **state) {
    (void)state;
    bench b;
    lw_rng rng;
    lw_hashed_roots roots;
    lw_error err = {0};
    uint32_t lost = 0;
    bench_open(&b, bench_config(7));
    lw_rng_seed(&rng, 7);
    for (uint32_t i = 0; i < 80; i++) {
        map(&b, i % 4, i / 4 * REGION + 3, 0x1000 + i, RWX);
    }
    assert_true(lw_hashed_table_roots(b.table, 0, &roots));
    for (uint32_t run = 0; run < 4000; run++) {
        uint64_t at[4];
        uint64_t was[4];
        const uint64_t flips = 1 + lw_rng_below(&rng, 4);
        const bool of_tags = lw_rng_percent(&rng, 50);
        for (uint64_t f = 0; f < flips; f++) {
            at[f] = of_tags ? (roots.table_frame + lw_rng_below(&rng, 128)) << 12 |
                                  lw_rng_below(&rng, 8) * 8
                            : roots.step_frame << 12 | lw_rng_below(&rng, 512) * 8;
            was[f] = lw_phys_mem_read64(b.mem, at[f]);
            const uint64_t bit = of_tags ? 57 + lw_rng_below(&rng, 6) : lw_rng_below(&rng, 64);
            assert_true(lw_phys_mem_write64(b.mem, at[f], was[f] ^ UINT64_C(1) << bit, &err));
        }
        for (uint32_t i = 0; i < 80; i++) {
            assert_true(own_or_nothing(&b, i % 4, i / 4 * REGION + 3));
            lost += !agree(&b, i % 4, i / 4 * REGION + 3);
        }
        for (uint64_t f = flips; f > 0; f--) {
            assert_true(lw_phys_mem_write64(b.mem, at[f - 1], was[f - 1], &err));
        }
    }
    assert_true(lost > 1000);
    check_tables(&b);
    bench_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_follow_the_paper),
        cmocka_unit_test(a_hundred_places_for_each_group),
        cmocka_unit_test(a_smaller_load_is_a_larger_table),
        cmocka_unit_test(the_nearest_by_ratio),
        cmocka_unit_test(a_full_bucket),
        cmocka_unit_test(three_page_sizes),
        cmocka_unit_test(old_frames_are_emptied),
        cmocka_unit_test(pasids_share_a_table),
        cmocka_unit_test(bad_pages_are_refused),
        cmocka_unit_test(bad_sizes_are_refused),
        cmocka_unit_test(flipped_bits_give_no_foreign_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
