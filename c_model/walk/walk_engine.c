#include "c_model/walk/walk_engine.h"

static bool has_msc(const lw_iommu *u) {
    return lw_structure_entries(&u->cfg.hw, LW_S_MSC) != 0;
}

/* ---------------------------------------------------------------- answers (section 10) */

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

uint32_t lw_answer_choose(lw_iommu *u, const lw_answer_plan *p) {
    const bool entry = p->slot != LW_NONE;
    if (p->walker != LW_NONE) {
        lw_walkers_answered(&u->walkers, (uint32_t)p->walker);
    }
    lw_buffer_answer(&u->buffer, entry, p->epoch);
    lw_count(&u->counters, LW_C_COALESCED_ANSWERS, entry);
    if (p->walker != LW_NONE || entry) {
        lw_responses_promise(&u->responses);
    }
    return entry;
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

/* ---------------------------------------------------------------- the plan of a cycle */

/* R8.1, R16.6, R16.7; the memory request register and the walkers come first. */
static void plan_check(const lw_iommu *u, lw_walk_plan *p) {
    const lw_walkers *w = &u->walkers;
    if (p->busy[LW_REQ] == 0 && (!w->req_valid || p->memory)) {
        p->head_asked = lw_check_asks(&u->check);
    }
    if (w->line_valid) {
        p->head_arrived = lw_check_waits_for(&u->check, w->line_tag);
    }
}

/* Whether this cycle's mark meets the candidate (R11.2). */
static bool marks_candidate(const lw_iommu *u, bool mark) {
    const lw_buffer *b = &u->buffer;
    return mark &&
           lw_invalidation_meets(&u->invalidation, lw_key_pasid(b->entry[b->candidate_slot].key));
}

/* Field by field in place: a plan returned is copied before its stores have left the pipeline.
 * `joined` is the entry that waits in INSERT (R16.10), or NULL. */
void lw_walk_plan_make(const lw_iommu *u, const lw_inputs *in, const lw_mapping *joined,
                       lw_walk_plan *p) {
    const lw_walkers *w = &u->walkers;
    const lw_buffer *b = &u->buffer;
    *p = (lw_walk_plan){.head_asked = LW_NONE, .head_arrived = LW_NONE};
    memcpy(p->busy, w->in_state, sizeof p->busy);
    p->memory = w->req_valid && in->mem_req_ready;
    p->next_free = lw_buffer_next_free(b);
    p->turns = lw_walkers_turns(w, &b->cam, u->invalidation.state == LW_INV_MARK, b->candidate_held,
                                u->control.takes_part);
    p->candidate_slot = b->candidate_slot;
    lw_walkers_plan_read(w, b, u->control.takes_part, &p->read);
    lw_buffer_plan_pick(b, p->turns.chooser != LW_NONE, marks_candidate(u, p->turns.mark),
                        &p->pick);
    lw_answer_plan_make(u, p->turns.mark, joined, &p->answers);
    if (u->cfg.hw.subregions != 0) {
        plan_check(u, p);
    }
}

/* ---------------------------------------------------------------- the cycle */

/* What the walkers' part of a cycle leaves to others. */
typedef struct walked {
    uint32_t freed; /* buffer entries */
    bool checks;    /* R16.1: `job` is asked for */
    lw_job job;
} walked;

/* The scan (R9.2) with what it leaves in the PWC's fill register (R6.5). */
static void scan(lw_iommu *u, const lw_turns *t, walked *out) {
    lw_walkers *w = &u->walkers;
    const uint32_t i = (uint32_t)t->scanner;
    const lw_pwst before = w->walker[i];
    lw_verdict own;
    lw_walkers_scan(w, i, &u->buffer.cam, &u->control, &own);
    if (t->scan_on_cam && own.node && u->control.pwc_enable) {
        const lw_pwc_query query = lw_walkers_query(&before);
        lw_pwc_load_fill(&u->pwc, &query, &own);
    }
    out->checks = t->scan_on_cam && lw_walkers_want_check(&before, &own, &out->job);
}

/* R6.2 to R6.5: what the result register says is used, and the entries do their work. */
static void pwc_cycle(lw_iommu *u) {
    const lw_pwc_result *r = &u->pwc.result;
    if (!lw_pwc_is_busy(&u->pwc)) {
        return;
    }
    if (r->valid) {
        lw_count(&u->counters, LW_C_PWC_HITS, r->hit);
        if (r->walker < u->cfg.hw.walkers) { /* else only after a flip */
            lw_walkers_leave_pwc(&u->walkers, r);
        }
    }
    lw_pwc_step(&u->pwc);
}

/* R4.3: the level that the new entry is to wait on. */
static uint32_t new_cl(const lw_iommu *u, bool mark) {
    const lw_buffer *b = &u->buffer;
    if (!b->new_valid || (mark && lw_invalidation_meets(&u->invalidation, b->new_pasid))) {
        return 0;
    }
    return lw_walkers_lowest_access(&u->walkers, b, u->control.takes_part);
}

/* The walkers' events, the CAM and the PWC. */
static walked move_walkers(lw_iommu *u, const lw_walk_plan *p) {
    const lw_turns *t = &p->turns;
    lw_walkers *w = &u->walkers;
    lw_buffer *b = &u->buffer;
    walked out = {.freed = 0};
    if (lw_pick_does_something(&p->pick)) {
        lw_buffer_pick(b, &p->pick);
    }
    lw_buffer_operate(b, u->control.takes_part, &u->counters);
    if (b->new_valid || b->checked) {
        lw_buffer_check(b, new_cl(u, t->mark)); /* before the walkers move */
    }
    if (t->taker != LW_NONE) {
        lw_walkers_take(w, &u->control);
    }
    pwc_cycle(u);
    if (t->scanner != LW_NONE) {
        scan(u, t, &out);
    }
    lw_count(&u->counters, LW_C_STRAY_LINES, /* R8.4 */
             w->line_valid && t->scanner == LW_NONE && p->head_arrived == LW_NONE);
    if (t->committer != LW_NONE) {
        out.freed = lw_walkers_commit(w, b, &u->control, &u->counters);
    } else if (t->advancer != LW_NONE) {
        lw_walkers_advance(w, (uint32_t)t->advancer, &b->cam, &u->control);
    }
    lw_walkers_load_read(w, &p->read);
    lw_walkers_ask(w, t, p->candidate_slot);
    return out;
}

/* R8.1 */
static void load_request(lw_iommu *u, const lw_walk_plan *p) {
    if (p->head_asked != LW_NONE) {
        const uint32_t place = (uint32_t)p->head_asked;
        lw_walkers_load_head(&u->walkers, place, lw_check_line(&u->check, place));
    } else if (p->memory || (!u->walkers.req_valid && p->busy[LW_REQ] != 0)) {
        lw_walkers_load_request(&u->walkers, p->busy[LW_REQ]);
    }
}

/* Section 16. */
static void check_cycle(lw_iommu *u, const lw_walk_plan *p, const walked *walks) {
    if (!lw_check_is_busy(&u->check) && !walks->checks && p->head_arrived == LW_NONE) {
        return;
    }
    const lw_check_events events = {.job = walks->checks ? &walks->job : NULL,
                                    .line = u->walkers.line,
                                    .arrived = p->head_arrived,
                                    .error = u->walkers.line_error,
                                    .asked = p->head_asked,
                                    .sweeping = u->invalidation.state == LW_INV_SWEEP,
                                    .answer_fills = p->answers.fills};
    lw_check_step(&u->check, has_msc(u) ? &u->msc : NULL, &events, &u->counters);
}

/* R11.2, R11.3: after the cycle's other work on walkers and entries, before the insertion. Returns
 * the walkers whose lookups stay in the PWC's pipeline. */
static uint32_t mark(lw_iommu *u) {
    const lw_invalidation *inv = &u->invalidation;
    uint64_t meets[4] = {0};
    for (uint32_t pasid = 0; pasid < u->cfg.hw.pasids; pasid++) {
        meets[pasid / 64] |= (uint64_t)lw_invalidation_meets(inv, pasid) << (pasid % 64);
    }
    const uint32_t idle = lw_walkers_marked_idle(&u->walkers, inv);
    lw_buffer_mark(&u->buffer, meets);
    lw_walkers_mark(&u->walkers, inv);
    lw_pwc_mark(&u->pwc, inv);
    lw_check_mark(&u->check, inv);
    return ~idle;
}

/* R6.1, R6.6: the key of the lookup that is next compared, and the lookups one stage on. */
static void move_lookups(lw_iommu *u, int32_t entering, uint32_t keep) {
    const int32_t asked = lw_pwc_key_walker(&u->pwc, entering);
    if (asked != LW_NONE && (uint32_t)asked < u->cfg.hw.walkers) {
        const lw_pwc_query query = lw_walkers_query(&u->walkers.walker[asked]);
        lw_pwc_load_key(&u->pwc, &query);
    }
    lw_pwc_advance(&u->pwc, entering, keep);
}

uint32_t lw_walk_cycle(lw_iommu *u, const lw_walk_plan *p) {
    const walked walks = move_walkers(u, p);
    const bool head_read = p->memory && u->walkers.req_tag >= u->cfg.hw.walkers;
    load_request(u, p);
    if (u->cfg.hw.subregions != 0) {
        check_cycle(u, p, &walks);
    }
    /* R6.1; a walker that the mark sends to IDLE does not enter (R11.3) */
    int32_t entering = lw_lowest_walker(p->busy[LW_PWC_REQ]);
    if (entering != LW_NONE) {
        lw_walkers_enter_pwc(&u->walkers, (uint32_t)entering);
    }
    uint32_t keep = UINT32_MAX;
    if (p->turns.mark) {
        keep = mark(u);
        if (entering != LW_NONE && (keep >> entering & 1) == 0) {
            entering = LW_NONE;
        }
    }
    lw_count(&u->counters, LW_C_PWC_LOOKUPS, entering != LW_NONE);
    if (u->pwc.lookups != 0 || entering != LW_NONE) {
        move_lookups(u, entering, keep);
    }
    lw_count(&u->counters, LW_C_TLB_MISSES, lw_buffer_insert(&u->buffer, p->next_free));
    lw_count(&u->counters, LW_C_HEAD_READS, head_read);
    return walks.freed;
}
