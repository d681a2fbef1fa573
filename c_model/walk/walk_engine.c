#include "c_model/walk/walk_lookups.h"

static bool has_msc(const lw_walk *e) {
    return lw_structure_entries(&e->cfg->hw, LW_S_MSC) != 0;
}

void lw_walk_init(lw_walk *e, const lw_config *cfg, const lw_watch *watch) {
    e->cfg = cfg;
    lw_walkers_init(&e->walkers, cfg, watch);
    lw_miss_queue_init(&e->misses, cfg, watch);
    lw_buffer_init(&e->buffer, cfg, watch);
    lw_lookups_init(e, watch);
    lw_contiguity_init(&e->contiguity, cfg, watch);
    lw_answers_init(&e->answers, cfg, watch);
    if (has_msc(e)) {
        lw_msc_init(&e->msc, cfg, watch);
    }
}

/* ---------------------------------------------------------------- the plan of a cycle */

/* R10.1, R10.2: what reaches the answer port. */
static void plan_answers(const lw_walk *e, const lw_walk_inputs *in, lw_walk_plan *p) {
    const lw_buffer *b = &e->buffer;
    lw_answer_inputs *to = &p->to_answers;
    to->features = in->features;
    lw_walkers_result(&e->walkers, UINT32_MAX, &to->walker);
    lw_buffer_result(b, &to->entry);
    to->mark = in->mark;
    to->epoch = in->epoch;
    to->room = in->room;
    to->entry_ready = b->ready;
    to->entry_epoch = b->reading_epoch;
    lw_answers_plan(&e->answers, to, &p->answers);
}

/* R8.1, R16.6, R16.7; the memory request register and the walkers come first. */
static void plan_check(const lw_walk *e, lw_walk_plan *p) {
    const lw_walkers *w = &e->walkers;
    if (p->busy[LW_REQ] == 0 && (!w->req_valid || p->memory)) {
        p->head_asked = lw_contiguity_asks(&e->contiguity);
    }
    if (w->line_valid) {
        p->head_arrived = lw_contiguity_waits_for(&e->contiguity, w->line_tag);
    }
}

/* R4.2, R4.3, R4.9 */
static void plan_insertion(const lw_walk *e, const lw_walk_inputs *in, lw_walk_plan *p) {
    const lw_miss *m = &e->misses.next;
    const uint32_t takes_part = in->features->takes_part;
    p->inserts = m->valid && e->buffer.open;
    p->first_cl = 0;
    p->next_open = lw_buffer_next_open(&e->buffer, p->inserts);
    if (p->inserts && takes_part != 0 && !lw_mark_meets(&in->mark, lw_key_pasid(m->key))) {
        lw_flight flight[LW_WALKERS_MAX];
        const uint32_t flights = lw_walkers_flight(&e->walkers, flight);
        p->first_cl = lw_buffer_first_cl(m, flight, flights, takes_part);
    }
}

/* R5.18, R5.19, R5.26 */
static void plan_read(const lw_walk *e, const lw_walk_inputs *in, lw_walk_plan *p) {
    lw_walkers_plan_read(&e->walkers, in->mark.valid, &p->read);
    p->look = lw_buffer_named(&e->buffer, e->walkers.ask.slot);
    p->learnt = lw_buffer_learnt(&e->buffer);
    p->second.valid = false;
    if (lw_walkers_asks_tlb(&e->walkers, in->hit_room)) {
        p->second = lw_walkers_second(&e->walkers);
    }
    if (p->read.valid) {
        lw_buffer_read(&e->buffer, p->read.slot, &p->read.entry);
        p->read.near = in->features->takes_part != 0 && lw_buffer_is_near(&e->buffer, p->read.slot);
    }
}

/* Field by field in place: a plan returned is copied before its stores have left the pipeline. */
void lw_walk_plan_make(const lw_walk *e, const lw_walk_inputs *in, lw_walk_plan *p) {
    const lw_walkers *w = &e->walkers;
    const lw_buffer *b = &e->buffer;
    const lw_buffer_view view = {
        .search = &b->cam.search, .update = &b->cam.update, .oldest = lw_buffer_oldest(b)};
    p->head_asked = p->head_arrived = LW_NONE;
    p->to_answers.join.valid = false;
    memcpy(p->busy, w->in_state, sizeof p->busy);
    p->memory = w->req_valid && in->mem_req_ready;
    p->turns = lw_walkers_turns(w, &view, &in->mark, in->features->takes_part);
    p->awaited = e->cfg->hw.coalesce != 0 ? lw_buffer_awaits(b) : 0;
    plan_read(e, in, p);
    plan_insertion(e, in, p);
    if (e->cfg->hw.subregions != 0) {
        p->to_answers.join = lw_contiguity_join(&e->contiguity);
        plan_check(e, p);
    }
    plan_answers(e, in, p);
}

