/* The oldest of a set of entries (R5.2): slots are given in turn, so it is the first of them that
 * is found when going round from TAIL (R4.11), some dozens at a time. */
#ifndef LW_C_MODEL_BUFFER_OLDEST_FIRST_H
#define LW_C_MODEL_BUFFER_OLDEST_FIRST_H

#include "c_model/base/config.h"

#include <stdint.h>

/* A set of slots, a bit each; bits from BUFFER_ENTRIES on are zero. */
typedef struct lw_slots {
    uint64_t w[LW_SLOT_WORDS];
} lw_slots;

/* The first of the set, rotating from `tail` (R0.4); LW_NONE of none. Bit w of `words` says whether
 * word w of the set is not zero. */
static inline int32_t lw_oldest_first(const lw_slots *set, uint32_t words, uint32_t tail) {
    if (words == 0) {
        return LW_NONE;
    }
    const uint32_t at = tail / 64;
    const uint64_t from = set->w[at] & UINT64_MAX << (tail % 64);
    if (from != 0) {
        return (int32_t)(at * 64 + (uint32_t)__builtin_ctzll(from));
    }
    const uint32_t above = words & (UINT32_MAX << at << 1);
    const uint32_t w = (uint32_t)__builtin_ctz(above != 0 ? above : words);
    return (int32_t)(w * 64 + (uint32_t)__builtin_ctzll(set->w[w]));
}

#endif
