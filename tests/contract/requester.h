/* Who asks: requests for pages of the groups, among them some that cannot be, and the responses. */
#ifndef LW_TESTS_CONTRACT_REQUESTER_H
#define LW_TESTS_CONTRACT_REQUESTER_H

#include "tests/contract/world.h"

/* The inputs of this cycle: a request, and whether a response is taken. */
void lw_requester_drive(lw_world *w);
/* This cycle's transfers: the response first, which is judged. */
void lw_requester_observe(lw_world *w);

#endif
