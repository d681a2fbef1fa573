#include "tests/contract/draw_params.h"

#include "common/number.h"
#include "tests/contract/words.h"

#include <stdio.h>
#include <string.h>

typedef struct parameter {
    const char *name;
    size_t at;
} parameter;

#define AT(field) offsetof(lw_params, field)
static const parameter parameters[] = {
    {"LEVELS", AT(levels)},
    {"PA_WIDTH", AT(pa_width)},
    {"PASIDS", AT(pasids)},
    {"ID_W", AT(id_w)},
    {"SRC_W", AT(src_w)},
    {"TLB_ENTRIES", AT(tlb_entries)},
    {"TLB_WAYS", AT(tlb_ways)},
    {"TLB_LATENCY", AT(tlb_latency)},
    {"TLB_PARTITION", AT(tlb_partition)},
    {"TLB_BIMODAL", AT(tlb_bimodal)},
    {"HIT_QUEUE", AT(hit_queue)},
    {"WALK_QUEUE", AT(walk_queue)},
    {"MISS_QUEUE", AT(miss_queue)},
    {"BUFFER_ENTRIES", AT(buffer_entries)},
    {"LINES", AT(lines)},
    {"WALKERS", AT(walkers)},
    {"PWC_ORG", AT(pwc_org)},
    {"PWC_ENTRIES", AT(pwc_entries)},
    {"PWC_WAYS", AT(pwc_ways)},
    {"PWC_LATENCY", AT(pwc_latency)},
    {"COALESCE", AT(coalesce)},
    {"SUBREGIONS", AT(subregions)},
    {"PAR_LOOKUP", AT(par_lookup)},
    {"MSC_ENTRIES", AT(msc_entries)},
    {"MSC_WAYS", AT(msc_ways)},
    {"CHECK_QUEUE", AT(check_queue)},
    {"HEAD_FIRST", AT(head_first)},
    {"COLT", AT(colt)},
    {"SLOT_PAGES", AT(slot_pages)},
    {"PAGES_64K", AT(pages_64k)},
    {"SECOND_LOOKUP", AT(second_lookup)},
};
enum { PARAMETERS = sizeof parameters / sizeof parameters[0] };

static uint32_t below(lw_rng *rng, uint32_t bound) {
    return (uint32_t)lw_rng_below(rng, bound);
}

/* A power of two in 2^low .. 2^high. */
static uint32_t power(lw_rng *rng, uint32_t low, uint32_t high) {
    return 1u << (low + below(rng, high - low + 1));
}

/* In one of ten runs hashed tables, drawn aside: the other runs are what they were without. */
static void draw_hashed(lw_rng aside, lw_params *p) {
    if (lw_rng_percent(&aside, 10) == 0) {
        return;
    }
    p->pwc_org = 2;
    p->pwc_latency = 4 + below(&aside, 5);
    p->head_first = p->colt = 0;
    p->coalesce = lw_rng_percent(&aside, 80) != 0;
}

/* Slots that are lines (R20.31), in half of the units that may have them, aside as well. */
static void draw_slot_pages(lw_rng aside, lw_params *p) {
    const bool may = p->pwc_org == 2 && p->levels == 4 && p->subregions == 0;
    p->slot_pages = may && lw_rng_percent(&aside, 50) != 0 ? 8 : 512;
}

/* The same of pages of 64 KiB. */
static void draw_pages_64k(lw_rng aside, lw_params *p) {
    p->pages_64k = p->subregions == 0 && p->colt == 0 && lw_rng_percent(&aside, 50) != 0;
}

/* The second lookup (R5.26), in half of all units, aside as well. */
static void draw_second_lookup(lw_rng aside, lw_params *p) {
    enum { OTHERS = 8 };
    for (uint32_t i = 0; i < OTHERS; i++) { /* past what the others above draw */
        (void)lw_rng_next(&aside);
    }
    p->second_lookup = lw_rng_percent(&aside, 50) != 0;
}

static bool one_of_two(lw_rng *rng) {
    return lw_rng_percent(rng, 50) != 0;
}

/* In one of eight runs sizes of the upper half of chapter 13, each of them in half of these, aside
 * as well. What is by address may be larger than what each walk compares with all its entries. */
static void draw_large(lw_rng aside, lw_params *p) {
    enum { OTHERS = 16 };
    for (uint32_t i = 0; i < OTHERS; i++) {
        (void)lw_rng_next(&aside);
    }
    if (lw_rng_percent(&aside, 12) == 0) {
        return;
    }
    p->pasids = one_of_two(&aside) ? LW_ROOTS : p->pasids;
    p->walkers = one_of_two(&aside) ? 9 + below(&aside, 24) : p->walkers;
    p->buffer_entries = one_of_two(&aside) ? power(&aside, 5, 9) : p->buffer_entries;
    p->lines = one_of_two(&aside) ? power(&aside, 4, 6) : p->lines;
    p->hit_queue = one_of_two(&aside) ? 9 + below(&aside, 56) : p->hit_queue;
    p->walk_queue = one_of_two(&aside) ? 5 + below(&aside, 60) : p->walk_queue;
    p->miss_queue = one_of_two(&aside) ? 9 + below(&aside, 56) : p->miss_queue;
    p->check_queue = one_of_two(&aside) ? 5 + below(&aside, 12) : p->check_queue;
    if (one_of_two(&aside)) {
        p->tlb_ways = power(&aside, 3, 4);
        p->tlb_entries = p->tlb_ways * power(&aside, 0, 8);
        p->tlb_partition = below(&aside, p->tlb_ways + 1);
    }
    if (one_of_two(&aside)) {
        p->msc_ways = power(&aside, 1, 4);
        p->msc_entries = p->msc_ways * power(&aside, 0, 8);
    }
    if (one_of_two(&aside)) {
        p->pwc_entries = power(&aside, 5, p->pwc_org == LW_PWC_BY_ADDRESS ? 10 : 6);
        p->pwc_ways = power(&aside, 1, 4);
    }
}

