/* What a session tells of its run (dpi/session.h) is what the environment has counted, and of a
 * design of one's own which registers it lacks. */
#include "tests/unit/dpi/session_bench.h"

#include "dpi/register_map.h"

#include <stdio.h>

/* How often each figure was not zero; those of one row are others than those of the next. */
typedef struct tally {
    unsigned in_flight, neighbours, upper, size, front, faults, unasked, checked, ordered, longest,
        waits, provocations, hashed, lacks, partial, banks;
} tally;

/* The same run, cycle by cycle without a session. */
static void compare(const char *system, const lw_run *run, tally *t) {
    static session_bench b;
    static lw_banks banks;
    environment_run r;
    environment_open(&r, system, run, "few_pages", "24");
    assert_true(environment_go(&r, UINT64_C(10000000), NULL, NULL));
    session_begin(&b, LW_SIDE_TWIN, system, NULL);
    b.run = *run;
    assert_true(lw_system_set(&b.system, "few_pages", "24", "", &b.err));
    const lw_session_result *s = session_go(&b);
    assert_false(s->mismatch.found);
    assert_int_equal(s->cycles, r.now);

    uint64_t sum = 0, most = 0, faults[8], unasked[8], lacks[LW_LACKS];
    lw_front_statistics front = {.has_l1 = false};
    lw_environment_in_flight(r.env, &sum, &most);
    assert_int_equal(s->in_flight_sum, sum);
    assert_int_equal(s->in_flight_max, most);
    t->in_flight += sum > most && most != 0;
    assert_int_equal(s->requests, lw_environment_requests(r.env));
    assert_int_equal(s->neighbours, lw_environment_neighbours(r.env));
    t->neighbours += s->neighbours != 0;
    const lw_upper_counts upper = lw_environment_upper_neighbours(r.env);
    assert_memory_equal(&s->upper_neighbours, &upper, sizeof upper);
    t->upper += upper.accesses != 0;
    assert_int_equal(s->size, lw_environment_size(r.env));
    t->size += s->size != 0;
    lw_environment_statistics(r.env, &front);
    assert_int_equal(s->front.has_l1, front.has_l1);
    assert_int_equal(s->front.translations, front.translations);
    assert_int_equal(s->front.l1_misses, front.l1_misses);
    t->front += front.translations != 0;
    lw_environment_faults(r.env, faults, unasked);
    assert_memory_equal(s->faults, faults, sizeof faults);
    assert_memory_equal(s->unasked, unasked, sizeof unasked);
    for (size_t i = 1; i < 8; i++) {
        t->faults += faults[i] > unasked[i];
        t->unasked += unasked[i] != 0;
    }
    assert_int_equal(s->checked, lw_environment_checked(r.env));
    t->checked += s->checked != 0;
    assert_int_equal(s->ordered_walks, lw_environment_ordered_walks(r.env));
    t->ordered += s->ordered_walks != 0;
    assert_int_equal(s->longest_wait, lw_environment_longest_wait(r.env));
    t->longest += s->longest_wait != 0;
    const lw_waits waits = lw_environment_waits(r.env);
    assert_memory_equal(&s->waits, &waits, sizeof waits);
    t->waits += waits.request != 0;
    const lw_provocations provocations = lw_environment_provocations(r.env);
    assert_memory_equal(&s->provocations, &provocations, sizeof provocations);
    t->provocations += provocations.os.page_changes != 0;
    const lw_hashed_figures hashed = lw_environment_hashed(r.env);
    assert_memory_equal(&s->hashed, &hashed, sizeof hashed);
    t->hashed += hashed.slots != 0;
    lw_environment_lacks(r.env, lacks);
    assert_memory_equal(s->lacks, lacks, sizeof lacks);
    t->lacks += lacks[LW_LACKS - 1] != 0;
    const lw_partial partial = lw_environment_partial(r.env);
    assert_int_equal(s->partial.cut, partial.cut);
    assert_int_equal(s->partial.whole, partial.whole);
    t->partial += partial.cut;
    memset(&banks, 0, sizeof banks);
    lw_environment_banks(r.env, &banks);
    assert_int_equal(s->banks.channels, banks.channels);
    assert_memory_equal(s->banks.bank, banks.bank, sizeof banks.bank);
    t->banks += banks.channels != 0;
    for (uint32_t c = 0; c < LW_COUNTERS; c++) {
        assert_int_equal(s->counters[c], lw_iommu_counter(r.twin, c));
    }
    environment_close(&r);
}

