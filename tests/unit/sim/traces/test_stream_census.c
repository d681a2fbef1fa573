/* The census of a stream: how many accesses, in which address spaces, and which pages. */
#include "tests/unit/sim/traces/trace_files.h"

#include "sim/traces/stream_census.h"
#include "sim/workloads/page_runs.h"

static const char text[] = "0 5 r\n"
                           "2 0x7f0000123 w # again\n"
                           "2 0x7f0000123 r\n"
                           "2 0x7f0000124 r\n"
                           "4 0x1 r\n"             /* the unit has no such address space */
                           "0 0x800000000 r\n"     /* canonical with five levels only */
                           "0 0xffff800000000 x\n" /* the upper half of four levels */
                           "0 0xffffffffffffe r\n" /* the last but one page of all */
                           "0 4 r\n"
                           "0 0x10 r\n";

static bool take(lw_stream_census *census, const char *path, uint32_t levels, uint64_t accesses,
                 lw_error *err) {
    const lw_stream_limits limits = {
        .levels = levels, .pasids = 4, .known = 10, .sources = 8, .accesses = accesses};
    return lw_stream_census_take(census, path, &limits, err);
}

static void test_census(void **state) {
    static const struct {
        uint32_t levels;
        uint64_t limit, accesses, spaces, pages0, pages2;
    } rows[] = {{4, UINT64_MAX, 10, 3, 5, 2},
                {5, UINT64_MAX, 10, 3, 6, 2},
                {4, 1, 1, 1, 1, 0},
                {4, 2, 2, 3, 1, 1}};
    char path[PATH_SIZE];
    write_file(in_folder(state, path, "list"), text, strlen(text));
    for (size_t i = 0; i < COUNT(rows); i++) {
        lw_stream_census census;
        lw_error err = {0};
        assert_true(take(&census, path, rows[i].levels, rows[i].limit, &err));
        assert_int_equal(census.accesses, rows[i].accesses);
        assert_int_equal(census.spaces, rows[i].spaces);
        assert_int_equal(census.pages[0].count, rows[i].pages0);
        assert_true(census.spaces < 3 || census.pages[2].count == rows[i].pages2);
        lw_stream_census_free(&census);
    }
}

static void test_runs(void **state) {
    static const lw_array want[] = {
        {"range0", 0x4000, 0x2000},
        {"range1", 0x10000, 0x1000},
        {"range2", 0x20000, 0x5000},
        {"range3", UINT64_C(0xffff800000000000), 0x1000},
        {"range4", UINT64_C(0xffffffffffffe000), 0x1000},
    };
    static const lw_page_run runs[] = {{0x22, 0x25}, {0x20, 0x23}, {0x10, 0x11}};
    char path[PATH_SIZE];
    lw_stream_census census;
    size_t count = 0;
    write_file(in_folder(state, path, "list"), text, strlen(text));
    assert_true(take(&census, path, 4, UINT64_MAX, NULL));
    lw_array *arrays = lw_page_runs_join(runs, COUNT(runs), &census.pages[0], &count);
    assert_non_null(arrays);
    assert_int_equal(count, COUNT(want));
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(arrays[i].name, want[i].name);
        assert_int_equal(arrays[i].base, want[i].base);
        assert_int_equal(arrays[i].bytes, want[i].bytes);
    }
    free(arrays);
    lw_stream_census_free(&census);
}

static void test_malformed(void **state) {
    static const char bad[] = "0 5 r\n0 6 r\n0 6 r 0 8\n";
    char path[PATH_SIZE];
    lw_stream_census census;
    lw_error err = {0};
    write_file(in_folder(state, path, "list"), bad, strlen(bad));
    assert_false(take(&census, path, 4, UINT64_MAX, &err));
    assert_non_null(strstr(err.text, ":3: source '8' is not allowed: 0 to 7"));
    assert_true(take(&census, path, 4, 2, &err)); /* what is not asked for is not read */
    lw_stream_census_free(&census);
    assert_false(take(&census, in_folder(state, path, "k.traceg"), 4, 1, &err));
    assert_non_null(strstr(err.text, "cannot open it"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_census, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_runs, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(test_malformed, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
