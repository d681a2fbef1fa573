/* True LRU of up to 16 ways (R3.4): a rank per way, 4 bits each, way 0 lowest, in one word.
 * Rank 0 is the most recently used; the ranks of a set are a permutation. */
#ifndef LW_C_MODEL_BASE_RANKS_H
#define LW_C_MODEL_BASE_RANKS_H

#include <stdint.h>

#define LW_RANKS_RESET UINT64_C(0xfedcba9876543210) /* way i has rank i */

static inline uint32_t lw_rank(uint64_t ranks, uint32_t way) {
    return (uint32_t)(ranks >> (4 * way)) & 15;
}

/* Touching a way: the ranks below its own go up by one, its own becomes zero. The nibbles are
 * compared eight at a time, each in a byte whose top bit catches the borrow. */
static inline uint64_t lw_rank_touch(uint64_t ranks, uint32_t way) {
    const uint64_t ones = UINT64_C(0x0101010101010101), low = ones * 15, top = ones << 7;
    uint64_t own = ones * lw_rank(ranks, way);
    uint64_t even = ranks & low, odd = (ranks >> 4) & low;
    even += (~((even | top) - own) & top) >> 7;
    odd += (~((odd | top) - own) & top) >> 7;
    return (even | odd << 4) & ~(UINT64_C(15) << (4 * way));
}

/* The way with the highest rank. In a permutation that is rank ways-1; the search goes on below
 * only where a flip has broken the permutation. */
static inline uint32_t lw_rank_highest(uint64_t ranks, uint32_t ways) {
    const uint64_t ones = UINT64_C(0x1111111111111111);
    for (uint32_t rank = ways - 1; rank > 0; rank--) {
        uint64_t other = ranks ^ ones * rank;
        uint64_t equal = (other - ones) & ~other & ones << 3; /* its lowest bit is exact */
        if (equal != 0 && (uint32_t)__builtin_ctzll(equal) / 4 < ways) {
            return (uint32_t)__builtin_ctzll(equal) / 4;
        }
    }
    return 0;
}

#endif