/* ---------------------------------------------------------------- the cycle */

bool lw_walk_choose(lw_walk *e, const lw_walk_inputs *in, const lw_walk_plan *p) {
    if (p->answers.walker) {
        lw_walkers_answered(&e->walkers, UINT32_MAX);
    }
    lw_buffer_answer(&e->buffer, p->answers.entry, in->epoch);
    lw_count(in->events, LW_C_COALESCED_ANSWERS, p->answers.entry);
    return p->answers.chosen;
}

bool lw_walk_choose_scanned(lw_walk *e, lw_walk_plan *p) {
    if (p->turns.scanner == LW_NONE) {
        return false;
    }
    const uint32_t scanner = UINT32_C(1) << p->turns.scanner;
    lw_result scanned;
    lw_walkers_result(&e->walkers, scanner, &scanned);
    if (!lw_answers_plan_scanned(&p->to_answers, &scanned, &p->answers)) {
        return false;
    }
    lw_walkers_answered(&e->walkers, scanner);
    return true;
}

/* The scan (R9.2) with what it leaves in the fill register (R6.5, R21.14), and the check that it
 * asks for (R16.1). */
static void scan(lw_walk *e, const lw_walk_inputs *in, const lw_turns *t, lw_check *check) {
    lw_walkers *w = &e->walkers;
    const uint32_t i = (uint32_t)t->scanner;
    const lw_pwst before = w->walker[i];
    const lw_scan_view view = {in->features, in->roots, t->scan_on_cam};
    lw_scan s;
    lw_walkers_scan(w, i, &view, in->events, &s);
    if (!t->scan_on_cam) {
        return;
    }
    lw_cam_take(&e->buffer.cam, &s.op);
    lw_cam_take_line(&e->buffer.cam, w->line, &s.as, in->features->contig_mask);
    if (lw_walkers_fill_pwc(w, &before, &s.own, in->features, &in->mark)) {
        const lw_pwc_query query = lw_walkers_query(&before);
        lw_pwc_load_fill(&e->pwc, &query, &s.own);
    }
    if (s.fill.valid) {
        lw_steps_load_fill(&e->steps, &s.fill);
    }
    *check = lw_walkers_check(&before, &s.own);
}

/* R5.20, or R7.7. */
static void look_or_advance(lw_walk *e, const lw_walk_inputs *in, const lw_walk_plan *p) {
    const lw_turns *t = &p->turns;
    lw_cam_op op = {.op = LW_OP_NONE};
    if (t->looks) {
        const lw_look look = {.features = in->features,
                              .roots = in->roots,
                              .mark = in->mark,
                              .learnt = p->learnt,
                              .second = p->second.valid,
                              .vain = t->vain};
        const lw_decision decision = lw_walkers_look(&e->walkers, &look, in->events, &op);
        lw_buffer_decide(&e->buffer, &decision);
    } else if (t->advancer != LW_NONE) {
        op = lw_walkers_advance(&e->walkers, (uint32_t)t->advancer, in->features, &in->mark);
    }
    if (op.op != LW_OP_NONE) {
        lw_cam_take(&e->buffer.cam, &op);
    }
}

/* R5.2, R5.3, R5.6, R5.18 */
static void read_entries(lw_walk *e, const lw_walk_inputs *in, const lw_walk_plan *p) {
    lw_walkers_load_read(&e->walkers, &p->read);
    lw_buffer_load_look(&e->buffer, p->look);
    lw_walkers_follow(&e->walkers, p->busy[LW_IDLE]);
    if (in->mark.valid) { /* R11.3 */
        return;
    }
    lw_walkers_ask(&e->walkers, &p->turns);
    if (p->turns.picker != LW_NONE) {
        lw_buffer_pick(&e->buffer, p->turns.oldest);
    }
}

