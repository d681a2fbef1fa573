#include "c_model/walk/step_lookup.h"

/* The stages of the lookup, counted from the last: what becomes of it there. */
enum { PLACED, SUMMED, MULTIPLIED, COMPARED, KEYED };

void lw_steps_init(lw_step_lookup *s, const lw_config *cfg, const lw_watch *watch) {
    *s = (lw_step_lookup){.cfg = cfg,
                          .watch = watch,
                          .hash = {.cfg = cfg, .watch = watch},
                          .cache = {.cfg = cfg, .watch = watch}};
}

/* The walker whose lookup is so many stages before the last, or LW_NONE. */
static int32_t walker_before(const lw_step_lookup *s, uint32_t before) {
    const uint32_t stages = s->cfg->hw.pwc_latency;
    return lw_pipe_walker(&s->pipe, stages, stages - before);
}

/* R21.3, R21.4: the key is compared with the step cache, and what is hashed is chosen. */
static void choose(lw_step_lookup *s, const lw_features *features, const lw_roots *roots) {
    const lw_step_key *k = &s->key;
    uint32_t where = k->where;
    uint32_t step = k->where == LW_WHERE_KNOWN ? k->step : 0;
    uint16_t contig = 0;
    if (k->where == LW_WHERE_LOOKUP) {
        const int32_t cached =
            features->pwc_enable ? lw_step_cache_find(&s->cache, k->key) : LW_NONE;
        where = features->home_first ? LW_WHERE_HOME : LW_WHERE_STEPS;
        if (cached != LW_NONE) {
            where = LW_WHERE_CACHED;
            step = (uint32_t)cached;
            contig = lw_step_cache_contig(&s->cache, k->key);
        }
    }
    lw_table_hash_choose(&s->hash, roots, k->key, where, step);
    s->hash.chosen.contig = contig;
}

/* R21.6 */
static void load_result(lw_step_lookup *s) {
    const int32_t walker = walker_before(s, PLACED);
    if (walker == LW_NONE && !s->result.valid) {
        return;
    }
    s->result.valid = walker != LW_NONE;
    if (s->result.valid) {
        const lw_hash_place place = lw_table_hash_place(&s->hash);
        s->result = (lw_step_result){.node = place.node,
                                     .contig = s->hash.sum.contig,
                                     .walker = (uint8_t)walker,
                                     .where = place.where,
                                     .bucket = place.bucket,
                                     .valid = true,
                                     .hit = place.where == LW_WHERE_CACHED};
    }
    lw_touch(s->watch, LW_S_PWC_RESULT, 0);
}

/* What is compared in the cycle of a fill does not see it. */
static void write_fill(lw_step_lookup *s) {
    if (s->fill.valid) {
        const lw_step_entry entry = {s->fill.steps, s->fill.contigs};
        lw_step_cache_write(&s->cache, s->fill.key, &entry);
        s->fill.valid = false;
        lw_touch(s->watch, LW_S_PWC_FILL, 0);
    }
}

void lw_steps_step(lw_step_lookup *s, const lw_features *features, const lw_roots *roots) {
    load_result(s);
    if (walker_before(s, SUMMED) != LW_NONE) {
        lw_table_hash_add(&s->hash);
    }
    if (walker_before(s, MULTIPLIED) != LW_NONE) {
        lw_table_hash_multiply(&s->hash, roots->stride);
    }
    if (walker_before(s, COMPARED) != LW_NONE) {
        choose(s, features, roots);
    }
    write_fill(s);
}

void lw_steps_load_fill(lw_step_lookup *s, const lw_step_fill *fill) {
    s->fill = *fill;
    lw_touch(s->watch, LW_S_PWC_FILL, 0);
}

int32_t lw_steps_key_walker(const lw_step_lookup *s, int32_t entering) {
    return s->cfg->hw.pwc_latency == KEYED ? entering : walker_before(s, KEYED);
}

void lw_steps_load_key(lw_step_lookup *s, const lw_step_key *key) {
    s->key = *key;
    lw_touch(s->watch, LW_S_PWC_KEY, 0);
}
