/* Who meets another request of its 32 KiB (NHA's Figure 5): by hand, and against plain counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/rng.h"
#include "sim/environment/neighbourhood.h"

static void test_by_hand(void **state) {
    (void)state;
    lw_neighbourhoods *n = lw_neighbourhoods_new(8);
    assert_non_null(n);
    assert_false(lw_neighbourhoods_enter(n, 1, 0x80));
    assert_true(lw_neighbourhoods_enter(n, 1, 0x87));
    assert_true(lw_neighbourhoods_enter(n, 1, 0x80)); /* two of one page are two */
    assert_false(lw_neighbourhoods_enter(n, 1, 0x88));
    assert_false(lw_neighbourhoods_enter(n, 1, 0x7f));
    assert_false(lw_neighbourhoods_enter(n, 2, 0x80));
    assert_false(lw_neighbourhoods_enter(n, 1, UINT64_C(1) << 51 | 0x80));
    assert_false(lw_neighbourhoods_leave(n, 1, 0x80));
    assert_false(lw_neighbourhoods_leave(n, 1, 0x81)); /* the pages of a neighbourhood are one */
    assert_true(lw_neighbourhoods_leave(n, 1, 0x82));
    assert_false(lw_neighbourhoods_leave(n, 1, 0x80)); /* nobody is left */
    assert_true(lw_neighbourhoods_leave(n, 2, 0x80));
    assert_false(lw_neighbourhoods_enter(n, 1, 0x80));
    lw_neighbourhoods_free(n);
}

/* Full to its bound, with neighbourhoods that come and go in any order. */
static void test_in_any_order(void **state) {
    (void)state;
    enum { IN_FLIGHT = 16, PASIDS = 3, PLACES = 20 };
    uint32_t counts[PASIDS][PLACES] = {{0}};
    struct {
        uint32_t pasid, place;
    } flying[IN_FLIGHT];
    uint32_t count = 0;
    lw_rng rng;
    lw_rng_seed(&rng, 1);
    lw_neighbourhoods *n = lw_neighbourhoods_new(IN_FLIGHT);
    for (uint32_t i = 0; i < 20000; i++) {
        if (count == 0 || (count < IN_FLIGHT && lw_rng_percent(&rng, 60))) {
            const uint32_t pasid = (uint32_t)lw_rng_below(&rng, PASIDS);
            const uint32_t place = (uint32_t)lw_rng_below(&rng, PLACES);
            assert_int_equal(
                lw_neighbourhoods_enter(n, pasid, (uint64_t)place << 3 | lw_rng_below(&rng, 8)),
                counts[pasid][place]++ != 0);
            flying[count].pasid = pasid;
            flying[count++].place = place;
        } else {
            const uint32_t who = (uint32_t)lw_rng_below(&rng, count);
            const uint32_t pasid = flying[who].pasid, place = flying[who].place;
            assert_int_equal(
                lw_neighbourhoods_leave(n, pasid, (uint64_t)place << 3 | lw_rng_below(&rng, 8)),
                --counts[pasid][place] == 0);
            flying[who] = flying[--count];
        }
    }
    lw_neighbourhoods_free(n);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_by_hand),
                                       cmocka_unit_test(test_in_any_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
