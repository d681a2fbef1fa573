/* What a hashed page table tells of itself. */
#include "sim/tables/hashed_table_state.h"

lw_hashed_counts lw_hashed_table_counts(const lw_hashed_table *t) {
    lw_hashed_counts counts = t->counts;
    counts.words = lw_word_queue_written(t->queue);
    return counts;
}

lw_hashed_figures lw_hashed_table_figures(const lw_hashed_table *t) {
    lw_hashed_figures f = {.slots = lw_hpt_map_slots(t->map),
                           .local = lw_hpt_map_count(t->map, false),
                           .remote = lw_hpt_map_count(t->map, true),
                           .step_places = (uint64_t)lw_step_table_ways(t->config.contiguity)
                                          << t->config.step_log,
                           .groups = lw_step_table_groups(t->steps),
                           .victim_regions = lw_victim_buffer_regions(t->victims),
                           .victim_nodes = lw_victim_buffer_nodes(t->victims),
                           .demotions = t->counts.demotions,
                           .live_cycles = t->counts.live_cycles,
                           .remote_evictions = t->counts.remote_evictions};
    for (uint32_t i = 0; i < f.slots; i++) {
        const lw_hpt_slot *slot = lw_hpt_map_slot(t->map, i);
        f.steps[slot->step] += slot->valid;
    }
    return f;
}

const lw_hashed_config *lw_hashed_table_config(const lw_hashed_table *t) {
    return &t->config;
}

const lw_hpt_map *lw_hashed_table_map_of(const lw_hashed_table *t) {
    return t->map;
}
