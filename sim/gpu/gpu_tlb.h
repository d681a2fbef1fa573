/* A TLB of the GPU: set associative (one set: fully associative), true LRU. An entry covers 2^span
 * pages, aligned: span 0, 9, 18 or 4 for pages of 4 KiB, 2 MiB, 1 GiB, 64 KiB; or, where the unit's
 * answer had LINKS (CoLT, R1.14), the run of the page: up to four neighbours of one aligned group.
 * One that does not grant the access counts as a miss. An entry keeps the frame that it was given.
 * PASIDs are below 4096. */
#ifndef LW_SIM_GPU_GPU_TLB_H
#define LW_SIM_GPU_GPU_TLB_H

#include <stdbool.h>
#include <stdint.h>

/* The span of a page of a response's SIZE (R1.7, R20.5), and back. */
static inline uint32_t lw_gpu_span_of(uint32_t size) {
    static const uint8_t spans[] = {0, 9, 18, 4};
    return spans[size];
}
static inline uint32_t lw_gpu_size_of(uint32_t span) {
    return span == 4 ? 3 : span / 9;
}

typedef struct lw_gpu_tlb lw_gpu_tlb;

/* `sets` is a power of two. NULL where there is no memory. */
lw_gpu_tlb *lw_gpu_tlb_new(uint32_t sets, uint32_t ways);
void lw_gpu_tlb_free(lw_gpu_tlb *t);
/* What a page's answer says of it and its neighbours. */
typedef struct lw_gpu_reach {
    uint32_t span;  /* 0, 4, 9 or 18 */
    uint32_t links; /* R1.14; zero unless span is 0 */
    uint32_t perm;  /* R1.5 */
    uint64_t pfn; /* of the page; a run's may be past the last frame and then begin again (R1.16) */
} lw_gpu_reach;

/* The places in its group, first to last, that the links of a page's answer join to it (R1.15). */
typedef struct lw_gpu_run {
    uint32_t first, last;
} lw_gpu_run;
lw_gpu_run lw_gpu_run_of(uint64_t page, uint32_t links);

/* `page` is VA[63:12]. A hit touches and gives the entry's perm and span and the page's frame; it
 * gives no links, since the TLB before this one then takes the page alone. Of several entries that
 * hold the page - it alone, a run, larger pages - the smallest that grants the access answers. */
bool lw_gpu_tlb_lookup(lw_gpu_tlb *t, uint32_t pasid, uint64_t page, uint32_t access,
                       lw_gpu_reach *reach);
/* A run takes the place of the entries whose pages it covers; where one covers all of the run with
 * the same perm, that is touched instead. */
void lw_gpu_tlb_fill(lw_gpu_tlb *t, uint32_t pasid, uint64_t page, const lw_gpu_reach *reach);
/* What an invalidation covers, as on the unit's port (R3.11): a page, pages first..last, one
 * address space, all. */
typedef struct lw_gpu_shootdown {
    uint32_t type, pasid;
    uint64_t first, last;
} lw_gpu_shootdown;
/* Drops the entries that cover a page of these; a run or a large page goes as a whole. */
void lw_gpu_tlb_shootdown(lw_gpu_tlb *t, const lw_gpu_shootdown *shootdown);

#endif
