/* One PTE: what it says whoever asks (R4.7), and the verdict on it (R1.6 to R1.8), which a walker
 * or a waiting entry learns from its place in a line. Pure functions; PTE bits as R1.3 has them. */
#ifndef LW_C_MODEL_BASE_PTE_H
#define LW_C_MODEL_BASE_PTE_H

#include "c_model/base/address.h"
#include "c_model/base/ports.h"
#include "c_model/base/watch.h"

#include <string.h>

typedef struct lw_verdict {
    uint64_t frame;   /* the PFN of the 4 KiB page of a leaf, the NODE below of a node; else 0 */
    uint8_t kind;     /* LW_OK for leaf and node, or a fault */
    bool node, leaf;  /* neither with a fault */
    uint8_t size;     /* R1.7, R20.5, of a leaf */
    uint8_t perm;     /* R1.8, PERM after this PTE; 0 with a fault (R7.5) */
    uint8_t own_perm; /* {not NX, RW} of this PTE alone (R6.5) */
    uint16_t contig;  /* R1.10, of a node of level 2: the bits that were read */
} lw_verdict;

/* A PTE read at some level, as SEARCH_LINE and UPDATE_LINE hold it (R4.7). */
typedef struct lw_pte {
    uint64_t frame;  /* its bits PA_WIDTH-1:12 */
    uint16_t contig; /* R1.10, of one with PS=0, whatever its verdict */
    uint8_t kind;    /* R1.6 as far as MISALIGNED, else LW_OK */
    uint8_t perm;    /* {not NX, RW} */
    uint8_t size;    /* R21.11: SIZE of the page of a sized PTE, else 0 */
    bool user, leaf; /* US; level 1 or PS=1 */
} lw_pte;

/* `contig_mask`: the bits of CONTIG that are read (R1.10). */
lw_pte lw_decode(const lw_config *cfg, uint64_t pte, uint32_t level, uint32_t contig_mask);
/* R20.5: one of a slot, or of level 1 of a victim buffer or of a radix table with PAGES_64K=1, that
 * this VPN asks for and that answers so far. */
lw_pte lw_decode_sized(const lw_config *cfg, uint64_t pte, uint64_t vpn, lw_reach reach);

/* How a line was read: the level of its PTEs, and by whom. */
typedef struct lw_reading {
    uint32_t level;
    bool hashed;    /* by a walk in a hashed table, where no PTE has contiguity bits (R1.10) */
    bool sized;     /* its PTEs say how large their pages are (R21.11) */
    lw_reach reach; /* what the access answers with its PTE, which limits those sizes (R20.5) */
} lw_reading;

/* R4.18: all that a line says, of whose pages `vpn` is one. */
void lw_decode_whole(const lw_config *cfg, const uint64_t line[8], const lw_reading *as,
                     uint64_t vpn, uint32_t contig_mask, lw_pte out[8]);
/* R1.6: the fault that an access meets at this PTE, LW_OK at a leaf or node. */
uint8_t lw_kind_for(const lw_pte *pte, uint32_t access);
/* The verdict on a PTE that was decoded at this level. */
lw_verdict lw_judge_decoded(const lw_pte *pte, uint32_t level, uint64_t vpn, uint32_t access,
                            uint32_t perm);
lw_verdict lw_judge(const lw_config *cfg, uint64_t pte, uint32_t level, uint64_t vpn,
                    uint32_t access, uint32_t perm);

/* R1.14: the links of the two groups of a line, in bits 2:0 and 5:3, of an access that reaches so
 * far; once for all that learn from it. */
uint8_t lw_line_links(const lw_config *cfg, const uint64_t pte[8], uint32_t level, lw_reach reach);

/* LINKS of one of its pages that gets a leaf: VPN[2] chooses the group. */
static inline uint8_t lw_links_of(uint32_t links, uint64_t key) {
    return links >> ((key & LW_RUN_PLACES) != 0 ? LW_LINKS_BITS : 0) & LW_LINKS_ALL;
}

#endif
