/* The pick (R5.2): which of the eligible entries is the oldest, found in three rounds, a cycle
 * each; and the candidate that it leaves (R5.3, R5.10).
 *
 * The twin knows the oldest from its index (lw_buffer_oldest) when the rounds begin, and carries it
 * to their end. The registers of the rounds are for the state net: they are kept while it looks. */
#ifndef LW_OLDEST_FIRST_H
#define LW_OLDEST_FIRST_H

#include "unit.h"

enum {
    LW_ROUND1_GROUP = 4, /* slots */
    LW_ROUND2_GROUP = 8, /* places of ROUND1 */
    LW_ROUND2_SLOTS = LW_ROUND1_GROUP * LW_ROUND2_GROUP,
    LW_ROUND1_MAX = 256 / LW_ROUND1_GROUP,
    LW_ROUND2_MAX = LW_ROUND1_MAX / LW_ROUND2_GROUP
};

typedef struct lw_round {
    uint16_t age;
    uint8_t slot;
    bool found;
} lw_round;

typedef struct lw_pick {
    uint8_t step;
    uint8_t oldest; /* the slot that the rounds under way end with */
    lw_round round1[LW_ROUND1_MAX], round2[LW_ROUND2_MAX];
} lw_pick;

/* What a cycle does to the candidate. */
typedef enum lw_candidate_fate {
    LW_CANDIDATE_STAYS, /* or there is none */
    LW_CANDIDATE_HELD,
    LW_CANDIDATE_RELEASED,
    LW_CANDIDATE_LEAVES /* taken, marked, or no longer eligible when it was to be held */
} lw_candidate_fate;

typedef struct lw_pick_plan {
    int32_t oldest; /* with which the rounds begin in this cycle (step 0), or LW_NONE */
    bool second;    /* step 1 takes place */
    bool loads;     /* step 2 does */
    lw_candidate_fate candidate;
} lw_pick_plan;

static inline bool lw_pick_does_something(const lw_pick_plan *p) {
    return p->oldest != LW_NONE || p->second || p->loads || p->candidate != LW_CANDIDATE_STAYS;
}

static inline uint32_t lw_round2_places(uint32_t buffer_entries) {
    return buffer_entries < LW_ROUND2_SLOTS ? 1 : buffer_entries / LW_ROUND2_SLOTS;
}

#endif
