#include "sim/memory/data_cache.h"

#include "sim/memory/misses.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_KIB = 65536, MAX_WAYS = 64, MAX_LATENCY = 1000, MAX_LOOKUPS = 64, MAX_MSHRS = 4096 };

typedef struct place {
    uint64_t line, used; /* `used`: by the cache's clock of touches */
    uint32_t epoch;      /* the line is there if this is the cache's */
    bool dirty;
    bool in_part; /* it has bytes of stores alone */
} place;

typedef struct lookup {
    uint64_t line, due;
    place *set;
    uint32_t who;
    bool store;
} lookup;

struct lw_data_cache {
    lw_data_cache_params params;
    uint32_t sets, set_bits;
    uint32_t epoch; /* an invalidation begins another one, so that it need not scan */
    uint64_t clock;
    place *places;   /* set x ways + way */
    lookup *looking; /* a ring, oldest first */
    uint32_t head, count, room;
    uint64_t cycle; /* in which `taken` lookups were taken */
    uint32_t taken;
    uint64_t decision; /* the cycle in which `decided` lookups were decided */
    uint32_t decided;
    bool stalled;             /* the oldest lookup waits, and nothing has come for it since */
    lw_misses mshrs;          /* waiters: loads */
    bool *dirty;              /* by MSHR: a store waits for the line */
    bool *far;                /* by MSHR */
    uint32_t victims, stores; /* under way */
    lw_data_cache_counts counts;
};

bool lw_data_cache_check(const lw_data_cache_params *p, const char *name, lw_error *err) {
    const struct {
        const char *key;
        uint32_t value, min, max;
    } rows[] = {
        {"kib", p->kib, 1, MAX_KIB},
        {"ways", p->ways, 1, MAX_WAYS},
        {"latency", p->latency, 1, MAX_LATENCY},
        {"lookups", p->lookups, 1, MAX_LOOKUPS},
        {"mshrs", p->mshrs, 1, MAX_MSHRS},
    };
    char key[sizeof err->key];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].value < rows[i].min || rows[i].value > rows[i].max) {
            (void)snprintf(key, sizeof key, "%s_%s", name, rows[i].key);
            return lw_fail_key(err, key, " is %u; allowed: %u..%u", rows[i].value, rows[i].min,
                               rows[i].max);
        }
    }
    if (p->line != 64 && p->line != 128) {
        return lw_fail_key(err, "data_line", " is %u; allowed: 64, 128", p->line);
    }
    const uint32_t lines = p->kib * 1024 / p->line;
    const uint32_t sets = lines / p->ways;
    if (lines % p->ways != 0 || (sets & (sets - 1)) != 0) {
        (void)snprintf(key, sizeof key, "%s_kib", name);
        return lw_fail_key(err, key, " is %u, %u lines; allowed: %s_ways (%u) times a power of two",
                           p->kib, lines, name, p->ways);
    }
    return true;
}

lw_data_cache *lw_data_cache_new(const lw_data_cache_params *params) {
    lw_data_cache *c = calloc(1, sizeof *c);
    if (c == NULL) {
        return NULL;
    }
    c->params = *params;
    c->sets = params->kib * 1024 / params->line / params->ways;
    c->set_bits = c->sets == 1 ? 1 : (uint32_t)__builtin_ctz(c->sets);
    c->epoch = 1;
    c->room = params->latency * params->lookups;
    c->places = calloc((size_t)c->sets * params->ways, sizeof *c->places);
    c->looking = calloc(c->room, sizeof *c->looking);
    c->dirty = calloc(params->mshrs, sizeof *c->dirty);
    c->far = calloc(params->mshrs, sizeof *c->far);
    const bool good = lw_misses_init(&c->mshrs, params->mshrs, params->mshrs * LW_DATA_MERGES);
    if (!good || c->places == NULL || c->looking == NULL || c->dirty == NULL || c->far == NULL) {
        lw_data_cache_free(c);
        return NULL;
    }
    return c;
}

void lw_data_cache_free(lw_data_cache *c) {
    if (c == NULL) {
        return;
    }
    free(c->places);
    free(c->looking);
    free(c->dirty);
    free(c->far);
    lw_misses_free(&c->mshrs);
    free(c);
}

