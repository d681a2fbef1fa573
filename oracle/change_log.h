/* What page-table entries and roots were before changes that are not yet invalidated.
 *
 * A change belongs to the range remembered last among those that no running invalidation covers;
 * it is dropped when an invalidation that covers the range is done. */
#ifndef LW_ORACLE_CHANGE_LOG_H
#define LW_ORACLE_CHANGE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lw_change_log lw_change_log;

typedef struct lw_old_root {
    bool valid;
    uint64_t frame;
} lw_old_root;

/* NULL: no memory; so does false from the functions that add. */
lw_change_log *lw_change_log_new(void);
void lw_change_log_free(lw_change_log *l);

bool lw_change_log_empty(const lw_change_log *l); /* no old value is kept */

bool lw_change_log_remember(lw_change_log *l, uint32_t pasid, uint64_t first, uint64_t last);

/* Keep an old value; where no range is remembered (or only covered ones) nothing is kept. */
bool lw_change_log_entry(lw_change_log *l, uint64_t pa, uint64_t old_value);
bool lw_change_log_root(lw_change_log *l, uint32_t pasid, lw_old_root old);

/* The n-th old value (n = 0, 1, ..), false past the last. */
bool lw_change_log_old_entry(const lw_change_log *l, uint64_t pa, size_t n, uint64_t *value);
bool lw_change_log_old_root(const lw_change_log *l, uint32_t pasid, size_t n, lw_old_root *root);

/* Marks the ranges wholly inside this one (pasid UINT32_MAX: of every PASID). */
void lw_change_log_cover(lw_change_log *l, uint32_t pasid, uint64_t first, uint64_t last);
void lw_change_log_drop_covered(lw_change_log *l);

#endif
