/* The counters (R12.5 to R12.7, R14.3): 48 bits each, by number (LW_C_*).
 *
 * They are kept in 64 bits and cut when they are read: the carry out of bit 47 is lost either way.
 * An event is added to lw_events.total at once; what the cycle began with is kept here, so that
 * COUNT (without the last cycle's events) and INCREMENT (those alone) follow from the two. */
#ifndef LW_C_MODEL_HOST_PERF_COUNTERS_H
#define LW_C_MODEL_HOST_PERF_COUNTERS_H

#include "c_model/base/signals.h"

typedef struct lw_counters {
    const lw_watch *watch;
    uint64_t begun[LW_COUNTERS]; /* the events' total as the last cycle began: COUNT */
    uint64_t told[LW_COUNTERS];  /* INCREMENT as last told to the state net */
} lw_counters;

void lw_counters_init(lw_counters *c, const lw_watch *watch);

/* The beginning of a cycle: what is counted from here on is its. */
static inline void lw_counters_begin(lw_counters *c, const lw_events *events) {
    memcpy(c->begun, events->total, sizeof c->begun);
}

/* R12.5: what a counter shows of so many events. */
uint64_t lw_counters_wrapped(uint64_t events);
/* COUNT, which the events of the last cycle have not reached. */
uint64_t lw_counters_count(const lw_counters *c, uint32_t number);
/* The state net begins to look: all events so far have settled. */
void lw_counters_watch(lw_counters *c, const lw_events *events);
/* The end of a cycle that the state net looks at: the registers of the cycle's events. */
void lw_counters_tell(lw_counters *c, const lw_events *events);

#endif
