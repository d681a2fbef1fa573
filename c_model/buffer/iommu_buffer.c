#include "c_model/buffer/buffer_parts.h"

/* Puts a valid entry into the derived bitmaps (on), or takes it out. */
static void index_entry(lw_buffer *b, uint32_t slot, bool on) {
    const lw_buffer_entry *e = &b->entry[slot];
    lw_slots_put(&b->at_cl[e->cl], slot, on);
    lw_slots_put(&b->at_pl[e->pl], slot, on);
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
                     .cam = {.cfg = cfg, .watch = watch}};
}

void lw_buffer_keep(lw_buffer *b, const lw_buffer_entry before[LW_BUFFER_MAX]) {
    for (uint32_t slot = 0; slot < b->cfg->hw.buffer_entries; slot++) {
        b->entry[slot] = before[slot];
        b->entry[slot].cl = 0;
        b->entry[slot].pl = 0;
    }
}

/* The lowest slot without an entry into which this cycle does not insert. */
int32_t lw_buffer_next_free(const lw_buffer *b) {
    for (uint32_t w = 0; w < b->words; w++) {
        uint64_t open = ~b->valid.w[w];
        if (b->miss.valid && b->free_slot / 64 == w) {
            open &= ~(UINT64_C(1) << (b->free_slot % 64));
        }
        if (open != 0) {
            const uint32_t slot = w * 64 + (uint32_t)__builtin_ctzll(open);
            return slot < b->cfg->hw.buffer_entries ? (int32_t)slot : LW_NONE;
        }
    }
    return LW_NONE;
}

bool lw_buffer_any_stale(const lw_buffer *b) {
    uint64_t any = 0;
    for (uint32_t w = 0; w < LW_SLOT_WORDS; w++) {
        any |= b->stale.w[w] & b->valid.w[w];
    }
    return any != 0;
}

static void insert_miss(lw_buffer *b) {
    const lw_miss *m = &b->miss;
    const uint32_t slot = b->free_slot;
    lw_buffer_entry *e = &b->entry[slot];
    e->key = lw_key(m->pasid, m->vpn);
    e->id = m->id;
    e->src = m->src;
    e->seq = (uint16_t)b->next_seq;
    e->access = m->access;
    e->cl = LW_CL_UNKNOWN;
    e->pl = 0; /* so the rest means nothing, and stays (R4.1) */
    const uint32_t block = lw_buffer_block(b, e);
    lw_slots_set(&b->valid, slot);
    lw_slots_clear(&b->stale, slot);
    index_entry(b, slot, true);
    b->entries++;
    b->slot_of_seq[b->next_seq] = (uint16_t)slot;
    b->block_live[block]++;
    lw_touch(b->watch, LW_S_BUFFER, slot);
    lw_touch(b->watch, LW_S_BLOCK, block);
    b->next_seq = (b->next_seq + 1) & b->cfg->seq_mask;
    b->new_valid = true;
    b->new_slot = slot;
    b->new_vpn = m->vpn;
    b->new_pasid = m->pasid;
    b->new_access = m->access;
    lw_touch(b->watch, LW_S_BUFFER_CONTROL, 0);
}

bool lw_buffer_insert(lw_buffer *b, int32_t next_free) {
    /* only after a flip is the slot not free */
    const bool inserts = b->miss.valid && !lw_slots_has(&b->valid, b->free_slot);
    if (inserts) {
        insert_miss(b);
    } else if (b->new_valid) {
        b->new_valid = false;
        lw_touch(b->watch, LW_S_BUFFER_CONTROL, 0);
    }
    if (next_free != LW_NONE && b->free_slot != (uint32_t)next_free) {
        b->free_slot = (uint32_t)next_free;
        lw_touch(b->watch, LW_S_BUFFER_CONTROL, 0);
    }
    return inserts;
}

void lw_buffer_load_miss(lw_buffer *b, const lw_miss *miss) {
    b->miss = *miss;
    lw_touch(b->watch, LW_S_BUFFER_CONTROL, 0);
}

void lw_buffer_no_miss(lw_buffer *b) {
    if (b->miss.valid) {
        b->miss.valid = false;
        lw_touch(b->watch, LW_S_BUFFER_CONTROL, 0);
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
    b->entries--;
    lw_touch(b->watch, LW_S_BUFFER, slot);
}

void lw_buffer_leave_block(lw_buffer *b, uint32_t block) {
    b->block_live[block]--;
    lw_touch(b->watch, LW_S_BLOCK, block);
}

void lw_buffer_give_back(lw_buffer *b, uint32_t slot) {
    lw_slots_clear(&b->picked, slot);
    lw_buffer_refresh(b, slot);
    lw_touch(b->watch, LW_S_BUFFER, slot);
}

void lw_buffer_read(const lw_buffer *b, uint32_t slot, lw_entry *out) {
    const lw_buffer_entry *e = &b->entry[slot];
    *out = (lw_entry){.key = e->key,
                      .pa = e->pa,
                      .id = e->id,
                      .src = e->src,
                      .contig = e->contig,
                      .access = e->access,
                      .cl = e->cl,
                      .pl = e->pl,
                      .perm = e->perm,
                      .block = (uint8_t)lw_buffer_block(b, e),
                      .done = lw_slots_has(&b->done, slot),
                      .stale = lw_slots_has(&b->stale, slot)};
}

void lw_buffer_decide(lw_buffer *b, const lw_decision *decision) {
    if (decision->give_back) {
        lw_buffer_give_back(b, decision->slot);
    } else if (decision->commit) {
        lw_buffer_free(b, decision->slot);
        lw_buffer_leave_block(b, decision->block);
    }
}

void lw_buffer_derive(lw_buffer *b) {
    memset(b->at_cl, 0, sizeof b->at_cl);
    memset(b->at_pl, 0, sizeof b->at_pl);
    memset(b->bucket, 0, sizeof b->bucket);
    memset(b->by_seq, 0, sizeof b->by_seq);
    b->writes = b->executes = (lw_slots){{0}};
    b->by_seq_words = 0;
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
        b->slot_of_seq[b->entry[slot].seq] = (uint16_t)slot;
        index_entry(b, slot, true);
        lw_buffer_refresh(b, slot);
    }
}
