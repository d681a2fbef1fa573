#include "c_model/walk/page_walkers.h"

static void set_state(lw_walkers *w, uint32_t i, uint32_t state) {
    lw_pwst *p = &w->walker[i];
    const uint32_t bit = UINT32_C(1) << i;
    w->in_state[p->state] &= ~bit;
    w->count[p->state]--;
    w->in_state[state] |= bit;
    w->count[state]++;
    p->state = (uint8_t)state;
    lw_touch(w->watch, LW_S_PWST, i);
}

/* A walker that goes to IDLE leaves its flags behind (R14.2). */
static void set_idle(lw_walkers *w, uint32_t i) {
    lw_pwst *p = &w->walker[i];
    const uint32_t bit = UINT32_C(1) << i;
    w->started_count -= p->started;
    w->started &= ~bit;
    w->stale &= ~bit;
    p->started = p->stale = false;
    set_state(w, i, LW_IDLE);
}

void lw_walkers_init(lw_walkers *w, const lw_config *cfg, const lw_watch *watch) {
    *w = (lw_walkers){.cfg = cfg, .watch = watch};
    lw_walkers_derive(w);
}

lw_turns lw_walkers_turns(const lw_walkers *w, const lw_cam *cam, bool mark, bool held,
                          uint32_t takes_part) {
    const bool commits = w->read.what == LW_READ_COMMIT;
    const bool takes = w->read.what == LW_READ_TAKE;
    lw_turns t = {.scanner = lw_walkers_scanner(w),
                  .taker = takes ? w->read.walker : LW_NONE,
                  .committer = LW_NONE,
                  .advancer = LW_NONE,
                  .chooser = LW_NONE,
                  .asker = LW_NONE};
    t.scan_on_cam = t.scanner != LW_NONE && !w->walker[t.scanner].stale;
    const bool close = takes_part != 0 && lw_operation_is_close(&cam->search, w->read.key);
    if (commits && !t.scan_on_cam && !w->read.near && !close) {
        t.committer = w->read.walker;
    }
    if (mark) {
        t.mark = !t.scan_on_cam && !lw_cam_is_busy(cam) && w->ask.what == LW_READ_NOTHING &&
                 w->read.what == LW_READ_NOTHING;
        return t;
    }
    const int32_t lowest = lw_lowest_walker(w->in_state[LW_CAM]);
    const bool started = lowest != LW_NONE && w->walker[lowest].started;
    if (started && !t.scan_on_cam && !commits) {
        t.advancer = lowest;
    } else if (!started && w->ask.what != LW_READ_COMMIT && t.committer == LW_NONE) {
        t.asker = lowest;
    }
    if (held && !takes && w->ask.what != LW_READ_TAKE && t.asker == LW_NONE) {
        t.chooser = lw_lowest_walker(w->in_state[LW_IDLE]);
    }
    return t;
}

lw_pwc_query lw_walkers_query(const lw_pwst *p) {
    return (lw_pwc_query){
        .key = p->key, .node = p->node, .level = p->level, .perm = p->perm, .access = p->access};
}

/* R5.6: whether an operation that is under way will change, or has just changed, what a walker
 * reads for its commit. */
static bool reads_near(const lw_cam *cam, const lw_pwst *p) {
    return lw_operation_is_close(&cam->search, p->key) ||
           lw_operation_is_close(&cam->update, p->key);
}

void lw_walkers_plan_read(const lw_walkers *w, const lw_buffer *b, uint32_t takes_part,
                          lw_read *next) {
    const lw_ask *ask = &w->ask;
    if (ask->what == LW_READ_NOTHING) {
        next->what = LW_READ_NOTHING;
        return;
    }
    const lw_entry *e = &b->entry[ask->slot];
    *next = (lw_read){
        .key = e->key,
        .pa = e->pa,
        .id = e->id,
        .src = e->src,
        .contig = e->contig,
        .what = ask->what,
        .walker = ask->walker,
        .slot = ask->slot,
        .access = e->access,
        .cl = e->cl,
        .pl = e->pl,
        .perm = e->perm,
        .block = (uint8_t)lw_buffer_block(b, e),
        .done = lw_slots_has(&b->done, ask->slot),
        .near = ask->what == LW_READ_COMMIT && takes_part != 0 &&
                reads_near(&b->cam, &w->walker[ask->walker]),
    };
}

