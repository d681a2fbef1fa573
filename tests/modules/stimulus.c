#include "tests/modules/stimulus.h"

#include <string.h>

enum { PHASE_MAX = 400, UNIFORM_IN = 64 };

void lw_stimulus_seed(lw_stimulus *s, uint64_t seed) {
    *s = (lw_stimulus){.phase_left = 0};
    lw_rng_seed(&s->rng, seed);
}

/* A new phase: each probability is as its table says, rare, frequent, or certain. So queues and
 * tables fill and drain, and what seldom comes together does so now and then. */
static void begin_phase(lw_stimulus *s, const lw_module *m) {
    s->phase_left = 1 + lw_rng_below(&s->rng, PHASE_MAX);
    for (uint32_t i = 0; i < m->input_count; i++) {
        if (m->inputs[i].draw == LW_IGNORED) {
            continue;
        }
        const uint32_t share = (uint32_t)m->inputs[i].of;
        const uint32_t shares[6] = {share, share, share, share / 8, 100 - (100 - share) / 4, 100};
        s->percent[i] = (uint8_t)shares[lw_rng_below(&s->rng, share == 100 ? 3 : 6)];
    }
}

static uint64_t low_bits(uint32_t bits) {
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static uint64_t draw_word(lw_stimulus *s, const lw_input *input, uint32_t percent) {
    switch (input->draw) {
    case LW_UNIFORM:
        return lw_rng_next(&s->rng);
    case LW_MASKED:
        return lw_rng_next(&s->rng) &
               (lw_rng_below(&s->rng, UNIFORM_IN) == 0 ? UINT64_MAX : input->of);
    case LW_BELOW:
        return lw_rng_below(&s->rng, input->of);
    case LW_PERCENT:
        return (uint64_t)lw_rng_percent(&s->rng, percent);
    default:
        return 0;
    }
}

void lw_stimulus_draw(lw_stimulus *s, const lw_module *m, const uint32_t *bits, lw_bits *in) {
    if (s->phase_left-- == 0) {
        begin_phase(s, m);
    }
    for (uint32_t i = 0; i < m->input_count; i++) {
        memset(&in[i], 0, sizeof in[i]);
        for (uint32_t lsb = 0; lsb < bits[i]; lsb += 64) {
            in[i].w[lsb / 64] =
                draw_word(s, &m->inputs[i], s->percent[i]) & low_bits(bits[i] - lsb);
        }
    }
}
