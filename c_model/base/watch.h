/* The state net's ear: each part of the twin tells which entry of which structure it has written.
 */
#ifndef LW_C_MODEL_BASE_WATCH_H
#define LW_C_MODEL_BASE_WATCH_H

#include "c_model/base/catalogue.h"

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
} lw_watch;

static inline void lw_touch(const lw_watch *watch, lw_structure s, uint32_t index) {
    if (watch->written != NULL) {
        watch->written(watch->ctx, s, index);
    }
}

#ifdef __cplusplus
}
#endif

#endif
