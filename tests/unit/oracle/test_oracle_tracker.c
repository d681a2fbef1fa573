/* The oracle's tracker: exactly once, every field, changes while requests are in flight. */
#include "tests/unit/oracle/oracle_image.h"

#include <stdio.h>

static void each_request_is_answered_once(void **state) {
    (void)state;
    image m;
    good_tables(&m);
    lw_oracle *o = new_oracle(&m, 4);
    lw_error err = {0};
    lw_oracle_answer right = lw_oracle_answer_now(o, 1, PAGE, READ);
    assert_true(lw_oracle_request(o, 3, 1, PAGE, READ, &err));
    assert_false(lw_oracle_request(o, 3, 2, PAGE + 1, READ, &err));
    assert_string_equal(err.text, "request 3 is made while the one of this id (PASID 1, page "
                                  "0x28180e08) is not answered");
    assert_false(lw_oracle_request(o, 8, 1, PAGE, READ, &err));
    assert_string_equal(err.text, "request 8: ids are 0..7");
    assert_false(lw_oracle_finish(o, &err));
    assert_string_equal(err.text, "1 requests are not answered, the lowest id is 3 (PASID 1, page "
                                  "0x28180e08)");
    assert_int_equal(lw_oracle_in_flight(o), 1);
    assert_true(answer_id(o, 3, right, &err));
    assert_false(answer_id(o, 3, right, &err));
    assert_non_null(strstr(err.text, "request 3, which is not in flight"));
    assert_false(answer_id(o, 8, right, &err));
    assert_non_null(strstr(err.text, "request 8, which is not in flight"));
    assert_true(lw_oracle_request(o, 3, 1, PAGE, READ, &err)); /* ids are reused */
    assert_true(answer_id(o, 3, right, &err));
    assert_int_equal(lw_oracle_checked(o), 2);
    assert_true(lw_oracle_finish(o, &err));
    lw_oracle_free(o);
}

static void every_field_is_checked(void **state) {
    (void)state;
    image m;
    good_tables(&m);
    lw_oracle *o = new_oracle(&m, 4);
    lw_error err = {0};
    lw_oracle_answer right = lw_oracle_answer_now(o, 1, PAGE, READ);
    lw_oracle_answer wrong[7];
    for (size_t i = 0; i < 7; i++) {
        wrong[i] = right;
    }
    wrong[0].kind = LW_ORACLE_NOT_PRESENT;
    wrong[1].level = 1;
    wrong[2].pfn ^= UINT64_C(1) << 35;
    wrong[3].size = 1;
    wrong[4].w = false;
    wrong[5].x = false;
    wrong[6] = (lw_oracle_answer){.kind = LW_ORACLE_MEMORY_ERROR, .level = 1};
    for (size_t i = 0; i < 7; i++) {
        assert_true(lw_oracle_request(o, 0, 1, PAGE, READ, &err));
        assert_false(answer_id(o, 0, wrong[i], &err));
        assert_non_null(
            strstr(err.text, "expected OK (0) level 0 pfn 0xabcde size 0 W=1 X=1, got"));
    }
    assert_int_equal(lw_oracle_checked(o), 0);
    /* of a fault, kind and level */
    m.words[4][9] = 0;
    assert_true(lw_oracle_request(o, 0, 1, PAGE + 1, WRITE, &err));
    assert_false(
        answer_id(o, 0, (lw_oracle_answer){.kind = LW_ORACLE_NOT_PRESENT, .level = 2}, &err));
    assert_string_equal(err.text, "request 0 (PASID 1, page 0x28180e09, write): expected "
                                  "NOT_PRESENT (3) level 1, got NOT_PRESENT (3) level 2");
    lw_oracle_free(o);
}

/* Of several that are not answered the lowest is named, the first of all too. */
static void the_lowest_id_is_named(void **state) {
    (void)state;
    image m;
    good_tables(&m);
    lw_oracle *o = new_oracle(&m, 4);
    lw_error err = {0};
    for (uint32_t id = 7; id < 8; id--) {
        char wanted[128];
        assert_true(lw_oracle_request(o, id, 3 + id, PAGE + id, READ, &err));
        assert_false(lw_oracle_finish(o, &err));
        (void)snprintf(wanted, sizeof wanted,
                       "%u requests are not answered, the lowest id is %u (PASID %u, page 0x%llx)",
                       8 - id, id, 3 + id, (unsigned long long)(PAGE + id));
        assert_string_equal(err.text, wanted);
    }
    lw_oracle_free(o);
}

/* By the numbers of R1.9 and R1.4; of a fault there is no frame to tell, and links where there are
 * any. */
