/* The memory subregion cache (chapter 16): MAP is what the heads in NODE say, in a window that
 * begins with the latest completed invalidation of a page of the frame (R16.12). */
#include "tests/contract/contents_parts.h"
#include "tests/contract/failure.h"
#include "tests/contract/hashed.h"

#include <inttypes.h>
#include <stdio.h>

enum { FRAME = 9, SUBREGION = 6, HEADS = 8 };

typedef struct entry {
    uint32_t index, pasid, map;
    uint64_t tag, node;
    uint64_t first; /* page of the frame */
} entry;

static void text_of(const entry *e, char text[LW_TEXT]) {
    (void)snprintf(text, LW_TEXT,
                   "PASID=%u TAG=0x%" PRIx64 " NODE=0x%" PRIx64
                   " MAP=0x%02x: the frame from page 0x%" PRIx64,
                   e->pasid, e->tag, e->node, e->map, e->first);
}

/* The subregions that MAP joins with a neighbour. */
static uint32_t joined(const entry *e) {
    return e->map | e->map << 1;
}

/* Whether the heads from this place on join as far as MAP says. */
static bool join(const lw_contents *c, const entry *e, uint64_t from, uint32_t at,
                 const lw_verdict *before) {
    const lw_world *w = c->w;
    const uint64_t next = before == NULL ? 0 : lw_low(before->frame + (1u << SUBREGION), w->pfn_w);
    lw_version v;
    bool more = lw_words_newest(
        w->words, lw_word(lw_words_frame(w->words, e->node), at << SUBREGION), from, w->cycle, &v);
    for (; more; more = lw_words_older(w->words, from, &v)) {
        const lw_verdict said = w->hashed[e->pasid].there
                                    ? lw_judge_sized(v.value, e->first, true, 0, w->hw.pa_width)
                                    : lw_judge_pte(v.value, 1, 0, w->hw.pa_width);
        const bool fits = said.kind == LW_OK &&
                          (before == NULL || (said.frame == next && said.perm == before->perm));
        if (fits && ((e->map >> at & 1) == 0 || join(c, e, from, at + 1, &said))) {
            return true;
        }
    }
    return false;
}

static bool heads_explain(const lw_contents *c, const entry *e, uint64_t from) {
    for (uint32_t at = 0; at + 1 < HEADS; at++) {
        const bool begins = (e->map >> at & 1) != 0 && (at == 0 || (e->map >> (at - 1) & 1) == 0);
        if (begins && !join(c, e, from, at, NULL)) {
            return false;
        }
    }
    return true;
}

static void bark_heads(lw_contents *c, const entry *e, uint64_t from) {
    lw_world *w = c->w;
    const bool was = w->failed;
    char text[LW_TEXT];
    text_of(e, text);
    lw_bark(w, LW_CHECK_CONTENTS, NULL,
            "MSC[%u] holds {%s}, which no values explain that the heads in NODE have had since "
            "cycle %" PRIu64 "%s",
            e->index, text, from, lw_since_text(from));
    for (uint32_t at = 0; at < HEADS && !was && w->failed; at++) {
        if ((joined(e) >> at & 1) != 0) {
            lw_fact_print_word(w, e->node, at << SUBREGION, from);
        }
    }
}

/* In a hashed table the way is the region's slot, of whose bits the step table says (R20.27). */
static bool leads_to_heads(const lw_world *w, const entry *e, const lw_fact *way) {
    return w->hashed[e->pasid].there ? lw_hashed_joins(w, e->pasid, e->first, e->node, way->contig)
                                     : lw_fact_holds(w, way);
}

static void judge(lw_contents *c, const entry *e) {
    lw_seen *seen = &c->msc[e->index];
    const uint64_t key = (uint64_t)e->pasid << 48 | e->tag;
    const uint64_t payload = (uint64_t)e->map << 48 | e->node;
    const bool same = seen->judged && seen->key == key && seen->payload == payload;
    const uint64_t from =
        lw_since_pages(c, seen, same, e->pasid, e->first, e->first | lw_low(UINT64_MAX, FRAME));
    if (!lw_unseen(seen, key, payload, from)) {
        return;
    }
    c->w->tally.n[LW_T_MSC_ENTRY]++;
    c->w->tally.n[LW_T_MSC_MAP] += e->map != 0;
    c->w->tally.n[LW_T_MSC_HASHED] += e->map != 0 && c->w->hashed[e->pasid].there;
    const lw_fact way = {.pasid = e->pasid,
                         .vpn = e->first,
                         .from = from,
                         .level = 2,
                         .loose = true,
                         .frame = e->node,
                         .contig = joined(e)};
    if (!leads_to_heads(c->w, e, &way)) {
        char text[LW_TEXT];
        text_of(e, text);
        lw_contents_bark_fact(c, "MSC", e->index, text, &way);
    } else if (!heads_explain(c, e, from)) {
        bark_heads(c, e, from);
    }
}

void lw_contents_msc(lw_contents *c) {
    enum { WAYS = 16 };
    const lw_params *hw = &c->w->hw;
    if (hw->subregions == 0 || hw->head_first != 0) {
        return;
    }
    const uint32_t sets = hw->msc_entries / hw->msc_ways;
    entry held[WAYS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < hw->msc_entries && !c->w->failed; i++) {
        const uint32_t set = i / hw->msc_ways;
        count = i % hw->msc_ways == 0 ? 0 : count;
        if (lw_peek(c, LW_F_MSC_VALID, i) == 0) {
            continue;
        }
        entry *e = &held[count];
        *e = (entry){.index = i,
                     .pasid = lw_peek32(c, LW_F_MSC_PASID, i),
                     .map = lw_peek32(c, LW_F_MSC_MAP, i),
                     .tag = lw_peek(c, LW_F_MSC_TAG, i),
                     .node = lw_peek(c, LW_F_MSC_NODE, i)};
        e->first = (e->tag << __builtin_ctz(sets) | set) << FRAME;
        judge(c, e);
        for (uint32_t j = 0; j < count; j++) { /* R16.9 */
            if (held[j].pasid == e->pasid && held[j].tag == e->tag) {
                lw_bark(c->w, LW_CHECK_CONTENTS, NULL,
                        "MSC[%u] and MSC[%u] hold the frame from page 0x%" PRIx64 " of PASID %u: "
                        "one key twice",
                        held[j].index, i, e->first, e->pasid);
            }
        }
        count++;
    }
}
