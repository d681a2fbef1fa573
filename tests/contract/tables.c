#include "tests/contract/tables.h"

#include "tests/contract/hashed.h"
#include "tests/contract/reach.h"
#include "tests/contract/verdict.h"

#include <stdlib.h>

static uint64_t frame_bits(uint64_t frame) {
    return frame << LW_PTE_FRAME;
}

uint32_t lw_tables_index(const lw_world *w, uint64_t vpn, uint32_t level) {
    const uint32_t index = (uint32_t)lw_low(vpn >> (9 * (level - 1)), 9);
    return level == 1 && w->hw.head_first != 0 ? lw_head_first_index(index) : index;
}

/* A table for a node of `level` to lead to. */
static int draw_table(lw_world *w, uint32_t level) {
    const bool anywhere = lw_chance(w, w->tangle);
    for (;;) {
        const uint32_t f = lw_draw(w, w->frames);
        if (anywhere || w->home[f] == level - 1) {
            return (int)f;
        }
    }
}

static uint64_t draw_contiguity(lw_world *w) {
    static const uint32_t shapes[] = {0xff, 0xff, 0x0f, 0x3e, 0x03, 0xaa};
    if (w->hw.subregions == 0 || lw_chance(w, 30)) {
        return 0;
    }
    const uint32_t bits = lw_chance(w, 60) ? shapes[lw_draw(w, 6)] : lw_draw(w, 256);
    return (uint64_t)bits << LW_PTE_C | (lw_chance(w, 12) ? LW_PTE_AC : 0);
}

/* R1.3; 10:9 are the size of a sized PTE (R1.17), 60:52 may be contiguity bits (R1.10), and the
 * lowest of the frame's is none of a large page's (R1.6, R1.7). */
static uint64_t bits_nobody_reads(const lw_world *w, bool large) {
    const uint64_t low = 0xf78, high = UINT64_C(3) << 61, contiguity = UINT64_C(0x1ff) << LW_PTE_C;
    return low | high | (w->hw.subregions == 0 ? contiguity : 0) |
           (large ? UINT64_C(1) << LW_PTE_FRAME : 0);
}

static uint64_t flags_of(lw_world *w, uint32_t level, bool large) {
    const uint32_t strict = level == 1 ? 25 : 8;
    uint64_t flags = LW_PTE_P | (lw_chance(w, level == 1 ? 4 : 1) ? 0 : LW_PTE_US);
    flags |= lw_chance(w, strict) ? 0 : LW_PTE_RW;
    flags |= lw_chance(w, strict) ? LW_PTE_NX : 0;
    if (lw_chance(w, 20)) {
        flags |= lw_rng_next(&w->rng) & bits_nobody_reads(w, large);
    }
    return flags;
}

static uint64_t draw_flags(lw_world *w, uint32_t level) {
    return flags_of(w, level, false);
}

static uint64_t draw_frame(lw_world *w) {
    return lw_chance(w, 5) ? lw_low(UINT64_MAX, w->pfn_w) : lw_low(lw_rng_next(&w->rng), w->pfn_w);
}

static uint64_t draw_large(lw_world *w, uint32_t level) {
    uint64_t frame = draw_frame(w);
    if (!lw_chance(w, 20)) {
        frame = frame >> (9 * (level - 1)) << (9 * (level - 1));
    }
    return frame_bits(frame) | LW_PTE_PS | flags_of(w, level, true);
}

/* These flags, now and then with one that is other: what has the right frame may still not join. */
static uint64_t draw_same(lw_world *w, uint64_t flags) {
    static const uint64_t others[] = {LW_PTE_RW, LW_PTE_RW, LW_PTE_NX, LW_PTE_US, LW_PTE_P};
    return lw_chance(w, 15) ? flags ^ others[lw_draw(w, 5)] : flags;
}

static uint64_t draw_leaf(lw_world *w, uint64_t near) {
    if ((near & LW_PTE_P) != 0 && lw_chance(w, 65)) {
        const uint64_t frame = lw_low((lw_low(near, 52) >> LW_PTE_FRAME) + 1, w->pfn_w);
        const uint64_t kept = LW_PTE_P | LW_PTE_RW | LW_PTE_US | LW_PTE_NX;
        return frame_bits(frame) | draw_same(w, near & kept);
    }
    return frame_bits(draw_frame(w)) | draw_flags(w, 1) | (lw_chance(w, 10) ? LW_PTE_PS : 0);
}

