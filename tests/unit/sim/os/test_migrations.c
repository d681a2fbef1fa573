/* Programs larger than the GPU's memory (docs/machine.md, R20.30): who has been asked for often
 * enough comes in, who was used least recently goes, one at a time. */
#include "tests/unit/sim/os/hashed_spaces.h"

#include "sim/os/migrations.h"
#include "sim/os/os_agent.h"

/* Four regions of 2 MiB in the upper half, of which two have room in the GPU's memory: those that
 * are mapped first. */
#define BASE UINT64_C(0xffff800000000000)
#define VPN (BASE >> 12 & ((UINT64_C(1) << 36) - 1))
#define REGION(i) (VPN + UINT64_C(512) * (i))
#define AFTER UINT64_C(3)
#define NOW 1000u

typedef struct bench {
    lw_system system;
    lw_address_spaces *spaces;
    lw_oracle *oracle;
    lw_os_agent *agent;
    lw_migrations m;
    uint64_t now;
} bench;

/* The second process has no hashed table with `every` 2, and is all remote with 1. */
static void begin_with(bench *b, uint32_t every) {
    static const lw_array array = {"data", BASE, UINT64_C(4) << 21};
    lw_error err = {0};
    *b = (bench){.system = hashed_system("contiguous", LW_SIZE_4K, 4, 48), .now = NOW};
    b->system.hashed_tables = every;
    b->system.local_share = 50;
    b->system.migrate_after = AFTER;
    b->spaces = lw_address_spaces_new(&b->system, 1 << 13, 1, &err);
    assert_true(lw_address_spaces_hash(b->spaces, every == 1 ? 8 : 4, &err));
    assert_true(lw_address_spaces_add(b->spaces, &array, 1, &err));
    assert_true(lw_address_spaces_add(b->spaces, &array, 1, &err));
    const lw_oracle_config config = {.levels = 4,
                                     .pa_width = 48,
                                     .ids = 1,
                                     .pasids = 4,
                                     .read64 = read_memory,
                                     .ctx = b->spaces};
    b->oracle = lw_oracle_new(&config, &err);
    b->agent = lw_os_agent_new(&b->system, b->spaces, b->oracle, 1, &err);
    assert_non_null(b->agent);
}

static void begin(bench *b) {
    begin_with(b, 2);
}

static void end(bench *b) {
    lw_os_agent_free(b->agent);
    lw_oracle_free(b->oracle);
    lw_address_spaces_free(b->spaces);
}

/* Whether the region of the first process is local; an access that shows it otherwise counts. */
static bool is_local(bench *b, uint32_t region) {
    return lw_hashed_table_access(lw_address_spaces_hashed(b->spaces), 0, REGION(region),
                                  b->now++) == 0;
}

/* ---------------------------------------------------------------- by hand */

static void asked(bench *b, uint32_t process, uint32_t region, uint64_t times) {
    for (uint64_t i = 0; i < times; i++) {
        lw_migrations_asked(&b->m, b->spaces, process, REGION(region) + i, AFTER, b->now++);
    }
}

/* The words of the plan are written. */
static void carry_out(bench *b) {
    lw_os_plan plan;
    lw_error err = {0};
    bool written = true;
    assert_true(lw_migrations_make(&b->m, b->spaces, &plan, &err));
    assert_int_equal(plan.count, 1); /* nobody has made room in a chain: no invalidation */
    assert_int_equal(plan.steps[0].kind, LW_STEP_WORDS);
    while (written) {
        assert_true(lw_hashed_table_step(lw_address_spaces_hashed(b->spaces), &written, &err));
    }
}

static void test_due_after_so_many(void **state) {
    (void)state;
    bench b;
    begin(&b);
    asked(&b, 0, 0, 10); /* local */
    asked(&b, 0, 1, 10);
    asked(&b, 1, 2, 10); /* of a radix table */
    assert_true(!b.m.due && b.m.accesses == 0);
    asked(&b, 0, 3, AFTER - 1);
    asked(&b, 0, 2, AFTER - 1);
    assert_true(!b.m.due && b.m.accesses == 2 * (AFTER - 1));
    asked(&b, 0, 3, 1);
    assert_true(b.m.due && b.m.process == 0 && b.m.vpn >> 9 == REGION(3) >> 9);
    asked(&b, 0, 2, 4); /* waits for its turn */
    assert_true(b.m.vpn >> 9 == REGION(3) >> 9);
    assert_int_equal(b.m.accesses, 2 * AFTER + 3);
    carry_out(&b);
    assert_true(!b.m.due && b.m.made == 1);
    assert_true(is_local(&b, 3) && is_local(&b, 1) && !is_local(&b, 0) && !is_local(&b, 2));
    asked(&b, 0, 2, 1); /* the next access to it is enough */
    assert_true(b.m.due && b.m.vpn >> 9 == REGION(2) >> 9);
    carry_out(&b);
    assert_true(is_local(&b, 2) && is_local(&b, 3) && !is_local(&b, 1));
    assert_int_equal(b.m.made, 2);
    /* accesses count since it left */
    asked(&b, 0, 1, AFTER - 2);
    assert_false(b.m.due);
    asked(&b, 0, 1, 1);
    assert_true(b.m.due);
    end(&b);
}

