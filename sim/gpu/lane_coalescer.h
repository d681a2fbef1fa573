/* The lane coalescer: one translation for each page that a wave instruction touches (NHA section
 * II: requests to the same page by the same SIMD instruction are merged), in lane order of first
 * use; and of each page the lines of 64 bytes that are touched. */
#ifndef LW_SIM_GPU_LANE_COALESCER_H
#define LW_SIM_GPU_LANE_COALESCER_H

#include "sim/workloads/workload.h"

typedef struct lw_page_lines {
    uint64_t page;  /* VA[63:12] */
    uint64_t lines; /* bit i: bytes 64 i .. 64 i + 63 of the page */
} lw_page_lines;

/* Fills pages[], their lines aside, and returns how many there are, 1..64. */
uint32_t lw_coalesce_lanes(const lw_wave_inst *inst, lw_page_lines pages[LW_MAX_LANES]);
/* Then the lines of each, where somebody wants them. */
void lw_coalesce_lines(const lw_wave_inst *inst, lw_page_lines pages[LW_MAX_LANES], uint32_t count);

#endif
