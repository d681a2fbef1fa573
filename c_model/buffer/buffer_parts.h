/* What the IOMMU buffer's files share: its bitmaps, and the two fields that they are derived from.
 */
#ifndef LW_C_MODEL_BUFFER_BUFFER_PARTS_H
#define LW_C_MODEL_BUFFER_BUFFER_PARTS_H

#include "c_model/buffer/iommu_buffer.h"

static inline void lw_slots_set(lw_slots *m, uint32_t slot) {
    m->w[slot / 64] |= UINT64_C(1) << (slot % 64);
}

static inline void lw_slots_clear(lw_slots *m, uint32_t slot) {
    m->w[slot / 64] &= ~(UINT64_C(1) << (slot % 64));
}

static inline void lw_slots_put(lw_slots *m, uint32_t slot, bool value) {
    if (value) {
        lw_slots_set(m, slot);
    } else {
        lw_slots_clear(m, slot);
    }
}

/* The bucket of a key's neighbourhood of this kind (lw_near). */
static inline lw_slots *lw_buffer_bucket(const lw_buffer *b, uint64_t key, uint32_t near) {
    const uint64_t hash = (key >> lw_near_shift(near)) * UINT64_C(0x9e3779b97f4a7c15);
    const uint32_t kind = near >= LW_NEAR_SUBREGION ? near - LW_NEAR_SUBREGION + LW_LEVELS_MAX
                                                    : (near - 1) % LW_LEVELS_MAX;
    return (lw_slots *)&b->bucket[kind][hash >> (64 - LW_BUCKET_BITS)];
}

/* R5.8, R10.3: an entry is valid no more. */
void lw_buffer_free(lw_buffer *b, uint32_t slot);

/* R5.1, after every change of what it asks for. */
static inline void lw_buffer_refresh(lw_buffer *b, uint32_t slot) {
    const lw_buffer_entry *e = &b->entry[slot];
    const bool eligible = lw_slots_has(&b->valid, slot) && !lw_slots_has(&b->picked, slot) &&
                          !lw_slots_has(&b->done, slot) && e->cl == 0;
    const uint32_t word = slot / 64;
    lw_slots_put(&b->eligible, slot, eligible);
    b->eligible_words &= ~(UINT32_C(1) << word);
    b->eligible_words |= (uint32_t)(b->eligible.w[word] != 0) << word;
}

/* What a valid entry waits for that no walker has been given. */
static inline lw_stage lw_buffer_stage(const lw_buffer *b, uint32_t slot) {
    if (lw_slots_has(&b->done, slot)) {
        return LW_STAGE_TOLD;
    }
    return b->entry[slot].cl != 0 ? LW_STAGE_LINE : LW_STAGE_WALKER;
}

/* From now on it waits for this, unless it is PICKED: the walker that it has been given to decides
 * first. */
static inline void lw_buffer_waits(const lw_buffer *b, uint32_t slot, lw_stage stage) {
    if (b->watch->moves != NULL && !lw_slots_has(&b->picked, slot)) {
        lw_move(b->watch, b->entry[slot].id, stage);
    }
}

static inline void lw_buffer_set_cl(lw_buffer *b, uint32_t slot, uint32_t cl) {
    lw_buffer_entry *e = &b->entry[slot];
    lw_slots_clear(&b->at_cl[e->cl], slot);
    lw_slots_set(&b->at_cl[cl], slot);
    e->cl = (uint8_t)cl;
}

static inline void lw_buffer_set_pl(lw_buffer *b, uint32_t slot, uint32_t pl) {
    lw_buffer_entry *e = &b->entry[slot];
    lw_slots_clear(&b->at_pl[e->pl], slot);
    lw_slots_set(&b->at_pl[pl], slot);
    e->pl = (uint8_t)pl;
}

/* Whether a valid entry names its LINE. */
static inline void lw_buffer_refresh_name(lw_buffer *b, uint32_t slot) {
    const lw_buffer_entry *e = &b->entry[slot];
    lw_slots_put(&b->store.named[e->line], slot,
                 lw_slots_has(&b->valid, slot) && (e->pl != 0 || lw_slots_has(&b->done, slot)));
}

#endif
