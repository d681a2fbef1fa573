/* What is planted into radix tables for units that look at contiguity bits (R1.11, R1.12) or at the
 * sizes of PTEs (R1.17): each range is what its name says, seen through the flat walk. */
#include "tests/unit/sim/os/space_walk.h"

enum { FRAME_PAGES = 512, RANGE_PAGES = 8 };

static lw_address_spaces *make_spaces(const lw_system *system, uint64_t seed) {
    static const lw_array list = {"array", UINT64_C(0x10000000), 5 << 12};
    lw_error err = {0};
    lw_address_spaces *s = lw_address_spaces_new(system, 1 << 13, seed, &err);
    if (s == NULL || !lw_address_spaces_add(s, &list, 1, &err)) {
        fail_msg("%s", err.text);
    }
    return s;
}

/* The first page of the range of this name; 0: there is none. */
static uint64_t page_of(const lw_array *ranges, size_t count, const char *name) {
    for (size_t a = 0; a < count; a++) {
        if (strcmp(ranges[a].name, name) == 0) {
            return ranges[a].base >> 12;
        }
    }
    return 0;
}

/* CONTIG (R1.10), and of the pages of a frame: whose own PTE refuses a write, which are refused by
 * a walk that goes by the bits, and which it answers otherwise than their own PTE says. Frames are
 * scattered, so that of the pages that the bits name all differ but the heads themselves (R1.12):
 * of 8 subregions 8 x 63, with AC 511. A head that is refused has all refused that it is read for.
 */
static const struct contiguity_row {
    const char *name;
    uint32_t contig, own, kind, refused, differ;
} contiguity_rows[] = {
    {"C over a hole", 0x003, 1, LW_ORACLE_NOT_PRESENT, 0, 2 * 63},
    {"AC over a hole", 0x1ff, 1, LW_ORACLE_NOT_PRESENT, 0, 511},
    {"AC without C", 0x100, 0, LW_ORACLE_OK, 0, 511},
    {"C, head not present", 0x00c, 1, LW_ORACLE_NOT_PRESENT, 64, 2 * 63},
    {"AC, head reserved", 0x1ff, 1, LW_ORACLE_RESERVED, 512, 511},
    {"C, head read only", 0x0ff, 1, LW_ORACLE_PERMISSION, 64, 8 * 63},
};

static void check_frame(const lw_system *system, lw_address_spaces *s, uint64_t first,
                        const struct contiguity_row *row) {
    lw_system plain = *system;
    uint32_t own = 0, refused = 0, differ = 0;
    uint64_t pa = 0;
    assert_true(lw_page_table_entry_address(lw_address_spaces_table(s, 0), first, 2, &pa, NULL));
    assert_int_equal(read_memory(s, pa) >> 52 & 0x1ff, row->contig);
    plain.hw.subregions = 0;
    for (uint64_t page = first; page < first + FRAME_PAGES; page++) {
        const lw_oracle_answer says = walk(&plain, s, 0, page, LW_WRITE);
        const lw_oracle_answer found = walk(system, s, 0, page, LW_WRITE);
        assert_true(says.kind == LW_ORACLE_OK || says.kind == row->kind);
        assert_true(found.kind == LW_ORACLE_OK || found.kind == row->kind);
        own += says.kind != LW_ORACLE_OK;
        refused += found.kind != LW_ORACLE_OK;
        differ += !lw_oracle_answer_equal(&says, &found);
    }
    assert_int_equal(own, row->own);
    assert_int_equal(refused, row->refused);
    assert_int_equal(differ, row->differ);
}

