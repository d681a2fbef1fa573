/* The catalogue (section 14): names, sizes and membership, generated from its two lists; and the
 * registers themselves, by name. */
#include "c_model/iommu_parts.h"

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

static bool has_msc(const lw_params *p) {
    return p->subregions != 0 && p->head_first == 0;
}

bool lw_field_exists(const lw_params *p, lw_field f) {
    if (lw_structure_entries(p, lw_field_structure(f)) == 0) {
        return false;
    }
    switch (f) {
    case LW_F_BUFFER_CONTIG:
    case LW_F_SEARCH_LINE_SEARCH_CONTIG:
    case LW_F_UPDATE_LINE_UPDATE_CONTIG:
    case LW_F_PWC_CONTIG:
    case LW_F_PWC_RESULT_RESULT_CONTIG:
    case LW_F_PWC_FILL_PWC_FILL_CONTIG:
    case LW_F_PWC_PLACE_PWC_PLACE_CONTIG:
    case LW_F_READ_READ_CONTIG:
    case LW_F_PWST_CONTIG:
    case LW_F_ANSWER_ANSWER_CONTIG:
        return p->subregions != 0;
    case LW_F_TLB_CLASS:
    case LW_F_TLB_LENGTH:
    case LW_F_TLB_FOUND_FOUND_CLASS:
    case LW_F_TLB_FOUND_FIRST:
    case LW_F_FILL_FILL_CLASS:
    case LW_F_FILL_FILL_LENGTH:
    case LW_F_PLACE_PLACE_CLASS:
    case LW_F_PLACE_PLACE_LENGTH:
    case LW_F_PLACE_PLACE_DROP:
        return p->subregions != 0 || p->colt == LW_COLT_FULL;
    case LW_F_TLB_FOUND_FOUND_LENGTH:
        return p->colt == LW_COLT_FULL;
    case LW_F_PWC_PASID:
        return p->pwc_org != 1;
    default:
        return true;
    }
}

uint32_t lw_structure_entries(const lw_params *p, lw_structure s) {
    switch (s) {
    case LW_S_TLB_PIPE:
        return lw_tlb_stages(p);
    case LW_S_TLB:
    case LW_S_TLB_RANK:
        return p->tlb_entries;
    case LW_S_BUFFER:
        return p->buffer_entries;
    case LW_S_ROUND1:
        return p->buffer_entries / LW_ROUND1_GROUP;
    case LW_S_ROUND2:
        return lw_round2_places(p->buffer_entries);
    case LW_S_BLOCK:
        return LW_BLOCKS;
    case LW_S_PWC:
    case LW_S_PWC_RANK:
        return p->pwc_org == 0 ? (p->levels - 1) * p->pwc_entries : p->pwc_entries;
    case LW_S_PWC_PIPE:
        return p->pwc_latency;
    case LW_S_PWST:
        return p->walkers;
    case LW_S_SEARCH_LINE:
    case LW_S_UPDATE_LINE:
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
    case LW_S_TLB_RANGE:
        return lw_tlb_is_serial(p);
    case LW_S_CHECK:
        return p->subregions;
    case LW_S_HEAD:
        return p->subregions * 8;
    case LW_S_CHECK_QUEUE:
        return has_msc(p) ? p->check_queue : 0;
    case LW_S_MSC:
    case LW_S_MSC_RANK:
        return has_msc(p) ? p->msc_entries : 0;
    default:
        return 1;
    }
}

