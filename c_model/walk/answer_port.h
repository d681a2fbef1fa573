/* The answer port: the answer register, through which answers enter the walk queue (R10.2), and the
 * fill register, through which they and joined entries reach the TLB (R3.6, R3.13).
 *
 * Order within a cycle: lw_answers_plan on the state at its beginning; what the registers hold is
 * used; then lw_answers_step. */
#ifndef LW_C_MODEL_WALK_ANSWER_PORT_H
#define LW_C_MODEL_WALK_ANSWER_PORT_H

#include "c_model/base/signals.h"

/* ANSWER */
typedef struct lw_answer {
    lw_result result;
    uint8_t block; /* of a buffer entry (R2.4) */
    bool valid, epoch, entry;
} lw_answer;

typedef struct lw_answers {
    const lw_config *cfg;
    const lw_watch *watch;
    lw_answer answer;
    lw_fill fill;
    bool chosen_entry; /* R10.12 */
} lw_answers;

void lw_answers_init(lw_answers *a, const lw_config *cfg, const lw_watch *watch);

/* What reaches the port in a cycle. */
typedef struct lw_answer_inputs {
    const lw_features *features;
    lw_result walker, entry; /* the oldest walker in RESP; the entry that is being read */
    lw_join join;            /* that waits in INSERT (R16.10) */
    lw_mark mark;            /* of this cycle */
    bool epoch;              /* EPOCH */
    bool room;               /* R10.1: the walk queue has room for a promise */
    bool entry_ready;        /* an entry can be chosen */
    bool entry_epoch;        /* EPOCH when the one being read was */
    uint8_t entry_block;     /* and the block of its SEQ (R2.4) */
} lw_answer_inputs;

/* What the port decides on the state at the beginning of the cycle. */
typedef struct lw_answer_plan {
    bool walker, entry; /* R10.1: which of the two is chosen, if one is */
    bool fills;         /* R3.6: an answer loads the fill register */
    bool join_taken;    /* R16.10: the joined entry leaves INSERT */
    bool join_loads;    /* R3.13: and it loads the fill register */
    lw_answer next;     /* R10.2: what the answer register becomes */
} lw_answer_plan;

void lw_answers_plan(const lw_answers *a, const lw_answer_inputs *in, lw_answer_plan *p);

/* Whether there is something to do in the rest of the cycle. */
static inline bool lw_answers_is_busy(const lw_answers *a, const lw_answer_plan *p) {
    return a->answer.valid || a->fill.valid || p->next.valid || p->entry || p->join_loads;
}

/* What enters the walk queue with ANSWER_VALID=1, and the fault that it is (R12.3), of kind LW_OK
 * if it is none. */
lw_response lw_answers_response(const lw_answers *a);
void lw_answers_fault(const lw_answers *a, lw_fault *fault);

/* R3.6, R3.8, R3.13, R3.14, R10.2: the fill register, then the answer register are loaded. Not
 * needed unless lw_answers_is_busy. */
void lw_answers_step(lw_answers *a, const lw_answer_inputs *in, const lw_answer_plan *p,
                     lw_events *events);

#endif
