#include "sim/workloads/page_set.h"

#include <stdlib.h>

#define FIRST_SLOTS 1024

static uint64_t *find(const lw_page_set *set, uint64_t key) {
    size_t i = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (set->slot_count - 1);
    while (set->slots[i] != 0 && set->slots[i] != key) {
        i = (i + 1) & (set->slot_count - 1);
    }
    return &set->slots[i];
}

static bool grow(lw_page_set *set) {
    lw_page_set larger = {.slot_count = set->slot_count != 0 ? 2 * set->slot_count : FIRST_SLOTS,
                          .count = set->count};
    larger.slots = calloc(larger.slot_count, sizeof *larger.slots);
    if (larger.slots == NULL) {
        return false;
    }
    for (size_t i = 0; i < set->slot_count; i++) {
        if (set->slots[i] != 0) {
            *find(&larger, set->slots[i]) = set->slots[i];
        }
    }
    free(set->slots);
    *set = larger;
    return true;
}

bool lw_page_set_add(lw_page_set *set, uint64_t vpn) {
    if (2 * set->count >= set->slot_count && !grow(set)) {
        return false;
    }
    uint64_t *slot = find(set, vpn + 1);
    set->count += *slot == 0;
    *slot = vpn + 1;
    return true;
}

void lw_page_set_free(lw_page_set *set) {
    free(set->slots);
    *set = (lw_page_set){0};
}
