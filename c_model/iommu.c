/* The unit as a whole: its outputs, one cycle, idle cycles. */
#include "c_model/walk/walk_engine.h"

#include <stdlib.h>

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
    u->req_ready = lw_admission_ready(&u->admission, u->buffer.next_seq, u->buffer.block_live);
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

/* ---------------------------------------------------------------- the TLB (section 3) */

/* Whether the TLB has something to do in a cycle with or without a request transfer. */
static bool tlb_has_work(const lw_iommu *u, bool request) {
    return request || lw_tlb_is_busy(&u->tlb) || u->answers.fill_valid || u->buffer.miss.valid ||
           u->invalidation.state == LW_INV_SWEEP;
}

/* R3.3 */
static void end_lookup(lw_iommu *u, const lw_request *q, const lw_lookup *l, bool epoch,
                       lw_fault *fault) {
    lw_responses_push(&u->responses, LW_HIT,
                      &(lw_response){l->hit ? l->pfn : 0, q->id, l->kind, l->hit ? l->links : 0,
                                     l->hit ? l->size : 0, l->hit ? l->perm : 0, epoch});
    if (l->kind != LW_OK) {
        *fault = (lw_fault){l->kind, 0, q->access, q->pasid, q->src, q->page};
    }
}

/* Decision, lookup, and what happens to the entries. */
static void use_table(lw_iommu *u, const lw_request *q, bool mark, lw_lookup *l) {
    lw_tlb *t = &u->tlb;
    const lw_mapping *fill = u->answers.fill_valid ? &u->answers.fill : NULL;
    const lw_invalidation *inv = &u->invalidation;
    l->hit = false;
    if (q != NULL) {
        lw_tlb_decide(t, q, &u->control, l);
    }
    if (lw_tlb_is_busy(t)) {
        lw_tlb_look_up(t);
    }
    if (l->hit) {
        lw_count(&u->counters, LW_C_TLB_HITS, 1);
        lw_count(&u->counters, LW_C_SUBREGION_HITS, l->subregion);
    }
    lw_tlb_step(t, &(lw_tlb_events){.hit = l->hit ? (int32_t)l->entry : LW_NONE,
                                    .sweep = inv->state == LW_INV_SWEEP ? inv : NULL,
                                    .fill = fill,
                                    .marked = mark && fill != NULL &&
                                              lw_invalidation_meets(inv, fill->pasid)});
}

static void advance(lw_iommu *u, const lw_inputs *in, bool request) {
    lw_tlb *t = &u->tlb;
    if (!request) {
        if (t->lookups != 0) {
            lw_tlb_advance(t, NULL);
        }
        return;
    }
    lw_tlb_advance(t, &(lw_request){.page = in->req_page & ((UINT64_C(1) << 52) - 1),
                                    .pasid = in->req_pasid & 0xfffff,
                                    .id = (uint16_t)(in->req_id & ((1u << u->cfg.hw.id_w) - 1)),
                                    .src = (uint16_t)(in->req_src & ((1u << u->cfg.hw.src_w) - 1)),
                                    .access = in->req_access & 3,
                                    .valid = true});
    lw_count(&u->counters, LW_C_REQUESTS, 1);
}

/* With what the fill register holds; the insertion register, whose content has been inserted, is
 * loaded. `mark`: a mark takes place; `epoch`: R10.6. The places that admission promises (`places`,
 * which knows of the request transfer), and a fault that enters the hit queue, are added to
 * `places` and `fault`. */
static void tlb_cycle(lw_iommu *u, const lw_inputs *in, bool mark, bool epoch, lw_places *places,
                      lw_fault *fault) {
    const lw_request *q = lw_tlb_last_stage(&u->tlb);
    lw_lookup l;
    use_table(u, q, mark, &l);
    places->miss = q != NULL && l.kind == LW_OK && !l.hit;
    places->no_miss = q != NULL && !places->miss;
    if (places->no_miss) {
        end_lookup(u, q, &l, epoch, fault);
    }
    if (places->miss) { /* R4.2 */
        lw_buffer_load_miss(&u->buffer, q->pasid, q->page & u->cfg.vpn_mask, q->access, q->id,
                            q->src);
    } else {
        lw_buffer_no_miss(&u->buffer);
    }
    advance(u, in, places->request);
}

/* ---------------------------------------------------------------- the cycle */

/* What an invalidation waits for (R11.5, R11.6), while it matters. */
typedef struct outlived {
    bool stale, old_epoch;
} outlived;

static outlived what_waits(const lw_iommu *u) {
    outlived o = {false, false};
    if (u->invalidation.state == LW_INV_WALKS) {
        o.stale = u->walkers.stale != 0 || lw_buffer_any_stale(&u->buffer);
    } else if (u->invalidation.state == LW_INV_QUEUES) {
        const bool epoch = u->invalidation.epoch;
        o.old_epoch =
            lw_responses_other_epoch(&u->responses, epoch) || lw_answer_other_epoch(u, epoch);
    }
    return o;
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
    lw_walk_plan p;
    lw_mapping waiting;
    const lw_mapping *joined = NULL; /* R16.10 */
    if (u->cfg.hw.subregions != 0 && lw_check_join(&u->check, &waiting)) {
        joined = &waiting;
    }
    lw_walk_plan_make(u, in, joined, &p);
    const outlived waits = what_waits(u);
    const bool response = u->responses.out_valid && in->rsp_ready;
    const bool inv_done = u->invalidation.state == LW_INV_COMPLETE;
    lw_places places = {.request = request};
    lw_fault hit_fault = {0}, walk_fault = {0};

    /* the output register takes what the queues hold before this cycle's pushes (R10.4) */
    if (response || !u->responses.out_valid) {
        places.hit_popped = lw_responses_load(&u->responses);
    }
    places.freed += lw_answer_choose(u, &p.answers);
    places.freed += lw_walk_cycle(u, &p);
    if (tlb_has_work(u, request)) {
        tlb_cycle(u, in, p.turns.mark, p.answers.epoch, &places, &hit_fault);
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
        lw_invalidation_step(&u->invalidation, in, p.turns.mark, waits.stale, waits.old_epoch);
    }

    const bool clear = in->ctl_write && (in->ctl_addr & 0xfff) == LW_CTL_FAULT_INFO;
    if (clear || hit_fault.kind != LW_OK || walk_fault.kind != LW_OK) {
        lw_control_record(&u->control, &hit_fault, &walk_fault, clear);
    }
    if (in->ctl_write) {
        lw_control_write(&u->control, in->ctl_addr & 0xfff, in->ctl_wdata);
    }
    u->req_ready = lw_admission_ready(&u->admission, u->buffer.next_seq, u->buffer.block_live);
    lw_count(&u->counters, LW_C_RESPONSES, response);
    lw_count(&u->counters, LW_C_PAGE_TABLE_ACCESSES, p.memory);
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
