#include "dpi/session_parts.h"

#include "dpi/idle_payloads.h"
#include "dpi/ports_equal.h"

#include <string.h>
#include <time.h>

static double seconds_now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---------------------------------------------------------------- the ports' net */

/* In the middle of each cycle of the RTL: its outputs are known, its inputs asked for. */
static void rtl_cycle(void *ctx, const lw_outputs *out, lw_inputs *in) {
    lw_session *s = ctx;
    lw_mismatch *m = &s->result->mismatch;
    s->rtl_out = *out;
    if (s->twin == NULL) {
        s->out = *out;
    } else if ((s->options->nets_off & LW_NET_PORTS) == 0) {
        *s->part = LW_PART_NETS;
        s->ports_compared = true;
        if (!m->ports && !lw_outputs_equal(out, &s->out)) {
            m->found = m->ports = true;
            m->rtl_out = *out;
            m->twin_out = s->out;
        }
    }
    *s->part = LW_PART_RTL;
    *in = s->in;
    lw_idle_payloads(&s->idle_payloads, in);
}

/* ---------------------------------------------------------------- a cycle */

static void inject(lw_session *s) {
    const lw_injection *r = &s->options->rtl_injection;
    const lw_injection *t = &s->options->twin_injection;
    if (r->on && r->cycle == s->now && s->net != NULL) {
        lw_state_net_flip(s->net, r->field, r->index, r->bit);
    }
    if (t->on && t->cycle == s->now && s->twin != NULL) {
        lw_iommu_flip(s->twin, t->field, t->index, t->bit);
        if (s->net != NULL) {
            lw_state_net_touch(s->net, t->field, t->index);
        }
    }
}

/* Whose request the first differing entry holds, as the twin has it. */
static uint32_t request_of(const lw_session *s, const lw_mismatch *m) {
    for (size_t i = 0; i < m->differences && i < LW_DIFFERENCES_MAX; i++) {
        lw_structure st = lw_field_structure(m->list[i].field);
        if (st == LW_S_BUFFER) {
            return (uint32_t)lw_iommu_peek(s->twin, LW_F_BUFFER_ID, m->list[i].index);
        }
        if (st == LW_S_PWST) {
            return (uint32_t)lw_iommu_peek(s->twin, LW_F_PWST_ID, m->list[i].index);
        }
    }
    return LW_NO_REQUEST;
}

static void compare_state(lw_session *s) {
    lw_mismatch *m = &s->result->mismatch;
    uint64_t every = s->options->full_compare_every;
    size_t n = lw_state_net_compare(s->net, m->list, LW_DIFFERENCES_MAX);
    bool all = m->found || n != 0 || (every != 0 && s->now % every == every - 1);
    if (all) {
        /* All differing registers, not only those written in this cycle. */
        n = lw_state_net_compare_all(s->net, m->list, LW_DIFFERENCES_MAX);
    }
    m->differences = n;
    m->found = m->found || n != 0;
    m->request_id = request_of(s, m);
    s->state_compared = true;
}

/* A reset value that the first use overwrites is seen only here. */
static void compare_after_reset(lw_session *s) {
    lw_mismatch *m = &s->result->mismatch;
    if (s->options->side == LW_SIDE_BOTH && lw_session_compares_state(s->options)) {
        m->differences = lw_state_net_compare_all(s->net, m->list, LW_DIFFERENCES_MAX);
        m->found = m->differences != 0;
        m->after_reset = m->found;
        m->cycle = s->now;
    }
}

static void draw_reset(lw_session *s) {
    enum { LONGEST = 4000 }; /* cycles between two resets */
    s->reset_at = s->result->resets < s->options->resets
                      ? s->now + 1 + lw_rng_below(&s->rng, LONGEST)
                      : UINT64_MAX;
}

/* R0.2 at any moment: what was in flight is forgotten by both sides, and by the environment, which
 * starts over. */
