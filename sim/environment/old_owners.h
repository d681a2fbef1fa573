/* An old owner is never answered from its new owner's tables (R11.13): once an invalidation is
 * complete from whose transfer on a PASID has had no root, no request of that PASID that was
 * accepted before the transfer may still be unanswered. What is counted here is seen at the ports
 * alone. */
#ifndef LW_SIM_ENVIRONMENT_OLD_OWNERS_H
#define LW_SIM_ENVIRONMENT_OLD_OWNERS_H

#include "c_model/base/ports.h"
#include "common/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct lw_old_owners lw_old_owners;

/* For PASIDs 0..pasids-1, none of which has a root. NULL where there is no memory. */
lw_old_owners *lw_old_owners_new(uint32_t pasids);
void lw_old_owners_free(lw_old_owners *o);

/* The inputs of a cycle, before its request and its response are told: an invalidation that is
 * `taken` in it, and a root that is written at its end. */
void lw_old_owners_cycle(lw_old_owners *o, uint64_t now, const lw_inputs *in, bool taken);
/* A request of the PASID is accepted; one accepted in cycle `since` is answered. */
void lw_old_owners_enter(lw_old_owners *o, uint32_t pasid);
void lw_old_owners_leave(lw_old_owners *o, uint32_t pasid, uint64_t since);
/* The invalidation is complete: false and a sentence where a request is left. */
bool lw_old_owners_done(lw_old_owners *o, lw_error *err);

/* Requests that waited when their root vanished, and those that an invalidation met so: had they
 * not been answered by its completion, the check would have failed. */
uint64_t lw_old_owners_orphans(const lw_old_owners *o);
uint64_t lw_old_owners_met(const lw_old_owners *o);

#endif
