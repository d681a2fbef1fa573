/* Entries that no OS should have written, for the streams that must meet them. */
#include "sim/os/address_space_state.h"

#include "sim/os/contiguity_bits.h"

#include <stdio.h>

static const uint32_t all = LW_MAP_W | LW_MAP_U | LW_MAP_X;

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
    lw_process *p = &s->processes[number];
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
            if (!lw_address_spaces_map_small(s, p->table, vpn, BAD_PAGES, all, err) ||
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
    lw_process *p = &s->processes[number];
    for (size_t i = 0; i < sizeof bad_contiguities / sizeof bad_contiguities[0]; i++) {
        const bad_contiguity *bad = &bad_contiguities[i];
        /* A root slot of its own, beyond those of the bad entries. */
        const uint64_t vpn = (80 + (uint64_t)i) << (9 * (levels - 1));
        lw_array array = {.base = vpn << LW_PAGE_SHIFT, .bytes = LW_FRAME_PAGES << LW_PAGE_SHIFT};
        uint64_t node = 0;
        uint64_t leaf = 0;
        (void)snprintf(array.name, sizeof array.name, "%s", bad->name);
        if (!lw_address_spaces_map_small(s, p->table, vpn, LW_FRAME_PAGES, all, err) ||
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
