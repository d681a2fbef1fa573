/* Where a run spends its time, by a timer that looks a thousand times a second what the run is at
 * (lw_part). It costs the run nothing that could be measured, unlike a clock read in every cycle.
 * Internal. */
#ifndef LW_APP_BENCH_BENCH_PARTS_H
#define LW_APP_BENCH_BENCH_PARTS_H

#include "dpi/session.h"

typedef struct lw_bench_parts {
    double share[LW_PARTS]; /* of the time of a run's cycles; the sum is 1, or 0 of no look */
} lw_bench_parts;

/* Looks from now on at what it returns, which is for lw_session_options.part. One at a time. */
volatile sig_atomic_t *lw_bench_parts_begin(void);
/* Looks no more. */
void lw_bench_parts_end(lw_bench_parts *parts);

#endif
