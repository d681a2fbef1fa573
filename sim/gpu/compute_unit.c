#include "sim/gpu/compute_unit.h"

#include "common/heap.h"
#include "sim/gpu/gpu_tlb.h"
#include "sim/gpu/lane_coalescer.h"
#include "sim/gpu/misses.h"

#include <stdlib.h>

typedef struct wave {
    lw_wave *stream;
    lw_wave_inst inst; /* the next to issue */
    bool has_inst;
    uint32_t unanswered; /* pages of its issued instructions */
    uint32_t group_slot;
    uint64_t age;
} wave;

typedef struct group {
    uint32_t waves_left;
} group;

typedef struct compute_unit {
    lw_gpu_tlb *l1;
    lw_heap ready; /* waves that can issue, by age */
    uint32_t *free_waves, *free_groups;
    uint32_t free_wave_count, free_group_count;
    /* the coalescer: what is left of the instruction issued last */
    uint64_t pages[LW_MAX_LANES];
    uint32_t page, page_count, page_wave, page_access;
} compute_unit;

struct lw_compute_units {
    lw_compute_params params;
    uint32_t slots; /* of a CU */
    compute_unit *cus;
    wave *waves;      /* cu x slots + slot */
    group *groups;    /* likewise */
    lw_heap later;    /* waves whose `alu` cycles run, by the cycle they end in */
    lw_misses misses; /* of the L1 TLBs */
    uint64_t age, now;
    uint64_t pending; /* unanswered pages of all waves, and live waves */
    uint64_t active;  /* CUs with something in `ready` or the coalescer, one bit each */
    lw_front_statistics statistics;
    lw_error error;
};

uint32_t lw_compute_units_misses(const lw_gpu_params *params) {
    /* Each wave slot may have a few divergent instructions in flight. */
    return params->cus * params->simds * params->waves * LW_MAX_LANES * 4;
}

static bool init_unit(compute_unit *c, const lw_gpu_params *gpu, uint32_t slots) {
    c->l1 = lw_gpu_tlb_new(1, gpu->l1_entries);
    c->free_waves = calloc(slots, sizeof *c->free_waves);
    c->free_groups = calloc(slots, sizeof *c->free_groups);
    if (!lw_heap_init(&c->ready, slots) || c->l1 == NULL || c->free_waves == NULL ||
        c->free_groups == NULL) {
        return false;
    }
    for (uint32_t s = 0; s < slots; s++) {
        c->free_waves[s] = c->free_groups[s] = slots - 1 - s;
    }
    c->free_wave_count = c->free_group_count = slots;
    return true;
}

lw_compute_units *lw_compute_units_new(const lw_compute_params *params) {
    const lw_gpu_params *gpu = params->gpu;
    lw_compute_units *u = calloc(1, sizeof *u);
    if (u == NULL) {
        return NULL;
    }
    u->params = *params;
    u->slots = gpu->simds * gpu->waves;
    u->cus = calloc(gpu->cus, sizeof *u->cus);
    u->waves = calloc((size_t)gpu->cus * u->slots, sizeof *u->waves);
    u->groups = calloc((size_t)gpu->cus * u->slots, sizeof *u->groups);
    uint32_t misses = lw_compute_units_misses(gpu);
    bool good = u->cus != NULL && u->waves != NULL && u->groups != NULL;
    good = lw_heap_init(&u->later, (size_t)gpu->cus * u->slots) && good;
    good = lw_misses_init(&u->misses, misses, misses) && good;
    for (uint32_t c = 0; good && c < gpu->cus; c++) {
        good = init_unit(&u->cus[c], gpu, u->slots);
    }
    if (!good) {
        lw_compute_units_free(u);
        return NULL;
    }
    return u;
}

void lw_compute_units_free(lw_compute_units *u) {
    if (u == NULL) {
        return;
    }
    for (uint32_t c = 0; u->cus != NULL && c < u->params.gpu->cus; c++) {
        lw_gpu_tlb_free(u->cus[c].l1);
        lw_heap_free(&u->cus[c].ready);
        free(u->cus[c].free_waves);
        free(u->cus[c].free_groups);
    }
    free(u->cus);
    free(u->waves);
    free(u->groups);
    lw_heap_free(&u->later);
    lw_misses_free(&u->misses);
    free(u);
}