static bool reset(lw_session *s) {
    lw_environment_free(s->env);
    if (!lw_session_make_environment(s)) {
        return false;
    }
    if (s->rtl != NULL) {
        s->library.functions->reset(s->rtl);
    }
    if (s->twin != NULL) {
        lw_iommu_reset(s->twin);
    }
    s->in = (lw_inputs){0};
    s->started = s->now;
    if (s->twin != NULL && s->options->stages != NULL) {
        lw_stages_begin(s->options->stages, s->twin);
    }
    s->result->responses = 0;
    s->result->resets++;
    compare_after_reset(s);
    draw_reset(s);
    return true;
}

/* Whether each of the two nets that are on has compared this cycle. */
static bool is_compared(const lw_session *s) {
    const bool ports =
        s->options->side == LW_SIDE_BOTH && (s->options->nets_off & LW_NET_PORTS) == 0;
    const bool state = s->options->side == LW_SIDE_BOTH && lw_session_compares_state(s->options);
    return (ports || state) && (!ports || s->ports_compared) && (!state || s->state_compared);
}

/* For the stages, before the twin's step. */
static void follow_requests(lw_session *s) {
    lw_stages_cycle(s->options->stages, s->now);
    if (s->in.req_valid && s->out.req_ready) {
        lw_stages_request(s->options->stages, &s->in, lw_environment_kernel(s->env, s->in.req_src));
    }
}

static bool cycle(lw_session *s) {
    lw_mismatch *m = &s->result->mismatch;
    if (!lw_session_waves_begin(s)) {
        return false;
    }
    *s->part = LW_PART_MACHINE;
    lw_environment_drive(s->env, s->now - s->started, &s->in);
    if (s->twin != NULL) {
        *s->part = LW_PART_TWIN;
        lw_iommu_outputs(s->twin, &s->out);
    }
    if (s->rtl != NULL) {
        *s->part = LW_PART_RTL;
        s->library.functions->step(s->rtl);
        const char *text = NULL;
        if (s->library.functions->failed(s->rtl, &text)) {
            m->found = m->assertion = true;
            (void)lw_fail(&m->sentence, "%s", text);
        }
    }
    if (s->lockstep_waves != NULL) {
        lw_lockstep_waves_ports(s->lockstep_waves, &s->in, s->net != NULL ? &s->rtl_out : NULL,
                                s->twin != NULL ? &s->out : NULL);
    }
    if (s->events != NULL) {
        lw_event_ring_record(s->events, s->now, &s->in, &s->out, s->twin,
                             s->options->system->hw.walkers);
    }
    if (s->options->asked != NULL && s->in.req_valid && s->out.req_ready) {
        s->options->asked(s->options->asked_ctx, s->now - s->started, &s->in);
    }
    if (s->options->coverage != NULL && s->twin != NULL) {
        lw_coverage_cycle(s->options->coverage, s->twin, &s->in, &s->out);
    }
    if (s->twin != NULL) {
        if (s->options->stages != NULL) {
            follow_requests(s);
        }
        *s->part = LW_PART_TWIN;
        lw_iommu_step(s->twin, &s->in);
    }
    inject(s);
    if (s->options->side == LW_SIDE_BOTH && lw_session_compares_state(s->options)) {
        *s->part = LW_PART_NETS;
        compare_state(s);
    }
    *s->part = LW_PART_MACHINE;
    lw_error sentence;
    sentence.text[0] = '\0'; /* the rest of it would cost a tenth of the twin's cycle to clear */
    if (!lw_environment_observe(s->env, s->now - s->started, &s->in, &s->out, &sentence)) {
        const lw_judgement verdict = lw_environment_verdict(s->env);
        if (verdict == LW_VERDICT_GOOD) {
            return lw_fail(s->err, "%s", sentence.text);
        }
        if ((s->options->nets_off & LW_NET_ORACLE) == 0) {
            m->hang = verdict == LW_VERDICT_HANGS;
            m->oracle = !m->hang;
            m->found = true;
        }
        if (!m->assertion) {
            m->sentence = sentence;
        }
    }
    s->result->responses += s->out.rsp_valid && s->in.rsp_ready;
    if (m->found) {
        m->cycle = s->now;
    }
    s->result->compared_cycles += is_compared(s);
    s->ports_compared = s->state_compared = false;
    s->now++;
    return true;
}

