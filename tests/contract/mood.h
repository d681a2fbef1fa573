/* What the surroundings are like for a while: how fast requests come and responses are taken, how
 * slow memory is, how often software changes something. A run has a temper, from which moods come.
 */
#ifndef LW_TESTS_CONTRACT_MOOD_H
#define LW_TESTS_CONTRACT_MOOD_H

#include "tests/contract/world.h"

void lw_mood_begin(lw_world *w); /* the temper, and the first mood */
void lw_mood_cycle(lw_world *w); /* another mood, where this one is over */
void lw_mood_tail(lw_world *w);  /* the fair one in which everything must end */
/* The percent of cycles in which the slowest sink since that cycle took a response. */
uint32_t lw_mood_slowest_sink(const lw_world *w, uint64_t since);

#endif
