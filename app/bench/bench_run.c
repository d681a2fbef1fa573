#include "app/bench/bench_run.h"

#include "app/host/interrupt.h"

#include <inttypes.h>
#include <stdio.h>

bool lw_bench_measure(const lw_options *o, const lw_system *system, const lw_run *run, lw_side side,
                      uint64_t max_cycles, lw_bench_run *measured) {
    lw_error err = {0};
    const lw_session_result *result = &measured->result;
    const lw_session_options session = {.root = o->root,
                                        .system = system,
                                        .run = run,
                                        .side = side,
                                        .max_cycles = max_cycles,
                                        .full_compare_every = 4096,
                                        .part = lw_bench_parts_begin(),
                                        .stop = lw_interrupt_watch()};
    const bool good = lw_session_run(&session, &measured->result, NULL, &err);
    lw_bench_parts_end(&measured->parts);
    if (*session.stop != 0) {
        return false;
    }
    if (!good) {
        (void)fprintf(stderr, "lockwalk: bench: %s\n", err.text);
        return false;
    }
    if (result->mismatch.found) {
        (void)fprintf(stderr, "lockwalk: bench: MISMATCH in cycle %" PRIu64 ": %s\n",
                      result->mismatch.cycle, result->mismatch.sentence.text);
        return false;
    }
    return true;
}

bool lw_bench_load(const lw_options *o, const char *name, lw_system *system) {
    lw_error err = {0};
    char folder[600];
    (void)snprintf(folder, sizeof folder, "%s/systems", o->root);
    if (lw_system_load(system, folder, name, &err) && lw_system_check(system, &err)) {
        return true;
    }
    (void)fprintf(stderr, "lockwalk: bench: %s\n", err.text);
    return false;
}
