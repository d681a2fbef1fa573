/* When an access of a stream may be issued. Its cycles are counted from the first one in which the
 * unit can be asked, so that a stream means the same however many roots are written before it. */
#ifndef LW_SIM_GPU_STREAM_CLOCK_H
#define LW_SIM_GPU_STREAM_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

typedef struct lw_stream_clock {
    bool runs;
    uint64_t start;
} lw_stream_clock; /* all zero: it has not begun */

/* The unit can be asked in this cycle; what counts is the first such call. */
static inline void lw_stream_clock_start(lw_stream_clock *clock, uint64_t now) {
    clock->start = clock->runs ? clock->start : now;
    clock->runs = true;
}

/* The cycle of the run, no later than the last one that can be counted. */
static inline uint64_t lw_stream_clock_due(const lw_stream_clock *clock, uint64_t cycle) {
    return cycle < UINT64_MAX - 1 - clock->start ? clock->start + cycle : UINT64_MAX - 1;
}

#endif
