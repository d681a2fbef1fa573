/* The unit's port in front of a DRAM (docs/machine.md): how long a read takes is the DRAM's matter,
 * `memory_latency` has no effect, and the keys of the port have theirs. The DRAM is ddr3_1600,
 * whose clocks are 2.5 cycles of nha's GPU; no refresh is due in the cycles that are looked at. */
#include "tests/unit/sim/environment/environment_run.h"

#include <stdio.h>

static const lw_run kernel = {.workload = "lud", .seed = 1, .size = 64};

enum { READS = 3 };

/* Of the same channel: a closed row, another row of its bank, and a closed row of another bank. */
static const uint64_t lines[READS] = {0, 1 << 13, 1 << 10};

/* What the port does with three reads, each offered as soon as the one before it is taken. */
typedef struct seen {
    uint64_t taken[READS], back[READS]; /* the cycles */
    bool error[READS];
    uint64_t word; /* the first of the first line, which is 0 until the cycle after it is taken */
} seen;

static void open_port(environment_run *r, const char *const settings[3][2]) {
    memset(r, 0, sizeof *r);
    environment_load(&r->system, "nha", "dram", "ddr3_1600");
    assert_int_equal(r->system.clock_mhz, 2000);
    for (size_t i = 0; i < 3 && settings[i][0] != NULL; i++) {
        assert_true(lw_system_set(&r->system, settings[i][0], settings[i][1], "", &r->err));
    }
    r->env = lw_environment_new(&r->system, &kernel, &r->err);
    if (r->env == NULL) {
        fail_msg("%s", r->err.text);
    }
}

static seen look(const char *const settings[3][2]) {
    environment_run r;
    seen s = {.word = 0};
    uint32_t sent = 0;
    uint32_t back = 0;
    open_port(&r, settings);
    lw_line_port *port = r.env->port;
    for (uint64_t now = 0; back < READS; now++) {
        const lw_line_request request = {sent, lines[sent % READS]};
        const bool takes = sent < READS && lw_line_port_ready(port, now);
        lw_line_response response;
        assert_true(now < 100000);
        if (lw_line_port_response(port, now, &response)) {
            s.back[response.tag] = now;
            s.error[response.tag] = response.error;
            s.word = response.tag == 0 ? response.data[0] : s.word;
            back++;
        }
        lw_line_port_step(port, now, takes ? &request : NULL);
        if (takes) {
            s.taken[sent++] = now;
        }
        if (takes && sent == 1) {
            assert_true(lw_phys_mem_write64(lw_address_spaces_memory(r.env->spaces), 0, 5, &r.err));
        }
    }
    environment_close(&r);
    return s;
}

static void expect(const seen *s, const uint64_t taken[READS], const uint64_t back[READS]) {
    for (uint32_t i = 0; i < READS; i++) {
        assert_int_equal(s->taken[i], taken[i]);
        assert_int_equal(s->back[i], back[i]);
    }
}

/* Taken in cycles 0, 1 and 2, which are in clocks 0, 1 and 1. The first is opened in 0, read in 11
 * and there in 26, cycle 65. The second: PRE in 28, ACT in 39, RD in 50, there in 65 (162.5). The
 * third: ACT by tRRD in 5, RD in 16, there in 31 (77.5); in order it is given a cycle after the
 * second. */
static void how_long_a_read_takes(void **state) {
    (void)state;
    static const char *const latencies[] = {"fixed:1", "fixed:5000", "bank"};
    static const uint64_t taken[] = {0, 1, 2};
    for (size_t i = 0; i < sizeof latencies / sizeof latencies[0]; i++) {
        for (uint32_t reorder = 0; reorder < 2; reorder++) {
            const char *const settings[3][2] = {{"memory_latency", latencies[i]},
                                                {"memory_reorder", reorder != 0 ? "1" : "0"}};
            const seen s = look(settings);
            expect(&s, taken, (const uint64_t[]){65, 163, reorder != 0 ? 78 : 164});
            assert_true(!s.error[0] && !s.error[1] && !s.error[2]);
            assert_int_equal(s.word, 5); /* as it is when it answers */
        }
    }
}

