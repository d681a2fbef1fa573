#include "sim/gpu/data_path.h"

#include "common/fifo.h"
#include "sim/memory/fixed_memory.h"

#include <stdlib.h>

enum { MAX_CUS = 64, PIECE_SHIFT = 6, MAX_CYCLES = 1000, MAX_MEMORY_LATENCY = 100000 };

/* What an L1 wants of the L2: a line for its MSHR, or to have a store taken. */
typedef struct crossing {
    uint64_t line;
    uint64_t due; /* at the other end of the crossbar */
    uint32_t cu, mshr, who;
    bool store, far;
} crossing;

struct lw_data_path {
    lw_data_path_params params;
    uint32_t line_shift, pieces;
    lw_data_cache *l1[MAX_CUS];
    lw_data_cache *l2;
    uint64_t active; /* CUs whose L1 has lookups, one bit each */
    crossing *crossings;
    uint32_t *free; /* of them */
    uint32_t free_count;
    lw_fifo there, back; /* crossings on their way to the L2, to the L1 */
    lw_memory memory;
    bool owns_memory;
    lw_memory_request *asking; /* a ring, oldest first: what memory has not taken */
    uint32_t asking_head, asking_count, asking_room;
    uint32_t reading;  /* pieces that memory reads */
    uint32_t *to_come; /* by MSHR of the L2: pieces */
    uint64_t lines, reads, writes;
};

bool lw_data_path_check(const lw_data_path_params *p, lw_error *err) {
    const struct {
        const char *name;
        uint32_t value, max;
    } rows[] = {{"crossbar_latency", p->crossbar, MAX_CYCLES},
                {"data_latency", p->memory_latency, MAX_MEMORY_LATENCY}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].value < 1 || rows[i].value > rows[i].max) {
            return lw_fail(err, "%s is %u; allowed: 1..%u", rows[i].name, rows[i].value,
                           rows[i].max);
        }
    }
    return lw_data_cache_check(&p->l1, "l1d", err) && lw_data_cache_check(&p->l2, "l2d", err);
}

static bool init_crossings(lw_data_path *p) {
    /* A CU has a line under way for each MSHR, and as many stores. */
    const uint32_t room = p->params.cus * 2 * p->params.l1.mshrs;
    p->crossings = calloc(room, sizeof *p->crossings);
    p->free = calloc(room, sizeof *p->free);
    p->free_count = room;
    for (uint32_t i = 0; p->free != NULL && i < room; i++) {
        p->free[i] = room - 1 - i;
    }
    const bool there = lw_fifo_init(&p->there, room);
    return lw_fifo_init(&p->back, room) && there && p->crossings != NULL && p->free != NULL;
}

static bool init_memory(lw_data_path *p) {
    const uint32_t pieces = p->params.l2.mshrs * p->pieces;
    p->asking_room = pieces; /* each MSHR stands for a line to read or for a victim */
    p->asking = calloc(pieces, sizeof *p->asking);
    p->to_come = calloc(p->params.l2.mshrs, sizeof *p->to_come);
    p->owns_memory = p->params.memory == NULL;
    if (!p->owns_memory) {
        p->memory = *p->params.memory;
        return p->asking != NULL && p->to_come != NULL;
    }
    p->owns_memory = lw_fixed_memory_new(p->params.memory_latency, pieces, &p->memory);
    return p->owns_memory && p->asking != NULL && p->to_come != NULL;
}

lw_data_path *lw_data_path_new(const lw_data_path_params *params) {
    lw_data_path *p = calloc(1, sizeof *p);
    if (p == NULL) {
        return NULL;
    }
    p->params = *params;
    p->line_shift = (uint32_t)__builtin_ctz(params->l1.line);
    p->pieces = params->l1.line >> PIECE_SHIFT;
    p->l2 = lw_data_cache_new(&params->l2);
    bool good = init_crossings(p);
    good = init_memory(p) && good && p->l2 != NULL;
    for (uint32_t cu = 0; good && cu < params->cus; cu++) {
        p->l1[cu] = lw_data_cache_new(&params->l1);
        good = p->l1[cu] != NULL;
    }
    if (!good) {
        lw_data_path_free(p);
        return NULL;
    }
    return p;
}

