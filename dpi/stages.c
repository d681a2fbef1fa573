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

/* A request under way. `spent` fills one cache line. */
typedef struct way_so_far {
    uint32_t spent[LW_STAGES];
    uint64_t first, since; /* cycles of its transfer, and since which it is in `stage` */
    uint32_t kernel;
    uint8_t stage, way;
    bool under_way;
} way_so_far;

typedef struct kernel {
    char name[64];
    bool named;
    lw_stage_figures figures;
} kernel;

struct lw_stages {
    lw_stages_run run;
    lw_stage_window *window;
    uint32_t id_mask;
    way_so_far *ways; /* by id */
    size_t kernels, last;
    lw_stage_figures all;
    kernel kernel[LW_STAGE_KERNELS + 1]; /* the last: those for which there is no room */
};

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

void lw_stages_begin(lw_stages *s, const lw_stages_run *run) {
    s->run = *run;
    memset(s->ways, 0, ((size_t)s->id_mask + 1) * sizeof *s->ways);
    memset(&s->all, 0, sizeof s->all);
    memset(s->kernel, 0, s->kernels * sizeof s->kernel[0]);
    s->kernels = s->last = 0;
    if (s->window != NULL) {
        lw_stage_window_end(s->window);
    }
}

static bool is_kernel(const kernel *k, const char *name) {
    return name == NULL ? !k->named : k->named && strncmp(k->name, name, sizeof k->name - 1) == 0;
}

/* Of the kernel whose request is transferred now; most come from the one before. */
static uint32_t kernel_now(lw_stages *s) {
    const char *name = s->run.kernel == NULL ? NULL : s->run.kernel(s->run.ctx, s->run.in->req_src);
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

static void begin(lw_stages *s, uint32_t id) {
    way_so_far *w = &s->ways[id];
    const uint64_t now = *s->run.now;
    *w = (way_so_far){.first = now,
                      .since = now,
                      .kernel = kernel_now(s),
                      .stage = LW_STAGE_TLB,
                      .under_way = true};
    if (s->window != NULL) {
        lw_stage_window_begin(s->window, now, id, s->run.in, s->kernel[w->kernel].name);
    }
}

static void end(lw_stages *s, way_so_far *w) {
    lw_stage_figures *f = &s->kernel[w->kernel].figures;
    for (uint32_t i = 0; i < LW_STAGES; i++) {
        if (w->spent[i] != 0) {
            lw_histogram_add(&f->stage[i], w->spent[i]);
            f->way_stage[w->way][i] += w->spent[i];
        }
    }
    lw_histogram_add(&f->whole, *s->run.now - w->first);
    lw_histogram_add(&f->way[w->way], *s->run.now - w->first);
    w->under_way = false;
}

void lw_stages_moved(void *ctx, uint32_t id, lw_stage stage) {
    lw_stages *s = ctx;
    way_so_far *w = &s->ways[id & s->id_mask];
    if (stage == LW_STAGE_TLB) {
        begin(s, id & s->id_mask);
        return;
    }
    if (!w->under_way) { /* only after a flip */
        return;
    }
    w->spent[w->stage] += (uint32_t)(*s->run.now - w->since);
    w->since = *s->run.now;
    w->stage = (uint8_t)stage;
    if (s->window != NULL) {
        lw_stage_window_move(s->window, w->since, id & s->id_mask, stage);
    }
    if (stage == LW_STAGE_QUEUE) {
        w->way = LW_WAY_WALK;
    } else if (stage == LW_STAGE_TOLD) {
        w->way = LW_WAY_TOLD;
    } else if (stage == LW_STAGE_LEFT) {
        end(s, w);
    }
}

static void add(lw_stage_figures *sum, const lw_stage_figures *f) {
    lw_histogram_merge(&sum->whole, &f->whole);
    for (uint32_t i = 0; i < LW_STAGES; i++) {
        lw_histogram_merge(&sum->stage[i], &f->stage[i]);
    }
    for (uint32_t w = 0; w < LW_WAYS; w++) {
        lw_histogram_merge(&sum->way[w], &f->way[w]);
        for (uint32_t i = 0; i < LW_STAGES; i++) {
            sum->way_stage[w][i] += f->way_stage[w][i];
        }
    }
}

void lw_stages_end(lw_stages *s) {
    for (size_t k = 0; k < s->kernels; k++) {
        add(&s->all, &s->kernel[k].figures);
    }
    if (s->window != NULL) {
        lw_stage_window_end(s->window);
    }
}

const lw_stage_figures *lw_stages_all(const lw_stages *s) {
    return &s->all;
}

size_t lw_stages_kernels(const lw_stages *s) {
    return s->kernels;
}

const lw_stage_figures *lw_stages_kernel(const lw_stages *s, size_t i, const char **name) {
    *name = s->kernel[i].named ? s->kernel[i].name : NULL;
    return &s->kernel[i].figures;
}
