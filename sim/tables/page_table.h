/* x86-64 page tables of one address space, as the OS builds them in physical memory.
 *
 * Levels are numbered from the leaf: L1 (4 KiB pages) .. L4 or L5 (root). The index of level k is
 * VPN[9k-1 : 9(k-1)], nine bits; a node is one frame of 512 entries of 8 bytes. A VPN has 9 x
 * levels bits; that the bits above copy the top one (canonical form) is the caller's business.
 * Nodes come from the frame allocator, are linked present, writable, user, executable, and are kept
 * until lw_page_table_free; who moves one (lw_page_table_replace_node) gives its old frame back
 * after the invalidation, so a walk under way never reads a frame that has become something else.
 *
 * Every write goes through lw_phys_mem_write64, hence past the memory's watcher. Each function that
 * changes the table writes either nothing or all it says. */
#ifndef LW_SIM_TABLES_PAGE_TABLE_H
#define LW_SIM_TABLES_PAGE_TABLE_H

#include "common/error.h"
#include "sim/frames/frame_allocator.h"
#include "sim/memory/phys_mem.h"

#include <stdbool.h>
#include <stdint.h>

/* Bits of an entry. */
#define LW_PTE_P (UINT64_C(1) << 0)               /* present */
#define LW_PTE_RW (UINT64_C(1) << 1)              /* writable */
#define LW_PTE_US (UINT64_C(1) << 2)              /* user */
#define LW_PTE_PS (UINT64_C(1) << 7)              /* a page at level 2 (2 MiB) or 3 (1 GiB) */
#define LW_PTE_NX (UINT64_C(1) << 63)             /* not executable */
#define LW_PTE_FRAME UINT64_C(0x000ffffffffff000) /* bits 51:12 */
/* MESC's contiguity bits of an entry of level 2 that is a node (sim/tables/contiguity_bits.h). */
#define LW_PTE_C_SHIFT 52 /* bits 52..59: subregion i is contiguous */
#define LW_PTE_C (UINT64_C(0xff) << LW_PTE_C_SHIFT)
#define LW_PTE_AC (UINT64_C(1) << 60) /* the whole 2 MiB are contiguous */

/* Of an entry of level 1 that says how large its page is (R1.17, R20.4): 0 is 4 KiB, 1 is 64 KiB, 2
 * is 2 MiB. */
#define LW_PTE_SIZE_SHIFT 9
#define LW_PTE_SIZE (UINT64_C(3) << LW_PTE_SIZE_SHIFT)
#define LW_PTE_64K (UINT64_C(1) << LW_PTE_SIZE_SHIFT)
#define LW_ENTRIES_OF_64K 16 /* of 4 KiB, each with an entry of its own */

/* Hashed tables (hashed_table.h) have none of 1 GiB. */
typedef enum lw_page_size {
    LW_SIZE_4K = 0,
    LW_SIZE_2M = 1,
    LW_SIZE_1G = 2,
    LW_SIZE_64K = 3
} lw_page_size;

/* Permissions of a mapping, and, for hashed tables only, that the page is not in the GPU's memory.
 */
enum { LW_MAP_W = 1, LW_MAP_U = 2, LW_MAP_X = 4, LW_MAP_REMOTE = 8 };

typedef struct lw_page_table lw_page_table;

/* A table with an empty root; levels 4 or 5. `mem` and `frames` must outlive it. NULL and a
 * sentence where levels is another number or no frame is free. */
lw_page_table *lw_page_table_new(lw_phys_mem *mem, lw_frame_allocator *frames, uint32_t levels,
                                 lw_error *err);

/* Lays the level-1 nodes out with the heads of a frame's eight subregions in their first line
 * (R1.13 in docs/architecture/01-addresses-and-ports.md). Before the first page is mapped. */
void lw_page_table_put_heads_first(lw_page_table *pt);

/* Gives the node frames back (not the frames mapped). The unit must have forgotten the table. */
void lw_page_table_free(lw_page_table *pt);

uint64_t lw_page_table_root(const lw_page_table *pt); /* frame of the root node */
uint32_t lw_page_table_levels(const lw_page_table *pt);
uint64_t lw_page_table_nodes(const lw_page_table *pt); /* node frames in use, the root too */

/* Maps the page of `size` at vpn to the frames from pfn on, with LW_MAP_* flags. Fails where vpn or
 * pfn is too large or not a multiple of the page's frames (1, 512, 262144, 16), where something is
 * mapped there already (a node with tables below it too), and where no frame is left for a node.
 * One of 64 KiB is sixteen entries, for a unit that looks at their size (R1.17). */
bool lw_page_table_map(lw_page_table *pt, uint64_t vpn, uint64_t pfn, lw_page_size size,
                       uint32_t flags, lw_error *err);

/* Makes the node below `other`'s entry of `level` (2..levels) for vpn this table's too, by an entry
 * like the other's with the bits of `without` cleared: what changes there changes for both. The
 * node stays the other's. False and a sentence where the other has no such node, or this one has
 * something there. */
bool lw_page_table_share(lw_page_table *pt, const lw_page_table *other, uint64_t vpn,
                         uint32_t level, uint64_t without, lw_error *err);
/* Whether the frame is a node of this table's own. */
bool lw_page_table_has_node(const lw_page_table *pt, uint64_t frame);
/* A node has moved to another frame: whether it is this table's, which now keeps the new one. */
bool lw_page_table_replace_node(lw_page_table *pt, uint64_t old, uint64_t frame);

/* These act on the page that holds vpn, of whatever size, with all its entries; they fail where
 * none is mapped. */
bool lw_page_table_unmap(lw_page_table *pt, uint64_t vpn, lw_error *err);
bool lw_page_table_protect(lw_page_table *pt, uint64_t vpn, uint32_t flags, lw_error *err);
bool lw_page_table_remap(lw_page_table *pt, uint64_t vpn, uint64_t pfn, lw_error *err);

/* The page that holds vpn: its level (1..3) and its entry's address and value. */
typedef struct lw_page_table_leaf {
    uint32_t level;
    uint64_t pa, entry;
} lw_page_table_leaf;
bool lw_page_table_find(const lw_page_table *pt, uint64_t vpn, lw_page_table_leaf *leaf,
                        lw_error *err);
/* How many pages of 4 KiB it has: 1, 16, 512, 262144. */
uint64_t lw_page_table_leaf_pages(const lw_page_table_leaf *leaf);

/* The byte address of the entry that a walk for vpn reads at `level` (1..levels), for those who
 * plant entries of their own with lw_phys_mem_write64. Fails where the walk ends above it. */
bool lw_page_table_entry_address(const lw_page_table *pt, uint64_t vpn, uint32_t level,
                                 uint64_t *pa, lw_error *err);

#endif
