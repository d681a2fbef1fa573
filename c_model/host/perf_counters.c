#include "c_model/host/perf_counters.h"

enum { COUNTER_BITS = 48 };

void lw_counters_init(lw_counters *c, const lw_watch *watch) {
    *c = (lw_counters){.watch = watch};
}

static uint64_t wrapped(uint64_t count) {
    return count & ((UINT64_C(1) << COUNTER_BITS) - 1); /* R12.5 */
}

uint64_t lw_counters_total(const lw_counters *c, uint32_t number) {
    return wrapped(c->total[number]);
}

uint64_t lw_counters_count(const lw_counters *c, uint32_t number) {
    return wrapped(c->begun[number]);
}

static uint64_t increment(const lw_counters *c, uint32_t number) {
    return c->total[number] - c->begun[number];
}

void lw_counters_watch(lw_counters *c) {
    lw_counters_begin(c);
    memset(c->told, 0, sizeof c->told);
}

void lw_counters_tell(lw_counters *c) {
    for (uint32_t i = 0; i < LW_COUNTERS; i++) {
        const uint64_t events = increment(c, i);
        if (events != 0 || c->told[i] != 0) { /* else COUNT stands still too */
            c->told[i] = events;
            lw_touch(c->watch, LW_S_COUNTER, i);
        }
    }
}
