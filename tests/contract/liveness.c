#include "tests/contract/liveness.h"

#include "tests/contract/failure.h"
#include "tests/contract/mood.h"

#include <inttypes.h>

enum { FULL = 100, EVERY = 64, GENEROUS = 3, STEP = 12, SECOND_STEP = 6 };

uint64_t lw_liveness_bound(const lw_world *w, uint64_t since, bool invalidations) {
    const lw_params *p = &w->hw;
    const uint64_t tlb_sets = p->tlb_entries / p->tlb_ways;
    const uint64_t msc_sets = p->subregions != 0 ? p->msc_entries / p->msc_ways : 0;
    const uint64_t sweep = (tlb_sets > msc_sets ? tlb_sets : msc_sets) + lw_tlb_stages(p) + STEP;
    const uint64_t access = w->latency_max + p->pwc_latency + (uint64_t)p->walkers + STEP;
    const uint64_t misses = (uint64_t)p->buffer_entries + p->miss_queue + p->walkers + 1;
    const uint64_t places = misses + p->hit_queue + p->walk_queue + lw_tlb_stages(p);
    const uint64_t walks = (invalidations ? misses : misses / p->walkers) + 2;
    /* R21.18: so many more lines in a hashed table, each after a lookup of its own */
    const uint64_t lines = p->levels + (p->pwc_org == 2 ? 5 : 1);
    /* R0.7: a walk's second lookup */
    const uint64_t second = p->second_lookup != 0 ? lw_tlb_stages(p) + SECOND_STEP : 0;
    const uint64_t walk = lines * access + second + (invalidations ? sweep : 0);
    return GENEROUS * (walks * walk + 2 * places * 100 / lw_mood_slowest_sink(w, since)) * FULL;
}

static void check_requests(lw_world *w) {
    for (uint32_t i = 0; i < lw_ids(w); i++) {
        const lw_request *q = &w->request[i];
        if (!q->busy) {
            continue;
        }
        const bool met = w->invalidations + w->inv_busy > q->invalidations;
        const uint64_t bound = lw_liveness_bound(w, q->accepted, met);
        if (w->clock - q->clock > bound) {
            lw_bark(w, LW_CHECK_STARVED, q,
                    "has starved: it has waited for %" PRIu64 " cycles, of which %" PRIu64
                    " count, and the sizes allow %" PRIu64 "; %" PRIu64
                    " invalidations were done in the meantime",
                    w->cycle - q->accepted, (w->clock - q->clock) / FULL, bound / FULL,
                    w->invalidations - q->invalidations);
            return;
        }
    }
}

static void check_ports(lw_world *w) {
    const bool met = w->invalidations + w->inv_busy > w->asks_invalidations;
    uint64_t bound = lw_liveness_bound(w, w->asks_cycle, met);
    if (w->asks && w->clock - w->asks_since > bound) {
        lw_bark(w, LW_CHECK_STARVED, NULL,
                "req_ready has starved the request that is offered: %" PRIu64
                " cycles count, and the sizes allow %" PRIu64,
                (w->clock - w->asks_since) / FULL, bound / FULL);
    }
    bound = lw_liveness_bound(w, w->inv_cycle, true);
    if ((w->inv_asks || w->inv_busy) && w->clock - w->inv_since > bound) {
        lw_bark(w, LW_CHECK_STARVED, NULL,
                "an invalidation of type %u has starved: %" PRIu64
                " cycles count since it was %s, and the sizes allow %" PRIu64,
                w->in.inv_type, (w->clock - w->inv_since) / FULL,
                w->inv_busy ? "offered, and it is not done" : "offered, and it is not taken",
                bound / FULL);
    }
}

void lw_liveness_cycle(lw_world *w) {
    w->clock += w->late_lines != 0 ? 0 : w->mood.port;
    if (w->cycle % EVERY == 0) {
        check_requests(w);
        check_ports(w);
    }
}
