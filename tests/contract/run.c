#include "tests/contract/run.h"

#include "tests/contract/contents.h"
#include "tests/contract/draw_params.h"
#include "tests/contract/failure.h"
#include "tests/contract/invalidations.h"
#include "tests/contract/line_memory.h"
#include "tests/contract/liveness.h"
#include "tests/contract/mood.h"
#include "tests/contract/reach.h"
#include "tests/contract/records.h"
#include "tests/contract/requester.h"
#include "tests/contract/software.h"
#include "tests/contract/tables.h"
#include "tests/contract/verdict.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What is valid stays, with its payload, until the transfer (R0.3). */
static void check_held(lw_world *w) {
    const lw_outputs *a = &w->last, *b = &w->out;
    if (a->rsp_valid && !w->last_in.rsp_ready &&
        (!b->rsp_valid || a->rsp_id != b->rsp_id || a->rsp_kind != b->rsp_kind ||
         a->rsp_level != b->rsp_level || a->rsp_pfn != b->rsp_pfn || a->rsp_size != b->rsp_size ||
         a->rsp_perm != b->rsp_perm)) {
        lw_bark(w, LW_CHECK_PORT, NULL,
                "the response with id %u was not taken in the cycle before, and has changed",
                a->rsp_id);
    }
    if (a->mem_req_valid && !w->last_in.mem_req_ready &&
        (!b->mem_req_valid || a->mem_req_tag != b->mem_req_tag ||
         a->mem_req_line != b->mem_req_line)) {
        lw_bark(w, LW_CHECK_PORT, NULL,
                "memory did not take the request for line 0x%" PRIx64
                " in the cycle before, and it has changed",
                a->mem_req_line);
    }
}

static void check_sides(lw_world *w, const lw_unit *unit) {
    const char *text = unit->difference == NULL ? NULL : unit->difference(unit->own);
    if (text != NULL) {
        lw_bark(w, LW_CHECK_LOCKSTEP, NULL, "%s", text);
    }
}

static void cycle(lw_world *w, lw_unit *unit) {
    unit->outputs(unit->own, &w->out);
    check_held(w);
    lw_mood_cycle(w);
    lw_software_drive(w);
    lw_inv_drive(w);
    lw_requester_drive(w);
    lw_memory_drive(w);
    lw_requester_observe(w);
    lw_inv_observe(w);
    lw_memory_observe(w);
    lw_liveness_cycle(w);
    lw_contents_cycle(w);
    unit->step(unit->own, &w->in);
    check_sides(w, unit);
    w->last = w->out;
    w->last_in = w->in;
    w->cycle++;
}

static bool busy(const lw_world *w) {
    return w->waiting != 0 || w->asks || w->inv_asks || w->inv_busy || w->wanted_count != 0 ||
           w->flights != 0 || w->ctl_count != 0;
}

/* Nothing new comes, memory and sink are fair: everything must end. */
static void tail(lw_world *w, lw_unit *unit) {
    enum { BOUND = 200000, QUIET = 40 };
    lw_mood_tail(w);
    w->wanted_count = 0;
    lw_memory_hurry(w);
    const uint64_t begun = w->cycle;
    while (!w->failed && busy(w) && w->cycle - begun < BOUND) {
        cycle(w, unit);
    }
    if (busy(w)) {
        lw_bark(w, LW_CHECK_STARVED, NULL,
                "%u requests are not answered although nothing new comes, and memory and sink are "
                "fair since cycle %" PRIu64,
                w->waiting, begun);
    }
    for (int i = 0; i < QUIET && !w->failed; i++) {
        cycle(w, unit);
    }
    if (!w->failed) {
        lw_records_check(w, unit);
    }
}

static bool choose_params(lw_world *w, const lw_beside *beside, lw_error *err) {
    if (beside == NULL) {
        return lw_params_draw(&w->rng, w->options, &w->hw, err);
    }
    w->hw = beside->system.hw;
    return lw_params_fit(&w->hw, err);
}

static bool make_unit(const lw_world *w, const lw_beside *beside, lw_unit *unit, lw_error *err) {
    const char *lie = w->options->lie;
    const bool flips = beside != NULL && lie != NULL && strcmp(lie, "flip") == 0;
    return (beside == NULL ? lw_unit_twin(&w->hw, unit, err)
                           : lw_unit_pair(beside, flips, unit, err)) &&
           (lie == NULL || flips || lw_unit_liar(*unit, lie, unit, err));
}

static bool begin(lw_world *w, const lw_beside *beside, lw_unit *unit, lw_error *err) {
    lw_rng_seed(&w->rng, w->seed);
    if (!choose_params(w, beside, err)) {
        return false;
    }
    w->vpn_w = 9 * w->hw.levels;
    w->pfn_w = w->hw.pa_width - 12;
    w->early = lw_chance(w, 50);
    if (!lw_tables_build(w)) {
        return lw_fail(err, "there is no memory for a run");
    }
    if (!make_unit(w, beside, unit, err)) {
        return false;
    }
    if (!lw_contents_begin(w, unit)) {
        return lw_fail(err, "there is no memory for a run");
    }
    lw_mood_begin(w);
    lw_software_begin(w);
    return true;
}

static void add(const lw_world *w, lw_tally *tally) {
    for (int i = 0; i < LW_T_COUNT; i++) {
        tally->n[i] += w->tally.n[i];
    }
    tally->n[LW_T_RUNS]++;
    tally->n[LW_T_CYCLES] += w->cycle;
    tally->n[LW_T_REQUESTS] += w->transfers;
    tally->n[LW_T_HEAD_READS] += w->head_transfers;
    tally->n[LW_T_REQUEST_STALLS] += w->stalls;
}

lw_run_end lw_contract_run(const lw_options *o, const lw_beside *beside, uint64_t seed,
                           lw_tally *tally, lw_error *err) {
    lw_world *w = calloc(1, sizeof *w);
    lw_unit unit = {.own = NULL};
    lw_run_end end = LW_RUN_IMPOSSIBLE;
    if (w == NULL) {
        (void)lw_fail(err, "there is no memory for a run");
        return end;
    }
    w->options = o;
    w->seed = seed;
    if (begin(w, beside, &unit, err)) {
        while (!w->failed && w->cycle < o->cycles) {
            cycle(w, &unit);
        }
        tail(w, &unit);
        add(w, tally);
        end = w->failed ? LW_RUN_BARKED : LW_RUN_GOOD;
    }
    if (unit.own != NULL) {
        unit.free(unit.own);
    }
    lw_contents_free(w->contents);
    lw_words_free(w->words);
    free(w);
    return end;
}
