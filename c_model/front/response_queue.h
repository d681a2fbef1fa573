/* The response queue (chapter 10): the hit queue, the walk queue and the output register. What
 * enters the queues in a cycle is told first (lw_responses_enter), then the cycle is done
 * (lw_responses_step). */
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
    lw_response entering[2]; /* in this cycle; */
    uint32_t enters;         /* bit q: entering[q] is there */
} lw_responses;

void lw_responses_init(lw_responses *r, const lw_config *cfg, const lw_watch *watch);

/* R10.1: whether an answer may be chosen, on the state at the beginning of the cycle; and that one
 * is. */
static inline bool lw_responses_has_walk_room(const lw_responses *r) {
    return r->walk_used < r->cfg->hw.walk_queue;
}
void lw_responses_promise(lw_responses *r);

/* R3.3, R10.2: a response enters this queue, at most one each in a cycle. */
void lw_responses_enter(lw_responses *r, uint32_t queue, const lw_response *response);
/* R10.4, R10.5, R10.14: the end of the cycle; the output register is loaded if it `is_free`: empty,
 * or transferred in this cycle. True if the hit queue is popped or passed (R2.2). */
bool lw_responses_step(lw_responses *r, bool is_free);
/* R11.6: whether a response carries an EPOCH other than this. */
bool lw_responses_other_epoch(const lw_responses *r, bool epoch);

#endif
