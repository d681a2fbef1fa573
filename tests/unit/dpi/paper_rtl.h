/* Registers without an RTL: memory that looks to the state net as a Verilated model does, into
 * which a test copies what the twin's registers are and then changes what it likes. Entries that
 * hold nothing are filled with ones, as they may be in an RTL (R0.5). */
#ifndef LW_TESTS_UNIT_DPI_PAPER_RTL_H
#define LW_TESTS_UNIT_DPI_PAPER_RTL_H

#include "tests/unit/sim/environment/environment_run.h"

#include "dpi/places.h"
#include "dpi/state_net.h"

#include <stdio.h>

struct lw_rtl {
    const lw_params *hw;
    uint8_t *memory;
    size_t used;
    bool planes; /* entries side by side, a plane for each bit; else an element for each entry */
    lw_rtl_register reg[LW_FIELD_COUNT]; /* data NULL: there is none */
    const char *stranger;                /* a register more, or NULL, and where it is */
    const char *stranger_instance;
};

enum { PAPER_BYTES = 1 << 18 };

static inline uint32_t paper_entries(const lw_rtl *rtl, lw_field f) {
    return lw_structure_entries(rtl->hw, lw_field_structure(f));
}

/* As Verilator lays one out, in words of 1, 2, 4 or 8 bytes; behind some of them is nothing. */
static inline void paper_add(lw_rtl *rtl, lw_field f, uint32_t entries, uint32_t bits) {
    lw_rtl_register *reg = &rtl->reg[f];
    const bool is_wide = rtl->planes && entries > 1;
    const uint32_t of_element = bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8;
    reg->entries = is_wide ? 1 : entries;
    reg->bits = is_wide ? entries * bits : bits;
    reg->stride = is_wide ? (entries * bits + 31) / 32 * 4 : of_element;
    reg->bytes = reg->entries * reg->stride;
    rtl->used += f % 5 == 0 ? 24 : 0;
    rtl->used = (rtl->used + of_element - 1) / of_element * of_element;
    reg->data = rtl->memory + rtl->used;
    rtl->used += reg->bytes;
    assert_true(rtl->used + 8 < PAPER_BYTES);
}

static inline void paper_open(lw_rtl *rtl, const lw_params *hw, bool planes) {
    *rtl = (lw_rtl){.hw = hw, .memory = calloc(1, PAPER_BYTES), .planes = planes};
    assert_non_null(rtl->memory);
    for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
        if (lw_field_exists(hw, f)) {
            paper_add(rtl, f, paper_entries(rtl, f), lw_field_bits(hw, f));
        }
    }
}

static inline void paper_close(lw_rtl *rtl) {
    free(rtl->memory);
}

/* The byte of a bit of an entry, and the bit in it. */
static inline uint8_t *paper_bit(const lw_rtl *rtl, lw_field f, uint32_t index, uint32_t bit,
                                 uint8_t *mask) {
    const lw_rtl_register *reg = &rtl->reg[f];
    const uint32_t entries = paper_entries(rtl, f);
    const size_t at = reg->entries == entries ? (size_t)index * reg->stride * 8 + bit
                                              : (size_t)bit * entries + index;
    *mask = (uint8_t)(1u << at % 8);
    return &reg->data[at / 8];
}

static inline void paper_flip(const lw_rtl *rtl, lw_field f, uint32_t index, uint32_t bit) {
    uint8_t mask = 0;
    *paper_bit(rtl, f, index, bit, &mask) ^= mask;
}

static inline uint64_t paper_read(const lw_rtl *rtl, lw_field f, uint32_t index) {
    const lw_rtl_register *reg = &rtl->reg[f];
    uint64_t value = 0;
    if (reg->entries == paper_entries(rtl, f)) {
        memcpy(&value, reg->data + (size_t)index * reg->stride, reg->stride);
        return value;
    }
    for (uint32_t bit = 0; bit < lw_field_bits(rtl->hw, f); bit++) {
        uint8_t mask = 0;
        value |= (uint64_t)((*paper_bit(rtl, f, index, bit, &mask) & mask) != 0) << bit;
    }
    return value;
}

static inline void paper_write(const lw_rtl *rtl, lw_field f, uint32_t index, uint64_t value) {
    uint64_t differing = value ^ paper_read(rtl, f, index);
    for (; differing != 0; differing &= differing - 1) {
        paper_flip(rtl, f, index, (uint32_t)__builtin_ctzll(differing));
    }
}

/* Makes all registers those of the twin. */
static inline void paper_copy(const lw_rtl *rtl, const lw_iommu *twin) {
    for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
        const lw_field valid = lw_structure_valid(lw_field_structure(f));
        for (uint32_t i = 0; lw_field_exists(rtl->hw, f) && i < paper_entries(rtl, f); i++) {
            const bool holds =
                valid == LW_FIELD_COUNT || f == valid || lw_iommu_peek(twin, valid, i) != 0;
            const uint64_t ones = UINT64_MAX >> (64 - lw_field_bits(rtl->hw, f));
            paper_write(rtl, f, i, holds ? lw_iommu_peek(twin, f, i) : ones);
        }
    }
}

/* What a compare has to find in an entry: all its fields that differ, those of a side whose entry
 * holds nothing being zero. Returns how many. */
static inline size_t paper_differences(const lw_rtl *rtl, const lw_iommu *twin, lw_structure s,
                                       uint32_t index, lw_state_difference *found) {
    const lw_field valid = lw_structure_valid(s);
    const bool holds = valid == LW_FIELD_COUNT || paper_read(rtl, valid, index) != 0;
    size_t n = 0;
    lw_field f = 0;
    while (lw_field_structure(f) != s) {
        f++;
    }
    for (; f < LW_FIELD_COUNT && lw_field_structure(f) == s; f++) {
        if (!lw_field_exists(rtl->hw, f)) {
            continue;
        }
        const uint64_t of_rtl = holds ? paper_read(rtl, f, index) : 0;
        const uint64_t of_twin = lw_iommu_peek(twin, f, index);
        if (of_rtl != of_twin) {
            found[n++] = (lw_state_difference){f, index, of_rtl, of_twin};
        }
    }
    return n;
}

static inline bool paper_find(lw_rtl *rtl, const char *instance, const char *name,
                              lw_rtl_register *reg) {
    char place[LW_PLACE_MAX], its_name[LW_PLACE_MAX];
    for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
        if (rtl->reg[f].data == NULL) {
            continue;
        }
        const char *of = lw_rtl_instance(rtl->hw, lw_field_structure(f));
        lw_rtl_place(rtl->hw, f, of, place, its_name);
        if (strcmp(place, instance) == 0 && strcmp(its_name, name) == 0) {
            *reg = rtl->reg[f];
            return true;
        }
    }
    return false;
}

static inline void paper_each(lw_rtl *rtl, lw_rtl_register_fn *found, void *ctx) {
    char place[LW_PLACE_MAX], name[LW_PLACE_MAX];
    for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
        if (rtl->reg[f].data != NULL) {
            const char *of = lw_rtl_instance(rtl->hw, lw_field_structure(f));
            lw_rtl_place(rtl->hw, f, of, place, name);
            found(ctx, place, name);
        }
    }
    if (rtl->stranger != NULL) {
        found(ctx, rtl->stranger_instance, rtl->stranger);
    }
}

static const lw_rtl_functions paper_functions = {.find = paper_find, .each_register = paper_each};

#endif
