/* The page walk cache (chapter 6). A mark clears what it meets, so nothing in it is older than the
 * latest one: of its PASID (by level), of any (by address). */
#include "tests/contract/contents_parts.h"
#include "tests/contract/failure.h"
#include "tests/contract/hashed.h"

#include <inttypes.h>
#include <stdio.h>

enum { INDEX = 9 };

typedef struct entry {
    uint32_t index, level, pasid, perm, contig; /* by level */
    uint64_t tag, node;
    uint64_t word; /* by address: A without its three low bits */
} entry;

static void text_of(const lw_contents *c, const entry *e, char text[LW_TEXT]) {
    if (c->w->hw.pwc_org == 0) {
        (void)snprintf(text, LW_TEXT,
                       "PASID=%u TAG=0x%" PRIx64 " NODE=0x%" PRIx64
                       " PERM=%u CONTIG=0x%x: table of level %u",
                       e->pasid, e->tag, e->node, e->perm, e->contig, e->level);
    } else {
        (void)snprintf(text, LW_TEXT,
                       "TAG=0x%" PRIx64 " NODE=0x%" PRIx64
                       " PERM=%u CONTIG=0x%x: address 0x%" PRIx64,
                       e->tag, e->node, e->perm, e->contig, e->word << 3);
    }
}

static void bark_twice(lw_contents *c, const entry *a, const entry *b) {
    char one[LW_TEXT], other[LW_TEXT];
    text_of(c, a, one);
    text_of(c, b, other);
    lw_bark(c->w, LW_CHECK_CONTENTS, NULL, "PWC[%u] holds {%s} and PWC[%u] {%s}: one key twice",
            a->index, one, b->index, other);
}

static bool read_entry(const lw_contents *c, uint32_t index, entry *e) {
    if (lw_peek(c, LW_F_PWC_VALID, index) == 0) {
        return false;
    }
    *e = (entry){.index = index,
                 .pasid = lw_peek32(c, LW_F_PWC_PASID, index),
                 .perm = lw_peek32(c, LW_F_PWC_PERM, index),
                 .contig = lw_peek32(c, LW_F_PWC_CONTIG, index),
                 .tag = lw_peek(c, LW_F_PWC_TAG, index),
                 .node = lw_peek(c, LW_F_PWC_NODE, index)};
    return true;
}

/* Whether it must be judged. */
static bool is_new(lw_contents *c, const entry *e, uint64_t from) {
    return lw_unseen(&c->pwc[e->index], (uint64_t)e->pasid << 48 | e->tag,
                     (uint64_t)e->contig << 52 | (uint64_t)e->perm << 50 | e->node, from);
}

/* ---------------------------------------------------------------- by level */

static void judge_by_level(lw_contents *c, const entry *e) {
    const uint64_t from = lw_since_mark(c, e->pasid);
    if (!is_new(c, e, from)) {
        return;
    }
    c->w->tally.n[LW_T_PWC_LEVEL]++;
    const lw_fact fact = {.pasid = e->pasid,
                          .vpn = e->tag << (INDEX * (e->level - 1)),
                          .from = from,
                          .level = e->level,
                          .frame = e->node,
                          .perm = e->perm,
                          .contig = e->contig};
    if (!lw_fact_holds(c->w, &fact)) {
        char text[LW_TEXT];
        text_of(c, e, text);
        lw_contents_bark_fact(c, "PWC", e->index, text, &fact);
    }
}

static void table(lw_contents *c, uint32_t level) {
    enum { ENTRIES = 64 };
    entry held[ENTRIES];
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->w->hw.pwc_entries && !c->w->failed; i++) {
        entry *e = &held[count];
        if (!read_entry(c, (level - 2) * c->w->hw.pwc_entries + i, e)) {
            continue;
        }
        e->level = level;
        judge_by_level(c, e);
        for (uint32_t j = 0; j < count; j++) {
            if (held[j].pasid == e->pasid && held[j].tag == e->tag) {
                bark_twice(c, &held[j], e);
            }
        }
        count++;
    }
}

void lw_contents_pwc_by_level(lw_contents *c) {
    for (uint32_t level = 2; level <= c->w->hw.levels && !c->w->failed; level++) {
        table(c, level);
    }
}

/* ---------------------------------------------------------------- by address */

/* R1.10. Where there are contiguity bits, software uses a table at one level (chapter 6). */
static bool contig_fits(const lw_contents *c, const entry *e, int frame, const lw_verdict *v) {
    return e->contig == lw_fact_contig(c->w, c->w->home[frame], v);
}

