/* The unit as a whole: its outputs, one cycle, idle cycles. */
#include "c_model/front/tlb_cycle.h"
#include "c_model/walk/answer_cycle.h"

#include <stdlib.h>

/* What a cycle decides on the state at its beginning (R0.1), before anything is written. */
typedef struct plan {
    uint32_t busy[LW_STATES];         /* the walkers by state */
    bool request, response, memory;   /* transfers */
    lw_turns turns;                   /* R4.4, R5.3, R5.6, R7.7, R9.2 */
    uint32_t candidate_slot;          /* R5.3 */
    lw_read read;                     /* R5.3, R5.6 */
    lw_pick_plan pick;                /* R5.2, R5.10 */
    lw_answer_plan answers;           /* R10.1 */
    int32_t next_free;                /* R4.2 */
    int32_t head_asked, head_arrived; /* R16.6, R16.7 */
    bool stale, old_epoch;            /* R11.5, R11.6, while they matter */
} plan;

static bool has_msc(const lw_iommu *u) {
    return lw_structure_entries(&u->cfg.hw, LW_S_MSC) != 0;
}

/* R0.2: everything zero but the ranks; of a unit whose memory is zero. */
static void start(lw_iommu *u) {
    lw_admission_init(&u->admission, &u->cfg, &u->watch);
    lw_control_init(&u->control, &u->cfg, &u->watch);
    lw_invalidation_init(&u->invalidation, &u->cfg, &u->watch);
    lw_walkers_init(&u->walkers, &u->cfg, &u->watch);
    lw_responses_init(&u->responses, &u->cfg, &u->watch);
    lw_counters_init(&u->counters, &u->watch);
    lw_buffer_init(&u->buffer, &u->cfg, &u->watch);
    lw_pwc_init(&u->pwc, &u->cfg, &u->watch);
    lw_tlb_init(&u->tlb, &u->cfg, &u->watch);
    lw_answers_init(&u->answers, &u->cfg, &u->watch);
    lw_check_init(&u->check, &u->cfg, &u->watch);
    if (has_msc(u)) {
        lw_msc_init(&u->msc, &u->cfg, &u->watch);
    }
    u->req_ready = lw_admission_ready(&u->admission, &u->buffer);
}

lw_iommu *lw_iommu_new(const lw_params *params, lw_error *err) {
    if (!lw_params_check(params, err)) {
        return NULL;
    }
    lw_iommu *u = calloc(1, sizeof *u);
    if (u == NULL) {
        (void)lw_fail(err, "no memory for a unit (%zu bytes)", sizeof *u);
        return NULL;
    }
    u->cfg = lw_config_of(params);
    start(u);
    return u;
}

void lw_iommu_reset(lw_iommu *u) {
    lw_entry entry[LW_BUFFER_MAX];
    const lw_config cfg = u->cfg;
    const lw_watch watch = u->watch;
    memcpy(entry, u->buffer.entry, sizeof entry);
    memset(u, 0, sizeof *u);
    u->cfg = cfg;
    start(u);
    lw_buffer_keep(&u->buffer, entry);
    lw_iommu_watch(u, watch.written, watch.ctx);
}

void lw_iommu_free(lw_iommu *u) {
    free(u);
}

/* R0.3: functions of the state alone. */
void lw_iommu_outputs(const lw_iommu *u, lw_outputs *out) {
    const lw_response *r = &u->responses.out;
    out->req_ready = u->req_ready;
    out->rsp_valid = u->responses.out_valid;
    out->rsp_id = r->id;
    out->rsp_kind = r->kind;
    out->rsp_level = r->level;
    out->rsp_size = r->size;
    out->rsp_perm = r->perm;
    out->rsp_pfn = r->pfn;
    out->mem_req_valid = u->walkers.req_valid; /* R8.2 */
    out->mem_req_tag = u->walkers.req_tag;
    out->mem_req_line = u->walkers.req_line;
    out->inv_ready = u->invalidation.state == LW_INV_IDLE; /* R11.1 */
    out->inv_done = u->invalidation.state == LW_INV_COMPLETE;
    out->ctl_rdata = u->control.rdata;
}

/* What n equal cycles count whatever happens in them (R12.5: 0 and 16; R12.6), on the state at
 * their beginning. */
static void count_cycles(lw_iommu *u, uint64_t n) {
    const lw_buffer *b = &u->buffer;
    const uint32_t *count = u->walkers.count;
    uint32_t idle = LW_C_IDLE_PICK;
    if (b->entries == 0) {
        idle = LW_C_IDLE_EMPTY;
    } else if (!lw_buffer_is_picking(b) && !lw_buffer_any_eligible(b) &&
               u->walkers.ask.what != LW_READ_TAKE && u->walkers.read.what != LW_READ_TAKE) {
        idle = LW_C_IDLE_HELD;
    }
    lw_count_cycles(&u->counters, LW_C_CYCLES, n, 1);
    lw_count_cycles(&u->counters, LW_C_WAITING, n, (b->entries + u->walkers.started_count));
    lw_count_cycles(&u->counters, idle, n, count[LW_IDLE]);
    lw_count_cycles(&u->counters, LW_C_PWC, n, (count[LW_PWC_REQ] + count[LW_PWC_WAIT]));
    lw_count_cycles(&u->counters, LW_C_CAM, n, count[LW_CAM]);
    lw_count_cycles(&u->counters, LW_C_MEMORY_PORT, n, count[LW_REQ]);
    lw_count_cycles(&u->counters, LW_C_MEMORY, n, count[LW_MEM]);
    lw_count_cycles(&u->counters, LW_C_RESPONSE_QUEUE, n, count[LW_RESP]);
}

