#include "common/bits.h"
#include "common/rng.h"
#include "sim/frames/frame_engine.h"

#include <stdlib.h>

/* Block j of order k is the frames first + j x 2^k .. of that many. It is free as a whole if its
 * bit is set in the set of its order; no other set then has a bit for any of its frames. */
typedef struct buddy {
    uint64_t first, count;
    uint64_t *free_blocks[LW_ORDER_COUNT];
    uint64_t free_count[LW_ORDER_COUNT];
    uint64_t lowest_word[LW_ORDER_COUNT]; /* words of the set below it are zero */
    uint64_t *taken;                      /* by frame: given out; pinned frames are in no set */
    uint64_t available;
} buddy;

static void add_block(buddy *b, uint32_t order, uint64_t block) {
    lw_bits_set(b->free_blocks[order], block);
    b->free_count[order]++;
    if (block / 64 < b->lowest_word[order]) {
        b->lowest_word[order] = block / 64;
    }
}

static void remove_block(buddy *b, uint32_t order, uint64_t block) {
    lw_bits_clear(b->free_blocks[order], block);
    b->free_count[order]--;
}

/* Some block of this order is free. */
static uint64_t lowest_block(buddy *b, uint32_t order) {
    const uint64_t *set = b->free_blocks[order];
    while (set[b->lowest_word[order]] == 0) {
        b->lowest_word[order]++;
    }
    uint64_t word = b->lowest_word[order];
    return word * 64 + (uint64_t)__builtin_ctzll(set[word]);
}

static bool buddy_take_aligned(void *state, uint32_t order, uint64_t *first) {
    buddy *b = state;
    uint32_t from = order;
    while (from < LW_ORDER_COUNT && b->free_count[from] == 0) {
        from++;
    }
    if (from == LW_ORDER_COUNT) {
        return false;
    }
    uint64_t block = lowest_block(b, from);
    remove_block(b, from, block);
    while (from > order) {
        /* keep the lower half, free the upper */
        from--;
        block *= 2;
        add_block(b, from, block + 1);
    }
    uint64_t offset = block << order;
    uint64_t frames = UINT64_C(1) << order;
    for (uint64_t i = 0; i < frames; i++) {
        lw_bits_set(b->taken, offset + i);
    }
    b->available -= frames;
    *first = b->first + offset;
    return true;
}

/* As a process gets its pages one fault after the other: first what lies about in small pieces. */
static bool buddy_take_extent_on_demand(void *state, uint64_t want, uint64_t *first,
                                        uint64_t *got) {
    const buddy *b = state;
    uint32_t order = 0;
    while (order < LW_ORDER_COUNT - 1 && b->free_count[order] == 0 &&
           UINT64_C(2) << order <= want) {
        order++;
    }
    *got = UINT64_C(1) << order;
    return buddy_take_aligned(state, order, first);
}

static bool buddy_take_extent(void *state, uint64_t want, uint64_t *first, uint64_t *got) {
    uint32_t order = LW_ORDER_COUNT - 1;
    while (UINT64_C(1) << order > want) {
        order--;
    }
    for (;; order--) {
        if (buddy_take_aligned(state, order, first)) {
            *got = UINT64_C(1) << order;
            return true;
        }
        if (order == 0) {
            return false;
        }
    }
}

static bool buddy_is_taken(void *state, uint64_t frame) {
    const buddy *b = state;
    return frame >= b->first && frame - b->first < b->count &&
           lw_bits_get(b->taken, frame - b->first);
}

static void buddy_give_back(void *state, uint64_t frame) {
    buddy *b = state;
    uint64_t block = frame - b->first;
    lw_bits_clear(b->taken, block);
    b->available++;
    uint32_t order = 0;
    while (order < LW_ORDER_COUNT - 1 && lw_bits_get(b->free_blocks[order], block ^ 1)) {
        remove_block(b, order, block ^ 1);
        block /= 2;
        order++;
    }
    add_block(b, order, block);
}

static uint64_t buddy_available(void *state) {
    const buddy *b = state;
    return b->available;
}

static void buddy_destroy(void *state) {
    buddy *b = state;
    for (uint32_t order = 0; order < LW_ORDER_COUNT; order++) {
        free(b->free_blocks[order]);
    }
    free(b->taken);
    free(b);
}

/* Frees every frame but `pinned` of them, chosen so that each choice is equally likely. */
static void pin_frames(buddy *b, uint64_t pinned, lw_rng *rng) {
    for (uint64_t frame = 0; frame < b->count; frame++) {
        if (lw_rng_below(rng, b->count - frame) < pinned) {
            pinned--;
        } else {
            add_block(b, 0, frame);
            b->available++;
        }
    }
}

/* The same with blocks, which may fall on each other, until as many frames are pinned. */
static void pin_blocks(buddy *b, const lw_buddy_config *c, lw_rng *rng) {
    const uint64_t wanted = c->count * c->pinned_percent / 100;
    for (uint64_t pinned = 0; pinned < wanted;) {
        const uint32_t order =
            c->lowest_order +
            (uint32_t)lw_rng_below(rng, c->highest_order - c->lowest_order + UINT64_C(1));
        const uint64_t block = lw_rng_below(rng, c->count >> order);
        for (uint64_t i = 0; i < UINT64_C(1) << order; i++) {
            const uint64_t frame = (block << order) + i;
            pinned += lw_bits_get(b->taken, frame) ? 0 : 1;
            lw_bits_set(b->taken, frame);
        }
    }
    for (uint64_t frame = 0; frame < b->count; frame++) {
        if (lw_bits_get(b->taken, frame)) {
            lw_bits_clear(b->taken, frame);
        } else {
            add_block(b, 0, frame);
            b->available++;
        }
    }
}

static void join_free_blocks(buddy *b) {
    for (uint32_t order = 0; order + 1 < LW_ORDER_COUNT; order++) {
        uint64_t pairs = b->count >> (order + 1);
        for (uint64_t pair = 0; pair < pairs; pair++) {
            if (lw_bits_get(b->free_blocks[order], 2 * pair) &&
                lw_bits_get(b->free_blocks[order], 2 * pair + 1)) {
                remove_block(b, order, 2 * pair);
                remove_block(b, order, 2 * pair + 1);
                add_block(b, order + 1, pair);
            }
        }
    }
}

bool lw_frame_buddy(lw_frame_engine *e, const lw_buddy_config *config) {
    const uint64_t count = config->count;
    buddy *b = calloc(1, sizeof *b);
    if (b == NULL) {
        return false;
    }
    b->first = config->first;
    b->count = count;
    b->taken = lw_bits_new(count);
    bool complete = b->taken != NULL;
    for (uint32_t order = 0; order < LW_ORDER_COUNT; order++) {
        /* one bit more than blocks: the buddy of the last one may lie beyond the end */
        b->free_blocks[order] = lw_bits_new((count >> order) + 1);
        complete = complete && b->free_blocks[order] != NULL;
    }
    if (!complete) {
        buddy_destroy(b);
        return false;
    }
    lw_rng rng;
    lw_rng_seed(&rng, config->seed);
    if (config->highest_order == 0) {
        pin_frames(b, count * config->pinned_percent / 100, &rng);
    } else {
        pin_blocks(b, config, &rng);
    }
    join_free_blocks(b);
    *e = (lw_frame_engine){b,
                           buddy_take_aligned,
                           config->on_demand ? buddy_take_extent_on_demand : buddy_take_extent,
                           buddy_is_taken,
                           buddy_give_back,
                           buddy_available,
                           buddy_destroy,
                           b->first + count};
    return true;
}
