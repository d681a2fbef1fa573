#include "c_model/walk/answer_port.h"

void lw_answers_init(lw_answers *a, const lw_config *cfg, const lw_watch *watch) {
    *a = (lw_answers){.cfg = cfg, .watch = watch};
}

/* R10.1, R10.2, R10.12 */
static void choose(const lw_answers *a, const lw_answer_inputs *in, lw_answer_plan *p) {
    const bool walker = in->walker.valid && !a->walker_next;
    const bool both = walker && in->entry_ready;
    const bool walkers_turn = in->room && walker && (!both || a->chosen_entry);
    p->entry = in->room && in->entry_ready && (!both || !a->chosen_entry);
    p->chosen = walkers_turn || p->entry;
    p->walker_next = walkers_turn && in->entry.valid;
    p->walker = in->walker.valid && (a->walker_next || (walkers_turn && !in->entry.valid));
}

/* R10.2: the answer register takes this one; a mark of this cycle makes it STALE too. */
static void take(const lw_answer_inputs *in, const lw_result *result, bool epoch,
                 lw_answer_plan *p) {
    p->next = (lw_answer){.valid = true, .epoch = epoch};
    p->next.result = *result;
    if (lw_mark_meets(&in->mark, lw_key_pasid(result->key))) {
        p->next.result.stale = true;
    }
}

/* What is chosen of a walker, and what has been read of an entry. */
static void plan_next(const lw_answer_inputs *in, lw_answer_plan *p) {
    p->next.valid = false;
    if (in->entry.valid) {
        take(in, &in->entry, in->entry_epoch, p);
    } else if (p->walker) {
        take(in, &in->walker, in->epoch, p);
    }
}

bool lw_answers_plan_scanned(const lw_answer_inputs *in, const lw_result *scanned,
                             lw_answer_plan *p) {
    const bool others = in->walker.valid || in->entry_ready || in->entry.valid;
    if (!scanned->valid || others || !in->room) {
        return false;
    }
    p->chosen = true;
    take(in, scanned, in->epoch, p);
    return true;
}

void lw_answers_plan(const lw_answers *a, const lw_answer_inputs *in, lw_answer_plan *p) {
    const lw_result *r = &a->answer.result;
    choose(a, in, p);
    plan_next(in, p);
    p->fills = a->answer.valid && r->kind == LW_OK && !r->stale &&
               !lw_mark_meets(&in->mark, lw_key_pasid(r->key));
    p->join_taken = in->join.valid && !p->fills;
    p->join_loads =
        p->join_taken && a->cfg->hw.tlb_partition != 0 && !lw_mark_meets(&in->mark, in->join.pasid);
}

static lw_reach reach_of(const lw_result *r) {
    return lw_reach_of(r->contig, 1, r->key);
}

/* R10.8: the bits of BASE that the VPN replaces, by SIZE. */
static const uint64_t inside_page[4] = {0, 0x1ff, 0x3ffff, 0};

/* R10.2: the PFN of the page itself within a large one, and what REACH adds to the BASE. */
static uint64_t pfn_of(const lw_config *cfg, const lw_result *r) {
    const uint64_t inside = inside_page[r->size];
    const uint64_t base = (r->base & ~inside) | (r->key & inside);
    return (base + (r->key & lw_reach_mask(reach_of(r)))) & cfg->pfn_mask;
}

lw_response lw_answers_response(const lw_answers *a) {
    const lw_result *r = &a->answer.result;
    const bool epoch = a->answer.epoch;
    if (r->kind != LW_OK) { /* R1.9 */
        return (lw_response){.id = r->id, .kind = r->kind, .level = r->level, .epoch = epoch};
    }
    return (lw_response){pfn_of(a->cfg, r), r->id, r->kind, r->level, r->size, r->perm, epoch};
}