/* The twin alone leaves out the cycles in which nothing happens. */
static void skip_idle(lw_session *s) {
    *s->part = LW_PART_TWIN;
    uint64_t idle = lw_iommu_idle_cycles(s->twin);
    if (idle == 0 || lw_environment_finished(s->env)) {
        return;
    }
    /* A request that was refused goes on being refused while the unit is idle. */
    lw_outputs out;
    lw_iommu_outputs(s->twin, &out);
    bool waits = s->in.req_valid && !s->out.req_ready && !out.req_ready;
    const lw_injection *t = &s->options->twin_injection;
    *s->part = LW_PART_MACHINE;
    const uint64_t next = lw_environment_next_event(s->env, s->now - s->started - 1, waits);
    const uint64_t limits[] = {
        next == UINT64_MAX ? UINT64_MAX : s->started + next,
        s->options->max_cycles != 0 ? s->options->max_cycles : UINT64_MAX,
        t->on && t->cycle >= s->now ? t->cycle : UINT64_MAX, /* which is a cycle to be seen */
        s->reset_at,
        s->report_at, /* so that what hangs is seen in the same cycle by who leaves none out */
    };
    uint64_t until = UINT64_MAX;
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        until = limits[i] < until ? limits[i] : until;
    }
    if (until <= s->now) {
        return;
    }
    uint64_t n = until - s->now < idle ? until - s->now : idle;
    *s->part = LW_PART_TWIN;
    lw_iommu_skip(s->twin, n, waits);
    *s->part = LW_PART_MACHINE;
    lw_environment_skip(s->env, n, waits);
    s->now += n;
}

/* ---------------------------------------------------------------- a run */

enum {
    PROGRESS_CYCLES = 1 << 15,
    /* Cycles in which nothing goes on after which a run counts as hung: far above every latency. */
    HANG_CYCLES = 4000000
};

/* Now and then: tells how far the run is, and looks whether it goes on at all. */
static void report(lw_session *s) {
    const lw_session_options *o = s->options;
    lw_mismatch *m = &s->result->mismatch;
    s->report_at = s->now + PROGRESS_CYCLES;
    if (o->progress != NULL) {
        o->progress(o->progress_ctx, s->now, lw_environment_requests(s->env),
                    lw_environment_requests_total(s->env));
    }
    if (!m->found &&
        !lw_environment_goes_on(s->env, s->now - s->started, HANG_CYCLES, &m->sentence)) {
        m->found = m->hang = true;
        m->cycle = s->now;
    }
}

static bool run(lw_session *s) {
    const lw_session_options *o = s->options;
    lw_session_result *r = s->result;
    double start = seconds_now();
    s->report_at = PROGRESS_CYCLES;
    while (!lw_environment_finished(s->env) && !r->mismatch.found &&
           (o->max_cycles == 0 || s->now < o->max_cycles)) {
        if (o->stop != NULL && *o->stop != 0) {
            r->stopped = true;
            break;
        }
        if ((s->now == s->reset_at && !reset(s)) || r->mismatch.found || !cycle(s)) {
            return r->mismatch.found;
        }
        if (o->side == LW_SIDE_TWIN) {
            skip_idle(s);
        }
        if (s->now >= s->report_at) {
            report(s);
        }
    }
    r->seconds = seconds_now() - start;
    return true;
}

bool lw_session_run(const lw_session_options *options, lw_session_result *result,
                    lw_event_ring *events, lw_error *err) {
    lw_session s = {.options = options, .result = result, .events = events, .err = err};
    s.part = options->part != NULL ? options->part : &s.nobody;
    memset(result, 0, sizeof *result);
    result->mismatch.request_id = LW_NO_REQUEST;
    if (events != NULL) {
        events->count = 0;
        events->log = options->log;
    }
    bool good = lw_session_open(&s, rtl_cycle);
    if (good) {
        lw_rng_seed(&s.rng, options->run->seed);
        lw_rng_seed(&s.idle_payloads, options->run->seed);
        draw_reset(&s);
        compare_after_reset(&s);
        good = run(&s);
        *s.part = LW_PART_NONE;
        good = good && lw_session_check_end(&s);
    }
    if (good) {
        lw_session_collect(&s);
    }
    return lw_session_close(&s, good);
}
