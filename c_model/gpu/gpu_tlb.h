/* A TLB of the GPU: set associative (one set: fully associative), true LRU. An entry covers 2^span
 * pages, aligned: span 0, 9 or 18 for pages of 4 KiB, 2 MiB, 1 GiB. One that does not grant the
 * access counts as a miss. */
#ifndef LW_GPU_GPU_TLB_H
#define LW_GPU_GPU_TLB_H

#include <stdbool.h>
#include <stdint.h>

typedef struct lw_gpu_tlb lw_gpu_tlb;

/* `sets` is a power of two. NULL where there is no memory. */
lw_gpu_tlb *lw_gpu_tlb_new(uint32_t sets, uint32_t ways);
void lw_gpu_tlb_free(lw_gpu_tlb *t);
/* `page` is VA[63:12]; perm as in R1.5. A hit touches and gives the entry's perm and span. */
bool lw_gpu_tlb_lookup(lw_gpu_tlb *t, uint32_t pasid, uint64_t page, uint32_t access,
                       uint32_t *perm, uint32_t *span);
/* `span` is at most LW_GPU_SPAN_MAX. */
#define LW_GPU_SPAN_MAX 18
void lw_gpu_tlb_fill(lw_gpu_tlb *t, uint32_t pasid, uint64_t page, uint32_t span, uint32_t perm);
/* Drops what an invalidation may concern: everything (type 3, all) or one address space. Sizes of
 * pages are not kept here, so a page or a range drops its whole address space. */
void lw_gpu_tlb_shootdown(lw_gpu_tlb *t, uint32_t type, uint32_t pasid);

#endif
