#include "sim/environment/failed_reads.h"

#include "common/room.h"

#include <stddef.h>
#include <stdlib.h>

enum { LINES_MAX = 64 }; /* of one answer, with a failed read: the steps of a chain are fewer */

#define NOBODY SIZE_MAX

/* An answer, and the lines of which its failed read may be. */
typedef struct excused {
    uint64_t since, lines[LINES_MAX];
    size_t count;
} excused;

typedef struct failure {
    uint64_t line, cycle;
    bool used;
    excused by; /* if used */
    /* of one search: reached, its answer's other errors too, by way of whose error */
    bool reached, spread;
    size_t from;
} failure;

struct lw_failed_reads {
    failure *list; /* by cycle; errors are few, so it is searched */
    size_t count, room;
    excused asking;
};

lw_failed_reads *lw_failed_reads_new(void) {
    return calloc(1, sizeof(lw_failed_reads));
}

void lw_failed_reads_free(lw_failed_reads *f) {
    if (f != NULL) {
        free(f->list);
    }
    free(f);
}

static void forget_before(lw_failed_reads *f, uint64_t oldest) {
    size_t kept = 0;
    for (size_t i = 0; i < f->count; i++) {
        if (f->list[i].cycle >= oldest) {
            f->list[kept++] = f->list[i];
        }
    }
    f->count = kept;
}

bool lw_failed_reads_add(lw_failed_reads *f, uint64_t line, uint64_t now, uint64_t oldest) {
    if (f->count == f->room) {
        forget_before(f, oldest);
    }
    void *list = f->list;
    if (!lw_room(&list, &f->room, f->count + 1, sizeof *f->list)) {
        return false;
    }
    f->list = list;
    f->list[f->count++] = (failure){.line = line, .cycle = now};
    return true;
}

void lw_failed_reads_ask(lw_failed_reads *f, uint64_t since) {
    f->asking.since = since;
    f->asking.count = 0;
}

static bool may_be_of(const excused *answer, const failure *error) {
    size_t i = 0;
    while (i < answer->count && answer->lines[i] != error->line) {
        i++;
    }
    return i < answer->count && error->cycle >= answer->since;
}

/* Reaches the errors that the answer may have. */
static void spread(lw_failed_reads *f, const excused *answer, size_t from) {
    for (size_t i = 0; i < f->count; i++) {
        failure *error = &f->list[i];
        if (!error->reached && may_be_of(answer, error)) {
            error->reached = true;
            error->from = from;
        }
    }
}

/* The oldest error that nobody has and that becomes the asking answer's, where those on the way to
 * it pass theirs on (the augmenting path of a bipartite matching); NOBODY where there is none. */
static size_t find_free(lw_failed_reads *f) {
    for (size_t i = 0; i < f->count; i++) {
        f->list[i].reached = f->list[i].spread = false;
    }
    spread(f, &f->asking, NOBODY);
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < f->count; i++) {
            failure *error = &f->list[i];
            if (error->reached && !error->used) {
                return i;
            }
            if (error->reached && !error->spread) {
                error->spread = more = true;
                spread(f, &error->by, i);
            }
        }
    }
    return NOBODY;
}

bool lw_failed_reads_may(lw_failed_reads *f, uint64_t line) {
    bool has_failed = false;
    for (size_t i = 0; i < f->count && !has_failed; i++) {
        has_failed = f->list[i].line == line && f->list[i].cycle >= f->asking.since;
    }
    if (!has_failed || f->asking.count == LINES_MAX) {
        return false;
    }
    f->asking.lines[f->asking.count++] = line;
    return find_free(f) != NOBODY;
}

void lw_failed_reads_use(lw_failed_reads *f) {
    size_t i = find_free(f);
    if (i == NOBODY) {
        return;
    }
    f->list[i].used = true;
    for (; f->list[i].from != NOBODY; i = f->list[i].from) {
        f->list[i].by = f->list[f->list[i].from].by;
    }
    f->list[i].by = f->asking;
}
