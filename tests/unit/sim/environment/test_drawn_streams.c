/* What drawn streams ask for: of which arrays, in how many address spaces, and how large
 * (environment.h, docs/guide.md). */
#include "tests/unit/sim/environment/environment_run.h"

#include <stdio.h>

#define GIB (UINT64_C(1) << 30)

static const lw_run drawn = {.workload = "random", .seed = 1, .max_requests = 10};

static const lw_array *mapped(const environment_run *r, uint32_t process, size_t *count) {
    size_t all = 0;
    *count = lw_address_spaces_mapped(r->env->spaces, process);
    return lw_address_spaces_arrays(r->env->spaces, process, &all);
}

static bool is_canonical(uint64_t address, uint32_t levels) {
    const uint32_t top = 64 - (12 + 9 * levels);
    return (uint64_t)((int64_t)(address << top) >> top) == address;
}

/* In both halves of the address space, one where a page of 1 GiB fits, and with five levels one
 * that needs them; each address can be asked for. */
static void test_random_arrays(void **state) {
    (void)state;
    for (uint32_t levels = 4; levels <= 5; levels++) {
        environment_run r;
        environment_open(&r, "stress_small", &drawn, "levels", levels == 4 ? "4" : "5");
        const uint32_t processes = lw_address_spaces_processes(r.env->spaces);
        assert_int_equal(processes, r.system.processes);
        uint64_t shared = 0; /* those in the upper half are at the same addresses in all spaces */
        for (uint32_t p = 0; p < processes; p++) {
            bool upper = false;
            bool huge = false;
            bool far = false;
            bool small = false; /* 2 MiB further for each PASID */
            size_t count = 0;
            const lw_array *arrays = mapped(&r, p, &count);
            for (size_t a = 0; a < count; a++) {
                const uint64_t last = arrays[a].base + arrays[a].bytes - 1;
                assert_true(is_canonical(arrays[a].base, levels) && is_canonical(last, levels));
                upper = upper || arrays[a].base >> 63 != 0;
                assert_true(arrays[a].base >> 63 == 0 || p == 0 || arrays[a].base == shared);
                shared = arrays[a].base >> 63 != 0 ? arrays[a].base : shared;
                huge = huge || (arrays[a].base % GIB == 0 && arrays[a].bytes == GIB);
                far = far || !is_canonical(last, 4);
                small = small || arrays[a].base == 0x10000000 + (UINT64_C(2) << 20) * p;
            }
            assert_true(upper && huge && small);
            assert_int_equal(far, levels == 5);
        }
        environment_close(&r);
    }
}

/* With `few_pages` no array has more pages; smaller ones stay as they are. */
static void test_few_pages(void **state) {
    (void)state;
    environment_run r;
    uint64_t pages[LW_BAD_ARRAYS] = {0}; /* of all */
    static const char *const most[] = {"0", "32", "200"};
    for (size_t i = 0; i < 3; i++) {
        environment_open(&r, "stress_small", &drawn, "few_pages", most[i]);
        size_t count = 0;
        const uint64_t few = strtoull(most[i], NULL, 10);
        const lw_array *arrays = mapped(&r, 0, &count);
        assert_true(count > 5);
        for (size_t a = 0; a < count; a++) {
            pages[a] = i == 0 ? arrays[a].bytes >> 12 : pages[a];
            const uint64_t wanted = i != 0 && few < pages[a] ? few : pages[a];
            assert_int_equal(arrays[a].bytes >> 12, wanted);
        }
        environment_close(&r);
    }
}

/* As many address spaces as the system's streams have, but no more than it has PASIDs; a stream of
 * one array has one, of the size that was asked for. */
static void test_address_spaces(void **state) {
    (void)state;
    static const lw_run one = {.workload = "sequential", .seed = 1, .size = 7, .max_requests = 10};
    static const lw_run large = {.workload = "repeat", .seed = 1, .size = (1 << 24) + 1};
    environment_run r;
    size_t count = 0;
    environment_open(&r, "stress_small", &drawn, "processes", "256");
    assert_int_equal(lw_address_spaces_processes(r.env->spaces),
                     r.system.hw.pasids < 64 ? r.system.hw.pasids : 64);
    environment_close(&r);
    environment_open(&r, "stress_small", &drawn, "processes", "1");
    assert_int_equal(lw_address_spaces_processes(r.env->spaces), 1);
    environment_close(&r);
    environment_open(&r, "stress_small", &one, NULL, NULL);
    assert_int_equal(lw_address_spaces_processes(r.env->spaces), 1);
    const lw_array *arrays = mapped(&r, 0, &count);
    assert_int_equal(count, 1);
    assert_int_equal(arrays[0].bytes, 7 << 12);
    assert_null(lw_environment_new(&r.system, &large, &r.err));
    assert_string_equal(r.err.text, "--size is 16777217 pages; allowed for a stream: 1..16777216");
    environment_close(&r);
}

