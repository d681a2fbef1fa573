/* The stages' figures by kernel: who asked for what, and that nothing is counted twice or lost
 * where there are more kernels than places, or where a request takes long. */
#include "tests/unit/sim/environment/environment_run.h"

#include "dpi/stages.h"

#include <stdio.h>

enum { NAMES = 40 };
#define LONG_50 "--------------------------------------------------"

/* Most requests are of the kernel that the one before is of. */
static const char *name_of(uint64_t n, char name[128]) {
    const uint64_t number = n / 3 % (NAMES + 1);
    (void)snprintf(name, 128, "kernel%llu" LONG_50, (unsigned long long)number);
    return number == NAMES ? NULL : name;
}

static uint64_t count(const lw_stage_figures *f) {
    return lw_histogram_count(&f->time[LW_STAGE_WHOLE]);
}

/* One run on `names` kernels; the requests that were transferred. */
static uint64_t follow(environment_run *r, lw_stages *stages, bool named) {
    uint64_t taken = 0;
    char name[128];
    lw_stages_begin(stages, r->twin);
    while (!lw_environment_finished(r->env)) {
        lw_environment_drive(r->env, r->now, &r->in);
        lw_iommu_outputs(r->twin, &r->out);
        lw_stages_cycle(stages, r->now);
        if (r->in.req_valid && r->out.req_ready) {
            lw_stages_request(stages, &r->in, named ? name_of(taken, name) : NULL);
            taken++;
        }
        lw_iommu_step(r->twin, &r->in);
        if (!lw_environment_observe(r->env, r->now++, &r->in, &r->out, &r->err)) {
            fail_msg("%s", r->err.text);
        }
    }
    lw_stages_end(stages);
    return taken;
}

/* The figures of all ways are those of each, and those of all kernels those of each. */
static void assert_adds_up(const lw_stages *s) {
    for (lw_way way = 0; way <= LW_WAYS; way++) {
        const lw_stage_figures *all = lw_stages_figures(s, LW_STAGES_ALL, way);
        for (uint32_t stage = 0; stage <= LW_STAGE_WHOLE; stage++) {
            uint64_t sum = 0, most = 0, requests = 0;
            for (size_t k = 0; k < lw_stages_kernels(s); k++) {
                const lw_stage_figures *f = lw_stages_figures(s, k, way);
                sum += f->sum[stage];
                most = f->most[stage] > most ? f->most[stage] : most;
                requests += lw_histogram_count(&f->time[stage]);
            }
            assert_int_equal(sum, all->sum[stage]);
            assert_int_equal(most, all->most[stage]);
            assert_int_equal(requests, lw_histogram_count(&all->time[stage]));
            assert_true(all->most[stage] * requests >= sum && (sum == 0) == (requests == 0));
        }
    }
    for (size_t k = 0; k < lw_stages_kernels(s); k++) {
        uint64_t sum = 0;
        for (lw_way way = 0; way < LW_WAYS; way++) {
            sum += count(lw_stages_figures(s, k, way));
        }
        assert_int_equal(sum, count(lw_stages_figures(s, k, LW_WAYS)));
    }
}

/* The first 32 have places of their own, in the order of their first requests; of a long name the
 * beginning is shown. What comes behind is one. A run that begins forgets the one before. */
static void test_kernels(void **state) {
    (void)state;
    static const lw_run run = {.workload = "random", .seed = 1, .max_requests = 1230};
    environment_run r;
    environment_open(&r, "nha", &run, NULL, NULL);
    lw_stages *s = lw_stages_new(&r.system.hw);
    assert_int_equal(follow(&r, s, true), 1230);
    assert_int_equal(lw_stages_kernels(s), LW_STAGE_KERNELS + 1);
    for (size_t k = 0; k < LW_STAGE_KERNELS; k++) {
        char name[128];
        (void)name_of(3 * k, name);
        name[63] = '\0';
        assert_string_equal(lw_stages_kernel_name(s, k), name);
        assert_int_equal(count(lw_stages_figures(s, k, LW_WAYS)), 30);
    }
    assert_string_equal(lw_stages_kernel_name(s, LW_STAGE_KERNELS), "(others)");
    assert_int_equal(count(lw_stages_figures(s, LW_STAGE_KERNELS, LW_WAYS)), 9 * 30);
    assert_adds_up(s);
    environment_close(&r);
    environment_open(&r, "nha", &run, NULL, NULL);
    assert_int_equal(follow(&r, s, false), 1230);
    assert_int_equal(lw_stages_kernels(s), 1);
    assert_null(lw_stages_kernel_name(s, 0));
    assert_int_equal(count(lw_stages_figures(s, 0, LW_WAYS)), 1230);
    assert_adds_up(s);
    lw_stages_free(s);
    environment_close(&r);
}

/* A line that takes long: the most is a time that was seen on the ports, and of a walk of its own.
 */
static void test_long_times(void **state) {
    (void)state;
    static const lw_run run = {.workload = "repeat", .seed = 1, .size = 1, .max_requests = 1};
    static const char *const latencies[] = {"fixed:500", "fixed:510", "fixed:520", "fixed:2500"};
    for (size_t i = 0; i < sizeof latencies / sizeof latencies[0]; i++) {
        environment_run r;
        environment_open(&r, "baseline", &run, "memory_latency", latencies[i]);
        lw_stages *s = lw_stages_new(&r.system.hw);
        assert_int_equal(follow(&r, s, false), 1);
        const lw_stage_figures *f = lw_stages_figures(s, 0, LW_WAY_WALK);
        const uint64_t waited = lw_environment_longest_wait(r.env);
        assert_int_equal(count(f), 1);
        assert_int_equal(f->sum[LW_STAGE_WHOLE], waited);
        assert_int_equal(f->most[LW_STAGE_WHOLE], waited);
        uint64_t sum = 0;
        for (uint32_t stage = 0; stage < LW_STAGES; stage++) {
            assert_int_equal(f->most[stage], f->sum[stage]);
            assert_int_equal(lw_histogram_count(&f->time[stage]), f->sum[stage] != 0);
            sum += f->sum[stage];
        }
        assert_int_equal(sum, waited);
        assert_true(f->sum[LW_STAGE_LEVEL_1] >= 500 && f->sum[LW_STAGE_LEVEL_5] == 0);
        assert_adds_up(s);
        lw_stages_free(s);
        environment_close(&r);
    }
}

/* Each stage and each way has the name of docs/json.md. */
static void test_names(void **state) {
    (void)state;
    static const char *const names[] = {
        "tlb",     "queue",   "walker",  "line",    "look",    "pwc",  "cam",    "port",
        "level_1", "level_2", "level_3", "level_4", "level_5", "told", "answer", "response"};
    for (lw_stage i = 0; i < LW_STAGES; i++) {
        uint32_t found = 0;
        for (lw_stage j = 0; j < LW_STAGES; j++) {
            found += strcmp(lw_stage_name(i), names[j]) == 0;
        }
        assert_int_equal(found, 1);
    }
    assert_string_equal(lw_stage_name(LW_STAGE_TLB), "tlb");
    assert_string_equal(lw_stage_name(LW_STAGE_LEVEL_1), "level_1");
    assert_string_equal(lw_stage_name(LW_STAGE_LEVEL_5), "level_5");
    assert_string_equal(lw_way_name(LW_WAY_HIT), "hit");
    assert_string_equal(lw_way_name(LW_WAY_WALK), "walk");
    assert_string_equal(lw_way_name(LW_WAY_TOLD), "told");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_long_times),
        cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
