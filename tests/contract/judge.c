#include "tests/contract/judge.h"

#include "tests/contract/failure.h"
#include "tests/contract/verdict.h"
#include "tests/contract/walk.h"

#include <inttypes.h>
#include <stdio.h>

static void answer_text(const lw_outputs *out, char *text, size_t size) {
    if (out->rsp_kind == LW_OK) {
        (void)snprintf(text, size, "OK, PFN 0x%" PRIx64 ", SIZE %u, PERM %u, LINKS %u",
                       out->rsp_pfn, out->rsp_size, out->rsp_perm, out->rsp_level);
    } else {
        const bool more = out->rsp_pfn != 0 || out->rsp_size != 0 || out->rsp_perm != 0;
        (void)snprintf(text, size, "%s, level %u%s", lw_kind_text(out->rsp_kind), out->rsp_level,
                       more ? ", with PFN, SIZE or PERM not zero" : "");
    }
}

static bool canonical(const lw_world *w, uint64_t page) {
    const uint64_t top = page >> (w->vpn_w - 1);
    return top == 0 || top == lw_low(UINT64_MAX, 53 - w->vpn_w);
}

/* Whether the PASID was (`valid`) with, or without, a root in some cycle of from..to. */
static bool root_was(const lw_world *w, uint32_t pasid, bool valid, uint64_t from, uint64_t to) {
    lw_version v;
    bool more = lw_words_newest(w->words, lw_word_root(pasid), from, to, &v);
    for (; more; more = lw_words_older(w->words, from, &v)) {
        if ((v.value >> 63 != 0) == valid) {
            return true;
        }
    }
    return false;
}

/* A fault has nothing but its kind and level. */
static bool bare(const lw_outputs *out, uint32_t level) {
    return out->rsp_level == level && out->rsp_pfn == 0 && out->rsp_size == 0 && out->rsp_perm == 0;
}

static void judge_rootless(lw_world *w, const lw_request *q, const char *text) {
    const bool known = q->pasid < w->hw.pasids;
    if (w->out.rsp_kind == LW_UNKNOWN_PASID &&
        ((known && !root_was(w, q->pasid, false, q->accepted, w->cycle)) || !bare(&w->out, 0))) {
        lw_bark(w, LW_CHECK_ROOTLESS, q,
                "is answered %s, but its PASID had a root in every cycle since it was accepted",
                text);
    } else if (w->out.rsp_kind != LW_UNKNOWN_PASID) {
        lw_bark(w, LW_CHECK_ROOTLESS, q,
                "is answered %s, but its PASID had no root in any cycle since it was accepted",
                text);
    }
}

static void explain(lw_world *w, lw_question *a, lw_check check, const char *text,
                    const char *why) {
    const bool was = w->failed;
    lw_bark(w, check, a->q, "is answered %s, %s", text, why);
    if (!was && w->failed) {
        lw_walk_print(a);
    }
}

static void count(lw_world *w, const lw_question *a) {
    const lw_outputs *out = &w->out;
    w->tally.n[LW_T_SAW_OLD] += a->newest_end <= a->q->accepted;
    w->tally.n[LW_T_SAW_GONE] += a->newest_end <= w->cycle;
    if (out->rsp_kind != LW_OK) {
        w->tally.n[LW_T_FAULT_AGED] += a->group->changed > a->q->accepted;
        return;
    }
    w->tally.n[LW_T_LARGE] += out->rsp_size != 0;
    w->tally.n[LW_T_SIZED] += out->rsp_size != 0 && w->hashed[a->q->pasid].there;
    w->tally.n[LW_T_HASHED_REACH] += a->reach != LW_LINE && w->hashed[a->q->pasid].there;
    w->tally.n[LW_T_REACH_FRAME] += a->reach == LW_FRAME;
    w->tally.n[LW_T_REACH_SUBREGION] += a->reach == LW_SUBREGION;
    w->tally.n[LW_T_LINKS] += out->rsp_level != 0 && a->reach == LW_LINE;
    w->tally.n[LW_T_REACH_LINKS] += out->rsp_level != 0 && a->reach != LW_LINE;
}

/* Where the window begins. An invalidation that meets any page of a large page has met it (R3.22;
 * not of a run). */
static uint64_t window_of(const lw_world *w, const lw_group *g, uint32_t place) {
    uint64_t from = g->since[place];
    const uint32_t size = w->out.rsp_kind == LW_OK ? w->out.rsp_size : 0;
    if (size != 0 && size <= LW_LARGE_SIZES && w->hw.colt != LW_COLT_FULL) {
        from = g->large_since[size - 1] > from ? g->large_since[size - 1] : from;
    }
    return from;
}

/* Explained by the window? By one in which faults may be older, or links untrue? */
static void judge_walk(lw_world *w, const lw_request *q, const char *text) {
    const lw_group *g = &w->group[q->group];
    const uint64_t from = window_of(w, g, q->place);
    lw_question a = {.w = w,
                     .q = q,
                     .group = g,
                     .vpn = g->vpn + q->place,
                     .from = from,
                     .faults_from = q->accepted > from ? q->accepted : from,
                     .to = w->cycle,
                     .links_count = true};
    const bool error = w->out.rsp_kind == LW_MEMORY_ERROR;
    w->error_answers += error;
    if (lw_walk_explains(&a) && (w->out.rsp_kind == LW_OK || bare(&w->out, w->out.rsp_level))) {
        count(w, &a);
        if (error && w->error_answers > w->errors) {
            lw_bark(w, LW_CHECK_ERROR, q,
                    "is answered %s, the %" PRIu64 "th such answer after only %" PRIu64
                    " lines with the error bit",
                    text, w->error_answers, w->errors);
        }
        return;
    }
    lw_question old = a;
    old.faults_from = from;
    old.links_count = false;
    if (error) {
        explain(w, &a, LW_CHECK_ERROR, text,
                "but no line of that level came with the error bit while it waited");
    } else if (!lw_walk_explains(&old) ||
               (w->out.rsp_kind != LW_OK && !bare(&w->out, w->out.rsp_level))) {
        explain(w, &a, LW_CHECK_ANSWER, text, "which nothing in its window explains");
    } else if (w->out.rsp_kind == LW_OK) {
        explain(w, &a, LW_CHECK_LINKS, text, "of which the links are not true");
    } else {
        explain(w, &a, LW_CHECK_OLDFAULT, text,
                "a fault that was mended before the request was accepted");
    }
}

void lw_judge_answer(lw_world *w, const lw_request *q) {
    char text[128];
    const lw_outputs *out = &w->out;
    answer_text(out, text, sizeof text);
    const bool right = canonical(w, q->page);
    if (!right || out->rsp_kind == LW_NONCANONICAL) {
        if (right || out->rsp_kind != LW_NONCANONICAL || !bare(out, 0)) {
            lw_bark(w, LW_CHECK_ANSWER, q, "is answered %s, but its page is %scanonical", text,
                    right ? "" : "not ");
        }
        return;
    }
    const bool may = q->pasid < w->hw.pasids && root_was(w, q->pasid, true, q->accepted, w->cycle);
    if (!may || out->rsp_kind == LW_UNKNOWN_PASID) {
        if (out->rsp_kind != LW_UNKNOWN_PASID || q->pasid < w->hw.pasids || !bare(out, 0)) {
            judge_rootless(w, q, text);
        }
        return;
    }
    judge_walk(w, q, text);
}
