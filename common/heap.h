/* A binary heap of 32-bit values by 64-bit key, smallest first; equal keys in the order of the
 * values. Its room is fixed when it is made, so nothing is allocated afterwards. */
#ifndef LW_COMMON_HEAP_H
#define LW_COMMON_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct lw_heap_item {
    uint64_t key;
    uint32_t value;
} lw_heap_item;

typedef struct lw_heap {
    lw_heap_item *items;
    size_t count, room;
} lw_heap;

bool lw_heap_init(lw_heap *h, size_t room);
void lw_heap_free(lw_heap *h);
/* Only while count < room. */
void lw_heap_push(lw_heap *h, uint64_t key, uint32_t value);
/* Only while count > 0: the smallest. */
uint32_t lw_heap_pop(lw_heap *h);
/* The smallest key, UINT64_MAX where there is none. */
static inline uint64_t lw_heap_first(const lw_heap *h) {
    return h->count == 0 ? UINT64_MAX : h->items[0].key;
}

#endif
