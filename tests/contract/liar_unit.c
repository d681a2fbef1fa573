/* A unit that lies: what another one says at its ports, falsified now and then in one way. Each
 * check of the tester must bark at its lie (tests/contract/test_contract_tester.py). */
#include "tests/contract/unit.h"

#include <stdlib.h>
#include <string.h>

enum { OFTEN = 50, WARM = 2000, EARLY = 4, IDS = 256, LINES = 512, NO_TAG = 60, SHUT = 6000 };

typedef struct liar liar;
typedef void lie_fn(liar *l, lw_outputs *out);

typedef struct lie {
    const char *name;
    lie_fn *tell;       /* what it makes of the outputs */
    bool invalidations; /* answers them itself, and the unit never hears of them */
} lie;

struct liar {
    lw_unit inner;
    const lie *lie;
    lw_outputs out; /* what it has said in this cycle */
    lw_outputs again;
    uint64_t cycle, responses, requests;
    bool holds, twice; /* the unit's response is not to be taken; `again` is said once more */
    bool swallows;     /* it is taken, and nobody hears of it */
    uint64_t inv_done; /* the cycle of the completion that it has made up, 0: none */
    uint32_t access[IDS];
    uint64_t page[IDS];
    uint64_t line[LINES];
    struct {
        uint64_t page;
        uint32_t access, kind, level;
    } fault[IDS];
};

/* Whether this response is one to lie about. */
static bool turn(const liar *l, const lw_outputs *out, bool good) {
    return out->rsp_valid && (out->rsp_kind == LW_OK) == good && l->responses % OFTEN >= OFTEN / 2;
}

static void make_fault(lw_outputs *out, lw_kind kind, uint32_t level) {
    out->rsp_kind = kind;
    out->rsp_level = level;
    out->rsp_pfn = 0;
    out->rsp_size = out->rsp_perm = 0;
}

static void lie_pfn(liar *l, lw_outputs *out) {
    out->rsp_pfn ^= turn(l, out, true);
}

static void lie_perm(liar *l, lw_outputs *out) {
    out->rsp_perm ^= turn(l, out, true);
}

static void lie_size(liar *l, lw_outputs *out) {
    out->rsp_size ^= turn(l, out, true);
}

static void lie_links(liar *l, lw_outputs *out) {
    out->rsp_level ^= turn(l, out, true) ? 7 : 0;
}

static void lie_kind(liar *l, lw_outputs *out) {
    out->rsp_kind = turn(l, out, false) ? LW_NOT_PRESENT + (out->rsp_kind + 1) % 4 : out->rsp_kind;
}

static void lie_level(liar *l, lw_outputs *out) {
    out->rsp_level ^= turn(l, out, false);
}

static void lie_fields(liar *l, lw_outputs *out) {
    out->rsp_pfn ^= turn(l, out, false);
}

static void lie_id(liar *l, lw_outputs *out) {
    out->rsp_id ^= turn(l, out, true);
}

static void lie_error(liar *l, lw_outputs *out) {
    if (turn(l, out, true)) {
        make_fault(out, LW_MEMORY_ERROR, 1);
    }
}

static void lie_rootless(liar *l, lw_outputs *out) {
    if (turn(l, out, true)) {
        make_fault(out, LW_UNKNOWN_PASID, 0);
    }
}

static void lie_rooted(liar *l, lw_outputs *out) {
    (void)l;
    if (out->rsp_valid && out->rsp_kind == LW_UNKNOWN_PASID) {
        make_fault(out, LW_NOT_PRESENT, 4);
    }
}

static void lie_canonical(liar *l, lw_outputs *out) {
    (void)l;
    if (out->rsp_valid && out->rsp_kind == LW_NONCANONICAL) {
        make_fault(out, LW_NOT_PRESENT, 4);
    }
}

/* The fault that the page has had before, for an answer that is good. */
static void lie_oldfault(liar *l, lw_outputs *out) {
    if (!out->rsp_valid || out->rsp_kind != LW_OK) {
        return;
    }
    const uint32_t id = out->rsp_id % IDS;
    for (uint32_t i = 0; i < IDS; i++) {
        if (l->fault[i].kind >= LW_NOT_PRESENT && l->fault[i].kind != LW_MEMORY_ERROR &&
            l->fault[i].page == l->page[id] && l->fault[i].access == l->access[id]) {
            make_fault(out, l->fault[i].kind, l->fault[i].level);
            return;
        }
    }
}

static void lie_twice(liar *l, lw_outputs *out) {
    l->holds = l->twice;
    if (l->twice) {
        *out = l->again;
    }
}

static void lie_lost(liar *l, lw_outputs *out) {
    l->swallows = turn(l, out, true);
    out->rsp_valid = out->rsp_valid && !l->swallows;
}

static void lie_held(liar *l, lw_outputs *out) {
    l->holds = l->cycle > WARM;
    out->rsp_valid = out->rsp_valid && !l->holds;
}

static void lie_ready(liar *l, lw_outputs *out) {
    out->req_ready = out->req_ready && l->cycle < WARM;
}

/* Shut for longer than a request may wait where nothing is invalidated (R0.7). */
static void lie_shut(liar *l, lw_outputs *out) {
    out->req_ready = out->req_ready && l->cycle / SHUT % 2 == 0;
}