/* The region of that process comes in, and none of another's at the same pages. */
static void test_of_a_process(void **state) {
    (void)state;
    bench b;
    begin_with(&b, 1);
    lw_hashed_table *t = lw_address_spaces_hashed(b.spaces);
    asked(&b, 1, 2, AFTER);
    assert_true(b.m.due && b.m.process == 1);
    carry_out(&b);
    assert_int_equal(lw_hashed_table_access(t, 1, REGION(2), b.now), 0);
    assert_int_equal(lw_hashed_table_access(t, 1, REGION(3), b.now), 1);
    assert_true(!is_local(&b, 0) && is_local(&b, 1) && is_local(&b, 2));
    end(&b);
}

/* One that is due is not brought in twice. */
static void test_due_and_there_already(void **state) {
    (void)state;
    bench b;
    begin(&b);
    b.m = (lw_migrations){.due = true, .process = 0, .vpn = REGION(0)};
    carry_out(&b);
    assert_true(!b.m.due && b.m.made == 0);
    assert_true(is_local(&b, 0) && is_local(&b, 1));
    end(&b);
}

/* ---------------------------------------------------------------- the agent */

static void tick(bench *b) {
    lw_inputs in = {0};
    lw_error err = {0};
    lw_os_agent_drive(b->agent, &in);
    assert_false(in.ctl_write || in.inv_valid);
    assert_true(lw_os_agent_tick(b->agent, false, false, &err));
    b->now++;
}

static void agent_asked(bench *b, uint32_t region, uint64_t times) {
    for (uint64_t i = 0; i < times; i++) {
        lw_os_agent_asked(b->agent, 0, BASE >> 12 | REGION(region), b->now);
    }
}

/* Until nothing has been to be done for two cycles. */
static void go_on(bench *b) {
    for (uint32_t idle = 0; idle < 2; idle = lw_os_agent_busy(b->agent) ? 0 : idle + 1) {
        tick(b);
    }
}

/* Nothing happens by itself; what is due is brought in a word a cycle. */
static void test_a_word_a_cycle(void **state) {
    (void)state;
    bench b;
    uint64_t cycles = 0;
    begin(&b);
    agent_asked(&b, 3, AFTER - 1);
    assert_int_equal(lw_os_agent_next_event(b.agent, b.now), UINT64_MAX);
    for (uint32_t i = 0; i < 100; i++) {
        tick(&b);
        assert_false(lw_os_agent_busy(b.agent));
    }
    agent_asked(&b, 3, 1);
    assert_int_equal(lw_os_agent_next_event(b.agent, b.now), b.now + 1);
    for (tick(&b); lw_os_agent_busy(b.agent); tick(&b)) {
        assert_int_equal(lw_os_agent_next_event(b.agent, b.now), b.now + 1);
        cycles++;
    }
    assert_true(cycles > 512); /* each PTE of the region, and more */
    const lw_os_agent_counts counts = lw_os_agent_provoked(b.agent);
    assert_int_equal(counts.migrations, 1);
    assert_int_equal(counts.remote_accesses, AFTER);
    assert_true(is_local(&b, 3) && !is_local(&b, 0));
    end(&b);
}

/* With room for all nobody counts. */
static void test_all_are_local(void **state) {
    (void)state;
    bench b;
    begin(&b);
    b.system.local_share = LW_ALL_LOCAL;
    agent_asked(&b, 3, 2 * AFTER);
    tick(&b);
    assert_false(lw_os_agent_busy(b.agent));
    assert_int_equal(lw_os_agent_provoked(b.agent).remote_accesses, 0);
    end(&b);
}

/* Of those that become due while another's words are written the first is next, and the others wait
 * for another access. */
static void test_who_becomes_due_meanwhile(void **state) {
    (void)state;
    bench b;
    begin(&b);
    agent_asked(&b, 3, AFTER);
    tick(&b);
    assert_true(lw_os_agent_busy(b.agent));
    agent_asked(&b, 2, AFTER);
    assert_int_equal(lw_os_agent_provoked(b.agent).migrations, 1); /* one at a time */
    go_on(&b);
    assert_int_equal(lw_os_agent_provoked(b.agent).migrations, 2);
    assert_true(is_local(&b, 3) && is_local(&b, 2)); /* nobody else has come in their place */
    agent_asked(&b, 0, AFTER);
    agent_asked(&b, 1, AFTER);
    go_on(&b);
    assert_int_equal(lw_os_agent_provoked(b.agent).migrations, 3);
    assert_true(is_local(&b, 0) && !is_local(&b, 1));
    agent_asked(&b, 1, 1);
    go_on(&b);
    assert_int_equal(lw_os_agent_provoked(b.agent).migrations, 4);
    end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_due_after_so_many),
        cmocka_unit_test(test_of_a_process),
        cmocka_unit_test(test_due_and_there_already),
        cmocka_unit_test(test_a_word_a_cycle),
        cmocka_unit_test(test_all_are_local),
        cmocka_unit_test(test_who_becomes_due_meanwhile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
