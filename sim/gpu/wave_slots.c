#include "sim/gpu/wave_slots.h"

#include "common/heap.h"

#include <stdlib.h>

typedef struct wave {
    lw_wave *stream;
    lw_wave_inst inst; /* the next to issue */
    bool has_inst;
    bool waits;          /* for an answer, to issue or to end */
    lw_wave_cause cause; /* of its present cycles: LW_CAUSES where there is no wave */
    uint64_t since;      /* the first of these cycles */
    uint32_t under_way, oldest, newest; /* its instructions, in the order of their issue */
    uint32_t group_slot;
    uint16_t cu, simd;
    uint64_t age;
} wave;

typedef struct instruction {
    uint32_t wave, older, newer;
    uint16_t parts;        /* unanswered */
    uint8_t at[LW_CAUSES]; /* parts in each place */
    bool store;
} instruction;

typedef struct simd_unit {
    lw_heap ready; /* waves that can issue, by turn */
    uint64_t free_at;
    uint32_t waves; /* that have been dealt to it and not ended */
} simd_unit;

typedef struct compute_unit {
    simd_unit *simds;
    uint64_t turn; /* modulo their number: the next to get a wave, if it has room */
    uint32_t ready_count;
    uint32_t *free_waves, *free_groups;
    uint32_t free_wave_count, free_group_count;
} compute_unit;

struct lw_wave_slots {
    lw_wave_slots_params params;
    uint32_t slots; /* of a CU */
    compute_unit *cus;
    wave *waves;          /* cu x slots + slot */
    uint32_t *waves_left; /* of a group, likewise */
    instruction *pool;
    uint32_t *free; /* of the pool */
    uint32_t free_count;
    lw_heap later; /* waves whose `alu` cycles run, by the cycle in which they can issue */
    uint64_t age, turn, now;
    uint64_t done;             /* lw_wave_slots_done */
    uint64_t live, live_since; /* waves there are, and since when so many */
    lw_wave_cycles cycles;     /* but for those that still run */
    lw_error error;
};

/* ---------------------------------------------------------------- making */

static bool init_unit(compute_unit *c, const lw_gpu_params *gpu, uint32_t slots) {
    c->free_waves = calloc(slots, sizeof *c->free_waves);
    c->free_groups = calloc(slots, sizeof *c->free_groups);
    c->simds = calloc(gpu->simds, sizeof *c->simds);
    if (c->free_waves == NULL || c->free_groups == NULL || c->simds == NULL) {
        return false;
    }
    for (uint32_t simd = 0; simd < gpu->simds; simd++) {
        if (!lw_heap_init(&c->simds[simd].ready, gpu->waves)) {
            return false;
        }
    }
    for (uint32_t s = 0; s < slots; s++) {
        c->free_waves[s] = c->free_groups[s] = slots - 1 - s;
    }
    c->free_wave_count = c->free_group_count = slots;
    return true;
}

lw_wave_slots *lw_wave_slots_new(const lw_wave_slots_params *params) {
    const lw_gpu_params *gpu = params->gpu;
    lw_wave_slots *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    s->params = *params;
    s->slots = gpu->simds * gpu->waves;
    const size_t waves = (size_t)gpu->cus * s->slots;
    s->cus = calloc(gpu->cus, sizeof *s->cus);
    s->waves = calloc(waves, sizeof *s->waves);
    s->waves_left = calloc(waves, sizeof *s->waves_left);
    s->pool = calloc(params->instructions, sizeof *s->pool);
    s->free = calloc(params->instructions, sizeof *s->free);
    bool good = lw_heap_init(&s->later, waves) && s->cus != NULL && s->waves != NULL &&
                s->waves_left != NULL && s->pool != NULL && s->free != NULL;
    for (uint32_t c = 0; good && c < gpu->cus; c++) {
        good = init_unit(&s->cus[c], gpu, s->slots);
    }
    if (!good) {
        lw_wave_slots_free(s);
        return NULL;
    }
    for (uint32_t i = 0; i < params->instructions; i++) {
        s->free[i] = params->instructions - 1 - i;
    }
    s->free_count = params->instructions;
    for (size_t w = 0; w < waves; w++) {
        s->waves[w].cause = LW_CAUSES;
    }
    return s;
}

static void free_unit(compute_unit *c, uint32_t simds) {
    for (uint32_t simd = 0; c->simds != NULL && simd < simds; simd++) {
        lw_heap_free(&c->simds[simd].ready);
    }
    free(c->simds);
    free(c->free_waves);
    free(c->free_groups);
}

void lw_wave_slots_free(lw_wave_slots *s) {
    if (s == NULL) {
        return;
    }
    for (uint32_t c = 0; s->cus != NULL && c < s->params.gpu->cus; c++) {
        free_unit(&s->cus[c], s->params.gpu->simds);
    }
    free(s->cus);
    free(s->waves);
    free(s->waves_left);
    free(s->pool);
    free(s->free);
    lw_heap_free(&s->later);
    free(s);
}

static lw_workload *workload_of(const lw_wave_slots *s, uint32_t cu) {
    return s->params.workloads[cu % s->params.workload_count];
}

