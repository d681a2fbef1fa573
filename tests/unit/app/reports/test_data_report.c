/* What the data path has done and where the waves' cycles went, in text and in JSON (docs/json.md):
 * of counts that all differ each stands where its name is. */
#include "app/reports/data_report.h"

#include "tests/unit/app/reports/report.h"

static lw_front_statistics front;
static printed out;

static int begin(void **state) {
    (void)state;
    front = (lw_front_statistics){.has_data = true,
                                  .data = {.l1 = {30, 10, 60, 21, 12},
                                           .l2 = {9, 6, 57, 22, 23},
                                           .lines = 100,
                                           .memory_reads = 24,
                                           .memory_writes = 25,
                                           .walk_hits = 1,
                                           .walk_misses = 4,
                                           .walk_reads = 26},
                                  .cycles = {.of = {[LW_CAUSE_ISSUE] = 100,
                                                    [LW_CAUSE_ALU] = 200,
                                                    [LW_CAUSE_TLB] = 50,
                                                    [LW_CAUSE_UNIT] = 350,
                                                    [LW_CAUSE_CACHE] = 75,
                                                    [LW_CAUSE_MEMORY] = 225},
                                             .waves = 1000}};
    return 0;
}

static const char *text(void) {
    printed_begin(&out);
    lw_data_print(&front);
    printed_end(&out);
    return out.text;
}

#define CACHES                                                                                     \
    "  lines of data        100, 60 of them stores; hit rates L1 0.750, L2 0.600\n"                \
    "  memory of data       24 reads, 25 writes; 23 lines written back\n"
#define WAVES                                                                                      \
    "  wave cycles          issue 10.0% alu 20.0% tlb 5.0% unit 35.0% data_cache 7.5% "            \
    "data_memory 22.5%\n"

static void test_text(void **state) {
    (void)state;
    assert_string_equal(text(), CACHES WAVES);
    front.data.has_walks = true;
    assert_string_equal(text(), CACHES
                        "  page walks in the L2 hit rate 0.200; 26 of the reads of memory\n" WAVES);
    front.cycles = (lw_wave_cycles){.waves = 0};
    assert_non_null(strstr(text(), " issue 0.0% alu 0.0% tlb 0.0% "));
    front.has_data = false;
    assert_string_equal(text(), "");
}

static json_t *cache(int hits, int misses, int stores, int store_hits, int writebacks) {
    return json_pack("{s:i, s:i, s:i, s:i, s:i}", "hits", hits, "misses", misses, "stores", stores,
                     "store_hits", store_hits, "writebacks", writebacks);
}

static json_t *expected(json_t *walks) {
    return json_pack("{s:i, s:i, s:i, s:o, s:o, s:o}", "lines", 100, "memory_reads", 24,
                     "memory_writes", 25, "l1", cache(30, 10, 60, 21, 12), "l2",
                     cache(9, 6, 57, 22, 23), "walks", walks);
}

static void test_json(void **state) {
    (void)state;
    assert_json(lw_data_json(&front), expected(json_null()));
    front.data.has_walks = true;
    assert_json(lw_data_json(&front),
                expected(json_pack("{s:i, s:i, s:i}", "hits", 1, "misses", 4, "memory_reads", 26)));
    assert_json(lw_wave_cycles_json(&front),
                json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "waves", 1000, "issue", 100, "alu",
                          200, "tlb", 50, "unit", 350, "data_cache", 75, "data_memory", 225));
    front.has_data = false;
    assert_json(lw_data_json(&front), json_null());
    assert_json(lw_wave_cycles_json(&front), json_null());
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_text, begin),
        cmocka_unit_test_setup(test_json, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
