/* Delta debugging (Zeller and Hildebrandt, 2002): the fewest items with which something still
 * holds. */
#ifndef LW_APP_COMMANDS_DELTA_H
#define LW_APP_COMMANDS_DELTA_H

#include <stdbool.h>
#include <stddef.h>

/* Whether it holds with the items whose `keep` is set. */
typedef bool lw_delta_test(void *ctx);

/* Takes items out of `keep[0..n-1]`, in halves, quarters and so on to single ones, as long as the
 * test holds without them; it must hold at the beginning. Afterwards no single item can be left out
 * (1-minimal), or the test has not been asked more than `most` times. Returns how many are left. */
size_t lw_delta(bool *keep, size_t n, unsigned most, lw_delta_test *test, void *ctx);

#endif
