/* A session on the twin alone (dpi/session.h): where it ends, what it calls, and what it refuses.
 */
#include "tests/unit/dpi/session_bench.h"

#include <inttypes.h>
#include <stdio.h>

static const char slow[] = "fixed:20000"; /* so that most cycles are left out */

/* It has so many cycles as it is told, or as the run has, whatever is left out between them. */
static void test_max_cycles(void **state) {
    (void)state;
    session_bench b, cut;
    session_begin(&b, LW_SIDE_TWIN, "nha", slow);
    const uint64_t whole = session_go(&b)->cycles;
    assert_int_equal(b.result.requests, 200);
    assert_int_equal(b.result.responses, 200);
    assert_int_equal(b.result.resets, 0);
    const uint64_t most[] = {1, 2, 2500, 17501, whole - 1, whole, whole + 1, whole + 100000};
    for (size_t i = 0; i < sizeof most / sizeof most[0]; i++) {
        session_begin(&cut, LW_SIDE_TWIN, "nha", slow);
        cut.options.max_cycles = most[i];
        assert_int_equal(session_go(&cut)->cycles, most[i] < whole ? most[i] : whole);
        assert_false(cut.result.mismatch.found);
    }
    assert_same_figures(&cut.result, &b.result);
}

typedef struct asked {
    session_bench *bench;
    uint64_t count, last, stop_at;
    uint64_t at[512];
    volatile sig_atomic_t stop;
} asked;

static void ask(void *ctx, uint64_t cycle, const lw_inputs *in) {
    asked *a = ctx;
    assert_true(in->req_valid);
    assert_true(a->count < sizeof a->at / sizeof a->at[0]);
    a->at[a->count++] = cycle;
    a->stop = a->count == a->stop_at;
}

/* Of each request that is transferred its cycle is told, as the events have it; those of a run
 * before are gone. */
static void test_requests(void **state) {
    (void)state;
    static lw_event_ring events;
    session_bench b;
    asked a = {.count = 0};
    events.count = 12345;
    session_begin(&b, LW_SIDE_TWIN, "stress_small", NULL);
    b.options.asked = ask;
    b.options.asked_ctx = &a;
    assert_true(lw_session_run(&b.options, &b.result, &events, &b.err));
    assert_int_equal(a.count, b.result.requests);
    assert_true(events.count < LW_EVENTS);
    uint64_t requests = 0, responses = 0;
    for (uint64_t i = 0; i < events.count; i++) {
        if (events.ring[i].kind == LW_EVENT_REQUEST) {
            assert_int_equal(events.ring[i].cycle, a.at[requests]);
            requests++;
        }
        responses += events.ring[i].kind == LW_EVENT_RESPONSE;
    }
    assert_int_equal(requests, b.result.requests);
    assert_int_equal(responses, b.result.responses);
}

/* A run that is stopped ends after its cycle; what is not answered is no fault of the unit. */
static void test_stop(void **state) {
    (void)state;
    session_bench b;
    asked a = {.stop_at = 50};
    session_begin(&b, LW_SIDE_TWIN, "stress_small", NULL);
    b.options.asked = ask;
    b.options.asked_ctx = &a;
    b.options.stop = &a.stop;
    assert_int_equal(session_go(&b)->requests, 50);
    assert_int_equal(b.result.cycles, a.at[49] + 1);
    assert_true(b.result.stopped);
    assert_false(b.result.mismatch.found);
    assert_true(b.result.responses < 50);
    a = (asked){.stop = 1}; /* before its first cycle */
    assert_int_equal(session_go(&b)->cycles, 0);
    assert_true(b.result.stopped);
    a = (asked){.stop = 0};
    assert_int_equal(session_go(&b)->requests, 200);
    assert_false(b.result.stopped);
}

typedef struct shown {
    uint64_t count, cycle, requests;
} shown;

