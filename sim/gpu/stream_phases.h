/* A random stream with locality, for the corners of hits: phases of some tens to hundreds of
 * requests, each with a kind, and a pressure on both ports, drawn from the seed.
 *
 *   mixed    as the stream `random` draws them: this file draws nothing
 *   reuse    a few pages over and over
 *   burst    the pages of one frame, one leaf line or one page
 *   stride   from a page of an array on by one stride, of a page or a few, a leaf line or a node,
 *            up or down; around and around, also out of the array
 *   shared   the same pages in every address space
 *   quiet    no request for some hundred cycles
 *
 * A phase's pressure is how often no request is offered and no response taken: as the system says,
 * never, or for most of the time. */
#ifndef LW_SIM_GPU_STREAM_PHASES_H
#define LW_SIM_GPU_STREAM_PHASES_H

#include "common/rng.h"
#include "sim/gpu/stream_driver.h"

typedef enum lw_phase_kind {
    LW_PHASE_MIXED,
    LW_PHASE_REUSE,
    LW_PHASE_BURST,
    LW_PHASE_STRIDE,
    LW_PHASE_SHARED,
    LW_PHASE_QUIET,
    LW_PHASES
} lw_phase_kind;

enum { LW_PHASE_PAGES = 8 };

/* A page of a process; not yet canonical. */
typedef struct lw_stream_page {
    uint32_t process;
    uint64_t page;
} lw_stream_page;

typedef struct lw_stream_phases {
    lw_phase_kind kind;
    uint32_t left;      /* requests of this phase, cycles of a quiet one */
    uint32_t gap;       /* percent of cycles without a request */
    uint32_t not_ready; /* percent of cycles in which no response is taken */
    uint32_t count;     /* pages */
    lw_stream_page pages[LW_PHASE_PAGES];
    uint64_t stride, span, cursor;
} lw_stream_phases;

/* The next phase. */
void lw_phases_next(lw_stream_phases *p, const lw_stream_params *params, lw_rng *rng);
/* A page of the phase; not of one that is mixed or quiet. */
lw_stream_page lw_phases_draw(lw_stream_phases *p, const lw_stream_params *params, lw_rng *rng);

/* Any page of any array, most often of one that is mapped. */
lw_stream_page lw_stream_anywhere(const lw_stream_params *params, lw_rng *rng);

#endif
