#include "sim/environment/wait_bound.h"

#include <inttypes.h>
#include <stddef.h>

/* The terms of R0.7. */
enum { STEP = 12, SECOND_STEP = 6, TIMES = 3 };

uint64_t lw_wait_bound(const lw_params *p, const lw_waits *w, bool invalidations) {
    const uint64_t access =
        w->memory + w->memory_ready + p->pwc_latency + (uint64_t)p->walkers + STEP;
    const uint64_t reads = (uint64_t)p->levels + (p->pwc_org == LW_PWC_OF_STEPS ? 5 : 1);
    const uint64_t second = p->second_lookup != 0 ? lw_tlb_stages(p) + SECOND_STEP : 0;
    const uint64_t walk = reads * access + second;
    const uint64_t ahead = (uint64_t)p->buffer_entries + p->miss_queue + p->walkers + 1;
    const uint64_t places = ahead + p->hit_queue + p->walk_queue + lw_tlb_stages(p);
    const uint64_t tlb_sets = p->tlb_entries / p->tlb_ways;
    const uint64_t msc_sets = p->subregions != 0 ? p->msc_entries / p->msc_ways : 0;
    const uint64_t sweep = (tlb_sets > msc_sets ? tlb_sets : msc_sets) + lw_tlb_stages(p) + STEP;
    const uint64_t walks =
        invalidations ? (ahead + 2) * (walk + sweep) : (ahead / p->walkers + 2) * walk;
    return TIMES * (walks + 2 * places);
}

bool lw_waits_are_bounded(const lw_params *p, const lw_waits *w, bool invalidations,
                          lw_error *err) {
    const struct {
        const char *what;
        uint64_t waited;
    } rows[] = {
        {"a request has waited for its response", w->request},
        {"a request has been offered and not taken", w->acceptance},
        {"an invalidation has waited for its completion", w->invalidation},
    };
    const uint64_t bound = lw_wait_bound(p, w, invalidations);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].waited > bound) {
            return lw_fail(err,
                           "%s for %" PRIu64
                           " cycles in which no response was held back; the unit's "
                           "sizes and memory, which took up to %" PRIu64 ", allow %" PRIu64,
                           rows[i].what, rows[i].waited, w->memory, bound);
        }
    }
    return true;
}
