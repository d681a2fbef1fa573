/* The unit as a whole: its outputs, one cycle, idle cycles. */
#include "c_model/iommu_parts.h"

#include <stdlib.h>

/* R0.2: everything zero but the ranks; of a unit whose memory is zero. */
static void start(lw_iommu *u) {
    lw_admission_init(&u->admission, &u->cfg, &u->watch);
    lw_control_init(&u->control, &u->cfg, &u->watch);
    lw_invalidation_init(&u->invalidation, &u->cfg, &u->watch);
    lw_responses_init(&u->responses, &u->cfg, &u->watch);
    lw_counters_init(&u->counters, &u->watch);
    lw_walk_init(&u->walk, &u->cfg, &u->watch);
    lw_tlb_init(&u->tlb, &u->cfg, &u->watch);
    u->req_ready = lw_admission_ready(&u->admission, false);
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
    lw_buffer_entry entry[LW_BUFFER_MAX];
    const lw_config cfg = u->cfg;
    const lw_watch watch = u->watch;
    memcpy(entry, u->walk.buffer.entry, sizeof entry);
    memset(u, 0, sizeof *u);
    u->cfg = cfg;
    start(u);
    lw_buffer_keep(&u->walk.buffer, entry);
    lw_iommu_watch(u, watch.written, watch.ctx);
    lw_iommu_follow(u, watch.moves);
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
    out->mem_req_valid = u->walk.walkers.req_valid; /* R8.2 */
    out->mem_req_tag = u->walk.walkers.req_tag;
    out->mem_req_line = u->walk.walkers.req_line;
    out->inv_ready = u->invalidation.state == LW_INV_IDLE; /* R11.1 */
    out->inv_done = u->invalidation.state == LW_INV_COMPLETE;
    out->ctl_rdata = u->control.rdata;
}

/* What n equal cycles count whatever happens in them (R12.5: 0 and 16; R12.6), on the state at
 * their beginning. */
static void count_cycles(lw_iommu *u, uint64_t n) {
    lw_count_cycles(&u->events, LW_C_CYCLES, n, 1);
    lw_walk_count_cycles(&u->walk, &u->events, n);
}

/* ---------------------------------------------------------------- the TLB (chapter 3) */

/* Whether the TLB has something to do in a cycle in which a lookup begins or none does. */
static bool tlb_has_work(const lw_iommu *u, bool begins) {
    return begins || lw_tlb_is_busy(&u->tlb) || u->walk.answers.fill.valid ||
           u->invalidation.state == LW_INV_SWEEP;
}

/* R3.3 */
static void end_lookup(lw_iommu *u, const lw_request *q, const lw_lookup *l, bool epoch,
                       lw_fault *fault) {
    lw_responses_enter(&u->responses, LW_HIT,
                       &(lw_response){l->hit ? l->pfn : 0, q->id, l->kind, l->hit ? l->links : 0,
                                      l->hit ? l->size : 0, l->hit ? l->perm : 0, epoch});
    lw_move(&u->watch, q->id, LW_STAGE_RESPONSE);
    if (l->kind != LW_OK) {
        *fault = (lw_fault){l->kind, 0, q->access, q->pasid, q->src, q->page};
    }
}

/* Decision, lookup, and what happens to the entries. */
static void use_table(lw_iommu *u, const lw_request *q, const lw_mark *mark, const lw_sweep *by,
                      lw_lookup *l) {
    lw_tlb *t = &u->tlb;
    const lw_fill *fill = &u->walk.answers.fill;
    l->hit = false;
    if (q != NULL) {
        lw_tlb_decide(t, q, &u->control.features, l);
    }
    if (lw_tlb_is_busy(t)) {
        lw_tlb_look_up(t, &u->control.roots);
    }
    if (l->hit && q->second) {
        lw_count(&u->events, LW_C_SECOND_HITS, 1);
    } else if (l->hit) {
        lw_count(&u->events, LW_C_TLB_HITS, 1);
        lw_count(&u->events, LW_C_SUBREGION_HITS, l->subregion);
    }
    lw_tlb_step(t, &(lw_tlb_events){.hit = l->hit ? (int32_t)l->entry : LW_NONE,
                                    .sweep = by,
                                    .fill = fill,
                                    .marked = lw_mark_meets(mark, fill->pasid)});
}

