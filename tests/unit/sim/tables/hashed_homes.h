/* For the tests of where the driver of a hashed page table puts regions: regions by their homes. */
#ifndef LW_TESTS_UNIT_SIM_TABLES_HASHED_HOMES_H
#define LW_TESTS_UNIT_SIM_TABLES_HASHED_HOMES_H

#include "tests/unit/sim/tables/hashed_bench.h"

/* Maps one page of the n-th region whose home is `home`, to a frame of its own; the region. */
static inline uint64_t put(bench *b, uint32_t home, uint32_t n, uint32_t flags) {
    const uint64_t region = region_at(b, 0, home, n);
    map(b, 0, region * REGION + n, 0x1000 + home * 16 + n, flags);
    return region;
}

static inline bool right(const bench *b, uint64_t region, uint32_t n) {
    return agree(b, 0, region * REGION + n) && plain_walk(b, 0, region * REGION + n).kind == 0;
}

static inline lw_hashed_counts counts(const bench *b) {
    return lw_hashed_table_counts(b->table);
}

#endif
