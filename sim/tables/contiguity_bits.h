/* The OS side of MESC: which pages of a 2 MiB frame are mapped contiguously (its Algorithm 1), kept
 * in the frame's level-2 entry as the bits AC and C0..C7.
 *
 * A frame is 512 pages of virtual addresses, its eight subregions 64 each. A subregion is
 * contiguous if its pages are mapped, in order, to consecutive frames with equal permissions; it
 * joins the one before it if that one is contiguous too and the last page of one and the first of
 * the other are such neighbours. AC says that all eight are contiguous and join. Unlike the paper's
 * algorithm this one also clears bits.
 *
 * A walker that has read an entry with bits set goes on to the *head* that they name. So a head
 * that is in use must not change before the bits are gone and an invalidation has ended the walks
 * that know them: lw_contiguity_rests_on tells when (our decision; the paper does not say). */
#ifndef LW_SIM_TABLES_CONTIGUITY_BITS_H
#define LW_SIM_TABLES_CONTIGUITY_BITS_H

#include "sim/tables/page_table.h"

#define LW_FRAME_PAGES 512u
#define LW_SUBREGION_PAGES 64u

typedef struct lw_node_contiguity {
    uint8_t subregions; /* bit i: subregion i is contiguous */
    uint8_t joined;     /* bit i (0..6): i and i+1 are contiguous and join */
} lw_node_contiguity;

/* What these entries of a frame, in the order of its pages, say of it; of an entry only its frame
 * and its permissions are looked at. */
lw_node_contiguity lw_contiguity_of(const uint64_t entries[LW_FRAME_PAGES]);
/* The bits {AC, C7..C0} that say so (R1.10). */
uint32_t lw_contiguity_bits(lw_node_contiguity found);

/* What the mappings of the frame that holds vpn are; nothing where it has no level-1 entries (not
 * mapped, or a large page). */
lw_node_contiguity lw_contiguity_find(const lw_page_table *pt, const lw_phys_mem *mem,
                                      uint64_t vpn);

/* Writes what lw_contiguity_find says into the frame's level-2 entry; true also where there is no
 * such entry. */
bool lw_contiguity_update(lw_page_table *pt, lw_phys_mem *mem, uint64_t vpn, lw_error *err);

/* The same for every frame that meets vpn_first..vpn_last. */
bool lw_contiguity_scan(lw_page_table *pt, lw_phys_mem *mem, uint64_t vpn_first, uint64_t vpn_last,
                        lw_error *err);

/* Whether pages other than vpn itself may be found through vpn's level-1 entry, by the bits as they
 * are now or were before AC was set. */
bool lw_contiguity_rests_on(const lw_page_table *pt, const lw_phys_mem *mem, uint64_t vpn);

/* Clears the bits that name vpn's level-1 entry. */
bool lw_contiguity_forget(lw_page_table *pt, lw_phys_mem *mem, uint64_t vpn, lw_error *err);

#endif
