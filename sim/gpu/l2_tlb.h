/* The shared L2 TLB with its MSHRs, in front of the unit's request port.
 *
 * A miss of an L1 TLB enters the queue; `lookups` of them a cycle are looked up and decided
 * `latency` cycles later, in order. A hit answers at once; a miss joins the MSHR of its key or
 * takes a free one and asks the unit; without a free MSHR it waits, and those behind it with it,
 * of which no more than `lookups` a cycle are decided afterwards. */
#ifndef LW_SIM_GPU_L2_TLB_H
#define LW_SIM_GPU_L2_TLB_H

#include "sim/gpu/front_end.h"
#include "sim/gpu/gpu_tlb.h"

typedef struct lw_l2_tlb lw_l2_tlb;

typedef struct lw_l2_params {
    uint32_t entries; /* 0: no TLB, only the way to the unit and the MSHRs where CUs meet */
    uint32_t ways, latency, lookups, mshrs;
    uint32_t misses; /* L1 misses in flight at most */
    /* An L1 miss is answered; `reach` is NULL for a fault. */
    void (*answer)(void *ctx, uint32_t l1_miss, const lw_gpu_reach *reach);
    void (*asks)(void *ctx, uint32_t l1_miss); /* it waits for the unit from now on; or NULL */
    void *ctx;
    const lw_front_judge *judge; /* of each hit */
} lw_l2_params;

/* What an L1 miss asks for. */
typedef struct lw_l2_request {
    uint64_t page;
    uint32_t pasid, access, cu;
} lw_l2_request;

lw_l2_tlb *lw_l2_tlb_new(const lw_l2_params *params);
void lw_l2_tlb_free(lw_l2_tlb *t);
/* `l1_miss` (below params.misses) is what `answer` gets back; once at a time. */
void lw_l2_tlb_ask(lw_l2_tlb *t, uint32_t l1_miss, const lw_l2_request *request);
/* The unit's port. */
bool lw_l2_tlb_offer(const lw_l2_tlb *t, lw_front_request *request);
void lw_l2_tlb_accepted(lw_l2_tlb *t);
void lw_l2_tlb_response(lw_l2_tlb *t, const lw_front_response *response);
/* The end of cycle `now`. */
void lw_l2_tlb_tick(lw_l2_tlb *t, uint64_t now);
/* `waits`: the unit does not take the offered request until then (front_end.h). */
uint64_t lw_l2_tlb_next_event(const lw_l2_tlb *t, uint64_t now, bool waits);
void lw_l2_tlb_shootdown(lw_l2_tlb *t, const lw_gpu_shootdown *shootdown);
/* Its own part of them. */
void lw_l2_tlb_statistics(const lw_l2_tlb *t, lw_front_statistics *statistics);

#endif
