/* The lookups on their way through the page walk cache, or through step cache and hash (R6.1): one
 * enters a cycle, and all go on a stage in each. */
#ifndef LW_C_MODEL_WALK_LOOKUP_PIPE_H
#define LW_C_MODEL_WALK_LOOKUP_PIPE_H

#include "c_model/base/config.h"
#include "c_model/base/watch.h"

enum { LW_PWC_STAGES = 8 };

typedef struct lw_pwc_stage {
    bool valid;
    uint8_t walker;
} lw_pwc_stage;

/* A ring of PWC_LATENCY stages: stage s, from 1 on, is at (first + s - 1) mod PWC_LATENCY. */
typedef struct lw_lookup_pipe {
    lw_pwc_stage stage[LW_PWC_STAGES];
    uint32_t first, lookups; /* lookups: derived, the valid stages */
} lw_lookup_pipe;

/* The walker whose lookup a stage holds, or LW_NONE. */
static inline int32_t lw_pipe_walker(const lw_lookup_pipe *p, uint32_t stages, uint32_t stage) {
    if (p->lookups == 0) {
        return LW_NONE;
    }
    const uint32_t at = p->first + stage - 1;
    const lw_pwc_stage *s = &p->stage[at < stages ? at : at - stages];
    return s->valid ? s->walker : LW_NONE;
}

/* One stage on, where there are lookups; `entering` is a walker or LW_NONE. */
static inline void lw_pipe_advance(lw_lookup_pipe *p, uint32_t stages, int32_t entering,
                                   const lw_watch *watch) {
    p->first = p->first == 0 ? stages - 1 : p->first - 1;
    p->stage[p->first] = (lw_pwc_stage){.valid = entering != LW_NONE,
                                        .walker = (uint8_t)(entering != LW_NONE ? entering : 0)};
    p->lookups = 0;
    for (uint32_t s = 0; s < stages; s++) {
        p->lookups += p->stage[s].valid;
        lw_touch(watch, LW_S_PWC_PIPE, s);
    }
}

/* What follows from the registers; to be called when one has been changed from outside. */
static inline void lw_pipe_derive(lw_lookup_pipe *p, uint32_t stages) {
    p->lookups = 0;
    for (uint32_t s = 0; s < stages; s++) {
        p->lookups += p->stage[s].valid;
    }
}

#endif
