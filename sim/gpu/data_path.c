#include "sim/gpu/data_path.h"

#include "common/fifo.h"
#include "sim/memory/fixed_memory.h"

#include <stdlib.h>

enum { MAX_CUS = 64, PIECE_SHIFT = 6, MAX_CYCLES = 1000, MAX_MEMORY_LATENCY = 100000 };
enum { A_WALK = MAX_CUS }; /* in the place of a CU */

/* What an L1 wants of the L2: a line for its MSHR, or to have a store taken; or what a page walk
 * wants of it, which crosses nothing. */
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
    lw_fifo walks;       /* crossings of page walks that wait for the L2's lookup */
    lw_fifo walked;      /* ids of page walks' reads that have finished and are not taken */
    uint32_t walking;    /* reads of page walks under way, finished ones too */
    lw_memory walk_memory;
    lw_memory memory;
    bool owns_memory;
    lw_memory_request *asking; /* a ring, oldest first: what memory has not taken */
    uint32_t asking_head, asking_count, asking_room;
    uint32_t reading;      /* pieces that memory reads */
    uint32_t *to_come;     /* by MSHR of the L2: pieces */
    lw_data_counts counts; /* all but those of the caches */
};

bool lw_data_path_check(const lw_data_path_params *p, lw_error *err) {
    const struct {
        const char *name;
        uint32_t value, max;
    } rows[] = {{"crossbar_latency", p->crossbar, MAX_CYCLES},
                {"data_latency", p->memory_latency, MAX_MEMORY_LATENCY}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].value < 1 || rows[i].value > rows[i].max) {
            return lw_fail_key(err, rows[i].name, " is %u; allowed: 1..%u", rows[i].value,
                               rows[i].max);
        }
    }
    return lw_data_cache_check(&p->l1, "l1d", err) && lw_data_cache_check(&p->l2, "l2d", err);
}

static bool init_crossings(lw_data_path *p) {
    /* A CU has a line under way for each MSHR, and as many stores. */
    const uint32_t walks = p->params.walks;
    const uint32_t room = p->params.cus * 2 * p->params.l1.mshrs + walks;
    p->crossings = calloc(room, sizeof *p->crossings);
    p->free = calloc(room, sizeof *p->free);
    p->free_count = room;
    for (uint32_t i = 0; p->free != NULL && i < room; i++) {
        p->free[i] = room - 1 - i;
    }
    const struct {
        lw_fifo *fifo;
        uint32_t room;
    } ways[] = {{&p->there, room}, {&p->back, room}, {&p->walks, walks}, {&p->walked, walks}};
    bool good = p->crossings != NULL && p->free != NULL;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        good = lw_fifo_init(ways[i].fifo, ways[i].room == 0 ? 1 : ways[i].room) && good;
    }
    return good;
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
    lw_fifo_free(&p->walks);
    lw_fifo_free(&p->walked);
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
    p->counts.lines++;
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

/* The L2 has the line that a crossing wants, or the store that it brought. */
static void answer(lw_data_path *p, uint32_t x, uint64_t now) {
    if (p->crossings[x].cu != A_WALK) {
        cross_back(p, x, now);
        return;
    }
    lw_fifo_push(&p->walked, p->crossings[x].who);
    p->free[p->free_count++] = x;
}

static void ask_memory(lw_data_path *p, uint64_t line, lw_memory_user user, bool write,
                       uint32_t mshr) {
    for (uint32_t i = 0; i < p->pieces; i++) {
        p->asking[(p->asking_head + p->asking_count++) % p->asking_room] = (lw_memory_request){
            .line = line * p->pieces + i, .user = user, .write = write, .id = mshr};
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
        p->counts.walk_reads += r->user == LW_MEMORY_WALKS ? 1 : 0;
        (*(r->write ? &p->counts.memory_writes : &p->counts.memory_reads))++;
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
        const crossing *x = &p->crossings[l.who];
        const bool walk = x->cu == A_WALK;
        p->counts.walk_hits += walk && l.answered ? 1 : 0;
        p->counts.walk_misses += walk && !l.answered ? 1 : 0;
        if (!walk && !l.answered) {
            lw_data_cache_is_far(p->l1[x->cu], x->mshr, p->params.leaves_caches, p->params.ctx);
        }
        if (l.answered) {
            answer(p, l.who, now);
        }
        if (l.evicts) {
            ask_memory(p, l.victim, LW_MEMORY_DATA, true, 0);
        }
        if (l.asks) {
            p->to_come[l.mshr] = p->pieces;
            ask_memory(p, l.line, walk ? LW_MEMORY_WALKS : LW_MEMORY_DATA, false, l.mshr);
        }
    }
}

