#include "sim/memory/misses.h"

#include <stdlib.h>

enum { MAX_BUCKET_BITS = 14 };

bool lw_misses_init(lw_misses *m, uint32_t room, uint32_t waiters) {
    uint32_t bits = 1;
    /* Seldom is more than a fraction of a large pool in use; short buckets stay in the cache. */
    while (UINT64_C(1) << bits < room && bits < MAX_BUCKET_BITS) {
        bits++;
    }
    const size_t buckets = (size_t)1 << bits;
    *m = (lw_misses){
        .pool = calloc(room, sizeof *m->pool),
        .free = calloc(room, sizeof *m->free),
        .free_count = room,
        .room = room,
        .buckets = malloc(buckets * sizeof *m->buckets),
        .bucket_bits = bits,
        .waiters = calloc(waiters, sizeof *m->waiters),
        .free_waiters = calloc(waiters, sizeof *m->free_waiters),
        .free_waiter_count = waiters,
    };
    if (m->pool == NULL || m->free == NULL || m->buckets == NULL || m->waiters == NULL ||
        m->free_waiters == NULL) {
        return false;
    }
    for (size_t i = 0; i < buckets; i++) {
        m->buckets[i] = LW_NO_MISS;
    }
    for (uint32_t i = 0; i < room; i++) {
        m->free[i] = room - 1 - i;
    }
    for (uint32_t i = 0; i < waiters; i++) {
        m->free_waiters[i] = waiters - 1 - i;
    }
    return true;
}

void lw_misses_free(lw_misses *m) {
    free(m->pool);
    free(m->free);
    free(m->buckets);
    free(m->waiters);
    free(m->free_waiters);
}

static uint32_t bucket_of(const lw_misses *m, uint32_t owner, uint64_t page, uint32_t access) {
    uint64_t h =
        (page ^ (uint64_t)owner << 40 ^ (uint64_t)access << 60) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(h >> (64 - m->bucket_bits)); /* the upper bits depend on all of the key */
}

uint32_t lw_misses_find(const lw_misses *m, uint32_t owner, uint64_t page, uint32_t access) {
    uint32_t i = m->buckets[bucket_of(m, owner, page, access)];
    while (i != LW_NO_MISS &&
           (m->pool[i].owner != owner || m->pool[i].page != page || m->pool[i].access != access)) {
        i = m->pool[i].next_in_bucket;
    }
    return i;
}

uint32_t lw_misses_add(lw_misses *m, uint32_t owner, uint64_t page, uint32_t access) {
    uint32_t i = m->free[--m->free_count];
    uint32_t *bucket = &m->buckets[bucket_of(m, owner, page, access)];
    m->pool[i] = (lw_mshr){page, owner, access, LW_NO_MISS, LW_NO_MISS, *bucket};
    *bucket = i;
    return i;
}

void lw_misses_wait(lw_misses *m, uint32_t miss, uint32_t who) {
    uint32_t w = m->free_waiters[--m->free_waiter_count];
    m->waiters[w] = (lw_waiter){who, LW_NO_MISS};
    if (m->pool[miss].first_waiter == LW_NO_MISS) {
        m->pool[miss].first_waiter = w;
    } else {
        m->waiters[m->pool[miss].last_waiter].next = w;
    }
    m->pool[miss].last_waiter = w;
}

static void drop(lw_misses *m, uint32_t miss) {
    const lw_mshr *gone = &m->pool[miss];
    uint32_t *link = &m->buckets[bucket_of(m, gone->owner, gone->page, gone->access)];
    while (*link != miss) {
        link = &m->pool[*link].next_in_bucket;
    }
    *link = gone->next_in_bucket;
    m->free[m->free_count++] = miss;
}

bool lw_misses_wake(lw_misses *m, uint32_t miss, uint32_t *who) {
    uint32_t w = m->pool[miss].first_waiter;
    if (w == LW_NO_MISS) {
        drop(m, miss);
        return false;
    }
    *who = m->waiters[w].who;
    m->pool[miss].first_waiter = m->waiters[w].next;
    m->free_waiters[m->free_waiter_count++] = w;
    return true;
}