/* With hashed tables there are three more, whose tables lack something, if PASIDs are left for all
 * of them. */
static void test_spaces_that_lack(void **state) {
    (void)state;
    environment_run r;
    lw_system system;
    environment_load(&system, "stress_hashed", NULL, NULL);
    for (uint32_t whole = system.hw.pasids - 4; whole <= system.hw.pasids; whole++) {
        char processes[12];
        (void)snprintf(processes, sizeof processes, "%u", whole);
        environment_open(&r, "stress_hashed", &drawn, "processes", processes);
        assert_int_equal(lw_address_spaces_processes(r.env->spaces),
                         whole + 3 <= system.hw.pasids ? whole + 3 : whole);
        environment_close(&r);
    }
}

/* Ranges of a process in which something is planted that no OS should have written. */
static size_t planted(const environment_run *r, uint32_t process) {
    size_t all = 0;
    (void)lw_address_spaces_arrays(r->env->spaces, process, &all);
    return all - lw_address_spaces_mapped(r->env->spaces, process);
}

/* A random stream finds bad entries in each address space, those of contiguity bits too where the
 * unit looks at them, so that it meets faults of every kind (R1.9). */
static void test_bad_entries(void **state) {
    (void)state;
    static const lw_run run = {.workload = "random", .seed = 1, .max_requests = 6000};
    environment_run r;
    size_t ranges[2]; /* without subregions, and with them */
    uint64_t kinds[LW_KINDS], unasked[LW_KINDS];
    environment_open(&r, "stress_small", &run, NULL, NULL);
    for (uint32_t p = 0; p < lw_address_spaces_processes(r.env->spaces); p++) {
        assert_true(planted(&r, p) > 10);
    }
    assert_true(environment_go(&r, UINT64_C(10000000), NULL, NULL));
    lw_environment_faults(r.env, kinds, unasked);
    for (uint32_t kind = LW_OK; kind < LW_KINDS; kind++) {
        assert_true(kinds[kind] > 0);
    }
    environment_close(&r);
    for (int i = 0; i < 2; i++) {
        environment_open(&r, "stress_mesc", &drawn, "subregions", i == 0 ? "0" : "1");
        ranges[i] = planted(&r, 0);
        environment_close(&r);
    }
    assert_in_range(ranges[1] - ranges[0], 1, 8);
}

/* The streams by their names; nobody else is one. */
static void test_names(void **state) {
    (void)state;
    static const char *const names[] = {"random", "phases", "sequential", "repeat"};
    const char *summary = NULL;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        summary = NULL;
        assert_string_equal(lw_stream_name_at(i, &summary), names[i]);
        assert_true(summary != NULL && summary[0] != '\0');
        assert_true(lw_environment_is_stream(names[i]));
    }
    assert_null(lw_stream_name_at(sizeof names / sizeof names[0], &summary));
    assert_false(lw_environment_is_stream("mvt"));
    assert_false(lw_environment_is_stream(NULL));
}

/* Those in which entries are planted are no program that is larger than the GPU's memory
 * (docs/machine.md); the others may be. */
static void test_local_share(void **state) {
    (void)state;
    static const char *const streams[] = {"random", "phases", "sequential", "repeat"};
    for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++) {
        const lw_run run = {.workload = streams[i], .seed = 1, .max_requests = 10};
        lw_system system;
        lw_error err = {0};
        char says[LW_TEXT_MAX];
        environment_load(&system, "fshpt_oversub", NULL, NULL);
        lw_environment *env = lw_environment_new(&system, &run, &err);
        assert_int_equal(env == NULL, i < 2);
        (void)snprintf(says, sizeof says,
                       "local_share is 67; allowed: 100, because the workload is %s", streams[i]);
        assert_true(env != NULL || strstr(err.text, says) != NULL);
        lw_environment_free(env);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_arrays),  cmocka_unit_test(test_few_pages),
        cmocka_unit_test(test_address_spaces), cmocka_unit_test(test_spaces_that_lack),
        cmocka_unit_test(test_bad_entries),    cmocka_unit_test(test_names),
        cmocka_unit_test(test_local_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
