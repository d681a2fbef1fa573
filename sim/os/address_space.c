#include "sim/os/address_space_state.h"

#include "sim/os/hashed_mapping.h"
#include "sim/tables/contiguity_bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t page_frames[] = {[LW_SIZE_4K] = UINT64_C(1),
                                       [LW_SIZE_2M] = UINT64_C(1) << LW_ORDER_2M,
                                       [LW_SIZE_1G] = LW_GIB_FRAMES,
                                       [LW_SIZE_64K] = LW_ENTRIES_OF_64K};
static const uint32_t all_flags = LW_MAP_W | LW_MAP_U | LW_MAP_X;
static const uint32_t page_orders[] = {LW_ORDER_4K, LW_ORDER_2M, LW_ORDER_1G, LW_ORDER_64K};

/* The page size to try at vpn with `left` pages to go: the system's, or a draw where mixed. */
static lw_page_size size_to_try(lw_address_spaces *s, uint64_t vpn, uint64_t left) {
    static const lw_page_size asked[] = {[LW_PAGES_OF_4K] = LW_SIZE_4K,
                                         [LW_PAGES_OF_2M] = LW_SIZE_2M,
                                         [LW_PAGES_OF_1G] = LW_SIZE_1G,
                                         [LW_PAGES_OF_64K] = LW_SIZE_64K};
    const uint32_t draws = s->system->hw.pages_64k != 0 ? LW_SIZE_64K + 1 : LW_SIZE_1G + 1;
    lw_page_size size = s->system->page_size == LW_PAGES_MIXED
                            ? (lw_page_size)lw_rng_below(&s->rng, draws)
                            : asked[s->system->page_size];
    while (vpn % page_frames[size] != 0 || left < page_frames[size]) {
        size = size == LW_SIZE_1G ? LW_SIZE_2M : LW_SIZE_4K;
    }
    return size;
}

/* Large pages fall back to small ones where no run is free, as an OS does. */
static bool map_large(lw_address_spaces *s, lw_page_table *table, uint64_t vpn, lw_page_size size) {
    uint64_t frame = 0;
    if (size == LW_SIZE_1G) {
        if (s->reserved_count == 0) {
            return false;
        }
        frame = s->reserved[--s->reserved_count];
    } else if (!lw_frame_alloc_aligned(s->frames, page_orders[size], &frame, NULL)) {
        return false;
    }
    if (lw_page_table_map(table, vpn, frame, size, all_flags, NULL)) {
        return true;
    }
    (void)lw_frame_release(s->frames, frame, page_frames[size], NULL);
    return false;
}

bool lw_address_spaces_map_small(lw_address_spaces *s, lw_page_table *table, uint64_t vpn,
                                 uint64_t pages, uint32_t flags, lw_error *err) {
    while (pages > 0) {
        uint64_t first = 0;
        uint64_t got = 0;
        lw_page_table_leaf leaf;
        if (lw_page_table_find(table, vpn, &leaf, NULL)) {
            vpn++;
            pages--;
            continue;
        }
        if (!lw_frame_alloc_extent(s->frames, pages, &first, &got, err)) {
            return false;
        }
        uint64_t used = 0;
        while (used < got && !lw_page_table_find(table, vpn, &leaf, NULL)) {
            if (!lw_page_table_map(table, vpn, first + used, LW_SIZE_4K, flags, err)) {
                return false;
            }
            used++;
            vpn++;
            pages--;
        }
        if (used < got && !lw_frame_release(s->frames, first + used, got - used, err)) {
            return false;
        }
    }
    return true;
}

static bool map_array(lw_address_spaces *s, lw_page_table *table, const lw_array *array,
                      lw_error *err) {
    uint64_t mask = (UINT64_C(1) << (9 * s->system->hw.levels)) - 1;
    uint64_t vpn = array->base >> LW_PAGE_SHIFT;
    uint64_t left = lw_array_pages(array);
    /* With 4 KiB pages the whole array is asked for at once, so that the policy shows. */
    if (s->system->page_size == LW_PAGES_OF_4K) {
        return lw_address_spaces_map_small(s, table, vpn & mask, left, all_flags, err);
    }
    while (left > 0) {
        lw_page_size size = size_to_try(s, vpn, left);
        uint64_t pages = page_frames[size];
        if (size == LW_SIZE_4K || !map_large(s, table, vpn & mask, size)) {
            const uint64_t next = s->system->page_size == LW_PAGES_OF_64K ? page_frames[LW_SIZE_64K]
                                                                          : page_frames[LW_SIZE_2M];
            const uint64_t to_boundary = next - vpn % next;
            pages = left < to_boundary ? left : to_boundary;
            if (!lw_address_spaces_map_small(s, table, vpn & mask, pages, all_flags, err)) {
                return false;
            }
        }
        vpn += pages;
        left -= pages;
    }
    return true;
}

