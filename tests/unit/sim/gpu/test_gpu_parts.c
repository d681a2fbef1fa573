/* The parts of the GPU, each against a naive reference: the TLB against a list that is scanned, the
 * heap against a search for the smallest, the misses against a table, the lane coalescer against
 * the definition. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "c_model/base/ports.h"
#include "common/heap.h"
#include "common/rng.h"
#include "sim/gpu/gpu_tlb.h"
#include "sim/gpu/lane_coalescer.h"
#include "sim/memory/misses.h"

#include <string.h>

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* ---------------------------------------------------------------- TLB */

enum { MAX_ENTRIES = 64 };

typedef struct naive_entry {
    bool used;
    uint32_t pasid, perm;
    uint64_t page, touch;
} naive_entry;

typedef struct naive_tlb {
    uint32_t sets, ways;
    uint64_t clock;
    naive_entry entries[MAX_ENTRIES];
} naive_tlb;

static naive_entry *naive_find(naive_tlb *t, uint32_t pasid, uint64_t page) {
    for (uint32_t e = 0; e < t->sets * t->ways; e++) {
        naive_entry *x = &t->entries[e];
        if (x->used && x->pasid == pasid && x->page == page) {
            return x;
        }
    }
    return NULL;
}

static bool naive_lookup(naive_tlb *t, uint32_t pasid, uint64_t page, uint32_t access,
                         uint32_t *perm) {
    naive_entry *x = naive_find(t, pasid, page);
    if (x == NULL || ((access & 2) != 0 ? (x->perm & 2) == 0 : access == 1 && (x->perm & 1) == 0)) {
        return false;
    }
    x->touch = ++t->clock;
    *perm = x->perm;
    return true;
}

static void naive_fill(naive_tlb *t, uint32_t pasid, uint64_t page, uint32_t perm) {
    naive_entry *x = naive_find(t, pasid, page);
    naive_entry *set = &t->entries[page % t->sets * t->ways];
    for (uint32_t w = 0; x == NULL && w < t->ways; w++) {
        x = set[w].used ? NULL : &set[w];
    }
    for (uint32_t w = 0; x == NULL && w < t->ways; w++) {
        bool oldest = true;
        for (uint32_t v = 0; v < t->ways; v++) {
            oldest = oldest && set[w].touch <= set[v].touch;
        }
        x = oldest ? &set[w] : NULL;
    }
    assert_non_null(x);
    if (x == NULL) {
        return; /* never: for the static analyser */
    }
    *x = (naive_entry){true, pasid, perm, page, ++t->clock};
}

static void naive_shootdown(naive_tlb *t, const lw_gpu_shootdown *s) {
    for (uint32_t e = 0; e < t->sets * t->ways; e++) {
        naive_entry *x = &t->entries[e];
        const bool covered[] = {[LW_INV_PAGE] = x->pasid == s->pasid && x->page == s->first,
                                [LW_INV_RANGE] = x->pasid == s->pasid && x->page >= s->first &&
                                                 x->page <= s->last,
                                [LW_INV_PASID] = x->pasid == s->pasid,
                                [LW_INV_ALL] = true};
        x->used = x->used && !covered[s->type];
    }
}

