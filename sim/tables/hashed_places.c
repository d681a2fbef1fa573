/* Where regions lie: Algorithm 1's lines 18 to 26, what it leaves open, and moves. The order in
 * which words are written is R20.21 to R20.24. */
#include "sim/tables/contiguity_bits.h"
#include "sim/tables/hashed_table_state.h"

#include <stddef.h>

void lw_region_read(const lw_hashed_table *t, uint64_t pa, lw_region_words *words) {
    for (uint32_t i = 0; i < t->config.slot_pages; i++) {
        words->pte[i] = lw_phys_mem_read64(t->mem, lw_pte_pa(t, pa, i)) & ~LW_PTE_TAG;
    }
}

/* Line by line upwards: the last word of a line has the bit that makes its tag valid. */
static bool write_words(lw_hashed_table *t, uint64_t pa, uint64_t tag, const lw_region_words *words,
                        lw_error *err) {
    for (uint32_t i = 0; i < t->config.slot_pages; i++) {
        if (!lw_word_queue_add(t->queue, lw_pte_pa(t, pa, i), words->pte[i] | lw_tag_slice(tag, i),
                               err)) {
            return false;
        }
    }
    return true;
}

/* The last word of each line first: from then on nobody takes the line for the region's. */
static bool erase_words(lw_hashed_table *t, uint64_t pa, lw_error *err) {
    for (uint32_t i = 0; i < t->config.slot_pages; i++) {
        if (!lw_word_queue_add(t->queue, lw_pte_pa(t, pa, i ^ 7), 0, err)) {
            return false;
        }
    }
    return true;
}

static bool set_step(lw_hashed_table *t, uint64_t tag, uint32_t step, lw_error *err) {
    return lw_step_table_set(t->steps, lw_tag_pasid(tag), lw_tag_region(tag), step, err);
}

static bool clear_step(lw_hashed_table *t, uint64_t tag, lw_error *err) {
    return lw_step_table_clear(t->steps, lw_tag_pasid(tag), lw_tag_region(tag), err);
}

/* The bits that the region's pages of 4 KiB allow; it has a step. */
static bool set_contiguity(lw_hashed_table *t, uint64_t tag, const lw_region_words *words,
                           lw_error *err) {
    lw_region_words small = *words;
    for (uint32_t i = 0; i < t->config.slot_pages; i++) {
        small.pte[i] = (small.pte[i] & LW_PTE_SIZE) == 0 ? small.pte[i] : 0;
    }
    return !t->config.contiguity ||
           lw_step_table_set_contiguity(t->steps, lw_tag_pasid(tag), lw_tag_region(tag),
                                        lw_contiguity_bits(lw_contiguity_of(small.pte)), err);
}

/* The region becomes an entry: its words, then its step, and what rests on these (R20.29). */
static bool enter(lw_hashed_table *t, const lw_hpt_probe *place, uint64_t tag,
                  const lw_region_words *words, lw_error *err) {
    t->counts.entries++;
    t->counts.reused += place->reused;
    return write_words(t, lw_slot_pa(t, place->slot), tag, words, err) &&
           set_step(t, tag, place->step, err) && set_contiguity(t, tag, words, err);
}

/* The entry's words are nobody's any more, once its step says so or leads elsewhere. */
static bool forget_slot(lw_hashed_table *t, uint32_t slot, uint64_t tag, lw_error *err) {
    lw_hpt_map_delete(t->map, slot);
    return clear_step(t, tag, err) && erase_words(t, lw_slot_pa(t, slot), err);
}

bool lw_hashed_drop(lw_hashed_table *t, uint32_t slot, lw_error *err) {
    const uint64_t tag = lw_hpt_map_slot(t->map, slot)->tag;
    lw_victim_leaf *copy = lw_victim_buffer_find(t->victims, lw_tag_pasid(tag), lw_tag_region(tag));
    /* a copy would come to light as soon as the step is gone */
    return (copy == NULL || !copy->stale || lw_victim_buffer_empty(t->victims, copy, err)) &&
           forget_slot(t, slot, tag, err);
}

/* An entry goes to the victim buffer. */
static bool evict_slot(lw_hashed_table *t, uint32_t slot, lw_error *err) {
    const lw_hpt_slot entry = *lw_hpt_map_slot(t->map, slot);
    lw_region_words words;
    lw_victim_leaf *leaf =
        lw_victim_buffer_make(t->victims, lw_tag_pasid(entry.tag), lw_tag_region(entry.tag), err);
    if (leaf == NULL) {
        return false;
    }
    *leaf = (lw_victim_leaf){leaf->pa,    true,           false,         entry.pages,
                             entry.local, entry.accesses, entry.accessed};
    lw_region_read(t, lw_slot_pa(t, slot), &words);
    for (uint32_t i = 0; i < t->config.slot_pages && entry.local == 0; i++) {
        /* it may have become remote by words that still wait */
        words.pte[i] |= (words.pte[i] & LW_PTE_P) != 0 ? LW_PTE_REMOTE : 0;
    }
    return write_words(t, leaf->pa, 0, &words, err) && forget_slot(t, slot, entry.tag, err);
}