/* What an OS that knows MESC writes into the level-2 entries. */
static bool mark_contiguity(lw_address_spaces *s, lw_page_table *table, const lw_array *array,
                            lw_error *err) {
    const uint64_t mask = (UINT64_C(1) << (9 * s->system->hw.levels)) - 1;
    const uint64_t first = array->base >> LW_PAGE_SHIFT;
    const uint64_t pages = lw_array_pages(array);
    return pages == 0 ||
           lw_contiguity_scan(table, s->memory, first & mask, (first & mask) + pages - 1, err);
}

/* A process without pages gets a part of the tables of one before it, some only to read. A level-2
 * entry with contiguity bits must be one and the same for all who reach its pages. */
static void share_tables(lw_address_spaces *s, lw_process *p) {
    const uint32_t lowest = s->system->hw.subregions != 0 ? 3 : 2;
    const uint32_t before = (uint32_t)(p - s->processes);
    if (s->system->shared_tables == 0 || before == 0) {
        return;
    }
    const lw_process *other = &s->processes[lw_rng_below(&s->rng, before)];
    const uint64_t mask = (UINT64_C(1) << (9 * s->system->hw.levels)) - 1;
    for (size_t a = 0; a < other->mapped; a++) {
        const uint64_t vpn = other->arrays[a].base >> LW_PAGE_SHIFT & mask;
        const uint32_t level =
            lowest + (uint32_t)lw_rng_below(&s->rng, s->system->hw.levels + 1 - lowest);
        const uint64_t without = lw_rng_percent(&s->rng, 20) ? LW_PTE_RW : 0;
        s->shared += lw_rng_percent(&s->rng, s->system->shared_tables) &&
                     lw_page_table_share(p->table, other->table, vpn, level, without, NULL);
    }
}

lw_process *lw_address_spaces_begin(lw_address_spaces *s, size_t arrays, lw_error *err) {
    lw_process *p = &s->processes[s->count];
    if (s->count == s->system->hw.pasids || s->count == LW_PROCESSES_MAX) {
        (void)lw_fail(err, "--pasids: the system %s has %u address spaces", s->system->name,
                      s->system->hw.pasids);
        return NULL;
    }
    p->arrays = calloc(arrays + LW_BAD_ARRAYS, sizeof *p->arrays);
    if (p->arrays == NULL) {
        (void)lw_fail(err, "no memory for a process");
        return NULL;
    }
    p->table = lw_page_table_new(s->memory, s->frames, s->system->hw.levels, err);
    if (p->table == NULL) {
        free(p->arrays);
        return NULL;
    }
    if (s->system->hw.head_first != 0) {
        lw_page_table_put_heads_first(p->table);
    }
    s->count++;
    return p;
}

bool lw_address_spaces_add(lw_address_spaces *s, const lw_array *arrays, size_t count,
                           lw_error *err) {
    const uint32_t before = s->count;
    lw_process *p = lw_address_spaces_begin(s, count, err);
    if (p == NULL) {
        return false;
    }
    if (count != 0) { /* a trace may touch nothing, and then `arrays` may be NULL */
        memcpy(p->arrays, arrays, count * sizeof *arrays);
    }
    p->count = p->mapped = count;
    share_tables(s, p);
    for (size_t a = 0; a < count; a++) {
        if (!map_array(s, p->table, &arrays[a], err)) {
            return false;
        }
    }
    for (size_t a = 0; a < count && s->system->hw.subregions != 0; a++) {
        if (!mark_contiguity(s, p->table, &arrays[a], err)) {
            return false;
        }
    }
    return lw_hashed_mapping_follow(s, before, err);
}

bool lw_address_spaces_append(lw_address_spaces *s, uint32_t number, const lw_array *arrays,
                              size_t count, lw_error *err) {
    lw_process *p = &s->processes[number];
    if (count > LW_BAD_ARRAYS) {
        return lw_fail(err, "%zu ranges are more than %d", count, LW_BAD_ARRAYS);
    }
    memcpy(p->arrays + p->count, arrays, count * sizeof *arrays);
    p->count += count;
    return true;
}

uint32_t lw_address_spaces_processes(const lw_address_spaces *s) {
    return s->count;
}

lw_page_table *lw_address_spaces_table(lw_address_spaces *s, uint32_t number) {
    return s->processes[number].table;
}

lw_phys_mem *lw_address_spaces_memory(lw_address_spaces *s) {
    return s->memory;
}

lw_frame_allocator *lw_address_spaces_frames(lw_address_spaces *s) {
    return s->frames;
}

uint64_t lw_address_spaces_shared(const lw_address_spaces *s) {
    return s->shared;
}

uint64_t lw_address_spaces_reserved(const lw_address_spaces *s) {
    return s->reserved_count * page_frames[LW_SIZE_1G];
}

const lw_array *lw_address_spaces_arrays(const lw_address_spaces *s, uint32_t number,
                                         size_t *count) {
    *count = s->processes[number].count;
    return s->processes[number].arrays;
}

size_t lw_address_spaces_mapped(const lw_address_spaces *s, uint32_t number) {
    return s->processes[number].mapped;
}

size_t lw_address_spaces_changing(const lw_address_spaces *s, uint32_t number) {
    return s->processes[number].lack != 0 ? 0 : lw_address_spaces_mapped(s, number);
}
