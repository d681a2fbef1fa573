/* A cache in front of a memory, for data or lines of page tables: set associative, true LRU, with
 * MSHRs. Time alone: no data.
 *
 * A lookup is taken while the pipeline has a place, `lookups` of them a cycle, and decided
 * `latency` cycles later, in order. One that cannot be decided waits, and those behind it with it,
 * of which no more than `lookups` a cycle are decided afterwards.
 *   a load that hits           is answered;
 *   a load that misses         waits in the MSHR of its line, which asks below if it is new;
 *   a store, write-back        makes its line dirty and is answered at once. A line that is not
 *                              there (write-allocate) is brought in with `store_fetch`; without,
 *                              the store takes a place for its own bytes, and the line comes with
 *                              the first load of it, which is a miss, whatever bytes it wants;
 *   a store, write-through     updates its line if that is there, and passes below (no
 *                              write-allocate); `mshrs` of them may be under way.
 * A lookup waits where it needs an MSHR and none is free, where the MSHRs have no place for another
 * load (LW_DATA_MERGES each in the mean), or a store has no place below. A dirty victim takes the
 * place of its MSHR until memory has taken it. */
#ifndef LW_SIM_MEMORY_DATA_CACHE_H
#define LW_SIM_MEMORY_DATA_CACHE_H

#include "common/error.h"

#include <stdbool.h>
#include <stdint.h>

enum { LW_DATA_MERGES = 8 }; /* GPGPU-Sim's Fermi and later: so many requests an MSHR */

typedef struct lw_data_cache_params {
    uint32_t kib;     /* [1..65536] */
    uint32_t ways;    /* [1..64], kib in lines / ways: a power of two */
    uint32_t line;    /* bytes, 64 or 128 */
    uint32_t latency; /* cycles from a lookup to its decision [1..1000] */
    uint32_t lookups; /* in a cycle [1..64] */
    uint32_t mshrs;   /* [1..4096] */
    bool write_back;  /* else write-through, without write-allocate */
    bool store_fetch; /* write-back: a store that misses brings its line in */
    bool hash;        /* all bits of a line's number choose its set, not its lowest alone */
} lw_data_cache_params;

typedef struct lw_data_cache lw_data_cache;

/* False and a sentence: `name` opens the keys' names ("l1d": l1d_kib). */
bool lw_data_cache_check(const lw_data_cache_params *params, const char *name, lw_error *err);
/* Params that are good. NULL where there is no memory. */
lw_data_cache *lw_data_cache_new(const lw_data_cache_params *params);
void lw_data_cache_free(lw_data_cache *c);
/* Every line is gone, dirty or not; this line is, if it is there. One that is still to come for an
 * MSHR comes all the same. */
void lw_data_cache_invalidate(lw_data_cache *c);
void lw_data_cache_drop(lw_data_cache *c, uint64_t line);

/* Whether a lookup is taken in this cycle; taking one. `line` is the byte address by the line's
 * size, `who` what comes back. */
bool lw_data_cache_takes(const lw_data_cache *c, uint64_t now);
void lw_data_cache_ask(lw_data_cache *c, uint64_t now, uint64_t line, bool store, uint32_t who);

/* Whether no lookup is under way in the pipeline. */
bool lw_data_cache_is_empty(const lw_data_cache *c);

/* A lookup that is decided. */
typedef struct lw_data_lookup {
    uint64_t line;
    uint32_t who;
    bool store;
    bool answered; /* the load hit, or the write-back cache has the store */
    bool asks;     /* the line is to be asked for below, for `mshr` */
    bool passes;   /* the store is to go below */
    bool far;      /* the load has joined an MSHR that lw_data_cache_is_far was said of */
    uint32_t mshr; /* of a miss */
    bool evicts;   /* a store has made room for itself: `victim` is to be written below */
    uint64_t victim;
} lw_data_lookup;

/* Decides the oldest lookup; false where none is due, or where it waits. */
bool lw_data_cache_decide(lw_data_cache *c, uint64_t now, lw_data_lookup *lookup);

/* The line of an MSHR has come: true, and the line that has to be written below, where a dirty one
 * makes room for it. Then lw_data_cache_wake, until it says false. */
bool lw_data_cache_fill(lw_data_cache *c, uint32_t mshr, uint64_t *victim);
/* The next load of an MSHR whose line has come; false: the MSHR is free. */
bool lw_data_cache_wake(lw_data_cache *c, uint32_t mshr, uint32_t *who);
/* A victim has been written; a store that passed has been taken below. */
void lw_data_cache_written(lw_data_cache *c);
void lw_data_cache_stored(lw_data_cache *c);

/* The line of an MSHR comes from far below; `each` gets the loads that wait for it so far. */
void lw_data_cache_is_far(lw_data_cache *c, uint32_t mshr, void (*each)(void *ctx, uint32_t who),
                          void *ctx);
bool lw_data_cache_far(const lw_data_cache *c, uint32_t mshr);

/* The first cycle after `now` in which a lookup is due; UINT64_MAX where none is, also where the
 * oldest waits for something that happens outside. */
uint64_t lw_data_cache_next_event(const lw_data_cache *c, uint64_t now);

typedef struct lw_data_cache_counts {
    uint64_t hits, misses;       /* of loads; one that joins an MSHR is a miss */
    uint64_t stores, store_hits; /* store_hits of them found their line */
    uint64_t writebacks;         /* dirty victims */
} lw_data_cache_counts;
/* Adds the cache's counts. */
void lw_data_cache_add_counts(const lw_data_cache *c, lw_data_cache_counts *counts);

#endif
