/* Old owners in a run (R11.13): who is an orphan is seen at the ports, and an orphan that is not
 * answered by the completion of the invalidation that it must not outlive ends the run. */
#include "tests/unit/sim/environment/environment_run.h"

#include "sim/environment/old_owners.h"

#define LONG UINT64_C(10000000)

static const lw_run stress = {.workload = "random", .seed = 1, .max_requests = 4000};

typedef struct witness {
    lw_old_owners *owners;
    uint64_t since[1 << 16];
    uint32_t pasid[1 << 16];
} witness;

/* What the ports show, in the order in which it counts: invalidation and root, request, response,
 * completion. */
static void see(environment_run *r, void *ctx) {
    witness *w = ctx;
    lw_old_owners_cycle(w->owners, r->now, &r->in, r->in.inv_valid && r->out.inv_ready);
    if (r->in.req_valid && r->out.req_ready) {
        lw_old_owners_enter(w->owners, r->in.req_pasid);
        w->since[r->in.req_id] = r->now;
        w->pasid[r->in.req_id] = r->in.req_pasid;
    }
    if (r->out.rsp_valid && r->in.rsp_ready) {
        lw_old_owners_leave(w->owners, w->pasid[r->out.rsp_id], w->since[r->out.rsp_id]);
    }
    if (r->out.inv_done) {
        assert_true(lw_old_owners_done(w->owners, &r->err));
    }
}

static void test_orphans_are_told(void **state) {
    (void)state;
    static witness w;
    environment_run r;
    environment_open(&r, "stress_small", &stress, "root_changes", "100");
    w.owners = lw_old_owners_new(r.system.hw.pasids);
    if (!environment_go(&r, LONG, see, &w)) {
        fail_msg("%s", r.err.text);
    }
    const lw_provocations p = lw_environment_provocations(r.env);
    assert_int_equal(p.orphans, lw_old_owners_orphans(w.owners));
    assert_int_equal(p.orphans_met, lw_old_owners_met(w.owners));
    assert_true(p.orphans > 20 && p.orphans_met > 20);
    lw_old_owners_free(w.owners);
    environment_close(&r);
}

/* From the first root that vanishes on, who has none is not answered. */
static void keep_orphans(environment_run *r, void *ctx) {
    (void)ctx;
    if (lw_environment_provocations(r->env).orphans != 0 && r->out.rsp_valid &&
        r->out.rsp_kind == LW_UNKNOWN_PASID) {
        r->out.rsp_valid = false;
    }
}

static void test_orphan_outlives_its_invalidation(void **state) {
    (void)state;
    environment_run r;
    environment_open(&r, "stress_small", &stress, "root_changes", "100");
    assert_false(environment_go(&r, LONG, keep_orphans, NULL));
    assert_int_equal(lw_environment_verdict(r.env), LW_VERDICT_WRONG);
    assert_non_null(strstr(r.err.text, "inv_done is high, and "));
    assert_non_null(strstr(r.err.text, "are not answered, though it had no root then"));
    environment_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orphans_are_told),
        cmocka_unit_test(test_orphan_outlives_its_invalidation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
