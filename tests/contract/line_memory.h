/* The memory behind the walk port: lines late, out of order, with error bits, from the cycle of
 * their request or of their response, and the reads that the unit should not make. */
#ifndef LW_TESTS_CONTRACT_LINE_MEMORY_H
#define LW_TESTS_CONTRACT_LINE_MEMORY_H

#include "tests/contract/world.h"

/* The inputs of this cycle, after software's changes. */
void lw_memory_drive(lw_world *w);
/* A request that is transferred in this cycle. */
void lw_memory_observe(lw_world *w);
/* The run ends: what is late comes soon. */
void lw_memory_hurry(lw_world *w);
/* Whether the line had the error bit in a response of the cycles from..to. */
bool lw_memory_failed(const lw_world *w, uint64_t line, uint64_t from, uint64_t to);

#endif
