#include "c_model/walk/walk_lookups.h"

static bool has_steps(const lw_walk *e) {
    return e->cfg->hw.pwc_org == LW_PWC_OF_STEPS;
}

void lw_lookups_init(lw_walk *e, const lw_watch *watch) {
    if (has_steps(e)) {
        lw_steps_init(&e->steps, e->cfg, watch);
    } else {
        lw_pwc_init(&e->pwc, e->cfg, watch);
    }
}

/* R6.2 to R6.5: what the result register says is used, and the entries do their work. */
static void pwc_cycle(lw_walk *e, lw_events *events) {
    const lw_pwc_result *r = &e->pwc.result;
    if (!lw_pwc_is_busy(&e->pwc)) {
        return;
    }
    if (r->valid) {
        lw_count(events, LW_C_PWC_HITS, r->hit);
        if (r->walker < e->cfg->hw.walkers) { /* else only after a flip */
            lw_walkers_leave_pwc(&e->walkers, r);
        }
    }
    lw_pwc_step(&e->pwc);
}

/* R21.3 to R21.7: the same of steps. */
static void steps_cycle(lw_walk *e, const lw_walk_inputs *in) {
    const lw_step_result *r = &e->steps.result;
    if (!lw_steps_is_busy(&e->steps)) {
        return;
    }
    if (r->valid) {
        lw_count(in->events, LW_C_PWC_HITS, r->hit);
        if (r->walker < e->cfg->hw.walkers) { /* else only after a flip */
            lw_walkers_leave_steps(&e->walkers, r);
        }
    }
    lw_steps_step(&e->steps, in->features, in->roots);
}

void lw_lookups_cycle(lw_walk *e, const lw_walk_inputs *in) {
    if (has_steps(e)) {
        steps_cycle(e, in);
    } else {
        pwc_cycle(e, in->events);
    }
}

/* R6.8, R21.3: the key of the lookup that is next compared, before a mark changes its walker. */
static void load_key(lw_walk *e, int32_t entering) {
    const bool steps = has_steps(e);
    const int32_t asked =
        steps ? lw_steps_key_walker(&e->steps, entering) : lw_pwc_key_walker(&e->pwc, entering);
    if (asked == LW_NONE || (uint32_t)asked >= e->cfg->hw.walkers) {
        return;
    }
    const lw_pwst *p = &e->walkers.walker[asked];
    if (steps) {
        lw_steps_load_key(&e->steps,
                          &(lw_step_key){.key = p->key, .where = p->where, .step = p->node & 7});
    } else {
        const lw_pwc_query query = lw_walkers_query(p);
        lw_pwc_load_key(&e->pwc, &query);
    }
}

/* R12.5 (8): in a hashed table only the first lookup of a walk may find a step. */
void lw_lookups_enter(lw_walk *e, int32_t entering, lw_events *events) {
    if (entering != LW_NONE) {
        const lw_pwst *p = &e->walkers.walker[entering];
        lw_count(events, LW_C_PWC_LOOKUPS, !has_steps(e) || p->where == LW_WHERE_LOOKUP);
        lw_walkers_enter_pwc(&e->walkers, (uint32_t)entering);
    }
    load_key(e, entering);
}

void lw_lookups_advance(lw_walk *e, int32_t entering) {
    if (has_steps(e)) {
        lw_steps_advance(&e->steps, entering);
    } else {
        lw_pwc_advance(&e->pwc, entering);
    }
}

void lw_lookups_mark(lw_walk *e, const lw_mark *mark) {
    if (has_steps(e)) {
        lw_step_cache_mark(&e->steps.cache, mark); /* R21.15 */
    } else {
        lw_pwc_mark(&e->pwc, mark);
    }
}

void lw_lookups_derive(lw_walk *e) {
    if (has_steps(e)) {
        lw_steps_derive(&e->steps);
    } else {
        lw_pwc_derive(&e->pwc);
    }
}
