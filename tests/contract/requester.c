#include "tests/contract/requester.h"

#include "tests/contract/failure.h"
#include "tests/contract/judge.h"

/* The page as requested, VA[63:12], of a VPN. */
static uint64_t sign_extended(const lw_world *w, uint64_t vpn) {
    const uint64_t above = UINT64_MAX << w->vpn_w & ((UINT64_C(1) << 52) - 1);
    return (vpn >> (w->vpn_w - 1)) != 0 ? vpn | above : vpn;
}

static bool draw_id(lw_world *w, uint32_t *id) {
    const uint32_t ids = lw_ids(w);
    *id = lw_draw(w, ids);
    for (uint32_t i = 0; i < ids; i++, *id = (*id + 1) % ids) {
        if (!w->request[*id].busy) {
            return true;
        }
    }
    return false;
}

static void draw_request(lw_world *w) {
    uint32_t id = 0;
    if (!draw_id(w, &id)) {
        return;
    }
    const bool near = lw_chance(w, 75);
    const int group = near ? (int)((w->mood.focus + lw_draw(w, w->mood.focus_width)) % w->groups)
                           : (int)lw_draw(w, w->groups);
    const lw_group *g = &w->group[group];
    const uint32_t place = lw_draw(w, 4);
    lw_request *q = &w->asking;
    *q = (lw_request){.id = id,
                      .pasid = g->pasid,
                      .access = lw_chance(w, 50) ? 0 : lw_draw(w, 4),
                      .src = lw_draw(w, 1u << w->hw.src_w),
                      .place = place,
                      .page = sign_extended(w, g->vpn + place),
                      .group = group};
    if (lw_chance(w, 2)) {
        q->page ^= UINT64_C(1) << (w->vpn_w - 1 + lw_draw(w, 53 - w->vpn_w));
        q->group = -1;
    }
    if (lw_chance(w, 2)) {
        q->pasid = lw_chance(w, 50) ? q->pasid + w->hw.pasids : lw_draw(w, 1 << 20);
        q->group = -1;
    }
    if (q->group < 0 && q->pasid < w->hw.pasids) { /* not canonical, or a page of no group */
        const uint64_t top = q->page >> (w->vpn_w - 1);
        if (top == 0 || top == lw_low(UINT64_MAX, 53 - w->vpn_w)) {
            return;
        }
    }
    w->asks = true;
    w->asks_since = w->clock;
    w->asks_cycle = w->cycle;
    w->asks_invalidations = w->invalidations;
    w->in.req_id = q->id;
    w->in.req_pasid = q->pasid;
    w->in.req_access = q->access;
    w->in.req_src = q->src;
    w->in.req_page = q->page;
}

void lw_requester_drive(lw_world *w) {
    enum { SETTLED = 16 }; /* features and roots are written */
    if (!w->asks && !w->tail && w->cycle >= SETTLED && lw_chance(w, w->mood.asks)) {
        draw_request(w);
    }
    w->in.req_valid = w->asks;
    w->in.rsp_ready = lw_chance(w, w->mood.sink);
}

static void response(lw_world *w) {
    const lw_outputs *out = &w->out;
    w->responses++;
    if (out->rsp_id >= LW_IDS || !w->request[out->rsp_id].busy) {
        lw_bark(w, LW_CHECK_PORT, NULL, "a response with id %u, with which no request waits",
                out->rsp_id);
        return;
    }
    lw_request *q = &w->request[out->rsp_id];
    q->busy = false;
    w->waiting--;
    w->tally.n[LW_T_OK + (out->rsp_kind & 7)]++;
    if (out->rsp_kind != LW_OK) {
        if (w->faults < LW_FAULTS) {
            w->fault[w->faults] =
                (lw_fault){out->rsp_kind, out->rsp_level, q->access, q->pasid, q->src, q->page};
        }
        w->faults++;
    }
    lw_judge_answer(w, q);
}

void lw_requester_observe(lw_world *w) {
    if (w->out.rsp_valid && w->in.rsp_ready) {
        response(w);
    }
    w->tally.n[LW_T_SINK_STALLS] += w->out.rsp_valid && !w->in.rsp_ready;
    w->stalls += w->in.req_valid && !w->out.req_ready;
    if (w->in.req_valid && w->out.req_ready) {
        w->asks = false;
        w->asking.busy = true;
        w->asking.accepted = w->cycle;
        w->asking.clock = w->clock;
        w->asking.invalidations = w->invalidations;
        w->request[w->asking.id] = w->asking;
        w->waiting++;
        w->transfers++;
    }
}