void lw_data_cache_invalidate(lw_data_cache *c) {
    c->epoch++;
}

/* ---------------------------------------------------------------- the pipeline */

static place *set_of(const lw_data_cache *c, uint64_t line) {
    uint64_t hashed = line;
    for (uint64_t rest = line >> c->set_bits; c->params.hash && rest != 0; rest >>= c->set_bits) {
        hashed ^= rest;
    }
    return &c->places[(hashed & (c->sets - 1)) * c->params.ways];
}

bool lw_data_cache_takes(const lw_data_cache *c, uint64_t now) {
    return c->count < c->room && (c->cycle != now || c->taken < c->params.lookups);
}

void lw_data_cache_ask(lw_data_cache *c, uint64_t now, uint64_t line, bool store, uint32_t who) {
    c->taken = c->cycle == now ? c->taken + 1 : 1;
    c->cycle = now;
    const uint32_t last = c->head + c->count++;
    place *set = set_of(c, line);
    __builtin_prefetch(set); /* until it is due, the host has it at hand */
    c->looking[last < c->room ? last : last - c->room] = (lookup){
        .line = line, .due = now + c->params.latency, .set = set, .who = who, .store = store};
}

bool lw_data_cache_is_empty(const lw_data_cache *c) {
    return c->count == 0;
}

static place *find(const lw_data_cache *c, place *set, uint64_t line) {
    for (uint32_t w = 0; w < c->params.ways; w++) {
        if (set[w].line == line && set[w].epoch == c->epoch) {
            return &set[w];
        }
    }
    return NULL;
}

/* The MSHR of a line that is not there, a new one if need be; LW_NO_MISS where the lookup waits. */
static uint32_t mshr_of(lw_data_cache *c, const lookup *l, bool *is_new) {
    uint32_t mshr = lw_misses_find(&c->mshrs, 0, l->line, 0);
    *is_new = mshr == LW_NO_MISS;
    if ((!l->store && c->mshrs.free_waiter_count == 0) ||
        (*is_new && c->mshrs.free_count <= c->victims)) {
        return LW_NO_MISS;
    }
    if (*is_new) {
        mshr = lw_misses_add(&c->mshrs, 0, l->line, 0);
        c->dirty[mshr] = c->far[mshr] = false;
    }
    return mshr;
}

void lw_data_cache_drop(lw_data_cache *c, uint64_t line) {
    place *p = find(c, set_of(c, line), line);
    if (p != NULL) {
        p->epoch = c->epoch - 1;
    }
}

static void touch(lw_data_cache *c, place *p, bool makes_dirty) {
    p->used = ++c->clock;
    p->dirty = p->dirty || makes_dirty;
}

/* An empty way, or the one used longest ago. */
static place *way_to_fill(const lw_data_cache *c, uint64_t line) {
    place *set = set_of(c, line);
    place *oldest = set;
    for (uint32_t w = 0; w < c->params.ways; w++) {
        if (set[w].epoch != c->epoch) {
            return &set[w];
        }
        oldest = set[w].used < oldest->used ? &set[w] : oldest;
    }
    return oldest;
}

/* The line is there from now on; true where a dirty one, `victim`, made room for it. */
static bool put(lw_data_cache *c, uint64_t line, bool in_part, bool dirty, uint64_t *victim) {
    place *p = way_to_fill(c, line);
    const bool writes = p->epoch == c->epoch && p->dirty;
    *victim = p->line;
    *p = (place){.line = line, .epoch = c->epoch, .in_part = in_part};
    touch(c, p, dirty);
    c->victims += writes ? 1 : 0;
    c->counts.writebacks += writes ? 1 : 0;
    return writes;
}

