#include "sim/gpu/l2_tlb.h"

#include "common/fifo.h"
#include "sim/memory/misses.h"

#include <stdlib.h>

struct lw_l2_tlb {
    lw_l2_params params;
    lw_gpu_tlb *tlb;
    lw_l2_request *requests; /* by L1 miss */
    uint64_t *due;           /* by L1 miss: when its lookup is decided */
    lw_fifo waiting;         /* L1 misses not looked up yet */
    lw_fifo looking;         /* looked up, in the order of `due` */
    lw_misses mshrs;         /* waiters: L1 misses */
    bool stalled;            /* the oldest lookup waits for an MSHR, and none has come free since */
    lw_fifo asking;          /* MSHRs whose request the unit has not taken */
    uint32_t *source;        /* by MSHR: the CU that asked first */
    uint64_t hits, missed, fills;
};

lw_l2_tlb *lw_l2_tlb_new(const lw_l2_params *params) {
    lw_l2_tlb *t = calloc(1, sizeof *t);
    if (t == NULL) {
        return NULL;
    }
    t->params = *params;
    if (params->entries != 0) {
        t->tlb = lw_gpu_tlb_new(params->entries / params->ways, params->ways);
    }
    t->requests = calloc(params->misses, sizeof *t->requests);
    t->due = calloc(params->misses, sizeof *t->due);
    t->source = calloc(params->mshrs, sizeof *t->source);
    bool good = (t->tlb != NULL || params->entries == 0) && t->requests != NULL && t->due != NULL &&
                t->source != NULL;
    good = lw_fifo_init(&t->waiting, params->misses) && good;
    good = lw_fifo_init(&t->looking, params->misses) && good;
    good = lw_fifo_init(&t->asking, params->mshrs) && good;
    good = lw_misses_init(&t->mshrs, params->mshrs, params->misses) && good;
    if (!good) {
        lw_l2_tlb_free(t);
        return NULL;
    }
    return t;
}

void lw_l2_tlb_free(lw_l2_tlb *t) {
    if (t == NULL) {
        return;
    }
    lw_gpu_tlb_free(t->tlb);
    free(t->requests);
    free(t->due);
    free(t->source);
    lw_fifo_free(&t->waiting);
    lw_fifo_free(&t->looking);
    lw_fifo_free(&t->asking);
    lw_misses_free(&t->mshrs);
    free(t);
}

void lw_l2_tlb_ask(lw_l2_tlb *t, uint32_t l1_miss, const lw_l2_request *request) {
    t->requests[l1_miss] = *request;
    lw_fifo_push(&t->waiting, l1_miss);
}

bool lw_l2_tlb_offer(const lw_l2_tlb *t, lw_front_request *request) {
    if (t->asking.count == 0) {
        return false;
    }
    uint32_t mshr = lw_fifo_first(&t->asking);
    const lw_mshr *miss = &t->mshrs.pool[mshr];
    *request = (lw_front_request){.id = mshr,
                                  .src = t->source[mshr],
                                  .pasid = miss->owner,
                                  .page = miss->page,
                                  .access = miss->access};
    return true;
}

void lw_l2_tlb_accepted(lw_l2_tlb *t) {
    (void)lw_fifo_pop(&t->asking);
}

void lw_l2_tlb_response(lw_l2_tlb *t, const lw_front_response *response) {
    uint32_t l1_miss = 0;
    const bool good = response->kind == LW_OK;
    const lw_mshr *miss = &t->mshrs.pool[response->id];
    /* Runs are for the TLBs of the CUs alone (MESC section V-A); this one keeps single pages. */
    const lw_gpu_reach page = {
        .span = lw_gpu_span_of(response->size), .perm = response->perm, .pfn = response->pfn};
    lw_gpu_reach run = page;
    run.links = response->level; /* of an answer with kind OK: its LINKS (R1.9) */
    if (good && t->tlb != NULL) {
        t->fills++;
        lw_gpu_tlb_fill(t->tlb, miss->owner, miss->page, &page);
    }
    t->stalled = false;
    while (lw_misses_wake(&t->mshrs, response->id, &l1_miss)) {
        t->params.answer(t->params.ctx, l1_miss, good ? &run : NULL);
    }
}

/* Decides the oldest lookup; false where it needs an MSHR and none is free. */
static bool decide(lw_l2_tlb *t, uint32_t l1_miss) {
    const lw_l2_request *r = &t->requests[l1_miss];
    lw_gpu_reach reach;
    if (t->tlb != NULL && lw_gpu_tlb_lookup(t->tlb, r->pasid, r->page, r->access, &reach)) {
        const lw_front_hit hit = {
            LW_FRONT_L2, r->cu,   r->pasid, r->access, lw_gpu_size_of(reach.span),
            reach.perm,  r->page, reach.pfn};
        lw_front_judge_hit(t->params.judge, &hit);
        t->hits++;
        t->params.answer(t->params.ctx, l1_miss, &reach);
        return true;
    }
    uint32_t mshr = lw_misses_find(&t->mshrs, r->pasid, r->page, r->access);
    if (mshr == LW_NO_MISS) {
        if (t->mshrs.free_count == 0) {
            return false;
        }
        mshr = lw_misses_add(&t->mshrs, r->pasid, r->page, r->access);
        t->source[mshr] = r->cu;
        lw_fifo_push(&t->asking, mshr);
    }
    t->missed++;
    lw_misses_wait(&t->mshrs, mshr, l1_miss);
    if (t->params.asks != NULL) {
        t->params.asks(t->params.ctx, l1_miss);
    }
    return true;
}

void lw_l2_tlb_tick(lw_l2_tlb *t, uint64_t now) {
    t->stalled = false;
    for (uint32_t n = 0; n < t->params.lookups && t->looking.count > 0; n++) {
        const uint32_t oldest = lw_fifo_first(&t->looking);
        if (t->due[oldest] > now) {
            break;
        }
        t->stalled = !decide(t, oldest);
        if (t->stalled) {
            break;
        }
        (void)lw_fifo_pop(&t->looking);
    }
    for (uint32_t n = 0; n < t->params.lookups && t->waiting.count > 0; n++) {
        uint32_t l1_miss = lw_fifo_pop(&t->waiting);
        t->due[l1_miss] = now + t->params.latency;
        lw_fifo_push(&t->looking, l1_miss);
    }
}

uint64_t lw_l2_tlb_next_event(const lw_l2_tlb *t, uint64_t now, bool waits) {
    if ((t->asking.count > 0 && !waits) || t->waiting.count > 0) {
        return now + 1;
    }
    if (t->looking.count == 0) {
        return UINT64_MAX;
    }
    if (t->stalled) {
        return UINT64_MAX; /* only a response can free an MSHR */
    }
    const uint64_t due = t->due[lw_fifo_first(&t->looking)];
    return due > now ? due : now + 1;
}

void lw_l2_tlb_shootdown(lw_l2_tlb *t, const lw_gpu_shootdown *shootdown) {
    if (t->tlb != NULL) {
        lw_gpu_tlb_shootdown(t->tlb, shootdown);
    }
}

void lw_l2_tlb_statistics(const lw_l2_tlb *t, lw_front_statistics *statistics) {
    statistics->l2_hits = t->hits;
    statistics->l2_misses = t->missed;
    statistics->l2_fills = t->fills;
}
