/* What provokes rare faults happens, is counted, and is found by who must find it. */
#include "tests/unit/sim/environment/environment_run.h"

#include "sim/environment/old_owners.h"
#include "sim/environment/slow_phases.h"
#include "sim/environment/wait_counts.h"

#define LONG UINT64_C(10000000)

/* ---------------------------------------------------------------- phases */

static void test_slow_phases(void **state) {
    (void)state;
    lw_slow_phases p;
    uint64_t held = 0;
    uint64_t slow = 0;
    uint64_t length = 0;
    uint64_t latency = 0;
    lw_slow_phases_begin(&p, 1);
    for (uint64_t i = 0; i < 1000000; i++) {
        lw_slow_phases_tick(&p, 10, 0, 200);
        length = p.sink.left == 0 ? 0 : length + 1;
        assert_true(length <= 200);
        assert_true(p.sink.left != 0 || !p.sink.held);
        assert_false(p.memory.held);
        slow += p.sink.left != 0;
        held += p.sink.held;
        latency = p.sink.latency > latency ? p.sink.latency : latency;
    }
    /* one begins in 1000 cycles in which there is none, and lasts 100 on average */
    assert_in_range(p.sink.phases, 800, 1000);
    assert_int_equal(p.memory.phases, 0);
    assert_in_range(slow, 80000, 100000);
    assert_true(held > slow * 7 / 10 && held < slow);
    assert_true(latency > 100);
    lw_slow_phases_begin(&p, 1);
    const lw_slow_phases first = p;
    for (uint64_t i = 0; i < 10000; i++) {
        lw_slow_phases_tick(&p, 0, 0, 200);
        assert_false(p.sink.held || p.memory.held);
    }
    assert_memory_equal(&p.rng, &first.rng, sizeof p.rng); /* nothing is drawn */
    assert_int_equal(p.sink.phases + p.memory.phases, 0);
    /* with a rate of 10000 each phase follows upon the one before */
    slow = 0;
    for (uint64_t i = 0; i < 100000; i++) {
        lw_slow_phases_tick(&p, 0, 10000, 200);
        slow += p.memory.left != 0;
    }
    assert_int_equal(p.sink.phases, 0);
    assert_in_range(slow, 98000, 99999);
}

/* ---------------------------------------------------------------- waits */

typedef struct waiter {
    lw_wait_counts w;
    uint64_t now;
} waiter;

static void cycles(waiter *t, uint64_t n, lw_inputs in, lw_outputs out) {
    while (n-- != 0) {
        lw_wait_counts_cycle(&t->w, t->now++, &in, &out);
    }
}

static void test_wait_counts(void **state) {
    (void)state;
    waiter t = {.now = 100};
    const lw_outputs ready = {.req_ready = true, .inv_ready = true};
    const lw_inputs takes = {.rsp_ready = true, .mem_req_ready = true};
    lw_inputs offers = takes;
    offers.req_valid = true;
    /* a request from 100 to 130, ten cycles of which its own side held a response back */
    cycles(&t, 5, takes, ready);
    cycles(&t, 10, (lw_inputs){.mem_req_ready = true}, (lw_outputs){.rsp_valid = true});
    cycles(&t, 15, takes, ready);
    lw_wait_counts_answer(&t.w, t.now, 100, 0);
    assert_int_equal(t.w.worst.request, 20);
    assert_int_equal(t.w.worst.held, 10);
    lw_wait_counts_answer(&t.w, t.now, 110, 5);
    assert_int_equal(t.w.worst.request, 20);
    /* refused for 7, then 4 and 3 left out, then 2 after a transfer */
    cycles(&t, 7, offers, (lw_outputs){.inv_ready = true});
    cycles(&t, 1, offers, ready);
    assert_int_equal(t.w.worst.acceptance, 7);
    cycles(&t, 4, offers, (lw_outputs){.inv_ready = true});
    lw_wait_counts_skip(&t.w, 4, true);
    assert_int_equal(t.w.worst.acceptance, 8);
    /* refused for 24, of which its own side held a response back in 15 */
    cycles(&t, 1, takes, ready);
    cycles(&t, 15, (lw_inputs){.req_valid = true, .mem_req_ready = true},
           (lw_outputs){.rsp_valid = true, .inv_ready = true});
    assert_int_equal(t.w.worst.acceptance, 8);
    cycles(&t, 9, offers, (lw_outputs){.inv_ready = true});
    assert_int_equal(t.w.worst.acceptance, 9);
    /* nobody waits in cycles that are left out without a request */
    cycles(&t, 1, takes, ready);
    for (int i = 0; i < 20; i++) {
        lw_wait_counts_skip(&t.w, 100, false);
    }
    assert_int_equal(t.w.worst.acceptance, 9);
    /* memory refuses a read for 9 */
    cycles(&t, 9, (lw_inputs){.rsp_ready = true}, (lw_outputs){.mem_req_valid = true});
    assert_int_equal(t.w.worst.memory_ready, 9);
    /* nobody waits where none is offered, or where each is taken at once */
    cycles(&t, 20, (lw_inputs){.rsp_ready = true}, ready);
    cycles(&t, 20, takes, (lw_outputs){.mem_req_valid = true});
    assert_int_equal(t.w.worst.memory_ready, 9);
    /* an invalidation of 12 cycles, 3 of which are held */
    cycles(&t, 1, (lw_inputs){.inv_valid = true, .rsp_ready = true}, ready);
    cycles(&t, 3, (lw_inputs){.mem_req_ready = true}, (lw_outputs){.rsp_valid = true});
    cycles(&t, 8, takes, ready);
    cycles(&t, 1, takes, (lw_outputs){.inv_done = true});
    assert_int_equal(t.w.worst.invalidation, 9);
}