/* The walkers' events, the CAM and the PWC. */
static void move_walkers(lw_walk *e, const lw_walk_inputs *in, const lw_walk_plan *p,
                         lw_check *check) {
    const lw_turns *t = &p->turns;
    lw_walkers *w = &e->walkers;
    check->valid = false;
    lw_buffer_operate(&e->buffer, in->features->takes_part, p->awaited, in->events);
    lw_lookups_cycle(e, in);
    if (t->scanner != LW_NONE) {
        scan(e, in, t, check);
    }
    lw_count(in->events, LW_C_STRAY_LINES, /* R8.4 */
             w->line_valid && t->scanner == LW_NONE && p->head_arrived == LW_NONE);
    look_or_advance(e, in, p);
    read_entries(e, in, p);
}

/* R8.1 */
static void load_request(lw_walk *e, const lw_walk_plan *p) {
    if (p->head_asked != LW_NONE) {
        const uint32_t place = (uint32_t)p->head_asked;
        lw_walkers_load_head(&e->walkers, place, lw_contiguity_line(&e->contiguity, place));
    } else if (p->memory || (!e->walkers.req_valid && p->busy[LW_REQ] != 0)) {
        lw_walkers_load_request(&e->walkers, p->busy[LW_REQ]);
    }
}

/* Chapter 16. */
static void check_cycle(lw_walk *e, const lw_walk_inputs *in, const lw_walk_plan *p,
                        const lw_check *check) {
    if (!lw_contiguity_is_busy(&e->contiguity) && !lw_msc_is_busy(&e->msc) && !check->valid &&
        p->head_arrived == LW_NONE) {
        return;
    }
    const lw_contiguity_events events = {.check = check,
                                         .line = e->walkers.line,
                                         .arrived = p->head_arrived,
                                         .error = e->walkers.line_error,
                                         .asked = p->head_asked,
                                         .join_taken = p->answers.join_taken};
    lw_contiguity_step(&e->contiguity, has_msc(e) ? &e->msc : NULL, &events, in->events);
}

/* R11.2: after the cycle's other work on walkers and entries, before the insertion. */
static void make_mark(lw_walk *e, const lw_walk_inputs *in, const lw_walk_plan *p) {
    const lw_mark *mark = &in->mark;
    lw_miss_queue_mark(&e->misses, mark, in->roots);
    lw_buffer_mark(&e->buffer, mark, in->roots);
    lw_walkers_mark(&e->walkers, mark, p->busy[LW_MEM]);
    lw_lookups_mark(e, mark);
    lw_contiguity_mark(&e->contiguity, mark);
}

void lw_walk_cycle(lw_walk *e, const lw_walk_inputs *in, const lw_walk_plan *p) {
    lw_check check;
    move_walkers(e, in, p, &check);
    const bool head_read = p->memory && e->walkers.req_tag >= e->cfg->hw.walkers;
    load_request(e, p);
    if (e->cfg->hw.subregions != 0) {
        check_cycle(e, in, p, &check);
    }
    const int32_t entering = lw_walkers_oldest(&e->walkers, p->busy[LW_PWC_REQ]); /* R6.1 */
    const bool looking = entering != LW_NONE || lw_lookups_under_way(e);
    if (looking) {
        lw_lookups_enter(e, entering, in->events);
    }
    if (in->mark.valid) {
        make_mark(e, in, p);
    }
    if (looking) {
        lw_lookups_advance(e, entering);
    }
    if (has_msc(e)) {
        lw_msc_sweep(&e->msc, &in->sweep);
    }
    lw_buffer_insert(&e->buffer, p->inserts ? &e->misses.next : NULL, p->first_cl, p->next_open);
    lw_count(in->events, LW_C_TLB_MISSES, p->inserts);
    lw_count(in->events, LW_C_HEAD_READS, head_read);
    lw_count(in->events, LW_C_PAGE_TABLE_ACCESSES, p->memory);
}

void lw_walk_end_second(lw_walk *e, const lw_second_end *end) {
    if (end->valid) {
        const lw_decision decision = lw_walkers_end_second(&e->walkers, end);
        lw_buffer_decide(&e->buffer, &decision);
    }
}

bool lw_walk_queue_miss(lw_walk *e, const lw_walk_plan *p, const lw_miss *decided) {
    return lw_miss_queue_step(&e->misses, p->inserts, decided);
}

