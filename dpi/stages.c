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

/* Most times are short. Those below FEW cycles are only counted as they come, the times of a stage
 * beside each other, and made into figures at the end. A stage in which a request has not been
 * counts as one of 0 cycles, which no figure is made of. */
enum { FEW = 2048 };
typedef struct short_times {
    /* and a line, or the same times of all stages would share a few places of the host's cache */
    uint64_t times[LW_STAGES + 1][FEW + 8];
} short_times;

typedef struct by_way {
    short_times few;
    lw_stage_figures figures;
} by_way;

typedef struct kernel {
    char name[64];
    bool named;
    by_way way[LW_WAYS];
    lw_stage_figures sum; /* of all ways, made at the end */
} kernel;

struct lw_stages {
    lw_moves moves;
    uint32_t ids;
    uint64_t cycle;
    lw_stage_window *window;
    lw_inputs in; /* of the last request that was transferred, for the window */
    size_t kernels;
    kernel *last;                        /* of the last request; NULL: there was none */
    lw_stage_figures all[LW_WAYS + 1];   /* of all kernels */
    kernel kernel[LW_STAGE_KERNELS + 1]; /* the last: those for which there is no room */
};

/* Bytes of the counts of a request. */
enum { COUNTS = LW_STAGES * sizeof(uint32_t) };
_Static_assert(LW_STAGES == 16, "the stages are read as four times four");

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
    const size_t requests = (size_t)s->ids + LW_MOVES_GONE, counts = requests + 1;
    m->at = calloc(s->ids, sizeof *m->at);
    m->cycles = aligned_alloc(COUNTS, counts * COUNTS);
    m->whole = calloc(counts, sizeof *m->whole);
    m->free = calloc(requests, sizeof *m->free);
    if (m->at == NULL || m->cycles == NULL || m->whole == NULL || m->free == NULL) {
        lw_stages_free(s);
        return NULL;
    }
    return s;
}

