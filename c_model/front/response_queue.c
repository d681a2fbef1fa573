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

/* The registers of one response, in the order in which the catalogue has them for each of the
 * three places: ID KIND LEVEL PFN SIZE PERM EPOCH. */
static lw_cell response_cell(const lw_config *cfg, lw_response *p, uint32_t nth) {
    switch (nth) {
    case 0:
        return LW_CELL(p->id, cfg->hw.id_w, true);
    case 1:
        return LW_CELL(p->kind, 4, true);
    case 2:
        return LW_CELL(p->level, 3, true);
    case 3:
        return LW_CELL(p->pfn, cfg->pfn_w, true);
    case 4:
        return LW_CELL(p->size, 2, true);
    case 5:
        return LW_CELL(p->perm, 2, true);
    default:
        return LW_CELL(p->epoch, 1, true);
    }
}

static uint32_t width_of(uint32_t values) {
    return values <= 2 ? 1 : 32 - (uint32_t)__builtin_clz(values - 1);
}

lw_cell lw_responses_cell(lw_responses *r, lw_field field, uint32_t index) {
    if (field >= LW_F_HIT_QUEUE_HIT_ID && field <= LW_F_HIT_QUEUE_HIT_EPOCH) {
        return response_cell(r->cfg, &r->queue[LW_HIT].at[index], field - LW_F_HIT_QUEUE_HIT_ID);
    }
    if (field >= LW_F_WALK_QUEUE_WALK_ID && field <= LW_F_WALK_QUEUE_WALK_EPOCH) {
        return response_cell(r->cfg, &r->queue[LW_WALK].at[index], field - LW_F_WALK_QUEUE_WALK_ID);
    }
    lw_queue *hit = &r->queue[LW_HIT], *walk = &r->queue[LW_WALK];
    switch (field) {
    case LW_F_RESPONSE_HIT_HEAD:
        return LW_CELL(hit->head, width_of(hit->depth), true);
    case LW_F_RESPONSE_HIT_COUNT:
        return LW_CELL(hit->count, width_of(hit->depth + 1), true);
    case LW_F_RESPONSE_WALK_HEAD:
        return LW_CELL(walk->head, width_of(walk->depth), true);
    case LW_F_RESPONSE_WALK_COUNT:
        return LW_CELL(walk->count, width_of(walk->depth + 1), true);
    case LW_F_RESPONSE_WALK_USED:
        return LW_CELL(r->walk_used, width_of(walk->depth + 1), true);
    case LW_F_RESPONSE_LAST:
        return LW_CELL(r->last, 1, true);
    case LW_F_RESPONSE_OUT_VALID:
        return LW_CELL(r->out_valid, 1, true);
    default:
        return response_cell(r->cfg, &r->out, field - LW_F_RESPONSE_OUT_ID);
    }
}
