/* Where the requests are: the twin writes down when one goes from a stage of its way to the next,
 * some thousand moves long, and whoever reads them empties the list. A move is one word, and nobody
 * is called while there is room: so it costs the twin a few instructions. */
#ifndef LW_C_MODEL_BASE_MOVES_H
#define LW_C_MODEL_BASE_MOVES_H

#include <stdint.h>

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

/* A move: the request of this id is in another stage, or in the same, from the cycle after this one
 * on. LW_STAGE_TLB says that it has been transferred, LW_STAGE_LEFT that its response has. Where an
 * id has several in one cycle, the last one counts. Cycles are counted modulo 2^32. */
enum { LW_MOVES = 1024, LW_MOVE_STAGE = 16, LW_MOVE_NOTE = 24, LW_MOVE_CYCLE = 32 };

typedef struct lw_moves {
    uint64_t head; /* of all moves of the present cycle (lw_moves_begin_cycle) */
    uint32_t count;
    void (*full)(void *ctx); /* empties the list */
    void *ctx;
    uint64_t move[LW_MOVES]; /* the id, and from these bits on the stage, a note, the cycle */
} lw_moves;

/* Before a step; the note, up to 255, is written down with each of its moves. */
static inline void lw_moves_begin_cycle(lw_moves *m, uint64_t cycle, uint32_t note) {
    m->head = cycle << LW_MOVE_CYCLE | (uint64_t)note << LW_MOVE_NOTE;
}

static inline void lw_moves_add(lw_moves *m, uint32_t id, lw_stage stage) {
    if (m->count == LW_MOVES) {
        m->full(m->ctx);
    }
    m->move[m->count++] = m->head | (uint64_t)stage << LW_MOVE_STAGE | id;
}

static inline uint32_t lw_move_id(uint64_t move) {
    return (uint16_t)move;
}

static inline lw_stage lw_move_stage(uint64_t move) {
    return (lw_stage)(uint8_t)(move >> LW_MOVE_STAGE);
}

static inline uint32_t lw_move_note(uint64_t move) {
    return (uint8_t)(move >> LW_MOVE_NOTE);
}

static inline uint32_t lw_move_cycle(uint64_t move) {
    return (uint32_t)(move >> LW_MOVE_CYCLE);
}

#endif
