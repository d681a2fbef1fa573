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

/* What each may be alone; the conditions of lw_params_check, which come after, rely on all of
 * these. */
static const range ranges[] = {
    {"levels", AT(levels), 4, 5, false},
    {"pa_width", AT(pa_width), 32, 52, false},
    {"pasids", AT(pasids), 2, 256, true},
    {"id_w", AT(id_w), 1, 16, false},
    {"src_w", AT(src_w), 1, 16, false},
    {"tlb_ways", AT(tlb_ways), 2, 16, true},
    {"tlb_entries", AT(tlb_entries), 2, 16 * 256, true},
    {"tlb_latency", AT(tlb_latency), 1, 8, false},
    {"tlb_partition", AT(tlb_partition), 0, 16, false},
    {"tlb_bimodal", AT(tlb_bimodal), 0, 8, false},
    {"hit_queue", AT(hit_queue), 1, 64, false},
    {"walk_queue", AT(walk_queue), 1, 64, false},
    {"miss_queue", AT(miss_queue), 1, 64, false},
    {"buffer_entries", AT(buffer_entries), 4, 512, true},
    {"lines", AT(lines), 4, 64, true},
    {"walkers", AT(walkers), 1, 32, false},
    {"pwc_org", AT(pwc_org), 0, 2, false},
    {"pwc_entries", AT(pwc_entries), 2, 1024, true},
    {"pwc_ways", AT(pwc_ways), 2, 16, true},
    {"pwc_latency", AT(pwc_latency), 1, 8, false},
    {"coalesce", AT(coalesce), 0, 1, false},
    {"subregions", AT(subregions), 0, 1, false},
    {"par_lookup", AT(par_lookup), 0, 1, false},
    {"msc_ways", AT(msc_ways), 2, 16, true},
    {"msc_entries", AT(msc_entries), 2, 16 * 256, true},
    {"check_queue", AT(check_queue), 1, 16, false},
    {"head_first", AT(head_first), 0, 1, false},
    {"colt", AT(colt), 0, 2, false},
    {"pages_64k", AT(pages_64k), 0, 1, false},
    {"second_lookup", AT(second_lookup), 0, 1, false},
};

static uint32_t value_of(const lw_params *p, const range *r) {
    return *(const uint32_t *)((const char *)p + r->offset);
}

static bool check_ranges(const lw_params *p, lw_error *err) {
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        const range *r = &ranges[i];
        uint32_t v = value_of(p, r);
        if (v < r->min || v > r->max || (r->power_of_two && (v & (v - 1)) != 0)) {
            return lw_fail_key(err, r->name, " is %u, legal is %s%u to %u", v,
                               r->power_of_two ? "a power of two from " : "", r->min, r->max);
        }
    }
    return true;
}

uint32_t lw_tlb_stages(const lw_params *p) {
    /* subregions are looked up a stage before regular entries */
    const bool serial = p->subregions != 0 && p->par_lookup == 0;
    return p->tlb_latency + 1 + serial;
}

/* The slots of hashed tables (R20.31). */
static bool check_slots(const lw_params *p, lw_error *err) {
    if (p->slot_pages != LW_SLOT_OF_A_LINE && p->slot_pages != LW_SLOT_OF_A_FRAME) {
        return lw_fail_key(err, "slot_pages", " is %u, legal is %d or %d", p->slot_pages,
                           LW_SLOT_OF_A_LINE, LW_SLOT_OF_A_FRAME);
    }
    if (p->slot_pages == LW_SLOT_OF_A_LINE &&
        (p->pwc_org != LW_PWC_OF_STEPS || p->levels != 4 || p->subregions == 1)) {
        return lw_fail_key(err, "slot_pages",
                           " is 8, legal is 512 unless pwc_org is 2 (is %u), levels 4 "
                           "(is %u) and subregions 0 (is %u)",
                           p->pwc_org, p->levels, p->subregions);
    }
    return true;
}

/* The limits of a unit that walks hashed tables (chapter 21). */
static bool check_steps(const lw_params *p, lw_error *err) {
    if (p->head_first == 1 || p->colt != 0) {
        return lw_fail_key(err, "pwc_org",
                           " is 2, legal is 0 to 1 unless head_first is 0 (is %u) and colt 0 "
                           "(is %u)",
                           p->head_first, p->colt);
    }
    if (p->pwc_entries > 64) {
        return lw_fail_key(err, "pwc_entries",
                           " is %u, legal is a power of two from 2 to 64 with pwc_org 2 (of "
                           "steps)",
                           p->pwc_entries);
    }
    if (p->pwc_latency < 4) {
        return lw_fail_key(err, "pwc_latency", " is %u, legal is 4 to 8 with pwc_org 2 (of steps)",
                           p->pwc_latency);
    }
    return true;
}

bool lw_params_check(const lw_params *p, lw_error *err) {
    if (!check_ranges(p, err)) {
        return false;
    }
    if (p->tlb_entries < p->tlb_ways || p->tlb_entries / p->tlb_ways > 256) {
        return lw_fail_key(err, "tlb_entries",
                           " is %u, legal is tlb_ways (%u) times a power of two from 1 to "
                           "256",
                           p->tlb_entries, p->tlb_ways);
    }
    if (p->tlb_partition > p->tlb_ways) {
        return lw_fail_key(err, "tlb_partition", " is %u, legal is 0 to tlb_ways (%u)",
                           p->tlb_partition, p->tlb_ways);
    }
    if (p->msc_entries < p->msc_ways || p->msc_entries / p->msc_ways > 256) {
        return lw_fail_key(err, "msc_entries",
                           " is %u, legal is msc_ways (%u) times a power of two from 1 to "
                           "256",
                           p->msc_entries, p->msc_ways);
    }
    if (p->head_first == 1 && (p->subregions == 0 || p->coalesce == 1 || p->colt != 0)) {
        return lw_fail_key(err, "head_first",
                           " is 1, legal is 0 unless subregions is 1 (is %u), coalesce 0 "
                           "(is %u) and colt 0 (is %u)",
                           p->subregions, p->coalesce, p->colt);
    }
    if (p->colt == LW_COLT_FULL && p->subregions == 1) {
        return lw_fail_key(err, "colt", " is 2, legal is 0 to 1 with subregions 1");
    }
    if (!check_slots(p, err)) {
        return false;
    }
    if (p->pages_64k == 1 && (p->subregions == 1 || p->colt != 0)) {
        return lw_fail_key(err, "pages_64k",
                           " is 1, legal is 0 unless subregions is 0 (is %u) and colt 0 "
                           "(is %u)",
                           p->subregions, p->colt);
    }
    if (p->pwc_org == LW_PWC_OF_STEPS && !check_steps(p, err)) {
        return false;
    }
    if (p->pwc_org == LW_PWC_BY_LEVEL && p->pwc_entries > 64) {
        return lw_fail_key(err, "pwc_entries",
                           " is %u, legal is a power of two from 2 to 64 with pwc_org 0 (by "
                           "level)",
                           p->pwc_entries);
    }
    if (p->pwc_org == LW_PWC_BY_ADDRESS && p->pwc_ways > p->pwc_entries) {
        return lw_fail_key(err, "pwc_ways",
                           " is %u, legal is 2 to pwc_entries (%u) with pwc_org 1 (by "
                           "address)",
                           p->pwc_ways, p->pwc_entries);
    }
    return true;
}
