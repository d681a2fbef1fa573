/* Faults that nobody asked for (lw_environment_faults): those that neither a stream that asks
 * badly, nor memory that fails, nor an OS at work on a page of the beginning explains; and answers
 * that say what a hashed table lacks (R20.14). */
#include "tests/unit/sim/environment/environment_run.h"

/* An array of four pages, from FIRST on. */
static const lw_run four_pages = {.workload = "sequential", .seed = 1, .size = 4};
static const lw_run badly = {.workload = "random", .seed = 1, .max_requests = 100};
#define FIRST UINT64_C(0x7f0000000)

/* Whether an answer of this kind for the page is one that nobody asked for. */
static bool is_unasked(const lw_environment *at_first, uint32_t pasid, uint64_t page,
                       uint32_t kind) {
    static lw_environment env; /* a copy, so that each answer is the first */
    const lw_front_request request = {.pasid = pasid, .page = page};
    uint64_t kinds[LW_KINDS], unasked[LW_KINDS];
    env = *at_first;
    lw_environment_note_answer(&env, &request, kind, 1);
    lw_environment_faults(&env, kinds, unasked);
    for (uint32_t k = 0; k < LW_KINDS; k++) {
        assert_true(unasked[k] == 0 || (k == kind && unasked[k] == 1));
    }
    return unasked[kind] != 0;
}

static void test_who_asked(void **state) {
    (void)state;
    enum {
        MEMORY = 1,
        ROOT = 2,
        ABSENT = 4,
        ABSENT_ELSEWHERE = 8,
        DENIED = 16,
        DENIED_ELSEWHERE = 32
    };
    static const struct {
        const char *key, *value;
        uint32_t asked;
    } rows[] = {
        {NULL, NULL, 0},
        {"memory_errors", "1", MEMORY},
        {"root_changes", "1", ROOT | ABSENT | ABSENT_ELSEWHERE | DENIED | DENIED_ELSEWHERE},
        {"remaps", "1", ABSENT | DENIED},
        {"silent_changes", "1", ABSENT | DENIED},
        {"table_moves", "1", ABSENT | DENIED},
        {"shared_tables", "1", DENIED},
        {"invalidations", "1", 0}, /* they change nothing */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint32_t asked = rows[i].asked;
        environment_run r;
        environment_open(&r, "nha", &four_pages, rows[i].key, rows[i].value);
        assert_int_equal(is_unasked(r.env, 0, FIRST, LW_MEMORY_ERROR), (asked & MEMORY) == 0);
        assert_int_equal(is_unasked(r.env, 0, FIRST, LW_UNKNOWN_PASID), (asked & ROOT) == 0);
        for (uint64_t page = FIRST - 2; page < FIRST + 6; page++) {
            const bool here = page >= FIRST && page < FIRST + 4;
            assert_int_equal(is_unasked(r.env, 0, page, LW_NOT_PRESENT),
                             (asked & (here ? ABSENT : ABSENT_ELSEWHERE)) == 0);
            assert_int_equal(is_unasked(r.env, 0, page, LW_PERMISSION),
                             (asked & (here ? DENIED : DENIED_ELSEWHERE)) == 0);
        }
        assert_int_equal(is_unasked(r.env, 1, FIRST, LW_NOT_PRESENT), /* a PASID without pages */
                         (asked & ABSENT_ELSEWHERE) == 0);
        assert_true(is_unasked(r.env, 0, FIRST, LW_NONCANONICAL));
        assert_true(is_unasked(r.env, 0, FIRST, LW_RESERVED));
        assert_true(is_unasked(r.env, 0, FIRST, LW_MISALIGNED));
        assert_false(is_unasked(r.env, 0, FIRST, LW_OK));
        environment_close(&r);
    }
}

/* Each page of each array was mapped in the beginning, in whichever half of the address space it
 * lies, and also where the array begins or ends within it; the pages around them were not. */
static void test_pages_of_all_arrays(void **state) {
    (void)state;
    static const lw_array arrays[] = {
        {"one byte", UINT64_C(0x10000000), 1},
        {"askew", UINT64_C(0x20000ffe), 4},
        {"whole", UINT64_C(0x30000000), 3 << 12},
        {"upper half", UINT64_C(0xffff800000005000), (2 << 12) + 1},
    };
    environment_run r;
    environment_open(&r, "nha", &four_pages, "remaps", "1");
    lw_address_spaces *own = r.env->spaces;
    lw_address_spaces *spaces = lw_address_spaces_new(&r.system, 100, 1, &r.err);
    r.env->spaces = spaces;
    assert_true(lw_address_spaces_add(spaces, arrays, sizeof arrays / sizeof arrays[0], &r.err));
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; a++) {
        const uint64_t first = arrays[a].base >> 12;
        const uint64_t last = (arrays[a].base + arrays[a].bytes - 1) >> 12;
        for (uint64_t page = first - 2; page <= last + 2; page++) {
            assert_int_equal(is_unasked(r.env, 0, page, LW_NOT_PRESENT),
                             page < first || page > last);
        }
    }
    r.env->spaces = own;
    lw_address_spaces_free(spaces);
    environment_close(&r);
}

