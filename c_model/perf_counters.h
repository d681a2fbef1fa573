/* The counters (R12.5 to R12.7, R14.3): 48 bits each, by number (LW_C_*).
 *
 * They are kept in 64 bits and cut when they are read: the carry out of bit 47 is lost either way.
 */
#ifndef LW_PERF_COUNTERS_H
#define LW_PERF_COUNTERS_H

#include "unit.h"

typedef struct lw_counters {
    const lw_watch *watch;
    uint64_t count[LW_COUNTERS];
    uint64_t seen[LW_COUNTERS]; /* as last told to the state net */
} lw_counters;

void lw_counters_init(lw_counters *c, const lw_watch *watch);

static inline void lw_count(lw_counters *c, uint32_t number, uint64_t events) {
    c->count[number] += events;
}

uint64_t lw_counters_value(const lw_counters *c, uint32_t number);
/* Tells the state net which counters have moved since the last call. */
void lw_counters_tell(lw_counters *c);
/* `subregions`: whether those of SUBREGIONS=1 exist (R14.3). */
lw_cell lw_counters_cell(lw_counters *c, uint32_t number, bool subregions);

#endif
