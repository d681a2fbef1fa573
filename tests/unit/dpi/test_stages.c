/* The stages of each request, as the twin tells them, against what the ports show: they follow one
 * another without a gap, sum to the cycles from its transfer to its response's, and over all
 * requests to the unit's own counters. */
#include "tests/unit/sim/environment/environment_run.h"

#include "dpi/stages.h"

#include <stdio.h>

enum { REQUESTS = 20000 };

typedef struct seen {
    uint64_t asked, answered; /* on the ports */
    uint64_t since, told; /* by the window: the cycle in which it came into its stage; the sum */
    bool ended;
} seen;

typedef struct watcher {
    seen of[REQUESTS];
    uint64_t taken;           /* requests transferred */
    uint32_t number[1 << 16]; /* by id */
    uint64_t stage[LW_STAGES];
    uint32_t tlb_stages;
} watcher;

static void began(void *ctx, uint64_t cycle, const lw_traced *r) {
    watcher *w = ctx;
    assert_int_equal(cycle, w->of[r->number].asked);
    assert_int_equal(r->stage, LW_STAGE_TLB);
    w->of[r->number].since = cycle;
}

static void leave(watcher *w, uint64_t cycle, const lw_traced *r) {
    seen *s = &w->of[r->number];
    assert_true(cycle > s->since);  /* no stage without a cycle, and none twice in a row */
    if (r->stage == LW_STAGE_TLB) { /* nothing stalls in it (R3.1) */
        assert_int_equal(cycle - s->since, w->tlb_stages);
    }
    s->told += cycle - s->since;
    w->stage[r->stage] += cycle - s->since;
    s->since = cycle;
}

static void moved(void *ctx, uint64_t cycle, const lw_traced *r, lw_stage to) {
    assert_int_not_equal(to, r->stage);
    leave(ctx, cycle, r);
}

static void ended(void *ctx, uint64_t cycle, const lw_traced *r, bool answered) {
    watcher *w = ctx;
    assert_true(answered);
    leave(w, cycle, r);
    w->of[r->number].ended = true;
}

/* What the ports show of a cycle, counted without the twin's help. */
static void watch_ports(environment_run *r, void *ctx) {
    watcher *w = ctx;
    if (r->out.rsp_valid && r->in.rsp_ready) {
        w->of[w->number[r->out.rsp_id]].answered = r->now;
    }
    if (r->in.req_valid && r->out.req_ready) {
        assert_true(w->taken < REQUESTS);
        w->number[r->in.req_id] = (uint32_t)w->taken;
        w->of[w->taken++].asked = r->now;
    }
}

static void run(environment_run *r, watcher *w, lw_stages *stages) {
    while (!lw_environment_finished(r->env)) {
        lw_environment_drive(r->env, r->now, &r->in);
        lw_iommu_outputs(r->twin, &r->out);
        watch_ports(r, w);
        lw_stages_cycle(stages, r->now);
        if (r->in.req_valid && r->out.req_ready) {
            lw_stages_request(stages, &r->in, lw_environment_kernel(r->env, r->in.req_src));
        }
        lw_iommu_step(r->twin, &r->in);
        if (!lw_environment_observe(r->env, r->now++, &r->in, &r->out, &r->err)) {
            fail_msg("%s", r->err.text);
        }
    }
    lw_stages_end(stages);
}

static uint64_t count(const lw_stages *s, lw_way way) {
    return lw_histogram_count(&lw_stages_figures(s, LW_STAGES_ALL, way)->time[LW_STAGE_WHOLE]);
}

static void assert_each_request(const watcher *w) {
    for (uint64_t n = 0; n < w->taken; n++) {
        const seen *s = &w->of[n];
        assert_true(s->ended);
        if (s->told != s->answered - s->asked) {
            fail_msg("request %llu: its stages take %llu cycles, its ports %llu",
                     (unsigned long long)n, (unsigned long long)s->told,
                     (unsigned long long)(s->answered - s->asked));
        }
    }
}

/* The sums are those of the window, and of the counters of R12.5 and R12.6. */
static void assert_sums(const environment_run *r, const watcher *w, const lw_stages *s) {
    const lw_stage_figures *f = lw_stages_figures(s, LW_STAGES_ALL, LW_WAYS);
    uint64_t counters[LW_COUNTERS], whole = 0, stages = 0, memory = 0;
    environment_counters(r, counters);
    for (uint64_t n = 0; n < w->taken; n++) {
        whole += w->of[n].told;
    }
    for (lw_stage i = 0; i < LW_STAGES; i++) {
        assert_int_equal(f->sum[i], w->stage[i]);
        stages += f->sum[i];
        memory += i >= LW_STAGE_LEVEL_1 && i <= LW_STAGE_LEVEL_5 ? f->sum[i] : 0;
    }
    assert_int_equal(f->sum[LW_STAGE_WHOLE], whole);
    assert_int_equal(stages, whole);
    assert_int_equal(count(s, LW_WAYS), counters[LW_C_RESPONSES]);
    assert_int_equal(count(s, LW_WAY_TOLD), counters[LW_C_COALESCED_ANSWERS]);
    assert_int_equal(count(s, LW_WAY_WALK), counters[LW_C_WALKS]);
    assert_int_equal(f->sum[LW_STAGE_PWC], counters[LW_C_PWC]);
    assert_int_equal(f->sum[LW_STAGE_LOOK] + f->sum[LW_STAGE_CAM], counters[LW_C_CAM]);
    assert_int_equal(f->sum[LW_STAGE_PORT], counters[LW_C_MEMORY_PORT]);
    assert_int_equal(memory, counters[LW_C_MEMORY]);
}

static void test_stages(void **state) {
    static const struct {
        const char *system, *workload;
    } rows[] = {
        {"baseline", "random"},
        {"nha", "random"},
        {"nha", "phases"},
        {"nha_power", "random"},
        {"stress_small", "random"},
        {"stress_one", "phases"},
        {"stress_mesc", "phases"},
        {"stress_shared_both", "random"},
        {"stress_shared_address", "phases"},
        {"stress_full_colt", "random"},
        {"nha", "atax"},
        {"mesc", "bicg"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        static watcher w;
        environment_run r;
        const lw_run what = {
            .workload = rows[i].workload, .seed = 3, .max_requests = 6000, .max_iters = 0};
        memset(&w, 0, sizeof w);
        environment_open(&r, rows[i].system, &what, NULL, NULL);
        w.tlb_stages = lw_tlb_stages(&r.system.hw);
        lw_stages *stages = lw_stages_new(&r.system.hw);
        lw_stage_window *window = lw_stage_window_new(r.system.hw.id_w, 0, UINT64_MAX);
        assert_true(stages != NULL && window != NULL);
        lw_stage_window_add(window, &(lw_stage_writer){began, moved, ended, &w});
        lw_stages_watch(stages, window);
        lw_stages_begin(stages, r.twin);
        run(&r, &w, stages);
        assert_int_equal(w.taken, 6000);
        assert_each_request(&w);
        assert_sums(&r, &w, stages);
        lw_stages_free(stages);
        lw_stage_window_free(window);
        environment_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
