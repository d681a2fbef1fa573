/* What the unit says of itself through the control port when all is over: its counters and its
 * first fault, against what the ports have shown. */
#ifndef LW_TESTS_CONTRACT_RECORDS_H
#define LW_TESTS_CONTRACT_RECORDS_H

#include "tests/contract/unit.h"
#include "tests/contract/world.h"

/* Steps the unit, with nothing but reads. */
void lw_records_check(lw_world *w, lw_unit *unit);

#endif