/* ---------------------------------------------------------------- where a wave's cycles go */

/* The wave's cycles from now on have this cause. */
static void set_cause(lw_wave_slots *s, wave *v, lw_wave_cause cause) {
    if (!s->params.causes || v->cause == cause) {
        return;
    }
    if (v->cause != LW_CAUSES) {
        s->cycles.of[v->cause] += s->now - v->since;
    }
    v->cause = cause;
    v->since = s->now;
}

/* The wave can neither issue nor compute: its oldest instruction says why. */
static void set_waiting_cause(lw_wave_slots *s, wave *v) {
    const instruction *i = &s->pool[v->oldest];
    lw_wave_cause place = LW_CAUSE_TLB;
    while (i->at[place] == 0) {
        place++;
    }
    set_cause(s, v, place);
}

static void parts_moved(lw_wave_slots *s, uint32_t number) {
    wave *v = &s->waves[s->pool[number].wave];
    if (s->params.causes && v->oldest == number && v->cause >= LW_CAUSE_TLB) {
        set_waiting_cause(s, v);
    }
}

static void count_waves(lw_wave_slots *s, uint64_t live) {
    s->cycles.waves += s->live * (s->now - s->live_since);
    s->live = live;
    s->live_since = s->now;
}

void lw_wave_slots_cycles(const lw_wave_slots *s, lw_wave_cycles *cycles) {
    *cycles = s->cycles;
    cycles->waves += s->live * (s->now - s->live_since);
    for (size_t w = 0; w < (size_t)s->params.gpu->cus * s->slots; w++) {
        if (s->waves[w].cause != LW_CAUSES) {
            cycles->of[s->waves[w].cause] += s->now - s->waves[w].since;
        }
    }
}

/* ---------------------------------------------------------------- the life of a wave */

static void end_wave(lw_wave_slots *s, uint32_t w) {
    wave *v = &s->waves[w];
    compute_unit *c = &s->cus[v->cu];
    set_cause(s, v, LW_CAUSES);
    count_waves(s, s->live - 1);
    lw_workload_wave_end(workload_of(s, v->cu), v->stream);
    c->free_waves[c->free_wave_count++] = w % s->slots;
    c->simds[v->simd].waves--;
    if (--s->waves_left[v->group_slot] == 0) {
        c->free_groups[c->free_group_count++] = v->group_slot % s->slots;
        s->params.group_done(s->params.ctx, v->cu);
    }
}

/* The wave's `alu` cycles begin now, if nothing holds them up. */
static void prepare(lw_wave_slots *s, uint32_t w) {
    wave *v = &s->waves[w];
    const uint32_t most = s->params.gpu->wave_loads;
    const bool full = most != 0 && v->under_way >= most;
    if (!v->has_inst) {
        if (v->under_way == 0) {
            end_wave(s, w);
            return;
        }
    } else if ((!v->inst.dep || v->under_way == 0) && !full) {
        lw_heap_push(&s->later, s->now + 1 + v->inst.alu, w);
        set_cause(s, v, LW_CAUSE_ALU);
        v->waits = false;
        return;
    }
    v->waits = true;
    if (s->params.causes) {
        set_waiting_cause(s, v);
    }
}

static void fetch(lw_wave_slots *s, uint32_t w) {
    wave *v = &s->waves[w];
    v->has_inst = lw_workload_wave_next(workload_of(s, v->cu), v->stream, &v->inst) == 1;
    prepare(s, w);
}

bool lw_wave_slots_fit(const lw_wave_slots *s, uint32_t cu, uint32_t waves) {
    return s->cus[cu].free_wave_count >= waves;
}

/* Not by its slot: slots are taken again in the order in which waves end. */
static uint16_t deal(compute_unit *c, const lw_gpu_params *gpu) {
    uint32_t simd = 0;
    do {
        simd = (uint32_t)(c->turn++ % gpu->simds);
    } while (c->simds[simd].waves == gpu->waves);
    c->simds[simd].waves++;
    return (uint16_t)simd;
}

void lw_wave_slots_start(lw_wave_slots *s, uint32_t cu, uint32_t number, uint32_t waves,
                         uint64_t now) {
    compute_unit *c = &s->cus[cu];
    s->now = now;
    s->done++;
    const uint32_t slot = cu * s->slots + c->free_groups[--c->free_group_count];
    s->waves_left[slot] = waves;
    for (uint32_t i = 0; i < waves; i++) {
        const uint32_t w = cu * s->slots + c->free_waves[--c->free_wave_count];
        wave *v = &s->waves[w];
        *v = (wave){.group_slot = slot,
                    .cu = (uint16_t)cu,
                    .simd = deal(c, s->params.gpu),
                    .age = s->age++,
                    .cause = LW_CAUSES,
                    .oldest = LW_NO_INSTRUCTION,
                    .newest = LW_NO_INSTRUCTION};
        count_waves(s, s->live + 1);
        v->stream = lw_workload_wave_begin(workload_of(s, cu), number, i);
        if (v->stream == NULL) {
            (void)lw_fail(&s->error, "no memory for a wave");
            return;
        }
        fetch(s, w);
    }
}