/* An entry goes to the host's memory, with whoever wants to know told of each page. */
static bool page_out(lw_hashed_table *t, uint32_t slot, lw_error *err) {
    const uint64_t tag = lw_hpt_map_slot(t->map, slot)->tag;
    lw_region_words words;
    lw_region_read(t, lw_slot_pa(t, slot), &words);
    for (uint32_t i = 0; i < t->config.slot_pages && t->config.paged_out != NULL; i++) {
        if ((words.pte[i] & LW_PTE_P) != 0) {
            t->config.paged_out(t->config.ctx, lw_tag_pasid(tag),
                                lw_tag_region(tag) << t->region_shift | i, words.pte[i]);
        }
    }
    return lw_hashed_drop(t, slot, err);
}

static bool move_slot(lw_hashed_table *t, uint32_t slot, uint32_t step, lw_error *err) {
    const uint64_t tag = lw_hpt_map_slot(t->map, slot)->tag;
    lw_region_words words;
    lw_region_read(t, lw_slot_pa(t, slot), &words);
    lw_hpt_map_move(t->map, slot, step);
    return write_words(t, lw_slot_pa(t, lw_hpt_map_at(t->map, tag, step)), tag, &words, err) &&
           set_step(t, tag, step, err) && erase_words(t, lw_slot_pa(t, slot), err);
}

/* The lowest step at which an entry could lie instead; LW_HPT_STEPS where its other slots are
 * valid. */
static uint32_t other_step(const lw_hashed_table *t, uint64_t tag) {
    uint32_t step = 0;
    while (step < LW_HPT_STEPS &&
           lw_hpt_map_slot(t->map, lw_hpt_map_at(t->map, tag, step))->valid) {
        step++;
    }
    return step;
}

/* ---------------------------------------------------------------- Algorithm 1 */

bool lw_hashed_make_local_room(lw_hashed_table *t, lw_error *err) {
    if (lw_hpt_map_count(t->map, false) < t->config.max_local) {
        return true;
    }
    t->counts.page_evictions++;
    return page_out(t, lw_hpt_map_oldest(t->map, false), err);
}

/* Lines 18 to 22. *room: the table may have an entry more. */
static bool make_room(lw_hashed_table *t, bool local, bool *room, lw_error *err) {
    const uint32_t entries = lw_hpt_map_count(t->map, false) + lw_hpt_map_count(t->map, true);
    const uint32_t remote = lw_hpt_map_oldest(t->map, true);
    *room = true;
    if (local && lw_hpt_map_count(t->map, false) >= t->config.max_local) {
        return lw_hashed_make_local_room(t, err);
    }
    if (entries < t->config.max_entries) {
        return true;
    }
    *room = remote != LW_HPT_NO_SLOT;
    t->counts.over_threshold += !*room;
    t->counts.remote_evictions += *room;
    return !*room || evict_slot(t, remote, err);
}

/* What Algorithm 1 does not say (R20.18): eight valid slots. One of them is freed if it can be. */
static bool open_chain(lw_hashed_table *t, uint64_t tag, lw_error *err) {
    const uint32_t remote = lw_hpt_map_oldest_of_chain(t->map, tag);
    if (remote != LW_HPT_NO_SLOT) {
        t->counts.chain_evictions++;
        return evict_slot(t, remote, err);
    }
    for (uint32_t step = 0; step < LW_HPT_STEPS; step++) {
        const uint32_t slot = lw_hpt_map_at(t->map, tag, step);
        const uint32_t to = other_step(t, lw_hpt_map_slot(t->map, slot)->tag);
        if (to < LW_HPT_STEPS && !lw_hpt_map_slot(t->map, slot)->pinned) {
            t->counts.chain_moves++;
            return move_slot(t, slot, to, err);
        }
    }
    t->counts.unplaced++;
    return true;
}

/* The slot that a region without an entry gets; LW_HPT_FULL: none, for whatever reason. */
static bool find_place(lw_hashed_table *t, uint64_t tag, bool local, lw_hpt_probe *place,
                       lw_error *err) {
    bool room = false;
    *place = (lw_hpt_probe){.found = LW_HPT_FULL};
    if (!lw_step_table_has_room(t->steps, lw_tag_pasid(tag), lw_tag_region(tag))) {
        t->counts.bucket_full++;
        return true;
    }
    const lw_hpt_probe found = lw_hpt_map_probe(t->map, tag);
    if (!make_room(t, local, &room, err)) {
        return false;
    }
    if (!room) {
        return true;
    }
    /* what has left may have been of a full chain */
    *place = found.found == LW_HPT_FULL ? lw_hpt_map_probe(t->map, tag) : found;
    if (place->found == LW_HPT_FULL) {
        if (!open_chain(t, tag, err)) {
            return false;
        }
        *place = lw_hpt_map_probe(t->map, tag);
    }
    return true;
}

