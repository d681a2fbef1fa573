/* Which page table each PASID has, and the changes of that: a root that is replaced by another
 * process's, or vanishes and comes back, as the same or as another's, while requests wait. So a
 * PASID has an old and a new owner, and several PASIDs may have one table. */
#ifndef LW_SIM_OS_OS_ROOTS_H
#define LW_SIM_OS_OS_ROOTS_H

#include "common/rng.h"
#include "sim/os/address_space.h"
#include "sim/os/os_plan.h"

typedef struct lw_os_roots lw_os_roots;

/* Every process has its own table at first. NULL where there is no memory. */
lw_os_roots *lw_os_roots_new(lw_address_spaces *spaces);
void lw_os_roots_free(lw_os_roots *r);

/* Plans one change of a root: what is written, and what has to be invalidated for it. */
void lw_os_roots_change(lw_os_roots *r, lw_rng *rng, lw_os_plan *plan);
/* The root was written. */
void lw_os_roots_written(lw_os_roots *r, const lw_os_step *step);

/* The process whose table the PASID has; false where it has none. */
bool lw_os_roots_table(const lw_os_roots *r, uint32_t pasid, uint32_t *process);

/* How many of the changes have been planned, by kind. */
typedef struct lw_os_root_counts {
    uint64_t replaced, vanished, blinked;
} lw_os_root_counts;
lw_os_root_counts lw_os_roots_counts(const lw_os_roots *r);

/* Plans the invalidations that are owed for a change of first..last in a process's table, by
 * every PASID whose walk of `vpn` reads the same entry of `level`: in any order, now exactly, now
 * generously. `one_page`: an invalidation of one page drops all of them (R3.11). */
typedef struct lw_os_debt {
    uint32_t process;
    uint64_t vpn;
    uint32_t level;
    uint64_t first, last;
    bool one_page;
    bool dawdles; /* before the first as well as between them: walks meet the change unannounced */
} lw_os_debt;
/* How many PASIDs these are is the answer. */
uint32_t lw_os_roots_owe(const lw_os_roots *r, const lw_os_debt *debt, lw_rng *rng,
                         lw_os_plan *plan);

#endif
