/* A line of a step table (chapter 20), a bucket of four entries of 16 regions each, and what the
 * second word of an entry says of a region. */
#ifndef LW_C_MODEL_WALK_STEP_LINE_H
#define LW_C_MODEL_WALK_STEP_LINE_H

#include "c_model/base/address.h"

/* VPN[44:13] is the group of a page, VPN[12:9] its region in it. */
enum { LW_GROUP_SHIFT = 13, LW_REGION_SHIFT = 9 };

/* The second word of the first entry with the group of this key (R20.9): true if there is one. */
bool lw_step_line_find(const uint64_t line[8], uint64_t key, uint64_t *steps);

/* {PRESENT, STEP} of the key's region (R20.8). */
static inline uint32_t lw_group_region(uint64_t steps, uint64_t key) {
    return (uint32_t)(steps >> (4 * (key >> LW_REGION_SHIFT & 15))) & 15;
}

static inline bool lw_group_present(uint64_t steps, uint64_t key) {
    return lw_group_region(steps, key) >= 8;
}

static inline uint32_t lw_group_step(uint64_t steps, uint64_t key) {
    return lw_group_region(steps, key) & 7;
}

#endif
