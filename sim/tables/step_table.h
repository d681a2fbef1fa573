/* The step table of a hashed page table (FS-HPT section 3.5, R20.8): for each group of 16 regions
 * that has one in the table, which of them are there and by how many steps from their home. The
 * driver keeps a copy of it; what changes goes to memory through a queue of words. */
#ifndef LW_SIM_TABLES_STEP_TABLE_H
#define LW_SIM_TABLES_STEP_TABLE_H

#include "common/error.h"
#include "sim/tables/word_queue.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct lw_step_table lw_step_table;

/* Entries in a bucket, without or with contiguity bits (R20.8, R20.27). */
static inline uint32_t lw_step_table_ways(bool contiguity) {
    return contiguity ? 2 : 4;
}

typedef struct lw_step_table_config {
    uint64_t frame;      /* the first, a multiple of the table's size; all zeros */
    uint32_t log;        /* of the buckets, a line each: 6..24 */
    uint32_t multiplier; /* of the hash (R20.6) */
    bool contiguity;     /* whether entries have contiguity bits */
} lw_step_table_config;

/* An empty table. `queue` must outlive it. NULL and a sentence without memory. */
lw_step_table *lw_step_table_new(lw_word_queue *queue, const lw_step_table_config *config,
                                 lw_error *err);
void lw_step_table_free(lw_step_table *t);

/* Regions are numbered as R20.32 says. Whether this region could be set: its group has an entry, or
 * its bucket room for one. */
bool lw_step_table_has_room(const lw_step_table *t, uint32_t pasid, uint64_t region);
/* The region is `step` (0..7) from its home; only where there is room. False and a sentence without
 * memory. */
bool lw_step_table_set(lw_step_table *t, uint32_t pasid, uint64_t region, uint32_t step,
                       lw_error *err);
/* The contiguity bits {AC, C7..C0} of a region that is in the table, where entries have them. */
bool lw_step_table_set_contiguity(lw_step_table *t, uint32_t pasid, uint64_t region,
                                  uint32_t contig, lw_error *err);
/* It is in the table no more, and then has no contiguity bits; a group without regions gives its
 * entry back. */
bool lw_step_table_clear(lw_step_table *t, uint32_t pasid, uint64_t region, lw_error *err);

/* The byte address of the entry of the region's group; false where that has none. */
bool lw_step_table_entry(const lw_step_table *t, uint32_t pasid, uint64_t region, uint64_t *pa);

uint64_t lw_step_table_groups(const lw_step_table *t); /* entries in use */

#endif
