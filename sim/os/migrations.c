#include "sim/os/migrations.h"

void lw_migrations_asked(lw_migrations *m, lw_address_spaces *s, uint32_t process, uint64_t vpn,
                         uint32_t after, uint64_t now) {
    if (!lw_address_spaces_is_hashed(s, process)) {
        return;
    }
    const uint32_t accesses =
        lw_hashed_table_access(lw_address_spaces_hashed(s), process, vpn, now);
    m->accesses += accesses != 0;
    if (accesses >= after && !m->due) {
        m->due = true;
        m->process = process;
        m->vpn = vpn;
    }
}

bool lw_migrations_make(lw_migrations *m, lw_address_spaces *s, lw_os_plan *plan, lw_error *err) {
    lw_hashed_table *t = lw_address_spaces_hashed(s);
    const uint64_t moved = lw_hashed_table_counts(t).chain_moves;
    bool done = false;
    m->due = false;
    lw_os_plan_begin(plan);
    if (!lw_hashed_table_migrate(t, m->process, m->vpn, &done, err)) {
        return false;
    }
    m->made += done;
    lw_os_plan_add(plan, (lw_os_step){.kind = LW_STEP_WORDS});
    /* another entry may have moved to make room, and may move again only after an invalidation */
    if (lw_hashed_table_counts(t).chain_moves != moved) {
        const uint32_t levels = lw_page_table_levels(lw_address_spaces_table(s, m->process));
        lw_os_plan_add(plan, lw_os_invalidate_all(levels));
    }
    return true;
}
