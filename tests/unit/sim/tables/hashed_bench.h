/* A hashed table beside a plain radix table of the same mappings, each in a memory of its own: a
 * page is asked of both, of the one by the oracle's hashed walk, of the other by the flat walk. And
 * the third opinion: the HPT Map, the slots and the step table say the same, word for word. */
#ifndef LW_TESTS_UNIT_SIM_TABLES_HASHED_BENCH_H
#define LW_TESTS_UNIT_SIM_TABLES_HASHED_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/rng.h"
#include "sim/tables/hashed_query.h"
#include "sim/tables/page_table.h"

#include <stdlib.h>
#include <string.h>

enum { BENCH_PASIDS = 8, PA_WIDTH = 48 };

#define REGION UINT64_C(512)

#define RWX (LW_MAP_W | LW_MAP_U | LW_MAP_X)
#define REMOTE (RWX | LW_MAP_REMOTE)
#define P_BIT UINT64_C(1)
#define REMOTE_BIT (UINT64_C(1) << 11)

typedef struct bench {
    lw_phys_mem *mem, *plain_mem;
    lw_frame_allocator *frames, *plain_frames;
    lw_hashed_table *table;
    lw_page_table *plain[BENCH_PASIDS];
    uint32_t levels, slot_pages;
    uint64_t paged_out; /* PTEs that went to the host */
} bench;

static inline lw_frame_allocator *bench_frames(lw_error *err) {
    const lw_frame_allocator_config config = {.policy = {.kind = LW_FRAMES_CONTIGUOUS},
                                              .first_frame = UINT64_C(1) << LW_ORDER_1G,
                                              .frames = UINT64_C(1) << LW_ORDER_1G,
                                              .pa_width = PA_WIDTH};
    return lw_frame_allocator_new(&config, err);
}

/* The pages of an entry that is paged out are not mapped any more. */
static inline void bench_page_out(void *ctx, uint32_t pasid, uint64_t vpn, uint64_t pte) {
    bench *b = ctx;
    lw_error err = {0};
    assert_true(pte & P_BIT);
    b->paged_out++;
    assert_true(lw_page_table_unmap(b->plain[pasid], vpn, &err));
}

static inline void bench_open(bench *b, lw_hashed_config config) {
    lw_error err = {0};
    memset(b, 0, sizeof *b);
    b->levels = config.levels;
    b->slot_pages = config.slot_pages;
    config.paged_out = bench_page_out;
    config.ctx = b;
    b->mem = lw_phys_mem_new(PA_WIDTH, &err);
    b->plain_mem = lw_phys_mem_new(PA_WIDTH, &err);
    b->frames = bench_frames(&err);
    b->plain_frames = bench_frames(&err);
    b->table = lw_hashed_table_new(&config, b->mem, b->frames, &err);
    assert_string_equal(err.text, "");
    for (uint32_t p = 0; p < BENCH_PASIDS; p++) {
        assert_true(lw_hashed_table_add_process(b->table, p, &err));
        b->plain[p] = lw_page_table_new(b->plain_mem, b->plain_frames, config.levels, &err);
        assert_non_null(b->plain[p]);
    }
}

/* The sizes for so many pages, with slots of so many. */
static inline lw_hashed_config bench_sizes(uint64_t pages, uint32_t factor, uint32_t slot_pages,
                                           bool contiguity) {
    const lw_hashed_need need = {pages, factor, LW_LOAD_DEFAULT, 4, slot_pages, contiguity};
    return lw_hashed_config_for(&need);
}

/* A small table: 2^log slots, room for everything that fits. */
static inline lw_hashed_config bench_config(uint32_t log) {
    return (lw_hashed_config){.levels = 4,
                              .slot_pages = 512,
                              .table_log = log,
                              .step_log = 6,
                              .stride = 1,
                              .multiplier = LW_HASH_MULTIPLIER,
                              .max_local = UINT32_C(1) << log,
                              .max_entries = UINT32_C(1) << log};
}

static inline void bench_close(bench *b) {
    lw_hashed_table_free(b->table);
    assert_int_equal(lw_frame_allocator_in_use(b->frames), 0);
    for (uint32_t p = 0; p < BENCH_PASIDS; p++) {
        lw_page_table_free(b->plain[p]);
    }
    lw_frame_allocator_free(b->frames);
    lw_frame_allocator_free(b->plain_frames);
    lw_phys_mem_free(b->mem);
    lw_phys_mem_free(b->plain_mem);
}

