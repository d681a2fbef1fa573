/* The report of a mismatch: how to reproduce it first, then all that differs, who is wrong, the
 * last events, and the waves around it. */
#ifndef LW_APP_REPORTS_MISMATCH_H
#define LW_APP_REPORTS_MISMATCH_H

#include "app/options/options.h"

/* Runs each side again by itself to ask the oracle who is wrong, writes the waves of the window
 * and, with --keep and where nothing was injected, adds the run to tests/regressions.list. */
void lw_mismatch_report(const lw_options *options, const lw_session_result *result,
                        const lw_event_ring *events);

#endif
