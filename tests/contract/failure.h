/* How the tester says what it has found: one paragraph, and the command that shows it again. */
#ifndef LW_TESTS_CONTRACT_FAILURE_H
#define LW_TESTS_CONTRACT_FAILURE_H

#include "tests/contract/world.h"

/* Ends the run as failed, unless this check is left out (--only). `q`: the request that it is
 * about, or NULL; the sentence goes on after "request ... ". */
void lw_bark(lw_world *w, lw_check check, const lw_request *q, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Whether this check counts in this run. */
bool lw_barks(const lw_world *w, lw_check check);

#endif
