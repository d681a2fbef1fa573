/* Changes of hashed page tables, drawn at random, beside plain radix tables of the same
 * mappings: pages of every size, of several PASIDs, come and go, regions move, are evicted and
 * recalled, and every page asked for is the same in both, or in neither (FS-HPT with R20.12). Fewer
 * of them are looked at after each word (R20.21 to R20.24). */
#include "tests/unit/sim/tables/hashed_bench.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

/* The regions of a PASID lie in clusters, far apart. */
enum { REGIONS = 80, PASIDS_USED = 4 };

typedef struct shape {
    uint32_t multiplier, table_log, stride, max_local, max_entries, levels, clusters, slot_pages;
} shape;

/* Roomy, as the paper's; full of local entries; under a threshold; of one chain; each region in a
 * group of its own, more than the step table has room for; with slots that are lines, roomy and
 * full. One has another hash. */
static const shape shapes[] = {{LW_HASH_MULTIPLIER, 9, 1, 400, 480, 4, 4, 512},
                               {LW_HASH_MULTIPLIER, 5, 3, 32, 32, 5, 4, 512},
                               {0x1234567, 6, 1, 12, 20, 4, 4, 512},
                               {LW_HASH_MULTIPLIER, 3, 1, 100, 8, 4, 4, 512},
                               {LW_HASH_MULTIPLIER, 9, 1, 400, 480, 4, 80, 512},
                               {LW_HASH_MULTIPLIER, 9, 1, 400, 480, 4, 4, 8},
                               {LW_HASH_MULTIPLIER, 6, 5, 40, 50, 4, 4, 8}};

static uint64_t any_page(const shape *s, lw_rng *rng) {
    const uint64_t cluster = lw_rng_below(rng, s->clusters);
    const uint64_t region = cluster * 0x2345678 + lw_rng_below(rng, REGIONS / s->clusters);
    const uint64_t first = region % 0x3ffffff * s->slot_pages;
    return s->slot_pages == REGION ? first + lw_rng_below(rng, 32) * 16 + lw_rng_below(rng, 2)
                                   : first + lw_rng_below(rng, s->slot_pages);
}

static void change_page(bench *b, lw_rng *rng, uint32_t pasid, uint64_t vpn) {
    static const lw_page_size sizes[] = {LW_SIZE_4K, LW_SIZE_4K, LW_SIZE_4K, LW_SIZE_64K,
                                         LW_SIZE_2M};
    static const uint64_t large[] = {1, 16, REGION, 1};
    lw_hashed_page page;
    if (lw_hashed_table_find(b->table, pasid, vpn, &page)) {
        unmap(b, pasid, vpn, large[page.pte >> 9 & 3]);
        return;
    }
    lw_error err = {0};
    const lw_page_size drawn = sizes[lw_rng_percent(rng, 98) ? lw_rng_below(rng, 4) : 4];
    const lw_page_size size = b->slot_pages == REGION ? drawn : LW_SIZE_4K;
    const uint64_t pages = pages_of_size[size];
    const uint64_t pfn = lw_rng_below(rng, 1 << 20) / pages * pages;
    const uint32_t flags = (uint32_t)lw_rng_below(rng, 16);
    vpn = vpn / pages * pages;
    if (!lw_hashed_table_map(b->table, pasid, vpn, pfn, size, flags, &err)) {
        assert_non_null(strstr(err.text, "is mapped already"));
        return;
    }
    assert_true(lw_hashed_table_drain(b->table, &err));
    plain_map(b, pasid, vpn, pfn, size, flags);
}

static void settle(bench *b) {
    lw_error err = {0};
    assert_true(lw_hashed_table_settle(b->table, &err));
    assert_true(lw_hashed_table_drain(b->table, &err));
}

static lw_hashed_counts run_shape(const shape *s, uint64_t seed) {
    const uint32_t operations = 40000;
    static region_call *const calls[] = {lw_hashed_table_move, lw_hashed_table_evict,
                                         lw_hashed_table_recall, lw_hashed_table_recall,
                                         lw_hashed_table_migrate};
    bench b;
    lw_rng rng;
    lw_rng_seed(&rng, seed);
    bench_open(&b, (lw_hashed_config){.levels = s->levels,
                                      .slot_pages = s->slot_pages,
                                      .table_log = s->table_log,
                                      .step_log = 6,
                                      .stride = s->stride,
                                      .multiplier = s->multiplier,
                                      .max_local = s->max_local,
                                      .max_entries = s->max_entries});
    for (uint32_t i = 0; i < operations; i++) {
        const uint32_t pasid = (uint32_t)lw_rng_below(&rng, PASIDS_USED);
        const uint64_t vpn = any_page(s, &rng);
        const uint64_t draw = lw_rng_below(&rng, 100);
        if (draw < 85) {
            change_page(&b, &rng, pasid, vpn);
        } else if (draw < 90) {
            (void)lw_hashed_table_access(b.table, pasid, vpn, i);
        } else {
            (void)act(&b, calls[lw_rng_below(&rng, COUNT(calls))], pasid, vpn);
        }
        assert_true(agree(&b, pasid, vpn));
        assert_true(agree(&b, (uint32_t)lw_rng_below(&rng, BENCH_PASIDS), any_page(s, &rng)));
        if (i % (operations / 8) == 0) {
            check_tables(&b);
            settle(&b);
        }
    }
    check_tables(&b);
    const lw_hashed_counts c = lw_hashed_table_counts(b.table);
    bench_close(&b);
    return c;
}

