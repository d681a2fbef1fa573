/* How a hashed page table lies in memory, as its driver writes it: the hash, the tag of an HPT
 * entry and the bits of its PTEs (R20.1 to R20.8 in docs/architecture/20-hashed-tables.md).
 * For the machine alone; the oracle states all of it anew. */
#ifndef LW_SIM_TABLES_HASHED_LAYOUT_H
#define LW_SIM_TABLES_HASHED_LAYOUT_H

#include "sim/tables/page_table.h"

#include <stdint.h>

enum {
    LW_BLOCK_SHIFT = 9, /* the GPU's memory is counted in blocks of 2 MiB */
    LW_BLOCK_PAGES = 512,
    LW_GROUP_REGIONS = 16, /* of one step entry */
    LW_TAG_PASIDS = 2048,  /* eleven bits of a tag */
    LW_NUMBER_BITS = 36    /* of a region (R20.32) */
};

#define LW_HASH_BITS 27

/* Bits of a PTE beside those of page_table.h. */
#define LW_PTE_REMOTE (UINT64_C(1) << 11) /* the page is not in the GPU's memory */
#define LW_PTE_TAG_SHIFT 57               /* six bits of the entry's tag */
#define LW_PTE_TAG (UINT64_C(63) << LW_PTE_TAG_SHIFT)

/* Of a step entry: four bits of its second word for each region, PRESENT above the step; and where
 * in its first word AC of the first region is (R20.8, R20.27). */
#define LW_STEP_BITS 4
#define LW_STEP_PRESENT UINT64_C(8)
#define LW_STEP_AC_SHIFT 43

/* The tag of a region's entry (R20.2); never 0. */
static inline uint64_t lw_region_tag(uint32_t pasid, uint64_t region) {
    return UINT64_C(1) << 47 | (uint64_t)pasid << LW_NUMBER_BITS | region;
}

static inline uint32_t lw_tag_pasid(uint64_t tag) {
    return (uint32_t)(tag >> LW_NUMBER_BITS & 0x7ff);
}

static inline uint64_t lw_tag_region(uint64_t tag) {
    return tag & ((UINT64_C(1) << LW_NUMBER_BITS) - 1);
}

/* The part of the tag that the PTE of this index carries, at its place in the PTE. */
static inline uint64_t lw_tag_slice(uint64_t tag, uint32_t index) {
    return (tag >> (index % 8 * 6) & 63) << LW_PTE_TAG_SHIFT;
}

/* The hash of a region or group number, `log` bits (R20.6). */
static inline uint32_t lw_hash(uint32_t multiplier, uint32_t pasid, uint64_t number, uint32_t log) {
    const uint64_t mask = (UINT64_C(1) << LW_HASH_BITS) - 1;
    const uint64_t key = number ^ number >> LW_HASH_BITS << 9 ^ (uint64_t)pasid << 18;
    return (uint32_t)(((key & mask) * multiplier & mask) >> (LW_HASH_BITS - log));
}

#endif
