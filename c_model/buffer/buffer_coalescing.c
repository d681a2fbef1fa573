/* The CAM's work on the IOMMU buffer (R4.3 to R4.6, chapter 9, R11.2): a new entry's CL, the
 * search and the update of an operation (release, answers, claim), and the mark. */
#include "c_model/buffer/buffer_parts.h"

uint32_t lw_buffer_first_cl(const lw_miss *miss, const lw_flight *flight, uint32_t flights,
                            uint32_t takes_part) {
    uint32_t lowest = 0;
    for (uint32_t i = 0; i < flights; i++) {
        const lw_access *a = &flight[i];
        if ((lowest == 0 || a->level < lowest) && (takes_part >> a->level & 1) != 0 &&
            lw_is_near(a, miss->key) && lw_grants(a->perm, miss->access)) {
            lowest = a->level;
        }
    }
    return lowest;
}

/* The valid slots of this word that the access's neighbourhood may hold: the hash decides, so each
 * is to be verified. Not one that was inserted in the cycle of the search (R4.15). */
static uint64_t near_word(const lw_buffer *b, const lw_slots *near, uint32_t word) {
    const uint32_t slot = (uint32_t)b->inserted; /* LW_NONE lies in no word */
    return near->w[word] & ~((uint64_t)(slot / 64 == word) << (slot % 64));
}

/* Those of them that are neither DONE nor STALE, whose access PERM grants and whose PL is 0 or
 * above the level. */
static bool reachable(const lw_buffer *b, const lw_access *a, lw_slots *out) {
    const lw_slots *near = lw_buffer_bucket(b, a->key, lw_near(a));
    const uint64_t no_write = (a->perm & 1) == 0 ? UINT64_MAX : 0;
    const uint64_t no_execute = (a->perm & 2) == 0 ? UINT64_MAX : 0;
    uint64_t any = 0;
    for (uint32_t w = 0; w < b->words; w++) {
        uint64_t m = near_word(b, near, w) & ~b->done.w[w] & ~b->stale.w[w];
        if (m != 0) {
            uint64_t open = b->at_pl[0].w[w];
            for (uint32_t l = a->level + 1u; l < 8; l++) {
                open |= b->at_pl[l].w[w];
            }
            m &= open & ~(b->writes.w[w] & no_write) & ~(b->executes.w[w] & no_execute);
        }
        out->w[w] = m;
        any |= m;
    }
    return any != 0;
}

static bool is_neighbour(const lw_buffer *b, uint32_t slot, const lw_access *a) {
    return lw_is_near(a, b->entry[slot].key);
}

/* R4.5, of those that are not `alone` at the beginning of the cycle. */
static void claim(lw_buffer *b, const lw_access *a, const lw_slots *alone) {
    lw_slots open;
    if (!reachable(b, a, &open)) {
        return;
    }
    for (uint32_t w = 0; w < b->words; w++) {
        uint64_t unclaimed = b->at_cl[0].w[w];
        for (uint32_t c = a->level + 1u; c < 8; c++) {
            unclaimed |= b->at_cl[c].w[w];
        }
        unclaimed &= ~alone->w[w];
        for (uint64_t m = open.w[w] & unclaimed; m != 0; m &= m - 1) {
            const uint32_t slot = w * 64 + (uint32_t)__builtin_ctzll(m);
            if (is_neighbour(b, slot, a)) {
                lw_buffer_set_cl(b, slot, a->level);
                lw_buffer_refresh(b, slot);
                lw_buffer_waits(b, slot, LW_STAGE_LINE);
                lw_touch(b->watch, LW_S_BUFFER, slot);
            }
        }
    }
}

/* R9.4: the PTE that an entry takes from the line of the access. */
static uint32_t place_in_line(const lw_cam_op *o, const lw_buffer_entry *e) {
    return o->reach == LW_REACH_LINE ? lw_index(e->key, o->level) & 7 : o->position & 7u;
}

