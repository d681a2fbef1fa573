#include "sim/environment/upper_neighbours.h"

#include "sim/environment/neighbourhood.h"

#include <stdlib.h>

enum { MOST_LEVELS = 5 };

/* By level, from 2 on. An entry counts those of the level below it that are in use (of level 2: the
 * requests), a line its entries; so nothing above an entry in use is touched. */
struct lw_upper_neighbours {
    uint32_t levels;
    lw_neighbourhoods *entries[MOST_LEVELS + 1], *lines[MOST_LEVELS + 1];
    lw_upper_counts counts;
};

lw_upper_neighbours *lw_upper_neighbours_new(uint32_t levels, uint32_t in_flight) {
    lw_upper_neighbours *u = calloc(1, sizeof *u);
    if (u == NULL) {
        return NULL;
    }
    u->levels = levels;
    for (uint32_t k = 2; k <= levels; k++) {
        u->entries[k] = lw_neighbourhoods_new(in_flight);
        u->lines[k] = lw_neighbourhoods_new(in_flight);
        if (u->entries[k] == NULL || u->lines[k] == NULL) {
            lw_upper_neighbours_free(u);
            return NULL;
        }
    }
    return u;
}

void lw_upper_neighbours_free(lw_upper_neighbours *u) {
    for (uint32_t k = 2; u != NULL && k <= u->levels; k++) {
        lw_neighbourhoods_free(u->entries[k]);
        lw_neighbourhoods_free(u->lines[k]);
    }
    free(u);
}

/* The number of the entry; eight of them are a neighbourhood. */
static uint64_t entry_of(uint64_t page, uint32_t level) {
    return page >> 9 * (level - 1);
}

void lw_upper_neighbours_enter(lw_upper_neighbours *u, uint32_t pasid, uint64_t page) {
    for (uint32_t k = 2; k <= u->levels; k++) {
        const uint64_t entry = entry_of(page, k);
        if (lw_neighbourhoods_enter(u->entries[k], pasid, entry << 3)) {
            return;
        }
        u->counts.accesses++;
        u->counts.met += lw_neighbourhoods_enter(u->lines[k], pasid, entry);
    }
}

void lw_upper_neighbours_leave(lw_upper_neighbours *u, uint32_t pasid, uint64_t page) {
    for (uint32_t k = 2; k <= u->levels; k++) {
        const uint64_t entry = entry_of(page, k);
        if (!lw_neighbourhoods_leave(u->entries[k], pasid, entry << 3)) {
            return;
        }
        (void)lw_neighbourhoods_leave(u->lines[k], pasid, entry);
    }
}

lw_upper_counts lw_upper_neighbours_counts(const lw_upper_neighbours *u) {
    return u->counts;
}
