/* What ran and what it was made of, of which parts there are figures, and how it ended, in the JSON
 * of a run (docs/json.md). */
#include "tests/unit/app/reports/json_run.h"

#include "app/versions.h"

/* What ended the run, the first of them in the document's order, and how much of it there was; a
 * run that was stopped is interrupted where it was equal so far. */
static void test_verdicts(void **state) {
    static const struct {
        lw_mismatch mismatch;
        bool stopped;
        const char *verdict;
        int64_t mismatches;
    } rows[] = {{{0}, false, "equal", 0},
                {{0}, true, "interrupted", 0},
                {{.found = true, .assertion = true}, false, "assertion", 1},
                {{.found = true, .ports = true}, false, "ports", 1},
                {{.found = true, .oracle = true}, false, "oracle", 1},
                {{.found = true, .hang = true}, false, "hang", 1},
                {{.found = true, .differences = 5}, false, "registers", 5},
                {{.found = true, .differences = 5}, true, "registers", 5},
                {{.found = true, .hang = true, .differences = 5}, false, "hang", 6},
                {{.found = true, .oracle = true, .hang = true}, false, "oracle", 2},
                {{.found = true, .ports = true, .oracle = true}, false, "ports", 2},
                {{.found = true, .assertion = true, .ports = true}, false, "assertion", 2}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        result.mismatch = rows[i].mismatch;
        result.stopped = rows[i].stopped;
        json_t *o = written();
        assert_string_equal(json_string_value(json_object_get(o, "verdict")), rows[i].verdict);
        assert_int_equal(json_integer_value(json_object_get(o, "mismatches")), rows[i].mismatches);
        json_decref(o);
    }
}

/* A kernel has its arrays mapped, a stream what it touches or what it was told; of both one process
 * runs where no number was given. */
static void test_what_ran(void **state) {
    static const struct {
        const char *workload, *map;
        uint32_t processes;
        const char *told;
        int64_t ran;
    } rows[] = {{"mvt", NULL, 0, NULL, 1},
                {"mvt", NULL, 3, NULL, 3},
                {NULL, NULL, 0, "touched", 1},
                {NULL, "arrays", 0, "arrays", 1}};
    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        options.run.workload = rows[i].workload;
        options.run.stream = rows[i].workload == NULL ? "a.stream" : NULL;
        options.run.map = rows[i].map;
        options.run.processes = rows[i].processes;
        json_t *o = written();
        const json_t *map = json_object_get(o, "map");
        assert_int_equal(json_is_null(map), rows[i].told == NULL);
        assert_true(rows[i].told == NULL || strcmp(json_string_value(map), rows[i].told) == 0);
        assert_int_equal(json_integer_value(json_object_get(o, "processes")), rows[i].ran);
        json_decref(o);
    }
}

static bool is_null(const json_t *o, const char *key) {
    return json_is_null(json_object_get(o, key));
}

static void test_how_much(void **state) {
    (void)state;
    static const lw_json_row rows[] = {{"size", 1},     {"seed", 2},
                                       {"cycles", 3},   {"compared_cycles", 4},
                                       {"requests", 6}, {"compared_state_writes", 5},
                                       {"responses", 7}};
    static const lw_json_row cuts[] = {
        {"max_requests", 11}, {"max_iters", 12}, {"max_launches", 13}, {"max_groups", 14}};
    options.run.size = 99; /* as asked for; the run's own is said */
    options.run.seed = 2;
    options.run.max_requests = 11;
    options.run.max_iters = 12;
    options.run.max_launches = 13;
    options.run.max_groups = 14;
    result.size = 1;
    result.cycles = 3;
    result.compared_cycles = 4;
    result.compared_state_writes = 5;
    result.requests = 6;
    result.responses = 7;
    json_t *o = written();
    assert_numbers(o, rows, COUNT(rows));
    assert_numbers(json_object_get(o, "cuts"), cuts, COUNT(cuts));
    json_decref(o);
}

/* Each key of the system with the value that the run had, a number or a text. */
static void test_values(void **state) {
    (void)state;
    size_t keys = 0;
    lw_error err = {0};
    assert_true(lw_system_set(&options.system, "walkers", "5", "", &err));
    assert_true(lw_system_set(&options.system, "remaps", "77", "", &err));
    assert_true(lw_system_set(&options.system, "memory_latency", "fixed:7", "", &err));
    while (lw_system_key_at(keys) != NULL) {
        keys++;
    }
    json_t *o = written();
    const json_t *values = json_object_get(o, "values");
    assert_numbers(values, (const lw_json_row[]){{"walkers", 5}, {"remaps", 77}, {"lanes", 0}}, 3);
    assert_string_equal(json_string_value(json_object_get(values, "memory_latency")), "fixed:7");
    assert_int_equal(json_object_size(values), keys);
    json_decref(o);
}

