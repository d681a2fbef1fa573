#include "sim/os/address_space.h"

#include "common/rng.h"
#include "sim/os/contiguity_bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PROCESSES = 256, MAX_RESERVED = 256 };

typedef struct process {
    lw_page_table *table;
    lw_array *arrays;
    size_t count, mapped;
} process;

struct lw_address_spaces {
    const lw_system *system;
    lw_phys_mem *memory;
    lw_frame_allocator *frames;
    /* Runs of 1 GiB, set apart before anything breaks them up, as an OS does when it boots. */
    uint64_t reserved[MAX_RESERVED];
    uint32_t reserved_count;
    lw_rng rng;
    process processes[MAX_PROCESSES];
    uint32_t count;
    uint64_t shared; /* tables that a process has from another */
};

static const uint64_t page_frames[] = {UINT64_C(1), UINT64_C(1) << LW_ORDER_2M,
                                       UINT64_C(1) << LW_ORDER_1G};
static const uint32_t page_orders[] = {LW_ORDER_4K, LW_ORDER_2M, LW_ORDER_1G};

/* As many runs as `pages` have room for, if there are so many. */
static void reserve_runs(lw_address_spaces *s, uint64_t pages) {
    const uint64_t runs = pages / page_frames[LW_SIZE_1G];
    if (s->system->page_size < LW_SIZE_1G) {
        return;
    }
    while (s->reserved_count < MAX_RESERVED && s->reserved_count < runs &&
           lw_frame_alloc_aligned(s->frames, LW_ORDER_1G, &s->reserved[s->reserved_count], NULL)) {
        s->reserved_count++;
    }
}

lw_address_spaces *lw_address_spaces_new(const lw_system *system, uint64_t pages, uint64_t seed,
                                         lw_error *err) {
    lw_frame_allocator_config config = {.pa_width = system->hw.pa_width, .seed = seed};
    lw_address_spaces *s = calloc(1, sizeof *s);
    if (s == NULL) {
        (void)lw_fail(err, "no memory for the address spaces");
        return NULL;
    }
    s->system = system;
    lw_rng_seed(&s->rng, seed ^ UINT64_C(0xadd5));
    if (!lw_frame_policy_parse(system->mapping, &config.policy, err)) {
        free(s);
        return NULL;
    }
    /* Twice what is mapped, so that fragmentation has room, and some for the tables; whole GiB. */
    config.first_frame = page_frames[LW_SIZE_1G];
    uint64_t want = 2 * pages + pages / 64 + (1u << 16);
    uint64_t gib = page_frames[LW_SIZE_1G];
    uint64_t pinned = config.policy.fragmentation;
    want = want * 100 / (100 - pinned);
    config.frames = (want + gib - 1) / gib * gib;
    if (config.policy.kind == LW_FRAMES_PAGEMAP) {
        config.frames = pages + pages / 64 + (1u << 12);
    }
    uint64_t limit = (UINT64_C(1) << (system->hw.pa_width - LW_PAGE_SHIFT)) - config.first_frame;
    if (config.frames > limit || config.frames > LW_FRAMES_MAX) {
        (void)lw_fail(err,
                      "--size: %llu pages need %llu frames of memory, but pa_width %u and the "
                      "allocator allow %llu",
                      (unsigned long long)pages, (unsigned long long)config.frames,
                      system->hw.pa_width,
                      (unsigned long long)(limit < LW_FRAMES_MAX ? limit : LW_FRAMES_MAX));
        free(s);
        return NULL;
    }
    s->memory = lw_phys_mem_new(system->hw.pa_width, err);
    s->frames = s->memory == NULL ? NULL : lw_frame_allocator_new(&config, err);
    if (s->frames == NULL) {
        lw_address_spaces_free(s);
        return NULL;
    }
    reserve_runs(s, pages);
    return s;
}

void lw_address_spaces_free(lw_address_spaces *s) {
    if (s == NULL) {
        return;
    }
    for (uint32_t p = 0; p < s->count; p++) {
        lw_page_table_free(s->processes[p].table);
        free(s->processes[p].arrays);
    }
    lw_frame_allocator_free(s->frames);
    lw_phys_mem_free(s->memory);
    free(s);
}

