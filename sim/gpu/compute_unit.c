#include "sim/gpu/compute_unit.h"

#include "sim/gpu/gpu_tlb.h"
#include "sim/gpu/lane_coalescer.h"
#include "sim/gpu/misses.h"
#include "sim/gpu/wave_slots.h"

#include <stdlib.h>

/* Waiters and instructions that a wave slot has in the mean, in pages: a few divergent ones. */
enum { PAGES_A_SLOT = LW_MAX_LANES * 4 };

#define FRAMES ((UINT64_C(1) << 40) - 1) /* numbers of frames of 52 bits */
#define NO_PAGE UINT32_MAX

/* A page of an instruction, from its probe until it is answered or its last line has gone. */
typedef struct page {
    uint64_t frame;
    uint64_t lines; /* of 64 bytes, a bit each: not yet at the L1 data cache */
    uint32_t instruction;
    uint32_t next; /* with its frame, in the CU */
} page;

typedef struct compute_unit {
    lw_gpu_tlb *l1;
    /* the coalescer: what is left of the instruction issued last */
    lw_page_lines pages[LW_MAX_LANES];
    uint32_t page, page_count, instruction, access;
    /* pages that have their frames and lines to send */
    uint32_t first, last;
} compute_unit;

struct lw_compute_units {
    lw_compute_params params;
    lw_wave_slots *slots;
    lw_data_path *data; /* NULL: data takes no time */
    compute_unit *cus;
    lw_misses misses; /* of the L1 TLBs; waiters: pages */
    bool *in_unit;    /* by miss: the unit is asked */
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

static void line_done(void *ctx, uint32_t instruction, lw_data_place from);
static void leaves_caches(void *ctx, uint32_t instruction);

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
    const uint32_t misses = lw_compute_units_misses(gpu);
    u->cus = calloc(gpu->cus, sizeof *u->cus);
    u->in_unit = calloc(misses, sizeof *u->in_unit);
    u->pages = calloc(misses, sizeof *u->pages);
    u->free_pages = calloc(misses, sizeof *u->free_pages);
    u->slots = make_slots(u);
    u->data = gpu->has_data ? make_data_path(u) : NULL;
    bool good = lw_misses_init(&u->misses, misses, misses) && u->cus != NULL &&
                u->in_unit != NULL && u->pages != NULL && u->free_pages != NULL &&
                u->slots != NULL && (u->data != NULL || !gpu->has_data);
    for (uint32_t c = 0; good && c < gpu->cus; c++) {
        u->cus[c].l1 = lw_gpu_tlb_new(1, gpu->l1_entries);
        u->cus[c].first = u->cus[c].last = NO_PAGE;
        good = u->cus[c].l1 != NULL;
    }
    if (!good) {
        lw_compute_units_free(u);
        return NULL;
    }
    for (uint32_t p = 0; p < misses; p++) {
        u->free_pages[p] = misses - 1 - p;
    }
    u->free_page_count = misses;
    return u;
}

void lw_compute_units_free(lw_compute_units *u) {
    if (u == NULL) {
        return;
    }
    for (uint32_t c = 0; u->cus != NULL && c < u->params.gpu->cus; c++) {
        lw_gpu_tlb_free(u->cus[c].l1);
    }
    free(u->cus);
    free(u->in_unit);
    free(u->pages);
    free(u->free_pages);
    lw_wave_slots_free(u->slots);
    lw_data_path_free(u->data);
    lw_misses_free(&u->misses);
    free(u);
}

void lw_compute_units_connect(lw_compute_units *u, lw_l2_tlb *l2) {
    u->params.l2 = l2;
}

static uint32_t pasid_of(const lw_compute_units *u, uint32_t cu) {
    return cu % u->params.workload_count;
}

/* ---------------------------------------------------------------- groups and launches */

lw_data_path *lw_compute_units_data(const lw_compute_units *u) {
    return u->data;
}

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

/* ---------------------------------------------------------------- issue and L1 TLB */

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

