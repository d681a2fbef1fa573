#include "c_model/walk/page_walkers.h"

/* What the request of a walker that has started waits for, by the walker's state. */
static lw_stage stage_of(const lw_pwst *p) {
    static const uint8_t stages[LW_STATES] = {[LW_PWC_REQ] = LW_STAGE_PWC,
                                              [LW_PWC_WAIT] = LW_STAGE_PWC,
                                              [LW_CAM] = LW_STAGE_CAM,
                                              [LW_REQ] = LW_STAGE_PORT,
                                              [LW_RESP] = LW_STAGE_ANSWER};
    enum { LEVELS = LW_STAGE_LEVEL_5 - LW_STAGE_LEVEL_1 + 1 };
    /* a level that is none only after a flip */
    return p->state == LW_MEM ? LW_STAGE_LEVEL_1 + (p->level + LEVELS - 1u) % LEVELS
                              : stages[p->state];
}

static void set_state(lw_walkers *w, uint32_t i, uint32_t state) {
    lw_pwst *p = &w->walker[i];
    const uint32_t bit = UINT32_C(1) << i;
    w->in_state[p->state] &= ~bit;
    w->count[p->state]--;
    w->in_state[state] |= bit;
    w->count[state]++;
    p->state = (uint8_t)state;
    lw_touch(w->watch, LW_S_PWST, i);
    if (p->started) {
        lw_move(w->watch, p->id, stage_of(p));
    }
}

/* TRIED (R5.10). */
static void set_tried(lw_walkers *w, uint32_t i, bool tried) {
    w->walker[i].tried = tried;
    w->tried = (w->tried & ~(UINT32_C(1) << i)) | (uint32_t)tried << i;
}

/* A walker that goes to IDLE leaves its flags behind (R14.2). */
static void set_idle(lw_walkers *w, uint32_t i) {
    lw_pwst *p = &w->walker[i];
    const uint32_t bit = UINT32_C(1) << i;
    w->started_count -= p->started;
    w->started &= ~bit;
    w->stale &= ~bit;
    p->started = p->stale = false;
    set_tried(w, i, false);
    set_state(w, i, LW_IDLE);
}

void lw_walkers_init(lw_walkers *w, const lw_config *cfg, const lw_watch *watch) {
    *w = (lw_walkers){.cfg = cfg, .watch = watch};
    lw_walkers_derive(w);
}

lw_pwc_query lw_walkers_query(const lw_pwst *p) {
    return (lw_pwc_query){
        .key = p->key, .node = p->node, .level = p->level, .perm = p->perm, .access = p->access};
}

void lw_walkers_follow(lw_walkers *w, uint32_t idle) {
    if (w->followed == idle) {
        return;
    }
    for (uint32_t i = 0; i < w->cfg->hw.walkers; i++) {
        const uint32_t every = UINT32_MAX >> (32 - w->cfg->hw.walkers);
        const uint32_t ahead = ((idle >> i & 1) != 0 ? every : w->ahead[i]) & ~idle;
        if (w->ahead[i] != ahead) {
            w->ahead[i] = ahead;
            lw_touch(w->watch, LW_S_ORDER, i);
        }
    }
    w->followed = idle;
}

void lw_walkers_pick(lw_walkers *w, uint32_t i) {
    lw_pwst *p = &w->walker[i];
    p->no_fill = false; /* R14.2, as the other flags are since it went to IDLE */
    p->kind = LW_OK;
    p->flevel = 0;
    p->size = 0;
    set_state(w, i, LW_READ);
}

void lw_walkers_read_again(lw_walkers *w, uint32_t i) {
    set_state(w, i, LW_READ);
}

