#include "c_model/walk/entry_reader.h"

lw_turns lw_walkers_turns(const lw_walkers *w, const lw_cam *cam, bool mark, bool held,
                          uint32_t takes_part) {
    const bool commits = w->read.what == LW_READ_COMMIT;
    const bool takes = w->read.what == LW_READ_TAKE;
    lw_turns t = {.scanner = lw_walkers_scanner(w),
                  .taker = takes ? w->read.walker : LW_NONE,
                  .committer = LW_NONE,
                  .advancer = LW_NONE,
                  .chooser = LW_NONE,
                  .asker = LW_NONE};
    t.scan_on_cam = t.scanner != LW_NONE && !w->walker[t.scanner].stale;
    const bool close = takes_part != 0 && lw_operation_is_close(&cam->search, w->read.key);
    if (commits && !t.scan_on_cam && !w->read.near && !close) {
        t.committer = w->read.walker;
    }
    if (mark) {
        t.mark = !t.scan_on_cam && !lw_cam_is_busy(cam) && w->ask.what == LW_READ_NOTHING &&
                 w->read.what == LW_READ_NOTHING;
        return t;
    }
    const int32_t lowest = lw_lowest_walker(w->in_state[LW_CAM]);
    const bool started = lowest != LW_NONE && w->walker[lowest].started;
    if (started && !t.scan_on_cam && !commits) {
        t.advancer = lowest;
    } else if (!started && w->ask.what != LW_READ_COMMIT && t.committer == LW_NONE) {
        t.asker = lowest;
    }
    if (held && !takes && w->ask.what != LW_READ_TAKE && t.asker == LW_NONE) {
        t.chooser = lw_lowest_walker(w->in_state[LW_IDLE]);
    }
    return t;
}

/* R5.6: whether an operation that is under way will change, or has just changed, what a walker
 * reads for its commit. */
static bool reads_near(const lw_cam *cam, const lw_pwst *p) {
    return lw_operation_is_close(&cam->search, p->key) ||
           lw_operation_is_close(&cam->update, p->key);
}

void lw_walkers_plan_read(const lw_walkers *w, const lw_buffer *b, uint32_t takes_part,
                          lw_read *next) {
    const lw_ask *ask = &w->ask;
    if (ask->what == LW_READ_NOTHING) {
        next->what = LW_READ_NOTHING;
        return;
    }
    const lw_entry *e = &b->entry[ask->slot];
    *next = (lw_read){
        .key = e->key,
        .pa = e->pa,
        .id = e->id,
        .src = e->src,
        .contig = e->contig,
        .what = ask->what,
        .walker = ask->walker,
        .slot = ask->slot,
        .access = e->access,
        .cl = e->cl,
        .pl = e->pl,
        .perm = e->perm,
        .block = (uint8_t)lw_buffer_block(b, e),
        .done = lw_slots_has(&b->done, ask->slot),
        .near = ask->what == LW_READ_COMMIT && takes_part != 0 &&
                reads_near(&b->cam, &w->walker[ask->walker]),
    };
}

void lw_walkers_ask(lw_walkers *w, const lw_turns *t, uint32_t candidate_slot) {
    if (t->asker != LW_NONE) {
        w->ask = (lw_ask){LW_READ_COMMIT, (uint8_t)t->asker, w->walker[t->asker].slot};
    } else if (t->chooser != LW_NONE) {
        w->ask = (lw_ask){LW_READ_TAKE, (uint8_t)t->chooser, (uint16_t)candidate_slot};
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
