#include "common/heap.h"

#include <stdlib.h>

bool lw_heap_init(lw_heap *h, size_t room) {
    h->items = calloc(room, sizeof *h->items);
    h->count = 0;
    h->room = room;
    return h->items != NULL;
}

void lw_heap_free(lw_heap *h) {
    free(h->items);
    h->items = NULL;
}

static bool before(lw_heap_item a, lw_heap_item b) {
    return a.key != b.key ? a.key < b.key : a.value < b.value;
}

void lw_heap_push(lw_heap *h, uint64_t key, uint32_t value) {
    lw_heap_item item = {key, value};
    size_t at = h->count++;
    while (at > 0 && before(item, h->items[(at - 1) / 2])) {
        h->items[at] = h->items[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    h->items[at] = item;
}

uint32_t lw_heap_pop(lw_heap *h) {
    uint32_t value = h->items[0].value;
    lw_heap_item item = h->items[--h->count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child >= h->count) {
            break;
        }
        if (child + 1 < h->count && before(h->items[child + 1], h->items[child])) {
            child++;
        }
        if (!before(h->items[child], item)) {
            break;
        }
        h->items[at] = h->items[child];
        at = child;
    }
    h->items[at] = item;
    return value;
}
