#include "sim/environment/waiting.h"

#include <stdlib.h>

#define NOBODY UINT32_MAX

/* In a list from the oldest to the newest: requests leave it anywhere. */
typedef struct place {
    uint64_t since;
    uint32_t older, newer;
} place;

struct lw_waiting {
    uint32_t oldest, newest;
    place places[]; /* by id */
};

lw_waiting *lw_waiting_new(uint32_t ids) {
    lw_waiting *w = calloc(1, sizeof *w + ids * sizeof w->places[0]);
    if (w != NULL) {
        w->oldest = w->newest = NOBODY;
    }
    return w;
}

void lw_waiting_free(lw_waiting *w) {
    free(w);
}

void lw_waiting_enter(lw_waiting *w, uint32_t id, uint64_t now) {
    w->places[id] = (place){.since = now, .older = w->newest, .newer = NOBODY};
    *(w->newest == NOBODY ? &w->oldest : &w->places[w->newest].newer) = id;
    w->newest = id;
}

uint64_t lw_waiting_since(const lw_waiting *w, uint32_t id) {
    return w->places[id].since;
}

void lw_waiting_leave(lw_waiting *w, uint32_t id) {
    const place *p = &w->places[id];
    *(p->older == NOBODY ? &w->oldest : &w->places[p->older].newer) = p->newer;
    *(p->newer == NOBODY ? &w->newest : &w->places[p->newer].older) = p->older;
}

bool lw_waiting_oldest(const lw_waiting *w, uint32_t *id, uint64_t *since) {
    if (w->oldest == NOBODY) {
        return false;
    }
    *id = w->oldest;
    *since = w->places[w->oldest].since;
    return true;
}