void lw_compute_units_connect(lw_compute_units *u, lw_l2_tlb *l2) {
    u->params.l2 = l2;
}

static lw_workload *workload_of(const lw_compute_units *u, uint32_t cu) {
    return u->params.workloads[cu % u->params.workload_count];
}

static uint32_t pasid_of(const lw_compute_units *u, uint32_t cu) {
    return cu % u->params.workload_count;
}

/* ---------------------------------------------------------------- the life of a wave */

static void end_wave(lw_compute_units *u, uint32_t w) {
    wave *v = &u->waves[w];
    uint32_t cu = w / u->slots;
    compute_unit *c = &u->cus[cu];
    lw_workload_wave_end(workload_of(u, cu), v->stream);
    c->free_waves[c->free_wave_count++] = w % u->slots;
    u->pending--;
    if (--u->groups[v->group_slot].waves_left == 0) {
        c->free_groups[c->free_group_count++] = v->group_slot % u->slots;
        u->params.group_done(u->params.ctx, cu);
    }
}

/* The wave's `alu` cycles begin now, if nothing holds them up. */
static void prepare(lw_compute_units *u, uint32_t w) {
    wave *v = &u->waves[w];
    if (!v->has_inst) {
        if (v->unanswered == 0) {
            end_wave(u, w);
        }
    } else if (!v->inst.dep || v->unanswered == 0) {
        lw_heap_push(&u->later, u->now + 1 + v->inst.alu, w);
    }
}

static void fetch(lw_compute_units *u, uint32_t w) {
    wave *v = &u->waves[w];
    int status =
        lw_workload_wave_next(workload_of(u, w / u->slots), v->stream, &v->inst, &u->error);
    v->has_inst = status == 1;
    prepare(u, w);
}

bool lw_compute_units_fits(const lw_compute_units *u, uint32_t cu, uint32_t waves) {
    return u->cus[cu].free_wave_count >= waves;
}

void lw_compute_units_start(lw_compute_units *u, uint32_t cu, uint32_t number, uint32_t waves,
                            uint64_t now) {
    compute_unit *c = &u->cus[cu];
    u->now = now;
    uint32_t slot = cu * u->slots + c->free_groups[--c->free_group_count];
    u->groups[slot].waves_left = waves;
    for (uint32_t i = 0; i < waves; i++) {
        uint32_t w = cu * u->slots + c->free_waves[--c->free_wave_count];
        wave *v = &u->waves[w];
        *v = (wave){.group_slot = slot, .age = u->age++};
        v->stream = lw_workload_wave_begin(workload_of(u, cu), number, i);
        u->pending++;
        if (v->stream == NULL) {
            (void)lw_fail(&u->error, "no memory for a wave");
            return;
        }
        fetch(u, w);
    }
}

/* A page of the wave has its frame. Data caches will begin here. */
static void translated(lw_compute_units *u, uint32_t w) {
    wave *v = &u->waves[w];
    u->pending--;
    if (--v->unanswered == 0 && (!v->has_inst || v->inst.dep)) {
        prepare(u, w);
    }
}

/* ---------------------------------------------------------------- issue and L1 TLB */

static void set_active(lw_compute_units *u, uint32_t cu) {
    const compute_unit *c = &u->cus[cu];
    uint64_t bit = UINT64_C(1) << cu;
    bool active = c->ready.count > 0 || c->page < c->page_count;
    u->active = active ? u->active | bit : u->active & ~bit;
}

static void issue(lw_compute_units *u, uint32_t cu) {
    compute_unit *c = &u->cus[cu];
    uint32_t w = lw_heap_pop(&c->ready);
    wave *v = &u->waves[w];
    c->page = 0;
    c->page_count = lw_coalesce_lanes(&v->inst, c->pages);
    c->page_wave = w;
    c->page_access = (uint32_t)v->inst.access;
    v->unanswered += c->page_count;
    u->pending += c->page_count;
    u->statistics.wave_instructions++;
    u->statistics.translations += c->page_count;
    fetch(u, w);
}

