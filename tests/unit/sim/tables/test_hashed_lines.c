/* Hashed tables whose slots are lines (R20.31, R20.32): where a page's PTE, its tag and its step
 * lie, told from the memory alone; and what such tables cannot have. */
#include "tests/unit/sim/tables/hashed_bench.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

enum { LINE_PAGES = 8, TABLE_LOG = 7, STEP_LOG = 6 };

static lw_hashed_config of_lines(void) {
    lw_hashed_config config = bench_config(TABLE_LOG);
    config.slot_pages = LINE_PAGES;
    return config;
}

/* R20.6, for numbers of no more than 36 bits. */
static uint64_t hash(uint64_t number, uint64_t pasid, uint32_t log) {
    const uint64_t key = number ^ (number >> 27) << 9 ^ pasid << 18;
    return key * 0x4f1bbcd % (UINT64_C(1) << 27) >> (27 - log);
}

static uint64_t read_word(const bench *b, uint64_t line, uint64_t word) {
    return lw_phys_mem_read64(b->mem, line * 64 + word * 8);
}

/* The first entry of a page's group, of a table that is empty but for it. */
static void page_lies_where_it_should(void **state) {
    (void)state;
    static const struct {
        uint32_t pasid;
        uint64_t vpn;
    } rows[] = {{0, 0}, {3, 0x123456789}, {7, 0xfffffffff}, {5, 0x12345678d}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const uint64_t pasid = rows[i].pasid;
        const uint64_t vpn = rows[i].vpn;
        const uint64_t region = vpn / LINE_PAGES;
        const uint64_t group = region / 16;
        bench b;
        lw_hashed_roots roots;
        bench_open(&b, of_lines());
        map(&b, rows[i].pasid, vpn, 0x4321, RWX);
        assert_true(lw_hashed_table_roots(b.table, rows[i].pasid, &roots));
        const uint64_t slot = roots.table_frame * 64 + hash(region, pasid, TABLE_LOG);
        const uint64_t tag = UINT64_C(1) << 47 | pasid << 36 | region;
        for (uint64_t word = 0; word < 8; word++) {
            const uint64_t pte = word == vpn % 8 ? UINT64_C(0x4321) << 12 | 7 : 0;
            assert_int_equal(read_word(&b, slot, word), pte | (tag >> 6 * word & 63) << 57);
        }
        const uint64_t bucket = roots.step_frame * 64 + hash(group, pasid, STEP_LOG);
        assert_int_equal(read_word(&b, bucket, 0), UINT64_C(1) << 63 | pasid << 32 | group);
        assert_int_equal(read_word(&b, bucket, 1), UINT64_C(8) << 4 * (region % 16));
        assert_true(agree(&b, rows[i].pasid, vpn));
        check_tables(&b);
        bench_close(&b);
    }
}

/* R20.10: a line that is evicted lies in the node in which its neighbours lie too. */
static void evicted_lines_share_a_node(void **state) {
    (void)state;
    bench b;
    bench_open(&b, of_lines());
    for (uint64_t vpn = 0; vpn < 64; vpn += LINE_PAGES) {
        map(&b, 1, 0x40000 + vpn, 0x100 + vpn, RWX);
        assert_true(act(&b, lw_hashed_table_evict, 1, 0x40000 + vpn));
        assert_true(agree(&b, 1, 0x40000 + vpn));
    }
    const lw_hashed_figures f = lw_hashed_table_figures(b.table);
    assert_int_equal(f.victim_regions, 8);
    assert_int_equal(f.victim_nodes, BENCH_PASIDS + 3);
    assert_true(act(&b, lw_hashed_table_recall, 1, 0x40000 + 16));
    for (uint64_t vpn = 0; vpn < 64; vpn++) {
        assert_true(agree(&b, 1, 0x40000 + vpn));
        assert_int_equal(hashed_walk(&b, 1, 0x40000 + vpn, false).place,
                         vpn / LINE_PAGES == 2 ? LW_HASHED_TABLE : LW_HASHED_VICTIM_BUFFER);
    }
    bench_close(&b);
}

/* R20.25: 64 times as many slots of a 64th of the size, within the range of R20.11. */
static void sizes_are_those_of_as_many_pages(void **state) {
    (void)state;
    const lw_hashed_config frames = bench_sizes(1 << 18, 120, 512, false);
    const lw_hashed_config lines = bench_sizes(1 << 18, 120, LINE_PAGES, false);
    assert_int_equal(lines.table_log, frames.table_log + 6);
    assert_int_equal(lines.max_local, frames.max_local * 64);
    assert_int_equal(bench_sizes(1, 120, LINE_PAGES, false).table_log, 6);
    const uint64_t pages_of_2_tib = UINT64_C(1) << 29;
    assert_int_equal(bench_sizes(pages_of_2_tib, 120, LINE_PAGES, false).table_log, 24);
    assert_int_equal(bench_sizes(pages_of_2_tib, 120, LINE_PAGES, false).step_log, 24);
}

static void what_lines_cannot_have_is_refused(void **state) {
    (void)state;
    const struct {
        uint32_t slot_pages, levels, table_log;
        bool contiguity;
        const char *why;
    } rows[] = {
        {16, 4, 7, false, "slot_pages 16; allowed: 512, and 8 with levels 4 and without contig"},
        {8, 5, 7, false, "slot_pages 8; allowed: 512, and 8 with levels 4"},
        {8, 4, 7, true, "slot_pages 8; allowed: 512"},
        {8, 4, 5, false, "table_log 5 is not in 6..24"},
        {8, 4, 25, false, "table_log 25 is not in 6..24"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_error err = {0};
        lw_hashed_config config = of_lines();
        config.slot_pages = rows[i].slot_pages;
        config.levels = rows[i].levels;
        config.table_log = rows[i].table_log;
        config.contiguity = rows[i].contiguity;
        assert_null(lw_hashed_table_new(&config, NULL, NULL, &err));
        assert_non_null(strstr(err.text, rows[i].why));
    }
    bench b;
    lw_error err = {0};
    bench_open(&b, of_lines());
    assert_false(lw_hashed_table_map(b.table, 0, 16, 16, LW_SIZE_64K, RWX, &err));
    assert_non_null(strstr(err.text, "allowed: 4 KiB, and with slots of 512 pages 64 KiB"));
    bench_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(page_lies_where_it_should),
        cmocka_unit_test(evicted_lines_share_a_node),
        cmocka_unit_test(sizes_are_those_of_as_many_pages),
        cmocka_unit_test(what_lines_cannot_have_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
