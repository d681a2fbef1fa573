#include "sim/os/hashed_changes.h"

#include "sim/os/hashed_mapping.h"

void lw_hashed_change_remember(lw_address_spaces *s, uint32_t process, uint64_t vpn,
                               lw_os_plan *plan) {
    const lw_page_table *table = lw_address_spaces_table(s, process);
    for (uint32_t level = 1; level <= LW_OS_BEFORE; level++) {
        uint64_t pa = 0;
        if (lw_address_spaces_is_hashed(s, process) &&
            lw_page_table_entry_address(table, vpn, level, &pa, NULL)) {
            plan->before[plan->before_count].pa = pa;
            plan->before[plan->before_count++].value =
                lw_phys_mem_read64(lw_address_spaces_memory(s), pa);
        }
    }
}

bool lw_hashed_change_follow(lw_address_spaces *s, uint32_t process, uint64_t vpn, lw_os_plan *plan,
                             bool *moved, lw_error *err) {
    const lw_hashed_table *t = lw_address_spaces_hashed(s);
    *moved = false;
    if (!lw_address_spaces_is_hashed(s, process)) {
        return true;
    }
    const uint64_t moves = lw_hashed_table_counts(t).chain_moves;
    if (!lw_hashed_mapping_follow_page(s, process, vpn, err)) {
        return false;
    }
    *moved = lw_hashed_table_counts(t).chain_moves != moves;
    lw_os_plan_add(plan, (lw_os_step){.kind = LW_STEP_WORDS});
    if (lw_hashed_table_config(t)->contiguity) {
        lw_os_plan_add(plan,
                       (lw_os_step){.kind = LW_STEP_CONTIGUITY, .pasid = process, .first = vpn});
    }
    return true;
}

bool lw_hashed_change_forget(lw_address_spaces *s, uint32_t process, uint64_t vpn, lw_os_plan *plan,
                             lw_error *err) {
    if (!lw_address_spaces_is_hashed(s, process)) {
        return true;
    }
    lw_os_plan_add(plan, (lw_os_step){.kind = LW_STEP_WORDS});
    return lw_hashed_table_forget_contiguity(lw_address_spaces_hashed(s), process, vpn, err);
}

bool lw_hashed_change_is_one_word(lw_address_spaces *s, uint32_t process, uint64_t vpn) {
    const lw_hashed_table *t = lw_address_spaces_hashed(s);
    return !lw_address_spaces_is_hashed(s, process) ||
           (lw_hashed_table_is_settled(t) && lw_hashed_table_holds(t, process, vpn) &&
            lw_hashed_mapping_can_follow(s, process, vpn));
}

bool lw_hashed_change_at_once(lw_address_spaces *s, uint32_t process, uint64_t vpn, lw_error *err) {
    return !lw_address_spaces_is_hashed(s, process) ||
           (lw_hashed_mapping_follow_page(s, process, vpn, err) &&
            lw_hashed_table_drain(lw_address_spaces_hashed(s), err));
}
