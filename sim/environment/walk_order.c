#include "sim/environment/walk_order.h"

#include <inttypes.h>
#include <stdlib.h>

/* Of a request in flight; they stand in a list in the order of their acceptance. */
typedef struct waiting {
    uint64_t line;
    uint32_t before, after; /* its neighbours in the list; the list's end is the place `ids` */
    bool listed;            /* nobody after it has read yet, nor has it */
} waiting;

struct lw_walk_order {
    uint64_t reads;
    uint32_t ids;
    waiting request[]; /* by id, and the list's two ends */
};

lw_walk_order *lw_walk_order_new(uint32_t ids) {
    lw_walk_order *o = calloc(1, sizeof *o + ((size_t)ids + 1) * sizeof o->request[0]);
    if (o != NULL) {
        o->ids = ids;
        o->request[ids] = (waiting){.before = ids, .after = ids};
    }
    return o;
}

void lw_walk_order_free(lw_walk_order *o) {
    free(o);
}

static void leave(lw_walk_order *o, uint32_t id) {
    waiting *w = &o->request[id];
    if (w->listed) {
        o->request[w->before].after = w->after;
        o->request[w->after].before = w->before;
        w->listed = false;
    }
}

void lw_walk_order_accept(lw_walk_order *o, uint32_t id, uint64_t line) {
    waiting *end = &o->request[o->ids];
    o->request[id] =
        (waiting){.line = line, .before = end->before, .after = o->ids, .listed = true};
    o->request[end->before].after = id;
    end->before = id;
}

void lw_walk_order_answer(lw_walk_order *o, uint32_t id) {
    leave(o, id);
}

bool lw_walk_order_read(lw_walk_order *o, uint64_t line, lw_error *err) {
    while (o->request[o->ids].after != o->ids) {
        const uint32_t id = o->request[o->ids].after;
        leave(o, id);
        if (o->request[id].line == line) {
            o->reads++;
            return true;
        }
    }
    return lw_fail(err,
                   "line 0x%" PRIx64 " of a root's table is read, and of the requests that were "
                   "accepted after the one whose walk began last nobody needs it: walks are not "
                   "first come, first served (R5.2)",
                   line << 6);
}

uint64_t lw_walk_order_reads(const lw_walk_order *o) {
    return o->reads;
}
