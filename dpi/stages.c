#include "dpi/stages.h"

#include <stdlib.h>
#include <string.h>

static const char *const stage_names[LW_STAGES] = {
    [LW_STAGE_TLB] = "tlb",         [LW_STAGE_QUEUE] = "queue",
    [LW_STAGE_WALKER] = "walker",   [LW_STAGE_LINE] = "line",
    [LW_STAGE_LOOK] = "look",       [LW_STAGE_PWC] = "pwc",
    [LW_STAGE_CAM] = "cam",         [LW_STAGE_PORT] = "port",
    [LW_STAGE_LEVEL_1] = "level_1", [LW_STAGE_LEVEL_2] = "level_2",
    [LW_STAGE_LEVEL_3] = "level_3", [LW_STAGE_LEVEL_4] = "level_4",
    [LW_STAGE_LEVEL_5] = "level_5", [LW_STAGE_TOLD] = "told",
    [LW_STAGE_ANSWER] = "answer",   [LW_STAGE_RESPONSE] = "response",
};

static const char *const way_names[LW_WAYS] = {"hit", "walk", "told"};

/* A request under way; cycles modulo 2^32. */
typedef struct way_so_far {
    uint32_t spent[LW_STAGES];
    uint32_t first, since; /* the cycle of its transfer, and since which it is in `stage` */
    uint32_t been;         /* the stages in which it was, a bit each */
    uint8_t stage, kernel; /* stage LW_STAGE_LEFT: it is not under way */
} way_so_far;

typedef struct kernel {
    char name[64];
    bool named;
    lw_stage_figures by_way[LW_WAYS + 1]; /* the last: the sum, which is made at the end */
} kernel;

struct lw_stages {
    lw_moves moves;
    lw_stage_window *window;
    uint64_t cycle;
    lw_inputs in; /* of the last request that was transferred, for the window */
    uint32_t id_mask;
    way_so_far *ways; /* by id */
    size_t kernels, last;
    kernel all;
    kernel kernel[LW_STAGE_KERNELS + 1]; /* the last: those for which there is no room */
};

_Static_assert(LW_STAGE_KERNELS <= UINT8_MAX, "a kernel's number is a note of a move");

const char *lw_stage_name(lw_stage stage) {
    return stage_names[stage];
}

const char *lw_way_name(lw_way way) {
    return way_names[way];
}

lw_stages *lw_stages_new(const lw_params *params) {
    lw_stages *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    s->id_mask = (UINT32_C(1) << params->id_w) - 1;
    s->ways = calloc((size_t)s->id_mask + 1, sizeof *s->ways);
    if (s->ways == NULL) {
        free(s);
        return NULL;
    }
    return s;
}

void lw_stages_free(lw_stages *s) {
    if (s != NULL) {
        free(s->ways);
        free(s);
    }
}

void lw_stages_watch(lw_stages *s, lw_stage_window *window) {
    s->window = window;
}

static void tell_window(const lw_stages *s) {
    for (uint32_t i = 0; i < s->moves.count; i++) {
        const uint64_t move = s->moves.move[i];
        const uint32_t id = lw_move_id(move) & s->id_mask;
        if (lw_move_stage(move) == LW_STAGE_TLB) {
            lw_stage_window_begin(s->window, s->cycle, id, &s->in,
                                  s->kernel[lw_move_note(move)].name);
        } else {
            lw_stage_window_move(s->window, s->cycle, id, lw_move_stage(move));
        }
    }
}

/* A request has gone out. */
static void end(lw_stages *s, const way_so_far *w, uint32_t cycle) {
    const lw_way told = (w->been >> LW_STAGE_TOLD & 1) != 0 ? LW_WAY_TOLD : LW_WAY_WALK;
    const lw_way way = (w->been >> LW_STAGE_QUEUE & 1) != 0 ? told : LW_WAY_HIT;
    lw_stage_figures *f = &s->kernel[w->kernel].by_way[way];
    for (uint32_t m = w->been; m != 0; m &= m - 1) {
        const uint32_t stage = (uint32_t)__builtin_ctz(m);
        lw_histogram_add(&f->stage[stage], w->spent[stage]);
    }
    lw_histogram_add(&f->whole, cycle - w->first);
}

