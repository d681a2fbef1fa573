#include "app/commands/delta.h"

#include <stdlib.h>
#include <string.h>

static size_t count(const bool *keep, size_t n) {
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        kept += keep[i];
    }
    return kept;
}

/* Takes out the kept items from the one of number `from` on, at most `chunk`. Returns the place
 * after the last. */
static size_t take_out(bool *keep, size_t n, size_t from, size_t chunk) {
    for (; from < n && chunk > 0; from++) {
        chunk -= keep[from];
        keep[from] = false;
    }
    return from;
}

/* Whether a pass in chunks of so many items has left any out. */
static bool pass(bool *keep, bool *before, size_t n, size_t chunk, unsigned *most,
                 lw_delta_test *test, void *ctx) {
    bool removed = false;
    for (size_t at = 0; at<n && * most> 0;) {
        memcpy(before, keep, n * sizeof *keep);
        const size_t next = take_out(keep, n, at, chunk);
        if (memcmp(before, keep, n * sizeof *keep) != 0) {
            --*most;
            if (test(ctx)) {
                removed = true;
            } else {
                memcpy(keep, before, n * sizeof *keep);
            }
        }
        at = next;
    }
    return removed;
}

size_t lw_delta(bool *keep, size_t n, unsigned most, lw_delta_test *test, void *ctx) {
    bool *before = malloc(n == 0 ? 1 : n * sizeof *keep);
    size_t chunk = (count(keep, n) + 1) / 2;
    while (before != NULL && chunk > 0 && most > 0) {
        const bool removed = pass(keep, before, n, chunk, &most, test, ctx);
        if (chunk == 1 && !removed) {
            break;
        }
        chunk = (chunk + 1) / 2; /* single ones again and again */
    }
    free(before);
    return count(keep, n);
}