void lw_data_path_free(lw_data_path *p) {
    if (p == NULL) {
        return;
    }
    for (uint32_t cu = 0; cu < p->params.cus; cu++) {
        lw_data_cache_free(p->l1[cu]);
    }
    if (p->owns_memory) {
        p->memory.destroy(p->memory.state);
    }
    lw_data_cache_free(p->l2);
    free(p->crossings);
    free(p->free);
    lw_fifo_free(&p->there);
    lw_fifo_free(&p->back);
    free(p->asking);
    free(p->to_come);
    free(p);
}

/* ---------------------------------------------------------------- the L1s */

bool lw_data_path_takes(const lw_data_path *p, uint32_t cu, uint64_t now) {
    return lw_data_cache_takes(p->l1[cu], now);
}

void lw_data_path_ask(lw_data_path *p, uint32_t cu, uint64_t now, uint64_t address, bool store,
                      uint32_t who) {
    lw_data_cache_ask(p->l1[cu], now, address >> p->line_shift, store, who);
    p->active |= UINT64_C(1) << cu;
    p->lines++;
}

void lw_data_path_launch(lw_data_path *p, uint32_t cu) {
    lw_data_cache_invalidate(p->l1[cu]);
}

static void decide_l1(lw_data_path *p, uint32_t cu, uint64_t now) {
    lw_data_lookup l;
    while (lw_data_cache_decide(p->l1[cu], now, &l)) {
        if (l.answered) {
            p->params.done(p->params.ctx, l.who, LW_DATA_IN_CACHES);
        } else if (l.far) {
            p->params.leaves_caches(p->params.ctx, l.who);
        }
        if (l.asks || l.passes) {
            const uint32_t x = p->free[--p->free_count];
            p->crossings[x] = (crossing){.line = l.line,
                                         .due = now + p->params.crossbar,
                                         .cu = cu,
                                         .mshr = l.mshr,
                                         .who = l.who,
                                         .store = l.store};
            lw_fifo_push(&p->there, x);
        }
    }
    if (lw_data_cache_is_empty(p->l1[cu])) {
        p->active &= ~(UINT64_C(1) << cu);
    }
}

/* What has crossed back from the L2. */
static void arrive(lw_data_path *p, const crossing *x) {
    lw_data_cache *l1 = p->l1[x->cu];
    uint64_t victim = 0; /* never dirty */
    uint32_t who = 0;
    if (x->store) {
        lw_data_cache_stored(l1);
        p->params.done(p->params.ctx, x->who, LW_DATA_IN_CACHES);
        return;
    }
    const lw_data_place from =
        lw_data_cache_far(l1, x->mshr) ? LW_DATA_IN_MEMORY : LW_DATA_IN_CACHES;
    (void)lw_data_cache_fill(l1, x->mshr, &victim);
    while (lw_data_cache_wake(l1, x->mshr, &who)) {
        p->params.done(p->params.ctx, who, from);
    }
}

/* ---------------------------------------------------------------- the L2 and memory */

static void cross_back(lw_data_path *p, uint32_t x, uint64_t now) {
    p->crossings[x].due = now + p->params.crossbar;
    lw_fifo_push(&p->back, x);
}

static void ask_memory(lw_data_path *p, uint64_t line, bool write, uint32_t mshr) {
    for (uint32_t i = 0; i < p->pieces; i++) {
        p->asking[(p->asking_head + p->asking_count++) % p->asking_room] = (lw_memory_request){
            .line = line * p->pieces + i, .user = LW_MEMORY_DATA, .write = write, .id = mshr};
    }
}

static void give_to_memory(lw_data_path *p, uint64_t now) {
    while (p->asking_count > 0) {
        const lw_memory_request *r = &p->asking[p->asking_head];
        if (!p->memory.ready(p->memory.state, now, r)) {
            return;
        }
        p->memory.ask(p->memory.state, now, r);
        p->reading += r->write ? 0 : 1;
        (*(r->write ? &p->writes : &p->reads))++;
        if (r->write && (r->line + 1) % p->pieces == 0) {
            lw_data_cache_written(p->l2); /* its last piece */
        }
        p->asking_head = p->asking_head + 1 == p->asking_room ? 0 : p->asking_head + 1;
        p->asking_count--;
    }
}

