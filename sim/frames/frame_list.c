#include "common/bits.h"
#include "common/rng.h"
#include "sim/frames/frame_engine.h"

#include <inttypes.h>
#include <stdlib.h>

/* A frame's position is its place in the order of handing out; its rank, its place in ascending
 * order. A dense list's frames follow one another, so rank = frame - first. */
typedef struct frame_list {
    uint64_t first, count; /* first: of a dense list */
    uint64_t *order;       /* frame by position; NULL: ascending and dense */
    uint64_t *sorted;      /* frame by rank; NULL: dense */
    uint32_t *positions;   /* position by rank; NULL with `order` */
    uint64_t *taken;       /* bit set by rank, so that a run of frames is a run of bits */
    uint64_t taken_count;
    uint64_t cursor;  /* every position below it is taken */
    uint32_t none_of; /* no aligned run of 2^none_of frames is free, nor a longer one */
    bool shuffled;
    lw_rng rng;
} frame_list;

enum { NO_ORDER = 64 }; /* none_of, where every order may have a free run */

static uint64_t frame_at(const frame_list *l, uint64_t position) {
    return l->order == NULL ? l->first + position : l->order[position];
}

/* False where the frame is not of this list. */
static bool find_rank(const frame_list *l, uint64_t frame, uint64_t *rank) {
    if (l->sorted == NULL) {
        *rank = frame - l->first; /* wraps for frames below: then not below count */
        return *rank < l->count;
    }
    uint64_t low = 0, high = l->count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (l->sorted[middle] < frame) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *rank = low;
    return low < l->count && l->sorted[low] == frame;
}

static bool is_taken(const frame_list *l, uint64_t frame) {
    uint64_t rank = 0;
    return find_rank(l, frame, &rank) && lw_bits_get(l->taken, rank);
}

static bool list_is_taken(void *state, uint64_t frame) {
    return is_taken(state, frame);
}

/* Frames differ, so those of a run follow each other by rank too, where the list has them all. */
static bool take_run_if_free(frame_list *l, uint64_t first, uint64_t frames) {
    uint64_t rank = 0, last = 0;
    if (!find_rank(l, first, &rank) || !find_rank(l, first + frames - 1, &last) ||
        last - rank != frames - 1 || lw_bits_any(l->taken, rank, frames)) {
        return false;
    }
    lw_bits_set_run(l->taken, rank, frames);
    l->taken_count += frames;
    return true;
}

static void move_cursor(frame_list *l) {
    while (l->cursor < l->count && is_taken(l, frame_at(l, l->cursor))) {
        l->cursor++;
    }
}

static bool take_run_of_list(frame_list *l, uint32_t order, uint64_t *first) {
    uint64_t frames = UINT64_C(1) << order;
    for (uint64_t position = l->cursor; position < l->count && order < l->none_of; position++) {
        uint64_t frame = l->order[position];
        if (frame % frames == 0 && take_run_if_free(l, frame, frames)) {
            *first = frame;
            return true;
        }
    }
    return false;
}

static bool take_run_of_dense(frame_list *l, uint32_t order, uint64_t *first) {
    uint64_t frames = UINT64_C(1) << order;
    uint64_t blocks = l->count / frames;
    if (blocks == 0) {
        return false;
    }
    uint64_t start = l->shuffled ? lw_rng_below(&l->rng, blocks) : l->cursor / frames;
    for (uint64_t i = 0; i < blocks && order < l->none_of; i++) {
        uint64_t frame = l->first + (start + i) % blocks * frames;
        if (take_run_if_free(l, frame, frames)) {
            *first = frame;
            return true;
        }
    }
    return false;
}

static bool list_take_extent(void *state, uint64_t want, uint64_t *first, uint64_t *got) {
    frame_list *l = state;
    move_cursor(l);
    uint64_t position = l->cursor;
    if (position == l->count) {
        return false;
    }
    *first = frame_at(l, position);
    *got = 0;
    while (*got < want && position < l->count && frame_at(l, position) == *first + *got &&
           take_run_if_free(l, *first + *got, 1)) {
        position++;
        ++*got;
    }
    return true;
}

static bool list_take_aligned(void *state, uint32_t order, uint64_t *first) {
    frame_list *l = state;
    uint64_t got = 0;
    if (order == 0) {
        return list_take_extent(l, 1, first, &got);
    }
    move_cursor(l);
    const bool found =
        l->sorted != NULL ? take_run_of_list(l, order, first) : take_run_of_dense(l, order, first);
    l->none_of = found || l->none_of < order ? l->none_of : order;
    return found;
}

