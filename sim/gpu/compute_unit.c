#include "sim/gpu/compute_unit.h"

#include "sim/gpu/lane_coalescer.h"
#include "sim/gpu/wave_slots.h"

#include <stdlib.h>

/* Waiters and instructions that a wave slot has in the mean, in pages: a few divergent ones. */
enum { PAGES_A_SLOT = LW_MAX_LANES * 4 };

#define FRAMES ((UINT64_C(1) << 40) - 1) /* the frame's number in an address of 52 bits */
#define NO_PAGE UINT32_MAX

/* A page of an instruction, from its probe until it is answered or its last line has gone. */
typedef struct page {
    uint64_t frame;
    uint64_t lines; /* of 64 bytes, a bit each: not yet at the L1 data cache */
    uint32_t instruction;
    uint32_t next; /* with its frame, in the CU */
} page;

typedef struct compute_unit {
    /* the coalescer: what is left of the instruction issued last */
    lw_page_lines pages[LW_MAX_LANES];
    uint32_t page, page_count, instruction, access;
    /* pages that have their frames and lines to send */
    uint32_t first, last;
} compute_unit;

struct lw_compute_units {
    lw_compute_params params;
    lw_wave_slots *slots;
    lw_l1_tlbs *l1;
    lw_data_path *data; /* NULL: data takes no time */
    compute_unit *cus;
    page *pages;
    uint32_t *free_pages;
    uint32_t free_page_count;
    uint64_t now;
    uint64_t active;  /* CUs that can issue or have pages in the coalescer, one bit each */
    uint64_t sending; /* CUs with lines to send */
    lw_front_statistics statistics;
};

/* ---------------------------------------------------------------- making */

uint32_t lw_compute_units_misses(const lw_gpu_params *params) {
    return params->cus * params->simds * params->waves * PAGES_A_SLOT;
}

static void page_done(void *ctx, uint32_t page, const lw_gpu_reach *reach, bool asked);
static void page_asks(void *ctx, uint32_t page);
static void line_done(void *ctx, uint32_t instruction, lw_data_place from);
static void leaves_caches(void *ctx, uint32_t instruction);

static lw_l1_tlbs *make_l1(lw_compute_units *u) {
    const lw_gpu_params *gpu = u->params.gpu;
    const lw_l1_params params = {.cus = gpu->cus,
                                 .entries = gpu->l1_entries,
                                 .probes = gpu->l1_probes,
                                 .latency = gpu->l1_latency,
                                 .mshrs = gpu->l1_mshrs,
                                 .pages = lw_compute_units_misses(gpu),
                                 .answer = page_done,
                                 .asks = page_asks,
                                 .ctx = u,
                                 .judge = gpu->judge};
    return lw_l1_tlbs_new(&params);
}

static lw_data_path *make_data_path(lw_compute_units *u) {
    lw_data_path_params params = u->params.gpu->data;
    params.cus = u->params.gpu->cus;
    params.done = line_done;
    params.leaves_caches = leaves_caches;
    params.ctx = u;
    return lw_data_path_new(&params);
}

static lw_wave_slots *make_slots(const lw_compute_units *u) {
    const lw_wave_slots_params params = {
        .gpu = u->params.gpu,
        .workloads = u->params.workloads,
        .workload_count = u->params.workload_count,
        /* Each has a page in the coalescer of its CU, or one that waits, or lines in the caches. */
        .instructions = lw_compute_units_misses(u->params.gpu) + u->params.gpu->cus,
        .causes = u->params.gpu->has_data,
        .group_done = u->params.group_done,
        .ctx = u->params.ctx};
    return lw_wave_slots_new(&params);
}

lw_compute_units *lw_compute_units_new(const lw_compute_params *params) {
    const lw_gpu_params *gpu = params->gpu;
    lw_compute_units *u = calloc(1, sizeof *u);
    if (u == NULL) {
        return NULL;
    }
    u->params = *params;
    const uint32_t pages = lw_compute_units_misses(gpu);
    u->cus = calloc(gpu->cus, sizeof *u->cus);
    u->pages = calloc(pages, sizeof *u->pages);
    u->free_pages = calloc(pages, sizeof *u->free_pages);
    u->slots = make_slots(u);
    u->l1 = make_l1(u);
    u->data = gpu->has_data ? make_data_path(u) : NULL;
    if (u->cus == NULL || u->pages == NULL || u->free_pages == NULL || u->slots == NULL ||
        u->l1 == NULL || (u->data == NULL && gpu->has_data)) {
        lw_compute_units_free(u);
        return NULL;
    }
    for (uint32_t c = 0; c < gpu->cus; c++) {
        u->cus[c].first = u->cus[c].last = NO_PAGE;
    }
    for (uint32_t p = 0; p < pages; p++) {
        u->free_pages[p] = pages - 1 - p;
    }
    u->free_page_count = pages;
    return u;
}

