#include "sim/os/table_moves.h"

#include "sim/tables/contiguity_bits.h"

/* A level of 2 or more whose entry for vpn leads to a node. */
static bool draw_level(const lw_page_table *table, const lw_phys_mem *memory, uint64_t vpn,
                       lw_rng *rng, uint32_t *level, uint64_t *node) {
    uint64_t pa = 0;
    const uint64_t upper = lw_rng_below(rng, lw_page_table_levels(table) - 1);
    *level = 2 + (lw_rng_percent(rng, 50) ? 0 : (uint32_t)upper);
    if (!lw_page_table_entry_address(table, vpn, *level, &pa, NULL)) {
        return false;
    }
    const uint64_t entry = lw_phys_mem_read64(memory, pa);
    *node = (entry & LW_PTE_FRAME) >> LW_PAGE_SHIFT;
    return (entry & LW_PTE_P) != 0 && (entry & LW_PTE_PS) == 0;
}

static bool copy_node(lw_phys_mem *memory, uint64_t from, uint64_t to, lw_error *err) {
    bool good = true;
    lw_phys_mem_clear_frame(memory, to);
    for (uint64_t at = 0; at < 4096 && good; at += 8) {
        const uint64_t entry = lw_phys_mem_read64(memory, (from << LW_PAGE_SHIFT) + at);
        good = lw_phys_mem_write64(memory, (to << LW_PAGE_SHIFT) + at, entry, err);
    }
    return good;
}

/* Every table's entry for vpn that leads to the old node leads to the new one, and the table that
 * had the old one has the new one. */
static bool lead_to(lw_address_spaces *spaces, uint64_t vpn, uint32_t level, uint64_t old,
                    uint64_t frame, lw_error *err) {
    lw_phys_mem *memory = lw_address_spaces_memory(spaces);
    for (uint32_t p = 0; p < lw_address_spaces_processes(spaces); p++) {
        lw_page_table *table = lw_address_spaces_table(spaces, p);
        uint64_t pa = 0;
        (void)lw_page_table_replace_node(table, old, frame);
        if (!lw_page_table_entry_address(table, vpn, level, &pa, NULL)) {
            continue;
        }
        const uint64_t entry = lw_phys_mem_read64(memory, pa);
        const bool leads = (entry & LW_PTE_P) != 0 && (entry & LW_PTE_PS) == 0 &&
                           (entry & LW_PTE_FRAME) >> LW_PAGE_SHIFT == old;
        if (leads && !lw_phys_mem_write64(memory, pa,
                                          (entry & ~LW_PTE_FRAME) | frame << LW_PAGE_SHIFT, err)) {
            return false;
        }
    }
    return true;
}

/* Neighbours in a level-1 node change places, two pages, two subregions or two halves: what a walk
 * finds through the old node and the new one differs, and so does which subregions join. What is
 * exchanged twice is as before, so that a frame does not fall to pieces. */
static bool exchange(const lw_table_move_of *what, const lw_page_table *table, lw_phys_mem *memory,
                     uint64_t node, lw_rng *rng, lw_error *err) {
    static const uint64_t counts[] = {1, LW_SUBREGION_PAGES, LW_FRAME_PAGES / 2};
    const uint64_t count = counts[lw_rng_below(rng, sizeof counts / sizeof counts[0])];
    const uint64_t place = lw_rng_below(rng, LW_FRAME_PAGES / count);
    const uint64_t frame = what->vpn / LW_FRAME_PAGES * LW_FRAME_PAGES;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t one = frame + place * count + i;
        const uint64_t two = frame + (place ^ 1) * count + i;
        uint64_t pa_one = 0;
        uint64_t pa_two = 0;
        /* where a displaced page was is remembered by its number */
        if (lw_page_changes_displaced(what->pages, one) ||
            lw_page_changes_displaced(what->pages, two)) {
            continue;
        }
        if (!lw_page_table_entry_address(table, one, 1, &pa_one, err) ||
            !lw_page_table_entry_address(table, two, 1, &pa_two, err)) {
            return false;
        }
        const uint64_t first = lw_phys_mem_read64(memory, pa_one);
        const uint64_t second = lw_phys_mem_read64(memory, pa_two);
        const uint64_t base = node << LW_PAGE_SHIFT;
        if (!lw_phys_mem_write64(memory, base | pa_one % 4096, second, err) ||
            !lw_phys_mem_write64(memory, base | pa_two % 4096, first, err)) {
            return false;
        }
    }
    return true;
}

/* The level-2 entry's bits are those of the new node's pages. */
static bool follow(lw_address_spaces *spaces, const lw_table_move_of *what, lw_os_plan *plan,
                   lw_error *err) {
    lw_phys_mem *memory = lw_address_spaces_memory(spaces);
    lw_page_table *table = lw_address_spaces_table(spaces, what->process);
    uint64_t pa = 0;
    if (!what->contiguity || !lw_page_table_entry_address(table, what->vpn, 2, &pa, err)) {
        return !what->contiguity;
    }
    const uint64_t bits = LW_PTE_C | LW_PTE_AC;
    const uint64_t before = lw_phys_mem_read64(memory, pa) & bits;
    const bool good = lw_contiguity_update(table, memory, what->vpn, err);
    if ((before & ~lw_phys_mem_read64(memory, pa)) != 0) {
        plan->bits_lost = pa;
    }
    return good;
}

bool lw_table_move(lw_address_spaces *spaces, const lw_os_roots *roots,
                   const lw_table_move_of *what, lw_rng *rng, lw_os_plan *plan, bool *replaced,
                   lw_error *err) {
    lw_phys_mem *memory = lw_address_spaces_memory(spaces);
    lw_page_table *table = lw_address_spaces_table(spaces, what->process);
    uint32_t level = 0;
    uint64_t old = 0;
    uint64_t frame = 0;
    lw_os_plan_begin(plan);
    if (!draw_level(table, memory, what->vpn, rng, &level, &old) ||
        !lw_frame_alloc(lw_address_spaces_frames(spaces), &frame, NULL)) {
        return true;
    }
    const uint64_t span = (UINT64_C(1) << (9 * (level - 1))) - 1;
    /* Whoever reads an entry of the new node has been led to it: those are who must be told. */
    const lw_os_debt debt = {what->process,    what->vpn, level - 1, what->vpn & ~span,
                             what->vpn | span, false,     true};
    *replaced = level == 2 && lw_rng_percent(rng, 75);
    if (!copy_node(memory, old, frame, err) ||
        (*replaced && !exchange(what, table, memory, frame, rng, err)) ||
        !lead_to(spaces, what->vpn, level, old, frame, err) ||
        (*replaced && !follow(spaces, what, plan, err))) {
        return false;
    }
    (void)lw_os_roots_owe(roots, &debt, rng, plan);
    plan->free_frame = old;
    plan->free_count = 1;
    plan->clears = true;
    return true;
}
