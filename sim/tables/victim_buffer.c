#include "sim/tables/victim_buffer.h"

#include "sim/tables/hashed_layout.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ENTRIES = 512, INDEX_BITS = 9 };

typedef struct node {
    uint64_t frame;
    void *child[ENTRIES]; /* nodes, at level 2 those of leaves */
} node;

/* A level-1 node: the leaves of its regions, and the nodes that were made before it. */
typedef struct leaf_node {
    uint64_t frame;
    struct leaf_node *next;
    lw_victim_leaf leaves[];
} leaf_node;

struct lw_victim_buffer {
    lw_word_queue *queue;
    lw_phys_mem *mem;
    lw_frame_allocator *frames;
    uint32_t levels;
    uint32_t slot_pages;
    uint64_t nodes;
    leaf_node *last;
    node *roots[LW_TAG_PASIDS];
};

lw_victim_buffer *lw_victim_buffer_new(lw_word_queue *queue, lw_phys_mem *mem,
                                       lw_frame_allocator *frames, uint32_t levels,
                                       uint32_t slot_pages, lw_error *err) {
    lw_victim_buffer *v = calloc(1, sizeof *v);
    if (v == NULL) {
        (void)lw_fail(err, "victim buffer: the host has no memory left");
        return NULL;
    }
    v->queue = queue;
    v->mem = mem;
    v->frames = frames;
    v->levels = levels;
    v->slot_pages = slot_pages;
    return v;
}

/* A tree is at most five levels high: the recursion is as deep. */
static void free_node(lw_victim_buffer *v, node *n, uint32_t level) { // NOLINT(misc-no-recursion)
    for (int i = 0; i < ENTRIES; i++) {
        if (n->child[i] != NULL && level > 2) {
            free_node(v, n->child[i], level - 1);
        }
    }
    (void)lw_frame_release(v->frames, n->frame, 1, NULL);
    free(n);
}

void lw_victim_buffer_free(lw_victim_buffer *v) {
    if (v == NULL) {
        return;
    }
    for (int p = 0; p < LW_TAG_PASIDS; p++) {
        if (v->roots[p] != NULL) {
            free_node(v, v->roots[p], v->levels);
        }
    }
    while (v->last != NULL) {
        leaf_node *n = v->last;
        v->last = n->next;
        (void)lw_frame_release(v->frames, n->frame, 1, NULL);
        free(n);
    }
    free(v);
}

/* A frame of zeros. What was there before is nobody's: it is emptied at once. */
static bool new_frame(lw_victim_buffer *v, uint64_t *frame, lw_error *err) {
    if (!lw_frame_alloc(v->frames, frame, err)) {
        return false;
    }
    lw_phys_mem_clear_frame(v->mem, *frame);
    v->nodes++;
    return true;
}

static node *new_node(lw_victim_buffer *v, lw_error *err) {
    node *n = calloc(1, sizeof *n);
    if (n == NULL) {
        (void)lw_fail(err, "victim buffer: the host has no memory left");
        return NULL;
    }
    if (!new_frame(v, &n->frame, err)) {
        free(n);
        return NULL;
    }
    return n;
}

/* Regions of a level-1 node. */
static uint32_t leaves_of(const lw_victim_buffer *v) {
    return ENTRIES / v->slot_pages;
}

static leaf_node *new_leaf_node(lw_victim_buffer *v, lw_error *err) {
    leaf_node *n = calloc(1, sizeof *n + leaves_of(v) * sizeof n->leaves[0]);
    if (n == NULL) {
        (void)lw_fail(err, "victim buffer: the host has no memory left");
        return NULL;
    }
    if (!new_frame(v, &n->frame, err)) {
        free(n);
        return NULL;
    }
    for (uint32_t i = 0; i < leaves_of(v); i++) {
        n->leaves[i].pa = (n->frame << LW_PAGE_SHIFT) + (uint64_t)i * v->slot_pages * 8;
    }
    n->next = v->last;
    v->last = n;
    return n;
}

