/* The streams that the driver draws, random and in phases: what they are mixed of, bad requests,
 * and that the seed decides. */
#include "tests/unit/sim/gpu/stream_run.h"

/* ---------------------------------------------------------------- random */

#define ALL_BITS ((UINT64_C(1) << 52) - 1)

static bool canonical(uint64_t page, uint32_t levels) {
    const uint64_t top = page >> (9 * levels - 1);
    return top == 0 || top == ALL_BITS >> (9 * levels - 1);
}

/* The one bit above the VPN that is not as the others there. */
static uint64_t spoilt_bit(uint64_t page, uint32_t levels) {
    const uint64_t above = ALL_BITS - ((UINT64_C(1) << 9 * levels) - 1);
    const uint64_t other = (page >> (9 * levels - 1) & 1) != 0 ? ~page & above : page & above;
    assert_true(other != 0 && (other & (other - 1)) == 0);
    return other;
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
        uint64_t beside = 0, beyond = 0; /* PASIDs that follow on those in use; past every table */
        uint64_t spoilt = 0;             /* bits that made a page not canonical */
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
                spoilt |= spoilt_bit(r->page, params.levels);
            } else if (r->pasid >= 2) {
                bad[1]++;
                beside += r->pasid < 2 + 4;
                beyond += r->pasid >= 256;
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
        assert_true(params.bad_requests < 100 ||
                    spoilt == ALL_BITS - ((UINT64_C(1) << 9 * params.levels) - 1));
        assert_true(beside >= bad[1] / 3 && beyond >= bad[1] / 3);
        for (size_t k = 0; k < COUNT(accesses); k++) {
            assert_true(accesses[k] > u->count / 20);
        }
        fake_free(u);
    }
}

/* Of consecutive requests a quarter are neighbours in a leaf line, at each of its eight places, and
 * 15 % others in a line of level 2, of 8 x 512, seven of eight in another node of it; a fifth are
 * pages asked for before, which are hot for some hundreds of requests, of which each is one in 80:
 * seven times in the mean, if at all. Elsewhere in this array nobody meets. */
static void test_mixture(void **state) {
    (void)state;
    enum { REQUESTS = 20000 };
    static const lw_array large = {"large", UINT64_C(1) << 40, UINT64_C(1) << 42};
    const lw_stream_process process = {&large, 1, 1};
    lw_stream_params params = plain;
    uint32_t leaf = 0, above = 0, nodes = 0, hot = 0, hot_pages = 0;
    uint32_t places[8] = {0};
    params.requests = REQUESTS;
    params.processes = &process;
    params.process_count = 1;
    fake_unit *u = run(params, FAKE_UNIT);
    for (size_t n = 1; n < u->count; n++) {
        const uint64_t page = u->log[n].request.page;
        const uint64_t last = u->log[n - 1].request.page;
        uint32_t before = 0;
        for (size_t i = 0; i < n; i++) {
            before += u->log[i].request.page == page;
        }
        assert_true(before < 100);
        if (page >> 3 == last >> 3) {
            leaf++;
            places[page % 8]++;
        } else if (page >> 12 == last >> 12) {
            above++;
            nodes += page >> 9 != last >> 9;
        } else {
            hot += before != 0;
            hot_pages += before == 1;
        }
    }
    assert_in_range(leaf, REQUESTS * 23 / 100, REQUESTS * 28 / 100);
    assert_in_range(above, REQUESTS * 13 / 100, REQUESTS * 17 / 100);
    assert_in_range(nodes, above * 84 / 100, above * 91 / 100);
    assert_in_range(hot, REQUESTS * 15 / 100, REQUESTS * 22 / 100);
    assert_in_range(hot, 5 * hot_pages, 9 * hot_pages);
    for (size_t place = 0; place < COUNT(places); place++) {
        assert_in_range(places[place], leaf * 10 / 100, leaf * 15 / 100);
    }
    fake_free(u);
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

/* In a quiet phase nothing is asked for some hundred cycles, which no other pause comes near: with
 * nine cycles of ten without a request one of 100 cycles has a chance of 0.9^100. */
static void test_quiet(void **state) {
    (void)state;
    lw_stream_params params = plain;
    uint32_t pauses = 0;
    params.kind = LW_STREAM_PHASES;
    params.outstanding = 20000;
    fake_unit *u = run(params, FAKE_UNIT);
    for (size_t i = 1; i < u->count; i++) {
        const uint64_t pause = u->log[i].cycle - u->log[i - 1].cycle;
        assert_true(pause < 600); /* two phases, one after the other */
        pauses += pause > 100;
    }
    assert_true(pauses > 3);
    fake_free(u);
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
        cmocka_unit_test(test_bad_requests), cmocka_unit_test(test_mixture),
        cmocka_unit_test(test_seed),         cmocka_unit_test(test_phases),
        cmocka_unit_test(test_quiet),        cmocka_unit_test(test_phases_by_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
