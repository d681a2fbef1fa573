#include "sim/environment/neighbourhood.h"

#include <stdlib.h>

/* Open addressing with linear probing, at most half full; a slot is empty when its count is 0. */
typedef struct slot {
    uint64_t key;
    uint32_t count;
} slot;

struct lw_neighbourhoods {
    uint64_t mask;
    slot slots[];
};

lw_neighbourhoods *lw_neighbourhoods_new(uint32_t in_flight) {
    uint64_t slots = 2;
    while (slots < 2 * (uint64_t)in_flight) {
        slots *= 2;
    }
    lw_neighbourhoods *n = calloc(1, sizeof *n + slots * sizeof n->slots[0]);
    if (n != NULL) {
        n->mask = slots - 1;
    }
    return n;
}

void lw_neighbourhoods_free(lw_neighbourhoods *n) {
    free(n);
}

static uint64_t key_of(uint32_t pasid, uint64_t page) {
    return (uint64_t)pasid << 49 ^ page >> 3;
}

static uint64_t home(const lw_neighbourhoods *n, uint64_t key) {
    return (key * UINT64_C(0x9e3779b97f4a7c15)) >> 20 & n->mask;
}

static uint64_t find(const lw_neighbourhoods *n, uint64_t key) {
    uint64_t at = home(n, key);
    while (n->slots[at].count != 0 && n->slots[at].key != key) {
        at = (at + 1) & n->mask;
    }
    return at;
}

bool lw_neighbourhoods_enter(lw_neighbourhoods *n, uint32_t pasid, uint64_t page) {
    slot *s = &n->slots[find(n, key_of(pasid, page))];
    s->key = key_of(pasid, page);
    return s->count++ != 0;
}

bool lw_neighbourhoods_leave(lw_neighbourhoods *n, uint32_t pasid, uint64_t page) {
    uint64_t at = find(n, key_of(pasid, page));
    if (n->slots[at].count == 0 || --n->slots[at].count != 0) {
        return false;
    }
    /* Close the gap, so that no probe ends too early. */
    for (uint64_t next = (at + 1) & n->mask; n->slots[next].count != 0;
         next = (next + 1) & n->mask) {
        if (((next - home(n, n->slots[next].key)) & n->mask) >= ((next - at) & n->mask)) {
            n->slots[at] = n->slots[next];
            n->slots[next].count = 0;
            at = next;
        }
    }
    return true;
}
