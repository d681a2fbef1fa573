/* The page walk cache (section 6): the lookup pipeline, and the one of the two organisations that
 * PWC_ORG names.
 *
 * Order within a cycle: lw_pwc_compare for the last stage, lw_pwc_victim for a fill, then
 * lw_pwc_touch for the hit and lw_pwc_fill (R6.5), lw_pwc_mark, and lw_pwc_advance. */
#ifndef LW_PAGE_WALK_CACHE_H
#define LW_PAGE_WALK_CACHE_H

#include "line_decoder.h"
#include "page_walk_cache_by_address.h"

enum { LW_PWC_STAGES = 8, LW_PWC_BY_ADDRESS = 1 };

typedef struct lw_pwc_stage {
    bool valid;
    uint8_t walker;
} lw_pwc_stage;

typedef struct lw_pwc {
    const lw_config *cfg;
    const lw_watch *watch;
    lw_pwc_stage stage[LW_PWC_STAGES]; /* a ring: stage s is at (first + s - 1) mod PWC_LATENCY */
    uint32_t first, lookups;           /* lookups: derived, the valid stages */
    lw_pwc_by_level by_level;
    lw_pwc_by_address by_address;
} lw_pwc;

void lw_pwc_init(lw_pwc *p, const lw_config *cfg, const lw_watch *watch);

/* R6.1: the walker in the last stage, or LW_NONE. */
static inline int32_t lw_pwc_last_stage(const lw_pwc *p) {
    if (p->lookups == 0) {
        return LW_NONE;
    }
    const uint32_t at = p->first == 0 ? p->cfg->hw.pwc_latency - 1 : p->first - 1;
    return p->stage[at].valid ? p->stage[at].walker : LW_NONE;
}

lw_pwc_found lw_pwc_compare(const lw_pwc *p, const lw_pwc_query *query);
uint32_t lw_pwc_victim(const lw_pwc *p, const lw_pwc_query *query);
/* R6.5: after the node that the query's PTE is; by level with its accumulated PERM, by address with
 * its own. */
void lw_pwc_fill(lw_pwc *p, uint32_t entry, const lw_pwc_query *query, const lw_verdict *node);
void lw_pwc_touch(lw_pwc *p, uint32_t entry);
/* R6.6 for the entries. */
void lw_pwc_mark(lw_pwc *p, const lw_invalidation *inv);
/* R6.1: one stage on, where there are lookups; `entering` is a walker or LW_NONE. `keep` has a bit
 * for each walker whose lookups stay (R6.6): all of them but in the cycle of a mark. */
void lw_pwc_advance(lw_pwc *p, int32_t entering, uint32_t keep);

void lw_pwc_derive(lw_pwc *p);
lw_cell lw_pwc_cell(lw_pwc *p, lw_field field, uint32_t index);

#endif
