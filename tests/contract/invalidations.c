#include "tests/contract/invalidations.h"

#include "tests/contract/failure.h"

#include <inttypes.h>

void lw_inv_want(lw_world *w, lw_invalidation inv) {
    if (w->wanted_count < LW_WANTED) {
        w->wanted[(w->wanted_first + w->wanted_count++) % LW_WANTED] = inv;
    }
}

static lw_invalidation draw_for(lw_world *w, const lw_group *g, uint32_t type) {
    const uint64_t all = lw_low(UINT64_MAX, w->vpn_w);
    const uint64_t page = g->vpn + lw_draw(w, 4);
    lw_invalidation inv = {type, g->pasid, page, page};
    if (type == LW_INV_RANGE) {
        const uint64_t before = lw_low(lw_rng_next(&w->rng), 1 + lw_draw(w, w->vpn_w));
        const uint64_t after = lw_low(lw_rng_next(&w->rng), 1 + lw_draw(w, w->vpn_w));
        inv.first = before > page ? 0 : page - before;
        inv.last = after > all - page ? all : page + after;
    } else { /* what a type does not look at may be anything */
        inv.last = lw_low(lw_rng_next(&w->rng), w->vpn_w);
        inv.first = type == LW_INV_PAGE ? page : lw_low(lw_rng_next(&w->rng), w->vpn_w);
    }
    if (type == LW_INV_ALL) {
        inv.pasid = lw_draw(w, 1 << 20);
    }
    return inv;
}

void lw_inv_want_for(lw_world *w, const lw_group *g) {
    static const uint32_t types[] = {LW_INV_ALL,   LW_INV_ALL,   LW_INV_PASID, LW_INV_PASID,
                                     LW_INV_PASID, LW_INV_RANGE, LW_INV_PAGE,  LW_INV_PAGE};
    lw_inv_want(w, draw_for(w, g, types[lw_draw(w, 8)]));
}

/* One that nobody needs, now and then one that meets nobody. */
static lw_invalidation draw_spurious(lw_world *w) {
    const uint32_t type = w->mood.flood_type > LW_INV_ALL ? lw_draw(w, 4) : w->mood.flood_type;
    lw_invalidation inv = draw_for(w, &w->group[lw_draw(w, w->groups)], type);
    if (lw_chance(w, 4)) {
        inv.pasid = w->hw.pasids + lw_draw(w, (1 << 20) - w->hw.pasids);
    } else if (inv.type == LW_INV_RANGE && lw_chance(w, 10) && inv.first != 0) {
        inv.last = inv.first - 1;
    }
    return inv;
}

void lw_inv_drive(lw_world *w) {
    if (!w->inv_asks && w->wanted_count == 0 && !w->tail && w->mood.flood != 0 &&
        lw_chance(w, w->mood.flood)) {
        lw_inv_want(w, draw_spurious(w));
    }
    if (!w->inv_asks && w->wanted_count != 0 && !w->inv_busy) {
        const lw_invalidation *inv = &w->wanted[w->wanted_first];
        w->in.inv_type = inv->type;
        w->in.inv_pasid = inv->pasid;
        w->in.inv_first = inv->first;
        w->in.inv_last = inv->last;
        w->wanted_first = (w->wanted_first + 1) % LW_WANTED;
        w->wanted_count--;
        w->inv_asks = true;
        w->inv_since = w->clock;
        w->inv_cycle = w->cycle;
    }
    w->in.inv_valid = w->inv_asks;
}

bool lw_inv_meets(const lw_world *w, const lw_invalidation *inv, uint32_t pasid) {
    return inv->type == LW_INV_ALL || (inv->pasid < w->hw.pasids && inv->pasid == pasid);
}

bool lw_inv_meets_pages(const lw_invalidation *inv, uint32_t pasid, uint64_t first, uint64_t last) {
    switch (inv->type) {
    case LW_INV_PAGE:
        return inv->pasid == pasid && first <= inv->first && inv->first <= last;
    case LW_INV_RANGE:
        return inv->pasid == pasid && inv->first <= inv->last && first <= inv->last &&
               inv->first <= last;
    case LW_INV_PASID:
        return inv->pasid == pasid;
    default:
        return true;
    }
}

bool lw_inv_covers(const lw_invalidation *inv, uint32_t pasid, uint64_t vpn) {
    return lw_inv_meets_pages(inv, pasid, vpn, vpn);
}

static bool has_root(const lw_world *w, uint32_t pasid, uint64_t cycle) {
    lw_version v;
    return lw_words_newest(w->words, lw_word_root(pasid), cycle, cycle, &v) && v.value >> 63 != 0;
}

