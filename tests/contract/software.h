/* Software: it changes the tables, the roots and the features at any time, and sends the
 * invalidations that it owes, or does not. It keeps to what the contract asks of it. */
#ifndef LW_TESTS_CONTRACT_SOFTWARE_H
#define LW_TESTS_CONTRACT_SOFTWARE_H

#include "tests/contract/world.h"

/* Roots and features of the beginning. */
void lw_software_begin(lw_world *w);
/* This cycle's changes, before memory looks, and the control port's inputs. */
void lw_software_drive(lw_world *w);

#endif
