#include "oracle/judgement.h"

static lw_flat_walk_query query_of(const lw_oracle *o, uint64_t page_number, uint32_t access,
                                   lw_root root) {
    return (lw_flat_walk_query){.levels = o->config.levels,
                                .pa_width = o->config.pa_width,
                                .has_root = root.valid,
                                .root = root.frame,
                                .page_number = page_number,
                                .access = access,
                                .subregions = o->config.subregions,
                                .head_first = o->config.head_first,
                                .size_hints = o->config.size_hints};
}

bool lw_is_hashed(const lw_oracle *o, uint32_t pasid) {
    return pasid < o->config.pasids && o->hashed[pasid].table_log != 0;
}

/* Of a page of a hashed table; the root is that of the victim buffer. */
static lw_hashed_walk_query hashed_query_of(const lw_oracle *o, uint32_t pasid,
                                            uint64_t page_number, uint32_t access) {
    lw_hashed_walk_query query = o->hashed[pasid];
    const lw_root root = {o->roots[pasid].valid, query.page.root};
    query.page = query_of(o, page_number, access, root);
    return query;
}

static lw_root root_of(const lw_oracle *o, uint32_t pasid) {
    return pasid < o->config.pasids ? o->roots[pasid] : (lw_root){false, 0};
}

lw_oracle_answer lw_oracle_answer_now(lw_oracle *o, uint32_t pasid, uint64_t page_number,
                                      uint32_t access) {
    uint64_t key = page_number ^ ((uint64_t)pasid << 40) ^ ((uint64_t)access << 60);
    lw_cached_answer *c = &o->cache[(key * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - LW_CACHE_BITS)];
    if (c->generation == o->generation && c->page_number == page_number && c->pasid == pasid &&
        c->access == access) {
        return c->answer;
    }
    lw_oracle_answer answer;
    if (lw_is_hashed(o, pasid)) {
        const lw_hashed_walk_query query = hashed_query_of(o, pasid, page_number, access);
        answer = lw_hashed_walk(&o->image, &query).answer;
    } else {
        const lw_flat_walk_query query = query_of(o, page_number, access, root_of(o, pasid));
        answer = lw_flat_walk(&o->image, &query);
    }
    *c = (lw_cached_answer){o->generation, page_number, pasid, access, answer};
    return answer;
}

uint64_t lw_since_of(const lw_oracle *o, const lw_asked *r) {
    return lw_windows_since(o->windows, r->pasid, r->page_number & lw_last_page(&o->config));
}

/* Whether the answer is right where a hashed table changes, or memory fails. */
static bool hashed_answer_may(const lw_oracle *o, const lw_asked *r,
                              const lw_oracle_answer *answer) {
    lw_hashed_walk_query query = hashed_query_of(o, r->pasid, r->page_number, r->access);
    query.page.since = lw_since_of(o, r);
    query.page.asked = r->asked;
    return lw_hashed_walk_may(&o->image, &query, answer);
}

/* Whether the answer is right with an old root or old entries, or as a memory error; `beside`: as
 * that of another table of the same mappings. */
static bool answer_may(const lw_oracle *o, const lw_asked *r, const lw_oracle_answer *answer,
                       bool beside) {
    const uint64_t since = lw_since_of(o, r);
    lw_root root = root_of(o, r->pasid);
    uint64_t until = UINT64_MAX;
    size_t n = 0;
    do {
        lw_flat_walk_query query = query_of(o, r->page_number, r->access, root);
        query.since = since;
        query.asked = r->asked;
        query.beside = beside;
        /* that there is no root is a fault too, which nobody keeps */
        const bool may = until >= since && (root.valid || until >= r->asked);
        if (may && lw_flat_walk_may(&o->image, &query, answer)) {
            return true;
        }
    } while (lw_change_log_old_root(o->log, r->pasid, n++, &root, &until));
    return false;
}

/* What a hashed table answers is what the radix table beside it says, or has said, but for the
 * level of a fault, the size of a page and what memory does. A PTE whose size is bad (R20.5) has no
 * counterpart there: its page is not present. Nor has that a victim buffer is missing (R20.14). */
static bool second_opinion(const lw_oracle *o, const lw_asked *r, const lw_oracle_answer *answer) {
    const lw_oracle_answer absent = {.kind = LW_ORACLE_NOT_PRESENT};
    const bool sized = answer->level == 1 &&
                       (answer->kind == LW_ORACLE_RESERVED || answer->kind == LW_ORACLE_MISALIGNED);
    const bool no_victim = !o->hashed[r->pasid].has_victim_buffer &&
                           answer->kind == LW_ORACLE_NOT_PRESENT &&
                           answer->level == LW_STEP_TABLE_LEVEL;
    return answer->kind == LW_ORACLE_MEMORY_ERROR || no_victim || answer_may(o, r, answer, true) ||
           (sized && answer_may(o, r, &absent, true));
}

static bool has_frame(const lw_oracle_answer *a) {
    return a->pfn != 0 || a->size != 0 || a->w || a->x;
}

bool lw_answer_is_right(lw_oracle *o, const lw_asked *r, const lw_oracle_answer *answer) {
    if (answer->kind != LW_ORACLE_OK && has_frame(answer)) {
        return false; /* R1.9, also of a memory error, which the image does not give */
    }
    const lw_oracle_answer expected = lw_oracle_answer_now(o, r->pasid, r->page_number, r->access);
    /* the slow way only where the present answer is not given: errors and old values are rare */
    const bool equal = lw_oracle_answer_equal(&expected, answer);
    if (lw_is_hashed(o, r->pasid)) {
        return (equal || hashed_answer_may(o, r, answer)) && second_opinion(o, r, answer);
    }
    return equal || answer_may(o, r, answer, false);
}

bool lw_links_are_right(lw_oracle *o, const lw_asked *r, const lw_oracle_answer *answer) {
    if (answer->links == 0) {
        return true;
    }
    if (!o->config.links || answer->kind != LW_ORACLE_OK || answer->size != 0) {
        return false;
    }
    const uint64_t frames = UINT64_C(1) << (o->config.pa_width - 12);
    const int place = (int)(r->page_number & 3);
    bool right = true;
    for (int step = -1; step <= 1; step += 2) {
        for (int to = place + step; to >= 0 && to <= 3; to += step) {
            const int link = step < 0 ? to : to - 1;
            if ((answer->links >> link & 1) == 0) {
                break;
            }
            lw_asked neighbour = *r;
            lw_oracle_answer there = *answer;
            neighbour.page_number += (uint64_t)(int64_t)(to - place);
            there.pfn = (answer->pfn + (uint64_t)(int64_t)(to - place)) & (frames - 1);
            right = right && lw_answer_is_right(o, &neighbour, &there);
        }
    }
    return right;
}
