/* The walkers (chapter 7) that have started and are not STALE: where each has come to, since the
 * latest mark that meets its PASID (R11.2), or what it is about to answer. */
#include "tests/contract/contents_parts.h"
#include "tests/contract/failure.h"

#include <inttypes.h>
#include <stdio.h>

enum { RESP = 7, RADIX = 0, VICTIM = 1 };

typedef struct walker {
    uint32_t index, state, pasid, level, perm, size, contig;
    uint64_t vpn, node;
} walker;

/* R1.11 */
static lw_reach_kind reach_of(const walker *e) {
    return (e->contig >> 8 & 1) != 0                   ? LW_FRAME
           : (e->contig >> (e->vpn >> 6 & 7) & 1) != 0 ? LW_SUBREGION
                                                       : LW_LINE;
}

/* R7.4: NODE is the page's PFN, with a reach that of the head. */
static lw_fact answer_of(const walker *e, uint64_t from) {
    const lw_reach_kind reach = reach_of(e);
    return (lw_fact){.pasid = e->pasid,
                     .vpn = e->vpn,
                     .from = from,
                     .level = e->size + 1,
                     .leaf = true,
                     .page = reach == LW_LINE,
                     .frame = e->node,
                     .perm = e->perm,
                     .reaches = 1u << reach};
}

static lw_fact way_of(const walker *e, uint64_t from) {
    return (lw_fact){.pasid = e->pasid,
                     .vpn = e->vpn,
                     .from = from,
                     .level = e->level + 1,
                     .frame = e->node,
                     .perm = e->perm,
                     .contig = e->contig};
}

static void judge(lw_contents *c, const walker *e) {
    const uint64_t from = lw_since_mark(c, e->pasid);
    const uint64_t payload = (uint64_t)(e->state == RESP) << 63 | (uint64_t)e->level << 60 |
                             (uint64_t)e->size << 58 | (uint64_t)e->perm << 56 |
                             (uint64_t)e->contig << 42 | e->node;
    if (!lw_unseen(&c->walkers[e->index], (uint64_t)e->pasid << 48 | e->vpn, payload, from)) {
        return;
    }
    c->w->tally.n[e->state == RESP ? LW_T_WALKER_ANSWER : LW_T_WALKER_NODE]++;
    const lw_fact fact = e->state == RESP ? answer_of(e, from) : way_of(e, from);
    if (!lw_fact_holds(c->w, &fact)) {
        char text[LW_TEXT];
        (void)snprintf(text, LW_TEXT,
                       "STATE=%u PASID=%u VPN=0x%" PRIx64 " LEVEL=%u NODE=0x%" PRIx64
                       " PERM=%u SIZE=%u CONTIG=0x%x",
                       e->state, e->pasid, e->vpn, e->level, e->node, e->perm, e->size, e->contig);
        lw_contents_bark_fact(c, "PWST", e->index, text, &fact);
    }
}

void lw_contents_walkers(lw_contents *c) {
    for (uint32_t i = 0; i < c->w->hw.walkers && !c->w->failed; i++) {
        const uint32_t state = lw_peek32(c, LW_F_PWST_STATE, i);
        if (state == 0 || lw_peek(c, LW_F_PWST_STARTED, i) == 0 ||
            lw_peek(c, LW_F_PWST_STALE, i) != 0) {
            continue;
        }
        const walker e = {.index = i,
                          .state = state,
                          .pasid = lw_peek32(c, LW_F_PWST_PASID, i),
                          .level = lw_peek32(c, LW_F_PWST_LEVEL, i),
                          .perm = lw_peek32(c, LW_F_PWST_PERM, i),
                          .size = lw_peek32(c, LW_F_PWST_SIZE, i),
                          .contig = lw_peek32(c, LW_F_PWST_CONTIG, i),
                          .vpn = lw_peek(c, LW_F_PWST_VPN, i),
                          .node = lw_peek(c, LW_F_PWST_NODE, i)};
        const uint32_t where = lw_peek32(c, LW_F_PWST_WHERE, i);
        if (state != RESP && where != RADIX && where != VICTIM) { /* it is in no radix table */
            continue;
        }
        if (state == RESP ? lw_peek(c, LW_F_PWST_KIND, i) == LW_OK : e.level < c->w->hw.levels) {
            judge(c, &e);
        }
    }
}