static void list_give_back(void *state, uint64_t frame) {
    frame_list *l = state;
    uint64_t rank = 0;
    if (!find_rank(l, frame, &rank)) {
        return;
    }
    const uint64_t position = l->positions == NULL ? rank : l->positions[rank];
    lw_bits_clear(l->taken, rank);
    l->taken_count--;
    l->none_of = NO_ORDER;
    l->cursor = position < l->cursor ? position : l->cursor;
}

static uint64_t list_available(void *state) {
    const frame_list *l = state;
    return l->count - l->taken_count;
}

static void list_destroy(void *state) {
    frame_list *l = state;
    free(l->order);
    free(l->sorted);
    free(l->positions);
    free(l->taken);
    free(l);
}

static frame_list *new_list(lw_frame_engine *e, uint64_t count) {
    frame_list *l = calloc(1, sizeof *l);
    uint64_t *taken = lw_bits_new(count);
    if (l == NULL || taken == NULL) {
        free(l);
        free(taken);
        return NULL;
    }
    l->count = count;
    l->taken = taken;
    l->none_of = NO_ORDER;
    *e = (lw_frame_engine){l,
                           list_take_aligned,
                           list_take_extent,
                           list_is_taken,
                           list_give_back,
                           list_available,
                           list_destroy,
                           0};
    return l;
}

static bool shuffle_list(frame_list *l) {
    l->order = malloc(l->count * sizeof *l->order);
    l->positions = malloc(l->count * sizeof *l->positions);
    if (l->order == NULL || l->positions == NULL) {
        return false;
    }
    for (uint64_t i = 0; i < l->count; i++) {
        /* Fisher-Yates, inside out */
        uint64_t j = lw_rng_below(&l->rng, i + 1);
        l->order[i] = l->order[j];
        l->order[j] = l->first + i;
    }
    for (uint64_t i = 0; i < l->count; i++) {
        l->positions[l->order[i] - l->first] = (uint32_t)i;
    }
    return true;
}

bool lw_frame_list_dense(lw_frame_engine *e, uint64_t first, uint64_t count, bool shuffle,
                         uint64_t seed) {
    frame_list *l = new_list(e, count);
    if (l == NULL) {
        return false;
    }
    l->first = first;
    e->end = first + count;
    l->shuffled = shuffle;
    lw_rng_seed(&l->rng, seed);
    if (shuffle && !shuffle_list(l)) {
        list_destroy(l);
        return false;
    }
    return true;
}

typedef struct place {
    uint64_t frame;
    uint32_t position;
} place;

static int compare_places(const void *a, const void *b) {
    uint64_t x = ((const place *)a)->frame;
    uint64_t y = ((const place *)b)->frame;
    return (x > y) - (x < y);
}

/* Fills sorted and positions. */
static bool sort_list(frame_list *l, const char *where, lw_error *err) {
    place *places = malloc(l->count * sizeof *places);
    l->sorted = malloc(l->count * sizeof *l->sorted);
    l->positions = malloc(l->count * sizeof *l->positions);
    if (places == NULL || l->sorted == NULL || l->positions == NULL) {
        free(places);
        return lw_fail(err, "frame allocator: the host has no memory left");
    }
    for (uint64_t i = 0; i < l->count; i++) {
        places[i] = (place){l->order[i], (uint32_t)i};
    }
    qsort(places, l->count, sizeof *places, compare_places);
    for (uint64_t i = 0; i < l->count; i++) {
        l->sorted[i] = places[i].frame;
        l->positions[i] = places[i].position;
    }
    free(places);
    for (uint64_t i = 1; i < l->count; i++) {
        if (l->sorted[i] == l->sorted[i - 1]) {
            return lw_fail(err, "%s: frame 0x%" PRIx64 " stands there twice; allowed: once", where,
                           l->sorted[i]);
        }
    }
    return true;
}

bool lw_frame_list_given(lw_frame_engine *e, uint64_t *frames, uint64_t count, const char *where,
                         lw_error *err) {
    frame_list *l = new_list(e, count);
    if (l == NULL) {
        free(frames);
        return lw_fail(err, "frame allocator: the host has no memory left");
    }
    l->order = frames;
    if (!sort_list(l, where, err)) {
        list_destroy(l);
        return false;
    }
    e->end = l->sorted[count - 1] + 1;
    return true;
}
