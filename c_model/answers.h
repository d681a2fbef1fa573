/* Answers on their way into the walk queue (R10.1, R10.2), and what they fill. */
#ifndef LW_ANSWERS_H
#define LW_ANSWERS_H

#include "iommu_parts.h"

typedef struct lw_answer {
    lw_response response;
    uint64_t key, base; /* base: NODE or PA, without what its REACH adds */
    lw_reach reach;
    uint16_t src;
    uint8_t access;
    bool stale;
} lw_answer;

/* The answer of a walker in RESP or of a buffer entry, which it leaves. */
lw_answer lw_answer_of_walker(lw_iommu *u, uint32_t walker, bool epoch);
lw_answer lw_answer_of_entry(lw_iommu *u, uint32_t slot, bool epoch);

/* R12.3: the fault that the answer is, of kind LW_OK if it is none. */
lw_fault lw_answer_fault(const lw_iommu *u, const lw_answer *a);
/* R3.6, R3.8, R3.14: false if the answer fills nothing. */
bool lw_answer_fills(const lw_iommu *u, const lw_answer *a, lw_mapping *mapping);

#endif