static void show(void *ctx, uint64_t cycle, uint64_t requests, uint64_t total) {
    shown *s = ctx;
    assert_true(cycle > s->cycle && requests >= s->requests);
    assert_int_equal(total, 200);
    assert_true(s->count != 0 || requests < 100);
    *s = (shown){s->count + 1, cycle, requests};
}

/* The cycle, and how many requests of how many there have been. */
static void test_progress(void **state) {
    (void)state;
    session_bench b;
    shown s = {0, 0, 0};
    session_begin(&b, LW_SIDE_TWIN, "nha", slow);
    assert_true(lw_system_set(&b.system, "outstanding", "16", "", &b.err));
    b.options.progress = show;
    b.options.progress_ctx = &s;
    assert_true(session_go(&b)->cycles > 200000);
    assert_true(s.count >= 3);
    assert_true(s.cycle <= b.result.cycles && b.result.cycles - s.cycle < 50000);
    assert_true(s.requests > 100 && s.requests <= 200);
}

/* A flip takes place in its cycle, also where the twin has nothing to do. */
static void test_flips(void **state) {
    (void)state;
    session_bench b;
    session_begin(&b, LW_SIDE_TWIN, "nha", slow);
    const uint64_t whole = session_go(&b)->cycles;
    for (uint64_t at = whole / 8; at < whole / 2; at += whole / 8) {
        b.options.twin_injection = session_flip(LW_F_ROOT_ROOT_VALID, 0, 0, at);
        const lw_mismatch *m = &session_go(&b)->mismatch;
        assert_true(m->found && m->oracle);
        assert_false(m->hang || m->ports || m->assertion || m->after_reset);
        assert_int_equal(m->differences, 0);
        assert_int_equal(m->request_id, LW_NO_REQUEST);
        assert_true(m->cycle > at && m->cycle < whole);
        assert_int_equal(b.result.cycles, m->cycle + 1);
        assert_string_not_equal(m->sentence.text, "");
    }
    /* around a line, with the first cycle among them that is left out */
    static lw_event_ring events;
    b.options.twin_injection.on = false;
    assert_true(lw_session_run(&b.options, &b.result, &events, &b.err));
    uint64_t line = 0;
    while (events.ring[line].kind != LW_EVENT_LINE) {
        line++;
    }
    for (uint64_t at = 0; at < 50; at++) {
        b.options.twin_injection =
            session_flip(LW_F_ROOT_ROOT_VALID, 0, 0, events.ring[line].cycle + at);
        assert_true(session_go(&b)->mismatch.oracle);
    }
}

/* It is refused in the first cycle that the run has not. */
static void test_flips_at_the_end(void **state) {
    (void)state;
    session_bench b;
    char said[256];
    session_begin(&b, LW_SIDE_TWIN, "nha", slow);
    const uint64_t whole = session_go(&b)->cycles;
    b.options.twin_injection = session_flip(LW_F_ROOT_ROOT_VALID, 0, 0, whole - 1);
    assert_false(session_go(&b)->mismatch.found);
    for (uint64_t more = 0; more < 2; more++) {
        b.options.twin_injection.cycle = whole + more;
        assert_false(lw_session_run(&b.options, &b.result, NULL, &b.err));
    }
    (void)snprintf(said, sizeof said,
                   "--inject-twin: the run has %" PRIu64 " cycles, so the flip in cycle %" PRIu64
                   " never took place; allowed: a cycle below",
                   whole, whole + 1);
    assert_string_equal(b.err.text, said);
    b.options.max_cycles = whole; /* nor in a run that is ended there */
    assert_false(lw_session_run(&b.options, &b.result, NULL, &b.err));
    assert_string_equal(b.err.text, said);
    /* There is no RTL to flip a bit of. */
    session_begin(&b, LW_SIDE_TWIN, "nha", slow);
    b.options.rtl_injection = session_flip(LW_F_ROOT_ROOT_VALID, 0, 0, whole);
    assert_false(session_go(&b)->mismatch.found);
}

/* At the end of a run, and of a part of one, the unit's counters are what the ports have shown: a
 * walker that has forgotten what it asked for gets a line that is nobody's. */
