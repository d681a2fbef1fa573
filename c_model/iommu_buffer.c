#include "iommu_buffer.h"

static void set(lw_slots *m, uint32_t slot) {
    m->w[slot / 64] |= UINT64_C(1) << (slot % 64);
}

static void clear(lw_slots *m, uint32_t slot) {
    m->w[slot / 64] &= ~(UINT64_C(1) << (slot % 64));
}

static void put(lw_slots *m, uint32_t slot, bool value) {
    if (value) {
        set(m, slot);
    } else {
        clear(m, slot);
    }
}

/* The bucket of a key's neighbourhood at a level (levels 1 to 5). */
static lw_slots *bucket(const lw_buffer *b, uint64_t key, uint32_t level) {
    const uint64_t hash = (key >> lw_neighbour_shift(level)) * UINT64_C(0x9e3779b97f4a7c15);
    return (lw_slots *)&b->bucket[(level - 1) % LW_LEVELS_MAX][hash >> (64 - LW_BUCKET_BITS)];
}

/* R5.1 */
static void refresh_eligible(lw_buffer *b, uint32_t slot) {
    const lw_entry *e = &b->entry[slot];
    const bool eligible = lw_slots_has(&b->valid, slot) && !lw_slots_has(&b->picked, slot) &&
                          !lw_slots_has(&b->done, slot) && e->cl == 0;
    const uint32_t word = e->seq / 64;
    const uint64_t bit = UINT64_C(1) << (e->seq % 64);
    b->by_seq[word] = eligible ? b->by_seq[word] | bit : b->by_seq[word] & ~bit;
    b->by_seq_words &= ~(UINT32_C(1) << word);
    b->by_seq_words |= (uint32_t)(b->by_seq[word] != 0) << word;
}

static void set_cl(lw_buffer *b, uint32_t slot, uint32_t cl) {
    lw_entry *e = &b->entry[slot];
    clear(&b->at_cl[e->cl], slot);
    set(&b->at_cl[cl], slot);
    e->cl = (uint8_t)cl;
}

static void set_pl(lw_buffer *b, uint32_t slot, uint32_t pl) {
    lw_entry *e = &b->entry[slot];
    clear(&b->at_pl[e->pl], slot);
    set(&b->at_pl[pl], slot);
    e->pl = (uint8_t)pl;
}

/* Puts a valid entry into the derived bitmaps (on), or takes it out. */
static void index_entry(lw_buffer *b, uint32_t slot, bool on) {
    const lw_entry *e = &b->entry[slot];
    put(&b->at_cl[e->cl], slot, on);
    put(&b->at_pl[e->pl], slot, on);
    put(&b->writes, slot, on && lw_is_write(e->access));
    put(&b->executes, slot, on && lw_is_execute(e->access));
    for (uint32_t k = 1; k <= b->cfg->hw.levels; k++) {
        put(bucket(b, e->key, k), slot, on);
    }
}

void lw_buffer_init(lw_buffer *b, const lw_config *cfg, const lw_watch *watch) {
    *b = (lw_buffer){.cfg = cfg, .watch = watch, .words = (cfg->hw.buffer_entries + 63) / 64};
}

int32_t lw_buffer_oldest(const lw_buffer *b) {
    if (b->by_seq_words == 0) {
        return LW_NONE;
    }
    const uint32_t first = b->next_seq / 64;
    uint64_t word = b->by_seq[first] & UINT64_MAX << (b->next_seq % 64);
    uint32_t at = first;
    if (word == 0) {
        at = lw_first_from(b->by_seq_words, (first + 1) % LW_SEQ_WORDS);
        word = b->by_seq[at];
    }
    return b->slot_of_seq[at * 64 + (uint32_t)__builtin_ctzll(word)];
}

int32_t lw_buffer_next_answer(const lw_buffer *b) {
    if (b->answers == 0) {
        return LW_NONE;
    }
    const uint32_t from = b->answer_pointer;
    for (uint32_t i = 0; i <= b->words; i++) {
        const uint32_t w = (from / 64 + i) & (b->words - 1);
        uint64_t ready = b->done.w[w] & ~b->picked.w[w];
        if (i == 0) {
            ready &= UINT64_MAX << (from % 64);
        }
        if (ready != 0) {
            return (int32_t)(w * 64 + (uint32_t)__builtin_ctzll(ready));
        }
    }
    return LW_NONE;
}

