/* The oracle's tracker: every request answered exactly once, and right (oracle/flat_walk.h).
 *
 * Shares no code with the model, the RTL or the memory side; it sees memory through a callback.
 *
 * Page tables that change while the unit works:
 *   1. lw_oracle_remember(o, pasid, first, last), before the tables of that range change;
 *   2. lw_oracle_entry_changes(o, pa, old) before each write (lw_phys_mem_watch calls it so), and
 *      lw_oracle_set_root where the root changes;
 *   3. lw_oracle_invalidation_starts(o, pasid, first, last) when the unit takes the invalidation;
 *   4. lw_oracle_invalidation_done(o) in the cycle of its completion, after that cycle's response.
 * Between 1 and 4 an answer is right over any mixture of the old values and the new one of each
 * entry (a walker holds upper levels from before and reads the leaf after); from 4 on, only over
 * the new ones. Changes remembered after 3 outlive 4: what changes while an invalidation runs is
 * remembered anew. An entry that changes with no range remembered, but such as a running
 * invalidation covers, counts as one that nobody can have read before: tables being built.
 *
 * A response costs one probe of a cache of answers, which 2 empties; a change of the image that is
 * not told by 2 is not seen. */
#ifndef LW_ORACLE_ORACLE_H
#define LW_ORACLE_ORACLE_H

#include "common/error.h"
#include "oracle/flat_walk.h"

#include <stdbool.h>
#include <stdint.h>

#define LW_ORACLE_IDS_MAX (1u << 24)
#define LW_ORACLE_PASIDS_MAX (1u << 20)
#define LW_ORACLE_EVERY_PASID UINT32_MAX /* in lw_oracle_invalidation_starts */

typedef struct lw_oracle_config {
    uint32_t levels;   /* 4 or 5 */
    uint32_t pa_width; /* 32..52 bits */
    uint32_t ids;      /* request ids are 0..ids-1; 1..2^24 */
    uint32_t pasids;   /* PASIDs 0..pasids-1 can have a root; 1..2^20 */
    uint64_t (*read64)(void *ctx, uint64_t pa);
    /* Whether a failed read of the line excuses the response that is judged (NULL: memory never
     * fails). It is asked of the lines of the walk with the level that the response names. */
    bool (*line_may_fail)(void *ctx, uint64_t line_address);
    void *ctx;
    bool subregions, head_first; /* see lw_flat_walk_query */
    bool links;                  /* answers may have links (CoLT) */
} lw_oracle_config;

typedef struct lw_oracle lw_oracle;

/* No PASID has a root. NULL and a sentence where a value is out of range. */
lw_oracle *lw_oracle_new(const lw_oracle_config *config, lw_error *err);
void lw_oracle_free(lw_oracle *o);

/* Gives the PASID a root (valid) or takes it away. PASIDs from `pasids` on never have one. False
 * and a sentence where the old root could not be kept (no memory). */
bool lw_oracle_set_root(lw_oracle *o, uint32_t pasid, bool valid, uint64_t root_frame,
                        lw_error *err);

/* The answer over the image as it is now. `page_number` is VA[63:12]. */
lw_oracle_answer lw_oracle_answer_now(lw_oracle *o, uint32_t pasid, uint64_t page_number,
                                      uint32_t access);

/* A request enters the unit. False and a sentence where the id is in flight already or too large.
 */
bool lw_oracle_request(lw_oracle *o, uint32_t id, uint32_t pasid, uint64_t page_number,
                       uint32_t access, lw_error *err);

/* A response leaves the unit. False and a sentence, with the expected and the given answer, where
 * the id is not in flight or the answer is wrong in kind or level or, for OK, in pfn, size, W or X,
 * or where a link that leads to the page from a neighbour is not true: the neighbour's answer is
 * the page's, so many frames on. (Links may be missing: a TLB may know less.) The request then
 * counts as answered all the same. */
bool lw_oracle_response(lw_oracle *o, uint32_t id, const lw_oracle_answer *answer, lw_error *err);

/* A translation that was kept is used again, without asking the unit: whether it is still right, as
 * an answer with kind OK. False and a sentence, which begins with `where`. */
bool lw_oracle_hit(lw_oracle *o, const char *where, uint32_t pasid, uint64_t page_number,
                   uint32_t access, const lw_oracle_answer *answer, lw_error *err);

/* See above. Ranges are in VPNs (9 x levels bits), both ends included. The functions that return
 * bool fail only where there is no memory; lw_oracle_entry_changes, which must fit a watcher,
 * reports that with the next response. */
bool lw_oracle_remember(lw_oracle *o, uint32_t pasid, uint64_t vpn_first, uint64_t vpn_last,
                        lw_error *err);
void lw_oracle_entry_changes(lw_oracle *o, uint64_t pa, uint64_t old_value);

/* An invalidation drops what was remembered before it for ranges wholly inside its own. */
void lw_oracle_invalidation_starts(lw_oracle *o, uint32_t pasid, uint64_t vpn_first,
                                   uint64_t vpn_last);
/* Where no invalidation has started since the last one was done, drops all that is remembered. */
void lw_oracle_invalidation_done(lw_oracle *o);

uint32_t lw_oracle_in_flight(const lw_oracle *o);
uint64_t lw_oracle_checked(const lw_oracle *o); /* responses found right */

/* At the end: false and a sentence where a request is unanswered (how many, and the lowest id). */
bool lw_oracle_finish(const lw_oracle *o, lw_error *err);

#endif
