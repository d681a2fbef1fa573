/* The partial tag of the page walk cache by address (R6.17): where a fill goes. */
#include "c_model/walk/page_walk_cache_by_address.h"
#include "tests/unit/c_model/bench_state.h"

enum { WAYS = 4, SET_BITS = 2, PARTIAL_TAG = 12, LEVEL = 3, RW = 3 };

static const lw_pwc_node node = {.perm = RW};

/* The PTE with index 0 in the node whose frame has this TAG in set 0. */
static lw_pwc_query query_of(uint64_t tag) {
    return (lw_pwc_query){.node = tag << SET_BITS >> 9, .level = LEVEL, .perm = RW};
}

/* Places a fill, writes and touches it. */
static uint32_t fill(lw_pwc_by_address *c, uint64_t tag) {
    const lw_pwc_query query = query_of(tag);
    const uint32_t entry = lw_pwc_by_address_victim(c, &query, LW_NONE);
    lw_pwc_by_address_write(c, entry, &query, &node);
    lw_pwc_by_address_touch(c, entry);
    return entry;
}

static bool holds(const lw_pwc_by_address *c, uint64_t tag) {
    const lw_pwc_query query = query_of(tag);
    return lw_pwc_by_address_compare(c, &query).entry != LW_NONE;
}

static void test_one_partial_tag(void **state) {
    (void)state;
    static const lw_watch nobody = {0};
    const uint64_t above = UINT64_C(1) << PARTIAL_TAG;
    const uint64_t step = UINT64_C(1) << (9 - SET_BITS); /* between tags of neighbouring frames */
    lw_params hw = bench_nha;
    hw.pwc_org = 1;
    hw.pwc_ways = WAYS;
    hw.pwc_entries = WAYS << SET_BITS;
    const lw_config cfg = lw_config_of(&hw);
    static lw_pwc_by_address c;
    lw_pwc_by_address_init(&c, &cfg, &nobody);
    assert_int_equal(fill(&c, 0), 0);
    assert_int_equal(fill(&c, step), 1);
    assert_int_equal(fill(&c, 2 * step), 2);
    /* Another PTE with the partial tag of the second takes its place, though a way is free and the
     * first was used longer ago. */
    assert_int_equal(fill(&c, above + step), 1);
    assert_false(holds(&c, step));
    assert_true(holds(&c, above + step));
    assert_true(holds(&c, 0));
    /* A lookup compares all of TAG, and the top bit of the partial tag is one of its bits. */
    assert_false(holds(&c, 2 * above + step));
    assert_int_equal(fill(&c, above / 2 + 2 * step), 3);
    assert_true(holds(&c, 2 * step));
    /* A set that is full gives away the way used longest ago. */
    assert_int_equal(fill(&c, 5 * step), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_partial_tag)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
