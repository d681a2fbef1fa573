#include "sim/environment/old_owners.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct owner {
    bool has_root;
    uint64_t waiting; /* requests in flight */
    uint64_t due;     /* of those, the ones that the invalidation under way must outlive */
} owner;

struct lw_old_owners {
    uint64_t transfer; /* of the invalidation under way */
    uint64_t orphans, met;
    uint32_t count;
    owner owners[]; /* by PASID */
};

lw_old_owners *lw_old_owners_new(uint32_t pasids) {
    lw_old_owners *o = calloc(1, sizeof *o + pasids * sizeof o->owners[0]);
    if (o != NULL) {
        o->count = pasids;
    }
    return o;
}

void lw_old_owners_free(lw_old_owners *o) {
    free(o);
}

/* R11.9; the request of this cycle is not told yet, so that all that wait are from before. */
static void meet(lw_old_owners *o, uint64_t now, const lw_inputs *in) {
    o->transfer = now;
    for (uint32_t p = 0; p < o->count; p++) {
        owner *w = &o->owners[p];
        const bool met = in->inv_type == LW_INV_ALL || in->inv_pasid == p;
        w->due = met && !w->has_root ? w->waiting : 0;
        o->met += w->due;
    }
}

void lw_old_owners_cycle(lw_old_owners *o, uint64_t now, const lw_inputs *in, bool taken) {
    if (taken) {
        meet(o, now, in);
    }
    if (in->ctl_write && in->ctl_addr >= LW_CTL_ROOT && in->ctl_addr - LW_CTL_ROOT < o->count) {
        owner *w = &o->owners[in->ctl_addr - LW_CTL_ROOT];
        const bool valid = in->ctl_wdata >> 63 != 0;
        o->orphans += w->has_root && !valid ? w->waiting : 0;
        w->due = valid ? 0 : w->due; /* R11.13: the root has come back before the completion */
        w->has_root = valid;
    }
}

void lw_old_owners_enter(lw_old_owners *o, uint32_t pasid) {
    if (pasid < o->count) {
        o->owners[pasid].waiting++;
    }
}

void lw_old_owners_leave(lw_old_owners *o, uint32_t pasid, uint64_t since) {
    if (pasid < o->count) {
        owner *w = &o->owners[pasid];
        w->waiting--;
        w->due -= w->due != 0 && since < o->transfer ? 1 : 0;
    }
}

bool lw_old_owners_done(lw_old_owners *o, lw_error *err) {
    for (uint32_t p = 0; p < o->count; p++) {
        const uint64_t due = o->owners[p].due;
        o->owners[p].due = 0;
        if (due != 0) {
            return lw_fail(err,
                           "inv_done is high, and %" PRIu64 " requests of PASID %" PRIu32
                           " from before the transfer, in cycle %" PRIu64
                           ", are not answered, though it had no root then",
                           due, p, o->transfer);
        }
    }
    return true;
}

uint64_t lw_old_owners_orphans(const lw_old_owners *o) {
    return o->orphans;
}

uint64_t lw_old_owners_met(const lw_old_owners *o) {
    return o->met;
}
