#include "sim/memory/pte_cache.h"

#include "sim/memory/data_cache.h"

#include <stdlib.h>

/* Lines that can be waited for, and walks that can have finished and not been taken: more than a
 * unit has walkers and heads under way. */
enum { MSHRS = 64, FINISHED = 1024 };

struct lw_pte_cache {
    lw_data_cache *lines;
    lw_memory *below, memory;
    lw_memory_request asks; /* that waits for room below, if `waits` */
    bool waits;
    uint32_t finished[FINISHED]; /* a ring of ids */
    uint32_t head, count;
};

static void finish(lw_pte_cache *c, uint32_t id) {
    c->finished[(c->head + c->count++) % FINISHED] = id;
}

static void ask_below(lw_pte_cache *c, uint64_t now) {
    if (c->waits && c->below->ready(c->below->state, now, &c->asks)) {
        c->below->ask(c->below->state, now, &c->asks);
        c->waits = false;
    }
}

/* All that is due by now: lines from below, then lookups, which stop while a miss waits for room.
 */
static void advance(lw_pte_cache *c, uint64_t now) {
    lw_data_lookup lookup;
    uint64_t victim = 0;
    uint32_t mshr = 0;
    uint32_t id = 0;
    while (c->below->finished(c->below->state, now, LW_MEMORY_WALKS, &mshr)) {
        (void)lw_data_cache_fill(c->lines, mshr, &victim);
        while (lw_data_cache_wake(c->lines, mshr, &id)) {
            finish(c, id);
        }
    }
    ask_below(c, now);
    while (!c->waits && lw_data_cache_decide(c->lines, now, &lookup)) {
        if (lookup.answered) {
            finish(c, lookup.who);
        } else if (lookup.asks) {
            c->asks = (lw_memory_request){
                .line = lookup.line, .user = LW_MEMORY_WALKS, .id = lookup.mshr};
            c->waits = true;
            ask_below(c, now);
        }
    }
}

static bool is_walk(const lw_memory_request *request) {
    return request->user == LW_MEMORY_WALKS && !request->write;
}

static bool ready(void *state, uint64_t now, const lw_memory_request *request) {
    lw_pte_cache *c = state;
    if (!is_walk(request)) {
        return c->below->ready(c->below->state, now, request);
    }
    advance(c, now);
    return c->count < FINISHED / 2 && lw_data_cache_takes(c->lines, now);
}

static void ask(void *state, uint64_t now, const lw_memory_request *request) {
    lw_pte_cache *c = state;
    if (is_walk(request)) {
        lw_data_cache_ask(c->lines, now, request->line, false, request->id);
    } else {
        c->below->ask(c->below->state, now, request);
    }
}

static bool finished(void *state, uint64_t now, lw_memory_user user, uint32_t *id) {
    lw_pte_cache *c = state;
    if (user != LW_MEMORY_WALKS) {
        return c->below->finished(c->below->state, now, user, id);
    }
    advance(c, now);
    if (c->count == 0) {
        return false;
    }
    *id = c->finished[c->head];
    c->head = (c->head + 1) % FINISHED;
    c->count--;
    return true;
}

static uint64_t next_event(void *state, uint64_t now) {
    lw_pte_cache *c = state;
    advance(c, now);
    const uint64_t below = c->below->next_event(c->below->state, now);
    const uint64_t own = c->count > 0 ? now + 1 : lw_data_cache_next_event(c->lines, now);
    return own < below ? own : below;
}

static void destroy(void *state) {
    lw_pte_cache_free(state);
}

lw_pte_cache *lw_pte_cache_new(const lw_pte_cache_params *params, lw_memory *below, lw_error *err) {
    const lw_data_cache_params lines = {.kib = params->kib,
                                        .ways = params->ways,
                                        .line = 64,
                                        .latency = params->latency,
                                        .lookups = 1,
                                        .mshrs = MSHRS};
    if (!lw_data_cache_check(&lines, "pte_cache", err)) {
        return NULL;
    }
    lw_pte_cache *c = calloc(1, sizeof *c);
    if (c == NULL || (c->lines = lw_data_cache_new(&lines)) == NULL) {
        free(c);
        (void)lw_fail(err, "no memory for the cache of page-table lines");
        return NULL;
    }
    c->below = below;
    c->memory = (lw_memory){c, ready, ask, finished, next_event, destroy};
    return c;
}

void lw_pte_cache_free(lw_pte_cache *c) {
    if (c != NULL) {
        lw_data_cache_free(c->lines);
        free(c);
    }
}

lw_memory *lw_pte_cache_memory(lw_pte_cache *c) {
    return &c->memory;
}

void lw_pte_cache_counts(const lw_pte_cache *c, uint64_t *hits, uint64_t *misses) {
    lw_data_cache_counts counts = {.hits = 0};
    lw_data_cache_add_counts(c->lines, &counts);
    *hits = counts.hits;
    *misses = counts.misses;
}
