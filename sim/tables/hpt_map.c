#include "sim/tables/hpt_map.h"

#include "sim/tables/hashed_layout.h"

#include <stdlib.h>

/* Slots by when they were used last. */
typedef struct order {
    uint32_t oldest, newest, count;
} order;

struct lw_hpt_map {
    uint32_t log, stride, multiplier;
    order orders[2]; /* of local entries, of remote ones */
    uint64_t uses;
    uint64_t *used; /* by slot: when it was used last */
    lw_hpt_slot slots[];
};

lw_hpt_map *lw_hpt_map_new(uint32_t log, uint32_t stride, uint32_t multiplier, lw_error *err) {
    lw_hpt_map *m = calloc(1, sizeof *m + (sizeof m->slots[0] << log));
    uint64_t *used = calloc((size_t)1 << log, sizeof *used);
    if (m == NULL || used == NULL) {
        free(m);
        free(used);
        (void)lw_fail(err, "HPT Map: the host has no memory left");
        return NULL;
    }
    m->log = log;
    m->stride = stride;
    m->multiplier = multiplier;
    m->used = used;
    for (int i = 0; i < 2; i++) {
        m->orders[i] = (order){LW_HPT_NO_SLOT, LW_HPT_NO_SLOT, 0};
    }
    return m;
}

void lw_hpt_map_free(lw_hpt_map *m) {
    if (m != NULL) {
        free(m->used);
    }
    free(m);
}

uint32_t lw_hpt_map_slots(const lw_hpt_map *m) {
    return UINT32_C(1) << m->log;
}

uint32_t lw_hpt_map_at(const lw_hpt_map *m, uint64_t tag, uint32_t step) {
    const uint32_t home = lw_hash(m->multiplier, lw_tag_pasid(tag), lw_tag_region(tag), m->log);
    return (home + step * m->stride) & (lw_hpt_map_slots(m) - 1);
}

lw_hpt_probe lw_hpt_map_probe(const lw_hpt_map *m, uint64_t tag) {
    lw_hpt_probe found = {.found = LW_HPT_FULL};
    for (uint32_t step = 0; step < LW_HPT_STEPS; step++) {
        const uint32_t at = lw_hpt_map_at(m, tag, step);
        const lw_hpt_slot *s = &m->slots[at];
        if (s->valid && s->tag == tag) {
            return (lw_hpt_probe){LW_HPT_HELD, at, step, false};
        }
        if (!s->valid && found.found == LW_HPT_FULL) {
            found = (lw_hpt_probe){LW_HPT_FREE, at, step, s->deleted};
        }
        if (!s->valid && !s->deleted) {
            break; /* nobody has probed past it */
        }
    }
    return found;
}

const lw_hpt_slot *lw_hpt_map_slot(const lw_hpt_map *m, uint32_t slot) {
    return &m->slots[slot];
}

uint32_t lw_hpt_map_count(const lw_hpt_map *m, bool remote) {
    return m->orders[remote].count;
}

uint32_t lw_hpt_map_oldest(const lw_hpt_map *m, bool remote) {
    return m->orders[remote].oldest;
}

uint32_t lw_hpt_map_oldest_of_chain(const lw_hpt_map *m, uint64_t tag) {
    uint32_t oldest = LW_HPT_NO_SLOT;
    for (uint32_t step = 0; step < LW_HPT_STEPS; step++) {
        const uint32_t at = lw_hpt_map_at(m, tag, step);
        const bool remote = m->slots[at].valid && m->slots[at].local == 0;
        if (remote && (oldest == LW_HPT_NO_SLOT || m->used[at] < m->used[oldest])) {
            oldest = at;
        }
    }
    return oldest;
}

/* ---------------------------------------------------------------- the two orders */

static order *order_of(lw_hpt_map *m, uint32_t slot) {
    return &m->orders[m->slots[slot].local == 0];
}

/* What stands beside a slot, on either side, is told who its neighbour is now. */
static void tell_neighbours(lw_hpt_map *m, order *o, uint32_t older, uint32_t newer,
                            uint32_t older_to, uint32_t newer_to) {
    *(older == LW_HPT_NO_SLOT ? &o->oldest : &m->slots[older].newer) = older_to;
    *(newer == LW_HPT_NO_SLOT ? &o->newest : &m->slots[newer].older) = newer_to;
}

static void leave(lw_hpt_map *m, uint32_t slot) {
    order *o = order_of(m, slot);
    const lw_hpt_slot *s = &m->slots[slot];
    tell_neighbours(m, o, s->older, s->newer, s->newer, s->older);
    o->count--;
}

static void enter_newest(lw_hpt_map *m, uint32_t slot) {
    order *o = order_of(m, slot);
    lw_hpt_slot *s = &m->slots[slot];
    s->older = o->newest;
    s->newer = LW_HPT_NO_SLOT;
    tell_neighbours(m, o, s->older, s->newer, slot, slot);
    o->count++;
    m->used[slot] = ++m->uses;
}

void lw_hpt_map_occupy(lw_hpt_map *m, const lw_hpt_probe *at, uint64_t tag, uint32_t pages,
                       uint32_t local) {
    m->slots[at->slot] = (lw_hpt_slot){.tag = tag,
                                       .valid = true,
                                       .step = (uint8_t)at->step,
                                       .pages = (uint16_t)pages,
                                       .local = (uint16_t)local};
    enter_newest(m, at->slot);
}

void lw_hpt_map_add_pages(lw_hpt_map *m, uint32_t slot, int32_t pages, int32_t local) {
    lw_hpt_slot *s = &m->slots[slot];
    const bool remote = s->local == 0;
    const bool moves = pages > 0 || remote != (s->local + local == 0);
    if (moves) {
        leave(m, slot);
    }
    s->pages = (uint16_t)(s->pages + pages);
    s->local = (uint16_t)(s->local + local);
    if (moves) {
        enter_newest(m, slot);
    }
    if (remote != (s->local == 0)) {
        s->accesses = 0;
    }
}

void lw_hpt_map_pin(lw_hpt_map *m, uint32_t slot) {
    m->slots[slot].pinned = true;
}

void lw_hpt_map_touch(lw_hpt_map *m, uint32_t slot) {
    leave(m, slot);
    enter_newest(m, slot);
}

uint32_t lw_hpt_map_access(lw_hpt_map *m, uint32_t slot, uint64_t now) {
    m->slots[slot].accessed = now;
    return ++m->slots[slot].accesses;
}

void lw_hpt_map_set_accesses(lw_hpt_map *m, uint32_t slot, uint32_t accesses, uint64_t at) {
    m->slots[slot].accesses = accesses;
    m->slots[slot].accessed = at;
}

void lw_hpt_map_delete(lw_hpt_map *m, uint32_t slot) {
    leave(m, slot);
    m->slots[slot].valid = false;
    m->slots[slot].deleted = true;
}

void lw_hpt_map_move(lw_hpt_map *m, uint32_t slot, uint32_t step) {
    const uint32_t to = lw_hpt_map_at(m, m->slots[slot].tag, step);
    lw_hpt_slot *s = &m->slots[to];
    *s = m->slots[slot];
    s->step = (uint8_t)step;
    m->used[to] = m->used[slot];
    tell_neighbours(m, order_of(m, slot), s->older, s->newer, to, to);
    m->slots[slot].valid = false;
    m->slots[slot].deleted = true;
}
