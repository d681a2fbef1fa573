/* The page walk cache (chapter 6): the lookup pipeline with its key and result registers, the fill
 * and the place register, and the one of the two organisations that PWC_ORG names.
 *
 * Order within a cycle: what the result says is used; lw_pwc_step; lw_pwc_load_fill, lw_pwc_mark;
 * then lw_pwc_load_key and lw_pwc_advance. */
#ifndef LW_C_MODEL_WALK_PAGE_WALK_CACHE_H
#define LW_C_MODEL_WALK_PAGE_WALK_CACHE_H

#include "c_model/base/pte.h"
#include "c_model/walk/lookup_pipe.h"
#include "c_model/walk/page_walk_cache_by_address.h"

/* PWC_RESULT; the rest is of a hit. */
typedef struct lw_pwc_result {
    uint64_t node;
    uint16_t entry, contig;
    uint8_t walker, level, perm;
    bool valid, hit;
} lw_pwc_result;

/* PWC_FILL and PWC_PLACE; PERM is that of the organisation (R6.5). */
typedef struct lw_pwc_filling {
    uint64_t key, parent, node;
    uint16_t contig;
    uint8_t level, perm;
    bool valid;
} lw_pwc_filling;

typedef struct lw_pwc {
    const lw_config *cfg;
    const lw_watch *watch;
    lw_lookup_pipe pipe;
    lw_pwc_query key;
    lw_pwc_result result;
    lw_pwc_filling fill, place;
    uint16_t place_entry;
    lw_pwc_by_level by_level;
    lw_pwc_by_address by_address;
} lw_pwc;

void lw_pwc_init(lw_pwc *p, const lw_config *cfg, const lw_watch *watch);

/* R6.1: the walker in the last stage, or LW_NONE. */
static inline int32_t lw_pwc_last_stage(const lw_pwc *p) {
    return lw_pipe_walker(&p->pipe, p->cfg->hw.pwc_latency, p->cfg->hw.pwc_latency);
}

/* Whether there is something to do without a walker that enters or a scan that fills. */
static inline bool lw_pwc_is_busy(const lw_pwc *p) {
    return p->pipe.lookups != 0 || p->result.valid || p->fill.valid || p->place.valid;
}

/* The entries' part of a cycle: the compare of the last stage, whose result is loaded, the touch of
 * the hit whose result there was (R6.4), the fill that is written and the place of the next (R6.5).
 */
void lw_pwc_step(lw_pwc *p);
/* R6.5: the fill register is loaded after the step: the PTE that the query asks for is this node.
 */
void lw_pwc_load_fill(lw_pwc *p, const lw_pwc_query *query, const lw_verdict *node);
/* R6.6 for the entries, and R6.5: a place that the mark meets. */
void lw_pwc_mark(lw_pwc *p, const lw_mark *mark);
/* R6.1: the walker whose registers the key register is loaded with, or LW_NONE; that it is. */
int32_t lw_pwc_key_walker(const lw_pwc *p, int32_t entering);
void lw_pwc_load_key(lw_pwc *p, const lw_pwc_query *query);
/* R6.1: one stage on, where there are lookups; `entering` is a walker or LW_NONE. */
void lw_pwc_advance(lw_pwc *p, int32_t entering);

/* What follows from the registers; to be called when one has been changed from outside. */
void lw_pwc_derive(lw_pwc *p);

#endif
