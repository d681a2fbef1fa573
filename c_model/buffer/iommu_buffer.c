#include "c_model/buffer/buffer_parts.h"

/* Puts a valid entry into the derived bitmaps (on), or takes it out. */
static void index_entry(lw_buffer *b, uint32_t slot, bool on) {
    const lw_entry *e = &b->entry[slot];
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
    lw_entry *e = &b->entry[slot];
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

void lw_buffer_load_miss(lw_buffer *b, uint32_t pasid, uint64_t vpn, uint32_t access, uint32_t id,
                         uint32_t src) {
    b->miss = (lw_miss){.vpn = vpn,
                        .pasid = pasid,
                        .id = (uint16_t)id,
                        .src = (uint16_t)src,
                        .access = (uint8_t)access,
                        .valid = true};
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

static lw_cell flag_cell(lw_slots *flags, uint32_t slot, bool shown) {
    return LW_CELL_PART(flags->w[slot / 64], slot % 64, 1, shown);
}

static lw_cell entry_cell(lw_buffer *b, lw_field field, uint32_t slot) {
    const lw_config *cfg = b->cfg;
    const bool valid = lw_slots_has(&b->valid, slot); /* R0.5 */
    const uint32_t seq_w = cfg->block_shift + 2;
    lw_entry *e = &b->entry[slot];
    switch (field) {
    case LW_F_BUFFER_VALID:
        return flag_cell(&b->valid, slot, true);
    case LW_F_BUFFER_PICKED:
        return flag_cell(&b->picked, slot, valid);
    case LW_F_BUFFER_DONE:
        return flag_cell(&b->done, slot, valid);
    case LW_F_BUFFER_STALE:
        return flag_cell(&b->stale, slot, valid);
    case LW_F_BUFFER_BATCH:
        return flag_cell(&b->batch, slot, valid);
    case LW_F_BUFFER_NEAR_LEVEL:
        return flag_cell(&b->near_level, slot, valid);
    case LW_F_BUFFER_NEAR_CLAIM:
        return flag_cell(&b->near_claim, slot, valid);
    case LW_F_BUFFER_NEAR_POSITION:
        return LW_CELL(b->near_position[slot], 3, valid);
    case LW_F_BUFFER_ID:
        return LW_CELL(e->id, cfg->hw.id_w, valid);
    case LW_F_BUFFER_SRC:
        return LW_CELL(e->src, cfg->hw.src_w, valid);
    case LW_F_BUFFER_PASID:
        return LW_CELL_PART(e->key, LW_KEY_PASID, (uint32_t)__builtin_ctz(cfg->hw.pasids), valid);
    case LW_F_BUFFER_VPN:
        return LW_CELL_PART(e->key, 0, cfg->vpn_w, valid);
    case LW_F_BUFFER_ACCESS:
        return LW_CELL(e->access, 2, valid);
    case LW_F_BUFFER_SEQ:
        return LW_CELL(e->seq, seq_w, valid);
    case LW_F_BUFFER_CL:
        return LW_CELL(e->cl, 3, valid);
    case LW_F_BUFFER_PL:
        return LW_CELL(e->pl, 3, valid);
    case LW_F_BUFFER_PA:
        return LW_CELL(e->pa, cfg->pfn_w, valid);
    case LW_F_BUFFER_PERM:
        return LW_CELL(e->perm, 2, valid);
    case LW_F_BUFFER_KIND:
        return LW_CELL(e->kind, 4, valid);
    case LW_F_BUFFER_LEVEL:
        return LW_CELL(e->level, 3, valid);
    case LW_F_BUFFER_SIZE:
        return LW_CELL(e->size, 2, valid);
    default:
        return LW_CELL(e->contig, LW_CONTIG_BITS, valid);
    }
}

static lw_cell miss_cell(const lw_config *cfg, lw_miss *m, lw_field field) {
    switch (field) {
    case LW_F_BUFFER_CONTROL_MISS_VALID:
        return LW_CELL(m->valid, 1, true);
    case LW_F_BUFFER_CONTROL_MISS_ID:
        return LW_CELL(m->id, cfg->hw.id_w, true);
    case LW_F_BUFFER_CONTROL_MISS_SRC:
        return LW_CELL(m->src, cfg->hw.src_w, true);
    case LW_F_BUFFER_CONTROL_MISS_PASID:
        return LW_CELL(m->pasid, (uint32_t)__builtin_ctz(cfg->hw.pasids), true);
    case LW_F_BUFFER_CONTROL_MISS_VPN:
        return LW_CELL(m->vpn, cfg->vpn_w, true);
    default:
        return LW_CELL(m->access, 2, true);
    }
}

lw_cell lw_buffer_cell(lw_buffer *b, lw_field field, uint32_t index) {
    const lw_config *cfg = b->cfg;
    const uint32_t slot_w = cfg->block_shift;
    if (field >= LW_F_BUFFER_CONTROL_MISS_VALID && field <= LW_F_BUFFER_CONTROL_MISS_ACCESS) {
        return miss_cell(cfg, &b->miss, field);
    }
    switch (field) {
    case LW_F_BUFFER_CONTROL_NEXT_SEQ:
        return LW_CELL(b->next_seq, slot_w + 2, true);
    case LW_F_BUFFER_CONTROL_FREE_SLOT:
        return LW_CELL(b->free_slot, slot_w, true);
    case LW_F_BUFFER_CONTROL_CANDIDATE_VALID:
        return LW_CELL(b->candidate_valid, 1, true);
    case LW_F_BUFFER_CONTROL_CANDIDATE_HELD:
        return LW_CELL(b->candidate_held, 1, true);
    case LW_F_BUFFER_CONTROL_CANDIDATE_SLOT:
        return LW_CELL(b->candidate_slot, slot_w, true);
    case LW_F_BUFFER_CONTROL_READY:
        return LW_CELL(b->ready, 1, true);
    case LW_F_BUFFER_CONTROL_READY_SLOT:
        return LW_CELL(b->ready_slot, slot_w, true);
    case LW_F_BUFFER_CONTROL_READING:
        return LW_CELL(b->reading, 1, true);
    case LW_F_BUFFER_CONTROL_READING_SLOT:
        return LW_CELL(b->reading_slot, slot_w, true);
    case LW_F_BUFFER_CONTROL_READING_EPOCH:
        return LW_CELL(b->reading_epoch, 1, true);
    case LW_F_BUFFER_CONTROL_NEW_VALID:
        return LW_CELL(b->new_valid, 1, true);
    case LW_F_BUFFER_CONTROL_NEW_SLOT:
        return LW_CELL(b->new_slot, slot_w, true);
    case LW_F_BUFFER_CONTROL_NEW_VPN:
        return LW_CELL(b->new_vpn, cfg->vpn_w, true);
    case LW_F_BUFFER_CONTROL_NEW_PASID:
        return LW_CELL(b->new_pasid, (uint32_t)__builtin_ctz(cfg->hw.pasids), true);
    case LW_F_BUFFER_CONTROL_NEW_ACCESS:
        return LW_CELL(b->new_access, 2, true);
    case LW_F_BUFFER_CONTROL_CHECKED:
        return LW_CELL(b->checked, 1, true);
    case LW_F_BUFFER_CONTROL_CHECKED_SLOT:
        return LW_CELL(b->checked_slot, slot_w, true);
    case LW_F_BUFFER_CONTROL_CHECKED_CL:
        return LW_CELL(b->checked_cl, 3, true);
    case LW_F_BLOCK_BLOCK_LIVE:
        return LW_CELL(b->block_live[index & 3], slot_w + 1, true);
    default:
        return entry_cell(b, field, index);
    }
}
