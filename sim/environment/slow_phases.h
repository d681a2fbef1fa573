/* Phases of drawn length in which what is around the unit is slow: the requester hardly takes
 * responses, or memory hardly takes reads, or answers them late. With both rates 0 nothing is ever
 * slow, and nothing is drawn. */
#ifndef LW_SIM_ENVIRONMENT_SLOW_PHASES_H
#define LW_SIM_ENVIRONMENT_SLOW_PHASES_H

#include "common/rng.h"

#include <stdbool.h>
#include <stdint.h>

/* One that is slow now and then. */
typedef struct lw_slow_phase {
    uint64_t left;      /* cycles of the phase; 0: none */
    uint32_t not_ready; /* percent of its cycles */
    uint64_t latency;   /* cycles that a read accepted in it takes more */
    bool held;          /* in this cycle it is not ready */
    uint64_t phases;    /* so far */
} lw_slow_phase;

typedef struct lw_slow_phases {
    lw_slow_phase sink, memory;
    lw_rng rng;
} lw_slow_phases;

void lw_slow_phases_begin(lw_slow_phases *p, uint64_t seed);
/* The end of a cycle. Rates are in 10000 cycles, a phase has at most `longest`. */
void lw_slow_phases_tick(lw_slow_phases *p, uint32_t sinks, uint32_t memories, uint32_t longest);

#endif
