/* What finds the node of a walk in a hashed table (chapter 21), in the place of the page walk
 * cache: the lookups on their way, the key that is compared with the step cache, the hash unit
 * behind it, the result, and the fill of the step cache.
 *
 * Order within a cycle: what the result says is used; lw_steps_step; lw_steps_load_fill,
 * lw_step_cache_mark; then lw_steps_load_key and lw_steps_advance. */
#ifndef LW_C_MODEL_WALK_STEP_LOOKUP_H
#define LW_C_MODEL_WALK_STEP_LOOKUP_H

#include "c_model/walk/lookup_pipe.h"
#include "c_model/walk/step_cache.h"
#include "c_model/walk/table_hash.h"

/* PWC_KEY: its walker's registers (R21.3). */
typedef struct lw_step_key {
    uint64_t key;
    uint8_t where, step;
} lw_step_key;

/* PWC_RESULT (R21.6). */
typedef struct lw_step_result {
    uint64_t node;
    uint16_t contig;
    uint8_t walker, where, bucket;
    bool valid, hit;
} lw_step_result;

/* PWC_FILL (R21.14): a group that a walker has found in its bucket. */
typedef struct lw_step_fill {
    uint64_t key, steps;
    lw_step_contigs contigs;
    bool valid;
} lw_step_fill;

typedef struct lw_step_lookup {
    const lw_config *cfg;
    const lw_watch *watch;
    lw_lookup_pipe pipe;
    lw_step_key key;
    lw_table_hash hash;
    lw_step_result result;
    lw_step_fill fill;
    lw_step_cache cache;
} lw_step_lookup;

void lw_steps_init(lw_step_lookup *s, const lw_config *cfg, const lw_watch *watch);

/* Whether there is something to do without a walker that enters or a scan that fills. */
static inline bool lw_steps_is_busy(const lw_step_lookup *s) {
    return s->pipe.lookups != 0 || s->result.valid || s->fill.valid;
}

/* The cycle's work on what is in the stages, and the fill that is written (R21.4 to R21.6, R21.14).
 */
void lw_steps_step(lw_step_lookup *s, const lw_features *features, const lw_roots *roots);
/* R21.14, after the step. */
void lw_steps_load_fill(lw_step_lookup *s, const lw_step_fill *fill);
/* R21.3: the walker whose registers the key register is loaded with, or LW_NONE; that it is. */
int32_t lw_steps_key_walker(const lw_step_lookup *s, int32_t entering);
void lw_steps_load_key(lw_step_lookup *s, const lw_step_key *key);
/* R6.1: one stage on, where there are lookups; `entering` is a walker or LW_NONE. */
static inline void lw_steps_advance(lw_step_lookup *s, int32_t entering) {
    lw_pipe_advance(&s->pipe, s->cfg->hw.pwc_latency, entering, s->watch);
}

static inline void lw_steps_derive(lw_step_lookup *s) {
    lw_pipe_derive(&s->pipe, s->cfg->hw.pwc_latency);
}

#endif
