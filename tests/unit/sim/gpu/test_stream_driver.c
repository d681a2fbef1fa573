/* The stream driver: the requests of a file and of the regular kinds, ids, back-pressure, and that
 * idle cycles may be skipped. */
#include "tests/unit/sim/gpu/stream_run.h"

#include "c_model/base/ports.h"

/* ---------------------------------------------------------------- the kinds */

static void test_file(void **state) {
    (void)state;
    static const uint64_t limits[] = {UINT64_MAX, 1, 2};
    for (size_t i = 0; i < COUNT(limits); i++) {
        lw_stream_params params = plain;
        char path[512];
        params.kind = LW_STREAM_FILE;
        params.requests = limits[i];
        fake_unit *u = run(params, FAKE_UNIT);
        lw_stream *s = open_stream(stream_path(path));
        uint64_t n = 0;
        lw_stream_access want;
        while (n < limits[i] && lw_stream_next(s, &want, NULL) == 1) {
            assert_true(n < u->count);
            const lw_front_request *r = &u->log[n++].request;
            assert_int_equal(r->pasid, want.pasid);
            assert_int_equal(r->page, want.vpn);
            assert_int_equal(r->access, want.access);
        }
        assert_true(n > 0);
        assert_int_equal(u->count, n);
        lw_stream_close(s);
        fake_free(u);
    }
}

/* A malformed line ends the run with the stream's sentence, after all before it is answered. */
static void test_malformed_file(void **state) {
    (void)state;
    char path[] = "/tmp/lockwalk_stream_XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *out = fdopen(file, "w");
    assert_non_null(out);
    assert_true(fputs("0 0x10 r\n0 0x11 w\n0 0x12 q\n0 0x13 r\n", out) >= 0);
    assert_int_equal(fclose(out), 0);
    lw_stream_params params = plain;
    lw_front_end front;
    lw_error err = {0};
    char expected[64];
    fake_config config = FAKE_UNIT;
    params.kind = LW_STREAM_FILE;
    params.file = open_stream(path);
    config.ends = false;
    assert_true(lw_stream_driver_new(&params, &front, &err));
    fake_unit *u = fake_run(&front, config);
    assert_int_equal(u->count, 2);
    assert_true(front.failed(front.self, &err));
    (void)snprintf(expected, sizeof expected, "%s:3:", path);
    assert_int_equal(strncmp(err.text, expected, strlen(expected)), 0);
    front.free(front.self);
    fake_free(u);
    (void)remove(path);
}

static void test_regular_streams(void **state) {
    (void)state;
    static const lw_array three = {"three", UINT64_C(0x7f0000000000), 3 << 12};
    static const lw_array high = {"high", UINT64_C(0xffff800000000000), 2 << 12};
    static const lw_array five = {"five", UINT64_C(0xff00000000000000), 2 << 12};
    static const struct {
        lw_stream_kind kind;
        uint32_t levels;
        const lw_array *array;
        uint64_t first, period;
    } rows[] = {
        {LW_STREAM_SEQUENTIAL, 4, &three, UINT64_C(0x7f0000000), 3},
        {LW_STREAM_SEQUENTIAL, 4, &high, UINT64_C(0xffff800000000), 2},
        {LW_STREAM_SEQUENTIAL, 5, &five, UINT64_C(0xff00000000000), 2},
        {LW_STREAM_REPEAT, 4, &three, UINT64_C(0x7f0000000), 1},
        {LW_STREAM_REPEAT, 5, &high, UINT64_C(0xffff800000000), 1},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const lw_stream_process process = {rows[i].array, 1, 1};
        lw_stream_params params = plain;
        params.kind = rows[i].kind;
        params.levels = rows[i].levels;
        params.requests = 1000;
        params.outstanding = 100;
        params.processes = &process;
        params.process_count = 1;
        params.src_w = 3;
        fake_unit *u = run(params, FAKE_UNIT);
        assert_int_equal(u->count, 1000);
        for (size_t n = 0; n < u->count; n++) {
            const lw_front_request *r = &u->log[n].request;
            assert_int_equal(r->page, rows[i].first + n % rows[i].period);
            assert_int_equal(u->log[n].cycle, n); /* one a cycle */
            assert_int_equal(r->src, n % 8);
            assert_int_equal(r->pasid, 0);
            assert_int_equal(r->access, LW_READ);
        }
        fake_free(u);
    }
}

/* ---------------------------------------------------------------- flow */