/* A piece of the line of an MSHR of the L2 has come. */
static void piece_comes(lw_data_path *p, uint32_t mshr, uint64_t now) {
    uint64_t victim = 0;
    uint32_t x = 0;
    p->reading--;
    if (--p->to_come[mshr] > 0) {
        return;
    }
    if (lw_data_cache_fill(p->l2, mshr, &victim)) {
        ask_memory(p, victim, LW_MEMORY_DATA, true, 0);
    }
    while (lw_data_cache_wake(p->l2, mshr, &x)) {
        answer(p, x, now);
    }
}

static void take_from_memory(lw_data_path *p, uint64_t now) {
    const lw_memory *m = &p->memory;
    uint32_t mshr = 0;
    while (p->reading > 0 && p->params.walks != 0 &&
           m->finished(m->state, now, LW_MEMORY_WALKS, &mshr)) {
        piece_comes(p, mshr, now);
    }
    while (p->reading > 0 && m->finished(m->state, now, LW_MEMORY_DATA, &mshr)) {
        piece_comes(p, mshr, now);
    }
}

/* ---------------------------------------------------------------- page walks */

static bool walk_ready(void *state, uint64_t now, const lw_memory_request *request) {
    const lw_data_path *p = state;
    (void)now;
    (void)request;
    return p->walking < p->params.walks;
}

static void walk_ask(void *state, uint64_t now, const lw_memory_request *request) {
    lw_data_path *p = state;
    const uint32_t x = p->free[--p->free_count];
    (void)now;
    p->crossings[x] = (crossing){
        .line = request->line >> (p->line_shift - PIECE_SHIFT), .cu = A_WALK, .who = request->id};
    lw_fifo_push(&p->walks, x);
    p->walking++;
}

static bool walk_finished(void *state, uint64_t now, lw_memory_user user, uint32_t *id) {
    lw_data_path *p = state;
    (void)now;
    if (user != LW_MEMORY_WALKS || p->walked.count == 0) {
        return false;
    }
    *id = lw_fifo_pop(&p->walked);
    p->walking--;
    return true;
}

static uint64_t walk_next_event(void *state, uint64_t now) {
    const lw_data_path *p = state;
    return p->walked.count != 0 ? now + 1 : lw_data_path_next_event(p, now);
}

lw_memory *lw_data_path_walks(lw_data_path *p) {
    p->walk_memory = (lw_memory){.state = p,
                                 .ready = walk_ready,
                                 .ask = walk_ask,
                                 .finished = walk_finished,
                                 .next_event = walk_next_event};
    return p->params.walks != 0 ? &p->walk_memory : NULL;
}

void lw_data_path_table_changes(lw_data_path *p, uint64_t address) {
    lw_data_cache_drop(p->l2, address >> p->line_shift);
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
    while (p->walks.count > 0 && lw_data_cache_takes(p->l2, now)) {
        const uint32_t x = lw_fifo_pop(&p->walks);
        lw_data_cache_ask(p->l2, now, p->crossings[x].line, false, x);
    }
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

/* The next cycle in which the first of `way` can leave the crossbar. */
static uint64_t next_crossing(const lw_data_path *p, const lw_fifo *way, uint64_t now) {
    const uint64_t due = way->count == 0 ? UINT64_MAX : p->crossings[lw_fifo_first(way)].due;
    return due > now ? due : now + 1;
}

uint64_t lw_data_path_next_event(const lw_data_path *p, uint64_t now) {
    uint64_t next =
        lw_earlier(lw_data_cache_next_event(p->l2, now), next_crossing(p, &p->back, now));
    /* What is due already waits for a place of the L2; one that is full waits for its oldest. */
    const bool full = !lw_data_cache_takes(p->l2, now + 1);
    if (p->walks.count > 0 && !full) {
        return now + 1;
    }
    if (!full || !crosses(p, &p->there, now)) {
        next = lw_earlier(next, next_crossing(p, &p->there, now));
    }
    for (uint64_t left = p->active; left != 0 && next > now + 1; left &= left - 1) {
        next = lw_earlier(next, lw_data_cache_next_event(p->l1[__builtin_ctzll(left)], now));
    }
    /* Last, as it has the most to look at, and mostly something else comes in the next cycle. */
    return next > now + 1 && p->reading + p->asking_count > 0
               ? lw_earlier(next, p->memory.next_event(p->memory.state, now))
               : next;
}

void lw_data_path_counts(const lw_data_path *p, lw_data_counts *counts) {
    *counts = p->counts;
    counts->has_walks = p->params.walks != 0;
    for (uint32_t cu = 0; cu < p->params.cus; cu++) {
        lw_data_cache_add_counts(p->l1[cu], &counts->l1);
    }
    lw_data_cache_add_counts(p->l2, &counts->l2);
}
