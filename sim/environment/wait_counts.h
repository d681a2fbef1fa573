/* The worst waits of a run, for a bound that depends on the sizes of the unit and on the latency of
 * memory. Cycles in which the requester held a valid response back are its own fault and do not
 * count; what memory took is measured beside. */
#ifndef LW_SIM_ENVIRONMENT_WAIT_COUNTS_H
#define LW_SIM_ENVIRONMENT_WAIT_COUNTS_H

#include "c_model/base/ports.h"

#include <stdint.h>

/* The most cycles so far. */
typedef struct lw_waits {
    uint64_t request;      /* from transfer to response, but for held cycles */
    uint64_t acceptance;   /* that a request was offered and not taken, the same */
    uint64_t invalidation; /* from transfer to completion, the same */
    uint64_t memory;       /* from a read's transfer to its line */
    uint64_t memory_ready; /* that a read was offered and not taken */
    uint64_t held;         /* in all: a valid response was not taken */
} lw_waits;

typedef struct lw_wait_counts {
    lw_waits worst;
    uint64_t offered;             /* cycles in which the request on the port was not taken */
    uint64_t read_offered;        /* the same of the read */
    uint64_t inv_since, inv_held; /* the transfer, and how many were held until then */
} lw_wait_counts;

/* The ports of a cycle, before its request and its response are told. */
void lw_wait_counts_cycle(lw_wait_counts *w, uint64_t now, const lw_inputs *in,
                          const lw_outputs *out);
/* n cycles were left out, with a request that was not taken if `waits`. */
void lw_wait_counts_skip(lw_wait_counts *w, uint64_t n, bool waits);
/* A request is answered that was accepted in cycle `since`, when so many cycles had been held. */
void lw_wait_counts_answer(lw_wait_counts *w, uint64_t now, uint64_t since, uint64_t held_then);

#endif