/* ---------------------------------------------------------------- walks */

static inline uint64_t bench_read64(void *ctx, uint64_t pa) {
    return lw_phys_mem_read64(ctx, pa);
}

static inline lw_hashed_walk_query bench_query(const bench *b, uint32_t pasid, uint64_t vpn,
                                               uint32_t access) {
    const uint32_t bits = 9 * b->levels;
    const uint64_t sign = vpn >> (bits - 1) != 0 ? (UINT64_C(1) << 52) - (UINT64_C(1) << bits) : 0;
    lw_hashed_walk_query query = lw_hashed_query(b->table, pasid);
    query.page.pa_width = PA_WIDTH;
    query.page.page_number = vpn | sign;
    query.page.access = access;
    return query;
}

static inline lw_hashed_walk_answer hashed_walk(const bench *b, uint32_t pasid, uint64_t vpn,
                                                bool home_first) {
    const lw_flat_image image = {.read64 = bench_read64, .ctx = b->mem};
    lw_hashed_walk_query q = bench_query(b, pasid, vpn, 0);
    q.home_first = home_first;
    return lw_hashed_walk(&image, &q);
}

static inline lw_oracle_answer plain_walk(const bench *b, uint32_t pasid, uint64_t vpn) {
    const lw_flat_image image = {.read64 = bench_read64, .ctx = b->plain_mem};
    lw_flat_walk_query q = bench_query(b, pasid, vpn, 0).page;
    q.root = lw_page_table_root(b->plain[pasid]);
    return lw_flat_walk(&image, &q);
}

/* Of a page: whether hashed and plain tables translate it alike; where home comes first too. */
static inline bool agree(const bench *b, uint32_t pasid, uint64_t vpn) {
    const lw_oracle_answer wanted = plain_walk(b, pasid, vpn);
    for (int home_first = 0; home_first < 2; home_first++) {
        const lw_oracle_answer got = hashed_walk(b, pasid, vpn, home_first != 0).answer;
        if (got.kind != wanted.kind || got.pfn != wanted.pfn || got.w != wanted.w ||
            got.x != wanted.x) {
            return false;
        }
    }
    return true;
}

/* ---------------------------------------------------------------- changes, of both tables */

static const uint64_t pages_of_size[] = {
    [LW_SIZE_4K] = 1, [LW_SIZE_2M] = REGION, [LW_SIZE_1G] = 0, [LW_SIZE_64K] = 16};

static inline void plain_map(bench *b, uint32_t pasid, uint64_t vpn, uint64_t pfn,
                             lw_page_size size, uint32_t flags) {
    lw_error err = {0};
    for (uint64_t i = 0; i < pages_of_size[size]; i++) {
        assert_true(lw_page_table_map(b->plain[pasid], vpn + i, pfn + i, LW_SIZE_4K, flags, &err));
    }
}

static inline void map_size(bench *b, uint32_t pasid, uint64_t vpn, uint64_t pfn, lw_page_size size,
                            uint32_t flags) {
    lw_error err = {0};
    assert_true(lw_hashed_table_map(b->table, pasid, vpn, pfn, size, flags, &err));
    assert_true(lw_hashed_table_drain(b->table, &err));
    plain_map(b, pasid, vpn, pfn, size, flags);
}

static inline void map(bench *b, uint32_t pasid, uint64_t vpn, uint64_t pfn, uint32_t flags) {
    map_size(b, pasid, vpn, pfn, LW_SIZE_4K, flags);
}

static inline void unmap(bench *b, uint32_t pasid, uint64_t vpn, uint64_t pages) {
    lw_error err = {0};
    assert_true(lw_hashed_table_unmap(b->table, pasid, vpn, &err));
    assert_true(lw_hashed_table_drain(b->table, &err));
    for (uint64_t i = 0; i < pages; i++) {
        assert_true(lw_page_table_unmap(b->plain[pasid], (vpn & ~(pages - 1)) + i, &err));
    }
}

typedef bool region_call(lw_hashed_table *t, uint32_t pasid, uint64_t vpn, bool *done,
                         lw_error *err);

/* Whether it was done. */
static inline bool act(bench *b, region_call *call, uint32_t pasid, uint64_t vpn) {
    lw_error err = {0};
    bool done = false;
    assert_true(call(b->table, pasid, vpn, &done, &err));
    assert_true(lw_hashed_table_drain(b->table, &err));
    return done;
}

