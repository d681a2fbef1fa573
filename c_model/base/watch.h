/* Who listens to the twin: the state net, to which each part tells which entry of which structure
 * it has written, and whoever asks where a request is, who is told when it goes from one stage of
 * its way to the next. Neither changes anything. */
#ifndef LW_C_MODEL_BASE_WATCH_H
#define LW_C_MODEL_BASE_WATCH_H

#include "c_model/base/catalogue.h"
#include "c_model/base/moves.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* After each step it has been called at least once for each entry of which a register was written
 * (more is allowed, fewer is a bug). */
typedef void lw_written_fn(void *ctx, lw_structure s, uint32_t index);

typedef struct lw_watch {
    lw_written_fn *written; /* NULL: off */
    void *ctx;
    lw_moves *moves; /* NULL: off */
} lw_watch;

static inline void lw_touch(const lw_watch *watch, lw_structure s, uint32_t index) {
    if (watch->written != NULL) {
        watch->written(watch->ctx, s, index);
    }
}

/* Of so many entries, one after another. */
static inline void lw_touch_all(const lw_watch *watch, lw_structure s, uint32_t first,
                                uint32_t count) {
    if (watch->written == NULL) {
        return;
    }
    for (uint32_t i = first; i < first + count; i++) {
        watch->written(watch->ctx, s, i);
    }
}

static inline void lw_move_begin(const lw_watch *watch, uint32_t id) {
    if (watch->moves != NULL) {
        lw_moves_begin(watch->moves, id);
    }
}

static inline void lw_move(const lw_watch *watch, uint32_t id, lw_stage stage) {
    if (watch->moves != NULL) {
        lw_moves_add(watch->moves, id, stage);
    }
}

static inline void lw_move_end(const lw_watch *watch, uint32_t id) {
    if (watch->moves != NULL) {
        lw_moves_end(watch->moves, id);
    }
}

#ifdef __cplusplus
}
#endif

#endif
