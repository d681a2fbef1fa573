#include "c_model/walk/entry_reader.h"

/* R5.21, in a unit and a MODE in which levels take part. */
static bool is_close(const lw_cam_op *o, uint64_t key) {
    if (o->op == LW_OP_NONE || (o->level == 0 && !o->claim)) {
        return false;
    }
    const bool by_claim = o->op == LW_OP_COMMIT || (o->op == LW_OP_ADVANCE && o->level == 1) ||
                          (o->op == LW_OP_SCAN && o->claim && o->claim_level > o->level);
    const lw_access a = by_claim ? lw_cam_op_claim(o) : lw_cam_op_access(o);
    return lw_is_near(&a, key);
}

/* Who holds up the walkers behind it (R5.10, R5.29). */
static uint32_t holding(const lw_walkers *w) {
    const uint32_t given = w->in_state[LW_READ] | w->in_state[LW_CAM];
    return w->tried | (w->cfg->hw.second_lookup != 0 ? given & ~w->started : 0);
}

/* R5.20 */
static bool looks_in_vain(const lw_walkers *w, const lw_buffer_view *b, bool scan_on_cam,
                          uint32_t takes_part) {
    const uint64_t key = w->read.entry.key;
    return scan_on_cam || w->read.near || (w->ahead[w->read.walker] & holding(w)) != 0 ||
           (takes_part != 0 && (is_close(b->search, key) || is_close(b->update, key)));
}

/* R5.2, without a mark. */
static bool may_pick(const lw_walkers *w) {
    return w->in_state[LW_IDLE] != 0 && w->in_state[LW_CAM] == 0 && w->tried == 0;
}

lw_turns lw_walkers_turns(const lw_walkers *w, const lw_buffer_view *b, const lw_mark *mark,
                          uint32_t takes_part) {
    lw_turns t = {.scanner = lw_walkers_scanner(w),
                  .looks = w->read.valid,
                  .advancer = LW_NONE,
                  .asker = LW_NONE,
                  .picker = LW_NONE};
    t.scan_on_cam = t.scanner != LW_NONE && !w->walker[t.scanner].stale &&
                    !lw_mark_meets(mark, lw_key_pasid(w->walker[t.scanner].key));
    t.vain = t.looks && looks_in_vain(w, b, t.scan_on_cam, takes_part);
    const int32_t first = lw_walkers_oldest(w, w->in_state[LW_CAM]);
    if (first != LW_NONE && w->walker[first].started) {
        t.advancer = t.scan_on_cam || t.looks ? LW_NONE : first;
    } else if (!mark->valid) {
        t.asker = first;
    }
    if (b->oldest != LW_NONE && !mark->valid && may_pick(w)) {
        t.picker = lw_lowest_walker(w->in_state[LW_IDLE]);
        t.oldest = (uint16_t)b->oldest;
        t.first = w->cfg->hw.second_lookup != 0 && takes_part == 0;
    }
    return t;
}

bool lw_walkers_asks_tlb(const lw_walkers *w, bool hit_room) {
    const lw_read *r = &w->read;
    return r->valid && r->first && hit_room && !r->entry.done && r->entry.cl == 0 &&
           !r->entry.stale;
}

lw_request lw_walkers_second(const lw_walkers *w) {
    const lw_entry *e = &w->read.entry;
    return (lw_request){.page = lw_page_of_vpn(w->cfg, lw_key_vpn(e->key)),
                        .pasid = lw_key_pasid(e->key),
                        .id = e->id,
                        .src = e->src,
                        .access = e->access,
                        .walker = w->read.walker,
                        .valid = true,
                        .second = true};
}

void lw_walkers_plan_read(const lw_walkers *w, bool mark, lw_read *next) {
    const lw_ask *ask = &w->ask;
    next->valid = ask->valid && !mark;
    next->first = ask->first;
    next->walker = ask->walker;
    next->slot = ask->slot;
}

void lw_walkers_ask(lw_walkers *w, const lw_turns *t) {
    if (t->asker != LW_NONE) {
        w->ask = (lw_ask){true, false, (uint8_t)t->asker, w->walker[t->asker].slot};
        lw_walkers_read_again(w, (uint32_t)t->asker);
    } else if (t->picker != LW_NONE) {
        w->ask = (lw_ask){true, t->first, (uint8_t)t->picker, t->oldest};
        lw_walkers_pick(w, (uint32_t)t->picker);
    } else if (w->ask.valid) {
        w->ask.valid = false;
    } else {
        return;
    }
    lw_touch(w->watch, LW_S_ASK, 0);
}

void lw_walkers_load_read(lw_walkers *w, const lw_read *next) {
    if (next->valid) {
        w->read = *next;
    } else if (w->read.valid) {
        w->read.valid = false;
    } else {
        return;
    }
    lw_touch(w->watch, LW_S_READ, 0);
}
