#include "tests/contract/fact.h"

#include "tests/contract/hashed.h"

#include <inttypes.h>
#include <stdio.h>

enum { AC_BIT = 0x100 };

static lw_question question_of(const lw_world *w, const lw_fact *f, const lw_request *q) {
    return (lw_question){
        .w = w, .q = q, .vpn = f->vpn, .from = f->from, .faults_from = f->from, .to = w->cycle};
}

uint32_t lw_fact_contig(const lw_world *w, uint32_t level, const lw_verdict *v) {
    if (level != 2 || !lw_reads_contiguity(w)) {
        return 0;
    }
    return (v->all_contiguous ? AC_BIT : 0u) | v->contiguous;
}

static bool fits(const lw_question *a, const lw_fact *f, const lw_walk_at *at,
                 const lw_verdict *v) {
    if (v->leaf != f->leaf || (f->leaf && v->size + 1 != f->level) ||
        (!f->loose && (at->perm & v->perm) != f->perm)) {
        return false;
    }
    if (f->leaf) {
        return (f->reaches >> at->reach & 1) != 0 &&
               (f->page ? lw_walk_pfn(a, at, v) : v->frame) == f->frame;
    }
    const bool hashed = a->w->hashed[f->pasid].there; /* of a victim buffer R1.10 says no */
    const uint32_t contig = hashed ? 0 : lw_fact_contig(a->w, at->level, v);
    return v->frame == f->frame &&
           (f->loose ? (contig & (AC_BIT | f->contig)) == f->contig : contig == f->contig);
}

/* The size of a page does not say at which level its PTE is where PTEs are sized (R20.5). */
static bool is_end(const lw_question *a, const lw_fact *f, const lw_walk_at *at,
                   const lw_verdict *v) {
    return f->leaf && lw_has_sizes(a->w, f->pasid) ? v->leaf : at->level == f->level;
}

/* Whether a walk that is here comes to what the fact says. */
static bool leads(const lw_question *a, const lw_fact *f, const lw_walk_at *at) {
    if (!f->loose && (at->perm & f->perm) != f->perm) {
        return false;
    }
    const lw_words *m = a->w->words;
    const int word = lw_word(lw_words_frame(m, at->frame), lw_walk_index(a, at));
    lw_version v;
    bool more = lw_words_newest(m, word, a->from, a->to, &v);
    for (; more; more = lw_words_older(m, a->from, &v)) {
        const lw_verdict said = lw_walk_judge(a, at, v.value, 0);
        if (said.kind != LW_OK) {
            continue;
        }
        bool good = false;
        if (is_end(a, f, at, &said)) {
            good = fits(a, f, at, &said);
        } else if (!said.leaf) {
            const lw_walk_at next = lw_walk_below(a, at, &said);
            good = leads(a, f, &next);
        }
        if (good) {
            return true;
        }
    }
    return false;
}

bool lw_fact_holds(const lw_world *w, const lw_fact *f) {
    const lw_request q = {.pasid = f->pasid};
    const lw_question a = question_of(w, f, &q);
    lw_version root;
    bool more = f->level >= 1 && f->level <= w->hw.levels &&
                lw_words_newest(w->words, lw_word_root(f->pasid), a.from, a.to, &root);
    for (; more; more = lw_words_older(w->words, a.from, &root)) {
        lw_walk_at at[LW_STARTS];
        uint32_t starts = lw_hashed_starts(w, f->pasid, f->vpn, root.value, at);
        while (root.value >> 63 != 0 && starts-- > 0) {
            if (leads(&a, f, &at[starts])) {
                return true;
            }
        }
    }
    return false;
}

void lw_fact_print(const lw_world *w, const lw_fact *f) {
    const lw_request q = {.pasid = f->pasid};
    const lw_question a = question_of(w, f, &q);
    lw_walk_print(&a);
}

void lw_fact_print_word(const lw_world *w, uint64_t pfn, uint32_t index, uint64_t from) {
    lw_version v;
    const int word = lw_word(lw_words_frame(w->words, pfn), index);
    bool more = lw_words_newest(w->words, word, from, w->cycle, &v);
    for (; more; more = lw_words_older(w->words, from, &v)) {
        (void)printf("    frame 0x%" PRIx64 " index %u: 0x%016" PRIx64 " ", pfn, index, v.value);
        lw_walk_print_life(&v);
        (void)printf("\n");
    }
}
