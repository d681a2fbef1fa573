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

#endif
