#include "sim/environment/slow_phases.h"

void lw_slow_phases_begin(lw_slow_phases *p, uint64_t seed) {
    *p = (lw_slow_phases){.sink = {0}};
    lw_rng_seed(&p->rng, seed ^ UINT64_C(0x510e));
}

/* Shut, as good as shut, or ready now and then. */
static void begin(lw_slow_phase *s, lw_rng *rng, uint32_t longest) {
    static const uint32_t not_ready[] = {100, 98, 90, 75};
    s->phases++;
    s->left = 1 + lw_rng_below(rng, longest);
    s->not_ready = not_ready[lw_rng_below(rng, sizeof not_ready / sizeof not_ready[0])];
    s->latency = lw_rng_percent(rng, 50) ? lw_rng_below(rng, longest) : 0;
}

static void tick(lw_slow_phase *s, lw_rng *rng, uint32_t rate, uint32_t longest) {
    if (rate == 0) {
        return;
    }
    if (s->left != 0) {
        s->left--;
    } else if (lw_rng_below(rng, 10000) < rate) {
        begin(s, rng, longest);
    }
    s->held = s->left != 0 && lw_rng_percent(rng, s->not_ready);
}

void lw_slow_phases_tick(lw_slow_phases *p, uint32_t sinks, uint32_t memories, uint32_t longest) {
    tick(&p->sink, &p->rng, sinks, longest);
    tick(&p->memory, &p->rng, memories, longest);
}
