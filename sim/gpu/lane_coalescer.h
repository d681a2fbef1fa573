/* The lane coalescer: one translation for each page that a wave instruction touches (NHA section
 * II: requests to the same page by the same SIMD instruction are merged), in lane order of first
 * use. */
#ifndef LW_SIM_GPU_LANE_COALESCER_H
#define LW_SIM_GPU_LANE_COALESCER_H

#include "sim/workloads/workload.h"

/* Fills pages[] (VA[63:12]) and returns how many there are, 1..64. */
uint32_t lw_coalesce_lanes(const lw_wave_inst *inst, uint64_t pages[LW_MAX_LANES]);

#endif
