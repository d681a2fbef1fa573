/* What passes over the unit's ports, counted by who looks at nothing but the ports; at the end of a
 * run it is held against the unit's own counters (R12.5). */
#ifndef LW_SIM_ENVIRONMENT_PORT_COUNTS_H
#define LW_SIM_ENVIRONMENT_PORT_COUNTS_H

#include "c_model/base/params.h"
#include "c_model/base/ports.h"
#include "common/error.h"

#include <stdbool.h>
#include <stdint.h>

#define LW_PORT_KINDS 8

typedef struct lw_port_counts {
    uint64_t cycles, requests, request_stalls, responses, line_reads, invalidations;
    uint64_t lines;                /* that memory gave */
    uint64_t head_reads;           /* line reads with the tag of a head (R16.6) */
    uint64_t walker_errors;        /* lines that came with an error for a walker */
    uint64_t roots_cleared;        /* control writes that take a root away (R12.2) */
    uint64_t kinds[LW_PORT_KINDS]; /* responses by kind (R1.9) */
    uint64_t in_flight_sum;        /* over the requests: those in flight as it is transferred, */
    uint64_t in_flight_max;        /* itself among them, and what is answered in that cycle */
} lw_port_counts;

/* One cycle; `walkers` tells a walker's tag from a head's. */
void lw_port_counts_cycle(lw_port_counts *counts, uint32_t walkers, const lw_inputs *in,
                          const lw_outputs *out);
/* n cycles without a transfer, in which a request is offered if `waits`. */
void lw_port_counts_idle(lw_port_counts *counts, uint64_t n, bool waits);

/* Whether the unit's counters, with the events of all cycles so far, say the same. `quiet`: nothing
 * is in flight, so that what the unit counts before it shows must have been shown too. False and a
 * sentence with both counts. */
bool lw_port_counts_agree(const lw_port_counts *counts, const lw_params *params, bool quiet,
                          const uint64_t counters[LW_COUNTERS], lw_error *err);

#endif
