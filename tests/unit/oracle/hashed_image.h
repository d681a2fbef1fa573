/* An image of a hashed page table for the oracle's tests, made by hand: entries of the step table
 * of 32 bytes, and numbers whose hash is plain. */
#ifndef LW_TESTS_UNIT_ORACLE_HASHED_IMAGE_H
#define LW_TESTS_UNIT_ORACLE_HASHED_IMAGE_H

#include "tests/unit/oracle/table_image.h"

#define ALL 7 /* P, RW, US */
#define PFN UINT64_C(0xabc00)
#define SLICES (UINT64_C(63) << 57)
/* With MULTIPLIER 1 and PASID 1, K of a number below 2^18 is that number and 2^18: of up to 2^8
 * slots or buckets its home is the first. */
#define PASID UINT64_C(1)

static inline lw_hashed_walk_query query(uint64_t page) {
    return (lw_hashed_walk_query){.page = {.levels = 4,
                                           .pa_width = 40,
                                           .has_root = true,
                                           .root = ROOT,
                                           .page_number = page,
                                           .subregions = true,
                                           .head_first = true}, /* not known here */
                                  .contiguity = true,
                                  .has_victim_buffer = true,
                                  .pasid = PASID,
                                  .table_frame = TABLE,
                                  .step_frame = STEPS,
                                  .slot_pages = 512,
                                  .table_log = 3,
                                  .step_log = 6,
                                  .stride = 1,
                                  .multiplier = 1};
}

static inline lw_oracle_answer fault(uint32_t kind, uint32_t level) {
    return (lw_oracle_answer){.kind = kind, .level = level};
}

static inline lw_oracle_answer page(uint64_t pfn) {
    return (lw_oracle_answer){.kind = LW_ORACLE_OK, .pfn = pfn, .w = true, .x = true};
}

static inline void assert_page(lw_hashed_walk_answer a, uint64_t pfn, uint32_t reads) {
    assert_true(a.answer.kind == LW_ORACLE_OK && a.answer.size == 0);
    assert_int_equal(a.answer.pfn, pfn);
    assert_int_equal(a.accesses, reads);
}

static inline void assert_fault(lw_hashed_walk_answer a, uint32_t kind, uint32_t level,
                                uint32_t reads) {
    assert_true(a.answer.kind == kind && a.answer.level == level);
    assert_int_equal(a.accesses, reads);
}

/* The line of a word gets the tag of the region; the word becomes this PTE. */
static inline void put(image *m, uint64_t frame, uint64_t word, uint64_t region, uint64_t pte) {
    const uint64_t tag = UINT64_C(1) << 47 | PASID << 36 | region;
    uint64_t *line = &m->words[frame][word & ~UINT64_C(7)];
    for (uint32_t j = 0; j < 8; j++) {
        line[j] = (line[j] & ~SLICES) | (tag >> 6 * j & 63) << 57;
    }
    m->words[frame][word] = (m->words[frame][word] & SLICES) | pte;
}

/* An entry of 32 bytes of the bucket. */
static inline uint64_t *entry(image *m, uint64_t bucket, uint32_t way) {
    return &m->words[STEPS][8 * bucket + UINT64_C(4) * way];
}

static inline uint64_t group_word(uint64_t group) {
    return UINT64_C(1) << 63 | PASID << 32 | group;
}

#endif
