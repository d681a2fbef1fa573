#include "c_model/walk/entry_reader.h"

/* R5.6, in a unit and a MODE in which levels take part. */
static bool is_close(const lw_cam_op *o, uint64_t key) {
    if (o->op == LW_OP_NONE || (o->op == LW_OP_COMMIT && !o->claim)) {
        return false;
    }
    const lw_access a = o->op == LW_OP_COMMIT ? lw_cam_op_claim(o) : lw_cam_op_access(o);
    return lw_is_near(&a, key);
}

lw_turns lw_walkers_turns(const lw_walkers *w, const lw_buffer_view *b, const lw_mark *mark,
                          uint32_t takes_part) {
    const bool commits = w->read.what == LW_READ_COMMIT;
    const bool takes = w->read.what == LW_READ_TAKE;
    lw_turns t = {.scanner = lw_walkers_scanner(w),
                  .taker = takes ? w->read.walker : LW_NONE,
                  .committer = LW_NONE,
                  .advancer = LW_NONE,
                  .chooser = LW_NONE,
                  .asker = LW_NONE};
    t.scan_on_cam = t.scanner != LW_NONE && !w->walker[t.scanner].stale &&
                    !lw_mark_meets(mark, lw_key_pasid(w->walker[t.scanner].key));
    const bool close = takes_part != 0 && is_close(b->search, w->read.entry.key);
    if (commits && !t.scan_on_cam && !w->read.near && !close) {
        t.committer = w->read.walker;
    }
    const int32_t oldest = lw_walkers_oldest(w, w->in_state[LW_CAM]);
    const bool started = oldest != LW_NONE && w->walker[oldest].started;
    if (started && !t.scan_on_cam && !commits) {
        t.advancer = oldest;
    }
    if (mark->valid) {
        return t;
    }
    if (!started && w->ask.what != LW_READ_COMMIT && t.committer == LW_NONE) {
        t.asker = oldest;
    }
    if (b->held && !takes && w->ask.what != LW_READ_TAKE && t.asker == LW_NONE) {
        t.chooser = lw_lowest_walker(w->in_state[LW_IDLE]);
    }
    return t;
}

/* R5.6: whether an operation that is under way will change, or has just changed, what a walker
 * reads for its commit. */
static bool reads_near(const lw_buffer_view *b, const lw_pwst *p) {
    return is_close(b->search, p->key) || is_close(b->update, p->key);
}

void lw_walkers_plan_read(const lw_walkers *w, const lw_buffer_view *b, bool mark,
                          uint32_t takes_part, lw_read *next) {
    const lw_ask *ask = &w->ask;
    next->what = mark ? LW_READ_NOTHING : ask->what;
    next->walker = ask->walker;
    next->slot = ask->slot;
    next->near =
        ask->what == LW_READ_COMMIT && takes_part != 0 && reads_near(b, &w->walker[ask->walker]);
}

void lw_walkers_ask(lw_walkers *w, const lw_turns *t, uint16_t candidate) {
    if (t->asker != LW_NONE) {
        w->ask = (lw_ask){LW_READ_COMMIT, (uint8_t)t->asker, w->walker[t->asker].slot};
    } else if (t->chooser != LW_NONE) {
        w->ask = (lw_ask){LW_READ_TAKE, (uint8_t)t->chooser, candidate};
    } else if (w->ask.what != LW_READ_NOTHING) {
        w->ask.what = LW_READ_NOTHING;
    } else {
        return;
    }
    lw_touch(w->watch, LW_S_ASK, 0);
}

void lw_walkers_load_read(lw_walkers *w, const lw_read *next) {
    if (next->what != LW_READ_NOTHING) {
        w->read = *next;
    } else if (w->read.what != LW_READ_NOTHING) {
        w->read.what = LW_READ_NOTHING;
    } else {
        return;
    }
    lw_touch(w->watch, LW_S_READ, 0);
}
