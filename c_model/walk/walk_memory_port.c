#include "c_model/walk/walk_memory_port.h"

void lw_walkers_load_request(lw_walkers *w, uint32_t waiting) {
    w->req_valid = waiting != 0;
    lw_touch(w->watch, LW_S_WALK_MEMORY, 0);
    if (waiting == 0) {
        return;
    }
    const uint32_t i = (uint32_t)lw_walkers_oldest(w, waiting);
    const lw_pwst *p = &w->walker[i];
    const lw_access a = lw_walkers_access(p);
    w->req_tag = i;
    w->req_line = p->node << 6 | ((w->placed >> p->where & 1) != 0 /* R21.8, else R1.1 */
                                      ? p->bucket
                                      : lw_pte_index(w->cfg, &a) >> 3);
    lw_walkers_await_line(w, i);
}

void lw_walkers_load_head(lw_walkers *w, uint32_t place, uint64_t line) {
    w->req_valid = true;
    w->req_tag = w->cfg->hw.walkers + place;
    w->req_line = line;
    lw_touch(w->watch, LW_S_WALK_MEMORY, 0);
}

void lw_walkers_load_line(lw_walkers *w, const lw_inputs *in) {
    w->line_valid = in->mem_rsp_valid;
    lw_touch(w->watch, LW_S_WALK_MEMORY, 0);
    if (!in->mem_rsp_valid) {
        return;
    }
    w->line_tag = in->mem_rsp_tag & ((UINT32_C(1) << w->cfg->tag_w) - 1);
    w->line_error = in->mem_rsp_error;
    memcpy(w->line, in->mem_rsp_data, sizeof w->line);
    lw_touch(w->watch, LW_S_WALK_MEMORY, 0);
    lw_touch_all(w->watch, LW_S_LINE, 0, 8);
}
