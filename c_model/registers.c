/* The registers by name: reading one, finding where it lies, flipping one of its bits. */
#include "c_model/iommu_parts.h"

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
    const lw_cell c = lw_register_cell((lw_iommu *)u, field, index);
    if (c.bits == 0) {
        return 0;
    }
    const lw_field valid = lw_structure_valid(lw_field_structure(field));
    if (valid != LW_FIELD_COUNT && valid != field && lw_iommu_peek(u, valid, index) == 0) {
        return 0; /* R0.5 */
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
        const lw_cell c = lw_register_cell((lw_iommu *)u, field, i);
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
    const lw_cell c = lw_register_cell(u, field, index);
    if (bit >= c.bits) {
        return;
    }
    uint8_t *at = (uint8_t *)c.at + (c.lsb + bit) / 8; /* little endian, as all our hosts are */
    *at ^= (uint8_t)(1u << ((c.lsb + bit) % 8));
    u->quiet = false;
    lw_control_derive(&u->control);
    lw_tlb_derive(&u->tlb);
    lw_walk_derive(&u->walk);
    u->req_ready = lw_admission_ready(&u->admission, lw_walk_has_first(&u->walk));
    lw_touch(&u->watch, lw_field_structure(field), index);
}