/* R3.1: a request transfer, or a `second` lookup, if it is valid, never both (R2.4), or neither. */
static void advance(lw_iommu *u, const lw_inputs *in, bool request, const lw_request *second) {
    lw_tlb *t = &u->tlb;
    if (!request) {
        if (second->valid || t->lookups != 0) {
            lw_tlb_advance(t, second->valid ? second : NULL);
        }
        return;
    }
    const uint16_t id = (uint16_t)(in->req_id & ((1u << u->cfg.hw.id_w) - 1));
    lw_tlb_advance(t, &(lw_request){.page = in->req_page & ((UINT64_C(1) << 52) - 1),
                                    .pasid = in->req_pasid & 0xfffff,
                                    .id = id,
                                    .src = (uint16_t)(in->req_src & ((1u << u->cfg.hw.src_w) - 1)),
                                    .access = in->req_access & 3,
                                    .valid = true});
    lw_count(&u->events, LW_C_REQUESTS, 1);
    lw_move_begin(&u->watch, id);
}

/* What a lookup that is decided leaves behind: a miss of a request (R4.8), a fault that enters the
 * hit queue, the end of a second lookup (R5.28). */
typedef struct decided {
    lw_miss miss;
    lw_fault fault;
    lw_second_end second;
} decided;

/* The end of the lookup in the last stage; its response enters the hit queue unless it misses. */
static void decide(lw_iommu *u, const lw_request *q, const lw_lookup *l, bool epoch,
                   lw_places *places, decided *d) {
    const bool misses = l->kind == LW_OK && !l->hit;
    if (!misses) {
        end_lookup(u, q, l, epoch, &d->fault);
    }
    if (q->second) {
        places->second_miss = misses;
        d->second = (lw_second_end){.valid = true, .hit = !misses, .walker = q->walker};
        return;
    }
    places->miss = misses;
    places->no_miss = !misses;
    if (misses) {
        d->miss = (lw_miss){.key = lw_key(q->pasid, q->page & u->cfg.vpn_mask),
                            .id = q->id,
                            .src = q->src,
                            .access = q->access,
                            .valid = true};
        lw_move(&u->watch, q->id, LW_STAGE_QUEUE);
    }
}

/* With what the fill register holds; of `walk` the mark of this cycle, the sweep and EPOCH (R10.6).
 * `places`, which knows of the lookup that begins, `second` if that is one, is told of the places
 * that admission promises. */
static void tlb_cycle(lw_iommu *u, const lw_inputs *in, const lw_walk_inputs *walk,
                      const lw_request *second, lw_places *places, decided *d) {
    const lw_request *q = lw_tlb_last_stage(&u->tlb);
    lw_lookup l;
    use_table(u, q, &walk->mark, &walk->sweep, &l);
    if (q != NULL) {
        decide(u, q, &l, walk->epoch, places, d);
    }
    advance(u, in, places->request, second);
}

/* ---------------------------------------------------------------- the cycle */

/* What an invalidation waits for (R11.5, R11.6), while it matters. */
typedef struct outlived {
    bool under_way, old_epoch;
} outlived;

static outlived what_waits(const lw_iommu *u) {
    outlived o = {false, false};
    if (u->invalidation.state == LW_INV_WALKS) {
        o.under_way = lw_walk_under_way(&u->walk);
    } else if (u->invalidation.state == LW_INV_QUEUES) {
        const bool epoch = u->invalidation.epoch;
        o.old_epoch =
            lw_responses_other_epoch(&u->responses, epoch) || lw_walk_old_epoch(&u->walk, epoch);
    }
    return o;
}

/* Whether nothing changes until something comes in. */
static bool is_quiet(const lw_iommu *u) {
    if (u->quiet) {
        return true;
    }
    const lw_responses *r = &u->responses;
    const lw_invalidation *v = &u->invalidation;
    if (r->out_valid || r->queue[LW_HIT].count != 0 || r->queue[LW_WALK].count != 0 ||
        lw_tlb_is_busy(&u->tlb)) {
        return false;
    }
    if (v->state != LW_INV_IDLE && !(v->state == LW_INV_WALKS && u->walk.walkers.stale != 0)) {
        return false;
    }
    return lw_walk_is_quiet(&u->walk);
}

static void tell_counters(lw_iommu *u) {
    if (u->watch.written != NULL) {
        lw_counters_tell(&u->counters, &u->events);
    }
}

/* R12.1 */
static void read_control(lw_iommu *u, uint32_t next) {
    uint32_t number;
    const bool counter = lw_control_reads_counter(&u->control, &number);
    lw_control_read(&u->control, counter ? lw_counters_count(&u->counters, number) : 0, next);
}