static void test_tlb(void **state) {
    (void)state;
    static const struct {
        uint32_t sets, ways;
    } shapes[] = {{1, 1}, {1, 32}, {4, 2}, {16, 1}, {8, 8}};
    for (size_t i = 0; i < COUNT(shapes); i++) {
        naive_tlb naive = {.sets = shapes[i].sets, .ways = shapes[i].ways};
        lw_gpu_tlb *tlb = lw_gpu_tlb_new(naive.sets, naive.ways);
        lw_rng rng;
        uint64_t hits = 0;
        assert_non_null(tlb);
        lw_rng_seed(&rng, i);
        for (unsigned n = 0; n < 50000; n++) {
            const uint32_t pasid = (uint32_t)lw_rng_below(&rng, 3);
            /* The last page of all too: its key must not run into the PASID's. */
            const uint64_t page = (lw_rng_below(&rng, 2) == 0 ? 0 : UINT64_C(0xfffffffffffe0)) |
                                  lw_rng_below(&rng, naive.sets * naive.ways < 32 ? 8 : 32);
            const uint64_t what = lw_rng_below(&rng, 1000);
            lw_gpu_reach reach = {.perm = 9};
            uint32_t expected = 9;
            if (what < 600) {
                const uint32_t access = (uint32_t)lw_rng_below(&rng, 4);
                const bool hit = naive_lookup(&naive, pasid, page, access, &expected);
                assert_int_equal(lw_gpu_tlb_lookup(tlb, pasid, page, access, &reach), hit);
                assert_int_equal(reach.perm, expected);
                assert_int_equal(reach.span, 0);
                hits += hit ? 1 : 0;
            } else if (what < 995) {
                reach.perm = (uint32_t)lw_rng_below(&rng, 4);
                naive_fill(&naive, pasid, page, reach.perm);
                lw_gpu_tlb_fill(tlb, pasid, page, &reach);
            } else {
                const lw_gpu_shootdown s = {(uint32_t)lw_rng_below(&rng, 4), pasid, page,
                                            page + lw_rng_below(&rng, 8) - 2};
                naive_shootdown(&naive, &s);
                lw_gpu_tlb_shootdown(tlb, &s);
            }
        }
        assert_true(hits > 100);
        lw_gpu_tlb_free(tlb);
    }
}

/* ---------------------------------------------------------------- runs (CoLT) */

static void test_run_of(void **state) {
    (void)state;
    static const struct {
        uint32_t page, links, first, last;
    } rows[] = {
        {0, 0, 0, 0}, {0, 6, 0, 0}, {0, 1, 0, 1}, {1, 7, 0, 3}, {2, 3, 0, 2},
        {2, 1, 2, 2}, {2, 2, 1, 2}, {3, 3, 3, 3}, {3, 4, 2, 3}, {7, 6, 1, 3},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const lw_gpu_run run = lw_gpu_run_of(rows[i].page, rows[i].links);
        assert_int_equal(run.first, rows[i].first);
        assert_int_equal(run.last, rows[i].last);
    }
}

static bool hits(lw_gpu_tlb *tlb, uint32_t pasid, uint64_t page, uint32_t access) {
    lw_gpu_reach reach = {0};
    const bool hit = lw_gpu_tlb_lookup(tlb, pasid, page, access, &reach);
    assert_int_equal(reach.span, 0);
    assert_int_equal(reach.links, 0);
    return hit;
}

static void fill(lw_gpu_tlb *tlb, uint64_t page, uint32_t links, uint32_t perm) {
    lw_gpu_tlb_fill(tlb, 1, page, &(lw_gpu_reach){.links = links, .perm = perm});
}

static void test_runs(void **state) {
    (void)state;
    lw_gpu_tlb *tlb = lw_gpu_tlb_new(1, 2);
    assert_non_null(tlb);
    fill(tlb, 0x1001, 3, 1); /* places 0..2 */
    for (uint64_t page = 0xfff; page <= 0x1004; page++) {
        assert_int_equal(hits(tlb, 1, page, 1), page >= 0x1000 && page <= 0x1002);
        assert_false(hits(tlb, 1, page, 2)); /* not to be executed */
        assert_false(hits(tlb, 2, page, 0));
    }
    /* A second run of the same group, and one in the place of both: one entry is free then. */
    fill(tlb, 0x1003, 0, 1);
    assert_true(hits(tlb, 1, 0x1003, 0));
    fill(tlb, 0x1002, 7, 1);
    fill(tlb, 0x2000, 0, 0);
    assert_true(hits(tlb, 1, 0x1000, 1) && hits(tlb, 1, 0x1003, 1) && hits(tlb, 1, 0x2000, 0));
    /* A run inside one that is there only touches it: 0x2000 is the older then. */
    fill(tlb, 0x1000, 1, 1);
    fill(tlb, 0x3000, 7, 0);
    assert_true(hits(tlb, 1, 0x1003, 1));
    assert_false(hits(tlb, 1, 0x2000, 0));
    /* With another perm it takes its place, and what it does not cover is gone. */
    fill(tlb, 0x1000, 1, 3);
    assert_true(hits(tlb, 1, 0x1001, 2));
    assert_false(hits(tlb, 1, 0x1002, 0));
    lw_gpu_tlb_shootdown(tlb, &(lw_gpu_shootdown){LW_INV_PASID, 1, 0, 0});
    assert_false(hits(tlb, 1, 0x1001, 0) || hits(tlb, 1, 0x3000, 0));
    lw_gpu_tlb_free(tlb);
}