/* R5.4 */
static void take(lw_walkers *w, const lw_roots *roots, const lw_learnt *learnt) {
    const lw_entry *e = &w->read.entry;
    lw_pwst *p = &w->walker[w->read.walker];
    const bool known = e->pl != 0; /* R4.1 */
    p->key = e->key;
    p->id = e->id;
    p->src = e->src;
    p->access = e->access;
    p->slot = w->read.slot;
    p->level = known ? e->pl - 1 : (uint8_t)w->cfg->hw.levels;
    p->node = known ? learnt->pa : lw_roots_frame(roots, lw_key_pasid(e->key));
    p->perm = known ? learnt->perm : 3;
    p->contig = known ? learnt->contig : 0;
}

/* R5.5, of the entry that was read and is taken. */
static bool is_lookup_due(const lw_walkers *w, const lw_features *features) {
    return features->pwc_enable && w->walker[w->read.walker].level >= 2 &&
           !(w->read.entry.pl != 0 && features->pl_skips_pwc);
}

lw_access lw_walkers_flying(const lw_pwst *p) {
    lw_access a = lw_walkers_access(p);
    if (p->own_line) {
        a.level = 1;
        a.reach = LW_REACH_LINE;
    }
    return a;
}

uint32_t lw_walkers_flight(const lw_walkers *w, lw_flight flight[LW_WALKERS_MAX]) {
    uint32_t flights = 0;
    for (uint32_t m = lw_walkers_in_flight(w); m != 0; m &= m - 1) {
        flight[flights++] = lw_walkers_flying(&w->walker[__builtin_ctz(m)]);
    }
    return flights;
}

