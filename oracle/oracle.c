#include "oracle/oracle.h"

#include "oracle/change_log.h"
#include "oracle/windows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* What fits the host's own caches: beyond them a look is dearer than the walk that it saves, whose
 * entries the unit has just read. */
#define CACHE_BITS 10
/* MESC's bits of a level-2 entry (R1.10) */
#define CONTIGUITY_BITS (UINT64_C(0x1ff) << 52)

typedef struct request {
    uint64_t page_number;
    uint32_t pasid;
    uint8_t access;
    bool in_flight;
    uint64_t asked; /* when it entered the unit */
} request;

/* The invalidation under way; `open`: there is one. */
typedef struct invalidation {
    bool open;
    uint32_t pasid;
    uint64_t first, last, time;
} invalidation;

typedef struct cached_answer {
    uint64_t generation; /* right while equal to the oracle's; 0: never */
    uint64_t page_number;
    uint32_t pasid;
    uint32_t access;
    lw_oracle_answer answer;
} cached_answer;

struct lw_oracle {
    lw_oracle_config config;
    lw_flat_image image;
    lw_change_log *log;
    lw_windows *windows;
    lw_root *roots; /* by PASID */
    /* by PASID; `has_victim_buffer`: it has a hashed table, whose query this is but for the page */
    lw_hashed_walk_query *hashed;
    request *requests; /* by id */
    cached_answer *cache;
    uint64_t generation; /* counts the changes of the image */
    uint32_t in_flight;
    uint64_t checked;
    /* Grows with each request, change and transfer: what comes first has the smaller time. */
    uint64_t time;
    invalidation invalidation;
    uint64_t last_transfer; /* of the invalidation completed last */
    bool log_incomplete;    /* an old value, or an invalidation, found no memory */
};

static uint64_t image_read64(void *ctx, uint64_t pa) {
    const lw_oracle *o = ctx;
    return o->config.read64(o->config.ctx, pa);
}

static bool image_old64(void *ctx, uint64_t pa, size_t n, lw_flat_old *old) {
    const lw_oracle *o = ctx;
    return lw_change_log_old_entry(o->log, pa, n, old);
}

static bool image_line_may_fail(void *ctx, uint64_t line_address) {
    const lw_oracle *o = ctx;
    return o->config.line_may_fail != NULL && o->config.line_may_fail(o->config.ctx, line_address);
}

static bool config_in_range(const lw_oracle_config *c, lw_error *err) {
    const struct {
        const char *name;
        uint32_t value, min, max;
    } ranges[] = {
        {"levels", c->levels, 4, 5},
        {"pa_width", c->pa_width, 32, 52},
        {"ids", c->ids, 1, LW_ORACLE_IDS_MAX},
        {"pasids", c->pasids, 1, LW_ORACLE_PASIDS_MAX},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (ranges[i].value < ranges[i].min || ranges[i].value > ranges[i].max) {
            return lw_fail(err, "oracle: %s %" PRIu32 " is not in %" PRIu32 "..%" PRIu32,
                           ranges[i].name, ranges[i].value, ranges[i].min, ranges[i].max);
        }
    }
    return c->read64 != NULL || lw_fail(err, "oracle: no read64 callback is given");
}

static uint64_t last_page(const lw_oracle_config *c) {
    return (UINT64_C(1) << (9 * c->levels)) - 1;
}

lw_oracle *lw_oracle_new(const lw_oracle_config *config, lw_error *err) {
    if (!config_in_range(config, err)) {
        return NULL;
    }
    lw_oracle *o = calloc(1, sizeof *o);
    if (o != NULL) {
        o->config = *config;
        o->image = (lw_flat_image){image_read64, image_old64, image_line_may_fail, o};
        o->generation = 1;
        o->log = lw_change_log_new();
        o->windows = lw_windows_new(config->pasids, last_page(config));
        o->roots = calloc(config->pasids, sizeof *o->roots);
        o->hashed = calloc(config->pasids, sizeof *o->hashed);
        o->requests = calloc(config->ids, sizeof *o->requests);
        o->cache = calloc(UINT64_C(1) << CACHE_BITS, sizeof *o->cache);
    }
    if (o == NULL || o->log == NULL || o->windows == NULL || o->roots == NULL ||
        o->hashed == NULL || o->requests == NULL || o->cache == NULL) {
        lw_oracle_free(o);
        lw_fail(err, "oracle: the host has no memory left");
        return NULL;
    }
    return o;
}

