/* The waves of a session (dpi/session.h): from which cycle to which, what is in them, and what is
 * said of waves that cannot be written. */
#include "tests/unit/dpi/file_limit.h"
#include "tests/unit/dpi/session_bench.h"
#include "tests/unit/dpi/vcd.h"

#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[64];
static lw_event_ring events;

static void begin(session_bench *b, lw_side side) {
    session_begin(b, side, "stress_small", NULL);
    b->run.max_requests = 10;
    (void)snprintf(path, sizeof path, "/tmp/session_waves_XXXXXX");
    (void)close(mkstemp(path));
    b->options.lockstep_waves = path;
}

/* They begin and end with the cycles that are asked for, and show the registers after the last. */
static void test_cycles(void **state) {
    (void)state;
    static const struct {
        uint64_t from, to;
    } rows[] = {{0, 0}, {5, 0}, {0, 9}, {5, 9}, {7, 7}, {5, 1000000}};
    session_bench b;
    begin(&b, LW_SIDE_TWIN);
    const uint64_t cycles = session_go(&b)->cycles;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        vcd waves;
        b.options.waves_from = rows[i].from;
        b.options.waves_to = rows[i].to;
        assert_int_equal(session_go(&b)->cycles, cycles);
        const bool is_whole = rows[i].to == 0 || rows[i].to >= cycles;
        const uint64_t end = is_whole ? cycles : rows[i].to + 1;
        vcd_open(&waves, path);
        for (uint64_t cycle = rows[i].from; cycle <= end; cycle++) {
            assert_true(vcd_go_on(&waves));
            assert_int_equal(waves.time, cycle);
            assert_int_equal(vcd_value(&waves, "lockstep.cycle[63:0]"), cycle);
        }
        assert_false(vcd_go_on(&waves));
        vcd_close(&waves);
    }
    (void)unlink(path);
    char said[128];
    b.options.waves_from = cycles; /* after the run's end nothing is begun */
    b.options.waves_to = 0;
    assert_false(lw_session_run(&b.options, &b.result, NULL, &b.err));
    (void)snprintf(said, sizeof said,
                   "--waves-from: the run has %" PRIu64 " cycles, so nothing is there from cycle "
                   "%" PRIu64 " on; allowed: a cycle below",
                   cycles, cycles);
    assert_string_equal(b.err.text, said);
    assert_int_not_equal(access(path, F_OK), 0);
}

/* The ports of each side in the cycle in which they are so. */
static void test_ports(void **state) {
    (void)state;
    static const char *const sides[] = {"rtl", "twin"};
    session_bench b;
    vcd waves;
    begin(&b, LW_SIDE_BOTH);
    assert_true(lw_session_run(&b.options, &b.result, &events, &b.err));
    vcd_open(&waves, path);
    assert_true(vcd_go_on(&waves));
    uint64_t checked = 0;
    for (uint64_t i = 0; i < events.count; i++) {
        const lw_event *e = &events.ring[i];
        char name[64];
        while (waves.time < e->cycle) {
            assert_true(vcd_go_on(&waves));
        }
        for (size_t side = 0; side < 2 && e->kind == LW_EVENT_RESPONSE; side++) {
            (void)snprintf(name, sizeof name, "lockstep.ports.rsp_valid_%s", sides[side]);
            assert_int_equal(vcd_value(&waves, name), 1);
            (void)snprintf(name, sizeof name, "lockstep.ports.rsp_id_%s[11:0]", sides[side]);
            assert_int_equal(vcd_value(&waves, name), e->id);
        }
        if (e->kind == LW_EVENT_REQUEST) {
            assert_int_equal(vcd_value(&waves, "lockstep.ports.req_valid"), 1);
            assert_int_equal(vcd_value(&waves, "lockstep.ports.req_id[11:0]"), e->id);
        }
        assert_int_equal(vcd_value(&waves, "lockstep.differs"), 0);
        checked += e->kind == LW_EVENT_RESPONSE || e->kind == LW_EVENT_REQUEST;
    }
    assert_int_equal(checked, 20);
    vcd_close(&waves);
    (void)unlink(path);
}

