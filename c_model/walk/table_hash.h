/* The hash unit (chapter 21): where in its table the slot of a region lies, or in the step table
 * the bucket of its group (R20.1, R20.6 to R20.8, R20.31). Three stages: what is hashed is chosen,
 * multiplied, and summed up; each has its registers, which stay where it holds no lookup.
 *
 * Order within a cycle, since each stage takes what the one before it held: lw_table_hash_place,
 * lw_table_hash_add, lw_table_hash_multiply, lw_table_hash_choose. */
#ifndef LW_C_MODEL_WALK_TABLE_HASH_H
#define LW_C_MODEL_WALK_TABLE_HASH_H

#include "c_model/base/signals.h"

/* WHERE: in what a walker reads next (chapter 21). Slot walkers have HOME, CACHED or KNOWN. */
enum {
    LW_WHERE_RADIX,
    LW_WHERE_VICTIM,
    LW_WHERE_LOOKUP,
    LW_WHERE_HOME,
    LW_WHERE_CACHED,
    LW_WHERE_STEPS,
    LW_WHERE_KNOWN
};

enum { LW_HASH_BITS = 27, LW_BUCKET_LINE_BITS = 6 };

typedef struct lw_hash_chosen {
    uint64_t frame;
    uint32_t number;
    uint16_t contig; /* travels with the place of a cached region (R21.4) */
    uint8_t where, step, log;
} lw_hash_chosen;

typedef struct lw_hash_product {
    uint64_t frame;
    uint32_t low, high, offset;
    uint16_t contig;
    uint8_t where, log;
} lw_hash_product;

typedef struct lw_hash_sum {
    uint64_t frame;
    uint32_t place;
    uint16_t contig;
    uint8_t where, log;
} lw_hash_sum;

typedef struct lw_table_hash {
    const lw_config *cfg;
    const lw_watch *watch;
    lw_hash_chosen chosen;
    lw_hash_product product;
    lw_hash_sum sum;
} lw_table_hash;

/* What the hash says of a lookup: WHERE, NODE and BUCKET of its walker (R21.6). */
typedef struct lw_hash_place {
    uint64_t node;
    uint8_t where, bucket;
} lw_hash_place;

/* R20.6: K of a number and a PASID, in 27 bits. */
uint32_t lw_hash_number(uint64_t n, uint32_t pasid);

/* R21.4: the slot of this key's region at a step, or with WHERE STEPS the bucket of its group.
 * CHOSEN_CONTIG, on which nothing here depends, is zero then; the cache's is the caller's to set.
 */
void lw_table_hash_choose(lw_table_hash *h, const lw_roots *roots, uint64_t key, uint32_t where,
                          uint32_t step);
/* R21.5 */
void lw_table_hash_multiply(lw_table_hash *h, uint32_t stride);
void lw_table_hash_add(lw_table_hash *h);
/* R21.6 */
lw_hash_place lw_table_hash_place(const lw_table_hash *h);

#endif
