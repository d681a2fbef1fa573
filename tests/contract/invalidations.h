/* The invalidations that software sends, what it has promised when they are done, and the windows
 * that they begin. */
#ifndef LW_TESTS_CONTRACT_INVALIDATIONS_H
#define LW_TESTS_CONTRACT_INVALIDATIONS_H

#include "tests/contract/world.h"

/* Sends one as soon as the port is free (dropped where too many wait). */
void lw_inv_want(lw_world *w, lw_invalidation inv);
/* One that covers a page of the group, of a type drawn. */
void lw_inv_want_for(lw_world *w, const lw_group *g);

/* The port's inputs of this cycle. */
void lw_inv_drive(lw_world *w);
/* A transfer and a completion of this cycle; the completion after the cycle's response. */
void lw_inv_observe(lw_world *w);

bool lw_inv_meets(const lw_world *w, const lw_invalidation *inv, uint32_t pasid);
/* Whether it covers one of these pages. */
bool lw_inv_meets_pages(const lw_invalidation *inv, uint32_t pasid, uint64_t first, uint64_t last);
bool lw_inv_covers(const lw_invalidation *inv, uint32_t pasid, uint64_t vpn);

#endif
