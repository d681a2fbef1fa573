/* The requests that are transferred in a window of cycles, each to its end, told in the order of
 * time to whoever writes them down: when each begins, enters a stage, and ends. Where a request
 * goes through several stages in one cycle only the last is told. */
#ifndef LW_DPI_STAGE_WINDOW_H
#define LW_DPI_STAGE_WINDOW_H

#include "c_model/base/ports.h"
#include "c_model/base/watch.h"

#include <stdbool.h>
#include <stdint.h>

/* A request, numbered from 0 in the order of transfer; `kernel` is "" where it is of none. */
typedef struct lw_traced {
    uint64_t number, page;
    uint32_t id, pasid, access, src;
    char kernel[64];
    lw_stage stage; /* in which it is */
} lw_traced;

/* Who writes it down. A request leaves its stage when it enters another or ends, which it does
 * `answered` unless the run or a reset cuts it off. */
typedef struct lw_stage_writer {
    void (*began)(void *ctx, uint64_t cycle, const lw_traced *request);
    void (*moved)(void *ctx, uint64_t cycle, const lw_traced *request, lw_stage to);
    void (*ended)(void *ctx, uint64_t cycle, const lw_traced *request, bool answered);
    void *ctx;
} lw_stage_writer;

enum { LW_STAGE_WRITERS = 2 };

typedef struct lw_stage_window lw_stage_window;

/* Of the requests that are transferred in the cycles from..to, whose ids have so many bits. NULL
 * where there is no memory. */
lw_stage_window *lw_stage_window_new(uint32_t id_w, uint64_t from, uint64_t to);
void lw_stage_window_free(lw_stage_window *w);
/* At most LW_STAGE_WRITERS of them. */
void lw_stage_window_add(lw_stage_window *w, const lw_stage_writer *writer);

void lw_stage_window_begin(lw_stage_window *w, uint64_t cycle, uint32_t id, const lw_inputs *in,
                           const char *kernel);
/* LW_STAGE_LEFT: it ends. */
void lw_stage_window_move(lw_stage_window *w, uint64_t cycle, uint32_t id, lw_stage stage);
/* What is still under way is cut off. */
void lw_stage_window_end(lw_stage_window *w);

#endif