/* ---------------------------------------------------------------- issue */

void lw_wave_slots_at(lw_wave_slots *s, uint64_t now) {
    s->now = now;
}

uint64_t lw_wave_slots_wake(lw_wave_slots *s) {
    const bool by_turn = s->params.gpu->schedule == LW_SCHEDULE_ROUND_ROBIN;
    uint64_t cus = 0;
    while (lw_heap_first(&s->later) <= s->now) {
        const uint32_t w = lw_heap_pop(&s->later);
        wave *v = &s->waves[w];
        compute_unit *c = &s->cus[v->cu];
        lw_heap_push(&c->simds[v->simd].ready, by_turn ? s->turn++ : v->age, w);
        c->ready_count++;
        set_cause(s, v, LW_CAUSE_ISSUE);
        cus |= UINT64_C(1) << v->cu;
    }
    return cus;
}

bool lw_wave_slots_any(const lw_wave_slots *s, uint32_t cu) {
    return s->cus[cu].ready_count > 0;
}

const lw_wave_inst *lw_wave_slots_pick(const lw_wave_slots *s, uint32_t cu, uint32_t *wave) {
    const compute_unit *c = &s->cus[cu];
    const lw_heap *first = NULL;
    if (c->ready_count == 0 || s->free_count == 0) {
        return NULL;
    }
    for (uint32_t simd = 0; simd < s->params.gpu->simds; simd++) {
        const lw_heap *h = &c->simds[simd].ready;
        if (h->count > 0 && c->simds[simd].free_at <= s->now &&
            (first == NULL || lw_heap_first(h) < lw_heap_first(first))) {
            first = h;
        }
    }
    if (first == NULL) {
        return NULL;
    }
    *wave = first->items[0].value;
    return &s->waves[*wave].inst;
}

uint32_t lw_wave_slots_issue(lw_wave_slots *s, uint32_t w, uint32_t pages) {
    wave *v = &s->waves[w];
    compute_unit *c = &s->cus[v->cu];
    const uint32_t number = s->free[--s->free_count];
    (void)lw_heap_pop(&c->simds[v->simd].ready);
    c->ready_count--;
    s->done++;
    c->simds[v->simd].free_at = s->now + s->params.gpu->issue_period;
    s->pool[number] = (instruction){.wave = w,
                                    .older = v->newest,
                                    .newer = LW_NO_INSTRUCTION,
                                    .parts = (uint16_t)pages,
                                    .at[LW_CAUSE_TLB] = (uint8_t)pages,
                                    .store = v->inst.access == LW_WRITE};
    *(v->newest == LW_NO_INSTRUCTION ? &v->oldest : &s->pool[v->newest].newer) = number;
    v->newest = number;
    v->under_way++;
    fetch(s, w);
    return number;
}

/* ---------------------------------------------------------------- answers */

void lw_wave_slots_move(lw_wave_slots *s, uint32_t number, lw_wave_cause from, lw_wave_cause to,
                        uint32_t parts) {
    instruction *i = &s->pool[number];
    s->done++;
    i->at[from]--;
    i->at[to] = (uint8_t)(i->at[to] + parts);
    i->parts = (uint16_t)(i->parts - 1 + parts);
    parts_moved(s, number);
}

/* The wave's instruction is answered. */
static void retire(lw_wave_slots *s, uint32_t number) {
    const instruction *i = &s->pool[number];
    const uint32_t w = i->wave;
    wave *v = &s->waves[w];
    *(i->older == LW_NO_INSTRUCTION ? &v->oldest : &s->pool[i->older].newer) = i->newer;
    *(i->newer == LW_NO_INSTRUCTION ? &v->newest : &s->pool[i->newer].older) = i->older;
    v->under_way--;
    s->free[s->free_count++] = number;
    if (v->waits) {
        prepare(s, w);
    }
}

void lw_wave_slots_answer(lw_wave_slots *s, uint32_t number, lw_wave_cause from) {
    instruction *i = &s->pool[number];
    s->done++;
    i->at[from]--;
    if (--i->parts == 0) {
        retire(s, number);
    } else {
        parts_moved(s, number);
    }
}

bool lw_wave_slots_stores(const lw_wave_slots *s, uint32_t number) {
    return s->pool[number].store;
}

uint32_t lw_wave_slots_cu(const lw_wave_slots *s, uint32_t number) {
    return s->waves[s->pool[number].wave].cu;
}

/* ---------------------------------------------------------------- the rest */

uint64_t lw_wave_slots_next_event(const lw_wave_slots *s) {
    return lw_heap_first(&s->later);
}

uint64_t lw_wave_slots_done(const lw_wave_slots *s) {
    return s->done;
}

uint64_t lw_wave_slots_live(const lw_wave_slots *s) {
    return s->live;
}

bool lw_wave_slots_failed(const lw_wave_slots *s, lw_error *err) {
    return s->error.text[0] != '\0' && (lw_fail(err, "%s", s->error.text), true);
}
