/* The verdict on one PTE (R1.6 to R1.8): what a walker or a waiting entry learns from its place in
 * a line. A pure function; PTE bits as R1.3 has them. */
#ifndef LW_LINE_DECODER_H
#define LW_LINE_DECODER_H

#include "unit.h"

typedef struct lw_verdict {
    uint64_t frame; /* the PFN of the 4 KiB page of a leaf, the NODE below of a node; else 0 */
    uint8_t kind;   /* LW_OK for leaf and node, or a fault */
    bool node;
    uint8_t size;     /* R1.7, of a leaf */
    uint8_t perm;     /* R1.8, PERM after this PTE; 0 with a fault (R7.5, R9.5) */
    uint8_t own_perm; /* {not NX, RW} of this PTE alone (R6.5) */
    uint16_t contig;  /* R1.10, of a node of level 2, whether subregions are enabled or not */
} lw_verdict;

lw_verdict lw_judge(const lw_config *cfg, uint64_t pte, uint32_t level, uint64_t vpn,
                    uint32_t access, uint32_t perm);

#endif