uint64_t lw_tables_draw(lw_world *w, uint32_t level, uint64_t near) {
    const uint32_t kind = lw_draw(w, 1000), scale = level == 1 ? 3 : 1;
    if (kind < 35 * scale) {
        return lw_chance(w, 50) ? 0 : lw_rng_next(&w->rng) & ~LW_PTE_P;
    }
    if (kind < 45 * scale) { /* reserved bits, a large page above all large pages */
        const uint64_t pte = frame_bits(draw_frame(w)) | draw_flags(w, level);
        return w->hw.pa_width < 52 && (level < 4 || lw_chance(w, 50))
                   ? pte | UINT64_C(1) << (w->hw.pa_width + lw_draw(w, 52 - w->hw.pa_width))
                   : pte | LW_PTE_PS;
    }
    if (level == 1) {
        return draw_leaf(w, near);
    }
    if (kind >= 880 && level <= 3) {
        return draw_large(w, level);
    }
    const int table = draw_table(w, level);
    if (!lw_reach_may_link(w, table)) {
        w->tally.n[LW_T_LINK_SPARED]++;
        return 0;
    }
    return frame_bits(lw_words_pfn(w->words, table)) | draw_flags(w, level) |
           (level == 2 || lw_chance(w, 5) ? draw_contiguity(w) : 0);
}

void lw_tables_write(lw_world *w, int frame, uint32_t index, uint64_t value) {
    const int word = lw_word(frame, index);
    const uint64_t old = lw_words_value(w->words, word);
    value = lw_hashed_kept(w, frame, old, value);
    if (old == value || !lw_words_write(w->words, word, value, w->cycle)) {
        return;
    }
    const bool bits = ((old ^ value) >> LW_PTE_C & 0x1ff) != 0;
    const bool upper = (w->ever[frame] & ~3u) != 0;
    const int named = lw_words_frame(w->words, lw_low(old, w->hw.pa_width) >> LW_PTE_FRAME);
    if (named != LW_NOWHERE && (old >> LW_PTE_C & 0x1ff) != 0) {
        w->bits_gone[named] = w->cycle + 1;
    }
    if (w->cycle != 0) {
        lw_reach_linked(w, frame, value);
    }
    if (upper) {
        w->dirty[frame] = w->cycle + 1;
        lw_reach_update(w, w->cycle);
    }
    w->tally.n[LW_T_LEAF_CHANGED] += w->cycle != 0 && (w->levels[frame] & 2) != 0;
    w->tally.n[LW_T_UPPER_CHANGED] += w->cycle != 0 && upper;
    w->tally.n[LW_T_BITS_CHANGED] += w->cycle != 0 && upper && bits && w->hw.subregions != 0;
}

static void add_fill(lw_world *w, uint32_t index) {
    for (uint32_t i = 0; i < w->fills; i++) {
        if (w->fill[i] == index) {
            return;
        }
    }
    if (w->fills < LW_FILL) {
        w->fill[w->fills++] = index;
    }
}

/* The indices that are used: few, so that lines, tables and sets are met again and again. */
static void draw_indices(lw_world *w) {
    w->ups = 2 + lw_draw(w, LW_UPS - 1);
    const uint32_t line = lw_draw(w, 64) * 8;
    for (uint32_t i = 0; i < w->ups; i++) {
        w->up[i] = lw_chance(w, 65) ? line + lw_draw(w, 8) : lw_draw(w, 512);
    }
    w->lows = 3 + lw_draw(w, LW_LOWS - 2);
    for (uint32_t i = 0; i < w->lows; i++) {
        const bool beside = i != 0 && lw_chance(w, 50);
        w->low[i] = beside ? w->low[i - 1] ^ 4 : lw_draw(w, 8) * 64 + lw_draw(w, 3) * 4;
    }
    for (uint32_t i = 0; i < w->lows; i++) {
        for (uint32_t place = 0; place < 4; place++) {
            add_fill(w, w->low[i] + place);
            if (w->hw.head_first != 0) {
                add_fill(w, lw_head_first_index(w->low[i] + place));
            }
        }
    }
    for (uint32_t i = 0; i < w->ups; i++) {
        add_fill(w, w->up[i]);
    }
    for (uint32_t i = 0; w->hw.subregions != 0 && i < 8; i++) {
        add_fill(w, w->hw.head_first != 0 ? lw_head_first_index(64 * i) : 64 * i);
    }
}