void lw_answers_fault(const lw_answers *a, lw_fault *fault) {
    const lw_result *r = &a->answer.result;
    fault->kind = r->kind;
    if (r->kind == LW_OK) {
        return;
    }
    fault->level = r->level;
    fault->access = r->access;
    fault->pasid = lw_key_pasid(r->key);
    fault->src = r->src;
    fault->page = lw_page_of_vpn(a->cfg, lw_key_vpn(r->key));
}

/* ---------------------------------------------------------------- the fill register */

/* R3.14 with R1.15: LEVEL of an answer of kind OK is its LINKS. */
static void make_run(const lw_config *cfg, uint32_t links, lw_fill *fill) {
    const uint32_t x = lw_run_place(fill->page);
    uint32_t first = x, last = x;
    while (first > 0 && (links >> (first - 1) & 1) != 0) {
        first--;
    }
    while (last + 1 < LW_RUN_PLACES && (links >> last & 1) != 0) {
        last++;
    }
    fill->span = true;
    fill->page -= x - first;
    fill->pfn = (fill->pfn - (x - first)) & cfg->pfn_mask;
    fill->length = (uint8_t)(last - first);
}

enum { SIZE_2M = 1, SIZE_1G = 2 }; /* R1.7; 64 KiB, which is 3 (R20.5), covers no subregion */

/* R3.8; a large page has no REACH (R7.5, R9.11, R20.5). */
static void make_subregion(const lw_result *r, bool subregion_enable, lw_fill *fill) {
    const bool large = (r->size == SIZE_2M || r->size == SIZE_1G) && subregion_enable;
    const lw_reach reach = large ? LW_REACH_FRAME : reach_of(r);
    if (reach == LW_REACH_LINE) {
        return;
    }
    fill->span = true;
    fill->page &= ~lw_reach_mask(reach);
    fill->length = reach == LW_REACH_FRAME ? 7 : 0;
    fill->pfn = large ? fill->pfn & ~lw_reach_mask(LW_REACH_FRAME) : r->base;
    fill->size = large ? r->size : 0;
}

static void fill(lw_answers *a, const lw_features *features) {
    const lw_config *cfg = a->cfg;
    const lw_result *r = &a->answer.result;
    lw_fill *m = &a->fill;
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
        make_subregion(r, features->subregion_enable, m);
    }
}

static void fill_joined(lw_answers *a, const lw_join *join) {
    a->fill = (lw_fill){.page = join->vsn << LW_SUBREGION_SHIFT,
                        .pfn = join->pfn,
                        .pasid = join->pasid,
                        .span = true,
                        .length = join->length,
                        .perm = join->perm};
}

static void load_fill(lw_answers *a, const lw_answer_inputs *in, const lw_answer_plan *p,
                      lw_events *events) {
    const bool loads = p->fills || p->join_loads;
    if (p->fills) {
        fill(a, in->features);
    } else if (p->join_loads) {
        fill_joined(a, &in->join);
        lw_count(events, LW_C_JOINED, 1);
    }
    if (loads || a->fill.valid) {
        a->fill.valid = loads;
        lw_touch(a->watch, LW_S_FILL, 0);
    }
    lw_count(events, LW_C_SUBREGION_FILLS, loads && a->fill.span && a->cfg->hw.subregions != 0);
}

void lw_answers_step(lw_answers *a, const lw_answer_inputs *in, const lw_answer_plan *p,
                     lw_events *events) {
    load_fill(a, in, p, events);
    if (p->chosen != a->chosen || (p->chosen && a->chosen_entry != p->entry) ||
        p->walker_next != a->walker_next) {
        lw_touch(a->watch, LW_S_CHOICE, 0);
    }
    a->chosen_entry = p->chosen ? p->entry : a->chosen_entry;
    a->chosen = p->chosen;
    a->walker_next = p->walker_next;
    if (p->next.valid) {
        a->answer = p->next;
        lw_touch(a->watch, LW_S_ANSWER, 0);
    } else if (a->answer.valid) {
        a->answer.valid = false;
        lw_touch(a->watch, LW_S_ANSWER, 0);
    }
}