/* R9.15: whether an entry that a scan frees has met a fault or an error. */
static bool has_failed(const lw_buffer *b, const lw_buffer_entry *e) {
    const lw_cam_op *o = &b->cam.update;
    if (o->op != LW_OP_SCAN || o->error) {
        return o->failed;
    }
    const lw_pte *pte = &b->cam.update_line[place_in_line(o, e)];
    return lw_kind_for(pte, e->access) != LW_OK || !lw_grants(o->perm, e->access);
}

/* R4.6, R9.15 */
static void release(lw_buffer *b, const lw_access *a) {
    const lw_slots *near = lw_buffer_bucket(b, a->key, lw_near(a));
    for (uint32_t w = 0; w < b->words; w++) {
        for (uint64_t m = b->at_cl[a->level].w[w] & near_word(b, near, w); m != 0; m &= m - 1) {
            const uint32_t slot = w * 64 + (uint32_t)__builtin_ctzll(m);
            if (is_neighbour(b, slot, a)) {
                lw_buffer_set_cl(b, slot, 0);
                if (has_failed(b, &b->entry[slot])) {
                    lw_slots_set(&b->alone, slot);
                }
                lw_buffer_refresh(b, slot);
                lw_buffer_waits(b, slot, LW_STAGE_WALKER);
                lw_touch(b->watch, LW_S_BUFFER, slot);
            }
        }
    }
}

/* R9.4, then R9.6 (a leaf) or R9.7 (a node): one entry learns from its PTE, which stands in the
 * line store (R9.10), and nothing from a fault (R9.5): whether it has learnt. */
static bool learn(lw_buffer *b, uint32_t slot, const lw_access *a, uint32_t position) {
    lw_buffer_entry *e = &b->entry[slot];
    const lw_pte *pte = &b->cam.update_line[position];
    if (lw_kind_for(pte, e->access) != LW_OK) {
        return false;
    }
    lw_slots_clear(&b->store.named[e->line], slot);
    e->line = (uint8_t)b->store.tail;
    e->position = (uint8_t)position;
    if (!pte->leaf) {
        lw_buffer_set_pl(b, slot, a->level);
        if (e->cl >= a->level) {
            lw_buffer_set_cl(b, slot, 0);
        }
    } else {
        lw_slots_set(&b->done, slot);
        b->answers++;
        lw_buffer_set_cl(b, slot, 0);
    }
    lw_buffer_refresh(b, slot);
    lw_buffer_waits(b, slot, lw_buffer_stage(b, slot));
    lw_buffer_refresh_name(b, slot);
    lw_touch(b->watch, LW_S_BUFFER, slot);
    return true;
}

/* R9.4: whether an entry has learnt. */
static bool tell(lw_buffer *b, const lw_access *a) {
    const lw_cam_op *o = &b->cam.update;
    lw_slots open = {{0}};
    bool any = false;
    if (!reachable(b, a, &open)) {
        return false;
    }
    for (uint32_t w = 0; w < b->words; w++) {
        for (uint64_t m = open.w[w]; m != 0; m &= m - 1) {
            const uint32_t slot = w * 64 + (uint32_t)__builtin_ctzll(m);
            if (is_neighbour(b, slot, a)) {
                any |= learn(b, slot, a, place_in_line(o, &b->entry[slot]));
            }
        }
    }
    return any;
}

/* ---------------------------------------------------------------- the line store */

/* Of a word of slots, those that name a place and have (or have not) their answer. */
static uint64_t named_word(const lw_buffer *b, uint32_t place, uint32_t w, bool done) {
    return b->store.named[place].w[w] & (done ? b->done.w[w] : ~b->done.w[w]);
}

static bool is_named(const lw_buffer *b, uint32_t place, bool done) {
    uint64_t any = 0;
    for (uint32_t w = 0; w < b->words; w++) {
        any |= named_word(b, place, w, done);
    }
    return any != 0;
}

uint32_t lw_buffer_awaits(const lw_buffer *b) {
    const uint32_t tail = b->store.tail;
    if (b->answers == 0) {
        return 0;
    }
    return (uint32_t)is_named(b, tail, true) |
           (uint32_t)is_named(b, lw_line_store_after(&b->store, tail), true) << 1;
}

bool lw_buffer_store_is_settled(const lw_buffer *b) {
    return b->cfg->hw.coalesce == 0 ||
           (!is_named(b, lw_line_store_after(&b->store, b->store.tail), false) &&
            b->store.open == ((lw_buffer_awaits(b) & 1) == 0));
}

