#include "c_model/front/admission.h"

void lw_admission_init(lw_admission *a, const lw_config *cfg, const lw_watch *watch) {
    *a = (lw_admission){.cfg = cfg, .watch = watch};
}

bool lw_admission_has_hit_room(const lw_admission *a) {
    return a->hit_used < a->cfg->hw.hit_queue;
}

bool lw_admission_ready(const lw_admission *a, bool second) {
    return lw_admission_has_hit_room(a) && a->miss_used < a->cfg->hw.miss_queue && !second;
}

void lw_admission_step(lw_admission *a, const lw_places *p) {
    const uint32_t miss_used = a->miss_used + p->request - p->no_miss - p->miss_left; /* R2.1 */
    const uint32_t hit_used =
        a->hit_used + p->request + p->second - p->miss - p->second_miss - p->hit_popped; /* R2.2 */
    if (miss_used != a->miss_used || hit_used != a->hit_used) {
        a->miss_used = miss_used;
        a->hit_used = hit_used;
        lw_touch(a->watch, LW_S_ADMISSION, 0);
    }
}
