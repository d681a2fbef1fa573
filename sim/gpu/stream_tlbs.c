#include "sim/gpu/stream_tlbs.h"

#include "sim/gpu/gpu_tlb.h"
#include "sim/gpu/l2_tlb.h"
#include "sim/gpu/misses.h"
#include "sim/gpu/stream_clock.h"

#include <stdlib.h>

/* The bits of a PASID in the owner of a miss, above which its CU stands. */
enum { PASID_BITS = 20 };

typedef struct compute_unit {
    lw_gpu_tlb *l1;
    uint32_t probes; /* in this cycle */
} compute_unit;

typedef struct stream_tlbs {
    lw_gpu_params gpu;
    lw_stream *file;
    uint32_t outstanding, under_way;
    compute_unit *cus;
    lw_misses misses; /* of the L1 TLBs; its waiters are no more than counted */
    lw_l2_tlb *l2;
    lw_stream_clock clock;
    lw_stream_access next; /* the access to issue, where there is one */
    bool has_next, ended;
    uint32_t next_cu; /* of an access without a source */
    uint64_t requests, answered;
    lw_front_statistics statistics;
    lw_error error;
} stream_tlbs;

static bool holds(const stream_tlbs *d) {
    return d->gpu.max_requests != 0 && d->requests >= d->gpu.max_requests;
}

/* ---------------------------------------------------------------- issue */

static bool fetch(stream_tlbs *d) {
    if (!d->has_next && !d->ended) {
        d->has_next = lw_stream_next(d->file, &d->next, &d->error) == 1;
        d->ended = !d->has_next;
        if (d->has_next && d->next.source == LW_STREAM_NO_SOURCE) {
            d->next.source = d->next_cu;
            d->next_cu = (d->next_cu + 1) % d->gpu.cus;
        }
    }
    return d->has_next;
}

static bool can_issue(const stream_tlbs *d, uint64_t now) {
    return lw_stream_clock_due(&d->clock, d->next.cycle) <= now &&
           d->cus[d->next.source].probes < d->gpu.l1_probes && d->under_way < d->outstanding;
}

static void issue(stream_tlbs *d) {
    const lw_stream_access *a = &d->next;
    compute_unit *cu = &d->cus[a->source];
    const uint32_t owner = a->source << PASID_BITS | a->pasid;
    lw_gpu_reach reach;
    d->has_next = false;
    d->statistics.translations++;
    cu->probes++;
    if (lw_gpu_tlb_lookup(cu->l1, a->pasid, a->vpn, a->access, &reach)) {
        const lw_front_hit hit = {
            LW_FRONT_L1, a->source, a->pasid, a->access, lw_gpu_size_of(reach.span),
            reach.perm,  a->vpn,    reach.pfn};
        lw_front_judge_hit(d->gpu.judge, &hit);
        d->statistics.l1_hits++;
        return;
    }
    d->statistics.l1_misses++;
    uint32_t miss = lw_misses_find(&d->misses, owner, a->vpn, a->access);
    if (miss == LW_NO_MISS) {
        const lw_l2_request request = {a->vpn, a->pasid, a->access, a->source};
        miss = lw_misses_add(&d->misses, owner, a->vpn, a->access);
        lw_l2_tlb_ask(d->l2, miss, &request);
    }
    lw_misses_wait(&d->misses, miss, 0);
    d->under_way++;
}

/* lw_l2_params.answer */
static void answer(void *ctx, uint32_t l1_miss, const lw_gpu_reach *reach) {
    stream_tlbs *d = ctx;
    const lw_tlb_miss *miss = &d->misses.pool[l1_miss];
    uint32_t who = 0;
    if (reach != NULL) {
        d->statistics.l1_fills++;
        lw_gpu_tlb_fill(d->cus[miss->owner >> PASID_BITS].l1,
                        miss->owner & ((1u << PASID_BITS) - 1), miss->page, reach);
    }
    while (lw_misses_wake(&d->misses, l1_miss, &who)) {
        d->under_way--;
    }
}

/* ---------------------------------------------------------------- the front end's interface */

static bool offer(void *self, uint64_t now, lw_front_request *request) {
    stream_tlbs *d = self;
    lw_stream_clock_start(&d->clock, now);
    return !holds(d) && lw_l2_tlb_offer(d->l2, request);
}

static bool ready(void *self, uint64_t now) {
    (void)self;
    (void)now;
    return true;
}

static void accepted(void *self, uint64_t now) {
    stream_tlbs *d = self;
    (void)now;
    lw_l2_tlb_accepted(d->l2);
    d->requests++;
}

static void response(void *self, uint64_t now, const lw_front_response *rsp) {
    stream_tlbs *d = self;
    (void)now;
    d->answered++;
    lw_l2_tlb_response(d->l2, rsp);
}

