#include "tests/modules/registers.h"

#include "dpi/array_place.h"

#include <ctype.h>
#include <string.h>

/* Whether the first field of a structure says if an entry is valid (R0.5). */
static const bool has_valid[LW_STRUCTURE_COUNT] = {
    [LW_S_TLB_PIPE] = true, [LW_S_TLB] = true,      [LW_S_BUFFER] = true,
    [LW_S_PWC] = true,      [LW_S_PWC_PIPE] = true, [LW_S_PWST] = true,
    [LW_S_MSC] = true,      [LW_S_ROUND1] = true,   [LW_S_ROUND2] = true,
};

static bool find_one(lw_module_register *r, const lw_row *row, const lw_registers_of *of,
                     const lw_module_rtl_functions *functions, lw_module_rtl *rtl, lw_error *err) {
    const bool address = row->hw->pwc_org == LW_PWC_BY_ADDRESS && of->by_address != NULL;
    const char *text = lw_field_name(r->field), *scope = address ? of->by_address : of->scope;
    char own[64], name[LW_PLACE_MAX], place[LW_PLACE_MAX];
    size_t n = 0;
    for (; text[n] != '\0' && n + 3 < sizeof own; n++) {
        own[n] = (char)tolower((unsigned char)text[n]);
    }
    memcpy(own + n, "_q", 3);
    lw_array_place(row->hw, r->field, scope, own, place, name);
    r->entries = lw_structure_entries(row->hw, of->structure);
    if (!lw_field_exists(row->hw, r->field)) {
        return true;
    }
    r->there = functions->find(rtl, row->module->top, place, name, &r->at);
    if (!r->there) {
        return lw_fail(err, "%s has no register %s for %s.%s of section 14", row->module->top, name,
                       lw_structure_name(of->structure), text);
    }
    if (r->at.entries == r->entries && (r->entries != 1 || r->at.bits <= 64)) {
        return true;
    }
    r->planes = r->at.bits / r->entries;
    return (r->at.entries == 1 && r->at.bits % r->entries == 0) ||
           lw_fail(err, "register %s of %s has %u elements of %u bits; section 14 says %u entries",
                   name, row->module->top, r->at.entries, r->at.bits, r->entries);
}

bool lw_module_registers_find(lw_module_registers *r, const lw_row *row,
                              const lw_module_rtl_functions *functions, lw_module_rtl *rtl,
                              lw_error *err) {
    *r = (lw_module_registers){.count = 0};
    for (uint32_t i = 0; i < row->module->register_count; i++) {
        const lw_registers_of *of = &row->module->registers[i];
        const uint32_t first = r->count;
        for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
            if (lw_field_structure(f) != of->structure) {
                continue;
            }
            lw_module_register *reg = &r->reg[r->count];
            reg->field = f;
            if (!find_one(reg, row, of, functions, rtl, err)) {
                return false;
            }
            reg->valid = has_valid[of->structure] ? first : r->count;
            r->values += reg->entries;
            r->count++;
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
