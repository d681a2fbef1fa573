/* Who listens to the twin: the state net, to which each part tells which entry of which structure
 * it has written, and whoever asks where a request is, who is told when it goes from one stage of
 * its way to the next. Neither changes anything. */
#ifndef LW_C_MODEL_BASE_WATCH_H
#define LW_C_MODEL_BASE_WATCH_H

#include "c_model/base/catalogue.h"

#include <stddef.h>
#include <stdint.h>

/* After each step it has been called at least once for each entry of which a register was written
 * (more is allowed, fewer is a bug). */
typedef void lw_written_fn(void *ctx, lw_structure s, uint32_t index);

/* Where a request is, from the cycle of its transfer to the cycle in which its response is: at each
 * moment in exactly one stage. */
typedef enum lw_stage {
    LW_STAGE_TLB,      /* the TLB's pipeline, until it is decided (R3.2) */
    LW_STAGE_QUEUE,    /* a miss: the miss queue and the insertion register (R4.8) */
    LW_STAGE_WALKER,   /* in the buffer: a walker is free for it in its turn (R5.2) */
    LW_STAGE_LINE,     /* in the buffer: another walk's line, which may answer it (CL, R4.1) */
    LW_STAGE_LOOK,     /* given to a walker, which has not started (R5.20) */
    LW_STAGE_PWC,      /* the page walk cache: its entrance and its result (R6.1) */
    LW_STAGE_CAM,      /* the CAM port, to claim what it reads next (R7.7) */
    LW_STAGE_PORT,     /* the memory request register (R8.1) */
    LW_STAGE_LEVEL_1,  /* memory: the line of the PTE of level 1, the page's own; */
    LW_STAGE_LEVEL_2,  /* ... of level 2, */
    LW_STAGE_LEVEL_3,  /* 3, */
    LW_STAGE_LEVEL_4,  /* 4 */
    LW_STAGE_LEVEL_5,  /* and 5 */
    LW_STAGE_TOLD,     /* in the buffer: another walk's line has answered it (DONE, R9.6) */
    LW_STAGE_ANSWER,   /* its own walk has ended: the answer register (R7.6, R10.2) */
    LW_STAGE_RESPONSE, /* the response queue and the port, until it is taken (R10.4) */
    LW_STAGES,
    LW_STAGE_LEFT = LW_STAGES /* the response has been transferred */
} lw_stage;

/* The request of this id is in another stage, or in the same, from the cycle after this one on;
 * LW_STAGE_TLB says that it has been transferred, LW_STAGE_LEFT that its response has. Where it is
 * told several times in a cycle, the last one counts. */
typedef void lw_moved_fn(void *ctx, uint32_t id, lw_stage stage);

typedef struct lw_watch {
    lw_written_fn *written; /* NULL: off */
    void *ctx;
    lw_moved_fn *moved; /* NULL: off */
    void *moved_ctx;
} lw_watch;

static inline void lw_touch(const lw_watch *watch, lw_structure s, uint32_t index) {
    if (watch->written != NULL) {
        watch->written(watch->ctx, s, index);
    }
}

static inline void lw_move(const lw_watch *watch, uint32_t id, lw_stage stage) {
    if (watch->moved != NULL) {
        watch->moved(watch->moved_ctx, id, stage);
    }
}

#endif
