/* The IOMMU buffer's answers (R10.1 to R10.3): batches of entries that are DONE, the one that is
 * ready to be chosen, and the reading register. */
#include "c_model/buffer/buffer_parts.h"

static int32_t lowest_of_batch(const lw_buffer *b) {
    for (uint32_t w = 0; w < b->words; w++) {
        if (b->batch.w[w] != 0) {
            return (int32_t)(w * 64 + (uint32_t)__builtin_ctzll(b->batch.w[w]));
        }
    }
    return LW_NONE;
}

static void load_batch(lw_buffer *b) {
    for (uint32_t w = 0; w < b->words; w++) {
        b->batch.w[w] = b->done.w[w] & ~b->picked.w[w];
    }
    if (b->ready) {
        lw_slots_clear(&b->batch, b->ready_slot);
    }
    for (uint32_t w = 0; w < b->words && b->watch->written != NULL; w++) {
        for (uint64_t m = b->batch.w[w]; m != 0; m &= m - 1) {
            lw_touch(b->watch, LW_S_BUFFER, w * 64 + (uint32_t)__builtin_ctzll(m));
        }
    }
}

static void load_ready(lw_buffer *b, int32_t lowest) {
    b->ready = lowest != LW_NONE;
    if (b->ready) {
        b->ready_slot = (uint32_t)lowest;
        lw_slots_clear(&b->batch, b->ready_slot);
        lw_touch(b->watch, LW_S_BUFFER, b->ready_slot);
    }
}

void lw_buffer_result(const lw_buffer *b, lw_result *out) {
    out->valid = b->reading;
    if (!b->reading) {
        return;
    }
    const lw_buffer_entry *e = &b->entry[b->reading_slot];
    const lw_learnt learnt =
        lw_line_store_read(&b->store, b->reading_line, b->reading_position, e->key, true);
    *out = (lw_result){.key = e->key,
                       .base = learnt.pa,
                       .id = e->id,
                       .src = e->src,
                       .contig = learnt.contig,
                       .access = e->access,
                       .kind = LW_OK, /* R9.5 */
                       .level = learnt.links,
                       .size = learnt.size,
                       .perm = learnt.perm,
                       .valid = true,
                       .stale = lw_slots_has(&b->stale, b->reading_slot)};
}

void lw_buffer_answer(lw_buffer *b, bool chosen, bool epoch) {
    if (b->answers == 0 && !b->ready && !b->reading) {
        return;
    }
    const int32_t lowest = lowest_of_batch(b);
    if (lowest == LW_NONE) {
        load_batch(b);
    }
    b->reading = chosen;
    if (chosen) {
        b->reading_slot = b->ready_slot;
        b->reading_line = b->entry[b->ready_slot].line;
        b->reading_position = b->entry[b->ready_slot].position;
        b->reading_epoch = epoch;
        lw_buffer_free(b, b->ready_slot);
    }
    if (chosen || !b->ready) {
        load_ready(b, lowest);
    }
    lw_touch(b->watch, LW_S_BUFFER_CONTROL, 0);
}
