/* Software's writes to the control port, one a cycle: roots and features. */
#ifndef LW_TESTS_CONTRACT_CONTROL_WRITES_H
#define LW_TESTS_CONTRACT_CONTROL_WRITES_H

#include "tests/contract/world.h"

/* One of the writes that are due goes to the port. */
void lw_control_drive(lw_world *w);

void lw_control_features(lw_world *w);
/* A root that is cleared and comes back, or changes, of a PASID drawn; what is owed for it. */
void lw_control_root(lw_world *w);
/* What a unit with hashed tables is told before the first root. */
void lw_control_hashed(lw_world *w);
void lw_control_set_root(lw_world *w, uint32_t pasid, bool valid, int frame, uint32_t delay);

#endif
