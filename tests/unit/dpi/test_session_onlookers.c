/* Who looks on at a session (dpi/session.h) sees the run that its figures are of: stages, coverage,
 * and the log of events. */
#include "tests/unit/dpi/session_bench.h"

#include <stdio.h>

/* Cycles from transfer to response of all requests, by the ports. */
static uint64_t whole_times(const lw_event_ring *events) {
    static uint64_t asked[1 << 16];
    uint64_t sum = 0;
    assert_true(events->count < LW_EVENTS);
    for (uint64_t i = 0; i < events->count; i++) {
        const lw_event *e = &events->ring[i];
        if (e->kind == LW_EVENT_REQUEST) {
            asked[e->id] = e->cycle;
        } else if (e->kind == LW_EVENT_RESPONSE) {
            sum += e->cycle - asked[e->id];
        }
    }
    return sum;
}

/* The stages of all requests sum to their time, and after a reset they are counted anew. */
static void test_stages(void **state) {
    (void)state;
    static session_bench b;
    static lw_event_ring events;
    session_begin(&b, LW_SIDE_TWIN, "stress_small", NULL);
    b.run.max_requests = 400;
    lw_stages *plain = lw_stages_new(&b.system.hw), *reset = lw_stages_new(&b.system.hw);
    assert_true(plain != NULL && reset != NULL);
    b.options.stages = plain;
    assert_true(lw_session_run(&b.options, &b.result, &events, &b.err));
    const lw_stage_figures *f = lw_stages_figures(plain, LW_STAGES_ALL, LW_WAYS);
    uint64_t sum = 0;
    for (size_t i = 0; i < LW_STAGES; i++) {
        sum += f->sum[i];
    }
    assert_int_equal(f->sum[LW_STAGE_WHOLE], whole_times(&events));
    assert_int_equal(sum, f->sum[LW_STAGE_WHOLE]);
    assert_int_equal(f->most[LW_STAGE_WHOLE], b.result.longest_wait);
    assert_int_equal(lw_stages_kernels(plain), 1); /* a stream has none */
    assert_null(lw_stages_kernel_name(plain, 0));
    b.options.stages = reset;
    b.options.resets = 2;
    assert_int_equal(session_go(&b)->resets, 2);
    const lw_stage_figures *again = lw_stages_figures(reset, LW_STAGES_ALL, LW_WAYS);
    assert_memory_equal(again->sum, f->sum, sizeof f->sum);
    assert_memory_equal(again->most, f->most, sizeof f->most);
    lw_stages_free(plain);
    lw_stages_free(reset);
}

/* Each cycle of the unit is counted before its step, with the ports as they are in it. */
static void test_coverage(void **state) {
    (void)state;
    static session_bench b;
    environment_run r;
    session_begin(&b, LW_SIDE_TWIN, "stress_small", NULL);
    lw_coverage *seen = lw_coverage_new(&b.system.hw), *wanted = lw_coverage_new(&b.system.hw);
    lw_coverage_point s, w;
    uint64_t reached = 0;
    assert_true(seen != NULL && wanted != NULL);
    b.options.coverage = seen;
    (void)session_go(&b);
    environment_open(&r, "stress_small", &b.run, "few_pages", "64");
    while (!lw_environment_finished(r.env)) {
        lw_environment_drive(r.env, r.now, &r.in);
        lw_iommu_outputs(r.twin, &r.out);
        lw_coverage_cycle(wanted, r.twin, &r.in, &r.out);
        lw_iommu_step(r.twin, &r.in);
        assert_true(lw_environment_observe(r.env, r.now++, &r.in, &r.out, &r.err));
    }
    for (size_t i = 0; lw_coverage_point_at(wanted, i, &w); i++) {
        assert_true(lw_coverage_point_at(seen, i, &s));
        assert_int_equal(s.count, w.count);
        reached += w.count != 0;
    }
    assert_true(reached > 20);
    environment_close(&r);
    lw_coverage_free(seen);
    lw_coverage_free(wanted);
}

/* Each event is a line of the log, with its cycle, which goes on over a reset. */
static void test_log(void **state) {
    (void)state;
    static session_bench b;
    static lw_event_ring events;
    char *text = NULL;
    size_t size = 0;
    uint64_t lines = 0;
    session_begin(&b, LW_SIDE_TWIN, "stress_small", NULL);
    b.run.max_requests = 100;
    b.options.resets = 1;
    b.options.log = open_memstream(&text, &size);
    assert_non_null(b.options.log);
    assert_true(lw_session_run(&b.options, &b.result, &events, &b.err));
    assert_int_equal(fclose(b.options.log), 0);
    for (const char *line = text; *line != '\0'; line = strchr(line, '\n') + 1) {
        unsigned long long cycle = 0;
        assert_true(lines < LW_EVENTS);
        assert_int_equal(sscanf(line, " cycle %llu", &cycle), 1);
        assert_int_equal(cycle, events.ring[lines].cycle);
        assert_true(lines == 0 || cycle >= events.ring[lines - 1].cycle);
        lines++;
    }
    assert_int_equal(lines, events.count);
    assert_true(lines > 200);
    free(text);
    b.options.log = NULL; /* the next run has none */
    assert_true(lw_session_run(&b.options, &b.result, &events, &b.err));
    assert_null(events.log);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stages),
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
