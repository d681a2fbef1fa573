/* A cache of page-table lines between the unit's line port and main memory: what NHA measures
 * itself against (its section VI, Figure 14). Read only and of time alone: what a line holds is
 * asked of the tables when it is answered, so that it needs no invalidation.
 *
 * Reads of walks are looked up, one a cycle, and decided `latency` cycles later; one that hits has
 * then finished, one that misses waits for its line from the memory below, as do those that ask for
 * the same line meanwhile. Whatever is not a walk's read goes to the memory below as it is. */
#ifndef LW_SIM_MEMORY_PTE_CACHE_H
#define LW_SIM_MEMORY_PTE_CACHE_H

#include "common/error.h"
#include "sim/memory/memory.h"

typedef struct lw_pte_cache_params {
    uint32_t kib;     /* [1..65536] */
    uint32_t ways;    /* [1..64], lines / ways a power of two */
    uint32_t latency; /* [1..1000] */
} lw_pte_cache_params;

typedef struct lw_pte_cache lw_pte_cache;

/* `below` outlives it. NULL and a sentence where a value is out of range or there is no memory. */
lw_pte_cache *lw_pte_cache_new(const lw_pte_cache_params *params, lw_memory *below, lw_error *err);
void lw_pte_cache_free(lw_pte_cache *c);

/* The memory that its users see; it is the cache's own. */
lw_memory *lw_pte_cache_memory(lw_pte_cache *c);

/* Reads of walks that found their line, and that did not. */
void lw_pte_cache_counts(const lw_pte_cache *c, uint64_t *hits, uint64_t *misses);

#endif