static bool explained(const lw_contents *c, const entry *e, uint64_t from) {
    const lw_world *w = c->w;
    const int frame = lw_words_frame(w->words, e->word >> INDEX);
    if (frame == LW_NOWHERE) {
        return false;
    }
    const int word = lw_word(frame, (uint32_t)lw_low(e->word, INDEX));
    lw_version v;
    bool more = lw_words_newest(w->words, word, from, w->cycle, &v);
    for (; more; more = lw_words_older(w->words, from, &v)) {
        const lw_verdict said = lw_judge_pte(v.value, 2, 0, w->hw.pa_width);
        if (said.kind == LW_OK && !said.leaf && said.frame == e->node && said.perm == e->perm &&
            contig_fits(c, e, frame, &said)) {
            return true;
        }
    }
    return false;
}

static void judge_by_address(lw_contents *c, const entry *e) {
    lw_world *w = c->w;
    const uint64_t from = lw_since_any_mark(c);
    if (!is_new(c, e, from)) {
        return;
    }
    w->tally.n[LW_T_PWC_ADDRESS]++;
    if (!explained(c, e, from)) {
        const bool was = w->failed;
        char text[LW_TEXT];
        text_of(c, e, text);
        lw_bark(w, LW_CHECK_CONTENTS, NULL,
                "PWC[%u] holds {%s}, which no value explains that the PTE at that address has had "
                "since cycle %" PRIu64 "%s",
                e->index, text, from, lw_since_text(from));
        if (!was && w->failed) {
            lw_fact_print_word(w, e->word >> INDEX, (uint32_t)lw_low(e->word, INDEX), from);
        }
    }
}

void lw_contents_pwc_by_address(lw_contents *c) {
    enum { WAYS = 16 };
    const lw_params *hw = &c->w->hw;
    const uint32_t sets = hw->pwc_entries / hw->pwc_ways;
    for (uint32_t set = 0; set < sets && !c->w->failed; set++) {
        entry held[WAYS];
        uint32_t count = 0;
        for (uint32_t way = 0; way < hw->pwc_ways; way++) {
            entry *e = &held[count];
            if (!read_entry(c, set * hw->pwc_ways + way, e)) {
                continue;
            }
            e->word = e->tag << __builtin_ctz(sets) | set;
            judge_by_address(c, e);
            for (uint32_t j = 0; j < count; j++) {
                if (held[j].tag == e->tag) {
                    bark_twice(c, &held[j], e);
                }
            }
            count++;
        }
    }
}

/* ---------------------------------------------------------------- of steps */

/* R21.14: the step tables stay as they are. */
void lw_contents_steps(lw_contents *c) {
    const lw_world *w = c->w;
    for (uint32_t i = 0; i < w->hw.pwc_entries && !w->failed; i++) {
        if (lw_peek(c, LW_F_STEP_CACHE_VALID, i) == 0) {
            continue;
        }
        const uint32_t pasid = lw_peek32(c, LW_F_STEP_CACHE_PASID, i);
        const uint64_t tag = lw_peek(c, LW_F_STEP_CACHE_TAG, i);
        const uint64_t group = tag << __builtin_ctz(w->hw.pwc_entries) | i;
        const uint64_t steps = lw_peek(c, LW_F_STEP_CACHE_STEPS, i);
        const uint32_t ac = lw_peek32(c, LW_F_STEP_CACHE_AC, i);
        const uint64_t low = lw_peek(c, LW_F_STEP_CACHE_LOW_C, i);
        const uint64_t high = lw_peek(c, LW_F_STEP_CACHE_HIGH_C, i);
        lw_hashed_group want;
        c->w->tally.n[LW_T_STEPS]++;
        if (!lw_hashed_find(w, pasid, group << lw_group_at(w), &want) || steps != want.steps ||
            ac != want.ac || low != want.c[0] || high != want.c[1]) {
            lw_bark(c->w, LW_CHECK_CONTENTS, NULL,
                    "STEP_CACHE[%u] holds {PASID=%u TAG=0x%" PRIx64 " STEPS=0x%" PRIx64
                    " AC=0x%x LOW_C=0x%" PRIx64 " HIGH_C=0x%" PRIx64
                    "}, and the step table 0x%" PRIx64 " 0x%x 0x%" PRIx64 " 0x%" PRIx64,
                    i, pasid, tag, steps, ac, low, high, want.steps, want.ac, want.c[0], want.c[1]);
        }
    }
}
