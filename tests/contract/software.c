#include "tests/contract/software.h"

#include "tests/contract/control_writes.h"
#include "tests/contract/hashed.h"
#include "tests/contract/invalidations.h"
#include "tests/contract/reach.h"
#include "tests/contract/tables.h"
#include "tests/contract/verdict.h"

#define CONTIGUITY ((UINT64_C(0xff) << LW_PTE_C) | LW_PTE_AC)

/* A word on the way to a page. */
typedef struct step {
    int frame;
    uint32_t index, level;
    uint32_t page; /* VPN[8:0], which a size at level 1 asks about (R20.5) */
} step;

void lw_software_begin(lw_world *w) {
    w->colt_on = 0;
    lw_control_features(w);
    lw_control_hashed(w);
    for (uint32_t p = 0; p < w->hw.pasids; p++) {
        if (p == 0 || lw_chance(w, 92)) {
            lw_control_set_root(w, p, true, lw_chance(w, 70) ? (int)w->hw.levels - 1 : -1, 0);
        }
    }
    for (uint32_t i = 0; i < w->ctl_count; i++) { /* those that were to be drawn */
        lw_ctl_write *c = &w->ctl[i];
        while (c->addr - LW_CTL_ROOT < w->hw.pasids &&
               lw_words_frame(w->words, lw_low(c->data, w->pfn_w)) == LW_NOWHERE) {
            const uint32_t f = lw_draw(w, w->frames);
            if (w->home[f] == w->hw.levels) {
                c->data = (UINT64_C(1) << 63) | lw_words_pfn(w->words, (int)f);
            }
        }
    }
    w->next_change = 50;
}

/* The words of the present way to the page, from the root; their number. */
static uint32_t way(const lw_world *w, const lw_group *g, uint64_t vpn, step steps[5]) {
    const uint64_t root = lw_words_value(w->words, lw_word_root(g->pasid));
    lw_walk_at at[LW_STARTS]; /* all of them are in one frame */
    (void)lw_hashed_starts(w, g->pasid, vpn, root, at);
    int frame = lw_words_frame(w->words, at[0].frame);
    uint32_t count = 0;
    for (uint32_t level = at[0].level; level >= 1 && frame != LW_NOWHERE; level--) {
        const uint32_t index =
            at[0].slot_line != 0 ? lw_walk_in_line(&at[0], vpn) : lw_tables_index(w, vpn, level);
        steps[count++] = (step){frame, index, level, (uint32_t)lw_low(vpn, 9)};
        const uint64_t pte = lw_words_value(w->words, lw_word(frame, index));
        const lw_verdict v = lw_judge_pte(pte, level, 0, w->hw.pa_width);
        if (v.kind != LW_OK || v.leaf) {
            break;
        }
        frame = lw_words_frame(w->words, v.frame);
    }
    return count;
}

static uint64_t redrawn(lw_world *w, const step *s) {
    const uint64_t near =
        s->index % 4 == 0 ? 0 : lw_words_value(w->words, lw_word(s->frame, s->index - 1));
    const uint64_t drawn = lw_tables_draw(w, s->level, s->level == 1 ? near : 0);
    return s->level == 1 ? lw_hashed_sized(w, s->page, drawn) : drawn;
}

/* Other contiguity bits for the table, or another table for the bits. */
static uint64_t other_reach(lw_world *w, const step *s, uint64_t old) {
    const uint64_t drawn = redrawn(w, s);
    if ((drawn & LW_PTE_P) != 0 && (drawn & LW_PTE_PS) == 0 && lw_chance(w, 60)) {
        return (drawn & ~CONTIGUITY) | (old & CONTIGUITY);
    }
    return (old & ~CONTIGUITY) | (lw_chance(w, 50) ? 0 : drawn & CONTIGUITY);
}

static uint64_t mutated(lw_world *w, const step *s, uint64_t old) {
    if ((old & LW_PTE_P) == 0) {
        const int table = lw_words_frame(w->words, lw_low(old, w->hw.pa_width) >> LW_PTE_FRAME);
        const bool back = lw_chance(w, 40) && old != 0 && lw_reach_may_link(w, table);
        return back ? old | LW_PTE_P : redrawn(w, s);
    }
    switch (lw_draw(w, 8)) {
    case 0:
    case 1:
        return old & ~LW_PTE_P;
    case 2:
        return old ^ LW_PTE_RW;
    case 3:
        return old ^ (lw_chance(w, 30) ? LW_PTE_US : LW_PTE_NX);
    case 4:
    case 5:
        return s->level == 2 && w->hw.subregions != 0 ? other_reach(w, s, old) : redrawn(w, s);
    default:
        return redrawn(w, s);
    }
}

static const lw_group *draw_group(lw_world *w) {
    return lw_chance(w, 75)
               ? &w->group[(w->mood.focus + lw_draw(w, w->mood.focus_width)) % w->groups]
               : &w->group[lw_draw(w, w->groups)];
}

