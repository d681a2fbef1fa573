/* How long each request is in each stage of its way through the unit (lw_stage), as the twin tells
 * it: every cycle from the request's transfer to its response's lies in exactly one stage, so the
 * stages of a request sum to its whole time. It is counted for all requests that are answered, by
 * kernel and by the way in which they are answered.
 *
 * All room is taken when it is made; nothing is allocated while it counts. */
#ifndef LW_DPI_STAGES_H
#define LW_DPI_STAGES_H

#include "c_model/iommu.h"
#include "common/histogram.h"
#include "dpi/stage_window.h"

#include <stddef.h>

/* How a request is answered: by the TLB (a fault that it finds among it), by a walk of its own, or
 * told by the line of another's walk. */
typedef enum lw_way { LW_WAY_HIT, LW_WAY_WALK, LW_WAY_TOLD, LW_WAYS } lw_way;

/* Names, as in docs/json.md. */
const char *lw_stage_name(lw_stage stage);
const char *lw_way_name(lw_way way);

/* In cycles. A stage has those requests that were in it for a cycle at least. */
typedef struct lw_stage_figures {
    lw_histogram whole, stage[LW_STAGES];
    lw_histogram way[LW_WAYS]; /* the whole time of those */
    uint64_t way_stage[LW_WAYS][LW_STAGES];
} lw_stage_figures;

enum { LW_STAGE_KERNELS = 32 }; /* further ones are counted as one */

typedef struct lw_stages lw_stages;

/* NULL where there is no memory. */
lw_stages *lw_stages_new(const lw_params *params);
void lw_stages_free(lw_stages *s);
/* Tells the window of every request too; NULL: nobody. */
void lw_stages_watch(lw_stages *s, lw_stage_window *window);

/* What the run knows of a request that is transferred: the cycle, the inputs of that cycle, and the
 * kernel that it is of (NULL: of none). The pointers are read then. */
typedef struct lw_stages_run {
    const uint64_t *now;
    const lw_inputs *in;
    const char *(*kernel)(const void *ctx, uint32_t src);
    const void *ctx;
} lw_stages_run;
/* A run begins, or begins anew after a reset: what has been counted is forgotten. */
void lw_stages_begin(lw_stages *s, const lw_stages_run *run);
/* It has ended: the sums are made, and requests that are still under way left out. */
void lw_stages_end(lw_stages *s);

/* The twin's ear (lw_moved_fn); `ctx` is an lw_stages. */
void lw_stages_moved(void *ctx, uint32_t id, lw_stage stage);

/* After the end: of all requests; and the kernels in the order of their first request. */
const lw_stage_figures *lw_stages_all(const lw_stages *s);
size_t lw_stages_kernels(const lw_stages *s);
const lw_stage_figures *lw_stages_kernel(const lw_stages *s, size_t kernel, const char **name);

#endif
