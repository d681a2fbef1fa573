#include "sim/gpu/lane_coalescer.h"

uint32_t lw_coalesce_lanes(const lw_wave_inst *inst, lw_page_lines pages[LW_MAX_LANES]) {
    uint32_t count = 0;
    uint64_t highest = 0;
    for (uint64_t left = inst->mask; left != 0; left &= left - 1) {
        const uint64_t page = inst->va[__builtin_ctzll(left)] >> 12;
        /* Nearly always addresses ascend with the lanes: a page above all others needs no search,
         * and one seen before is most likely the one found last. */
        if (count == 0 || page > highest) {
            highest = page;
            pages[count++].page = page;
            continue;
        }
        uint32_t i = count;
        while (i > 0 && pages[i - 1].page != page) {
            i--;
        }
        if (i == 0) {
            pages[count++].page = page;
        }
    }
    return count;
}

void lw_coalesce_lines(const lw_wave_inst *inst, lw_page_lines pages[LW_MAX_LANES],
                       uint32_t count) {
    uint32_t i = 0;
    uint64_t page = pages[0].page;
    uint64_t lines = 0; /* of that page so far: most lanes have the page of the lane before */
    for (uint32_t p = 0; p < count; p++) {
        pages[p].lines = 0;
    }
    for (uint64_t left = inst->mask; left != 0; left &= left - 1) {
        const uint64_t va = inst->va[__builtin_ctzll(left)];
        if (va >> 12 != page) {
            pages[i].lines = lines;
            page = va >> 12;
            while (pages[i].page != page) { /* most likely the next one */
                i = i + 1 == count ? 0 : i + 1;
            }
            lines = pages[i].lines;
        }
        lines |= UINT64_C(1) << (va >> 6 & 63);
    }
    pages[i].lines = lines;
}