static void test_counters(void **state) {
    (void)state;
    session_bench b;
    for (int part = 0; part < 2; part++) {
        bool found = false;
        session_begin(&b, LW_SIDE_TWIN, "stress_small", NULL);
        for (uint64_t at = 1000; at < 2000 && !found; at += 7) {
            b.options.twin_injection = session_flip(LW_F_PWST_STATE, 0, 1, at);
            b.options.max_cycles = part != 0 ? at + 60 : 0;
            const lw_mismatch *m = &session_go(&b)->mismatch;
            found = strstr(m->sentence.text, "STRAY_LINES is 1, its ports have shown 0") != NULL;
            if (found) {
                assert_true(m->found && m->oracle);
                assert_false(m->hang);
                assert_int_equal(m->cycle, b.result.cycles);
                assert_true(part == 0 || m->cycle == at + 60);
            }
        }
        assert_true(found);
    }
}

/* After the last reset, whose cycle the seed says, all is as in a run without: the environment
 * starts over, and the unit too. */
static void test_resets(void **state) {
    (void)state;
    session_bench b, plain;
    uint64_t last[2];
    for (size_t i = 0; i < 2; i++) {
        session_begin(&plain, LW_SIDE_TWIN, "stress_small", NULL);
        plain.run.max_requests = 600;
        plain.run.seed = 1 + i;
        const uint64_t whole = session_go(&plain)->cycles;
        assert_true(whole > 4000); /* the most cycles between two resets */
        b = plain;
        b.options.system = &b.system;
        b.options.run = &b.run;
        b.options.resets = 3;
        assert_false(session_go(&b)->mismatch.found);
        assert_int_equal(b.result.resets, 3);
        last[i] = b.result.cycles - whole;
        assert_in_range(last[i], 100, 12000);
        assert_memory_equal(b.result.counters, plain.result.counters, sizeof b.result.counters);
        assert_same_figures(&b.result, &plain.result);
    }
    assert_int_not_equal(last[0], last[1]);
}

/* One comes in its cycle also where the twin has nothing to do. */
static void test_a_reset_while_idle(void **state) {
    (void)state;
    session_bench b;
    for (uint64_t seed = 1; seed < 9; seed++) {
        session_begin(&b, LW_SIDE_TWIN, "nha", slow);
        b.run.seed = seed;
        b.run.max_requests = 20;
        const uint64_t whole = session_go(&b)->cycles;
        b.options.resets = 2;
        assert_int_equal(session_go(&b)->resets, 2);
        assert_in_range(b.result.cycles - whole, 2, 8000);
    }
}

/* A run that is too short for them is refused. */
static void test_too_many_resets(void **state) {
    (void)state;
    session_bench b;
    char said[256];
    session_begin(&b, LW_SIDE_TWIN, "stress_small", NULL);
    b.run.max_requests = 5;
    b.options.resets = 1000;
    assert_false(lw_session_run(&b.options, &b.result, NULL, &b.err));
    const uint32_t took_place = b.result.resets;
    assert_true(took_place < 1000);
    (void)snprintf(said, sizeof said,
                   " cycles, so only %" PRIu32
                   " of 1000 resets took place; allowed: so many, or a longer run",
                   took_place);
    assert_memory_equal(b.err.text, "--resets: the run has ", 22);
    assert_non_null(strstr(b.err.text, said));
    b.options.resets = took_place; /* all of them, and one more */
    assert_true(lw_session_run(&b.options, &b.result, NULL, &b.err));
    b.options.resets = took_place + 1;
    assert_false(lw_session_run(&b.options, &b.result, NULL, &b.err));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_max_cycles),
        cmocka_unit_test(test_requests),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_flips),
        cmocka_unit_test(test_flips_at_the_end),
        cmocka_unit_test(test_counters),
        cmocka_unit_test(test_resets),
        cmocka_unit_test(test_a_reset_while_idle),
        cmocka_unit_test(test_too_many_resets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
