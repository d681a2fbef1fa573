/* The line-read port behind the unit: tagged reads of 64-byte lines, answered later, one a cycle.
 * Behind it is a latency model of its own, or a memory that it shares with others.
 *
 * In each cycle `now` (strictly rising; cycles may be left out, see lw_line_port_next_event):
 *     ready = lw_line_port_ready(p, now);
 *     offer = lw_line_port_response(p, now, &rsp);
 *     lw_line_port_step(p, now, req_valid && ready ? &req : NULL);
 * ready and the offer are the same however often they are asked for within a cycle. An offered
 * response is always taken: the step removes it.
 *
 * A read accepted in cycle t with latency L is offered in cycle t+L, L >= 1, if no other is then on
 * offer; else in the first free cycle after. Without `reorder` responses come in the order of the
 * requests: a read that would overtake is held until the cycle after the one in front of it.
 * A read of a shared memory is asked of it as LW_MEMORY_WALKS in the cycle of its acceptance, or in
 * the first cycle with room for it; until then the port is not ready. Its latency ends in the cycle
 * in which the memory has finished it.
 * The data is the memory's content in the cycle of the offer; of the reads drawn to be early that
 * in the cycle of the request, as where a memory reads at once and then keeps the line.
 * Nothing is allocated in the cycle path. */
#ifndef LW_SIM_MEMORY_LINE_PORT_H
#define LW_SIM_MEMORY_LINE_PORT_H

#include "common/error.h"
#include "sim/memory/latency_model.h"
#include "sim/memory/memory.h"
#include "sim/memory/phys_mem.h"

#include <stdbool.h>
#include <stdint.h>

#define LW_LINE_PORT_CAPACITY_MAX 65536u

typedef struct lw_line_port_config {
    lw_latency_config latency;
    bool reorder;
    uint32_t not_ready_percent; /* 0..99: probability, in each cycle, that no request is taken */
    uint32_t error_percent;     /* 0..100: probability that a read ends in an error */
    bool error_at_line;         /* each read of error_line ends in an error */
    uint64_t error_line;
    uint64_t end_line;      /* so does each from this line on: memory ends there; 0: nowhere */
    uint32_t late_in_10000; /* 0..10000: reads that take late_cycles more */
    uint32_t late_cycles;
    uint32_t early_percent; /* 0..100: reads whose data is from their acceptance */
    uint32_t capacity;      /* reads in flight, 1..65536: a full port is not ready */
    uint64_t seed;
} lw_line_port_config;

typedef struct lw_line_request {
    uint32_t tag;  /* comes back with the response; may be used by several reads at once */
    uint64_t line; /* byte address >> 6 */
} lw_line_request;

typedef struct lw_line_response {
    uint32_t tag;
    bool error; /* data is then that of failed_line.h */
    uint64_t line;
    uint64_t data[LW_LINE_WORDS];
} lw_line_response;

typedef struct lw_line_port lw_line_port;

/* fixed:20, in order, always ready, no errors, capacity 256, seed 1. */
void lw_line_port_config_default(lw_line_port_config *config);

/* `mem` must outlive the port. NULL and a sentence where a value is out of range. */
lw_line_port *lw_line_port_new(const lw_line_port_config *config, const lw_phys_mem *mem,
                               lw_error *err);
/* The same with a latency model of the caller's, which the port then owns (config->latency is not
 * used). Where it fails, the model is still the caller's. */
lw_line_port *lw_line_port_new_with(const lw_line_port_config *config, lw_latency_model model,
                                    const lw_phys_mem *mem, lw_error *err);
/* The same on a memory that others use too and that outlives the port. */
lw_line_port *lw_line_port_new_on(const lw_line_port_config *config, lw_memory *memory,
                                  const lw_phys_mem *mem, lw_error *err);
void lw_line_port_free(lw_line_port *p);

bool lw_line_port_ready(const lw_line_port *p, uint64_t now);
bool lw_line_port_response(lw_line_port *p, uint64_t now, lw_line_response *rsp);
/* `req` only in a cycle that is ready. */
void lw_line_port_step(lw_line_port *p, uint64_t now, const lw_line_request *req);

/* From now on each read takes so many cycles more. */
void lw_line_port_slow(lw_line_port *p, uint64_t cycles);

/* The first cycle, `now` or later, in which a response is on offer if no request comes before it;
 * UINT64_MAX where none is in flight. Cycles before it, with no request, need no calls. Of a shared
 * memory it may be too early. */
uint64_t lw_line_port_next_event(lw_line_port *p, uint64_t now);

uint32_t lw_line_port_in_flight(const lw_line_port *p);
uint64_t lw_line_port_late(const lw_line_port *p); /* reads that were drawn to come late */
/* Early reads of lines that have changed until they were answered. */
uint64_t lw_line_port_outdated(const lw_line_port *p);
/* The most cycles from a read's acceptance to its response, of those answered. */
uint64_t lw_line_port_longest(const lw_line_port *p);
/* What the banks of its latency model have done; a shared memory tells that itself. */
void lw_line_port_banks(const lw_line_port *p, lw_banks *banks);

#endif
