/* The walk side of the unit, as rtl/walk/walk_engine.sv: it joins buffer, walkers, page walk cache,
 * contiguity check and answers, and passes between them what leaves one for another. No other files
 * but walk_lookups.c and iommu.c know more than one of them.
 *
 * Order within a cycle: lw_walk_plan_make on the state at its beginning, lw_walk_choose,
 * lw_walk_cycle, lw_walk_choose_scanned, lw_walk_end_second, lw_walk_queue_miss, lw_walk_answer,
 * lw_walk_load_line. */
#ifndef LW_C_MODEL_WALK_WALK_ENGINE_H
#define LW_C_MODEL_WALK_WALK_ENGINE_H

#include "c_model/buffer/iommu_buffer.h"
#include "c_model/buffer/miss_queue.h"
#include "c_model/reach/contiguity.h"
#include "c_model/walk/answer_port.h"
#include "c_model/walk/entry_reader.h"
#include "c_model/walk/line_scan.h"
#include "c_model/walk/page_walkers.h"
#include "c_model/walk/walk_memory_port.h"

typedef struct lw_walk {
    const lw_config *cfg;
    lw_walkers walkers;
    lw_miss_queue misses;
    lw_buffer buffer;
    lw_pwc pwc;           /* or, with PWC_ORG=2, */
    lw_step_lookup steps; /* in its place */
    lw_contiguity contiguity;
    lw_msc msc;
    lw_answers answers;
} lw_walk;

/* What reaches the walk side in a cycle. */
typedef struct lw_walk_inputs {
    const lw_features *features;
    const lw_roots *roots;
    lw_mark mark; /* R11.2 */
    lw_sweep sweep;
    bool epoch;         /* R10.6 */
    bool room;          /* R10.1: the walk queue has room for a promise, */
    bool hit_room;      /* R5.26: the hit queue has */
    bool mem_req_ready; /* the walk memory port's */
    lw_events *events;
} lw_walk_inputs;

/* What a cycle decides on the state at its beginning (R0.1), before anything is written. */
typedef struct lw_walk_plan {
    uint32_t busy[LW_STATES]; /* the walkers by state */
    bool memory;              /* a walk memory request is transferred */
    lw_turns turns;           /* R4.4, R5.2, R5.6, R5.20, R7.7, R9.2 */
    lw_read read;             /* R5.18 */
    lw_named look;            /* R5.25 */
    lw_learnt learnt;         /* the same, as it was read in the cycle before */
    lw_request second;        /* R5.26 */
    bool inserts, next_open;  /* R4.2, R4.9 */
    uint32_t first_cl;        /* R4.3 */
    uint32_t awaited;         /* R9.14 */
    lw_answer_inputs to_answers;
    lw_answer_plan answers;           /* R10.1 */
    int32_t head_asked, head_arrived; /* R16.6, R16.7 */
} lw_walk_plan;

void lw_walk_init(lw_walk *e, const lw_config *cfg, const lw_watch *watch);

void lw_walk_plan_make(const lw_walk *e, const lw_walk_inputs *in, lw_walk_plan *p);
/* The walker or the entry that is chosen leaves its place, after queues have been popped (R10.5):
 * true if there is one. */
bool lw_walk_choose(lw_walk *e, const lw_walk_inputs *in, const lw_walk_plan *p);
/* R10.13: after lw_walk_cycle; true if the answer of this cycle's scan is chosen, which then is in
 * the plan. */
bool lw_walk_choose_scanned(lw_walk *e, lw_walk_plan *p);
/* The cycle of walkers, CAM, PWC and check, the mark among it, and the insertion. */
void lw_walk_cycle(lw_walk *e, const lw_walk_inputs *in, const lw_walk_plan *p);
/* R5.28: the end of a second lookup, if it is valid; after lw_walk_cycle, of which it changes
 * nothing. */
void lw_walk_end_second(lw_walk *e, const lw_second_end *end);
/* R4.8: the miss that is decided in this cycle, if it is valid, and those that wait. True if one
 * enters the insertion register (R2.1). */
bool lw_walk_queue_miss(lw_walk *e, const lw_walk_plan *p, const lw_miss *decided);
/* What the answer register holds enters the walk queue (true; a fault is told); then it and the
 * fill register, with which the TLB has been filled, are loaded. */
bool lw_walk_answer(lw_walk *e, const lw_walk_inputs *in, const lw_walk_plan *p,
                    lw_response *response, lw_fault *fault);
/* R8.3 */
void lw_walk_load_line(lw_walk *e, const lw_inputs *in);

/* R11.5: whether a walker, an entry or a miss that waits is STALE, or a check in DRAIN; and R11.6:
 * whether an answer on its way to the queues has an EPOCH other than this. */
bool lw_walk_under_way(const lw_walk *e);
bool lw_walk_old_epoch(const lw_walk *e, bool epoch);
/* R2.4: whether the coming cycle is a second lookup's. */
static inline bool lw_walk_has_first(const lw_walk *e) {
    return e->walkers.read.valid && e->walkers.read.first;
}
/* Whether there is nothing to do until a line, a miss or an invalidation comes. */
bool lw_walk_is_quiet(const lw_walk *e);
/* What n equal cycles count whatever happens in them (R12.5: 16; R12.6), on the state at their
 * beginning. */
void lw_walk_count_cycles(const lw_walk *e, lw_events *events, uint64_t n);

/* Rebuilds what is derived from the registers. */
void lw_walk_derive(lw_walk *e);

#endif
