#include "sim/system/failed_reads.h"

#include "common/room.h"

#include <stdlib.h>

typedef struct failure {
    uint64_t line, cycle;
} failure;

struct lw_failed_reads {
    failure *list; /* by cycle; errors are few, so it is searched */
    size_t count, room;
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
    f->list[f->count++] = (failure){line, now};
    return true;
}

bool lw_failed_reads_find(const lw_failed_reads *f, uint64_t line, uint64_t since, size_t *found) {
    for (size_t i = 0; i < f->count; i++) {
        if (f->list[i].line == line && f->list[i].cycle >= since) {
            *found = i;
            return true;
        }
    }
    return false;
}

void lw_failed_reads_use(lw_failed_reads *f, size_t found) {
    f->count--;
    for (size_t i = found; i < f->count; i++) {
        f->list[i] = f->list[i + 1];
    }
}
