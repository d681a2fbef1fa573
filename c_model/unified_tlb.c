#include "unified_tlb.h"

#include "ranks.h"

#define KEY_VALID (UINT64_C(1) << 63)

/* Payload word: the PFN in 39:0, then PERM, SIZE and CLASS. CLASS is always 0 (R3.9). */
enum { AT_PERM = 40, AT_SIZE = 42, AT_CLASS = 44 };

void lw_tlb_init(lw_tlb *t, const lw_config *cfg, const lw_watch *watch) {
    *t = (lw_tlb){.cfg = cfg, .watch = watch};
    for (uint32_t s = 0; s < cfg->sets; s++) {
        t->ranks[s] = LW_RANKS_RESET;
    }
}

static uint32_t set_of(const lw_tlb *t, uint64_t key) {
    return (uint32_t)key & (t->cfg->sets - 1);
}

/* The first entry of the key's set that holds `wanted`, or LW_NONE. */
static int32_t find(const lw_tlb *t, uint32_t set, uint64_t wanted) {
    const uint32_t ways = t->cfg->hw.tlb_ways;
    const uint64_t *key = t->key + (size_t)set * ways;
    for (uint32_t w = 0; w < ways; w++) {
        if (key[w] == wanted) {
            return (int32_t)(set * ways + w);
        }
    }
    return LW_NONE;
}

lw_lookup lw_tlb_decide(const lw_tlb *t, const lw_request *request, const lw_control *control) {
    const uint32_t vpn_w = t->cfg->vpn_w;
    const uint64_t sign = request->page >> (vpn_w - 1);
    if (sign != 0 && sign != (UINT64_C(1) << (52 - vpn_w + 1)) - 1) { /* R3.2 */
        return (lw_lookup){.kind = LW_NONCANONICAL};
    }
    if (!lw_control_has_root(control, request->pasid)) {
        return (lw_lookup){.kind = LW_UNKNOWN_PASID};
    }
    const uint64_t key = lw_key(request->pasid, request->page & t->cfg->vpn_mask);
    const int32_t entry = find(t, set_of(t, key), key | KEY_VALID);
    if (entry == LW_NONE) {
        return (lw_lookup){.kind = LW_OK};
    }
    const uint64_t payload = t->payload[entry];
    lw_lookup l = {.kind = LW_OK, .entry = (uint32_t)entry};
    l.perm = payload >> AT_PERM & 3;
    l.size = payload >> AT_SIZE & 3;
    l.pfn = payload & t->cfg->pfn_mask;
    l.hit = lw_grants(l.perm, request->access); /* R3.3: else a miss */
    return l;
}

uint32_t lw_tlb_victim(const lw_tlb *t, uint64_t key) {
    const uint32_t set = set_of(t, key), ways = t->cfg->hw.tlb_ways;
    const int32_t same = find(t, set, key | KEY_VALID);
    if (same != LW_NONE) {
        return (uint32_t)same;
    }
    for (uint32_t e = set * ways; e < (set + 1) * ways; e++) {
        if ((t->key[e] & KEY_VALID) == 0) {
            return e;
        }
    }
    return set * ways + lw_rank_highest(t->ranks[set], ways);
}

void lw_tlb_sweep(lw_tlb *t, const lw_invalidation *inv) {
    const uint32_t ways = t->cfg->hw.tlb_ways, set = inv->sweep_set & (t->cfg->sets - 1);
    for (uint32_t e = set * ways; e < (set + 1) * ways; e++) {
        const uint64_t key = t->key[e];
        if ((key & KEY_VALID) != 0 &&
            lw_invalidation_matches(inv, key & ~KEY_VALID, t->payload[e] >> AT_SIZE & 3)) {
            t->key[e] &= ~KEY_VALID;
            lw_touch(t->watch, LW_S_TLB, e);
        }
    }
}

void lw_tlb_touch(lw_tlb *t, uint32_t entry) {
    const uint32_t ways = t->cfg->hw.tlb_ways, set = entry / ways;
    const uint64_t after = lw_rank_touch(t->ranks[set], entry % ways);
    if (after == t->ranks[set]) {
        return;
    }
    t->ranks[set] = after;
    for (uint32_t e = set * ways; e < (set + 1) * ways; e++) {
        lw_touch(t->watch, LW_S_TLB_RANK, e);
    }
}

