#include "sim/tables/word_queue.h"

#include "common/room.h"

#include <stdlib.h>

typedef struct word {
    uint64_t pa, value;
} word;

struct lw_word_queue {
    lw_phys_mem *mem;
    word *words; /* those from `next` on wait */
    size_t next, count, room;
    uint64_t written;
};

lw_word_queue *lw_word_queue_new(lw_phys_mem *mem, lw_error *err) {
    lw_word_queue *q = calloc(1, sizeof *q);
    if (q == NULL) {
        (void)lw_fail(err, "queue of words: the host has no memory left");
        return NULL;
    }
    q->mem = mem;
    return q;
}

void lw_word_queue_free(lw_word_queue *q) {
    if (q != NULL) {
        free(q->words);
    }
    free(q);
}

bool lw_word_queue_add(lw_word_queue *q, uint64_t pa, uint64_t value, lw_error *err) {
    void *words = q->words;
    if (q->next == q->count) {
        q->next = q->count = 0;
    }
    if (!lw_room(&words, &q->room, q->count + 1, sizeof *q->words)) {
        return lw_fail(err, "queue of words: the host has no memory left");
    }
    q->words = words;
    q->words[q->count++] = (word){pa, value};
    return true;
}

bool lw_word_queue_step(lw_word_queue *q, bool *written, lw_error *err) {
    *written = false;
    while (q->next < q->count && !*written) {
        const word w = q->words[q->next++];
        if (lw_phys_mem_read64(q->mem, w.pa) != w.value) {
            if (!lw_phys_mem_write64(q->mem, w.pa, w.value, err)) {
                return false;
            }
            q->written++;
            *written = true;
        }
    }
    return true;
}

bool lw_word_queue_drain(lw_word_queue *q, lw_error *err) {
    bool written = true;
    while (written) {
        if (!lw_word_queue_step(q, &written, err)) {
            return false;
        }
    }
    return true;
}

bool lw_word_queue_is_empty(const lw_word_queue *q) {
    return q->next == q->count;
}

uint64_t lw_word_queue_written(const lw_word_queue *q) {
    return q->written;
}
