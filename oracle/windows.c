#include "oracle/windows.h"

#include "common/room.h"

#include <stdlib.h>

/* An invalidation of a part of the pages. */
typedef struct part {
    uint32_t pasid;
    uint64_t first, last, time;
} part;

struct lw_windows {
    part *parts; /* by time; those that a later one holds are gone */
    size_t count, room;
    uint64_t last_page;
    uint32_t pasids;
    uint64_t whole[]; /* by PASID: the last that matched all its pages */
};

lw_windows *lw_windows_new(uint32_t pasids, uint64_t last_page) {
    lw_windows *w = calloc(1, sizeof *w + pasids * sizeof w->whole[0]);
    if (w != NULL) {
        w->pasids = pasids;
        w->last_page = last_page;
    }
    return w;
}

void lw_windows_free(lw_windows *w) {
    if (w != NULL) {
        free(w->parts);
    }
    free(w);
}

static bool holds(const part *outer, const part *inner) {
    return (outer->pasid == LW_WINDOWS_EVERY_PASID || outer->pasid == inner->pasid) &&
           outer->first <= inner->first && outer->last >= inner->last;
}

static void drop_held(lw_windows *w, const part *by) {
    size_t kept = 0;
    for (size_t i = 0; i < w->count; i++) {
        if (!holds(by, &w->parts[i])) {
            w->parts[kept++] = w->parts[i];
        }
    }
    w->count = kept;
}

bool lw_windows_complete(lw_windows *w, uint32_t pasid, uint64_t first, uint64_t last,
                         uint64_t time) {
    const part now = {pasid, first, last, time};
    drop_held(w, &now);
    if (first == 0 && last >= w->last_page) {
        for (uint32_t p = 0; p < w->pasids; p++) {
            if (pasid == LW_WINDOWS_EVERY_PASID || pasid == p) {
                w->whole[p] = time;
            }
        }
        return true;
    }
    void *parts = w->parts;
    if (first > last) {
        return true; /* matches nothing */
    }
    if (!lw_room(&parts, &w->room, w->count + 1, sizeof *w->parts)) {
        return false;
    }
    w->parts = parts;
    w->parts[w->count++] = now;
    return true;
}

uint64_t lw_windows_since(const lw_windows *w, uint32_t pasid, uint64_t page) {
    const uint64_t whole = pasid < w->pasids ? w->whole[pasid] : 0;
    const part wanted = {pasid, page, page, 0};
    for (size_t i = w->count; i > 0; i--) {
        if (holds(&w->parts[i - 1], &wanted)) {
            const uint64_t time = w->parts[i - 1].time;
            return time > whole ? time : whole;
        }
    }
    return whole;
}

uint64_t lw_windows_floor(const lw_windows *w) {
    uint64_t floor = UINT64_MAX;
    for (uint32_t p = 0; p < w->pasids; p++) {
        floor = w->whole[p] < floor ? w->whole[p] : floor;
    }
    return floor;
}
