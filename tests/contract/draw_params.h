/* A small legal set of hardware parameters (chapter 13), drawn. */
#ifndef LW_TESTS_CONTRACT_DRAW_PARAMS_H
#define LW_TESTS_CONTRACT_DRAW_PARAMS_H

#include "c_model/base/params.h"
#include "common/rng.h"
#include "tests/contract/options.h"

#include <stddef.h>

/* Whether the tester can take a unit so large; a sentence where not. */
bool lw_params_fit(const lw_params *hw, lw_error *err);
/* What --set says is not drawn; false and a sentence where that makes no legal set. */
bool lw_params_draw(lw_rng *rng, const lw_options *o, lw_params *hw, lw_error *err);
/* " NAME=value" of each. */
void lw_params_text(const lw_params *hw, char *text, size_t size);

#endif
