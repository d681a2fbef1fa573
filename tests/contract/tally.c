#include "tests/contract/tally.h"

#include <inttypes.h>
#include <stdio.h>

#define TEXT(name, text) text,
static const char *const texts[] = {LW_TALLIES(TEXT)};
#undef TEXT

void lw_tally_print(const lw_tally *t) {
    for (int i = LW_T_OK; i < LW_T_COUNT; i++) {
        (void)printf("%12" PRIu64 " %s\n", t->n[i], texts[i]);
    }
    uint64_t answers = 0, invalidations = 0;
    for (int i = LW_T_OK; i <= LW_T_MEMORY_ERROR; i++) {
        answers += t->n[i];
    }
    for (int i = LW_T_INV_PAGE; i <= LW_T_INV_ALL; i++) {
        invalidations += t->n[i];
    }
    (void)printf("contract: %" PRIu64 " runs, %" PRIu64 " cycles, %" PRIu64 " requests, %" PRIu64
                 " answers, %" PRIu64 " invalidations\n",
                 t->n[LW_T_RUNS], t->n[LW_T_CYCLES], t->n[LW_T_REQUESTS], answers, invalidations);
}

bool lw_tally_all(const lw_tally *t) {
    bool all = true;
    for (int i = 0; i < LW_T_COUNT; i++) {
        if (t->n[i] == 0) {
            (void)printf("contract: never happened, so nothing is known about it: %s\n", texts[i]);
            all = false;
        }
    }
    return all;
}