/* What a shootdown leaves of a page of 2 MiB, 1 GiB and 64 KiB, of two runs and of a single page:
 * only what it covers goes, and that as a whole. */
static void test_shootdown_covers(void **state) {
    (void)state;
    enum { ENTRIES = 6 };
    static const struct {
        uint64_t page, first, last; /* filled with, and what it then covers */
        lw_gpu_reach reach;
    } entries[ENTRIES] = {
        {0x400, 0x400, 0x5ff, {.span = 9, .perm = 3}},
        {0x80000, 0x80000, 0xbffff, {.span = 18, .perm = 3}},
        {0x1001, 0x1001, 0x1003, {.links = 6, .perm = 3}},
        {0x2000, 0x2000, 0x2000, {.perm = 3}},
        {0x3001, 0x3001, 0x3002, {.links = 2, .perm = 3}},
        {0x4005, 0x4000, 0x400f, {.span = 4, .perm = 3}},
    };
    static const lw_gpu_shootdown rows[] = {
        {LW_INV_PAGE, 1, 0x5ff, 0},          {LW_INV_PAGE, 1, 0x600, 0},
        {LW_INV_PAGE, 1, 0x3ff, 0},          {LW_INV_PAGE, 1, 0xbffff, 0},
        {LW_INV_PAGE, 1, 0xc0000, 0},        {LW_INV_PAGE, 1, 0x1000, 0},
        {LW_INV_PAGE, 1, 0x1003, 0},         {LW_INV_PAGE, 1, 0x2000, 0},
        {LW_INV_RANGE, 1, 0x500, 0x1000},    {LW_INV_RANGE, 1, 0x600, 0x1001},
        {LW_INV_RANGE, 1, 0x1004, 0x7ffff},  {LW_INV_RANGE, 1, 0x2000, 0x1fff},
        {LW_INV_RANGE, 1, 0x90000, 0x90000}, {LW_INV_RANGE, 2, 0, UINT64_MAX},
        {LW_INV_RANGE, 1, 0x3003, 0x3fff},   {LW_INV_RANGE, 1, 0x2001, 0x3000},
        {LW_INV_RANGE, 1, 0x3002, 0x3003},   {LW_INV_RANGE, 1, 0, UINT64_MAX},
        {LW_INV_PAGE, 2, 0x2000, 0x2000},    {LW_INV_PAGE, 1, 0x400f, 0},
        {LW_INV_RANGE, 1, 0x400f, 0x4fff},   {LW_INV_RANGE, 1, 0x4010, 0x4fff},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_gpu_tlb *tlb = lw_gpu_tlb_new(1, ENTRIES);
        const lw_gpu_shootdown *s = &rows[i];
        const uint64_t last = s->type == LW_INV_PAGE ? s->first : s->last;
        lw_gpu_reach reach;
        assert_non_null(tlb);
        for (size_t e = 0; e < ENTRIES; e++) {
            lw_gpu_tlb_fill(tlb, 1, entries[e].page, &entries[e].reach);
        }
        lw_gpu_tlb_shootdown(tlb, s);
        for (size_t e = 0; e < ENTRIES; e++) {
            const bool covered = s->pasid == 1 && s->first <= last && entries[e].first <= last &&
                                 entries[e].last >= s->first;
            assert_int_equal(lw_gpu_tlb_lookup(tlb, 1, entries[e].first, 0, &reach), !covered);
            assert_int_equal(lw_gpu_tlb_lookup(tlb, 1, entries[e].last, 0, &reach), !covered);
        }
        lw_gpu_tlb_free(tlb);
    }
}