/* A response that the RTL alone gives wrongly is wrong on its side of the waves. */
static void test_ports_that_differ(void **state) {
    (void)state;
    session_bench b;
    vcd waves;
    uint64_t wrong = 0;
    begin(&b, LW_SIDE_BOTH);
    b.options.nets_off = LW_NETS;
    b.options.max_cycles = 400;
    b.options.waves_from = 330;
    b.run.max_requests = 40;
    for (uint64_t at = 348; at < 380 && wrong == 0; at++) {
        b.options.rtl_injection = session_flip(LW_F_RESPONSE_OUT_PFN, 0, 1, at);
        assert_true(lw_session_run(&b.options, &b.result, &events, &b.err));
        vcd_open(&waves, path);
        while (vcd_go_on(&waves) && waves.next != UINT64_MAX) {
            const uint64_t rtl = vcd_value(&waves, "lockstep.ports.rsp_pfn_rtl[35:0]");
            const uint64_t twin = vcd_value(&waves, "lockstep.ports.rsp_pfn_twin[35:0]");
            for (uint64_t i = 0; rtl != twin && i < events.count; i++) {
                const lw_event *e = &events.ring[i];
                if (e->kind == LW_EVENT_RESPONSE && e->cycle == waves.time) {
                    assert_int_equal(twin, e->address);
                    assert_int_equal(rtl, e->address ^ 2);
                    wrong++;
                }
            }
        }
        vcd_close(&waves);
    }
    assert_true(wrong > 0);
    (void)unlink(path);
}

/* On the RTL alone there is nothing of the twin in them, and nothing differs. */
static void test_one_side(void **state) {
    (void)state;
    session_bench b;
    for (lw_side side = LW_SIDE_TWIN; side <= LW_SIDE_RTL; side++) {
        vcd waves;
        begin(&b, side);
        assert_false(session_go(&b)->mismatch.found);
        vcd_open(&waves, path);
        assert_int_equal(vcd_signal_named(&waves, "lockstep.ports.rsp_valid_rtl") != NULL,
                         side == LW_SIDE_RTL);
        assert_int_equal(vcd_signal_named(&waves, "lockstep.ports.rsp_valid_twin") != NULL,
                         side == LW_SIDE_TWIN);
        assert_int_equal(vcd_signal_named(&waves, "lockstep.BUFFER_1.VALID_rtl") != NULL,
                         side == LW_SIDE_RTL);
        vcd_close(&waves);
        (void)unlink(path);
    }
}

static void assert_refused(session_bench *b, const char *said) {
    assert_false(lw_session_run(&b->options, &b->result, NULL, &b->err));
    assert_string_equal(b->err.text, said);
}

static void test_refusals(void **state) {
    (void)state;
    session_bench b;
    begin(&b, LW_SIDE_TWIN);
    (void)unlink(path);
    b.options.lockstep_waves = "/nowhere/f.vcd";
    assert_refused(&b, "--waves: /nowhere/f.vcd cannot be written");
    b.options.lockstep_waves = "/dev/full";
    assert_refused(&b,
                   "--waves: /dev/full could not be written to its end, in cycle 0; is the disk "
                   "full?");
    b.options.waves_from = b.options.waves_to = 12;
    assert_refused(&b,
                   "--waves: /dev/full could not be written to its end, in cycle 12; is the disk "
                   "full?");
    begin(&b, LW_SIDE_RTL);
    (void)unlink(path);
    b.options.lockstep_waves = NULL;
    b.options.waves = "/nowhere/f.fst";
    assert_refused(&b, "--waves: /nowhere/f.fst cannot be written");
}

/* Waves that are cut by their last byte alone are refused; a run that is refused anyway says why.
 */
static void test_cut_at_the_end(void **state) {
    (void)state;
    session_bench b;
    struct stat s;
    char said[256];
    for (uint64_t to = 0; to < 40; to += 30) { /* at the run's end, and in its midst */
        begin(&b, LW_SIDE_TWIN);
        b.options.waves_to = to;
        const uint64_t cycles = session_go(&b)->cycles;
        assert_int_equal(stat(path, &s), 0);
        (void)unlink(path);
        limit_files((rlim_t)s.st_size - 1);
        (void)snprintf(said, sizeof said,
                       "--waves: %s could not be written to its end, in cycle %" PRIu64
                       "; is the disk full?",
                       path, to == 0 ? cycles : to + 1);
        assert_refused(&b, said);
        b.options.twin_injection = session_flip(LW_F_ROOT_ROOT_VALID, 3, 0, cycles);
        assert_false(lw_session_run(&b.options, &b.result, NULL, &b.err));
        assert_int_equal(strncmp(b.err.text, "--inject-twin", 13) == 0, to == 0);
        limit_files(RLIM_INFINITY);
        (void)unlink(path);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cycles),
        cmocka_unit_test(test_ports),
        cmocka_unit_test(test_ports_that_differ),
        cmocka_unit_test(test_one_side),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_cut_at_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
