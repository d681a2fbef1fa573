/* Who waits too long. Time is counted on a clock that goes slower where memory or the sink take
 * less than all, and stands still while a very late line is under way: what the surroundings hold
 * up is not the unit's doing. */
#ifndef LW_TESTS_CONTRACT_LIVENESS_H
#define LW_TESTS_CONTRACT_LIVENESS_H

#include "tests/contract/world.h"

/* Once a cycle. */
void lw_liveness_cycle(lw_world *w);
/* How much of its clock the unit may take for anything, with invalidations under way or without. */
uint64_t lw_liveness_bound(const lw_world *w, bool invalidations);

#endif