static void draw_frames(lw_world *w) {
    w->frames = 14 + lw_draw(w, LW_FRAMES - 13);
    if (lw_has_hashed_tables(w) && w->frames > LW_RADIX_FRAMES) {
        w->frames = LW_RADIX_FRAMES;
    }
    /* chapter 6, "What software owes": by address a table with contiguity bits has one level */
    const bool owed = w->hw.pwc_org == 1 && w->hw.subregions != 0;
    const bool tangles = lw_options_acts(w->options, LW_ACT_TANGLE) && !owed;
    w->tangle = lw_chance(w, 50) || !tangles ? 0 : lw_draw(w, 20);
    for (uint32_t f = 0; f < w->frames; f++) {
        w->home[f] = f < w->hw.levels   ? f + 1
                     : lw_chance(w, 45) ? 1
                     : lw_chance(w, 50) ? 2
                                        : 3 + lw_draw(w, w->hw.levels - 2);
    }
}

static void fill_frame(lw_world *w, int frame) {
    const uint32_t level = w->home[frame];
    const bool heads = level == 1 && lw_chance(w, 60);
    const uint64_t base = draw_frame(w), flags = draw_flags(w, 1);
    for (uint32_t i = 0; i < w->fills; i++) {
        const uint32_t index = w->fill[i];
        const uint32_t own =
            level == 1 && w->hw.head_first != 0 ? lw_head_first_index(index) : index;
        const uint64_t near =
            index % 4 == 0 ? 0 : lw_words_value(w->words, lw_word(frame, index - 1));
        const uint64_t pte = heads && own % 64 == 0 && !lw_chance(w, 8)
                                 ? frame_bits(lw_low(base + own, w->pfn_w)) | draw_same(w, flags)
                                 : lw_tables_draw(w, level, near);
        lw_tables_write(w, frame, index, level == 1 ? lw_hashed_sized(w, index, pte) : pte);
    }
}

static uint64_t draw_vpn(lw_world *w) {
    uint64_t vpn = 0;
    for (uint32_t level = w->hw.levels; level >= 2; level--) {
        vpn = vpn << 9 | w->up[lw_draw(w, w->ups)];
    }
    return vpn << 9 | w->low[lw_draw(w, w->lows)];
}

static int by_place(const void *a, const void *b) {
    const lw_group *x = a, *y = b;
    if (x->pasid != y->pasid) {
        return x->pasid < y->pasid ? -1 : 1;
    }
    return x->vpn < y->vpn ? -1 : x->vpn > y->vpn;
}

/* In half of the runs in the order of their pages, so that a focus on some is one on a frame. */
static void draw_groups(lw_world *w) {
    w->groups = 8 + lw_draw(w, LW_GROUPS - 7);
    for (uint32_t i = 0; i < w->groups; i++) {
        lw_group *g = &w->group[i];
        *g = (lw_group){.pasid = lw_draw(w, w->hw.pasids), .vpn = draw_vpn(w)};
        if (i > 0 && lw_chance(w, 60)) { /* below a table of another's */
            const uint32_t kept = lw_chance(w, w->hw.subregions != 0 ? 80 : 40)
                                      ? 9
                                      : 9 * (1 + lw_draw(w, w->hw.levels - 1));
            const lw_group *other = &w->group[lw_draw(w, i)];
            g->vpn = other->vpn >> kept << kept | lw_low(g->vpn, kept);
            g->pasid = lw_chance(w, 80) ? other->pasid : g->pasid;
        }
    }
    if (lw_chance(w, 50)) {
        qsort(w->group, w->groups, sizeof w->group[0], by_place);
    }
}

bool lw_tables_build(lw_world *w) {
    w->words = lw_words_new();
    if (w->words == NULL) {
        return false;
    }
    lw_words_place(w->words, lw_rng_next(&w->rng), w->pfn_w);
    lw_hashed_put(w);
    draw_indices(w);
    draw_frames(w);
    for (uint32_t f = 0; f < w->frames; f++) {
        fill_frame(w, (int)f);
    }
    for (uint32_t f = 0; f < LW_FRAMES; f++) { /* what was built is no change */
        w->dirty[f] = w->bits_gone[f] = 0;
    }
    draw_groups(w);
    lw_hashed_build(w);
    return true;
}
