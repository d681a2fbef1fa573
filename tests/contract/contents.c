#include "tests/contract/contents.h"

#include "tests/contract/contents_parts.h"
#include "tests/contract/failure.h"
#include "tests/contract/invalidations.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---------------------------------------------------------------- windows */

/* The one under way has marked: its transfer was two cycles ago or earlier. */
static bool has_marked(const lw_world *w) {
    return w->inv_busy && w->cycle >= w->inv_transfer + 2;
}

uint64_t lw_since_mark(const lw_contents *c, uint32_t pasid) {
    const lw_world *w = c->w;
    const bool met = has_marked(w) && lw_inv_meets(w, &w->under_way, pasid);
    return met ? w->inv_transfer : w->met_by_any[pasid];
}

uint64_t lw_since_any_mark(const lw_contents *c) {
    const lw_world *w = c->w;
    const bool meets = w->under_way.type == LW_INV_ALL || w->under_way.pasid < w->hw.pasids;
    return has_marked(w) && meets ? w->inv_transfer : w->any;
}

uint64_t lw_since_pages(const lw_contents *c, lw_seen *seen, bool same, uint32_t pasid,
                        uint64_t first, uint64_t last) {
    const uint64_t kept = c->completed > LW_DONE_KEPT ? c->completed - LW_DONE_KEPT : 0;
    const uint64_t known = same && seen->completed > kept ? seen->completed : kept;
    seen->completed = c->completed;
    for (uint64_t n = c->completed; n > known; n--) {
        const lw_completed *d = &c->done[(n - 1) % LW_DONE_KEPT];
        if (lw_inv_meets_pages(&d->inv, pasid, first, last)) {
            return d->transfer;
        }
    }
    return same ? seen->from : kept != 0 ? c->w->met[pasid] : 0;
}

static void note_completion(lw_contents *c) {
    const lw_world *w = c->w;
    c->done[c->completed++ % LW_DONE_KEPT] = (lw_completed){w->under_way, w->inv_transfer};
}

const char *lw_since_text(uint64_t from) {
    return from == 0 ? "" : ", when its latest invalidation was transferred";
}

/* ---------------------------------------------------------------- a look */

void lw_contents_bark_fact(lw_contents *c, const char *name, uint32_t index, const char *text,
                           const lw_fact *fact) {
    lw_world *w = c->w;
    const bool was = w->failed;
    lw_bark(
        w, LW_CHECK_CONTENTS, NULL,
        "%s[%u] holds {%s}, which no values explain that the words on the way to page 0x%" PRIx64
        " have had since cycle %" PRIu64 "%s",
        name, index, text, fact->vpn, fact->from, lw_since_text(fact->from));
    if (!was && w->failed) {
        lw_fact_print(w, fact);
    }
}

static void look(lw_contents *c) {
    c->w->tally.n[LW_T_LOOKS]++;
    lw_contents_tlb(c);
    static void (*const caches[])(lw_contents * c) = {
        lw_contents_pwc_by_level, lw_contents_pwc_by_address, lw_contents_steps};
    caches[c->w->hw.pwc_org](c);
    lw_contents_msc(c);
    lw_contents_buffer(c);
    lw_contents_walkers(c);
    lw_contents_holders(c);
    lw_contents_ranks(c);
}

void lw_contents_cycle(lw_world *w) {
    lw_contents *c = w->contents;
    if (c == NULL || w->failed) {
        return;
    }
    const bool done = c->completed != w->invalidations;
    if (done) {
        note_completion(c);
    }
    if (done || w->cycle >= c->next) {
        c->next = w->cycle + w->options->contents;
        look(c);
    }
}

bool lw_contents_begin(lw_world *w, const lw_unit *unit) {
    if (unit->peek == NULL || w->options->contents == 0) {
        return true;
    }
    lw_contents *c = calloc(1, sizeof *c);
    const uint32_t tlb = w->hw.tlb_entries, pwc = lw_structure_entries(&w->hw, LW_S_PWC),
                   msc = lw_structure_entries(&w->hw, LW_S_MSC), buffer = w->hw.buffer_entries;
    lw_seen *seen = calloc((size_t)tlb + pwc + msc + buffer + w->hw.walkers, sizeof *seen);
    if (c == NULL || seen == NULL) {
        free(c);
        free(seen);
        return false;
    }
    c->w = w;
    c->unit = *unit;
    c->tlb = seen;
    c->pwc = c->tlb + tlb;
    c->msc = c->pwc + pwc;
    c->buffer = c->msc + msc;
    c->walkers = c->buffer + buffer;
    w->contents = c;
    return true;
}

void lw_contents_free(lw_contents *c) {
    if (c != NULL) {
        free(c->tlb); /* and with it the others' */
        free(c);
    }
}
