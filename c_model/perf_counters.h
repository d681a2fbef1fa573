/* The counters (R12.5 to R12.7, R14.3): 48 bits each, by number (LW_C_*).
 *
 * They are kept in 64 bits and cut when they are read: the carry out of bit 47 is lost either way.
 * An event is added to `total` at once; the two registers that it passes through are kept only
 * where the state net asks for them. */
#ifndef LW_PERF_COUNTERS_H
#define LW_PERF_COUNTERS_H

#include "unit.h"

typedef struct lw_counters {
    const lw_watch *watch;
    uint64_t cycle;
    struct {
        uint64_t total; /* COUNT + INCREMENT */
        uint64_t last;  /* the events of cycle `stamp` */
        uint64_t stamp;
    } events[LW_COUNTERS];
    uint64_t seen[LW_COUNTERS]; /* total as last told to the state net */
    uint64_t count[LW_COUNTERS], increment[LW_COUNTERS];
} lw_counters;

void lw_counters_init(lw_counters *c, const lw_watch *watch);

static inline void lw_count(lw_counters *c, uint32_t number, uint64_t events) {
    if (c->events[number].stamp != c->cycle) {
        c->events[number].stamp = c->cycle;
        c->events[number].last = 0;
    }
    c->events[number].last += events;
    c->events[number].total += events;
}

/* The beginning of a cycle: what is counted from here on is its. */
static inline void lw_counters_begin(lw_counters *c) {
    c->cycle++;
}

/* With all events so far; and COUNT, which those of the last cycle have not reached. */
uint64_t lw_counters_total(const lw_counters *c, uint32_t number);
uint64_t lw_counters_count(const lw_counters *c, uint32_t number);
/* The state net begins to look: all events so far have settled. */
void lw_counters_watch(lw_counters *c);
/* The end of a cycle that the state net looks at: the registers of the cycle's events. */
void lw_counters_tell(lw_counters *c);
lw_cell lw_counters_cell(lw_counters *c, lw_field field, uint32_t number, const lw_config *cfg);

#endif
