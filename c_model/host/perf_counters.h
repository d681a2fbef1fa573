/* The counters (R12.5 to R12.7, R14.3): 48 bits each, by number (LW_C_*).
 *
 * They are kept in 64 bits and cut when they are read: the carry out of bit 47 is lost either way.
 * An event is added to `total` at once; what the cycle began with is kept beside it, so that COUNT
 * (without the last cycle's events) and INCREMENT (those alone) follow from the two. */
#ifndef LW_C_MODEL_HOST_PERF_COUNTERS_H
#define LW_C_MODEL_HOST_PERF_COUNTERS_H

#include "c_model/base/address.h"
#include "c_model/base/ports.h"
#include "c_model/base/watch.h"

#include <string.h>

typedef struct lw_counters {
    const lw_watch *watch;
    uint64_t total[LW_COUNTERS];
    uint64_t begun[LW_COUNTERS]; /* total as the last cycle began: COUNT */
    uint64_t told[LW_COUNTERS];  /* INCREMENT as last told to the state net */
} lw_counters;

void lw_counters_init(lw_counters *c, const lw_watch *watch);

/* `events` in each of n cycles, of which the last is the one that runs. */
static inline void lw_count_cycles(lw_counters *c, uint32_t number, uint64_t n, uint64_t events) {
    c->total[number] += n * events;
}

static inline void lw_count(lw_counters *c, uint32_t number, uint64_t events) {
    lw_count_cycles(c, number, 1, events);
}

/* The beginning of a cycle: what is counted from here on is its. */
static inline void lw_counters_begin(lw_counters *c) {
    memcpy(c->begun, c->total, sizeof c->begun);
}

/* With all events so far; and COUNT, which those of the last cycle have not reached. */
uint64_t lw_counters_total(const lw_counters *c, uint32_t number);
uint64_t lw_counters_count(const lw_counters *c, uint32_t number);
/* The state net begins to look: all events so far have settled. */
void lw_counters_watch(lw_counters *c);
/* The end of a cycle that the state net looks at: the registers of the cycle's events. */
void lw_counters_tell(lw_counters *c);

#endif