void lw_walkers_ask(lw_walkers *w, const lw_turns *t, uint32_t candidate_slot) {
    if (t->asker != LW_NONE) {
        w->ask = (lw_ask){LW_READ_COMMIT, (uint8_t)t->asker, w->walker[t->asker].slot};
    } else if (t->chooser != LW_NONE) {
        w->ask = (lw_ask){LW_READ_TAKE, (uint8_t)t->chooser, (uint16_t)candidate_slot};
    } else if (w->ask.what != LW_READ_NOTHING) {
        w->ask.what = LW_READ_NOTHING;
    } else {
        return;
    }
    lw_touch(w->watch, LW_S_ASK, 0);
}

void lw_walkers_load_read(lw_walkers *w, const lw_read *next) {
    if (next->what != LW_READ_NOTHING) {
        w->read = *next;
    } else if (w->read.what != LW_READ_NOTHING) {
        w->read.what = LW_READ_NOTHING;
    } else {
        return;
    }
    lw_touch(w->watch, LW_S_READ, 0);
}

void lw_walkers_take(lw_walkers *w, const lw_control *control) {
    const lw_read *r = &w->read;
    const bool known = r->pl != 0; /* R4.1, R5.4 */
    w->walker[r->walker] = (lw_pwst){
        .key = r->key,
        .node = known ? r->pa : lw_control_root_frame(control, lw_key_pasid(r->key)),
        .id = r->id,
        .src = r->src,
        .slot = r->slot,
        .access = r->access,
        .level = known ? r->pl - 1 : (uint8_t)w->cfg->hw.levels,
        .perm = known ? r->perm : 3,
        .contig = known ? r->contig : 0,
        .state = LW_IDLE,
    };
    const bool lookup = control->pwc_enable && w->walker[r->walker].level >= 2 &&
                        !(known && control->pl_skips_pwc); /* R5.5 */
    set_state(w, r->walker, lookup ? LW_PWC_REQ : LW_CAM);
}

uint32_t lw_walkers_lowest_access(const lw_walkers *w, const lw_buffer *b, uint32_t takes_part) {
    if (takes_part == 0) {
        return 0;
    }
    const uint64_t key = lw_key(b->new_pasid, b->new_vpn);
    uint32_t lowest = 0, in_flight = lw_walkers_in_flight(w);
    for (; in_flight != 0; in_flight &= in_flight - 1) {
        const lw_pwst *p = &w->walker[__builtin_ctz(in_flight)];
        const lw_access a = lw_walkers_access(p);
        if ((lowest == 0 || p->level < lowest) && (takes_part >> p->level & 1) != 0 &&
            (p->key ^ key) >> lw_near_shift(lw_near(&a)) == 0 &&
            lw_grants(p->perm, b->new_access)) {
            lowest = p->level;
        }
    }
    return lowest;
}

/* The claim of an operation (R4.7): the access that the walker makes now. */
static void set_claim(lw_operation *op, const lw_pwst *p) {
    const lw_access a = lw_walkers_access(p);
    op->claim = true;
    op->claim_level = a.level;
    op->claim_reach = (uint8_t)a.reach;
    op->claim_perm = a.perm;
}

/* A walker's own fault (R7.4, R7.5) or its answer UNKNOWN_PASID (R5.9). */
static void set_fault(lw_walkers *w, uint32_t i, uint32_t kind, uint32_t level) {
    lw_pwst *p = &w->walker[i];
    p->kind = (uint8_t)kind;
    p->flevel = (uint8_t)level;
    p->node = 0;
    p->size = 0;
    p->perm = 0;
    p->contig = 0;
    set_state(w, i, LW_RESP);
}

bool lw_walkers_commit(lw_walkers *w, lw_buffer *b, const lw_control *control,
                       lw_counters *counters) {
    const lw_read *r = &w->read;
    const uint32_t i = r->walker;
    lw_pwst *p = &w->walker[i];
    if (r->done || r->cl != 0) { /* R5.7 */
        lw_buffer_give_back(b, r->slot);
        set_idle(w, i);
        lw_count(counters, LW_C_GIVEN_BACK, 1);
        return false;
    }
    if (r->pl != 0 && r->pl - 1 <= p->level) { /* R5.8 */
        p->level = r->pl - 1;
        p->node = r->pa;
        p->perm = r->perm;
        p->contig = r->contig;
        lw_count(counters, LW_C_COALESCED_LEVELS, (w->cfg->hw.levels + 1 - r->pl) & 7);
    }
    lw_buffer_free(b, r->slot);
    lw_buffer_leave_block(b, r->block);
    p->started = true;
    w->started |= UINT32_C(1) << i;
    w->started_count++;
    lw_count(counters, LW_C_WALKS, 1);
    lw_operation op = {.key = p->key, .op = LW_OP_COMMIT};
    if (lw_control_has_root(control, lw_key_pasid(p->key))) {
        set_state(w, i, LW_REQ);
        set_claim(&op, p);
    } else { /* R5.9 */
        set_fault(w, i, LW_UNKNOWN_PASID, 0);
    }
    lw_cam_take(&b->cam, &op, NULL, 0);
    return true;
}

