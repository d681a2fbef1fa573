#include "answers.h"

/* R10.2: what REACH adds to the BASE is added here. */
static lw_answer make_answer(const lw_config *cfg, lw_response response, uint64_t key,
                             uint32_t contig) {
    lw_answer a = {.response = response, .key = key, .base = response.pfn};
    a.reach = lw_reach_of(contig, 1, key);
    a.response.pfn = (a.base + (key & lw_reach_mask(a.reach))) & cfg->pfn_mask;
    return a;
}

lw_answer lw_answer_of_walker(lw_iommu *u, uint32_t walker, bool epoch) {
    const lw_pwst *w = &u->walkers.walker[walker];
    const lw_response r = {w->node, w->id, w->kind, w->flevel, w->size, w->perm, epoch};
    lw_answer a = make_answer(&u->cfg, r, w->key, w->contig);
    a.src = w->src;
    a.access = w->access;
    a.stale = w->stale;
    lw_walkers_answered(&u->walkers, walker);
    return a;
}

lw_answer lw_answer_of_entry(lw_iommu *u, uint32_t slot, bool epoch) {
    const lw_entry *e = &u->buffer.entry[slot];
    const lw_response r = {e->pa, e->id, e->kind, e->level, e->size, e->perm, epoch};
    lw_answer a = make_answer(&u->cfg, r, e->key, e->contig);
    a.src = e->src;
    a.access = e->access;
    a.stale = lw_slots_has(&u->buffer.stale, slot);
    lw_buffer_answered(&u->buffer, slot);
    return a;
}

/* R12.3: a walk's page as software sees it. */
static uint64_t page_of_vpn(const lw_config *cfg, uint64_t vpn) {
    const uint64_t sign = UINT64_C(1) << (cfg->vpn_w - 1);
    return ((vpn ^ sign) - sign) & ((UINT64_C(1) << 52) - 1);
}

lw_fault lw_answer_fault(const lw_iommu *u, const lw_answer *a) {
    if (a->response.kind == LW_OK) {
        return (lw_fault){.kind = LW_OK};
    }
    return (lw_fault){a->response.kind, a->response.level,
                      a->access,        lw_key_pasid(a->key),
                      a->src,           page_of_vpn(&u->cfg, lw_key_vpn(a->key))};
}

/* R3.14 with R1.15: LEVEL of an answer of kind OK is its LINKS. */
static void make_run(const lw_config *cfg, uint32_t links, lw_mapping *mapping) {
    const uint32_t x = lw_run_place(mapping->page);
    uint32_t first = x, last = x;
    while (first > 0 && (links >> (first - 1) & 1) != 0) {
        first--;
    }
    while (last + 1 < LW_RUN_PLACES && (links >> last & 1) != 0) {
        last++;
    }
    mapping->span = true;
    mapping->page -= x - first;
    mapping->pfn = (mapping->pfn - (x - first)) & cfg->pfn_mask;
    mapping->length = (uint8_t)(last - first);
}

bool lw_answer_fills(const lw_iommu *u, const lw_answer *a, lw_mapping *mapping) {
    const lw_config *cfg = &u->cfg;
    if (a->response.kind != LW_OK || a->stale) { /* R3.6 */
        return false;
    }
    const uint64_t vpn = lw_key_vpn(a->key);
    *mapping = (lw_mapping){.page = vpn,
                            .pfn = a->response.pfn,
                            .pasid = lw_key_pasid(a->key),
                            .perm = a->response.perm,
                            .size = a->response.size};
    if (cfg->hw.colt == LW_COLT_FULL) {
        make_run(cfg, a->response.level, mapping);
        return true;
    }
    if (cfg->span.first_way == cfg->hw.tlb_ways) {
        return true;
    }
    /* R3.8; a large page has no REACH (R7.5, R9.6) */
    const bool large = a->response.size != 0 && u->control.subregion_enable;
    const lw_reach reach = large ? LW_REACH_FRAME : a->reach;
    if (reach != LW_REACH_LINE) {
        mapping->span = true;
        mapping->page = vpn & ~lw_reach_mask(reach);
        mapping->length = reach == LW_REACH_FRAME ? 7 : 0;
        mapping->pfn = large ? a->response.pfn & ~lw_reach_mask(LW_REACH_FRAME) : a->base;
        mapping->size = large ? a->response.size : 0;
    }
    return true;
}
