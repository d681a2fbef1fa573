/* Since when each request in flight waits, and which has waited longest: one that is forgotten
 * while others go on is found by the first, and by nothing else. */
#ifndef LW_SIM_ENVIRONMENT_WAITING_H
#define LW_SIM_ENVIRONMENT_WAITING_H

#include <stdbool.h>
#include <stdint.h>

typedef struct lw_waiting lw_waiting;

/* For the ids 0..ids-1; NULL where there is no memory. */
lw_waiting *lw_waiting_new(uint32_t ids);
void lw_waiting_free(lw_waiting *w);
/* A request goes into flight in cycle `now`, never earlier than the one before. */
void lw_waiting_enter(lw_waiting *w, uint32_t id, uint64_t now);
/* The cycle in which the last request of this id entered. */
uint64_t lw_waiting_since(const lw_waiting *w, uint32_t id);
/* The request of this id, which is in flight, is answered. */
void lw_waiting_leave(lw_waiting *w, uint32_t id);
/* The request that waits longest and the cycle in which it entered; false where none waits. */
bool lw_waiting_oldest(const lw_waiting *w, uint32_t *id, uint64_t *since);

#endif
