/* Where the requests are: the twin writes down in which cycle a request goes from one stage of its
 * way to the next, a short list for each id. Nobody is called but where a list is full or its
 * request has gone out, so that a move costs the twin a few instructions. */
#ifndef LW_C_MODEL_BASE_MOVES_H
#define LW_C_MODEL_BASE_MOVES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

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

/* A move {cycle, stage}: the request is in this stage from the cycle after that one on, be it
 * another than before or not. Of several in one cycle the last counts. */
enum { LW_MOVE_STAGE_BITS = 5, LW_MOVES = 15 };

typedef struct lw_request_moves {
    uint32_t count;
    uint32_t note; /* the one of its transfer */
    uint64_t move[LW_MOVES];
} lw_request_moves;

typedef struct lw_moves {
    uint64_t now;  /* the present cycle, as it stands in a move (lw_moves_cycle) */
    uint32_t note; /* for whoever reads the moves: of a request that is transferred now */
    uint32_t room; /* 1..LW_MOVES: a list with so many moves is taken away; */
    /* ... by this function, of which the last move is left alone in the list. It is also called
     * where a request has gone out. */
    void (*take)(void *ctx, uint32_t id);
    void *ctx;
    /* Ids are used in turn, all of them: their lists are lent, the last that came back first, so
     * that they stay in the host's cache. Place 0 is for who is not under way, which takes a flip.
     */
    uint32_t *place;      /* by id */
    uint32_t *free;       /* the places that are free, */
    uint32_t frees;       /* so many of them */
    lw_request_moves *of; /* by place */
} lw_moves;

static inline lw_request_moves *lw_moves_of(const lw_moves *m, uint32_t id) {
    return &m->of[m->place[id]];
}

/* Before a step. */
static inline void lw_moves_cycle(lw_moves *m, uint64_t cycle) {
    m->now = cycle << LW_MOVE_STAGE_BITS;
}

/* LW_STAGE_TLB says that the request has been transferred, LW_STAGE_LEFT that its response has. */
static inline void lw_moves_add(lw_moves *m, uint32_t id, lw_stage stage) {
    if (stage == LW_STAGE_TLB) {
        if (m->place[id] == 0) {
            m->place[id] = m->free[--m->frees];
        }
        lw_moves_of(m, id)->count = 0;
        lw_moves_of(m, id)->note = m->note;
    }
    lw_request_moves *r = lw_moves_of(m, id);
    r->move[r->count++] = m->now | (uint64_t)stage;
    if (stage == LW_STAGE_LEFT || r->count >= m->room) {
        m->take(m->ctx, id);
    }
    if (stage == LW_STAGE_LEFT && m->place[id] != 0) {
        m->free[m->frees++] = m->place[id];
        m->place[id] = 0;
    }
}

static inline lw_stage lw_move_stage(uint64_t move) {
    return (lw_stage)(move & ((1u << LW_MOVE_STAGE_BITS) - 1));
}

static inline uint64_t lw_move_cycle(uint64_t move) {
    return move >> LW_MOVE_STAGE_BITS;
}

#ifdef __cplusplus
}
#endif

#endif
