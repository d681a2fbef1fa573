/* Where the requests are: the twin writes down in which cycle a request goes from one stage of its
 * way to the next, a short list for each id. Nobody is called but where a list is full or many
 * requests have gone out, so that a move costs the twin a few instructions and whoever counts them
 * stays out of the way of its code in the host's cache. */
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
 * another than before or not. Of several in one cycle the last counts. A move has the cycle's low
 * 27 bits, which tell how long a stage was as long as it was shorter than 2^27 cycles. So a list is
 * 64 bytes, one line of the host's cache. */
enum { LW_MOVE_STAGE_BITS = 5, LW_MOVES = 15 };

typedef struct lw_request_moves {
    uint16_t count;
    uint16_t note; /* the one of its transfer */
    uint32_t move[LW_MOVES];
} lw_request_moves;

/* Requests that have gone out until their lists are read. */
enum { LW_MOVES_GONE = 64 };

typedef struct lw_moves {
    uint32_t now;  /* the present cycle, as it stands in a move (lw_moves_cycle) */
    uint16_t note; /* for whoever reads the moves: of a request that is transferred now */
    uint32_t room; /* 1..LW_MOVES: a list with so many moves is full: */
    /* all but its last move is taken out of it; */
    void (*full)(void *ctx, uint32_t id);
    /* the lists at `gone` are read, and their places are free again. */
    void (*read)(void *ctx);
    void *ctx;
    /* Ids are used in turn, all of them: their lists are lent, the last that came back first, so
     * that they stay in the host's cache. Place 0 is for who is not under way, which takes a flip,
     * and for who finds no place, which takes as many flips as there are ids. */
    uint16_t *place;      /* by id */
    uint16_t *free;       /* the places that are free, */
    uint32_t frees;       /* so many of them */
    lw_request_moves *of; /* by place */
    uint16_t gone[LW_MOVES_GONE];
    uint32_t gones;
} lw_moves;

static inline lw_request_moves *lw_moves_of(const lw_moves *m, uint32_t id) {
    return &m->of[m->place[id]];
}

/* Before a step. */
static inline void lw_moves_cycle(lw_moves *m, uint64_t cycle) {
    m->now = (uint32_t)(cycle << LW_MOVE_STAGE_BITS);
}

/* The request goes on to a stage. */
static inline void lw_moves_add(lw_moves *m, uint32_t id, lw_stage stage) {
    lw_request_moves *r = lw_moves_of(m, id);
    r->move[r->count++] = m->now | (uint32_t)stage;
    if (r->count >= m->room) {
        m->full(m->ctx, id);
    }
}

/* The request has been transferred. */
static inline void lw_moves_begin(lw_moves *m, uint32_t id) {
    if (m->place[id] == 0 && m->frees != 0) {
        m->place[id] = m->free[--m->frees];
    }
    lw_moves_of(m, id)->count = 0;
    lw_moves_of(m, id)->note = m->note;
    lw_moves_add(m, id, LW_STAGE_TLB);
}

/* Its response has been transferred. */
static inline void lw_moves_end(lw_moves *m, uint32_t id) {
    lw_moves_add(m, id, LW_STAGE_LEFT);
    if (m->place[id] != 0) {
        m->gone[m->gones++] = m->place[id];
        m->place[id] = 0;
    }
    if (m->gones == LW_MOVES_GONE) {
        m->read(m->ctx);
    }
}

static inline lw_stage lw_move_stage(uint32_t move) {
    return (lw_stage)(move & ((1u << LW_MOVE_STAGE_BITS) - 1));
}

/* Cycles from one move to a later one. */
static inline uint32_t lw_move_cycles(uint32_t from, uint32_t to) {
    const uint32_t stage = (1u << LW_MOVE_STAGE_BITS) - 1;
    return (to - (from & ~stage)) >> LW_MOVE_STAGE_BITS;
}

#ifdef __cplusplus
}
#endif

#endif
