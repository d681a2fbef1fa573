/* What a run's figures are called, and those that are made of others: for text, tables and JSON
 * alike. */
#ifndef LW_APP_REPORTS_FIGURES_H
#define LW_APP_REPORTS_FIGURES_H

#include "dpi/session.h"

/* The names of counters and walker causes, as in R12.5 of docs/architecture/12-control.md; NULL
 * where the number names none. */
const char *lw_counter_name(uint32_t number);
/* The name of a kind of fault (R1.9), 1..7. */
const char *lw_fault_name(uint32_t kind);
/* Faults of all kinds that nothing in the run provokes. */
uint64_t lw_unasked_faults(const lw_session_result *result);

/* The first of what a mismatch report names, or "equal", or "interrupted" (docs/json.md). */
const char *lw_verdict(const lw_session_result *result);

/* The mean cycles from the insertion of a miss into the IOMMU buffer to its answer; 0 of none. */
double lw_walk_latency_mean(const lw_session_result *result);
/* part / (part + rest); 0 where both are. */
double lw_rate(uint64_t part, uint64_t rest);

#endif