/* An OS that changes pages in two ways is at work too. */
static void test_two_kinds_of_changes(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"remaps", "silent_changes"}, {"remaps", "table_moves"}, {"silent_changes", "table_moves"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        environment_run r;
        environment_open(&r, "nha", &four_pages, pairs[i][0], "7");
        assert_true(lw_system_set(&r.system, pairs[i][1], "7", "", &r.err));
        assert_false(is_unasked(r.env, 0, FIRST, LW_NOT_PRESENT));
        environment_close(&r);
    }
}

/* A random stream means to fault; but memory fails only where it is told to. */
static void test_streams_that_ask_badly(void **state) {
    (void)state;
    environment_run r;
    environment_open(&r, "stress_small", &badly, "memory_errors", "0");
    for (uint32_t kind = LW_OK; kind < LW_KINDS; kind++) {
        assert_int_equal(is_unasked(r.env, 0, 5, kind), kind == LW_MEMORY_ERROR);
    }
    environment_close(&r);
}

/* Each of the last three processes lacks a part, and says so with a kind and a level of its own.
 * Memory errors of those whose tables lie where none is are asked for. */
static void test_lacks(void **state) {
    (void)state;
    static const struct {
        lw_lack lack;
        uint32_t kind, level;
    } rows[] = {{LW_LACKS_VICTIM_BUFFER, LW_NOT_PRESENT, 6},
                {LW_LACKS_STEP_TABLE, LW_MEMORY_ERROR, 6},
                {LW_LACKS_TABLE, LW_MEMORY_ERROR, 1}};
    environment_run r;
    environment_open(&r, "stress_hashed", &badly, "memory_errors", "0");
    const uint32_t whole = lw_address_spaces_processes(r.env->spaces) - 3;
    assert_true(is_unasked(r.env, 0, 5, LW_MEMORY_ERROR));
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(is_unasked(r.env, whole + (uint32_t)i, 5, LW_MEMORY_ERROR),
                         rows[i].kind != LW_MEMORY_ERROR);
    }
    for (size_t i = 0; i < 3; i++) {
        uint64_t expected[LW_LACKS], lacks[LW_LACKS];
        const lw_front_request request = {.pasid = whole + (uint32_t)i, .page = 5};
        lw_environment_lacks(r.env, expected);
        for (uint32_t kind = LW_OK; kind < LW_KINDS; kind++) {
            for (uint32_t level = 0; level <= 6; level++) {
                expected[rows[i].lack] += kind == rows[i].kind && level == rows[i].level;
                lw_environment_note_answer(r.env, &request, kind, level);
                lw_environment_lacks(r.env, lacks);
                assert_memory_equal(lacks, expected, sizeof lacks);
            }
        }
    }
    environment_close(&r);
}

/* Answers to processes whose tables lack something, by that. */
typedef struct lack_answers {
    uint32_t whole; /* processes before them */
    uint64_t of[LW_LACKS];
} lack_answers;

static void count_lacks(environment_run *r, void *ctx) {
    lack_answers *answers = ctx;
    if (!r->out.rsp_valid || !r->in.rsp_ready) {
        return;
    }
    const uint32_t pasid = r->env->requests[r->out.rsp_id].pasid;
    const uint32_t kind = r->out.rsp_kind;
    if (pasid == answers->whole) {
        answers->of[LW_LACKS_VICTIM_BUFFER] += kind == LW_NOT_PRESENT && r->out.rsp_level == 6;
    } else if (pasid == answers->whole + 1) {
        answers->of[LW_LACKS_STEP_TABLE] += kind == LW_MEMORY_ERROR && r->out.rsp_level == 6;
    } else if (pasid == answers->whole + 2) {
        answers->of[LW_LACKS_TABLE] += kind == LW_MEMORY_ERROR && r->out.rsp_level == 1;
    }
}

static void test_lacks_in_a_run(void **state) {
    (void)state;
    static const lw_run run = {.workload = "random", .seed = 1, .max_requests = 4000};
    environment_run r;
    uint64_t lacks[LW_LACKS];
    environment_open(&r, "stress_hashed", &run, NULL, NULL);
    lack_answers answers = {.whole = lw_address_spaces_processes(r.env->spaces) - 3};
    if (!environment_go(&r, UINT64_C(10000000), count_lacks, &answers)) {
        fail_msg("%s", r.err.text);
    }
    lw_environment_lacks(r.env, lacks);
    for (uint32_t k = LW_LACKS_VICTIM_BUFFER; k < LW_LACKS; k++) {
        assert_int_equal(lacks[k], answers.of[k]);
        assert_true(lacks[k] > 0);
    }
    environment_close(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_who_asked),
                                       cmocka_unit_test(test_pages_of_all_arrays),
                                       cmocka_unit_test(test_two_kinds_of_changes),
                                       cmocka_unit_test(test_streams_that_ask_badly),
                                       cmocka_unit_test(test_lacks),
                                       cmocka_unit_test(test_lacks_in_a_run)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
