/* The contiguity checks that wait (R16.2): a ring of jobs (R14.1), each as a scan has asked for it.
 * What follows from a job being there already, or from there being no place, is the check's to
 * decide (contiguity.h).
 *
 * Order within a cycle: what is asked of it on the state at its beginning, then lw_check_queue_pop,
 * lw_check_queue_push, and lw_check_queue_mark in the cycle of a mark. */
#ifndef LW_C_MODEL_REACH_CHECK_QUEUE_H
#define LW_C_MODEL_REACH_CHECK_QUEUE_H

#include "c_model/base/signals.h"

enum { LW_CHECK_QUEUE_MAX = 16 };

typedef struct lw_check_queue {
    const lw_watch *watch;
    uint32_t places; /* CHECK_QUEUE: 1..16 */
    uint32_t head, count;
    lw_check job[LW_CHECK_QUEUE_MAX]; /* valid: JOB_LIVE */
} lw_check_queue;

void lw_check_queue_init(lw_check_queue *q, uint32_t places, const lw_watch *watch);

/* Whether two jobs are of one subregion of one address space. */
bool lw_check_is_same(const lw_check *a, const lw_check *b);
/* Whether a live job of the same subregion waits. */
bool lw_check_queue_has(const lw_check_queue *q, const lw_check *job);
bool lw_check_queue_is_full(const lw_check_queue *q);

/* Only where there is a place, as it was at the beginning of the cycle. */
void lw_check_queue_push(lw_check_queue *q, const lw_check *job);
/* The job at the head, live or not, which leaves (R16.3); only where there is one. Its words stay
 * until its place is taken again. */
const lw_check *lw_check_queue_pop(lw_check_queue *q);
/* R16.11 */
void lw_check_queue_mark(lw_check_queue *q, const lw_mark *mark);

#endif
