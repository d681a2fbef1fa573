/* The answer port: the answer register, through which answers enter the walk queue (R10.2), and the
 * fill register, through which they and joined entries reach the TLB (R3.6, R3.13).
 *
 * Order within a cycle: what the registers hold is used first; then the fill register is loaded,
 * then the answer register. */
#ifndef LW_C_MODEL_WALK_ANSWER_PORT_H
#define LW_C_MODEL_WALK_ANSWER_PORT_H

#include "c_model/base/signals.h"
#include "c_model/walk/page_walkers.h"

/* ANSWER; `base`: NODE or PA, without what its REACH adds. */
typedef struct lw_answer {
    uint64_t key, base;
    uint16_t id, src, contig;
    uint8_t access, kind, level, size, perm;
    uint8_t block; /* of a buffer entry (R2.4) */
    bool valid, stale, epoch, entry;
} lw_answer;

typedef struct lw_answers {
    const lw_config *cfg;
    const lw_watch *watch;
    lw_answer answer;
    lw_mapping fill;
    bool fill_valid;
} lw_answers;

void lw_answers_init(lw_answers *a, const lw_config *cfg, const lw_watch *watch);

/* What enters the walk queue with ANSWER_VALID=1, and the fault that it is (R12.3), of kind LW_OK
 * if it is none. */
lw_response lw_answers_response(const lw_answers *a);
void lw_answers_fault(const lw_answers *a, lw_fault *fault);

/* R3.6: whether an answer that no mark meets in this cycle loads the fill register. */
static inline bool lw_answers_may_fill(const lw_answers *a) {
    return a->answer.valid && a->answer.kind == LW_OK && !a->answer.stale;
}
/* R3.6, R3.8, R3.13, R3.14: what the fill register becomes. */
void lw_answers_fill(lw_answers *a, const lw_control *control);
void lw_answers_fill_joined(lw_answers *a, const lw_mapping *joined);
void lw_answers_fill_nothing(lw_answers *a);
/* Whether it now holds a subregion (counter 22). */
static inline bool lw_answers_fills_subregion(const lw_answers *a) {
    return a->fill_valid && a->fill.span && a->cfg->hw.subregions != 0;
}

/* R10.2: what the answer register becomes. `stale` and `epoch` are those of the choice and of
 * marks. */
void lw_answers_load_walker(lw_answers *a, const lw_pwst *w, bool stale, bool epoch);
void lw_answers_load_entry(lw_answers *a, const lw_entry *e, uint32_t block, bool stale,
                           bool epoch);
void lw_answers_load_nothing(lw_answers *a);

#endif