void lw_tlb_fill(lw_tlb *t, uint32_t entry, uint64_t key, uint64_t pfn, uint32_t perm,
                 uint32_t size) {
    t->key[entry] = key | KEY_VALID;
    t->payload[entry] = pfn | (uint64_t)perm << AT_PERM | (uint64_t)size << AT_SIZE;
    lw_touch(t->watch, LW_S_TLB, entry);
    lw_tlb_touch(t, entry);
}

void lw_tlb_advance(lw_tlb *t, const lw_request *entering) {
    const uint32_t stages = t->cfg->hw.tlb_latency;
    t->first = t->first == 0 ? stages - 1 : t->first - 1;
    lw_request *stage_1 = &t->stage[t->first]; /* what was the last stage leaves */
    t->lookups -= stage_1->valid;
    stage_1->valid = false;
    if (entering != NULL) {
        *stage_1 = *entering;
        t->lookups++;
    }
    for (uint32_t s = 0; s < stages; s++) {
        lw_touch(t->watch, LW_S_TLB_PIPE, s);
    }
}

void lw_tlb_derive(lw_tlb *t) {
    t->lookups = 0;
    for (uint32_t s = 0; s < t->cfg->hw.tlb_latency; s++) {
        t->lookups += t->stage[s].valid;
    }
}

static lw_cell stage_cell(const lw_config *cfg, lw_request *q, lw_field field) {
    switch (field) {
    case LW_F_TLB_PIPE_PIPE_VALID:
        return LW_CELL(q->valid, 1, true);
    case LW_F_TLB_PIPE_PIPE_ID:
        return LW_CELL(q->id, cfg->hw.id_w, q->valid);
    case LW_F_TLB_PIPE_PIPE_SRC:
        return LW_CELL(q->src, cfg->hw.src_w, q->valid);
    case LW_F_TLB_PIPE_PIPE_PASID:
        return LW_CELL(q->pasid, 20, q->valid);
    case LW_F_TLB_PIPE_PIPE_PAGE:
        return LW_CELL(q->page, 52, q->valid);
    default:
        return LW_CELL(q->access, 2, q->valid);
    }
}

lw_cell lw_tlb_cell(lw_tlb *t, lw_field field, uint32_t index) {
    const lw_config *cfg = t->cfg;
    if (field <= LW_F_TLB_PIPE_PIPE_ACCESS) {
        return stage_cell(cfg, &t->stage[(t->first + index) % cfg->hw.tlb_latency], field);
    }
    const uint32_t ways = cfg->hw.tlb_ways;
    if (field == LW_F_TLB_RANK_RANK) {
        const uint32_t bits = (uint32_t)__builtin_ctz(ways);
        return LW_CELL_PART(t->ranks[index / ways], 4 * (index % ways), bits, true);
    }
    uint64_t *key = &t->key[index], *payload = &t->payload[index];
    const bool valid = (*key & KEY_VALID) != 0; /* R0.5 */
    switch (field) {
    case LW_F_TLB_VALID:
        return LW_CELL_PART(*key, 63, 1, true);
    case LW_F_TLB_CLASS:
        return LW_CELL_PART(*payload, AT_CLASS, 1, valid);
    case LW_F_TLB_PASID:
        return LW_CELL_PART(*key, LW_KEY_PASID, (uint32_t)__builtin_ctz(cfg->hw.pasids), valid);
    case LW_F_TLB_TAG:
        return LW_CELL_PART(*key, cfg->set_bits, cfg->vpn_w - cfg->set_bits, valid);
    case LW_F_TLB_PFN:
        return LW_CELL_PART(*payload, 0, cfg->pfn_w, valid);
    case LW_F_TLB_PERM:
        return LW_CELL_PART(*payload, AT_PERM, 2, valid);
    default:
        return LW_CELL_PART(*payload, AT_SIZE, 2, valid);
    }
}
