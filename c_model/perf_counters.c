#include "perf_counters.h"

enum { COUNTER_BITS = 48 };

void lw_counters_init(lw_counters *c, const lw_watch *watch) {
    *c = (lw_counters){.watch = watch};
}

uint64_t lw_counters_value(const lw_counters *c, uint32_t number) {
    return c->count[number] & ((UINT64_C(1) << COUNTER_BITS) - 1); /* R12.5: they wrap */
}

void lw_counters_tell(lw_counters *c) {
    for (uint32_t i = 0; i < LW_COUNTERS; i++) {
        if (c->seen[i] != c->count[i]) {
            c->seen[i] = c->count[i];
            lw_touch(c->watch, LW_S_COUNTER, i);
        }
    }
}

lw_cell lw_counters_cell(lw_counters *c, uint32_t number, bool subregions) {
    const uint32_t events = subregions ? LW_C_CHECKS_DROPPED + 1 : LW_C_MSC_LOOKUPS;
    const bool exists = number < events || number >= LW_C_IDLE_EMPTY; /* R14.3 */
    return LW_CELL_PART(c->count[number], 0, COUNTER_BITS, exists);
}
