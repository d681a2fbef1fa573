/* The random inputs of a module: drawn as its table says, reproducible from the seed alone. */
#ifndef LW_TESTS_MODULES_STIMULUS_H
#define LW_TESTS_MODULES_STIMULUS_H

#include "tests/modules/module.h"

typedef struct lw_stimulus {
    lw_rng rng;
    uint64_t phase_left;
    uint8_t percent[LW_PORTS_MAX]; /* of the LW_PERCENT inputs, in this phase */
} lw_stimulus;

void lw_stimulus_seed(lw_stimulus *s, uint64_t seed);
/* One cycle's inputs; `bits` is each input's width. */
void lw_stimulus_draw(lw_stimulus *s, const lw_module *m, const uint32_t *bits, lw_bits *in);

#endif
