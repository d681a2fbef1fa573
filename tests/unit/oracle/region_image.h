/* An image of a hashed page table with slots of a region, made by hand, for the tests of the
 * oracle's walk. The numbers are worked out from the document (R20.1 to R20.11), not by any code.
 */
#ifndef LW_TESTS_UNIT_ORACLE_REGION_IMAGE_H
#define LW_TESTS_UNIT_ORACLE_REGION_IMAGE_H

#include "tests/unit/oracle/table_image.h"

/* The last of the victim buffer's nodes. */
#define LEAF UINT64_C(20)

/* PASID 5, region 0x3f80007: of eight slots its home is 2, of 64 buckets its group's is 10; it is
 * region 7 of its group. */
#define PAGE UINT64_C(0x7f0000f23)
#define PASID UINT64_C(5)
#define HOME UINT64_C(2)
#define BUCKET UINT64_C(10)
#define PLACE UINT64_C(7)
#define INDEX UINT64_C(0x123)
#define LINE (INDEX / 8 * 8)
static const uint64_t slices[] = {0x07, 0x00, 0x00, 0x3e, 0x03, 0x00, 0x05, 0x20};
#define GROUP_WORD UINT64_C(0x80000005003f8000)

#define P 1
#define RW 2
#define US 4
#define NX (UINT64_C(1) << 63)
#define PFN UINT64_C(0xabcde)
#define SIZE(s) ((uint64_t)(s) << 9)
#define STEP(s) ((UINT64_C(8) | (s)) << (4 * PLACE))

static inline uint64_t *step_word(image *m, uint32_t way, uint32_t word) {
    return &m->words[STEPS][BUCKET * 8 + UINT64_C(2) * way + word];
}

/* The line of PAGE in a slot gets the tag; its PTE. */
static inline uint64_t *tag_line(image *m, uint32_t slot) {
    uint64_t *line = &m->words[TABLE + slot][LINE];
    for (uint32_t j = 0; j < 8; j++) {
        line[j] = (line[j] & ~(UINT64_C(63) << 57)) | slices[j] << 57;
    }
    return &line[INDEX % 8];
}

/* PAGE lies at this step, in way 2 of its bucket, and is PFN. */
static inline uint64_t *place(image *m, uint32_t step, uint32_t stride) {
    clear(m);
    *step_word(m, 2, 0) = GROUP_WORD;
    *step_word(m, 2, 1) = STEP(step);
    uint64_t *pte = tag_line(m, (HOME + (uint64_t)step * stride) % 8);
    *pte |= PFN << 12 | P | RW | US;
    return pte;
}

/* And a page of the victim buffer. */
static inline void add_victim(image *m, uint64_t pte) {
    static const uint32_t index[] = {PAGE >> 27 & 511, PAGE >> 18 & 511, PAGE >> 9 & 511};
    for (uint32_t i = 0; i < 3; i++) {
        m->words[ROOT + i][index[i]] = (uint64_t)(ROOT + i + 1) << 12 | P | RW | US;
    }
    m->words[LEAF][INDEX] = pte;
}

static inline lw_hashed_walk_query query(uint32_t access) {
    return (lw_hashed_walk_query){.page = {.levels = 4,
                                           .pa_width = 40,
                                           .has_root = true,
                                           .root = ROOT,
                                           .page_number = PAGE,
                                           .access = access},
                                  .has_victim_buffer = true,
                                  .pasid = PASID,
                                  .table_frame = TABLE,
                                  .step_frame = STEPS,
                                  .slot_pages = 512,
                                  .table_log = 3,
                                  .step_log = 6,
                                  .stride = 1,
                                  .multiplier = 0x4f1bbcd};
}

static inline lw_hashed_walk_answer walk(image *m) {
    const lw_hashed_walk_query q = query(0);
    return ask(m, &q);
}

#endif
