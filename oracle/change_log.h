/* What page-table entries and roots were, and until when.
 *
 * A time is the oracle's own (oracle.c): a number that grows with each thing it is told. An old
 * value of an entry that held it twice is kept once, with the later end. */
#ifndef LW_ORACLE_CHANGE_LOG_H
#define LW_ORACLE_CHANGE_LOG_H

#include "oracle/flat_walk.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lw_change_log lw_change_log;

typedef struct lw_root {
    bool valid;
    uint64_t frame;
} lw_root;

/* NULL: no memory; so does false from the functions that add. */
lw_change_log *lw_change_log_new(void);
void lw_change_log_free(lw_change_log *l);

/* The entry, or the root, held this until now. */
bool lw_change_log_entry(lw_change_log *l, uint64_t pa, uint64_t old_value, uint64_t now);
bool lw_change_log_root(lw_change_log *l, uint32_t pasid, lw_root old, uint64_t now);

/* The n-th old value (n = 0, 1, ..) and its end; false past the last. */
bool lw_change_log_old_entry(const lw_change_log *l, uint64_t pa, size_t n, lw_flat_old *old);
bool lw_change_log_old_root(const lw_change_log *l, uint32_t pasid, size_t n, lw_root *root,
                            uint64_t *until);

/* The end of the youngest old value; 0: none is kept. */
uint64_t lw_change_log_newest(const lw_change_log *l);

/* Nobody can know any more what had ended before `time`. */
void lw_change_log_forget(lw_change_log *l, uint64_t time);
/* The same for those values of one entry that have a bit of `mask` which `present` has not. */
void lw_change_log_forget_bits(lw_change_log *l, uint64_t pa, uint64_t mask, uint64_t present,
                               uint64_t time);

#endif
