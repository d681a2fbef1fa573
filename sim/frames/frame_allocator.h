/* The OS's allocator of physical 4 KiB frames: which frame a page gets is what contiguity, and with
 * it half of the mechanisms compared here, depends on.
 *
 * Policies (text form, lw_frame_policy_parse):
 *   contiguous     ascending from the first frame; a freed frame is taken again first
 *   buddy:FRAG     a binary buddy allocator, orders 0 (4 KiB) .. 18 (1 GiB), lowest address first.
 *                  Before anything else FRAG percent (0..75) of the frames, chosen uniformly at
 *                  random, are pinned, as if a memhog process held them.
 *   memhog:FRAG    the same, but the FRAG percent are pinned in runs of 16 to 4096 frames, as
 *                  memhog leaves them, and a process gets its pages one by one on demand: first
 *                  the small free blocks, then pages in a row from the large ones, as Linux does
 *   random         a uniform permutation of the frames
 *   pagemap        the frames Linux gave to a freshly touched region of this process, in the order
 *                  of its pages (/proc/self/pagemap; needs CAP_SYS_ADMIN)
 *   pagemap:FILE   frame numbers from a text file, in its order: one a line, decimal or 0x...;
 *                  blank lines and what follows a '#' are skipped
 *
 * No frame is ever given out twice. The same policy, size and seed give the same frames (except
 * `pagemap`, where Linux decides). */
#ifndef LW_SIM_FRAMES_FRAME_ALLOCATOR_H
#define LW_SIM_FRAMES_FRAME_ALLOCATOR_H

#include "common/error.h"

#include <stdbool.h>
#include <stdint.h>

/* Orders of aligned runs: 2^order frames. */
#define LW_ORDER_4K 0u
#define LW_ORDER_64K 4u
#define LW_ORDER_2M 9u
#define LW_ORDER_1G 18u

#define LW_FRAMES_MAX (UINT64_C(1) << 26) /* 256 GiB */

typedef enum lw_frame_policy_kind {
    LW_FRAMES_CONTIGUOUS,
    LW_FRAMES_BUDDY,
    LW_FRAMES_MEMHOG,
    LW_FRAMES_RANDOM,
    LW_FRAMES_PAGEMAP
} lw_frame_policy_kind;

typedef struct lw_frame_policy {
    lw_frame_policy_kind kind;
    uint32_t fragmentation; /* buddy, memhog: percent pinned, 0..75 */
    char path[256];         /* pagemap: the file; "" for this process */
} lw_frame_policy;

/* Reads a policy's text form; on failure a sentence that names the allowed ones and begins with
 * `mapping`, the key that holds one (lw_fail_key). */
bool lw_frame_policy_parse(const char *text, lw_frame_policy *policy, lw_error *err);

typedef struct lw_frame_allocator_config {
    lw_frame_policy policy;
    uint64_t first_frame; /* the memory is first_frame .. first_frame + frames - 1; a multiple of
                             2^18 (1 GiB); not used by pagemap:FILE and pagemap */
    uint64_t frames;   /* 1..LW_FRAMES_MAX; pagemap: the pages to touch; pagemap:FILE: not used */
    uint32_t pa_width; /* 32..52: every frame lies below 2^(pa_width-12) */
    uint64_t seed;
} lw_frame_allocator_config;

typedef struct lw_frame_allocator lw_frame_allocator;

/* NULL and a sentence: a value out of range, a file that cannot be read or holds a frame twice or
 * beyond pa_width, a kernel that hides frame numbers, no memory. */
lw_frame_allocator *lw_frame_allocator_new(const lw_frame_allocator_config *config, lw_error *err);
void lw_frame_allocator_free(lw_frame_allocator *a);

/* Frames that can still be given out, and frames given out now. Pinned frames are in neither. */
uint64_t lw_frame_allocator_available(const lw_frame_allocator *a);
uint64_t lw_frame_allocator_in_use(const lw_frame_allocator *a);
/* The number past that of its highest frame, pinned ones included. */
uint64_t lw_frame_allocator_end(const lw_frame_allocator *a);

/* One frame. */
bool lw_frame_alloc(lw_frame_allocator *a, uint64_t *frame, lw_error *err);

/* 2^order frames in a row, the first a multiple of 2^order; order 0..18. Fails where no such run is
 * free. Contiguous and buddy take the lowest, random a random one, pagemap the first of its list.
 */
bool lw_frame_alloc_aligned(lw_frame_allocator *a, uint32_t order, uint64_t *first, lw_error *err);

/* As many frames in a row as the policy gives at once for `want` pages (want >= 1); *got is how
 * many, 1..want. Buddy: the largest free block of at most `want` frames; memhog: the smallest; the
 * others: the frames that come next, as far as they follow one another. An OS that populates an
 * array calls it until all is mapped. */
bool lw_frame_alloc_extent(lw_frame_allocator *a, uint64_t want, uint64_t *first, uint64_t *got,
                           lw_error *err);

/* Gives back `count` frames from `first` on, each given out before (in whatever pieces). False and
 * a sentence, with nothing given back, where one of them is not. */
bool lw_frame_release(lw_frame_allocator *a, uint64_t first, uint64_t count, lw_error *err);

#endif
