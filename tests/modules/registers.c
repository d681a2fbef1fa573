#include "tests/modules/registers.h"

#include "dpi/places.h"

#include <string.h>

static bool find_one(lw_module_register *r, const lw_row *row, const lw_registers_of *of,
                     const lw_module_rtl_functions *functions, lw_module_rtl *rtl, lw_error *err) {
    const bool address = row->hw->pwc_org == LW_PWC_BY_ADDRESS && of->by_address != NULL;
    const uint32_t bits = lw_field_bits(row->hw, r->field);
    char name[LW_PLACE_MAX], place[LW_PLACE_MAX];
    r->entries = lw_structure_entries(row->hw, of->structure);
    if (bits == 0) {
        return true;
    }
    lw_rtl_place(row->hw, r->field, address ? of->by_address : of->scope, place, name);
    r->there = functions->find(rtl, row->module->top, place, name, &r->at);
    if (!r->there) {
        return lw_fail(err, "%s has no register %s for %s.%s of state/registers.yaml",
                       row->module->top, name, lw_structure_name(of->structure),
                       lw_field_name(r->field));
    }
    if (r->at.entries == r->entries && r->at.bits == bits) {
        return true;
    }
    r->planes = bits;
    return (r->at.entries == 1 && r->at.bits == bits * r->entries) ||
           lw_fail(err,
                   "register %s of %s has %u elements of %u bits; state/registers.yaml says %u of "
                   "%u",
                   name, row->module->top, r->at.entries, r->at.bits, r->entries, bits);
}

bool lw_module_registers_find(lw_module_registers *r, const lw_row *row,
                              const lw_module_rtl_functions *functions, lw_module_rtl *rtl,
                              lw_error *err) {
    *r = (lw_module_registers){.count = 0};
    for (uint32_t i = 0; i < row->module->register_count; i++) {
        const lw_registers_of *of = &row->module->registers[i];
        const lw_field valid = lw_structure_valid(of->structure);
        const uint32_t before = r->count;
        uint32_t valid_at = r->count;
        for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
            if (lw_field_structure(f) != of->structure) {
                continue;
            }
            lw_module_register *reg = &r->reg[r->count];
            reg->field = f;
            if (!find_one(reg, row, of, functions, rtl, err)) {
                return false;
            }
            valid_at = f == valid ? r->count : valid_at;
            r->values += reg->entries;
            r->count++;
        }
        for (uint32_t at = before; at < r->count; at++) {
            r->reg[at].valid = valid == LW_FIELD_COUNT ? at : valid_at;
        }
    }
    return true;
}

static uint64_t element(const lw_module_register *r, uint32_t index) {
    const uint8_t *data = r->at.data;
    uint64_t value = 0;
    if (r->planes == 0) {
        memcpy(&value, data + (size_t)index * r->at.stride, r->at.stride < 8 ? r->at.stride : 8);
        return value;
    }
    for (uint32_t p = 0; p < r->planes; p++) {
        const uint32_t bit = p * r->entries + index;
        value |= (uint64_t)(data[bit / 8] >> (bit % 8) & 1) << p;
    }
    return value;
}

size_t lw_module_registers_compare(const lw_module_registers *r, const lw_iommu *twin,
                                   lw_register_difference *found, size_t room) {
    size_t n = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        const lw_module_register *reg = &r->reg[i];
        for (uint32_t index = 0; index < reg->entries; index++) {
            const bool shown = reg->valid == i || element(&r->reg[reg->valid], index) != 0;
            const uint64_t rtl = reg->there && shown ? element(reg, index) : 0;
            const uint64_t of_twin = lw_iommu_peek(twin, reg->field, index);
            if (rtl == of_twin) {
                continue;
            }
            if (n < room) {
                found[n] = (lw_register_difference){reg->field, index, rtl, of_twin};
            }
            n++;
        }
    }
    return n;
}