static lw_cell cell_of(lw_iommu *u, lw_field field, uint32_t index) {
    switch (lw_field_structure(field)) {
    case LW_S_ADMISSION:
        return lw_admission_cell(&u->admission, field);
    case LW_S_TLB_PIPE:
    case LW_S_TLB:
    case LW_S_TLB_RANK:
    case LW_S_TLB_RANGE:
    case LW_S_TLB_FOUND:
    case LW_S_PLACE:
        return lw_tlb_cell(&u->tlb, field, index);
    case LW_S_BUFFER:
    case LW_S_BUFFER_CONTROL:
    case LW_S_BLOCK:
        return lw_buffer_cell(&u->buffer, field, index);
    case LW_S_PICK:
    case LW_S_ROUND1:
    case LW_S_ROUND2:
        return lw_buffer_pick_cell(&u->buffer, field, index);
    case LW_S_SEARCH:
    case LW_S_SEARCH_LINE:
    case LW_S_UPDATE:
    case LW_S_UPDATE_LINE:
        return lw_cam_cell(&u->buffer.cam, field, index);
    case LW_S_PWC:
    case LW_S_PWC_RANK:
    case LW_S_PWC_PIPE:
    case LW_S_PWC_KEY:
    case LW_S_PWC_RESULT:
    case LW_S_PWC_FILL:
    case LW_S_PWC_PLACE:
        return lw_pwc_cell(&u->pwc, field, index);
    case LW_S_ASK:
    case LW_S_READ:
    case LW_S_PWST:
    case LW_S_WALK_MEMORY:
    case LW_S_LINE:
        return lw_walkers_cell(&u->walkers, field, index);
    case LW_S_ANSWER:
    case LW_S_FILL:
        return lw_answers_cell(&u->answers, field);
    case LW_S_INVALIDATION:
        return lw_invalidation_cell(&u->invalidation, field);
    case LW_S_CONTROL:
    case LW_S_ROOT:
        return lw_control_cell(&u->control, field, index);
    case LW_S_COUNTER:
        return lw_counters_cell(&u->counters, field, index, &u->cfg);
    case LW_S_CHECK:
    case LW_S_HEAD:
    case LW_S_CHECK_QUEUE:
        return lw_check_cell(&u->check, field, index);
    case LW_S_MSC:
    case LW_S_MSC_RANK:
        return lw_msc_cell(&u->msc, field, index);
    default:
        return lw_responses_cell(&u->responses, field, index);
    }
}

static uint64_t load(const lw_cell *c) {
    switch (c->bytes) {
    case 1:
        return *(const uint8_t *)c->at;
    case 2:
        return *(const uint16_t *)c->at;
    case 4:
        return *(const uint32_t *)c->at;
    default:
        return *(const uint64_t *)c->at;
    }
}

uint64_t lw_iommu_peek(const lw_iommu *u, lw_field field, uint32_t index) {
    /* a cell can be written through, which nothing here does */
    const lw_cell c = cell_of((lw_iommu *)u, field, index);
    if (!c.shown) {
        return 0;
    }
    return load(&c) >> c.lsb & (UINT64_MAX >> (64 - c.bits));
}

bool lw_iommu_locate(const lw_iommu *u, lw_field field, lw_register_place *place) {
    const lw_structure s = lw_field_structure(field);
    const uint32_t entries = lw_structure_entries(&u->cfg.hw, s);
    if (s == LW_S_TLB_PIPE || s == LW_S_PWC_PIPE) { /* rings, in which the stages turn */
        return false;
    }
    const uint8_t *base = NULL;
    uint64_t first = 0;
    uint64_t stride = 0;
    for (uint32_t i = 0; i < entries; i++) {
        const lw_cell c = cell_of((lw_iommu *)u, field, i);
        if (i == 0) {
            base = c.at;
            first = c.lsb;
        }
        if ((const uint8_t *)c.at < base) {
            return false;
        }
        const uint64_t bit = (uint64_t)((const uint8_t *)c.at - base) * 8 + c.lsb;
        if (i == 1) {
            stride = bit - first;
        }
        if (bit != first + i * stride || bit % 8 + c.bits > 64) {
            return false;
        }
        place->bits = c.bits;
    }
    place->base = base;
    place->first = first;
    place->stride = stride;
    return entries != 0;
}

void lw_iommu_flip(lw_iommu *u, lw_field field, uint32_t index, uint32_t bit) {
    const lw_cell c = cell_of(u, field, index);
    if (bit >= c.bits || !lw_field_exists(&u->cfg.hw, field)) {
        return;
    }
    uint8_t *at = (uint8_t *)c.at + (c.lsb + bit) / 8; /* little endian, as all our hosts are */
    *at ^= (uint8_t)(1u << ((c.lsb + bit) % 8));
    lw_control_derive(&u->control);
    lw_tlb_derive(&u->tlb);
    lw_buffer_derive(&u->buffer);
    lw_pwc_derive(&u->pwc);
    lw_walkers_derive(&u->walkers);
    u->req_ready = lw_admission_ready(&u->admission, &u->buffer);
    lw_touch(&u->watch, lw_field_structure(field), index);
}
