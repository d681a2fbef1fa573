#include "sim/gpu/lane_coalescer.h"

/* How many lanes are active, where those are the first ones: nearly always all are. Else 0. Loops
 * over such lanes need no mask, and a compiler makes vector instructions of them. */
static uint32_t first_lanes(uint64_t mask) {
    return (mask & (mask + 1)) == 0 ? (uint32_t)__builtin_popcountll(mask) : 0;
}

/* Whether these lanes have one page. */
static bool one_page(const lw_wave_inst *inst, uint32_t lanes) {
    uint64_t differ = 0;
    for (uint32_t i = 0; i < lanes; i++) {
        differ |= inst->va[i] ^ inst->va[0];
    }
    return lanes != 0 && differ >> 12 == 0;
}

static uint64_t lines_of(const lw_wave_inst *inst, uint32_t lanes) {
    uint64_t lines = 0;
    for (uint32_t i = 0; i < lanes; i++) {
        lines |= UINT64_C(1) << (inst->va[i] >> 6 & 63);
    }
    return lines;
}

uint32_t lw_coalesce_lanes(const lw_wave_inst *inst, lw_page_lines pages[LW_MAX_LANES]) {
    uint32_t count = 0;
    uint64_t highest = 0;
    if (one_page(inst, first_lanes(inst->mask))) {
        pages[0].page = inst->va[0] >> 12;
        return 1;
    }
    for (uint64_t left = inst->mask; left != 0; left &= left - 1) {
        const uint64_t page = inst->va[__builtin_ctzll(left)] >> 12;
        /* Nearly always addresses ascend with the lanes: a page above all others needs no search,
         * and one seen before is most likely the one found last. */
        if (page > highest) {
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
    const uint32_t lanes = first_lanes(inst->mask);
    uint32_t i = 0;
    uint64_t page = pages[0].page;
    if (count == 1 && lanes != 0) {
        pages[0].lines = lines_of(inst, lanes);
        return;
    }
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
