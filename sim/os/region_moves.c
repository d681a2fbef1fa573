#include "sim/os/region_moves.h"

typedef struct change {
    bool (*begin)(lw_hashed_table *t, uint32_t pasid, uint64_t vpn, bool *done, lw_error *err);
    uint64_t *count;
} change;

/* Short, so that walks meet what was just done, or long enough for whole walks. */
static lw_os_step pause(lw_rng *rng) {
    const uint64_t most = lw_rng_percent(rng, 50) ? 24 : 600;
    return (lw_os_step){.kind = LW_STEP_PAUSE, .cycles = (uint32_t)lw_rng_below(rng, most)};
}

static change draw_change(const lw_hashed_table *t, uint32_t process, uint64_t vpn, lw_rng *rng,
                          lw_region_moves *counts) {
    lw_hashed_page page;
    if (!lw_hashed_table_find(t, process, vpn, &page) || page.in_victim_buffer) {
        return (change){lw_hashed_table_recall, &counts->recalls};
    }
    return lw_rng_percent(rng, 60) ? (change){lw_hashed_table_move, &counts->moves}
                                   : (change){lw_hashed_table_evict, &counts->evictions};
}

bool lw_region_move(lw_address_spaces *s, uint32_t process, uint64_t vpn, lw_rng *rng,
                    lw_os_plan *plan, lw_region_moves *counts, lw_error *err) {
    lw_hashed_table *t = lw_address_spaces_hashed(s);
    const uint32_t levels = lw_page_table_levels(lw_address_spaces_table(s, process));
    bool done = false;
    lw_os_plan_begin(plan);
    if (!lw_address_spaces_is_hashed(s, process)) {
        return true;
    }
    if (lw_rng_percent(rng, 10)) {
        counts->settled++;
        lw_os_plan_add(plan, lw_os_invalidate_all(levels));
        lw_os_plan_add(plan, (lw_os_step){.kind = LW_STEP_SETTLE});
        return true;
    }
    const uint64_t moved = lw_hashed_table_counts(t).chain_moves;
    const change c = draw_change(t, process, vpn, rng, counts);
    if (!c.begin(t, process, vpn, &done, err)) {
        return false;
    }
    if (!done) {
        return true;
    }
    ++*c.count;
    lw_os_plan_add(plan, (lw_os_step){.kind = LW_STEP_WORDS});
    /* of everything: whoever has a step, or is on its way by one; a recall may have moved another
     * to make room */
    if (c.count == &counts->moves || lw_hashed_table_counts(t).chain_moves != moved) {
        lw_os_plan_add(plan, pause(rng));
        lw_os_plan_add(plan, lw_os_invalidate_all(levels));
    }
    return true;
}