bool lw_victim_buffer_add(lw_victim_buffer *v, uint32_t pasid, lw_error *err) {
    if (pasid >= LW_TAG_PASIDS || v->roots[pasid] != NULL) {
        return lw_fail(err,
                       "victim buffer: PASID %" PRIu32 " is not in 0..%d, or has a tree already",
                       pasid, LW_TAG_PASIDS - 1);
    }
    v->roots[pasid] = new_node(v, err);
    return v->roots[pasid] != NULL;
}

bool lw_victim_buffer_root(const lw_victim_buffer *v, uint32_t pasid, uint64_t *frame) {
    if (pasid >= LW_TAG_PASIDS || v->roots[pasid] == NULL) {
        return false;
    }
    *frame = v->roots[pasid]->frame;
    return true;
}

/* Of the level-1 node in which the region lies, the index at a level above. */
static uint32_t index_of(const lw_victim_buffer *v, uint64_t region, uint32_t level) {
    return (uint32_t)(region / leaves_of(v) >> (INDEX_BITS * (level - 2))) % ENTRIES;
}

static lw_victim_leaf *leaf_in(const lw_victim_buffer *v, leaf_node *n, uint64_t region) {
    return &n->leaves[region % leaves_of(v)];
}

lw_victim_leaf *lw_victim_buffer_find(const lw_victim_buffer *v, uint32_t pasid, uint64_t region) {
    void *at = pasid < LW_TAG_PASIDS ? v->roots[pasid] : NULL;
    for (uint32_t level = v->levels; level >= 2 && at != NULL; level--) {
        at = ((node *)at)->child[index_of(v, region, level)];
    }
    return at == NULL ? NULL : leaf_in(v, at, region);
}

lw_victim_leaf *lw_victim_buffer_make(lw_victim_buffer *v, uint32_t pasid, uint64_t region,
                                      lw_error *err) {
    node *n = v->roots[pasid];
    for (uint32_t level = v->levels;; level--) {
        const uint32_t index = index_of(v, region, level);
        if (n->child[index] == NULL) {
            uint64_t frame = 0;
            if (level == 2) {
                leaf_node *made = new_leaf_node(v, err);
                n->child[index] = made;
                frame = made == NULL ? 0 : made->frame;
            } else {
                node *below = new_node(v, err);
                n->child[index] = below;
                frame = below == NULL ? 0 : below->frame;
            }
            if (n->child[index] == NULL ||
                !lw_word_queue_add(v->queue, (n->frame << LW_PAGE_SHIFT) + index * UINT64_C(8),
                                   frame << LW_PAGE_SHIFT | LW_PTE_P | LW_PTE_RW | LW_PTE_US,
                                   err)) {
                return NULL;
            }
        }
        if (level == 2) {
            return leaf_in(v, n->child[index], region);
        }
        n = n->child[index];
    }
}

void lw_victim_buffer_leave(lw_victim_leaf *which) {
    *which = (lw_victim_leaf){.pa = which->pa, .stale = true};
}

bool lw_victim_buffer_empty(lw_victim_buffer *v, lw_victim_leaf *which, lw_error *err) {
    for (uint32_t i = 0; i < v->slot_pages; i++) {
        if (!lw_word_queue_add(v->queue, which->pa + i * UINT64_C(8), 0, err)) {
            return false;
        }
    }
    *which = (lw_victim_leaf){.pa = which->pa};
    return true;
}

bool lw_victim_buffer_settle(lw_victim_buffer *v, lw_error *err) {
    for (leaf_node *n = v->last; n != NULL; n = n->next) {
        for (uint32_t i = 0; i < leaves_of(v); i++) {
            if (n->leaves[i].stale && !lw_victim_buffer_empty(v, &n->leaves[i], err)) {
                return false;
            }
        }
    }
    return true;
}

uint64_t lw_victim_buffer_nodes(const lw_victim_buffer *v) {
    return v->nodes;
}

uint64_t lw_victim_buffer_regions(const lw_victim_buffer *v) {
    uint64_t regions = 0;
    for (const leaf_node *n = v->last; n != NULL; n = n->next) {
        for (uint32_t i = 0; i < leaves_of(v); i++) {
            regions += n->leaves[i].live;
        }
    }
    return regions;
}
