/* What an entry of the unit's tables says of a page: that a walk comes to a node, or to a leaf. It
 * holds if some values explain it that root and PTEs had within its window. */
#ifndef LW_TESTS_CONTRACT_FACT_H
#define LW_TESTS_CONTRACT_FACT_H

#include "tests/contract/walk.h"

enum {
    LW_REACH_LINE_BIT = 1 << LW_LINE,
    LW_REACH_SUBREGION_BIT = 1 << LW_SUBREGION,
    LW_REACH_FRAME_BIT = 1 << LW_FRAME,
    LW_REACH_ANY = 7,
};

typedef struct lw_fact {
    uint32_t pasid;
    uint64_t vpn, from; /* the window's first cycle */
    uint32_t level;     /* of the PTE at which it ends; of a leaf in a hashed table SIZE + 1 */
    bool leaf;          /* else a node */
    bool page;          /* `frame` is the page's PFN, else the PTE's frame bits */
    bool loose; /* of a node: PERM is anything, of CONTIG at least these bits C, and no AC */
    uint64_t frame;
    uint32_t perm;
    uint32_t contig;  /* of a node */
    uint32_t reaches; /* of a leaf: of which kinds, a bit each */
} lw_fact;

/* R1.10, in a radix table */
uint32_t lw_fact_contig(const lw_world *w, uint32_t level, const lw_verdict *v);

bool lw_fact_holds(const lw_world *w, const lw_fact *f);

/* What would have been legal. */
void lw_fact_print(const lw_world *w, const lw_fact *f);
/* The values of a word in a window. */
void lw_fact_print_word(const lw_world *w, uint64_t pfn, uint32_t index, uint64_t from);

#endif
