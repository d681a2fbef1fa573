#include "sim/frames/frame_allocator.h"

#include "common/number.h"
#include "sim/frames/frame_engine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FRAGMENTATION_MAX 75
#define MEMHOG_LOWEST_ORDER 4
#define MEMHOG_HIGHEST_ORDER 12

static const char allowed[] =
    "contiguous, buddy:FRAG or memhog:FRAG (percent, 0..75), random, pagemap or pagemap:FILE";

struct lw_frame_allocator {
    lw_frame_engine engine;
    uint64_t in_use;
};

typedef enum policy_argument { ARGUMENT_NONE, ARGUMENT_PERCENT, ARGUMENT_PATH } policy_argument;

static const struct policy_form {
    const char *name;
    lw_frame_policy_kind kind;
    policy_argument argument;
} forms[] = {
    {"contiguous", LW_FRAMES_CONTIGUOUS, ARGUMENT_NONE},
    {"buddy", LW_FRAMES_BUDDY, ARGUMENT_PERCENT},
    {"memhog", LW_FRAMES_MEMHOG, ARGUMENT_PERCENT},
    {"random", LW_FRAMES_RANDOM, ARGUMENT_NONE},
    {"pagemap", LW_FRAMES_PAGEMAP, ARGUMENT_PATH},
};

/* `argument` is what follows the colon, NULL where there is none. */
static bool parse_argument(const struct policy_form *form, const char *argument,
                           lw_frame_policy *policy) {
    uint64_t percent = 0;
    switch (form->argument) {
    case ARGUMENT_NONE:
        return argument == NULL;
    case ARGUMENT_PERCENT:
        if (argument == NULL || !lw_number_read(&argument, FRAGMENTATION_MAX, &percent)) {
            return false;
        }
        policy->fragmentation = (uint32_t)percent;
        return *argument == '\0';
    case ARGUMENT_PATH:
        if (argument == NULL) {
            return true;
        }
        if (*argument == '\0' || strlen(argument) >= sizeof policy->path) {
            return false;
        }
        memcpy(policy->path, argument, strlen(argument) + 1);
        return true;
    }
    return false;
}

bool lw_frame_policy_parse(const char *text, lw_frame_policy *policy, lw_error *err) {
    size_t length = strcspn(text, ":");
    const char *argument = text[length] == ':' ? text + length + 1 : NULL;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        const struct policy_form *form = &forms[i];
        lw_frame_policy parsed = {.kind = form->kind};
        if (strlen(form->name) == length && strncmp(form->name, text, length) == 0 &&
            parse_argument(form, argument, &parsed)) {
            *policy = parsed;
            return true;
        }
    }
    return lw_fail_key(err, "mapping", " is \"%s\"; allowed: %s", text, allowed);
}

static bool config_in_range(const lw_frame_allocator_config *c, lw_error *err) {
    if (c->pa_width < 32 || c->pa_width > 52) {
        return lw_fail(err, "frame allocator: pa_width %" PRIu32 " is not in 32..52", c->pa_width);
    }
    if (c->policy.fragmentation > FRAGMENTATION_MAX) {
        return lw_fail(err, "frame allocator: fragmentation %" PRIu32 " is not in 0..%d percent",
                       c->policy.fragmentation, FRAGMENTATION_MAX);
    }
    bool pagemap = c->policy.kind == LW_FRAMES_PAGEMAP;
    if (pagemap && c->policy.path[0] != '\0') {
        return true;
    }
    if (c->frames < 1 || c->frames > LW_FRAMES_MAX) {
        return lw_fail(err, "frame allocator: %" PRIu64 " frames are not in 1..%" PRIu64, c->frames,
                       (uint64_t)LW_FRAMES_MAX);
    }
    if (pagemap) {
        return true;
    }
    if (c->first_frame % (UINT64_C(1) << LW_ORDER_1G) != 0) {
        return lw_fail(
            err, "frame allocator: first frame 0x%" PRIx64 " is not a multiple of 0x40000 (1 GiB)",
            c->first_frame);
    }
    uint64_t end = UINT64_C(1) << (c->pa_width - 12);
    if (c->first_frame >= end || c->frames > end - c->first_frame) {
        return lw_fail(err,
                       "frame allocator: %" PRIu64 " frames from 0x%" PRIx64
                       " do not fit a physical address of %" PRIu32 " bits",
                       c->frames, c->first_frame, c->pa_width);
    }
    return true;
}

