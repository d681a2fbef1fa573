/* What would have been legal: the words on all walks of a window, with their versions. */
#include "tests/contract/walk.h"

#include "tests/contract/hashed.h"

#include <inttypes.h>
#include <stdio.h>

enum { LINES = 48 };

void lw_walk_print_life(const lw_version *v) {
    if (v->end == UINT64_MAX) {
        (void)printf("[%" PRIu64 "..)", v->start);
    } else {
        (void)printf("[%" PRIu64 "..%" PRIu64 "]", v->start, v->end - 1);
    }
}

static void print_pte(const lw_question *a, const lw_walk_at *at, const lw_version *v,
                      const lw_verdict *said) {
    (void)printf("%*slevel %u, frame 0x%" PRIx64 " index %u: 0x%016" PRIx64 " ",
                 (int)(4 + 2 * (a->w->hw.levels - at->level)), "", at->level, at->frame,
                 lw_walk_index(a, at), v->value);
    lw_walk_print_life(v);
    if (said->kind != LW_OK) {
        (void)printf(" %s%s\n", lw_kind_text(said->kind),
                     v->end > a->faults_from ? "" : ", gone before the request was accepted");
    } else if (!said->leaf) {
        (void)printf(" node 0x%" PRIx64 "\n", said->frame);
    } else {
        (void)printf(" leaf 0x%" PRIx64 "%s\n", said->frame,
                     at->reach == LW_FRAME       ? ", head of the frame"
                     : at->reach == LW_SUBREGION ? ", head of the subregion"
                                                 : "");
    }
}

static void print_below(const lw_question *a, const lw_walk_at *at, int *left) {
    const int frame = lw_words_frame(a->w->words, at->frame);
    const int word = lw_word(frame, lw_walk_index(a, at));
    lw_version v;
    bool more = lw_words_newest(a->w->words, word, a->from, a->to, &v);
    for (; more; more = lw_words_older(a->w->words, a->from, &v)) {
        const lw_verdict said = lw_walk_judge(a, at, v.value, a->q->access);
        if (--*left < 0) {
            (void)printf("%s", *left == -1 ? "    and more\n" : "");
            return;
        }
        print_pte(a, at, &v, &said);
        if (said.kind == LW_OK && !said.leaf) {
            const lw_walk_at next = lw_walk_below(a, at, &said);
            print_below(a, &next, left);
        }
    }
}

void lw_walk_print(const lw_question *a) {
    int left = LINES;
    lw_version v;
    (void)printf("  legal is what these values explain, of the cycles %" PRIu64 "..%" PRIu64
                 " (faults: from %" PRIu64 " on):\n",
                 a->from, a->to, a->faults_from);
    bool more = lw_words_newest(a->w->words, lw_word_root(a->q->pasid), a->from, a->to, &v);
    for (; more; more = lw_words_older(a->w->words, a->from, &v)) {
        (void)printf("    root of PASID %u ", a->q->pasid);
        lw_walk_print_life(&v);
        if (v.value >> 63 == 0) {
            (void)printf(" none\n");
            continue;
        }
        (void)printf(" 0x%" PRIx64 "\n", lw_low(v.value, a->w->pfn_w));
        lw_walk_at at[LW_STARTS];
        const uint32_t starts = lw_hashed_starts(a->w, a->q->pasid, a->vpn, v.value, at);
        for (uint32_t i = 0; i < starts; i++) {
            print_below(a, &at[i], &left);
        }
    }
}
