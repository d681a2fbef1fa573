/* The hardware parameters (chapter 13 of the contract), and what is legal. */
#ifndef LW_C_MODEL_BASE_PARAMS_H
#define LW_C_MODEL_BASE_PARAMS_H

#include "common/error.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Hardware parameters: one RTL build each. What they exclude together says chapter 13;
 * lw_params_check knows it. */
typedef struct lw_params {
    uint32_t levels;        /* of the page table: 4, 5 */
    uint32_t pa_width;      /* bits of a physical address: 32..52 */
    uint32_t pasids;        /* address spaces: a power of two in 2..256 */
    uint32_t id_w, src_w;   /* bits of a request's id and source: 1..16 */
    uint32_t tlb_entries;   /* of the unified TLB: tlb_ways times a power of two in 1..256 */
    uint32_t tlb_ways;      /* a power of two in 2..16 */
    uint32_t tlb_latency;   /* stages of a lookup before its decision (R3.1, R3.19): 1..8 */
    uint32_t tlb_partition; /* ways that are open to subregions: 0..tlb_ways */
    uint32_t tlb_bimodal;   /* one of 2^n new entries is the last to be replaced (R3.34): 0..8 */
    uint32_t hit_queue;     /* places: 1..64, as of the next two */
    uint32_t walk_queue;
    uint32_t miss_queue;
    uint32_t buffer_entries; /* of the IOMMU buffer: a power of two in 4..512 */
    uint32_t lines;          /* that the buffer keeps: a power of two in 4..64 */
    uint32_t walkers;        /* 1..32 */
    uint32_t pwc_org;        /* LW_PWC_* */
    uint32_t pwc_entries;    /* a power of two in 2..64, a level or of steps; 2..1024 by address */
    uint32_t pwc_ways;       /* by address: a power of two in 2..16, at most pwc_entries */
    uint32_t pwc_latency;    /* cycles of a lookup: 1..8, of steps 4..8 */
    uint32_t coalesce;       /* 1: NHA's hardware is there */
    uint32_t subregions;     /* 1: MESC's hardware is there */
    uint32_t par_lookup;     /* 1: subregions and regular entries are looked up in one cycle */
    uint32_t msc_entries;    /* of the memory subregion cache: as tlb_entries, of msc_ways */
    uint32_t msc_ways;       /* a power of two in 2..16 */
    uint32_t check_queue;    /* contiguity checks that can wait: 1..16 */
    uint32_t head_first;     /* 1: the heads lie in the first line of a level-1 node */
    uint32_t colt;           /* LW_COLT_* */
    uint32_t slot_pages;     /* LW_SLOT_OF_* */
    uint32_t pages_64k;      /* 1: radix tables have pages of 64 KiB (R1.17) */
    uint32_t second_lookup;  /* 1: the TLB is asked once more before a walk (R5.26) */
} lw_params;

/* PWC_ORG: by level, by address, or steps of hashed tables in its place (chapter 21). */
enum { LW_PWC_BY_LEVEL, LW_PWC_BY_ADDRESS, LW_PWC_OF_STEPS };

/* SLOT_PAGES: a slot of a hashed table is a line, or a frame (R20.31). */
enum { LW_SLOT_OF_A_LINE = 8, LW_SLOT_OF_A_FRAME = 512 };

/* COLT: without, links in answers (R1.14), runs in the unified TLB too (R3.14). */
enum { LW_COLT_NONE, LW_COLT_LINKS, LW_COLT_FULL };

/* False and one sentence that names the parameter, its value and the legal range. */
bool lw_params_check(const lw_params *p, lw_error *err);
/* Stages of the TLB's pipeline (R3.1), the last of which decides. */
uint32_t lw_tlb_stages(const lw_params *p);

#ifdef __cplusplus
}
#endif

#endif