/* ---------------------------------------------------------------- heap */

static void test_heap(void **state) {
    (void)state;
    enum { ROOM = 50 };
    lw_heap heap;
    lw_heap_item items[ROOM];
    size_t count = 0;
    lw_rng rng;
    lw_rng_seed(&rng, 1);
    assert_true(lw_heap_init(&heap, ROOM));
    for (unsigned n = 0; n < 20000; n++) {
        if (count < ROOM && lw_rng_percent(&rng, n / 1000 % 2 == 0 ? 70 : 30)) {
            items[count] = (lw_heap_item){lw_rng_below(&rng, 20), (uint32_t)n};
            lw_heap_push(&heap, items[count].key, items[count].value);
            count++;
        } else if (count > 0) {
            size_t first = 0;
            for (size_t i = 1; i < count; i++) {
                if (items[i].key < items[first].key ||
                    (items[i].key == items[first].key && items[i].value < items[first].value)) {
                    first = i;
                }
            }
            assert_int_equal(lw_heap_first(&heap), items[first].key);
            assert_int_equal(lw_heap_pop(&heap), items[first].value);
            items[first] = items[--count];
        } else {
            assert_true(lw_heap_first(&heap) == UINT64_MAX);
        }
        assert_int_equal(heap.count, count);
    }
    lw_heap_free(&heap);
}

/* ---------------------------------------------------------------- misses */

/* Keys that differ in one part only are different misses; waiters wake in the order they came. */
static void test_misses(void **state) {
    (void)state;
    enum { ROOM = 24, WAITERS = 64, OWNERS = 3, PAGES = 4, ACCESSES = 2 };
    struct {
        uint32_t miss, waiters[WAITERS], count;
    } table[OWNERS][PAGES][ACCESSES];
    lw_misses m;
    lw_rng rng;
    uint32_t waiters = 0;
    uint32_t who = 0;
    memset(table, 0, sizeof table);
    lw_rng_seed(&rng, 2);
    assert_true(lw_misses_init(&m, ROOM, WAITERS));
    for (uint32_t n = 0; n < 50000; n++) {
        const uint32_t owner = (uint32_t)lw_rng_below(&rng, OWNERS);
        const uint64_t page = lw_rng_below(&rng, PAGES);
        const uint32_t access = (uint32_t)lw_rng_below(&rng, ACCESSES);
        uint32_t miss = lw_misses_find(&m, owner, page << 40, access);
        uint32_t *count = &table[owner][page][access].count;
        uint32_t *expected = table[owner][page][access].waiters;
        assert_int_equal(miss == LW_NO_MISS, *count == 0);
        assert_true(miss == LW_NO_MISS || miss == table[owner][page][access].miss);
        if (lw_rng_percent(&rng, 75) && waiters < WAITERS) {
            if (miss == LW_NO_MISS) {
                miss = lw_misses_add(&m, owner, page << 40, access);
                table[owner][page][access].miss = miss;
            }
            lw_misses_wait(&m, miss, n);
            expected[(*count)++] = n;
            waiters++;
        } else if (miss != LW_NO_MISS) {
            for (uint32_t i = 0; i < *count; i++) {
                assert_true(lw_misses_wake(&m, miss, &who));
                assert_int_equal(who, expected[i]);
            }
            assert_false(lw_misses_wake(&m, miss, &who));
            waiters -= *count;
            *count = 0;
        }
        assert_int_equal(m.free_waiter_count, WAITERS - waiters);
    }
    lw_misses_free(&m);
}

