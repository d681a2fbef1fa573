/* Whether the machine goes on is seen by what it does as a whole: neither ideal translation nor a
 * GPU that hits in all its TLBs hangs, and whoever stands still is named, whatever the translation.
 */
#define _POSIX_C_SOURCE 200809L

#include "tests/unit/sim/environment/environment_run.h"

#include <stdio.h>
#include <unistd.h>

/* More cycles than anything waits for in these runs, and far less than they take. */
#define MOST UINT64_C(2000)
#define LONG UINT64_C(200000)

/* Whether all of the run, or so many cycles of it, go on; `silence`: the most cycles without a
 * request or a response. */
static bool goes_on(environment_run *r, uint64_t cycles, hand_fn *hand, void *ctx,
                    uint64_t *silence) {
    uint64_t moved = 0;
    *silence = 0;
    for (uint64_t n = 0; n < cycles && !lw_environment_finished(r->env); n++) {
        if (!environment_cycle(r, hand, ctx)) {
            fail_msg("%s", r->err.text);
        }
        const bool moves =
            (r->in.req_valid && r->out.req_ready) || (r->out.rsp_valid && r->in.rsp_ready);
        moved = moves ? n : moved;
        *silence = n - moved > *silence ? n - moved : *silence;
        if (!lw_environment_goes_on(r->env, r->now, MOST, &r->err)) {
            return false;
        }
    }
    return true;
}

static void assert_stands_still(environment_run *r, const char *who) {
    assert_non_null(strstr(r->err.text, "no instruction, translation, line of data, request, "
                                        "response or read for 2000 cycles: "));
    assert_string_equal(strstr(r->err.text, ": ") + 2, who);
    environment_close(r);
}

/* Each of these is something that goes on, and keeps the machine going for so many cycles, but for
 * not one more. */
static void test_what_goes_on(void **state) {
    (void)state;
    static const lw_run run = {.workload = "repeat", .seed = 1, .max_requests = 10};
    environment_run r;
    environment_open(&r, "nha", &run, NULL, NULL);
    lw_port_counts *c = &r.env->counts;
    uint64_t now = 7;
    uint64_t boot = 0; /* there it is another type */
    uint64_t *const parts[] = {&c->requests, &c->responses, &c->line_reads, &c->lines, &boot};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        ++*parts[i];
        r.env->boot += parts[i] == &boot;
        assert_true(lw_environment_goes_on(r.env, now, MOST, &r.err));
        assert_true(lw_environment_goes_on(r.env, now + MOST, MOST, &r.err));
        assert_false(lw_environment_goes_on(r.env, now + MOST + 1, MOST, &r.err));
        now += MOST + 1;
    }
    environment_close(&r);
}

/* A kernel that needs a few pages, over and over, and as many cycles. */
static const lw_run few_pages = {.workload = "gramschm", .seed = 1, .size = 64};

static void test_who_asks_nothing_goes_on(void **state) {
    (void)state;
    static const struct {
        const char *system, *data;
    } rows[] = {{"ideal", "0"}, {"ideal", "1"}, {"nha", "0"}, {"nha", "1"}, {"mesc", "1"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        environment_run r;
        uint64_t silence = 0;
        environment_open(&r, rows[i].system, &few_pages, "data", rows[i].data);
        if (!goes_on(&r, LONG, NULL, NULL, &silence)) {
            fail_msg("%s, data %s: %s", rows[i].system, rows[i].data, r.err.text);
        }
        assert_true(silence > 10 * MOST);
        assert_int_equal(lw_environment_requests(r.env) == 0, r.system.ideal_translation);
        environment_close(&r);
    }
}

/* ---------------------------------------------------------------- who stands still */

static void stop(void *self, uint64_t now) {
    (void)self;
    (void)now;
}

static void stop_the_gpu(environment_run *r, void *ctx) {
    const uint64_t *when = ctx;
    if (r->now == *when) {
        r->env->front.tick = stop;
    }
}

static void test_gpu_that_stops(void **state) {
    (void)state;
    static const char *const systems[] = {"ideal", "nha"};
    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++) {
        for (int data = 0; data < 2; data++) {
            environment_run r;
            uint64_t when = 7000;
            uint64_t silence = 0;
            environment_open(&r, systems[i], &few_pages, "data", data == 0 ? "0" : "1");
            assert_false(goes_on(&r, LONG, stop_the_gpu, &when, &silence));
            assert_true(r.now + 100 > when + MOST && r.now < when + MOST + 1000);
            assert_stands_still(&r, "the GPU hangs, the unit owes it nothing");
        }
    }
}

static void forget(void *self, uint64_t now, const lw_front_response *response) {
    (void)self;
    (void)now;
    (void)response;
}

/* Answers that the GPU loses: its waves wait for ever, and the unit is done. The OS goes on. */
static void test_gpu_that_loses_answers(void **state) {
    (void)state;
    environment_run r;
    uint64_t silence = 0;
    environment_open(&r, "nha", &few_pages, "remaps", "5000");
    r.env->front.response = forget;
    assert_false(goes_on(&r, LONG, NULL, NULL, &silence));
    assert_true(lw_os_agent_provoked(r.env->agent).page_changes > 10);
    assert_string_equal(strstr(r.err.text, "the GPU"), "the GPU hangs, the unit owes it nothing");
    environment_close(&r);
}

static void lose_responses(environment_run *r, void *ctx) {
    (void)ctx;
    r->out.rsp_valid = false;
}

static void lose_completions(environment_run *r, void *ctx) {
    (void)ctx;
    r->out.inv_done = false;
}