void lw_compute_units_free(lw_compute_units *u) {
    if (u == NULL) {
        return;
    }
    free(u->cus);
    free(u->pages);
    free(u->free_pages);
    lw_wave_slots_free(u->slots);
    lw_l1_tlbs_free(u->l1);
    lw_data_path_free(u->data);
    free(u);
}

lw_l1_tlbs *lw_compute_units_l1(const lw_compute_units *u) {
    return u->l1;
}

static uint32_t pasid_of(const lw_compute_units *u, uint32_t cu) {
    return cu % u->params.workload_count;
}

lw_data_path *lw_compute_units_data(const lw_compute_units *u) {
    return u->data;
}

/* ---------------------------------------------------------------- groups and launches */

bool lw_compute_units_fits(const lw_compute_units *u, uint32_t cu, uint32_t waves) {
    return lw_wave_slots_fit(u->slots, cu, waves);
}

void lw_compute_units_start(lw_compute_units *u, uint32_t cu, uint32_t group, uint32_t waves,
                            uint64_t now) {
    lw_wave_slots_start(u->slots, cu, group, waves, now);
}

/* ---------------------------------------------------------------- data */

static void line_done(void *ctx, uint32_t instruction, lw_data_place from) {
    lw_compute_units *u = ctx;
    lw_wave_slots_answer(u->slots, instruction,
                         from == LW_DATA_IN_MEMORY ? LW_CAUSE_MEMORY : LW_CAUSE_CACHE);
}

static void leaves_caches(void *ctx, uint32_t instruction) {
    lw_compute_units *u = ctx;
    lw_wave_slots_move(u->slots, instruction, LW_CAUSE_CACHE, LW_CAUSE_MEMORY, 1);
}

/* The lines of a page, of the data caches' size: each by its first 64 bytes. */
static uint64_t whole_lines(const lw_compute_units *u, uint64_t lines) {
    const uint64_t even = UINT64_C(0x5555555555555555);
    return u->params.gpu->data.l1.line == 128 ? (lines | lines >> 1) & even : lines;
}

static void send_lines(lw_compute_units *u, uint32_t cu) {
    compute_unit *c = &u->cus[cu];
    while (c->first != NO_PAGE && lw_data_path_takes(u->data, cu, u->now)) {
        page *p = &u->pages[c->first];
        const uint64_t line = (p->frame & FRAMES) << 6 | (uint64_t)__builtin_ctzll(p->lines);
        lw_data_path_ask(u->data, cu, u->now, line << 6,
                         lw_wave_slots_stores(u->slots, p->instruction), p->instruction);
        p->lines &= p->lines - 1;
        if (p->lines == 0) {
            u->free_pages[u->free_page_count++] = c->first;
            c->first = p->next;
        }
    }
    if (c->first == NO_PAGE) {
        c->last = NO_PAGE;
        u->sending &= ~(UINT64_C(1) << cu);
    }
}

/* A page has been translated, to a frame or to a fault. */
static void translated(lw_compute_units *u, uint32_t number, const uint64_t *frame,
                       lw_wave_cause from) {
    page *p = &u->pages[number];
    const uint32_t instruction = p->instruction;
    if (u->data == NULL || frame == NULL) {
        u->free_pages[u->free_page_count++] = number;
        lw_wave_slots_answer(u->slots, instruction, from);
        return;
    }
    const uint32_t cu = lw_wave_slots_cu(u->slots, instruction);
    compute_unit *c = &u->cus[cu];
    p->frame = *frame;
    p->lines = whole_lines(u, p->lines);
    p->next = NO_PAGE;
    *(c->first == NO_PAGE ? &c->first : &u->pages[c->last].next) = number;
    c->last = number;
    u->sending |= UINT64_C(1) << cu;
    lw_wave_slots_move(u->slots, instruction, from, LW_CAUSE_CACHE,
                       (uint32_t)__builtin_popcountll(p->lines));
}

/* lw_l1_params.answer */
static void page_done(void *ctx, uint32_t number, const lw_gpu_reach *reach, bool asked) {
    translated(ctx, number, reach == NULL ? NULL : &reach->pfn,
               asked ? LW_CAUSE_UNIT : LW_CAUSE_TLB);
}

/* lw_l1_params.asks */
static void page_asks(void *ctx, uint32_t number) {
    const lw_compute_units *u = ctx;
    lw_wave_slots_move(u->slots, u->pages[number].instruction, LW_CAUSE_TLB, LW_CAUSE_UNIT, 1);
}

/* ---------------------------------------------------------------- issue and translation */

static void issue(lw_compute_units *u, uint32_t cu) {
    compute_unit *c = &u->cus[cu];
    uint32_t wave = 0;
    const lw_wave_inst *inst = lw_wave_slots_pick(u->slots, cu, &wave);
    if (inst == NULL) {
        return;
    }
    c->page = 0;
    c->page_count = lw_coalesce_lanes(inst, c->pages);
    if (u->data != NULL) {
        lw_coalesce_lines(inst, c->pages, c->page_count);
    }
    c->access = (uint32_t)inst->access;
    c->instruction = lw_wave_slots_issue(u->slots, wave, c->page_count);
    u->statistics.wave_instructions++;
    u->statistics.translations += c->page_count;
}