int32_t lw_buffer_free_slot(const lw_buffer *b) {
    for (uint32_t w = 0; w < b->words; w++) {
        if (b->valid.w[w] != UINT64_MAX) {
            const uint32_t slot = w * 64 + (uint32_t)__builtin_ctzll(~b->valid.w[w]);
            return slot < b->cfg->hw.buffer_entries ? (int32_t)slot : LW_NONE;
        }
    }
    return LW_NONE;
}

bool lw_buffer_any_stale(const lw_buffer *b) {
    return (b->stale.w[0] | b->stale.w[1] | b->stale.w[2] | b->stale.w[3]) != 0;
}

void lw_buffer_insert(lw_buffer *b, uint32_t slot, uint32_t pasid, uint64_t vpn, uint32_t access,
                      uint32_t id, uint32_t src) {
    b->entry[slot] = (lw_entry){.key = lw_key(pasid, vpn),
                                .id = (uint16_t)id,
                                .src = (uint16_t)src,
                                .seq = (uint16_t)b->next_seq,
                                .access = (uint8_t)access};
    set(&b->valid, slot);
    index_entry(b, slot, true);
    b->entries++;
    b->slot_of_seq[b->next_seq] = (uint8_t)slot;
    b->block_live[b->next_seq >> b->cfg->block_shift]++;
    lw_touch(b->watch, LW_S_BUFFER, slot);
    lw_touch(b->watch, LW_S_BLOCK, b->next_seq >> b->cfg->block_shift);
    b->next_seq = (b->next_seq + 1) & b->cfg->seq_mask;
    b->new_valid = true; /* so it is not eligible before its check (R5.1) */
    b->new_slot = slot;
    b->new_vpn = vpn;
    b->new_pasid = pasid;
    b->new_access = access;
    lw_touch(b->watch, LW_S_BUFFER_CONTROL, 0);
}

void lw_buffer_no_insert(lw_buffer *b) {
    if (b->new_valid) {
        b->new_valid = false;
        lw_touch(b->watch, LW_S_BUFFER_CONTROL, 0);
    }
}

void lw_buffer_free(lw_buffer *b, uint32_t slot) {
    const uint32_t block = b->entry[slot].seq >> b->cfg->block_shift;
    index_entry(b, slot, false);
    b->answers -= lw_slots_has(&b->done, slot);
    clear(&b->valid, slot);
    clear(&b->picked, slot);
    clear(&b->done, slot);
    clear(&b->stale, slot);
    refresh_eligible(b, slot);
    b->entries--;
    b->block_live[block]--;
    lw_touch(b->watch, LW_S_BUFFER, slot);
    lw_touch(b->watch, LW_S_BLOCK, block);
}

void lw_buffer_answered(lw_buffer *b, uint32_t slot) {
    lw_buffer_free(b, slot);
    b->answer_pointer = (slot + 1) & (b->cfg->hw.buffer_entries - 1); /* R10.3 */
    lw_touch(b->watch, LW_S_BUFFER_CONTROL, 0);
}

void lw_buffer_pick(lw_buffer *b, uint32_t slot) {
    set(&b->picked, slot);
    refresh_eligible(b, slot);
    b->candidate_valid = true;
    b->candidate_slot = slot;
    lw_touch(b->watch, LW_S_BUFFER, slot);
    lw_touch(b->watch, LW_S_BUFFER_CONTROL, 0);
}

void lw_buffer_take(lw_buffer *b) {
    b->candidate_valid = false;
    lw_touch(b->watch, LW_S_BUFFER_CONTROL, 0);
}

void lw_buffer_give_back(lw_buffer *b, uint32_t slot) {
    clear(&b->picked, slot);
    refresh_eligible(b, slot);
    lw_touch(b->watch, LW_S_BUFFER, slot);
}

