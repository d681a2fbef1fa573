/* The IOMMU buffer's answers (R10.1 to R10.3): batches of entries that are DONE, the choice of one,
 * and the reading register. */
#include "buffer_parts.h"

bool lw_buffer_batches(const lw_buffer *b) {
    if (b->answers == 0) {
        return false;
    }
    uint64_t any = 0;
    for (uint32_t w = 0; w < b->words; w++) {
        any |= b->batch.w[w];
    }
    return any == 0;
}

void lw_buffer_load_batch(lw_buffer *b) {
    for (uint32_t w = 0; w < b->words; w++) {
        b->batch.w[w] = b->done.w[w] & ~b->picked.w[w];
        for (uint64_t m = b->batch.w[w]; m != 0 && b->watch->written != NULL; m &= m - 1) {
            lw_touch(b->watch, LW_S_BUFFER, w * 64 + (uint32_t)__builtin_ctzll(m));
        }
    }
}

int32_t lw_buffer_next_answer(const lw_buffer *b) {
    for (uint32_t w = 0; w < b->words && b->answers != 0; w++) {
        if (b->batch.w[w] != 0) {
            return (int32_t)(w * 64 + (uint32_t)__builtin_ctzll(b->batch.w[w]));
        }
    }
    return LW_NONE;
}

void lw_buffer_choose(lw_buffer *b, int32_t slot, bool epoch) {
    if (slot != LW_NONE) {
        lw_buffer_free(b, (uint32_t)slot);
        b->reading = true;
        b->reading_slot = (uint32_t)slot;
        b->reading_epoch = epoch;
    } else if (b->reading) {
        b->reading = false;
    } else {
        return;
    }
    lw_touch(b->watch, LW_S_BUFFER_CONTROL, 0);
}
