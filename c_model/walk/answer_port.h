/* The answer port: the answer register, through which answers enter the walk queue (R10.2), and the
 * fill register, through which they and joined entries reach the TLB (R3.6, R3.13).
 *
 * Order within a cycle: lw_answers_plan on the state at its beginning, lw_answers_plan_scanned when
 * the line is judged; what the registers hold is used; then lw_answers_step. */
#ifndef LW_C_MODEL_WALK_ANSWER_PORT_H
#define LW_C_MODEL_WALK_ANSWER_PORT_H

#include "c_model/base/signals.h"

/* ANSWER */
typedef struct lw_answer {
    lw_result result;
    bool valid, epoch;
} lw_answer;

typedef struct lw_answers {
    const lw_config *cfg;
    const lw_watch *watch;
    lw_answer answer;
    lw_fill fill;
    bool chosen, chosen_entry; /* R10.12 */
    bool walker_next;          /* R10.2 */
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
} lw_answer_inputs;

/* What the port decides on the state at the beginning of the cycle. */
typedef struct lw_answer_plan {
    bool chosen;      /* R10.1: an answer is */
    bool entry;       /* ... of an entry, which leaves */
    bool walker_next; /* R10.2: ... of a walker, which leaves in the next cycle */
    bool walker;      /* the oldest walker in RESP leaves */
    bool fills;       /* R3.6: an answer loads the fill register */
    bool join_taken;  /* R16.10: the joined entry leaves INSERT */
    bool join_loads;  /* R3.13: and it loads the fill register */
    lw_answer next;   /* R10.2: what the answer register becomes */
} lw_answer_plan;

void lw_answers_plan(const lw_answers *a, const lw_answer_inputs *in, lw_answer_plan *p);
/* R10.13: what the scan of this cycle has brought, not valid if its walk goes on. True if it is
 * chosen; the plan then says so. */
bool lw_answers_plan_scanned(const lw_answer_inputs *in, const lw_result *scanned,
                             lw_answer_plan *p);

/* Whether there is something to do in the rest of the cycle. */
static inline bool lw_answers_is_busy(const lw_answers *a, const lw_answer_plan *p) {
    return a->answer.valid || a->fill.valid || a->chosen || p->next.valid || p->chosen ||
           p->join_loads;
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
