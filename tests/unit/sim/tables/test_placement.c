/* Which frames pages get is drawn from the run's seed (docs/machine.md, where pages lie). */
#include "tests/unit/sim/os/space_walk.h"

enum { PAGES = 64 };

static void frames_of(const char *mapping, uint64_t seed, uint64_t frames[PAGES]) {
    static const lw_array list = {"array", UINT64_C(0x7f0000000000), PAGES << 12};
    const lw_system system = make_system(mapping, LW_SIZE_4K, 4, 48);
    lw_error err = {0};
    lw_address_spaces *s = lw_address_spaces_new(&system, 1 << 10, seed, &err);
    assert_true(lw_address_spaces_add(s, &list, 1, &err));
    for (uint64_t n = 0; n < PAGES; n++) {
        const lw_oracle_answer answer = walk(&system, s, 0, (list.base >> 12) + n, LW_READ);
        assert_int_equal(answer.kind, LW_ORACLE_OK);
        frames[n] = answer.pfn;
    }
    lw_address_spaces_free(s);
}

/* Where frames are drawn: of two seeds hardly a page lies in the same one. */
static void test_the_seed_decides(void **state) {
    (void)state;
    static const struct {
        const char *mapping;
        bool drawn;
    } rows[] = {{"contiguous", false},
                {"buddy:0", false},
                {"buddy:25", true},
                {"memhog:50", true},
                {"random", true}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        uint64_t one[PAGES], same[PAGES], other[PAGES];
        unsigned equal = 0;
        frames_of(rows[i].mapping, 1, one);
        frames_of(rows[i].mapping, 1, same);
        frames_of(rows[i].mapping, 2, other);
        assert_memory_equal(one, same, sizeof one);
        for (size_t n = 0; n < PAGES; n++) {
            equal += one[n] == other[n];
        }
        assert_true(rows[i].drawn ? equal < PAGES / 4 : equal == PAGES);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_seed_decides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