static void probe(lw_compute_units *u, uint32_t cu) {
    compute_unit *c = &u->cus[cu];
    const uint64_t page = c->pages[c->page].page;
    const uint32_t number = take_page(u, c);
    lw_gpu_reach reach;
    if (lw_gpu_tlb_lookup(c->l1, pasid_of(u, cu), page, c->access, &reach)) {
        const lw_front_hit hit = {
            LW_FRONT_L1, cu,   pasid_of(u, cu), c->access, lw_gpu_size_of(reach.span),
            reach.perm,  page, reach.pfn};
        lw_front_judge_hit(u->params.gpu->judge, &hit);
        u->statistics.l1_hits++;
        translated(u, number, &reach.pfn, LW_CAUSE_TLB);
        return;
    }
    u->statistics.l1_misses++;
    uint32_t miss = lw_misses_find(&u->misses, cu, page, c->access);
    if (miss == LW_NO_MISS) {
        miss = lw_misses_add(&u->misses, cu, page, c->access);
        u->in_unit[miss] = false;
        const lw_l2_request request = {page, pasid_of(u, cu), c->access, cu};
        lw_l2_tlb_ask(u->params.l2, miss, &request);
    }
    lw_misses_wait(&u->misses, miss, number);
    if (u->in_unit[miss]) {
        lw_wave_slots_move(u->slots, c->instruction, LW_CAUSE_TLB, LW_CAUSE_UNIT, 1);
    }
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
    const compute_unit *c = &u->cus[cu];
    if (u->params.gpu->ideal) {
        translate_ideally(u, cu);
        return;
    }
    for (uint32_t n = 0;
         n < u->params.gpu->l1_probes && c->page < c->page_count && u->misses.free_count > 0 &&
         u->misses.free_waiter_count > 0 && u->free_page_count > 0;
         n++) {
        probe(u, cu);
    }
}

void lw_compute_units_at(lw_compute_units *u, uint64_t now) {
    u->now = now;
    lw_wave_slots_at(u->slots, now);
}

void lw_compute_units_answer(void *units, uint32_t l1_miss, const lw_gpu_reach *reach) {
    lw_compute_units *u = units;
    const uint32_t cu = u->misses.pool[l1_miss].owner;
    const lw_wave_cause from = u->in_unit[l1_miss] ? LW_CAUSE_UNIT : LW_CAUSE_TLB;
    uint32_t number = 0;
    if (reach != NULL) {
        u->statistics.l1_fills++;
        lw_gpu_tlb_fill(u->cus[cu].l1, pasid_of(u, cu), u->misses.pool[l1_miss].page, reach);
    }
    while (lw_misses_wake(&u->misses, l1_miss, &number)) {
        translated(u, number, reach == NULL ? NULL : &reach->pfn, from);
    }
}

void lw_compute_units_asks(void *units, uint32_t l1_miss) {
    lw_compute_units *u = units;
    u->in_unit[l1_miss] = true;
    for (uint32_t w = u->misses.pool[l1_miss].first_waiter; w != LW_NO_MISS;
         w = u->misses.waiters[w].next) {
        lw_wave_slots_move(u->slots, u->pages[u->misses.waiters[w].who].instruction, LW_CAUSE_TLB,
                           LW_CAUSE_UNIT, 1);
    }
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
        const compute_unit *c = &u->cus[__builtin_ctzll(left)];
        if (!hold || c->page < c->page_count) {
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
    const uint64_t data = u->data == NULL ? UINT64_MAX : lw_data_path_next_event(u->data, now);
    const uint64_t first = alu < data ? alu : data;
    return first > now ? first : now + 1;
}

/* ---------------------------------------------------------------- the rest */

void lw_compute_units_shootdown(lw_compute_units *u, const lw_gpu_shootdown *shootdown) {
    for (uint32_t c = 0; c < u->params.gpu->cus; c++) {
        lw_gpu_tlb_shootdown(u->cus[c].l1, shootdown);
    }
}

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
    statistics->has_data = u->data != NULL;
    if (u->data != NULL) {
        lw_data_path_counts(u->data, &statistics->data);
        lw_wave_slots_cycles(u->slots, &statistics->cycles);
    }
}
