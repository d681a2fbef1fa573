#include "sim/tables/contiguity_bits.h"

#include <stddef.h>

enum { SUBREGIONS = LW_FRAME_PAGES / LW_SUBREGION_PAGES };

/* What neighbours must have in common, but for the frame. */
#define PERMISSIONS (LW_PTE_P | LW_PTE_RW | LW_PTE_US | LW_PTE_NX)

static uint64_t frame_base(uint64_t vpn) {
    return vpn / LW_FRAME_PAGES * LW_FRAME_PAGES;
}

static uint64_t entry_of(const lw_page_table *pt, const lw_phys_mem *mem, uint64_t vpn) {
    uint64_t pa = 0;
    return lw_page_table_entry_address(pt, vpn, 1, &pa, NULL) ? lw_phys_mem_read64(mem, pa) : 0;
}

static bool follows(uint64_t entry, uint64_t before) {
    const uint64_t next = (before & LW_PTE_FRAME) + (UINT64_C(1) << LW_PAGE_SHIFT);
    return ((entry ^ before) & PERMISSIONS) == 0 && (entry & LW_PTE_FRAME) == next;
}

lw_node_contiguity lw_contiguity_of(const uint64_t entries[LW_FRAME_PAGES]) {
    lw_node_contiguity found = {0, 0};
    for (uint32_t s = 0; s < SUBREGIONS; s++) {
        const uint32_t head = s * LW_SUBREGION_PAGES;
        bool contiguous = (entries[head] & LW_PTE_P) != 0;
        for (uint32_t page = 1; page < LW_SUBREGION_PAGES && contiguous; page++) {
            contiguous = follows(entries[head + page], entries[head + page - 1]);
        }
        if (contiguous) {
            const bool joins = s > 0 && (found.subregions >> (s - 1) & 1) != 0 &&
                               follows(entries[head], entries[head - 1]);
            found.subregions |= (uint8_t)(1u << s);
            found.joined |= joins ? (uint8_t)(1u << (s - 1)) : 0;
        }
    }
    return found;
}

uint32_t lw_contiguity_bits(lw_node_contiguity found) {
    const bool whole = found.joined == 0x7f;
    return (whole ? 1u << SUBREGIONS : 0) | found.subregions;
}

lw_node_contiguity lw_contiguity_find(const lw_page_table *pt, const lw_phys_mem *mem,
                                      uint64_t vpn) {
    uint64_t entries[LW_FRAME_PAGES];
    for (uint32_t page = 0; page < LW_FRAME_PAGES; page++) {
        entries[page] = entry_of(pt, mem, frame_base(vpn) + page);
    }
    return lw_contiguity_of(entries);
}

/* The frame's level-2 entry, if it is a node. */
static bool node_entry(const lw_page_table *pt, const lw_phys_mem *mem, uint64_t vpn, uint64_t *pa,
                       uint64_t *entry) {
    uint64_t leaf = 0;
    if (!lw_page_table_entry_address(pt, vpn, 1, &leaf, NULL) ||
        !lw_page_table_entry_address(pt, vpn, 2, pa, NULL)) {
        return false;
    }
    *entry = lw_phys_mem_read64(mem, *pa);
    return true;
}

bool lw_contiguity_update(lw_page_table *pt, lw_phys_mem *mem, uint64_t vpn, lw_error *err) {
    uint64_t pa = 0;
    uint64_t old = 0;
    if (!node_entry(pt, mem, vpn, &pa, &old)) {
        return true;
    }
    const lw_node_contiguity found = lw_contiguity_find(pt, mem, vpn);
    const uint64_t bits = (uint64_t)lw_contiguity_bits(found) << LW_PTE_C_SHIFT;
    return lw_phys_mem_write64(mem, pa, (old & ~(LW_PTE_C | LW_PTE_AC)) | bits, err);
}

bool lw_contiguity_scan(lw_page_table *pt, lw_phys_mem *mem, uint64_t vpn_first, uint64_t vpn_last,
                        lw_error *err) {
    for (uint64_t vpn = frame_base(vpn_first); vpn <= vpn_last; vpn += LW_FRAME_PAGES) {
        if (!lw_contiguity_update(pt, mem, vpn, err)) {
            return false;
        }
    }
    return true;
}

/* The bits of a level-2 entry that name the level-1 entry of vpn as a head. */
static uint64_t naming_bits(uint64_t vpn) {
    const uint64_t place = vpn % LW_FRAME_PAGES;
    const uint64_t subregion = place / LW_SUBREGION_PAGES;
    return (place == 0 ? LW_PTE_AC : 0) |
           (place % LW_SUBREGION_PAGES == 0 ? UINT64_C(1) << (LW_PTE_C_SHIFT + subregion) : 0);
}

bool lw_contiguity_rests_on(const lw_page_table *pt, const lw_phys_mem *mem, uint64_t vpn) {
    uint64_t pa = 0;
    uint64_t entry = 0;
    if (!node_entry(pt, mem, vpn, &pa, &entry)) {
        return false;
    }
    /* with AC too a walk may know the C bits from before AC was set */
    return (entry & naming_bits(vpn)) != 0;
}

bool lw_contiguity_forget(lw_page_table *pt, lw_phys_mem *mem, uint64_t vpn, lw_error *err) {
    uint64_t pa = 0;
    uint64_t entry = 0;
    return !node_entry(pt, mem, vpn, &pa, &entry) ||
           lw_phys_mem_write64(mem, pa, entry & ~naming_bits(vpn), err);
}
