/* The pages of a program placed in a hashed table of the paper's size, and walked one by one
 * (hashed_placement.h): how many there are, where they lie, and what the walks read, by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/tables/hashed_placement.h"

#include <string.h>

#define BASE UINT64_C(0x7f0000000000)
#define REGION (UINT64_C(1) << 21)

/* Four regions in a row, which have a home each. */
static const lw_array four[] = {{"four", BASE, 4 * REGION}};

static lw_hashed_placement place(const lw_hashed_program *program) {
    lw_hashed_placement placed;
    lw_error err = {0};
    if (!lw_hashed_place_program(program, &placed, &err)) {
        fail_msg("%s", err.text);
    }
    assert_int_equal(placed.wrong, 0);
    return placed;
}

/* All are local, at home: a walk reads a line of steps and one of the slot, or with the home first
 * that one alone. */
static void test_all_at_home(void **state) {
    (void)state;
    for (uint32_t processes = 1; processes <= 2; processes++) {
        const lw_hashed_program program = {four, 1, processes, 100, 120};
        const lw_hashed_placement p = place(&program);
        const uint64_t pages = UINT64_C(2048) * processes;
        assert_int_equal(p.pages, pages);
        assert_int_equal(p.local_pages, pages);
        assert_int_equal(p.config.table_log, processes == 1 ? 3 : 4); /* 10 and 20 slots wanted */
        assert_int_equal(p.config.max_local, 4 * processes);
        assert_int_equal(p.config.max_entries, processes == 1 ? 4 : 9);
        assert_int_equal(p.figures.local, 4 * processes);
        assert_int_equal(p.figures.remote, 0);
        assert_int_equal(p.counts.entries, 4 * processes);
        assert_int_equal(p.in_victim_buffer, 0);
        assert_int_equal(p.accesses, 2 * pages);
        if (processes == 1) {
            assert_int_equal(p.home_first_accesses, pages);
        }
    }
}

/* Words that change: of a new entry those whose slice of the tag is not zero (R20.3), with the PTE
 * of the page that comes first (R20.21), then a PTE for each further page, and of the step table
 * the group's word, which is new once, and that with the region's step (R20.8). Region 0x3f80000 of
 * PASID 0 has three slices that are not zero, of bits 18 to 29 and the one with the valid bit; the
 * next three also that of their lowest bits, in which the first page's PTE lies. */
static void test_words(void **state) {
    (void)state;
    enum { LINES = 64, ENTERED = (3 * LINES + 1) + 3 * (4 * LINES) };
    const lw_hashed_program program = {four, 1, 1, 100, 120};
    assert_int_equal(BASE / REGION, 0x3f80000);
    assert_int_equal(place(&program).counts.words, ENTERED + 4 * 511 + (1 + 4));
}

/* What does not fit the GPU's memory is remote; beyond the threshold it lies in the victim buffer,
 * where a walk reads a line of each of its four levels behind that of the steps, which has nothing
 * (and the home slot's before it, where that is first). */
static void test_remote_pages(void **state) {
    (void)state;
    static const struct {
        uint32_t percent, factor;
        uint64_t local_pages, local, remote, victims; /* entries, and pages */
    } rows[] = {
        {50, 100, 1024, 2, 0, 1024}, {50, 149, 1024, 2, 0, 1024}, {50, 150, 1024, 2, 1, 512},
        {50, 200, 1024, 2, 2, 0},    {51, 100, 1045, 3, 0, 512},  {75, 200, 1536, 3, 1, 0},
        {1, 1000, 21, 1, 3, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const lw_hashed_program program = {four, 1, 1, rows[i].percent, rows[i].factor};
        const lw_hashed_placement p = place(&program);
        assert_int_equal(p.pages, 2048);
        assert_int_equal(p.local_pages, rows[i].local_pages);
        assert_int_equal(p.config.max_local, rows[i].local);
        assert_int_equal(p.figures.local, rows[i].local);
        assert_int_equal(p.figures.remote, rows[i].remote);
        assert_int_equal(p.in_victim_buffer, rows[i].victims);
        const uint64_t there = 2048 - rows[i].victims;
        assert_int_equal(p.accesses, 2 * there + 5 * rows[i].victims);
        assert_int_equal(p.home_first_accesses, there + 6 * rows[i].victims);
    }
}

/* Arrays in order: a page that two share is one page, and so is a region. */
static void test_shared_pages(void **state) {
    (void)state;
    static const lw_array arrays[] = {{"first", BASE, REGION + 5000},
                                      {"within", BASE + REGION + 4999, 10},
                                      {"behind", BASE + REGION + 8000, 3 << 12},
                                      {"far", BASE + 8 * REGION - 1, 2}};
    const lw_hashed_program program = {arrays, 4, 1, 100, 120};
    const lw_hashed_placement p = place(&program);
    assert_int_equal(p.pages, 512 + 2 + 3 + 2);
    assert_int_equal(p.local_pages, p.pages);
    assert_int_equal(p.figures.local, 4);
    assert_int_equal(p.config.max_local, 4);
    const lw_hashed_program one_percent = {arrays, 4, 1, 1, 120};
    assert_int_equal(place(&one_percent).local_pages, 6); /* of 519, rounded up */
}

/* More frames than there are is refused, with the options that say so much. */
static void test_too_much(void **state) {
    (void)state;
    static const lw_array large[] = {{"large", BASE, 512 * REGION}};
    const lw_hashed_program program = {large, 1, 256, 100, 120};
    lw_hashed_placement placed;
    lw_error err = {0};
    assert_false(lw_hashed_place_program(&program, &placed, &err));
    assert_non_null(strstr(err.text, "--size or --pasids: 67108864 pages and their tables"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_at_home),  cmocka_unit_test(test_words),
        cmocka_unit_test(test_remote_pages), cmocka_unit_test(test_shared_pages),
        cmocka_unit_test(test_too_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