void lw_oracle_free(lw_oracle *o) {
    if (o == NULL) {
        return;
    }
    lw_change_log_free(o->log);
    lw_windows_free(o->windows);
    free(o->roots);
    free(o->hashed);
    free(o->requests);
    free(o->cache);
    free(o);
}

bool lw_oracle_set_root(lw_oracle *o, uint32_t pasid, bool valid, uint64_t root_frame,
                        lw_error *err) {
    if (pasid >= o->config.pasids) {
        return true;
    }
    /* before the first request nobody can have asked for it */
    const bool asked = o->time != 0 || o->roots[pasid].valid;
    if (asked && !lw_change_log_root(o->log, pasid, o->roots[pasid], ++o->time)) {
        return lw_fail(err, "oracle: the host has no memory left for an old root");
    }
    o->roots[pasid] = (lw_root){valid, root_frame};
    o->generation++;
    return true;
}

static lw_flat_walk_query query_of(const lw_oracle *o, uint64_t page_number, uint32_t access,
                                   lw_root root) {
    return (lw_flat_walk_query){.levels = o->config.levels,
                                .pa_width = o->config.pa_width,
                                .has_root = root.valid,
                                .root = root.frame,
                                .page_number = page_number,
                                .access = access,
                                .subregions = o->config.subregions,
                                .head_first = o->config.head_first};
}

void lw_oracle_set_hashed(lw_oracle *o, uint32_t pasid, const lw_hashed_walk_query *tables) {
    o->hashed[pasid] = *tables;
    o->hashed[pasid].pasid = pasid;
    o->generation++;
}

static bool is_hashed(const lw_oracle *o, uint32_t pasid) {
    return pasid < o->config.pasids && o->hashed[pasid].has_victim_buffer;
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
    cached_answer *c = &o->cache[(key * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - CACHE_BITS)];
    if (c->generation == o->generation && c->page_number == page_number && c->pasid == pasid &&
        c->access == access) {
        return c->answer;
    }
    lw_oracle_answer answer;
    if (is_hashed(o, pasid)) {
        const lw_hashed_walk_query query = hashed_query_of(o, pasid, page_number, access);
        answer = lw_hashed_walk(&o->image, &query).answer;
    } else {
        const lw_flat_walk_query query = query_of(o, page_number, access, root_of(o, pasid));
        answer = lw_flat_walk(&o->image, &query);
    }
    *c = (cached_answer){o->generation, page_number, pasid, access, answer};
    return answer;
}

bool lw_oracle_request(lw_oracle *o, uint32_t id, uint32_t pasid, uint64_t page_number,
                       uint32_t access, lw_error *err) {
    if (id >= o->config.ids) {
        return lw_fail(err, "request %" PRIu32 ": ids are 0..%" PRIu32, id, o->config.ids - 1);
    }
    request *r = &o->requests[id];
    if (r->in_flight) {
        return lw_fail(err,
                       "request %" PRIu32 " is made while the one of this id (PASID %" PRIu32
                       ", page 0x%" PRIx64 ") is not answered",
                       id, r->pasid, r->page_number);
    }
    *r = (request){page_number, pasid, (uint8_t)(access & 3), true, ++o->time};
    o->in_flight++;
    return true;
}

static uint64_t since_of(const lw_oracle *o, const request *r) {
    return lw_windows_since(o->windows, r->pasid, r->page_number & last_page(&o->config));
}

/* Whether the answer is right where regions of a hashed table move, or memory fails. */
static bool hashed_answer_may(const lw_oracle *o, const request *r,
                              const lw_oracle_answer *answer) {
    lw_hashed_walk_query query = hashed_query_of(o, r->pasid, r->page_number, r->access);
    query.page.since = since_of(o, r);
    query.page.asked = r->asked;
    return lw_hashed_walk_may(&o->image, &query, answer);
}

