#include "gpu/gpu_tlb.h"

#include <stdlib.h>

#define NO_ENTRY UINT32_MAX

/* A lookup and a fill happen for nearly every translation, so neither scans: entries are found by
 * hashing, and each set is a list from the entry used last to the one used first. Empty entries
 * stand at the old end, so that the oldest is always the one to fill. */
typedef struct entry {
    uint64_t key; /* pasid << 52 | page of the first, plus one: 0 is an empty way */
    uint32_t perm, span;
    uint32_t next_in_bucket;
    uint32_t newer, older; /* in the set */
} entry;

typedef struct set {
    uint32_t newest, oldest;
} set;

struct lw_gpu_tlb {
    uint32_t sets, ways;
    uint32_t spans; /* bit s: an entry of span s may be there */
    entry *entries; /* set x ways + way */
    set *lists;
    uint32_t *buckets;
    uint32_t bucket_bits;
};

lw_gpu_tlb *lw_gpu_tlb_new(uint32_t sets, uint32_t ways) {
    const uint32_t count = sets * ways;
    lw_gpu_tlb *t = calloc(1, sizeof *t);
    if (t == NULL) {
        return NULL;
    }
    t->sets = sets;
    t->ways = ways;
    t->bucket_bits = 1;
    while (UINT32_C(1) << t->bucket_bits < 2 * count) {
        t->bucket_bits++;
    }
    t->entries = calloc(count, sizeof *t->entries);
    t->lists = calloc(sets, sizeof *t->lists);
    t->buckets = malloc(sizeof *t->buckets << t->bucket_bits);
    if (t->entries == NULL || t->lists == NULL || t->buckets == NULL) {
        lw_gpu_tlb_free(t);
        return NULL;
    }
    for (uint32_t b = 0; b < UINT32_C(1) << t->bucket_bits; b++) {
        t->buckets[b] = NO_ENTRY;
    }
    for (uint32_t s = 0; s < sets; s++) {
        const uint32_t first = s * ways;
        const uint32_t last = first + ways - 1;
        t->lists[s] = (set){first, last};
        for (uint32_t e = first; e <= last; e++) {
            t->entries[e].newer = e == first ? NO_ENTRY : e - 1;
            t->entries[e].older = e == last ? NO_ENTRY : e + 1;
        }
    }
    return t;
}

void lw_gpu_tlb_free(lw_gpu_tlb *t) {
    if (t == NULL) {
        return;
    }
    free(t->entries);
    free(t->lists);
    free(t->buckets);
    free(t);
}

static uint64_t key_of(uint32_t pasid, uint64_t page, uint32_t span) {
    return ((uint64_t)pasid << 52 | page >> span << span) + 1;
}

static set *set_of(lw_gpu_tlb *t, uint64_t page, uint32_t span) {
    return &t->lists[page >> span & (t->sets - 1)];
}

static uint32_t *bucket_of(const lw_gpu_tlb *t, uint64_t key) {
    return &t->buckets[(key * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - t->bucket_bits)];
}

static uint32_t find(const lw_gpu_tlb *t, uint64_t key, uint32_t span) {
    uint32_t e = *bucket_of(t, key);
    while (e != NO_ENTRY && (t->entries[e].key != key || t->entries[e].span != span)) {
        e = t->entries[e].next_in_bucket;
    }
    return e;
}

/* Takes an entry out of the buckets; it is empty then. */
static void forget(lw_gpu_tlb *t, uint32_t e) {
    uint32_t *link = bucket_of(t, t->entries[e].key);
    while (*link != e) {
        link = &t->entries[*link].next_in_bucket;
    }
    *link = t->entries[e].next_in_bucket;
    t->entries[e].key = 0;
}

static void unlink_entry(lw_gpu_tlb *t, set *list, uint32_t e) {
    const entry *x = &t->entries[e];
    *(x->newer == NO_ENTRY ? &list->newest : &t->entries[x->newer].older) = x->older;
    *(x->older == NO_ENTRY ? &list->oldest : &t->entries[x->older].newer) = x->newer;
}

static void make_newest(lw_gpu_tlb *t, uint32_t e, set *list) {
    entry *x = &t->entries[e];
    if (list->newest == e) {
        return;
    }
    unlink_entry(t, list, e);
    x->newer = NO_ENTRY;
    x->older = list->newest;
    t->entries[list->newest].newer = e;
    list->newest = e;
}

static void make_oldest(lw_gpu_tlb *t, uint32_t e, set *list) {
    entry *x = &t->entries[e];
    if (list->oldest == e) {
        return;
    }
    unlink_entry(t, list, e);
    x->older = NO_ENTRY;
    x->newer = list->oldest;
    t->entries[list->oldest].older = e;
    list->oldest = e;
}

static bool grants(uint32_t perm, uint32_t access) {
    uint32_t need = (access & 2) != 0 ? 2 : access & 1;
    return (perm & need) == need;
}

bool lw_gpu_tlb_lookup(lw_gpu_tlb *t, uint32_t pasid, uint64_t page, uint32_t access,
                       uint32_t *perm, uint32_t *span_found) {
    for (uint32_t spans = t->spans; spans != 0; spans &= spans - 1) {
        const uint32_t span = (uint32_t)__builtin_ctz(spans);
        const uint32_t e = find(t, key_of(pasid, page, span), span);
        if (e != NO_ENTRY && grants(t->entries[e].perm, access)) {
            make_newest(t, e, set_of(t, page, span));
            *perm = t->entries[e].perm;
            *span_found = span;
            return true;
        }
    }
    return false;
}

void lw_gpu_tlb_fill(lw_gpu_tlb *t, uint32_t pasid, uint64_t page, uint32_t span, uint32_t perm) {
    const uint64_t key = key_of(pasid, page, span);
    set *list = set_of(t, page, span);
    uint32_t e = find(t, key, span);
    t->spans |= UINT32_C(1) << span;
    if (e == NO_ENTRY) {
        uint32_t *bucket = bucket_of(t, key);
        e = list->oldest;
        if (t->entries[e].key != 0) {
            forget(t, e);
        }
        t->entries[e].key = key;
        t->entries[e].span = span;
        t->entries[e].next_in_bucket = *bucket;
        *bucket = e;
    }
    t->entries[e].perm = perm;
    make_newest(t, e, list);
}

void lw_gpu_tlb_shootdown(lw_gpu_tlb *t, uint32_t type, uint32_t pasid) {
    for (uint32_t e = 0; e < t->sets * t->ways; e++) {
        const uint64_t key = t->entries[e].key;
        if (key != 0 && (type == 3 || (key - 1) >> 52 == pasid)) {
            forget(t, e);
            make_oldest(t, e, &t->lists[e / t->ways]);
        }
    }
}