/* R8.1, R16.6, R16.7; the memory request register and the walkers come first. */
static void plan_check(const lw_iommu *u, plan *p) {
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
static void make_plan(const lw_iommu *u, const lw_inputs *in, bool request,
                      const lw_mapping *joined, plan *p) {
    const lw_walkers *w = &u->walkers;
    const lw_buffer *b = &u->buffer;
    *p = (plan){.head_asked = LW_NONE, .head_arrived = LW_NONE};
    memcpy(p->busy, w->in_state, sizeof p->busy);
    p->request = request;
    p->response = u->responses.out_valid && in->rsp_ready;
    p->memory = w->req_valid && in->mem_req_ready;
    if (u->invalidation.state == LW_INV_WALKS) {
        p->stale = w->stale != 0 || lw_buffer_any_stale(b);
    } else if (u->invalidation.state == LW_INV_QUEUES) {
        const bool epoch = u->invalidation.epoch;
        p->old_epoch =
            lw_responses_other_epoch(&u->responses, epoch) || lw_answer_other_epoch(u, epoch);
    }
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
    out->checks = t->scan_on_cam && lw_check_wanted(&before, &own, &out->job);
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
static walked walk_cycle(lw_iommu *u, const plan *p) {
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
static void load_request(lw_iommu *u, const plan *p) {
    if (p->head_asked != LW_NONE) {
        const uint32_t place = (uint32_t)p->head_asked;
        lw_walkers_load_head(&u->walkers, place, lw_check_line(&u->check, place));
    } else if (p->memory || (!u->walkers.req_valid && p->busy[LW_REQ] != 0)) {
        lw_walkers_load_request(&u->walkers, p->busy[LW_REQ]);
    }
}

/* Section 16. */
static void check_cycle(lw_iommu *u, const plan *p, const walked *walks) {
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

/* Whether the buffer has nothing to do of itself: no miss, no pick but for a candidate that waits
 * for a walker or rounds that wait for that candidate, no answer, and FREE_SLOT where it belongs.
 */
static bool is_buffer_quiet(const lw_iommu *u) {
    const lw_buffer *b = &u->buffer;
    if (b->miss.valid || b->new_valid || b->checked || b->ready || b->reading || b->answers != 0 ||
        lw_cam_is_busy(&b->cam)) {
        return false;
    }
    lw_pick_plan p;
    const bool taken = b->candidate_held && u->walkers.in_state[LW_IDLE] != 0;
    lw_buffer_plan_pick(b, taken, false, &p);
    if (lw_pick_does_something(&p)) {
        return false;
    }
    const int32_t next_free = lw_buffer_next_free(b);
    return next_free == LW_NONE || b->free_slot == (uint32_t)next_free;
}

static bool is_quiet(const lw_iommu *u) {
    const lw_walkers *w = &u->walkers;
    const lw_responses *r = &u->responses;
    const bool walkers_wait = w->count[LW_IDLE] + w->count[LW_MEM] == u->cfg.hw.walkers;
    if (!walkers_wait || w->line_valid || w->req_valid || r->out_valid || lw_tlb_is_busy(&u->tlb) ||
        w->ask.what != LW_READ_NOTHING || w->read.what != LW_READ_NOTHING ||
        u->admission.freed != 0 || lw_pwc_is_busy(&u->pwc) || u->answers.answer.valid ||
        u->answers.fill_valid || r->queue[LW_HIT].count != 0 || r->queue[LW_WALK].count != 0) {
        return false;
    }
    if (u->invalidation.state != LW_INV_IDLE &&
        !(u->invalidation.state == LW_INV_WALKS && w->stale != 0)) {
        return false;
    }
    return is_buffer_quiet(u) && !lw_check_is_busy(&u->check);
}

static void tell_counters(lw_iommu *u) {
    if (u->watch.written != NULL) {
        lw_counters_tell(&u->counters);
    }
}

void lw_iommu_step(lw_iommu *u, const lw_inputs *in) {
    lw_control_read(&u->control, &u->counters, in->ctl_addr & 0xfff);
    lw_counters_begin(&u->counters);
    count_cycles(u, 1);
    const bool request = in->req_valid && u->req_ready;
    lw_count(&u->counters, LW_C_REQUEST_STALLS, in->req_valid && !request);
    if (!request && !in->mem_rsp_valid && !in->inv_valid && !in->ctl_write && is_quiet(u)) {
        tell_counters(u);
        return;
    }
    plan p;
    lw_mapping waiting;
    const lw_mapping *joined = NULL; /* R16.10 */
    if (u->cfg.hw.subregions != 0 && lw_check_join(&u->check, &waiting)) {
        joined = &waiting;
    }
    make_plan(u, in, request, joined, &p);
    const bool inv_done = u->invalidation.state == LW_INV_COMPLETE;
    lw_places places = {.request = p.request};
    lw_fault hit_fault = {0}, walk_fault = {0};

    /* the output register takes what the queues hold before this cycle's pushes (R10.4) */
    if (p.response || !u->responses.out_valid) {
        places.hit_popped = lw_responses_load(&u->responses);
    }
    lw_answer_choose(u, &p.answers, &places);
    const walked walks = walk_cycle(u, &p);
    places.freed += walks.freed;
    const bool head_read = p.memory && u->walkers.req_tag >= u->cfg.hw.walkers;
    load_request(u, &p);
    if (u->cfg.hw.subregions != 0) {
        check_cycle(u, &p, &walks);
    }

    /* R6.1; a walker that the mark sends to IDLE does not enter (R11.3) */
    int32_t entering = lw_lowest_walker(p.busy[LW_PWC_REQ]);
    if (entering != LW_NONE) {
        lw_walkers_enter_pwc(&u->walkers, (uint32_t)entering);
    }
    uint32_t keep = UINT32_MAX;
    if (p.turns.mark) {
        keep = mark(u);
        if (entering != LW_NONE && (keep >> entering & 1) == 0) {
            entering = LW_NONE;
        }
    }
    lw_count(&u->counters, LW_C_PWC_LOOKUPS, entering != LW_NONE);
    if (u->pwc.lookups != 0 || entering != LW_NONE) {
        move_lookups(u, entering, keep);
    }
    lw_count(&u->counters, LW_C_TLB_MISSES, lw_buffer_insert(&u->buffer, p.next_free));
    if (lw_tlb_has_work(u, p.request)) {
        lw_tlb_cycle(u, in, p.turns.mark, p.answers.epoch, &places, &hit_fault);
    }
    if (lw_answer_is_busy(u, &p.answers)) {
        lw_answer_cycle(u, &p.answers, joined, &walk_fault);
    }
    if (u->invalidation.state == LW_INV_SWEEP && has_msc(u)) {
        lw_msc_sweep(&u->msc, &u->invalidation);
    }
    if (in->mem_rsp_valid || u->walkers.line_valid) {
        lw_walkers_load_line(&u->walkers, in);
    }
    lw_admission_step(&u->admission, &places);
    if (in->inv_valid || u->invalidation.state != LW_INV_IDLE) {
        lw_invalidation_step(&u->invalidation, in, p.turns.mark, p.stale, p.old_epoch);
    }

    const bool clear = in->ctl_write && (in->ctl_addr & 0xfff) == LW_CTL_FAULT_INFO;
    if (clear || hit_fault.kind != LW_OK || walk_fault.kind != LW_OK) {
        lw_control_record(&u->control, &hit_fault, &walk_fault, clear);
    }
    if (in->ctl_write) {
        lw_control_write(&u->control, in->ctl_addr & 0xfff, in->ctl_wdata);
    }
    u->req_ready = lw_admission_ready(&u->admission, &u->buffer);
    lw_count(&u->counters, LW_C_RESPONSES, p.response);
    lw_count(&u->counters, LW_C_PAGE_TABLE_ACCESSES, p.memory);
    lw_count(&u->counters, LW_C_HEAD_READS, head_read);
    lw_count(&u->counters, LW_C_FAULTS, (hit_fault.kind != LW_OK) + (walk_fault.kind != LW_OK));
    lw_count(&u->counters, LW_C_INVALIDATIONS, inv_done);
    tell_counters(u);
}

uint64_t lw_iommu_idle_cycles(const lw_iommu *u) {
    return is_quiet(u) ? UINT64_MAX : 0;
}

/* The control address of the skipped cycles is 0, as in an lw_inputs that says nothing. */
void lw_iommu_skip(lw_iommu *u, uint64_t n, bool request_waits) {
    if (n == 0) {
        return;
    }
    lw_control_read(&u->control, &u->counters, LW_CTL_FEATURES);
    const uint64_t parts[] = {n - 1, 1}; /* the last cycle's events stand in INCREMENT (R12.5) */
    for (size_t i = n == 1; i < 2; i++) {
        lw_counters_begin(&u->counters);
        count_cycles(u, parts[i]);
        lw_count_cycles(&u->counters, LW_C_REQUEST_STALLS, parts[i], request_waits);
        tell_counters(u);
    }
}

uint64_t lw_iommu_counter(const lw_iommu *u, uint32_t number) {
    return lw_counters_total(&u->counters, number);
}

void lw_iommu_watch(lw_iommu *u, lw_written_fn *written, void *ctx) {
    u->watch = (lw_watch){written, ctx};
    lw_counters_watch(&u->counters);
}
