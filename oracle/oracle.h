/* The oracle's tracker: every request answered exactly once, and right (oracle/flat_walk.h).
 *
 * Shares no code with the model, the RTL or the memory side; it sees memory through a callback.
 *
 * Page tables that change while the unit works (00-guarantees.md, "Staleness"):
 *   lw_oracle_entry_changes(o, pa, old) before each write (lw_phys_mem_watch calls it so), and
 *     lw_oracle_set_root where a root changes;
 *   lw_oracle_invalidation_starts(o, pasid, first, last) when the unit takes an invalidation;
 *   lw_oracle_invalidation_done(o) in the cycle of its completion, after that cycle's response.
 * An answer is right over any mixture of the values that each entry, and the root, has had since
 * the transfer of the last completed invalidation that matches the page (a walker holds upper
 * levels from before and reads the leaf after). A change that is never invalidated may be seen late
 * or never; but a fault must rest on what memory held at the request's acceptance or later. The
 * order of the calls is the order of the events: what is told first has come first.
 *
 * A response costs one probe of a cache of answers, which a change empties; a change of the image
 * that is not told is not seen. */
#ifndef LW_ORACLE_ORACLE_H
#define LW_ORACLE_ORACLE_H

#include "common/error.h"
#include "oracle/flat_walk.h"
#include "oracle/hashed_walk.h"

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
    bool subregions, head_first, size_hints; /* see lw_flat_walk_query */
    bool links;                              /* answers may have links (CoLT) */
} lw_oracle_config;

typedef struct lw_oracle lw_oracle;

/* No PASID has a root. NULL and a sentence where a value is out of range. */
lw_oracle *lw_oracle_new(const lw_oracle_config *config, lw_error *err);
void lw_oracle_free(lw_oracle *o);

/* Gives the PASID a root (valid) or takes it away. PASIDs from `pasids` on never have one. False
 * and a sentence where the old root could not be kept (no memory). */
bool lw_oracle_set_root(lw_oracle *o, uint32_t pasid, bool valid, uint64_t root_frame,
                        lw_error *err);

/* Gives the PASID a hashed table too, before its first request: its answers then are that table's
 * (oracle/hashed_walk.h; the query but for its page and PASID), and the radix table of its root is
 * a second opinion. A page is changed in both, the radix table at once; what its entry was is told
 * again when the hashed table has followed. */
void lw_oracle_set_hashed(lw_oracle *o, uint32_t pasid, const lw_hashed_walk_query *tables);

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

/* False once the host had no memory for what must be remembered: what is refused from then on says
 * nothing of the unit. */
bool lw_oracle_is_whole(const lw_oracle *o);

/* See above. It must fit a watcher, so that it has found no memory is reported with the next
 * response or hit. */
void lw_oracle_entry_changes(lw_oracle *o, uint64_t pa, uint64_t old_value);

/* One invalidation at a time; its pages are VPNs (9 x levels bits), both ends included. */
void lw_oracle_invalidation_starts(lw_oracle *o, uint32_t pasid, uint64_t vpn_first,
                                   uint64_t vpn_last);
/* Where none has started since the last one was done, it is one of everything, and just now. */
void lw_oracle_invalidation_done(lw_oracle *o);

/* The contiguity bits that this level-2 entry lost before the transfer of the invalidation that was
 * completed last are known to nobody any more, of whichever page: software may change the heads
 * that they named (chapter 16, "What software owes"). */
void lw_oracle_contiguity_gone(lw_oracle *o, uint64_t pa);

uint32_t lw_oracle_in_flight(const lw_oracle *o);
uint64_t lw_oracle_checked(const lw_oracle *o); /* responses found right */

/* At the end: false and a sentence where a request is unanswered (how many, and the lowest id). */
bool lw_oracle_finish(const lw_oracle *o, lw_error *err);

#endif
