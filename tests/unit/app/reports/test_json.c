/* Each figure of a run stands in the JSON under its own name (docs/json.md): a run in which every
 * figure is another number is written, and read by the names. What ran, and of which parts, is
 * test_json_parts.c. */
#include "tests/unit/app/reports/json_run.h"

#include "app/reports/figures.h"

/* By the numbers that the tables of R12.5 and R12.6 give them. */
static void test_counters(void **state) {
    (void)state;
    static const char *const names[] = {"cycles",
                                        "requests",
                                        "responses",
                                        "tlb_hits",
                                        "tlb_misses",
                                        "faults",
                                        "walks",
                                        "page_table_accesses",
                                        "pwc_lookups",
                                        "pwc_hits",
                                        "coalesced_answers",
                                        "coalesced_levels",
                                        "given_back",
                                        "invalidations",
                                        "request_stalls",
                                        "stray_lines",
                                        "waiting",
                                        "same_neighbourhood",
                                        "msc_lookups",
                                        "msc_hits",
                                        "head_reads",
                                        "subregion_hits",
                                        "subregion_fills",
                                        "joined",
                                        "checks_merged",
                                        "checks_dropped",
                                        "step_reads",
                                        "table_reads",
                                        "victim_walks",
                                        "victim_reads",
                                        "tag_misses",
                                        "step_retries",
                                        "idle_empty",
                                        "idle_held",
                                        "idle_pick",
                                        "pwc",
                                        "cam",
                                        "memory_port",
                                        "memory",
                                        "response_queue",
                                        "second_lookups",
                                        "second_hits"};
    enum { FIRST_CAUSE = 32, PAST_CAUSES = 40 };
    assert_int_equal(COUNT(names), LW_COUNTERS);
    for (uint32_t n = 0; n < LW_COUNTERS; n++) {
        result.counters[n] = 1000 + n;
    }
    json_t *o = written();
    for (uint32_t n = 0; n < LW_COUNTERS; n++) {
        const bool cause = n >= FIRST_CAUSE && n < PAST_CAUSES;
        assert_string_equal(lw_counter_name(n), names[n]);
        assert_numbers(json_object_get(o, cause ? "attribution" : "counters"),
                       &(lw_json_row){names[n], 1000 + n}, 1);
    }
    assert_int_equal(json_object_size(json_object_get(o, "attribution")),
                     PAST_CAUSES - FIRST_CAUSE);
    assert_null(lw_counter_name(LW_COUNTERS));
    assert_numbers(o, (const lw_json_row[]){{"walks", 1006}, {"page_table_accesses", 1007}}, 2);
    assert_numbers(json_object_get(o, "tlb"),
                   (const lw_json_row[]){{"hits", 1003}, {"misses", 1004}}, 2);
    json_decref(o);
}

/* By the numbers of the table of R1.9. */
static void test_faults(void **state) {
    (void)state;
    static const lw_json_row rows[] = {
        {"noncanonical", 11}, {"unknown_pasid", 12}, {"not_present", 13}, {"reserved", 14},
        {"misaligned", 15},   {"permission", 16},    {"memory_error", 17}};
    for (uint32_t k = 0; k < 8; k++) {
        result.faults[k] = 10 + k;
        result.unasked[k] = UINT64_C(1) << k;
    }
    json_t *o = written();
    assert_numbers(json_object_get(o, "faults"), rows, COUNT(rows));
    assert_int_equal(json_object_size(json_object_get(o, "faults")), COUNT(rows));
    assert_numbers(o, &(lw_json_row){"unasked_faults", 0xfe}, 1);
    json_decref(o);
}

static void test_means(void **state) {
    (void)state;
    json_t *o = written(); /* of nothing */
    assert_true(json_real_value(json_object_get(o, "walk_latency_mean")) == 0.0);
    assert_true(json_real_value(json_object_get(json_object_get(o, "in_flight"), "mean")) == 0.0);
    json_decref(o);
    result.counters[LW_C_WAITING] = 700;
    result.counters[LW_C_TLB_MISSES] = 200;
    result.requests = 50;
    result.cycles = 1000;
    result.in_flight_sum = 125;
    result.in_flight_max = 9;
    o = written();
    const json_t *in_flight = json_object_get(o, "in_flight");
    assert_true(json_real_value(json_object_get(o, "walk_latency_mean")) == 3.5);
    assert_true(json_real_value(json_object_get(in_flight, "mean")) == 2.5);
    assert_numbers(in_flight, &(lw_json_row){"max", 9}, 1);
    json_decref(o);
    assert_true(lw_rate(3, 1) == 0.75 && lw_rate(0, 0) == 0.0);
}

