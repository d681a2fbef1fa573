/* Address maps: each page of each range is where the file says, with its permissions, size and
 * frame; what a file may not say is refused with its line. Seen through the flat walk, which shares
 * no code with the tables' builder. */
#include "tests/unit/sim/os/space_walk.h"

#include "sim/os/address_map.h"

#include <stdio.h>
#include <unistd.h>

static char path[] = "/tmp/lockwalk_map_XXXXXX";

static int make_file(void **state) {
    (void)state;
    const int file = mkstemp(path);
    return file < 0 ? -1 : close(file);
}

static int remove_file(void **state) {
    (void)state;
    return remove(path);
}

static lw_address_map *read_text(const lw_system *system, const char *text, lw_error *err) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    err->text[0] = '\0';
    return lw_address_map_read(path, system, err);
}

static lw_address_spaces *map_all(const lw_system *system, const lw_address_map *map) {
    lw_error err = {0};
    lw_address_spaces *s =
        lw_address_spaces_new_beside(system, lw_address_map_pages(map), 1, map, &err);
    assert_string_equal(err.text, "");
    for (uint32_t p = 0; p < lw_address_map_spaces(map); p++) {
        assert_true(lw_address_spaces_add_map(s, map, &err));
    }
    return s;
}

static void test_ranges(void **state) {
    (void)state;
    static const char text[] = "# pasid page count size permissions frame\n"
                               "0 0x7f0000000 20 4K rw\n"
                               "0 0x7f0000020 3  4K r  0x1234 # in a row\n"
                               " \t\n"
                               "2 0x200       2  2M rx 0x80000\n"
                               "2 0x40000     1  1G rwx 0x40000\n"
                               "2 0xffff800000000 4 4K rwx\n"
                               "0 0x7f0000040 1 4K r 0x1235\n"
                               "3 0x10 2 64K r\n";
    static const struct {
        uint32_t pasid;
        uint64_t page;
        lw_page_size size;
        bool mapped, w, x;
        uint64_t frame; /* 0: any */
    } pages[] = {
        {0, 0x7f0000000, LW_SIZE_4K, true, true, false, 0},
        {0, 0x7f0000013, LW_SIZE_4K, true, true, false, 0},
        {0, 0x7f0000014, LW_SIZE_4K, false, false, false, 0},
        {0, 0x7f0000020, LW_SIZE_4K, true, false, false, 0x1234},
        {0, 0x7f0000022, LW_SIZE_4K, true, false, false, 0x1236},
        {0, 0x7f0000023, LW_SIZE_4K, false, false, false, 0},
        {0, 0x7f0000040, LW_SIZE_4K, true, false, false, 0x1235},
        {1, 0x7f0000000, LW_SIZE_4K, false, false, false, 0},
        {2, 0x1ff, LW_SIZE_4K, false, false, false, 0},
        {2, 0x200, LW_SIZE_2M, true, false, true, 0x80000},
        {2, 0x5ff, LW_SIZE_2M, true, false, true, 0x803ff},
        {2, 0x600, LW_SIZE_4K, false, false, false, 0},
        {2, 0x7ffff, LW_SIZE_1G, true, true, true, 0x7ffff},
        {2, 0xffff800000003, LW_SIZE_4K, true, true, true, 0},
        {2, 0xffff800000004, LW_SIZE_4K, false, false, false, 0},
        {3, 0x2f, LW_SIZE_64K, true, false, false, 0},
        {3, 0x30, LW_SIZE_4K, false, false, false, 0},
    };
    lw_system system = make_system("random", LW_SIZE_4K, 4, 48);
    system.hw.pages_64k = 1;
    lw_error err = {0};
    lw_address_map *map = read_text(&system, text, &err);
    assert_string_equal(err.text, "");
    assert_int_equal(lw_address_map_pages(map), 56);
    assert_int_equal(lw_address_map_spaces(map), 4);
    lw_address_spaces *s = map_all(&system, map);
    for (size_t i = 0; i < COUNT(pages); i++) {
        const lw_oracle_answer a = walk(&system, s, pages[i].pasid, pages[i].page, LW_READ);
        assert_int_equal(a.kind == LW_ORACLE_OK, pages[i].mapped);
        if (pages[i].mapped) {
            assert_int_equal(a.size, pages[i].size);
            assert_int_equal(a.w, pages[i].w);
            assert_int_equal(a.x, pages[i].x);
            assert_true(pages[i].frame == 0 || a.pfn == pages[i].frame);
        }
    }
    /* Only what the file leaves free may change while an OS is at work. */
    assert_int_equal(lw_address_spaces_mapped(s, 0), 0);
    assert_int_equal(lw_address_spaces_mapped(s, 2), 1);
    lw_address_spaces_free(s);
    lw_address_map_free(map);
}

