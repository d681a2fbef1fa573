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
} way_so_far;

/* Most times in a stage are short. Those below FEW cycles are only counted as they come, the stages
 * of one time beside each other so that they share the host's cache lines, and made into figures at
 * the end: each of them has a cell of its own in a histogram. */
enum { FEW = 2 * LW_HISTOGRAM_PARTS };
typedef struct short_times {
    uint64_t times[FEW][LW_STAGES];
} short_times;

typedef struct kernel {
    char name[64];
    bool named;
    short_times few[LW_WAYS];
    lw_stage_figures by_way[LW_WAYS + 1]; /* the last: the sum, which is made at the end */
} kernel;

struct lw_stages {
    lw_moves moves;
    way_so_far *ways; /* by place: of requests whose moves were too many for their list */
    uint32_t ids;
    uint32_t places; /* of lists that can be lent */
    uint64_t cycle;
    lw_stage_window *window;
    lw_inputs in; /* of the last request that was transferred, for the window */
    size_t kernels, last;
    kernel all;
    kernel kernel[LW_STAGE_KERNELS + 1]; /* the last: those for which there is no room */
};

/* The note of a request: its kernel, and whether some of its way is in `ways`. */
enum { KEPT = 1 << 15 };

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
    s->places = s->ids + LW_MOVES_GONE < UINT16_MAX ? s->ids + LW_MOVES_GONE : UINT16_MAX;
    s->ways = calloc((size_t)s->places + 1, sizeof *s->ways);
    m->place = calloc(s->ids, sizeof *m->place);
    m->free = calloc(s->places, sizeof *m->free);
    m->of = aligned_alloc(sizeof *m->of, ((size_t)s->places + 1) * sizeof *m->of);
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

static void count(lw_stage_figures *f, uint32_t stage, uint64_t cycles, uint64_t times) {
    f->sum[stage] += cycles * times;
    f->most[stage] = cycles > f->most[stage] ? cycles : f->most[stage];
    lw_histogram_add(&f->time[stage], cycles, times);
}

/* A request has gone out. */
static void end(kernel *k, const way_so_far *w) {
    const lw_way told = w->spent[LW_STAGE_TOLD] != 0 ? LW_WAY_TOLD : LW_WAY_WALK;
    const lw_way way = w->spent[LW_STAGE_QUEUE] != 0 ? told : LW_WAY_HIT;
    uint64_t whole = 0;
    for (uint32_t m = w->been & ((1u << LW_STAGES) - 1); m != 0; m &= m - 1) {
        const uint32_t stage = (uint32_t)__builtin_ctz(m);
        const uint32_t cycles = w->spent[stage];
        whole += cycles;
        if (cycles < FEW) {
            k->few[way].times[cycles][stage]++;
        } else {
            count(&k->by_way[way], stage, cycles, 1);
        }
    }
    count(&k->by_way[way], LW_STAGE_WHOLE, whole, 1);
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

/* Adds up the moves of a list, all but the last, which begins what is still to come. */
static void add_up(const lw_stages *s, uint32_t place, way_so_far *w) {
    const lw_request_moves *r = &s->moves.of[place];
    *w = (r->note & KEPT) != 0 ? s->ways[place] : (way_so_far){.been = 0};
    for (uint32_t i = 1; i < r->count; i++) {
        const lw_stage stage = lw_move_stage(r->move[i - 1]);
        w->spent[stage] += lw_move_cycles(r->move[i - 1], r->move[i]);
        w->been |= 1u << stage;
    }
}

static void keep_moves(void *ctx, uint32_t id) {
    lw_stages *s = ctx;
    const uint32_t place = s->moves.place[id];
    lw_request_moves *r = &s->moves.of[place];
    if (s->window != NULL) {
        tell_window(s, id, r);
    }
    add_up(s, place, &s->ways[place]);
    r->note = (uint16_t)(r->note | KEPT);
    r->move[0] = r->move[r->count - 1];
    r->count = 1;
}

static void read_gone(void *ctx) {
    lw_stages *s = ctx;
    lw_moves *m = &s->moves;
    for (uint32_t i = 0; i < m->gones; i++) {
        way_so_far w;
        add_up(s, m->gone[i], &w);
        end(&s->kernel[m->of[m->gone[i]].note & ~(uint32_t)KEPT], &w);
        m->free[m->frees++] = m->gone[i];
    }
    m->gones = 0;
}

/* No request is under way. */
static void lend_none(lw_stages *s) {
    lw_moves *m = &s->moves;
    memset(m->place, 0, s->ids * sizeof *m->place);
    m->of[0] = (lw_request_moves){.count = 0};
    m->gones = 0;
    for (m->frees = 0; m->frees < s->places; m->frees++) {
        m->free[m->frees] = (uint16_t)(s->places - m->frees);
    }
}

void lw_stages_begin(lw_stages *s, lw_iommu *twin) {
    memset(&s->all, 0, sizeof s->all);
    memset(s->kernel, 0, s->kernels * sizeof s->kernel[0]);
    s->kernels = s->last = 0;
    lend_none(s);
    s->moves.room = s->window != NULL ? 1 : LW_MOVES; /* the window is told of each move */
    s->moves.full = keep_moves;
    s->moves.read = read_gone;
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
    s->moves.note = (uint16_t)number_of(s, kernel);
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

/* The short times become figures, once. */
static void count_few(short_times *few, lw_stage_figures *f) {
    for (uint32_t cycles = 1; cycles < FEW; cycles++) {
        for (uint32_t stage = 0; stage < LW_STAGES; stage++) {
            if (few->times[cycles][stage] != 0) {
                count(f, stage, cycles, few->times[cycles][stage]);
            }
        }
    }
    memset(few, 0, sizeof *few);
}

void lw_stages_end(lw_stages *s) {
    read_gone(s);
    for (size_t k = 0; k < s->kernels; k++) {
        for (uint32_t w = 0; w < LW_WAYS; w++) {
            count_few(&s->kernel[k].few[w], &s->kernel[k].by_way[w]);
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
