/* What stands in front of the unit: whoever sends translation requests and takes the answers.
 *
 * One interface for the GPU (gpu.h) and for plain request streams (stream_driver.h), so that the
 * same environment drives the C twin alone and the lockstep pair. Per cycle, in this order:
 *   offer     the request on the port in this cycle, if any; it must stay until it is accepted;
 *   ready     whether the front end takes a response in this cycle;
 *   accepted  called if the unit took the offered request in this cycle;
 *   response  called if the unit's response was taken in this cycle;
 *   tick      the end of the cycle: the front end's own state moves on.
 * `next_event` tells the earliest cycle after `now` in which the front end would, without a
 * response in between, offer something new or change its ready (UINT64_MAX if never): all cycles
 * before it may be skipped, tick included. `waits` says that the unit will not take the offered
 * request until then, so that offering it is no event. */
#ifndef LW_SIM_GPU_FRONT_END_H
#define LW_SIM_GPU_FRONT_END_H

#include "c_model/base/ports.h"
#include "common/error.h"
#include "sim/gpu/data_path.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lw_front_request {
    uint32_t id; /* unique among the requests in flight, below 2^id_w */
    uint32_t src;
    uint32_t pasid;
    uint64_t page; /* VA[63:12], 52 bits */
    uint32_t access;
} lw_front_request;

typedef struct lw_front_response {
    uint32_t id, kind, level, size, perm;
    uint64_t pfn;
} lw_front_response;

typedef struct lw_front_end {
    void *self;
    bool (*offer)(void *self, uint64_t now, lw_front_request *request);
    bool (*ready)(void *self, uint64_t now);
    void (*accepted)(void *self, uint64_t now);
    void (*response)(void *self, uint64_t now, const lw_front_response *response);
    void (*tick)(void *self, uint64_t now);
    uint64_t (*next_event)(const void *self, uint64_t now, bool waits);
    /* The GPU's TLBs drop what an invalidation matches (type as on the unit's port); called when
     * the unit's completion arrives. */
    void (*shootdown)(void *self, uint32_t type, uint32_t pasid, uint64_t first, uint64_t last);
    bool (*finished)(const void *self);
    /* Grows with whatever it gets done: what it issues, is given and hands on. */
    uint64_t (*done)(const void *self);
    /* The cycle that it waits for while nothing of its own is under way; 0 where it waits for none.
     */
    uint64_t (*waits_for)(const void *self);
    /* False and a sentence where the input turned out malformed. */
    bool (*failed)(const void *self, lw_error *err);
    void (*free)(void *self);
} lw_front_end;

typedef enum lw_front_tlb { LW_FRONT_L1, LW_FRONT_L2 } lw_front_tlb;

/* A hit in a TLB of the front end: what the unit is not asked any more, since it was told before.
 */
typedef struct lw_front_hit {
    lw_front_tlb tlb;
    uint32_t cu, pasid, access, size, perm;
    uint64_t page, pfn;
} lw_front_hit;

/* Who says whether each of them is right. */
typedef struct lw_front_judge {
    void (*hit)(void *ctx, const lw_front_hit *hit);
    void *ctx;
} lw_front_judge;

/* `judge` may be NULL: nobody asks. */
static inline void lw_front_judge_hit(const lw_front_judge *judge, const lw_front_hit *hit) {
    if (judge != NULL) {
        judge->hit(judge->ctx, hit);
    }
}

/* What a wave does, or waits for, in a cycle: exactly one of these (wave_slots.h). */
typedef enum lw_wave_cause {
    LW_CAUSE_ISSUE,  /* it could issue: another wave, or its SIMD, comes first */
    LW_CAUSE_ALU,    /* its arithmetic runs */
    LW_CAUSE_TLB,    /* the GPU's TLBs, and the queues in front of them */
    LW_CAUSE_UNIT,   /* the IOMMU: a request for it, queued or taken */
    LW_CAUSE_CACHE,  /* the data caches, and the ways to them */
    LW_CAUSE_MEMORY, /* main memory, for a line that the L2 data cache misses */
    LW_CAUSES
} lw_wave_cause;

typedef struct lw_wave_cycles {
    uint64_t of[LW_CAUSES]; /* their sum is `waves` */
    uint64_t waves;         /* resident waves, summed over the cycles */
} lw_wave_cycles;

/* What the front end has counted, of the parts that it has; zero of the others. */
typedef struct lw_front_statistics {
    bool has_waves, has_l1, has_l2, has_data;
    uint64_t l1_hits, l1_misses, l2_hits, l2_misses;
    uint64_t l1_fills, l2_fills; /* with translations; of an entry that was there too */
    uint64_t wave_instructions;  /* issued */
    uint64_t translations;       /* page requests of wave instructions, after the lane coalescer; or
                                    accesses of a stream, before the L1 TLBs */
    lw_data_counts data;
    lw_wave_cycles cycles; /* where there is a data path */
} lw_front_statistics;

#endif