static void draw(lw_rng *rng, lw_params *p) {
    static const uint32_t widths[] = {32, 33, 36, 40, 48, 52};
    const uint32_t partition = below(rng, 4);
    p->levels = 4 + below(rng, 2);
    p->pa_width = widths[below(rng, 6)];
    p->pasids = power(rng, 1, 2);
    p->id_w = lw_rng_percent(rng, 10) != 0 ? 1 + below(rng, 4) : 5 + below(rng, 4);
    p->src_w = 1 + below(rng, 8);
    p->tlb_ways = power(rng, 1, 3);
    p->tlb_entries = p->tlb_ways * power(rng, 0, 3);
    p->tlb_latency = 1 + (lw_rng_percent(rng, 60) != 0 ? 0 : below(rng, 8));
    p->tlb_partition = partition < 2 ? partition : 1 + below(rng, p->tlb_ways);
    p->hit_queue = 1 + below(rng, 8);
    p->walk_queue = 1 + below(rng, 4);
    p->buffer_entries = power(rng, 2, 4);
    p->lines = power(rng, 2, 3);
    p->walkers = 1 + below(rng, 8);
    p->pwc_org = below(rng, 2);
    p->pwc_entries = power(rng, 1, 4);
    /* of the cache by address alone */
    p->pwc_ways = p->pwc_entries >= 4 ? power(rng, 1, 2) : p->pwc_org == LW_PWC_BY_LEVEL ? 4 : 2;
    p->pwc_latency = 1 + (lw_rng_percent(rng, 60) != 0 ? below(rng, 2) : below(rng, 8));
    p->coalesce = lw_rng_percent(rng, 75) != 0;
    p->subregions = lw_rng_percent(rng, 45) != 0;
    p->par_lookup = below(rng, 2);
    p->msc_ways = 2;
    p->msc_entries = 2 * power(rng, 0, 2);
    p->check_queue = 1 + below(rng, 4);
    p->head_first = p->subregions != 0 && lw_rng_percent(rng, 25) != 0;
    p->coalesce = p->coalesce != 0 && p->head_first == 0;
    p->colt = p->head_first != 0 ? 0 : below(rng, p->subregions != 0 ? 2 : 3);
    if (lw_rng_percent(rng, 12) != 0) { /* little between many walkers and the sink */
        p->tlb_ways = p->tlb_entries = 2;
        p->tlb_partition = below(rng, 2);
        p->walkers = 5 + below(rng, 4);
        p->walk_queue = 1;
        p->id_w = 8;
    }
    p->miss_queue = 1 + below(rng, 8);
    p->tlb_bimodal = lw_rng_percent(rng, 30) != 0 ? 1 + below(rng, 3) : 0;
    draw_hashed(*rng, p);
    draw_slot_pages(*rng, p);
    draw_pages_64k(*rng, p);
    draw_second_lookup(*rng, p);
    draw_large(*rng, p);
}

static bool apply(const char *setting, lw_params *hw, lw_error *err) {
    const size_t name = strcspn(setting, "=");
    for (size_t i = 0; i < PARAMETERS && setting[name] == '='; i++) {
        if (strlen(parameters[i].name) != name || strncmp(parameters[i].name, setting, name) != 0) {
            continue;
        }
        uint64_t value = 0;
        const char *end = setting + name + 1;
        if (!lw_number_read(&end, 1 << 16, &value) || *end != '\0') {
            break;
        }
        const uint32_t word = (uint32_t)value;
        memcpy((char *)hw + parameters[i].at, &word, sizeof word);
        return true;
    }
    return lw_fail(err, "--set: \"%s\" is not NAME=VALUE of a parameter of chapter 13", setting);
}

bool lw_params_fit(const lw_params *hw, lw_error *err) {
    return hw->pasids <= LW_ROOTS ||
           lw_fail(err, "PASIDS is %u; the tester takes 2 to %d", hw->pasids, LW_ROOTS);
}

bool lw_params_draw(lw_rng *rng, const lw_options *o, lw_params *hw, lw_error *err) {
    enum { TRIES = 200 };
    for (int i = 0; i < TRIES; i++) {
        draw(rng, hw);
        for (uint32_t s = 0; s < o->settings; s++) {
            if (!apply(o->setting[s], hw, err)) {
                return false;
            }
        }
        if (lw_params_check(hw, err) && lw_params_fit(hw, err)) {
            err->text[0] = '\0';
            return true;
        }
    }
    return false;
}

void lw_params_text(const lw_params *hw, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < PARAMETERS && used < size; i++) {
        uint32_t value = 0;
        memcpy(&value, (const char *)hw + parameters[i].at, sizeof value);
        const int n = snprintf(text + used, size - used, " %s=%u", parameters[i].name, value);
        used += n > 0 ? (size_t)n : 0;
    }
}
