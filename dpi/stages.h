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

/* How a request is answered: by the TLB (a fault that it finds among it), by a walk of its own (or
 * the second lookup before it, R5.26), or told by the line of another's walk. */
typedef enum lw_way { LW_WAY_HIT, LW_WAY_WALK, LW_WAY_TOLD, LW_WAYS } lw_way;

/* Names, as in docs/json.md. */
const char *lw_stage_name(lw_stage stage);
const char *lw_way_name(lw_way way);

/* In cycles, of the requests that are answered in one way: by stage, of those that were in it for a
 * cycle at least, and last, at LW_STAGE_WHOLE, of the whole time. */
#define LW_STAGE_WHOLE LW_STAGES
typedef struct lw_stage_figures {
    uint64_t sum[LW_STAGES + 1], most[LW_STAGES + 1];
    lw_histogram time[LW_STAGES + 1];
} lw_stage_figures;

enum { LW_STAGE_KERNELS = 32 }; /* further ones are counted as one */

typedef struct lw_stages lw_stages;

/* NULL where there is no memory. */
lw_stages *lw_stages_new(const lw_params *params);
void lw_stages_free(lw_stages *s);
/* Tells the window of every request too; NULL: nobody. */
void lw_stages_watch(lw_stages *s, lw_stage_window *window);

/* A run of this twin begins, or begins anew after a reset: what has been counted is forgotten. */
void lw_stages_begin(lw_stages *s, lw_iommu *twin);
/* Before each step: the cycle. */
void lw_stages_cycle(lw_stages *s, uint64_t cycle);
/* ... and if it transfers a request, the inputs and the kernel that it is of (NULL: of none). The
 * text is read now. */
void lw_stages_request(lw_stages *s, const lw_inputs *in, const char *kernel);
/* It has ended: the sums are made, and requests that are still under way left out. */
void lw_stages_end(lw_stages *s);

/* After the end: the kernels in the order of their first request, and the name of one, NULL where
 * the requests are of none. */
size_t lw_stages_kernels(const lw_stages *s);
const char *lw_stages_kernel_name(const lw_stages *s, size_t kernel);
/* The figures of one kernel, or of all with LW_STAGES_ALL; of one way, or of all with LW_WAYS. */
#define LW_STAGES_ALL SIZE_MAX
const lw_stage_figures *lw_stages_figures(const lw_stages *s, size_t kernel, lw_way way);

#endif
