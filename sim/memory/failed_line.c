#include "sim/memory/failed_line.h"

#include "common/rng.h"

#include <stdbool.h>

/* Of a PTE (R1.3) that may be read, written and executed, and the bit of a large page. */
#define GRANTS UINT64_C(7)
#define LARGE (UINT64_C(1) << 7)

/* Another frame as well aligned: of 64 KiB, or of 1 GiB for a large page. */
static uint64_t elsewhere(uint64_t pte, uint64_t draw) {
    return pte ^ ((pte & LARGE) == 0 ? (1 + draw % 15) << 16 : (1 + draw % 3) << 30);
}

void lw_failed_line(uint64_t draw, uint64_t data[LW_LINE_WORDS]) {
    const uint64_t drawn = lw_rng_splitmix(&draw);
    if ((drawn & 1) == 0) {
        return;
    }
    for (uint32_t i = 0; i < LW_LINE_WORDS; i++) {
        const bool present = (data[i] & 1) != 0;
        data[i] = elsewhere(present ? data[i] : GRANTS, drawn >> 1);
    }
}