static void test_waits(void **state) {
    (void)state;
    static const lw_json_row rows[] = {{"request", 1}, {"acceptance", 2},   {"invalidation", 3},
                                       {"memory", 4},  {"memory_ready", 5}, {"held", 6}};
    result.waits = (lw_waits){.request = 1,
                              .acceptance = 2,
                              .invalidation = 3,
                              .memory = 4,
                              .memory_ready = 5,
                              .held = 6};
    result.longest_wait = 7;
    result.checked = 8;
    result.ordered_walks = 9;
    result.resets = 10;
    json_t *o = written();
    assert_numbers(json_object_get(o, "waits"), rows, COUNT(rows));
    assert_numbers(o,
                   (const lw_json_row[]){
                       {"longest_wait", 7}, {"checked", 8}, {"ordered_walks", 9}, {"resets", 10}},
                   4);
    json_decref(o);
}

static void test_provocations(void **state) {
    (void)state;
    static const lw_json_row rows[] = {
        {"page_changes", 1},   {"shared_changes", 2},  {"shared_tables", 3},
        {"table_moves", 4},    {"tables_replaced", 5}, {"roots_replaced", 6},
        {"roots_vanished", 7}, {"roots_blinked", 8},   {"orphans", 9},
        {"orphans_met", 10},   {"appeared", 11},       {"permitted", 12},
        {"bursts", 13},        {"slow_sinks", 15},     {"burst_invalidations", 14},
        {"slow_memories", 16}, {"late_lines", 17},     {"outdated_lines", 18}};
    result.provocations = (lw_provocations){.os = {.page_changes = 1,
                                                   .shared_changes = 2,
                                                   .table_moves = 4,
                                                   .tables_replaced = 5,
                                                   .roots_replaced = 6,
                                                   .roots_vanished = 7,
                                                   .roots_blinked = 8,
                                                   .appeared = 11,
                                                   .permitted = 12,
                                                   .bursts = 13,
                                                   .burst_invalidations = 14},
                                            .shared_tables = 3,
                                            .orphans = 9,
                                            .orphans_met = 10,
                                            .slow_sinks = 15,
                                            .slow_memories = 16,
                                            .late_lines = 17,
                                            .outdated_lines = 18};
    json_t *o = written();
    assert_numbers(json_object_get(o, "provocations"), rows, COUNT(rows));
    assert_int_equal(json_object_size(json_object_get(o, "provocations")), COUNT(rows));
    json_decref(o);
}

static void test_hashed_table(void **state) {
    (void)state;
    static const lw_json_row rows[] = {{"slots", 64},
                                       {"local", 10},
                                       {"remote", 6},
                                       {"step_places", 4},
                                       {"groups", 5},
                                       {"victim_regions", 7},
                                       {"moves", 8},
                                       {"evictions", 9},
                                       {"recalls", 11},
                                       {"settled", 12},
                                       {"demotions", 13},
                                       {"live_cycles", 14},
                                       {"migrations", 16},
                                       {"remote_accesses", 17},
                                       {"remote_evictions", 15},
                                       {"no_victim_buffer", 18},
                                       {"table_outside", 20},
                                       {"step_table_outside", 19}};
    json_t *o = written();
    assert_true(json_is_null(json_object_get(o, "hashed_table")));
    json_decref(o);
    result.hashed = (lw_hashed_figures){.slots = 64,
                                        .local = 10,
                                        .remote = 6,
                                        .step_places = 4,
                                        .groups = 5,
                                        .victim_regions = 7,
                                        .demotions = 13,
                                        .live_cycles = 14,
                                        .remote_evictions = 15};
    result.provocations.os.regions =
        (lw_region_moves){.moves = 8, .evictions = 9, .recalls = 11, .settled = 12};
    result.provocations.os.migrations = 16;
    result.provocations.os.remote_accesses = 17;
    result.lacks[LW_LACKS_VICTIM_BUFFER] = 18;
    result.lacks[LW_LACKS_STEP_TABLE] = 19;
    result.lacks[LW_LACKS_TABLE] = 20;
    for (size_t i = 0; i < LW_HPT_STEPS; i++) {
        result.hashed.steps[i] = 30 + i;
    }
    o = written();
    const json_t *table = json_object_get(o, "hashed_table");
    assert_numbers(table, rows, COUNT(rows));
    assert_true(json_real_value(json_object_get(table, "load_factor")) == 0.25);
    for (size_t i = 0; i < LW_HPT_STEPS; i++) {
        const json_t *step = json_array_get(json_object_get(table, "steps"), i);
        assert_int_equal(json_integer_value(step), 30 + i);
    }
    json_decref(o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_counters, begin),
        cmocka_unit_test_setup(test_faults, begin),
        cmocka_unit_test_setup(test_means, begin),
        cmocka_unit_test_setup(test_waits, begin),
        cmocka_unit_test_setup(test_provocations, begin),
        cmocka_unit_test_setup(test_hashed_table, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