static void lie_undone(liar *l, lw_outputs *out) {
    out->inv_done = out->inv_done && l->cycle < WARM;
}

static void lie_done(liar *l, lw_outputs *out) {
    out->inv_done = out->inv_done || l->cycle % WARM == 1;
}

static void lie_stale(liar *l, lw_outputs *out) {
    out->inv_ready = l->inv_done == 0;
    out->inv_done = l->inv_done != 0 && l->inv_done == l->cycle;
}

static void lie_freed(liar *l, lw_outputs *out) {
    if (out->mem_req_valid && l->requests > LINES) {
        out->mem_req_line = l->line[l->requests % LINES];
    }
}

static void lie_tag(liar *l, lw_outputs *out) {
    out->mem_req_tag = l->requests % OFTEN == OFTEN / 2 ? NO_TAG : out->mem_req_tag;
}

static void lie_payload(liar *l, lw_outputs *out) {
    out->rsp_pfn ^= out->rsp_valid && l->out.rsp_valid && l->cycle % 2;
}

static void lie_line(liar *l, lw_outputs *out) {
    out->mem_req_line ^= l->cycle % 2;
}

static void lie_record(liar *l, lw_outputs *out) {
    (void)l;
    out->ctl_rdata++;
}

static const lie lies[] = {
    {"pfn", lie_pfn, false},           {"perm", lie_perm, false},
    {"size", lie_size, false},         {"links", lie_links, false},
    {"kind", lie_kind, false},         {"level", lie_level, false},
    {"fields", lie_fields, false},     {"id", lie_id, false},
    {"error", lie_error, false},       {"rootless", lie_rootless, false},
    {"rooted", lie_rooted, false},     {"canonical", lie_canonical, false},
    {"oldfault", lie_oldfault, false}, {"twice", lie_twice, false},
    {"lost", lie_lost, false},         {"held", lie_held, false},
    {"ready", lie_ready, false},       {"undone", lie_undone, false},
    {"done", lie_done, false},         {"stale", lie_stale, true},
    {"freed", lie_freed, false},       {"tag", lie_tag, false},
    {"payload", lie_payload, false},   {"line", lie_line, false},
    {"record", lie_record, false},     {"shut", lie_shut, false},
};
enum { LIES = sizeof lies / sizeof lies[0] };

static void outputs(void *own, lw_outputs *out) {
    liar *l = own;
    l->inner.outputs(l->inner.own, out);
    l->holds = l->swallows = false;
    l->lie->tell(l, out);
    l->out = *out;
}

/* What the lies are made of: what was asked, and what has been answered. */
static void remember(liar *l, const lw_inputs *in) {
    const lw_outputs *out = &l->out;
    if (in->req_valid && out->req_ready) {
        l->page[in->req_id % IDS] = in->req_page ^ (uint64_t)in->req_pasid << 52;
        l->access[in->req_id % IDS] = in->req_access;
    }
    if (out->mem_req_valid && in->mem_req_ready) {
        l->line[l->requests++ % LINES] = out->mem_req_line;
    }
    if (!out->rsp_valid || !in->rsp_ready) {
        return;
    }
    const uint32_t id = out->rsp_id % IDS;
    if (out->rsp_kind != LW_OK) {
        l->fault[l->responses % IDS].page = l->page[id];
        l->fault[l->responses % IDS].access = l->access[id];
        l->fault[l->responses % IDS].kind = out->rsp_kind;
        l->fault[l->responses % IDS].level = out->rsp_level;
    }
    l->twice = !l->twice && l->responses % OFTEN == OFTEN / 2;
    l->again = *out;
    l->responses++;
}

static void step(void *own, const lw_inputs *in) {
    liar *l = own;
    lw_inputs told = *in;
    remember(l, in);
    told.rsp_ready = (in->rsp_ready && !l->holds) || l->swallows;
    told.req_valid = in->req_valid && l->out.req_ready;
    l->responses += l->swallows;
    if (l->lie->invalidations) {
        if (l->inv_done == l->cycle) {
            l->inv_done = 0;
        }
        if (in->inv_valid && l->out.inv_ready) {
            l->inv_done = l->cycle + EARLY;
        }
        told.inv_valid = false;
    }
    l->inner.step(l->inner.own, &told);
    l->cycle++;
}

static void done(void *own) {
    liar *l = own;
    l->inner.free(l->inner.own);
    free(l);
}

static uint64_t peek(void *own, lw_field field, uint32_t index) {
    liar *l = own;
    return l->inner.peek(l->inner.own, field, index);
}

bool lw_unit_liar(lw_unit inner, const char *name, lw_unit *unit, lw_error *err) {
    for (size_t i = 0; i < LIES; i++) {
        if (strcmp(lies[i].name, name) != 0) {
            continue;
        }
        liar *l = calloc(1, sizeof *l);
        if (l == NULL) {
            return lw_fail(err, "there is no memory for a liar");
        }
        l->inner = inner;
        l->lie = &lies[i];
        *unit = (lw_unit){l, outputs, step, done, inner.peek == NULL ? NULL : peek, NULL};
        return true;
    }
    return lw_unit_table_liar(inner, name, unit, err);
}
