/* Whether an answer is as the contract says: some sequence of values that the root and the PTEs had
 * within the window explains it. */
#ifndef LW_TESTS_CONTRACT_JUDGE_H
#define LW_TESTS_CONTRACT_JUDGE_H

#include "tests/contract/world.h"

/* The response that is transferred in this cycle, for the request that it answers. */
void lw_judge_answer(lw_world *w, const lw_request *q);

#endif
