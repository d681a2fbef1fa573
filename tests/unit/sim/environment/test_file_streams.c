/* How much of a stream of a file runs (environment.h): straight to the unit its first accesses, and
 * through the GPU's TLBs as much as makes so many requests to the unit. */
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_so_many_requests)};
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
