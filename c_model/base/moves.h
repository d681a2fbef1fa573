/* How long the requests are in each stage of their way: the twin adds it up as a request goes from
 * one to the next, one count for each stage. Nobody is called but whoever asks to be told of each
 * move, and where many requests have gone out, so that a move costs the twin a few instructions and
 * whoever reads the counts stays out of the way of its code in the host's cache. */
#ifndef LW_C_MODEL_BASE_MOVES_H
#define LW_C_MODEL_BASE_MOVES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

/* Requests that have gone out until their counts are read. */
enum { LW_MOVES_GONE = 64 };

/* The counts of a request are a word for each stage, together one line of the host's cache. The
 * cycle in which the request comes into a stage is taken off its word, that in which it goes on is
 * added, modulo 2^32: so it may come often, and of several moves in one cycle the last counts.
 * Beside them, of the request as a whole: */
typedef struct lw_request_whole {
    void *note;      /* the one of its transfer */
    uint64_t cycles; /* in the same way, from its transfer to its response's */
} lw_request_whole;

typedef struct lw_moves {
    uint64_t now; /* the present cycle */
    void *note;   /* for whoever reads the counts: of a request that is transferred now */
    /* Is told of each move, of a transfer as one to LW_STAGE_TLB; NULL: nobody. */
    void (*told)(void *ctx, uint32_t id, lw_stage stage);
    /* The counts at `gone` are read, and free again. */
    void (*read)(void *ctx);
    void *ctx;
    /* Ids are used in turn, all of them: their counts are lent, the last that came back first, so
     * that they stay in the host's cache. The first are of who is not under way, which takes a
     * flip. */
    uint32_t *at;            /* by id: the word of the stage in which it is */
    uint32_t *cycles;        /* the counts, LW_STAGES words a request, */
    lw_request_whole *whole; /* and what is beside them */
    uint32_t *free;          /* the first words of the counts that are free, */
    uint32_t frees;          /* so many of them: ids and LW_MOVES_GONE, which is always enough */
    uint32_t gone[LW_MOVES_GONE];
    uint32_t gones;
} lw_moves;

/* Before a step. */
static inline void lw_moves_cycle(lw_moves *m, uint64_t cycle) {
    m->now = cycle;
}

static inline void lw_moves_tell(const lw_moves *m, uint32_t id, lw_stage stage) {
    if (m->told != NULL) {
        m->told(m->ctx, id, stage);
    }
}

/* The request has been transferred. */
static inline void lw_moves_begin(lw_moves *m, uint32_t id) {
    const uint32_t at =
        m->at[id] < LW_STAGES ? m->free[--m->frees] : m->at[id] / LW_STAGES * LW_STAGES;
    memset(&m->cycles[at], 0, LW_STAGES * sizeof m->cycles[0]);
    m->cycles[at + LW_STAGE_TLB] -= (uint32_t)m->now;
    m->whole[at / LW_STAGES].note = m->note;
    m->whole[at / LW_STAGES].cycles = 0 - m->now;
    m->at[id] = at + LW_STAGE_TLB;
    lw_moves_tell(m, id, LW_STAGE_TLB);
}

/* The request goes on to a stage, be it another than before or not. */
static inline void lw_moves_add(lw_moves *m, uint32_t id, lw_stage stage) {
    const uint32_t now = (uint32_t)m->now, from = m->at[id];
    const uint32_t to = from / LW_STAGES * LW_STAGES + stage;
    m->cycles[from] += now;
    m->cycles[to] -= now;
    m->at[id] = to;
    lw_moves_tell(m, id, stage);
}

/* Its response has been transferred. */
static inline void lw_moves_end(lw_moves *m, uint32_t id) {
    const uint32_t at = m->at[id];
    m->cycles[at] += (uint32_t)m->now;
    m->whole[at / LW_STAGES].cycles += m->now;
    lw_moves_tell(m, id, LW_STAGE_LEFT);
    if (at >= LW_STAGES) {
        m->gone[m->gones++] = at / LW_STAGES * LW_STAGES;
        m->at[id] = 0;
    }
    if (m->gones == LW_MOVES_GONE) {
        m->read(m->ctx);
    }
}

#ifdef __cplusplus
}
#endif

#endif
