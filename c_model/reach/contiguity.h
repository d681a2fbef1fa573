/* The contiguity check (chapter 16): finds out, after a page of a contiguous subregion has been
 * answered, whether neighbouring subregions join it, and then gives the TLB one entry for them all.
 * No walker and no answer waits for it.
 *
 * Order within a cycle: the plan (lw_contiguity_asks, lw_contiguity_waits_for, lw_contiguity_join)
 * on the state at its beginning, then lw_contiguity_step, then lw_contiguity_mark in the cycle of a
 * mark. */
#ifndef LW_C_MODEL_REACH_CONTIGUITY_H
#define LW_C_MODEL_REACH_CONTIGUITY_H

#include "c_model/base/signals.h"
#include "c_model/reach/check_queue.h"
#include "c_model/reach/msc.h"

/* R16.3 */
enum {
    LW_CHECK_IDLE,
    LW_CHECK_LOOKUP,
    LW_CHECK_READ,
    LW_CHECK_JOIN,
    LW_CHECK_FILL,
    LW_CHECK_INSERT,
    LW_CHECK_DRAIN,
    LW_CHECK_COMPARE
};

typedef struct lw_head {
    uint64_t pfn;
    uint8_t perm;
    bool ok;
} lw_head;

typedef struct lw_contiguity {
    const lw_config *cfg;
    const lw_watch *watch;
    uint8_t state, map, step, asked, got; /* asked, got: a bit a place */
    lw_check job; /* under way, but for `pfn` and `valid`, which are no registers here */
    lw_head head[LW_HEADS];
    lw_check_queue queue; /* empty with HEAD_FIRST (R16.13) */
} lw_contiguity;

/* What reaches the check in a cycle. */
typedef struct lw_contiguity_events {
    const lw_check *check; /* that the cycle's scan asks for, if it is valid */
    const uint64_t *line;  /* in the line register */
    int32_t arrived;       /* the place whose head that is, or LW_NONE */
    bool error;            /* its error bit */
    int32_t asked;         /* the place that the memory request register takes, or LW_NONE */
    bool join_taken;       /* R3.13: the joined entry that waits in INSERT is */
} lw_contiguity_events;

void lw_contiguity_init(lw_contiguity *c, const lw_config *cfg, const lw_watch *watch);

/* Whether there is something to do in a cycle in which no line arrives. */
bool lw_contiguity_is_busy(const lw_contiguity *c);
/* R16.6: the place whose head is asked for, or LW_NONE; and its line. */
int32_t lw_contiguity_asks(const lw_contiguity *c);
uint64_t lw_contiguity_line(const lw_contiguity *c, uint32_t place);
/* R16.7, R8.4: the place whose head has this tag, if it is asked for and not yet got, or LW_NONE.
 */
int32_t lw_contiguity_waits_for(const lw_contiguity *c, uint32_t tag);
/* R16.10: the joined entry that waits in INSERT, if there is one. */
lw_join lw_contiguity_join(const lw_contiguity *c);

/* `msc` is NULL where there is none (R16.13). */
void lw_contiguity_step(lw_contiguity *c, lw_msc *msc, const lw_contiguity_events *e,
                        lw_events *counted);
/* R16.11 */
void lw_contiguity_mark(lw_contiguity *c, const lw_mark *mark);

#endif
