/* MESC's Figure 4 and Table II counted over a working set whose regions are known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/tables/contiguity_census.h"

enum { PAGES = 4096 };

static uint64_t frames[PAGES];

/* `pages` frames in a row from page `at` on, far from all others; returns the next page. */
static uint64_t add_region(uint64_t at, uint64_t pages) {
    for (uint64_t i = 0; i < pages; i++) {
        frames[at + i] = (at + 1) * 100000 + i;
    }
    return at + pages;
}

static void known_regions(void **state) {
    (void)state;
    uint64_t at = add_region(0, 256); /* four subregions */
    at = add_region(at, 257);         /* 256..512: whole ones are 256..511 */
    at = add_region(at, 63);          /* 513..575 */
    at = add_region(at, 64);          /* 576..639: one */
    at = add_region(at, 128 + 2048);  /* 640..2815: 34 and the frames 1024..2559 */
    for (uint64_t i = at; i < PAGES; i++) {
        frames[i] = 7 * i; /* no two in a row */
    }
    const lw_contiguity_census c = lw_contiguity_count(frames, PAGES);
    assert_int_equal(c.pages, PAGES);
    assert_int_equal(c.regions, 5 + PAGES - at);
    assert_int_equal(c.scope_regions[0], 3 + PAGES - at);
    assert_int_equal(c.scope_regions[1], 1);
    assert_int_equal(c.scope_regions[LW_CENSUS_SCOPES - 1], 1);
    assert_int_equal(c.scope_pages[0], 256 + 63 + 64 + PAGES - at);
    assert_int_equal(c.scope_pages[1], 257);
    assert_int_equal(c.scope_pages[LW_CENSUS_SCOPES - 1], 2176);
    assert_int_equal(c.longest, 2176);
    assert_int_equal(c.subregion_pages, 64 * (4 + 4 + 0 + 1 + 34));
    assert_int_equal(c.frame_pages, 512 * 3);
}

static void the_ends(void **state) {
    (void)state;
    (void)add_region(0, 512);
    const lw_contiguity_census one = lw_contiguity_count(frames, 1);
    assert_int_equal(one.regions, 1);
    assert_int_equal(one.subregion_pages, 0);
    const lw_contiguity_census frame = lw_contiguity_count(frames, 512);
    assert_int_equal(frame.frame_pages, 512);
    assert_int_equal(frame.scope_regions[1], 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_regions), cmocka_unit_test(the_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
