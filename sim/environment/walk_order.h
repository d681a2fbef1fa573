/* Walks are first come, first served (R5.2), as the ports show it: with coalescing and page walk
 * cache off, each walk begins with a read of its root's table, so these reads come in the order in
 * which the requests that need a walk were accepted. Which ones hit instead is not known here: a
 * request that is passed over is taken for a hit, and a read that nobody later can have asked for
 * is out of order. */
#ifndef LW_SIM_ENVIRONMENT_WALK_ORDER_H
#define LW_SIM_ENVIRONMENT_WALK_ORDER_H

#include "common/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct lw_walk_order lw_walk_order;

/* For request ids 0..ids-1. NULL where there is no memory. */
lw_walk_order *lw_walk_order_new(uint32_t ids);
void lw_walk_order_free(lw_walk_order *o);

/* A request is accepted, whose walk would begin with a read of this line (its address in lines of
 * 64 bytes); it is answered. */
void lw_walk_order_accept(lw_walk_order *o, uint32_t id, uint64_t line);
void lw_walk_order_answer(lw_walk_order *o, uint32_t id);
/* A line of a root's table is read: false and a sentence where it is out of order. */
bool lw_walk_order_read(lw_walk_order *o, uint64_t line, lw_error *err);
/* Reads that were in order. */
uint64_t lw_walk_order_reads(const lw_walk_order *o);

#endif