/* The page size to try at vpn with `left` pages to go: the system's, or a draw where mixed. */
static lw_page_size size_to_try(lw_address_spaces *s, uint64_t vpn, uint64_t left) {
    uint32_t largest =
        s->system->page_size == 3 ? (uint32_t)lw_rng_below(&s->rng, 3) : s->system->page_size;
    while (largest > 0 && (vpn % page_frames[largest] != 0 || left < page_frames[largest])) {
        largest--;
    }
    return (lw_page_size)largest;
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
    if (lw_page_table_map(table, vpn, frame, size, LW_MAP_W | LW_MAP_U | LW_MAP_X, NULL)) {
        return true;
    }
    (void)lw_frame_release(s->frames, frame, page_frames[size], NULL);
    return false;
}

static bool map_small(lw_address_spaces *s, lw_page_table *table, uint64_t vpn, uint64_t pages,
                      lw_error *err) {
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
            if (!lw_page_table_map(table, vpn, first + used, LW_SIZE_4K,
                                   LW_MAP_W | LW_MAP_U | LW_MAP_X, err)) {
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
    uint64_t left = ((array->base & 0xfff) + array->bytes + 0xfff) >> LW_PAGE_SHIFT;
    /* With 4 KiB pages the whole array is asked for at once, so that the policy shows. */
    if (s->system->page_size == LW_SIZE_4K) {
        return map_small(s, table, vpn & mask, left, err);
    }
    while (left > 0) {
        lw_page_size size = size_to_try(s, vpn, left);
        uint64_t pages = page_frames[size];
        if (size == LW_SIZE_4K || !map_large(s, table, vpn & mask, size)) {
            uint64_t to_boundary = page_frames[LW_SIZE_2M] - vpn % page_frames[LW_SIZE_2M];
            pages = left < to_boundary ? left : to_boundary;
            if (!map_small(s, table, vpn & mask, pages, err)) {
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
    const uint64_t pages = ((array->base & 0xfff) + array->bytes + 0xfff) >> LW_PAGE_SHIFT;
    return pages == 0 ||
           lw_contiguity_scan(table, s->memory, first & mask, (first & mask) + pages - 1, err);
}

/* A process without pages gets a part of the tables of one before it, some only to read. A level-2
 * entry with contiguity bits must be one and the same for all who reach its pages. */
static void share_tables(lw_address_spaces *s, process *p) {
    const uint32_t lowest = s->system->hw.subregions != 0 ? 3 : 2;
    const uint32_t before = (uint32_t)(p - s->processes);
    if (s->system->shared_tables == 0 || before == 0) {
        return;
    }
    const process *other = &s->processes[lw_rng_below(&s->rng, before)];
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

bool lw_address_spaces_add(lw_address_spaces *s, const lw_array *arrays, size_t count,
                           lw_error *err) {
    process *p = &s->processes[s->count];
    if (s->count == s->system->hw.pasids || s->count == MAX_PROCESSES) {
        return lw_fail(err, "--pasids: the system %s has %u address spaces", s->system->name,
                       s->system->hw.pasids);
    }
    p->arrays = calloc(count + LW_BAD_ARRAYS, sizeof *arrays);
    if (p->arrays == NULL) {
        return lw_fail(err, "no memory for a process");
    }
    p->table = lw_page_table_new(s->memory, s->frames, s->system->hw.levels, err);
    if (p->table == NULL) {
        free(p->arrays);
        return false;
    }
    if (s->system->hw.head_first != 0) {
        lw_page_table_put_heads_first(p->table);
    }
    s->count++;
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
    return true;
}

/* A bad entry: bits set and cleared in a good one. */
typedef struct bad_entry {
    const char *name;
    uint32_t lowest, highest; /* levels at which it makes sense */
    uint64_t set, clear;
} bad_entry;

static const bad_entry bad_entries[] = {
    {"not present", 1, 5, 0, LW_PTE_P},
    {"reserved frame bit", 1, 5, UINT64_C(1) << 51, 0},
    {"reserved PS", 4, 5, LW_PTE_PS, 0},
    {"misaligned 2 MiB", 2, 2, LW_PTE_PS | (UINT64_C(1) << 14), 0},
    {"misaligned 1 GiB", 3, 3, LW_PTE_PS | (UINT64_C(1) << 21), 0},
    {"no user", 1, 5, 0, LW_PTE_US},
    {"read only", 1, 5, 0, LW_PTE_RW},
    {"no execute", 1, 5, LW_PTE_NX, 0},
};

enum { BAD_KINDS = sizeof bad_entries / sizeof bad_entries[0], BAD_PAGES = 8 };

bool lw_address_spaces_plant(lw_address_spaces *s, uint32_t number, lw_array *arrays, size_t *count,
                             lw_error *err) {
    process *p = &s->processes[number];
    uint32_t levels = s->system->hw.levels;
    uint64_t slot = 0;
    for (size_t kind = 0; kind < BAD_KINDS; kind++) {
        const bad_entry *bad = &bad_entries[kind];
        /* With 52-bit addresses no frame bit is reserved (R1.6). */
        if ((bad->set & (UINT64_C(1) << 51)) != 0 && s->system->hw.pa_width == 52) {
            continue;
        }
        for (uint32_t level = bad->lowest; level <= bad->highest && level <= levels; level++) {
            /* A root slot of its own, so that an upper entry spoils nobody else's pages. */
            uint64_t vpn = (32 + slot++) << (9 * (levels - 1));
            lw_array array = {.base = vpn << LW_PAGE_SHIFT,
                              .bytes = (uint64_t)BAD_PAGES << LW_PAGE_SHIFT};
            uint64_t pa = 0;
            (void)snprintf(array.name, sizeof array.name, "bad %s", bad->name);
            if (!map_small(s, p->table, vpn, BAD_PAGES, err) ||
                !lw_page_table_entry_address(p->table, vpn + 1, level, &pa, err)) {
                return false;
            }
            uint64_t entry = lw_phys_mem_read64(s->memory, pa);
            if (!lw_phys_mem_write64(s->memory, pa, (entry | bad->set) & ~bad->clear, err)) {
                return false;
            }
            arrays[(*count)++] = array;
        }
    }
    return true;
}

/* Contiguity bits that are wrong, and what happens to one page of the frame. */
typedef struct bad_contiguity {
    const char *name;
    uint64_t bits; /* of the level-2 entry */
    uint64_t page; /* of the frame: the one spoilt */
    uint64_t set, clear;
} bad_contiguity;

#define C_BIT(i) (UINT64_C(1) << (LW_PTE_C_SHIFT + (i)))

static const bad_contiguity bad_contiguities[] = {
    {"C over a hole", C_BIT(0) | C_BIT(1), 5, 0, LW_PTE_P},
    {"AC over a hole", LW_PTE_AC | LW_PTE_C, 200, 0, LW_PTE_P},
    {"AC without C", LW_PTE_AC, 511, 0, 0},
    {"C, head not present", C_BIT(2) | C_BIT(3), 128, 0, LW_PTE_P},
    {"AC, head reserved", LW_PTE_AC | LW_PTE_C, 0, UINT64_C(1) << 51, 0},
    {"C, head read only", LW_PTE_C, 64, 0, LW_PTE_RW},
};

bool lw_address_spaces_plant_contiguity(lw_address_spaces *s, uint32_t number, lw_array *arrays,
                                        size_t *count, lw_error *err) {
    const uint32_t levels = s->system->hw.levels;
    process *p = &s->processes[number];
    for (size_t i = 0; i < sizeof bad_contiguities / sizeof bad_contiguities[0]; i++) {
        const bad_contiguity *bad = &bad_contiguities[i];
        /* A root slot of its own, beyond those of the bad entries. */
        const uint64_t vpn = (80 + (uint64_t)i) << (9 * (levels - 1));
        lw_array array = {.base = vpn << LW_PAGE_SHIFT, .bytes = LW_FRAME_PAGES << LW_PAGE_SHIFT};
        uint64_t node = 0;
        uint64_t leaf = 0;
        (void)snprintf(array.name, sizeof array.name, "%s", bad->name);
        if (!map_small(s, p->table, vpn, LW_FRAME_PAGES, err) ||
            !lw_page_table_entry_address(p->table, vpn, 2, &node, err) ||
            !lw_page_table_entry_address(p->table, vpn + bad->page, 1, &leaf, err)) {
            return false;
        }
        const uint64_t link = lw_phys_mem_read64(s->memory, node);
        const uint64_t entry = lw_phys_mem_read64(s->memory, leaf);
        if (!lw_phys_mem_write64(s->memory, node, link | bad->bits, err) ||
            !lw_phys_mem_write64(s->memory, leaf, (entry | bad->set) & ~bad->clear, err)) {
            return false;
        }
        arrays[(*count)++] = array;
    }
    return true;
}

bool lw_address_spaces_append(lw_address_spaces *s, uint32_t number, const lw_array *arrays,
                              size_t count, lw_error *err) {
    process *p = &s->processes[number];
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
