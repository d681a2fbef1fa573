/* The L1 TLBs of the CUs, and their misses, which wait for the L2 TLB.
 *
 * A page enters its CU's pipeline, `probes` of them a cycle, and is decided `latency` cycles later
 * (0: at once), in order and no more of them a cycle. A hit answers. A page that the CU waits for
 * already, in the same address space and by the same kind of access, joins that miss; any other
 * miss takes one of the CU's MSHRs and asks the L2 TLB. Where none is free it waits, and with it
 * those behind it, in the pipeline and in front of it. */
#ifndef LW_SIM_GPU_L1_TLB_H
#define LW_SIM_GPU_L1_TLB_H

#include "sim/gpu/l2_tlb.h"

typedef struct lw_l1_tlbs lw_l1_tlbs;

typedef struct lw_l1_params {
    uint32_t cus, entries, probes, latency;
    uint32_t mshrs; /* of a CU; 0: no bound */
    uint32_t pages; /* in the pipelines and in misses at most, of all CUs */
    /* A page is answered: `reach` is NULL for a fault; `asked`: it waited for the unit. */
    void (*answer)(void *ctx, uint32_t page, const lw_gpu_reach *reach, bool asked);
    void (*asks)(void *ctx, uint32_t page); /* it waits for the unit from now on */
    void *ctx;
    const lw_front_judge *judge; /* of each hit */
} lw_l1_params;

lw_l1_tlbs *lw_l1_tlbs_new(const lw_l1_params *params);
void lw_l1_tlbs_free(lw_l1_tlbs *t);
/* Where misses go, since each needs the other. */
void lw_l1_tlbs_connect(lw_l1_tlbs *t, lw_l2_tlb *l2);

/* Whether the CU can probe one more page in this cycle. */
bool lw_l1_tlbs_takes(const lw_l1_tlbs *t, uint32_t cu, uint64_t now);
/* `page` (below params.pages) is what `answer` gets back; once at a time. */
void lw_l1_tlbs_probe(lw_l1_tlbs *t, uint64_t now, uint32_t page, const lw_l2_request *request);
/* lw_l2_params.answer and lw_l2_params.asks */
void lw_l1_tlbs_answer(void *tlbs, uint32_t l1_miss, const lw_gpu_reach *reach);
void lw_l1_tlbs_asks(void *tlbs, uint32_t l1_miss);
/* Decides what is due in cycle `now`, before its probes. */
void lw_l1_tlbs_tick(lw_l1_tlbs *t, uint64_t now);
uint64_t lw_l1_tlbs_next_event(const lw_l1_tlbs *t, uint64_t now);
void lw_l1_tlbs_shootdown(lw_l1_tlbs *t, const lw_gpu_shootdown *shootdown);
/* Their own part of them. */
void lw_l1_tlbs_statistics(const lw_l1_tlbs *t, lw_front_statistics *statistics);

#endif
