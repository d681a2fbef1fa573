/* The victim buffer of a hashed page table (FS-HPT section 3.7, R20.10): for each PASID a radix
 * tree as page_table.h has it, whose level-1 nodes hold regions that are not in the hashed table.
 * The driver keeps a copy of the trees; what changes goes to memory through a queue of words. Nodes
 * are kept until lw_victim_buffer_free. */
#ifndef LW_SIM_TABLES_VICTIM_BUFFER_H
#define LW_SIM_TABLES_VICTIM_BUFFER_H

#include "common/error.h"
#include "sim/frames/frame_allocator.h"
#include "sim/tables/word_queue.h"

#include <stdbool.h>
#include <stdint.h>

/* A region's place in the buffer. */
typedef struct lw_victim_leaf {
    uint64_t pa; /* of its first PTE, in a level-1 node */
    bool live;   /* the region is here, and not in the hashed table */
    bool stale;  /* it has gone to the table, and a copy is left here (R20.23) */
    uint16_t pages, local;
    uint32_t accesses; /* these two as those of lw_hpt_slot */
    uint64_t accessed;
} lw_victim_leaf;

typedef struct lw_victim_buffer lw_victim_buffer;

/* No PASID has a tree; levels 4 or 5, regions of slot_pages pages (8 or 512). All three must
 * outlive it. NULL and a sentence without memory. */
lw_victim_buffer *lw_victim_buffer_new(lw_word_queue *queue, lw_phys_mem *mem,
                                       lw_frame_allocator *frames, uint32_t levels,
                                       uint32_t slot_pages, lw_error *err);
void lw_victim_buffer_free(lw_victim_buffer *v);

/* Gives the PASID an empty tree; false and a sentence without memory or a free frame. */
bool lw_victim_buffer_add(lw_victim_buffer *v, uint32_t pasid, lw_error *err);
/* The frame of its root; false where it has none. */
bool lw_victim_buffer_root(const lw_victim_buffer *v, uint32_t pasid, uint64_t *frame);

/* The leaf of a region, by its number (R20.32); NULL where the tree has no such node. */
lw_victim_leaf *lw_victim_buffer_find(const lw_victim_buffer *v, uint32_t pasid, uint64_t region);
/* The same, with the nodes that lead there made where they are missing. NULL and a sentence without
 * memory or a free frame. */
lw_victim_leaf *lw_victim_buffer_make(lw_victim_buffer *v, uint32_t pasid, uint64_t region,
                                      lw_error *err);

/* The region has gone to the hashed table: its words stay until lw_victim_buffer_settle. */
void lw_victim_buffer_leave(lw_victim_leaf *leaf);
/* Empties a leaf, whatever it holds. */
bool lw_victim_buffer_empty(lw_victim_buffer *v, lw_victim_leaf *leaf, lw_error *err);
/* Empties the leaves that hold copies only. */
bool lw_victim_buffer_settle(lw_victim_buffer *v, lw_error *err);

uint64_t lw_victim_buffer_nodes(const lw_victim_buffer *v);   /* frames in use, the roots too */
uint64_t lw_victim_buffer_regions(const lw_victim_buffer *v); /* leaves that are live */

#endif