static void tick(void *self, uint64_t now) {
    stream_tlbs *d = self;
    for (uint32_t c = 0; c < d->gpu.cus; c++) {
        d->cus[c].probes = 0;
    }
    while (!holds(d) && fetch(d) && can_issue(d, now)) {
        issue(d);
    }
    lw_l2_tlb_tick(d->l2, now);
}

static uint64_t next_event(const void *self, uint64_t now, bool waits) {
    const stream_tlbs *d = self;
    const uint64_t l2 = lw_l2_tlb_next_event(d->l2, now, waits);
    if (d->ended || holds(d) || d->under_way == d->outstanding) {
        return l2;
    }
    const uint64_t due = d->has_next ? lw_stream_clock_due(&d->clock, d->next.cycle) : 0;
    const uint64_t issues = due > now ? due : now + 1;
    return issues < l2 ? issues : l2;
}

static void shootdown(void *self, uint32_t type, uint32_t pasid, uint64_t first, uint64_t last) {
    stream_tlbs *d = self;
    const lw_gpu_shootdown what = {type, pasid, first, last};
    for (uint32_t c = 0; c < d->gpu.cus; c++) {
        lw_gpu_tlb_shootdown(d->cus[c].l1, &what);
    }
    lw_l2_tlb_shootdown(d->l2, &what);
}

static bool finished(const void *self) {
    const stream_tlbs *d = self;
    return holds(d) ? d->requests == d->answered : d->ended && d->under_way == 0;
}

static uint64_t done(const void *self) {
    const stream_tlbs *d = self;
    return 2 * d->statistics.translations - d->under_way; /* issued, and answered */
}

static uint64_t waits_for(const void *self) {
    const stream_tlbs *d = self;
    return d->has_next && d->under_way == 0 ? lw_stream_clock_due(&d->clock, d->next.cycle) : 0;
}

static bool failed(const void *self, lw_error *err) {
    const stream_tlbs *d = self;
    return d->error.text[0] != '\0' && (lw_fail(err, "%s", d->error.text), true);
}

static void release(void *self) {
    stream_tlbs *d = self;
    for (uint32_t c = 0; d->cus != NULL && c < d->gpu.cus; c++) {
        lw_gpu_tlb_free(d->cus[c].l1);
    }
    free(d->cus);
    lw_misses_free(&d->misses);
    lw_l2_tlb_free(d->l2);
    lw_stream_close(d->file);
    free(d);
}

static bool make_tlbs(stream_tlbs *d) {
    const lw_l2_params l2 = {.entries = d->gpu.l2_entries,
                             .ways = d->gpu.l2_ways,
                             .latency = d->gpu.l2_latency,
                             .lookups = d->gpu.l2_lookups,
                             .mshrs = d->gpu.l2_mshrs,
                             .misses = d->outstanding,
                             .answer = answer,
                             .ctx = d,
                             .judge = d->gpu.judge};
    d->cus = calloc(d->gpu.cus, sizeof *d->cus);
    d->l2 = lw_l2_tlb_new(&l2);
    bool good = lw_misses_init(&d->misses, d->outstanding, d->outstanding) && d->cus != NULL &&
                d->l2 != NULL;
    for (uint32_t c = 0; good && c < d->gpu.cus; c++) {
        d->cus[c].l1 = lw_gpu_tlb_new(1, d->gpu.l1_entries);
        good = d->cus[c].l1 != NULL;
    }
    return good;
}

bool lw_stream_tlbs_new(const lw_stream_tlbs_params *params, lw_front_end *out, lw_error *err) {
    if (!lw_gpu_params_check(params->gpu, err)) {
        return false;
    }
    if (params->gpu->ideal) {
        return lw_fail(err, "ideal_translation is 1; allowed: 0, because a stream goes through the "
                            "GPU's TLBs");
    }
    stream_tlbs *d = calloc(1, sizeof *d);
    if (d == NULL) {
        return lw_fail(err, "no memory for the GPU's TLBs");
    }
    d->gpu = *params->gpu;
    d->outstanding = params->outstanding;
    if (!make_tlbs(d)) {
        release(d);
        return lw_fail(err, "no memory for the GPU's TLBs");
    }
    d->file = params->file;
    *out = (lw_front_end){d,         offer,    ready, accepted,  response, tick,   next_event,
                          shootdown, finished, done,  waits_for, failed,   release};
    return true;
}

void lw_stream_tlbs_statistics(const lw_front_end *front, lw_front_statistics *statistics) {
    const stream_tlbs *d = front->self;
    *statistics = d->statistics;
    statistics->has_l1 = true;
    statistics->has_l2 = d->gpu.l2_entries != 0;
    lw_l2_tlb_statistics(d->l2, statistics);
}