/* The command line behind the command, a text each; a byte that is no printable UTF-8 as \xNN. */
static void test_arguments(void **state) {
    (void)state;
    static char *line[] = {"model", "--seed", "3", "--json", "a\xff.json"};
    static const char *const shown[] = {"--seed", "3", "--json", "a\\xff.json"};
    options.argc = (int)COUNT(line);
    options.argv = line;
    json_t *o = written();
    const json_t *arguments = json_object_get(o, "arguments");
    assert_int_equal(json_array_size(arguments), COUNT(shown));
    for (size_t i = 0; i < COUNT(shown); i++) {
        assert_string_equal(json_string_value(json_array_get(arguments, i)), shown[i]);
    }
    assert_string_equal(json_string_value(json_object_get(o, "command")), "model");
    json_decref(o);
}

/* Verilator is null where there was none. */
static void test_versions(void **state) {
    (void)state;
    json_t *o = written();
    const json_t *versions = json_object_get(o, "versions");
    assert_string_equal(json_string_value(json_object_get(versions, "lockwalk")), LW_VERSION);
    assert_string_equal(json_string_value(json_object_get(versions, "compiler")), LW_COMPILER);
    assert_int_equal(is_null(versions, "revision"), lw_revision() == NULL);
    assert_true(is_null(versions, "verilator"));
    json_decref(o);
    (void)strcpy(result.rtl_version, "Verilator 5");
    o = written();
    versions = json_object_get(o, "versions");
    assert_string_equal(json_string_value(json_object_get(versions, "verilator")), "Verilator 5");
    json_decref(o);
}

/* Null where nothing is missing; and where nobody can say of how many, or it has no kernels. */
static void test_partial(void **state) {
    (void)state;
    json_t *o = written();
    assert_true(is_null(o, "partial"));
    json_decref(o);
    result.partial = (lw_partial){.cut = true, .unit = "lines", .whole = 3};
    o = written();
    const json_t *partial = json_object_get(o, "partial");
    assert_string_equal(json_string_value(json_object_get(partial, "unit")), "lines");
    assert_numbers(partial, (const lw_json_row[]){{"whole", 3}}, 1);
    assert_true(is_null(partial, "of") && is_null(partial, "kernels"));
    assert_true(is_null(partial, "kernels_of"));
    json_decref(o);
    result.partial.of_known = true;
    result.partial.of = 4;
    result.partial.kernels_of = 6; /* of which none has a whole block */
    o = written();
    partial = json_object_get(o, "partial");
    assert_numbers(
        partial, (const lw_json_row[]){{"whole", 3}, {"of", 4}, {"kernels", 0}, {"kernels_of", 6}},
        4);
    json_decref(o);
}

/* Null without --neighbours. */
static void test_neighbours(void **state) {
    (void)state;
    result.neighbours = 21;
    result.upper_neighbours = (lw_upper_counts){.accesses = 22, .met = 23};
    json_t *o = written();
    assert_true(is_null(o, "neighbours") && is_null(o, "upper_neighbours"));
    json_decref(o);
    options.run.neighbours = true;
    o = written();
    assert_numbers(o, (const lw_json_row[]){{"neighbours", 21}}, 1);
    assert_numbers(json_object_get(o, "upper_neighbours"),
                   (const lw_json_row[]){{"accesses", 22}, {"met", 23}}, 2);
    json_decref(o);
}

/* Null is what no such part of the GPU has counted: waves are those of a kernel, and a stream
 * through the TLBs has accesses without them. */
static void test_parts_of_the_gpu(void **state) {
    (void)state;
    for (uint32_t parts = 0; parts < 8; parts++) {
        const lw_front_statistics front = {.has_waves = (parts & 1) != 0,
                                           .has_l1 = (parts & 2) != 0,
                                           .has_l2 = (parts & 4) != 0,
                                           .l1_hits = 31,
                                           .l1_misses = 32,
                                           .l2_hits = 33,
                                           .l2_misses = 34,
                                           .wave_instructions = 35,
                                           .translations = 36};
        result.front = front;
        json_t *o = written();
        assert_int_equal(is_null(o, "l1_tlb"), !front.has_l1);
        assert_int_equal(is_null(o, "l2_tlb"), !front.has_l2);
        assert_int_equal(is_null(o, "wave_instructions"), !front.has_waves);
        assert_int_equal(is_null(o, "translations"), !front.has_waves && !front.has_l1);
        if (parts == 7) {
            assert_numbers(
                o, (const lw_json_row[]){{"wave_instructions", 35}, {"translations", 36}}, 2);
            assert_numbers(json_object_get(o, "l1_tlb"),
                           (const lw_json_row[]){{"hits", 31}, {"misses", 32}}, 2);
            assert_numbers(json_object_get(o, "l2_tlb"),
                           (const lw_json_row[]){{"hits", 33}, {"misses", 34}}, 2);
        }
        json_decref(o);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_verdicts, begin),
        cmocka_unit_test_setup(test_what_ran, begin),
        cmocka_unit_test_setup(test_how_much, begin),
        cmocka_unit_test_setup(test_values, begin),
        cmocka_unit_test_setup(test_arguments, begin),
        cmocka_unit_test_setup(test_versions, begin),
        cmocka_unit_test_setup(test_partial, begin),
        cmocka_unit_test_setup(test_neighbours, begin),
        cmocka_unit_test_setup(test_parts_of_the_gpu, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
