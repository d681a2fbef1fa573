/* How long one may wait for the unit (R0.7): a bound from its sizes and from what memory took,
 * which every run is held to when it is over. Who is passed over for ever breaks it, however long
 * the run. */
#ifndef LW_SIM_ENVIRONMENT_WAIT_BOUND_H
#define LW_SIM_ENVIRONMENT_WAIT_BOUND_H

#include "c_model/base/params.h"
#include "common/error.h"
#include "sim/environment/wait_counts.h"

#include <stdbool.h>

/* In cycles, without those in which a response was held back. `invalidations`: there were any. */
uint64_t lw_wait_bound(const lw_params *p, const lw_waits *w, bool invalidations);

/* False and a sentence where a request or an invalidation has waited longer. */
bool lw_waits_are_bounded(const lw_params *p, const lw_waits *w, bool invalidations, lw_error *err);

#endif
