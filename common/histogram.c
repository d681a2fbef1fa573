#include "common/histogram.h"

uint64_t lw_histogram_count(const lw_histogram *h) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < LW_HISTOGRAM_CELLS; i++) {
        count += h->cell[i];
    }
    return count;
}

void lw_histogram_merge(lw_histogram *h, const lw_histogram *other) {
    for (uint32_t i = 0; i < LW_HISTOGRAM_CELLS; i++) {
        h->cell[i] += other->cell[i];
    }
}

/* The largest number of a cell. */
static uint64_t end_of(uint32_t cell) {
    if (cell < 2 * LW_HISTOGRAM_PARTS) {
        return cell;
    }
    const uint32_t octave = cell / LW_HISTOGRAM_PARTS - 1;
    const uint64_t part = cell % LW_HISTOGRAM_PARTS + LW_HISTOGRAM_PARTS;
    return ((part + 1) << octave) - 1;
}

uint64_t lw_histogram_quantile(const lw_histogram *h, uint32_t percent, uint64_t most) {
    const uint64_t count = lw_histogram_count(h);
    uint64_t below = 0;
    for (uint32_t i = 0; i + 1 < LW_HISTOGRAM_CELLS; i++) {
        below += h->cell[i];
        if (h->cell[i] != 0 && below * 100 >= count * percent) {
            return end_of(i) < most ? end_of(i) : most;
        }
    }
    return most;
}

uint64_t lw_histogram_power(const lw_histogram *h, uint32_t power) {
    const uint64_t first = power == 0 ? 0 : UINT64_C(1) << (power - 1);
    const uint64_t past = power == 0 ? 1 : first << 1;
    const uint32_t end =
        past >> LW_HISTOGRAM_WIDTH == 0 ? lw_histogram_cell(past) : (uint32_t)LW_HISTOGRAM_CELLS;
    uint64_t count = 0;
    for (uint32_t i = lw_histogram_cell(first); i < end; i++) {
        count += h->cell[i];
    }
    return count;
}
