/* One run: a seed's unit, tables, software and memory, cycle by cycle until all is answered. */
#ifndef LW_TESTS_CONTRACT_RUN_H
#define LW_TESTS_CONTRACT_RUN_H

#include "tests/contract/options.h"
#include "tests/contract/pair_unit.h"
#include "tests/contract/tally.h"

typedef enum lw_run_end { LW_RUN_GOOD, LW_RUN_BARKED, LW_RUN_IMPOSSIBLE } lw_run_end;

/* Adds to the tally; a failure is printed; where the run was impossible there is a sentence.
 * `beside` is of the system that the options name; NULL where they name none. */
lw_run_end lw_contract_run(const lw_options *o, const lw_beside *beside, uint64_t seed,
                           lw_tally *tally, lw_error *err);

#endif
