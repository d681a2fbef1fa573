/* Entries that no OS should have written, for the streams that must meet them. */
#include "sim/os/planted_entries.h"

#include "sim/os/address_space_state.h"
#include "sim/tables/contiguity_bits.h"

#include <stdio.h>

enum { BAD_PAGES = 8 }; /* of a range; the second is the bad one */

#define RESERVED_BIT (UINT64_C(1) << 51)

static const uint32_t all = LW_MAP_W | LW_MAP_U | LW_MAP_X;

static const lw_bad_entry bad_entries[] = {
    {"bad not present", 1, 5, 0, LW_PTE_P},
    {"bad reserved frame bit", 1, 5, RESERVED_BIT, 0},
    {"bad reserved PS", 4, 5, LW_PTE_PS, 0},
    {"bad misaligned 2 MiB", 2, 2, LW_PTE_PS | (UINT64_C(1) << 14), 0},
    {"bad misaligned 1 GiB", 3, 3, LW_PTE_PS | (UINT64_C(1) << 21), 0},
    {"bad no user", 1, 5, 0, LW_PTE_US},
    {"bad read only", 1, 5, 0, LW_PTE_RW},
    {"bad no execute", 1, 5, LW_PTE_NX, 0},
    {"bad size", 1, 1, LW_PTE_SIZE, 0},
    {"bad misaligned 64 KiB", 1, 1, LW_PTE_64K, UINT64_C(1) << LW_PAGE_SHIFT},
};

#define C_BIT(i) (UINT64_C(1) << (LW_PTE_C_SHIFT + (i)))

static const lw_bad_contiguity bad_contiguities[] = {
    {"C over a hole", C_BIT(0) | C_BIT(1), 5, 0, LW_PTE_P},
    {"AC over a hole", LW_PTE_AC | LW_PTE_C, 200, 0, LW_PTE_P},
    {"AC without C", LW_PTE_AC, 511, 0, 0},
    {"C, head not present", C_BIT(2) | C_BIT(3), 128, 0, LW_PTE_P},
    {"AC, head reserved", LW_PTE_AC | LW_PTE_C, 0, RESERVED_BIT, 0},
    {"C, head read only", LW_PTE_C, 64, 0, LW_PTE_RW},
};

const lw_bad_entry *lw_bad_entry_at(const lw_system *system, size_t n) {
    for (size_t i = 0; i < sizeof bad_entries / sizeof bad_entries[0]; i++) {
        /* With 52-bit addresses no frame bit is reserved (R1.6); not all PTEs are sized (R1.17). */
        const bool can = (bad_entries[i].set != RESERVED_BIT || system->hw.pa_width < 52) &&
                         ((bad_entries[i].set & LW_PTE_SIZE) == 0 || system->hw.pages_64k != 0);
        if (can && n-- == 0) {
            return &bad_entries[i];
        }
    }
    return NULL;
}

const lw_bad_contiguity *lw_bad_contiguity_at(size_t n) {
    return n < sizeof bad_contiguities / sizeof bad_contiguities[0] ? &bad_contiguities[n] : NULL;
}

bool lw_spoil(lw_phys_mem *memory, uint64_t pa, uint64_t set, uint64_t clear, lw_error *err) {
    return lw_phys_mem_write64(memory, pa, (lw_phys_mem_read64(memory, pa) | set) & ~clear, err);
}

bool lw_spoil_entry(lw_address_spaces *s, uint32_t process, uint64_t vpn, uint32_t level,
                    uint64_t set, uint64_t clear, lw_error *err) {
    uint64_t pa = 0;
    return lw_page_table_entry_address(s->processes[process].table, vpn, level, &pa, err) &&
           lw_spoil(s->memory, pa, set, clear, err);
}

lw_array lw_planted_array(const char *name, uint64_t vpn, uint64_t pages) {
    lw_array array = {.base = vpn << LW_PAGE_SHIFT, .bytes = pages << LW_PAGE_SHIFT};
    (void)snprintf(array.name, sizeof array.name, "%s", name);
    return array;
}

bool lw_address_spaces_plant(lw_address_spaces *s, uint32_t number, lw_array *arrays, size_t *count,
                             lw_error *err) {
    lw_process *p = &s->processes[number];
    const uint32_t levels = s->system->hw.levels;
    const lw_bad_entry *bad = NULL;
    uint64_t slot = 0;
    for (size_t kind = 0; (bad = lw_bad_entry_at(s->system, kind)) != NULL; kind++) {
        for (uint32_t level = bad->lowest; level <= bad->highest && level <= levels; level++) {
            /* A root slot of its own, so that an upper entry spoils nobody else's pages. */
            const uint64_t vpn = (32 + slot++) << (9 * (levels - 1));
            if (!lw_address_spaces_map_small(s, p->table, vpn, BAD_PAGES, all, err) ||
                !lw_spoil_entry(s, number, vpn + 1, level, bad->set, bad->clear, err)) {
                return false;
            }
            arrays[(*count)++] = lw_planted_array(bad->name, vpn, BAD_PAGES);
        }
    }
    return true;
}

bool lw_address_spaces_plant_contiguity(lw_address_spaces *s, uint32_t number, lw_array *arrays,
                                        size_t *count, lw_error *err) {
    lw_process *p = &s->processes[number];
    const lw_bad_contiguity *bad = NULL;
    for (size_t i = 0; (bad = lw_bad_contiguity_at(i)) != NULL; i++) {
        /* A root slot of its own, beyond those of the bad entries. */
        const uint64_t vpn = (80 + (uint64_t)i) << (9 * (s->system->hw.levels - 1));
        if (!lw_address_spaces_map_small(s, p->table, vpn, LW_FRAME_PAGES, all, err) ||
            !lw_spoil_entry(s, number, vpn, 2, bad->bits, 0, err) ||
            !lw_spoil_entry(s, number, vpn + bad->page, 1, bad->set, bad->clear, err)) {
            return false;
        }
        arrays[(*count)++] = lw_planted_array(bad->name, vpn, LW_FRAME_PAGES);
    }
    return true;
}
