/* The operating system at work while kernels run: it changes page tables and sends invalidations.
 *
 * One event at a time, which is a plan (os_plan.h): change an entry (protect, move, unmap a page,
 * or put one back as it was), move a table to another frame, or change a PASID's root; then send
 * the invalidations that cover it, one after the other, to every PASID that reads what has changed;
 * or an invalidation of its own accord, of any type and also for PASIDs that are not there, or a
 * burst of them. So contiguity splinters and forms again under load. In a system with subregions
 * the contiguity bits follow each change; where other pages rest on the entry
 * (sim/tables/contiguity_bits.h), the bits go first, with an invalidation of their own. At any time
 * beside, pages become present or permit more without an invalidation.
 *
 * Rates are the system's, in 10000 cycles. One draw a cycle while idle, so a run is reproducible;
 * with all rates 0 it never acts. */
#ifndef LW_SIM_OS_OS_AGENT_H
#define LW_SIM_OS_OS_AGENT_H

#include "c_model/base/ports.h"
#include "common/error.h"
#include "oracle/oracle.h"
#include "sim/os/address_space.h"
#include "sim/os/region_moves.h"

typedef struct lw_os_agent lw_os_agent;

lw_os_agent *lw_os_agent_new(const lw_system *system, lw_address_spaces *spaces, lw_oracle *oracle,
                             uint64_t seed, lw_error *err);
void lw_os_agent_free(lw_os_agent *a);

/* The unit is asked for a page in the cycle `now` (near_changes, local_share). */
void lw_os_agent_asked(lw_os_agent *a, uint32_t pasid, uint64_t page, uint64_t now);

/* The invalidate port of this cycle, and the control port if it writes a root. */
void lw_os_agent_drive(const lw_os_agent *a, lw_inputs *in);
/* The end of the cycle: whether the invalidation was taken, and whether one was completed. False
 * and a sentence if the host's memory ran out. */
bool lw_os_agent_tick(lw_os_agent *a, bool taken, bool done, lw_error *err);
/* The first cycle, later than `now`, in which it may act by itself. */
uint64_t lw_os_agent_next_event(const lw_os_agent *a, uint64_t now);
/* Whether the unit has an invalidation and owes its completion. */
bool lw_os_agent_waits(const lw_os_agent *a);
/* Whether something is under way (a run ends only without). */
bool lw_os_agent_busy(const lw_os_agent *a);
/* Frames that no page maps now, kept for pages that will be put back. */
uint32_t lw_os_agent_frames_kept(const lw_os_agent *a);

/* Whether the frame was a node until the completion of what was owed for its end, not long ago:
 * nobody has a reason to read it. */
bool lw_os_agent_gone(const lw_os_agent *a, uint64_t frame);

/* What it has done so far. */
typedef struct lw_os_agent_counts {
    uint64_t page_changes, shared_changes; /* the latter: of an entry of several PASIDs */
    uint64_t appeared, permitted;          /* silent changes */
    uint64_t roots_replaced, roots_vanished, roots_blinked;
    uint64_t table_moves, tables_replaced; /* the latter: by one with other pages in it */
    uint64_t bursts, burst_invalidations;
    lw_region_moves regions;              /* of hashed tables */
    uint64_t migrations, remote_accesses; /* of a program larger than the GPU's memory */
} lw_os_agent_counts;
lw_os_agent_counts lw_os_agent_provoked(const lw_os_agent *a);

#endif
