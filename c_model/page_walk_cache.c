#include "page_walk_cache.h"

static bool is_by_address(const lw_pwc *p) {
    return p->cfg->hw.pwc_org == LW_PWC_BY_ADDRESS;
}

void lw_pwc_init(lw_pwc *p, const lw_config *cfg, const lw_watch *watch) {
    *p = (lw_pwc){.cfg = cfg, .watch = watch};
    if (is_by_address(p)) {
        lw_pwc_by_address_init(&p->by_address, cfg, watch);
    } else {
        lw_pwc_by_level_init(&p->by_level, cfg, watch);
    }
}

lw_pwc_found lw_pwc_compare(const lw_pwc *p, const lw_pwc_query *query) {
    return is_by_address(p) ? lw_pwc_by_address_compare(&p->by_address, query)
                            : lw_pwc_by_level_compare(&p->by_level, query);
}

uint32_t lw_pwc_victim(const lw_pwc *p, const lw_pwc_query *query) {
    return is_by_address(p) ? lw_pwc_by_address_victim(&p->by_address, query)
                            : lw_pwc_by_level_victim(&p->by_level, query);
}

void lw_pwc_fill(lw_pwc *p, uint32_t entry, const lw_pwc_query *query, const lw_verdict *node) {
    lw_pwc_node kept = {.frame = node->frame, .perm = node->perm, .contig = node->contig};
    if (is_by_address(p)) {
        kept.perm = node->own_perm;
        lw_pwc_by_address_fill(&p->by_address, entry, query, &kept);
    } else {
        lw_pwc_by_level_fill(&p->by_level, entry, query, &kept);
    }
}

void lw_pwc_touch(lw_pwc *p, uint32_t entry) {
    if (is_by_address(p)) {
        lw_pwc_by_address_touch(&p->by_address, entry);
    } else {
        lw_pwc_by_level_touch(&p->by_level, entry);
    }
}

void lw_pwc_mark(lw_pwc *p, const lw_invalidation *inv) {
    if (is_by_address(p)) {
        lw_pwc_by_address_mark(&p->by_address);
    } else {
        lw_pwc_by_level_mark(&p->by_level, inv);
    }
}

void lw_pwc_advance(lw_pwc *p, int32_t entering, uint32_t keep) {
    const uint32_t stages = p->cfg->hw.pwc_latency;
    p->first = p->first == 0 ? stages - 1 : p->first - 1;
    p->stage[p->first] = (lw_pwc_stage){.valid = entering != LW_NONE,
                                        .walker = (uint8_t)(entering != LW_NONE ? entering : 0)};
    p->lookups = 0;
    for (uint32_t s = 0; s < stages; s++) {
        lw_pwc_stage *stage = &p->stage[s];
        stage->valid = stage->valid && (keep >> (stage->walker & 31) & 1) != 0;
        p->lookups += stage->valid;
        lw_touch(p->watch, LW_S_PWC_PIPE, s);
    }
}

void lw_pwc_derive(lw_pwc *p) {
    p->lookups = 0;
    for (uint32_t s = 0; s < p->cfg->hw.pwc_latency; s++) {
        p->lookups += p->stage[s].valid;
    }
    if (!is_by_address(p)) {
        lw_pwc_by_level_derive(&p->by_level);
    }
}

lw_cell lw_pwc_cell(lw_pwc *p, lw_field field, uint32_t index) {
    if (field == LW_F_PWC_PIPE_PIPE_VALID || field == LW_F_PWC_PIPE_PIPE_WALKER) {
        lw_pwc_stage *stage = &p->stage[(p->first + index) % p->cfg->hw.pwc_latency];
        return field == LW_F_PWC_PIPE_PIPE_VALID
                   ? LW_CELL(stage->valid, 1, true)
                   : LW_CELL(stage->walker, p->cfg->walker_w, stage->valid);
    }
    return is_by_address(p) ? lw_pwc_by_address_cell(&p->by_address, field, index)
                            : lw_pwc_by_level_cell(&p->by_level, field, index);
}
