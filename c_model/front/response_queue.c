#include "c_model/front/response_queue.h"

static const lw_structure queue_structure[2] = {LW_S_HIT_QUEUE, LW_S_WALK_QUEUE};

void lw_responses_init(lw_responses *r, const lw_config *cfg, const lw_watch *watch) {
    *r = (lw_responses){.cfg = cfg, .watch = watch};
    r->queue[LW_HIT].depth = cfg->hw.hit_queue;
    r->queue[LW_WALK].depth = cfg->hw.walk_queue;
}

void lw_responses_promise(lw_responses *r) {
    r->walk_used++;
    lw_touch(r->watch, LW_S_RESPONSE, 0);
}

void lw_responses_enter(lw_responses *r, uint32_t queue, const lw_response *response) {
    r->entering[queue] = *response;
    r->enters |= 1u << queue;
}

/* R10.4, R10.5: the output register is loaded from the queue that offers something, of two from the
 * one that was not popped last; what only enters now passes by (R10.14). */
static uint32_t load(lw_responses *r) {
    const bool empty = r->queue[LW_HIT].count + r->queue[LW_WALK].count == 0;
    const bool hit = empty ? (r->enters & 1u << LW_HIT) != 0 : r->queue[LW_HIT].count != 0;
    const bool walk = empty ? (r->enters & 1u << LW_WALK) != 0 : r->queue[LW_WALK].count != 0;
    if (!hit && !walk) {
        if (r->out_valid) {
            r->out_valid = false;
            lw_touch(r->watch, LW_S_RESPONSE, 0);
        }
        return 0;
    }
    const uint8_t from = hit && walk ? !r->last : (walk ? LW_WALK : LW_HIT);
    lw_queue *q = &r->queue[from];
    if (empty) {
        r->out = r->entering[from];
        r->enters &= ~(1u << from);
    } else {
        r->out = q->at[q->head % q->depth];
        q->head = q->head + 1 >= q->depth ? 0 : q->head + 1;
        q->count--;
    }
    r->out_valid = true;
    r->last = from;
    r->walk_used -= from == LW_WALK;
    lw_touch(r->watch, LW_S_RESPONSE, 0);
    return 1u << from;
}

static void push(lw_responses *r, uint32_t queue) {
    lw_queue *q = &r->queue[queue];
    /* R14.1: a pop of the same cycle has moved HEAD up and COUNT down, so their sum has stayed */
    const uint32_t place = (q->head + q->count) % q->depth;
    q->at[place] = r->entering[queue];
    q->count++;
    lw_touch(r->watch, queue_structure[queue], place);
    lw_touch(r->watch, LW_S_RESPONSE, 0);
}

bool lw_responses_step(lw_responses *r, bool is_free) {
    const uint32_t popped = is_free ? load(r) : 0;
    for (uint32_t i = 0; i < 2; i++) {
        if ((r->enters >> i & 1) != 0) {
            push(r, i);
        }
    }
    r->enters = 0;
    return (popped & 1u << LW_HIT) != 0;
}

bool lw_responses_other_epoch(const lw_responses *r, bool epoch) {
    if (r->out_valid && r->out.epoch != epoch) {
        return true;
    }
    for (uint32_t i = 0; i < 2; i++) {
        const lw_queue *q = &r->queue[i];
        for (uint32_t n = 0; n < q->count; n++) {
            if (q->at[(q->head + n) % q->depth].epoch != epoch) {
                return true;
            }
        }
    }
    return false;
}
