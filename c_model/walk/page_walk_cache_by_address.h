/* The page walk cache by address (chapter 6; Power): one set-associative table with true LRU of the
 * upper-level PTEs, found by their byte address. Entry set x PWC_WAYS + way. That the RTL's arrays
 * are told their set ahead (R6.7, R14.4) changes nothing that can be seen. */
#ifndef LW_C_MODEL_WALK_PAGE_WALK_CACHE_BY_ADDRESS_H
#define LW_C_MODEL_WALK_PAGE_WALK_CACHE_BY_ADDRESS_H

#include "c_model/walk/page_walk_cache_by_level.h"

enum { LW_PWC_ADDRESS_MAX = 1024 };

typedef struct lw_pwc_by_address {
    const lw_config *cfg;
    const lw_watch *watch;
    uint32_t sets, set_bits;
    uint64_t key[LW_PWC_ADDRESS_MAX];     /* {VALID, A[PA_WIDTH-1:3]} */
    uint64_t payload[LW_PWC_ADDRESS_MAX]; /* {CONTIG, PERM, NODE} of that PTE alone */
    uint64_t ranks[LW_PWC_ADDRESS_MAX / 2];
} lw_pwc_by_address;

void lw_pwc_by_address_init(lw_pwc_by_address *c, const lw_config *cfg, const lw_watch *watch);
/* R6.3; of a hit, PERM is the walker's ANDed with the entry's. */
lw_pwc_found lw_pwc_by_address_compare(const lw_pwc_by_address *c, const lw_pwc_query *query);
/* R6.5: the place of a fill, when the entry `written` (or LW_NONE) is written in this cycle; then,
 * without its touch, that it is written. */
uint32_t lw_pwc_by_address_victim(const lw_pwc_by_address *c, const lw_pwc_query *query,
                                  int32_t written);
void lw_pwc_by_address_write(lw_pwc_by_address *c, uint32_t entry, const lw_pwc_query *query,
                             const lw_pwc_node *node);
void lw_pwc_by_address_touch(lw_pwc_by_address *c, uint32_t entry);
void lw_pwc_by_address_mark(lw_pwc_by_address *c);

#endif