void lw_iommu_step(lw_iommu *u, const lw_inputs *in) {
    read_control(u, in->ctl_addr & 0xfff);
    lw_counters_begin(&u->counters, &u->events);
    count_cycles(u, 1);
    const bool request = in->req_valid && u->req_ready;
    lw_count(&u->events, LW_C_REQUEST_STALLS, in->req_valid && !request);
    u->quiet = !request && !in->mem_rsp_valid && !in->inv_valid && !in->ctl_write && is_quiet(u);
    if (u->quiet) {
        tell_counters(u);
        return;
    }
    const lw_walk_inputs walk = {.features = &u->control.features,
                                 .roots = &u->control.roots,
                                 .mark = lw_invalidation_mark(&u->invalidation),
                                 .sweep = lw_invalidation_sweep(&u->invalidation),
                                 .epoch = u->invalidation.epoch,
                                 .room = lw_responses_has_walk_room(&u->responses),
                                 .hit_room = lw_admission_has_hit_room(&u->admission),
                                 .mem_req_ready = in->mem_req_ready,
                                 .events = &u->events};
    lw_walk_plan p;
    lw_walk_plan_make(&u->walk, &walk, &p);
    const outlived waits = what_waits(u);
    const bool response = u->responses.out_valid && in->rsp_ready;
    const bool inv_done = u->invalidation.state == LW_INV_COMPLETE;
    lw_places places = {.request = request, .second = p.second.valid};
    decided lookup = {.fault = {0}};
    lw_fault walk_fault = {0};
    lw_response answer;

    if (response) {
        lw_move_end(&u->watch, u->responses.out.id);
    }
    if (lw_walk_choose(&u->walk, &walk, &p)) {
        lw_responses_promise(&u->responses);
    }
    lw_walk_cycle(&u->walk, &walk, &p);
    if (lw_walk_choose_scanned(&u->walk, &p)) {
        lw_responses_promise(&u->responses);
    }
    if (tlb_has_work(u, request || p.second.valid)) {
        tlb_cycle(u, in, &walk, &p.second, &places, &lookup);
        lw_walk_end_second(&u->walk, &lookup.second);
    }
    places.miss_left = lw_walk_queue_miss(&u->walk, &p, &lookup.miss);
    if (lw_walk_answer(&u->walk, &walk, &p, &answer, &walk_fault)) {
        lw_responses_enter(&u->responses, LW_WALK, &answer);
        lw_move(&u->watch, answer.id, LW_STAGE_RESPONSE);
    }
    places.hit_popped = lw_responses_step(&u->responses, response || !u->responses.out_valid);
    lw_walk_load_line(&u->walk, in);
    lw_admission_step(&u->admission, &places);
    if (in->inv_valid || u->invalidation.state != LW_INV_IDLE) {
        lw_invalidation_step(&u->invalidation, in, waits.under_way, waits.old_epoch);
    }

    const bool clear = in->ctl_write && (in->ctl_addr & 0xfff) == LW_CTL_FAULT_INFO;
    if (clear || lookup.fault.kind != LW_OK || walk_fault.kind != LW_OK) {
        lw_control_record(&u->control, &lookup.fault, &walk_fault, clear);
    }
    if (in->ctl_write) {
        lw_control_write(&u->control, in->ctl_addr & 0xfff, in->ctl_wdata);
    }
    u->req_ready = lw_admission_ready(&u->admission, lw_walk_has_first(&u->walk));
    lw_count(&u->events, LW_C_RESPONSES, response);
    lw_count(&u->events, LW_C_FAULTS, (lookup.fault.kind != LW_OK) + (walk_fault.kind != LW_OK));
    lw_count(&u->events, LW_C_INVALIDATIONS, inv_done);
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
    const uint64_t parts[] = {n - 1, 1}; /* the last cycle's events stand in INCREMENT (R12.5) */
    for (size_t i = n == 1; i < 2; i++) {
        read_control(u, LW_CTL_FEATURES);
        lw_counters_begin(&u->counters, &u->events);
        count_cycles(u, parts[i]);
        lw_count_cycles(&u->events, LW_C_REQUEST_STALLS, parts[i], request_waits);
        tell_counters(u);
    }
}

uint64_t lw_iommu_counter(const lw_iommu *u, uint32_t number) {
    return lw_counters_wrapped(u->events.total[number]);
}

void lw_iommu_watch(lw_iommu *u, lw_written_fn *written, void *ctx) {
    u->watch.written = written;
    u->watch.ctx = ctx;
    lw_counters_watch(&u->counters, &u->events);
}

void lw_iommu_follow(lw_iommu *u, lw_moves *moves) {
    u->watch.moves = moves;
}
