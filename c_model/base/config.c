#include "c_model/base/config.h"

#include "c_model/base/address.h"

/* Of at least 2. */
static uint32_t clog2(uint32_t value) {
    return 32 - (uint32_t)__builtin_clz(value - 1);
}

static lw_span_shape span_shape(const lw_params *p, uint32_t set_bits) {
    if (p->colt == LW_COLT_FULL) { /* R3.14 */
        return (lw_span_shape){.place_bits = LW_RUN_PLACE_BITS,
                               .group_shift = LW_RUN_PLACE_BITS,
                               .tag_skips = set_bits};
    }
    return (lw_span_shape){.first_way = p->tlb_ways - (p->subregions != 0 ? p->tlb_partition : 0),
                           .place_shift = LW_SUBREGION_SHIFT,
                           .place_bits = LW_FRAME_SHIFT - LW_SUBREGION_SHIFT,
                           .group_shift = LW_FRAME_SHIFT};
}

lw_config lw_config_of(const lw_params *p) {
    lw_config c = {.hw = *p};
    c.vpn_w = 9 * p->levels;
    c.pfn_w = p->pa_width - 12;
    c.walker_w = p->walkers <= 2 ? 1 : clog2(p->walkers);
    c.increment_w = clog2(p->buffer_entries + p->walkers + 1);
    c.tag_w = p->subregions != 0 ? clog2(p->walkers + LW_HEADS) : c.walker_w;
    c.tlb_stages = lw_tlb_stages(p);
    c.sets = p->tlb_entries / p->tlb_ways;
    c.set_bits = (uint32_t)__builtin_ctz(c.sets);
    c.span = span_shape(p, c.set_bits);
    c.msc_sets = p->msc_entries / p->msc_ways;
    c.msc_set_bits = (uint32_t)__builtin_ctz(c.msc_sets);
    c.region_shift = (uint32_t)__builtin_ctz(p->slot_pages);
    c.group_shift = c.region_shift + LW_REGION_PLACE_BITS;
    c.sweep_sets = p->subregions != 0 && c.msc_sets > c.sets ? c.msc_sets : c.sets; /* R11.4 */
    c.vpn_mask = (UINT64_C(1) << c.vpn_w) - 1;
    c.pfn_mask = (UINT64_C(1) << c.pfn_w) - 1;
    c.reserved = ((UINT64_C(1) << 52) - 1) & ~((UINT64_C(1) << p->pa_width) - 1);
    return c;
}
