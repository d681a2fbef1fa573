/* The hardware parameters and their legal values (chapter 13), as a table of plain ranges and the
 * conditions between two parameters. */
#include "c_model/base/params.h"

#include <stddef.h>

typedef struct range {
    const char *name;
    size_t offset;
    uint32_t min, max;
    bool power_of_two;
} range;

#define AT(field) offsetof(lw_params, field)

/* Those that come earlier may be relied on by the conditions on those that come later. */
static const range ranges[] = {
    {"LEVELS", AT(levels), 4, 5, false},
    {"PA_WIDTH", AT(pa_width), 32, 52, false},
    {"PASIDS", AT(pasids), 2, 256, true},
    {"ID_W", AT(id_w), 1, 16, false},
    {"SRC_W", AT(src_w), 1, 16, false},
    {"TLB_WAYS", AT(tlb_ways), 2, 16, true},
    {"TLB_ENTRIES", AT(tlb_entries), 2, 16 * 256, true},
    {"TLB_LATENCY", AT(tlb_latency), 1, 8, false},
    {"TLB_PARTITION", AT(tlb_partition), 0, 16, false},
    {"TLB_BIMODAL", AT(tlb_bimodal), 0, 8, false},
    {"HIT_QUEUE", AT(hit_queue), 1, 64, false},
    {"WALK_QUEUE", AT(walk_queue), 1, 64, false},
    {"MISS_QUEUE", AT(miss_queue), 1, 64, false},
    {"BUFFER_ENTRIES", AT(buffer_entries), 4, 512, true},
    {"LINES", AT(lines), 4, 64, true},
    {"WALKERS", AT(walkers), 1, 32, false},
    {"PWC_ORG", AT(pwc_org), 0, 2, false},
    {"PWC_ENTRIES", AT(pwc_entries), 2, 1024, true},
    {"PWC_WAYS", AT(pwc_ways), 2, 16, true},
    {"PWC_LATENCY", AT(pwc_latency), 1, 8, false},
    {"COALESCE", AT(coalesce), 0, 1, false},
    {"SUBREGIONS", AT(subregions), 0, 1, false},
    {"PAR_LOOKUP", AT(par_lookup), 0, 1, false},
    {"MSC_WAYS", AT(msc_ways), 2, 16, true},
    {"MSC_ENTRIES", AT(msc_entries), 2, 16 * 256, true},
    {"CHECK_QUEUE", AT(check_queue), 1, 16, false},
    {"HEAD_FIRST", AT(head_first), 0, 1, false},
    {"COLT", AT(colt), 0, 2, false},
    {"PAGES_64K", AT(pages_64k), 0, 1, false},
    {"SECOND_LOOKUP", AT(second_lookup), 0, 1, false},
};

static uint32_t value_of(const lw_params *p, const range *r) {
    return *(const uint32_t *)((const char *)p + r->offset);
}

static bool check_ranges(const lw_params *p, lw_error *err) {
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        const range *r = &ranges[i];
        uint32_t v = value_of(p, r);
        if (v < r->min || v > r->max || (r->power_of_two && (v & (v - 1)) != 0)) {
            return lw_fail(err, "%s is %u, legal is %s%u to %u", r->name, v,
                           r->power_of_two ? "a power of two from " : "", r->min, r->max);
        }
    }
    return true;
}

bool lw_tlb_is_serial(const lw_params *p) {
    return p->subregions != 0 && p->par_lookup == 0;
}

uint32_t lw_tlb_stages(const lw_params *p) {
    return p->tlb_latency + 1 + lw_tlb_is_serial(p);
}

/* The slots of hashed tables (R20.31). */
static bool check_slots(const lw_params *p, lw_error *err) {
    if (p->slot_pages != LW_SLOT_OF_A_LINE && p->slot_pages != LW_SLOT_OF_A_FRAME) {
        return lw_fail(err, "SLOT_PAGES is %u, legal is %d or %d", p->slot_pages, LW_SLOT_OF_A_LINE,
                       LW_SLOT_OF_A_FRAME);
    }
    if (p->slot_pages == LW_SLOT_OF_A_LINE &&
        (p->pwc_org != LW_PWC_OF_STEPS || p->levels != 4 || p->subregions == 1)) {
        return lw_fail(err,
                       "SLOT_PAGES is 8, legal is 512 unless PWC_ORG is 2 (is %u), LEVELS 4 "
                       "(is %u) and SUBREGIONS 0 (is %u)",
                       p->pwc_org, p->levels, p->subregions);
    }
    return true;
}

