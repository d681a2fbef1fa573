#include "oracle/change_log.h"

#include "common/room.h"

#include <stdlib.h>
#include <string.h>

#define CHAINS 1024u
#define END UINT32_MAX

typedef struct range {
    uint32_t pasid;
    uint64_t first, last;
    bool covered;
    uint32_t number_after_drop;
} range;

typedef struct entry_change {
    uint64_t pa, value;
    uint32_t range;
    uint32_t next; /* in the chain of its address hash; END: the last */
} entry_change;

typedef struct root_change {
    lw_old_root root;
    uint32_t pasid;
    uint32_t range;
} root_change;

typedef struct vector {
    void *items;
    size_t count, capacity;
} vector;

struct lw_change_log {
    vector ranges, entries, roots;
    uint32_t chains[CHAINS];
};

/* A place for one more item, NULL without memory. */
static void *add_item(vector *v, size_t item_size) {
    if (!lw_room(&v->items, &v->capacity, v->count + 1, item_size)) {
        return NULL;
    }
    return (char *)v->items + v->count++ * item_size;
}

lw_change_log *lw_change_log_new(void) {
    lw_change_log *l = calloc(1, sizeof *l);
    if (l != NULL) {
        memset(l->chains, 0xff, sizeof l->chains);
    }
    return l;
}

void lw_change_log_free(lw_change_log *l) {
    if (l == NULL) {
        return;
    }
    free(l->ranges.items);
    free(l->entries.items);
    free(l->roots.items);
    free(l);
}

bool lw_change_log_empty(const lw_change_log *l) {
    return l->entries.count == 0 && l->roots.count == 0;
}

bool lw_change_log_remember(lw_change_log *l, uint32_t pasid, uint64_t first, uint64_t last) {
    range *r = add_item(&l->ranges, sizeof *r);
    if (r == NULL) {
        return false;
    }
    *r = (range){.pasid = pasid, .first = first, .last = last};
    return true;
}

/* The range that a change belongs to: the newest not covered; false where there is none. */
static bool open_range(const lw_change_log *l, uint32_t *number) {
    const range *ranges = l->ranges.items;
    for (size_t i = l->ranges.count; i > 0; i--) {
        if (!ranges[i - 1].covered) {
            *number = (uint32_t)(i - 1);
            return true;
        }
    }
    return false;
}

static uint32_t chain_of(uint64_t pa) {
    return (uint32_t)((pa * UINT64_C(0x9e3779b97f4a7c15)) >> 54) % CHAINS;
}

bool lw_change_log_entry(lw_change_log *l, uint64_t pa, uint64_t old_value) {
    uint32_t number = 0;
    if (!open_range(l, &number)) {
        return true;
    }
    uint32_t *chain = &l->chains[chain_of(pa)];
    /* an entry toggled a thousand times has two old values, not a thousand */
    const entry_change *entries = l->entries.items;
    for (uint32_t i = *chain; i != END; i = entries[i].next) {
        if (entries[i].pa == pa && entries[i].value == old_value && entries[i].range == number) {
            return true;
        }
    }
    entry_change *e = add_item(&l->entries, sizeof *e);
    if (e == NULL) {
        return false;
    }
    *e = (entry_change){.pa = pa, .value = old_value, .range = number, .next = *chain};
    *chain = (uint32_t)(l->entries.count - 1);
    return true;
}

bool lw_change_log_root(lw_change_log *l, uint32_t pasid, lw_old_root old) {
    uint32_t number = 0;
    if (!open_range(l, &number)) {
        return true;
    }
    root_change *r = add_item(&l->roots, sizeof *r);
    if (r == NULL) {
        return false;
    }
    *r = (root_change){.root = old, .pasid = pasid, .range = number};
    return true;
}

bool lw_change_log_old_entry(const lw_change_log *l, uint64_t pa, size_t n, uint64_t *value) {
    const entry_change *entries = l->entries.items;
    for (uint32_t i = l->chains[chain_of(pa)]; i != END; i = entries[i].next) {
        if (entries[i].pa == pa && n-- == 0) {
            *value = entries[i].value;
            return true;
        }
    }
    return false;
}

bool lw_change_log_old_root(const lw_change_log *l, uint32_t pasid, size_t n, lw_old_root *root) {
    const root_change *roots = l->roots.items;
    for (size_t i = 0; i < l->roots.count; i++) {
        if (roots[i].pasid == pasid && n-- == 0) {
            *root = roots[i].root;
            return true;
        }
    }
    return false;
}

void lw_change_log_cover(lw_change_log *l, uint32_t pasid, uint64_t first, uint64_t last) {
    range *ranges = l->ranges.items;
    for (size_t i = 0; i < l->ranges.count; i++) {
        range *r = &ranges[i];
        bool inside = r->first >= first && r->last <= last;
        if (inside && (pasid == UINT32_MAX || r->pasid == pasid)) {
            r->covered = true;
        }
    }
}

void lw_change_log_drop_covered(lw_change_log *l) {
    range *ranges = l->ranges.items;
    /* the old numbers must stay readable until the changes are renumbered: ranges move last */
    uint32_t kept = 0;
    for (size_t i = 0; i < l->ranges.count; i++) {
        ranges[i].number_after_drop = ranges[i].covered ? END : kept++;
    }

    entry_change *entries = l->entries.items;
    size_t entries_before = l->entries.count;
    l->entries.count = 0;
    memset(l->chains, 0xff, sizeof l->chains);
    for (size_t i = 0; i < entries_before; i++) {
        entry_change e = entries[i];
        e.range = ranges[e.range].number_after_drop;
        if (e.range != END) {
            uint32_t *chain = &l->chains[chain_of(e.pa)];
            e.next = *chain;
            *chain = (uint32_t)l->entries.count;
            entries[l->entries.count++] = e;
        }
    }

    root_change *roots = l->roots.items;
    size_t roots_before = l->roots.count;
    l->roots.count = 0;
    for (size_t i = 0; i < roots_before; i++) {
        root_change r = roots[i];
        r.range = ranges[r.range].number_after_drop;
        if (r.range != END) {
            roots[l->roots.count++] = r;
        }
    }

    size_t ranges_before = l->ranges.count;
    l->ranges.count = 0;
    for (size_t i = 0; i < ranges_before; i++) {
        if (!ranges[i].covered) {
            ranges[l->ranges.count++] = ranges[i];
        }
    }
}