/* Counted many at a time, the moves leave the twin's own state in the host's cache. */
static void count_moves(void *ctx) {
    lw_stages *s = ctx;
    for (uint32_t i = 0; i < s->moves.count; i++) {
        const uint64_t move = s->moves.move[i];
        const uint32_t cycle = lw_move_cycle(move);
        const lw_stage stage = lw_move_stage(move);
        way_so_far *w = &s->ways[lw_move_id(move) & s->id_mask];
        if (stage == LW_STAGE_TLB) {
            *w = (way_so_far){.first = cycle,
                              .since = cycle,
                              .stage = LW_STAGE_TLB,
                              .kernel = (uint8_t)lw_move_note(move)};
        } else if (stage != w->stage && w->stage != LW_STAGE_LEFT) { /* left only after a flip */
            const uint32_t cycles = cycle - w->since;
            w->spent[w->stage] += cycles;
            w->been |= (uint32_t)(cycles != 0) << w->stage;
            w->since = cycle;
            w->stage = (uint8_t)stage;
            if (stage == LW_STAGE_LEFT) {
                end(s, w, cycle);
            }
        }
    }
    s->moves.count = 0;
}

/* A request that was under way is so no more. */
static void forget_ways(lw_stages *s) {
    for (uint32_t id = 0; id <= s->id_mask; id++) {
        s->ways[id].stage = LW_STAGE_LEFT;
    }
}

void lw_stages_begin(lw_stages *s, lw_iommu *twin) {
    forget_ways(s);
    memset(&s->all, 0, sizeof s->all);
    memset(s->kernel, 0, s->kernels * sizeof s->kernel[0]);
    s->kernels = s->last = 0;
    s->moves.count = 0;
    s->moves.full = count_moves;
    s->moves.ctx = s;
    if (s->window != NULL) {
        lw_stage_window_end(s->window);
    }
    lw_iommu_follow(twin, &s->moves);
}

static bool is_kernel(const kernel *k, const char *name) {
    return name == NULL ? !k->named : k->named && strncmp(k->name, name, sizeof k->name - 1) == 0;
}

/* The number of a kernel; most requests are of the one before's. */
static uint32_t number_of(lw_stages *s, const char *name) {
    size_t i = s->last < s->kernels && is_kernel(&s->kernel[s->last], name) ? s->last : 0;
    while (i < s->kernels && i < LW_STAGE_KERNELS && !is_kernel(&s->kernel[i], name)) {
        i++;
    }
    if (i >= s->kernels) {
        const char *shown = i == LW_STAGE_KERNELS ? "(others)" : name;
        s->kernel[i].named = shown != NULL;
        (void)strncpy(s->kernel[i].name, shown != NULL ? shown : "", sizeof s->kernel[i].name - 1);
        s->kernels = i + 1;
    }
    s->last = i;
    return (uint32_t)i;
}

void lw_stages_cycle(lw_stages *s, uint64_t cycle) {
    if (s->window != NULL) {
        tell_window(s);
        count_moves(s);
    }
    s->cycle = cycle;
    lw_moves_begin_cycle(&s->moves, cycle, 0);
}

void lw_stages_request(lw_stages *s, const lw_inputs *in, const char *kernel) {
    lw_moves_begin_cycle(&s->moves, s->cycle, number_of(s, kernel));
    if (s->window != NULL) {
        s->in = *in;
    }
}

static void add(lw_stage_figures *sum, const lw_stage_figures *f) {
    lw_histogram_merge(&sum->whole, &f->whole);
    for (uint32_t i = 0; i < LW_STAGES; i++) {
        lw_histogram_merge(&sum->stage[i], &f->stage[i]);
    }
}

void lw_stages_end(lw_stages *s) {
    if (s->window != NULL) {
        tell_window(s);
    }
    count_moves(s);
    for (size_t k = 0; k < s->kernels; k++) {
        for (uint32_t w = 0; w < LW_WAYS; w++) {
            const lw_stage_figures *f = &s->kernel[k].by_way[w];
            add(&s->kernel[k].by_way[LW_WAYS], f);
            add(&s->all.by_way[w], f);
            add(&s->all.by_way[LW_WAYS], f);
        }
    }
    if (s->window != NULL) {
        lw_stage_window_end(s->window);
    }
}

size_t lw_stages_kernels(const lw_stages *s) {
    return s->kernels;
}

const char *lw_stages_kernel_name(const lw_stages *s, size_t i) {
    return s->kernel[i].named ? s->kernel[i].name : NULL;
}

const lw_stage_figures *lw_stages_figures(const lw_stages *s, size_t i, lw_way way) {
    return i == LW_STAGES_ALL ? &s->all.by_way[way] : &s->kernel[i].by_way[way];
}