/* ---------------------------------------------------------------- Map = table = steps */

/* The words of a slot are those of its entry: pages, local ones, and the tag in every line. Its
 * first is at `pa`. */
static inline void check_slot(const bench *b, uint64_t pa, const lw_hpt_slot *slot) {
    uint32_t pages = 0;
    uint32_t local = 0;
    for (uint32_t i = 0; i < b->slot_pages; i++) {
        const uint64_t word = lw_phys_mem_read64(b->mem, pa + i * UINT64_C(8));
        const uint64_t tag = slot->valid ? slot->tag >> (6 * (i % 8)) & 63 : 0;
        assert_int_equal(word >> 57 & 63, tag);
        pages += (word & P_BIT) != 0;
        local += (word & P_BIT) != 0 && (word & REMOTE_BIT) == 0;
        assert_true((word & P_BIT) != 0 || word == tag << 57);
    }
    assert_int_equal(pages, slot->valid ? slot->pages : 0);
    assert_int_equal(local, slot->valid ? slot->local : 0);
    assert_true(!slot->valid || pages > 0);
}

/* Present regions in all of the step table. */
static inline uint64_t present_steps(const bench *b, const lw_hashed_roots *roots) {
    uint64_t present = 0;
    for (uint64_t i = 0; i < UINT64_C(4) << roots->step_log; i++) {
        const uint64_t pa = (roots->step_frame << 12) + 16 * i;
        const uint64_t group = lw_phys_mem_read64(b->mem, pa);
        const uint64_t steps = lw_phys_mem_read64(b->mem, pa + 8);
        assert_true(group != 0 || steps == 0);
        present += (uint64_t)__builtin_popcountll(steps & UINT64_C(0x8888888888888888));
    }
    return present;
}

/* Every slot holds what the Map says, every valid slot is found by its step, and no step more is
 * present; each order has its entries. */
static inline void check_tables(const bench *b) {
    const lw_hpt_map *m = lw_hashed_table_map_of(b->table);
    lw_hashed_roots roots;
    uint64_t valid = 0;
    assert_true(lw_hashed_table_roots(b->table, 0, &roots));
    for (uint32_t i = 0; i < lw_hpt_map_slots(m); i++) {
        const lw_hpt_slot *slot = lw_hpt_map_slot(m, i);
        check_slot(b, (roots.table_frame << 12) + (uint64_t)i * b->slot_pages * 8, slot);
        if (slot->valid) {
            const lw_hashed_walk_answer a = hashed_walk(
                b, slot->tag >> 36 & 0x7ff, (slot->tag & 0xfffffffff) * b->slot_pages, false);
            assert_int_equal(a.place, LW_HASHED_TABLE);
            assert_int_equal(a.step, slot->step);
            valid++;
        }
    }
    assert_int_equal(valid, present_steps(b, &roots));
    for (int remote = 0; remote < 2; remote++) {
        uint32_t count = 0;
        for (uint32_t i = lw_hpt_map_oldest(m, remote != 0); i != LW_HPT_NO_SLOT;
             i = lw_hpt_map_slot(m, i)->newer) {
            assert_true(lw_hpt_map_slot(m, i)->valid);
            assert_int_equal(lw_hpt_map_slot(m, i)->local == 0, remote);
            count++;
        }
        assert_int_equal(count, lw_hpt_map_count(m, remote != 0));
        valid -= count;
    }
    assert_int_equal(valid, 0);
}

/* ---------------------------------------------------------------- regions by their home */

/* The n-th region (n = 0, 1, ..) of a PASID below `limit` whose home is this slot. */
static inline uint64_t region_at(const bench *b, uint32_t pasid, uint32_t home, uint32_t n) {
    const lw_hpt_map *m = lw_hashed_table_map_of(b->table);
    for (uint64_t region = 0;; region++) {
        const uint64_t tag = UINT64_C(1) << 47 | (uint64_t)pasid << 36 | region;
        if (lw_hpt_map_at(m, tag, 0) == home && n-- == 0) {
            return region;
        }
    }
}

static inline uint32_t step_of(const bench *b, uint32_t pasid, uint64_t region) {
    const lw_hashed_walk_answer a = hashed_walk(b, pasid, region * b->slot_pages, false);
    return a.place == LW_HASHED_TABLE ? a.step : UINT32_MAX;
}

#endif