static void lose_later_completions(environment_run *r, void *ctx) {
    uint32_t *left = ctx;
    *left -= r->out.inv_done && *left != 0 ? 1 : 0;
    r->out.inv_done = r->out.inv_done && *left != 0;
}

static void take_no_invalidation(environment_run *r, void *ctx) {
    (void)ctx;
    r->out.inv_ready = r->out.inv_done = false;
}

/* The unit is idle, and takes what comes no more. */
static bool refuse(environment_run *r) {
    uint64_t still = 0;
    while (still <= MOST + 10) {
        lw_environment_drive(r->env, r->now, &r->in);
        r->out = (lw_outputs){.req_ready = false};
        if (!lw_environment_observe(r->env, r->now++, &r->in, &r->out, &r->err)) {
            fail_msg("%s", r->err.text);
        }
        if (!lw_environment_goes_on(r->env, r->now, MOST, &r->err)) {
            return false;
        }
        still++;
    }
    return true;
}

static void test_unit_that_stops(void **state) {
    (void)state;
    static const lw_run one_page = {.workload = "repeat", .seed = 1, .max_requests = 100000};
    static const lw_run short_run = {.workload = "repeat", .seed = 1, .max_requests = 100};
    environment_run r;
    uint64_t silence = 0;
    environment_open(&r, "nha", &few_pages, NULL, NULL);
    assert_false(goes_on(&r, LONG, lose_responses, NULL, &silence));
    assert_stands_still(&r, "the unit hangs, it owes a response");
    environment_open(&r, "nha", &one_page, NULL, NULL);
    assert_false(refuse(&r));
    assert_stands_still(&r, "the unit hangs, it takes no request");
    environment_open(&r, "nha", &short_run, "remaps", "5000");
    assert_false(goes_on(&r, LONG, lose_completions, NULL, &silence));
    assert_stands_still(&r, "the unit hangs, it owes a completion");
    uint32_t left = 5; /* the others come */
    environment_open(&r, "nha", &short_run, "remaps", "5000");
    assert_false(goes_on(&r, LONG, lose_later_completions, &left, &silence));
    assert_int_equal(r.env->counts.invalidations, 4);
    assert_stands_still(&r, "the unit hangs, it owes a completion");
    environment_open(&r, "nha", &short_run, "remaps", "5000");
    assert_false(goes_on(&r, LONG, take_no_invalidation, NULL, &silence));
    assert_stands_still(&r, "the unit hangs, it takes no invalidation");
}

/* ---------------------------------------------------------------- streams with cycles of their own
 */

static const char *write_stream(char path[], const char *text) {
    const int file = mkstemp(path);
    FILE *out = file < 0 ? NULL : fdopen(file, "w");
    assert_non_null(out);
    assert_true(fputs(text, out) >= 0);
    assert_int_equal(fclose(out), 0);
    return path;
}

/* It may pause for any time, to the unit and through the GPU's TLBs, but not for longer. */
static void test_stream_that_pauses(void **state) {
    (void)state;
    char path[] = "/tmp/lockwalk_progress_XXXXXX";
    lw_run run = {.stream = write_stream(path, "0 1 r\n0 2 r 50000\n0 2 r 90000\n"), .seed = 1};
    for (int tlbs = 0; tlbs < 2; tlbs++) {
        environment_run r;
        uint64_t silence = 0;
        uint64_t when = 45000;
        run.through_tlbs = tlbs != 0;
        environment_open(&r, "nha", &run, NULL, NULL);
        if (!goes_on(&r, LONG, NULL, NULL, &silence)) {
            fail_msg("%s", r.err.text);
        }
        assert_true(lw_environment_finished(r.env) && silence > 10 * MOST);
        environment_close(&r);
        if (tlbs != 0) { /* which stop: what is due then is never issued */
            environment_open(&r, "nha", &run, NULL, NULL);
            assert_false(goes_on(&r, LONG, stop_the_gpu, &when, &silence));
            assert_true(r.now > 50000 + MOST && r.now < 50010 + MOST);
            assert_stands_still(&r, "the stream hangs, the unit owes it nothing");
        }
    }
    (void)remove(path);
}

/* A pause excuses neither a GPU that has lost an answer nor a unit that owes a completion: each is
 * seen long before the stream's next cycle. */
static void test_pause_excuses_nobody(void **state) {
    (void)state;
    char path[] = "/tmp/lockwalk_progress_XXXXXX";
    lw_run run = {.stream = write_stream(path, "0 1 r\n0 2 r 190000\n"), .seed = 1};
    for (int tlbs = 0; tlbs < 2; tlbs++) {
        environment_run r;
        uint64_t silence = 0;
        run.through_tlbs = tlbs != 0;
        environment_open(&r, "nha", &run, NULL, NULL);
        r.env->front.response = forget;
        assert_false(goes_on(&r, LONG, NULL, NULL, &silence));
        assert_true(r.now < 10 * MOST);
        assert_stands_still(&r, "the stream hangs, the unit owes it nothing");
        environment_open(&r, "nha", &run, "remaps", "5000");
        assert_false(goes_on(&r, LONG, lose_completions, NULL, &silence));
        assert_true(r.now < 10 * MOST);
        assert_stands_still(&r, "the unit hangs, it owes a completion");
    }
    (void)remove(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_goes_on),
        cmocka_unit_test(test_who_asks_nothing_goes_on),
        cmocka_unit_test(test_gpu_that_stops),
        cmocka_unit_test(test_gpu_that_loses_answers),
        cmocka_unit_test(test_unit_that_stops),
        cmocka_unit_test(test_stream_that_pauses),
        cmocka_unit_test(test_pause_excuses_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