static void test_contiguity(void **state) {
    (void)state;
    for (uint32_t shape = 0; shape < 4; shape++) {
        lw_system system = make_system("random", LW_SIZE_4K, 4 + shape / 2, 48);
        lw_array ranges[LW_BAD_ARRAYS];
        size_t count = 0;
        lw_error err = {0};
        system.hw.subregions = 1;
        system.hw.head_first = shape % 2;
        lw_address_spaces *s = make_spaces(&system, 1);
        assert_true(lw_address_spaces_plant(s, 0, ranges, &count, &err));
        const size_t entries = count;
        assert_true(lw_address_spaces_plant_contiguity(s, 0, ranges, &count, &err));
        assert_int_equal(count - entries, COUNT(contiguity_rows));
        for (size_t i = 0; i < COUNT(contiguity_rows); i++) {
            const uint64_t first = page_of(ranges, count, contiguity_rows[i].name);
            assert_true(first != 0 && first % FRAME_PAGES == 0);
            check_frame(&system, s, first, &contiguity_rows[i]);
        }
        for (size_t a = entries; a < count; a++) {
            assert_int_equal(ranges[a].bytes, FRAME_PAGES << 12);
        }
        lw_address_spaces_free(s);
    }
}

/* R20.5: the size 3 is reserved, and a page of 64 KiB whose frame does not go with it misaligned,
 * also where the frame that was drawn would; of a range it is the second page, and the others are
 * good. */
static void test_sizes(void **state) {
    static const struct {
        const char *name;
        uint32_t kind;
    } rows[] = {{"bad size", LW_ORACLE_RESERVED}, {"bad misaligned 64 KiB", LW_ORACLE_MISALIGNED}};
    (void)state;
    for (uint64_t seed = 0; seed < 81; seed++) {
        const bool sized = seed != 0;
        lw_system system = make_system("random", LW_SIZE_4K, 4, 48);
        lw_array ranges[LW_BAD_ARRAYS];
        size_t count = 0;
        lw_error err = {0};
        system.hw.pages_64k = sized;
        lw_address_spaces *s = make_spaces(&system, seed);
        assert_true(lw_address_spaces_plant(s, 0, ranges, &count, &err));
        for (size_t i = 0; i < COUNT(rows); i++) {
            const uint64_t first = page_of(ranges, count, rows[i].name);
            assert_int_equal(first != 0, sized); /* R1.17: else no PTE says its size */
            for (uint64_t n = 0; sized && n < RANGE_PAGES; n++) {
                const lw_oracle_answer answer = walk(&system, s, 0, first + n, LW_WRITE);
                assert_int_equal(answer.kind, n == 1 ? rows[i].kind : LW_ORACLE_OK);
                assert_true(n != 1 || answer.level == 1);
            }
        }
        lw_address_spaces_free(s);
    }
}

/* Beside a bad entry of level 1 the other pages of its range are good; a bad entry above it is that
 * of all of them. */
static void test_neighbours(void **state) {
    const lw_system system = make_system("random", LW_SIZE_4K, 5, 48);
    lw_array ranges[LW_BAD_ARRAYS];
    size_t count = 0;
    lw_error err = {0};
    (void)state;
    lw_address_spaces *s = make_spaces(&system, 1);
    assert_true(lw_address_spaces_plant(s, 0, ranges, &count, &err));
    for (size_t a = 0; a < count; a++) {
        const uint64_t first = ranges[a].base >> 12;
        uint32_t alike = 0;
        assert_int_equal(ranges[a].bytes, RANGE_PAGES << 12);
        for (uint32_t access = LW_READ; access <= LW_EXECUTE; access++) {
            const lw_oracle_answer bad = walk(&system, s, 0, first + 1, access);
            for (uint64_t n = 0; n < RANGE_PAGES && bad.kind != LW_ORACLE_OK; n++) {
                const lw_oracle_answer other = walk(&system, s, 0, first + n, access);
                alike += n != 1 && lw_oracle_answer_equal(&bad, &other);
                assert_true(n == 1 || bad.level > 1 || other.kind == LW_ORACLE_OK);
            }
            assert_true(bad.kind == LW_ORACLE_OK || bad.level == 1 || alike != 0);
            assert_true(bad.level != 1 || alike == 0);
        }
    }
    lw_address_spaces_free(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contiguity),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