void lw_buffer_check_new(lw_buffer *b, uint32_t cl) {
    const uint32_t slot = b->new_slot;
    if (!lw_slots_has(&b->valid, slot)) {
        return; /* only after a flip */
    }
    set_cl(b, slot, cl);
    refresh_eligible(b, slot);
    lw_touch(b->watch, LW_S_BUFFER, slot);
}

/* The slots that the key's neighbourhood at `level` may hold (the hash decides: each hit is to be
 * verified), are not DONE, whose access PERM grants and whose PL is 0 or above the level. */
static bool reachable(const lw_buffer *b, uint64_t key, uint32_t level, uint32_t perm,
                      lw_slots *out) {
    const lw_slots *near = bucket(b, key, level);
    const uint64_t no_write = (perm & 1) == 0 ? UINT64_MAX : 0;
    const uint64_t no_execute = (perm & 2) == 0 ? UINT64_MAX : 0;
    uint64_t any = 0;
    for (uint32_t w = 0; w < b->words; w++) {
        uint64_t m = near->w[w] & ~b->done.w[w];
        if (m != 0) {
            uint64_t open = b->at_pl[0].w[w];
            for (uint32_t l = level + 1; l < 8; l++) {
                open |= b->at_pl[l].w[w];
            }
            m &= open & ~(b->writes.w[w] & no_write) & ~(b->executes.w[w] & no_execute);
        }
        out->w[w] = m;
        any |= m;
    }
    return any != 0;
}

static bool is_neighbour(const lw_buffer *b, uint32_t slot, uint64_t key, uint32_t level) {
    return (b->entry[slot].key ^ key) >> lw_neighbour_shift(level) == 0;
}

/* R4.5 */
void lw_buffer_claim(lw_buffer *b, uint64_t key, uint32_t level, uint32_t perm) {
    lw_slots open;
    if (!reachable(b, key, level, perm, &open)) {
        return;
    }
    for (uint32_t w = 0; w < b->words; w++) {
        uint64_t unclaimed = b->at_cl[0].w[w];
        for (uint32_t c = level + 1; c < 8; c++) {
            unclaimed |= b->at_cl[c].w[w];
        }
        for (uint64_t m = open.w[w] & unclaimed; m != 0; m &= m - 1) {
            const uint32_t slot = w * 64 + (uint32_t)__builtin_ctzll(m);
            if (is_neighbour(b, slot, key, level)) {
                set_cl(b, slot, level);
                refresh_eligible(b, slot);
                lw_touch(b->watch, LW_S_BUFFER, slot);
            }
        }
    }
}

/* R4.6 */
void lw_buffer_release(lw_buffer *b, uint64_t key, uint32_t level) {
    const lw_slots *near = bucket(b, key, level);
    for (uint32_t w = 0; w < b->words; w++) {
        for (uint64_t m = b->at_cl[level].w[w] & near->w[w]; m != 0; m &= m - 1) {
            const uint32_t slot = w * 64 + (uint32_t)__builtin_ctzll(m);
            if (is_neighbour(b, slot, key, level)) {
                set_cl(b, slot, 0);
                refresh_eligible(b, slot);
                lw_touch(b->watch, LW_S_BUFFER, slot);
            }
        }
    }
}

/* R9.5 (a fault), R9.6 (a leaf), R9.7 (a node): one entry learns from its own PTE. */
static void learn(lw_buffer *b, uint32_t slot, uint32_t level, const lw_verdict *v,
                  lw_counters *counters) {
    lw_entry *e = &b->entry[slot];
    e->pa = v->frame; /* all three are zero with a fault */
    e->size = v->size;
    e->perm = v->perm;
    if (v->node) {
        set_pl(b, slot, level);
        if (e->cl >= level) {
            set_cl(b, slot, 0);
        }
        lw_count(counters, LW_C_COALESCED_LEVELS, 1);
    } else {
        set(&b->done, slot);
        b->answers++;
        e->kind = v->kind;
        e->level = (uint8_t)(v->kind != LW_OK ? level : 0);
        set_cl(b, slot, 0);
        lw_count(counters, LW_C_COALESCED_ANSWERS, 1);
    }
    refresh_eligible(b, slot);
    lw_touch(b->watch, LW_S_BUFFER, slot);
}