static void sentences_name_kinds_and_accesses(void **state) {
    (void)state;
    static const char *const kinds[] = {"OK",          "NONCANONICAL", "UNKNOWN_PASID",
                                        "NOT_PRESENT", "RESERVED",     "MISALIGNED",
                                        "PERMISSION",  "MEMORY_ERROR"};
    static const char *const accesses[] = {"read", "write", "execute", "execute"};
    image m;
    good_tables(&m);
    lw_oracle *o = new_oracle(&m, 4);
    lw_error err = {0};
    for (uint32_t n = 0; n < 4 * 8; n++) {
        char wanted[256], links[16] = "";
        const uint32_t kind = n / 4, access = n % 4;
        const lw_oracle_answer wrong = {.kind = kind, .level = 6, .links = access};
        if (access != 0) {
            (void)snprintf(links, sizeof links, " links %u", access);
        }
        assert_true(lw_oracle_request(o, 2, 1, PAGE, access, &err));
        assert_false(answer_id(o, 2, wrong, &err));
        (void)snprintf(wanted, sizeof wanted,
                       "request 2 (PASID 1, page 0x28180e08, %s): expected OK (0) level 0 pfn "
                       "0xabcde size 0 W=1 X=1, got %s (%u) level 6%s%s",
                       accesses[access], kinds[kind], kind,
                       kind == 0 ? " pfn 0x0 size 0 W=0 X=0" : "", links);
        assert_string_equal(err.text, wanted);
    }
    lw_oracle_free(o);
}

static void memory_errors_only_where_injected(void **state) {
    (void)state;
    for (uint32_t failing = 1; failing <= 4; failing++) {
        image m;
        good_tables(&m);
        lw_oracle *o = new_oracle(&m, 4);
        lw_error err = {0};
        static const uint64_t lines[] = {0, (4 << 6) + 1, 3 << 6, 2 << 6, 1 << 6};
        m.failing_line = lines[failing];
        for (uint32_t level = 0; level <= 5; level++) {
            assert_true(lw_oracle_request(o, 0, 1, PAGE, READ, &err));
            lw_oracle_answer a = {.kind = LW_ORACLE_MEMORY_ERROR, .level = level};
            assert_int_equal(answer_id(o, 0, a, &err), level == failing);
        }
        /* an error may, it need not, have been met */
        assert_true(lw_oracle_request(o, 0, 1, PAGE, READ, &err));
        assert_true(answer_id(o, 0, lw_oracle_answer_now(o, 1, PAGE, READ), &err));
        lw_oracle_free(o);
    }
    /* not below the entry that ends the walk */
    image m;
    good_tables(&m);
    *entry_of(&m, 2) = 0;
    m.failing_line = (4 << 6) + 1;
    lw_oracle *o = new_oracle(&m, 4);
    lw_error err = {0};
    assert_true(lw_oracle_request(o, 0, 1, PAGE, READ, &err));
    assert_false(
        answer_id(o, 0, (lw_oracle_answer){.kind = LW_ORACLE_MEMORY_ERROR, .level = 1}, &err));
    lw_oracle_free(o);
}

static void old_answers_live_until_the_invalidation(void **state) {
    (void)state;
    image m;
    good_tables(&m);
    lw_oracle *o = new_oracle(&m, 4);
    lw_error err = {0};
    lw_oracle_answer old = lw_oracle_answer_now(o, 1, PAGE, READ);
    lw_oracle_answer gone = {.kind = LW_ORACLE_NOT_PRESENT, .level = 1};
    assert_false(accepts(o, gone));
    change(o, entry_of(&m, 1), &m, 0);
    assert_true(accepts(o, gone));
    assert_true(accepts(o, old));
    assert_true(lw_oracle_request(o, 1, 1, PAGE, READ, &err)); /* before, answered after */
    lw_oracle_answer never = old;
    never.pfn++;
    assert_true(lw_oracle_request(o, 0, 1, PAGE, READ, &err));
    assert_false(answer_id(o, 0, never, &err));
    assert_non_null(strstr(err.text, "or an answer from before the changes"));
    lw_oracle_invalidation_done(o);
    assert_false(accepts(o, old));
    assert_true(accepts(o, gone));
    assert_false(answer_id(o, 1, old, &err));
    /* one that nobody has seen begin is of everything, also after one of another page */
    lw_oracle_invalidation_starts(o, 1, PAGE + 1, PAGE + 1);
    lw_oracle_invalidation_done(o);
    old.pfn = 0x11;
    change(o, entry_of(&m, 1), &m, (0x11 << 12) | NODE);
    change(o, entry_of(&m, 1), &m, (0x22 << 12) | NODE);
    assert_true(accepts(o, old));
    lw_oracle_invalidation_done(o);
    assert_false(accepts(o, old));
    lw_oracle_free(o);
}

/* The node changes, then the leaf of the old node: a walker that kept the old node sees the new
 * leaf there, which is neither the old image's answer nor the new one's. */