/* The limits of a unit that walks hashed tables (chapter 21). */
static bool check_steps(const lw_params *p, lw_error *err) {
    if (p->head_first == 1 || p->colt != 0) {
        return lw_fail(err,
                       "PWC_ORG is 2, legal is 0 to 1 unless HEAD_FIRST is 0 (is %u) and COLT 0 "
                       "(is %u)",
                       p->head_first, p->colt);
    }
    if (p->pwc_entries > 64) {
        return lw_fail(err,
                       "PWC_ENTRIES is %u, legal is a power of two from 2 to 64 with PWC_ORG 2 (of "
                       "steps)",
                       p->pwc_entries);
    }
    if (p->pwc_latency < 4) {
        return lw_fail(err, "PWC_LATENCY is %u, legal is 4 to 8 with PWC_ORG 2 (of steps)",
                       p->pwc_latency);
    }
    return true;
}

bool lw_params_check(const lw_params *p, lw_error *err) {
    if (!check_ranges(p, err)) {
        return false;
    }
    if (p->tlb_entries < p->tlb_ways || p->tlb_entries / p->tlb_ways > 256) {
        return lw_fail(err,
                       "TLB_ENTRIES is %u, legal is TLB_WAYS (%u) times a power of two from 1 to "
                       "256",
                       p->tlb_entries, p->tlb_ways);
    }
    if (p->tlb_partition > p->tlb_ways) {
        return lw_fail(err, "TLB_PARTITION is %u, legal is 0 to TLB_WAYS (%u)", p->tlb_partition,
                       p->tlb_ways);
    }
    if (p->msc_entries < p->msc_ways || p->msc_entries / p->msc_ways > 256) {
        return lw_fail(err,
                       "MSC_ENTRIES is %u, legal is MSC_WAYS (%u) times a power of two from 1 to "
                       "256",
                       p->msc_entries, p->msc_ways);
    }
    if (p->head_first == 1 && (p->subregions == 0 || p->coalesce == 1 || p->colt != 0)) {
        return lw_fail(err,
                       "HEAD_FIRST is 1, legal is 0 unless SUBREGIONS is 1 (is %u), COALESCE 0 "
                       "(is %u) and COLT 0 (is %u)",
                       p->subregions, p->coalesce, p->colt);
    }
    if (p->colt == LW_COLT_FULL && p->subregions == 1) {
        return lw_fail(err, "COLT is 2, legal is 0 to 1 with SUBREGIONS 1");
    }
    if (!check_slots(p, err)) {
        return false;
    }
    if (p->pages_64k == 1 && (p->subregions == 1 || p->colt != 0)) {
        return lw_fail(err,
                       "PAGES_64K is 1, legal is 0 unless SUBREGIONS is 0 (is %u) and COLT 0 "
                       "(is %u)",
                       p->subregions, p->colt);
    }
    if (p->pwc_org == LW_PWC_OF_STEPS && !check_steps(p, err)) {
        return false;
    }
    if (p->pwc_org == LW_PWC_BY_LEVEL && p->pwc_entries > 64) {
        return lw_fail(err,
                       "PWC_ENTRIES is %u, legal is a power of two from 2 to 64 with PWC_ORG 0 (by "
                       "level)",
                       p->pwc_entries);
    }
    if (p->pwc_org == LW_PWC_BY_ADDRESS && p->pwc_ways > p->pwc_entries) {
        return lw_fail(err,
                       "PWC_WAYS is %u, legal is 2 to PWC_ENTRIES (%u) with PWC_ORG 1 (by "
                       "address)",
                       p->pwc_ways, p->pwc_entries);
    }
    return true;
}
