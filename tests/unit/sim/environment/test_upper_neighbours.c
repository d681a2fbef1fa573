/* NHA's Figure 6, counted by hand: 512 pages to an entry of level 2, 8 of these to a line; 2^18 and
 * 2^27 pages to an entry of levels 3 and 4. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/environment/upper_neighbours.h"

static void assert_counts(const lw_upper_neighbours *u, uint64_t accesses, uint64_t met) {
    const lw_upper_counts c = lw_upper_neighbours_counts(u);
    assert_int_equal(c.accesses, accesses);
    assert_int_equal(c.met, met);
}

static void test_by_hand(void **state) {
    (void)state;
    static const struct {
        uint32_t pasid;
        uint64_t page;
        uint64_t accesses, met; /* after it has gone into flight */
    } rows[] = {
        {0, 0, 3, 0},       /* an entry of each level, nobody beside it */
        {0, 1, 3, 0},       /* the same three */
        {0, 0x200, 4, 1},   /* the next entry of level 2, in the line of the first */
        {0, 0x1000, 5, 1},  /* another line of level 2, the same entry of level 3 */
        {0, 0x40000, 7, 2}, /* alone at level 2, in the line of the first at level 3 */
        {1, 0, 10, 2},      /* another address space */
    };
    enum { ROWS = sizeof rows / sizeof rows[0] };
    lw_upper_neighbours *u = lw_upper_neighbours_new(4, 16);
    assert_non_null(u);
    for (size_t i = 0; i < ROWS; i++) {
        lw_upper_neighbours_enter(u, rows[i].pasid, rows[i].page);
        assert_counts(u, rows[i].accesses, rows[i].met);
    }
    lw_upper_neighbours_leave(u, 0, 0);
    lw_upper_neighbours_enter(u, 0, 2); /* page 1 still uses the entries */
    assert_counts(u, 10, 2);
    lw_upper_neighbours_leave(u, 0, 1);
    lw_upper_neighbours_leave(u, 0, 2);
    lw_upper_neighbours_enter(u, 0, 3); /* at level 2 anew, beside page 0x200 */
    assert_counts(u, 11, 3);
    lw_upper_neighbours_leave(u, 0, 3);
    for (size_t i = 2; i < ROWS; i++) {
        lw_upper_neighbours_leave(u, rows[i].pasid, rows[i].page);
    }
    lw_upper_neighbours_enter(u, 0, 0); /* nobody is left */
    assert_counts(u, 14, 3);
    lw_upper_neighbours_free(u);
}

static void test_five_levels(void **state) {
    (void)state;
    lw_upper_neighbours *u = lw_upper_neighbours_new(5, 2);
    assert_non_null(u);
    lw_upper_neighbours_enter(u, 0, 0);
    assert_counts(u, 4, 0);
    lw_upper_neighbours_enter(u, 0, UINT64_C(1) << 36); /* beside it at level 5 alone */
    assert_counts(u, 8, 1);
    lw_upper_neighbours_free(u);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_five_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