static void transfer(lw_world *w) {
    w->under_way =
        (lw_invalidation){w->in.inv_type, w->in.inv_pasid, w->in.inv_first, w->in.inv_last};
    w->inv_asks = false;
    w->inv_busy = true;
    w->inv_transfer = w->cycle;
    const lw_invalidation *inv = &w->under_way;
    for (uint32_t p = 0; p < w->hw.pasids; p++) {
        bool waits = false;
        for (uint32_t i = 0; i < LW_IDS; i++) {
            waits = waits || (w->request[i].busy && w->request[i].pasid == p);
        }
        w->inv_rootless[p] = waits && lw_inv_meets(w, inv, p) && !has_root(w, p, w->cycle);
    }
    w->tally.n[LW_T_INV_PAGE + inv->type]++;
    w->tally.n[LW_T_INV_AT_ONCE] += w->invalidations != 0 && w->inv_done + 1 == w->cycle;
    w->tally.n[LW_T_INV_NOBODY] += (inv->type != LW_INV_ALL && inv->pasid >= w->hw.pasids) ||
                                   (inv->type == LW_INV_RANGE && inv->first > inv->last);
}

/* The promise holds for a PASID that has no root from the transfer to the completion (R11.13). */
static void forget_new_owners(lw_world *w) {
    for (uint32_t p = 0; p < w->hw.pasids; p++) {
        for (uint64_t c = w->inv_transfer; c <= w->cycle && w->inv_rootless[p]; c++) {
            w->inv_rootless[p] = !has_root(w, p, c);
        }
    }
}

/* Whoever asked under an owner that is gone must have been told before the completion. */
static void check_owner(lw_world *w) {
    for (uint32_t i = 0; i < LW_IDS; i++) {
        const lw_request *q = &w->request[i];
        if (q->busy && q->pasid < w->hw.pasids && w->inv_rootless[q->pasid] &&
            q->accepted < w->inv_transfer) {
            lw_bark(w, LW_CHECK_OWNER, q,
                    "is not answered yet although PASID %u has had no root since an invalidation "
                    "that meets it was transferred in cycle %" PRIu64 ", done in %" PRIu64
                    ": its old owner may be answered from a new owner's tables",
                    q->pasid, w->inv_transfer, w->cycle);
            return;
        }
    }
}

static void done(lw_world *w) {
    const lw_invalidation *inv = &w->under_way;
    forget_new_owners(w);
    for (uint32_t p = 0; p < w->hw.pasids; p++) {
        w->tally.n[LW_T_ROOTLESS_INV] += w->inv_rootless[p];
        w->met_by_any[p] = lw_inv_meets(w, inv, p) ? w->inv_transfer : w->met_by_any[p];
        if (lw_inv_meets(w, inv, p) && inv->type >= LW_INV_PASID) {
            w->met[p] = w->inv_transfer;
        }
    }
    for (uint32_t i = 0; i < w->groups; i++) {
        lw_group *g = &w->group[i];
        for (uint32_t place = 0; place < 4; place++) {
            if (lw_inv_covers(inv, g->pasid, g->vpn + place)) {
                g->since[place] = w->inv_transfer;
            }
        }
        for (uint32_t size = 1; size <= LW_LARGE_SIZES; size++) {
            static const uint32_t bits[LW_LARGE_SIZES] = {9, 18, 4}; /* R1.7, R20.5 */
            const uint64_t first = g->vpn >> bits[size - 1] << bits[size - 1];
            const uint64_t last = first + (UINT64_C(1) << bits[size - 1]) - 1;
            if (lw_inv_meets_pages(inv, g->pasid, first, last)) {
                g->large_since[size - 1] = w->inv_transfer;
            }
        }
    }
    if (inv->type == LW_INV_ALL || inv->pasid < w->hw.pasids) {
        w->any = w->inv_transfer;
    }
    if (inv->type == LW_INV_ALL) {
        for (uint32_t f = 0; f < w->frames; f++) {
            w->tally.n[LW_T_FREED_ALL] += w->levels[f] == 0 && w->ever[f] != 0;
        }
    }
    check_owner(w);
    w->inv_busy = false;
    w->inv_done = w->cycle;
    w->invalidations++;
}

void lw_inv_observe(lw_world *w) {
    if (w->out.inv_done && !w->inv_busy) {
        lw_bark(w, LW_CHECK_PORT, NULL, "inv_done without an invalidation under way");
    } else if (w->out.inv_done) {
        done(w);
    }
    if (w->in.inv_valid && w->out.inv_ready) {
        if (w->inv_busy) {
            lw_bark(w, LW_CHECK_PORT, NULL, "inv_ready while an invalidation is under way");
            return;
        }
        transfer(w);
    }
}
