/* The hardware parameters (chapter 13 of the contract), and what is legal. */
#ifndef LW_C_MODEL_BASE_PARAMS_H
#define LW_C_MODEL_BASE_PARAMS_H

#include "common/error.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Hardware parameters: one RTL build each. Ranges: chapter 13. */
typedef struct lw_params {
    uint32_t levels, pa_width, pasids, id_w, src_w;
    uint32_t tlb_entries, tlb_ways, tlb_latency, tlb_partition, tlb_bimodal;
    uint32_t hit_queue, walk_queue, miss_queue, buffer_entries, lines, walkers;
    uint32_t pwc_org, pwc_entries, pwc_ways, pwc_latency, coalesce;
    uint32_t subregions, par_lookup, msc_entries, msc_ways, check_queue, head_first, colt;
    uint32_t slot_pages, pages_64k, second_lookup;
} lw_params;

/* PWC_ORG: by level, by address, or steps of hashed tables in its place (chapter 21). */
enum { LW_PWC_BY_LEVEL, LW_PWC_BY_ADDRESS, LW_PWC_OF_STEPS };

/* SLOT_PAGES: a slot of a hashed table is a line, or a frame (R20.31). */
enum { LW_SLOT_OF_A_LINE = 8, LW_SLOT_OF_A_FRAME = 512 };

/* COLT: without, links in answers (R1.14), runs in the unified TLB too (R3.14). */
enum { LW_COLT_NONE, LW_COLT_LINKS, LW_COLT_FULL };

/* False and one sentence that names the parameter, its value and the legal range. */
bool lw_params_check(const lw_params *p, lw_error *err);
/* Whether subregions are looked up a stage before regular entries (R3.1). */
bool lw_tlb_is_serial(const lw_params *p);
/* Stages of the TLB's pipeline (R3.1), the last of which decides. */
uint32_t lw_tlb_stages(const lw_params *p);

#ifdef __cplusplus
}
#endif

#endif
