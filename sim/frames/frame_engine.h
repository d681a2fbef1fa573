/* The two engines of the frame allocator, for the files of this folder.
 *
 * A list hands frames out in a given order (contiguous, random, pagemap); a buddy splits and joins
 * aligned blocks. Neither gives sentences: false means that nothing fits. */
#ifndef LW_SIM_FRAMES_FRAME_ENGINE_H
#define LW_SIM_FRAMES_FRAME_ENGINE_H

#include "common/error.h"

#include <stdbool.h>
#include <stdint.h>

#define LW_ORDER_COUNT 19 /* orders 0..18 */

typedef struct lw_frame_engine {
    void *state;
    bool (*take_aligned)(void *state, uint32_t order, uint64_t *first);
    bool (*take_extent)(void *state, uint64_t want, uint64_t *first, uint64_t *got);
    bool (*is_taken)(void *state, uint64_t frame);  /* any frame number */
    void (*give_back)(void *state, uint64_t frame); /* a taken one */
    uint64_t (*available)(void *state);
    void (*destroy)(void *state);
    uint64_t end; /* past its highest frame */
} lw_frame_engine;

/* Frames first .. first + count - 1 ascending, or, with `shuffle`, in a random order; aligned runs
 * are then searched from a random place on. False: no memory. */
bool lw_frame_list_dense(lw_frame_engine *e, uint64_t first, uint64_t count, bool shuffle,
                         uint64_t seed);

/* Exactly these frames in this order, from the file `where`; takes over the array (malloc), also
 * where it fails: no memory, or a frame stands in it twice. */
bool lw_frame_list_given(lw_frame_engine *e, uint64_t *frames, uint64_t count, const char *where,
                         lw_error *err);

/* A buddy allocator of `count` frames from `first` on, a multiple of 2^18, of which a share is
 * pinned before anything else. False: no memory. */
typedef struct lw_buddy_config {
    uint64_t first, count;
    uint32_t pinned_percent;
    uint32_t lowest_order, highest_order; /* of the aligned blocks that are pinned, drawn evenly */
    bool on_demand; /* extents come from the smallest free blocks first, else from the largest */
    uint64_t seed;
} lw_buddy_config;
bool lw_frame_buddy(lw_frame_engine *e, const lw_buddy_config *config);

/* Frame numbers from a text file or from this process; NULL and a sentence on failure, also where
 * one does not lie below 2^(pa_width-12). The array is the caller's (free). */
uint64_t *lw_frames_from_file(const char *path, uint32_t pa_width, uint64_t *count, lw_error *err);
uint64_t *lw_frames_from_self(uint64_t count, uint32_t pa_width, lw_error *err);

#endif
