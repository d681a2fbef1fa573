/* The hashed table of the address spaces: what the page tables map is there too, page for page, in
 * the sizes that a hashed table has, and nothing else. Seen through the oracle's two walks, which
 * share no code with either builder. */
#include "tests/unit/sim/os/hashed_spaces.h"

#include <stdio.h>

static const lw_array arrays[] = {
    {"one page", UINT64_C(0x10000000), 1},
    {"its neighbour", UINT64_C(0x10001000), 5 << 12},
    {"within a page", UINT64_C(0x10005ffc), 4}, /* shares the neighbour's last page */
    {"2 MiB, askew", UINT64_C(0x7f0000003000), (512 << 12) + 12},
    {"several 2 MiB", UINT64_C(0x7f8040000000), UINT64_C(9) << 20},
    {"1 GiB", UINT64_C(0x4003fe00000), UINT64_C(1) << 30},
    {"upper half", UINT64_C(0xffff800000000000), 300 << 12},
};

enum { REGIONS = 600 };

static const struct mapping_row {
    const char *mapping;
    uint32_t page_size, levels, pa_width, processes;
    uint32_t every; /* hashed_tables: 2 leaves the second process out */
    bool sizes[4];  /* of the pages that must occur; the others must not */
} rows[] = {
    {"contiguous", LW_SIZE_4K, 4, 48, 2, 1, {true, false, false, false}},
    {"random", LW_SIZE_4K, 4, 40, 2, 2, {true, false, false, false}},
    {"contiguous", LW_SIZE_2M, 5, 52, 3, 2, {true, true, false, false}},
    {"buddy:0", LW_SIZE_1G, 4, 48, 1, 1, {true, true, false, false}},
    {"contiguous", 3, 4, 48, 2, 1, {true, true, false, true}},
};

/* Each page of each array, and one on both sides of it. */
static void check_process(const lw_system *system, lw_address_spaces *s, uint32_t process,
                          bool sizes[4]) {
    for (size_t a = 0; a < COUNT(arrays); a++) {
        const uint64_t first = (arrays[a].base >> 12) - 1;
        const uint64_t last = (arrays[a].base + arrays[a].bytes - 1) >> 12;
        for (uint64_t page = first; page <= last + 1; page++) {
            const uint64_t number = page & (UINT64_MAX >> 12);
            if (!tables_agree(system, s, process, number)) {
                fail_msg("%s, page 0x%llx", arrays[a].name, (unsigned long long)number);
            }
            const lw_oracle_answer answer = hashed_walk_of(system, s, process, number).answer;
            sizes[answer.kind == LW_ORACLE_OK ? answer.size : 0] = true;
        }
    }
}

static void test_mapping(void **state) {
    (void)state;
    for (size_t r = 0; r < COUNT(rows); r++) {
        lw_error err = {0};
        lw_system system =
            hashed_system(rows[r].mapping, rows[r].page_size, rows[r].levels, rows[r].pa_width);
        bool sizes[4] = {false, false, false, false};
        system.hashed_tables = rows[r].every;
        lw_address_spaces *s = lw_address_spaces_new(&system, 3 << 19, 1, &err);
        assert_true(lw_address_spaces_hash(s, REGIONS * (uint64_t)rows[r].processes, &err));
        for (uint32_t p = 0; p < rows[r].processes; p++) {
            if (!lw_address_spaces_add(s, arrays, COUNT(arrays), &err)) {
                fail_msg("row %zu: %s", r, err.text);
            }
            assert_int_equal(lw_address_spaces_is_hashed(s, p), p % rows[r].every == 0);
        }
        for (uint32_t p = 0; p < rows[r].processes; p += rows[r].every) {
            check_process(&system, s, p, sizes);
        }
        assert_memory_equal(sizes, rows[r].sizes, sizeof sizes);
        lw_address_spaces_free(s);
    }
}

/* A system without has none, and a table that memory has no room for is refused. */
static void test_none(void **state) {
    (void)state;
    lw_error err = {0};
    lw_system system = make_system("contiguous", LW_SIZE_4K, 4, 48);
    lw_address_spaces *s = lw_address_spaces_new(&system, 1 << 14, 1, &err);
    assert_true(lw_address_spaces_hash(s, REGIONS, &err));
    assert_null(lw_address_spaces_hashed(s));
    assert_true(lw_address_spaces_add(s, arrays, 1, &err));
    assert_false(lw_address_spaces_is_hashed(s, 0));
    lw_address_spaces_free(s);
    system = hashed_system("contiguous", LW_SIZE_4K, 4, 32);
    assert_null(lw_address_spaces_new(&system, 1 << 10, 1, &err));
    assert_non_null(strstr(err.text, "pa_width"));
}

