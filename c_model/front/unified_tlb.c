#include "c_model/front/tlb_parts.h"

void lw_tlb_init(lw_tlb *t, const lw_config *cfg, const lw_watch *watch) {
    *t = (lw_tlb){.cfg = cfg, .watch = watch};
    for (uint32_t s = 0; s < cfg->sets; s++) {
        t->ranks[s] = LW_RANKS_RESET;
    }
}

/* The key word of a regular entry. */
static uint64_t key_word(const lw_tlb *t, uint32_t pasid, uint64_t page) {
    return LW_TLB_VALID | lw_key(pasid, page >> t->cfg->set_bits);
}

/* The ways of the set whose key word, as far as `mask` goes, is this one: without a branch, for
 * most often none is. */
static uint32_t ways_with(const lw_tlb *t, uint32_t set, uint64_t mask, uint64_t wanted) {
    const uint32_t ways = t->cfg->hw.tlb_ways;
    const uint64_t *key = t->key + (size_t)set * ways;
    uint32_t found = 0;
    for (uint32_t w = 0; w < ways; w++) {
        found |= (uint32_t)((key[w] & mask) == wanted) << w;
    }
    return found;
}

/* The first entry of the set with this key word, or LW_NONE. */
static int32_t find(const lw_tlb *t, uint32_t set, uint64_t wanted) {
    const uint32_t found = ways_with(t, set, UINT64_MAX, wanted);
    return found != 0 ? (int32_t)(set * t->cfg->hw.tlb_ways + (uint32_t)__builtin_ctz(found))
                      : LW_NONE;
}

void lw_tlb_decide(const lw_tlb *t, const lw_request *request, const lw_features *features,
                   lw_lookup *out) {
    *out = (lw_lookup){.kind = LW_OK};
    if (request->second && t->bad_pasid) { /* R5.28: a second miss */
        return;
    }
    if (t->bad_page && !request->second) {
        out->kind = LW_NONCANONICAL;
        return;
    }
    if (t->bad_pasid) {
        out->kind = LW_UNKNOWN_PASID;
        return;
    }
    const uint64_t page = request->page & t->cfg->vpn_mask;
    if (!t->found.found) {
        return;
    }
    out->hit = true;
    out->perm = t->found.perm;
    out->size = t->found.size;
    if (t->found.span) {
        lw_tlb_hit_span(t, page, features->colt_enable, out);
    } else {
        out->entry = lw_tlb_page_set(t, page) * t->cfg->hw.tlb_ways + t->found.way;
        out->pfn = t->found.pfn;
    }
}

/* R3.16: loads TLB_FOUND with the regular entry that holds the page for this access. */
static bool find_regular(lw_tlb *t, const lw_request *request) {
    const lw_config *cfg = t->cfg;
    const uint64_t page = request->page & cfg->vpn_mask;
    if (cfg->hw.colt == LW_COLT_FULL) { /* R3.14: there are runs only */
        return false;
    }
    const int32_t entry =
        find(t, lw_tlb_page_set(t, page), key_word(t, request->pasid & (cfg->hw.pasids - 1), page));
    const uint64_t payload = entry != LW_NONE ? t->payload[entry] : 0;
    if (entry == LW_NONE || !lw_grants(lw_tlb_perm(payload), request->access)) {
        return false; /* R3.3: a miss */
    }
    lw_found *f = &t->found;
    f->found = true;
    f->span = false;
    f->way = (uint8_t)((uint32_t)entry & (cfg->hw.tlb_ways - 1));
    f->first = f->length = 0;
    f->perm = (uint8_t)lw_tlb_perm(payload);
    f->size = (uint8_t)lw_tlb_size(payload);
    f->pfn = payload & cfg->pfn_mask;
    return true;
}

/* R3.32 */
static void judge(lw_tlb *t, const lw_request *request, const lw_roots *roots) {
    const uint32_t vpn_w = t->cfg->vpn_w;
    const uint64_t sign = request->page >> (vpn_w - 1);
    t->bad_page = sign != 0 && sign != (UINT64_C(1) << (52 - vpn_w + 1)) - 1;
    t->bad_pasid = !lw_roots_has(roots, request->pasid);
    lw_touch(t->watch, LW_S_TLB_REFUSAL, 0);
}

/* One of the two registers in a cycle in which it is loaded, or not (the rest then stays). */
static void end_look_up(lw_tlb *t, lw_found *f, bool loaded, lw_structure s) {
    if (loaded || f->found) {
        f->found = loaded;
        lw_touch(t->watch, s, 0);
    }
}

