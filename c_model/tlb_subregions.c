/* Subregion entries (R3.9, R3.12; MESC section IV-C): several subregions of one frame in one entry
 * of the partition. */
#include "tlb_parts.h"

/* VPN_W is at most 45, so a frame's number, PASID, CLASS and VALID are compared at once. */
static bool is_of_frame(uint64_t key, uint64_t wanted) {
    return (key ^ wanted) >> 3 == 0;
}

static uint64_t key_word(uint32_t pasid, uint64_t page) {
    return LW_TLB_VALID | LW_TLB_CLASS | lw_key(pasid, page >> LW_SUBREGION_SHIFT);
}

lw_found lw_tlb_find_subregion(const lw_tlb *t, const lw_request *request) {
    const lw_config *cfg = t->cfg;
    const uint64_t page = request->page & cfg->vpn_mask;
    const uint64_t wanted = key_word(request->pasid & (cfg->hw.pasids - 1), page);
    const uint32_t place = lw_place(page), set = lw_tlb_subregion_set(t, page) * cfg->hw.tlb_ways;
    for (uint32_t w = cfg->partition_first; w < cfg->hw.tlb_ways; w++) {
        const uint64_t key = t->key[set + w], payload = t->payload[set + w];
        const uint32_t first = key & 7;
        if (is_of_frame(key, wanted) && first <= place && place <= first + lw_tlb_length(payload) &&
            lw_grants(lw_tlb_perm(payload), request->access)) {
            return (lw_found){.found = true,
                              .way = (uint8_t)w,
                              .first = (uint8_t)first,
                              .perm = (uint8_t)lw_tlb_perm(payload),
                              .size = (uint8_t)lw_tlb_size(payload),
                              .pfn = payload & cfg->pfn_mask};
        }
    }
    return (lw_found){.found = false};
}

/* The partition's lowest way with VALID=0, else the one with the highest rank. */
static uint32_t free_way(const lw_tlb *t, uint32_t set) {
    const lw_config *cfg = t->cfg;
    uint32_t oldest = cfg->partition_first;
    for (uint32_t w = cfg->partition_first; w < cfg->hw.tlb_ways; w++) {
        if ((t->key[set * cfg->hw.tlb_ways + w] & LW_TLB_VALID) == 0) {
            return w;
        }
        if (lw_rank(t->ranks[set], w) > lw_rank(t->ranks[set], oldest)) {
            oldest = w;
        }
    }
    return oldest;
}

lw_tlb_choice lw_tlb_choose_subregion(const lw_tlb *t, const lw_mapping *mapping) {
    const lw_config *cfg = t->cfg;
    const uint64_t wanted = key_word(mapping->pasid, mapping->page);
    const uint32_t low = lw_place(mapping->page), high = low + mapping->length;
    const uint32_t set = lw_tlb_subregion_set(t, mapping->page), base = set * cfg->hw.tlb_ways;
    uint32_t overlapping = 0;
    for (uint32_t w = cfg->partition_first; w < cfg->hw.tlb_ways; w++) {
        const uint64_t key = t->key[base + w], payload = t->payload[base + w];
        const uint32_t first = key & 7, last = first + lw_tlb_length(payload);
        if (!is_of_frame(key, wanted) || first > high || last < low) {
            continue;
        }
        if (first <= low && high <= last && lw_tlb_perm(payload) == mapping->perm) {
            return (lw_tlb_choice){.entry = base + w, .only_touch = true};
        }
        overlapping |= UINT32_C(1) << w;
    }
    const uint32_t way = overlapping != 0 ? (uint32_t)__builtin_ctz(overlapping) : free_way(t, set);
    return (lw_tlb_choice){.entry = base + way, .overlapping = overlapping};
}
