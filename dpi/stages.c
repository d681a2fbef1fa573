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

/* Where a request has been so far: the stages, a bit each, and how long in each of them. What a
 * request that has left does, which takes a flip, lies in a place of its own. */
typedef struct way_so_far {
    uint32_t been;
    uint32_t spent[LW_STAGES + 1];
    uint64_t first; /* the cycle of its transfer */
} way_so_far;

typedef struct kernel {
    char name[64];
    bool named;
    lw_stage_figures by_way[LW_WAYS + 1]; /* the last: the sum, which is made at the end */
} kernel;

struct lw_stages {
    lw_moves moves;
    way_so_far *ways; /* by id: of requests whose moves were too many for their list */
    uint32_t ids;
    uint64_t cycle;
    lw_stage_window *window;
    lw_inputs in; /* of the last request that was transferred, for the window */
    size_t kernels, last;
    kernel all;
    kernel kernel[LW_STAGE_KERNELS + 1]; /* the last: those for which there is no room */
};

/* The note of a request: its kernel, and whether some of its way is in `ways`. */
enum { KEPT = 1 << 16 };

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
    lw_moves *m = &s->moves;
    s->ids = UINT32_C(1) << params->id_w;
    s->ways = calloc(s->ids, sizeof *s->ways);
    m->place = calloc(s->ids, sizeof *m->place);
    m->free = calloc(s->ids, sizeof *m->free);
    m->of = aligned_alloc(sizeof *m->of, ((size_t)s->ids + 1) * sizeof *m->of);
    if (s->ways == NULL || m->place == NULL || m->free == NULL || m->of == NULL) {
        lw_stages_free(s);
        return NULL;
    }
    return s;
}

void lw_stages_free(lw_stages *s) {
    if (s != NULL) {
        free(s->moves.of);
        free(s->moves.free);
        free(s->moves.place);
        free(s->ways);
        free(s);
    }
}

void lw_stages_watch(lw_stages *s, lw_stage_window *window) {
    s->window = window;
}

/* A request has gone out. */
static void end(lw_stages *s, uint32_t note, const way_so_far *w, uint64_t cycle) {
    const lw_way told = (w->been >> LW_STAGE_TOLD & 1) != 0 ? LW_WAY_TOLD : LW_WAY_WALK;
    const lw_way way = (w->been >> LW_STAGE_QUEUE & 1) != 0 ? told : LW_WAY_HIT;
    lw_stage_figures *f = &s->kernel[note].by_way[way];
    const uint64_t whole = cycle - w->first;
    for (uint32_t m = w->been & ((1u << LW_STAGES) - 1); m != 0; m &= m - 1) {
        const uint32_t stage = (uint32_t)__builtin_ctz(m);
        f->sum[stage] += w->spent[stage];
        f->most[stage] = w->spent[stage] > f->most[stage] ? w->spent[stage] : f->most[stage];
        lw_histogram_add(&f->time[stage], w->spent[stage]);
    }
    f->sum[LW_STAGE_WHOLE] += whole;
    f->most[LW_STAGE_WHOLE] = whole > f->most[LW_STAGE_WHOLE] ? whole : f->most[LW_STAGE_WHOLE];
    lw_histogram_add(&f->time[LW_STAGE_WHOLE], whole);
}

static void tell_window(lw_stages *s, uint32_t id, const lw_request_moves *r) {
    const lw_stage stage = lw_move_stage(r->move[r->count - 1]);
    if (stage == LW_STAGE_TLB) {
        lw_stage_window_begin(s->window, s->cycle, id, &s->in,
                              s->kernel[r->note & ~(uint32_t)KEPT].name);
    } else {
        lw_stage_window_move(s->window, s->cycle, id, stage);
    }
}

static void take_moves(void *ctx, uint32_t id) {
    lw_stages *s = ctx;
    lw_request_moves *r = lw_moves_of(&s->moves, id);
    const uint64_t last = r->move[r->count - 1];
    way_so_far w = {.first = lw_move_cycle(r->move[0])};
    if (s->window != NULL) {
        tell_window(s, id, r);
    }
    if ((r->note & KEPT) != 0) {
        w = s->ways[id];
    }
    for (uint32_t i = 1; i < r->count; i++) {
        const lw_stage stage = lw_move_stage(r->move[i - 1]);
        const uint32_t cycles =
            (uint32_t)(lw_move_cycle(r->move[i]) - lw_move_cycle(r->move[i - 1]));
        w.spent[stage] += cycles;
        w.been |= (uint32_t)(cycles != 0) << stage;
    }
    if (lw_move_stage(last) == LW_STAGE_LEFT) {
        end(s, r->note & ~(uint32_t)KEPT, &w, lw_move_cycle(last));
    } else {
        s->ways[id] = w;
        r->note |= KEPT;
    }
    r->move[0] = last;
    r->count = 1;
}

/* No request is under way. */
static void lend_none(lw_moves *m, uint32_t ids) {
    memset(m->place, 0, ids * sizeof *m->place);
    m->of[0] = (lw_request_moves){.count = 0};
    for (m->frees = 0; m->frees < ids; m->frees++) {
        m->free[m->frees] = ids - m->frees;
    }
}

void lw_stages_begin(lw_stages *s, lw_iommu *twin) {
    memset(&s->all, 0, sizeof s->all);
    memset(s->kernel, 0, s->kernels * sizeof s->kernel[0]);
    s->kernels = s->last = 0;
    lend_none(&s->moves, s->ids);
    s->moves.room = s->window != NULL ? 1 : LW_MOVES; /* the window is told of each move */
    s->moves.take = take_moves;
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
    s->cycle = cycle;
    lw_moves_cycle(&s->moves, cycle);
}

void lw_stages_request(lw_stages *s, const lw_inputs *in, const char *kernel) {
    s->moves.note = number_of(s, kernel);
    if (s->window != NULL) {
        s->in = *in;
    }
}

static void add(lw_stage_figures *sum, const lw_stage_figures *f) {
    for (uint32_t i = 0; i <= LW_STAGE_WHOLE; i++) {
        sum->sum[i] += f->sum[i];
        sum->most[i] = f->most[i] > sum->most[i] ? f->most[i] : sum->most[i];
        lw_histogram_merge(&sum->time[i], &f->time[i]);
    }
}

void lw_stages_end(lw_stages *s) {
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
