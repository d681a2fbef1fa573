#include "oracle/answer_text.h"
#include "oracle/judgement.h"

#include <inttypes.h>
#include <stdlib.h>

/* MESC's bits of a level-2 entry (R1.10) */
#define CONTIGUITY_BITS (UINT64_C(0x1ff) << 52)

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
        o->windows = lw_windows_new(config->pasids, lw_last_page(config));
        o->roots = calloc(config->pasids, sizeof *o->roots);
        o->hashed = calloc(config->pasids, sizeof *o->hashed);
        o->requests = calloc(config->ids, sizeof *o->requests);
        o->cache = calloc(UINT64_C(1) << LW_CACHE_BITS, sizeof *o->cache);
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

void lw_oracle_set_hashed(lw_oracle *o, uint32_t pasid, const lw_hashed_walk_query *tables) {
    o->hashed[pasid] = *tables;
    o->hashed[pasid].pasid = pasid;
    o->generation++;
}

bool lw_oracle_request(lw_oracle *o, uint32_t id, uint32_t pasid, uint64_t page_number,
                       uint32_t access, lw_error *err) {
    if (id >= o->config.ids) {
        return lw_fail(err, "request %" PRIu32 ": ids are 0..%" PRIu32, id, o->config.ids - 1);
    }
    lw_asked *r = &o->requests[id];
    if (r->in_flight) {
        return lw_fail(err,
                       "request %" PRIu32 " is made while the one of this id (PASID %" PRIu32
                       ", page 0x%" PRIx64 ") is not answered",
                       id, r->pasid, r->page_number);
    }
    *r = (lw_asked){page_number, pasid, (uint8_t)(access & 3), true, ++o->time};
    o->in_flight++;
    return true;
}

bool lw_oracle_is_whole(const lw_oracle *o) {
    return !o->log_incomplete;
}

static bool remembers_all(const lw_oracle *o, lw_error *err) {
    return lw_oracle_is_whole(o) ||
           lw_fail(err, "oracle: the host had no memory left for an entry's old value");
}

bool lw_oracle_hit(lw_oracle *o, const char *where, uint32_t pasid, uint64_t page_number,
                   uint32_t access, const lw_oracle_answer *answer, lw_error *err) {
    if (!remembers_all(o, err)) {
        return false;
    }
    const lw_asked r = {page_number, pasid, (uint8_t)(access & 3), true, ++o->time};
    lw_oracle_answer kept = *answer;
    kept.pfn &= (UINT64_C(1) << (o->config.pa_width - 12)) - 1;
    if (lw_answer_is_right(o, &r, &kept)) {
        return true;
    }
    const lw_oracle_answer expected = lw_oracle_answer_now(o, pasid, page_number, access);
    return lw_fail(err,
                   "%s: a hit (PASID %" PRIu32 ", page 0x%" PRIx64
                   ", %s) on an entry that is not right: expected %s, kept %s",
                   where, pasid, page_number, lw_access_name(access),
                   lw_describe_answer(&expected).text, lw_describe_answer(&kept).text);
}

bool lw_oracle_response(lw_oracle *o, uint32_t id, const lw_oracle_answer *answer, lw_error *err) {
    if (!remembers_all(o, err)) {
        return false;
    }
    if (id >= o->config.ids || !o->requests[id].in_flight) {
        return lw_fail(err, "response for request %" PRIu32 ", which is not in flight: got %s", id,
                       lw_describe_answer(answer).text);
    }
    lw_asked *r = &o->requests[id];
    r->in_flight = false;
    o->in_flight--;
    if (!lw_answer_is_right(o, r, answer)) {
        const lw_oracle_answer expected =
            lw_oracle_answer_now(o, r->pasid, r->page_number, r->access);
        return lw_fail(err,
                       "request %" PRIu32 " (PASID %" PRIu32 ", page 0x%" PRIx64
                       ", %s): expected %s%s%s, got %s",
                       id, r->pasid, r->page_number, lw_access_name(r->access),
                       lw_describe_answer(&expected).text,
                       lw_change_log_newest(o->log) > lw_since_of(o, r)
                           ? " or an answer from before the changes"
                           : "",
                       lw_is_hashed(o, r->pasid) ? ", as the page table beside it has it" : "",
                       lw_describe_answer(answer).text);
    }
    if (!lw_links_are_right(o, r, answer)) {
        return lw_fail(err,
                       "request %" PRIu32 " (PASID %" PRIu32 ", page 0x%" PRIx64
                       ", %s): a link joins it to a page that is not its neighbour in memory: %s",
                       id, r->pasid, r->page_number, lw_access_name(r->access),
                       lw_describe_answer(answer).text);
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
    o->invalidation = (lw_oracle_invalidation){true, pasid, vpn_first, vpn_last, ++o->time};
}

void lw_oracle_invalidation_done(lw_oracle *o) {
    if (!o->invalidation.open) {
        lw_oracle_invalidation_starts(o, LW_ORACLE_EVERY_PASID, 0, UINT64_MAX);
    }
    const lw_oracle_invalidation *i = &o->invalidation;
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