/* R9.13: these lose PL, but for those that have learnt in this cycle and name another place by now.
 */
static void lose(lw_buffer *b, const lw_slots *losing, uint32_t place) {
    for (uint32_t w = 0; w < b->words; w++) {
        for (uint64_t m = losing->w[w] & b->store.named[place].w[w]; m != 0; m &= m - 1) {
            const uint32_t slot = w * 64 + (uint32_t)__builtin_ctzll(m);
            lw_buffer_set_pl(b, slot, 0);
            lw_buffer_refresh_name(b, slot);
            lw_touch(b->watch, LW_S_BUFFER, slot);
        }
    }
}

/* R9.14: after the update of the cycle, at whose beginning STORE_TAIL was `before`. */
static void keep_store(lw_buffer *b, uint32_t before, uint32_t awaited) {
    lw_line_store *s = &b->store;
    const bool open = (awaited >> (s->tail != before) & 1) == 0;
    if (open != s->open || s->tail != before) {
        s->open = open;
        lw_touch(b->watch, LW_S_STORE_CONTROL, 0);
    }
}

/* R12.7 */
static bool has_neighbour(const lw_buffer *b, const lw_access *a) {
    const lw_slots *near = lw_buffer_bucket(b, a->key, lw_near(a));
    for (uint32_t w = 0; w < b->words; w++) {
        for (uint64_t m = near_word(b, near, w) & ~b->done.w[w]; m != 0; m &= m - 1) {
            if (is_neighbour(b, w * 64 + (uint32_t)__builtin_ctzll(m), a)) {
                return true;
            }
        }
    }
    return false;
}

/* NEAR_LEVEL or NEAR_CLAIM of the operation in search: the neighbours of an access, or nobody. */
static void put_near(lw_buffer *b, lw_slots *near, const lw_access *a, bool there) {
    const lw_slots *may = lw_buffer_bucket(b, a->key, lw_near(a));
    for (uint32_t w = 0; w < b->words; w++) {
        uint64_t now = 0;
        for (uint64_t m = there ? may->w[w] : 0; m != 0; m &= m - 1) {
            const uint32_t bit = (uint32_t)__builtin_ctzll(m);
            now |= (uint64_t)is_neighbour(b, w * 64 + bit, a) << bit;
        }
        for (uint64_t m = near->w[w] ^ now; m != 0; m &= m - 1) {
            lw_touch(b->watch, LW_S_BUFFER, w * 64 + (uint32_t)__builtin_ctzll(m));
        }
        near->w[w] = now;
    }
}

/* NEAR_POSITION, where NEAR_LEVEL was or is 1: elsewhere it stays zero. */
static void put_positions(lw_buffer *b, const lw_cam_op *o, const lw_slots *before) {
    for (uint32_t w = 0; w < b->words; w++) {
        for (uint64_t m = before->w[w] | b->near_level.w[w]; m != 0; m &= m - 1) {
            const uint32_t slot = w * 64 + (uint32_t)__builtin_ctzll(m);
            const bool told = o->op == LW_OP_SCAN && lw_slots_has(&b->near_level, slot);
            b->near_position[slot] = (uint8_t)(told ? place_in_line(o, &b->entry[slot]) : 0);
            lw_touch(b->watch, LW_S_BUFFER, slot);
        }
    }
}

/* R4.13: nobody is near. */
static void forget_near(lw_buffer *b) {
    const lw_cam_op none = {.op = LW_OP_NONE};
    const lw_access nowhere = lw_cam_op_access(&none);
    const lw_slots before = b->near_level;
    put_near(b, &b->near_level, &nowhere, false);
    put_near(b, &b->near_claim, &nowhere, false);
    put_positions(b, &none, &before);
}

static void search(lw_buffer *b) {
    const lw_cam_op *o = &b->cam.search;
    const bool searches = o->op != LW_OP_NONE && b->cfg->hw.coalesce != 0;
    const lw_access level = lw_cam_op_access(o), claimed = lw_cam_op_claim(o);
    const lw_slots before = b->near_level;
    put_near(b, &b->near_level, &level, searches && o->level != 0); /* 0: nobody's is released */
    put_near(b, &b->near_claim, &claimed, searches && o->claim);
    put_positions(b, o, &before);
}

