/* The machine's main memory as a DRAM: channels with an FR-FCFS controller each (dram_channel.h),
 * behind the interface through which page walks and data share it (memory.h).
 *
 * Two clocks: users count cycles of the unit, commands are given in clocks of the memory. A request
 * of cycle t is known in the first clock that begins with the cycle or later, and a read finishes
 * in the first cycle that begins with the end of its data's last clock or later; both are exact, so
 * no run drifts. A read that finds all free and its row closed so takes tRCD + tCL + burst_length /
 * 2 clocks. */
#ifndef LW_SIM_MEMORY_DRAM_H
#define LW_SIM_MEMORY_DRAM_H

#include "sim/memory/dram_channel.h"

typedef struct lw_dram lw_dram;

/* `unit_mhz` is the clock of the users. NULL and a sentence where the host has no memory. */
lw_dram *lw_dram_new(const lw_dram_timing *timing, uint32_t unit_mhz, lw_error *err);
void lw_dram_free(lw_dram *d);

/* What its users see of it; it is the DRAM's own, and its `destroy` frees the DRAM. */
lw_memory *lw_dram_memory(lw_dram *d);

/* Shows each command from now on to `command`, those of a channel in their order; NULL: to nobody.
 */
void lw_dram_watch(lw_dram *d, lw_dram_watch_fn *command, void *ctx);

/* What it has done until the last cycle that it was asked in. */
void lw_dram_banks(const lw_dram *d, lw_banks *banks);

#endif
