/* What TLBs and caches wait for: a pool of misses (MSHRs), each with the list of those that it will
 * wake.
 *
 * Used by the L1 TLBs (owner: CU and address space; waiters are pages of wave instructions), by the
 * L2 TLB (owner: address space; waiters are L1 misses) and by the data caches (`page` is the line's
 * number, owner and access are 0; waiters are loads). A second miss with the same key joins the
 * first. Found by hashing, nothing is scanned, nothing is allocated after init. */
#ifndef LW_SIM_MEMORY_MISSES_H
#define LW_SIM_MEMORY_MISSES_H

#include <stdbool.h>
#include <stdint.h>

#define LW_NO_MISS UINT32_MAX

typedef struct lw_mshr {
    uint64_t page;
    uint32_t owner;
    uint32_t access;
    uint32_t first_waiter, last_waiter; /* links below, LW_NO_MISS: none */
    uint32_t next_in_bucket;
} lw_mshr;

typedef struct lw_waiter {
    uint32_t who, next;
} lw_waiter;

typedef struct lw_misses {
    lw_mshr *pool;
    uint32_t *free; /* indices of the pool not in use */
    uint32_t free_count, room;
    uint32_t *buckets;
    uint32_t bucket_bits;
    lw_waiter *waiters;
    uint32_t *free_waiters;
    uint32_t free_waiter_count;
} lw_misses;

bool lw_misses_init(lw_misses *m, uint32_t room, uint32_t waiters);
void lw_misses_free(lw_misses *m);
/* The miss with this key, LW_NO_MISS if there is none. */
uint32_t lw_misses_find(const lw_misses *m, uint32_t owner, uint64_t page, uint32_t access);
/* A new one; only while free_count > 0. */
uint32_t lw_misses_add(lw_misses *m, uint32_t owner, uint64_t page, uint32_t access);
/* Adds a waiter at the end of its list; only while free_waiter_count > 0. */
void lw_misses_wait(lw_misses *m, uint32_t miss, uint32_t who);
/* Takes the first waiter: true and *who, or false and the miss is gone. */
bool lw_misses_wake(lw_misses *m, uint32_t miss, uint32_t *who);

#endif
