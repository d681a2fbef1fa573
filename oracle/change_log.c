#include "oracle/change_log.h"

#include "common/room.h"

#include <stdlib.h>
#include <string.h>

#define CHAINS 1024u
#define END UINT32_MAX

typedef struct old_entry {
    uint64_t pa;
    lw_flat_old old;
    uint32_t next; /* in the chain of its address hash; END: the last */
} old_entry;

typedef struct old_root {
    lw_root root;
    uint32_t pasid;
    uint64_t until;
} old_root;

typedef struct vector {
    void *items;
    size_t count, capacity;
} vector;

struct lw_change_log {
    vector entries, roots;
    uint64_t newest;
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
    free(l->entries.items);
    free(l->roots.items);
    free(l);
}

uint64_t lw_change_log_newest(const lw_change_log *l) {
    return l->entries.count + l->roots.count == 0 ? 0 : l->newest;
}

static uint32_t chain_of(uint64_t pa) {
    return (uint32_t)((pa * UINT64_C(0x9e3779b97f4a7c15)) >> 54) % CHAINS;
}

bool lw_change_log_entry(lw_change_log *l, uint64_t pa, uint64_t old_value, uint64_t now) {
    uint32_t *chain = &l->chains[chain_of(pa)];
    l->newest = now;
    /* an entry toggled a thousand times has two old values, not a thousand */
    old_entry *entries = l->entries.items;
    for (uint32_t i = *chain; i != END; i = entries[i].next) {
        if (entries[i].pa == pa && entries[i].old.value == old_value) {
            entries[i].old.until = now;
            return true;
        }
    }
    old_entry *e = add_item(&l->entries, sizeof *e);
    if (e == NULL) {
        return false;
    }
    *e = (old_entry){.pa = pa, .old = {old_value, now}, .next = *chain};
    *chain = (uint32_t)(l->entries.count - 1);
    return true;
}

static bool same_root(lw_root a, lw_root b) {
    return a.valid == b.valid && a.frame == b.frame;
}

bool lw_change_log_root(lw_change_log *l, uint32_t pasid, lw_root old, uint64_t now) {
    old_root *roots = l->roots.items;
    l->newest = now;
    for (size_t i = 0; i < l->roots.count; i++) {
        if (roots[i].pasid == pasid && same_root(roots[i].root, old)) {
            roots[i].until = now;
            return true;
        }
    }
    old_root *r = add_item(&l->roots, sizeof *r);
    if (r == NULL) {
        return false;
    }
    *r = (old_root){.root = old, .pasid = pasid, .until = now};
    return true;
}

bool lw_change_log_old_entry(const lw_change_log *l, uint64_t pa, size_t n, lw_flat_old *old) {
    const old_entry *entries = l->entries.items;
    for (uint32_t i = l->chains[chain_of(pa)]; i != END; i = entries[i].next) {
        if (entries[i].pa == pa && n-- == 0) {
            *old = entries[i].old;
            return true;
        }
    }
    return false;
}

bool lw_change_log_old_root(const lw_change_log *l, uint32_t pasid, size_t n, lw_root *root,
                            uint64_t *until) {
    const old_root *roots = l->roots.items;
    for (size_t i = 0; i < l->roots.count; i++) {
        if (roots[i].pasid == pasid && n-- == 0) {
            *root = roots[i].root;
            *until = roots[i].until;
            return true;
        }
    }
    return false;
}

typedef struct forgetting {
    uint64_t time;
    bool one_entry; /* only this, and only what has a bit more than it has now */
    uint64_t pa, bits;
} forgetting;

static bool forgets(const forgetting *f, const old_entry *e) {
    const bool meant = !f->one_entry || (e->pa == f->pa && (e->old.value & f->bits) != 0);
    return meant && e->old.until < f->time;
}

/* The chains are built anew: what is left moves down. */
static void forget_entries(lw_change_log *l, const forgetting *f) {
    old_entry *entries = l->entries.items;
    const size_t before = l->entries.count;
    l->entries.count = 0;
    memset(l->chains, 0xff, sizeof l->chains);
    for (size_t i = 0; i < before; i++) {
        old_entry e = entries[i];
        if (!forgets(f, &e)) {
            uint32_t *chain = &l->chains[chain_of(e.pa)];
            e.next = *chain;
            *chain = (uint32_t)l->entries.count;
            entries[l->entries.count++] = e;
        }
    }
}

void lw_change_log_forget(lw_change_log *l, uint64_t time) {
    old_root *roots = l->roots.items;
    const size_t before = l->roots.count;
    forget_entries(l, &(forgetting){.time = time});
    l->roots.count = 0;
    for (size_t i = 0; i < before; i++) {
        if (roots[i].until >= time) {
            roots[l->roots.count++] = roots[i];
        }
    }
}

void lw_change_log_forget_bits(lw_change_log *l, uint64_t pa, uint64_t mask, uint64_t present,
                               uint64_t time) {
    forget_entries(
        l, &(forgetting){.time = time, .one_entry = true, .pa = pa, .bits = mask & ~present});
}
