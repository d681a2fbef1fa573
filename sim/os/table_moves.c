#include "sim/os/table_moves.h"

/* A level of 2 or more whose entry for vpn leads to a node. */
static bool draw_level(const lw_page_table *table, const lw_phys_mem *memory, uint64_t vpn,
                       lw_rng *rng, uint32_t *level, uint64_t *node) {
    uint64_t pa = 0;
    *level = 2 + (uint32_t)lw_rng_below(rng, lw_page_table_levels(table) - 1);
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
        if (leads && !lw_phys_mem_write64(
                         memory, pa, (entry & ~LW_PTE_FRAME) | frame << LW_PAGE_SHIFT, err)) {
            return false;
        }
    }
    return true;
}

bool lw_table_move(lw_address_spaces *spaces, const lw_os_roots *roots, uint32_t process,
                   uint64_t vpn, lw_rng *rng, lw_os_plan *plan, lw_error *err) {
    lw_phys_mem *memory = lw_address_spaces_memory(spaces);
    lw_page_table *table = lw_address_spaces_table(spaces, process);
    uint32_t level = 0;
    uint64_t old = 0;
    uint64_t frame = 0;
    lw_os_plan_begin(plan);
    if (!draw_level(table, memory, vpn, rng, &level, &old) ||
        !lw_frame_alloc(lw_address_spaces_frames(spaces), &frame, NULL)) {
        return true;
    }
    const uint64_t span = (UINT64_C(1) << (9 * (level - 1))) - 1;
    /* Whoever reads an entry of the new node has been led to it: those are who must be told. */
    const lw_os_debt debt = {process, vpn, level - 1, vpn & ~span, vpn | span, false};
    if (!copy_node(memory, old, frame, err) || !lead_to(spaces, vpn, level, old, frame, err)) {
        return false;
    }
    lw_os_roots_owe(roots, &debt, rng, plan);
    plan->free_frame = old;
    plan->free_count = 1;
    plan->clears = true;
    return true;
}