/* docs/machine.md, "Programs larger than the GPU's memory": it has room for that share of the
 * regions, rounded down but for one region. What is mapped first is local, all pages of it; the
 * rest is remote, and the last of it in the table, up to the threshold (R20.17). */
static void test_share(void **state) {
    (void)state;
    enum { ALL = 5, PAGES = ALL * 512 };
    static const lw_array array = {"data", UINT64_C(0x40000000), (uint64_t)PAGES << 12};
    static const struct {
        uint32_t share, factor;
        uint64_t local, remote;
    } of[] = {{40, 100, 2, 0}, {59, 150, 2, 1}, {60, 120, 3, 0}, {60, 150, 3, 1},
              {80, 200, 4, 1}, {19, 400, 1, 3}, {1, 100, 1, 0},  {100, 100, 5, 0}};
    for (size_t i = 0; i < COUNT(of); i++) {
        lw_system system = hashed_system("contiguous", LW_SIZE_4K, 4, 48);
        lw_error err = {0};
        system.local_share = of[i].share;
        system.hashed_factor = of[i].factor;
        lw_address_spaces *s = lw_address_spaces_new(&system, 1 << 14, 1, &err);
        assert_true(lw_address_spaces_hash(s, ALL, &err));
        assert_true(lw_address_spaces_add(s, &array, 1, &err));
        lw_hashed_table *t = lw_address_spaces_hashed(s);
        for (uint64_t n = 0; n < PAGES; n++) {
            lw_hashed_page page;
            assert_true(lw_hashed_table_find(t, 0, (array.base >> 12) + n, &page));
            assert_int_equal(page.pte >> 11 & 1, n / 512 >= of[i].local);
            assert_int_equal(page.in_victim_buffer,
                             n / 512 >= of[i].local && n / 512 < ALL - of[i].remote);
        }
        assert_int_equal(lw_hashed_table_figures(t).local, of[i].local);
        assert_int_equal(lw_hashed_table_figures(t).remote, of[i].remote);
        lw_address_spaces_free(s);
    }
}

/* Frames of a file may lie anywhere, and at odd numbers: the tables lie behind the last of them. */
static void test_frames_of_a_file(void **state) {
    (void)state;
    enum { FRAMES = 4000, PAGES = 1 << 10, APART = 331, PROCESSES = 2, SMALL = 4 };
    static const char name[] = "lw_test_hashed_frames.txt";
    lw_error err = {0};
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    for (uint64_t i = 0; i < FRAMES; i++) {
        assert_true(fprintf(file, "%llu\n", (unsigned long long)(1 + (FRAMES - i) * APART)) > 0);
    }
    assert_int_equal(fclose(file), 0);
    lw_system system = hashed_system("pagemap:lw_test_hashed_frames.txt", LW_SIZE_4K, 4, 48);
    lw_address_spaces *s = lw_address_spaces_new(&system, PAGES, 1, &err);
    assert_non_null(s);
    if (!lw_address_spaces_hash(s, REGIONS, &err)) {
        fail_msg("%s", err.text);
    }
    lw_hashed_roots roots = {0};
    for (uint32_t p = 0; p < PROCESSES; p++) {
        assert_true(lw_address_spaces_add(s, arrays, SMALL, &err));
        assert_true(lw_hashed_table_roots(lw_address_spaces_hashed(s), p, &roots));
        assert_true(roots.table_frame > FRAMES * APART + 1);
        assert_true(roots.step_frame > FRAMES * APART + 1);
        assert_true(roots.victim_frame > FRAMES * APART + 1);
        for (size_t a = 0; a < SMALL; a++) {
            const uint64_t first = arrays[a].base >> 12;
            for (uint64_t page = first - 1; page <= first + lw_array_pages(&arrays[a]); page++) {
                assert_true(tables_agree(&system, s, p, page));
            }
        }
    }
    lw_address_spaces_free(s);
    (void)remove(name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mapping),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_share),
        cmocka_unit_test(test_frames_of_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