static void update(lw_buffer *b, uint32_t takes_part, lw_events *events) {
    const lw_cam_op *o = &b->cam.update;
    const lw_access a = lw_cam_op_access(o);
    const lw_slots alone = b->alone;
    const bool scan = o->op == LW_OP_SCAN && !o->error; /* an error: R9.9 */
    if (scan && a.level == 1 && has_neighbour(b, &a)) {
        lw_count(events, LW_C_SAME_NEIGHBOURHOOD, 1);
    }
    const bool learns = scan && b->store.open && (takes_part >> a.level & 1) != 0 && tell(b, &a);
    if (o->op == LW_OP_SCAN && b->store.open) { /* R9.12 */
        lw_line_store_write(&b->store, o, b->cam.update_line);
        b->store.tail = learns ? lw_line_store_after(&b->store, b->store.tail) : b->store.tail;
    }
    if (a.level != 0) { /* who has just learnt waits no more, and is not looked for */
        release(b, &a);
    }
    if (o->claim && (takes_part >> o->claim_level & 1) != 0) {
        const lw_access claimed = lw_cam_op_claim(o);
        claim(b, &claimed, &alone);
    }
}

void lw_buffer_operate(lw_buffer *b, uint32_t takes_part, uint32_t awaited, lw_events *events) {
    if (b->cfg->hw.coalesce != 0) {
        const uint32_t tail = b->store.tail, after = lw_line_store_after(&b->store, tail);
        const bool loses = is_named(b, after, false);
        lw_slots losing;
        for (uint32_t w = 0; loses && w < b->words; w++) {
            losing.w[w] = named_word(b, after, w, false);
        }
        if (b->cam.update.op != LW_OP_NONE) {
            update(b, takes_part, events);
        }
        if (loses) {
            lose(b, &losing, after);
        }
        keep_store(b, tail, awaited);
    }
    if (!lw_cam_is_busy(&b->cam)) {
        return;
    }
    if (b->watch->written != NULL) {
        search(b);
    }
    lw_cam_step(&b->cam);
}

static bool is_met(const lw_mark *mark, const lw_buffer_entry *e) {
    return lw_mark_meets(mark, lw_key_pasid(e->key));
}

/* R11.2: an entry with an answer keeps it and becomes STALE, another forgets what it has learnt,
 * and is STALE if there is no page table for it (R11.13). What was in search is in update by now.
 */
void lw_buffer_mark(lw_buffer *b, const lw_mark *mark, const lw_roots *roots) {
    lw_cam_op *searched = &b->cam.update;
    if (searched->op != LW_OP_NONE && lw_mark_meets(mark, lw_key_pasid(searched->key))) {
        searched->op = LW_OP_NONE;
        lw_touch(b->watch, LW_S_UPDATE, 0);
        forget_near(b);
    }
    if (b->reading && is_met(mark, &b->entry[b->reading_slot])) { /* R11.10: chosen right now */
        lw_slots_set(&b->stale, b->reading_slot);
    }
    for (uint32_t w = 0; w < b->words; w++) {
        for (uint64_t m = b->valid.w[w]; m != 0; m &= m - 1) {
            const uint32_t slot = w * 64 + (uint32_t)__builtin_ctzll(m);
            lw_buffer_entry *e = &b->entry[slot];
            if (!is_met(mark, e)) {
                continue;
            }
            if (lw_slots_has(&b->done, slot) || !lw_roots_has(roots, lw_key_pasid(e->key))) {
                lw_slots_set(&b->stale, slot);
            }
            if (!lw_slots_has(&b->done, slot)) {
                lw_buffer_set_cl(b, slot, 0);
                lw_buffer_set_pl(b, slot, 0);
                lw_buffer_refresh_name(b, slot);
            }
            lw_buffer_refresh(b, slot);
            lw_buffer_waits(b, slot, lw_buffer_stage(b, slot));
            lw_touch(b->watch, LW_S_BUFFER, slot);
        }
    }
}
