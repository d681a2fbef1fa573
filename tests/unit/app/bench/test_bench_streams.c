/* The bench's streams are what they say: which TLB of its chain each of them hits. */
#include "app/bench/bench_streams.h"
#include "dpi/session.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Fewer than the bench's: the first of each, which miss, are few among them. */
static lw_front_statistics run(const char *name, uint64_t accesses) {
    static lw_session_result result;
    static lw_system system;
    lw_error err = {0};
    char path[] = "/tmp/lockwalk-test-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "wb");
    size_t i = 0;
    while (strcmp(lw_bench_stream_at(i)->name, name) != 0) {
        i++;
    }
    assert_true(lw_bench_stream_write(lw_bench_stream_at(i), accesses, file));
    assert_int_equal(fclose(file), 0);
    assert_true(lw_system_load(&system, "systems", "bench_chain", &err));
    const lw_run run = {.stream = path, .through_tlbs = true, .seed = 1};
    const lw_session_options session = {
        .root = ".", .system = &system, .run = &run, .side = LW_SIDE_TWIN};
    assert_true(lw_session_run(&session, &result, NULL, &err));
    assert_false(result.mismatch.found);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(result.front.translations, accesses);
    return result.front;
}

static double rate(uint64_t hits, uint64_t misses) {
    return (double)hits / (double)(hits + misses);
}

static void test_random_hits_nothing(void **state) {
    (void)state;
    const lw_front_statistics f = run("random", 20000);
    assert_true(rate(f.l1_hits, f.l1_misses) < 0.05);
    assert_true(rate(f.l2_hits, f.l2_misses) < 0.05);
}

static void test_l2_hit_hits_the_l2_tlb(void **state) {
    (void)state;
    const lw_front_statistics f = run("L2-hit", 100000);
    assert_true(rate(f.l1_hits, f.l1_misses) < 0.05);
    assert_true(rate(f.l2_hits, f.l2_misses) > 0.95);
}

static void test_page_local_hits_the_l1_tlb(void **state) {
    (void)state;
    const lw_front_statistics f = run("page-local", 102400);
    assert_true(rate(f.l1_hits, f.l1_misses) > 0.95);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_hits_nothing),
        cmocka_unit_test(test_l2_hit_hits_the_l2_tlb),
        cmocka_unit_test(test_page_local_hits_the_l1_tlb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