/* One at a time: the next is taken in the cycle after the answer of the one before. The second in
 * 66, clock 27, as before; the third in 164, clock 66, there in 92, cycle 230. */
static void how_many_reads_are_under_way(void **state) {
    (void)state;
    static const char *const settings[3][2] = {{"memory_capacity", "1"}};
    const seen s = look(settings);
    expect(&s, (const uint64_t[]){0, 66, 164}, (const uint64_t[]){65, 163, 230});
}

static void reads_that_fail(void **state) {
    (void)state;
    static const char *const settings[3][2] = {{"memory_errors", "100"}, {"memory_reorder", "1"}};
    const seen s = look(settings);
    expect(&s, (const uint64_t[]){0, 1, 2}, (const uint64_t[]){65, 163, 78});
    assert_true(s.error[0] && s.error[1] && s.error[2]);
}

static void reads_that_are_late_or_early(void **state) {
    (void)state;
    static const char *const late[3][2] = {
        {"late_lines", "10000"}, {"late_cycles", "1000"}, {"memory_reorder", "1"}};
    static const char *const early[3][2] = {{"early_lines", "100"}, {"memory_reorder", "1"}};
    seen s = look(late);
    expect(&s, (const uint64_t[]){0, 1, 2}, (const uint64_t[]){1065, 1163, 1078});
    assert_int_equal(s.word, 5);
    s = look(early);
    expect(&s, (const uint64_t[]){0, 1, 2}, (const uint64_t[]){65, 163, 78});
    assert_int_equal(s.word, 0);
}

/* So many percent of cycles in which it takes none. */
static void cycles_that_take_none(void **state) {
    (void)state;
    static const char *const values[] = {"0", "40", "99"};
    static const uint64_t least[] = {10000, 5700, 50};
    static const uint64_t most[] = {10000, 6300, 150};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        const char *const settings[3][2] = {{"memory_not_ready", values[i]}};
        environment_run r;
        uint64_t ready = 0;
        open_port(&r, settings);
        for (uint64_t now = 0; now < 10000; now++) {
            ready += lw_line_port_ready(r.env->port, now);
        }
        assert_in_range(ready, least[i], most[i]);
        environment_close(&r);
    }
}

/* The DRAM is the data's too, and it is the run's: it has read what the port and the data path have
 * asked for, and tells of it. */
static void whose_memory_it_is(void **state) {
    (void)state;
    const lw_run run = {.workload = "lud", .seed = 1, .size = 64};
    environment_run r;
    lw_front_statistics front;
    static lw_banks banks;
    memset(&r, 0, sizeof r);
    environment_load(&r.system, "nha", "dram", "ddr3_1600");
    assert_true(lw_system_set(&r.system, "data", "1", "", &r.err));
    r.env = lw_environment_new(&r.system, &run, &r.err);
    r.twin = lw_iommu_new(&r.system.hw, &r.err);
    assert_true(r.env != NULL && r.twin != NULL);
    assert_true(environment_go(&r, 10000000, NULL, NULL));
    lw_environment_statistics(r.env, &front);
    lw_environment_banks(r.env, &banks);
    const lw_memory_use *users = banks.dram.users;
    assert_int_equal(users[LW_MEMORY_WALKS].reads,
                     lw_iommu_counter(r.twin, LW_C_PAGE_TABLE_ACCESSES));
    assert_true(users[LW_MEMORY_WALKS].reads > 0 && users[LW_MEMORY_WALKS].writes == 0);
    assert_int_equal(users[LW_MEMORY_DATA].reads, front.data.memory_reads);
    assert_int_equal(users[LW_MEMORY_DATA].writes, front.data.memory_writes);
    assert_true(front.data.memory_reads > 0);
    environment_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(how_long_a_read_takes), cmocka_unit_test(how_many_reads_are_under_way),
        cmocka_unit_test(reads_that_fail),       cmocka_unit_test(reads_that_are_late_or_early),
        cmocka_unit_test(cycles_that_take_none), cmocka_unit_test(whose_memory_it_is),
    };
    return cmocka_run_group_tests_name("environment_dram", tests, NULL, NULL);
}
