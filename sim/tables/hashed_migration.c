/* Regions that come to the GPU's memory and leave it while a kernel runs (R20.30). Data does not
 * move here: what changes is which entries are local, and so which of them keep a place. */
#include "sim/tables/hashed_table_state.h"

#include <stddef.h>

typedef struct region {
    uint64_t tag;
    lw_hpt_probe probe;
    lw_victim_leaf *leaf; /* NULL: not in the victim buffer */
} region;

static region find_region(const lw_hashed_table *t, uint32_t pasid, uint64_t vpn) {
    region r = {.tag = lw_region_tag(pasid, lw_region_of(t, vpn))};
    lw_victim_leaf *leaf = lw_victim_buffer_find(t->victims, pasid, lw_region_of(t, vpn));
    r.probe = lw_hpt_map_probe(t->map, r.tag);
    r.leaf = leaf != NULL && leaf->live ? leaf : NULL;
    return r;
}

static bool has_place(const region *r) {
    return r->probe.found == LW_HPT_HELD || r->leaf != NULL;
}

/* Whether pages of it are in the GPU's memory, wherever its entry is. */
static bool is_local(const lw_hashed_table *t, const region *r) {
    return r->probe.found == LW_HPT_HELD ? lw_hpt_map_slot(t->map, r->probe.slot)->local != 0
                                         : r->leaf != NULL && r->leaf->local != 0;
}

/* From its first access to its last a remote region is live: it has been so since the one before.
 */
static uint32_t live_until(lw_hashed_table *t, uint32_t accesses, uint64_t before, uint64_t now) {
    t->counts.live_cycles += accesses > 1 ? now - before : 0;
    return accesses;
}

uint32_t lw_hashed_table_access(lw_hashed_table *t, uint32_t pasid, uint64_t vpn, uint64_t now) {
    const region r = find_region(t, pasid, vpn);
    if (!has_place(&r) || is_local(t, &r)) {
        return 0;
    }
    if (r.probe.found == LW_HPT_HELD) {
        const uint64_t before = lw_hpt_map_slot(t->map, r.probe.slot)->accessed;
        lw_hpt_map_touch(t->map, r.probe.slot);
        return live_until(t, lw_hpt_map_access(t->map, r.probe.slot, now), before, now);
    }
    const uint64_t before = r.leaf->accessed;
    r.leaf->accessed = now;
    return live_until(t, ++r.leaf->accesses, before, now);
}

/* The words of an entry say where its pages are. */
static bool say_where(lw_hashed_table *t, uint32_t slot, bool remote, lw_error *err) {
    const uint64_t first = lw_slot_pa(t, slot);
    for (uint32_t i = 0; i < t->config.slot_pages; i++) {
        const uint64_t pa = lw_pte_pa(t, first, i);
        const uint64_t word = lw_phys_mem_read64(t->mem, pa);
        const uint64_t now = remote ? word | LW_PTE_REMOTE : word & ~LW_PTE_REMOTE;
        if ((word & LW_PTE_P) != 0 && now != word && !lw_word_queue_add(t->queue, pa, now, err)) {
            return false;
        }
    }
    return true;
}

/* The local entry that was used least recently becomes remote, where the GPU's memory is full. */
static bool make_room(lw_hashed_table *t, bool *room, lw_error *err) {
    const uint32_t oldest = lw_hpt_map_oldest(t->map, false);
    *room = lw_hpt_map_count(t->map, false) < t->config.max_local;
    if (*room || lw_hpt_map_slot(t->map, oldest)->pinned) {
        return true;
    }
    *room = true;
    t->counts.demotions++;
    lw_hpt_map_add_pages(t->map, oldest, 0, -(int32_t)lw_hpt_map_slot(t->map, oldest)->local);
    return say_where(t, oldest, true, err);
}

/* From the victim buffer into the table, as a new entry. */
static bool bring_in(lw_hashed_table *t, const region *r, bool *done, lw_error *err) {
    lw_region_words words;
    lw_region_read(t, r->leaf->pa, &words);
    for (uint32_t i = 0; i < t->config.slot_pages; i++) {
        words.pte[i] &= ~LW_PTE_REMOTE;
    }
    if (!lw_hashed_place(t, r->tag, &words, r->leaf->pages, r->leaf->pages, done, err)) {
        return false;
    }
    if (*done) {
        lw_hashed_leave_victim(t, r->leaf);
    }
    return true;
}

bool lw_hashed_table_migrate(lw_hashed_table *t, uint32_t pasid, uint64_t vpn, bool *done,
                             lw_error *err) {
    const region r = find_region(t, pasid, vpn);
    bool room = false;
    *done = false;
    if (!lw_hashed_begin(t, err)) {
        return false;
    }
    if (!has_place(&r) || is_local(t, &r)) {
        return true;
    }
    if (!make_room(t, &room, err)) {
        return false;
    }
    if (!room) {
        return true;
    }
    if (r.leaf != NULL) {
        return bring_in(t, &r, done, err);
    }
    *done = true;
    lw_hpt_map_add_pages(t->map, r.probe.slot, 0, lw_hpt_map_slot(t->map, r.probe.slot)->pages);
    return say_where(t, r.probe.slot, false, err);
}

bool lw_hashed_table_has_local_room(const lw_hashed_table *t, uint32_t pasid, uint64_t vpn) {
    const region r = find_region(t, pasid, vpn);
    return is_local(t, &r) || lw_hpt_map_count(t->map, false) < t->config.max_local;
}