/* ---------------------------------------------------------------- old owners */

static void root(lw_old_owners *o, uint32_t pasid, bool valid) {
    const lw_inputs in = {
        .ctl_write = true, .ctl_addr = LW_CTL_ROOT + pasid, .ctl_wdata = (uint64_t)valid << 63 | 5};
    lw_old_owners_cycle(o, 0, &in, false);
}

/* PASID 1 has two requests from before cycle 50, in which an invalidation is taken, and one of that
 * very cycle; `answered` of the two leave before its completion, and the root may be back by then.
 */
static bool completes(bool has_root, uint32_t type, uint32_t pasid, uint32_t answered,
                      bool comes_back, lw_error *err) {
    lw_old_owners *o = lw_old_owners_new(4);
    const lw_inputs in = {.inv_valid = true, .inv_type = type, .inv_pasid = pasid};
    root(o, 1, true);
    lw_old_owners_enter(o, 1);
    lw_old_owners_enter(o, 1);
    lw_old_owners_enter(o, 0xfff00); /* of a PASID that can have no root */
    if (!has_root) {
        root(o, 1, false);
    }
    assert_int_equal(lw_old_owners_orphans(o), has_root ? 0 : 2);
    lw_old_owners_cycle(o, 50, &in, true);
    lw_old_owners_enter(o, 1);
    lw_old_owners_leave(o, 1, 50); /* the young one's answer counts for nobody else */
    for (uint32_t i = 0; i < answered; i++) {
        lw_old_owners_leave(o, 1, 40 + i);
    }
    if (comes_back) {
        root(o, 1, true);
    }
    const bool good = lw_old_owners_done(o, err);
    assert_true(lw_old_owners_done(o, err)); /* once */
    lw_old_owners_free(o);
    return good;
}

