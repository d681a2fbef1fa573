/* A million changes of hashed page tables, drawn at random, beside plain radix tables of the same
 * mappings: pages of every size, of several PASIDs, come and go, regions move, are evicted and
 * recalled, and every page asked for is the same in both, or in neither (FS-HPT with R20.12). */
#include "tests/unit/sim/os/hashed_bench.h"

#define COUNT(a) (sizeof(a) / sizeof(a)[0])

/* The regions of a PASID lie in clusters, far apart. */
enum { REGIONS = 80, PASIDS_USED = 4 };

typedef struct shape {
    uint32_t table_log, stride, max_local, max_entries, levels, clusters;
} shape;

/* Roomy, as the paper's; full of local entries; under a threshold; of one chain; each region in a
 * group of its own, more than the step table has room for. */
static const shape shapes[] = {{9, 1, 400, 480, 4, 4},
                               {5, 3, 32, 32, 5, 4},
                               {6, 1, 12, 20, 4, 4},
                               {3, 1, 100, 8, 4, 4},
                               {9, 1, 400, 480, 4, 80}};

static uint64_t any_page(const shape *s, lw_rng *rng) {
    const uint64_t cluster = lw_rng_below(rng, s->clusters);
    return (cluster * 0x2345678 + lw_rng_below(rng, REGIONS / s->clusters)) % 0x3ffffff * REGION +
           lw_rng_below(rng, 32) * 16 + lw_rng_below(rng, 2);
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
    lw_error err = {""};
    const lw_page_size size = sizes[lw_rng_percent(rng, 98) ? lw_rng_below(rng, 4) : 4];
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
    lw_error err = {""};
    assert_true(lw_hashed_table_settle(b->table, &err));
    assert_true(lw_hashed_table_drain(b->table, &err));
}

static lw_hashed_counts run_shape(const shape *s, uint64_t seed) {
    const uint32_t operations = 200000;
    static region_call *const calls[] = {lw_hashed_table_move, lw_hashed_table_evict,
                                         lw_hashed_table_recall, lw_hashed_table_recall};
    bench b;
    lw_rng rng;
    lw_rng_seed(&rng, seed);
    bench_open(&b, (lw_hashed_config){.levels = s->levels,
                                      .table_log = s->table_log,
                                      .step_log = 6,
                                      .stride = s->stride,
                                      .max_local = s->max_local,
                                      .max_entries = s->max_entries});
    for (uint32_t i = 0; i < operations; i++) {
        const uint32_t pasid = (uint32_t)lw_rng_below(&rng, PASIDS_USED);
        const uint64_t vpn = any_page(s, &rng);
        const uint64_t draw = lw_rng_below(&rng, 100);
        if (draw < 85) {
            change_page(&b, &rng, pasid, vpn);
        } else if (draw < 90) {
            lw_hashed_table_touch(b.table, pasid, vpn);
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
static void a_million_changes(void **state) {
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_million_changes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