void lw_walkers_advance(lw_walkers *w, uint32_t i, lw_cam *cam, const lw_control *control) {
    const lw_pwst *p = &w->walker[i];
    set_state(w, i, p->level >= 2 && control->pwc_enable ? LW_PWC_REQ : LW_REQ);
    if (!p->stale) {
        lw_operation op = {
            .key = p->key, .op = LW_OP_ADVANCE, .level = (uint8_t)((p->level + 1u) & 7)};
        set_claim(&op, p);
        lw_cam_take(cam, &op, NULL, 0);
    }
}

void lw_walkers_enter_pwc(lw_walkers *w, uint32_t i) {
    set_state(w, i, LW_PWC_WAIT);
}

void lw_walkers_leave_pwc(lw_walkers *w, const lw_pwc_result *result) {
    const uint32_t i = result->walker;
    lw_pwst *p = &w->walker[i];
    const bool hit = result->hit;
    if (hit) {
        p->level = result->level;
        p->node = result->node;
        p->perm = result->perm;
        p->contig = result->contig;
    }
    uint32_t next = LW_CAM;                        /* R6.2 */
    if (w->cfg->hw.pwc_org == LW_PWC_BY_ADDRESS) { /* R6.3 */
        if (!p->started) {
            next = hit && p->level >= 2 ? LW_PWC_REQ : LW_CAM;
        } else {
            next = hit ? LW_CAM : LW_REQ;
        }
    }
    set_state(w, i, next);
}

/* R7.4 */
static void move_on(lw_walkers *w, uint32_t i, const lw_verdict *own, uint32_t links,
                    const lw_control *control) {
    lw_pwst *p = &w->walker[i];
    if (own->kind != LW_OK) {
        set_fault(w, i, own->kind, p->level);
        return;
    }
    p->node = own->frame;
    p->perm = own->perm;
    if (!own->node) {
        p->contig = p->level == 1 ? p->contig : 0; /* R7.5 */
        p->kind = LW_OK;
        p->flevel = (uint8_t)links;
        p->size = own->size;
        set_state(w, i, LW_RESP);
        return;
    }
    p->level = (p->level - 1u) & 7;
    p->contig = own->contig;
    const bool lookup =
        w->cfg->hw.pwc_org == LW_PWC_BY_ADDRESS && control->pwc_enable && p->level >= 2;
    set_state(w, i, lookup ? LW_PWC_REQ : LW_REQ);
}

void lw_walkers_scan(lw_walkers *w, uint32_t i, lw_cam *cam, const lw_control *control,
                     lw_verdict *own) {
    lw_pwst *p = &w->walker[i];
    const lw_access a = lw_walkers_access(p); /* as it stands at the beginning of the cycle */
    const uint32_t position = lw_pte_index(w->cfg, &a) & 7;
    lw_operation op = {.key = a.key,
                       .op = LW_OP_SCAN,
                       .level = a.level,
                       .reach = (uint8_t)a.reach,
                       .position = (uint8_t)position,
                       .perm = a.perm,
                       .error = w->line_error};
    if (control->colt_enable) { /* of the line, whatever the error bit says */
        op.links = lw_line_links(w->cfg, w->line, a.level, a.reach);
    }
    if (w->line_error) {
        *own = (lw_verdict){.kind = LW_MEMORY_ERROR};
    } else {
        *own = lw_judge(w->cfg, w->line[position], a.level, lw_key_vpn(a.key), p->access, a.perm);
        own->contig &= control->contig_mask;
    }
    move_on(w, i, own, lw_links_of(op.links, a.key), control);
    if (p->stale) { /* R9.2; it releases, claims and answers no entry (R11.7) */
        return;
    }
    if (own->node) {
        set_claim(&op, p); /* R9.8 */
    }
    lw_cam_take(cam, &op, w->line, control->contig_mask);
}

/* The places with a contiguous neighbour on one side. */
static uint32_t beside(uint32_t bits) {
    return (bits << 1 | bits >> 1) & LW_CONTIG_C;
}

