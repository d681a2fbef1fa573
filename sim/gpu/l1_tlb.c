#include "sim/gpu/l1_tlb.h"

#include "sim/memory/misses.h"

#include <stdlib.h>

#define NO_PAGE UINT32_MAX

/* The bits of a PASID in the owner of a miss, above which its CU stands. */
enum { PASID_BITS = 20 };

/* A page in a pipeline. */
typedef struct lookup {
    lw_l2_request request;
    uint64_t due;  /* when it is decided */
    uint32_t next; /* in its pipeline */
} lookup;

typedef struct l1_tlb {
    lw_gpu_tlb *tlb;
    uint32_t first, last;     /* of the pipeline, in the order of `due` */
    bool waits;               /* the first is due, and has no MSHR */
    uint32_t under_way;       /* misses */
    uint64_t cycle;           /* that these two are of */
    uint32_t probed, decided; /* in it */
} l1_tlb;

struct lw_l1_tlbs {
    lw_l1_params params;
    lw_l2_tlb *l2;
    l1_tlb *cus;
    lookup *lookups;  /* by page */
    lw_misses misses; /* waiters: pages */
    bool *in_unit;    /* by miss: the unit is asked */
    uint64_t looking; /* CUs with pages in their pipelines, one bit each */
    uint64_t hits, missed, fills;
};

lw_l1_tlbs *lw_l1_tlbs_new(const lw_l1_params *params) {
    lw_l1_tlbs *t = calloc(1, sizeof *t);
    if (t == NULL) {
        return NULL;
    }
    t->params = *params;
    t->cus = calloc(params->cus, sizeof *t->cus);
    t->lookups = calloc(params->pages, sizeof *t->lookups);
    t->in_unit = calloc(params->pages, sizeof *t->in_unit);
    bool good = lw_misses_init(&t->misses, params->pages, params->pages) && t->cus != NULL &&
                t->lookups != NULL && t->in_unit != NULL;
    for (uint32_t c = 0; good && c < params->cus; c++) {
        t->cus[c].tlb = lw_gpu_tlb_new(1, params->entries);
        t->cus[c].first = t->cus[c].last = NO_PAGE;
        good = t->cus[c].tlb != NULL;
    }
    if (!good) {
        lw_l1_tlbs_free(t);
        return NULL;
    }
    return t;
}

void lw_l1_tlbs_free(lw_l1_tlbs *t) {
    if (t == NULL) {
        return;
    }
    for (uint32_t c = 0; t->cus != NULL && c < t->params.cus; c++) {
        lw_gpu_tlb_free(t->cus[c].tlb);
    }
    free(t->cus);
    free(t->lookups);
    free(t->in_unit);
    lw_misses_free(&t->misses);
    free(t);
}

void lw_l1_tlbs_connect(lw_l1_tlbs *t, lw_l2_tlb *l2) {
    t->l2 = l2;
}

static bool is_full(const lw_l1_tlbs *t, const l1_tlb *c) {
    return t->params.mshrs != 0 && c->under_way == t->params.mshrs;
}

/* Decides a page; false where it needs an MSHR and none is free. */
static bool decide(lw_l1_tlbs *t, l1_tlb *c, uint32_t page) {
    const lw_l2_request *r = &t->lookups[page].request;
    const uint32_t owner = r->cu << PASID_BITS | r->pasid;
    lw_gpu_reach reach;
    if (lw_gpu_tlb_lookup(c->tlb, r->pasid, r->page, r->access, &reach)) {
        const lw_front_hit hit = {
            LW_FRONT_L1, r->cu,   r->pasid, r->access, lw_gpu_size_of(reach.span),
            reach.perm,  r->page, reach.pfn};
        lw_front_judge_hit(t->params.judge, &hit);
        t->hits++;
        t->params.answer(t->params.ctx, page, &reach, false);
        return true;
    }
    uint32_t miss = lw_misses_find(&t->misses, owner, r->page, r->access);
    if (miss == LW_NO_MISS) {
        if (is_full(t, c)) {
            return false;
        }
        c->under_way++;
        miss = lw_misses_add(&t->misses, owner, r->page, r->access);
        t->in_unit[miss] = false;
        lw_l2_tlb_ask(t->l2, miss, r);
    }
    t->missed++;
    lw_misses_wait(&t->misses, miss, page);
    if (t->in_unit[miss]) {
        t->params.asks(t->params.ctx, page);
    }
    return true;
}