/* What a hashed table answers is what the radix table beside it says, but for the level of a fault,
 * the size of a page and what memory does. */
static bool second_opinion(const lw_oracle *o, const request *r, const lw_oracle_answer *answer) {
    const lw_flat_walk_query query = query_of(o, r->page_number, r->access, root_of(o, r->pasid));
    const lw_oracle_answer beside = lw_flat_walk(&o->image, &query);
    return answer->kind == LW_ORACLE_MEMORY_ERROR ||
           (answer->kind == beside.kind && answer->pfn == beside.pfn && answer->w == beside.w &&
            answer->x == beside.x);
}

/* Whether the answer is right with an old root or old entries, or as a memory error. */
static bool answer_may(const lw_oracle *o, const request *r, const lw_oracle_answer *answer) {
    const uint64_t since = since_of(o, r);
    lw_root root = root_of(o, r->pasid);
    uint64_t until = UINT64_MAX;
    size_t n = 0;
    do {
        lw_flat_walk_query query = query_of(o, r->page_number, r->access, root);
        query.since = since;
        query.asked = r->asked;
        /* that there is no root is a fault too, which nobody keeps */
        const bool may = until >= since && (root.valid || until >= r->asked);
        if (may && lw_flat_walk_may(&o->image, &query, answer)) {
            return true;
        }
    } while (lw_change_log_old_root(o->log, r->pasid, n++, &root, &until));
    return false;
}

static bool has_frame(const lw_oracle_answer *a) {
    return a->pfn != 0 || a->size != 0 || a->w || a->x;
}

static bool is_right(lw_oracle *o, const request *r, const lw_oracle_answer *answer) {
    if (answer->kind != LW_ORACLE_OK && has_frame(answer)) {
        return false; /* R1.9, also of a memory error, which the image does not give */
    }
    const lw_oracle_answer expected = lw_oracle_answer_now(o, r->pasid, r->page_number, r->access);
    /* the slow way only where the present answer is not given: errors and old values are rare */
    const bool equal = lw_oracle_answer_equal(&expected, answer);
    if (is_hashed(o, r->pasid)) {
        return (equal || hashed_answer_may(o, r, answer)) && second_opinion(o, r, answer);
    }
    return equal || answer_may(o, r, answer);
}

/* Whether each page that links join to this one is its neighbour in frames too. */
static bool links_are_right(lw_oracle *o, const request *r, const lw_oracle_answer *answer) {
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
            request neighbour = *r;
            lw_oracle_answer there = *answer;
            neighbour.page_number += (uint64_t)(int64_t)(to - place);
            there.pfn = (answer->pfn + (uint64_t)(int64_t)(to - place)) & (frames - 1);
            right = right && is_right(o, &neighbour, &there);
        }
    }
    return right;
}

typedef struct answer_text {
    char text[96];
} answer_text;

static answer_text describe(const lw_oracle_answer *a) {
    answer_text t;
    int length = snprintf(t.text, sizeof t.text, "%s (%" PRIu32 ") level %" PRIu32,
                          lw_oracle_kind_name(a->kind), a->kind, a->level);
    if (a->kind == LW_ORACLE_OK || has_frame(a)) {
        length +=
            snprintf(t.text + length, sizeof t.text - (size_t)length,
                     " pfn 0x%" PRIx64 " size %" PRIu32 " W=%d X=%d", a->pfn, a->size, a->w, a->x);
    }
    if (a->links != 0) {
        (void)snprintf(t.text + length, sizeof t.text - (size_t)length, " links %" PRIu32,
                       a->links);
    }
    return t;
}

static const char *access_name(uint32_t access) {
    static const char *const names[] = {"read", "write", "execute", "execute"};
    return names[access & 3];
}