bool lw_walkers_want_check(const lw_pwst *before, const lw_verdict *own, lw_job *job) {
    const uint32_t bits = before->contig & LW_CONTIG_C, place = lw_place(before->key);
    if (lw_walkers_access(before).reach != LW_REACH_SUBREGION || own->kind != LW_OK ||
        (beside(bits) >> place & 1) == 0) {
        return false;
    }
    *job = (lw_job){.vsn = lw_key_vpn(before->key) >> LW_SUBREGION_SHIFT,
                    .node = before->node,
                    .pfn = own->frame,
                    .pasid = lw_key_pasid(before->key),
                    .bits = (uint8_t)bits,
                    .perm = own->perm,
                    .pte_perm = own->own_perm,
                    .live = true};
    return true;
}

/* R0.4: the first set bit of `mask`, which is not empty, in the order from, from+1, ... around. */
static uint32_t first_from(uint32_t mask, uint32_t from) {
    const uint32_t upper = mask & (UINT32_MAX << (from & 31));
    return (uint32_t)__builtin_ctz(upper != 0 ? upper : mask);
}

void lw_walkers_load_request(lw_walkers *w, uint32_t waiting) {
    w->req_valid = waiting != 0;
    lw_touch(w->watch, LW_S_WALK_MEMORY, 0);
    if (waiting == 0) {
        return;
    }
    const uint32_t i = first_from(waiting, w->mem_pointer);
    const lw_access a = lw_walkers_access(&w->walker[i]);
    w->req_tag = i;
    w->req_line = w->walker[i].node << 6 | lw_pte_index(w->cfg, &a) >> 3; /* R1.1 */
    w->mem_pointer = i + 1 == w->cfg->hw.walkers ? 0 : i + 1;
    set_state(w, i, LW_MEM);
}

void lw_walkers_load_head(lw_walkers *w, uint32_t place, uint64_t line) {
    w->req_valid = true;
    w->req_tag = w->cfg->hw.walkers + place;
    w->req_line = line;
    lw_touch(w->watch, LW_S_WALK_MEMORY, 0);
}

void lw_walkers_load_line(lw_walkers *w, const lw_inputs *in) {
    w->line_valid = in->mem_rsp_valid;
    lw_touch(w->watch, LW_S_WALK_MEMORY, 0);
    if (!in->mem_rsp_valid) {
        return;
    }
    w->line_tag = in->mem_rsp_tag & ((UINT32_C(1) << w->cfg->tag_w) - 1);
    w->line_error = in->mem_rsp_error;
    memcpy(w->line, in->mem_rsp_data, sizeof w->line);
    lw_touch(w->watch, LW_S_WALK_MEMORY, 0);
    for (uint32_t j = 0; j < 8 && w->watch->written != NULL; j++) {
        lw_touch(w->watch, LW_S_LINE, j);
    }
}

void lw_walkers_answered(lw_walkers *w, uint32_t i) {
    set_idle(w, i);
}

uint32_t lw_walkers_marked_idle(const lw_walkers *w, const lw_invalidation *inv) {
    uint32_t met = 0;
    for (uint32_t m = ~w->in_state[LW_IDLE] & ~w->started; m != 0; m &= m - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(m);
        if (i < w->cfg->hw.walkers && lw_invalidation_meets(inv, lw_key_pasid(w->walker[i].key))) {
            met |= UINT32_C(1) << i;
        }
    }
    return met;
}

void lw_walkers_mark(lw_walkers *w, const lw_invalidation *inv) {
    for (uint32_t m = lw_walkers_marked_idle(w, inv); m != 0; m &= m - 1) {
        set_idle(w, (uint32_t)__builtin_ctz(m));
    }
    for (uint32_t m = w->started; m != 0; m &= m - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(m);
        if (lw_invalidation_meets(inv, lw_key_pasid(w->walker[i].key))) {
            w->walker[i].stale = true;
            w->stale |= UINT32_C(1) << i;
            lw_touch(w->watch, LW_S_PWST, i);
        }
    }
}

void lw_walkers_derive(lw_walkers *w) {
    memset(w->in_state, 0, sizeof w->in_state);
    memset(w->count, 0, sizeof w->count);
    w->started = w->stale = w->started_count = 0;
    for (uint32_t i = 0; i < w->cfg->hw.walkers; i++) {
        lw_pwst *p = &w->walker[i];
        if (p->state == LW_IDLE) {
            p->started = p->stale = false;
        }
        w->in_state[p->state] |= UINT32_C(1) << i;
        w->count[p->state]++;
        w->started |= (uint32_t)p->started << i;
        w->stale |= (uint32_t)p->stale << i;
        w->started_count += p->started;
    }
}
