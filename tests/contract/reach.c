#include "tests/contract/reach.h"

#include "tests/contract/hashed.h"
#include "tests/contract/verdict.h"

#include <string.h>

static void visit(lw_world *w, uint32_t pasid, int frame, uint32_t level) {
    uint32_t *of = w->of[pasid];
    if (frame == LW_NOWHERE || (of[frame] >> level & 1) != 0) {
        return;
    }
    of[frame] |= 1u << level;
    for (uint32_t i = 0; level >= 2 && i < w->fills; i++) {
        const uint64_t pte = lw_words_value(w->words, lw_word(frame, w->fill[i]));
        if (pte == 0) {
            continue;
        }
        const lw_verdict v = lw_judge_pte(pte, level, 0, w->hw.pa_width);
        if (v.kind == LW_OK && !v.leaf) {
            visit(w, pasid, lw_words_frame(w->words, v.frame), level - 1);
        }
    }
}

/* The slots and the step table are every hashed table's. */
static void visit_hashed(lw_world *w, uint32_t pasid) {
    for (int f = LW_SLOT_FRAME; f < LW_FRAMES && w->hashed[pasid].there; f++) {
        w->of[pasid][f] = lw_has_slots(w, f) || f == LW_STEP_FRAME ? 1u << 1 : 0;
    }
}

void lw_reach_update(lw_world *w, uint64_t cycle) {
    const uint32_t frames = lw_has_hashed_tables(w) ? LW_FRAMES : w->frames;
    memset(w->levels, 0, sizeof w->levels);
    for (uint32_t p = 0; p < w->hw.pasids; p++) {
        uint32_t before[LW_FRAMES];
        memcpy(before, w->of[p], sizeof before);
        memset(w->of[p], 0, sizeof w->of[p]);
        const uint64_t root = lw_words_value(w->words, lw_word_root(p));
        if (root >> 63 != 0) {
            visit(w, p, lw_words_frame(w->words, lw_low(root, w->pfn_w)), w->hw.levels);
            visit_hashed(w, p);
        }
        for (uint32_t f = 0; f < frames; f++) {
            w->levels[f] |= w->of[p][f];
            w->gone[p][f] = before[f] != 0 && w->of[p][f] == 0 ? cycle : w->gone[p][f];
        }
    }
    for (uint32_t f = 0; f < frames; f++) {
        w->ever[f] |= w->levels[f];
    }
}

/* Whether walks of the PASID may be in the frame. */
static bool walked(const lw_world *w, uint32_t pasid, int frame) {
    return w->of[pasid][frame] != 0 || w->gone[pasid][frame] > w->met_by_any[pasid];
}

static void linked(lw_world *w, uint32_t pasid, int frame, uint64_t pte) {
    const int table = lw_words_frame(w->words, lw_low(pte, w->hw.pa_width) >> LW_PTE_FRAME);
    if (!walked(w, pasid, frame) || (pte & LW_PTE_P) == 0 || table == LW_NOWHERE ||
        w->gone[pasid][table] == w->cycle) {
        return;
    }
    w->gone[pasid][table] = w->cycle;
    w->ever[table] |= 4; /* whatever level it is read at */
    for (uint32_t i = 0; i < w->fills; i++) {
        linked(w, pasid, table, lw_words_value(w->words, lw_word(table, w->fill[i])));
    }
}

void lw_reach_linked(lw_world *w, int frame, uint64_t pte) {
    for (uint32_t p = 0; p < w->hw.pasids; p++) {
        linked(w, p, frame, pte);
    }
}

/* At whatever level: what lies in the frame or below it. */
static bool clean(const lw_world *w, int frame, uint64_t *seen) {
    if (frame == LW_NOWHERE || (*seen >> frame & 1) != 0) {
        return true;
    }
    *seen |= UINT64_C(1) << frame;
    if (w->dirty[frame] > w->any) {
        return false;
    }
    for (uint32_t i = 0; i < w->fills; i++) {
        const uint64_t pte = lw_words_value(w->words, lw_word(frame, w->fill[i]));
        if ((pte & LW_PTE_P) != 0 &&
            !clean(w, lw_words_frame(w->words, lw_low(pte, w->hw.pa_width) >> 12), seen)) {
            return false;
        }
    }
    return true;
}

bool lw_reach_may_link(const lw_world *w, int frame) {
    uint64_t seen = 0;
    return w->hw.pwc_org != 1 || clean(w, frame, &seen);
}

/* The subregion whose head lies at this physical index, or -1. */
static int head_of(const lw_world *w, uint32_t index) {
    const uint32_t logical = w->hw.head_first != 0 ? lw_head_first_index(index) : index;
    return logical % 64 == 0 ? (int)(logical / 64) : -1;
}

static bool names_head(const lw_world *w, uint64_t pte, int frame, int head) {
    const bool named = (head == 0 && (pte & LW_PTE_AC) != 0) || (pte >> (LW_PTE_C + head) & 1) != 0;
    return named && (pte & (LW_PTE_P | LW_PTE_PS)) == LW_PTE_P &&
           lw_words_frame(w->words, lw_low(pte, w->hw.pa_width) >> 12) == frame;
}

bool lw_reach_may_change(lw_world *w, int frame, uint32_t index) {
    const int head = w->hw.subregions != 0 ? head_of(w, index) : -1;
    if (head < 0) {
        return true;
    }
    bool may = !lw_hashed_names_head(w, frame, (uint32_t)head);
    for (uint32_t p = 0; p < w->hw.pasids; p++) {
        may = may && w->met[p] >= w->bits_gone[frame];
    }
    for (int f = 0; may && f < (int)w->frames; f++) {
        for (uint32_t i = 0; may && i < w->fills; i++) {
            const uint64_t pte = lw_words_value(w->words, lw_word(f, w->fill[i]));
            may = !names_head(w, pte, frame, head);
        }
    }
    w->tally.n[LW_T_HEAD_SPARED] += !may;
    w->tally.n[LW_T_HEAD_CHANGED] += may && w->bits_gone[frame] != 0;
    return may;
}

bool lw_reach_may_read(const lw_world *w, int frame) {
    bool may = frame == LW_NOWHERE;
    for (uint32_t p = 0; p < w->hw.pasids && !may; p++) {
        may = walked(w, p, frame);
    }
    return may;
}
