/* What the unit's tables hold, beside what its ports say: each valid entry must be explained by
 * values that the tables in memory had within the window that the contract gives it, entry by entry
 * of the unified TLB, the page walk cache, the MSC, the buffer and the walkers; no key is held
 * twice, ranks are permutations, and who is picked has one holder. The registers are read by name
 * through the unit; of one that does not let us look nothing is checked. */
#ifndef LW_TESTS_CONTRACT_CONTENTS_H
#define LW_TESTS_CONTRACT_CONTENTS_H

#include "tests/contract/unit.h"
#include "tests/contract/world.h"

typedef struct lw_contents lw_contents;

/* Makes w->contents, if the unit can be looked into and somebody wants to. False without memory. */
bool lw_contents_begin(lw_world *w, const lw_unit *unit);
/* A look, if one is due, at the state of this cycle; after its invalidation was observed. */
void lw_contents_cycle(lw_world *w);
void lw_contents_free(lw_contents *c);

#endif
