/* Bit sets over uint64_t words. */
#ifndef LW_COMMON_BITS_H
#define LW_COMMON_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* `bits` cleared bits (free), NULL without memory. */
static inline uint64_t *lw_bits_new(uint64_t bits) {
    return calloc(bits / 64 + 1, sizeof(uint64_t));
}

static inline bool lw_bits_get(const uint64_t *set, uint64_t i) {
    return (set[i / 64] >> (i % 64)) & 1;
}

static inline void lw_bits_set(uint64_t *set, uint64_t i) {
    set[i / 64] |= UINT64_C(1) << (i % 64);
}

static inline void lw_bits_clear(uint64_t *set, uint64_t i) {
    set[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

/* The bits of word `i / 64` that lie in i .. i + count - 1. */
static inline uint64_t lw_bits_part(uint64_t i, uint64_t count) {
    const uint64_t room = 64 - i % 64;
    return (count < room ? (UINT64_C(1) << count) - 1 : ~UINT64_C(0)) << (i % 64);
}

/* Whether any of the bits i .. i + count - 1 is set. */
static inline bool lw_bits_any(const uint64_t *set, uint64_t i, uint64_t count) {
    for (const uint64_t end = i + count; i < end; i += 64 - i % 64) {
        if ((set[i / 64] & lw_bits_part(i, end - i)) != 0) {
            return true;
        }
    }
    return false;
}

/* Sets the bits i .. i + count - 1. */
static inline void lw_bits_set_run(uint64_t *set, uint64_t i, uint64_t count) {
    for (const uint64_t end = i + count; i < end; i += 64 - i % 64) {
        set[i / 64] |= lw_bits_part(i, end - i);
    }
}

#endif
