#include "c_model/walk/answer_cycle.h"

/* Whether the cycle's mark meets a PASID (R11.2). */
static bool is_met(const lw_iommu *u, const lw_answer_plan *p, uint32_t pasid) {
    return p->marks && lw_invalidation_meets(&u->invalidation, pasid);
}

/* R10.1 */
static void choose(const lw_iommu *u, lw_answer_plan *p) {
    p->walker = p->slot = LW_NONE;
    if (!lw_responses_has_walk_room(&u->responses)) {
        return;
    }
    const int32_t walker = lw_lowest_walker(u->walkers.in_state[LW_RESP]);
    if (walker == LW_NONE) {
        p->slot = lw_buffer_next_answer(&u->buffer);
    } else if (!u->buffer.reading) { /* else the entry that is being read comes before it */
        p->walker = walker;
        p->walker_stale = u->walkers.walker[walker].stale;
    }
}

void lw_answer_plan_make(const lw_iommu *u, bool marks, const lw_mapping *joined,
                         lw_answer_plan *p) {
    const lw_buffer *b = &u->buffer;
    const lw_answer *a = &u->answers.answer;
    p->marks = marks;
    p->epoch = u->invalidation.epoch;
    choose(u, p);
    p->read_slot = LW_NONE;
    if (b->reading) {
        p->read_slot = (int32_t)b->reading_slot;
        p->read_stale = lw_slots_has(&b->stale, b->reading_slot);
        p->read_epoch = b->reading_epoch;
    }
    p->fills = lw_answers_may_fill(&u->answers) && !is_met(u, p, lw_key_pasid(a->key));
    p->join_loads =
        joined != NULL && !p->fills && u->cfg.hw.tlb_partition != 0 && !is_met(u, p, joined->pasid);
}

void lw_answer_choose(lw_iommu *u, const lw_answer_plan *p, lw_places *places) {
    const bool entry = p->slot != LW_NONE;
    if (p->walker != LW_NONE) {
        lw_walkers_answered(&u->walkers, (uint32_t)p->walker);
    }
    lw_buffer_answer(&u->buffer, entry, p->epoch);
    places->freed += entry;
    lw_count(&u->counters, LW_C_COALESCED_ANSWERS, entry);
    if (p->walker != LW_NONE || entry) {
        lw_responses_promise(&u->responses);
    }
}

static void load_fill(lw_iommu *u, const lw_answer_plan *p, const lw_mapping *joined) {
    lw_answers *a = &u->answers;
    if (p->fills) {
        lw_answers_fill(a, &u->control);
    } else if (p->join_loads) {
        lw_answers_fill_joined(a, joined);
        lw_count(&u->counters, LW_C_JOINED, 1);
    } else {
        lw_answers_fill_nothing(a);
    }
    lw_count(&u->counters, LW_C_SUBREGION_FILLS, lw_answers_fills_subregion(a));
}

void lw_answer_cycle(lw_iommu *u, const lw_answer_plan *p, const lw_mapping *joined,
                     lw_fault *fault) {
    lw_answers *a = &u->answers;
    if (a->answer.valid) {
        const lw_response response = lw_answers_response(a);
        lw_responses_push(&u->responses, LW_WALK, &response);
        lw_answers_fault(a, fault);
    }
    if (a->answer.valid && a->answer.entry) {
        lw_buffer_leave_block(&u->buffer, a->answer.block);
    }
    load_fill(u, p, joined);
    if (p->walker != LW_NONE) { /* its registers stay when it goes to IDLE */
        const lw_pwst *w = &u->walkers.walker[p->walker];
        lw_answers_load_walker(a, w, p->walker_stale || is_met(u, p, lw_key_pasid(w->key)),
                               p->epoch);
    } else if (p->read_slot != LW_NONE) {
        const lw_entry *e = &u->buffer.entry[p->read_slot];
        lw_answers_load_entry(a, e, lw_buffer_block(&u->buffer, e),
                              p->read_stale || is_met(u, p, lw_key_pasid(e->key)), p->read_epoch);
    } else {
        lw_answers_load_nothing(a);
    }
}

bool lw_answer_other_epoch(const lw_iommu *u, bool epoch) {
    const lw_answer *a = &u->answers.answer;
    return (u->buffer.reading && u->buffer.reading_epoch != epoch) ||
           (a->valid && a->epoch != epoch);
}
