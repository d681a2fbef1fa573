/* The GPU of NHA's Table I in front of the unit: compute units, wavefronts, lane coalescer, per-CU
 * L1 TLBs and a shared L2 TLB with MSHRs, and its data path (data_path.h). Closed loop: a wave goes
 * on when all its lanes are answered.
 *
 * The life of a translation (NHA section II): a wave instruction issues -> the lane coalescer
 * merges lanes of one page -> L1 TLB of the CU -> shared L2 TLB -> a miss becomes a request on the
 * unit's port (id = MSHR, src = CU). Facts and choices: docs/workloads.md section 6. */
#ifndef LW_SIM_GPU_GPU_H
#define LW_SIM_GPU_GPU_H

#include "sim/gpu/front_end.h"
#include "sim/workloads/workload.h"

/* Which of the waves that can issue does: the oldest; or that which has been able to for longest,
 * so that all take turns. */
typedef enum lw_schedule { LW_SCHEDULE_OLDEST, LW_SCHEDULE_ROUND_ROBIN, LW_SCHEDULES } lw_schedule;

/* The frames of ideal translation; false where a page has none. */
typedef struct lw_gpu_frames {
    bool (*of)(void *ctx, uint32_t pasid, uint64_t page, uint64_t *frame);
    void *ctx;
} lw_gpu_frames;

/* Sizes; ranges in brackets. Times in cycles of the unit's clock. */
typedef struct lw_gpu_params {
    uint32_t cus;        /* compute units [1..64] */
    uint32_t simds;      /* of a CU [1..16] */
    uint32_t waves;      /* wave slots of a SIMD [1..64] */
    uint32_t schedule;   /* lw_schedule */
    uint32_t wave_loads; /* memory instructions of a wave under way at most [0..64]; 0: no bound of
                          * its own, but all waves share places for 256 pages each */
    uint32_t issue_period; /* cycles that an instruction keeps its SIMD busy [1..64] */
    uint32_t l1_entries;   /* of a CU's L1 TLB, fully associative, LRU [1..1024] */
    uint32_t l1_probes;    /* L1 TLB probes of a CU in a cycle [1..64] */
    uint32_t l1_latency;   /* of a probe until it is known to hit or miss [0..1000] */
    uint32_t l1_mshrs;     /* outstanding misses of a CU's L1 TLB; 0: no bound [0..65536] */
    uint32_t l2_entries,
        l2_ways; /* the L2 TLB, LRU: ways x a power of two sets [0: none, 1..65536, 1..64] */
    uint32_t l2_latency;      /* [1..1000] */
    uint32_t l2_lookups;      /* in a cycle [1..64] */
    uint32_t l2_mshrs;        /* outstanding misses, at most the unit's 2^id_w [1..65536] */
    bool ideal;               /* translation takes no time: neither TLBs nor requests to the unit */
    lw_gpu_frames frames;     /* where `ideal` */
    bool has_data;            /* else data takes no time */
    lw_data_path_params data; /* where there is one: all but what the GPU itself gives */
    const lw_front_judge *judge; /* of each hit in an L1 or L2 TLB; NULL: none */
    uint64_t max_requests; /* unit requests after which the run drains and ends; 0: no limit */
} lw_gpu_params;

bool lw_gpu_params_check(const lw_gpu_params *params, lw_error *err);

/* The GPU running workloads[0..n-1], each in the address space of its number; CU c works for
 * workload c mod n. The workloads outlive the GPU and are not shared between GPUs. False and a
 * sentence where a parameter is out of range (n more than the CUs) or there is no memory. */
bool lw_gpu_new(const lw_gpu_params *params, lw_workload *const *workloads, uint32_t n,
                lw_front_end *out, lw_error *err);

/* Only for a front end made by lw_gpu_new. */
void lw_gpu_statistics(const lw_front_end *gpu, lw_front_statistics *statistics);
/* The L2 data cache as the unit's page walks see it (data_path.h), which is the GPU's own; NULL
 * where they do not read through it. Where they do: the CPU has written to the table entry at this
 * address in bytes, and the L2 drops its line. */
lw_memory *lw_gpu_walks(const lw_front_end *gpu);
void lw_gpu_table_changes(const lw_front_end *gpu, uint64_t address);
/* The kernel that runs on a CU: the launch of its process. The text is good until the next one. */
const char *lw_gpu_kernel(const lw_front_end *gpu, uint32_t cu);

#endif
