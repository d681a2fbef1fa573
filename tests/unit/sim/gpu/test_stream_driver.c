/* The stream driver: the requests of each kind, ids, back-pressure, and that idle cycles may be
 * skipped. The unit is a fake one (fake_unit.h). */
#include "tests/unit/sim/gpu/fake_unit.h"

#include "c_model/base/ports.h"
#include "sim/gpu/stream_driver.h"

#include <stdio.h>

/* 16 MiB each and aligned so, that the neighbours which a random stream draws lie inside too. */
static const lw_array lower[] = {{"low", UINT64_C(0x10000000), UINT64_C(1) << 24},
                                 {"high", UINT64_C(0x7f0000000000), UINT64_C(2) << 24}};
static const lw_array upper[] = {{"upper", UINT64_C(0xffff800000000000), UINT64_C(1) << 24}};
static const lw_stream_process processes[] = {{lower, 2, 2}, {upper, 1, 1}};

static const lw_stream_params plain = {.kind = LW_STREAM_RANDOM,
                                       .requests = 20000,
                                       .outstanding = 64,
                                       .src_w = 6,
                                       .levels = 4,
                                       .seed = 1,
                                       .processes = processes,
                                       .process_count = 2};

static const char *stream_path(char path[512]) {
    const char *data = getenv("LW_TEST_DATA");
    (void)snprintf(path, 512, "%s/requests.stream", data == NULL ? "tests/data" : data);
    return path;
}

static lw_stream *open_stream(const char *path) {
    lw_error err = {0};
    lw_stream *s = lw_stream_open(path, &err);
    assert_string_equal(err.text, "");
    return s;
}

static fake_unit *run(lw_stream_params params, fake_config config) {
    lw_front_end front;
    lw_error err = {0};
    char path[512];
    if (params.kind == LW_STREAM_FILE) {
        params.file = open_stream(stream_path(path));
    }
    assert_true(lw_stream_driver_new(&params, &front, &err));
    fake_unit *u = fake_run(&front, config);
    assert_false(front.failed(front.self, &err));
    assert_true(front.finished(front.self));
    front.free(front.self);
    return u;
}

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

/* ---------------------------------------------------------------- random */

static bool canonical(uint64_t page, uint32_t levels) {
    const uint64_t top = page >> (9 * levels - 1);
    return top == 0 || top == ((UINT64_C(1) << 52) - 1) >> (9 * levels - 1);
}

static bool mapped(const lw_front_request *r) {
    for (size_t a = 0; r->pasid < 2 && a < processes[r->pasid].count; a++) {
        const lw_array *array = &processes[r->pasid].arrays[a];
        if (r->page - (array->base >> 12) < array->bytes >> 12) {
            return true;
        }
    }
    return false;
}

static void test_bad_requests(void **state) {
    (void)state;
    static const struct {
        uint32_t percent, levels;
    } rows[] = {{0, 4}, {5, 4}, {50, 4}, {100, 4}, {0, 5}, {30, 5}, {100, 5}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_stream_params params = plain;
        uint64_t bad[3] = {0}; /* not canonical, PASID, unmapped */
        uint64_t accesses[4] = {0};
        params.bad_requests = rows[i].percent;
        params.levels = rows[i].levels;
        fake_unit *u = run(params, FAKE_UNIT);
        assert_int_equal(u->count, params.requests);
        for (size_t n = 0; n < u->count; n++) {
            const lw_front_request *r = &u->log[n].request;
            assert_true(r->page >> 52 == 0 && r->pasid < 1u << 20);
            accesses[r->access]++;
            if (!canonical(r->page, params.levels)) {
                bad[0]++;
            } else if (r->pasid >= 2) {
                bad[1]++;
            } else if (!mapped(r)) {
                bad[2]++;
            }
        }
        /* Within 4 standard deviations (n p q <= 5000). */
        const double share = (double)(bad[0] + bad[1] + bad[2]) * 100 / (double)u->count;
        assert_true(share > rows[i].percent - 1.5 && share < rows[i].percent + 1.5);
        for (size_t k = 0; k < COUNT(bad); k++) {
            assert_int_equal(bad[k] > 0, rows[i].percent > 0);
        }
        for (size_t k = 0; k < COUNT(accesses); k++) {
            assert_true(accesses[k] > u->count / 20);
        }
        fake_free(u);
    }
}

static void test_seed(void **state) {
    (void)state;
    lw_stream_params params = plain;
    fake_unit *a = run(params, FAKE_UNIT);
    fake_unit *b = run(params, FAKE_UNIT);
    params.seed = 2;
    fake_unit *c = run(params, FAKE_UNIT);
    size_t same = 0;
    assert_same_run(a, b);
    for (size_t n = 0; n < a->count; n++) {
        same += a->log[n].request.page == c->log[n].request.page ? 1 : 0;
    }
    assert_true(same < a->count / 10);
    fake_free(a);
    fake_free(b);
    fake_free(c);
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

/* ---------------------------------------------------------------- phases */

enum { WINDOW = 50 };

/* The requests of a window that ask for a page which another one of it asked for before; and
 * whether that one was in another address space. */
static uint32_t repeats(const fake_request *log, uint32_t *shared) {
    uint32_t count = 0;
    *shared = 0;
    for (size_t i = 1; i < WINDOW; i++) {
        bool again = false;
        bool other = false;
        for (size_t j = 0; j < i; j++) {
            const bool page = log[j].request.page == log[i].request.page;
            again = again || (page && log[j].request.pasid == log[i].request.pasid);
            other = other || (page && log[j].request.pasid != log[i].request.pasid);
        }
        count += again;
        *shared += other;
    }
    return count;
}

/* In phases there is reuse, sharing, quiet and pressure, of which a random stream has little. */
static void test_phases(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        lw_stream_params params = plain;
        params.kind = LW_STREAM_PHASES;
        params.seed = seed;
        fake_unit *u = run(params, FAKE_UNIT);
        uint32_t busy = 0, sharing = 0, windows = 0;
        assert_int_equal(u->count, params.requests);
        for (size_t i = 0; i + WINDOW <= u->count; i += WINDOW, windows++) {
            uint32_t shared = 0;
            busy += repeats(&u->log[i], &shared) > WINDOW / 2;
            sharing += shared > WINDOW / 4;
        }
        assert_true(busy > windows / 4);
        assert_true(sharing > windows / 20);
        assert_true(u->not_ready > u->end / 10);
        assert_true(u->no_offer > u->end / 10);
        fake_free(u);
    }
}

/* The same seed gives the same stream, another one another. */
static void test_phases_by_seed(void **state) {
    (void)state;
    lw_stream_params params = plain;
    params.kind = LW_STREAM_PHASES;
    params.requests = 3000;
    fake_config skip = FAKE_UNIT;
    skip.skip = true;
    fake_unit *first = run(params, FAKE_UNIT);
    fake_unit *second = run(params, skip);
    assert_same_run(first, second);
    fake_free(second);
    params.seed = 2;
    second = run(params, FAKE_UNIT);
    size_t same = 0;
    for (size_t i = 0; i < first->count; i++) {
        same += fake_same(&first->log[i].request, &second->log[i].request);
    }
    assert_true(same < first->count / 10);
    fake_free(first);
    fake_free(second);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_malformed_file),
        cmocka_unit_test(test_regular_streams),
        cmocka_unit_test(test_bad_requests),
        cmocka_unit_test(test_seed),
        cmocka_unit_test(test_outstanding),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_skip_is_step),
        cmocka_unit_test(test_phases),
        cmocka_unit_test(test_phases_by_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
