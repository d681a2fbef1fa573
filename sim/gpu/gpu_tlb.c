#include "sim/gpu/gpu_tlb.h"

#include "c_model/base/ports.h"

#include <stdlib.h>

#define NO_ENTRY UINT32_MAX
#define PAGES ((UINT64_C(1) << 52) - 1) /* numbers of pages: VA[63:12] */

enum {
    RUN_SPAN = 2,
    PLACES = 1 << RUN_SPAN
}; /* the span of entries that are runs: their group's */

/* A lookup and a fill happen for nearly every translation, so neither scans: entries are found by
 * hashing, and each set is a list from the entry used last to the one used first. Empty entries
 * stand at the old end, so that the oldest is always the one to fill. */
typedef struct entry {
    uint64_t key;  /* pasid << 52 | page of the first, plus one: 0 is an empty way */
    uint64_t base; /* the frame of that first page, be it in the run or not */
    uint32_t perm, span;
    uint32_t first, last; /* of a run: its places in the group; else all of them */
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

static uint32_t place_of(uint64_t page) {
    return (uint32_t)page % PLACES;
}

lw_gpu_run lw_gpu_run_of(uint64_t page, uint32_t links) {
    lw_gpu_run run = {place_of(page), place_of(page)};
    while (run.first > 0 && (links >> (run.first - 1) & 1) != 0) {
        run.first--;
    }
    while (run.last < PLACES - 1 && (links >> run.last & 1) != 0) {
        run.last++;
    }
    return run;
}

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

/* The page's place in an entry of this span. */
static uint64_t offset_of(uint64_t page, uint32_t span) {
    return page & ((UINT64_C(1) << span) - 1);
}

/* The entry of this span that covers the page: there is at most one. */
static uint32_t find(const lw_gpu_tlb *t, uint32_t pasid, uint64_t page, uint32_t span) {
    const uint64_t key = key_of(pasid, page, span);
    const uint32_t place = place_of(page);
    uint32_t e = *bucket_of(t, key);
    while (e != NO_ENTRY && (t->entries[e].key != key || t->entries[e].span != span ||
                             place < t->entries[e].first || place > t->entries[e].last)) {
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
                       lw_gpu_reach *reach) {
    for (uint32_t spans = t->spans; spans != 0; spans &= spans - 1) {
        const uint32_t span = (uint32_t)__builtin_ctz(spans);
        const uint32_t e = find(t, pasid, page, span);
        if (e != NO_ENTRY && grants(t->entries[e].perm, access)) {
            make_newest(t, e, set_of(t, page, span));
            *reach = (lw_gpu_reach){.span = span == RUN_SPAN ? 0 : span,
                                    .perm = t->entries[e].perm,
                                    .pfn = t->entries[e].base + offset_of(page, span)};
            return true;
        }
    }
    return false;
}

static void drop(lw_gpu_tlb *t, uint32_t e) {
    forget(t, e);
    make_oldest(t, e, &t->lists[e / t->ways]);
}

/* The oldest way of the page's set, now the newest, for what the caller writes there. */
static entry *take(lw_gpu_tlb *t, uint32_t pasid, uint64_t page, uint32_t span) {
    const uint64_t key = key_of(pasid, page, span);
    set *list = set_of(t, page, span);
    uint32_t *bucket = bucket_of(t, key);
    const uint32_t e = list->oldest;
    if (t->entries[e].key != 0) {
        forget(t, e);
    }
    t->entries[e].key = key;
    t->entries[e].span = span;
    t->entries[e].next_in_bucket = *bucket;
    *bucket = e;
    t->spans |= UINT32_C(1) << span;
    make_newest(t, e, list);
    return &t->entries[e];
}

static void fill_page(lw_gpu_tlb *t, uint32_t pasid, uint64_t page, const lw_gpu_reach *reach) {
    const uint32_t e = find(t, pasid, page, reach->span);
    if (e != NO_ENTRY) {
        t->entries[e].perm = reach->perm;
        t->entries[e].base = reach->pfn - offset_of(page, reach->span);
        make_newest(t, e, set_of(t, page, reach->span));
        return;
    }
    entry *x = take(t, pasid, page, reach->span);
    x->perm = reach->perm;
    x->base = reach->pfn - offset_of(page, reach->span);
    x->first = 0;
    x->last = PLACES - 1;
}

static void fill_run(lw_gpu_tlb *t, uint32_t pasid, uint64_t page, const lw_gpu_reach *reach) {
    const lw_gpu_run run = lw_gpu_run_of(page, reach->links);
    const uint64_t group = page - place_of(page);
    for (uint32_t place = run.first; place <= run.last; place++) {
        const uint32_t single = find(t, pasid, group + place, 0);
        const uint32_t other = find(t, pasid, group + place, RUN_SPAN);
        if (single != NO_ENTRY) {
            drop(t, single);
        }
        if (other == NO_ENTRY) {
            continue;
        }
        const entry *x = &t->entries[other];
        if (x->first <= run.first && x->last >= run.last && x->perm == reach->perm) {
            make_newest(t, other, set_of(t, page, RUN_SPAN));
            return;
        }
        drop(t, other);
    }
    entry *x = take(t, pasid, page, RUN_SPAN);
    x->perm = reach->perm;
    x->base = reach->pfn - offset_of(page, RUN_SPAN);
    x->first = run.first;
    x->last = run.last;
}

void lw_gpu_tlb_fill(lw_gpu_tlb *t, uint32_t pasid, uint64_t page, const lw_gpu_reach *reach) {
    const lw_gpu_run run = lw_gpu_run_of(page, reach->links);
    (run.first == run.last ? fill_page : fill_run)(t, pasid, page, reach);
}

/* Whether an entry covers a page of a shootdown that is not for one page alone. */
static bool is_covered(const entry *x, const lw_gpu_shootdown *shootdown) {
    if (shootdown->type == LW_INV_ALL || (x->key - 1) >> 52 != shootdown->pasid) {
        return shootdown->type == LW_INV_ALL;
    }
    const uint64_t base = (x->key - 1) & PAGES;
    const bool is_run = x->span == RUN_SPAN;
    const uint64_t first = is_run ? base + x->first : base;
    const uint64_t last = is_run ? base + x->last : base + offset_of(PAGES, x->span);
    return shootdown->type == LW_INV_PASID ||
           (shootdown->first <= shootdown->last && first <= shootdown->last &&
            last >= shootdown->first);
}

static void shoot_page(lw_gpu_tlb *t, uint32_t pasid, uint64_t page) {
    for (uint32_t spans = t->spans; spans != 0; spans &= spans - 1) {
        const uint32_t e = find(t, pasid, page, (uint32_t)__builtin_ctz(spans));
        if (e != NO_ENTRY) {
            drop(t, e);
        }
    }
}

void lw_gpu_tlb_shootdown(lw_gpu_tlb *t, const lw_gpu_shootdown *shootdown) {
    if (shootdown->type == LW_INV_PAGE) {
        shoot_page(t, shootdown->pasid, shootdown->first);
        return;
    }
    for (uint32_t e = 0; e < t->sets * t->ways; e++) {
        if (t->entries[e].key != 0 && is_covered(&t->entries[e], shootdown)) {
            drop(t, e);
        }
    }
}