/* All ids are used, never more than `outstanding` at once: a slow unit has exactly so many. */
static void test_outstanding(void **state) {
    (void)state;
    static const uint32_t limits[] = {1, 2, 63, 1000};
    for (size_t i = 0; i < COUNT(limits); i++) {
        lw_stream_params params = plain;
        fake_config config = FAKE_UNIT;
        bool used[1000] = {false};
        size_t most = 0;
        params.outstanding = limits[i];
        params.requests = UINT64_C(5) * limits[i];
        config.delay = 3000;
        config.spread = 1000;
        config.skip = true;
        fake_unit *u = run(params, config);
        assert_int_equal(u->count, params.requests);
        for (size_t n = 0; n < u->count; n++) {
            size_t in_flight = 1;
            assert_true(u->log[n].request.id < limits[i]);
            used[u->log[n].request.id] = true;
            for (size_t e = 0; e < n; e++) {
                in_flight += u->log[e].answered >= u->log[n].cycle ? 1 : 0;
            }
            most = in_flight > most ? in_flight : most;
        }
        assert_int_equal(most, limits[i]);
        for (uint32_t id = 0; id < limits[i]; id++) {
            assert_true(used[id]);
        }
        fake_free(u);
    }
}

static void test_gaps(void **state) {
    (void)state;
    lw_stream_params params = plain;
    fake_config config = FAKE_UNIT;
    params.outstanding = 1000;
    params.request_gap = 30;
    params.response_not_ready = 20;
    config.delay = 1;
    fake_unit *u = run(params, config);
    const double gap = (double)u->no_offer * 100 / (double)u->executed;
    const double held = (double)u->not_ready * 100 / (double)u->executed;
    assert_true(gap > 29 && gap < 31);
    assert_true(held > 19 && held < 21);
    fake_free(u);
}

/* Offering what the unit does not take is no event; what it issues and is given is something done;
 * and where nothing is asked for, it has finished. */
static void test_events(void **state) {
    (void)state;
    lw_stream_params params = plain;
    lw_front_end front;
    lw_front_request request;
    lw_error err = {0};
    for (params.requests = 0; params.requests <= 1; params.requests++) {
        assert_true(lw_stream_driver_new(&params, &front, &err));
        assert_int_equal(front.finished(front.self), params.requests == 0);
        assert_int_equal(front.offer(front.self, 5, &request), params.requests == 1);
        if (params.requests == 1) {
            const lw_front_response response = {.id = request.id};
            assert_int_equal(front.next_event(front.self, 5, false), 6);
            assert_true(front.next_event(front.self, 5, true) == UINT64_MAX);
            const uint64_t before = front.done(front.self);
            front.accepted(front.self, 5);
            const uint64_t issued = front.done(front.self);
            front.response(front.self, 6, &response);
            assert_true(issued > before && front.done(front.self) > issued);
            assert_true(front.finished(front.self));
        }
        front.free(front.self);
    }
}

static void test_skip_is_step(void **state) {
    (void)state;
    static const struct {
        lw_stream_kind kind;
        uint32_t outstanding, gap, not_ready;
        uint64_t requests, delay, spread, stall;
    } rows[] = {
        {LW_STREAM_FILE, 1, 0, 0, UINT64_MAX, 50, 0, 0},
        {LW_STREAM_FILE, 2, 30, 20, UINT64_MAX, 70, 90, 2},
        {LW_STREAM_RANDOM, 4, 0, 0, 3000, 200, 0, 0},
        {LW_STREAM_RANDOM, 16, 0, 0, 3000, 200, 300, 3},
        {LW_STREAM_RANDOM, 16, 40, 0, 3000, 200, 300, 3},
        {LW_STREAM_RANDOM, 16, 0, 60, 3000, 20, 30, 0},
        {LW_STREAM_SEQUENTIAL, 8, 0, 0, 3000, 100, 20, 0},
        {LW_STREAM_REPEAT, 1, 0, 0, 3000, 100, 20, 5},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_stream_params params = plain;
        fake_config config = FAKE_UNIT;
        params.kind = rows[i].kind;
        params.requests = rows[i].requests;
        params.outstanding = rows[i].outstanding;
        params.request_gap = rows[i].gap;
        params.response_not_ready = rows[i].not_ready;
        config.delay = rows[i].delay;
        config.spread = rows[i].spread;
        config.stall = rows[i].stall;
        fake_unit *step = run(params, config);
        config.skip = true;
        fake_unit *skip = run(params, config);
        assert_same_run(step, skip);
        const bool draws = rows[i].gap + rows[i].not_ready != 0;
        assert_true(draws ? skip->executed == step->executed : skip->executed < step->executed);
        fake_free(step);
        fake_free(skip);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_malformed_file),
        cmocka_unit_test(test_regular_streams),
        cmocka_unit_test(test_outstanding),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_events),
        cmocka_unit_test(test_skip_is_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
