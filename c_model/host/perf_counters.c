#include "c_model/host/perf_counters.h"

enum { COUNTER_BITS = 48 };

void lw_counters_init(lw_counters *c, const lw_watch *watch) {
    *c = (lw_counters){.watch = watch};
}

uint64_t lw_counters_wrapped(uint64_t events) {
    return events & ((UINT64_C(1) << COUNTER_BITS) - 1);
}

uint64_t lw_counters_count(const lw_counters *c, uint32_t number) {
    return lw_counters_wrapped(c->begun[number]);
}

void lw_counters_watch(lw_counters *c, const lw_events *events) {
    lw_counters_begin(c, events);
    memset(c->told, 0, sizeof c->told);
}

void lw_counters_tell(lw_counters *c, const lw_events *events) {
    for (uint32_t i = 0; i < LW_COUNTERS; i++) {
        const uint64_t increment = events->total[i] - c->begun[i];
        if (increment != 0 || c->told[i] != 0) { /* else COUNT stands still too */
            c->told[i] = increment;
            lw_touch(c->watch, LW_S_COUNTER, i);
        }
    }
}