static void test_old_owners(void **state) {
    (void)state;
    static const struct {
        bool has_root;
        uint32_t type, pasid, answered;
        bool comes_back, good;
    } rows[] = {
        {false, 2, 1, 1, false, false}, {false, 2, 1, 2, false, true},
        {false, 2, 2, 0, false, true},  {false, 3, 9, 1, false, false},
        {false, 0, 1, 0, false, false}, {true, 3, 1, 0, false, true},
        {false, 2, 1, 1, true, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        lw_error err = {0};
        assert_int_equal(completes(rows[i].has_root, rows[i].type, rows[i].pasid, rows[i].answered,
                                   rows[i].comes_back, &err),
                         rows[i].good);
        assert_int_equal(strstr(err.text, "of PASID 1 from before the transfer, in cycle 50") ==
                             NULL,
                         rows[i].good);
    }
}

/* Orphans are those whose root vanishes: not where it becomes another, nor where there was none.
 * Those that an invalidation meets so are counted once for each. */
static void test_orphans_are_counted(void **state) {
    (void)state;
    const lw_inputs reads = {.ctl_addr = LW_CTL_ROOT + 1};
    const lw_inputs step = {.ctl_write = true, .ctl_addr = LW_CTL_STEP + 1};
    lw_inputs all = {.inv_valid = true, .inv_type = LW_INV_ALL};
    lw_old_owners *o = lw_old_owners_new(4);
    lw_old_owners_enter(o, 2);
    root(o, 2, false);
    root(o, 1, true);
    lw_old_owners_enter(o, 1);
    lw_old_owners_enter(o, 1);
    root(o, 1, true);
    lw_old_owners_cycle(o, 9, &reads, false);
    lw_old_owners_cycle(o, 9, &step, false);
    lw_old_owners_cycle(o, 10, &all, false); /* offered, not taken */
    assert_int_equal(lw_old_owners_orphans(o), 0);
    assert_int_equal(lw_old_owners_met(o), 0);
    root(o, 1, false);
    root(o, 1, false);
    assert_int_equal(lw_old_owners_orphans(o), 2);
    lw_old_owners_cycle(o, 20, &all, true);
    assert_int_equal(lw_old_owners_met(o), 3); /* that of PASID 2 too: it has no root */
    lw_old_owners_leave(o, 1, 5);
    lw_old_owners_leave(o, 2, 5);
    all.inv_type = LW_INV_PASID;
    all.inv_pasid = 1;
    lw_old_owners_cycle(o, 30, &all, true);
    assert_int_equal(lw_old_owners_met(o), 4);
    lw_old_owners_free(o);
}

/* The first PASID and the last are held to it like all others, each for itself. */
static void test_every_pasid_has_owners(void **state) {
    (void)state;
    enum { PASIDS = 4 };
    for (uint32_t pasid = 0; pasid < PASIDS; pasid++) {
        for (uint32_t type = LW_INV_PASID; type <= LW_INV_ALL; type++) {
            const lw_inputs in = {.inv_valid = true, .inv_type = type, .inv_pasid = pasid};
            lw_old_owners *o = lw_old_owners_new(PASIDS);
            lw_error err = {0};
            root(o, PASIDS, true); /* of a PASID that the unit has not */
            lw_old_owners_enter(o, PASIDS);
            root(o, PASIDS, false);
            assert_int_equal(lw_old_owners_orphans(o), 0);
            root(o, pasid, true);
            lw_old_owners_enter(o, pasid);
            root(o, pasid, false);
            lw_old_owners_cycle(o, 10, &in, true);
            assert_int_equal(lw_old_owners_met(o), 1);
            assert_false(lw_old_owners_done(o, &err));
            lw_old_owners_free(o);
        }
    }
}

/* ---------------------------------------------------------------- in a run */

typedef struct setting {
    const char *key, *value;
} setting;

/* A run of stress_small, with these settings; what it has provoked, and its waits. */
static lw_provocations provoke(const setting *settings, size_t count, lw_waits *waits) {
    static const lw_run run = {.workload = "random", .seed = 1, .max_requests = 3000};
    environment_run r;
    environment_open(&r, "stress_small", &run, NULL, NULL);
    environment_close(&r);
    for (size_t i = 0; i < count; i++) {
        assert_true(lw_system_set(&r.system, settings[i].key, settings[i].value, "", &r.err));
    }
    r.now = 0;
    memset(&r.in, 0, sizeof r.in);
    r.env = lw_environment_new(&r.system, &run, &r.err);
    r.twin = lw_iommu_new(&r.system.hw, &r.err);
    if (r.env == NULL || !environment_go(&r, LONG, NULL, NULL)) {
        fail_msg("%s", r.err.text);
    }
    const lw_provocations p = lw_environment_provocations(r.env);
    *waits = lw_environment_waits(r.env);
    environment_close(&r);
    return p;
}

static void test_nothing_is_provoked_unasked(void **state) {
    (void)state;
    lw_waits waits;
    const lw_provocations p = provoke(NULL, 0, &waits);
    assert_int_equal(p.shared_tables + p.os.table_moves + p.os.roots_replaced +
                         p.os.roots_vanished + p.os.roots_blinked + p.os.appeared + p.os.permitted +
                         p.os.bursts + p.slow_sinks + p.slow_memories + p.late_lines +
                         p.outdated_lines + p.os.shared_changes,
                     0);
    assert_true(p.os.page_changes > 100);
    assert_true(waits.memory <= 60 && waits.memory_ready < 30 && waits.held > 0);
}

static void test_slow_and_late(void **state) {
    (void)state;
    static const setting settings[] = {
        {"slow_sinks", "20"}, {"slow_memories", "20"}, {"slow_phase", "500"},
        {"late_lines", "50"}, {"late_cycles", "3000"}, {"early_lines", "50"},
    };
    lw_waits waits;
    const lw_provocations p = provoke(settings, sizeof settings / sizeof settings[0], &waits);
    assert_true(p.slow_sinks > 10 && p.slow_memories > 10 && p.late_lines > 5);
    assert_true(waits.memory > 3000 && waits.memory_ready > 200 && waits.request > 3000);
    assert_true(waits.invalidation < waits.request + 3000);
}

/* Of the requester and of memory each has its own. */
static void test_whose_phases(void **state) {
    (void)state;
    for (int memory = 0; memory < 2; memory++) {
        const setting settings[] = {{memory == 1 ? "slow_memories" : "slow_sinks", "20"},
                                    {"slow_phase", "500"}};
        lw_waits waits;
        const lw_provocations p = provoke(settings, sizeof settings / sizeof settings[0], &waits);
        assert_int_equal(p.slow_sinks > 10, memory == 0);
        assert_int_equal(p.slow_memories > 10, memory == 1);
        assert_int_equal(p.slow_sinks == 0, memory == 1);
        assert_int_equal(p.slow_memories == 0, memory == 0);
        assert_int_equal(waits.held > 5000, memory == 0); /* responses are hardly taken, or reads */
        assert_int_equal(waits.memory_ready > 200, memory == 1);
    }
}

/* When each read was accepted, and how many cycles more it should take. */
typedef struct slow_reads {
    uint64_t since[1 << 10], more[1 << 10];
    uint64_t slow, plain;
} slow_reads;

static void time_reads(environment_run *r, void *ctx) {
    slow_reads *reads = ctx;
    const lw_slow_phase *phase = &r->env->slow.memory;
    if (r->in.mem_rsp_valid) {
        const uint64_t took = r->now - reads->since[r->in.mem_rsp_tag];
        const uint64_t more = reads->more[r->in.mem_rsp_tag];
        assert_true(took > more && took < more + 100);
        reads->slow += more > 100;
        reads->plain += more == 0;
    }
    if (r->out.mem_req_valid && r->in.mem_req_ready) {
        reads->since[r->out.mem_req_tag] = r->now;
        reads->more[r->out.mem_req_tag] = phase->left != 0 ? phase->latency : 0;
    }
}

/* A read that is accepted in a slow phase takes the phase's cycles more, and no other does. */
static void test_reads_in_slow_phases(void **state) {
    (void)state;
    static const lw_run run = {.workload = "random", .seed = 1, .max_requests = 3000};
    static slow_reads reads;
    environment_run r;
    environment_open(&r, "stress_small", &run, "slow_memories", "20");
    assert_true(lw_system_set(&r.system, "slow_phase", "1000", "", &r.err));
    if (!environment_go(&r, LONG, time_reads, &reads)) {
        fail_msg("%s", r.err.text);
    }
    assert_true(reads.slow > 20 && reads.plain > 500);
    environment_close(&r);
}

static void test_bursts(void **state) {
    (void)state;
    static const setting settings[] = {{"invalidation_bursts", "50"}, {"burst_length", "20"}};
    lw_waits waits;
    const lw_provocations p = provoke(settings, sizeof settings / sizeof settings[0], &waits);
    assert_true(p.os.bursts > 50);
    assert_true(p.os.burst_invalidations >= 2 * p.os.bursts);
    assert_true(p.os.burst_invalidations <= 21 * p.os.bursts);
}

static void test_tables(void **state) {
    (void)state;
    static const setting settings[] = {
        {"few_pages", "32"},    {"near_changes", "50"}, {"shared_tables", "60"},
        {"table_moves", "100"}, {"remaps", "100"},
    };
    lw_waits waits;
    const lw_provocations p = provoke(settings, sizeof settings / sizeof settings[0], &waits);
    assert_true(p.shared_tables > 2 && p.os.shared_changes > 20);
    assert_true(p.os.table_moves > 50 && p.os.tables_replaced > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slow_phases),
        cmocka_unit_test(test_wait_counts),
        cmocka_unit_test(test_old_owners),
        cmocka_unit_test(test_orphans_are_counted),
        cmocka_unit_test(test_every_pasid_has_owners),
        cmocka_unit_test(test_nothing_is_provoked_unasked),
        cmocka_unit_test(test_slow_and_late),
        cmocka_unit_test(test_whose_phases),
        cmocka_unit_test(test_reads_in_slow_phases),
        cmocka_unit_test(test_bursts),
        cmocka_unit_test(test_tables),
    };
    return cmocka_run_group_tests_name("provocations", tests, NULL, NULL);
}