static void decide_l2(lw_data_path *p, uint64_t now) {
    lw_data_lookup l;
    while (lw_data_cache_decide(p->l2, now, &l)) {
        crossing *x = &p->crossings[l.who];
        if (l.answered) {
            cross_back(p, l.who, now);
        } else {
            lw_data_cache_is_far(p->l1[x->cu], x->mshr, p->params.leaves_caches, p->params.ctx);
        }
        if (l.asks) {
            p->to_come[l.mshr] = p->pieces;
            ask_memory(p, l.line, false, l.mshr);
        }
    }
}

static void take_from_memory(lw_data_path *p, uint64_t now) {
    uint32_t mshr = 0;
    while (p->reading > 0 && p->memory.finished(p->memory.state, now, LW_MEMORY_DATA, &mshr)) {
        p->reading--;
        if (--p->to_come[mshr] > 0) {
            continue;
        }
        uint64_t victim = 0;
        uint32_t x = 0;
        if (lw_data_cache_fill(p->l2, mshr, &victim)) {
            ask_memory(p, victim, true, 0);
        }
        while (lw_data_cache_wake(p->l2, mshr, &x)) {
            cross_back(p, x, now);
        }
    }
}

/* ---------------------------------------------------------------- a cycle */

static bool crosses(const lw_data_path *p, const lw_fifo *way, uint64_t now) {
    return way->count > 0 && p->crossings[lw_fifo_first(way)].due <= now;
}

void lw_data_path_tick(lw_data_path *p, uint64_t now) {
    take_from_memory(p, now);
    give_to_memory(p, now); /* first, since a victim that goes makes place for a miss */
    decide_l2(p, now);
    give_to_memory(p, now);
    while (crosses(p, &p->there, now) && lw_data_cache_takes(p->l2, now)) {
        const uint32_t x = lw_fifo_pop(&p->there);
        lw_data_cache_ask(p->l2, now, p->crossings[x].line, p->crossings[x].store, x);
    }
    while (crosses(p, &p->back, now)) {
        const uint32_t x = lw_fifo_pop(&p->back);
        arrive(p, &p->crossings[x]);
        p->free[p->free_count++] = x;
    }
    for (uint64_t left = p->active; left != 0; left &= left - 1) {
        decide_l1(p, (uint32_t)__builtin_ctzll(left), now);
    }
}

static uint64_t earlier(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* The next cycle in which the first of `way` can leave the crossbar. */
static uint64_t next_crossing(const lw_data_path *p, const lw_fifo *way, uint64_t now) {
    const uint64_t due = way->count == 0 ? UINT64_MAX : p->crossings[lw_fifo_first(way)].due;
    return due > now ? due : now + 1;
}

uint64_t lw_data_path_next_event(const lw_data_path *p, uint64_t now) {
    uint64_t next = lw_data_cache_next_event(p->l2, now);
    for (uint64_t left = p->active; left != 0; left &= left - 1) {
        next = earlier(next, lw_data_cache_next_event(p->l1[__builtin_ctzll(left)], now));
    }
    if (p->reading + p->asking_count > 0) {
        next = earlier(next, p->memory.next_event(p->memory.state, now));
    }
    next = earlier(next, next_crossing(p, &p->back, now));
    /* What is due already waits for a place of the L2; one that is full waits for its oldest. */
    const bool blocked = crosses(p, &p->there, now) && !lw_data_cache_takes(p->l2, now + 1);
    return blocked ? next : earlier(next, next_crossing(p, &p->there, now));
}

void lw_data_path_counts(const lw_data_path *p, lw_data_counts *counts) {
    *counts =
        (lw_data_counts){.lines = p->lines, .memory_reads = p->reads, .memory_writes = p->writes};
    for (uint32_t cu = 0; cu < p->params.cus; cu++) {
        lw_data_cache_add_counts(p->l1[cu], &counts->l1);
    }
    lw_data_cache_add_counts(p->l2, &counts->l2);
}
