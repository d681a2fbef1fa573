/* A line of a step table (chapter 20), a bucket of entries of 16 regions each: four, or two that
 * also have the regions' contiguity bits (R20.27); and what an entry says of a region. */
#ifndef LW_C_MODEL_WALK_STEP_LINE_H
#define LW_C_MODEL_WALK_STEP_LINE_H

#include "c_model/base/address.h"

/* R20.27: contiguity bits of the 16 regions of a group. */
typedef struct lw_step_contigs {
    uint16_t ac;   /* AC, a bit each */
    uint64_t c[2]; /* C7..C0, a byte each: of the lower eight, of the upper eight */
} lw_step_contigs;

/* An entry of a bucket: its second word, and what it says of contiguity. */
typedef struct lw_step_entry {
    uint64_t steps;
    lw_step_contigs contigs;
} lw_step_entry;

/* The first entry with the group of this key (R20.9), in the layout of a unit with SUBREGIONS or
 * without: true if there is one. Without, and where there is none, nothing is contiguous. */
bool lw_step_line_find(const lw_config *cfg, const uint64_t line[8], uint64_t key,
                       lw_step_entry *out);

/* The place in its group of the key's region (R20.32). */
static inline uint32_t lw_region_place(const lw_config *cfg, uint64_t key) {
    return (uint32_t)(key >> cfg->region_shift) & ((1 << LW_REGION_PLACE_BITS) - 1);
}

/* {PRESENT, STEP} of the key's region (R20.8). */
static inline uint32_t lw_group_region(const lw_config *cfg, uint64_t steps, uint64_t key) {
    return (uint32_t)(steps >> (4 * lw_region_place(cfg, key))) & 15;
}

static inline bool lw_group_present(const lw_config *cfg, uint64_t steps, uint64_t key) {
    return lw_group_region(cfg, steps, key) >= 8;
}

static inline uint32_t lw_group_step(const lw_config *cfg, uint64_t steps, uint64_t key) {
    return lw_group_region(cfg, steps, key) & 7;
}

/* CONTIG of the key's region (R20.27). */
static inline uint16_t lw_group_contig(const lw_config *cfg, const lw_step_contigs *contigs,
                                       uint64_t key) {
    const uint32_t region = lw_region_place(cfg, key);
    const uint32_t ac = contigs->ac >> region & 1;
    const uint32_t c = contigs->c[region >> 3] >> (8 * (region & 7)) & LW_CONTIG_C;
    return (uint16_t)(ac * LW_CONTIG_AC | c);
}

#endif