void lw_tlb_look_up(lw_tlb *t, const lw_roots *roots) {
    const lw_config *cfg = t->cfg;
    const bool serial = cfg->tlb_stages != cfg->hw.tlb_latency + 1;
    const lw_request *q = lw_tlb_stage(t, cfg->tlb_stages - 1);
    bool found = false;
    if (q->valid) {
        if (serial && t->range.found) {
            t->found = t->range;
            found = true;
        } else {
            found = (!serial && lw_tlb_find_span(t, q, &t->found)) || find_regular(t, q);
        }
        judge(t, q, roots);
    }
    end_look_up(t, &t->found, found, LW_S_TLB_FOUND);
    if (serial) {
        q = lw_tlb_stage(t, cfg->hw.tlb_latency);
        found = q->valid && lw_tlb_find_span(t, q, &t->range);
        end_look_up(t, &t->range, found, LW_S_TLB_RANGE);
    }
}

/* The entry of a place. */
static uint32_t entry_of(const lw_tlb *t, const lw_tlb_place *p) {
    return lw_tlb_fill_set(t, &p->fill) * t->cfg->hw.tlb_ways + p->way;
}

/* R3.6 */
static uint32_t regular_way(const lw_tlb *t, const lw_fill *fill) {
    const uint32_t set = lw_tlb_page_set(t, fill->page), ways = t->cfg->hw.tlb_ways;
    const int32_t same = find(t, set, key_word(t, fill->pasid, fill->page));
    if (same != LW_NONE) {
        return (uint32_t)same % ways;
    }
    const uint32_t empty = ways_with(t, set, LW_TLB_VALID, 0);
    return empty != 0 ? (uint32_t)__builtin_ctz(empty)
                      : lw_rank_highest(lw_tlb_ranks_seen(t, set), ways);
}

/* R3.11 */
static bool matches(const lw_tlb *t, uint32_t entry, uint32_t set, const lw_sweep *by) {
    const uint64_t key = t->key[entry], payload = t->payload[entry];
    uint64_t first = lw_key_vpn(key) << t->cfg->set_bits | set, last = first;
    if ((key & LW_TLB_CLASS) != 0) {
        lw_tlb_span_covers(t, entry, set, &first, &last);
    }
    static const uint8_t bits[] = {0, 9, 18, 4}; /* of a page of this SIZE (R1.7, R20.5) */
    const uint64_t inside = (UINT64_C(1) << bits[lw_tlb_size(payload)]) - 1;
    return lw_sweep_matches(by, lw_key_pasid(key & ~(LW_TLB_VALID | LW_TLB_CLASS)), first & ~inside,
                            last | inside);
}

/* R3.33, but for the entry that is `written` in this cycle (or LW_NONE). */
static void clear_swept(lw_tlb *t, int32_t written) {
    const uint32_t first = t->swept_set * t->cfg->hw.tlb_ways;
    for (uint32_t m = t->swept; m != 0; m &= m - 1) {
        const uint32_t e = first + (uint32_t)__builtin_ctz(m);
        if ((int32_t)e != written) {
            t->key[e] &= ~LW_TLB_VALID;
            lw_touch(t->watch, LW_S_TLB, e);
        }
    }
}

/* R3.10: the ways of the set with VALID=1 that match. */
static uint32_t swept_ways(const lw_tlb *t, const lw_sweep *by) {
    const uint32_t ways = t->cfg->hw.tlb_ways, set = by->set;
    uint32_t swept = 0;
    for (uint32_t w = 0; w < ways && by->valid && set < t->cfg->sets; w++) {
        const uint32_t e = set * ways + w;
        const bool valid = (t->key[e] & LW_TLB_VALID) != 0;
        swept |= (uint32_t)(valid && matches(t, e, set, by)) << w;
    }
    return swept;
}

/* R3.10, of the ways that have been found, but for the entry that is written in this cycle. */
static void load_swept(lw_tlb *t, const lw_sweep *by, uint32_t swept, int32_t written) {
    const bool here = by->valid && by->set < t->cfg->sets;
    const uint32_t ways = t->cfg->hw.tlb_ways;
    if (!here && t->swept == 0) {
        return;
    }
    if (here) {
        t->swept_set = by->set;
        if (written != LW_NONE && (uint32_t)written / ways == by->set) {
            swept &= ~(UINT32_C(1) << (uint32_t)written % ways);
        }
    }
    t->swept = swept;
    lw_touch(t->watch, LW_S_TLB_SWEPT, 0);
}