/* The claim of an operation (R4.7): of the access that the walker makes now. */
static void set_claim(lw_cam_op *op, lw_access access) {
    op->claim = true;
    op->claim_level = access.level;
    op->claim_reach = (uint8_t)access.reach;
    op->claim_perm = access.perm;
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

/* R5.8, R5.9, R5.24 */
static void start(lw_walkers *w, const lw_look *look, lw_events *events, lw_cam_op *op) {
    const lw_entry *e = &w->read.entry;
    const uint32_t i = w->read.walker, pasid = lw_key_pasid(e->key);
    lw_pwst *p = &w->walker[i];
    if (e->pl != 0) {
        lw_count(events, LW_C_COALESCED_LEVELS, (w->cfg->hw.levels + 1 - e->pl) & 7);
    }
    p->started = true;
    w->started |= UINT32_C(1) << i;
    w->started_count++;
    p->stale = e->stale;
    w->stale |= (uint32_t)e->stale << i;
    set_tried(w, i, false);
    lw_count(events, LW_C_WALKS, 1);
    *op = (lw_cam_op){.key = e->key, .op = LW_OP_COMMIT};
    if (lw_roots_has(look->roots, pasid) && !e->stale) {
        p->own_line = is_lookup_due(w, look->features);
        set_state(w, i, p->own_line ? LW_PWC_REQ : LW_REQ);
        set_claim(op, lw_walkers_flying(p));
    } else {
        set_fault(w, i, LW_UNKNOWN_PASID, 0);
    }
    if (lw_mark_meets(&look->mark, pasid)) {
        op->op = LW_OP_NONE;
    }
}

lw_decision lw_walkers_look(lw_walkers *w, const lw_look *look, lw_events *events, lw_cam_op *op) {
    const lw_read *r = &w->read;
    const uint32_t i = r->walker;
    lw_decision decision = {.slot = r->slot};
    *op = (lw_cam_op){.op = LW_OP_NONE};
    if (r->entry.done || r->entry.cl != 0) { /* R5.7 */
        set_idle(w, i);
        lw_count(events, LW_C_GIVEN_BACK, 1);
        decision.give_back = true;
        return decision;
    }
    take(w, look->roots, &look->learnt);
    if (look->vain) { /* R5.10 */
        set_tried(w, i, true);
        set_state(w, i, LW_CAM);
        return decision;
    }
    start(w, look, events, op);
    decision.start = true;
    return decision;
}

lw_cam_op lw_walkers_advance(lw_walkers *w, uint32_t i, const lw_features *features,
                             const lw_mark *mark) {
    lw_pwst *p = &w->walker[i];
    const uint8_t released = p->own_line ? 1 : (uint8_t)((p->level + 1u) & 7);
    const bool again = !p->own_line && p->level >= 2 && features->pwc_enable;
    p->own_line = false;
    set_state(w, i, again ? LW_PWC_REQ : LW_REQ);
    lw_cam_op op = {.key = p->key};
    if (!p->stale && !lw_mark_meets(mark, lw_key_pasid(p->key))) {
        op.op = LW_OP_ADVANCE;
        op.level = released;
        set_claim(&op, lw_walkers_access(p));
    }
    return op;
}

void lw_walkers_enter_pwc(lw_walkers *w, uint32_t i) {
    set_state(w, i, LW_PWC_WAIT);
}

/* R6.16: ... than its own line. */
static bool reads_for_more(const lw_pwst *p) {
    return p->level >= 2 || lw_walkers_access(p).reach != LW_REACH_LINE;
}

void lw_walkers_leave_pwc(lw_walkers *w, const lw_pwc_result *result) {
    const uint32_t i = result->walker;
    lw_pwst *p = &w->walker[i];
    if (result->hit) {
        p->level = result->level;
        p->node = result->node;
        p->perm = result->perm;
        p->contig = result->contig;
    }
    const bool by_address = w->cfg->hw.pwc_org == LW_PWC_BY_ADDRESS;
    if (by_address && result->hit && (!p->own_line || p->level >= 2)) { /* R6.3 */
        set_state(w, i, p->own_line ? LW_PWC_REQ : LW_CAM);
    } else if (p->own_line && w->cfg->hw.coalesce && reads_for_more(p)) { /* R6.16 */
        set_state(w, i, LW_CAM);
    } else {
        p->own_line = false;
        set_state(w, i, LW_REQ);
    }
}

/* R7.4 */
static void move_on(lw_walkers *w, uint32_t i, const lw_verdict *own, uint32_t links,
                    const lw_features *features) {
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
        w->cfg->hw.pwc_org == LW_PWC_BY_ADDRESS && features->pwc_enable && p->level >= 2;
    set_state(w, i, lookup ? LW_PWC_REQ : LW_REQ);
}

lw_cam_op lw_walkers_scan(lw_walkers *w, uint32_t i, const lw_features *features, bool on_cam,
                          lw_verdict *own) {
    lw_pwst *p = &w->walker[i];
    const lw_access a = lw_walkers_access(p); /* as it stands at the beginning of the cycle */
    const uint32_t position = lw_pte_index(w->cfg, &a) & 7;
    lw_cam_op op = {.key = a.key,
                    .op = LW_OP_SCAN,
                    .level = a.level,
                    .reach = (uint8_t)a.reach,
                    .position = (uint8_t)position,
                    .perm = a.perm,
                    .error = w->line_error};
    if (features->colt_enable) { /* of the line, whatever the error bit says */
        op.links = lw_line_links(w->cfg, w->line, a.level, a.reach);
    }
    if (w->line_error) {
        *own = (lw_verdict){.kind = LW_MEMORY_ERROR};
    } else {
        *own = lw_judge(w->cfg, w->line[position], a.level, lw_key_vpn(a.key), p->access, a.perm);
        own->contig &= features->contig_mask;
    }
    move_on(w, i, own, lw_links_of(op.links, a.key), features);
    if (!on_cam) {
        op.op = LW_OP_NONE;
    } else if (own->node) {
        set_claim(&op, lw_walkers_access(p)); /* R9.8 */
    }
    return op;
}

bool lw_walkers_fill_pwc(const lw_walkers *w, const lw_pwst *before, const lw_verdict *own,
                         const lw_features *features, const lw_mark *mark) {
    const bool barred = w->cfg->hw.pwc_org == LW_PWC_BY_ADDRESS && (mark->valid || before->no_fill);
    return own->node && features->pwc_enable && !barred;
}

/* The places with a contiguous neighbour on one side. */
static uint32_t beside(uint32_t bits) {
    return (bits << 1 | bits >> 1) & LW_CONTIG_C;
}

lw_check lw_walkers_check(const lw_pwst *before, const lw_verdict *own) {
    const uint32_t bits = before->contig & LW_CONTIG_C, place = lw_subregion_place(before->key);
    if (lw_walkers_access(before).reach != LW_REACH_SUBREGION || own->kind != LW_OK ||
        (beside(bits) >> place & 1) == 0) {
        return (lw_check){.valid = false};
    }
    return (lw_check){.vsn = lw_key_vpn(before->key) >> LW_SUBREGION_SHIFT,
                      .node = before->node,
                      .pfn = own->frame,
                      .pasid = lw_key_pasid(before->key),
                      .bits = (uint8_t)bits,
                      .perm = own->perm,
                      .pte_perm = own->own_perm,
                      .valid = true};
}

void lw_walkers_await_line(lw_walkers *w, uint32_t i) {
    w->walker[i].no_fill = false;
    set_state(w, i, LW_MEM);
}

void lw_walkers_result(const lw_walkers *w, uint32_t some, lw_result *out) {
    const int32_t i = lw_walkers_oldest(w, w->in_state[LW_RESP] & some);
    out->valid = i != LW_NONE;
    if (i == LW_NONE) {
        return;
    }
    const lw_pwst *p = &w->walker[i];
    *out = (lw_result){.key = p->key,
                       .base = p->node,
                       .id = p->id,
                       .src = p->src,
                       .contig = p->contig,
                       .access = p->access,
                       .kind = p->kind,
                       .level = p->flevel,
                       .size = p->size,
                       .perm = p->perm,
                       .valid = true,
                       .stale = p->stale};
}

void lw_walkers_answered(lw_walkers *w, uint32_t some) {
    const int32_t i = lw_walkers_oldest(w, w->in_state[LW_RESP] & some);
    if (i != LW_NONE) {
        set_idle(w, (uint32_t)i);
    }
}

/* A walker that has not started is left alone (R11.12): it has learnt nothing yet. */
void lw_walkers_mark(lw_walkers *w, const lw_mark *mark, uint32_t waiting) {
    for (uint32_t m = w->cfg->hw.pwc_org == LW_PWC_BY_ADDRESS ? waiting : 0; m != 0; m &= m - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(m);
        w->walker[i].no_fill = true;
        lw_touch(w->watch, LW_S_PWST, i);
    }
    for (uint32_t m = w->started; m != 0; m &= m - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(m);
        if (lw_mark_meets(mark, lw_key_pasid(w->walker[i].key))) {
            w->walker[i].stale = true;
            w->stale |= UINT32_C(1) << i;
            lw_touch(w->watch, LW_S_PWST, i);
        }
    }
}

void lw_walkers_derive(lw_walkers *w) {
    memset(w->in_state, 0, sizeof w->in_state);
    memset(w->count, 0, sizeof w->count);
    w->started = w->stale = w->tried = w->started_count = 0;
    for (uint32_t i = 0; i < w->cfg->hw.walkers; i++) {
        lw_pwst *p = &w->walker[i];
        if (p->state == LW_IDLE) {
            p->started = p->stale = p->tried = p->own_line = false;
        }
        w->in_state[p->state] |= UINT32_C(1) << i;
        w->count[p->state]++;
        w->started |= (uint32_t)p->started << i;
        w->stale |= (uint32_t)p->stale << i;
        w->tried |= (uint32_t)p->tried << i;
        w->started_count += p->started;
    }
    w->followed =
        ~w->in_state[LW_IDLE]; /* what a flip has changed is put right in the next cycle */
}