bool lw_oracle_hit(lw_oracle *o, const char *where, uint32_t pasid, uint64_t page_number,
                   uint32_t access, const lw_oracle_answer *answer, lw_error *err) {
    const request r = {page_number, pasid, (uint8_t)(access & 3), true, ++o->time};
    lw_oracle_answer kept = *answer;
    kept.pfn &= (UINT64_C(1) << (o->config.pa_width - 12)) - 1;
    if (is_right(o, &r, &kept)) {
        return true;
    }
    const lw_oracle_answer expected = lw_oracle_answer_now(o, pasid, page_number, access);
    return lw_fail(err,
                   "%s: a hit (PASID %" PRIu32 ", page 0x%" PRIx64
                   ", %s) on an entry that is not right: expected %s, kept %s",
                   where, pasid, page_number, access_name(access), describe(&expected).text,
                   describe(&kept).text);
}

bool lw_oracle_response(lw_oracle *o, uint32_t id, const lw_oracle_answer *answer, lw_error *err) {
    if (o->log_incomplete) {
        return lw_fail(err, "oracle: the host had no memory left for an entry's old value");
    }
    if (id >= o->config.ids || !o->requests[id].in_flight) {
        return lw_fail(err, "response for request %" PRIu32 ", which is not in flight: got %s", id,
                       describe(answer).text);
    }
    request *r = &o->requests[id];
    r->in_flight = false;
    o->in_flight--;
    if (!is_right(o, r, answer)) {
        const lw_oracle_answer expected =
            lw_oracle_answer_now(o, r->pasid, r->page_number, r->access);
        return lw_fail(
            err,
            "request %" PRIu32 " (PASID %" PRIu32 ", page 0x%" PRIx64
            ", %s): expected %s%s, got %s",
            id, r->pasid, r->page_number, access_name(r->access), describe(&expected).text,
            lw_change_log_newest(o->log) > since_of(o, r) ? " or an answer from before the changes"
                                                          : "",
            describe(answer).text);
    }
    if (!links_are_right(o, r, answer)) {
        return lw_fail(err,
                       "request %" PRIu32 " (PASID %" PRIu32 ", page 0x%" PRIx64
                       ", %s): a link joins it to a page that is not its neighbour in memory: %s",
                       id, r->pasid, r->page_number, access_name(r->access), describe(answer).text);
    }
    o->checked++;
    return true;
}

void lw_oracle_entry_changes(lw_oracle *o, uint64_t pa, uint64_t old_value) {
    o->generation++;
    if (!lw_change_log_entry(o->log, pa, old_value, ++o->time)) {
        o->log_incomplete = true;
    }
}

void lw_oracle_invalidation_starts(lw_oracle *o, uint32_t pasid, uint64_t vpn_first,
                                   uint64_t vpn_last) {
    o->invalidation = (invalidation){true, pasid, vpn_first, vpn_last, ++o->time};
}

void lw_oracle_invalidation_done(lw_oracle *o) {
    if (!o->invalidation.open) {
        lw_oracle_invalidation_starts(o, LW_ORACLE_EVERY_PASID, 0, UINT64_MAX);
    }
    const invalidation *i = &o->invalidation;
    const uint64_t floor = lw_windows_floor(o->windows);
    if (!lw_windows_complete(o->windows, i->pasid, i->first, i->last, i->time)) {
        o->log_incomplete = true;
    }
    if (lw_windows_floor(o->windows) != floor) {
        lw_change_log_forget(o->log, lw_windows_floor(o->windows));
    }
    o->last_transfer = i->time;
    o->invalidation.open = false;
}

void lw_oracle_contiguity_gone(lw_oracle *o, uint64_t pa) {
    lw_change_log_forget_bits(o->log, pa, CONTIGUITY_BITS, image_read64(o, pa), o->last_transfer);
}

uint32_t lw_oracle_in_flight(const lw_oracle *o) {
    return o->in_flight;
}

uint64_t lw_oracle_checked(const lw_oracle *o) {
    return o->checked;
}

bool lw_oracle_finish(const lw_oracle *o, lw_error *err) {
    if (o->in_flight == 0) {
        return true;
    }
    uint32_t id = 0;
    while (!o->requests[id].in_flight) {
        id++;
    }
    return lw_fail(err,
                   "%" PRIu32 " requests are not answered, the lowest id is %" PRIu32
                   " (PASID %" PRIu32 ", page 0x%" PRIx64 ")",
                   o->in_flight, id, o->requests[id].pasid, o->requests[id].page_number);
}
