/* The compute units: issue, lane coalescer, the way to their L1 TLBs and to the L1 data cache.
 *
 * Issue: one wave memory instruction a cycle and CU (wave_slots.h says which), once the CU's
 * coalescer has no page left of the instruction before. Then its pages probe the L1 TLB
 * (l1_tlb.h), in lane order. With ideal translation all pages of an instruction have their frames
 * in the cycle of its issue.
 *
 * Without a data path a page with its frame is answered. With one its lines go to the CU's L1 data
 * cache, `l1d_lookups` a cycle, page after page in the order in which they got their frames, and
 * each line is answered (data_path.h); a page that faults has none. */
#ifndef LW_SIM_GPU_COMPUTE_UNIT_H
#define LW_SIM_GPU_COMPUTE_UNIT_H

#include "sim/gpu/gpu.h"
#include "sim/gpu/l1_tlb.h"

typedef struct lw_compute_units lw_compute_units;

typedef struct lw_compute_params {
    const lw_gpu_params *gpu;
    lw_workload *const *workloads; /* CU c works for workload c mod n, in address space c mod n */
    uint32_t workload_count;
    void (*group_done)(void *ctx, uint32_t cu);
    void *ctx;
} lw_compute_params;

lw_compute_units *lw_compute_units_new(const lw_compute_params *params);
void lw_compute_units_free(lw_compute_units *u);
/* L1 misses that can be in flight at once. */
uint32_t lw_compute_units_misses(const lw_gpu_params *params);

lw_l1_tlbs *lw_compute_units_l1(const lw_compute_units *u);
/* NULL where data takes no time. */
lw_data_path *lw_compute_units_data(const lw_compute_units *u);

/* Whether CU `cu` has slots for a group of so many waves; starting one. */
bool lw_compute_units_fits(const lw_compute_units *u, uint32_t cu, uint32_t waves);
void lw_compute_units_start(lw_compute_units *u, uint32_t cu, uint32_t group, uint32_t waves,
                            uint64_t now);

/* The present cycle, before answers that come outside the tick. */
void lw_compute_units_at(lw_compute_units *u, uint64_t now);
/* The end of cycle `now`; with `hold` no instruction issues. */
void lw_compute_units_tick(lw_compute_units *u, uint64_t now, bool hold);
uint64_t lw_compute_units_next_event(const lw_compute_units *u, uint64_t now, bool hold);
/* lw_wave_slots_done */
uint64_t lw_compute_units_done(const lw_compute_units *u);
/* Waves that are there. */
uint64_t lw_compute_units_pending(const lw_compute_units *u);
bool lw_compute_units_failed(const lw_compute_units *u, lw_error *err);
void lw_compute_units_statistics(const lw_compute_units *u, lw_front_statistics *statistics);

#endif