/* And each branch of the driver was taken. */
static void changes(void **state) {
    (void)state;
    lw_hashed_counts sum = {0};
    for (size_t i = 0; i < COUNT(shapes); i++) {
        const lw_hashed_counts c = run_shape(&shapes[i], i + 1);
        for (size_t k = 0; k < sizeof c / sizeof(uint64_t); k++) {
            ((uint64_t *)&sum)[k] += ((const uint64_t *)&c)[k];
        }
    }
    for (size_t k = 0; k < sizeof sum / sizeof(uint64_t); k++) {
        assert_true(((const uint64_t *)&sum)[k] > 0);
    }
}

/* ---------------------------------------------------------------- word by word */

/* Of few regions, so that a change mostly meets others' entries. */
static uint64_t near_page(lw_rng *rng) {
    const uint64_t region = lw_rng_below(rng, 4) * 0x2345678 % 0x3ffffff + lw_rng_below(rng, 3);
    return region * REGION + lw_rng_below(rng, 2) * 200 + lw_rng_below(rng, 2);
}

/* After each word of a change: pages drawn at random, and those of its region, are where they were
 * or are to be; only the page that comes or goes may be there or not. */
static void write_words(bench *b, lw_rng *rng, uint32_t pasid, uint64_t vpn,
                        const lw_oracle_answer *page) {
    bool written = true;
    lw_error err = {0};
    while (written) {
        assert_true(lw_hashed_table_step(b->table, &written, &err));
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t other = (uint32_t)lw_rng_below(rng, PASIDS_USED);
            const uint64_t at = i == 0 ? vpn ^ 1 : near_page(rng);
            assert_true((other == pasid && at == vpn) || agree(b, other, at));
        }
        const lw_oracle_answer got = hashed_walk(b, pasid, vpn, false).answer;
        assert_true((page->kind == LW_ORACLE_OK && got.pfn == page->pfn) ||
                    got.kind == LW_ORACLE_NOT_PRESENT);
    }
}

static void change_by_words(bench *b, lw_rng *rng, uint32_t pasid, uint64_t vpn) {
    lw_error err = {0};
    lw_hashed_page page;
    const bool goes = lw_hashed_table_find(b->table, pasid, vpn, &page);
    const uint64_t pfn = goes ? 0 : lw_rng_below(rng, 1 << 20);
    const uint32_t flags = LW_MAP_U | (lw_rng_percent(rng, 60) ? 0 : LW_MAP_REMOTE);
    if (goes) {
        assert_true(lw_hashed_table_unmap(b->table, pasid, vpn, &err));
    } else {
        plain_map(b, pasid, vpn, pfn, LW_SIZE_4K, flags);
        assert_true(lw_hashed_table_map(b->table, pasid, vpn, pfn, LW_SIZE_4K, flags, &err));
    }
    const lw_oracle_answer wanted = plain_walk(b, pasid, vpn);
    write_words(b, rng, pasid, vpn, &wanted);
    assert_true(!goes || lw_page_table_unmap(b->plain[pasid], vpn, &err));
    assert_true(agree(b, pasid, vpn));
}

/* Moves, evictions and recalls change no page at any word, whatever the driver does for room. */
static void changes_word_by_word(void **state) {
    (void)state;
    static region_call *const calls[] = {lw_hashed_table_move, lw_hashed_table_evict,
                                         lw_hashed_table_recall};
    bench b;
    lw_rng rng;
    lw_error err = {0};
    uint64_t done[COUNT(calls)] = {0};
    lw_rng_seed(&rng, 3);
    lw_hashed_config config = bench_config(4);
    config.max_entries = 14;
    bench_open(&b, config);
    for (uint32_t i = 0; i < 2500; i++) {
        const uint32_t pasid = (uint32_t)lw_rng_below(&rng, PASIDS_USED);
        const uint64_t vpn = near_page(&rng);
        if (lw_rng_percent(&rng, 60)) {
            change_by_words(&b, &rng, pasid, vpn);
            continue;
        }
        const size_t call = lw_rng_below(&rng, COUNT(calls));
        bool was_done = false;
        const lw_oracle_answer wanted = plain_walk(&b, pasid, vpn);
        assert_true(calls[call](b.table, pasid, vpn, &was_done, &err));
        write_words(&b, &rng, pasid, vpn, &wanted);
        assert_true(agree(&b, pasid, vpn));
        done[call] += was_done;
        if (i % 100 == 0) {
            check_tables(&b);
            settle(&b);
        }
    }
    check_tables(&b);
    assert_true(done[0] > 0 && done[1] > 0 && done[2] > 0 && b.paged_out == 0);
    assert_true(lw_hashed_table_counts(b.table).remote_evictions > 0);
    assert_true(lw_hashed_table_counts(b.table).chain_moves > 0);
    bench_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(changes),
                                       cmocka_unit_test(changes_word_by_word)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
