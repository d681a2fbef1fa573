#include "sim/os/victim_buffer.h"

#include "sim/os/hashed_layout.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ENTRIES = 512, INDEX_BITS = 9 };

typedef struct node {
    uint64_t frame;
    void *child[ENTRIES]; /* nodes, at level 2 leaves */
} node;

/* A leaf and those that were made before it. */
typedef struct leaf {
    lw_victim_leaf shown;
    struct leaf *next;
} leaf;

struct lw_victim_buffer {
    lw_word_queue *queue;
    lw_phys_mem *mem;
    lw_frame_allocator *frames;
    uint32_t levels;
    uint64_t nodes;
    leaf *leaves;
    node *roots[LW_TAG_PASIDS];
};

lw_victim_buffer *lw_victim_buffer_new(lw_word_queue *queue, lw_phys_mem *mem,
                                       lw_frame_allocator *frames, uint32_t levels, lw_error *err) {
    lw_victim_buffer *v = calloc(1, sizeof *v);
    if (v == NULL) {
        (void)lw_fail(err, "victim buffer: the host has no memory left");
        return NULL;
    }
    v->queue = queue;
    v->mem = mem;
    v->frames = frames;
    v->levels = levels;
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
    while (v->leaves != NULL) {
        leaf *l = v->leaves;
        v->leaves = l->next;
        (void)lw_frame_release(v->frames, l->shown.frame, 1, NULL);
        free(l);
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

static lw_victim_leaf *new_leaf(lw_victim_buffer *v, lw_error *err) {
    leaf *l = calloc(1, sizeof *l);
    if (l == NULL) {
        (void)lw_fail(err, "victim buffer: the host has no memory left");
        return NULL;
    }
    if (!new_frame(v, &l->shown.frame, err)) {
        free(l);
        return NULL;
    }
    l->next = v->leaves;
    v->leaves = l;
    return &l->shown;
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

static uint32_t index_of(uint64_t region, uint32_t level) {
    return (uint32_t)(region >> (INDEX_BITS * (level - 2))) % ENTRIES;
}

lw_victim_leaf *lw_victim_buffer_find(const lw_victim_buffer *v, uint32_t pasid, uint64_t region) {
    void *at = pasid < LW_TAG_PASIDS ? v->roots[pasid] : NULL;
    for (uint32_t level = v->levels; level >= 2 && at != NULL; level--) {
        at = ((node *)at)->child[index_of(region, level)];
    }
    return at;
}

lw_victim_leaf *lw_victim_buffer_make(lw_victim_buffer *v, uint32_t pasid, uint64_t region,
                                      lw_error *err) {
    node *n = v->roots[pasid];
    for (uint32_t level = v->levels;; level--) {
        const uint32_t index = index_of(region, level);
        if (n->child[index] == NULL) {
            uint64_t frame = 0;
            if (level == 2) {
                lw_victim_leaf *made = new_leaf(v, err);
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
            return n->child[index];
        }
        n = n->child[index];
    }
}

void lw_victim_buffer_leave(lw_victim_leaf *which) {
    *which = (lw_victim_leaf){.frame = which->frame, .stale = true};
}

bool lw_victim_buffer_empty(lw_victim_buffer *v, lw_victim_leaf *which, lw_error *err) {
    for (uint32_t i = 0; i < LW_REGION_PAGES; i++) {
        if (!lw_word_queue_add(v->queue, (which->frame << LW_PAGE_SHIFT) + i * UINT64_C(8), 0,
                               err)) {
            return false;
        }
    }
    *which = (lw_victim_leaf){.frame = which->frame};
    return true;
}

bool lw_victim_buffer_settle(lw_victim_buffer *v, lw_error *err) {
    for (leaf *l = v->leaves; l != NULL; l = l->next) {
        if (l->shown.stale && !lw_victim_buffer_empty(v, &l->shown, err)) {
            return false;
        }
    }
    return true;
}

uint64_t lw_victim_buffer_nodes(const lw_victim_buffer *v) {
    return v->nodes;
}

uint64_t lw_victim_buffer_regions(const lw_victim_buffer *v) {
    uint64_t regions = 0;
    for (const leaf *l = v->leaves; l != NULL; l = l->next) {
        regions += l->shown.live;
    }
    return regions;
}
