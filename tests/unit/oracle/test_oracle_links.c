/* Links of CoLT (R1.14): the oracle asks of each that leads to the page whether it is true. */
#include "tests/unit/oracle/oracle_image.h"

/* Pages of places 0 to 3 of a group in frames 0xabcde, 0xabcdf, 0xabce0 (not writable), 0xabce1. */
static void links_are_checked(void **state) {
    (void)state;
    static const struct {
        uint32_t place, links;
        bool right;
    } rows[] = {
        {0, 0, true}, {0, 1, true},  {0, 2, true},  {0, 3, false}, {1, 1, true},  {1, 2, false},
        {1, 4, true}, {2, 2, false}, {2, 4, false}, {3, 3, true},  {3, 4, false},
    };
    image m;
    good_tables(&m);
    for (uint32_t i = 1; i < 4; i++) {
        entry_of(&m, 1)[i] = (UINT64_C(0xabcde) + i) << 12 | (i == 2 ? NODE & ~2u : NODE);
    }
    lw_oracle *o = new_oracle(&m, 4);
    lw_error err = {0};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint64_t page = PAGE + rows[i].place;
        lw_oracle_answer answer = lw_oracle_answer_now(o, 1, page, READ);
        assert_true(lw_oracle_request(o, 0, 1, page, READ, &err));
        answer.links = rows[i].links;
        assert_int_equal(answer_id(o, 0, answer, &err), rows[i].right);
        assert_int_equal(strstr(err.text, "a link joins it") == NULL, rows[i].right);
    }
    /* also where the first of the group is the one that does not fit */
    const uint64_t fits = *entry_of(&m, 1);
    lw_oracle_answer second = lw_oracle_answer_now(o, 1, PAGE + 1, READ);
    second.links = 1;
    for (int fit = 0; fit < 2; fit++) {
        *entry_of(&m, 1) = fit != 0 ? fits : fits ^ UINT64_C(1) << 20;
        assert_true(lw_oracle_set_root(o, 1, true, 1, &err)); /* the image is another one */
        assert_true(lw_oracle_request(o, 0, 1, PAGE + 1, READ, &err));
        assert_int_equal(answer_id(o, 0, second, &err), fit);
    }
    /* An old value of the neighbour is right until its invalidation is done. */
    lw_oracle_entry_changes(o, (4 << 12) + 8 * 9, entry_of(&m, 1)[1]);
    entry_of(&m, 1)[1] = 0;
    for (int done = 0; done < 2; done++) {
        lw_oracle_answer answer = lw_oracle_answer_now(o, 1, PAGE, READ);
        assert_true(lw_oracle_request(o, 0, 1, PAGE, READ, &err));
        answer.links = 1;
        assert_int_equal(answer_id(o, 0, answer, &err), done == 0);
        lw_oracle_invalidation_starts(o, 1, PAGE + 1, PAGE + 1);
        lw_oracle_invalidation_done(o);
    }
    lw_oracle_free(o);
}

/* R1.14: they are modulo the frames that there are; and none without CoLT, of a large page, or of a
 * fault, whose neighbours may well be faults too. */
static void links_are_of_small_pages(void **state) {
    (void)state;
    image m;
    lw_error err = {0};
    good_tables(&m);
    const uint64_t last = (UINT64_C(1) << 36) - 1;
    entry_of(&m, 1)[0] = last << 12 | NODE;
    entry_of(&m, 1)[1] = NODE;
    lw_oracle_answer first = {.kind = LW_ORACLE_OK, .pfn = last, .links = 1, .w = true, .x = true};
    lw_oracle *o = new_oracle(&m, 4);
    assert_true(accepts(o, first));
    lw_oracle_free(o);
    entry_of(&m, 1)[0] = entry_of(&m, 1)[1] = 0;
    o = new_oracle(&m, 4);
    lw_oracle_answer fault = {.kind = LW_ORACLE_NOT_PRESENT, .level = 1};
    assert_true(accepts(o, fault));
    fault.links = 1;
    assert_false(accepts(o, fault));
    lw_oracle_free(o);
    *entry_of(&m, 2) = UINT64_C(0x200) << 12 | LARGE;
    o = new_oracle(&m, 4);
    lw_oracle_answer large = lw_oracle_answer_now(o, 1, PAGE, READ);
    assert_int_equal(large.pfn, 0x208);
    assert_true(accepts(o, large));
    large.links = 1;
    assert_false(accepts(o, large));
    lw_oracle_free(o);
    const lw_oracle_config without = {
        .levels = 4, .pa_width = 48, .ids = 8, .pasids = 4, .read64 = read64, .ctx = &m};
    good_tables(&m);
    entry_of(&m, 1)[1] = UINT64_C(0xabcdf) << 12 | NODE;
    o = lw_oracle_new(&without, &err);
    assert_true(lw_oracle_set_root(o, 1, true, 1, &err));
    lw_oracle_answer linked = lw_oracle_answer_now(o, 1, PAGE, READ);
    assert_true(accepts(o, linked));
    linked.links = 1;
    assert_false(accepts(o, linked));
    lw_oracle_free(o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(links_are_checked),
        cmocka_unit_test(links_are_of_small_pages),
    };
    return cmocka_run_group_tests_name("oracle_links", tests, NULL, NULL);
}
