/* The one pseudo-random source of the model: xoshiro256**, seeded through splitmix64 (Blackman and
 * Vigna, public domain algorithm). Integer arithmetic only, so a seed gives the same stream on
 * every machine. Each user owns its generator; nothing is shared. */
#ifndef LW_COMMON_RNG_H
#define LW_COMMON_RNG_H

#include <stdint.h>

typedef struct lw_rng {
    uint64_t s[4];
} lw_rng;

static inline uint64_t lw_rng_splitmix(uint64_t *x) {
    uint64_t z = (*x += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline void lw_rng_seed(lw_rng *r, uint64_t seed) {
    for (int i = 0; i < 4; i++) {
        r->s[i] = lw_rng_splitmix(&seed);
    }
}

static inline uint64_t lw_rng_rotl(uint64_t x, int k) {
    return (x << k) | (x >> (64 - k));
}

static inline uint64_t lw_rng_next(lw_rng *r) {
    uint64_t *s = r->s;
    uint64_t result = lw_rng_rotl(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = lw_rng_rotl(s[3], 45);
    return result;
}

/* A number in 0..bound-1 (bound 1..2^32; the bias of the 64-bit multiply is below 2^-32). */
static inline uint64_t lw_rng_below(lw_rng *r, uint64_t bound) {
    return ((lw_rng_next(r) >> 32) * bound) >> 32;
}

/* True with probability percent/100 (0: never, 100: always). */
static inline int lw_rng_percent(lw_rng *r, unsigned percent) {
    return lw_rng_below(r, 100) < percent;
}

#endif
