#include "sim/gpu/stream_tlbs.h"

#include "common/fifo.h"
#include "sim/gpu/l1_tlb.h"
#include "sim/gpu/stream_clock.h"

#include <stdlib.h>

typedef struct stream_tlbs {
    lw_gpu_params gpu;
    lw_stream *file;
    lw_fifo free; /* numbers of accesses, `outstanding` in all */
    lw_l1_tlbs *l1;
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

static uint32_t under_way(const stream_tlbs *d) {
    return d->free.room - d->free.count;
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
           lw_l1_tlbs_takes(d->l1, d->next.source, now) && d->free.count > 0;
}

static void issue(stream_tlbs *d, uint64_t now) {
    const lw_stream_access *a = &d->next;
    const lw_l2_request request = {a->vpn, a->pasid, a->access, a->source};
    d->has_next = false;
    d->statistics.translations++;
    lw_l1_tlbs_probe(d->l1, now, lw_fifo_pop(&d->free), &request);
}

/* lw_l1_params.answer */
static void answer(void *ctx, uint32_t access, const lw_gpu_reach *reach, bool asked) {
    stream_tlbs *d = ctx;
    (void)reach;
    (void)asked;
    lw_fifo_push(&d->free, access);
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
    lw_l1_tlbs_tick(d->l1, now);
    while (!holds(d) && fetch(d) && can_issue(d, now)) {
        issue(d, now);
    }
    lw_l2_tlb_tick(d->l2, now);
}

static uint64_t next_event(const void *self, uint64_t now, bool waits) {
    const stream_tlbs *d = self;
    const uint64_t l1 = lw_l1_tlbs_next_event(d->l1, now);
    const uint64_t l2 = lw_l2_tlb_next_event(d->l2, now, waits);
    const uint64_t tlbs = l1 < l2 ? l1 : l2;
    if (d->ended || holds(d) || d->free.count == 0 ||
        (d->has_next && !lw_l1_tlbs_takes(d->l1, d->next.source, now + 1))) {
        return tlbs;
    }
    const uint64_t due = d->has_next ? lw_stream_clock_due(&d->clock, d->next.cycle) : 0;
    const uint64_t issues = due > now ? due : now + 1;
    return issues < tlbs ? issues : tlbs;
}

static void shootdown(void *self, uint32_t type, uint32_t pasid, uint64_t first, uint64_t last) {
    stream_tlbs *d = self;
    const lw_gpu_shootdown what = {type, pasid, first, last};
    lw_l1_tlbs_shootdown(d->l1, &what);
    lw_l2_tlb_shootdown(d->l2, &what);
}

static bool finished(const void *self) {
    const stream_tlbs *d = self;
    return holds(d) ? d->requests == d->answered : d->ended && under_way(d) == 0;
}

static uint64_t done(const void *self) {
    const stream_tlbs *d = self;
    return 2 * d->statistics.translations - under_way(d); /* issued, and answered */
}

static uint64_t waits_for(const void *self) {
    const stream_tlbs *d = self;
    return d->has_next && under_way(d) == 0 ? lw_stream_clock_due(&d->clock, d->next.cycle) : 0;
}

static bool failed(const void *self, lw_error *err) {
    const stream_tlbs *d = self;
    return d->error.text[0] != '\0' && (lw_fail(err, "%s", d->error.text), true);
}

static void release(void *self) {
    stream_tlbs *d = self;
    lw_fifo_free(&d->free);
    lw_l1_tlbs_free(d->l1);
    lw_l2_tlb_free(d->l2);
    lw_stream_close(d->file);
    free(d);
}

static bool make_tlbs(stream_tlbs *d, uint32_t outstanding) {
    const lw_l1_params l1 = {.cus = d->gpu.cus,
                             .entries = d->gpu.l1_entries,
                             .probes = d->gpu.l1_probes,
                             .latency = d->gpu.l1_latency,
                             .mshrs = d->gpu.l1_mshrs,
                             .pages = outstanding,
                             .answer = answer,
                             .ctx = d,
                             .judge = d->gpu.judge};
    d->l1 = lw_l1_tlbs_new(&l1);
    const lw_l2_params l2 = {.entries = d->gpu.l2_entries,
                             .ways = d->gpu.l2_ways,
                             .latency = d->gpu.l2_latency,
                             .lookups = d->gpu.l2_lookups,
                             .mshrs = d->gpu.l2_mshrs,
                             .misses = outstanding,
                             .answer = lw_l1_tlbs_answer,
                             .ctx = d->l1,
                             .judge = d->gpu.judge};
    d->l2 = lw_l2_tlb_new(&l2);
    if (!lw_fifo_init(&d->free, outstanding) || d->l1 == NULL || d->l2 == NULL) {
        return false;
    }
    lw_l1_tlbs_connect(d->l1, d->l2);
    for (uint32_t i = 0; i < outstanding; i++) {
        lw_fifo_push(&d->free, i);
    }
    return true;
}

bool lw_stream_tlbs_new(const lw_stream_tlbs_params *params, lw_front_end *out, lw_error *err) {
    if (!lw_gpu_params_check(params->gpu, err)) {
        return false;
    }
    if (params->gpu->ideal) {
        return lw_fail_key(err, "ideal_translation",
                           " is 1; allowed: 0, because a stream goes through the "
                           "GPU's TLBs");
    }
    stream_tlbs *d = calloc(1, sizeof *d);
    if (d == NULL) {
        return lw_fail(err, "no memory for the GPU's TLBs");
    }
    d->gpu = *params->gpu;
    if (!make_tlbs(d, params->outstanding)) {
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
    lw_l1_tlbs_statistics(d->l1, statistics);
    statistics->has_l1 = true;
    statistics->has_l2 = d->gpu.l2_entries != 0;
    lw_l2_tlb_statistics(d->l2, statistics);
}
