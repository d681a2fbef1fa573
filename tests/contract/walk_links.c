/* Links (R1.14 to R1.16): which neighbours in a group go on one after the other. */
#include "tests/contract/walk.h"

typedef struct links {
    const lw_question *a;
    int frame;
    uint32_t first; /* index of the group's place 0 */
    uint32_t own;   /* the place whose value is known */
    uint64_t leaf;
} links;

static bool goes_on(const links *l, uint64_t before, uint64_t after) {
    const lw_world *w = l->a->w;
    const lw_verdict x = lw_judge_pte(before, 1, 0, w->hw.pa_width);
    const lw_verdict y = lw_judge_pte(after, 1, 0, w->hw.pa_width);
    return x.kind == LW_OK && y.kind == LW_OK && x.perm == y.perm &&
           lw_low(x.frame + 1, w->pfn_w) == y.frame;
}

static bool places_fit(const links *l, uint32_t place, uint64_t before) {
    if (place == 4) {
        return true;
    }
    const lw_question *a = l->a;
    const bool linked = place > 0 && (a->w->out.rsp_level >> (place - 1) & 1) != 0;
    if (place == l->own) {
        return (!linked || goes_on(l, before, l->leaf)) && places_fit(l, place + 1, l->leaf);
    }
    const uint64_t from = a->group->since[place];
    lw_version v;
    if (!lw_words_newest(a->w->words, lw_word(l->frame, l->first + place), from, a->to, &v)) {
        return false;
    }
    do {
        if ((!linked || goes_on(l, before, v.value)) && places_fit(l, place + 1, v.value)) {
            return true;
        }
    } while (lw_words_older(a->w->words, from, &v));
    return false;
}

bool lw_walk_links(const lw_question *a, const lw_walk_at *at, uint64_t leaf) {
    const lw_world *w = a->w;
    const uint32_t set = w->out.rsp_level;
    if (set == 0) {
        return true;
    }
    if (set > 7 || w->hw.colt == LW_COLT_NONE || at->level != 1 || w->colt_on < a->q->accepted) {
        return false;
    }
    if (at->reach != LW_LINE) { /* R1.14, R3.15: all of them go on */
        return set == 7;
    }
    const uint32_t index = lw_walk_index(a, at);
    const links l = {a, lw_words_frame(w->words, at->frame), index & ~3u, index & 3, leaf};
    return places_fit(&l, 0, 0);
}
