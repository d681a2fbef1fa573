#include "c_model/walk/page_walk_cache.h"

static bool is_by_address(const lw_pwc *p) {
    return p->cfg->hw.pwc_org == LW_PWC_BY_ADDRESS;
}

void lw_pwc_init(lw_pwc *p, const lw_config *cfg, const lw_watch *watch) {
    *p = (lw_pwc){.cfg = cfg, .watch = watch};
    if (is_by_address(p)) {
        lw_pwc_by_address_init(&p->by_address, cfg, watch);
    } else {
        lw_pwc_by_level_init(&p->by_level, cfg, watch);
    }
}

static lw_pwc_query query_of(const lw_pwc_filling *f) {
    return (lw_pwc_query){.key = f->key, .node = f->parent, .level = f->level};
}

static lw_pwc_found compare(const lw_pwc *p) {
    return is_by_address(p) ? lw_pwc_by_address_compare(&p->by_address, &p->key)
                            : lw_pwc_by_level_compare(&p->by_level, &p->key);
}

/* The entry that the fill register's content goes to, when another has just been `written`. */
static uint32_t place_of(const lw_pwc *p, int32_t written) {
    const lw_pwc_query query = query_of(&p->fill);
    return is_by_address(p) ? lw_pwc_by_address_victim(&p->by_address, &query, written)
                            : lw_pwc_by_level_victim(&p->by_level, &query, written);
}

static void touch(lw_pwc *p, uint32_t entry) {
    if (is_by_address(p)) {
        lw_pwc_by_address_touch(&p->by_address, entry);
    } else {
        lw_pwc_by_level_touch(&p->by_level, entry);
    }
}

static void write_place(lw_pwc *p) {
    const lw_pwc_query query = query_of(&p->place);
    const lw_pwc_node kept = {
        .frame = p->place.node, .perm = p->place.perm, .contig = p->place.contig};
    if (is_by_address(p)) {
        lw_pwc_by_address_write(&p->by_address, p->place_entry, &query, &kept);
    } else {
        lw_pwc_by_level_write(&p->by_level, p->place_entry, &query, &kept);
    }
}

/* The fill gets its place, or there is none. */
static void load_place(lw_pwc *p, uint32_t entry) {
    if (p->fill.valid) {
        p->place = p->fill;
        p->place_entry = (uint16_t)entry;
        p->fill.valid = false;
        lw_touch(p->watch, LW_S_PWC_FILL, 0);
    } else {
        p->place.valid = false;
    }
    lw_touch(p->watch, LW_S_PWC_PLACE, 0);
}

/* Touch and fill. The next fill sees the one that is written, but no touch of this cycle. */
static void touch_and_fill(lw_pwc *p) {
    const int32_t written = p->place.valid ? p->place_entry : LW_NONE;
    if (p->place.valid) {
        write_place(p);
    }
    const uint32_t next = p->fill.valid ? place_of(p, written) : 0;
    if (p->result.valid && p->result.hit) {
        touch(p, p->result.entry);
    }
    if (p->place.valid) {
        touch(p, p->place_entry);
    }
    if (p->fill.valid || p->place.valid) {
        load_place(p, next);
    }
}

static void load_result(lw_pwc *p, uint32_t walker, const lw_pwc_found *found) {
    lw_pwc_result *r = &p->result;
    r->valid = true;
    r->walker = (uint8_t)walker;
    r->hit = found->entry != LW_NONE;
    if (r->hit) {
        r->entry = (uint16_t)found->entry;
        r->level = found->level & 7;
        r->node = found->node;
        r->perm = (uint8_t)found->perm;
        r->contig = (uint16_t)found->contig;
    }
}

void lw_pwc_step(lw_pwc *p) {
    const int32_t compared = lw_pwc_last_stage(p);
    const bool had_result = p->result.valid;
    lw_pwc_found found = {.entry = LW_NONE};
    if (compared != LW_NONE) {
        found = compare(p);
    }
    touch_and_fill(p);
    if (compared != LW_NONE) {
        load_result(p, (uint32_t)compared, &found);
    } else {
        p->result.valid = false;
    }
    if (compared != LW_NONE || had_result) {
        lw_touch(p->watch, LW_S_PWC_RESULT, 0);
    }
}

void lw_pwc_load_fill(lw_pwc *p, const lw_pwc_query *query, const lw_verdict *node) {
    p->fill = (lw_pwc_filling){.key = query->key,
                               .parent = query->node,
                               .node = node->frame,
                               .contig = node->contig,
                               .level = (uint8_t)query->level,
                               .perm = is_by_address(p) ? node->own_perm : node->perm,
                               .valid = true};
    lw_touch(p->watch, LW_S_PWC_FILL, 0);
}

void lw_pwc_mark(lw_pwc *p, const lw_mark *mark) {
    if (p->place.valid && (is_by_address(p) || lw_mark_meets(mark, lw_key_pasid(p->place.key)))) {
        p->place.valid = false;
        lw_touch(p->watch, LW_S_PWC_PLACE, 0);
    }
    if (is_by_address(p)) {
        lw_pwc_by_address_mark(&p->by_address);
    } else {
        lw_pwc_by_level_mark(&p->by_level, mark);
    }
}

int32_t lw_pwc_key_walker(const lw_pwc *p, int32_t entering) {
    const uint32_t stages = p->cfg->hw.pwc_latency;
    return stages == 1 ? entering : lw_pipe_walker(&p->pipe, stages, stages - 1);
}

void lw_pwc_load_key(lw_pwc *p, const lw_pwc_query *query) {
    p->key = *query;
    lw_touch(p->watch, LW_S_PWC_KEY, 0);
}

void lw_pwc_advance(lw_pwc *p, int32_t entering) {
    lw_pipe_advance(&p->pipe, p->cfg->hw.pwc_latency, entering, p->watch);
}

void lw_pwc_derive(lw_pwc *p) {
    lw_pipe_derive(&p->pipe, p->cfg->hw.pwc_latency);
    if (!is_by_address(p)) {
        lw_pwc_by_level_derive(&p->by_level);
    }
}
