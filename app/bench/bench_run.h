/* A run that `lockwalk bench` measures. */
#ifndef LW_APP_BENCH_BENCH_RUN_H
#define LW_APP_BENCH_BENCH_RUN_H

#include "app/bench/bench_parts.h"
#include "app/options/options.h"
#include "dpi/session.h"

/* A system by its name; false (and said so) where it cannot be read. */
bool lw_bench_load(const lw_options *o, const char *name, lw_system *system);

/* A run that has been measured. */
typedef struct lw_bench_run {
    lw_session_result result;
    lw_bench_parts parts;
} lw_bench_run;

/* One run on one side; false (and said so) where it could not be or did not match. */
bool lw_bench_measure(const lw_options *o, const lw_system *system, const lw_run *run, lw_side side,
                      uint64_t max_cycles, lw_bench_run *measured);

#endif
