/* The state of a hashed page table, shared by the files that map pages (hashed_table.c) and that
 * find and change places (hashed_places.c); nobody else looks inside. */
#ifndef LW_SIM_OS_HASHED_TABLE_STATE_H
#define LW_SIM_OS_HASHED_TABLE_STATE_H

#include "sim/os/hashed_layout.h"
#include "sim/os/hashed_table.h"
#include "sim/os/step_table.h"
#include "sim/os/victim_buffer.h"
#include "sim/os/word_queue.h"

struct lw_hashed_table {
    lw_hashed_config config;
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

/* The PTEs of a region, without tags. */
typedef struct lw_region_words {
    uint64_t pte[LW_REGION_PAGES];
} lw_region_words;

static inline uint64_t lw_slot_frame(const lw_hashed_table *t, uint32_t slot) {
    return t->table_frame + slot;
}

/* The address of a region's PTE for vpn in the node at `frame`. */
static inline uint64_t lw_pte_pa(uint64_t frame, uint64_t vpn) {
    return (frame << LW_PAGE_SHIFT) + vpn % LW_REGION_PAGES * 8;
}

/* False and a sentence while words of the change before wait. */
bool lw_hashed_begin(const lw_hashed_table *t, lw_error *err);

/* The words of a node, the tag left out. */
void lw_region_read(const lw_hashed_table *t, uint64_t frame, lw_region_words *words);

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