static void begin_cycle(l1_tlb *c, uint64_t now) {
    if (c->cycle != now) {
        c->cycle = now;
        c->probed = c->decided = 0;
    }
}

static void decide_due(lw_l1_tlbs *t, uint32_t cu, uint64_t now) {
    l1_tlb *c = &t->cus[cu];
    while (c->first != NO_PAGE && t->lookups[c->first].due <= now &&
           c->decided < t->params.probes) {
        const uint32_t next = t->lookups[c->first].next;
        c->waits = !decide(t, c, c->first);
        if (c->waits) {
            return;
        }
        c->decided++;
        c->first = next;
    }
    if (c->first == NO_PAGE) {
        c->last = NO_PAGE;
        t->looking &= ~(UINT64_C(1) << cu);
    }
}

bool lw_l1_tlbs_takes(const lw_l1_tlbs *t, uint32_t cu, uint64_t now) {
    const l1_tlb *c = &t->cus[cu];
    return !c->waits && (c->cycle != now || c->probed < t->params.probes);
}

void lw_l1_tlbs_probe(lw_l1_tlbs *t, uint64_t now, uint32_t page, const lw_l2_request *request) {
    const uint32_t cu = request->cu;
    l1_tlb *c = &t->cus[cu];
    begin_cycle(c, now);
    c->probed++;
    t->lookups[page] = (lookup){*request, now + t->params.latency, NO_PAGE};
    *(c->first == NO_PAGE ? &c->first : &t->lookups[c->last].next) = page;
    c->last = page;
    t->looking |= UINT64_C(1) << cu;
    decide_due(t, cu, now);
}

void lw_l1_tlbs_answer(void *tlbs, uint32_t l1_miss, const lw_gpu_reach *reach) {
    lw_l1_tlbs *t = tlbs;
    const lw_mshr *miss = &t->misses.pool[l1_miss];
    l1_tlb *c = &t->cus[miss->owner >> PASID_BITS];
    uint32_t page = 0;
    if (reach != NULL) {
        t->fills++;
        lw_gpu_tlb_fill(c->tlb, miss->owner & ((1u << PASID_BITS) - 1), miss->page, reach);
    }
    while (lw_misses_wake(&t->misses, l1_miss, &page)) {
        t->params.answer(t->params.ctx, page, reach, t->in_unit[l1_miss]);
    }
    c->under_way--;
}

void lw_l1_tlbs_asks(void *tlbs, uint32_t l1_miss) {
    lw_l1_tlbs *t = tlbs;
    t->in_unit[l1_miss] = true;
    for (uint32_t w = t->misses.pool[l1_miss].first_waiter; w != LW_NO_MISS;
         w = t->misses.waiters[w].next) {
        t->params.asks(t->params.ctx, t->misses.waiters[w].who);
    }
}

void lw_l1_tlbs_tick(lw_l1_tlbs *t, uint64_t now) {
    for (uint64_t left = t->looking; left != 0; left &= left - 1) {
        const uint32_t cu = (uint32_t)__builtin_ctzll(left);
        begin_cycle(&t->cus[cu], now);
        decide_due(t, cu, now);
    }
}

uint64_t lw_l1_tlbs_next_event(const lw_l1_tlbs *t, uint64_t now) {
    uint64_t next = UINT64_MAX;
    for (uint64_t left = t->looking; left != 0; left &= left - 1) {
        const l1_tlb *c = &t->cus[__builtin_ctzll(left)];
        const uint64_t due = t->lookups[c->first].due;
        /* Only an answer frees an MSHR. */
        const bool never = c->waits && is_full(t, c);
        const uint64_t event = due > now ? due : never ? UINT64_MAX : now + 1;
        next = event < next ? event : next;
    }
    return next;
}

void lw_l1_tlbs_shootdown(lw_l1_tlbs *t, const lw_gpu_shootdown *shootdown) {
    for (uint32_t c = 0; c < t->params.cus; c++) {
        lw_gpu_tlb_shootdown(t->cus[c].tlb, shootdown);
    }
}

void lw_l1_tlbs_statistics(const lw_l1_tlbs *t, lw_front_statistics *statistics) {
    statistics->l1_hits = t->hits;
    statistics->l1_misses = t->missed;
    statistics->l1_fills = t->fills;
}