static bool make_pagemap(lw_frame_engine *engine, const lw_frame_allocator_config *c,
                         lw_error *err) {
    uint64_t count = c->frames;
    const bool of_self = c->policy.path[0] == '\0';
    const char *where = of_self ? "/proc/self/pagemap" : c->policy.path;
    uint64_t *frames = of_self ? lw_frames_from_self(count, c->pa_width, err)
                               : lw_frames_from_file(where, c->pa_width, &count, err);
    return frames != NULL && lw_frame_list_given(engine, frames, count, where, err);
}

static bool make_engine(lw_frame_engine *engine, const lw_frame_allocator_config *c,
                        lw_error *err) {
    bool made = false;
    switch (c->policy.kind) {
    case LW_FRAMES_CONTIGUOUS:
    case LW_FRAMES_RANDOM:
        made = lw_frame_list_dense(engine, c->first_frame, c->frames,
                                   c->policy.kind == LW_FRAMES_RANDOM, c->seed);
        break;
    case LW_FRAMES_BUDDY:
        made = lw_frame_buddy(engine, &(lw_buddy_config){.first = c->first_frame,
                                                         .count = c->frames,
                                                         .pinned_percent = c->policy.fragmentation,
                                                         .seed = c->seed});
        break;
    case LW_FRAMES_MEMHOG:
        made = lw_frame_buddy(engine, &(lw_buddy_config){.first = c->first_frame,
                                                         .count = c->frames,
                                                         .pinned_percent = c->policy.fragmentation,
                                                         .lowest_order = MEMHOG_LOWEST_ORDER,
                                                         .highest_order = MEMHOG_HIGHEST_ORDER,
                                                         .on_demand = true,
                                                         .seed = c->seed});
        break;
    case LW_FRAMES_PAGEMAP:
        return make_pagemap(engine, c, err);
    }
    return made || lw_fail(err, "frame allocator: the host has no memory left for its tables");
}

lw_frame_allocator *lw_frame_allocator_new(const lw_frame_allocator_config *config, lw_error *err) {
    lw_frame_engine engine;
    if (!config_in_range(config, err) || !make_engine(&engine, config, err)) {
        return NULL;
    }
    lw_frame_allocator *a = calloc(1, sizeof *a);
    if (a == NULL) {
        engine.destroy(engine.state);
        lw_fail(err, "frame allocator: the host has no memory left");
        return NULL;
    }
    a->engine = engine;
    return a;
}

void lw_frame_allocator_free(lw_frame_allocator *a) {
    if (a == NULL) {
        return;
    }
    a->engine.destroy(a->engine.state);
    free(a);
}

uint64_t lw_frame_allocator_available(const lw_frame_allocator *a) {
    return a->engine.available(a->engine.state);
}

uint64_t lw_frame_allocator_in_use(const lw_frame_allocator *a) {
    return a->in_use;
}

uint64_t lw_frame_allocator_end(const lw_frame_allocator *a) {
    return a->engine.end;
}

bool lw_frame_alloc(lw_frame_allocator *a, uint64_t *frame, lw_error *err) {
    return lw_frame_alloc_aligned(a, LW_ORDER_4K, frame, err);
}

bool lw_frame_alloc_aligned(lw_frame_allocator *a, uint32_t order, uint64_t *first, lw_error *err) {
    if (order > LW_ORDER_1G) {
        return lw_fail(err, "frame allocator: order %" PRIu32 " is not in 0..18", order);
    }
    if (!a->engine.take_aligned(a->engine.state, order, first)) {
        return lw_fail(err,
                       "frame allocator: no aligned run of %" PRIu64 " frames is free (%" PRIu64
                       " single frames are)",
                       UINT64_C(1) << order, lw_frame_allocator_available(a));
    }
    a->in_use += UINT64_C(1) << order;
    return true;
}

bool lw_frame_alloc_extent(lw_frame_allocator *a, uint64_t want, uint64_t *first, uint64_t *got,
                           lw_error *err) {
    if (want == 0) {
        return lw_fail(err, "frame allocator: an extent of 0 frames is asked for");
    }
    if (!a->engine.take_extent(a->engine.state, want, first, got)) {
        return lw_fail(err, "frame allocator: no frame is free (%" PRIu64 " are in use)",
                       a->in_use);
    }
    a->in_use += *got;
    return true;
}

bool lw_frame_release(lw_frame_allocator *a, uint64_t first, uint64_t count, lw_error *err) {
    for (uint64_t i = 0; i < count; i++) {
        if (!a->engine.is_taken(a->engine.state, first + i)) {
            return lw_fail(err, "frame allocator: frame 0x%" PRIx64 " was not given out",
                           first + i);
        }
    }
    for (uint64_t i = 0; i < count; i++) {
        a->engine.give_back(a->engine.state, first + i);
    }
    a->in_use -= count;
    return true;
}
