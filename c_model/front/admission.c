#include "c_model/front/admission.h"

void lw_admission_init(lw_admission *a, const lw_config *cfg, const lw_watch *watch) {
    *a = (lw_admission){.cfg = cfg, .watch = watch};
}

bool lw_admission_ready(const lw_admission *a, uint32_t next_seq,
                        const uint32_t block_live[LW_BLOCKS]) {
    const lw_config *cfg = a->cfg;
    if (a->buffer_used >= cfg->hw.buffer_entries || a->hit_used >= cfg->hw.hit_queue) {
        return false;
    }
    const uint32_t seq = (next_seq + cfg->tlb_stages + 1) & cfg->seq_mask;
    return block_live[((seq >> cfg->block_shift) + 2) & 3] == 0;
}

void lw_admission_step(lw_admission *a, const lw_places *p) {
    const uint32_t buffer_used = a->buffer_used + p->request - a->freed;          /* R2.1 */
    const uint32_t hit_used = a->hit_used + p->request - p->miss - p->hit_popped; /* R2.2 */
    const uint32_t freed = p->no_miss + p->freed;
    if (buffer_used != a->buffer_used || hit_used != a->hit_used || freed != a->freed) {
        a->buffer_used = buffer_used;
        a->hit_used = hit_used;
        a->freed = freed;
        lw_touch(a->watch, LW_S_ADMISSION, 0);
    }
}
