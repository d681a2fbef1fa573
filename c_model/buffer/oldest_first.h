/* The pick (R5.2): the oldest of the eligible entries of each class of slots, found in rounds, a
 * cycle each; and the candidates that it gives, one after another (R5.3, R5.10).
 *
 * The twin knows them from its index, in the order of their age, when the rounds begin, and carries
 * them to their end. The registers of the rounds are for the state net: they are kept while it
 * looks. */
#ifndef LW_C_MODEL_BUFFER_OLDEST_FIRST_H
#define LW_C_MODEL_BUFFER_OLDEST_FIRST_H

#include "c_model/base/address.h"
#include "c_model/base/ports.h"
#include "c_model/base/watch.h"

#include <string.h>

enum {
    LW_ROUND1_GROUP = 4, /* slots, a quarter of the buffer apart */
    LW_ROUND2_GROUP = 8, /* places of ROUND1 */
    LW_ROUND2_SLOTS = LW_ROUND1_GROUP * LW_ROUND2_GROUP,
    LW_ROUND1_MAX = LW_BUFFER_MAX / LW_ROUND1_GROUP,
    LW_ROUND2_MAX = LW_ROUND1_MAX / LW_ROUND2_GROUP
};

typedef struct lw_round {
    uint16_t age;
    uint8_t slot;
    bool found;
} lw_round;

typedef struct lw_pick {
    uint8_t step;
    uint8_t winners, given;         /* of the rounds under way */
    uint16_t winner[LW_ROUND2_MAX]; /* slots, by age */
    lw_round round1[LW_ROUND1_MAX], round2[LW_ROUND2_MAX];
    uint16_t older[LW_ROUND2_MAX]; /* sets of places of ROUND2 */
} lw_pick;

/* What a cycle does to the candidate. */
typedef enum lw_candidate_fate {
    LW_CANDIDATE_STAYS, /* or there is none */
    LW_CANDIDATE_HELD,
    LW_CANDIDATE_RELEASED,
    LW_CANDIDATE_LEAVES /* taken, marked, or no longer eligible when it was to be held */
} lw_candidate_fate;

typedef struct lw_pick_plan {
    uint8_t winners; /* of the rounds that begin in this cycle (step 0) */
    uint16_t winner[LW_ROUND2_MAX];
    bool goes_on; /* step 1 or 2 takes place */
    bool loads;   /* step 3 gives a candidate */
    lw_candidate_fate candidate;
} lw_pick_plan;

static inline bool lw_pick_does_something(const lw_pick_plan *p) {
    return p->winners != 0 || p->goes_on || p->loads || p->candidate != LW_CANDIDATE_STAYS;
}

/* The classes of slots: a slot's low bits say its own. */
static inline uint32_t lw_round2_places(uint32_t buffer_entries) {
    return buffer_entries < LW_ROUND2_SLOTS ? 1 : buffer_entries / LW_ROUND2_SLOTS;
}

#endif
