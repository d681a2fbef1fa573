#include "c_model/walk/step_line.h"

#include <stddef.h>

enum { ENTRIES = 4, PASID_AT = 32 };

/* R20.8: the first word of the entry of a group. */
static uint64_t word_of(uint64_t key) {
    return UINT64_C(1) << 63 | (uint64_t)lw_key_pasid(key) << PASID_AT |
           lw_key_vpn(key) >> LW_GROUP_SHIFT;
}

bool lw_step_line_find(const uint64_t line[8], uint64_t key, uint64_t *steps) {
    const uint64_t word = word_of(key);
    for (size_t e = 0; e < ENTRIES; e++) {
        if (line[2 * e] == word) {
            *steps = line[2 * e + 1];
            return true;
        }
    }
    return false;
}
