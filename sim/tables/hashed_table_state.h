/* The state of a hashed page table, for the files that map pages (hashed_table.c), find and change
 * places (hashed_places.c), bring regions to the GPU and back (hashed_migration.c) and count
 * (hashed_figures.c). */
#ifndef LW_SIM_TABLES_HASHED_TABLE_STATE_H
#define LW_SIM_TABLES_HASHED_TABLE_STATE_H

#include "sim/tables/hashed_layout.h"
#include "sim/tables/hashed_table.h"
#include "sim/tables/step_table.h"
#include "sim/tables/victim_buffer.h"
#include "sim/tables/word_queue.h"

struct lw_hashed_table {
    lw_hashed_config config;
    uint32_t region_shift; /* log2 of config.slot_pages */
    lw_phys_mem *mem;
    lw_frame_allocator *frames;
    uint64_t table_frame, step_frame;
    bool has_table, has_steps; /* their frames are taken */
    lw_word_queue *queue;
    lw_hpt_map *map;
    lw_step_table *steps;
    lw_victim_buffer *victims;
    lw_hashed_counts counts;
};

/* The PTEs of a region, without tags; as many as a slot has. */
typedef struct lw_region_words {
    uint64_t pte[LW_SLOT_OF_A_FRAME];
} lw_region_words;

/* The number of the region that holds vpn (R20.32). */
static inline uint64_t lw_region_of(const lw_hashed_table *t, uint64_t vpn) {
    return vpn >> t->region_shift;
}

/* The address of the first PTE of a slot. */
static inline uint64_t lw_slot_pa(const lw_hashed_table *t, uint32_t slot) {
    return (t->table_frame << LW_PAGE_SHIFT) + (uint64_t)slot * t->config.slot_pages * 8;
}

/* The address of the PTE for vpn of a region whose PTEs lie from `pa` on. */
static inline uint64_t lw_pte_pa(const lw_hashed_table *t, uint64_t pa, uint64_t vpn) {
    return pa + vpn % t->config.slot_pages * 8;
}

/* False and a sentence while words of the change before wait. */
static inline bool lw_hashed_begin(const lw_hashed_table *t, lw_error *err) {
    return lw_word_queue_is_empty(t->queue) ||
           lw_fail(err, "hashed table: words of the change before are not written yet");
}

/* The words of the region whose PTEs lie from `pa` on, the tag left out. */
void lw_region_read(const lw_hashed_table *t, uint64_t pa, lw_region_words *words);

/* A region that has no entry gets one, with these words, of so many pages, if Algorithm 1 finds a
 * place for it; *placed: it did. Else the victim buffer is its place. */
bool lw_hashed_place(lw_hashed_table *t, uint64_t tag, const lw_region_words *words, uint32_t pages,
                     uint32_t local, bool *placed, lw_error *err);
/* The region has come from there to the table: a copy of it stays (R20.23). */
void lw_hashed_leave_victim(lw_hashed_table *t, lw_victim_leaf *leaf);
/* Lines 18 and 19, for an entry that becomes local: room in the GPU's memory. */
bool lw_hashed_make_local_room(lw_hashed_table *t, lw_error *err);
/* The entry is gone from the table, and no copy of it is left in the victim buffer. */
bool lw_hashed_drop(lw_hashed_table *t, uint32_t slot, lw_error *err);

#endif
