#include "c_model/buffer/buffer_parts.h"

/* Puts a valid entry into the derived bitmaps (on), or takes it out. */
static void index_entry(lw_buffer *b, uint32_t slot, bool on) {
    const lw_buffer_entry *e = &b->entry[slot];
    lw_slots_put(&b->at_cl[e->cl], slot, on);
    lw_slots_put(&b->at_pl[e->pl], slot, on);
    if (b->cfg->hw.coalesce == 0) {
        return; /* nobody looks for neighbours */
    }
    lw_slots_put(&b->writes, slot, on && lw_is_write(e->access));
    lw_slots_put(&b->executes, slot, on && lw_is_execute(e->access));
    for (uint32_t k = 1; k <= b->cfg->hw.levels; k++) {
        lw_slots_put(lw_buffer_bucket(b, e->key, k), slot, on);
    }
    if (b->cfg->hw.subregions != 0) {
        lw_slots_put(lw_buffer_bucket(b, e->key, LW_NEAR_SUBREGION), slot, on);
        lw_slots_put(lw_buffer_bucket(b, e->key, LW_NEAR_FRAME), slot, on);
    }
}

void lw_buffer_init(lw_buffer *b, const lw_config *cfg, const lw_watch *watch) {
    *b = (lw_buffer){.cfg = cfg,
                     .watch = watch,
                     .words = (cfg->hw.buffer_entries + 63) / 64,
                     .inserted = LW_NONE,
                     .cam = {.cfg = cfg, .watch = watch},
                     .store = {.cfg = cfg, .watch = watch}};
}

void lw_buffer_keep(lw_buffer *b, const lw_buffer_entry before[LW_BUFFER_MAX]) {
    for (uint32_t slot = 0; slot < b->cfg->hw.buffer_entries; slot++) {
        b->entry[slot] = before[slot];
        b->entry[slot].cl = 0;
        b->entry[slot].pl = 0;
    }
}

bool lw_buffer_next_open(const lw_buffer *b, bool inserts) {
    return !lw_slots_has(&b->valid, (b->tail + inserts) % b->cfg->hw.buffer_entries);
}

bool lw_buffer_any_stale(const lw_buffer *b) {
    uint64_t any = 0;
    for (uint32_t w = 0; w < LW_SLOT_WORDS; w++) {
        any |= b->stale.w[w] & b->valid.w[w];
    }
    return any != 0;
}

static void insert_miss(lw_buffer *b, const lw_miss *m, uint32_t cl) {
    const uint32_t slot = b->tail;
    lw_buffer_entry *e = &b->entry[slot];
    lw_buffer_free(b, slot); /* only after a flip is there anything in it */
    e->key = m->key;
    e->id = m->id;
    e->src = m->src;
    e->access = m->access;
    e->cl = (uint8_t)cl;
    e->pl = 0; /* so the rest means nothing, and stays (R4.16) */
    lw_slots_set(&b->valid, slot);
    lw_slots_put(&b->stale, slot, m->stale);
    lw_slots_clear(&b->alone, slot);
    index_entry(b, slot, true);
    lw_buffer_refresh(b, slot);
    lw_buffer_waits(b, slot, lw_buffer_stage(b, slot));
    b->entries++;
    b->tail = (b->tail + 1) % b->cfg->hw.buffer_entries;
    lw_touch(b->watch, LW_S_BUFFER, slot);
}

void lw_buffer_insert(lw_buffer *b, const lw_miss *miss, uint32_t cl, bool next_open) {
    b->inserted = miss != NULL ? (int32_t)b->tail : LW_NONE;
    if (miss != NULL) {
        insert_miss(b, miss, cl);
    }
    if (miss != NULL || b->open != next_open) {
        b->open = next_open;
        lw_touch(b->watch, LW_S_BUFFER_RING, 0);
    }
}

