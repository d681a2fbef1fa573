/* For the tests of walks in hashed tables: a unit with two PASIDs that share a table, one of them
 * with a victim buffer, which has one page. */
#ifndef LW_TESTS_UNIT_C_MODEL_HASHED_PASIDS_H
#define LW_TESTS_UNIT_C_MODEL_HASHED_PASIDS_H

#include "tests/unit/c_model/hashed_bench.h"

enum { PASID = 3, OTHER = 4, TREE = 15, LEVELS = 4 };
/* WHERE of a walk (R21.2). */
enum { RADIX, VICTIM, LOOKUP, HOME, CACHED, STEPS, KNOWN };

static inline void begin_pasids(hashed *h, const lw_params *hw, uint32_t latency, uint64_t page) {
    hashed_init(h, hw, 1);
    h->b.latency = latency;
    h->of[PASID] = (hashed_table){
        .table_log = 6, .step_log = 8, .table_frame = 64, .step_frame = 32, .victim = TREE};
    h->of[OTHER] = h->of[PASID];
    h->of[OTHER].victim = 0;
    bench_map(&h->b, TREE, page, 0x777);
    hashed_tell(h, PASID);
    hashed_tell(h, OTHER);
}

#endif