/* Changes a word on the way to a page, now and then the head of its subregion. */
static void change(lw_world *w) {
    const lw_group *g = draw_group(w);
    const bool head = w->hw.subregions != 0 && lw_chance(w, 20);
    const uint64_t page = g->vpn + lw_draw(w, 4);
    step steps[5];
    const uint32_t count = way(w, g, head ? page & ~UINT64_C(63) : page, steps);
    if (count == 0) {
        return;
    }
    const step *s = &steps[lw_chance(w, 55) ? count - 1 : lw_draw(w, count)];
    if (w->hw.subregions != 0 && count >= w->hw.levels - 1 && lw_chance(w, 20)) {
        s = &steps[w->hw.levels - 2]; /* where the contiguity bits are */
    }
    if (!lw_reach_may_change(w, s->frame, s->index)) {
        return;
    }
    const uint64_t old = lw_words_value(w->words, lw_word(s->frame, s->index));
    lw_tables_write(w, s->frame, s->index, mutated(w, s, old));
    w->group[g - w->group].changed = w->cycle;
    if (lw_chance(w, w->mood.owes)) {
        lw_inv_want_for(w, g);
    }
}

/* Another table for the same contiguity bits, and nobody is told. */
static void swap_table(lw_world *w) {
    step steps[5];
    const lw_group *g = draw_group(w);
    const uint32_t count = way(w, g, g->vpn, steps);
    if (w->hw.subregions == 0 || count < w->hw.levels - 1) {
        change(w);
        return;
    }
    const step *s = &steps[w->hw.levels - 2];
    const uint64_t old = lw_words_value(w->words, lw_word(s->frame, s->index));
    const uint64_t drawn = redrawn(w, s);
    if ((old & LW_PTE_P) != 0 && (drawn & LW_PTE_P) != 0 && ((old | drawn) & LW_PTE_PS) == 0 &&
        lw_reach_may_change(w, s->frame, s->index)) {
        lw_tables_write(w, s->frame, s->index, (drawn & ~CONTIGUITY) | (old & CONTIGUITY));
        w->group[g - w->group].changed = w->cycle;
    }
}

/* Takes every link to a table away, and has everything forgotten. */
static void free_table(lw_world *w) {
    step steps[5];
    const lw_group *g = draw_group(w);
    const uint32_t count = way(w, g, g->vpn, steps);
    const int table = count > 1 && lw_chance(w, 70)
                          ? steps[lw_chance(w, 60) ? count - 1 : 1 + lw_draw(w, count - 1)].frame
                          : (int)lw_draw(w, w->frames);
    const bool reached = w->levels[table] != 0;
    for (uint32_t p = 0; p < w->hw.pasids; p++) {
        const uint64_t root = lw_words_value(w->words, lw_word_root(p));
        if (root >> 63 != 0 && lw_words_frame(w->words, lw_low(root, w->pfn_w)) == table) {
            return;
        }
    }
    for (uint32_t f = 0; f < w->frames; f++) {
        for (uint32_t i = 0; i < w->fills; i++) {
            const uint32_t index = w->fill[i];
            const uint64_t pte = lw_words_value(w->words, lw_word((int)f, index));
            if ((pte & LW_PTE_P) != 0 &&
                lw_words_frame(w->words, lw_low(pte, w->hw.pa_width) >> LW_PTE_FRAME) == table &&
                lw_reach_may_change(w, (int)f, index)) {
                lw_tables_write(w, (int)f, index, lw_chance(w, 50) ? 0 : pte & ~LW_PTE_P);
            }
        }
    }
    w->tally.n[LW_T_TABLE_FREED] += reached && w->levels[table] == 0;
    lw_inv_want(w, (lw_invalidation){LW_INV_ALL, 0, 0, 0});
}

static void act(lw_world *w) {
    static const struct {
        lw_act act;
        uint32_t percent;
        void (*does)(lw_world *w);
    } rows[] = {
        {LW_ACT_CHANGES, 75, change},       {LW_ACT_CHANGES, 6, swap_table},
        {LW_ACT_ROOTS, 8, lw_control_root}, {LW_ACT_FEATURES, 3, lw_control_features},
        {LW_ACT_FREE, 8, free_table},
    };
    if (lw_chance(w, w->mood.frees) && lw_options_acts(w->options, LW_ACT_FREE)) {
        free_table(w);
        return;
    }
    uint32_t i = 0;
    for (uint32_t drawn = lw_draw(w, 100); drawn >= rows[i].percent; i++) {
        drawn -= rows[i].percent;
    }
    if (lw_options_acts(w->options, rows[i].act)) {
        rows[i].does(w);
    }
}

void lw_software_drive(lw_world *w) {
    enum { MOST_AT_ONCE = 700, DRY = 300 };
    if (w->cycle >= w->next_change && !w->tail) {
        const uint32_t gap = w->mood.change_gap;
        if (gap != 0 && lw_words_room(w->words, MOST_AT_ONCE)) {
            act(w);
        }
        w->next_change = w->cycle + 1 + (gap != 0 ? lw_draw(w, 2 * gap) : DRY);
    }
    lw_control_drive(w);
}
