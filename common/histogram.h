/* How often which numbers came up, in cells of a fixed relative width, as HdrHistogram has them:
 * below 2 x LW_HISTOGRAM_PARTS each number has a cell of its own, above it each power of two has
 * LW_HISTOGRAM_PARTS cells. So a quantile is right to one part in LW_HISTOGRAM_PARTS, 3.1 %. Sum
 * and maximum are the caller's to keep, who may have those of several beside each other. Nothing is
 * allocated. */
#ifndef LW_COMMON_HISTOGRAM_H
#define LW_COMMON_HISTOGRAM_H

#include <stdint.h>

enum {
    LW_HISTOGRAM_BITS = 5,
    LW_HISTOGRAM_PARTS = 1 << LW_HISTOGRAM_BITS,
    LW_HISTOGRAM_WIDTH = 32, /* bits of the largest number that has a cell of its own kind */
    LW_HISTOGRAM_CELLS = (LW_HISTOGRAM_WIDTH - LW_HISTOGRAM_BITS + 1) * LW_HISTOGRAM_PARTS
};

typedef struct lw_histogram {
    uint64_t cell[LW_HISTOGRAM_CELLS];
} lw_histogram;

/* The cell of a number; larger ones than LW_HISTOGRAM_WIDTH bits lie in the last. */
static inline uint32_t lw_histogram_cell(uint64_t value) {
    const uint32_t octave =
        63u - LW_HISTOGRAM_BITS - (uint32_t)__builtin_clzll(value | LW_HISTOGRAM_PARTS);
    const uint32_t cell = octave * LW_HISTOGRAM_PARTS + (uint32_t)(value >> octave);
    return cell < LW_HISTOGRAM_CELLS ? cell : LW_HISTOGRAM_CELLS - 1;
}

/* The number has come up so many times more. */
static inline void lw_histogram_add(lw_histogram *h, uint64_t value, uint64_t times) {
    h->cell[lw_histogram_cell(value)] += times;
}

uint64_t lw_histogram_count(const lw_histogram *h);

/* What `other` has counted too. */
void lw_histogram_merge(lw_histogram *h, const lw_histogram *other);

/* The smallest number that at least `percent` of all do not pass, rounded up to the end of its
 * cell, but to no more than the largest, which is `most`, and `most` of none. */
uint64_t lw_histogram_quantile(const lw_histogram *h, uint32_t percent, uint64_t most);

/* How many numbers are 0 (power 0), or have so many bits: 2^(power - 1) up to 2^power - 1. */
uint64_t lw_histogram_power(const lw_histogram *h, uint32_t power);

#endif
