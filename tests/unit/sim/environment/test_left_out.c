/* Cycles in which neither the unit nor what is around it acts can be left out: the same requests,
 * responses, reads and completions pass in the same cycles, and the same is told of the run. */
#include "tests/unit/sim/environment/environment_run.h"

#define LONG UINT64_C(10000000)

typedef struct history {
    uint64_t events, sum; /* transfers, and a sum over what and when they were */
    uint64_t end, left_out, longest;
    lw_port_counts counts;
    lw_waits waits;
} history;

static void note(history *h, uint64_t now, uint64_t what, uint64_t which) {
    h->events++;
    h->sum = (h->sum ^ now ^ what << 60 ^ which << 32) * UINT64_C(0x9e3779b97f4a7c15);
}

static void note_transfers(environment_run *r, void *ctx) {
    history *h = ctx;
    if (r->in.req_valid && r->out.req_ready) {
        note(h, r->now, 1, r->in.req_id);
    }
    if (r->out.rsp_valid && r->in.rsp_ready) {
        note(h, r->now, 2, r->out.rsp_id);
    }
    if (r->out.mem_req_valid && r->in.mem_req_ready) {
        note(h, r->now, 3, r->out.mem_req_line);
    }
    if (r->in.mem_rsp_valid) {
        note(h, r->now, 4, r->in.mem_rsp_tag);
    }
    if (r->out.inv_done) {
        note(h, r->now, 5, 0);
    }
}

/* As many of the next cycles as both sides allow. */
static void leave_out(environment_run *r, history *h) {
    const uint64_t idle = lw_iommu_idle_cycles(r->twin);
    if (idle == 0 || lw_environment_finished(r->env)) {
        return;
    }
    lw_outputs out;
    lw_iommu_outputs(r->twin, &out);
    const bool waits = r->in.req_valid && !r->out.req_ready && !out.req_ready;
    const uint64_t next = lw_environment_next_event(r->env, r->now - 1, waits);
    assert_true(next >= r->now);
    const uint64_t n = next - r->now < idle ? next - r->now : idle;
    lw_iommu_skip(r->twin, n, waits);
    lw_environment_skip(r->env, n, waits);
    r->now += n;
    h->left_out += n;
}

static history run_it(const char *system, const lw_run *run, const char *key, const char *value,
                      bool all) {
    environment_run r;
    history h = {.events = 0};
    environment_open(&r, system, run, key, value);
    while (r.now < LONG && !lw_environment_finished(r.env)) {
        if (!environment_cycle(&r, note_transfers, &h)) {
            fail_msg("%s", r.err.text);
        }
        if (!all) {
            leave_out(&r, &h);
        }
    }
    h.end = r.now;
    h.longest = lw_environment_longest_wait(r.env);
    h.counts = r.env->counts;
    h.waits = lw_environment_waits(r.env);
    uint64_t counters[LW_COUNTERS];
    environment_counters(&r, counters);
    if (!lw_environment_counters_agree(r.env, counters, &r.err) ||
        !lw_environment_finish(r.env, &r.err)) {
        fail_msg("%s", r.err.text);
    }
    environment_close(&r);
    return h;
}

static void test_nothing_changes(void **state) {
    (void)state;
    static const lw_run kernel = {.workload = "lud", .seed = 1, .size = 64};
    static const lw_run stream = {.workload = "sequential", .seed = 1, .max_requests = 300};
    static const struct {
        const char *system;
        const lw_run *run;
        const char *key, *value;
        bool leaves_out; /* most cycles: else something is drawn in each */
    } rows[] = {
        {"nha", &kernel, "data", "0", true},
        {"nha", &kernel, "data", "1", true},
        {"nha", &kernel, "dram", "ddr3_1600", true},
        {"fshpt", &kernel, "l1_mshrs", "2", true}, /* DRAM, walks through the L2, a slow L1 TLB */
        {"power_gpu", &kernel, "data", "1", false},
        {"nha", &kernel, "remaps", "20", false},
        {"nha", &kernel, "invalidations", "20", false},
        {"nha", &kernel, "feature_changes", "3000", false},
        {"nha", &kernel, "slow_sinks", "500", false},
        {"nha", &kernel, "slow_memories", "500", false},
        {"nha", &stream, "memory_latency", "fixed:500", true},
        {"nha", &stream, "memory_latency", "fixed:1", false},
        {"nha", &stream, "memory_latency", "fixed:4", false},
        {"nha", &stream, "outstanding", "1", true},
        {"mesc", &kernel, "table_moves", "20", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const history all = run_it(rows[i].system, rows[i].run, rows[i].key, rows[i].value, true);
        const history some = run_it(rows[i].system, rows[i].run, rows[i].key, rows[i].value, false);
        assert_int_equal(some.events, all.events);
        assert_int_equal(some.sum, all.sum);
        assert_int_equal(some.end, all.end);
        assert_int_equal(some.longest, all.longest);
        assert_memory_equal(&some.counts, &all.counts, sizeof all.counts);
        assert_memory_equal(&some.waits, &all.waits, sizeof all.waits);
        assert_true(!rows[i].leaves_out || some.left_out > all.end / 2);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nothing_changes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
