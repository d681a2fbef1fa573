/* A request that is offered until it is taken, and invalidations, for what is seen at the ports. */
#ifndef LW_TESTS_UNIT_C_MODEL_PORTS_BENCH_H
#define LW_TESTS_UNIT_C_MODEL_PORTS_BENCH_H

#include "tests/unit/c_model/iommu_bench.h"

enum { PASID = 3, OTHER = 5, MODE_FULL = 2, PAGE = 0x12345 };
enum { TYPE_PAGE = 0, TYPE_PASID = 2, TYPE_ALL = 3 };

static inline void offer(bench *b, uint32_t pasid, uint64_t page) {
    bench_offer(b, &(bench_page){pasid, 0, page});
    while (b->in.req_valid) {
        bench_step(b);
    }
}

static inline void begin_invalidation(bench *b, uint32_t type, uint32_t pasid) {
    b->in.inv_valid = true;
    b->in.inv_type = type;
    b->in.inv_pasid = pasid;
    bench_step(b);
}

static inline void invalidate(bench *b, uint32_t type, uint32_t pasid) {
    begin_invalidation(b, type, pasid);
    for (int n = 0; !b->out.inv_done; n++) {
        assert_true(n < 10000);
        bench_step(b);
    }
}

#endif