static void test_all_figures(void **state) {
    (void)state;
    tally t = {0};
    char path[512];
    const char *data = getenv("LW_TEST_DATA");
    (void)snprintf(path, sizeof path, "%s/cut/loop.champsim", data != NULL ? data : "tests/data");
    const lw_run drawn = {.workload = "random", .seed = 1, .max_requests = 600, .neighbours = true};
    const lw_run pages = {.workload = "sequential", .seed = 1, .size = 300, .max_requests = 600};
    const lw_run file = {
        .stream = path, .map = "arrays", .partial = true, .through_tlbs = true, .seed = 1};
    compare("stress_small", &drawn, &t);
    compare("stress_hashed", &drawn, &t);
    compare("stress_dram", &drawn, &t);
    compare("stress_off", &drawn, &t);
    compare("baseline", &pages, &t);
    compare("baseline", &file, &t);
    const unsigned seen[] = {t.in_flight, t.neighbours, t.upper,   t.size,
                             t.front,     t.faults,     t.unasked, t.checked,
                             t.longest,   t.waits,      t.lacks,   t.provocations,
                             t.hashed,    t.partial,    t.banks,   t.ordered};
    for (size_t i = 0; i < sizeof seen / sizeof seen[0]; i++) {
        if (seen[i] == 0) {
            fail_msg("figure %zu is always zero", i);
        }
    }
}

/* Registers that a map says are nowhere are not compared, and named in their order. */
static void test_registers_left_out(void **state) {
    (void)state;
    static lw_register_map map;
    static session_bench b;
    session_begin(&b, LW_SIDE_BOTH, "stress_small", NULL);
    b.options.max_cycles = 10;
    const uint32_t fields = session_go(&b)->fields;
    map.path = "my.map";
    map.line[LW_F_TLB_RANK_RANK] = (lw_register_line){.number = 1, .nowhere = true};
    map.line[LW_F_COUNTER_COUNT] = (lw_register_line){.number = 2, .nowhere = true};
    b.options.registers = &map;
    b.options.is_built = true;
    assert_int_equal(session_go(&b)->fields, fields);
    assert_int_equal(b.result.fields_compared, fields - 2);
    assert_string_equal(b.result.left_out, "TLB_RANK.RANK, COUNTER.COUNT");
    b.options.rtl_injection = session_flip(LW_F_COUNTER_COUNT, 0, 0, 5);
    b.options.is_built = false;
    assert_false(lw_session_run(&b.options, &b.result, NULL, &b.err));
    assert_string_equal(b.err.text,
                        "--inject: the design of --rtl has no COUNTER.COUNT to flip a bit of");
    /* of many the first, as far as there is room */
    b.options.rtl_injection.on = false;
    for (lw_field f = 0; f < LW_FIELD_COUNT; f++) {
        map.line[f] = (lw_register_line){.number = f + 1, .nowhere = true};
    }
    assert_int_equal(session_go(&b)->fields, fields);
    assert_int_equal(b.result.fields_compared, 0);
    assert_int_equal(strlen(b.result.left_out), sizeof b.result.left_out - 1);
    char first[LW_TEXT_MAX] = "";
    for (lw_field f = 0; strlen(first) < 100; f++) {
        if (lw_field_exists(&b.system.hw, f)) {
            (void)snprintf(first + strlen(first), sizeof first - strlen(first), "%s.%s, ",
                           lw_structure_name(lw_field_structure(f)), lw_field_name(f));
        }
    }
    assert_memory_equal(b.result.left_out, first, 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_figures),
        cmocka_unit_test(test_registers_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
