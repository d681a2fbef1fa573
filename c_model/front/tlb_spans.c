/* Spans (lw_span_shape): several subregions of one frame in one entry of the partition (R3.9,
 * R3.12; MESC section IV-C), or with full CoLT up to four pages in one entry of any way (R3.14). */
#include "c_model/front/tlb_parts.h"

static uint64_t low_bits(uint32_t bits) {
    return (UINT64_C(1) << bits) - 1;
}

static uint32_t place_of(const lw_config *cfg, uint64_t page) {
    return (uint32_t)(page >> cfg->span.place_shift & low_bits(cfg->span.place_bits));
}

/* The place of an entry's first. */
static uint32_t first_of(const lw_config *cfg, uint64_t key) {
    return (uint32_t)(key & low_bits(cfg->span.place_bits));
}

/* VPN_W is at most 45, so a group's number, PASID, CLASS and VALID are compared at once. */
static bool is_of_group(const lw_config *cfg, uint64_t key, uint64_t wanted) {
    return (key ^ wanted) >> cfg->span.place_bits == 0;
}

uint64_t lw_tlb_span_key(const lw_tlb *t, uint32_t pasid, uint64_t page) {
    const lw_span_shape *s = &t->cfg->span;
    const uint64_t group = page >> (s->group_shift + s->tag_skips);
    return LW_TLB_VALID | LW_TLB_CLASS |
           lw_key(pasid, group << s->place_bits | place_of(t->cfg, page));
}

bool lw_tlb_find_span(const lw_tlb *t, const lw_request *request, lw_found *out) {
    const lw_config *cfg = t->cfg;
    const uint64_t page = request->page & cfg->vpn_mask;
    const uint64_t wanted = lw_tlb_span_key(t, request->pasid & (cfg->hw.pasids - 1), page);
    const uint32_t place = place_of(cfg, page), set = lw_tlb_span_set(t, page) * cfg->hw.tlb_ways;
    for (uint32_t w = cfg->span.first_way; w < cfg->hw.tlb_ways; w++) {
        const uint64_t key = t->key[set + w], payload = t->payload[set + w];
        const uint32_t first = first_of(cfg, key);
        if (is_of_group(cfg, key, wanted) && first <= place &&
            place <= first + lw_tlb_length(payload) &&
            lw_grants(lw_tlb_perm(payload), request->access)) {
            out->found = out->span = true;
            out->way = (uint8_t)w;
            out->first = (uint8_t)first;
            out->length = (uint8_t)lw_tlb_length(payload);
            out->perm = (uint8_t)lw_tlb_perm(payload);
            out->size = (uint8_t)lw_tlb_size(payload);
            out->pfn = payload & cfg->pfn_mask;
            return true;
        }
    }
    return false;
}

/* R3.15; a large page says more by its SIZE. */
static uint32_t links_of(const lw_config *cfg, const lw_found *found) {
    if (found->size != 0) {
        return 0;
    }
    const uint64_t joined =
        cfg->hw.colt == LW_COLT_FULL ? low_bits(found->length) << found->first : LW_LINKS_ALL;
    return (uint32_t)joined & LW_LINKS_ALL;
}

void lw_tlb_hit_span(const lw_tlb *t, uint64_t page, bool colt_enable, lw_lookup *out) {
    const lw_config *cfg = t->cfg;
    const lw_found *found = &t->found;
    const uint64_t places = (place_of(cfg, page) - found->first) & low_bits(cfg->span.place_bits);
    const uint64_t inside =
        places << cfg->span.place_shift | (page & low_bits(cfg->span.place_shift));
    out->subregion = cfg->hw.subregions != 0;
    out->entry = lw_tlb_span_set(t, page) * cfg->hw.tlb_ways + found->way;
    out->pfn = (found->pfn + inside) & cfg->pfn_mask;
    out->links = (uint8_t)(colt_enable ? links_of(cfg, found) : 0);
}

/* The lowest way with VALID=0 of those for spans, else the one with the highest rank. */
static uint32_t free_way(const lw_tlb *t, uint32_t set) {
    const lw_config *cfg = t->cfg;
    const uint64_t ranks = lw_tlb_ranks_seen(t, set);
    uint32_t oldest = cfg->span.first_way;
    for (uint32_t w = cfg->span.first_way; w < cfg->hw.tlb_ways; w++) {
        if ((t->key[set * cfg->hw.tlb_ways + w] & LW_TLB_VALID) == 0) {
            return w;
        }
        if (lw_rank(ranks, w) > lw_rank(ranks, oldest)) {
            oldest = w;
        }
    }
    return oldest;
}

lw_tlb_place lw_tlb_place_span(const lw_tlb *t, const lw_fill *fill) {
    const lw_config *cfg = t->cfg;
    const uint64_t wanted = lw_tlb_span_key(t, fill->pasid, fill->page);
    const uint32_t low = place_of(cfg, fill->page), high = low + fill->length;
    const uint32_t set = lw_tlb_span_set(t, fill->page), base = set * cfg->hw.tlb_ways;
    lw_tlb_place place = {.fill = *fill, .write = true};
    for (uint32_t w = cfg->span.first_way; w < cfg->hw.tlb_ways; w++) {
        const uint64_t key = t->key[base + w], payload = t->payload[base + w];
        const uint32_t first = first_of(cfg, key), last = first + lw_tlb_length(payload);
        if (!is_of_group(cfg, key, wanted) || first > high || last < low) {
            continue;
        }
        if (first <= low && high <= last && lw_tlb_perm(payload) == fill->perm) {
            return (lw_tlb_place){.fill = *fill, .way = (uint8_t)w};
        }
        place.drop |= (uint16_t)(1u << w);
    }
    place.way = (uint8_t)(place.drop != 0 ? (uint32_t)__builtin_ctz(place.drop) : free_way(t, set));
    return place;
}

void lw_tlb_span_covers(const lw_tlb *t, uint32_t entry, uint32_t set, uint64_t *first,
                        uint64_t *last) {
    const lw_span_shape *s = &t->cfg->span;
    const uint64_t tag = lw_key_vpn(t->key[entry]);
    const uint64_t group = tag >> s->place_bits << s->tag_skips | (set & low_bits(s->tag_skips));
    *first = group << s->group_shift | (uint64_t)first_of(t->cfg, tag) << s->place_shift;
    *last = *first + ((uint64_t)lw_tlb_length(t->payload[entry]) << s->place_shift) +
            low_bits(s->place_shift);
}
