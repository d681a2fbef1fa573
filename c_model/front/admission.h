/* Admission (chapter 2): a request is taken only when both places where it can end have room, and
 * no second lookup takes its place. */
#ifndef LW_C_MODEL_FRONT_ADMISSION_H
#define LW_C_MODEL_FRONT_ADMISSION_H

#include "c_model/base/config.h"
#include "c_model/base/watch.h"

typedef struct lw_admission {
    const lw_config *cfg;
    const lw_watch *watch;
    uint32_t miss_used, hit_used; /* places taken or promised */
} lw_admission;

/* What happened in a cycle to the places that admission promises. */
typedef struct lw_places {
    bool request;             /* a request transfer */
    bool miss, no_miss;       /* a request's lookup ended */
    bool second, second_miss; /* a second lookup (R5.26), the end of one (R5.28) */
    bool miss_left;           /* a miss entered the insertion register (R4.8) */
    bool hit_popped;
} lw_places;

void lw_admission_init(lw_admission *a, const lw_config *cfg, const lw_watch *watch);
/* R2.4: req_ready_o, in a cycle that is a second lookup's (READ_FIRST=1) or is not. */
bool lw_admission_ready(const lw_admission *a, bool second);
/* R5.26: whether the hit queue has room for a second lookup. */
bool lw_admission_has_hit_room(const lw_admission *a);
/* R2.1, R2.2 */
void lw_admission_step(lw_admission *a, const lw_places *p);

#endif
