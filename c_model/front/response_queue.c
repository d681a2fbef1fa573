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

bool lw_responses_load(lw_responses *r) {
    const bool hit = r->queue[LW_HIT].count != 0, walk = r->queue[LW_WALK].count != 0;
    if (!hit && !walk) {
        if (r->out_valid) {
            r->out_valid = false;
            lw_touch(r->watch, LW_S_RESPONSE, 0);
        }
        return false;
    }
    const uint8_t from = hit && walk ? !r->last : (walk ? LW_WALK : LW_HIT);
    lw_queue *q = &r->queue[from];
    r->out = q->at[q->head % q->depth];
    r->out_valid = true;
    r->last = from;
    q->head = q->head + 1 >= q->depth ? 0 : q->head + 1;
    q->count--;
    r->walk_used -= from == LW_WALK;
    lw_touch(r->watch, LW_S_RESPONSE, 0);
    return from == LW_HIT;
}

void lw_responses_push(lw_responses *r, uint32_t queue, const lw_response *response) {
    lw_queue *q = &r->queue[queue];
    /* R14.1: a pop of the same cycle has moved HEAD up and COUNT down, so their sum has stayed */
    const uint32_t place = (q->head + q->count) % q->depth;
    q->at[place] = *response;
    q->count++;
    lw_touch(r->watch, queue_structure[queue], place);
    lw_touch(r->watch, LW_S_RESPONSE, 0);
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