/* R3.4 */
static void touch(lw_tlb *t, uint32_t entry) {
    const uint32_t ways = t->cfg->hw.tlb_ways, set = entry / ways;
    const uint64_t after = lw_rank_touch(t->ranks[set], entry % ways);
    if (after == t->ranks[set]) {
        return;
    }
    t->ranks[set] = after;
    lw_touch_all(t->watch, LW_S_TLB_RANK, set * ways, ways);
}

/* R3.34: whether the fill that is written in this cycle touches its way. */
static bool fill_touches(lw_tlb *t) {
    const uint32_t bimodal = t->cfg->hw.tlb_bimodal;
    if (bimodal == 0 || !t->place.write) {
        return true;
    }
    const bool touches = t->insertions == 0;
    t->insertions = (t->insertions + 1) & ((UINT32_C(1) << bimodal) - 1);
    lw_touch(t->watch, LW_S_TLB_INSERTIONS, 0);
    return touches;
}

/* {VALID, CLASS, PASID, TAG} and {LENGTH, SIZE, PERM, PFN} */
static void write(lw_tlb *t, uint32_t entry, const lw_fill *m) {
    t->key[entry] =
        m->span ? lw_tlb_span_key(t, m->pasid, m->page) : key_word(t, m->pasid, m->page);
    t->payload[entry] = m->pfn | (uint64_t)m->perm << LW_TLB_AT_PERM |
                        (uint64_t)m->size << LW_TLB_AT_SIZE |
                        (uint64_t)m->length << LW_TLB_AT_LENGTH;
    lw_touch(t->watch, LW_S_TLB, entry);
}

/* R3.17, without the touch. */
static void write_place(lw_tlb *t, uint32_t entry) {
    const lw_tlb_place *p = &t->place;
    for (uint32_t m = p->drop; m != 0; m &= m - 1) {
        const uint32_t dropped = entry - p->way + (uint32_t)__builtin_ctz(m);
        t->key[dropped] &= ~LW_TLB_VALID;
        lw_touch(t->watch, LW_S_TLB, dropped);
    }
    if (p->write) {
        write(t, entry, &p->fill);
    }
}

/* The place register's content in the next cycle. */
static void load_place(lw_tlb *t, const lw_tlb_place *next, bool valid) {
    if (next != NULL) {
        t->place = *next;
    }
    t->place.valid = valid;
    lw_touch(t->watch, LW_S_PLACE, 0);
}

void lw_tlb_step(lw_tlb *t, const lw_tlb_events *e) {
    const bool writes = t->place.valid;
    const uint32_t written = entry_of(t, &t->place);
    const int32_t kept = writes && t->place.write ? (int32_t)written : LW_NONE;
    const uint32_t swept = swept_ways(t, e->sweep);
    lw_tlb_place next;
    if (writes) {
        write_place(t, written);
    }
    if (e->fill->valid) { /* sees what is written, but neither sweep nor touch of this cycle */
        next = e->fill->span ? lw_tlb_place_span(t, e->fill)
                             : (lw_tlb_place){.fill = *e->fill,
                                              .way = (uint8_t)regular_way(t, e->fill),
                                              .write = true};
    }
    clear_swept(t, kept);
    load_swept(t, e->sweep, swept, kept);
    if (e->hit != LW_NONE) {
        touch(t, (uint32_t)e->hit);
    }
    if (writes && fill_touches(t)) {
        touch(t, written);
    }
    if (writes || e->fill->valid) {
        load_place(t, e->fill->valid ? &next : NULL, e->fill->valid && !e->marked);
    }
}

void lw_tlb_advance(lw_tlb *t, const lw_request *entering) {
    const uint32_t stages = t->cfg->tlb_stages;
    t->first = t->first == 0 ? stages - 1 : t->first - 1;
    lw_request *stage_1 = &t->stage[t->first]; /* what was the last stage leaves */
    t->lookups -= stage_1->valid;
    stage_1->valid = false;
    if (entering != NULL) {
        *stage_1 = *entering;
        t->lookups++;
    }
    lw_touch_all(t->watch, LW_S_TLB_PIPE, 0, stages);
}

void lw_tlb_derive(lw_tlb *t) {
    t->lookups = 0;
    for (uint32_t s = 0; s < t->cfg->tlb_stages; s++) {
        t->lookups += t->stage[s].valid;
    }
}
