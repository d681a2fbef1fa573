/* The lookups of walkers (R6.1) in what the unit has for them: a page walk cache, or with PWC_ORG=2
 * a step cache and a hash unit. The other of the two does nothing, and is never busy. */
#ifndef LW_C_MODEL_WALK_WALK_LOOKUPS_H
#define LW_C_MODEL_WALK_WALK_LOOKUPS_H

#include "c_model/walk/walk_engine.h"

void lw_lookups_init(lw_walk *e, const lw_watch *watch);

/* Whether there is something to do without a walker that enters or a scan that fills. */
static inline bool lw_lookups_are_busy(const lw_walk *e) {
    return lw_pwc_is_busy(&e->pwc) || lw_steps_is_busy(&e->steps);
}

/* What the result register says is used, and the stages and entries do their work. */
void lw_lookups_cycle(lw_walk *e, const lw_walk_inputs *in);

/* Whether a lookup is in one of the stages. */
static inline bool lw_lookups_under_way(const lw_walk *e) {
    return e->pwc.pipe.lookups != 0 || e->steps.pipe.lookups != 0;
}

/* R6.1: `entering`, a walker or LW_NONE, enters, and the key register is loaded; later in the
 * cycle, after the mark, all go on a stage. Not needed where nobody enters or is under way. */
void lw_lookups_enter(lw_walk *e, int32_t entering, lw_events *events);
void lw_lookups_advance(lw_walk *e, int32_t entering);
/* R11.2 */
void lw_lookups_mark(lw_walk *e, const lw_mark *mark);

void lw_lookups_derive(lw_walk *e);

#endif
