#define _POSIX_C_SOURCE 200809L

#include "sim/traces/stream_census.h"

#include <stdlib.h>
#include <sys/stat.h>

/* Whether bits 51 up to the top bit of a VPN of so many levels are alike. */
static bool canonical(uint64_t vpn, uint32_t levels) {
    const uint64_t half = UINT64_C(1) << (9 * levels - 1);
    return ((vpn + half) & ((UINT64_C(1) << 52) - 1)) < 2 * half;
}

static bool count(lw_stream_census *c, const lw_stream_limits *limits, const lw_stream_access *a) {
    c->accesses++;
    if (a->pasid >= limits->pasids) {
        return true;
    }
    c->spaces = a->pasid >= c->spaces ? a->pasid + 1 : c->spaces;
    return !canonical(a->vpn, limits->levels) || lw_page_set_add(&c->pages[a->pasid], a->vpn);
}

static bool read_all(lw_stream_census *c, lw_stream *stream, const lw_stream_limits *limits,
                     lw_error *err) {
    lw_stream_access access;
    int status = 1;
    while (c->accesses < limits->accesses && (status = lw_stream_next(stream, &access, err)) == 1) {
        if (!count(c, limits, &access)) {
            return lw_fail(err, "out of memory while reading a stream's pages");
        }
    }
    c->partial = status == 0 ? lw_stream_partial(stream) : (lw_partial){.cut = false};
    return status != -1;
}

static bool has_accesses(const lw_stream_census *c, const char *path, lw_error *err) {
    return c->accesses != 0 ||
           (c->partial.cut ? lw_fail(err, "--partial: %s is cut, and nothing of it is whole", path)
                           : lw_fail(err, "%s: has no request; allowed: one or more", path));
}

/* The run reads the stream again, and a reset or a report of a mismatch once more. */
static bool can_be_read_again(const char *path, lw_error *err) {
    struct stat status;
    return stat(path, &status) != 0 || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode) ||
           lw_fail(err,
                   "%s: is a pipe or a device: a stream is read more than once, a file is needed",
                   path);
}

bool lw_stream_census_take(lw_stream_census *c, const char *path, const lw_stream_limits *limits,
                           lw_error *err) {
    *c = (lw_stream_census){.accesses = 0};
    if (!can_be_read_again(path, err)) {
        return false;
    }
    *c = (lw_stream_census){.pages = calloc(limits->pasids, sizeof *c->pages)};
    if (c->pages == NULL) {
        return lw_fail(err, "%s: out of memory", path);
    }
    lw_stream *stream =
        limits->partial ? lw_stream_open_partial(path, err) : lw_stream_open(path, err);
    if (stream != NULL) {
        lw_stream_bound(stream, limits->known, limits->sources);
    }
    const bool good =
        stream != NULL && read_all(c, stream, limits, err) && has_accesses(c, path, err);
    lw_stream_close(stream);
    if (!good) {
        c->spaces = limits->pasids; /* all that may hold something */
        lw_stream_census_free(c);
    }
    return good;
}

void lw_stream_census_free(lw_stream_census *c) {
    for (uint32_t p = 0; p < c->spaces; p++) {
        lw_page_set_free(&c->pages[p]);
    }
    free(c->pages);
    *c = (lw_stream_census){0};
}