/* Memory lies beside the frames that are given, wherever they are. */
static void test_frames_of_tables_and_pages_are_free(void **state) {
    (void)state;
    static const char *const texts[] = {
        "0 0x1 1 4K r\n",
        "0 0x1 1 4K r 0x40000\n0 0x2 1 4K r\n",
        "0 0x1 1 4K r 0x7ffff\n0 0x2 1 4K r\n",
        "0 0x40000 2 1G r 0x80000\n0 0x1 9 4K r\n0 0x2000 1 4K r 0x40001\n",
        "0 0x1 1 4K r 0x3ffff\n0 0x2 1 4K r 0x80000\n", /* it fits between them */
        "0 0x1 1 4K r 0x80000\n0 0x2 1 4K r 0x40000\n", /* and neither lies behind a later one */
    };
    static const uint64_t first[] = {0x40000, 0x80000, 0x80000, 0x100000, 0x40000, 0xc0000};
    const lw_system system = make_system("contiguous", LW_SIZE_4K, 4, 40);
    for (size_t i = 0; i < COUNT(texts); i++) {
        lw_error err = {0};
        lw_address_map *map = read_text(&system, texts[i], &err);
        assert_string_equal(err.text, "");
        assert_int_equal(lw_address_map_free_frames(map, 0x40000), first[i]);
        lw_address_spaces *s = map_all(&system, map);
        const uint64_t root = lw_page_table_root(lw_address_spaces_table(s, 0));
        assert_true(root >= first[i] && root < first[i] + 0x40000);
        lw_address_spaces_free(s);
        lw_address_map_free(map);
    }
}

static void test_refusals(void **state) {
    (void)state;
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"", "is empty"},
        {"# nothing\n", "maps nothing: at least one line is needed"},
        {"4 1 1 4K r\n", ":1: pasid '4' is not allowed: a number up to 0x3"},
        {"\n0\n", ":2: first page '(missing)' is not allowed"},
        {"0 zz 1 4K r\n", ":1: first page 'zz' is not allowed"},
        {"0 0x800000000 1 4K r\n", ":1: first page '0x800000000' is not allowed: a canonical"},
        {"0 0x201 1 2M r\n",
         ":1: first page '0x201' is not allowed: a canonical VA[63:12], a mult"},
        {"0 1 0 4K r\n", ":1: count '0' is not allowed: 1 up to"},
        {"0 0x7ffffffff 2 4K r\n", ":1: count '2' is not allowed"},
        {"0 0xfffffffffffff 2 4K r\n", ":1: count '2' is not allowed"},
        {"0 0x7fffffe00 2 2M r\n", ":1: count '2' is not allowed"},
        {"0 0x10000000000000 1 4K r\n", ":1: first page '0x10000000000000' is not allowed: a numb"},
        {"0 1 1 8K r\n", ":1: page size '8K' is not allowed: 4K, 2M or 1G is"},
        {"0 1 1 4K w\n", ":1: permissions 'w' is not allowed: r, rw, rx or rwx is"},
        {"0 1 1 4K\n", ":1: permissions '(missing)' is not allowed"},
        {"0 0x200 1 2M r 0x201\n", ":1: frame '0x201' is not allowed: a multiple of the page size"},
        {"0 1 2 4K r 0xfffffff\n", ":1: frame '0xfffffff' is not allowed"},
        {"0 1 2 4K r 1 1\n", ":1: seventh word '1' is not allowed"},
        {"0 5 2 4K r\n0 1 5 4K r\n", ":2: overlaps with line 1"},
        {"0 1 5 4K r\n1 1 5 4K r\n0 5 1 4K r\n", ":3: overlaps with line 1"},
    };
    const lw_system system = make_system("random", LW_SIZE_4K, 4, 40);
    for (size_t i = 0; i < COUNT(cases); i++) {
        lw_error err = {0};
        assert_null(read_text(&system, cases[i].text, &err));
        if (strstr(err.text, cases[i].part) == NULL || strstr(err.text, path) == NULL) {
            fail_msg("'%s' has no '%s'", err.text, cases[i].part);
        }
    }
    const lw_system pagemap = make_system("pagemap:/some/file", LW_SIZE_4K, 4, 40);
    lw_error err = {0};
    assert_null(read_text(&pagemap, "0 1 1 4K r 7\n", &err));
    assert_non_null(strstr(err.text, "with --mapping pagemap only ranges without one are"));
}