static void probe(lw_compute_units *u, uint32_t cu) {
    compute_unit *c = &u->cus[cu];
    uint64_t page = c->pages[c->page];
    lw_gpu_reach reach;
    if (lw_gpu_tlb_lookup(c->l1, pasid_of(u, cu), page, c->page_access, &reach)) {
        const lw_front_hit hit = {
            LW_FRONT_L1, cu,   pasid_of(u, cu), c->page_access, reach.span / 9,
            reach.perm,  page, reach.pfn};
        lw_front_judge_hit(u->params.gpu->judge, &hit);
        c->page++;
        u->statistics.l1_hits++;
        translated(u, c->page_wave);
        return;
    }
    u->statistics.l1_misses++;
    uint32_t miss = lw_misses_find(&u->misses, cu, page, c->page_access);
    if (miss == LW_NO_MISS) {
        miss = lw_misses_add(&u->misses, cu, page, c->page_access);
        const lw_l2_request request = {page, pasid_of(u, cu), c->page_access, cu};
        lw_l2_tlb_ask(u->params.l2, miss, &request);
    }
    lw_misses_wait(&u->misses, miss, c->page_wave);
    c->page++;
}

void lw_compute_units_at(lw_compute_units *u, uint64_t now) {
    u->now = now;
}

void lw_compute_units_answer(void *units, uint32_t l1_miss, const lw_gpu_reach *reach) {
    lw_compute_units *u = units;
    uint32_t cu = u->misses.pool[l1_miss].owner;
    uint32_t w = 0;
    if (reach != NULL) {
        lw_gpu_tlb_fill(u->cus[cu].l1, pasid_of(u, cu), u->misses.pool[l1_miss].page, reach);
    }
    while (lw_misses_wake(&u->misses, l1_miss, &w)) {
        translated(u, w);
    }
}

void lw_compute_units_tick(lw_compute_units *u, uint64_t now, bool hold) {
    u->now = now;
    while (lw_heap_first(&u->later) <= now) {
        uint32_t w = lw_heap_pop(&u->later);
        uint32_t cu = w / u->slots;
        lw_heap_push(&u->cus[cu].ready, u->waves[w].age, w);
        u->active |= UINT64_C(1) << cu;
    }
    for (uint64_t left = u->active; left != 0; left &= left - 1) {
        uint32_t cu = (uint32_t)__builtin_ctzll(left);
        compute_unit *c = &u->cus[cu];
        if (c->page == c->page_count && c->ready.count > 0 && !hold) {
            issue(u, cu);
        }
        for (uint32_t n = 0; n < u->params.gpu->l1_probes && c->page < c->page_count &&
                             u->misses.free_count > 0 && u->misses.free_waiter_count > 0;
             n++) {
            probe(u, cu);
        }
        set_active(u, cu);
    }
}

uint64_t lw_compute_units_next_event(const lw_compute_units *u, uint64_t now, bool hold) {
    for (uint64_t left = u->active; left != 0; left &= left - 1) {
        const compute_unit *c = &u->cus[__builtin_ctzll(left)];
        if (!hold || c->page < c->page_count) {
            return now + 1;
        }
    }
    uint64_t first = lw_heap_first(&u->later);
    return first > now ? first : now + 1;
}

/* ---------------------------------------------------------------- the rest */

void lw_compute_units_shootdown(lw_compute_units *u, uint32_t type, uint32_t pasid) {
    for (uint32_t c = 0; c < u->params.gpu->cus; c++) {
        lw_gpu_tlb_shootdown(u->cus[c].l1, type, pasid);
    }
}

uint64_t lw_compute_units_pending(const lw_compute_units *u) {
    return u->pending;
}

bool lw_compute_units_failed(const lw_compute_units *u, lw_error *err) {
    if (u->error.text[0] == '\0') {
        return false;
    }
    (void)lw_fail(err, "%s", u->error.text);
    return true;
}

void lw_compute_units_statistics(const lw_compute_units *u, lw_front_statistics *statistics) {
    *statistics = u->statistics;
}
