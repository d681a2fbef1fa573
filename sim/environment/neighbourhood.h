/* How many requests meet another one in flight in their level-1 neighbourhood (32 KiB): the
 * property that NHA's Figure 5 measures, and the most that coalescing at the leaf can save. */
#ifndef LW_SIM_ENVIRONMENT_NEIGHBOURHOOD_H
#define LW_SIM_ENVIRONMENT_NEIGHBOURHOOD_H

#include <stdbool.h>
#include <stdint.h>

typedef struct lw_neighbourhoods lw_neighbourhoods;

/* For at most `in_flight` requests at once; NULL where there is no memory. */
lw_neighbourhoods *lw_neighbourhoods_new(uint32_t in_flight);
void lw_neighbourhoods_free(lw_neighbourhoods *n);
/* A request goes into flight: whether another one of its neighbourhood is there already. */
bool lw_neighbourhoods_enter(lw_neighbourhoods *n, uint32_t pasid, uint64_t page);
/* One leaves it: whether it was the last of its neighbourhood. */
bool lw_neighbourhoods_leave(lw_neighbourhoods *n, uint32_t pasid, uint64_t page);

#endif