bool lw_hashed_place(lw_hashed_table *t, uint64_t tag, const lw_region_words *words, uint32_t pages,
                     uint32_t local, bool *placed, lw_error *err) {
    lw_hpt_probe place;
    *placed = false;
    if (!find_place(t, tag, local > 0, &place, err)) {
        return false;
    }
    *placed = place.found == LW_HPT_FREE;
    if (*placed) {
        lw_hpt_map_occupy(t->map, &place, tag, pages, local);
        return enter(t, &place, tag, words, err);
    }
    return true;
}

void lw_hashed_leave_victim(lw_hashed_table *t, lw_victim_leaf *leaf) {
    t->counts.recalls++;
    lw_victim_buffer_leave(leaf);
}

/* ---------------------------------------------------------------- on request */

/* The table's entry of the region that holds vpn. */
static bool find_entry(const lw_hashed_table *t, uint32_t pasid, uint64_t vpn, uint32_t *slot) {
    const lw_hpt_probe p = lw_hpt_map_probe(t->map, lw_region_tag(pasid, lw_region_of(t, vpn)));
    *slot = p.slot;
    return p.found == LW_HPT_HELD;
}

bool lw_hashed_table_move(lw_hashed_table *t, uint32_t pasid, uint64_t vpn, bool *done,
                          lw_error *err) {
    const uint32_t step = other_step(t, lw_region_tag(pasid, lw_region_of(t, vpn)));
    uint32_t slot = 0;
    *done = find_entry(t, pasid, vpn, &slot) && step < LW_HPT_STEPS;
    return lw_hashed_begin(t, err) && (!*done || move_slot(t, slot, step, err));
}

bool lw_hashed_table_evict(lw_hashed_table *t, uint32_t pasid, uint64_t vpn, bool *done,
                           lw_error *err) {
    uint32_t slot = 0;
    *done = find_entry(t, pasid, vpn, &slot);
    return lw_hashed_begin(t, err) && (!*done || evict_slot(t, slot, err));
}

bool lw_hashed_table_recall(lw_hashed_table *t, uint32_t pasid, uint64_t vpn, bool *done,
                            lw_error *err) {
    const uint64_t tag = lw_region_tag(pasid, lw_region_of(t, vpn));
    lw_victim_leaf *leaf = lw_victim_buffer_find(t->victims, pasid, lw_region_of(t, vpn));
    lw_region_words words;
    *done = false;
    if (!lw_hashed_begin(t, err)) {
        return false;
    }
    if (leaf == NULL || !leaf->live) {
        return true;
    }
    lw_region_read(t, leaf->pa, &words);
    if (!lw_hashed_place(t, tag, &words, leaf->pages, leaf->local, done, err)) {
        return false;
    }
    if (*done) {
        lw_hpt_map_set_accesses(t->map, lw_hpt_map_probe(t->map, tag).slot, leaf->accesses,
                                leaf->accessed);
        lw_hashed_leave_victim(t, leaf);
    }
    return true;
}

bool lw_hashed_table_find_contiguity(lw_hashed_table *t, uint32_t pasid, uint64_t vpn,
                                     lw_error *err) {
    lw_region_words words;
    uint32_t slot = 0;
    if (!lw_hashed_begin(t, err)) {
        return false;
    }
    if (!find_entry(t, pasid, vpn, &slot)) {
        return true;
    }
    lw_region_read(t, lw_slot_pa(t, slot), &words);
    return set_contiguity(t, lw_region_tag(pasid, lw_region_of(t, vpn)), &words, err);
}

bool lw_hashed_table_forget_contiguity(lw_hashed_table *t, uint32_t pasid, uint64_t vpn,
                                       lw_error *err) {
    return lw_hashed_begin(t, err) &&
           lw_step_table_set_contiguity(t->steps, pasid, lw_region_of(t, vpn), 0, err);
}

bool lw_hashed_table_holds(const lw_hashed_table *t, uint32_t pasid, uint64_t vpn) {
    const lw_victim_leaf *leaf = lw_victim_buffer_find(t->victims, pasid, lw_region_of(t, vpn));
    uint32_t slot = 0;
    return find_entry(t, pasid, vpn, &slot) || (leaf != NULL && leaf->live);
}

bool lw_hashed_table_step_entry(const lw_hashed_table *t, uint32_t pasid, uint64_t vpn,
                                uint64_t *pa) {
    return lw_step_table_entry(t->steps, pasid, lw_region_of(t, vpn), pa);
}

void lw_hashed_table_pin(lw_hashed_table *t, uint32_t pasid, uint64_t vpn) {
    uint32_t slot = 0;
    if (find_entry(t, pasid, vpn, &slot)) {
        lw_hpt_map_pin(t->map, slot);
    }
}

bool lw_hashed_table_is_settled(const lw_hashed_table *t) {
    return lw_word_queue_is_empty(t->queue);
}

bool lw_hashed_table_settle(lw_hashed_table *t, lw_error *err) {
    return lw_hashed_begin(t, err) && lw_victim_buffer_settle(t->victims, err);
}
