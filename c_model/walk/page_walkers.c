#include "c_model/walk/walker_parts.h"

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
    lw_walker_goes(w, i, LW_IDLE);
}

/* R21.8: a slot that is a line lies where its place says, as a bucket does. */
static uint32_t placed_by_bucket(const lw_params *hw) {
    enum { SLOT = 1 << LW_WHERE_HOME | 1 << LW_WHERE_CACHED | 1 << LW_WHERE_KNOWN };
    return 1 << LW_WHERE_STEPS | (hw->slot_pages == LW_SLOT_OF_A_LINE ? SLOT : 0);
}

void lw_walkers_init(lw_walkers *w, const lw_config *cfg, const lw_watch *watch) {
    *w = (lw_walkers){.cfg = cfg, .watch = watch, .placed = placed_by_bucket(&cfg->hw)};
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
    lw_walker_goes(w, i, LW_READ);
}

void lw_walkers_read_again(lw_walkers *w, uint32_t i) {
    lw_walker_goes(w, i, LW_READ);
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
    /* R21.2; without hashed tables no PASID has HASHED */
    p->where =
        !known && lw_roots_hashed(roots, lw_key_pasid(e->key)) ? LW_WHERE_LOOKUP : LW_WHERE_RADIX;
    p->retried = false;
}

/* R5.5, of the entry that was read and is taken. */
static bool is_lookup_due(const lw_walkers *w, const lw_features *features) {
    if (w->cfg->hw.pwc_org == LW_PWC_OF_STEPS) { /* R21.1, R21.2 */
        return w->walker[w->read.walker].where == LW_WHERE_LOOKUP;
    }
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

uint32_t lw_walkers_but_victims(const lw_walkers *w, uint32_t set) {
    for (uint32_t m = set; m != 0; m &= m - 1) {
        const uint32_t i = (uint32_t)__builtin_ctz(m);
        if (w->walker[i].where == LW_WHERE_VICTIM && w->walker[i].level >= 2) {
            set &= ~(UINT32_C(1) << i);
        }
    }
    return set;
}

uint32_t lw_walkers_flight(const lw_walkers *w, lw_flight flight[LW_WALKERS_MAX]) {
    uint32_t flights = 0;
    for (uint32_t m = lw_walkers_in_flight(w); m != 0; m &= m - 1) {
        flight[flights++] = lw_walkers_flying(&w->walker[__builtin_ctz(m)]);
    }
    return flights;
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
        lw_walker_goes(w, i, p->own_line ? LW_PWC_REQ : LW_REQ);
        lw_claim_for(op, lw_walkers_flying(p));
    } else {
        lw_walker_fails(w, i, LW_UNKNOWN_PASID, 0);
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
    if (look->second) { /* R5.26 */
        lw_count(events, LW_C_SECOND_LOOKUPS, 1);
        lw_walker_goes(w, i, LW_READ);
        return decision;
    }
    if (look->vain) { /* R5.10 */
        set_tried(w, i, true);
        lw_walker_goes(w, i, LW_CAM);
        return decision;
    }
    start(w, look, events, op);
    decision.leaves = true;
    return decision;
}

lw_decision lw_walkers_end_second(lw_walkers *w, const lw_second_end *end) {
    const uint32_t i = end->walker;
    const lw_decision decision = {.slot = w->walker[i].slot, .leaves = end->hit};
    if (end->hit) {
        set_idle(w, i);
    } else {
        lw_walker_goes(w, i, LW_CAM);
    }
    return decision;
}

lw_cam_op lw_walkers_advance(lw_walkers *w, uint32_t i, const lw_features *features,
                             const lw_mark *mark) {
    lw_pwst *p = &w->walker[i];
    const uint8_t released = p->own_line ? 1 : (uint8_t)((p->level + 1u) & 7);
    const bool again = !p->own_line && p->level >= 2 && features->pwc_enable;
    p->own_line = false;
    lw_walker_goes(w, i, again ? LW_PWC_REQ : LW_REQ);
    lw_cam_op op = {.key = p->key};
    if (!p->stale && !lw_mark_meets(mark, lw_key_pasid(p->key))) {
        op.op = LW_OP_ADVANCE;
        op.level = released;
        lw_claim_for(&op, lw_walkers_access(p));
    }
    return op;
}

void lw_walkers_enter_pwc(lw_walkers *w, uint32_t i) {
    lw_walker_goes(w, i, LW_PWC_WAIT);
}

/* R6.16: ... than its own line. */
static bool reads_for_more(const lw_pwst *p) {
    return p->level >= 2 || lw_walkers_access(p).reach != LW_REACH_LINE;
}

/* R6.16 */
static void go_on(lw_walkers *w, uint32_t i) {
    lw_pwst *p = &w->walker[i];
    if (p->own_line && w->cfg->hw.coalesce && reads_for_more(p)) {
        lw_walker_goes(w, i, LW_CAM);
    } else {
        p->own_line = false;
        lw_walker_goes(w, i, LW_REQ);
    }
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
        lw_walker_goes(w, i, p->own_line ? LW_PWC_REQ : LW_CAM);
    } else {
        go_on(w, i);
    }
}

void lw_walkers_leave_steps(lw_walkers *w, const lw_step_result *result) {
    const uint32_t i = result->walker;
    lw_pwst *p = &w->walker[i];
    p->where = result->where;
    p->node = result->node;
    p->bucket = result->bucket;
    p->level = result->where == LW_WHERE_STEPS ? 2 : 1;
    if (result->where != LW_WHERE_KNOWN) { /* whose CONTIG the bucket has said (R21.9) */
        p->contig = result->contig;
    }
    go_on(w, i);
}

void lw_walkers_await_line(lw_walkers *w, uint32_t i) {
    w->walker[i].no_fill = false;
    lw_walker_goes(w, i, LW_MEM);
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