static void mixtures_of_old_and_new(void **state) {
    (void)state;
    image m;
    good_tables(&m);
    lw_oracle *o = new_oracle(&m, 4);
    lw_oracle_answer mixed = lw_oracle_answer_now(o, 1, PAGE, READ);
    mixed.pfn = 0x77;
    change(o, entry_of(&m, 2), &m, 0);
    change(o, entry_of(&m, 1), &m, (0x77 << 12) | NODE);
    assert_true(accepts(o, mixed));
    assert_true(accepts(o, (lw_oracle_answer){.kind = LW_ORACLE_NOT_PRESENT, .level = 2}));
    assert_false(accepts(o, (lw_oracle_answer){.kind = LW_ORACLE_NOT_PRESENT, .level = 1}));
    lw_oracle_invalidation_done(o);
    assert_false(accepts(o, mixed));
    lw_oracle_free(o);
}

static void invalidations_drop_what_they_cover(void **state) {
    (void)state;
    static const struct {
        uint64_t first, last;
        uint32_t pasid;
        bool covers;
    } cases[] = {
        {PAGE, PAGE, 1, true},
        {0, UINT64_MAX, 1, true},
        {0, UINT64_MAX, LW_ORACLE_EVERY_PASID, true},
        {0, UINT64_MAX, 2, false},
        {PAGE + 1, UINT64_MAX, 1, false},
        {0, PAGE - 1, 1, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        image m;
        good_tables(&m);
        lw_oracle *o = new_oracle(&m, 4);
        lw_oracle_answer first = lw_oracle_answer_now(o, 1, PAGE, READ);
        change(o, entry_of(&m, 1), &m, (0x11 << 12) | NODE);
        lw_oracle_answer second = lw_oracle_answer_now(o, 1, PAGE, READ);
        lw_oracle_invalidation_starts(o, cases[i].pasid, cases[i].first, cases[i].last);
        assert_true(accepts(o, first)); /* started is not done */
                                        /* a change while the invalidation runs is not met by it */
        change(o, entry_of(&m, 1), &m, (0x22 << 12) | NODE);
        lw_oracle_invalidation_done(o);
        assert_int_equal(accepts(o, first), !cases[i].covers);
        assert_true(accepts(o, second));
        lw_oracle_invalidation_starts(o, 1, PAGE, PAGE);
        lw_oracle_invalidation_done(o);
        assert_false(accepts(o, first));
        assert_false(accepts(o, second));
        lw_oracle_free(o);
    }
}

static void old_roots_live_until_the_invalidation(void **state) {
    (void)state;
    image m;
    good_tables(&m);
    lw_oracle *o = new_oracle(&m, 4);
    lw_error err = {0};
    lw_oracle_answer old = lw_oracle_answer_now(o, 1, PAGE, READ);
    assert_true(lw_oracle_set_root(o, 1, false, 0, &err));
    lw_oracle_answer unknown = {.kind = LW_ORACLE_UNKNOWN_PASID};
    assert_true(accepts(o, unknown));
    assert_true(accepts(o, old));
    lw_oracle_invalidation_done(o);
    assert_true(accepts(o, unknown));
    assert_false(accepts(o, old));
    lw_oracle_free(o);
}

static void a_thousand_changes(void **state) {
    (void)state;
    image m;
    good_tables(&m);
    lw_oracle *o = new_oracle(&m, 4);
    lw_oracle_answer a = lw_oracle_answer_now(o, 1, PAGE, READ);
    for (uint64_t i = 0; i < 1000; i++) {
        change(o, entry_of(&m, 1), &m, ((0x1000 + i) << 12) | NODE);
        change(o, &m.words[5][i % 512], &m, i);
    }
    for (uint64_t i = 0; i < 1000; i++) {
        a.pfn = 0x1000 + i;
        assert_true(accepts(o, a));
    }
    a.pfn = 0x1000 + 1000;
    assert_false(accepts(o, a));
    lw_oracle_invalidation_done(o);
    a.pfn = 0x1000 + 998;
    assert_false(accepts(o, a));
    lw_oracle_free(o);
}

static void the_cache_never_outlives_a_change(void **state) {
    (void)state;
    image m;
    good_tables(&m);
    lw_oracle *o = new_oracle(&m, 4);
    (void)lw_oracle_answer_now(o, 1, PAGE, READ);
    m.reads = 0;
    (void)lw_oracle_answer_now(o, 1, PAGE, READ);
    assert_int_equal(m.reads, 0);
    change(o, entry_of(&m, 1), &m, 0);
    assert_fault(lw_oracle_answer_now(o, 1, PAGE, READ), LW_ORACLE_NOT_PRESENT, 1);
    lw_error err = {0};
    assert_true(lw_oracle_set_root(o, 1, true, 3, &err));
    assert_fault(lw_oracle_answer_now(o, 1, PAGE, READ), LW_ORACLE_NOT_PRESENT, 4);
    lw_oracle_free(o);
}

/* R1.9, also where the image gives no answer to compare with: memory has failed. */
/* One that has, in whatever field, is refused with what it says. */
static void an_error_has_no_frame(void **state) {
    (void)state;
    image m;
    good_tables(&m);
    m.failing_line = (4 << 6) + 1;
    lw_oracle *o = new_oracle(&m, 4);
    const lw_oracle_answer error = {.kind = LW_ORACLE_MEMORY_ERROR, .level = 1};
    static const char *const told[] = {"pfn 0x1 size 0 W=0 X=0", "pfn 0x0 size 1 W=0 X=0",
                                       "pfn 0x0 size 0 W=1 X=0", "pfn 0x0 size 0 W=0 X=1"};
    assert_true(accepts(o, error));
    for (int i = 0; i < 4; i++) {
        lw_oracle_answer more = error;
        more.pfn = i == 0;
        more.size = i == 1;
        more.w = i == 2;
        more.x = i == 3;
        lw_error err = {0};
        char wanted[64];
        (void)snprintf(wanted, sizeof wanted, "got MEMORY_ERROR (7) level 1 %s", told[i]);
        assert_true(lw_oracle_request(o, 0, 1, PAGE, READ, &err));
        assert_false(answer_id(o, 0, more, &err));
        assert_non_null(strstr(err.text, wanted));
    }
    lw_oracle_free(o);
}

/* A hit of a TLB: the frame that a run or a large page leads to is modulo the frames that there are
 * (R1.16). The sentence begins with where it was. */
static void hits_are_judged_like_answers(void **state) {
    (void)state;
    image m;
    lw_error err = {0};
    good_tables(&m);
    lw_oracle *o = new_oracle(&m, 4);
    lw_oracle_answer kept = lw_oracle_answer_now(o, 1, PAGE, WRITE);
    assert_true(lw_oracle_hit(o, "TLB 7", 1, PAGE, WRITE, &kept, &err));
    kept.pfn |= UINT64_C(1) << 36;
    assert_true(lw_oracle_hit(o, "TLB 7", 1, PAGE, WRITE, &kept, &err));
    kept.pfn ^= UINT64_C(1) << 35;
    assert_false(lw_oracle_hit(o, "TLB 7", 1, PAGE, WRITE, &kept, &err));
    assert_string_equal(err.text, "TLB 7: a hit (PASID 1, page 0x28180e08, write) on an entry that "
                                  "is not right: expected OK (0) level 0 pfn 0xabcde size 0 W=1 "
                                  "X=1, kept OK (0) level 0 pfn 0x8000abcde size 0 W=1 X=1");
    kept.pfn = 0xabcde;
    assert_false(lw_oracle_hit(o, "TLB 7", 2, PAGE, WRITE, &kept, &err)); /* another's */
    change(o, entry_of(&m, 1), &m, 0);
    assert_true(lw_oracle_hit(o, "TLB 7", 1, PAGE, WRITE, &kept, &err));
    lw_oracle_invalidation_done(o);
    assert_false(lw_oracle_hit(o, "TLB 7", 1, PAGE, WRITE, &kept, &err));
    *entry_of(&m, 1) = UINT64_C(0xabcde) << 12 | (NODE & ~2u);
    assert_true(lw_oracle_set_root(o, 1, true, 1, &err));
    kept.w = false;
    assert_true(lw_oracle_hit(o, "TLB 7", 1, PAGE, READ, &kept, &err));
    assert_true(lw_oracle_hit(o, "TLB 7", 1, PAGE, EXECUTE, &kept, &err));
    assert_false(lw_oracle_hit(o, "TLB 7", 1, PAGE, WRITE, &kept, &err)); /* it may not */
    assert_int_equal(lw_oracle_in_flight(o), 0);
    assert_int_equal(lw_oracle_checked(o), 0); /* they are no responses */
    lw_oracle_free(o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_has_no_frame),
        cmocka_unit_test(hits_are_judged_like_answers),
        cmocka_unit_test(each_request_is_answered_once),
        cmocka_unit_test(every_field_is_checked),
        cmocka_unit_test(the_lowest_id_is_named),
        cmocka_unit_test(sentences_name_kinds_and_accesses),
        cmocka_unit_test(memory_errors_only_where_injected),
        cmocka_unit_test(old_answers_live_until_the_invalidation),
        cmocka_unit_test(mixtures_of_old_and_new),
        cmocka_unit_test(invalidations_drop_what_they_cover),
        cmocka_unit_test(old_roots_live_until_the_invalidation),
        cmocka_unit_test(a_thousand_changes),
        cmocka_unit_test(the_cache_never_outlives_a_change),
    };
    return cmocka_run_group_tests_name("oracle_tracker", tests, NULL, NULL);
}
