/* Who waits too long. Time is counted on a clock that goes slower where memory takes less than all,
 * and stands still while a very late line is under way: what the surroundings hold up is not the
 * unit's doing. A slow sink makes the bound longer. */
#ifndef LW_TESTS_CONTRACT_LIVENESS_H
#define LW_TESTS_CONTRACT_LIVENESS_H

#include "tests/contract/world.h"

/* Once a cycle. */
void lw_liveness_cycle(lw_world *w);
/* How much of its clock the unit may take for what began in cycle `since`, with invalidations under
 * way in between or without. */
uint64_t lw_liveness_bound(const lw_world *w, uint64_t since, bool invalidations);

#endif
