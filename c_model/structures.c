/* The catalogue's names, sizes and membership (section 14), generated from its two lists. */
#include "iommu.h"

#define STRUCTURE_NAME(s) [LW_S_##s] = #s,
#define FIELD_NAME(s, f) [LW_F_##s##_##f] = #f,
#define FIELD_STRUCTURE(s, f) [LW_F_##s##_##f] = LW_S_##s,

static const char *const structure_names[LW_STRUCTURE_COUNT] = {LW_STRUCTURES(STRUCTURE_NAME)};
static const char *const field_names[LW_FIELD_COUNT] = {LW_FIELDS(FIELD_NAME)};
static const lw_structure field_structures[LW_FIELD_COUNT] = {LW_FIELDS(FIELD_STRUCTURE)};

const char *lw_structure_name(lw_structure s) {
    return structure_names[s];
}

const char *lw_field_name(lw_field f) {
    return field_names[f];
}

lw_structure lw_field_structure(lw_field f) {
    return field_structures[f];
}

uint32_t lw_structure_entries(const lw_params *p, lw_structure s) {
    switch (s) {
    case LW_S_TLB_PIPE:
        return p->tlb_latency;
    case LW_S_TLB:
    case LW_S_TLB_RANK:
        return p->tlb_entries;
    case LW_S_BUFFER:
        return p->buffer_entries;
    case LW_S_BLOCK:
        return 4;
    case LW_S_PWC:
    case LW_S_PWC_RANK:
        return p->pwc_org == 0 ? (p->levels - 1) * p->pwc_entries : p->pwc_entries;
    case LW_S_PWC_PIPE:
        return p->pwc_latency;
    case LW_S_PWST:
        return p->walkers;
    case LW_S_LINE:
        return 8;
    case LW_S_HIT_QUEUE:
        return p->hit_queue;
    case LW_S_WALK_QUEUE:
        return p->walk_queue;
    case LW_S_ROOT:
        return p->pasids;
    case LW_S_COUNTER:
        return LW_COUNTERS;
    default:
        return 1;
    }
}
