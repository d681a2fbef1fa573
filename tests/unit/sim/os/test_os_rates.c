/* The OS agent does as much as its rates say, and where they say: keys of a system that only the
 * kind of a run shows. */
#include "tests/unit/sim/os/space_walk.h"

#include "common/rng.h"
#include "sim/os/os_agent.h"

static const lw_array arrays[] = {{"pages", UINT64_C(0x10000000), 4096 << 12}};

enum { PROCESSES = 3, CYCLES = 20000, FIRST = 0x10000 };

typedef struct bench {
    lw_system system;
    lw_address_spaces *spaces;
    lw_oracle *oracle;
    lw_os_agent *agent;
    lw_inputs in;
    uint64_t done_at, now;
} bench;

static void begin(bench *b, const lw_system *rates) {
    lw_error err = {0};
    *b = (bench){.system = *rates, .done_at = UINT64_MAX};
    b->spaces = lw_address_spaces_new(&b->system, 1 << 14, 1, &err);
    for (uint32_t p = 0; p < PROCESSES; p++) {
        assert_true(lw_address_spaces_add(b->spaces, arrays, COUNT(arrays), &err));
    }
    const lw_oracle_config config = {.levels = 4,
                                     .pa_width = 48,
                                     .ids = 1,
                                     .pasids = b->system.hw.pasids,
                                     .read64 = read_memory,
                                     .ctx = b->spaces};
    b->oracle = lw_oracle_new(&config, &err);
    b->agent = lw_os_agent_new(&b->system, b->spaces, b->oracle, 1, &err);
    assert_non_null(b->agent);
}

static void end(bench *b) {
    lw_os_agent_free(b->agent);
    lw_oracle_free(b->oracle);
    lw_address_spaces_free(b->spaces);
}

/* A cycle of a unit that takes each invalidation at once, and has it done in the next. */
static void cycle(bench *b) {
    lw_error err = {0};
    lw_os_agent_drive(b->agent, &b->in);
    const bool done = b->now == b->done_at;
    b->done_at = b->in.inv_valid ? b->now + 1 : b->done_at;
    if (!lw_os_agent_tick(b->agent, b->in.inv_valid, done, &err)) {
        fail_msg("%s", err.text);
    }
    b->in.ctl_write = false;
    b->now++;
}

static lw_system no_rates(void) {
    lw_system s = make_system("random", 0, 4, 48);
    s.burst_length = 4;
    return s;
}

static uint64_t silent_changes_at(uint32_t rate) {
    bench b;
    lw_system s = no_rates();
    s.silent_changes = rate;
    s.remaps = 300; /* else nothing is there that may appear */
    begin(&b, &s);
    for (uint32_t c = 0; c < CYCLES; c++) {
        cycle(&b);
    }
    const lw_os_agent_counts n = lw_os_agent_provoked(b.agent);
    end(&b);
    return n.appeared + n.permitted;
}

/* In 10000 cycles; a change may find nothing to change. */
static void a_rate_is_a_rate(void **state) {
    (void)state;
    const uint64_t seldom = silent_changes_at(20), often = silent_changes_at(100);
    assert_in_range(seldom, 10, 20 * (CYCLES / 10000));
    assert_in_range(often, 50, 100 * (CYCLES / 10000));
}

/* Of a hundred of its own invalidations how many are of the line of PTEs whose page is asked for
 * all the time. */
static uint64_t near_at(uint32_t percent) {
    bench b;
    uint64_t all = 0, near = 0;
    lw_system s = no_rates();
    s.invalidations = 10000;
    s.near_changes = percent;
    begin(&b, &s);
    for (uint32_t c = 0; c < CYCLES; c++) {
        lw_os_agent_asked(b.agent, 1, FIRST + 7, c);
        cycle(&b);
        if (b.in.inv_valid && b.in.inv_type == LW_INV_PAGE) {
            all++;
            near += b.in.inv_pasid == 1 && b.in.inv_first / 8 == FIRST / 8;
        }
    }
    end(&b);
    assert_true(all > 1000);
    return 100 * near / all;
}

/* But for unknown PASIDs and neighbours that may not change, a few in a hundred. */
static void changes_come_near(void **state) {
    (void)state;
    assert_int_equal(near_at(0), 0);
    assert_in_range(near_at(50), 35, 50);
    assert_in_range(near_at(100), 80, 98);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rate_is_a_rate),
        cmocka_unit_test(changes_come_near),
    };
    return cmocka_run_group_tests_name("os_rates", tests, NULL, NULL);
}
