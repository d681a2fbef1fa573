/* The response queue (chapter 10): the hit queue, the walk queue and the output register. Pops and
 * loads are decided on the state at the beginning of the cycle, so lw_responses_load comes before
 * the pushes of the same cycle (R10.4). */
#ifndef LW_C_MODEL_FRONT_RESPONSE_QUEUE_H
#define LW_C_MODEL_FRONT_RESPONSE_QUEUE_H

#include "c_model/base/address.h"
#include "c_model/base/ports.h"
#include "c_model/base/signals.h"
#include "c_model/base/watch.h"

#include <string.h>

enum { LW_QUEUE_MAX = 64, LW_HIT = 0, LW_WALK = 1 };

typedef struct lw_queue {
    uint32_t depth, head, count;
    lw_response at[LW_QUEUE_MAX];
} lw_queue;

typedef struct lw_responses {
    const lw_config *cfg;
    const lw_watch *watch;
    lw_queue queue[2];  /* LW_HIT, LW_WALK */
    uint32_t walk_used; /* R10.1 */
    bool out_valid;
    uint8_t last;
    lw_response out;
} lw_responses;

void lw_responses_init(lw_responses *r, const lw_config *cfg, const lw_watch *watch);

/* R10.1: whether an answer may be chosen, on the state at the beginning of the cycle; and that one
 * is. */
static inline bool lw_responses_has_walk_room(const lw_responses *r) {
    return r->walk_used < r->cfg->hw.walk_queue;
}
void lw_responses_promise(lw_responses *r);

/* R10.5: loads the output register, which is empty or transferred in this cycle; it becomes empty
 * where the queues are. True if the hit queue is popped (R2.2). */
bool lw_responses_load(lw_responses *r);
/* R10.3, R10.4: one push at most for each queue and cycle, after the load. */
void lw_responses_push(lw_responses *r, uint32_t queue, const lw_response *response);
/* R11.6: whether a response carries an EPOCH other than this. */
bool lw_responses_other_epoch(const lw_responses *r, bool epoch);

#endif