/* ---------------------------------------------------------------- lane coalescer */

static void test_coalescer(void **state) {
    (void)state;
    lw_rng rng;
    lw_rng_seed(&rng, 3);
    for (unsigned n = 0; n < 20000; n++) {
        lw_wave_inst inst = {.mask = n % 3 == 0   ? UINT64_MAX
                                     : n % 3 == 1 ? UINT32_MAX /* waves of 32 lanes */
                                                  : lw_rng_next(&rng)};
        const uint64_t spread = UINT64_C(1) << lw_rng_below(&rng, 20);
        const bool ascends = lw_rng_percent(&rng, 30);
        lw_page_lines expected[LW_MAX_LANES];
        lw_page_lines pages[LW_MAX_LANES];
        uint32_t count = 0;
        inst.mask |= inst.mask == 0 ? 1 : 0;
        for (unsigned lane = 0; lane < LW_MAX_LANES; lane++) {
            inst.va[lane] = ascends ? lane * spread : lw_rng_below(&rng, spread) << 6;
            if ((inst.mask >> lane & 1) == 0) {
                continue;
            }
            uint32_t i = 0;
            while (i < count && expected[i].page != inst.va[lane] >> 12) {
                i++;
            }
            if (i == count) {
                expected[count++] = (lw_page_lines){.page = inst.va[lane] >> 12};
            }
            expected[i].lines |= UINT64_C(1) << inst.va[lane] % 4096 / 64;
        }
        assert_int_equal(lw_coalesce_lanes(&inst, pages), count);
        lw_coalesce_lines(&inst, pages, count);
        assert_memory_equal(pages, expected, count * sizeof pages[0]);
    }
}

/* An entry keeps the frame it was given, and gives each page of its span or run its own. */
static void test_frames_are_kept(void **state) {
    (void)state;
    static const struct {
        lw_gpu_reach given;
        uint64_t page, asked, pfn;
    } rows[] = {
        {{.pfn = 77, .perm = 3}, 5, 5, 77},
        {{.pfn = 0x40205, .perm = 3, .span = 9}, 0x205, 0x3ff, 0x403ff},
        {{.pfn = 0x80000, .perm = 1, .span = 18}, 0x40000, 0x40123, 0x80123},
        {{.pfn = 100, .perm = 3, .links = 7}, 0x1002, 0x1000, 98},
        {{.pfn = 100, .perm = 3, .links = 4}, 0x1002, 0x1003, 101},
        {{.pfn = 0, .perm = 3, .links = 1}, 0x1001, 0x1000, UINT64_MAX},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_gpu_tlb *tlb = lw_gpu_tlb_new(1, 4);
        lw_gpu_reach reach = {0};
        lw_gpu_tlb_fill(tlb, 1, rows[i].page, &rows[i].given);
        assert_true(lw_gpu_tlb_lookup(tlb, 1, rows[i].asked, 0, &reach));
        assert_true(reach.pfn == rows[i].pfn);
        assert_int_equal(reach.perm, rows[i].given.perm);
        /* filled again, with another frame */
        lw_gpu_reach again = rows[i].given;
        again.perm ^= 2;
        again.pfn += 1000;
        lw_gpu_tlb_fill(tlb, 1, rows[i].page, &again);
        assert_true(lw_gpu_tlb_lookup(tlb, 1, rows[i].asked, 0, &reach));
        assert_true(reach.pfn == rows[i].pfn + 1000);
        lw_gpu_tlb_free(tlb);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_are_kept),  cmocka_unit_test(test_tlb),
        cmocka_unit_test(test_run_of),           cmocka_unit_test(test_runs),
        cmocka_unit_test(test_shootdown_covers), cmocka_unit_test(test_heap),
        cmocka_unit_test(test_misses),           cmocka_unit_test(test_coalescer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