void lw_stages_free(lw_stages *s) {
    if (s != NULL) {
        free(s->moves.free);
        free(s->moves.whole);
        free(s->moves.cycles);
        free(s->moves.at);
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

static void tally(by_way *w, uint32_t stage, uint64_t cycles) {
    if (cycles < FEW) {
        w->few.times[stage][cycles]++;
    } else {
        count(&w->figures, stage, cycles, 1);
    }
}

/* Few requests have a walk of their own, and few walks read many levels: for most requests half of
 * the stages are told by a look at four of them at once. */
static bool has_four(uint32_t stage, const uint32_t cycles[LW_STAGES]) {
    return (cycles[stage] | cycles[stage + 1] | cycles[stage + 2] | cycles[stage + 3]) != 0;
}

static inline void tally_four(short_times *few, uint32_t stage, const uint32_t cycles[LW_STAGES]) {
    few->times[stage][cycles[stage]]++;
    few->times[stage + 1][cycles[stage + 1]]++;
    few->times[stage + 2][cycles[stage + 2]]++;
    few->times[stage + 3][cycles[stage + 3]]++;
}

/* A request has gone out. If it took a short time as a whole, so did each stage. */
static void end(kernel *k, const uint32_t cycles[LW_STAGES], uint64_t whole) {
    by_way *w = &k->way[LW_WAY_HIT];
    if (cycles[LW_STAGE_QUEUE] != 0) {
        w = cycles[LW_STAGE_TOLD] != 0 ? &k->way[LW_WAY_TOLD] : &k->way[LW_WAY_WALK];
    }
    tally(w, LW_STAGE_WHOLE, whole);
    if (whole >= FEW) {
        for (uint32_t stage = 0; stage < LW_STAGES; stage++) {
            tally(w, stage, cycles[stage]);
        }
        return;
    }
    tally_four(&w->few, 0, cycles);
    if (has_four(4, cycles)) {
        tally_four(&w->few, 4, cycles);
    }
    if (has_four(8, cycles)) {
        tally_four(&w->few, 8, cycles);
    }
    tally_four(&w->few, 12, cycles);
}

static void read_gone(void *ctx) {
    lw_stages *s = ctx;
    lw_moves *m = &s->moves;
    for (uint32_t i = 0; i < m->gones; i++) {
        const uint32_t at = m->gone[i];
        const lw_request_whole *w = &m->whole[at / LW_STAGES];
        end(w->note, &m->cycles[at], w->cycles);
        m->free[m->frees++] = at;
    }
    m->gones = 0;
}

static void tell_window(void *ctx, uint32_t id, lw_stage stage) {
    lw_stages *s = ctx;
    if (stage == LW_STAGE_TLB) {
        const kernel *k = s->moves.note;
        lw_stage_window_begin(s->window, s->cycle, id, &s->in, k->name);
    } else {
        lw_stage_window_move(s->window, s->cycle, id, stage);
    }
}

/* No request is under way. */
static void lend_none(lw_stages *s) {
    lw_moves *m = &s->moves;
    memset(m->at, 0, s->ids * sizeof *m->at);
    memset(m->cycles, 0, COUNTS);
    m->gones = 0;
    for (m->frees = 0; m->frees < s->ids + LW_MOVES_GONE; m->frees++) {
        m->free[m->frees] = (s->ids + LW_MOVES_GONE - m->frees) * LW_STAGES;
    }
}

void lw_stages_begin(lw_stages *s, lw_iommu *twin) {
    memset(s->all, 0, sizeof s->all);
    memset(s->kernel, 0, s->kernels * sizeof s->kernel[0]);
    s->kernels = 0;
    s->last = NULL;
    lend_none(s);
    s->moves.told = s->window != NULL ? tell_window : NULL;
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

/* Most requests are of the kernel that the one before is of. */
static kernel *kernel_of(lw_stages *s, const char *name) {
    if (s->last != NULL && is_kernel(s->last, name)) {
        return s->last;
    }
    size_t i = 0;
    while (i < s->kernels && i < LW_STAGE_KERNELS && !is_kernel(&s->kernel[i], name)) {
        i++;
    }
    kernel *k = &s->kernel[i];
    if (i >= s->kernels) {
        const char *shown = i == LW_STAGE_KERNELS ? "(others)" : name;
        k->named = shown != NULL;
        (void)strncpy(k->name, shown != NULL ? shown : "", sizeof k->name - 1);
        s->kernels = i + 1;
    }
    s->last = k;
    return k;
}

void lw_stages_cycle(lw_stages *s, uint64_t cycle) {
    s->cycle = cycle;
    lw_moves_cycle(&s->moves, cycle);
}

void lw_stages_request(lw_stages *s, const lw_inputs *in, const char *kernel) {
    s->moves.note = kernel_of(s, kernel);
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
static void count_few(by_way *w) {
    for (uint32_t stage = 0; stage <= LW_STAGE_WHOLE; stage++) {
        for (uint32_t cycles = 1; cycles < FEW; cycles++) {
            if (w->few.times[stage][cycles] != 0) {
                count(&w->figures, stage, cycles, w->few.times[stage][cycles]);
                w->few.times[stage][cycles] = 0;
            }
        }
    }
}

void lw_stages_end(lw_stages *s) {
    read_gone(s);
    for (size_t i = 0; i < s->kernels; i++) {
        kernel *k = &s->kernel[i];
        for (uint32_t w = 0; w < LW_WAYS; w++) {
            count_few(&k->way[w]);
            add(&k->sum, &k->way[w].figures);
            add(&s->all[w], &k->way[w].figures);
        }
        add(&s->all[LW_WAYS], &k->sum);
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
    if (i == LW_STAGES_ALL) {
        return &s->all[way];
    }
    return way == LW_WAYS ? &s->kernel[i].sum : &s->kernel[i].way[way].figures;
}