/* ---------------------------------------------------------------- answers (chapter 10) */

bool lw_walk_answer(lw_walk *e, const lw_walk_inputs *in, const lw_walk_plan *p,
                    lw_response *response, lw_fault *fault) {
    lw_answers *a = &e->answers;
    if (!lw_answers_is_busy(a, &p->answers)) {
        return false;
    }
    const bool answers = a->answer.valid;
    if (answers) {
        *response = lw_answers_response(a);
        lw_answers_fault(a, fault);
    }
    lw_answers_step(a, &p->to_answers, &p->answers, in->events);
    return answers;
}

/* ---------------------------------------------------------------- what others ask */

void lw_walk_load_line(lw_walk *e, const lw_inputs *in) {
    if (in->mem_rsp_valid || e->walkers.line_valid) {
        lw_walkers_load_line(&e->walkers, in);
    }
}

bool lw_walk_under_way(const lw_walk *e) {
    return e->walkers.stale != 0 || lw_buffer_any_stale(&e->buffer) ||
           lw_miss_queue_any_stale(&e->misses) || e->contiguity.state == LW_CHECK_DRAIN;
}

bool lw_walk_old_epoch(const lw_walk *e, bool epoch) {
    const lw_answer *a = &e->answers.answer;
    return (e->buffer.reading && e->buffer.reading_epoch != epoch) ||
           (a->valid && a->epoch != epoch);
}

/* Whether the buffer and what waits for it have nothing to do of themselves: no insertion, OPEN
 * where it belongs, no pick, no answer. */
static bool is_buffer_quiet(const lw_walk *e) {
    const lw_buffer *b = &e->buffer;
    const bool picks = lw_buffer_any_eligible(b) && e->walkers.in_state[LW_IDLE] != 0;
    const bool inserts = e->misses.next.valid && b->open;
    return !picks && !inserts && !lw_miss_queue_move(&e->misses) && b->inserted == LW_NONE &&
           b->open == lw_buffer_next_open(b, false) && !b->ready && !b->reading &&
           b->answers == 0 && !lw_cam_is_busy(&b->cam) && lw_buffer_store_is_settled(b) &&
           lw_buffer_has_looked(b, e->walkers.ask.slot);
}

bool lw_walk_is_quiet(const lw_walk *e) {
    const lw_walkers *w = &e->walkers;
    const bool walkers_wait = w->count[LW_IDLE] + w->count[LW_MEM] == e->cfg->hw.walkers;
    if (!walkers_wait || !lw_walkers_have_followed(w) || w->line_valid || w->req_valid ||
        w->ask.valid || w->read.valid || lw_lookups_are_busy(e) || e->answers.answer.valid ||
        e->answers.fill.valid || e->answers.chosen) {
        return false;
    }
    return is_buffer_quiet(e) && !lw_contiguity_is_busy(&e->contiguity) && !lw_msc_is_busy(&e->msc);
}

void lw_walk_count_cycles(const lw_walk *e, lw_events *events, uint64_t n) {
    const lw_buffer *b = &e->buffer;
    const lw_walkers *w = &e->walkers;
    const uint32_t *count = w->count;
    uint32_t idle = LW_C_IDLE_PICK;
    if (b->entries == 0) {
        idle = LW_C_IDLE_EMPTY;
    } else if (!lw_buffer_any_eligible(b)) {
        idle = LW_C_IDLE_HELD;
    }
    lw_count_cycles(events, LW_C_WAITING, n,
                    b->entries + w->started_count - e->answers.walker_next);
    lw_count_cycles(events, idle, n, count[LW_IDLE]);
    lw_count_cycles(events, LW_C_PWC, n, count[LW_PWC_REQ] + count[LW_PWC_WAIT]);
    lw_count_cycles(events, LW_C_CAM, n, count[LW_READ] + count[LW_CAM]);
    lw_count_cycles(events, LW_C_MEMORY_PORT, n, count[LW_REQ]);
    lw_count_cycles(events, LW_C_MEMORY, n, count[LW_MEM]);
    lw_count_cycles(events, LW_C_RESPONSE_QUEUE, n, count[LW_RESP]);
}

void lw_walk_derive(lw_walk *e) {
    lw_buffer_derive(&e->buffer);
    lw_lookups_derive(e);
    lw_walkers_derive(&e->walkers);
}