/* What the oldest lookup comes to; false where it waits. */
static bool outcome(lw_data_cache *c, const lookup *l, const place *p, lw_data_lookup *out) {
    *out = (lw_data_lookup){.line = l->line, .who = l->who, .store = l->store};
    if (l->store && !c->params.write_back) {
        out->passes = c->stores < c->params.mshrs;
        c->stores += out->passes ? 1 : 0;
        return out->passes;
    }
    if (p != NULL && (l->store || !p->in_part)) {
        out->answered = true;
        return true;
    }
    if (l->store && !c->params.store_fetch &&
        lw_misses_find(&c->mshrs, 0, l->line, 0) == LW_NO_MISS) {
        out->answered = c->mshrs.free_count > c->victims; /* a place for the victim, if need be */
        out->evicts = out->answered && put(c, l->line, true, true, &out->victim);
        return out->answered;
    }
    out->mshr = mshr_of(c, l, &out->asks);
    if (out->mshr == LW_NO_MISS) {
        return false;
    }
    out->answered = l->store;
    out->far = !l->store && c->far[out->mshr];
    c->dirty[out->mshr] = c->dirty[out->mshr] || l->store;
    if (!l->store) {
        lw_misses_wait(&c->mshrs, out->mshr, l->who);
    }
    return true;
}

bool lw_data_cache_decide(lw_data_cache *c, uint64_t now, lw_data_lookup *out) {
    if (c->stalled) {
        return false;
    }
    if (c->decision != now) {
        c->decision = now;
        c->decided = 0;
    }
    if (c->count == 0 || c->looking[c->head].due > now || c->decided == c->params.lookups) {
        return false;
    }
    const lookup l = c->looking[c->head];
    place *p = find(c, l.set, l.line);
    c->stalled = !outcome(c, &l, p, out);
    if (c->stalled) {
        return false;
    }
    if (p != NULL) {
        touch(c, p, l.store && c->params.write_back);
    }
    c->head = c->head + 1 == c->room ? 0 : c->head + 1;
    c->count--;
    c->decided++;
    c->counts.stores += l.store ? 1 : 0;
    c->counts.store_hits += l.store && p != NULL ? 1 : 0;
    c->counts.hits += !l.store && out->answered ? 1 : 0;
    c->counts.misses += !l.store && !out->answered ? 1 : 0;
    return true;
}

/* ---------------------------------------------------------------- what comes from below */

bool lw_data_cache_fill(lw_data_cache *c, uint32_t mshr, uint64_t *victim) {
    const uint64_t line = c->mshrs.pool[mshr].page;
    place *p = find(c, set_of(c, line), line);
    if (p == NULL) {
        return put(c, line, false, c->dirty[mshr], victim);
    }
    p->in_part = false; /* around the bytes that stores have put there */
    touch(c, p, c->dirty[mshr]);
    return false;
}

bool lw_data_cache_wake(lw_data_cache *c, uint32_t mshr, uint32_t *who) {
    c->stalled = false;
    return lw_misses_wake(&c->mshrs, mshr, who);
}

void lw_data_cache_written(lw_data_cache *c) {
    c->victims--;
    c->stalled = false;
}

void lw_data_cache_stored(lw_data_cache *c) {
    c->stores--;
    c->stalled = false;
}

void lw_data_cache_is_far(lw_data_cache *c, uint32_t mshr, void (*each)(void *ctx, uint32_t who),
                          void *ctx) {
    if (c->far[mshr]) {
        return;
    }
    c->far[mshr] = true;
    for (uint32_t w = c->mshrs.pool[mshr].first_waiter; w != LW_NO_MISS;
         w = c->mshrs.waiters[w].next) {
        each(ctx, c->mshrs.waiters[w].who);
    }
}

bool lw_data_cache_far(const lw_data_cache *c, uint32_t mshr) {
    return c->far[mshr];
}

uint64_t lw_data_cache_next_event(const lw_data_cache *c, uint64_t now) {
    if (c->count == 0 || c->stalled) {
        return UINT64_MAX;
    }
    const uint64_t due = c->looking[c->head].due;
    return due > now ? due : now + 1;
}

void lw_data_cache_add_counts(const lw_data_cache *c, lw_data_cache_counts *counts) {
    counts->hits += c->counts.hits;
    counts->misses += c->counts.misses;
    counts->stores += c->counts.stores;
    counts->store_hits += c->counts.store_hits;
    counts->writebacks += c->counts.writebacks;
}