/* R9.4 */
void lw_buffer_scan(lw_buffer *b, uint64_t key, uint32_t level, uint32_t perm,
                    const uint64_t line[8], lw_counters *counters) {
    lw_slots open;
    if (!reachable(b, key, level, perm, &open)) {
        return;
    }
    for (uint32_t w = 0; w < b->words; w++) {
        for (uint64_t m = open.w[w]; m != 0; m &= m - 1) {
            const uint32_t slot = w * 64 + (uint32_t)__builtin_ctzll(m);
            if (is_neighbour(b, slot, key, level)) {
                const lw_entry *e = &b->entry[slot];
                const lw_verdict v = lw_judge(b->cfg, line[lw_index(e->key, level) & 7], level,
                                              lw_key_vpn(e->key), e->access, perm);
                learn(b, slot, level, &v, counters);
            }
        }
    }
}

/* R12.7 */
bool lw_buffer_has_neighbour(const lw_buffer *b, uint64_t key) {
    const lw_slots *near = bucket(b, key, 1);
    for (uint32_t w = 0; w < b->words; w++) {
        for (uint64_t m = near->w[w] & ~b->done.w[w]; m != 0; m &= m - 1) {
            if (is_neighbour(b, w * 64 + (uint32_t)__builtin_ctzll(m), key, 1)) {
                return true;
            }
        }
    }
    return false;
}

/* R11.2: an entry with an answer keeps it and becomes STALE, another forgets what it has learnt. */
void lw_buffer_mark(lw_buffer *b, const uint64_t meets[4]) {
    const uint32_t candidate = lw_key_pasid(b->entry[b->candidate_slot].key);
    if (b->candidate_valid && (meets[candidate / 64 & 3] >> (candidate % 64) & 1) != 0) {
        b->candidate_valid = false;
        lw_touch(b->watch, LW_S_BUFFER_CONTROL, 0);
    }
    for (uint32_t w = 0; w < b->words; w++) {
        for (uint64_t m = b->valid.w[w]; m != 0; m &= m - 1) {
            const uint32_t slot = w * 64 + (uint32_t)__builtin_ctzll(m);
            lw_entry *e = &b->entry[slot];
            const uint32_t pasid = lw_key_pasid(e->key);
            if ((meets[pasid / 64] >> (pasid % 64) & 1) == 0) {
                continue;
            }
            clear(&b->picked, slot);
            if (lw_slots_has(&b->done, slot)) {
                set(&b->stale, slot);
            } else {
                set_cl(b, slot, 0);
                set_pl(b, slot, 0);
                e->pa = 0;
                e->perm = 0;
            }
            refresh_eligible(b, slot);
            lw_touch(b->watch, LW_S_BUFFER, slot);
        }
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
            clear(&b->picked, slot);
            clear(&b->done, slot);
            clear(&b->stale, slot);
            continue;
        }
        b->entries++;
        b->answers += lw_slots_has(&b->done, slot);
        b->slot_of_seq[b->entry[slot].seq] = (uint8_t)slot;
        index_entry(b, slot, true);
        if (!(b->new_valid && b->new_slot == slot)) {
            refresh_eligible(b, slot);
        }
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
    default:
        return LW_CELL(e->size, 2, valid);
    }
}

lw_cell lw_buffer_cell(lw_buffer *b, lw_field field, uint32_t index) {
    const lw_config *cfg = b->cfg;
    const uint32_t slot_w = cfg->block_shift;
    switch (field) {
    case LW_F_BUFFER_CONTROL_NEXT_SEQ:
        return LW_CELL(b->next_seq, slot_w + 2, true);
    case LW_F_BUFFER_CONTROL_ANSWER_POINTER:
        return LW_CELL(b->answer_pointer, slot_w, true);
    case LW_F_BUFFER_CONTROL_CANDIDATE_VALID:
        return LW_CELL(b->candidate_valid, 1, true);
    case LW_F_BUFFER_CONTROL_CANDIDATE_SLOT:
        return LW_CELL(b->candidate_slot, slot_w, true);
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
    case LW_F_BLOCK_BLOCK_LIVE:
        return LW_CELL(b->block_live[index & 3], slot_w + 1, true);
    default:
        return entry_cell(b, field, index);
    }
}