/* A file that cannot be read to its end maps nothing, whatever stands before. */
static void test_read_to_its_end(void **state) {
    (void)state;
    enum { LONG = 100000 };
    const lw_system system = make_system("random", LW_SIZE_4K, 4, 40);
    lw_error err = {0};
    static char text[LONG];
    (void)snprintf(text, sizeof text, "0 1 1 4K r\n%0*d", LONG - 100, 0);
    assert_null(read_text(&system, text, &err));
    assert_non_null(strstr(err.text, ":2: is longer than"));
}

/* Ranges up to the end of each half, and frames up to the end of memory, are allowed. */
static void test_up_to_the_end(void **state) {
    (void)state;
    static const char text[] = "0 0x7fffffffe 2 4K r 0xffffffe\n"
                               "0 0xffffffffffffe 2 4K rw 0xffffffe\n"
                               "1 0x7fffffe00 1 2M r 0xffffe00\n";
    const lw_system system = make_system("random", LW_SIZE_4K, 4, 40);
    lw_error err = {0};
    lw_address_map *map = read_text(&system, text, &err);
    assert_string_equal(err.text, "");
    lw_address_spaces *s = map_all(&system, map);
    assert_int_equal(walk(&system, s, 0, 0x7ffffffff, LW_READ).pfn, 0xfffffff);
    assert_int_equal(walk(&system, s, 0, UINT64_MAX >> 12, LW_READ).pfn, 0xfffffff);
    assert_true(walk(&system, s, 0, UINT64_MAX >> 12, LW_READ).w);
    assert_int_equal(walk(&system, s, 1, 0x7ffffffff, LW_READ).pfn, 0xfffffff);
    lw_address_spaces_free(s);
    lw_address_map_free(map);
}

/* While an OS is at work ranges with a frame, or without w or x, stay as they are: they are behind
 * those that may change. */
static void test_what_may_change(void **state) {
    (void)state;
    static const char text[] = "0 0x10 2 4K rwx 0x1000\n"
                               "0 0x20 3 4K rwx\n"
                               "0 0x30 4 4K rw\n"
                               "1 0x20 9 4K rwx\n"
                               "0 0x40 5 4K rx\n"
                               "0 0x200 1 2M rwx\n";
    static const struct {
        const char *name;
        uint64_t base, bytes;
    } expected[] = {{"line2", 0x20000, 3 << 12},
                    {"line6", 0x200000, 1 << 21},
                    {"line1", 0x10000, 2 << 12},
                    {"line3", 0x30000, 4 << 12},
                    {"line5", 0x40000, 5 << 12}};
    const lw_system system = make_system("contiguous", LW_SIZE_4K, 4, 40);
    lw_error err = {0};
    lw_address_map *map = read_text(&system, text, &err);
    assert_string_equal(err.text, "");
    lw_address_spaces *s = map_all(&system, map);
    size_t count = 0;
    const lw_array *arrays = lw_address_spaces_arrays(s, 0, &count);
    assert_int_equal(count, COUNT(expected));
    assert_int_equal(lw_address_spaces_mapped(s, 0), 2);
    assert_int_equal(lw_address_spaces_mapped(s, 1), 1);
    for (size_t i = 0; i < count; i++) {
        assert_string_equal(arrays[i].name, expected[i].name);
        assert_int_equal(arrays[i].base, expected[i].base);
        assert_int_equal(arrays[i].bytes, expected[i].bytes);
    }
    lw_address_spaces_free(s);
    lw_address_map_free(map);
}

