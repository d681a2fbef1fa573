/* How much of a stream of a file runs (environment.h): straight to the unit its first accesses, and
 * through the GPU's TLBs as much as makes so many requests to the unit. And whom it may name, how
 * many of its requests are in flight, and what of it is mapped (docs/guide/streams.md). */
#include "tests/unit/sim/environment/environment_run.h"

#include <stdio.h>
#include <unistd.h>

static char stream[] = "/tmp/lockwalk_file_XXXXXX";

static int make_file(void **state) {
    (void)state;
    static const char text[] = "0 1 r 0 0\n0 1 r 0 0\n0 1 r 0 0\n0 2 r 0 0\n0 3 r 0 0\n0 4 r 0 0\n";
    const int file = mkstemp(stream);
    const bool good = file >= 0 && write(file, text, sizeof text - 1) == (ssize_t)sizeof text - 1;
    return good ? close(file) : -1;
}

static int remove_file(void **state) {
    (void)state;
    return remove(stream);
}

static void test_so_many_requests(void **state) {
    (void)state;
    static const struct {
        bool through_tlbs;
        uint64_t max_requests, total, requests;
    } rows[] = {{false, 0, 6, 6}, {false, 2, 2, 2},
                {false, 9, 6, 6}, {true, 0, 0, 4}, /* nobody knows how many there will be */
                {true, 2, 2, 2},  {true, 9, 9, 4}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        environment_run r;
        uint64_t kinds[LW_KINDS], unasked[LW_KINDS];
        const lw_run run = {.stream = stream,
                            .seed = 1,
                            .through_tlbs = rows[i].through_tlbs,
                            .max_requests = rows[i].max_requests};
        environment_open(&r, "nha", &run, NULL, NULL);
        assert_int_equal(lw_environment_requests_total(r.env), rows[i].total);
        assert_true(environment_go(&r, UINT64_C(100000), NULL, NULL));
        assert_true(lw_environment_finished(r.env));
        assert_int_equal(lw_environment_requests(r.env), rows[i].requests);
        lw_environment_faults(r.env, kinds, unasked);
        assert_int_equal(kinds[LW_OK], rows[i].requests); /* what it asks for is mapped */
        environment_close(&r);
    }
}

static void write_stream(const char *text) {
    FILE *file = fopen(stream, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Straight to the unit anybody may ask who has so many bits, and faults where nothing is mapped for
 * it: a PASID that the system does not have, an address that is not canonical. Through the GPU's
 * TLBs ask its CUs alone, of the system's PASIDs. */
static void test_who_may_ask(void **state) {
    (void)state;
    static const struct {
        const char *text, *set[2];
        int kind; /* of the answer; -1: it is refused */
        const char *says;
        bool through_tlbs;
    } rows[] = {
        {"1048575 1 r\n", {"pasids", "4"}, LW_UNKNOWN_PASID, NULL, false},
        {"3 1 r\n", {"pasids", "4"}, LW_OK, NULL, false},
        {"4 1 r\n", {"pasids", "4"}, LW_UNKNOWN_PASID, NULL, false},
        {"0 0x800000000 r\n", {"levels", "4"}, LW_NONCANONICAL, NULL, false},
        {"0 0x800000000 r\n", {"levels", "5"}, LW_OK, NULL, false},
        {"0 1 r 0 63\n", {"src_w", "6"}, LW_OK, NULL, false},
        {"0 1 r 0 64\n", {"src_w", "6"}, -1, "source '64' is not allowed: 0 to 63,", false},
        {"3 1 r\n", {"pasids", "4"}, LW_OK, NULL, true},
        {"4 1 r\n", {"pasids", "4"}, -1, "pasid '4' is not allowed: 0 to 3,", true},
        {"0 1 r 0 2\n", {"cus", "3"}, LW_OK, NULL, true},
        {"0 1 r 0 3\n", {"cus", "3"}, -1, "source '3' is not allowed: 0 to 2,", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const lw_run run = {.stream = stream, .seed = 1, .through_tlbs = rows[i].through_tlbs};
        environment_run r;
        uint64_t kinds[LW_KINDS], unasked[LW_KINDS];
        write_stream(rows[i].text);
        if (rows[i].kind < 0) {
            lw_system system;
            lw_error err = {0};
            environment_load(&system, "nha", rows[i].set[0], rows[i].set[1]);
            assert_null(lw_environment_new(&system, &run, &err));
            assert_non_null(strstr(err.text, rows[i].says));
            continue;
        }
        environment_open(&r, "nha", &run, rows[i].set[0], rows[i].set[1]);
        assert_true(environment_go(&r, UINT64_C(100000), NULL, NULL));
        lw_environment_faults(r.env, kinds, unasked);
        assert_int_equal(kinds[rows[i].kind], 1);
        environment_close(&r);
    }
}

/* One a cycle and at most `outstanding` in flight, which are no more than there are ids. */
static void test_outstanding(void **state) {
    (void)state;
    enum { REQUESTS = 40 };
    static const struct {
        const char *key, *value;
        uint64_t most;
    } rows[] = {{"outstanding", "3", 3}, {"outstanding", "30", 30}, {"id_w", "4", 16}};
    char text[REQUESTS * 16];
    size_t used = 0;
    for (uint32_t n = 0; n < REQUESTS; n++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "0 %u r\n", 512 * n);
    }
    write_stream(text);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const lw_run run = {.stream = stream, .seed = 1};
        environment_run r;
        uint64_t sum = 0, most = 0;
        environment_open(&r, "nha", &run, rows[i].key, rows[i].value);
        assert_true(environment_go(&r, UINT64_C(100000), NULL, NULL));
        lw_environment_in_flight(r.env, &sum, &most);
        assert_int_equal(lw_environment_requests(r.env), REQUESTS);
        assert_int_equal(most, rows[i].most);
        environment_close(&r);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_so_many_requests),
                                       cmocka_unit_test(test_who_may_ask),
                                       cmocka_unit_test(test_outstanding)};
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
