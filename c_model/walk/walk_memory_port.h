/* The walk memory port (chapter 8): the request register, which the walkers in REQ share, the
 * oldest first (R8.1, R5.22), and the line register. */
#ifndef LW_C_MODEL_WALK_WALK_MEMORY_PORT_H
#define LW_C_MODEL_WALK_WALK_MEMORY_PORT_H

#include "c_model/walk/page_walkers.h"

/* R8.1: loads the request register, which is empty or transferred in this cycle, from the walkers
 * that were in REQ at the cycle's beginning; without one it becomes empty. */
void lw_walkers_load_request(lw_walkers *w, uint32_t waiting);
/* R16.6: the same for the head of a subregion, without a walker in REQ. */
void lw_walkers_load_head(lw_walkers *w, uint32_t place, uint64_t line);
/* R8.3: what arrives in this cycle, or nothing. Not needed where nothing arrives nor has arrived.
 */
void lw_walkers_load_line(lw_walkers *w, const lw_inputs *in);

#endif