/* In a unit with subregions the level-2 entries of every frame that a range touches say how far its
 * pages lie in a row (R1.10): {AC, C7..C0} at bits 60:52. */
static void test_contiguity(void **state) {
    (void)state;
    static const char text[] = "0 0x10000 1024 4K rw 0x40000\n"
                               "0 0x20040 64 4K r 0x1040\n"
                               "0 0x20080 63 4K r 0x1080\n"
                               "1 0x30000 1 2M r 0x200\n";
    static const struct {
        uint64_t page, bits;
    } frames[] = {{0x10000, 0x1ff}, {0x10200, 0x1ff}, {0x20000, 0x002}};
    lw_system system = make_system("random", LW_SIZE_4K, 4, 40);
    for (uint32_t subregions = 0; subregions < 2; subregions++) {
        lw_error err = {0};
        system.hw.subregions = subregions;
        lw_address_map *map = read_text(&system, text, &err);
        assert_string_equal(err.text, "");
        lw_address_spaces *s = map_all(&system, map);
        for (size_t i = 0; i < COUNT(frames); i++) {
            uint64_t pa = 0;
            assert_true(lw_page_table_entry_address(lw_address_spaces_table(s, 0), frames[i].page,
                                                    2, &pa, &err));
            assert_int_equal(read_memory(s, pa) >> 52 & 0x1ff, subregions * frames[i].bits);
        }
        assert_int_equal(walk(&system, s, 1, 0x301ff, LW_READ).pfn, 0x3ff);
        lw_address_spaces_free(s);
        lw_address_map_free(map);
    }
}

/* What room is asked for: pages of ranges without a frame, and at most the regions of 2 MiB that
 * are touched, and as many as the ranges' two ends may add. */
static void test_room(void **state) {
    (void)state;
    static const char text[] = "0 0x1ff 2 4K r\n"           /* two regions */
                               "0 0x400 3 2M r\n"           /* three */
                               "1 0x7ff 514 4K r 0x1000\n"; /* three */
    const lw_system system = make_system("random", LW_SIZE_4K, 4, 40);
    lw_error err = {0};
    lw_address_map *map = read_text(&system, text, &err);
    assert_string_equal(err.text, "");
    assert_int_equal(lw_address_map_pages(map), 2 + 3 * 512);
    assert_int_equal(lw_address_map_spaces(map), 2);
    assert_in_range(lw_address_map_regions(map), 2 + 3 + 3, 2 + 3 + 3 + 2 * 3);
    lw_address_map_free(map);
}

/* A large page without a frame needs a run of the policy's. */
static void test_large_pages_of_the_policy(void **state) {
    (void)state;
    static const struct {
        const char *mapping;
        bool fits;
    } rows[] = {{"contiguous", true}, {"random", true}, {"buddy:25", false}};
    for (size_t i = 0; i < COUNT(rows); i++) {
        const lw_system system = make_system(rows[i].mapping, LW_SIZE_4K, 4, 48);
        lw_error err = {0};
        lw_address_map *map = read_text(&system, "0 0x400 2 2M rwx\n", &err);
        lw_address_spaces *s =
            lw_address_spaces_new_beside(&system, lw_address_map_pages(map), 1, map, &err);
        assert_non_null(s);
        assert_int_equal(lw_address_spaces_add_map(s, map, &err), rows[i].fits);
        assert_true(rows[i].fits ||
                    strstr(err.text, "line 1 of the map: no 2M of frames in a row are free") !=
                        NULL);
        lw_address_spaces_free(s);
        lw_address_map_free(map);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_frames_of_tables_and_pages_are_free),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_read_to_its_end),
        cmocka_unit_test(test_up_to_the_end),
        cmocka_unit_test(test_what_may_change),
        cmocka_unit_test(test_contiguity),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_large_pages_of_the_policy),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
