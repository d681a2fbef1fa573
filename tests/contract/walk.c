#include "tests/contract/walk.h"

#include "tests/contract/hashed.h"
#include "tests/contract/line_memory.h"

enum { LW_LEVEL_STEPS = 6 };

uint32_t lw_walk_index(const lw_question *a, const lw_walk_at *at) {
    if (at->slot_line != 0) {
        return lw_walk_in_line(at, a->vpn);
    }
    uint32_t index = (uint32_t)lw_low(a->vpn >> (9 * (at->level - 1)), 9);
    if (at->level != 1) {
        return index;
    }
    index = at->reach == LW_FRAME ? 0 : at->reach == LW_SUBREGION ? index & ~63u : index;
    return a->w->hw.head_first != 0 ? lw_head_first_index(index) : index;
}

lw_verdict lw_walk_judge(const lw_question *a, const lw_walk_at *at, uint64_t pte,
                         uint32_t access) {
    const lw_world *w = a->w;
    return at->level == 1 && lw_has_sizes(w, a->q->pasid)
               ? lw_judge_sized(pte, a->vpn, at->reach != LW_LINE, access, w->hw.pa_width)
               : lw_judge_pte(pte, at->level, access, w->hw.pa_width);
}

/* R1.7, R1.12 */
uint64_t lw_walk_pfn(const lw_question *a, const lw_walk_at *at, const lw_verdict *v) {
    if (at->reach != LW_LINE) {
        return lw_low(v->frame + lw_low(a->vpn, at->reach == LW_FRAME ? 9 : 6), a->w->pfn_w);
    }
    return v->frame >> v->place_bits << v->place_bits | lw_low(a->vpn, v->place_bits);
}

static bool leaf_fits(const lw_question *a, const lw_walk_at *at, uint64_t pte,
                      const lw_verdict *v) {
    const lw_outputs *out = &a->w->out;
    if (out->rsp_kind != LW_OK || out->rsp_size != v->size ||
        out->rsp_perm != (at->perm & v->perm) || out->rsp_pfn != lw_walk_pfn(a, at, v)) {
        return false;
    }
    return !a->links_count || lw_walk_links(a, at, pte);
}

lw_walk_at lw_walk_below(const lw_question *a, const lw_walk_at *at, const lw_verdict *v) {
    lw_walk_at next = {at->level - 1, at->perm & v->perm, v->frame, LW_LINE, 0};
    const bool hashed = a->w->hashed[a->q->pasid].there; /* of a victim buffer R1.10 says no */
    if (at->level == 2 && !hashed && lw_reads_contiguity(a->w)) {
        const bool own = (v->contiguous >> (a->vpn >> 6 & 7) & 1) != 0;
        next.reach = v->all_contiguous ? LW_FRAME : own ? LW_SUBREGION : LW_LINE;
    }
    return next;
}

static bool explains(lw_question *a, const lw_walk_at *at) {
    const lw_outputs *out = &a->w->out;
    const uint32_t index = lw_walk_index(a, at);
    const int frame = lw_words_frame(a->w->words, at->frame);
    const bool level_fits = out->rsp_level == at->level;
    if (out->rsp_kind == LW_MEMORY_ERROR && level_fits) {
        return lw_memory_failed(a->w, at->frame << 6 | index / 8, a->faults_from, a->to);
    }
    lw_version v;
    if (!lw_words_newest(a->w->words, lw_word(frame, index), a->from, a->to, &v)) {
        return false;
    }
    do {
        const lw_verdict said = lw_walk_judge(a, at, v.value, a->q->access);
        bool fits = false;
        if (said.kind != LW_OK) {
            fits = said.kind == out->rsp_kind && level_fits && v.end > a->faults_from;
        } else if (said.leaf) {
            fits = leaf_fits(a, at, v.value, &said);
        } else {
            const lw_walk_at next = lw_walk_below(a, at, &said);
            fits = explains(a, &next);
        }
        if (fits) {
            a->reach = at->level == 1 ? at->reach : a->reach;
            a->newest_end = v.end < a->newest_end ? v.end : a->newest_end;
            a->oldest_start = v.start > a->oldest_start ? v.start : a->oldest_start;
            return true;
        }
    } while (lw_words_older(a->w->words, a->from, &v));
    return false;
}

/* R20.14: an error in a line before the victim buffer; the home is read with HOME_FIRST, which may
 * have been switched since. */
static bool explains_early_error(const lw_question *a) {
    const lw_world *w = a->w;
    const uint32_t pasid = a->q->pasid, level = w->out.rsp_level;
    if (!w->hashed[pasid].there || w->out.rsp_kind != LW_MEMORY_ERROR) {
        return false;
    }
    const uint64_t line = level == LW_LEVEL_STEPS ? lw_hashed_bucket(w, pasid, a->vpn)
                                                  : lw_hashed_home(w, pasid, a->vpn);
    return (level == LW_LEVEL_STEPS || level == 1) &&
           lw_memory_failed(w, line, a->faults_from, a->to);
}

bool lw_walk_explains(lw_question *a) {
    lw_version root;
    a->reach = LW_LINE;
    a->newest_end = UINT64_MAX;
    a->oldest_start = 0;
    if (explains_early_error(a)) {
        return true;
    }
    if (!lw_words_newest(a->w->words, lw_word_root(a->q->pasid), a->from, a->to, &root)) {
        return false;
    }
    do {
        lw_walk_at at[LW_STARTS];
        uint32_t starts = lw_hashed_starts(a->w, a->q->pasid, a->vpn, root.value, at);
        while (root.value >> 63 != 0 && starts-- > 0) {
            if (explains(a, &at[starts])) {
                return true;
            }
        }
    } while (lw_words_older(a->w->words, a->from, &root));
    return false;
}