void lw_buffer_free(lw_buffer *b, uint32_t slot) {
    if (!lw_slots_has(&b->valid, slot)) {
        return; /* only after a flip */
    }
    index_entry(b, slot, false);
    b->answers -= lw_slots_has(&b->done, slot);
    lw_slots_clear(&b->valid, slot);
    lw_slots_clear(&b->picked, slot);
    lw_slots_clear(&b->done, slot);
    lw_slots_clear(&b->batch, slot);
    lw_buffer_refresh(b, slot);
    lw_buffer_refresh_name(b, slot);
    b->entries--;
    lw_touch(b->watch, LW_S_BUFFER, slot);
}

/* An entry becomes PICKED, or is so no more (R5.2, R5.7). */
static void put_picked(lw_buffer *b, uint32_t slot, bool picked) {
    lw_slots_put(&b->picked, slot, picked);
    lw_buffer_refresh(b, slot);
    lw_move(b->watch, b->entry[slot].id, picked ? LW_STAGE_LOOK : lw_buffer_stage(b, slot));
    lw_touch(b->watch, LW_S_BUFFER, slot);
}

void lw_buffer_pick(lw_buffer *b, uint32_t slot) {
    put_picked(b, slot, true);
}

void lw_buffer_read(const lw_buffer *b, uint32_t slot, lw_entry *out) {
    const lw_buffer_entry *e = &b->entry[slot];
    *out = (lw_entry){.key = e->key,
                      .id = e->id,
                      .src = e->src,
                      .access = e->access,
                      .cl = e->cl,
                      .pl = e->pl,
                      .done = lw_slots_has(&b->done, slot),
                      .stale = lw_slots_has(&b->stale, slot)};
}

lw_learnt lw_buffer_learnt(const lw_buffer *b) {
    return lw_line_store_read(&b->store, b->look_line, b->look_position, 0, false);
}

void lw_buffer_load_look(lw_buffer *b, lw_named named) {
    if (named.line != b->look_line || named.position != b->look_position) {
        b->look_line = named.line;
        b->look_position = named.position;
        lw_touch(b->watch, LW_S_BUFFER_CONTROL, 0);
    }
}

bool lw_buffer_is_near(const lw_buffer *b, uint32_t slot) {
    const lw_cam_op *o = &b->cam.update;
    if (o->op == LW_OP_NONE || b->cfg->hw.coalesce == 0 || !lw_slots_has(&b->valid, slot) ||
        b->inserted == (int32_t)slot) {
        return false;
    }
    const lw_access level = lw_cam_op_access(o), claimed = lw_cam_op_claim(o);
    const uint64_t key = b->entry[slot].key;
    return (o->level != 0 && lw_is_near(&level, key)) || (o->claim && lw_is_near(&claimed, key));
}

void lw_buffer_decide(lw_buffer *b, const lw_decision *decision) {
    if (decision->give_back) {
        put_picked(b, decision->slot, false);
    } else if (decision->leaves) {
        lw_buffer_free(b, decision->slot);
    }
}

void lw_buffer_derive(lw_buffer *b) {
    memset(b->at_cl, 0, sizeof b->at_cl);
    memset(b->at_pl, 0, sizeof b->at_pl);
    memset(b->bucket, 0, sizeof b->bucket);
    memset(b->store.named, 0, sizeof b->store.named);
    b->writes = b->executes = b->eligible = (lw_slots){{0}};
    b->eligible_words = 0;
    b->entries = 0;
    b->answers = 0;
    for (uint32_t slot = 0; slot < b->cfg->hw.buffer_entries; slot++) {
        if (!lw_slots_has(&b->valid, slot)) {
            lw_slots_clear(&b->picked, slot);
            lw_slots_clear(&b->done, slot);
            lw_slots_clear(&b->batch, slot);
            continue;
        }
        b->entries++;
        b->answers += lw_slots_has(&b->done, slot);
        index_entry(b, slot, true);
        lw_buffer_refresh(b, slot);
        lw_buffer_refresh_name(b, slot);
    }
}