/* The next page of the coalescer. */
static uint32_t take_page(lw_compute_units *u, compute_unit *c) {
    const uint32_t number = u->free_pages[--u->free_page_count];
    u->pages[number] =
        (page){.lines = c->pages[c->page].lines, .instruction = c->instruction, .next = NO_PAGE};
    c->page++;
    return number;
}

static void translate_ideally(lw_compute_units *u, uint32_t cu) {
    compute_unit *c = &u->cus[cu];
    const lw_gpu_frames *frames = &u->params.gpu->frames;
    while (c->page < c->page_count && u->free_page_count > 0) {
        uint64_t frame = 0;
        const bool mapped =
            frames->of(frames->ctx, pasid_of(u, cu), c->pages[c->page].page, &frame);
        translated(u, take_page(u, c), mapped ? &frame : NULL, LW_CAUSE_TLB);
    }
}

static void translate(lw_compute_units *u, uint32_t cu) {
    compute_unit *c = &u->cus[cu];
    if (u->params.gpu->ideal) {
        translate_ideally(u, cu);
        return;
    }
    while (c->page < c->page_count && u->free_page_count > 0 &&
           lw_l1_tlbs_takes(u->l1, cu, u->now)) {
        const lw_l2_request request = {c->pages[c->page].page, pasid_of(u, cu), c->access, cu};
        lw_l1_tlbs_probe(u->l1, u->now, take_page(u, c), &request);
    }
}

void lw_compute_units_at(lw_compute_units *u, uint64_t now) {
    u->now = now;
    lw_wave_slots_at(u->slots, now);
}

/* ---------------------------------------------------------------- a cycle */

static void set_active(lw_compute_units *u, uint32_t cu) {
    const compute_unit *c = &u->cus[cu];
    const uint64_t bit = UINT64_C(1) << cu;
    const bool active = lw_wave_slots_any(u->slots, cu) || c->page < c->page_count;
    u->active = active ? u->active | bit : u->active & ~bit;
}

void lw_compute_units_tick(lw_compute_units *u, uint64_t now, bool hold) {
    lw_compute_units_at(u, now);
    if (u->data != NULL) {
        lw_data_path_tick(u->data, now);
    }
    lw_l1_tlbs_tick(u->l1, now);
    u->active |= lw_wave_slots_wake(u->slots);
    for (uint64_t left = u->active; left != 0; left &= left - 1) {
        const uint32_t cu = (uint32_t)__builtin_ctzll(left);
        const compute_unit *c = &u->cus[cu];
        if (c->page == c->page_count && !hold) {
            issue(u, cu);
        }
        translate(u, cu);
        set_active(u, cu);
    }
    for (uint64_t left = u->sending; left != 0; left &= left - 1) {
        send_lines(u, (uint32_t)__builtin_ctzll(left));
    }
}

uint64_t lw_compute_units_next_event(const lw_compute_units *u, uint64_t now, bool hold) {
    for (uint64_t left = u->active; left != 0; left &= left - 1) {
        const uint32_t cu = (uint32_t)__builtin_ctzll(left);
        const compute_unit *c = &u->cus[cu];
        if (c->page < c->page_count ? lw_l1_tlbs_takes(u->l1, cu, now + 1) : !hold) {
            return now + 1;
        }
    }
    /* Where an L1 data cache takes no line, that changes with the data path's next event. */
    for (uint64_t left = u->sending; left != 0; left &= left - 1) {
        if (lw_data_path_takes(u->data, (uint32_t)__builtin_ctzll(left), now + 1)) {
            return now + 1;
        }
    }
    const uint64_t alu = lw_wave_slots_next_event(u->slots);
    const uint64_t l1 = lw_l1_tlbs_next_event(u->l1, now);
    const uint64_t first = alu < l1 ? alu : l1;
    if (first <= now + 1) {
        return now + 1;
    }
    const uint64_t data = u->data == NULL ? UINT64_MAX : lw_data_path_next_event(u->data, now);
    return data < first ? data : first;
}

/* ---------------------------------------------------------------- the rest */

uint64_t lw_compute_units_done(const lw_compute_units *u) {
    return lw_wave_slots_done(u->slots);
}

uint64_t lw_compute_units_pending(const lw_compute_units *u) {
    return lw_wave_slots_live(u->slots);
}

bool lw_compute_units_failed(const lw_compute_units *u, lw_error *err) {
    return lw_wave_slots_failed(u->slots, err);
}

void lw_compute_units_statistics(const lw_compute_units *u, lw_front_statistics *statistics) {
    *statistics = u->statistics;
    lw_l1_tlbs_statistics(u->l1, statistics);
    statistics->has_data = u->data != NULL;
    if (u->data != NULL) {
        lw_data_path_counts(u->data, &statistics->data);
        lw_wave_slots_cycles(u->slots, &statistics->cycles);
    }
}
