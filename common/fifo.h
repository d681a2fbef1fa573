/* A ring of 32-bit values with fixed room, first in, first out. */
#ifndef LW_COMMON_FIFO_H
#define LW_COMMON_FIFO_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct lw_fifo {
    uint32_t *items;
    uint32_t head, count, room;
} lw_fifo;

static inline bool lw_fifo_init(lw_fifo *f, uint32_t room) {
    *f = (lw_fifo){calloc(room, sizeof *f->items), 0, 0, room};
    return f->items != NULL;
}

static inline void lw_fifo_free(lw_fifo *f) {
    free(f->items);
}

/* Only while count < room. */
static inline void lw_fifo_push(lw_fifo *f, uint32_t value) {
    uint32_t at = f->head + f->count++;
    f->items[at < f->room ? at : at - f->room] = value;
}

/* Only while count > 0. */
static inline uint32_t lw_fifo_first(const lw_fifo *f) {
    return f->items[f->head];
}

static inline uint32_t lw_fifo_pop(lw_fifo *f) {
    uint32_t value = f->items[f->head];
    f->head = f->head + 1 == f->room ? 0 : f->head + 1;
    f->count--;
    return value;
}

#endif
