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

/* A line as it is scanned (R9.2). */
typedef struct lw_line {
    const uint64_t *pte;
    uint16_t contig_mask; /* the bits of CONTIG that are read (R1.10) */
    uint8_t links;        /* of the line's two groups: LINKS in 2:0 and in 6:4 */
} lw_line;

lw_verdict lw_judge(const lw_config *cfg, uint64_t pte, uint32_t level, uint64_t vpn,
                    uint32_t access, uint32_t perm);

/* R1.14: the links of a line of an access that reaches so far; once for all that learn from it. */
uint8_t lw_line_links(const lw_config *cfg, const uint64_t pte[8], uint32_t level, lw_reach reach);

/* LINKS of one of its pages that gets a leaf: VPN[2] chooses the group. */
static inline uint8_t lw_links_of(const lw_line *line, uint64_t key) {
    return line->links >> (key & LW_RUN_PLACES) & LW_LINKS_ALL;
}

#endif
