#include "c_model/walk/answer_port.h"

void lw_answers_init(lw_answers *a, const lw_config *cfg, const lw_watch *watch) {
    *a = (lw_answers){.cfg = cfg, .watch = watch};
}

static lw_reach reach_of(const lw_answer *a) {
    return lw_reach_of(a->contig, 1, a->key);
}

/* R10.2: the bits of BASE that the VPN replaces, by SIZE. */
static const uint64_t inside_page[4] = {0, 0x1ff, 0x3ffff, 0x1ff};

/* R10.2: the PFN of the page itself within a large one, and what REACH adds to the BASE. */
static uint64_t pfn_of(const lw_config *cfg, const lw_answer *a) {
    const uint64_t inside = inside_page[a->size];
    const uint64_t base = (a->base & ~inside) | (a->key & inside);
    return (base + (a->key & lw_reach_mask(reach_of(a)))) & cfg->pfn_mask;
}

lw_response lw_answers_response(const lw_answers *a) {
    const lw_answer *r = &a->answer;
    if (r->kind != LW_OK) { /* R1.9 */
        return (lw_response){.id = r->id, .kind = r->kind, .level = r->level, .epoch = r->epoch};
    }
    return (lw_response){pfn_of(a->cfg, r), r->id, r->kind, r->level, r->size, r->perm, r->epoch};
}

/* R12.3: a walk's page as software sees it. */
static uint64_t page_of_vpn(const lw_config *cfg, uint64_t vpn) {
    const uint64_t sign = UINT64_C(1) << (cfg->vpn_w - 1);
    return ((vpn ^ sign) - sign) & ((UINT64_C(1) << 52) - 1);
}

void lw_answers_fault(const lw_answers *a, lw_fault *fault) {
    const lw_answer *r = &a->answer;
    fault->kind = r->kind;
    if (r->kind == LW_OK) {
        return;
    }
    fault->level = r->level;
    fault->access = r->access;
    fault->pasid = lw_key_pasid(r->key);
    fault->src = r->src;
    fault->page = page_of_vpn(a->cfg, lw_key_vpn(r->key));
}

/* ---------------------------------------------------------------- the fill register */

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

/* R3.8; a large page has no REACH (R7.5, R9.6). */
static void make_subregion(const lw_answer *r, bool subregion_enable, lw_mapping *mapping) {
    const bool large = r->size != 0 && subregion_enable;
    const lw_reach reach = large ? LW_REACH_FRAME : reach_of(r);
    if (reach == LW_REACH_LINE) {
        return;
    }
    mapping->span = true;
    mapping->page &= ~lw_reach_mask(reach);
    mapping->length = reach == LW_REACH_FRAME ? 7 : 0;
    mapping->pfn = large ? mapping->pfn & ~lw_reach_mask(LW_REACH_FRAME) : r->base;
    mapping->size = large ? r->size : 0;
}

void lw_answers_fill(lw_answers *a, const lw_control *control) {
    const lw_config *cfg = a->cfg;
    const lw_answer *r = &a->answer;
    lw_mapping *m = &a->fill;
    m->page = lw_key_vpn(r->key);
    m->pfn = pfn_of(cfg, r);
    m->pasid = lw_key_pasid(r->key);
    m->span = false;
    m->length = 0;
    m->perm = r->perm;
    m->size = r->size;
    if (cfg->hw.colt == LW_COLT_FULL) {
        make_run(cfg, r->level, m);
    } else if (cfg->span.first_way != cfg->hw.tlb_ways) {
        make_subregion(r, control->subregion_enable, m);
    }
    a->fill_valid = true;
    lw_touch(a->watch, LW_S_FILL, 0);
}

void lw_answers_fill_joined(lw_answers *a, const lw_mapping *joined) {
    a->fill = *joined;
    a->fill_valid = true;
    lw_touch(a->watch, LW_S_FILL, 0);
}

void lw_answers_fill_nothing(lw_answers *a) {
    if (a->fill_valid) {
        a->fill_valid = false;
        lw_touch(a->watch, LW_S_FILL, 0);
    }
}

/* ---------------------------------------------------------------- the answer register */

void lw_answers_load_walker(lw_answers *a, const lw_pwst *w, bool stale, bool epoch) {
    a->answer = (lw_answer){.key = w->key,
                            .base = w->node,
                            .id = w->id,
                            .src = w->src,
                            .contig = w->contig,
                            .access = w->access,
                            .kind = w->kind,
                            .level = w->flevel,
                            .size = w->size,
                            .perm = w->perm,
                            .valid = true,
                            .stale = stale,
                            .epoch = epoch};
    lw_touch(a->watch, LW_S_ANSWER, 0);
}

void lw_answers_load_entry(lw_answers *a, const lw_entry *e, uint32_t block, bool stale,
                           bool epoch) {
    a->answer = (lw_answer){.key = e->key,
                            .base = e->pa,
                            .id = e->id,
                            .src = e->src,
                            .contig = e->contig,
                            .access = e->access,
                            .kind = e->kind,
                            .level = e->level,
                            .size = e->size,
                            .perm = e->perm,
                            .block = (uint8_t)block,
                            .valid = true,
                            .stale = stale,
                            .epoch = epoch,
                            .entry = true};
    lw_touch(a->watch, LW_S_ANSWER, 0);
}

void lw_answers_load_nothing(lw_answers *a) {
    if (a->answer.valid) {
        a->answer.valid = false;
        lw_touch(a->watch, LW_S_ANSWER, 0);
    }
}

/* ---------------------------------------------------------------- registers */
