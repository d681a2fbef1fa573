/* Main memory of one latency (sim/memory/memory.h), for a GPU whose data has none to share with the
 * page walks: a read finishes `latency` cycles after it was asked for, `room` of them may be under
 * way, writes cost nothing. */
#ifndef LW_SIM_MEMORY_FIXED_MEMORY_H
#define LW_SIM_MEMORY_FIXED_MEMORY_H

#include "sim/memory/memory.h"

/* For one user. False where there is no memory. */
bool lw_fixed_memory_new(uint32_t latency, uint32_t room, lw_memory *out);

#endif
